"""Small projects whose files hang together by many ways, and edits of them.

Other than those of `made_projects`, which are drawn whole, these are kept as what they are written from: files of
functions and methods, whose bodies are statements made of a template and two expressions. An edit changes one thing of
that (an argument, a statement, a parameter, a base, an import, …) and writes everything again; most change one body.

In a template `@i` is the number of its own file, `@j` and `@k` are those of two others (perhaps the same), `@a` is the
number of a function, and `@E` and `@F` are expressions. The programs need not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import NamedTuple

from hypothesis import strategies as st

FUNCTIONS = 3
"""Numbers of functions that templates name; a file has some of them."""
MAX_EDITS = 6
REVEALING = 4
"""The first relays: what a function is given makes edges there, or is handed on."""


class Term(NamedTuple):
    """A template with the numbers that it is filled with."""

    template: str
    j: int = 0
    k: int = 0
    a: int = 0


class Statement(NamedTuple):
    """A template with what it is filled with."""

    term: Term
    first: Term
    second: Term


@dataclass(frozen=True)
class Definition:
    """A function or method: what stands above it, its name and parameters, and its body."""

    name: str
    decorator: Statement | None
    head: Statement
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Source:
    """One file."""

    stem: str
    base: Term | None
    imports: tuple[Term, ...]
    items: tuple[Term, ...]
    methods: tuple[Definition, ...]
    functions: tuple[Definition, ...]
    top: tuple[Statement, ...]


@dataclass(frozen=True)
class State:
    """A project, and the names that were replaced in all its files since it was made."""

    files: tuple[Source | None, ...]
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Grammar:
    """What the files of a language are drawn from. `decorators` is empty where it has none."""

    values: tuple[str, ...]
    """Expressions that mean something anywhere: outside functions, and as defaults."""
    inner: tuple[str, ...]
    """Expressions that only mean something in a function, as often as they are to be drawn."""
    statements: tuple[str, ...]
    relays: tuple[str, ...]
    """Statements that hand on what a function is given."""
    feeds: tuple[str, ...]
    """Statements that give functions, methods and members something."""
    heads: tuple[str, ...]
    methods: tuple[str, ...]
    write: Callable[[Writer], Mapping[str, str]]
    bases: tuple[str, ...]
    imports: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    top: tuple[str, ...] = ()
    """Statements outside functions, besides feeds; empty where there are none."""
    function_name: str = "f@a"
    packaging: Mapping[str, str] = field(default_factory=dict)


class Edited(NamedTuple):
    """A made project and what became of it: all its texts, first as it was made and then after each edit."""

    states: list[dict[str, str]]
    edits: list[str]
    """What each edit did, in words."""

    def __repr__(self) -> str:
        return f"{len(self.states[0])} files, then: {'; '.join(self.edits)}"


def lines(text: str) -> tuple[str, ...]:
    """The lines of `text`, each a template; `;;` parts the lines of one."""
    return tuple(line.replace(";;", "\n") for line in text.strip("\n").split("\n"))


# Writing


class Writer:
    """Fills the templates of one project."""

    def __init__(self, state: State, place: Callable[[int, int], str] = lambda own, number: "") -> None:
        self.files = state.files
        self.place = place

    def stem(self, number: int) -> str:
        """The name of a file, also of one that is gone."""
        file = self.files[number]
        return file.stem if file is not None else f"m{number}"

    def term(self, own: int, term: Term, template: str | None = None) -> str:
        count = len(self.files)
        j, k = term.j % count, term.k % count
        text = term.template if template is None else template
        text = text.replace("@J", self.place(own, j)).replace("@K", self.place(own, k))
        return text.replace("@i", str(own)).replace("@j", str(j)).replace("@k", str(k)).replace("@a", str(term.a))

    def statement(self, own: int, statement: Statement) -> str:
        text = self.term(own, statement.term)
        return text.replace("@E", self.term(own, statement.first)).replace("@F", self.term(own, statement.second))

    def body(self, own: int, statements: tuple[Statement, ...], by: str, empty: str = "") -> str:
        return indent("".join(f"{self.statement(own, one)}\n" for one in statements) or empty, by)


def named_in(text: str) -> list[int]:
    """The numbers of the files that are named in `text`, as `m3.`, sorted."""
    return sorted({int(number) for number in re.findall(r"\bm(\d)\.", text)})


def texts_of(grammar: Grammar, state: State) -> dict[str, str]:
    """Path → text."""
    found = dict(grammar.write(Writer(state, go_place if grammar is GO else lambda own, number: "")))
    for old, new in state.renamed:
        found = {path: re.sub(rf"\b{old}\b", new, text) for path, text in found.items()}
    return {**found, **grammar.packaging}


# Python

FOLDERS = ("a", "b")

PYTHON_VALUES = (
    *"m@j.K() m@j.f@a m@j.K m@j.IT m@j.BOX m@j.MAP m@j.K(m@k.f@a) m@j.f@a(m@k.K()) m@j.f@a(m@k.f@a)".split(),
    *"m@j.BOX[0] m@j.MAP['a'] m@j.IT.held m@j.IT.go m@j.K.slot m@j.deco(m@k.f@a) m@j.K().now K f@a again".split(),
    "[m@j.f@a, *m@k.BOX]", "{'a': m@j.f@a, **m@k.MAP}", "lambda y=None: y.go(m@j.K)", "getattr(m@j.IT, 'step')",
    "functools.partial(m@j.f@a, m@k.K())", "[y.held for y in m@j.BOX]",
)  # fmt: skip
PYTHON_RELAYS = lines(
    """
