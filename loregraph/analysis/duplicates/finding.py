"""From an index to results: pairs and families of functions, files and parts of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.component_lookup import ends
from loregraph.analysis.duplicates.advice import Kin, one_to_keep, recommendation
from loregraph.analysis.duplicates.bags import Positions, long_literals
from loregraph.analysis.duplicates.clones import MIN_TOKENS, THRESHOLD, CloneIndex
from loregraph.analysis.duplicates.families import families_of
from loregraph.analysis.duplicates.fragments import FRAGMENT_TOKENS, Fragment, find_fragments
from loregraph.analysis.duplicates.pairing import TYPES, Found, is_in, keys_of, nearest
from loregraph.analysis.duplicates.results import (
    CLONE_TYPES,
    EDITED,
    EXACT,
    FILE,
    FRAGMENT,
    FUNCTION,
    RENAMED,
    ROLES,
    SEMANTIC,
    Duplicates,
    Family,
    Pair,
    Side,
)
from loregraph.analysis.duplicates.roles import Likeness, role_of
from loregraph.analysis.duplicates.semantic import SEMANTIC_THRESHOLD, SEMANTIC_TOKENS, near_pairs
from loregraph.analysis.duplicates.shapes import Shape, shape_of
from loregraph.analysis.duplicates.units import Units
from loregraph.graph.columns import GraphColumns
from loregraph.graph.vector_index import VectorIndex

_DECIMALS: Final = 3
_ORDER: Final = {name: number for number, name in enumerate(CLONE_TYPES)}
_MOST_SHAPES: Final = 3
"""Maximum copies examined besides the kept one: they are similar."""
_ROLES: Final = {name: number for number, name in enumerate(ROLES)}


class _Span(NamedTuple):
    """The node of one side of a pair, its unit, and the tokens from `first` to `last`, exclusive."""

    node: int
    unit: int
    first: int
    last: int


class _Row(NamedTuple):
    """A pair and its two sides."""

    pair: Pair
    spans: tuple[_Span, _Span]


# Implements REQ-DUP-001.
def find_duplicates(
    columns: GraphColumns,
    index: CloneIndex,
    *,
    threshold: float = THRESHOLD,
    min_tokens: int = MIN_TOKENS,
    inside: Callable[[str], bool] | None = None,
    concerns: Callable[[Side], bool] | None = None,
    vectors: VectorIndex | None = None,
) -> Duplicates:
    """All copies in a graph: the pairs by id, the families by role, identical ones first, then by the number of
    removable lines.

    `inside` selects files, `concerns` the places that a pair has to overlap. With `vectors`, functions that may do the
    same are included.
    """
    every = index.pairs(threshold, min_tokens)
    told = nearest(every)
    notices = index.units.notices
    if left_out := len(every.first) - len(told.first):
        notices = (*notices, f"{left_out:,} pairs are left out: of so many, each function's nearest are told")
    if index.uncompared:
        notices = (*notices, f"{index.uncompared:,} pairs of one shape count as edited: so many names are not compared")
    if index.cut:
        notices = (*notices, f"{index.cut:,} functions are like too many to be paired with each: the nearest are told")
    rows: list[_Row] = []
    sides: dict[int, Side] = {}
    for a, b, similarity, kind in zip(*(column.tolist() for column in told), strict=True):
        rows.append(_row(columns, index, sides, a, b, similarity, TYPES[kind]))
    rows.extend(_fragments(columns, index, every, threshold, min_tokens))
    if vectors is not None:
        rows.extend(_by_meaning(columns, index, every, vectors, min_tokens))
    if inside is not None:
        rows = [row for row in rows if inside(row.pair.a.file_path) and inside(row.pair.b.file_path)]
    if concerns is not None:
        rows = [row for row in rows if concerns(row.pair.a) or concerns(row.pair.b)]
    rows.sort(key=lambda row: _place(row.pair))
    kinds: dict[tuple[str, bool], list[_Row]] = {}
    for row in rows:
        kinds.setdefault((row.pair.scope, row.pair.clone_type == SEMANTIC), []).append(row)
    families = [family for same_kind in kinds.values() for family in _families(columns, index.units, same_kind)]
    families.sort(key=_worth)
    return Duplicates(tuple(row.pair for row in rows), _counted_once(families), len(index.units.nodes), notices)


def _worth(family: Family) -> tuple[bool, int, bool, int, Side]:
    role = _ROLES[family.role]
    return family.clone_type == SEMANTIC, role, family.clone_type != EXACT, -family.lines, family.members[0]


def _counted_once(families: Sequence[Family]) -> tuple[Family, ...]:
    """`families`, with each removable line counted only in the first: parts are in functions that are reported too."""
    counted: dict[str, set[int]] = {}
    found = []
    for family in families:
        fresh = whole = 0
        for side in family.members[1:]:
            known = counted.setdefault(side.file_path, set())
            lines = set(range(side.start_line, side.end_line + 1))
            fresh += len(lines - known)
            whole += len(lines)
            known |= lines
        found.append(replace(family, lines=family.lines * fresh // max(whole, 1)))
    return tuple(found)


def _place(pair: Pair) -> tuple[str, str, int, int, str]:
    """Sort key: ids first, which contain the path; lines distinguish sides with the same id."""
    return pair.a.id, pair.b.id, pair.a.start_line, pair.b.start_line, pair.clone_type


def _fragments(
    columns: GraphColumns, index: CloneIndex, known: Found, threshold: float, min_tokens: int
) -> Iterator[_Row]:
    """The parts shared by units that are not a pair of `known`."""
    pairs = _outermost(index, known)
    for fragment in find_fragments(index.units, index.streams, pairs, max(FRAGMENT_TOKENS, min_tokens)):
        row = _fragment_row(columns, index, fragment)
        if row.pair.similarity >= threshold and not _share_lines(row.pair):
            yield row


def _share_lines(pair: Pair) -> bool:
    """Whether both sides have at least one whole line: two parts of the same line have no removable lines."""
    a, b = pair.a, pair.b
    return a.file_path == b.file_path and a.start_line <= b.end_line and b.start_line <= a.end_line


def _by_meaning(
    columns: GraphColumns, index: CloneIndex, known: Found, vectors: VectorIndex, min_tokens: int
) -> Iterator[_Row]:
    """Functions with close vectors: no tests, no pair of `known` or within one, neither calling the other."""
    units = index.units
    chosen = np.flatnonzero((index.sizes >= max(SEMANTIC_TOKENS, min_tokens)) & ~units.is_file & ~units.is_test)
    chosen = chosen[np.argsort(units.nodes[chosen])]
    one, other, cosine = near_pairs(vectors, units.nodes[chosen], SEMANTIC_THRESHOLD)
    near = Found(*_sorted(chosen[one], chosen[other]), cosine, np.zeros(len(one), np.int8))
    told = np.union1d(_outermost(index, known), keys_of(known.first, known.second))
    near = near.of(~is_in(keys_of(near.first, near.second), told) & ~is_in(_outer_keys(index, near), told))
    sides: dict[int, Side] = {}
    for a, b, score in zip(near.first.tolist(), near.second.tolist(), near.similarity.tolist(), strict=True):
        if a not in index.around(b) and not _calls(columns, int(units.nodes[a]), int(units.nodes[b])):
            yield _row(columns, index, sides, a, b, score, SEMANTIC)


def _calls(columns: GraphColumns, one: int, other: int) -> bool:
    """Whether one of the two calls the other: it delegates rather than duplicates."""
    return other in ends(columns, [one], "CALLS", outward=True) or one in ends(columns, [other], "CALLS", outward=True)


def _sorted(one: Positions, other: Positions) -> tuple[Positions, Positions]:
    return np.minimum(one, other), np.maximum(one, other)


def _outermost(index: CloneIndex, known: Found) -> Positions:
    """Keys of the pairs of outermost units that are pairs of `known`, or contain some: no further report is needed."""
    return np.unique(_outer_keys(index, known))


def _outer_keys(index: CloneIndex, pairs: Found) -> Positions:
    """For each pair the key of the pair of outermost units around its two."""
    parents = index.units.parents
    first, second = pairs.first, pairs.second
    while (parents[first] >= 0).any() or (parents[second] >= 0).any():
        first = np.where(parents[first] >= 0, parents[first], first)
        second = np.where(parents[second] >= 0, parents[second], second)
    return keys_of(*_sorted(first, second))


def _row(
    columns: GraphColumns, index: CloneIndex, sides: dict[int, Side], a: int, b: int, similarity: float, clone_type: str
) -> _Row:
    units = index.units
    for unit in (a, b):
        if unit not in sides:
            sides[unit] = side_of(columns, index, unit)
    scope = FILE if units.is_file[a] or units.is_file[b] else FUNCTION
    tokens = int(min(index.sizes[a], index.sizes[b]))
    spans = [_Span(int(units.nodes[unit]), unit, int(units.first[unit]), int(units.last[unit])) for unit in (a, b)]
    return _ordered((sides[a], spans[0]), (sides[b], spans[1]), similarity, clone_type, scope, tokens)


def _ordered(
    one: tuple[Side, _Span], other: tuple[Side, _Span], similarity: float, clone_type: str, scope: str, tokens: int
) -> _Row:
    (a, span_a), (b, span_b) = (one, other) if one < other else (other, one)
    return _Row(Pair(a, b, round(similarity, _DECIMALS), clone_type, scope, tokens), (span_a, span_b))


def side_of(columns: GraphColumns, index: CloneIndex, unit: int) -> Side:
    """The place of a unit."""
    units = index.units
    node = int(units.nodes[unit])
    if units.is_file[unit]:
        last = int(units.tokens.last_lines[units.last[unit] - 1]) if index.sizes[unit] else 1
        return Side(columns.id(node), columns.path(node), 1, last)
    return Side(columns.id(node), columns.path(node), int(columns.start_line[node]), int(columns.end_line[node]))


def _fragment_row(columns: GraphColumns, index: CloneIndex, fragment: Fragment) -> _Row:
    tokens = index.units.tokens
    sides = []
    for unit, start in ((fragment.unit, fragment.start), (fragment.other, fragment.other_start)):
        last = start + fragment.length - 1
        inner = _innermost(index, unit, start, last)
        node = int(index.units.nodes[inner])
        lines = int(tokens.lines[start]), int(tokens.last_lines[last])
        span = _Span(node, inner, start, last + 1)
        sides.append((Side(columns.id(node), columns.path(node), *lines), span))
    similarity, clone_type = (1.0, EXACT) if fragment.is_exact else (index.renamed_share(fragment), RENAMED)
    return _ordered(sides[0], sides[1], similarity, clone_type, FRAGMENT, fragment.length)


def _innermost(index: CloneIndex, unit: int, start: int, last: int) -> int:
    units = index.units
    found, at = unit, unit + 1
    while at < len(units.nodes) and units.parents[at] >= unit and units.first[at] <= start:
        if last < units.last[at]:
            found = at
        at += 1
    return found


def _families(columns: GraphColumns, units: Units, rows: Sequence[_Row]) -> Iterator[Family]:
    roles = CodeRoles(columns)
    spans: dict[Side, _Span] = {}
    for row in rows:
        spans[row.pair.a], spans[row.pair.b] = row.spans
    order = {side: place for place, side in enumerate(sorted(spans))}
    triples = ((row.pair.a, row.pair.b, row.pair.similarity) for row in rows)
    same = ((row.pair.a, row.pair.b) for row in rows if row.pair.clone_type == EXACT)
    found = families_of(triples, order, same)
    of: dict[Side, set[int]] = {}
    for number, members in enumerate(found):
        for side in members:
            of.setdefault(side, set()).add(number)
    within: list[list[Pair]] = [[] for _ in found]
    for row in rows:
        for number in of[row.pair.a] & of[row.pair.b]:
            within[number].append(row.pair)
    for number, (members, pairs) in enumerate(zip(found, within, strict=True)):
        numbers = [spans[side].node for side in members]
        # A unit without a family and its nearest, which has one: the nearest is kept.
        known = [at for at, side in enumerate(members) if min(of[side]) < number]
        keep = known[0] if len(known) == 1 else one_to_keep(columns, numbers)
        kept, rest = members[keep], sorted(side for side in members if side != members[keep])
        clone_type = max((pair.clone_type for pair in pairs), key=_ORDER.__getitem__)
        others = [spans[side].node for side in rest]
        scope = pairs[0].scope
        similarity = min(pair.similarity for pair in pairs)
        # Copies that differ only in names have the same shape.
        seen = (kept, *rest[:_MOST_SHAPES]) if clone_type == EDITED else (kept,)
        least = _least_shape(columns, units, [spans[side] for side in seen])
        role = role_of(columns, roles, numbers, Likeness(clone_type, scope, similarity, least))
        alike = similarity if clone_type == EDITED else 1.0
        yield Family(
            (kept, *rest),
            kept.id,
            similarity,
            clone_type,
            scope,
            round(sum(_lines_shared(units, spans[kept], spans[side], side.lines) for side in rest) * alike),
            role,
            recommendation(columns, Kin(numbers[keep], others, clone_type, scope, similarity, role)),
        )


def _lines_shared(units: Units, kept: _Span, other: _Span, lines: int) -> int:
    """The removable lines among the `lines` of a copy: without those of long strings that the kept one lacks."""
    known = Counter(word for word, _ in _long_literals(units, kept))
    for word, more in _long_literals(units, other):
        if known[word]:
            known[word] -= 1
        else:
            lines -= more
    return lines


def _long_literals(units: Units, span: _Span) -> list[tuple[int, int]]:
    """Each long string of a piece by its hash, and the number of its lines after the first."""
    tokens = units.tokens
    at = long_literals(tokens, span.first, span.last)
    return list(zip(tokens.words[at].tolist(), (tokens.last_lines[at] - tokens.lines[at]).tolist(), strict=True))


def _least_shape(columns: GraphColumns, units: Units, spans: Sequence[_Span]) -> Shape:
    """The minimum of each measure over some copies."""
    shapes = [shape_of(units, columns.language(one.node), one.unit, one.first, one.last) for one in spans]
    return Shape(*(min(values) for values in zip(*shapes, strict=True)))
