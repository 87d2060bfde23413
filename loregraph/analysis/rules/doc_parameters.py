"""Documentation names only parameters that are there."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Final

from loregraph.analysis.rules.code import FUNCTION, Code
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule

MAX_DOCSTRING: Final = 2000
"""Characters at which the graph cuts documentation off, in the middle of a name it may be."""

_FIELD: Final = re.compile(r"^[^\S\n]*+:(?:param|parameter|arg|argument|key|keyword)(?=\s)([^:\n]*+):", re.M)
"""reStructuredText: `:param name:`, `:param type name:`; the name is the last word."""
_LAST_WORD: Final = re.compile(r"(?<![^\s*\\])\w++\Z")
_TAG: Final = re.compile(
    r"^[^\S\n]*+[@\\]param(?:\s*+\[\s*+(?:in|out|in\s*+,\s*+out|inout)\s*+\])?\s++(?:\{(?:[^{}]++|\{[^{}]*+\})*+\}\s*+)?"
    r"(?P<name>\[?\s*+[\w$]++(?:\s*+,\s*+[\w$]++)*+(?:\.|\[\])?|<\w++>|\.\.\.)",
    re.M,
)
"""JSDoc, Javadoc, doxygen: `@param {type} name`, `@param <T>`, `\\param[in] name`."""
_OTHER_THING: Final = re.compile(
    r"[@\\](?:typedef|callback|fn|def|function|method|name|overload|event|class|interface)\b"
)
"""Tags that say that the comment is about something else than what stands below it."""
_GOOGLE: Final = re.compile(r"^(?P<indent>[ \t]*)(?:Args|Arguments|Parameters|Keyword Args|Keyword Arguments):[ \t]*$")
_GOOGLE_ENTRY: Final = re.compile(r"^\\?\*{0,2}(\w++)\s*+(?:\((?:[^)]*+\)[^:]*+|(?:[^):]|:(?!\s|$))*+))?:(?:\s|$)")
_NUMPY: Final = re.compile(r"^(?P<indent>[ \t]*)(?:Other )?Parameters[ \t]*$")
_NUMPY_ENTRY: Final = re.compile(r"^((?:\\?\*{0,2}\w++)(?:\s*+,\s*+\\?\*{0,2}\w++)*+)\s*+(?::.*)?$")
_HEADS: Final = frozenset(
    "Args Arguments Attributes Example Examples Keyword Note Notes Parameters Raises Return Returns See Todo Usage"
    " Warning Warnings Yield Yields".split()
)
"""Words that begin a section, wherever they are indented to."""
_GIVING: Final = ("fixture", "property")
"""Ends of decorators whose functions stand for what they return."""
_RULER: Final = re.compile(r"^\s*-{3,}\s*$")
_QUOTES: Final = re.compile(r'"""|\'\'\'')
_MARKS: Final = ("param", "arg", "Arg", "Parameters", "keyword")


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    deviations: list[Deviation] = []
    checked = 0
    for node in code.only(members, FUNCTION):
        docstring = columns.docstring(node)
        if len(docstring) >= MAX_DOCSTRING:
            docstring = docstring.rpartition("\n")[0]
        if not any(mark in docstring for mark in _MARKS):
            continue
        parameters = columns.own(node, "parameters") or ()
        named = list(_named(code, node, docstring))
        if not named:
            continue
        checked += 1
        if any(p.startswith("**") or p == "{}" for p in parameters) or _takes_anything(code, node, parameters):
            continue
        there = {p.lstrip("*") for p in parameters}
        for name in dict.fromkeys(named):
            if name not in there:
                deviations.append(_deviation(code, node, name, parameters))
    return Outcome(tuple(deviations), (), checked)


def _named(code: Code, node: int, docstring: str) -> Iterator[str]:
    """The parameters that the documentation names, in order."""
    language = code.columns.language(node)
    if language == "python":
        for match in _FIELD.finditer(docstring):
            if word := _LAST_WORD.search(match[1].rstrip()):
                yield word[0]
        if "Arg" in docstring or "Parameters" in docstring:
            yield from _sections(_raw_docstring(code, node))
    elif not _OTHER_THING.search(docstring):
        for match in _TAG.finditer(docstring):
            for name in match["name"].strip("[ ").rstrip(".[]").split(","):
                # A type parameter, or `...`.
                if name.strip() and name.strip()[0] not in "<.":
                    yield name.strip()


