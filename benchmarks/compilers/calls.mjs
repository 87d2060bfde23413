// What the TypeScript compiler says of every call of a repository, as JSON lines (see ../calibration_compiled.py).
//
//     npm install typescript@5 && NODE_PATH=$PWD/node_modules node calls.mjs ROOT < FILES
//
// FILES are paths from ROOT, one a line. The repository's own node_modules is not needed: packages of its workspaces are
// found by the names in their package.json, and what is not found has the type any.

import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'

const require = createRequire(path.join(process.env.NODE_PATH ?? process.cwd(), 'x.js'))
const ts = require('typescript')

const root = fs.realpathSync(process.argv[2])
const files = fs.readFileSync(0, 'utf8').split('\n').filter(one => one && !shadows(one))
const kinds = ts.SyntaxKind

/** Whether a file only declares what modules are: it would stand before the sources of a workspace's package. */
function shadows(file) {
  return file.endsWith('.d.ts') && /^declare module/m.test(fs.readFileSync(path.join(root, file), 'utf8'))
}

/** Where the packages of the workspaces have their sources, by name. */
function workspaces() {
  const paths = {}
  const seen = new Set()
  for (const file of files) {
    let folder = path.dirname(file)
    while (folder !== '.' && !seen.has(folder)) {
      seen.add(folder)
      try {
        const { name } = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
        if (name) {
          paths[name] ??= ['src/index', 'index', 'src/main', 'lib/index'].map(one => path.join(root, folder, one))
          paths[`${name}/*`] ??= ['src/*', '*', 'src/*/index'].map(one => path.join(root, folder, one))
        }
      } catch {
        // no package of its own
      }
      folder = path.dirname(folder)
    }
  }
  return paths
}

function options() {
  const config = path.join(root, 'tsconfig.json')
  let read = {}
  if (fs.existsSync(config)) {
    const raw = ts.readConfigFile(config, ts.sys.readFile).config ?? {}
    read = ts.convertCompilerOptionsFromJson(raw.compilerOptions ?? {}, root).options
  }
  const own = {}
  for (const [name, places] of Object.entries(read.paths ?? {})) own[name] = places.map(one => path.resolve(root, read.baseUrl ?? '.', one))
  return {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowJs: true, checkJs: false, maxNodeModuleJsDepth: 0, noEmit: true, strict: true, skipLibCheck: true, types: [],
    jsx: ts.JsxEmit.Preserve, experimentalDecorators: true, esModuleInterop: true, resolveJsonModule: true,
    noResolve: false, paths: { ...workspaces(), ...own }
  } // prettier-ignore
}

const program = ts.createProgram(files.map(one => path.join(root, one)), options())
const checker = program.getTypeChecker()
const ours = new Set(files.map(one => path.join(root, one)))

const place = (node, source = node.getSourceFile()) => {
  const named = node.name ?? node
  return [path.relative(root, source.fileName), source.getLineAndCharacterOfPosition(named.getStart(source)).line + 1]
}
const inside = node => ours.has(node.getSourceFile().fileName)

const TYPES = new Set([kinds.FunctionType, kinds.CallSignature, kinds.ConstructorType, kinds.ConstructSignature, kinds.MethodSignature])

/** The function that a declaration is or holds; undefined where it holds some value. */
function functionOf(node) {
  if (ts.isFunctionLike(node)) return TYPES.has(node.kind) ? undefined : node
  let held = node.initializer
  while (held && (ts.isParenthesizedExpression(held) || ts.isAsExpression(held) || ts.isSatisfiesExpression(held))) held = held.expression
  if (held && (ts.isArrowFunction(held) || ts.isFunctionExpression(held) || ts.isClassExpression(held))) return node
  if (ts.isClassLike(node)) return node
  if (ts.isBinaryExpression(node) && (ts.isFunctionExpression(node.right) || ts.isArrowFunction(node.right))) return node
  return undefined
}

function symbolAt(node) {
  let symbol = checker.getSymbolAtLocation(node)
  while (symbol && symbol.flags & ts.SymbolFlags.Alias) {
    const next = checker.getAliasedSymbol(symbol)
    if (next === symbol) break
    symbol = next
  }
  return symbol
}

const nameOf = node => {
  if (ts.isPropertyAccessExpression(node)) return node.name
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) return nameOf(node.expression)
  return node
}

function say(row) {
  process.stdout.write(JSON.stringify(row) + '\n')
}