x.go(f)
f(x)
m@j.f@a(x, f)
return m@j.f@a(x, f).go(f)
m@j.f@a(f, x)
return f(x)
x.held = f
return x
m@j.BOX.append(x)
m@j.IT.held = x
return m@j.f@a(@E, x)
m@j.MAP['a'] = f
return x.held
x.step(@E)
yield x
"""
)
PYTHON_FEEDS = lines(
    """
m@j.f@a(@E, @F)
m@j.IT.go(@E)
m@j.f@a(@E, f=@F)
m@j.BOX.append(@E)
m@j.IT.held = @E
m@j.K(@E).step(@F)
m@j.MAP['a'] = @E
m@j.f@a(@E).go(@F)
m@j.K.slot = @E
"""
)
PYTHON_STATEMENTS = lines(
    """
@E.go(@F)
@E(@F)
@E.held = @F
m@j.K.slot = @E
m@j.IT.held = @E
m@j.IT.extra = @E;;m@k.IT.extra(@F)
m@j.BOX.append(@E)
m@j.MAP['a'] = @E
m@j.MAP[x] = @E;;m@k.f@a('a')
m@j.MAP[f](@E)
m@j.BOX.extend(m@k.BOX)
m@j.MAP.update(m@k.MAP, b=@E)
for y in m@j.BOX: y(@E)
for y in @E: y.go(@F)
for key, y in m@j.MAP.items(): y.step(@E)
x = @E
y = @E;;y.go(@F)
m@j.f@a(@E, @F)
m@j.f@a(@E, f=@F)
m@j.f@a(*m@k.BOX)
m@j.f@a(**m@k.MAP)
m@j.f@a(@E)(@F)
getattr(@E, 'go')(@F)
getattr(@E, 'ste' + x)(@F)
getattr(self, f'ste{x}')(@E)
name = '%step' % x;;y = getattr(m@j.IT, name, x);;y(@E)
x.__class__(@E)
m@j.REG[x].append(@E)
for y in m@j.REG[f]: y.go(@E)
m@j.ARGS.set_defaults(go=@E)
m@j.ARGS.parse_args().go(@F)
m@j.BOX.sort(key=@E)
x = lambda y=None: @E;;x().go(@F)
return @E
return m@j.f@a(x)
return m@j.f@a(@E, @F).held
yield @E
if isinstance(x, m@j.K): x.step(@E)
with @E as y: y.go(@F)
def inner(y=None): return @E;;inner().go(@F)
first, *rest = m@j.BOX;;first.go(rest)
map(@E, m@j.BOX)
@E.step().go(@F)
raise @E
"""
)
PYTHON_HEADS = lines(
    """
(x=None, f=None)
(x, f=@E)
(x, f)
(x=@E, *more)
(f, x=None)
(y, f=None)
(x: m@j.K, f=None)
(x, *f)
(x, f=None, **named)
(x=None, f=None) -> m@j.K
(x, *, f=@E)
"""
)


def _write_python(writer: Writer) -> dict[str, str]:
    found = {f"{folder}/__init__.py": "" for folder in FOLDERS}
    for own, file in enumerate(writer.files):
        if file is None:
            continue
        base = f"({writer.term(own, file.base)})" if file.base is not None else ""
        items = [writer.term(own, item) for item in file.items]
        extra = "".join(f"{writer.term(own, one)}\n" for one in file.imports)
        written = (
            f"{extra}REG = collections.defaultdict(list)\nARGS = argparse.ArgumentParser()\n"
            f"BOX = [{', '.join(items)}]\nMAP = {{{_pairs(items)}}}\n\n"
            "def deco(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n        return f(*a, **k)\n"
            "    return inner\n\n"
            f"class K{base}:\n    slot = None\n    def __init__(self, held=None):\n        self.held = held\n"
        )
        for definition in file.methods:
            written += indent(_python_definition(writer, own, definition, "self"), "    ")
        for definition in file.functions:
            written += "\n" + _python_definition(writer, own, definition)
        written += "\nIT = K()\n" + writer.body(own, file.top, "")
        imports = "".join(
            f"from {FOLDERS[number % 2]} import {writer.stem(number)} as m{number}\n" for number in named_in(written)
        )
        found[f"{FOLDERS[own % 2]}/{file.stem}.py"] = f"import argparse, collections, functools\n{imports}{written}"
    return found


def _pairs(items: list[str], mark: str = "'") -> str:
    return ", ".join(f"{mark}{name}{mark}: {item}" for name, item in zip("abcd", items, strict=False))


def _python_definition(writer: Writer, own: int, definition: Definition, receiver: str = "") -> str:
    head = writer.statement(own, definition.head)
    decorator = ""
    if definition.decorator is not None:
        decorator = f"@{writer.statement(own, definition.decorator)}\n"
    if receiver and decorator == "@staticmethod\n":
        receiver = ""
    if receiver:
        head = f"({receiver}, {head[1:]}"
    return f"{decorator}def {definition.name}{head}:\n{writer.body(own, definition.body, '    ', 'pass')}"


PYTHON = Grammar(
    values=PYTHON_VALUES,
    inner=("x", "f", "x", "f", "x", "f", "x.held", "m@j.f@a(x)", "m@j.f@a(x, f)", "super().go(x)"),
    statements=PYTHON_STATEMENTS,
    relays=PYTHON_RELAYS,
    feeds=PYTHON_FEEDS,
    heads=PYTHON_HEADS,
    methods=("go", "step", "now", "__call__", "__iter__", "__enter__", "__init__"),
    write=_write_python,
    bases=("m@j.K", "m@j.K, m@k.K", "m@j.Gone", "dict"),
    imports=lines(
        """
