"""`import`: what other tools found of the code, joined with the graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from loregraph.cli.groups import InOrder
from loregraph.cli.output import as_json, count, echo, place, print_json, print_rows, say
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.scip.importing import Difference, ScipImport

_SHOWN: Final = 20
"""Disagreements that are shown unless all are asked for."""


@click.group("import", cls=InOrder)
def imports() -> None:
    """Join what compilers and other tools found with the graph.

    \b
    loregraph import scip index.scip
    loregraph import list

    It is kept with the graph, by source, and joined whenever the graph is made again, as long as the files are those
    that it speaks of.
    """


@imports.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="What it is remembered by. Default: the file's name.")
@click.option(
    "--in",
    "folder",
    metavar="DIR",
    help="The folder, relative to the root, that its paths begin in. Default: what the index says.",
)
@click.option("--list", "listed", is_flag=True, help="All disagreements, and in JSON also what was added.")
@as_json
@click.pass_obj
def scip(target: Target, file: Path, name: str | None, folder: str | None, listed: bool, as_json: bool) -> None:
    """Join a SCIP index, which a compiler's indexer wrote.

    \b
    npx @sourcegraph/scip-python index . --project-name shop
    loregraph import scip index.scip

    Definitions are found by file and place, so any indexer will do. A call that both know keeps both reasons and is
    certain; one that only the index knows is added (how: scip); where both lead to different definitions of one name,
    both stay, and that is reported. Files that changed since they were indexed are left out. An index of the same name
    replaces the one before.

    JSON: {"definitions", "references", "agree", "added", "disagree", "outdated": files, "unknown": documents}, with
    --list also "differences" and "additions": [{"file", "line", "name", "caller", "scip": [id], "ours": [id]}].
    """
    with target.open() as project:
        found = project.import_scip(file, name=name, folder=folder)
    if as_json:
        print_json(_as_json(found, listed))
        return
    parts = (count(found.definitions, "definition"), count(found.references, "reference"))
    echo(f"{' and '.join(parts)} of this project in {file.name}")
    print_rows(
        [
            ("agree", f"{found.agree:,}"),
            ("added", f"{found.added:,}"),
            ("disagree", f"{found.disagree:,}"),
        ],
        indent=2,
    )
    shown = found.differences if listed else found.differences[:_SHOWN]
    for one in shown:
        _print_difference(one)
    if found.disagree > len(shown):
        say(
            f"{count(found.disagree - len(shown), 'disagreement')} more: --list"
            if not listed
            else "the rest is not listed"
        )
    if found.outdated:
        say(f"{count(len(found.outdated), 'file')} left out: another content than was indexed")
    if found.unknown:
        say(f"{count(found.unknown, 'document')} left out: no file of the graph")


def _as_json(found: ScipImport, listed: bool) -> dict[str, Any]:
    values: dict[str, Any] = {
        "definitions": found.definitions,
        "references": found.references,
        "agree": found.agree,
        "added": found.added,
        "disagree": found.disagree,
        "outdated": len(found.outdated),
        "unknown": found.unknown,
    }
    if listed:
        values |= {"differences": found.differences, "additions": found.additions, "outdated_files": found.outdated}
    return values


def _print_difference(one: Difference) -> None:
    echo(f"{place(one.file, one.line)}: {one.name} in {one.caller}")
    echo(f"    scip: {', '.join(one.scip)}")
    echo(f"    ours: {', '.join(one.ours)}")


@imports.command("list")
@as_json
@click.pass_obj
def list_sources(target: Target, as_json: bool) -> None:
    """Show what was imported.

    JSON: [{"source", "digest", "revision"}]
    """
    with target.open() as project:
        found = project.imported()
    if as_json:
        print_json([{"source": one.key, "digest": one.digest, "revision": one.revision} for one in found])
        return
    print_rows((one.key, one.revision, one.digest[:12]) for one in found)
    if not found:
        say("nothing was imported")


@imports.command()
@click.argument("source")
@click.pass_obj
def forget(target: Target, source: str) -> None:
    """Take an import back: SOURCE is as `import list` shows it, scip:index.scip.

    The graph is then what loregraph says alone, and what other imports say.
    """
    with target.open() as project:
        project.forget_imported(source)
    say(f"forgotten: {source}")
