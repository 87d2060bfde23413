"""Functions and classes without uses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Final

from loregraph.analysis.rules.code import CLASS, EXAMPLES, FUNCTION, Code
from loregraph.analysis.rules.executions import executions
from loregraph.analysis.rules.given_names import CALLED_BY_LANGUAGE
from loregraph.analysis.rules.mentions import Mentions, Ranges, mentions
from loregraph.analysis.rules.permissions import is_permitted
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule
from loregraph.analysis.rules.suppression import is_suppressed
from loregraph.indexer.languages import registry

NAME: Final = "dead-code"
_USES: Final = ("CALLS", "REFERENCES", "TESTS", "EXTENDS", "IMPLEMENTS", "OVERRIDES")
_OWN_WORDS: Final = frozenset({"constructor", "lambda", "getter", "setter"})
"""Kinds of functions that run without being named."""
_ATTRIBUTE: Final = re.compile(r"^\s*(@\w|#\[|\[\[|__attribute__)")
_SCRIPTS: Final = registry.where(lambda language: language.ecmascript)
_DUCKS: Final = registry.where(lambda language: language.unused.duck_typed)
_LOOSE_ENUMERATORS: Final = registry.where(lambda language: language.unused.loose_enumerators)
_IMPLICIT_INTERFACES: Final = registry.where(lambda language: language.unused.implicit_interfaces)
_UNDERSCORED: Final = registry.where(lambda language: language.unused.underscored)
_PRIVATE_MODULES: Final = registry.expressions(lambda language: language.documentation.private_module)
_PROTOCOLS: Final = registry.table(lambda language: language.documentation.protocols)
_HANDED_TO_NOBODY: Final = frozenset(
    "cache cached_property classmethod contextmanager asynccontextmanager final lru_cache property staticmethod".split()
)
"""Decorators whose result is used by its name alone."""
_EVERY_NAME: Final = re.compile(r"\bimport\s*+(?:\(\s*+)?\*|\bexport\s*+\*")
_PLATFORMS: Final = registry.expressions(lambda language: language.unused.platform)
"""What stands in the platform's own namespace is there for the compiler (`IsExternalInit`)."""
_DECLARED: Final = re.compile(r"\s*(?:async\s+)?(?:function|const|let|var|class)\b")
_AMBIENT: Final = re.compile(r"\s*declare\s+(?:module|global|namespace)\b")
_GOES_ON: Final = ("[", "(", ",", ":", "=", "=>", "?", "&&", "||", "??", "return")
"""Ends of a line after which a function or class is a value, not a declaration."""
_FURTHEST: Final = 60
"""Lines of comments, which are skipped."""
_RUN_BY_NAME: Final = frozenset({"main", "init", "setup", "teardown", "usage"})


# Implements REQ-RUN-015.
def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    candidates = [node for node in code.only(members, FUNCTION) + code.only(members, CLASS) if _may_be_dead(code, node)]
    users = {node: _users(code, node) for node in candidates}
    unused = _without_users(code, users, set(candidates))
    known = mentions(code, {columns.name(node) for node in unused})
    unused -= {node for node in unused if _is_marked(code, node) or is_permitted(code, node)}
    unused -= {node for node in unused if known.may_be_built(columns.name(node), columns.path(node))}
    named: set[int] | None = None
    while named is None or named:
        unused = _without_users(code, users, unused)
        named = _named(code, unused, known)
        unused -= named
    # The contents of something unused are not reported separately.
    found = [node for node in unused if code.container(node) not in unused]
    found.sort(key=lambda node: (columns.path(node), int(columns.start_line[node])))
    return Outcome(tuple(_deviation(code, node, users[node]) for node in found), (), len(candidates))


def _deviation(code: Code, node: int, users: frozenset[int]) -> Deviation:
    columns = code.columns
    name, kind = columns.name(node), columns.kind(node)
    why = "it is not exported, and its name stands nowhere else in the project"
    evidence = ["no call, reference, override, subclass or test in the graph", f"no other `{name}` in any text file"]
    if users:
        dead = ", ".join(sorted(columns.name(one) for one in users)[:EXAMPLES])
        why = f"what uses it, {dead}, is used by nothing itself"
        evidence = [f"no use but in what nothing uses: {dead}", f"no `{name}` anywhere else in the project"]
    if _is_idle(code, node):
        ran, measured = executions(code).of_file(node)
        why = f"it never ran where it was measured, {'and ' * bool(users)}{why if users else 'and nothing can name it'}"
        evidence[-1] = f"no other `{name}` in any text file but in comments and docstrings"
        evidence.append(
            f"a run executed {ran:,} of {measured:,} functions of {columns.path(node)}, and not this {kind}"
        )
    told = f"nothing uses the {kind} {name}: {why}"
    return Deviation(code.place(node), told, "a use", "none", tuple(evidence), columns.id(node))