from b.m@j import *
from a.m@j import *
from a.m@j import f@a, K
from b.m@j import f@a as again, IT
from a import m@j as m@k
__all__ = ['f@a', 'K']
__all__ = ['IT', 'again']
"""
    ),
    decorators=("m@j.deco", "m@j.f@a", "functools.wraps(m@j.f@a)", "property", "staticmethod", "m@j.f@a(@E)", "m@j.K"),
    top=tuple(one for one in PYTHON_STATEMENTS if not one.startswith(("return", "yield"))),
)

# TypeScript and JavaScript

SCRIPT_VALUES = (
    "new m@j.K()", *"m@j.f@a m@j.K m@j.it m@j.box m@j.map m@j.f@a(m@k.f@a) m@j.box[0] m@j.map.a m@j.it.held".split(),
    *"m@j.it.now m@j.it.go m@j.K.slot K f@a again [...m@j.box] [m@j.f@a] {...m@j.map} m@j.f@a.bind(null)".split(),
    "new m@j.K(m@k.K)", "new m@j.K(m@k.f@a)", "m@j.f@a(new m@k.K())", "y => y.go(m@j.K)", "() => new m@j.K()",
    "new m@j.f@a(m@k.K)", "m@j.default", "m@j.extra", "m@j.it.hook", "{get: m@j.f@a}", "m@j.map.get('a')", "m@j.N.g",
    "m@j.f@a.prototype", "{...m@j.map, ...m@k.it}", "function (y) { this.held = y; }", "Shared.s@j",
)  # fmt: skip
SCRIPT_RELAYS = lines(
    """
x.go(f);
f(x);
m@j.f@a(x, f);
return m@j.f@a(x, f).go(f);
m@j.f@a(f, x);
return f(x);
x.held = f;
return x;
m@j.box.push(x);
m@j.it.held = x;
return m@j.f@a(@E, x);
m@j.map.a = f;
return x.held;
x.step(@E);
this.held.go(x);
"""
)
SCRIPT_FEEDS = lines(
    """
m@j.f@a(@E, @F);
m@j.it.go(@E);
m@j.box.push(@E);
m@j.it.held = @E;
new m@j.K(@E).step(@F);
m@j.map.a = @E;
m@j.f@a(@E).go(@F);
m@j.K.slot = @E;
m@j.on(@E); m@k.fire(@F);
new m@j.f@a(@E).go(@F);
"""
)
SCRIPT_STATEMENTS = lines(
    """
