"""`copies-of`: whether a function is there already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

import click

from loregraph.cli.freshness import Freshness, telling_what_is_stale, with_stale_files
from loregraph.cli.output import as_json, echo, place, print_json, say, styled
from loregraph.cli.target import Target
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.analysis.duplicates.results import Copy


@click.command("copies-of")
@click.argument("symbol", required=False)
@click.option("--code", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE", help="Code; '-' reads it.")
@click.option("--language", help="That of the code, and of what is found. Default: guessed, and any.")
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1),
    default=0.7,
    metavar="S",
    show_default=True,
    help="How similar they are at least.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=5, metavar="N", show_default=True, help="How many at most."
)
@as_json
@click.pass_obj
def copies_of(
    target: Target,
    symbol: str | None,
    code: TextIO | None,
    language: str | None,
    threshold: float,
    limit: int,
    as_json: bool,
) -> None:
    """Find copies of one function, or of code not yet in the project.

    The same but for layout, renamed, or edited, best first. SYMBOL is an id, a qualified name or a name; --code asks
    about a file's text instead, or about a whole function on standard input. `duplicates` compares all with all.

    \b
    loregraph copies-of Flask.make_response
    loregraph copies-of --code draft.py --threshold 0.8

    JSON: {"duplicates": [{"id", "name", "signature", "file_path", "start_line", "end_line", "similarity", "clone_type",
    "recommendation"}], "has_duplicates"}; "stale": [path] lists files of the answer that changed since the last index.
    """
    from loregraph.analysis.duplicates.results import CopiesFound

    if (symbol is None) == (code is None):
        raise click.UsageError("give a SYMBOL or --code FILE")
    text = code.read() if code is not None else None
    with target.open() as project:
        with telling_what_is_stale(project):
            found = project.copies_of(code=text, symbol=symbol, language=language, threshold=threshold, limit=limit)
        answer = with_stale_files(CopiesFound.of(found), Freshness(project))
    if as_json:
        print_json(answer)
    else:
        print_copies(found)


def print_copies(found: Sequence[Copy]) -> None:
    if not found:
        say("no copies")
    for one in found:
        where = styled(place(one.file_path, one.start_line), bold=True)
        text = clipped(one.signature or one.name)
        echo(where, f"-{one.end_line}  {text}  {one.similarity:.0%} alike, {one.clone_type}")
        echo(f"  → {one.recommendation}")