def _without_users(code: Code, users: Mapping[int, frozenset[int]], nodes: Set[int]) -> set[int]:
    """Those of `nodes` that nothing uses but others of them; what is accepted by a comment is used."""
    left = set(nodes)
    while True:
        inside: set[int] = set()
        for node in left:
            if not is_suppressed(code, NAME, code.place(node)):
                inside |= _inside(code, node)
        used = {node for node in left if not users[node] <= inside}
        if not used:
            return left
        left -= used


def _named(code: Code, nodes: Set[int], known: Mentions) -> set[int]:
    """Those of `nodes` whose name stands outside of all of them, where something may use it."""
    columns = code.columns
    ranges: Ranges = {}
    for node in nodes:
        if not is_suppressed(code, NAME, code.place(node)):
            ranges.setdefault(columns.path(node), []).append(_range(code, node))
    return {
        node
        for node in nodes
        if known.outside(
            columns.name(node), ranges, columns.path(node), _range(code, node), prose=not _is_idle(code, node)
        )
    }


def _range(code: Code, node: int) -> tuple[int, int]:
    """The first and the last line."""
    return int(code.columns.start_line[node]), int(code.columns.end_line[node])


def _is_idle(code: Code, node: int) -> bool:
    """Whether a run measured the definition and never ran it, though it ran other code of its file."""
    found = executions(code)
    return found.of_file(node)[0] > 0 and found.never_ran(_inside(code, node))


def _may_be_dead(code: Code, node: int) -> bool:
    """Whether any use would have to be in the project, and by name, and no run showed one."""
    columns = code.columns
    name = columns.name(node)
    if (
        not name.lstrip("#").isidentifier()
        or not name.lstrip("_#")[:1].isalpha()
        or (name.startswith("__") and name.endswith("__"))
    ):
        return False
    if code.is_test(node) or code.is_stub(columns.path(node)) or name.lower() in _RUN_BY_NAME:
        return False
    if not _is_unmarked(code, node) or (_is_exposed(code, node) and not _is_internal(code, node)):
        return False
    language, kind = columns.language(node), columns.kind(node)
    if columns.labels[node] == CLASS:
        # An enum's members are used without its name.
        return not (kind in ("enum", "union") and language in _LOOSE_ENUMERATORS) and not _ran(code, node)
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
    if {"abstract", "declaration", "override"} & modifiers or ("property" in modifiers and not _is_idle(code, node)):
        return False
    if kind == "method" and columns.labels[code.container(node)] != CLASS:
        # A function in an object literal: any holder of the object may call it.
        return False
    is_private = name[0] in "_#" or "private" in modifiers
    if kind == "method" and language in _DUCKS and not is_private and not _is_idle_member(code, node):
        # Any holder of the object may call a method that is not private, without knowing the class.
        return False
    return not _ran(code, node) and not code.is_given(node)


def _ran(code: Code, node: int) -> bool:
    return executions(code).ran(_inside(code, node))


def _is_unmarked(code: Code, node: int) -> bool:
    """Whether no decorator may use it. Of what a run measured and never ran, those that hand it to nobody are none."""
    decorators = code.columns.own(node, "decorators") or ()
    return not decorators or (
        all(one.partition("(")[0].rpartition(".")[2] in _HANDED_TO_NOBODY for one in decorators)
        and _is_idle(code, node)
    )


def _is_internal(code: Code, node: int) -> bool:
    """Whether what is exported is so only within the project, in a module that is named as private, and never ran
    where it was measured. Nothing may export all names of such a module again."""
    path = code.columns.path(node)
    private = _PRIVATE_MODULES.get(code.columns.language(node))
    if private is None or not private.search(path) or not _is_idle(code, node):
        return False
    around = int(code.file[node])
    return not any(
        _EVERY_NAME.search("\n".join(code.lines(code.columns.path(one)))) for one in code.starts(around, "IMPORTS")
    )


