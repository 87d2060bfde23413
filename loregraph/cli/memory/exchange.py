"""`memory export`, `import` and `normalize`: operations on all memories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loregraph.cli.memory.options import asked_by, filtered
from loregraph.cli.output import as_json, count, echo, print_json, say
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.memory.api import ProjectMemory


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "agent-memory", "knowledge-graph"]),
    default="jsonl",
    show_default=True,
    help="Our own lines, a folder of three files, or the official memory server's file.",
)
@filtered(tags=False)
@click.option("--embeddings", is_flag=True, help="With the vector of each (jsonl).")
@click.option("--replace", is_flag=True, help="Replace a file that is there although no export made it.")
@asked_by
@as_json
def export(
    memories: ProjectMemory,
    path: Path,
    form: str,
    filters: dict[str, Any],
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
    exported = memories.export(path, form=form, **filters, include_embeddings=embeddings, replace=replace)
    if as_json:
        print_json(exported)
    else:
        echo(f"{count(exported.memories_exported, 'memory', 'memories')} written to {path}")


@click.command("import")
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


# It looks after all memories of the project, not after one person's: loregraph: ignore[signature]
@click.command()
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