(@E).go(@F);
(@E)(@F);
x.held = @F;
m@j.K.slot = @E;
m@j.it.held = @E;
m@j.it.extra = @E; m@k.it.extra(@F);
m@j.box.push(@E);
m@j.map.a = @E;
m@j.map[x] = @E; m@k.f@a('a');
m@j.map[f](@E);
x['ste' + f](@E);
m@j.it[`ste${x}`](@E);
this['step'](@E);
m@j.box.push(...m@k.box);
Object.assign(m@j.map, m@k.map, {b: @E});
Object.assign(m@j.K.prototype, {extra() { return @E; }});
for (const y of m@j.box) y(@E);
m@j.box.forEach(@E);
m@j.box.map(y => y.go(@E));
x = @E;
const y = @E; y.go(@F);
m@j.f@a(@E, @F);
m@j.f@a(...m@k.box);
m@j.f@a(@E)(@F);
return @E;
return m@j.f@a(x);
return m@j.f@a(@E, @F).held;
const {a, ...others} = m@j.map; a(others);
function inner(y) { return @E; } inner(@F).go();
m@j.f@a.call(@E, @F);
if (x instanceof m@j.K) x.step(@E);
Object.assign(m@j.K, {slot: @E}, m@k.map);
Object.assign(m@j.K.prototype, m@k.K.prototype);
Object.assign(m@j.K, m@k.f@a);
Object.assign(m@j.f@a.prototype, {go(y) { return y(@E); }}, m@k.map);
m@j.f@a.prototype.go = @E; new m@j.f@a().go(@F);
m@j.f@a.prototype.step = function (y) { return this.go(@E); };
m@j.K.prototype.extra = @E; m@k.it.extra(@F);
Object.defineProperty(m@j.K.prototype, 'later', {get() { return @E; }}); m@k.it.later.go(@F);
Object.defineProperties(m@j.map, {get: {value: @E}, a: {get() { return @F; }}});
Object.defineProperties(m@j.map, m@k.map);
m@j.map.get(@E); m@j.map.set('a', @F);
m@j.map.get = @E;
m@j.extra(@E).go(@F);
module.exports.extra = @E;
exports.more = @E; m@j.more(@F);
m@j.default(@E);
jest.mock('../a/m@j', () => ({f@a: @E}));
Shared.s@j(@E);
m@j.N.g(@E).go(@F);
m@j.f@a.held = @E; m@k.f@a.held(@F);
Object.create(m@j.K.prototype).go(@E);
"""
)


def _write_script(writer: Writer) -> dict[str, str]:
    found: dict[str, str] = {}
    for own, file in enumerate(writer.files):
        if file is None:
            continue
        base = f" extends {writer.term(own, file.base)}" if file.base is not None else ""
        items = [writer.term(own, item) for item in file.items]
        extra = "".join(f"{writer.term(own, one)}\n" for one in file.imports)
        common = own % 4 == 2
        export = "" if common else "export "
        if common:
            extra = ""
        written = (
            f"{extra}{export}const box = [{', '.join(items)}];\n{export}const map = {{{_pairs(items, '')}}};\n"
            f"const handlers = [];\n{export}function on(f) {{ handlers.push(f); }}\n"
            f"{export}function fire(x) {{ handlers.forEach(one => one(x)); }}\n"
            f"{export}class K{base} {{\n  hook = y => this.go(y);\n  constructor(held) {{ this.held = held; }}\n"
        )
        for definition in file.methods:
            head = writer.statement(own, definition.head)
            written += f"  {definition.name}{head} {{\n{writer.body(own, definition.body, '    ')}  }}\n"
        written += "}\n"
        for definition in file.functions:
            head = writer.statement(own, definition.head)
            written += f"{export}function {definition.name}{head} {{\n{writer.body(own, definition.body, '  ')}}}\n"
        written += f"{export}const it = new K();\n"
        names = ["on", "fire", "box", "map", "K", "it", *(one.name for one in file.functions)]
        if common and own % 8 == 2:
            written += f"module.exports = {{{', '.join(dict.fromkeys(names))}}};\n"
        elif common:
            written += "".join(f"exports.{name} = {name};\n" for name in dict.fromkeys(names))
        elif own % 3 != 1:
            written += "export namespace N { export function g(x) { return [x, K]; } }\n"
            written += f"namespace Shared {{ export const s{own} = {items[-1] if items else 'K'}; }}\n"
            written += "export default f0;\n"
        written += writer.body(own, file.top, "")
        imported = "const m{} = require('../{}/{}');\n" if common else "import * as m{} from '../{}/{}';\n"
        imports = "".join(
            imported.format(number, FOLDERS[number % 2], writer.stem(number)) for number in named_in(written)
        )
        found[f"{FOLDERS[own % 2]}/{file.stem}.{'js' if own % 3 == 1 or common else 'ts'}"] = imports + written
    return found


SCRIPT = Grammar(
    values=SCRIPT_VALUES,
    inner=("x", "f", "x", "f", "x", "f", "x.held", "m@j.f@a(x)", "m@j.f@a(x, f)", "this", "this.held"),
    statements=SCRIPT_STATEMENTS,
    relays=SCRIPT_RELAYS,
    feeds=SCRIPT_FEEDS,
    heads=lines(
        """
(x, f)
(x, f = @E)
(x = @E, ...f)
(f, x)
(y, f)
(x, ...f)
({a: x, ...f})
"""
    ),
    methods=("go", "step", "get now", "set now", "static slot"),
    write=_write_script,
    bases=("m@j.K", "m@j.Gone", "Map"),
    imports=lines(
        """
export * from '../b/m@j';
export * from '../a/m@j';
import {f@a, K as Other} from '../a/m@j';
export {f@a as again} from '../b/m@j';
"""
    ),
    top=tuple(one for one in SCRIPT_STATEMENTS if not one.startswith("return")),
)

# Java

JAVA_VALUES = (
    "new M@j()", "new M@j(new M@k())", "M@j.f@a(new M@k())", "M@j.items.get(0)", 'M@j.map.get("a")', "M@j.it",
    "M@j.it.held", "M@j.slot", "M@j.f@a(M@k.it)", "M@j.it.typed(M@k.it)",
)  # fmt: skip
JAVA_RELAYS = lines(
    """
