"""`context`: why code is as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loregraph.cli.freshness import Freshness, telling_what_is_stale, with_stale_files
from loregraph.cli.output import as_json, echo, echo_text, heading, place, print_json, say, section
from loregraph.cli.target import Target, in_workspace
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.analysis.context import Context, Neighbour


@click.command()
@click.argument("component", required=False)
@click.option("--query", metavar="TEXT", help="Words or a question: about the code that answers it best.")
@click.option("--code", "include_code", is_flag=True, help="Also the source.")
@as_json
@in_workspace
@click.pass_obj
def context(target: Target, component: str | None, query: str | None, include_code: bool, as_json: bool) -> None:
    """Show why code is as it is, and what hangs on it.

    Its requirements and designs, the habits of the code around it, memories about it, and what it depends on and what
    depends on it. COMPONENT is an id, a name, or the path of a file or folder; with --query as well, memories that
    answer the question are added.

    \b
    loregraph context Flask.make_response --code
    loregraph context src/flask/sessions.py --query "why are cookies signed"
    loregraph context --query "where is the session signed"

    JSON: {"component": {"id", "name", "kind", "file_path", "start_line", "end_line", "signature", "docstring", "code"},
    "requirements": [{"requirement_id", "title", "status", "text", "source"}], "design_documents": [{"title", "type",
    "excerpt", "path"}], "patterns": [{"name", "examples"}], "memories": [{"memory_id", "memory_type", "content",
    "stale"}], "dependencies": [{"id", "relationships", "count"}], "dependents": [...]}; of the component only what it
    has. "truncated" says what was left out, "stale": [path] which files of the answer changed since the last index.
    """
    if component is None and query is None:
        raise click.UsageError("give a COMPONENT or --query TEXT")
    with target.asked() as project:
        with telling_what_is_stale(project):
            found = project.context(component, query=query or "", include_code=include_code)
        answer = with_stale_files(found, Freshness(project))
    if as_json:
        print_json(answer)
        return
    print_context(found)
    if found.truncated:
        say(found.truncated)


def print_context(found: Context) -> None:
    one = found.component
    if one is None:
        say("no code answers this")
    else:
        name = one["id"].partition("::")[2] or one["id"]
        where = place(one.get("file_path", ""), one.get("start_line", 0))
        heading("  ".join(filter(None, (where, one.get("kind"), name if name != one.get("file_path") else ""))))
        for text in (one["code"],) if one.get("code") else (one.get("signature"), one.get("docstring")):
            if text:
                echo_text(text, indent="  ")
        echo()
    section("requirements", [(r.source, r.requirement_id, r.title, r.status) for r in found.requirements])
    section("designs", [(d.path, d.title, d.type) for d in found.design_documents])
    section("habits", [(habit.name, ", ".join(habit.examples)) for habit in found.patterns])
    section(
        "memories",
        [(m.memory_id, m.memory_type, clipped(m.content), "stale" if m.stale else "") for m in found.memories],
    )
    section("depends on", [neighbour_row(one) for one in found.dependencies])
    section("what depends on it", [neighbour_row(one) for one in found.dependents])


def neighbour_row(one: Neighbour) -> tuple[str, ...]:
    return one.id, ", ".join(one.relationships), f"× {one.count:,}" if one.count > 1 else ""
