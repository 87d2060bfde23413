"""Functions and classes without uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from loregraph.analysis.rules.built_names import Collected, Pieces
from loregraph.analysis.rules.code import CLASS, FUNCTION, Code
from loregraph.analysis.rules.given_names import CALLED_BY_LANGUAGE
from loregraph.analysis.rules.missing_tests import WORDS
from loregraph.analysis.rules.permissions import is_permitted
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule
from loregraph.indexer.languages import registry

_USES: Final = ("CALLS", "REFERENCES", "TESTS", "EXTENDS", "IMPLEMENTS", "OVERRIDES")
_LARGEST_TEXT: Final = 2_000_000
"""Maximum bytes of a file whose words are read; larger ones are data."""
_OWN_WORDS: Final = frozenset({"constructor", "lambda", "getter", "setter"})
"""Kinds of functions that run without being named."""
_ATTRIBUTE: Final = re.compile(r"^\s*(@\w|#\[|\[\[|__attribute__)")
_SCRIPTS: Final = registry.where(lambda language: language.ecmascript)
_DUCKS: Final = registry.where(lambda language: language.unused.duck_typed)
_LOOSE_ENUMERATORS: Final = registry.where(lambda language: language.unused.loose_enumerators)
_IMPLICIT_INTERFACES: Final = registry.where(lambda language: language.unused.implicit_interfaces)
_UNDERSCORED: Final = registry.where(lambda language: language.unused.underscored)
_PLATFORMS: Final = registry.expressions(lambda language: language.unused.platform)
"""What stands in the platform's own namespace is there for the compiler (`IsExternalInit`)."""
_DECLARED: Final = re.compile(r"\s*(?:async\s+)?(?:function|const|let|var|class)\b")
_AMBIENT: Final = re.compile(r"\s*declare\s+(?:module|global|namespace)\b")
_GOES_ON: Final = ("[", "(", ",", ":", "=", "=>", "?", "&&", "||", "??", "return")
"""Ends of a line after which a function or class is a value, not a declaration."""
_FURTHEST: Final = 60
"""Lines of comments, which are skipped."""
_RUN_BY_NAME: Final = frozenset({"main", "init", "setup", "teardown", "usage"})


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    candidates = [node for node in code.only(members, FUNCTION) + code.only(members, CLASS) if _may_be_dead(code, node)]
    checked = len(candidates)
    unused = [node for node in candidates if not _is_used(code, node)]
    # The contents of something unused are not reported separately.
    known = set(unused)
    unused = [node for node in unused if code.container(node) not in known]
    names = {columns.name(node) for node in unused}
    counted, words, pieces = _occurrences(code, names)
    deviations = []
    for node in sorted(unused, key=lambda n: (columns.path(n), int(columns.start_line[n]))):
        name = columns.name(node)
        if counted[name] > _own_occurrences(code, node, name) or _is_marked(code, node):
            continue
        if _is_built(name, words) or pieces.may_make(name, columns.path(node)):
            continue
        if is_permitted(code, node):
            continue
        kind = columns.kind(node)
        deviations.append(
            Deviation(
                code.place(node),
                f"nothing uses the {kind} {name}: it is not exported, and its name stands nowhere else in the project",
                "a use",
                "none",
                ("no call, reference, override, subclass or test in the graph", f"no other `{name}` in any text file"),
                columns.id(node),
            )
        )
    return Outcome(tuple(deviations), (), checked)


def _may_be_dead(code: Code, node: int) -> bool:
    """Whether any use would have to be in the project, and by name."""
    columns = code.columns
    name = columns.name(node)
    if (
        not name.lstrip("#").isidentifier()
        or not name.lstrip("_#")[:1].isalpha()
        or (name.startswith("__") and name.endswith("__"))
    ):
        return False
    if (
        code.is_test(node)
        or code.is_stub(columns.path(node))
        or columns.own(node, "decorators")
        or name.lower() in _RUN_BY_NAME
    ):
        return False
    if _is_exposed(code, node):
        return False
    language, kind = columns.language(node), columns.kind(node)
    if columns.labels[node] == CLASS:
        # An enum's members are used without its name.
        return not (kind in ("enum", "union") and language in _LOOSE_ENUMERATORS)
    if kind == "method" and language in _IMPLICIT_INTERFACES and name[:1].isupper():
        # It may be what an interface from elsewhere asks for, which nothing says.
        return False
    if kind == "method" and name in CALLED_BY_LANGUAGE.get(language, ()):
        return False
    if language in _UNDERSCORED and name.startswith("_"):
        # The convention for names that are not meant to be used.
        return False
    if kind in _OWN_WORDS:
        return False
    modifiers = set(columns.own(node, "modifiers") or ())
    if {"abstract", "declaration", "override", "property"} & modifiers:
        return False
    if kind == "method" and columns.labels[code.container(node)] != CLASS:
        # A function in an object literal: any holder of the object may call it.
        return False
    if kind == "method" and language in _DUCKS and name[0] not in "_#" and "private" not in modifiers:
        # Any holder of the object may call a method that is not private, without knowing the class.
        return False
    return not code.is_given(node)


