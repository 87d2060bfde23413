"""Markers: ids of requirements in comments, docstrings and decorators, and the definitions that they are about.

Most files have none, so the bytes are searched first, by expressions that begin with a rare character; only for a match
is the syntax tree asked what it is part of. Strings and code are never markers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import FILE_SCOPE, Definition, Marker, is_anonymous
from loregraph.indexer.languages.spec import LanguageSpec
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, LOOSE, IdPattern, compiled
from loregraph.indexer.requirements.marker_syntax import ANNOTATIONS, annotated, marked
from loregraph.indexer.requirements.model import quoted

MAX_MARKERS: Final = 5_000
"""Candidate places examined per file: more are a table, not prose."""
_MAX_CLIMB: Final = 10
_MAX_ID: Final = 60
_MAX_BLOCK: Final = 200
"""Comments and decorators allowed between a marker and the definition that it is about."""

_ID_GATE = re.compile(rb"[A-Z0-9_-][0-9](?<=[A-Z0-9_][A-Z_-][0-9])")
"""What every id of the default pattern, and every loosely written one of more than one letter, has before its
number."""
_LOOSE = re.compile(rb"(?<![\w-])" + LOOSE.encode() + rb"(?!\w|-\w)")


_LINE_COMMENT = re.compile(rb"([ \t]*+)(//|#|--|;|%|!|')")


def _any_case(word: str) -> str:
    return "".join(f"[{c.upper()}{c.lower()}]" if c.isalpha() else re.escape(c) for c in word)


_VERBS: Final = (
    *("implements", "satisfies", "verifies", "validates", "fulfils", "fulfills", "covers", "realizes", "realises"),
    *(
        "req-id",
        "req-ids",
        "req_id",
        "req_ids",
        "req id",
        "req ids",
        "requirement-id",
        "requirement_id",
        "requirement id",
    ),
    *("traces to", "traces", "requirement", "requirements", "req", "reqs", "design", "decision", "follows", "adr"),
)
_LAST: Final = "".join(sorted({verb[-1] + verb[-1].upper() for verb in _VERBS}))
_GATES: Final = (
    # Each begins with one character, so the search runs at memory speed. Most colons do not follow one of these.
    re.compile((f":(?<=[{_LAST}]:)(?:" + "|".join(f"(?<={_any_case(verb)}:)" for verb in _VERBS) + ")").encode()),
    re.compile(rb"@(?: |(?:" + b"|".join(sorted({v[:3].encode() for v in _VERBS} | {b"rel", b"sdoc"})) + rb"))", re.I),
    re.compile(rb"\\(?:" + b"|".join(sorted({v[:3].encode() for v in _VERBS})) + rb")", re.I),
    re.compile(rb"ADR[ #]"),
)


def find_markers(
    source: bytes,
    root: Node,
    spec: LanguageSpec,
    definitions: Sequence[Definition],
    pattern: str = DEFAULT_PATTERN,
    problem: Callable[[int, str], None] = lambda *_: None,
) -> tuple[Marker, ...]:
    """The markers of a file in the order of their lines. `pattern` is the configured regular expression of an id."""
    ids = compiled(pattern)
    regions: dict[int, tuple[str, Node]] = {}
    places = _candidates(source, ids)
    if len(places) > MAX_MARKERS:
        row = source.count(b"\n", 0, places[MAX_MARKERS]) + 1
        problem(row, f"more than {MAX_MARKERS:,} places may name a requirement; markers from here on are not read")
    for place in places[:MAX_MARKERS]:
        found = _region(root, place, spec)
        if found is not None:
            regions.setdefault(found[1].start_byte, found)
    markers: list[Marker] = []
    around = CommentsAround(source) if regions else None
    for _, (kind, node) in sorted(regions.items()):
        text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        first = node.start_point[0] + 1
        if kind == ANNOTATIONS:
            found_here = annotated(text, ids)
            scope = _around(definitions, node) if found_here else FILE_SCOPE
        else:
            wanted: tuple[int, ...] | None = None
            if kind == "comment" and around is not None and (block := around.block(node)) is not None:
                wanted = (node.start_point[0] - block[0],)
                first, text = block[0] + 1, block[1]
            found_here = marked(text, ids, wanted)
            scope = _scope(source, root, spec, definitions, kind, node) if found_here else FILE_SCOPE
        lines = text.split("\n") if found_here else []
        for marker in found_here:
            line = quoted(lines[marker.line])
            at = _narrowed(scope, marker.scope, definitions)
            markers.append(Marker(at, first + marker.line, marker.id, marker.kind, line))
    return tuple(dict.fromkeys(markers))


class CommentsAround:
    """The comment lines directly above and below a comment: a sentence, or an example, may span several."""

    def __init__(self, source: bytes) -> None:
        self._lines = source.split(b"\n")
        self._block: tuple[int, int, bytes, str] = (0, -1, b"", "")

    def block(self, node: Node) -> tuple[int, str] | None:
        """For a comment of one line, the first row and the text of the adjacent comments; None for any other
        comment."""
        row, last = node.start_point[0], node.end_point[0]
        if last > row + 1 or (last == row + 1 and node.end_point[1]):
            return None
        found = _LINE_COMMENT.match(self._lines[row])
        if found is None or found.end(1) != node.start_point[1]:
            return None
        sign = found[2]
        first, end, known, text = self._block
        if not (known == sign and first <= row < end):
            first = row
            while first > max(0, row - _MAX_BLOCK) and self._has(first - 1, sign):
                first -= 1
            end = row + 1
            while end < min(len(self._lines), row + _MAX_BLOCK) and self._has(end, sign):
                end += 1
            text = b"\n".join(self._lines[first:end]).decode("utf-8", "replace")
            self._block = (first, end, sign, text)
        return first, text

    def _has(self, row: int, sign: bytes) -> bool:
        found = _LINE_COMMENT.match(self._lines[row])
        return found is not None and found[2] == sign


def _candidates(source: bytes, ids: IdPattern) -> list[int]:
    """Byte offsets at which an id or a word that announces one may begin."""
    places = [match.start() for gate in _GATES for match in gate.finditer(source)]
    for match in _ID_GATE.finditer(source):
        start = match.start()
        if _LOOSE.search(source, max(0, start - _MAX_ID), start + _MAX_ID) is not None:
            places.append(start)
    places += ids.places(source)
    return places if len(places) <= MAX_MARKERS else sorted(places)


def _region(root: Node, place: int, spec: LanguageSpec) -> tuple[str, Node] | None:
    """The comment, docstring or annotation around a byte offset."""
    node = root.descendant_for_byte_range(place, place + 1)
    for _ in range(_MAX_CLIMB):
        if node is None:
            return None
        kind = node.type
        if kind in spec.comments:
            return "comment", node
        if kind in spec.annotations:
            return ANNOTATIONS, node
        parent = node.parent
        if "string" in kind and parent is not None and parent.type in spec.docstrings_in:
            return "docstring", node
        node = parent
    return None


def _scope(
    source: bytes, root: Node, spec: LanguageSpec, definitions: Sequence[Definition], kind: str, node: Node
) -> int:
    """The definition that a comment or docstring is about."""
    start = node.start_byte
    line_start = source.rfind(b"\n", 0, start) + 1
    if kind == "comment":
        if source[line_start:start].strip():
            line = node.start_point[0] + 1
            for index, definition in enumerate(definitions):
                if definition.start_line == definition.end_line == line and definition.start_byte < start:
                    return index
        else:
            following = _following(source, root, spec, node)
            if following is not None:
                index = _starting_at(source, definitions, following)
                if index != FILE_SCOPE:
                    return index
    return _innermost(definitions, start)


def _following(source: bytes, root: Node, spec: LanguageSpec, node: Node) -> int | None:
    """The byte offset at which code continues after a comment, past the comments and decorators directly following;
    None where an empty line intervenes."""
    place = node.end_byte
    for _ in range(_MAX_BLOCK):
        lines = 1 if source[place - 1 : place] == b"\n" else 0
        while place < len(source) and source[place : place + 1].isspace():
            lines += source[place : place + 1] == b"\n"
            place += 1
        if lines > 1 or place >= len(source):
            return None
        found = root.descendant_for_byte_range(place, place + 1)
        while found is not None and found.type not in spec.comments and found.type not in spec.annotations:
            parent = found.parent
            found = parent if parent is not None and parent.start_byte == place else None
        if found is None or found.start_byte != place:
            return place
        place = found.end_byte
    return None


def _starting_at(source: bytes, definitions: Sequence[Definition], place: int) -> int:
    """The outermost definition that begins at a byte offset, or after modifiers on its line."""
    line_end = source.find(b"\n", place)
    line_end = len(source) if line_end < 0 else line_end
    for index, definition in enumerate(definitions):
        if definition.start_byte <= place < definition.end_byte and _is_head(source, definition, place):
            return index
        if place < definition.start_byte < line_end and not is_anonymous(definition.name):
            return index
    return FILE_SCOPE


def _is_head(source: bytes, definition: Definition, place: int) -> bool:
    """Whether only decorators and white space of a definition precede a byte offset in it."""
    if definition.start_byte == place:
        return True
    if not definition.decorator_names:
        return False
    # A comment between two decorators, or between the last one and the name.
    return source.count(b"\n", definition.start_byte, place) <= _MAX_BLOCK and all(
        not line.strip() or line.strip().startswith((b"@", b"#", b"/", b"*", b")", b'"', b"'"))
        for line in source[definition.start_byte : place].split(b"\n")
    )


def _start_byte(definition: Definition) -> int:
    return definition.start_byte


def _innermost(definitions: Sequence[Definition], place: int) -> int:
    # In the order of their starts, each within its parent.
    best = bisect_right(definitions, place, key=_start_byte) - 1
    while best >= 0 and place >= definitions[best].end_byte:
        best = definitions[best].parent
    return best


def _around(definitions: Sequence[Definition], node: Node) -> int:
    """The definition that an annotation is on: the enclosing one, else the next one."""
    inside = _innermost(definitions, node.start_byte)
    following = node.next_named_sibling
    while following is not None and following.type == node.type:
        following = following.next_named_sibling
    if following is not None:
        for index, definition in enumerate(definitions):
            if definition.start_byte == following.start_byte and index > inside:
                return index
    return inside


def _narrowed(scope: int, wanted: str, definitions: Sequence[Definition]) -> int:
    """Changes `scope` as a marker demands: "" not at all, "file", or "class" for the enclosing type."""
    if wanted == "file":
        return FILE_SCOPE
    while wanted == "class" and scope != FILE_SCOPE and not definitions[scope].is_type:
        scope = definitions[scope].parent
    return scope
