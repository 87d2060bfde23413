"""`explore`: one answer to a question, about a symbol or a diff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

import click

from loregraph.cli.freshness import Freshness, telling_what_is_stale
from loregraph.cli.output import as_json, count, echo, echo_text, heading, place, print_json, print_rows, say, section
from loregraph.cli.questions import print_calls
from loregraph.cli.target import Target, in_workspace

if TYPE_CHECKING:
    from loregraph.analysis.explore.answer import Exploration, ExploredSymbol
    from loregraph.graph.authored import Remembered

MOST_READ = 1_000_001
"""Characters read of a diff: one more than is accepted."""

diff_option = click.option(
    "--diff",
    type=click.File(encoding="utf-8", errors="replace"),
    metavar="FILE",
    help="A unified diff, proposed or made; '-' reads it.",
)


# Implements REQ-CLI-022.
@click.command()
@click.argument("question", metavar="[QUESTION|SYMBOL]", required=False)
@diff_option
@click.option(
    "--max-tokens",
    type=click.IntRange(200, 100_000),
    default=4_000,
    metavar="N",
    show_default=True,
    help="The answer's size: JSON of four times as many bytes.",
)
@as_json
@in_workspace
@click.pass_obj
def explore(target: Target, question: str | None, diff: TextIO | None, max_tokens: int, as_json: bool) -> None:
    """Answer a question with the code that matters.

    The best symbols with their source, callers, callees, tests, requirements and memories, as much as fits. Exactly the
    name of a symbol asks about that; with --diff it is about what the diff changes.

    \b
    loregraph explore "where is the session token checked"
    loregraph explore Flask.make_response --max-tokens 2000
    git diff main... | loregraph explore --diff - --json

    JSON: {"symbols": [{"id", "file_path", "start_line", "end_line", "source", "callers", "callees", "tests": [id],
    "requirements": [{"id", "title"}], "memories": [{"memory_id", "memory_type", "content", "stale"}]}], "omitted":
    [id], "unresolved_calls", "stale": [path], "tokens"}; callers and callees in the form of `callers`. In a long source
    `... 12-40` stands for lines left out. Where there are any, a symbol also has "designs", "docstring", "reason" and
    "more", the numbers of what is left out of its lists.
    """
    if (question is None) == (diff is None):
        raise click.UsageError("give a QUESTION, a SYMBOL or --diff FILE")
    with target.asked() as project:
        with telling_what_is_stale(project):
            found = project.explore(
                question or "", diff=diff.read(MOST_READ) if diff is not None else "", max_tokens=max_tokens
            )
        Freshness(project).stale(found.symbols)
    if as_json:
        print_json(found, short=True)
    else:
        print_exploration(found)


def print_exploration(found: Exploration) -> None:
    for one in found.symbols:
        print_symbol(one)
    section("memories", [_memory_row(one) for one in found.memories])
    if found.omitted:
        left_out = len(found.omitted) + found.not_listed
        heading(f"also ({left_out:,})")
        print_rows([(id,) for id in found.omitted], indent=2)
        echo()
    if not found.symbols:
        say("nothing found" if not found.omitted else "nothing fits; --max-tokens allows more")
        return
    unknown = count(found.unresolved_calls, "call")
    say(f"{found.tokens:,} tokens; of {unknown} in these files it is not known what they reach")


def print_symbol(one: ExploredSymbol) -> None:
    lines = f"-{one.end_line}" if one.end_line > one.start_line else ""
    name = one.id.partition("::")[2] or one.id
    heading(f"{place(one.file_path, one.start_line)}{lines}  {name}")
    for text in (one.reason, one.docstring):
        if text:
            echo_text(text, indent="  ")
    echo()
    echo_text(one.source, indent="  ")
    echo()
    for title, field, hits in (("called from", "callers", one.callers), ("calls", "callees", one.callees)):
        if hits:
            echo(f"  {title}{_more(one, field)}")
            print_calls(hits, indent=4)
    for title, rows in (
        ("tests", [(id,) for id in one.tests]),
        ("requirements", [(need.id, need.title) for need in one.requirements]),
        ("designs", [(design.id, design.title) for design in one.designs]),
        ("memories", [_memory_row(memory) for memory in one.memories]),
    ):
        _print_list(f"{title}{_more(one, title)}", rows)
    echo()


def _memory_row(memory: Remembered) -> tuple[str, str, str]:
    return memory.memory_id, memory.content, "stale" if memory.stale else ""


def _more(one: ExploredSymbol, field: str) -> str:
    return f" (and {one.more[field]:,} more)" if field in one.more else ""


def _print_list(title: str, rows: Sequence[Sequence[str]]) -> None:
    if rows:
        echo(f"  {title}")
        print_rows(rows, indent=4)
