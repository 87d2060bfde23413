"""Makes the answer that fits a budget of tokens from ranked symbols."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.explore import surroundings
from loregraph.analysis.explore.answer import Exploration, ExploredSymbol
from loregraph.analysis.explore.excerpt import excerpt_lines, text, weights
from loregraph.analysis.explore.ranking import Ranked
from loregraph.analysis.explore.sent import Sent
from loregraph.analysis.token_count import CHARACTERS, size, tokens
from loregraph.graph.columns import GraphColumns
from loregraph.graph.terms import query_terms

SOURCE_SHARE: Final = 0.65
"""The part of a symbol's room that its source may take where its surroundings need the rest."""
SHORT: Final = 1_200
"""Bytes of source that are shown whole if there is room at all, beyond the symbol's share."""
LEAST: Final = 160
"""Bytes of source and surroundings without which a symbol is not worth a place."""
OMITTED_SHARE: Final = 0.12
"""The part of the budget kept for the ids of what does not fit."""
MOST_OMITTED: Final = 30
MOST_CALLS: Final = 6
MOST_TESTS: Final = 4
MOST_REQUIREMENTS: Final = 4


class Material(Struct, frozen=True):
    """What an answer is made of. `lines` gives the present lines of a file, none where it is gone; `memories` those of
    an id, in short; `stale` are the files, among those of the ranked symbols, that changed since they were indexed;
    `sent` is what the session has, None where there is none; with `resend` it is sent again."""

    columns: GraphColumns
    question: str
    lines: Callable[[str], Sequence[str]]
    memories: Callable[[str], Sequence[dict[str, Any]]]
    stale: Collection[str]
    sent: Sent | None = None
    resend: bool = False


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
        self._asked = frozenset(query_terms(material.question)) if material.question else frozenset[str]()
        self._among = {one.node for one in ranked if not one.line}
        self._whole: dict[str, list[tuple[int, int]]] = {}
        """Path → the lines that the answer has all of."""
        self._noted: list[tuple[str, Sequence[str], frozenset[int]]] = []

    def answer(self) -> Exploration:
        columns = self._columns
        left = self._limit - size(self._put([], [], 0)) - int(self._limit * OMITTED_SHARE)
        shown: list[ExploredSymbol] = []
        omitted: list[str] = []
        for one in self._ranked:
            path = columns.path(one.node)
            first, last = self._span(one)
            lines = self._material.lines(path)
            if not lines or self._is_shown(path, first, last):
                continue
            symbol = self._symbol(one, lines[first - 1 : last], min(left, int(one.share * self._limit)), left)
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
        return Exploration(
            symbols=tuple(shown),
            omitted=tuple(omitted),
            unresolved_calls=unresolved,
            stale=tuple(path for path in paths if path in self._material.stale),
            tokens=self._limit // CHARACTERS,
            not_listed=not_listed,
        )

    def _span(self, one: Ranked) -> tuple[int, int]:
        if one.line:
            return one.line, one.line
        return max(1, int(self._columns.start_line[one.node])), max(1, int(self._columns.end_line[one.node]))

    def _is_shown(self, path: str, first: int, last: int) -> bool:
        return any(start <= first and last <= end for start, end in self._whole.get(path, ()))

    def _symbol(self, one: Ranked, lines: Sequence[str], room: int, left: int) -> ExploredSymbol | None:
        """The symbol within `room` bytes, or `left` for a short one; None where that is too little."""
        columns, node = self._columns, one.node
        first, last = self._span(one)
        id, path = columns.id(node), columns.path(node)
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
        )
        room -= size(bare)
        whole = frozenset(range(len(lines)))
        is_sent = self._has(id, lines, whole)
        source = "" if is_sent else text(lines, first, sorted(whole))
        kept = whole
        if is_sent:
            bare = replace(bare, sent_before=True)
            self._whole.setdefault(path, []).append((first, last))
        elif size(source) > max(room * SOURCE_SHARE, min(SHORT, left - size(bare) - LEAST)):
            if room < LEAST:
                return None
            weight = weights(lines, self._asked, self._call_lines(node, first))
            kept = excerpt_lines(lines, weight, int(room * SOURCE_SHARE))
            if not kept:
                return None
            source = text(lines, first, sorted(kept))
            if self._has(id, lines, kept):
                source, bare = "", replace(bare, sent_before=True)
        elif last > first:
            self._whole.setdefault(path, []).append((first, last))
        self._noted.append((id, lines, kept))
        symbol = replace(bare, source=source)
        return self._with_surroundings(symbol, node, max(room, 0) - size(source)) if not one.line else symbol

    def _has(self, id: str, lines: Sequence[str], kept: frozenset[int]) -> bool:
        """Whether the session has these lines of a symbol already."""
        material = self._material
        return material.sent is not None and not material.resend and material.sent.has(id, lines, kept)

    def _call_lines(self, node: int, first: int) -> frozenset[int]:
        """The indices of lines of `node` that call other symbols of the answer."""
        columns = self._columns
        edges = columns.out(node, "CALLS").tolist()
        return frozenset(int(columns.line[edge]) - first for edge in edges if int(columns.target[edge]) in self._among)

    def _with_surroundings(self, symbol: ExploredSymbol, node: int, room: int) -> ExploredSymbol:
        """With as much of its surroundings as there is room for: what people wrote first, then calls and tests."""
        columns = self._columns
        callers, all_callers = surroundings.calls(columns, node, outward=False, most=MOST_CALLS)
        callees, all_callees = surroundings.calls(columns, node, outward=True, most=MOST_CALLS)
        tests = surroundings.tests(columns, self._reach, node)
        needed = surroundings.requirements(columns, node)
        designs = surroundings.designs(columns, node, needed)
        lists: dict[str, list[Any]] = {
            "memories": list(self._material.memories(symbol.id)),
            "requirements": [surroundings.titled(columns, one) for one in needed[:MOST_REQUIREMENTS]],
            "designs": [surroundings.titled(columns, one) for one in designs[:MOST_REQUIREMENTS]],
            "callers": callers,
            "callees": callees,
            "tests": tests[:MOST_TESTS],
        }
        counts: Mapping[str, int] = {
            "memories": len(lists["memories"]),
            "requirements": len(needed),
            "designs": len(designs),
            "callers": all_callers,
            "callees": all_callees,
            "tests": len(tests),
        }
        room -= 60  # the counts of what is left out
        taken: dict[str, list[Any]] = {name: [] for name in lists}
        for place in range(max(map(len, lists.values()), default=0)):
            for name, rows in lists.items():
                if place < len(rows) and (cost := size(rows[place]) + 1) <= room:
                    taken[name].append(rows[place])
                    room -= cost
        more = {name: number - len(taken[name]) for name, number in counts.items() if number > len(taken[name])}
        return replace(symbol, **{name: tuple(rows) for name, rows in taken.items()}, more=more)