def _raw_docstring(code: Code, node: int) -> list[str]:
    """The lines of a Python docstring with their indentation, which tells entries from what is said of them."""
    columns = code.columns
    first, last = int(columns.start_line[node]), int(columns.end_line[node])
    body = "\n".join(code.lines(columns.path(node))[first - 1 : last])
    opening = _QUOTES.search(body)
    if opening is None:
        return []
    closing = body.find(opening[0], opening.end())
    return body[opening.end() : closing if closing >= 0 else len(body)].expandtabs().split("\n")


def _sections(lines: Sequence[str]) -> Iterator[str]:
    """Entries of Google's and NumPy's sections."""
    number = 0
    while number < len(lines):
        google = _GOOGLE.match(lines[number])
        numpy = _NUMPY.match(lines[number])
        number += 1
        if google:
            yield from _entries(lines[number:], len(google["indent"]), _GOOGLE_ENTRY, deeper=True)
        elif numpy and number < len(lines) and _RULER.match(lines[number]):
            yield from _entries(lines[number + 1 :], len(numpy["indent"]), _NUMPY_ENTRY, deeper=False)


def _entries(lines: Sequence[str], around: int, entry: re.Pattern[str], *, deeper: bool) -> Iterator[str]:
    """Names at the indentation of a section's entries: that of the first one, deeper than its head or equal to it."""
    level = -1
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if indent < around or (deeper and indent == around):
            return
        if not deeper and number + 1 < len(lines) and _RULER.match(lines[number + 1]):
            return
        if level < 0:
            level = indent
            if not deeper and level != around:
                return
        if line.strip().rstrip(":") in _HEADS:
            return
        if indent == level and (match := entry.match(line.strip())):
            yield from (name.strip().lstrip("\\*") for name in match[1].split(","))


def _takes_anything(code: Code, node: int, parameters: Sequence[str]) -> bool:
    """Whether the parameters are not all in the definition's head: a wrapper that passes on what it gets, JavaScript's
    `arguments`, a decorator that changes the signature, a definition by a macro."""
    columns = code.columns
    language = columns.language(node)
    if any(one.partition("(")[0].endswith(_GIVING) for one in columns.own(node, "decorators") or ()):
        # What is documented is how to call what it gives.
        return True
    if any(p.startswith("*") for p in parameters) and language == "python":
        return True
    if language in ("javascript", "typescript", "tsx"):
        lines = code.lines(columns.path(node))[int(columns.start_line[node]) - 1 : int(columns.end_line[node])]
        return any("arguments" in line for line in lines)
    return language in ("c", "cpp") and (
        (not parameters and "(" not in columns.signature(node)) or any(p == "_" or p.isupper() for p in parameters)
    )


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


_REST = 'def a(x, *rest):\n    """A.\n\n    :param int x: it\n    :param rest: more\n    """\n'
_GOOGLE_STYLE = """def b(x, y=1):
    '''B.

    Args:
        x (int): it
            Note: more of it
        y: other

    Returns:
        z: what
    '''
"""
_NUMPY_STYLE = """def c(x, y):
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

RULE = Rule(
    name="doc-parameters",
    short="Documentation names a parameter that is not there.",
    full="Read are reStructuredText fields, Google's and NumPy's sections, JSDoc, Javadoc and doxygen. Functions that"
    " take any keyword (`**options`), rest arguments in Python, patterns or JavaScript's `arguments` are left alone;"
    " so are properties and fixtures, whose words are about what they give.",
    severity="warning",
    check=check,
    valid=(
        Case(
            "four styles",
            {"a.py": _REST, "b.py": _GOOGLE_STYLE, "c.py": _NUMPY_STYLE, "app.js": _JSDOC, "App.java": _JAVADOC},
        ),
        Case("any keyword", {"app.py": 'def a(x, **options):\n    """A.\n\n    :param y: passed on\n    """\n'}),
    ),
    invalid=(
        Case(
            "renamed since",
            {
                "a.py": _REST.replace("x, *", "z, "),
                "b.py": _GOOGLE_STYLE.replace("y=1", "z=1"),
                "c.py": _NUMPY_STYLE.replace("(x, y)", "(x, z)"),
            },
            (("a.py", 1), ("b.py", 1), ("c.py", 1)),
        ),
        Case(
            "JSDoc, Javadoc and doxygen",
            {
                "App.java": _JAVADOC.replace("T x", "T z"),
                "app.c": "/**\n * \\param[in] y it\n */\nint f(int x) { return x; }\n",
                "app.js": _JSDOC.replace("f(x", "f(z"),
            },
            (("App.java", 6), ("app.c", 4), ("app.js", 6)),
        ),
    ),
)
