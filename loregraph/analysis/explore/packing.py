"""Makes the answer that fits a budget of tokens from ranked symbols."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.explore import placing, surroundings
from loregraph.analysis.explore.answer import Exploration, ExploredSymbol
from loregraph.analysis.explore.excerpt import CALL, CHANGED, HEAD_LINES, AskedWords, excerpt_lines, text, weights
from loregraph.analysis.explore.ranking import Ranked
from loregraph.analysis.explore.sent import Sent
from loregraph.analysis.token_count import CHARACTERS, size, tokens
from loregraph.git import ChangedFile
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns

SOURCE_SHARE: Final = 0.9
"""The part of a symbol's room that its source may take where its surroundings need the rest."""
LEAST: Final = 160
"""Bytes of source and surroundings without which a symbol is not worth a place."""
LEAST_ROOM: Final = 400
"""Bytes that a symbol may take however small its share is: its place, its signature and a line or two."""
NOTED_SHARE: Final = 0.1
"""The part of the budget that memories about the question may take."""
ROWS_SHARE: Final = 0.1
ROWS_ROOM: Final = 200
"""From this share on a symbol has so many bytes for callers, callees and tests besides, however long its source is."""
OMITTED_SHARE: Final = 0.08
"""The part of the budget kept for the ids of what does not fit."""
MOST_OMITTED: Final = 30
MOST_ROWS: Final = 10
LEAST_ROWS: Final = 2
"""Rows of callers, or callees, of a symbol: as many as its share of the budget is large."""
COUNTS: Final = 60
"""Bytes kept for the numbers of what is left out of a symbol's lists."""
DOCSTRING: Final = 240
"""Characters of documentation that stands outside of a symbol's lines."""


class Material(Struct, frozen=True):
    """What an answer is made of.

    `asked` are the terms of the question with their weights, 1 for the usual one; `lines` gives the present lines of a
    file, none where it is gone; `memories` those of an id, in short; `stale` are the files, among those of the ranked
    symbols, that changed since they were indexed; `sent` is what the session has, None where there is none; with
    `resend` it is sent again; `changes` are the lines that a diff changes, `noted` the memories that answer
    the question.
    """

    columns: GraphColumns
    roles: CodeRoles
    asked: Mapping[str, float]
    lines: Callable[[str], Sequence[str]]
    memories: Callable[[str], Sequence[Remembered]]
    stale: Collection[str]
    sent: Sent | None = None
    resend: bool = False
    changes: Mapping[str, ChangedFile] = {}
    noted: Sequence[Remembered] = ()


# Implements REQ-CLI-022.
def packed(material: Material, ranked: Sequence[Ranked], max_tokens: int) -> Exploration:
    """The answer: as many symbols as fit, best first, each within its share of the budget; the others by id."""
    return _Packing(material, ranked, max_tokens).answer()