M@j.f@a(x).go(x);
M@j.call(M@k::f@a, x);
M@j.over(x);
((M@j) x).step(x);
return (Face) x;
return M@j.f@a(x);
M@j.f@a(x);
M@j.it.typed(x).go(x);
"""
)
JAVA_FEEDS = lines(
    """
M@j.f@a(@E);
M@j.it.step(@E);
M@j.items.add(@E);
M@j.slot = @E;
M@j.call(y -> y.go(M@k.it), @E);
"""
)
JAVA_STATEMENTS = lines(
    """
((Face) @E).go(@F);
((M@j) @E).step(@F);
((M@j) x).held = @E;
M@j.it = new M@k(@E);
M@j.slot = @E;
M@j.items.add(@E);
M@j.items.addAll(M@k.items);
M@j.map.put("a", @E);
for (Face y : M@j.items) y.go(@E);
M@j.items.forEach(y -> y.go(@E));
M@j.items.stream().map(M@k::f@a).toList();
x = @E;
var y = @E; y.go(@F);
M@j y = (M@j) @E; y.step(y.typed(@F));
M@j.f@a(@E);
M@j.over(@E);
M@j.call(z -> M@k.f@a(z), @E);
M@j.call(M@k::f@a, @E);
if (x instanceof M@j m) m.step(@E);
return (Face) @E;
return M@j.f@a(@E);
Face y = new Face() { public Face go(Object z) { return (Face) @E; } }; y.go(@F);
new M@j().typed(@E).step(@F);
"""
)


def _write_java(writer: Writer) -> dict[str, str]:
    found = {"b/acme/Face.java": "package acme;\n\npublic interface Face { Face go(Object x); }\n"}
    for own, file in enumerate(writer.files):
        if file is None:
            continue
        base = f" extends {writer.term(own, file.base)}" if file.base is not None else ""
        imports = "".join(f"{writer.term(own, one)}\n" for one in file.imports)
        written = (
            f"package acme;\n\nimport java.util.*;\n{imports}\npublic class M{own}{base} implements Face {{\n"
            f"    static List<Face> items = new ArrayList<>();\n    static Map<String, M{own}> map = new HashMap<>();\n"
            f"    static M{own} it = new M{own}();\n    static Face slot;\n    Object held;\n"
            f"    M{own}() {{}}\n    M{own}(Object held) {{ this.held = held; }}\n"
            f"    M{own} typed(Object x) {{ return this; }}\n"
            "    static Object over(Face x) { return x.go(x); }\n"
            f"    static Object over(M{own} x) {{ return x.step(x); }}\n"
            "    static Face call(java.util.function.Function<Object, Face> f, Object x) { return f.apply(x); }\n"
        )
        for definition in (*file.methods, *file.functions):
            static = "static " if definition in file.functions else "public "
            head = writer.statement(own, definition.head).replace("@N", definition.name)
            written += f"    {static}{head} {{\n{writer.body(own, definition.body, '        ')}    }}\n"
        found[f"{FOLDERS[own % 2]}/acme/{file.stem.upper() if file.stem == f'm{own}' else file.stem}.java"] = (
            written + "}\n"
        )
    return found


JAVA = Grammar(
    values=JAVA_VALUES,
    inner=("x", "x", "this.held", "((M@j) x)", "M@j.f@a(x)", "M@j.it.typed(x)"),
    statements=JAVA_STATEMENTS,
    relays=JAVA_RELAYS,
    feeds=JAVA_FEEDS,
    heads=lines(
        """
Face @N(Object x)
Face @N(Face x)
M@j @N(M@k x)
<T extends Face> T @N(T x)
Face @N(Face x, Object... more)
"""
    ),
    methods=("go", "step", "typed"),
    write=_write_java,
    bases=("M@j", "Gone"),
    imports=("import acme.M@j;", "import static acme.M@j.*;", "import other.M@j;"),
)

# Go

GO_PACKAGES = ("a", "b", "p")


def go_place(own: int, number: int) -> str:
    """What stands before a name of another file."""
    package = GO_PACKAGES[number % 3]
    return "" if package == GO_PACKAGES[own % 3] else f"{package}."


GO_VALUES = (
    *"&@JK@j{} @JF@a_@j @JIt@j @JIt@j.Held @JIt@j.Fn @JIt@j.Go @JBox@j[0] @JMap@j[`a`] @JTyped@j(@KIt@k)".split(),
    "@JF@a_@j(&@KK@k{})", "&@JK@j{Held: &@KK@k{}}", "&@JK@j{Fn: @KF@a_@k}", "func(y any) any { return @JF@a_@j(y) }",
)  # fmt: skip
GO_RELAYS = lines(
    """
