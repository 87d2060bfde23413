// What go/types says of every call of a repository, as JSON lines (see ../calibration_compiled.py).
//
//	go run calls.go ROOT < FILES
//
// FILES are paths from ROOT, one a line. What is neither in one of the repository's modules nor in the standard library
// need not be there: what depends on it has no type.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

type place [2]any

type call struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Start int     `json:"start"`
	Name  string  `json:"name"`
	Kind  string  `json:"kind"`
	To    []place `json:"to,omitempty"`
}

type override struct {
	Own   place `json:"override"`
	Above place `json:"of"`
}

// unit is one package of a folder: its files and, where it is imported, those alone that are no tests.
type unit struct {
	files []*ast.File
	path  string
}

type loader struct {
	root     string
	files    *token.FileSet
	modules  map[string]string // path of a module → its folder
	folders  map[string][]string
	standard types.Importer
	done     map[string]*types.Package
	parsed   map[string]*ast.File
	info     *types.Info
}

func (l *loader) Import(name string) (*types.Package, error) {
	if known := l.done[name]; known != nil {
		return known, nil
	}
	l.done[name] = types.NewPackage(name, path.Base(name))
	l.done[name].MarkComplete()
	if folder, ok := l.folderOf(name); ok {
		l.done[name] = l.check(name, l.filesOf(folder, func(file string, _ *ast.File) bool { return !strings.HasSuffix(file, "_test.go") }), nil)
	} else if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
		if found, err := l.standard.Import(name); err == nil {
			l.done[name] = found
		}
	}
	return l.done[name], nil
}

func (l *loader) folderOf(name string) (string, bool) {
	best, folder := "", ""
	for module, where := range l.modules {
		if (name == module || strings.HasPrefix(name, module+"/")) && len(module) > len(best) {
			best, folder = module, filepath.Join(where, strings.TrimPrefix(name, module))
		}
	}
	return folder, best != "" && len(l.folders[folder]) > 0
}

func (l *loader) filesOf(folder string, wanted func(string, *ast.File) bool) []*ast.File {
	var found []*ast.File
	for _, file := range l.folders[folder] {
		if ok, err := build.Default.MatchFile(filepath.Join(l.root, folder), filepath.Base(file)); err != nil || !ok {
			continue
		}
		if l.parsed[file] == nil {
			l.parsed[file], _ = parser.ParseFile(l.files, filepath.Join(l.root, file), nil, parser.SkipObjectResolution)
		}
		if l.parsed[file] != nil && wanted(file, l.parsed[file]) {
			found = append(found, l.parsed[file])
		}
	}
	return found
}

func (l *loader) check(name string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	found, _ := config.Check(name, l.files, files, info)
	return found
}

func (l *loader) place(at token.Pos) place {
	where := l.files.Position(at)
	name, err := filepath.Rel(l.root, where.Filename)
	if err != nil || strings.HasPrefix(name, "..") {
		name = where.Filename
	}
	return place{filepath.ToSlash(name), where.Line}
}

func (l *loader) inside(at token.Pos) bool {
	return at.IsValid() && strings.HasPrefix(l.files.Position(at).Filename, l.root+string(filepath.Separator))
}

func named(fun ast.Expr) *ast.Ident {
	switch one := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return one
	case *ast.SelectorExpr:
		return one.Sel
	case *ast.IndexExpr:
		return named(one.X)
	case *ast.IndexListExpr:
		return named(one.X)
	}
	return nil
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		panic(err)
	}
	root, _ = filepath.Abs(root)
	files := token.NewFileSet()
	l := &loader{
		root: root, files: files, modules: map[string]string{}, folders: map[string][]string{}, done: map[string]*types.Package{},
		parsed: map[string]*ast.File{}, standard: importer.ForCompiler(files, "source", nil),
	}
	build.Default.CgoEnabled = false
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if file := lines.Text(); strings.HasSuffix(file, ".go") {
			folder := filepath.Dir(file)
			l.folders[folder] = append(l.folders[folder], file)
			for ; ; folder = filepath.Dir(folder) {
				if text, err := os.ReadFile(filepath.Join(root, folder, "go.mod")); err == nil {
					for _, line := range strings.Split(string(text), "\n") {
						if module, ok := strings.CutPrefix(line, "module "); ok {
							l.modules[strings.Trim(strings.TrimSpace(module), `"`)] = folder
						}
					}
					break
				}
				if folder == "." {
					break
				}
			}
		}
	}
	out := json.NewEncoder(os.Stdout)
	info := &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	folders := make([]string, 0, len(l.folders))
	for folder := range l.folders {
		folders = append(folders, folder)
	}
	sort.Strings(folders)
	abstract := map[types.Object]bool{}
	for _, folder := range folders {
		units := map[string]*unit{}
		for _, file := range l.filesOf(folder, func(string, *ast.File) bool { return true }) {
			name := file.Name.Name
			if units[name] == nil {
				units[name] = &unit{path: folder + ":" + name}
				for module, where := range l.modules {
					if rest, err := filepath.Rel(where, folder); err == nil && !strings.HasPrefix(rest, "..") && !strings.HasSuffix(name, "_test") {
						units[name].path = path.Join(module, filepath.ToSlash(rest))
					}
				}
			}
			units[name].files = append(units[name].files, file)
		}
		for _, one := range units {
			l.check(one.path, one.files, info)
			for _, file := range one.files {
				_ = out.Encode(map[string]any{"checked": l.place(file.Name.Pos())[0]})
				ast.Inspect(file, func(node ast.Node) bool {
					if found, ok := node.(*ast.CallExpr); ok {
						if row, object := l.said(found, info); row != nil {
							_ = out.Encode(row)
							if row.Kind == "member" || row.Kind == "external" {
								abstract[object] = true
							}
						}
					}
					return true
				})
			}
		}
	}
	l.overriding(info, abstract, out)
}