def _is_exposed(code: Code, node: int) -> bool:
    """Whether code outside the project can use it: exported, like all its containers; Python's `_name` is not."""
    columns = code.columns
    if not columns.own(node, "is_exported"):
        return False
    parent = code.container(node)
    while parent >= 0 and columns.labels[parent] in (FUNCTION, CLASS):
        if columns.labels[parent] == FUNCTION:
            return False
        if not columns.own(parent, "is_exported"):
            return False
        parent = code.container(parent)
    return True


def _is_used(code: Code, node: int) -> bool:
    """Whether there is any edge to the node from another node."""
    columns = code.columns
    inside = _inside(code, node)
    for one in inside:
        for rel in _USES:
            edges = columns.out(one, rel) if rel == "OVERRIDES" and one == node else columns.into(one, rel)
            ends = columns.target[edges] if rel == "OVERRIDES" and one == node else columns.source[edges]
            if any(end not in inside for end in ends.tolist()):
                return True
        if len(columns.out(one, "HANDLES")):
            return True
    return False


def _inside(code: Code, node: int) -> set[int]:
    found = [node]
    for one in found:
        found += code.ends(one, "CONTAINS")
    return set(found)


def _occurrences(code: Code, names: Iterable[str]) -> tuple[Counter[str], frozenset[bytes], Pieces]:
    """The number of occurrences of each of `names` as a word in the project's text files; words that are a prefix of
    one of them up to a `_`, and other pieces from which programs compute names."""
    wanted = {name.encode(): name for name in names}
    counted: Counter[str] = Counter()
    built: set[bytes] = set()
    collected = Collected()
    if not wanted:
        return counted, frozenset(), collected.pieces()
    beginnings = {piece for name in wanted for piece in _beginnings(name)}
    columns = code.columns
    for file in columns.nodes("File").tolist():
        content = code.content(columns.path(file))
        if len(content) >= _LARGEST_TEXT or b"\0" in content[:1024]:
            continue
        words = content.translate(WORDS).split()
        distinct = set(words)
        built |= distinct & beginnings
        if columns.language(file):
            collected.read(columns.path(file), content)
        if there := distinct & wanted.keys():
            for word in words:
                if word in there:
                    counted[wanted[word]] += 1
    return counted, frozenset(built), collected.pieces()


def _beginnings(name: bytes) -> list[bytes]:
    """`_render_html` → `_render_`, `render_`: possible prefixes in a computed name."""
    found = []
    for match in re.finditer(rb"_", name.lstrip(b"_")):
        found.append(name.lstrip(b"_")[: match.end()])
    lead = len(name) - len(name.lstrip(b"_"))
    return found + [name[:lead] + piece for piece in found] if lead else found


def _is_built(name: str, words: frozenset[bytes]) -> bool:
    return any(piece in words for piece in _beginnings(name.encode()))


def _own_occurrences(code: Code, node: int, name: str) -> int:
    """The number of occurrences of the name within its own definition."""
    columns = code.columns
    lines = code.lines(columns.path(node))[int(columns.start_line[node]) - 1 : int(columns.end_line[node])]
    word = re.compile(rf"(?<!\w){re.escape(name.lstrip('#'))}(?!\w)")
    return sum(len(word.findall(line)) for line in lines)


def _is_marked(code: Code, node: int) -> bool:
    """Whether its first line, or one right above, shows that it is used in another way than by name: an attribute or
    annotation; the name of a function expression; a declaration that extends an external type."""
    columns = code.columns
    path, start = columns.path(node), int(columns.start_line[node])
    lines = code.lines(path)
    if any(_ATTRIBUTE.match(line) for line in lines[max(0, start - 2) : start]):
        return True
    platform = _PLATFORMS.get(columns.language(node))
    if platform is not None and any(platform.match(line) for line in lines[:start]):
        return True
    if columns.language(node) in _SCRIPTS:
        if columns.kind(node) == "function" and not (0 < start <= len(lines) and _DECLARED.match(lines[start - 1])):
            return True
        if _is_value(lines, start):
            return True
        if columns.labels[node] == CLASS:
            return any(_AMBIENT.match(line) for line in lines[:start])
    return False