@JRun@j(x, @KF@a_@k)
@JTyped@j(x).Step(x)
@JF@a_@j(x).Go(x)
return x.Go(x)
return x
return @JF@a_@j(x)
@JF@a_@j(x)
@JBox@j = append(@JBox@j, x)
"""
)
GO_FEEDS = lines(
    """
@JF@a_@j(@E)
@JRun@j(@E, @KF@a_@k)
@JIt@j.Held = @E
@JIt@j.Fn = @KF@a_@k
@JIt@j.Step(@E)
"""
)
GO_STATEMENTS = lines(
    """
(@E).Go(@F)
(@E)(@F)
@JIt@j = &@JK@j{Held: x, Fn: @KF@a_@k}
x.(*@JK@j).Held = @E
@JIt@j = @JTyped@j(@E)
@JIt@j.Held = @E
@JIt@j.Fn = @KF@a_@k
@JBox@j = append(@JBox@j, @E)
@JList@j = append(@JList@j, &@KK@k{}, @JTyped@j(@E))
@JMap@j["a"] = @KF@a_@k
for _, y := range @JList@j {;;	y.Go(@E);;}
for _, y := range @JBox@j[1:] {;;	y.(@KFace@k).Go(@E);;}
x = @E
y := @JTyped@j(@E);;y.Go(@F)
var y @JFace@j = @JTyped@j(@E);;y.Go(@F)
@JF@a_@j(@E)
@JRun@j(@E, @KF@a_@k)
@JRun@j(@E, func(z any) any { return @KF@a_@k(z) })
if y, ok := x.(*@JK@j); ok {;;	y.Step(@E);;}
switch y := x.(type) {;;case *@JK@j:;;	y.Go(@E);;case @KFace@k:;;	y.Go(x);;}
return @E
return @JF@a_@j(@E)
"""
)


def _write_go(writer: Writer) -> dict[str, str]:
    found: dict[str, str] = {}
    for own, file in enumerate(writer.files):
        if file is None:
            continue
        package = GO_PACKAGES[own % 3]
        imports = "".join(f'\t"acme.com/made/{name}"\n' for name in GO_PACKAGES if name != package)
        imports += "".join(f"\t{writer.term(own, one)}\n" for one in file.imports)
        embedded = f"\t{writer.term(own, file.base)}\n" if file.base is not None else ""
        items = ", ".join(writer.term(own, item) for item in file.items)
        written = (
            f"package {package}\n\nimport (\n{imports})\n\ntype Face{own} interface {{\n\tGo(x any) any\n}}\n\n"
            f"type Asked{own} interface {{\n\tGo(x *K{own}) any\n\tStep(x any) any\n}}\n\n"
            f"type K{own} struct {{\n{embedded}\tHeld any\n\tFn   func(any) any\n}}\n\nvar x any\n"
            f"var Box{own} = []any{{{items}}}\n"
            f"var List{own} = []Face{own}{{}}\nvar Map{own} = map[string]func(any) any{{}}\n"
            f"var It{own} = &K{own}{{}}\n\n"
            f"func Typed{own}(x any) *K{own} {{ return x.(*K{own}) }}\n\n"
            f"func Run{own}(x any, f func(any) any) any {{ return f(x) }}\n"
        )
        for definition in file.methods:
            head = writer.statement(own, definition.head)
            written += f"\nfunc (k *K{own}) {definition.name}{head} {{\n{writer.body(own, definition.body, chr(9))}}}\n"
        for definition in file.functions:
            head = writer.statement(own, definition.head)
            written += f"\nfunc {definition.name}_{own}{head} {{\n{writer.body(own, definition.body, chr(9))}}}\n"
        found[f"{package}/{file.stem}.go"] = written
    return found


GO = Grammar(
    values=GO_VALUES,
    inner=("x", "x", "x.(*@JK@j)", "x.(@JFace@j)", "@JF@a_@j(x)", "@JTyped@j(x)"),
    statements=GO_STATEMENTS,
    relays=GO_RELAYS,
    feeds=GO_FEEDS,
    heads=lines(
        """
