"""The map: components as nested boxes with what depends on what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from loregraph.analysis.rules.imports import when
from loregraph.errors import ConfigError, NotFoundError
from loregraph.pages.page import Page, Part
from loregraph.pages.project_map import colours, showing
from loregraph.pages.project_map.boxes import ROOT, boxes_of
from loregraph.pages.project_map.colours import Colouring
from loregraph.pages.project_map.contracts import broken_contracts
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.evidence import Noting, evidence_between, evidence_within
from loregraph.pages.project_map.scene import MapModel, level, scene_of
from loregraph.pages.project_map.showing import NOTHING_OPENED, Shown
from loregraph.viewer.asked import Asked

MOST_ROWS: Final = 1_000_000

COLOURS: Final = {
    "": "none",
    "language": "language",
    "complexity": "size × complexity",
    "churn": "churn",
    "duplicates": "duplicates",
    "findings": "findings",
}
"""Colourings by name, with their words."""


# Implements REQ-WEB-003.
def map_page(asked: Asked) -> Page:
    """The map with the boxes of `open`, coloured by `colour`; `source` and `target` are an arrow whose places are
    listed, `list` is a box whose contents are, from row `first` on."""
    return Page("Map", "map.html", map_values(asked), "map")


def map_part(asked: Asked) -> Part:
    """The same without the frame, for the script that opens boxes."""
    return Part("map_part.html", map_values(asked))


def arrow_part(asked: Asked) -> Part:
    """What is behind one arrow."""
    model, _ = model_of(asked)
    return Part("map_arrow.html", {"arrow": _arrow(asked, _shown(asked, model))})


def map_values(asked: Asked) -> dict[str, Any]:
    """What the templates of the map show."""
    model, notices = model_of(asked)
    shown = _shown(asked, model)
    scene, boxes = shown.scene, model.boxes
    listed = asked.value("list")
    table = ROOT if not scene.opened else boxes.by_path[scene.opened[-1]]
    if listed:
        table = boxes.by_path.get("" if listed == NOTHING_OPENED else listed, ROOT)
    first = asked.number("first", 0, MOST_ROWS)
    return {
        "model": model,
        "scene": scene,
        "boxes": showing.drawn_boxes(shown),
        "arrows": showing.drawn_arrows(shown),
        "wrong_ways": showing.wrong_ways(shown, _note(asked)),
        "neighbours": showing.neighbours(shown),
        "table": showing.table_of(shown, table, first),
        "tables": [
            (path or "the project", shown.here(list=path or NOTHING_OPENED), path == boxes.paths[table])
            for path in ("", *_all_opened(shown))
        ],
        "arrow": _arrow(asked, shown),
        "colours": [
            (label, asked.links.map(*(scene.opened or (NOTHING_OPENED,)), colour=name), name == shown.colour)
            for name, label in COLOURS.items()
        ],
        "colouring": shown.colouring,
        "colour": shown.colour,
        "everything_closed": shown.address(()),
        "notices": notices,
        "files": int(boxes.files[ROOT]),
        "components": sum(
            1 for node, is_file in zip(boxes.nodes, boxes.is_file, strict=True) if node >= 0 and not is_file
        ),
        "dependencies": len(model.dependencies.edges),
    }


def _all_opened(shown: Shown) -> list[str]:
    return [one.key for one in shown.scene.boxes if one.opened]


def model_of(asked: Asked) -> tuple[MapModel, list[str]]:
    """The map of the graph, and what has to be said of it: a contract that is wrong."""

    def make() -> tuple[MapModel, list[str]]:
        columns = asked.project.reader().columns
        boxes = boxes_of(columns)
        notices = []
        broken: Mapping[int, Any] = {}
        if asked.project.settings.check.contracts:
            try:
                broken = broken_contracts(asked.project.code(), boxes)
            except ConfigError as error:
                notices.append(f"The contracts are not shown: {error.message}. {error.suggestion}".strip())
        return MapModel(columns, boxes, dependencies_of(columns, boxes), broken), notices

    return asked.kept.get("map", make)


def _shown(asked: Asked, model: MapModel) -> Shown:
    opened = asked.every("open")
    scene = scene_of(model, None if not opened else [path for path in opened if path != NOTHING_OPENED])
    colour = asked.value("colour")
    if colour not in COLOURS:
        colour = ""
    return Shown(model, scene, asked.links, _colouring(asked, model, colour), colour)


def _colouring(asked: Asked, model: MapModel, colour: str) -> Colouring:
    make: dict[str, Callable[[], Colouring]] = {
        "language": lambda: colours.by_language(model.columns, model.boxes),
        "complexity": lambda: colours.by_complexity(model.columns, model.boxes),
        "churn": lambda: _churn(asked, model),
        "duplicates": lambda: _duplicates(asked, model),
        "findings": lambda: _findings(asked, model),
    }
    return asked.kept.get(("map", colour), make[colour]) if colour else Colouring()


def _churn(asked: Asked, model: MapModel) -> Colouring:
    from loregraph.git_history import churn

    return colours.by_churn(churn(asked.project.root), model.boxes)


def _duplicates(asked: Asked, model: MapModel) -> Colouring:
    from loregraph.analysis.duplicates.results import FUNCTION

    found = asked.kept.get("duplicates", asked.project.duplicates)
    copied = (side.id for family in found.findings if family.scope == FUNCTION for side in family.members)
    return colours.by_copies(model.columns, model.boxes, copied)


def _findings(asked: Asked, model: MapModel) -> Colouring:
    found = asked.kept.get(("check", ()), asked.project.check)
    counts: dict[str, int] = {}
    for one in found:
        counts[one.finding.place.file_path] = counts.get(one.finding.place.file_path, 0) + 1
    return colours.by_count(
        model.boxes,
        counts,
        "finding",
        "findings",
        measure="findings of a file",
        remark="Findings of the rules that are on.",
    )


def _note(asked: Asked) -> Noting:
    """When an import takes effect, in words: many a cycle is one for a type checker only."""
    code = asked.project.code()
    columns = code.columns
    words = {"load": "", "call": "when called", "types": "only for types"}
    return lambda edge: words[when(code, edge)] if columns.rel(edge) == "IMPORTS" else ""


def _arrow(asked: Asked, shown: Shown) -> dict[str, Any] | None:
    """The arrow asked for; None where none is."""
    source, target = asked.value("source"), asked.value("target")
    if not source or not target:
        return None
    model = shown.model
    boxes = model.boxes
    if source in boxes.by_path and target in boxes.by_path:
        one, other = boxes.by_path[source], boxes.by_path[target]
        found = evidence_between(model.columns, boxes, model.dependencies, one, other, _note(asked))
        around, names = boxes.parents[one], boxes.paths
        broken = model.broken.get(around, {}).get((one, other), ())
    else:
        nodes = model.columns.find_id(source), model.columns.find_id(target)
        if nodes[0] is None or nodes[1] is None:
            raise NotFoundError("there is no such arrow in this graph", "open the map again")
        one, other = nodes[0], nodes[1]
        found = evidence_within(model.columns, one, other)
        around, names, broken = int(boxes.of_node[one]), [], ()
    cycle: list[str] = []
    if around >= 0 and (not names or boxes.parents[other] == around):
        here = level(model, around, frozenset())
        members = (*here.members, *here.folded)
        if one in members and other in members:
            steps = showing.cycle_through(here, members.index(one), members.index(other))
            cycle = [names[members[step]] if names else model.columns.id(members[step]) for step in steps]
    return showing.arrow_panel(shown, source, target, found, cycle, broken)
