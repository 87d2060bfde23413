"""`export`: the whole graph as text or tables, or a picture of a part for a document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from loregraph.cli.output import binary_output, count, echo_data, say, writes_unicode
from loregraph.cli.target import Target
from loregraph.cli.view import export_pages
from loregraph.errors import UsageError
from loregraph.terminal import visible_json

if TYPE_CHECKING:
    from loregraph.project import Project

_PICTURES: Final = ("mermaid", "dot")
_FOLDERS: Final = ("parquet", "html")


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "graphml", "parquet", "mermaid", "dot", "html", "scip"]),
    default="jsonl",
    show_default=True,
    help="JSON lines, GraphML for graph tools, Parquet for tables, Mermaid or DOT for a picture, HTML for pages, SCIP "
    "for code browsers.",
)
@click.option(
    "--symbol", metavar="SYMBOL", help="mermaid and dot: callers, callees and bases of this symbol, not the components."
)
@click.option(
    "--depth", type=int, default=1, show_default=True, help="With --symbol: steps away from it that are shown."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Write to this file; for parquet and html to this folder, which is required.",
)
@click.pass_obj
def export(target: Target, form: str, symbol: str | None, depth: int, output: Path | None) -> None:
    """Write the whole graph to standard output, or a picture of a part of it.

    \b
    loregraph export > graph.jsonl
    loregraph export --format graphml --output graph.graphml
    loregraph export --format parquet --output tables
    loregraph export --format mermaid
    loregraph export --format scip --output index.scip
    loregraph export --format dot --symbol Cart.total --depth 2 | dot -Tsvg > total.svg

    jsonl: first every node, {"type": "node", "label", "id", "name", "qualified_name", "file_path", "start_line",
    "end_line", ...}, then every edge, {"type": "edge", "rel", "from", "to", "line", "confidence", "how", ...}, of CALLS
    with all its "lines"; both sorted.

    parquet: a folder with nodes_<Label>.parquet and edges_<REL>.parquet, the latter with "from" and "to", for every
    label and relationship of docs/graph.md. It has to be new, empty or of an earlier export, which is replaced.

    html: the pages of `view`, as by `view --export DIR`.

    scip: an index for code browsers and tools that read SCIP: definitions with their places, signatures and
    documentation, and what refers to them. What could not be placed is counted on standard error.

    mermaid, dot: the components and the number of imports between them, cycles in red; with --symbol what calls the
    symbol and is called by it, its bases and subclasses. Both are small enough to be read: what was left out is counted
    in comments at the beginning.
    """
    if symbol is not None and form not in _PICTURES:
        raise UsageError(f"--symbol is not for {form}", f"use it with --format {' or '.join(_PICTURES)}")
    if form in _FOLDERS and output is None:
        raise UsageError(f"{form} is written to a folder", "name it with --output DIR")
    if form == "html":
        assert output is not None
        export_pages(target, output)
        return
    with target.open() as project:
        if form == "scip":
            _export_scip(project, output)
        elif form in _FOLDERS:
            assert output is not None
            files = project.export_tables(output)
            say(f"{count(len(files), 'file')} written to {output}")
        elif output is not None:
            with project.writing(output) as file:
                pieces = _pieces(project, form, symbol, depth, ascii_only=False)
                file.writelines(text.encode("utf-8", "backslashreplace") for text in pieces)
            say(f"written to {output}")
        else:
            for text in _pieces(project, form, symbol, depth, ascii_only=not writes_unicode()):
                echo_data(visible_json(text) if form == "jsonl" else text)


def _export_scip(project: Project, output: Path | None) -> None:
    if output is None:
        written = project.export_scip(binary_output())
    else:
        with project.writing(output) as file:
            written = project.export_scip(file)
    parts = (
        count(written.documents, "document"),
        count(written.definitions, "definition"),
        count(written.references, "reference"),
    )
    say(f"{', '.join(parts)} written" + (f" to {output}" if output is not None else ""))
    if written.unplaced:
        say(f"{count(written.unplaced, 'reference')} left out: no name in the line stands for them")
    if written.changed:
        say(f"{count(len(written.changed), 'file')} without places: changed since the graph was made")


def _pieces(project: Project, form: str, symbol: str | None, depth: int, *, ascii_only: bool) -> Iterator[str]:
    if form in _PICTURES:
        return project.diagram(form, symbol, depth=depth, ascii_only=ascii_only)
    return project.export(form, ascii_only=ascii_only)
