"""`memory add`, `update` and `delete`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loregraph.cli.memory.options import KINDS, asked_by, json_object, number_or_word, standard_input
from loregraph.cli.output import as_json, echo, print_json, say

if TYPE_CHECKING:
    from loregraph.memory.api import ProjectMemory


@click.command()
@click.argument("text")
@click.option("--kind", default="learning", show_default=True, help=f"One of {KINDS}.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; repeatable.")
@click.option("--scope", default="project", show_default=True, help="project, agent, user, session or org.")
@click.option(
    "--anchor", "anchors", multiple=True, metavar="ID", help="A symbol, file or memory it is about; repeatable."
)
@click.option("--importance", default="medium", show_default=True, help="high, medium, low or a number from 0 to 1.")
@click.option("--category", default="", help="A name to sort it under.")
@click.option("--metadata", metavar="JSON", help="A JSON object to keep with it.")
@click.option("--visibility", default="private", show_default=True, help="Of an agent's: private, shared or public.")
@click.option("--supersedes", multiple=True, metavar="ID", help="A memory that it takes the place of; repeatable.")
@click.option("--allow-secret", is_flag=True, help="Keep it although it looks like a credential.")
@asked_by
@as_json
def add(
    memories: ProjectMemory,
    text: str,
    kind: str,
    tags: tuple[str, ...],
    scope: str,
    anchors: tuple[str, ...],
    importance: str,
    category: str,
    metadata: str | None,
    visibility: str,
    supersedes: tuple[str, ...],
    allow_secret: bool,
    as_json: bool,
) -> None:
    """Keep a memory.

    TEXT is what to remember; '-' reads it from standard input.

    \b
    loregraph memory add "Prices are rounded once, at the end" --kind design --tag money --anchor round_price
    git log -1 --format=%B | loregraph memory add - --kind learning

    JSON: {"memory_id", "status", "conflicts": [{"memory_id", "similarity"}], "stale_links", "archived"}
    """
    content = standard_input() if text == "-" else text
    added = memories.add(
        content,
        kind=kind,
        tags=tags,
        scope=scope,
        anchors=anchors,
        importance=number_or_word(importance),
        category=category,
        metadata=json_object(metadata, "--metadata"),
        visibility=visibility,
        agent_id=memories.named.agent_id or None,
        session_id=memories.named.session_id or None,
        project_id=memories.named.project_id or None,
        relationships=[{"type": "SUPERSEDES", "target_id": memories.full_id(other)} for other in supersedes],
        allow_secret=allow_secret,
    )
    if as_json:
        print_json(added)
        return
    echo(added.memory_id)
    for conflict in added.conflicts:
        say(f"says nearly the same as {conflict.memory_id} ({conflict.similarity:.2f})")
    for link in added.stale_links:
        say(f"nothing is called {link}: index the project, or correct the anchor")


@click.command()
@click.argument("memory_id", metavar="ID")
@click.option("--content", metavar="TEXT", help="The new text; '-' reads standard input.")
@click.option("--kind", help=f"One of {KINDS}.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="The tags in place of those it has; repeatable.")
@click.option("--importance", help="high, medium, low or a number from 0 to 1.")
@click.option("--category", help="A name to sort it under.")
@click.option("--metadata", metavar="JSON", help="A JSON object merged into its metadata; null takes a key out.")
@click.option("--anchor", "anchors", multiple=True, metavar="ID", help="What it is about now; repeatable.")
@click.option("--state", help="active, archived or deleted.")
@click.option("--visibility", help="Of an agent's: private, shared or public.")
@click.option("--allow-secret", is_flag=True, help="Keep it although it looks like a credential.")
@asked_by
@as_json
def update(
    memories: ProjectMemory,
    memory_id: str,
    content: str | None,
    kind: str | None,
    tags: tuple[str, ...],
    importance: str | None,
    category: str | None,
    metadata: str | None,
    anchors: tuple[str, ...],
    state: str | None,
    visibility: str | None,
    allow_secret: bool,
    as_json: bool,
) -> None:
    """Change a memory, or confirm that it still holds.

    Without an option it is confirmed: no longer stale, for the code as it is now. Earlier versions stay in its history.

    \b
    loregraph memory update 3f2504e0 --content "Prices are rounded per line" --tag money
    loregraph memory update 3f2504e0

    JSON: {"memory_id", "status", "updated_fields", "version", "conflicts", "stale_links"}
    """
    text = standard_input() if content == "-" else content
    updated = memories.update(
        memories.full_id(memory_id),
        content=text,
        kind=kind,
        tags=tags or None,
        importance=None if importance is None else number_or_word(importance),
        category=category,
        metadata=json_object(metadata, "--metadata"),
        anchors=anchors or None,
        state=state,
        visibility=visibility,
        allow_secret=allow_secret,
    )
    if as_json:
        print_json(updated)
    elif updated.updated_fields:
        echo(f"version {updated.version}: {', '.join(updated.updated_fields)}")
    else:
        say("nothing to change: it holds for the code as it is")


@click.command()
@click.argument("memory_id", metavar="ID")
@click.option("--hard", is_flag=True, help="Leave nothing to restore.")
@asked_by
@as_json
def delete(
    memories: ProjectMemory,
    memory_id: str,
    hard: bool,
    as_json: bool,
) -> None:
    """Delete a memory. It can be restored for 30 days.

    \b
    loregraph memory delete 3f2504e0
    loregraph memory history 3f2504e0 --restore 1

    JSON: {"memory_id", "status", "relationships_removed"}
    """
    deleted = memories.delete(memories.full_id(memory_id), hard=hard)
    if as_json:
        print_json(deleted)
    else:
        echo(f"deleted {deleted.memory_id}")
