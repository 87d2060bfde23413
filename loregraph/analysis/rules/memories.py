"""Conventions that a memory about the code states in a form that can be checked.

A line of a `code_pattern` or `design` memory that begins with `rule:` is a convention for the code that the memory is
anchored to:

    rule: functions named ^handle_
    rule: functions matching ^handle_ take request
    rule: functions matching _view$ are async
    rule: functions matching ^handle_ are decorated with login_required
    rule: functions matching ^save_ call validate
    rule: functions matching ^parse_ raise ParseError
    rule: classes matching Handler$ extend BaseHandler
    rule: classes named Handler$
    rule: files do not import sqlite3

`matching` takes a regular expression that is searched in the name, `named` one that the name has to match; without
`matching` all public functions or classes are meant. `do not` and `are not` turn a convention round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from loregraph import patterns
from loregraph.analysis.rules.code import CLASS, COMPONENT, FILE, FUNCTION, Code
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.graph.model import LABELS

_MEMORY: Final = LABELS.index("Memory")
_KINDS: Final = frozenset({"code_pattern", "design"})
_LINE: Final = re.compile(r"^[ \t]*+(?:[-*] )?rule:[ \t]*+(.++)$", re.M)
_FORM: Final = re.compile(
    r"(?P<what>functions|classes|files)(?:\s+matching\s+(?P<matching>\S+))?\s+"
    r"(?P<not>do\s+not\s+|are\s+not\s+)?"
    r"(?P<verb>named|take|call|raise|handle|extend|import|(?:are\s+)?decorated\s+with|(?:are\s+)?async)(?:\s+(?P<value>\S+))?"
)
_LABELS: Final = {"functions": FUNCTION, "classes": CLASS, "files": FILE}
_FORMS: Final = (
    "functions|classes|files [matching REGEX] [do not|are not]"
    " named|take|call|raise|handle|extend|import|decorated with|async VALUE"
)
_CODE: Final = (COMPONENT, FILE, CLASS, FUNCTION)


class Convention(msgspec.Struct, frozen=True):
    """One parsed `rule:` line."""

    text: str
    what: str
    matching: str
    verb: str
    value: str
    negated: bool


def conventions(content: str) -> Iterator[Convention | str]:
    """The conventions in a memory's text; the text of unreadable ones."""
    for match in _LINE.finditer(content):
        text = match[1].rstrip(" \t").rstrip(".`")
        form = _FORM.fullmatch(text)
        verb = " ".join(form["verb"].split()).removeprefix("are ") if form else ""
        if form is None or (form["value"] is None) != (verb == "async") or not _fits(verb, form["what"]):
            yield text
            continue
        value = form["value"] or ""
        if not all(_compiles(pattern) for pattern in (form["matching"] or "", value if verb == "named" else "")):
            yield text
            continue
        yield Convention(text, form["what"], form["matching"] or "", verb, value, bool(form["not"]))


def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    inside = frozenset(members)
    deviations: list[Deviation] = []
    habits: list[Habit] = []
    checked = 0
    for memory in np.flatnonzero(columns.labels == _MEMORY).tolist():
        if columns.kind(memory) not in _KINDS or columns.own(memory, "state") != "active":
            continue
        content = columns.own(memory, "content") or ""
        about = [
            anchor
            for anchor in code.ends(memory, "ABOUT")
            if columns.labels[anchor] in (COMPONENT, FILE, CLASS, FUNCTION)
        ]
        for convention in conventions(content):
            if isinstance(convention, str):
                deviations += _unread(code, memory, about, convention, inside)
                continue
            habits.append(Habit(convention.text, (columns.id(memory),)))
            for node in _meant(code, about, convention):
                if node not in inside:
                    continue
                checked += 1
                if _holds(code, node, convention) == convention.negated:
                    deviations.append(_deviation(code, memory, node, convention, content))
    return Outcome(tuple(deviations), tuple(habits), checked)


def _compiles(pattern: str) -> bool:
    try:
        patterns.compiled(pattern)
    except patterns.PatternError:
        return False
    return True


_VERBS: Final[dict[str, frozenset[str]]] = {
    "functions": frozenset({"named", "take", "call", "raise", "handle", "decorated with", "async"}),
    "classes": frozenset({"named", "extend", "decorated with"}),
    "files": frozenset({"named", "import", "call"}),
}


def _fits(verb: str, what: str) -> bool:
    return verb in _VERBS[what]


def _meant(code: Code, about: Sequence[int], convention: Convention) -> list[int]:
    """The nodes within the anchors that the convention applies to."""
    columns = code.columns
    label = _LABELS[convention.what]
    found: dict[int, None] = {}
    queue = list(about)
    for node in queue:
        queue += code.ends(node, "CONTAINS")
        if columns.labels[node] != label or node in found:
            continue
        name = columns.name(node)
        if convention.matching:
            if patterns.searches(convention.matching, name):
                found[node] = None
        elif label == FILE or (code.is_public(node) and not code.is_test(node)):
            found[node] = None
    return sorted(found)


def _holds(code: Code, node: int, convention: Convention) -> bool:
    return _TESTS[convention.verb](code, node, convention.value)


