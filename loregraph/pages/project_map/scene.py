"""What the map shows: nested boxes with their places, and the arrows between those that stand side by side."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.pages.layout.layered import Layout, Point, Size, layered
from loregraph.pages.project_map.boxes import ROOT, Boxes
from loregraph.pages.project_map.dependencies import Dependencies, Pair
from loregraph.pages.project_map.level import Level, level_of, symbols_of
from loregraph.terminal import counted, visible

MOST_OPENED: Final = 16
"""Boxes opened at a time; what is too much is left closed, the last asked for first."""
_CHARACTER: Final = 7.4
"""Room of a character of a name, in units of the picture; that of wide ones is twice this."""
LONGEST_NAME: Final = 240
FIGURE: Final = 6.1
"""The same of the figure below it, which is smaller."""
_NARROWEST, _WIDEST, _HIGH = 104.0, 214.0, 44.0
_BADGE: Final = 28.0
"""Room of the sign of a cycle."""
_HEAD: Final = 30.0
_EDGE: Final = 14.0
_ENOUGH: Final = 10
"""Boxes that a first picture has at least, where something can be opened."""
_FIRST_OPENED: Final = 3


@dataclass(frozen=True)
class MapModel:
    """What the map of one graph is made of; pictures are kept in `levels` and `layouts`."""

    columns: GraphColumns
    boxes: Boxes
    dependencies: Dependencies
    broken: Mapping[int, Mapping[Pair, Sequence[str]]] = field(default_factory=dict)
    """Box → pairs of boxes directly in it → what is said of the dependencies that break a contract."""
    levels: dict[tuple[int, frozenset[int]], Level] = field(default_factory=dict)
    layouts: dict[tuple[int, frozenset[int]], tuple[Level, Layout]] = field(default_factory=dict)


@dataclass(frozen=True)
class ShownBox:
    """A box of the picture. `kind`: "component", "folder", "file", "symbol", or "rest" for those that are folded.

    `key` identifies it: a path, the id of a symbol, or the path of the box around it and "/…". `box` is its number, -1
    for a symbol and a rest, `node` its node in the graph, -1 for none. `name` is `shortened`, `label` fits into the
    box. `in_cycle` is the number of boxes in the cycle it is in, 0 for none. `inside` is the number of members.
    """

    key: str
    kind: str
    name: str
    label: str
    box: int
    node: int
    x: float
    y: float
    width: float
    height: float
    depth: int
    opened: bool
    in_cycle: int
    inside: int


@dataclass(frozen=True)
class ShownArrow:
    """An arrow. `line` is the data of an SVG path, `tip` that of its head. `count` is the number of uses that make
    it; `against`: it is one of those that make a cycle; `broken` says which contracts it breaks."""

    source: str
    target: str
    line: str
    tip: str
    weight: float
    count: int
    against: bool
    broken: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """`boxes` have what is around them before them; `opened` are paths, without those around others. `undrawn` are
    dependencies without an arrow, `folded` boxes that a rest stands for; `closed` were asked for beyond what can be
    open at a time."""

    boxes: tuple[ShownBox, ...]
    arrows: tuple[ShownArrow, ...]
    width: float
    height: float
    opened: tuple[str, ...]
    undrawn: int
    folded: int
    closed: int


# Implements REQ-WEB-003.
def scene_of(model: MapModel, opened: Sequence[str] | None) -> Scene:
    """The picture with the boxes with these paths opened, and those around them; None: with what a first look needs.
    Paths that are not in the graph are passed over."""
    asked = (
        first_opened(model) if opened is None else [model.boxes.by_path[p] for p in opened if p in model.boxes.by_path]
    )
    found, closed = _with_what_is_around(model.boxes, asked)
    drawing = _Drawing(model, found)
    width, height = drawing.draw(ROOT, 0.0, 0.0, 0)
    inner = {around for box in found for around in model.boxes.around(box)}
    return Scene(
        tuple(drawing.shown),
        tuple(drawing.arrows),
        width,
        height,
        tuple(model.boxes.paths[box] for box in sorted(found - inner)),
        drawing.undrawn,
        drawing.folded,
        closed,
    )


def first_opened(model: MapModel) -> list[int]:
    """Boxes to open so that a first look shows the parts of the project: the largest ones, those of tests last, a
    few at most."""
    found: list[int] = []
    shown = set(level(model, ROOT, frozenset()).members)
    while len(shown) < _ENOUGH and len(found) < _FIRST_OPENED:
        able = [box for box in shown if len(model.boxes.children[box]) > 1 and model.boxes.symbols[box]]
        if not able:
            break
        largest = max(able, key=lambda box: (not _is_of_tests(model.boxes, box), int(model.boxes.symbols[box]), -box))
        found.append(largest)
        shown.discard(largest)
        shown |= set(level(model, largest, frozenset()).members)
    return found


def _is_of_tests(boxes: Boxes, box: int) -> bool:
    return registry.is_test_path(f"{boxes.paths[box]}/", "")


def _with_what_is_around(boxes: Boxes, asked: Sequence[int]) -> tuple[frozenset[int], int]:
    """The boxes to open, and the number of those that were one too many."""
    found: set[int] = set()
    closed = 0
    for box in asked:
        if box == ROOT:
            continue
        more = {box, *boxes.around(box)}
        if len(found | more) > MOST_OPENED:
            closed += 1
        else:
            found |= more
    return frozenset(found), closed


def level(model: MapModel, box: int, opened: frozenset[int]) -> Level:
    """The level in `box`; `opened` are those directly in it."""
    found = model.levels.get((box, opened))
    if found is None:
        if model.boxes.is_file[box]:
            found = symbols_of(model.columns, model.boxes.nodes[box])
        else:
            broken = model.broken.get(box, {})
            found = level_of(model.boxes, model.dependencies, box, opened, broken)
        model.levels[box, opened] = found
    return found


class _Drawing:
    """One picture in the making: from the innermost boxes outwards, since a box is as large as what is in it."""

    def __init__(self, model: MapModel, opened: frozenset[int]) -> None:
        self.model = model
        self.opened = opened
        self.shown: list[ShownBox] = []
        self.arrows: list[ShownArrow] = []
        self.undrawn = self.folded = 0

    def draw(self, box: int, x: float, y: float, depth: int) -> Size:
        """Adds what is in `box`, whose inside begins at that place; gives the size of the inside."""
        model = self.model
        here, layout = self._laid_out(box)
        self.undrawn += here.undrawn
        self.folded += len(here.folded)
        is_file = model.boxes.is_file[box]
        keys = [self._key(member, is_file) for member in here.members]
        in_cycle = _in_cycle(here)
        for place, (member, (left, top)) in enumerate(zip(here.members, layout.places, strict=False)):
            is_open = not is_file and member in self.opened
            width, height = self._size(member, is_file, bool(in_cycle.get(place)))
            name = shortened(model.columns.name(member) if is_file else model.boxes.name(member))
            self.shown.append(
                ShownBox(
                    keys[place],
                    "symbol" if is_file else self._kind(member),
                    name,
                    fitted(name, width - (18 + _BADGE if in_cycle.get(place) else 18)),
                    -1 if is_file else member,
                    member if is_file else model.boxes.nodes[member],
                    x + left,
                    y + top,
                    width,
                    height,
                    depth,
                    is_open,
                    in_cycle.get(place, 0),
                    0 if is_file else len(model.boxes.children[member]),
                )
            )
            if is_open:
                self.draw(member, x + left + _EDGE, y + top + _HEAD, depth + 1)
        if here.folded:
            left, top = layout.places[len(here.members)]
            text = _rest(len(here.folded))
            self.shown.append(
                ShownBox(
                    f"{model.boxes.paths[box]}/…", "rest", text, text, -1, -1, x + left, y + top,
                    *_leaf(text), depth, False, 0, len(here.folded),
                )
            )  # fmt: skip
        broken = model.broken.get(box, {})
        for route in layout.routes:
            pair = (route.source, route.target)
            said = () if is_file else broken.get((here.members[pair[0]], here.members[pair[1]]), ())
            points = [(px + x, py + y) for px, py in route.points]
            count = here.pairs[pair]
            line, tip = curve(points)
            self.arrows.append(
                ShownArrow(
                    keys[pair[0]], keys[pair[1]], line, tip, round(1 + math.log10(count) / 1.5, 2), count,
                    pair in here.against, tuple(said),
                )
            )  # fmt: skip
        return layout.width, layout.height

    def _laid_out(self, box: int) -> tuple[Level, Layout]:
        """The layout of the inside of a box, which depends on what is open in it only."""
        inside = frozenset(one for one in self.opened if self.model.boxes.holds(box, one) and one != box)
        found = self.model.layouts.get((box, inside))
        if found is None:
            is_file = self.model.boxes.is_file[box]
            own = frozenset(one for one in inside if self.model.boxes.parents[one] == box)
            here = level(self.model, box, own)
            cyclic = _in_cycle(here)
            sizes = [self._size(member, is_file, place in cyclic) for place, member in enumerate(here.members)]
            if here.folded:
                sizes.append(_leaf(_rest(len(here.folded))))
            drawn = {pair: here.pairs[pair] for pair in here.drawn}
            layout = layered(sizes, drawn, turned=here.turned)
            found = self.model.layouts[box, inside] = here, layout
        return found

    def _size(self, member: int, is_symbol: bool, in_cycle: bool) -> Size:
        if is_symbol:
            columns = self.model.columns
            return _leaf(columns.name(member), symbol_figure(columns, member), in_cycle)
        name = self.model.boxes.name(member)
        if member not in self.opened:
            return _leaf(name, size_of(self.model.boxes, member), in_cycle)
        layout = self._laid_out(member)[1]
        return max(layout.width + 2 * _EDGE, _leaf(name)[0] + 40), layout.height + _HEAD + _EDGE

    def _key(self, member: int, is_symbol: bool) -> str:
        return self.model.columns.id(member) if is_symbol else self.model.boxes.paths[member]

    def _kind(self, box: int) -> str:
        if self.model.boxes.is_file[box]:
            return "file"
        return "component" if self.model.boxes.nodes[box] >= 0 else "folder"


def _in_cycle(here: Level) -> dict[int, int]:
    """Member, by index, of a cycle → the number of boxes in it."""
    return {member: len(group) for group in here.groups for member in group}


def _rest(count: int) -> str:
    return f"… {count:,} more"


def _leaf(name: str, figure: str = "", in_cycle: bool = False) -> Size:
    wanted = max(_CHARACTER * _columns(visible(name[:100])) + (_BADGE if in_cycle else 0), FIGURE * len(figure))
    return min(_WIDEST, max(_NARROWEST, 22 + wanted)), _HIGH


def size_of(boxes: Boxes, box: int, *, short: bool = True) -> str:
    """ "1,165 files, 193k lines"; of a file its lines and symbols."""
    lines = _short_number(int(boxes.lines[box])) if short else counted(int(boxes.lines[box]), "line")
    if not boxes.is_file[box]:
        files = counted(int(boxes.files[box]), "file")
        return f"{files}, {lines} lines" if short else f"{files}, {lines}"
    symbols = int(boxes.symbols[box])
    return f"{lines} lines" if short else lines + (f", {counted(symbols, 'symbol')}" if symbols else "")


def symbol_figure(columns: GraphColumns, node: int) -> str:
    """ "class, line 12"."""
    return f"{columns.kind(node)}, line {int(columns.start_line[node])}"


def _short_number(number: int) -> str:
    """193,229 as "193k"."""
    return f"{number:,}" if number < 10_000 else f"{number / 1_000:,.0f}k"


def _columns(text: str) -> int:
    """The room of a text in characters: wide ones of East Asian scripts count twice."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def shortened(name: str) -> str:
    """A name without its middle where it is longer than any that a person gave."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME // 2]}…{name[-LONGEST_NAME // 2 :]}"


def fitted(name: str, width: float, character: float = _CHARACTER) -> str:
    """As much of a name as has room, without its middle: names beside each other differ at their ends."""
    text = visible(shortened(name))
    most = max(4, int(width / character))
    if _columns(text) <= most:
        return text
    first, last = text[: most - most // 3 - 1], text[-(most // 3) :]
    while _columns(first) + _columns(last) + 1 > most and first:
        first, last = first[:-1], last[1:]
    return f"{first}…{last}"


def curve(points: Sequence[Point]) -> tuple[str, str]:
    """The data of a smooth SVG path through `points`, which is vertical in each of them, and of the head at its end."""
    x, y = points[0]
    parts = [f"M{x:.0f} {y:.0f}"]
    down = points[-1][1] >= points[-2][1] if len(points) > 1 else True
    for nx, ny in points[1:]:
        if abs(nx - x) < 0.5:
            parts.append(f"V{ny:.0f}")
        else:
            middle = (y + ny) / 2
            parts.append(f"C{x:.0f} {middle:.0f} {nx:.0f} {middle:.0f} {nx:.0f} {ny:.0f}")
        x, y = nx, ny
    back = -7 if down else 7
    return "".join(parts), f"M{x - 4:.0f} {y + back:.0f}L{x:.0f} {y:.0f}L{x + 4:.0f} {y + back:.0f}Z"
