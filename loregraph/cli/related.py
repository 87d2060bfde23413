"""`related`: the neighbours of a symbol in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from loregraph.cli.freshness import Freshness, telling_what_is_stale, with_stale_files
from loregraph.cli.output import as_json, count, print_json, print_rows, say
from loregraph.cli.target import Target, in_workspace
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.graph.queries import Related

ARROWS = {"OUTGOING": "→", "INCOMING": "←"}


@click.command()
@click.argument("symbol")
@click.option(
    "--type", "types", multiple=True, metavar="REL", help="Only this relationship, as CALLS or TESTS. May be repeated."
)
@click.option(
    "--direction",
    type=click.Choice(["OUTGOING", "INCOMING", "BOTH"], case_sensitive=False),
    default="BOTH",
    show_default=True,
    help="From the symbol, to it, or both.",
)
@click.option(
    "--depth", type=click.IntRange(1, 5), default=1, metavar="N", show_default=True, help="How many steps away to look."
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=100, metavar="N", show_default=True, help="How many at most."
)
@as_json
@in_workspace
@click.pass_obj
def related(
    target: Target, symbol: str, types: tuple[str, ...], direction: str, depth: int, limit: int, as_json: bool
) -> None:
    """List what is around SYMBOL: what it calls, imports, tests, implements, and the other way round.

    SYMBOL is an id, a qualified name or a name, or the id of a requirement, a design or a memory. The relationships are
    those of docs/graph.md; SIMILAR_TO looks for copies first.

    \b
    loregraph related Flask.make_response
    loregraph related Flask.make_response --type TESTS --type CALLS --direction incoming --depth 2

    JSON: {"related": [{"entity_id", "type", "name", "relationship", "distance", "evidence", "direction", "confidence",
    "how", "lines"}], "unresolved_calls": n}: of n calls that could add a row it is not known what they reach.
    "stale": [path] lists files of the answer that changed since the last index.
    """
    with target.asked() as project:
        with telling_what_is_stale(project):
            found = project.related(symbol, relationship_types=types, direction=direction, depth=depth, limit=limit)
        unresolved = project.unresolved_near(symbol, found, relationship_types=types, direction=direction, depth=depth)
        if project.history_remark:
            say(f"history: {project.history_remark}")
        answer = with_stale_files({"related": found, "unresolved_calls": unresolved}, Freshness(project))
    if as_json:
        print_json(answer)
    else:
        print_related(found)
        if unresolved:
            say(f"of {count(unresolved, 'call')} that could add to this it is not known what they reach")
    if len(found) == limit:
        say(f"no more than {count(limit, 'neighbour')}; --limit asks for more")


def print_related(found: Sequence[Related]) -> None:
    if not found:
        say("none")
    print_rows(
        (
            one.entity_id,
            f"{ARROWS[one.direction]} {one.relationship}",
            f"{one.distance} away" if one.distance > 1 else "",
            clipped(where_and_why(one), 100),
        )
        for one in found
    )


def where_and_why(one: Related) -> str:
    """The evidence; in the file of the neighbour itself without the path, which its id has."""
    path = one.entity_id.partition("::")[0]
    return one.evidence.replace(f"{path}:", "line ", 1) if one.evidence.startswith(f"{path}:") else one.evidence