def _named(code: Code, node: int, value: str) -> bool:
    return patterns.searches(value, code.columns.name(node))


def _takes(code: Code, node: int, value: str) -> bool:
    return value in {name.lstrip("*") for name in code.parameters(node)}


def _ends_named(code: Code, ends: Sequence[int], value: str) -> bool:
    columns = code.columns
    ids = (value, f"external:{value}")
    return any(value in (columns.name(end), columns.qualified_name(end)) or columns.id(end) in ids for end in ends)


def _calls(code: Code, node: int, value: str) -> bool:
    return _ends_named(code, code.ends(node, "CALLS"), value)


def _extends(code: Code, node: int, value: str) -> bool:
    return code.columns.name(node) == value or _ends_named(code, code.ancestors(node), value)


def _imports(code: Code, node: int, value: str) -> bool:
    columns = code.columns
    for end in code.ends(node, "IMPORTS"):
        named = (columns.name(end), columns.qualified_name(end), columns.path(end), columns.own(end, "package"))
        if any(text and (text == value or text.startswith((value + ".", value + "/"))) for text in named):
            return True
    return False


def _decorated(code: Code, node: int, value: str) -> bool:
    names = {one.partition("(")[0] for one in code.columns.own(node, "decorators") or ()}
    return value.lstrip("@") in names | {name.rpartition(".")[2] for name in names}


def _listed(field: str) -> Callable[[Code, int, str], bool]:
    return lambda code, node, value: value in (code.columns.own(node, field) or ())


def _async(code: Code, node: int, value: str) -> bool:
    return "async" in (code.columns.own(node, "modifiers") or ())


_TESTS: Final[dict[str, Callable[[Code, int, str], bool]]] = {
    "named": _named,
    "take": _takes,
    "call": _calls,
    "extend": _extends,
    "import": _imports,
    "decorated with": _decorated,
    "raise": _listed("raises"),
    "handle": _listed("handles"),
    "async": _async,
}


def _deviation(code: Code, memory: int, node: int, convention: Convention, content: str) -> Deviation:
    columns = code.columns
    kind = convention.what.removesuffix("es") if convention.what == "classes" else convention.what.removesuffix("s")
    return Deviation(
        code.place(node),
        f"the {kind} {columns.name(node)} is not as remembered: {convention.text}",
        convention.text,
        columns.signature(node) or columns.name(node),
        (f"memory {columns.id(memory)}: {content.strip().splitlines()[0][:200]}",),
        f"{columns.id(node)} {convention.text}",
    )


def _unread(code: Code, memory: int, about: Sequence[int], text: str, inside: frozenset[int]) -> list[Deviation]:
    """A note at the first anchor: an unchecked convention would look like a satisfied one."""
    within = [node for node in about if node in inside or not inside.isdisjoint(code.ends(node, "CONTAINS"))]
    if not within:
        return []
    columns = code.columns
    return [
        Deviation(
            code.place(within[0]),
            f"a rule of a memory cannot be read: {text}",
            _FORMS,
            text,
            (f"memory {columns.id(memory)}",),
            f"{columns.id(memory)} {text}",
            severity="note",
        )
    ]


_HANDLERS = "def handle_a(request):\n    return request\n\n\ndef handle_b(request):\n    return request\n"
_ABOUT_NAMES = (("code_pattern", "How requests are served.\nrule: functions named ^handle_", "app.py"),)

RULE = Rule(
    name="memories",
    short="Code is not as a memory about it says.",
    full="A line of a `code_pattern` or `design` memory that begins with `rule:` is a convention for the code that the"
    " memory is anchored to. The forms are listed above. A line that cannot be read is a note: a convention that nobody"
    " checks looks like one that holds.",
    severity="warning",
    check=check,
    valid=(
        Case("as remembered", {"app.py": _HANDLERS}, memories=_ABOUT_NAMES),
        Case(
            "a memory about other code",
            {"app.py": _HANDLERS, "other.py": "def run():\n    pass\n"},
            memories=_ABOUT_NAMES,
        ),
    ),
    invalid=(
        Case(
            "a name",
            {"app.py": _HANDLERS + "\n\ndef serve(request):\n    return request\n"},
            (("app.py", 9),),
            _ABOUT_NAMES,
        ),
        Case(
            "a parameter, a call, a base and an import",
            {
                "app.py": _HANDLERS + "\n\ndef handle_c(req):\n    return req\n",
                "store.py": "import sqlite3\n\n\nclass Base:\n    pass\n\n\nclass FileStore:\n    pass\n",
            },
            (("app.py", 9), ("store.py", 1), ("store.py", 8)),
            (
                ("design", "rule: functions matching ^handle_ take request", "app.py"),
                ("design", "rule: classes matching Store$ extend Base\nrule: files do not import sqlite3", "store.py"),
            ),
        ),
        Case(
            "a convention that cannot be read",
            {"app.py": _HANDLERS},
            (("app.py", 1),),
            (("code_pattern", "rule: functions should be nice", "app.py"),),
        ),
    ),
)