class _Packing:
    """One answer in the making."""

    def __init__(self, material: Material, ranked: Sequence[Ranked], max_tokens: int) -> None:
        self._material = material
        self._columns = material.columns
        self._ranked = ranked
        self._limit = max_tokens * CHARACTERS
        self._reach = TestReach(material.columns)
        self._roles = material.roles
        self._asked = AskedWords(material.asked)
        self._among = {one.node for one in ranked if not one.line}
        self._whole: dict[str, list[tuple[int, int]]] = {}
        """Path → the lines that the answer has all of."""
        self._remembered = _leading(material.noted, int(self._limit * NOTED_SHARE))
        self._noted: list[tuple[str, Sequence[str], frozenset[int]]] = []

    def answer(self) -> Exploration:
        columns = self._columns
        left = self._limit - size(self._put([], [], 0)) - int(self._limit * OMITTED_SHARE)
        shown: list[ExploredSymbol] = []
        omitted: list[str] = []
        for one in self._ranked:
            if left < LEAST_ROOM and shown:
                omitted.append(columns.id(one.node))
                continue
            path = columns.path(one.node)
            lines = self._material.lines(path)
            span = placing.span(columns, one, lines, is_stale=path in self._material.stale) if lines else None
            if span is None or self._is_shown(path, *span):
                continue
            first, last = span
            room = min(left, max(LEAST_ROOM, int(one.share * self._limit)))
            rows_room = min(left - room, ROWS_ROOM if one.share >= ROWS_SHARE else 0)
            symbol = self._symbol(one, first, lines[first - 1 : last], room, rows_room, left)
            if symbol is None:
                omitted.append(columns.id(one.node))
                continue
            left -= size(symbol) + 1
            shown.append(symbol)
        return self._fitted(shown, list(dict.fromkeys(omitted)))

    def _fitted(self, shown: list[ExploredSymbol], omitted: list[str]) -> Exploration:
        """With as many omitted ids as there is room for, and in the last resort fewer symbols."""
        kept = omitted[:MOST_OMITTED]
        while True:
            made = self._put(shown, kept, len(omitted) - len(kept))
            if size(made) <= self._limit or not (kept or shown):
                break
            if kept:
                kept.pop()
            else:
                omitted.insert(0, shown.pop().id)
        ids = {one.id for one in shown}
        if self._material.sent is not None:
            for id, lines, sent in self._noted:
                if id in ids:
                    self._material.sent.add(id, lines, sent)
        return replace(made, tokens=tokens(size(made)))

    def _put(self, shown: Sequence[ExploredSymbol], omitted: Sequence[str], not_listed: int) -> Exploration:
        paths = dict.fromkeys(one.file_path for one in shown)
        unresolved = 0
        for path in paths:
            file = self._columns.find_id(path)
            if file is not None:
                unresolved += self._columns.own(file, "calls_unresolved") or 0
        told = {memory.memory_id for one in shown for memory in one.memories}
        return Exploration(
            symbols=tuple(shown),
            omitted=tuple(omitted),
            unresolved_calls=unresolved,
            stale=tuple(path for path in paths if path in self._material.stale),
            tokens=self._limit // CHARACTERS,
            not_listed=not_listed,
            memories=tuple(one for one in self._remembered if one.memory_id not in told),
        )

    def _is_shown(self, path: str, first: int, last: int) -> bool:
        return any(start <= first and last <= end for start, end in self._whole.get(path, ()))

    def _symbol(
        self, one: Ranked, first: int, lines: Sequence[str], room: int, rows_room: int, left: int
    ) -> ExploredSymbol | None:
        """The symbol within `room` bytes, and `rows_room` for its surroundings; None where `left` is too little."""
        columns, node = self._columns, one.node
        id, path, last = columns.id(node), columns.path(node), first + len(lines) - 1
        bare = ExploredSymbol(
            id=id,
            file_path=path,
            start_line=first,
            end_line=last,
            source="",
            callers=(),
            callees=(),
            tests=(),
            requirements=(),
            memories=(),
            reason=one.reason,
            docstring=_docstring_outside(columns.docstring(node), lines) if not one.line else "",
        )
        # However long its id and path are, there is room for its signature.
        room = min(max(room - size(bare), LEAST), left - size(bare))
        whole = frozenset(range(len(lines)))
        is_sent = self._has(id, lines, whole)
        # Each line takes two bytes at least: what is far too long is not even put together.
        is_long = 2 * len(lines) > self._limit
        source = "" if is_sent or is_long else text(lines, first, sorted(whole))
        kept = whole
        if is_sent:
            bare = replace(bare, sent_before=True)
            self._whole.setdefault(path, []).append((first, last))
        elif is_long or size(source) > room:
            weight = weights(lines, self._asked, *self._places(node, first))
            kept = excerpt_lines(lines, weight, max(min(room, LEAST), int(room * SOURCE_SHARE)))
            if not kept:
                return None
            source = text(lines, first, sorted(kept))
            if self._has(id, lines, kept):
                source, bare = "", replace(bare, sent_before=True)
        elif last > first:
            self._whole.setdefault(path, []).append((first, last))
        self._noted.append((id, lines, kept))
        symbol = replace(bare, source=source)
        return self._with_surroundings(symbol, one, max(room, 0) - size(source) + rows_room) if not one.line else symbol

    def _has(self, id: str, lines: Sequence[str], kept: frozenset[int]) -> bool:
        """Whether the session has these lines of a symbol already."""
        material = self._material
        return material.sent is not None and not material.resend and material.sent.has(id, lines, kept)

    def _places(self, node: int, first: int) -> tuple[dict[int, float], list[int]]:
        """The indices of lines of `node` that call other symbols of the answer, or that a diff changes, with their
        weights; and of those where members begin, of a class or a file."""
        columns = self._columns
        edges = columns.out(node, "CALLS").tolist()
        marked = {
            line - first: CALL
            for edge in edges
            if int(columns.target[edge]) in self._among
            for line in columns.lines(edge)
        }
        change = self._material.changes.get(columns.path(node))
        last = int(columns.end_line[node])
        for start, end in change.new_ranges if change is not None else ():
            marked.update(dict.fromkeys(range(max(start, first) - first, min(end, last) - first + 1), CHANGED))
        if columns.label(node) == "Function":
            return marked, []
        members = columns.target[columns.out(node, "CONTAINS")].tolist()
        return marked, [line - first for one in members if (line := int(columns.start_line[one])) >= first]

    def _with_surroundings(self, symbol: ExploredSymbol, one: Ranked, room: int) -> ExploredSymbol:
        """With as much of its surroundings as there is room for: what people wrote first, then calls and tests."""
        columns, node = self._columns, one.node
        most = max(LEAST_ROWS, min(MOST_ROWS, round(one.share * MOST_ROWS * 2)))
        callers, all_callers = surroundings.calls(columns, self._roles, node, outward=False, most=most)
        callees, all_callees = surroundings.calls(columns, self._roles, node, outward=True, most=most)
        tests = surroundings.tests(columns, self._reach, node)
        needed = surroundings.requirements(columns, node)
        designs = surroundings.designs(columns, node, needed)
        memories = self._material.memories(symbol.id)
        lists: dict[str, tuple[list[Any], int]] = {
            "memories": (list(memories), len(memories)),
            "requirements": ([surroundings.titled(columns, need) for need in needed[:most]], len(needed)),
            "designs": ([surroundings.titled(columns, design) for design in designs[:most]], len(designs)),
            "callers": (callers, all_callers),
            "callees": (callees, all_callees),
            "tests": (tests[: max(1, most // 2)], len(tests)),
        }
        room -= COUNTS
        taken: dict[str, list[Any]] = {name: [] for name in lists}
        for place in range(max(len(rows) for rows, _ in lists.values())):
            for name, (rows, _) in lists.items():
                if place < len(rows) and (cost := size(rows[place]) + 1) <= room:
                    taken[name].append(rows[place])
                    room -= cost
        more = {name: total - len(taken[name]) for name, (_, total) in lists.items() if total > len(taken[name])}
        return replace(symbol, **{name: tuple(rows) for name, rows in taken.items()}, more=more)


def _leading(rows: Sequence[Remembered], characters: int) -> list[Remembered]:
    """As many leading rows as fit."""
    found = []
    for one in rows:
        characters -= size(one) + 1
        if characters < 0:
            break
        found.append(one)
    return found


def _docstring_outside(docstring: str, lines: Sequence[str]) -> str:
    """The first paragraph of the docstring, unless it stands within the lines, as in Python."""
    paragraph = docstring.strip().partition("\n\n")[0]
    start = paragraph.partition("\n")[0].strip()
    if not start or any(start in line for line in lines[: HEAD_LINES + 4]):
        return ""
    whole = " ".join(paragraph.split())
    return whole if len(whole) <= DOCSTRING else whole[: DOCSTRING - 1] + "…"