def _is_value(lines: Sequence[str], start: int) -> bool:
    """Whether the line continues an expression that began above it: an entry of a list, the value of a property, an
    argument, a return value. Any holder of that value can call it."""
    at = start - 2
    while at >= max(0, start - 2 - _FURTHEST):
        text = lines[at].strip()
        if text and not text.startswith(("//", "*", "/*", "@")):
            return text.endswith(_GOES_ON)
        at -= 1
    return False


RULE = Rule(
    name="dead-code",
    short="Nothing uses a function or class.",
    full="Reported is only what could be used from within the project alone (not exported, or named as private), that"
    " no edge of the graph leads to, and whose name stands in no other place of any text file, so that no template,"
    " string or configuration can name it; nor is the beginning or end of its name one from which names are built where"
    ' things are looked up by name (`getattr(self, f"visit_{kind}")`, `this["on" + event]`). Left alone: methods that'
    " the language itself calls by their names (`MoveNext`, `readResolve`, `method_missing`, …), test code and"
    " stubs, whatever carries a decorator, annotation or attribute, what the language's own tools"
    ' are told to accept (`#[allow(dead_code)]`, `@SuppressWarnings("unused")`, `eslint-disable`, `//nolint`, …) on it,'
    " around it or in its file, functions and classes that are written as a value, methods of classes with a base"
    " outside the project, overrides, constructors, accessors, special names, and in Python and JavaScript methods that"
    " are not private. What is exported may have users elsewhere.",
    severity="warning",
    check=check,
    whole=True,
    valid=(
        Case(
            "called, exported, or named in a string",
            {
                "app.py": "def run():\n    return _step()\n\n\ndef _step():\n    return getattr(run, '_other')\n\n\n"
                "def _other():\n    pass\n",
            },
        ),
        Case("named in a template", {"app.py": "def _price(x):\n    pass\n", "page.html": "{{ item|_price }}\n"}),
        Case(
            "a name that is built",
            {"app.py": "def run(kind):\n    return globals()[f'_make_{kind}']()\n\n\ndef _make_html():\n    pass\n"},
        ),
        Case(
            "names that are built in other ways than with a beginning that ends with `_`",
            {
                "http.py": "def __getattr__(name):\n    return globals()[f'_{name}']\n\n\n"
                "def _parse():\n    return 1\n",
                "walk.py": "def walk(self, kind):\n    return getattr(self, kind + 'Handler')()\n\n\n"
                "def _rowHandler():\n    return 1\n",
                "app.rb": 'class App\n  def run(kind)\n    send("on#{kind}")\n'
                '    self.class.const_get("#{kind}Loader")\n'
                "  end\n\n  private\n\n  def onStart\n    1\n  end\nend\n",
                "app.js": "export class App {\n  run(kind) { return this['#on' + kind] || this[`_on${kind}`](); }\n\n"
                "  _onStart() { return 1; }\n}\n",
                "App.java": "class Base {\n    void run(String kind) throws Exception {\n"
                '        getClass().getDeclaredMethod("handle" + kind).invoke(this);\n    }\n\n'
                "    private void handleStart() {}\n}\nclass App extends Base {}\nclass Main { App app; }\n",
                "app.php": "<?php\nclass App {\n    public function run($kind) {\n"
                "        return $this->{'make' . ucfirst($kind)}();\n    }\n\n    private function makeRow() {}\n}\n",
            },
        ),
        Case(
            "methods that the language itself calls by their names",
            {
                "Stack.cs": "namespace App;\n\nclass Stack\n{\n    public Walk GetEnumerator() => new();\n\n"
                "    public void Deconstruct(out int a, out int b) { a = 1; b = 2; }\n\n"
                "    internal struct Walk\n    {\n"
                "        public bool MoveNext() { return false; }\n    }\n}\n\npublic class Use\n{\n"
                "    public void Run() { foreach (var x in new Stack()) { } }\n}\n",
                "App.java": "public class App implements java.io.Serializable {\n"
                "    private Object readResolve() { return this; }\n}\n",
                "app.rb": "class App\n  private\n\n  def respond_to_missing?(name, all = false)\n    true\n  end\n\n"
                "  def method_missing(name)\n    name\n  end\nend\n",
            },
        ),
        Case("registered by a decorator", {"app.py": "import lib\n\n\n@lib.register\ndef _hook():\n    pass\n"}),
        Case(
            "a method that an unknown base calls",
            {"app.py": "import lib\n\n\nclass Page(lib.Page):\n    def _draw(self):\n        pass\n"},
        ),
        Case(
            "a trait of the standard library",
            {
                "src/lib.rs": "struct Name(String);\n\nimpl std::ops::Deref for Name {\n    type Target = String;\n"
                "    fn deref(&self) -> &String { &self.0 }\n}\n\npub fn run() -> Name { Name(String::new()) }\n",
                "Cargo.toml": '[package]\nname = "x"\n',
            },
        ),
        Case(
            "overrides of what the graph does not know, and what the compiler looks for",
            {
                "App.cs": "namespace App;\npublic class Rewriter : ExpressionVisitor {\n"
                "    protected override Node VisitCall(Node node) { return node; }\n}\n",
                "Init.cs": "namespace System.Runtime.CompilerServices;\n\nstatic class IsExternalInit { }\n",
            },
        ),
        Case("the name of a function expression", {"a.js": "export const a = [function again() { return 1; }];\n"}),
        Case(
            "stored, passed or returned where it is written",
            {
                "a.ts": "export const make = (x: number) => use({\n  steps: [\n    async function first() { },\n"
                "    // the next\n    function second() { },\n    class Third {},\n  ],\n"
                "  last:\n    function last() { return x; },\n});\n",
            },
        ),
        Case(
            "allowed by an attribute, annotation or comment on it or around it",
            {
                "Cargo.toml": '[package]\nname = "x"\n',
                "src/lib.rs": "#[allow(dead_code)]\nmod inner;\n\n#[allow(dead_code)]\nfn outer() {\n"
                "    fn nested() -> u8 { 1 }\n}\n\n#[cfg(test)]\nmod tests {\n    fn helper() -> u8 { 2 }\n}\n",
                "src/inner.rs": "fn left() -> u8 { 1 }\n",
                "src/main.rs": "#![allow(unused, dead_code)]\n\nfn main() {}\n\nfn spare() {}\n",
                "App.java": '@SuppressWarnings("unused")\nclass App {\n    static void main(String[] a) {}\n\n'
                "    private void later() {}\n}\n",
                "app.kt": '@file:Suppress("unused")\n\nprivate fun later2() {}\n',
                "app.c": "#define UNUSED __attribute__((unused))\n__attribute__((unused))\n"
                "static int later3(void) { return 1; }\n",
                "app.go": "package app\n\n//nolint:unused\nfunc later4() {}\n\n//lint:ignore U1000 soon\n"
                "func later5() {}\n",
                "app.ts": "/* eslint-disable @typescript-eslint/no-unused-vars */\nexport const a = 1;\n\n"
                "function later6() {}\n",
                "page.ts": "export const b = 1;\n\n// eslint-disable-next-line no-unused-vars\nfunction later7() {}\n",
                "app.dart": "// ignore: unused_element\nvoid _later8() {}\n",
            },
        ),
    ),
    invalid=(
        Case(
            "a private function that only calls itself",
            {"app.py": "def run():\n    return 1\n\n\ndef _left_over():\n    return _left_over()\n"},
            (("app.py", 5),),
        ),
        Case(
            "a class and what is in it, once",
            {
                "app.ts": "export function run() { return 1; }\n\nclass LeftOver {\n"
                "  private again() { return 2; }\n}\n",
            },
            (("app.ts", 3),),
        ),
        Case(
            "a short beginning of names that another file builds, and a text that looks nothing up",
            {
                "http.py": "def __getattr__(name):\n    return globals()[f'_{name}']\n",
                "rules.py": "def run(name):\n    return f'{name}Found'\n\n\ndef _isFound():\n    return 1\n",
            },
            (("rules.py", 5),),
        ),
        Case(
            "in other languages, beside what is allowed",
            {
                "Cargo.toml": '[package]\nname = "x"\n',
                "src/lib.rs": "#[allow(dead_code)]\nfn kept() {}\n\nfn left() {}\n",
                "App.java": "class App {\n    private void later() {}\n}\n",
                "app.go": "package app\n\nfunc later4() {}\n",
                "page.ts": "export const b = [1];\n\n// eslint-disable-next-line no-console\nfunction later7() {}\n",
            },
            (("App.java", 1), ("app.go", 3), ("page.ts", 4), ("src/lib.rs", 4)),
        ),
    ),
)