/** Whether something of a library calls what it is called on or given, so that other functions run than the one named. */
function handsOn(node, name) {
  if (['call', 'apply', 'bind'].includes(name.getText())) return true
  return (node.arguments ?? []).some(one => {
    const type = checker.getTypeAtLocation(one)
    return type.flags & ts.TypeFlags.Any || type.getCallSignatures().length
  })
}

function written(node, name, declarations, typed) {
  const source = node.getSourceFile()
  const row = { file: path.relative(root, source.fileName), line: place(name, source)[1], start: place(node, source)[1], name: name.getText(source).slice(0, 80) }
  const to = declarations.filter(inside)
  if (!declarations.length) row.kind = typed ? 'value' : 'unknown'
  else if (!to.length) {
    row.kind = handsOn(node, name) ? 'value' : 'external'
    row.to = declarations.map(one => place(one))
  } else {
    row.kind = to.some(one => functionOf(one)) ? 'resolved' : to.some(one => one.kind === kinds.MethodSignature) ? 'member' : 'value'
    row.to = to.map(one => place(one))
  }
  say(row)
}

function call(node, callee) {
  const signature = checker.getResolvedSignature(node)
  const symbol = symbolAt(nameOf(callee))
  const type = checker.getTypeAtLocation(callee)
  const declarations = new Set(symbol?.declarations ?? [])
  if (signature?.declaration && signature.declaration.kind !== kinds.JSDocSignature) {
    const said = signature.declaration
    if (functionOf(said) || said.kind === kinds.MethodSignature) {
      const holder = said.parent
      const held = (ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder)) && holder.initializer === said
      declarations.add(held ? holder : said)
    }
  }
  if (type.flags & ts.TypeFlags.Any) {
    const own = [...declarations].filter(one => functionOf(one))
    return written(node, nameOf(callee), own, false)
  }
  const all = [...declarations]
  written(node, nameOf(callee), all, true)
}

function accessor(node) {
  const symbol = symbolAt(node.name)
  if (symbol && symbol.flags & ts.SymbolFlags.Accessor && inside(symbol.declarations[0])) written(node, node.name, symbol.declarations, true)
}

/** A member, and the functions that it names where it holds what stands elsewhere: `{ close }`, `{ close: shut }`. */
function behind(member) {
  let symbol
  if (ts.isShorthandPropertyAssignment(member)) symbol = checker.getShorthandAssignmentValueSymbol(member)
  else if (ts.isPropertyAssignment(member) && ts.isIdentifier(member.initializer)) symbol = symbolAt(member.initializer)
  while (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  return [member, ...(symbol?.declarations ?? []).filter(one => inside(one) && functionOf(one))]
}

/** Which members a class, interface or object literal has in place of those of the types that it is to be. */
function overriding(node) {
  const above = []
  if (ts.isObjectLiteralExpression(node)) {
    const type = checker.getContextualType(node)
    if (type) above.push(...(type.isUnion() ? type.types : [type]))
  } else {
    for (const clause of node.heritageClauses ?? []) for (const one of clause.types) above.push(checker.getTypeAtLocation(one))
  }
  for (const member of node.members ?? node.properties) {
    const name = member.name && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name)) ? member.name.text : ''
    if (!name || member.kind === kinds.Constructor) continue
    for (const type of above) {
      const property = type.getProperty(name)
      for (const one of property?.declarations ?? []) {
        for (const held of behind(member)) say({ override: place(held), of: place(one) })
      }
    }
  }
}

function walk(node) {
  if (ts.isCallExpression(node) && node.expression.kind !== kinds.ImportKeyword) call(node, node.expression)
  else if (ts.isNewExpression(node)) call(node, node.expression)
  else if (ts.isTaggedTemplateExpression(node)) call(node, node.tag)
  else if (ts.isDecorator(node)) call(node, ts.isCallExpression(node.expression) ? node.expression.expression : node.expression)
  else if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
    if (/^[A-Z]/.test(node.tagName.getText())) call(node, node.tagName)
  } else if (ts.isPropertyAccessExpression(node)) accessor(node)
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isObjectLiteralExpression(node)) overriding(node)
  ts.forEachChild(node, walk)
}

for (const source of program.getSourceFiles()) {
  if (!ours.has(source.fileName)) continue
  say({ checked: path.relative(root, source.fileName) })
  walk(source)
}
