"""`memory`: what people and agents wrote about the project."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from loregraph.cli.groups import InOrder
from loregraph.cli.output import as_json, count, echo, echo_text, heading, print_json, print_rows, say, size
from loregraph.cli.target import Target
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.memory.answers import Found
    from loregraph.memory.api import ProjectMemory
    from loregraph.memory.record import Memory

F = TypeVar("F", bound=Callable[..., Any])

KINDS = (
    "requirements, design, code_pattern, component, function, test_history, session, user_preference, architecture, "
    "core, learning, task"
)
SHORT_ID = 8
"""Characters of an id that lists show; commands take as many as name one memory."""


def asked_by(command: F) -> F:
    """Gives a command the project's memory, asked by whom the options say."""

    @click.option("--user", metavar="ID", help="Who asks. Default: git's e-mail.")
    @click.option("--agent", metavar="ID", help="The agent that asks; without one, agents' own are not seen.")
    @click.option("--session", metavar="ID", help="The session that asks.")
    @click.option("--project-id", metavar="ID", help="Another project of the same data folder.")
    @wraps(command)
    def asked(user: str | None, agent: str | None, session: str | None, project_id: str | None, **words: Any) -> None:
        target = click.get_current_context().find_object(Target)
        assert target is not None
        with target.open() as project:
            memories = project.memory.acting_as(user_id=user, agent_id=agent, session_id=session, project_id=project_id)
            try:
                command(memories, **words)
            finally:
                memories.close()

    return cast(F, asked)


@click.group(cls=InOrder)
def memory() -> None:
    """Keep what was learned, attached to the code it is about.

    \b
    loregraph memory add "Payments are retried three times" --kind design --anchor shop/pay.py::retry
    loregraph memory search "what happens when a payment fails"
    """


@memory.command()
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


@memory.command()
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


@memory.command("list")
@click.option("--kind", "kinds", multiple=True, help=f"Only this kind; repeatable: {KINDS}.")
@click.option("--scope", help="Only this scope: project, agent, user, session or org.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeatable, all must be there.")
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
    kinds: tuple[str, ...],
    scope: str | None,
    tags: tuple[str, ...],
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
        kinds=kinds,
        scope=scope,
        tags=tags,
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


@memory.command()
@click.argument("query")
@click.option("--kind", "kinds", multiple=True, help=f"Only this kind; repeatable: {KINDS}.")
@click.option("--scope", help="project, agent, user, session, org or all. Default: project, and who asks' own.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeatable, all must be there.")
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
    kinds: tuple[str, ...],
    scope: str | None,
    tags: tuple[str, ...],
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
        kinds=kinds,
        scope=scope,
        tags=tags,
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
        say("no memories" + ("" if scope else " in this project; --scope all looks everywhere"))


@memory.command()
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


@memory.command()
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


@memory.command()
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


@memory.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "agent-memory", "knowledge-graph"]),
    default="jsonl",
    show_default=True,
    help="Our own lines, a folder of three files, or the official memory server's file.",
)
@click.option("--kind", "kinds", multiple=True, help=f"Only this kind; repeatable: {KINDS}.")
@click.option("--scope", help="Only this scope: project, agent, user, session or org.")
@click.option("--embeddings", is_flag=True, help="With the vector of each (jsonl).")
@click.option("--replace", is_flag=True, help="Replace a file that is there although no export made it.")
@asked_by
@as_json
def export(
    memories: ProjectMemory,
    path: Path,
    form: str,
    kinds: tuple[str, ...],
    scope: str | None,
    embeddings: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Write memories to a file.

    PATH is a file; for the format agent-memory a folder. An earlier export is replaced, unless it was changed since.

    \b
    loregraph memory export memories.jsonl
    loregraph memory export memory.json --format knowledge-graph

    JSON: {"file_path", "memories_exported", "file_size_bytes"}
    """
    exported = memories.export(
        path, form=form, kinds=kinds, scope=scope, include_embeddings=embeddings, replace=replace
    )
    if as_json:
        print_json(exported)
    else:
        echo(f"{count(exported.memories_exported, 'memory', 'memories')} written to {path}")


@memory.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "agent-memory", "knowledge-graph"]),
    help="Default: found out from the content.",
)
@click.option(
    "--conflicts",
    type=click.Choice(["skip", "overwrite", "merge"]),
    default="skip",
    show_default=True,
    help="What to do with a memory that is there already.",
)
@click.option("--scope", help="The scope of memories that have none. Default: project.")
@click.option("--allow-secret", is_flag=True, help="Keep also what looks like a credential.")
@asked_by
@as_json
def import_memories(
    memories: ProjectMemory,
    path: Path,
    form: str | None,
    conflicts: str,
    scope: str | None,
    allow_secret: bool,
    as_json: bool,
) -> None:
    """Add the memories of a file.

    PATH is a file, or a folder of the format agent-memory. A line that cannot be read costs itself only.

    Exit code 3 if a line was not taken.

    \b
    loregraph memory import memories.jsonl
    loregraph memory import ~/.claude/agents/memories --scope user

    JSON: {"imported", "links", "skipped", "errors": [{"line", "error"}], "memory_ids"}
    """
    imported = memories.import_(path, form=form, conflict_resolution=conflicts, scope=scope, allow_secret=allow_secret)
    if as_json:
        print_json(imported)
    else:
        links = f" and {imported.links:,} links" if imported.links else ""
        echo(f"{imported.imported:,} imported{links}, {imported.skipped:,} skipped")
        for error in imported.errors:
            say(f"{path}:{error.line}: {error.error}")
    if imported.errors:
        raise click.exceptions.Exit(3)


@memory.command()
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


# It looks after all memories of the project, not after one person's: loregraph: ignore[signature]
@memory.command()
@click.option(
    "--phase",
    "phases",
    multiple=True,
    metavar="PHASE",
    help="Only this: deduplication, orphan_detection, embedding_refresh or cleanup; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@as_json
@click.pass_obj
def normalize(target: Target, phases: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Merge duplicates, drop dead links, purge what was deleted long ago.

    The journals are rewritten whole; a copy of each is kept for a day, and any failure leaves them as they were.

    \b
    loregraph memory normalize --dry-run
    loregraph memory normalize --phase deduplication

    JSON: {"status", "dry_run", "phases", "stats", "seconds", "snapshots"}
    """
    with target.open() as project:
        report = project.memory.normalize(phases=phases, dry_run=dry_run)
    if as_json:
        print_json(report)
        return
    done = report.stats
    echo(
        f"{count(done.processed, 'memory', 'memories')}: {done.merged:,} merged, {done.orphans_removed:,} dead links, "
        f"{done.purged:,} purged, {done.embeddings_refreshed:,} vectors renewed" + (" (nothing was changed)" * dry_run)
    )


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


def standard_input() -> str:
    with click.open_file("-", encoding="utf-8") as file:
        text: str = file.read()
    return text.strip()


def number_or_word(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def json_object(text: str | None, option: str) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"not JSON: {error}", param_hint=option) from None
    if not isinstance(value, dict):
        raise click.BadParameter("a JSON object is needed", param_hint=option)
    return value