(x any) any
(x @JFace@j) any
(x *@JK@j) any
(x any) *@JK@j
(y any) any
(x ...any) any
"""
    ),
    methods=("Go", "Step"),
    write=_write_go,
    bases=("*@JK@j", "@JK@j", "@JFace@j", "@JGone"),
    imports=('. "acme.com/made/p"', 'other "acme.com/made/a"', '"fmt"'),
    function_name="F@a",
    packaging={"go.mod": "module acme.com/made\n\ngo 1.22\n"},
)

GRAMMARS: Mapping[str, Grammar] = {"python": PYTHON, "typescript": SCRIPT, "java": JAVA, "go": GO}


# Drawing

Draw = st.DrawFn


class Drawn:
    """Strategies for the parts of a project of `count` files in one language."""

    def __init__(self, draw: Draw, grammar: Grammar, count: int) -> None:
        self.draw = draw
        self.grammar = grammar
        self.count = count
        self._number = st.integers(0, count - 1)
        self._function = st.integers(0, FUNCTIONS - 1)

    def one(self, choices: tuple[str, ...]) -> Term:
        draw = self.draw
        return Term(draw(st.sampled_from(choices)), draw(self._number), draw(self._number), draw(self._function))

    def value(self) -> Term:
        """Half of them one of the first three: an instance, a function, or the next most telling."""
        values = self.grammar.values if self.draw(st.booleans()) else self.grammar.values[:3]
        return self.one(values)

    def expression(self) -> Term:
        return self.one(self.grammar.inner) if self.draw(st.booleans()) else self.value()

    def _filled(self, term: Term, fill: Callable[[], Term]) -> Statement:
        empty = Term("")
        return Statement(term, *(fill() if mark in term.template else empty for mark in ("@E", "@F")))

    def statement(self) -> Statement:
        """One of a body."""
        grammar = self.grammar
        often = (grammar.relays[:REVEALING], grammar.relays, grammar.relays, grammar.feeds, grammar.statements)
        choices = self.draw(st.sampled_from(often))
        return self._filled(self.one(choices), self.expression)

    def outer(self) -> Statement:
        """One outside functions."""
        choices = self.grammar.top if self.draw(st.integers(0, 3)) == 3 else self.grammar.feeds
        return self._filled(self.one(choices), self.value)

    def head(self) -> Statement:
        """Half of them the plain first one."""
        heads = self.grammar.heads if self.draw(st.booleans()) else self.grammar.heads[:1]
        return self._filled(self.one(heads), self.value)

    def above(self) -> Statement:
        """What decorates."""
        return self._filled(self.one(self.grammar.decorators), self.value)

    def times(self, least: int, most: int) -> range:
        return range(self.draw(st.integers(least, most)))

    def body(self) -> tuple[Statement, ...]:
        return tuple(self.statement() for _ in self.times(2, 4))

    def definition(self, name: str) -> Definition:
        decorated = self.grammar.decorators and not self.draw(st.integers(0, 8))
        return Definition(name, self.above() if decorated else None, self.head(), self.body())

    def functions(self) -> tuple[Definition, ...]:
        return tuple(self.definition(self.function_name(number)) for number in range(FUNCTIONS))

    def function_name(self, number: int) -> str:
        return self.grammar.function_name.replace("@a", str(number))

    def methods(self) -> tuple[Definition, ...]:
        """Mostly the first of those that there may be."""
        names = self.draw(st.lists(st.sampled_from(self.grammar.methods), max_size=1))
        return tuple(self.definition(name) for name in dict.fromkeys((self.grammar.methods[0], *names)))

    def base(self) -> Term | None:
        return self.one(self.grammar.bases) if self.draw(st.booleans()) else None

    def imports(self) -> tuple[Term, ...]:
        if not self.grammar.imports or self.draw(st.integers(0, 2)):
            return ()
        return (self.one(self.grammar.imports),)

    def top(self) -> tuple[Statement, ...]:
        return tuple(self.outer() for _ in self.times(1, 3)) if self.grammar.top else ()

    def source(self, number: int) -> Source:
        return Source(
            f"m{number}",
            self.base(),
            self.imports(),
            tuple(self.value() for _ in self.times(0, 2)),
            self.methods(),
            self.functions(),
            self.top(),
        )


BODY = ("argument", "statement", "add", "remove")
KINDS = (
    *BODY * 4,
    "head",
    "decorator",
    "function",
    "gone",
    "rename",
    "top",
    "top",
    "base",
    "method",
    "items",
    "imports",
)
KINDS += ("everywhere", "several", "file", "moved", "undo", "undo")
"""Kinds of edits, as often as they are to be drawn."""


class Editor:
    """Draws edits of a state."""

    def __init__(self, drawn: Drawn) -> None:
        self.drawn = drawn
        self.draw = drawn.draw

    def edited(self, state: State, past: list[State]) -> tuple[str, State]:
        """What an edit does, in words, and the state after it; `past` are the states before."""
        kind = self.draw(st.sampled_from(KINDS))
        if kind == "undo" and past:
            return "undo", self.draw(st.sampled_from(past[-2:]))
        there = [number for number, file in enumerate(state.files) if file is not None]
        if kind == "file":
            number = self.draw(st.integers(0, len(state.files) - 1))
            if state.files[number] is None:
                return f"add file {number}", self._with(state, number, self.drawn.source(number))
            if len(there) > 1:
                return f"remove file {number}", self._with(state, number, None)
        number = self.draw(st.sampled_from(there))
        file = state.files[number]
        assert file is not None
        if kind == "everywhere":
            old = self.drawn.function_name(self.draw(st.integers(0, FUNCTIONS - 1)))
            if self.drawn.grammar is GO:
                old = f"{old}_{number}"
            new = f"{old}new"
            pair = (new, old) if (old, new) in state.renamed[-1:] else (old, new)
            return f"rename {pair[0]} to {pair[1]}", replace(state, renamed=(*state.renamed, pair))
        if kind == "several":
            for other in there:
                told = state.files[other]
                assert told is not None
                if other == number or self.draw(st.booleans()):
                    state = self._with(state, other, self._body(told))
            return "bodies in several files", state
        if kind == "moved":
            stem = "moved" if file.stem != "moved" else f"m{number}"
            return f"move file {number} to {stem}", self._with(state, number, replace(file, stem=stem))
        return f"{kind} in file {number}", self._with(state, number, self._in_file(kind, file))

    @staticmethod
    def _with(state: State, number: int, file: Source | None) -> State:
        return replace(state, files=(*state.files[:number], file, *state.files[number + 1 :]))

    def _in_file(self, kind: str, file: Source) -> Source:
        drawn = self.drawn
        match kind:
            case "head":
                return self._definition(file, lambda one: replace(one, head=drawn.head()))
            case "decorator" if drawn.grammar.decorators:
                return self._definition(file, self._decorated)
            case "function":
                name = drawn.function_name(self.draw(st.integers(0, FUNCTIONS - 1)))
                others = tuple(one for one in file.functions if one.name != name)
                return replace(file, functions=(*others, drawn.definition(name)))
            case "gone":
                name = self.draw(st.sampled_from([one.name for one in (*file.functions, *file.methods)] or ["none"]))
                functions = tuple(one for one in file.functions if one.name != name)
                return replace(
                    file, functions=functions, methods=tuple(one for one in file.methods if one.name != name)
                )
            case "rename":
                return self._definition(file, lambda one: replace(one, name=self._other_name(file, one)))
            case "top" if drawn.grammar.top:
                return replace(file, top=self._statements(file.top, drawn.outer, drawn.value))
            case "base":
                return replace(file, base=drawn.base())
            case "method":
                return replace(file, methods=drawn.methods())
            case "items":
                return replace(file, items=tuple(drawn.value() for _ in drawn.times(0, 2)))
            case "imports" if drawn.grammar.imports:
                return replace(file, imports=drawn.imports())
            case _:
                return self._body(file)

    def _other_name(self, file: Source, one: Definition) -> str:
        if one in file.methods:
            return self.draw(st.sampled_from(self.drawn.grammar.methods))
        return self.drawn.function_name(self.draw(st.integers(0, FUNCTIONS)))

    def _decorated(self, one: Definition) -> Definition:
        if one.decorator is not None and self.draw(st.booleans()):
            return replace(one, decorator=None)
        return replace(one, decorator=self.drawn.above())

    def _body(self, file: Source) -> Source:
        drawn = self.drawn
        return self._definition(
            file, lambda one: replace(one, body=self._statements(one.body, drawn.statement, drawn.expression))
        )

    def _definition(self, file: Source, change: Callable[[Definition], Definition]) -> Source:
        """The file with one of its definitions changed."""
        places = [(name, i) for name in ("functions", "methods") for i in range(len(getattr(file, name)))]
        if not places:
            return replace(file, functions=self.drawn.functions())
        name, i = self.draw(st.sampled_from(places))
        held = getattr(file, name)
        changed = (*held[:i], change(held[i]), *held[i + 1 :])
        return replace(file, functions=changed) if name == "functions" else replace(file, methods=changed)

    def _statements(
        self, held: tuple[Statement, ...], statement: Callable[[], Statement], expression: Callable[[], Term]
    ) -> tuple[Statement, ...]:
        """One added, removed, replaced, or with another argument."""
        kind = self.draw(st.sampled_from(BODY))
        if not held or kind == "add":
            place = self.draw(st.integers(0, len(held)))
            return (*held[:place], statement(), *held[place:])
        place = self.draw(st.integers(0, len(held) - 1))
        one = held[place]
        if kind == "remove":
            return held[:place] + held[place + 1 :]
        if kind == "statement":
            changed = statement()
        elif "@F" in one.term.template and self.draw(st.booleans()):
            changed = one._replace(second=expression())
        elif "@E" in one.term.template:
            changed = one._replace(first=expression())
        else:
            changed = one._replace(term=self.drawn.one((one.term.template,)))
        return (*held[:place], changed, *held[place + 1 :])


@st.composite
def edited_projects(draw: Draw, language: str) -> Edited:
    """A project in one language (TypeScript with JavaScript), and what up to `MAX_EDITS` edits make of it."""
    grammar = GRAMMARS[language]
    count = draw(st.sampled_from((3, 3, 4, 4, 5, 6, 8)))
    drawn = Drawn(draw, grammar, count)
    editor = Editor(drawn)
    past = [State(tuple(drawn.source(number) for number in range(count)))]
    told: list[str] = []
    for _ in drawn.times(1, MAX_EDITS):
        words, state = editor.edited(past[-1], past[:-1])
        told.append(words)
        past.append(state)
    return Edited([texts_of(grammar, state) for state in past], told)
