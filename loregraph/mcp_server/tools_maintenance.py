"""Tools for statistics, maintenance, import and export of memories."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from loregraph.errors import NotFoundError
from loregraph.mcp_server.arguments import Format, Name, Names, PathText
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.errors import ConflictError
from loregraph.mcp_server.models import (
    CodeCounts,
    JobStarted,
    MemoryStatistics,
    NormalizeStatus,
    RelationshipCounts,
    Storage,
)
from loregraph.mcp_server.registry import JOBS, tool
from loregraph.mcp_server.tools_indexing import WATCHED_SECONDS, follow, of_project
from loregraph.memory.answers import Exported, Imported
from loregraph.outputs import EXPORTS, refuse_executed
from loregraph.rooted import make_folder

Phase = Literal["snapshot", "deduplication", "orphan_detection", "embedding_refresh", "cleanup", "validation", "swap"]
DONE = ("processed", "merged", "orphans_removed", "embeddings_refreshed")
"""Counts that `normalize_status` tells."""
Phases = Annotated[
    list[Phase],
    Meta(max_length=20, description="default: all", extra_json_schema={"type": "array", "items": {"type": "string"}}),
]


@tool(reads=True)
def memory_statistics(call: Call) -> MemoryStatistics:
    """How much is remembered and indexed, and its size."""
    begun = time.perf_counter()
    memories = call.workspace.memory.stats()
    recalled = time.perf_counter()
    with call.workspace.reading() as project:
        generation = project.store.current()
        counts = project.counts() if generation is not None else None
        sizes = project.store.sizes()
    name = f"generation-{generation.generation}" if generation is not None else ""
    labels = counts.labels if counts is not None else {}
    relationships = {rel: n for rel, n in counts.relationships.items() if n} if counts is not None else {}
    done = time.perf_counter()
    return MemoryStatistics(
        memories=memories.counts(),
        index=CodeCounts(
            files=labels.get("File", 0),
            functions=labels.get("Function", 0),
            classes=labels.get("Class", 0),
            by_language=counts.languages if counts is not None else {},
        ),
        relationships=RelationshipCounts(total=sum(relationships.values()), by_type=relationships),
        storage=Storage(graph_bytes=sizes.get(name, 0), journal_bytes=memories.journal_bytes),
        performance={
            "memories_ms": round((recalled - begun) * 1000, 2),
            "graph_ms": round((done - recalled) * 1000, 2),
        },
    )


@tool(destroys=True, repeats=True, lane=JOBS)
def normalize_memory(
    call: Call,
    phases: Phases | None = None,
    dry_run: bool = False,
) -> JobStarted:
    """Merge duplicate memories, drop dead links and purge deleted ones, in the background; undoable for 24 h. Then ask
    normalize_status."""
    request = {**of_project(call), "phases": phases or [], "dry_run": dry_run}
    job = call.jobs.start("normalize", request)
    follow(call, job, WATCHED_SECONDS)
    return JobStarted(job_id=job.state.job_id, status="started")


@tool(reads=True, lane=JOBS)
def normalize_status(call: Call, job_id: Name) -> NormalizeStatus:
    """How a normalize_memory job is and what it did."""
    job = call.jobs.get(job_id, "normalize")
    if call.report is not None:
        follow(call, job, WATCHED_SECONDS, owns=False)
    stats = {name: job.state.counts.get(name, 0) for name in DONE}
    return NormalizeStatus(**{**msgspec.structs.asdict(job.state), "counts": stats})


@tool(destroys=True, repeats=True)
def export_memory(
    call: Call,
    memory_types: Names | None = None,
    output_path: Annotated[PathText, Meta(description="in the project; agent-memory: a folder")] = "memories.jsonl",
    format: Format = "jsonl",
    include_embeddings: bool = False,
) -> Exported:
    """Write memories to a file of the project, replacing an earlier export."""
    path = call.workspace.writable("output_path", output_path)
    if path.is_file() and (path.suffix not in EXPORTS or format == "agent-memory"):
        raise ConflictError(f"output_path: {output_path!r} is there and is no export", "name another file")
    if path.is_dir() and format != "agent-memory":
        raise ConflictError(f"output_path: {output_path!r} is a folder", "name a file in it")
    refuse_executed(path, call.workspace.root, folder=format == "agent-memory")
    make_folder(call.workspace.root, path.parent)
    done = call.workspace.memory.export(
        path, form=format, kinds=memory_types or (), include_embeddings=include_embeddings
    )
    return msgspec.structs.replace(done, file_path=call.workspace.relative(path))


@tool(
    destroys=True,
    repeats=True,
    rest="correct these first and import again: what is there is skipped",
    shows="imported skipped errors",
)
def import_memory(
    call: Call,
    file_path: PathText,
    format: Format | None = None,
    conflict_resolution: Literal["skip", "overwrite", "merge"] = "skip",
) -> Imported:
    """Read memories from a file of export_memory, an agent-memory server or the official memory server."""
    path = call.workspace.path("file_path", file_path)
    if not path.exists():
        raise NotFoundError(f"file_path: there is no file {file_path!r}", "name a file of the project")
    return call.workspace.memory.import_(path, form=format, conflict_resolution=conflict_resolution)
