"""`memory get`, `list`, `search`, `history` and `stats`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from loregraph.cli.memory.options import asked_by, filtered
from loregraph.cli.output import as_json, count, echo, echo_text, heading, print_json, print_rows, say, size
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.memory.answers import Found
    from loregraph.memory.api import ProjectMemory
    from loregraph.memory.record import Memory

SHORT_ID = 8
"""Characters of an id in lists; commands accept any unique prefix."""


@click.command()
@click.argument("memory_id", metavar="ID")
@asked_by
@as_json
def get(
    memories: ProjectMemory,
    memory_id: str,
    as_json: bool,
) -> None:
    """Show one memory.

    ID is the memory's, or as much of its beginning as no other has.

    \b
    loregraph memory get 3f2504e0
    loregraph memory get 3f2504e0-4f89-41d3-9a0c-0305e82c3301 --json

    JSON: the record with all its fields, and {"stale", "stale_anchors", "superseded_by", "relationships"}
    """
    found = memories.found(memories.full_id(memory_id), relationships=True)
    if as_json:
        print_json({**found.published(), "relationships": found.relationships})
        return
    print_memory(found)


@click.command("list")
@filtered()
@click.option("--category", default="", help="Only of this category.")
@click.option("--importance", default="", help="Only high, medium or low ones.")
@click.option("--anchor", default="", metavar="ID", help="Only about this symbol or file.")
@click.option("--stale", is_flag=True, help="Only those whose code has changed since.")
@click.option("--archived", is_flag=True, help="Archived ones instead of active ones.")
@click.option(
    "--sort",
    "sort_by",
    default="updated_at",
    show_default=True,
    help="created_at, updated_at, accessed_at, access_count or importance; the highest first.",
)
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, metavar="N", help="How many.")
@click.option("--offset", type=click.IntRange(0), default=0, metavar="N", help="How many to leave out before.")
@asked_by
@as_json
def list_memories(
    memories: ProjectMemory,
    filters: dict[str, Any],
    category: str,
    importance: str,
    anchor: str,
    stale: bool,
    archived: bool,
    sort_by: str,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """List memories, those changed last first.

    \b
    loregraph memory list --kind design --limit 5
    loregraph memory list --stale

    JSON: a list of records, each with all its fields and "stale".
    """
    page = memories.page(
        **filters,
        category=category,
        importance=importance,
        anchor=anchor,
        stale=True if stale else None,
        archived=archived,
        sort_by=sort_by,
        limit=limit,
        offset=offset,
    )
    if as_json:
        print_json([found.published() for found in page.memories])
        return
    print_rows(row_of(found.memory, "stale" if found.stale else "") for found in page.memories)
    if not page.memories:
        say("no memories")
    if page.has_more:
        say(f"{page.total - limit - offset:,} more: --offset {offset + limit}")


@click.command()
@click.argument("query")
@filtered(scope="project, agent, user, session, org or all. Default: project, and who asks' own.")
@click.option("--near", multiple=True, metavar="ID", help="A symbol the question is about; repeatable.")
@click.option("--since", default="", metavar="DATE", help="Only what was added on this day or later.")
@click.option("--until", default="", metavar="DATE", help="Only what was added on this day or before.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, metavar="N", help="How many.")
@click.option(
    "--min-similarity",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="X",
    help="Leave out what is less similar to the question, 0 to 1.",
)
@asked_by
@as_json
def search(
    memories: ProjectMemory,
    query: str,
    filters: dict[str, Any],
    near: tuple[str, ...],
    since: str,
    until: str,
    limit: int,
    min_similarity: float,
    as_json: bool,
) -> None:
    """Find memories by words, a question or what they mean.

    \b
    loregraph memory search "how are prices rounded"
    loregraph memory search "test database" --kind learning --near tests/conftest.py

    JSON: a list of records, best first, each with all its fields and {"similarity", "relevance", "stale"}
    """
    recollection = memories.search(
        query,
        **filters,
        near=near,
        since=since,
        until=until,
        limit=limit,
        min_similarity=min_similarity,
    )
    if recollection.note:
        say(f"by words alone: {recollection.note}")
    if as_json:
        print_json([hit.published() for hit in recollection.results])
        return
    print_rows(
        row_of(hit.memory, f"{hit.relevance:.2f}" + (" stale" if hit.stale else "")) for hit in recollection.results
    )
    if not recollection.results:
        say("no memories" + ("" if filters["scope"] else " in this project; --scope all looks everywhere"))


@click.command()
@click.argument("memory_id", metavar="ID")
@click.option("--restore", type=click.IntRange(min=1), metavar="VERSION", help="Make it what it was then.")
@asked_by
@as_json
def history(
    memories: ProjectMemory,
    memory_id: str,
    restore: int | None,
    as_json: bool,
) -> None:
    """Show every version of a memory, or go back to one.

    \b
    loregraph memory history 3f2504e0
    loregraph memory history 3f2504e0 --restore 2

    JSON: a list of records, the oldest first; with --restore as for update
    """
    from loregraph.memory.record import published

    identifier = memories.full_id(memory_id)
    if restore is not None:
        updated = memories.restore(identifier, restore)
        if as_json:
            print_json(updated)
        else:
            echo(f"version {updated.version} is version {restore} again")
        return
    versions = memories.history(identifier)
    if as_json:
        print_json([published(version) for version in versions])
        return
    print_rows(
        (str(version.version), version.updated_at[:19].replace("T", " "), version.state, clipped(version.content))
        for version in versions
    )


@click.command()
@asked_by
@as_json
def stats(
    memories: ProjectMemory,
    as_json: bool,
) -> None:
    """Count memories and what they take.

    \b
    loregraph memory stats
    loregraph memory stats --json

    JSON: {"total", "by_type", "by_scope", "by_state", "by_importance", "top_tags", "oldest", "newest", "stale",
    "journal_bytes", "storage_bytes", "rejected_lines", "project_id", "journals"}
    """
    counted = memories.stats()
    if as_json:
        print_json(counted)
        return
    heading(f"{count(counted.total, 'memory', 'memories')} of {counted.project_id}")
    for title, counts in (("kinds", counted.by_type), ("scopes", counted.by_scope), ("tags", counted.top_tags)):
        if counts:
            print_rows([(title, ", ".join(f"{name} {number:,}" for name, number in counts.items()))], indent=2)
    if counted.stale:
        print_rows([("stale", f"{counted.stale:,}: loregraph memory list --stale")], indent=2)
    if counted.rejected_lines:
        print_rows([("unreadable lines", f"{counted.rejected_lines:,}")], indent=2)
    print_rows([("journals", f"{size(counted.journal_bytes)} in {', '.join(counted.journals)}")], indent=2)


def row_of(memory: Memory, remark: str) -> tuple[str, ...]:
    return memory.id[:SHORT_ID], memory.kind, clipped(memory.content), remark


def print_memory(found: Found) -> None:
    memory = found.memory
    echo_text(memory.content)
    echo()
    facts = [
        ("id", memory.id),
        ("kind", memory.kind),
        ("scope", memory.scope + (f", {memory.visibility}" if memory.scope == "agent" else "")),
        ("state", memory.state),
        ("importance", f"{memory.importance:g}"),
        ("category", memory.category),
        ("tags", ", ".join(memory.tags)),
        ("author", memory.author),
        ("created", memory.created_at[:19].replace("T", " ")),
        ("changed", f"{memory.updated_at[:19].replace('T', ' ')}, version {memory.version}"),
        ("metadata", json.dumps(memory.metadata, ensure_ascii=False) if memory.metadata else ""),
        ("superseded by", ", ".join(found.superseded_by)),
    ]
    for link in found.relationships or ():
        if link.direction == "outgoing":
            facts.append((link.type.lower(), link.target_id + "  (changed since, or gone)" * link.stale))
    print_rows(((name, text) for name, text in facts if text), indent=2)
    if found.stale:
        say("what it is about has changed: update it, or confirm it with `loregraph memory update ID`")
