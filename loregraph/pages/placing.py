"""Where in the source a call, a base or an import stands: edges have lines, links need columns.

A callee's name is looked for among the words of its line, outside comments, and outside strings but for the code that
some languages allow in them. What is not found, such as a call of `__enter__` by `with`, stands beside the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import FUNCTION_KINDS
from loregraph.pages.highlight import COMMENT, KEYWORD, STRING, Line

LINES_OF_AN_IMPORT: Final = 60
"""Lines on which the names of an import are looked for, from its first."""
_WORD: Final = re.compile(r"[^\W\d][\w$]*[!?]?|\$\w+")
_CALLED: Final = re.compile(r"\s{0,4}(?:(\(|!\s?[(\[{]|::<|`|\?\.\()|<|\[|\{|do\b)")
"""After a name: what a call looks like, in the group, and what it may look like."""
_NUMBER: Final = re.compile(r"#[0-9]+$")


LINES_OF_A_HEAD: Final = 12
"""Lines on which the name of a definition is looked for."""
DEFINES: Final = ""
"""`rel` of a reference from the name of a definition to itself."""
_SHOWN_BESIDE: Final = ("CALLS", "EXTENDS", "IMPLEMENTS")
_IMPLICIT: Final = ("callback", "decorator")
"""How an edge was found whose line does not name what is called."""


class Reference(NamedTuple):
    """What a line of a file names. `names` are the words that it may be written as, the likeliest first; `kind` is that
    of the target; `lines` are how many lines from `line` on may have it."""

    line: int
    names: tuple[str, ...]
    id: str
    kind: str
    rel: str
    how: str
    confidence: float
    lines: int = 1


class Span(NamedTuple):
    """Columns `start` to `end` of a line (from 0, end exclusive) with what they may refer to, the surest first."""

    start: int
    end: int
    targets: tuple[Reference, ...]


class Placed(NamedTuple):
    """Line (1-based) → the spans in it, ascending and apart, and what could not be placed in it. `missing` is how many
    references have no span, with those that are shown nowhere."""

    spans: Mapping[int, Sequence[Span]]
    beside: Mapping[int, Sequence[Reference]]
    missing: int = 0


def references(columns: GraphColumns, nodes: Iterable[int]) -> list[Reference]:
    """What the code of `nodes` calls, extends, imports and refers to, by line and target."""
    found: list[Reference] = []
    for node in nodes:
        for rel in ("CALLS", "EXTENDS", "IMPLEMENTS", "REFERENCES", "IMPORTS"):
            for edge in columns.out(node, rel).tolist():
                target = int(columns.target[edge])
                if rel == "IMPORTS":
                    found += _imported(columns, edge, target)
                    continue
                names, id, kind = called_by(columns, target), columns.id(target), columns.kind(target)
                how, confidence = columns.how(edge), float(columns.confidence[edge])
                # A type in a signature of several lines has the line that the signature begins on.
                beyond = LINES_OF_A_HEAD if rel == "REFERENCES" else 1
                found += (
                    Reference(line, names, id, kind, rel, how, confidence, beyond) for line in columns.lines(edge)
                )
    return sorted(found, key=lambda one: (one.line, -one.confidence, one.id))


def called_by(columns: GraphColumns, node: int) -> tuple[str, ...]:
    """The names that code uses for a function or class: a constructor has its class's too, a nameless function none."""
    name = _NUMBER.sub("", columns.name(node)).rpartition(".")[2]
    if columns.kind(node) == "constructor":
        around = columns.source[columns.into(node, "CONTAINS")].tolist()
        return (*map(columns.name, around), name)
    return () if name.startswith("<") else (name,)


def _imported(columns: GraphColumns, edge: int, target: int) -> list[Reference]:
    """The names that an import brings from a file of the project, where they are definitions of that file."""
    record, path = columns.edge(edge), columns.id(target)
    if not record.line or columns.label(target) != "File":
        return []
    found = []
    for said in record.names:
        name = said.partition(" as ")[0].strip()
        id = f"{path}::{name}"
        if columns.find_id(id) is not None:
            found.append(Reference(record.line, (name,), id, "import", "IMPORTS", "", 1.0, LINES_OF_AN_IMPORT))
    return found


def placed(lines: Mapping[int, Line], wanted: Iterable[Reference]) -> Placed:
    """Places `wanted` in `lines`, by number; what is of other lines is left out."""
    placing = _Placing(lines)
    groups: dict[tuple[int, tuple[str, ...], int], list[Reference]] = {}
    for one in wanted:
        if one.line in lines:
            groups.setdefault((one.line, one.names, one.lines), []).append(one)
    left: dict[int, list[Reference]] = {}
    missing = 0
    for (line, names, count), targets in groups.items():
        if not any(placing.by_name(at, name, targets) for at in range(line, line + count) for name in names):
            shown = [one for one in targets if one.rel in _SHOWN_BESIDE]
            left.setdefault(line, []).extend(shown)
            missing += len(targets) - len(shown)
    beside = {line: rest for line, own in left.items() if (rest := placing.by_elimination(line, own))}
    return Placed(
        {
            line: [Span(*place, _distinct(own[place])) for place in sorted(own)]
            for line, own in sorted(placing.spans.items())
        },
        {line: _distinct(own) for line, own in sorted(beside.items())},
        missing + sum(map(len, beside.values())),
    )