func (l *loader) said(found *ast.CallExpr, info *types.Info) (*call, types.Object) {
	row := &call{Kind: "unknown", Start: l.files.Position(found.Pos()).Line}
	row.File = l.place(found.Pos())[0].(string)
	ident := named(found.Fun)
	if ident == nil {
		row.Line, row.Kind = l.files.Position(found.Fun.End()).Line, "value"
		return row, nil
	}
	row.Line, row.Name = l.files.Position(ident.Pos()).Line, ident.Name
	object := info.Uses[ident]
	switch one := object.(type) {
	case *types.Func:
		one = one.Origin()
		object = one
		row.To = []place{l.place(one.Pos())}
		receiver := one.Type().(*types.Signature).Recv()
		switch {
		case !l.inside(one.Pos()):
			row.Kind = "external"
		case receiver != nil && types.IsInterface(receiver.Type()):
			row.Kind = "member"
		default:
			row.Kind = "resolved"
		}
	case *types.Var:
		row.Kind = "value"
	case *types.Builtin:
		row.Kind = "external"
	case *types.TypeName:
		return nil, nil
	}
	return row, object
}

// overriding says which methods of the repository's types stand behind the methods of interfaces that are called.
func (l *loader) overriding(info *types.Info, abstract map[types.Object]bool, out *json.Encoder) {
	var concrete []*types.Named
	for _, object := range info.Defs {
		if name, ok := object.(*types.TypeName); ok && !name.IsAlias() {
			if one, ok := name.Type().(*types.Named); ok && one.TypeParams().Len() == 0 && !types.IsInterface(one) {
				concrete = append(concrete, one)
			}
		}
	}
	seen := map[[2]place]bool{}
	for object := range abstract {
		method, ok := object.(*types.Func)
		if !ok || method.Type().(*types.Signature).Recv() == nil {
			continue
		}
		above, ok := method.Type().(*types.Signature).Recv().Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for _, one := range concrete {
			if !same(one, above) {
				continue
			}
			found, _, _ := types.LookupFieldOrMethod(types.NewPointer(one), true, method.Pkg(), method.Name())
			if own, ok := found.(*types.Func); ok && own != method {
				pair := [2]place{l.place(own.Origin().Pos()), l.place(method.Pos())}
				if !seen[pair] {
					seen[pair] = true
					_ = out.Encode(override{pair[0], pair[1]})
				}
			}
		}
	}
}

// same tells by names and spelled types: packages are checked more than once, so that their types are not identical.
func same(one *types.Named, above *types.Interface) bool {
	for i := range above.NumMethods() {
		wanted := above.Method(i)
		found, _, _ := types.LookupFieldOrMethod(types.NewPointer(one), true, one.Obj().Pkg(), wanted.Name())
		own, ok := found.(*types.Func)
		if !ok || spelled(own) != spelled(wanted) {
			return false
		}
	}
	return true
}

func spelled(method *types.Func) string {
	signature := method.Type().(*types.Signature)
	var found strings.Builder
	for _, tuple := range []*types.Tuple{signature.Params(), signature.Results()} {
		for i := range tuple.Len() {
			found.WriteString(types.TypeString(tuple.At(i).Type(), (*types.Package).Path) + ",")
		}
		found.WriteString(";")
	}
	return found.String()
}
