"""Documented parameters that do not exist."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Final

from loregraph.analysis.rules.code import FUNCTION, Code
from loregraph.analysis.rules.doc_conventions import LANGUAGES, documented_parameters
from loregraph.analysis.rules.doc_conventions.comments import Comment, comment_of
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule
from loregraph.indexer.languages import registry

_HARMLESS: Final = frozenset(
    "abstractmethod asynccontextmanager cache classmethod contextmanager coroutine deprecated final lru_cache overload"
    " override staticmethod typechecked wraps".split()
)
"""Python decorators that leave the parameters of a function unchanged."""
_MARKED_UP: Final = registry.where(lambda language: language.documentation.marked_up)
_LABELLED: Final = registry.where(lambda language: language.signatures.labels)
_DECORATED: Final = registry.where(lambda language: language.signatures.decorators_replace)
"""Languages whose decorators may change a function's parameters."""
_REST_DOCUMENTED: Final = registry.where(lambda language: language.signatures.rest_documented)
_MACROS: Final = registry.where(lambda language: language.signatures.macros)
_ANYTHING: Final = registry.expressions(lambda language: language.signatures.reads_unnamed)
"""Ways to read arguments that the definition does not name."""
_CONDITIONAL: Final = re.compile(r"\s*+#\s*+(?:if|ifdef|ifndef|else|elif)\b|\s*+#\[cfg|.*\bTYPE_CHECKING\b")
_WORD: Final = re.compile(r"[^\W\d][\w$]*+")


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    checked = 0
    for node in code.only(members, FUNCTION):
        if columns.language(node) not in LANGUAGES or not columns.docstring(node):
            continue
        named = _documented(code, node)
        if not named:
            continue
        checked += 1
        parameters = tuple(columns.own(node, "parameters") or ())
        if _takes_more(code, node, parameters):
            continue
        there = {_plain(p) for p in parameters}
        # Type parameters, receivers and labels are documented like parameters.
        there.update(_WORD.findall(columns.signature(node).partition("(")[0]))
        there.update(_labels(code, node))
        missing = [name for name in named if _plain(name) not in there]
        if len(missing) <= sum(not _plain(p) for p in parameters):
            # The documentation may give a name to the parameter `_`.
            continue
        deviations += [_deviation(code, node, name, parameters) for name in missing]
    return Outcome(tuple(deviations), (), checked)


def _documented(code: Code, node: int) -> tuple[str, ...]:
    """The parameters named in the documentation, in order."""
    columns = code.columns
    language = columns.language(node)
    comment = _comment(code, node)
    return documented_parameters(language, comment) if comment else ()


def _comment(code: Code, node: int) -> Comment | None:
    columns = code.columns
    lines = code.lines(columns.path(node))
    found = comment_of(lines, int(columns.start_line[node]), int(columns.end_line[node]), columns.language(node))
    if found is None or columns.language(node) in _MARKED_UP:
        return found
    # The docstring in the graph begins the same way: the text found is the one attached by the language.
    first = next(iter(_WORD.findall(columns.docstring(node))), "")
    return found if first in found.text else None


def _plain(name: str) -> str:
    """A parameter's name without marks, and without the underscore for unused ones."""
    return name.lstrip("*&.").strip("_")


def _labels(code: Code, node: int) -> list[str]:
    """Other words in the head that a documentation may name: Swift's labels, an extension's receiver in C#."""
    columns = code.columns
    if columns.language(node) in _LABELLED or "extension" in (columns.own(node, "modifiers") or ()):
        return _WORD.findall(columns.signature(node))
    # A function that returns functions documents their parameters.
    found: list[str] = []
    for inner in code.ends(node, "CONTAINS"):
        if columns.labels[inner] == FUNCTION:
            found += [_plain(p) for p in columns.own(inner, "parameters") or ()]
    return found


