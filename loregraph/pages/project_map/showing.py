"""The map for its template: what is written into boxes and tables, and where their links lead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from loregraph.pages.layout.acyclic import shortest_cycle
from loregraph.pages.links import Links
from loregraph.pages.project_map.boxes import ROOT, Boxes
from loregraph.pages.project_map.colours import Colouring
from loregraph.pages.project_map.dependencies import Pair
from loregraph.pages.project_map.evidence import Evidence, Noting, first_places, says_nothing
from loregraph.pages.project_map.level import Level
from loregraph.pages.project_map.scene import (
    FIGURE,
    MapModel,
    Scene,
    ShownBox,
    fitted,
    level,
    shortened,
    size_of,
    symbol_figure,
)
from loregraph.terminal import counted

NOTHING_OPENED: Final = "."
"""Stands in an address for a map with everything closed."""
LONGEST_ADDRESS: Final = 6_000
"""Characters of names in an address: servers and browsers take eight thousand or more."""
LONGEST_KEY: Final = 400
MOST_ROWS: Final = 100
"""Rows of the table on one page."""
NAMED: Final = 3
"""Dependencies named in a row of the table, and in the words of a box; the others are counted."""
MOST_WRONG: Final = 30
"""Arrows listed with the places that make them."""
MOST_NEIGHBOURS: Final = 12
"""Neighbours of a box that a script may point out."""


@dataclass(frozen=True)
class Shown:
    """What somebody looks at: the picture, and the addresses of others. `colour` is a name of a colouring, "" for
    none; `options` go into every address."""

    model: MapModel
    scene: Scene
    links: Links
    colouring: Colouring = field(default_factory=Colouring)
    colour: str = ""

    def address(self, opened: Sequence[str], **options: object) -> str:
        return self.links.map(*(opened or (NOTHING_OPENED,)), colour=self.colour, **options)

    def here(self, **options: object) -> str:
        return self.address(self.scene.opened, **options)

    def arrow(self, source: str, target: str) -> str:
        """The address of what is behind an arrow; "" for names too long for any."""
        return self.here(source=source, target=target) if len(source) + len(target) <= LONGEST_ADDRESS else ""

    def symbol(self, symbol_id: str, node: int) -> str:
        """The page of a symbol, or its place in the file where its name is too long for an address."""
        columns = self.model.columns
        if len(symbol_id) <= LONGEST_ADDRESS:
            return self.links.symbol(symbol_id)
        return self.links.file(columns.path(node), int(columns.start_line[node]))

    def opening(self, path: str) -> str:
        return self.address(opened_with(self.model.boxes, self.scene.opened, path))

    def closing(self, path: str) -> str:
        return self.address(closed_without(self.model.boxes, self.scene.opened, path))


def opened_with(boxes: Boxes, opened: Sequence[str], path: str) -> tuple[str, ...]:
    """The opened boxes with another, without those around it, which it implies; the new one last."""
    around = {boxes.paths[one] for one in boxes.around(boxes.by_path[path])}
    return (*(one for one in opened if one not in around and one != path), path)


def closed_without(boxes: Boxes, opened: Sequence[str], path: str) -> tuple[str, ...]:
    """The opened boxes without one and what is in it; the box around it stays open."""
    box = boxes.by_path[path]
    left = [one for one in opened if not boxes.holds(box, boxes.by_path[one])]
    around = boxes.parents[box]
    if around != ROOT and not any(boxes.holds(around, boxes.by_path[one]) for one in left):
        left.append(boxes.paths[around])
    return tuple(left)


def drawn_boxes(shown: Shown) -> list[dict[str, Any]]:
    """The boxes of the picture for the template."""
    return [_drawn_box(shown, number, one) for number, one in enumerate(shown.scene.boxes)]


def _drawn_box(shown: Shown, number: int, one: ShownBox) -> dict[str, Any]:
    model = shown.model
    if one.kind == "rest":
        around = one.key.removesuffix("…").rstrip("/")
        figure, address, says = (
            "in a list",
            shown.here(list=around or NOTHING_OPENED),
            f"{one.name}: see them as a list",
        )
    elif one.kind == "symbol":
        figure = symbol_figure(model.columns, one.node)
        address, says = shown.symbol(one.key, one.node), f"{one.name}, {figure}"
    else:
        figure = shown.colouring.figures.get(one.box) or size_of(model.boxes, one.box)
        can_open = (one.kind == "file" and model.boxes.symbols[one.box]) or one.inside
        path = model.boxes.paths[one.box]
        address = shown.closing(path) if one.opened else shown.opening(path) if can_open else shown.links.file(path)
        what = "Close it" if one.opened else "Open it" if can_open else "Show it"
        says = f"{path}, {one.kind}: {size_of(model.boxes, one.box, short=False)}"
        if shown.colouring.figures.get(one.box):
            says += f"; {figure}"
        says += f". {what}."
    if one.in_cycle:
        says = f"{says.rstrip('.')}. In a cycle of {one.in_cycle} that depend on each other."
    return {
        "number": number,
        "key": one.key[:LONGEST_KEY],
        "kind": one.kind,
        "label": one.label,
        "figure": fitted(figure, one.width - 18, FIGURE),
        "says": says,
        "address": address,
        "opened": one.opened,
        "in_cycle": one.in_cycle,
        "colour": shown.colouring.classes.get(one.box, ""),
        "x": round(one.x, 1),
        "y": round(one.y, 1),
        "width": round(one.width, 1),
        "height": round(one.height, 1),
    }


def drawn_arrows(shown: Shown) -> list[dict[str, Any]]:
    """The arrows of the picture for the template."""
    numbers = {one.key: number for number, one in enumerate(shown.scene.boxes)}
    names = {one.key: one.name for one in shown.scene.boxes}
    found = []
    for arrow in shown.scene.arrows:
        says = f"{names[arrow.source]} depends on {names[arrow.target]}: {counted(arrow.count, 'use')}"
        if arrow.against:
            says += "; against the direction of the others, which makes a cycle"
        if arrow.broken:
            says += f"; breaks a contract: {arrow.broken[0]}"
        found.append(
            {
                "source": numbers[arrow.source],
                "target": numbers[arrow.target],
                "line": arrow.line,
                "tip": arrow.tip,
                "weight": arrow.weight,
                "bad": "broken" if arrow.broken else "against" if arrow.against else "",
                "says": says,
                "address": shown.arrow(arrow.source, arrow.target),
            }
        )
    return found


def wrong_ways(shown: Shown, note: Noting = says_nothing) -> dict[str, Any]:
    """The red arrows of the picture with the first places that make each, those of broken contracts first, then those
    of the fewest places, which are the least to mend."""
    model, at = shown.model, shown.model.boxes.by_path
    red = [arrow for arrow in shown.scene.arrows if arrow.broken or arrow.against]
    red.sort(key=lambda arrow: (not arrow.broken, arrow.count, arrow.source, arrow.target))
    rows = [
        {
            "source": arrow.source,
            "target": arrow.target,
            "count": arrow.count,
            "broken": arrow.broken,
            "address": shown.arrow(arrow.source, arrow.target),
            "places": first_places(
                model.columns, model.boxes, model.dependencies, at[arrow.source], at[arrow.target], NAMED, note
            ),
        }
        for arrow in red[:MOST_WRONG]
    ]
    return {"rows": rows, "more": max(0, len(red) - MOST_WRONG)}


def neighbours(shown: Shown) -> dict[str, list[Any]]:
    """For scripts: number of a box → [what it depends on, what depends on it], each a list of [number, places] and
    last the number of others. Between all boxes of the picture, wherever they stand."""
    numbers = {one.box: number for number, one in enumerate(shown.scene.boxes) if one.box >= 0}
    sides: dict[int, tuple[list[Pair], list[Pair]]] = {}
    for (source, target), count in shown.model.dependencies.among(shown.model.boxes, numbers).items():
        sides.setdefault(source, ([], []))[0].append((numbers[target], count))
        sides.setdefault(target, ([], []))[1].append((numbers[source], count))
    return {
        str(numbers[box]): [
            [*map(list, sorted(side, key=lambda row: (-row[1], row[0]))[:MOST_NEIGHBOURS]),
             max(0, len(side) - MOST_NEIGHBOURS)]
            for side in both
        ]
        for box, both in sorted(sides.items())
    }  # fmt: skip


def table_of(shown: Shown, box: int, first: int) -> dict[str, Any]:
    """The table of what is in a box: rows from number `first` on, those with the most code first."""
    model, boxes = shown.model, shown.model.boxes
    opened = frozenset(
        one for path in shown.scene.opened for one in _within(boxes, boxes.by_path[path]) if boxes.parents[one] == box
    )
    here = level(model, box, opened)
    members = (*here.members, *here.folded)
    needs, used = _sides(here)
    cycle = {member: group for group in here.groups for member in group}
    is_file = boxes.is_file[box]
    order = range(len(members))
    if not is_file:
        order = sorted(order, key=lambda n: (-int(boxes.symbols[members[n]]), -int(boxes.lines[members[n]]), n))  # type: ignore[assignment]
    key: Callable[[int], str] = lambda n: model.columns.id(members[n]) if is_file else boxes.paths[members[n]]  # noqa: E731
    name: Callable[[int], str] = lambda n: shortened(  # noqa: E731
        model.columns.name(members[n]) if is_file else boxes.name(members[n])
    )

    def ends(number: int, side: dict[int, list[Pair]], outward: bool) -> dict[str, Any]:
        near = side.get(number, [])
        rows = [
            {
                "name": name(other),
                "count": count,
                "address": shown.arrow(key(number if outward else other), key(other if outward else number)),
                "bad": ((number, other) if outward else (other, number)) in here.against,
            }
            for other, count in near[:NAMED]
        ]
        return {"rows": rows, "more": max(0, len(near) - NAMED), "count": len(near)}

    rows = []
    for number in list(order)[first : first + MOST_ROWS]:
        member = members[number]
        row: dict[str, Any] = {
            "name": name(number),
            "path": key(number)[:LONGEST_KEY],
            "needs": ends(number, needs, True),
            "used": ends(number, used, False),
            "cycle": [name(other) for other in cycle.get(number, ()) if other != number],
            "folded": number >= len(here.members),
        }
        if is_file:
            row |= {"kind": model.columns.kind(member), "files": "", "lines": _lines(model, member), "figure": ""}
            row["address"] = shown.symbol(key(number), member)
        else:
            row |= {
                "kind": "file" if boxes.is_file[member] else "component" if boxes.nodes[member] >= 0 else "folder",
                "files": int(boxes.files[member]),
                "lines": int(boxes.lines[member]),
                "figure": shown.colouring.figures.get(member, ""),
                "address": shown.opening(boxes.paths[member])
                if _can_open(boxes, member)
                else shown.links.file(boxes.paths[member]),
            }
        rows.append(row)
    more = len(members) - first - len(rows)
    return {
        "name": boxes.paths[box],
        "is_file": is_file,
        "rows": rows,
        "first": first,
        "total": len(members),
        "next": shown.here(list=boxes.paths[box] or NOTHING_OPENED, first=first + MOST_ROWS) if more > 0 else "",
        "more": max(0, more),
    }


def _within(boxes: Boxes, box: int) -> list[int]:
    return [box, *boxes.around(box)]


def _can_open(boxes: Boxes, box: int) -> bool:
    return bool(boxes.symbols[box] if boxes.is_file[box] else boxes.children[box])


def _lines(model: MapModel, node: int) -> int:
    return int(model.columns.end_line[node]) - int(model.columns.start_line[node]) + 1


def _sides(here: Level) -> tuple[dict[int, list[Pair]], dict[int, list[Pair]]]:
    """Member → what it depends on, and what depends on it, the strongest first."""
    needs: dict[int, list[Pair]] = {}
    used: dict[int, list[Pair]] = {}
    for (source, target), count in sorted(here.pairs.items(), key=lambda row: (-row[1], row[0])):
        needs.setdefault(source, []).append((target, count))
        used.setdefault(target, []).append((source, count))
    return needs, used


def arrow_panel(
    shown: Shown, source: str, target: str, evidence: Evidence, cycle: Sequence[str], broken: Sequence[str]
) -> dict[str, Any]:
    """What is said of one arrow."""
    steps = [
        {"name": one.rpartition("::")[2] or one, "address": shown.arrow(one, following)}
        for one, following in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
    ]
    return {
        "source": source,
        "target": target,
        "evidence": evidence,
        "cycle": steps,
        "broken": broken,
        "back": shown.here(),
    }


def cycle_through(here: Level, source: int, target: int) -> tuple[int, ...]:
    """The members of a shortest cycle through a dependency, by index, if it is one of those that make a cycle."""
    return shortest_cycle(dict.fromkeys(here.product, 1), source, target)