def _is_idle_member(code: Code, node: int) -> bool:
    """Whether a method never ran where others of its class did, and belongs to no well-known protocol by its name."""
    columns = code.columns
    if not _is_idle(code, node) or any(
        columns.name(node) in names for names in _PROTOCOLS.get(columns.language(node), ())
    ):
        return False
    return _ran(code, code.container(node))


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


def _users(code: Code, node: int) -> frozenset[int]:
    """What has an edge to the node or something in it, from outside of it; the node's own handled routes too."""
    inside = _inside(code, node)
    found: set[int] = set()
    for one in inside:
        for rel in _USES:
            found.update(code.starts(one, rel) if rel != "OVERRIDES" or one != node else code.ends(one, rel))
        found.update(code.ends(one, "HANDLES"))
    return frozenset(found - inside)


def _inside(code: Code, node: int) -> Set[int]:
    """The node and all that it contains, at any depth."""

    def walk() -> Set[int]:
        found = [node]
        for one in found:
            found += code.ends(one, "CONTAINS")
        return frozenset(found)

    return code.once(("inside", node), walk)


def _is_marked(code: Code, node: int) -> bool:
    """Whether its first line, or one right above, shows that it is used in another way than by name: an attribute or
    annotation; the name of a function expression; a declaration that extends an external type."""
    columns = code.columns
    path, start = columns.path(node), int(columns.start_line[node])
    lines = code.lines(path)
    decorated = columns.own(node, "decorators") and _is_unmarked(code, node)
    if not decorated and any(_ATTRIBUTE.match(line) for line in lines[max(0, start - 2) : start]):
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


_COMPUTED = (
    'def run():\n    return globals()["".join(reversed("yrt_"))]()\n\n\ndef _try():\n    return 1\n\n\n'
    "def api(x):\n    return x\n\n\nclass Cart:\n    def total(self):\n        return 1\n"
)
"""What a program computes a name from, and what others may use."""
_IN_PROSE = (
    "def run():\n    # _first was faster\n    return _Cart().total()\n\n\nclass _Cart:\n    def total(self):\n"
    '        """As `_last` did."""\n        return 1\n\n    @staticmethod\n    def _rounded(x):\n        return x\n\n'
    "    def emptied(self):\n        return self\n\n\ndef _first():\n    return 1\n\n\ndef _last():\n    return 1\n"
)

RULE = Rule(
    name=NAME,
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
        Case(
            "what ran, however it was found; what is exported and no test runs",
            {
                "app.py": _COMPUTED,
                "lcov.info": "SF:app.py\nDA:1,1\nDA:2,1\nDA:5,1\nDA:6,1\nDA:9,1\nDA:10,0\nDA:13,1\nDA:14,1\nDA:15,0\n"
                "end_of_record\n",
            },
            runs=("lcov.info",),
        ),
        Case("named in comments and docstrings, and not measured", {"app.py": _IN_PROSE}),
        Case(
            "in a file of which nothing ran",
            {
                "app.py": _IN_PROSE,
                "lcov.info": "SF:app.py\nDA:1,1\nDA:3,0\nDA:9,0\nDA:13,0\nDA:16,0\nDA:20,0\nDA:24,0\nend_of_record\n",
            },
            runs=("lcov.info",),
        ),
    ),
    invalid=(
        Case(
            "a private function that only calls itself",
            {"app.py": "def run():\n    return 1\n\n\ndef _left_over():\n    return _left_over()\n"},
            (("app.py", 5),),
        ),
        Case(
            "what only dead code uses",
            {
                "app.py": "def run():\n    return 1\n\n\ndef _old(x):\n    return _older(x)\n\n\n"
                "def _older(x):\n    return _even(x)\n\n\n"
                "def _even(x):\n    return x == 0 or _odd(x - 1)\n\n\n"
                "def _odd(x):\n    return x != 0 and _even(x - 1)\n",
            },
            (("app.py", 5), ("app.py", 9), ("app.py", 13), ("app.py", 17)),
        ),
        Case("a name that only a run would show to be used", {"app.py": _COMPUTED}, (("app.py", 5),)),
        Case(
            "measured and never ran: named in comments and docstrings, a method that another of its class ran beside",
            {
                "app.py": _IN_PROSE,
                "lcov.info": "SF:app.py\nDA:1,1\nDA:3,1\nDA:9,1\nDA:13,0\nDA:16,0\nDA:20,0\nDA:24,0\nend_of_record\n",
            },
            (("app.py", 11), ("app.py", 15), ("app.py", 19), ("app.py", 23)),
            runs=("lcov.info",),
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
