"""`export`: the whole graph as text."""

from __future__ import annotations

from pathlib import Path

import click

from loregraph.cli.output import echo_data, say, writes_unicode
from loregraph.cli.target import Target
from loregraph.terminal import visible_json


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "graphml"]),
    default="jsonl",
    show_default=True,
    help="JSON lines, or GraphML for graph tools.",
)
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.pass_obj
def export(target: Target, form: str, output: Path | None) -> None:
    """Write the whole graph to standard output.

    \b
    loregraph export > graph.jsonl
    loregraph export --format graphml --output graph.graphml

    jsonl: first every node, {"type": "node", "label", "id", "name", "qualified_name", "file_path", "start_line",
    "end_line", ...}, then every edge, {"type": "edge", "rel", "from", "to", "line", "confidence", "how", ...}, of CALLS
    with all its "lines"; both sorted.
    """
    with target.open() as project:
        if output is not None:
            with project.writing(output) as file:
                file.writelines(text.encode("utf-8", "backslashreplace") for text in project.export(form))
            say(f"written to {output}")
            return
        for text in project.export(form, ascii_only=not writes_unicode()):
            echo_data(visible_json(text) if form == "jsonl" else text)
