"""Finds components, files, code, requirements and designs by their names while somebody types.

A name is compared without its separators and case, so `query set`, `querySet` and `QuerySet` find the same. What
matches is ranked by how: the whole name, its beginning, the beginning of a word in it, the initials of its words
(`BHH` for `BaseHTTPHandler`), anything in it, all words somewhere in its id. Within a rank, what people wrote for the
product comes before tests and generated code, what more edges lead to before what few do, shorter names before longer
ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import numpy as np

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS
from loregraph.graph.terms import split_identifier

GROUP_OF: Final = {
    "Class": "code",
    "Function": "code",
    "File": "files",
    "Component": "components",
    "Requirement": "requirements",
    "Design": "designs",
}
"""Label of what can be found → the group in which it is shown."""
GROUPS: Final = tuple(dict.fromkeys(GROUP_OF.values()))
LONGEST_NAME: Final = 160
"""Characters of a name that are compared."""
LONGEST_QUERY: Final = 200
"""Characters of a query that are compared."""
MOST_COMPARED: Final = 5_000
"""Names with the last word of a query whose ids are compared with the other words."""
MOST_EXPORTED: Final = 60_000
"""Names in an export."""

EXACT, BEGINNING, WORD, INITIALS, WITHIN, SPREAD = range(6)
"""How a name matches, best first."""

_WORDS: Final = re.compile(r"[^\s/.:#]+")


class Match(msgspec.Struct, frozen=True):
    """A node whose name matches; `how` is one of the ranks above."""

    node: int
    how: int


class Matches(msgspec.Struct, frozen=True):
    """The best matches of one group, and the number of all."""

    best: tuple[Match, ...]
    total: int


class NameIndex:
    """The names of one generation, in the order in which equally good matches are shown. Immutable."""

    def __init__(self, columns: GraphColumns, is_test: Callable[[str], bool]) -> None:
        self.columns = columns
        codes = [LABELS.index(label) for label in GROUP_OF]
        nodes = np.flatnonzero(np.isin(columns.labels, codes)).astype(np.int32)
        names = [_compared(columns, node) for node in nodes.tolist()]
        # Requirements and designs stand in the order of their ids, which people number.
        is_code = np.isin(
            columns.labels[nodes], [LABELS.index(label) for label in ("Requirement", "Design")], invert=True
        )
        reached = np.diff(columns.into_offsets)[nodes] * is_code
        generated = columns.generated
        last = np.array([path in generated or is_test(path) for path in columns.paths.values], np.bool_)
        lengths = np.array([len(name) for name in names], np.int64) * is_code
        order = np.lexsort((nodes, lengths, -reached, last[columns.paths.codes[nodes]]))
        self.nodes = nodes[order]
        self._names = [names[place] for place in order.tolist()]
        self._labels = columns.labels[self.nodes].tolist()
        shapes: dict[str, str] = {}
        self._shapes = [shapes.get(name) or shapes.setdefault(name, shape_of(name)) for name in self._names]
        self._keys = [shape.lower() for shape in self._shapes]
        initials = {shape: _initials(shape) for shape in shapes.values()}
        self._initials = [initials[shape] for shape in self._shapes]

    def find(self, query: str, most: int) -> dict[str, Matches]:
        """Group → its matches, best first, at most `most` of each; groups without a match are left out."""
        ranked: dict[str, list[tuple[int, int]]] = {group: [] for group in GROUPS}
        for place, how in self._found(query[:LONGEST_QUERY]).items():
            ranked[GROUP_OF[LABELS[self._labels[place]]]].append((how, place))
        found = {}
        for group, rows in ranked.items():
            if rows:
                rows.sort()
                best = tuple(Match(int(self.nodes[place]), how) for how, place in rows[:most])
                found[group] = Matches(best, len(rows))
        return found

    def _found(self, query: str) -> dict[int, int]:
        """Place in the order → how its name matches."""
        whole = shape_of(query).lower()
        if not whole:
            return {}
        if len(whole) == 1:  # anything else has it somewhere
            return {
                place: EXACT if key == whole else BEGINNING
                for place, key in enumerate(self._keys)
                if key.startswith(whole)
            }
        found = {place: how_of(key, self._shapes[place], whole) for place, key in enumerate(self._keys) if whole in key}
        for place, initials in enumerate(self._initials):
            if initials.startswith(whole) and found.get(place, INITIALS) >= INITIALS:
                found[place] = INITIALS
        self._add_spread(query, found)
        return found

    def _add_spread(self, query: str, found: dict[int, int]) -> None:
        """Adds names that have the last word of several, where the id has the others: `QuerySet.filter`,
        `sql/compiler`."""
        words = _WORDS.findall(query.lower())
        if len(words) < 2:
            return
        last = shape_of(words[-1]).lower()
        if not last:
            return
        compared = 0
        for place, key in enumerate(self._keys):
            if last in key and found.get(place, SPREAD) > WORD:
                compared += 1
                if compared > MOST_COMPARED:
                    return
                identity = self.columns.id(int(self.nodes[place])).lower()
                if all(word in identity for word in words[:-1]):
                    how = how_of(key, self._shapes[place], last)
                    found[place] = min(found.get(place, SPREAD), WORD if how <= BEGINNING else SPREAD)


def _compared(columns: GraphColumns, node: int) -> str:
    """The name of a node; of a requirement or a design with its title."""
    name = columns.name(node)
    title = columns.own(node, "title") if columns.label(node) in ("Requirement", "Design") else None
    return f"{name} {title}" if title and title != name else name


def name_within(columns: GraphColumns, node: int) -> str:
    """The name of a node, at most `LONGEST_NAME` characters; of code behind what it is in: `Cart.total`."""
    if columns.label(node) not in ("Class", "Function"):
        return _compared(columns, node)[:LONGEST_NAME]
    around = columns.id(node).rpartition("::")[2].rpartition(".")[0]
    name = columns.name(node)[:LONGEST_NAME]
    return f"{around[:LONGEST_NAME]}.{name}" if around else name


def shape_of(name: str) -> str:
    """The words of a name without what separates them, each with a capital: `get_query_set` is GetQuerySet."""
    words = split_identifier(name[:LONGEST_NAME])
    return "".join(first.upper() + word[1:] if len((first := word[0]).upper()) == 1 else word for word in words)


def how_of(key: str, shape: str, wanted: str) -> int:
    """How `wanted`, which is in `key`, matches; `shape` is the key with a capital at the start of each word."""
    if key == wanted:
        return EXACT
    at = key.find(wanted)
    if at == 0:
        return BEGINNING
    while at > 0:
        if len(shape) == len(key) and (shape[at].isupper() or (shape[at].isdigit() and not shape[at - 1].isdigit())):
            return WORD
        at = key.find(wanted, at + 1)
    return WITHIN


def _initials(shape: str) -> str:
    found = "".join(character for character in shape if character.isupper()).lower()
    return found if len(found) > 1 else ""


class ExportedNames(msgspec.Struct, frozen=True):
    """Names for the search of an export: row i is `names[i]`, that of code behind what it is in (`Cart.total`), of
    `kinds[kind[i]]`, in `paths[path[i]]`, shown by `pages[page[i]]` at `anchors[i]`. Rows are in the order in which
    equally good matches are shown; `left_out` counts those beyond `MOST_EXPORTED`."""

    kinds: Sequence[str]
    paths: Sequence[str]
    pages: Sequence[str]
    names: Sequence[str]
    kind: Sequence[int]
    path: Sequence[int]
    page: Sequence[int]
    anchors: Sequence[str]
    left_out: int


def exported_names(
    index: NameIndex, columns: GraphColumns, address_of: Callable[[int], str], most: int = MOST_EXPORTED
) -> ExportedNames:
    """The names of `index` that have a page in the export: `address_of` gives the address of a node's, "" for none."""
    kinds: dict[str, int] = {}
    paths: dict[str, int] = {}
    pages: dict[str, int] = {}
    rows: list[tuple[str, int, int, int, str]] = []
    left_out = 0
    for node in index.nodes.tolist():
        address, _, anchor = address_of(node).partition("#")
        if not address:
            continue
        if len(rows) == most:
            left_out += 1
            continue
        label = columns.label(node)
        kind = columns.kind(node) if label in ("Class", "Function") else label.lower()
        place = (
            kinds.setdefault(kind, len(kinds)),
            paths.setdefault(columns.path(node), len(paths)),
            pages.setdefault(address, len(pages)),
        )
        rows.append((name_within(columns, node), *place, anchor))
    return ExportedNames(
        kinds=list(kinds),
        paths=list(paths),
        pages=list(pages),
        names=[row[0] for row in rows],
        kind=[row[1] for row in rows],
        path=[row[2] for row in rows],
        page=[row[3] for row in rows],
        anchors=[row[4] for row in rows],
        left_out=left_out,
    )
