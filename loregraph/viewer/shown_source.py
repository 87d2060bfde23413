"""A part of a file for a page: its lines with colours and links, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loregraph.graph.columns import GraphColumns
from loregraph.pages import checkout, highlight, placing
from loregraph.pages.editors import NAMES, editor_link
from loregraph.pages.placing import Placed
from loregraph.pages.source import Addresses, Source, anchor, source
from loregraph.viewer.asked import Asked


@dataclass(frozen=True)
class ShownSource:
    """Lines `first` to `last` of `total`. `is_changed`: the file is not the one of the graph, so no line of it has
    links."""

    path: str
    first: int
    last: int
    total: int
    source: Source
    is_changed: bool


def shown_source(
    asked: Asked,
    path: str,
    first: int,
    last: int,
    nodes: Iterable[int],
    *,
    defined: Iterable[int] = (),
    about: Callable[[str], str] | None = None,
    anchors: bool = False,
) -> ShownSource:
    """Lines of a file as it is now, with links from what `nodes` name there and from the names of the definitions
    `defined`, to `about` them; with `anchors` these have places in the page."""
    project = asked.project
    columns = project.reader().columns
    lines = project.source_lines(path)
    if lines and lines[-1] == "":
        lines.pop()
    last = min(last, len(lines))
    cut = highlight.cut(lines[first - 1 : last])
    file = columns.find_id(path)
    language = "" if file is None else columns.language(file)
    by_number = dict(enumerate(highlight.highlighted(cut.lines, language), first))
    is_changed = bool(project.outdated([path]).paths)
    places, names, marks = Placed({}, {}), {}, {}
    if not is_changed:
        places = placing.placed(by_number, placing.references(columns, nodes))
        defined = list(defined)
        names = placing.definitions(columns, defined, by_number)
        if anchors:
            marks = _marks(columns, defined, names, by_number)
    text = source(
        by_number,
        places,
        # An export has all files, so that each byte counts.
        Addresses(asked.links.symbol, about or asked.links.symbol, outside=asked.writes),
        defined=names,
        left_out={number + first: count for number, count in cut.left_out.items()},
        anchors=marks,
    )
    return ShownSource(path, first, last, len(lines), text, is_changed)


def _marks(
    columns: GraphColumns, defined: Iterable[int], names: Mapping[int, Sequence[placing.Span]], lines: Collection[int]
) -> dict[int, list[str]]:
    """Line → the anchors in it: of definitions where their names stand, of lambdas and the like where they begin."""
    marks = {line: [_anchor(one) for one in spans] for line, spans in names.items()}
    placed = {one for found in marks.values() for one in found}
    for node in defined:
        name, line = anchor(columns.id(node)), int(columns.start_line[node])
        if name not in placed and line in lines:
            placed.add(name)
            marks.setdefault(line, []).append(name)
    return marks


def _anchor(span: placing.Span) -> str:
    return anchor(span.targets[0].id)


def elsewhere(asked: Asked, path: str, first: int, last: int) -> dict[str, Any]:
    """Where else the lines can be seen: in an editor, and on the host of the repository."""
    project = asked.project
    editor = project.settings.view.editor
    here, is_as_committed = _checkout(asked)
    same = here is not None and here.repository is not None and is_as_committed(path)
    return {
        "editor": NAMES.get(editor, ""),
        # An export is read on other machines.
        "editor_link": editor_link(editor, project.root / path, first) if asked.writes else "",
        "host": here.repository.host if here is not None and here.repository is not None else "",
        "permalink": here.permalink(path, first if same else 0, last if same else 0) if here is not None else "",
        "is_as_committed": same,
        "commit": here.commit if here is not None else "",
    }


def _checkout(asked: Asked) -> tuple[checkout.Checkout | None, Callable[[str], bool]]:
    """The commit that is checked out, and whether a file is that of it. An export asks git once for all its pages."""
    root = asked.project.root
    if asked.writes:
        return checkout.checkout(root), lambda path: checkout.is_as_committed(root, path)
    here = asked.kept.get("checkout", lambda: checkout.checkout(root))
    if here is None or here.repository is None:
        return here, lambda path: False
    names = asked.kept.get("committed", lambda: checkout.committed(root))
    return here, lambda path: path in names and checkout.is_blob(root, path, names[path])