def _takes_more(code: Code, node: int, parameters: Sequence[str]) -> bool:
    """Whether a function may accept more than its head lists: any keyword, a pattern, `arguments`, a decorator that
    changes the signature, a definition by a macro or in several versions."""
    columns = code.columns
    language = columns.language(node)
    if any(p.startswith("**") or p == "{}" for p in parameters):
        return True
    if language in _REST_DOCUMENTED and any(p.startswith("*") for p in parameters):
        # The contents of a rest parameter may be documented one by one.
        return True
    if language in _DECORATED and any(
        one.partition("(")[0].rpartition(".")[2] not in _HARMLESS for one in columns.own(node, "decorators") or ()
    ):
        return True
    first, last = int(columns.start_line[node]), int(columns.end_line[node])
    lines = code.lines(columns.path(node))
    reads = _ANYTHING.get(language)
    if reads is not None and any(reads.search(line) for line in lines[first - 1 : last]):
        return True
    by_macro = not parameters and "(" not in columns.signature(node)
    if language in _MACROS and (by_macro or any(p == "_" or p.isupper() for p in parameters)):
        return True
    head = len(columns.signature(node).split("\n")) + len(parameters) + 2
    return any(_CONDITIONAL.match(line) for line in lines[first - 1 : min(last, first + head)])


def _deviation(code: Code, node: int, name: str, parameters: Sequence[str]) -> Deviation:
    columns = code.columns
    own = [p for p in parameters if p not in ("self", "cls")]
    near = difflib.get_close_matches(name, own, n=1)
    has = f"its parameters are {', '.join(own)}" if own else "it has no parameters"
    return Deviation(
        code.place(node),
        f"the documentation of {columns.name(node)} names a parameter {name}; {has}",
        near[0] if near else "a name of its parameters",
        name,
        (columns.signature(node),),
        f"{columns.id(node)} {name}",
    )


_SPHINX = 'def a(x):\n    """A.\n\n    :param int x: it\n    """\n'
_GOOGLE = """def b(x, y=1):
    '''B.

    Args:
        x (int): it
            Note: more of it
        y: other

    Returns:
        z: what
    '''
"""
_NUMPY = """def c(x, y):
    '''C.

    Parameters
    ----------
    x, y : int
        both: of them

    Returns
    -------
    z : int
    '''
"""
_JSDOC = """/**
 * @param {{a: number}} x - it
 * @param {string} [y=1] other
 * @param x.a part
 */
function f(x, y) { return x; }
"""
_JAVADOC = """class App {
  /**
   * @param <T> type
   * @param x it
   */
  <T> void f(T x) {}
}
"""
_PHPDOC = """<?php
class App {
    /**
     * @param  array<string, Foo|null>  $name  it
     * @param Foo &$x
     */
    public function f(array $name, Foo &$x) {}

    /** @param int ...$rest more */
    public function g(int ...$rest) {}
}
"""
_XML = """class App {
    /// <summary>It.</summary>
    /// <typeparam name="T">its type</typeparam>
    /// <param name="x">it</param>
    [Obsolete]
    public void F<T>(T x) {}
}
"""
_KDOC = "/**\n * @param T type\n * @param[x] it\n */\nfun <T> f(x: T) {}\n"
_RUST = "/// F.\n///\n/// # Arguments\n///\n/// * `x` - it\n#[inline]\npub fn f(x: u8) -> u8 { x }\n"
_YARD = "# F.\n#\n# @param [Array<String>] x it\ndef f(x)\n  x\nend\n"
_LUA = "---@param x? string it\nlocal function f(x) return x end\n\nreturn f\n"
_SWIFT = "/// F.\n/// - Parameters:\n///   - x: it\nfunc f(at x: Int) {}\n"
_SCALA = "object App {\n  /** F.\n    * @tparam T type\n    * @param x it\n    */\n  def f[T](x: T): T = x\n}\n"
_DOXYGEN = "/**\n * \\param[in] x it\n */\nint f(int x) { return x; }\n"