class _Placing:
    """The places found so far: line → (start, end) → what stands there."""

    def __init__(self, lines: Mapping[int, Line]) -> None:
        self._lines = lines
        self._known: dict[int, dict[str, list[_Word]]] = {}
        self.spans: dict[int, dict[tuple[int, int], list[Reference]]] = {}

    def words(self, line: int) -> dict[str, list[_Word]]:
        if line not in self._known:
            self._known[line] = _words(self._lines.get(line, []))
        return self._known[line]

    def by_name(self, line: int, name: str, targets: Sequence[Reference]) -> bool:
        """Whether `name` stands in the line, as what `targets` would be."""
        places = _places(self.words(line).get(name, []), targets[0].rel)
        for place in places:
            self.spans.setdefault(line, {}).setdefault(place, []).extend(targets)
        return bool(places)

    def by_elimination(self, line: int, targets: Sequence[Reference]) -> list[Reference]:
        """Places what goes by another name there, such as an alias, if a single name in the line is called and has no
        target yet. Returns what remains; a constructor does not where its class, or one derived from it, has a
        place."""
        taken = self.spans.get(line, {})
        has_class = any(one.kind not in FUNCTION_KINDS for own in taken.values() for one in own if one.rel == "CALLS")
        rest = [one for one in targets if not (one.kind == "constructor" and has_class)]
        explicit = [one for one in rest if one.how.partition("+")[0] not in _IMPLICIT and not _is_special(one.id)]
        if explicit:
            free = {
                name: calls
                for name, words in self.words(line).items()
                if (calls := [word for word in words if word.called == 2 and word.kind not in (KEYWORD, STRING)])
                and not any((word.start, word.end) in taken for word in calls)
            }
            if len(free) == 1:
                for place in _spans(free.popitem()[1]):
                    self.spans.setdefault(line, {})[place] = explicit
                rest = [one for one in rest if one not in explicit]
        return [one for one in rest if one.names]


def definitions(columns: GraphColumns, nodes: Iterable[int], lines: Mapping[int, Line]) -> dict[int, list[Span]]:
    """Line → the names of the definitions `nodes` that stand there; decorators may be above them."""
    placing = _Placing(lines)
    found: dict[int, list[Span]] = {}
    for node in nodes:
        names = called_by(columns, node)[-1:]
        first = int(columns.start_line[node])
        for line in range(first, min(first + LINES_OF_A_HEAD, int(columns.end_line[node]) + 1)) if names else ():
            words = [word for word in placing.words(line).get(names[0], ()) if word.kind != STRING]
            if own := [word for word in words if not word.follows_dot]:
                target = Reference(line, names, columns.id(node), columns.kind(node), DEFINES, "", 1.0)
                found.setdefault(line, []).append(Span(own[0].start, own[0].end, (target,)))
                break
    return found


def _is_special(id: str) -> bool:
    """Whether a method has a name that the language calls by a sign of its own: `__enter__`, `operator+`."""
    name = id.rpartition("::")[2].rpartition(".")[2]
    return name.startswith(("__", "operator"))


def _distinct(targets: Iterable[Reference]) -> tuple[Reference, ...]:
    """One of each target: a call says more than another reference to the same; calls hide what is only named, a
    class its constructor."""
    best: dict[str, Reference] = {}
    for one in targets:
        before = best.get(one.id)
        if before is None or (one.rel == "CALLS", one.confidence) > (before.rel == "CALLS", before.confidence):
            best[one.id] = one
    calls = [one for one in best.values() if one.rel == "CALLS"] or list(best.values())
    types = [one for one in calls if one.kind not in FUNCTION_KINDS]
    if types:  # their constructors stand for the same
        calls = [one for one in calls if one.kind != "constructor"]
    return tuple(sorted(calls, key=lambda one: (-one.confidence, one.id)))


class _Word(NamedTuple):
    """`called`: 2 before a bracket, 1 before what may begin a call too, 0 else."""

    start: int
    end: int
    called: int
    follows_dot: bool
    kind: str


def _words(line: Line) -> dict[str, list[_Word]]:
    """The words of a line outside comments, by their text."""
    text = "".join(piece.text for piece in line)
    found: dict[str, list[_Word]] = {}
    at = 0
    for piece in line:
        if piece.kind != COMMENT:
            for match in _WORD.finditer(text, at, at + len(piece.text)):
                start, end = match.span()
                after = _CALLED.match(text, end)
                called = 0 if after is None else 2 if after[1] else 1
                dotted = text[max(0, start - 2) : start].endswith((".", "::", "->", "@"))
                word = _Word(start, end, called, dotted, piece.kind)
                found.setdefault(match[0], []).append(word)
                if match[0][-1] in "!?":
                    found.setdefault(match[0][:-1], []).append(word._replace(end=end - 1, called=2))
        at += len(piece.text)
    return found


def _places(words: Sequence[_Word], rel: str) -> list[tuple[int, int]]:
    """The occurrences of a name that are most like what is looked for."""
    code = [word for word in words if word.kind != STRING]
    if rel != "CALLS":
        return [(word.start, word.end) for word in code[:1]] if rel != "IMPORTS" else _spans(code[-1:])
    for likely in (
        [word for word in code if word.called == 2],
        [word for word in code if word.called],
        [word for word in code if word.follows_dot],
        code[:1],
        [word for word in words if word.kind == STRING and word.called == 2],
    ):
        if likely:
            return _spans(likely)
    return []


def _spans(words: Iterable[_Word]) -> list[tuple[int, int]]:
    return [(word.start, word.end) for word in words]