RULE = Rule(
    name="doc-parameters",
    short="Documentation names a parameter that is not there.",
    full="Read are PHPDoc, Javadoc, Scaladoc, KDoc, JSDoc and TSDoc, Doxygen, XML documentation, lists of arguments in"
    " rustdoc, Sphinx's fields, Google's and NumPy's sections, YARD, EmmyLua, LDoc and Swift's lists, each by its own"
    " grammar; a text that is written in none of them, or in two, is left alone. So are functions that can take more"
    " than their head names: any keyword (`**options`), patterns, JavaScript's `arguments`, rest parameters where they"
    " stand for several, decorators that may change what is taken, heads with conditional compilation. A name of a type"
    " parameter, a label, or of what a returned function takes is no finding; a parameter `_` may be given a name.",
    severity="warning",
    check=check,
    valid=(
        Case(
            "each convention",
            {
                "a.py": _SPHINX,
                "app.c": _DOXYGEN,
                "app.cs": _XML,
                "app.js": _JSDOC,
                "App.java": _JAVADOC,
                "app.kt": _KDOC,
                "app.lua": _LUA,
                "app.php": _PHPDOC,
                "app.rb": _YARD,
                "app.rs": _RUST,
                "app.scala": _SCALA,
                "app.swift": _SWIFT,
                "b.py": _GOOGLE,
                "c.py": _NUMPY,
            },
        ),
        Case(
            "what can be taken is not in the head",
            {
                "app.py": 'def a(x, **options):\n    """A.\n\n    :param y: passed on\n    """\n\n\n@lib.inject\n'
                'def b(x):\n    """B.\n\n    :param y: passed on\n    """\n\n\n'
                'def c(x, _):\n    """C.\n\n    :param y: not used\n    """\n',
                "app.js": "/** @param {number} y it */\nfunction f() { return arguments[0]; }\n",
                "app.php": "<?php\n/** @param int $y */\nfunction f() { return func_get_args(); }\n",
                "app.ts": "/** @param y - it */\nexport function g(y: number): number;\n"
                "export function g(x: any): any { return x; }\n"
                "/** @param x - it */\nexport const h = (_x: number) => (y: number) => y;\n",
            },
            (),
        ),
    ),
    invalid=(
        Case(
            "renamed since",
            {
                "a.py": _SPHINX.replace("(x", "(z"),
                "b.py": _GOOGLE.replace("y=1", "z=1"),
                "c.py": _NUMPY.replace("(x, y)", "(x, z)"),
            },
            (("a.py", 1), ("b.py", 1), ("c.py", 1)),
        ),
        Case(
            "renamed since, in other languages",
            {
                "App.java": _JAVADOC.replace("T x", "T z"),
                "app.c": _DOXYGEN.replace("int x)", "int z)"),
                "app.cs": _XML.replace("T x", "T z"),
                "app.js": _JSDOC.replace("f(x", "f(z"),
                "app.kt": _KDOC.replace("(x", "(z"),
                "app.lua": _LUA.replace("f(x)", "f(z)"),
                "app.php": _PHPDOC.replace("$name,", "$names,").replace("Foo &$x)", "Foo &$y)"),
                "app.rb": _YARD.replace("f(x)", "f(z)"),
                "app.rs": _RUST.replace("x: u8", "z: u8"),
                "app.scala": _SCALA.replace("x: T)", "z: T)"),
                "app.swift": _SWIFT.replace("at x", "at z"),
            },
            (
                ("App.java", 6),
                ("app.c", 4),
                ("app.cs", 5),
                ("app.js", 6),
                ("app.kt", 5),
                ("app.lua", 2),
                ("app.php", 7),
                ("app.php", 7),
                ("app.rb", 4),
                ("app.rs", 6),
                ("app.scala", 6),
                ("app.swift", 4),
            ),
        ),
    ),
)
