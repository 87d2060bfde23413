"""The status of a project: what is indexed, what is stale, and example commands."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.config import Settings
from loregraph.errors import DamagedStoreError
from loregraph.graph.generation import StoreFolder
from loregraph.graph.ownership import CURRENT, STATE
from loregraph.graph.state import FileState
from loregraph.graph.terms import split_identifier
from loregraph.graph.watch_turn import WatchReport, followed_by, reported
from loregraph.reader import Reader
from loregraph.terminal import shell_quoted

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns

RANKED: Final = 100
"""Number of the most called functions among which an example is chosen."""


class Stale(msgspec.Struct, frozen=True):
    """Files with content that the graph does not have: paths, sorted."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        return len(self.changed) + len(self.added) + len(self.removed)


class Calls(msgspec.Struct, frozen=True):
    """Calls by outcome: `resolved` reach something in the project, `external` only something outside it, the targets of
    `unresolved` are unknown."""

    resolved: int = 0
    external: int = 0
    unresolved: int = 0


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The status of a project's graph; without one `indexed` is False and the counts are empty.

    `calls` counts the calls of the whole project and `unresolved` each file's calls with unknown targets, files without
    left out: where these are many, "no callers" may only mean that none are known.

    `remarks` are lines about ignored or untrusted parts of the repository: see `Project.remarks`.

    `generated` counts the files that are not the project's own writing, by reason: they are kept as files, but their
    contents are left out of search and of all reports.

    `languages` counts files. `embedder` is the identity of the embedder that made the vectors, None without vectors.
    `watch` says who keeps the graph up to date. `bytes` are those of the current graph, of the state for incremental
    indexing, and of the whole store.
    """

    root: str
    store: str
    indexed: bool
    generation: int = 0
    engine: str = ""
    embedder: dict[str, Any] | None = None
    languages: dict[str, int] = {}
    nodes: dict[str, int] = {}
    relationships: dict[str, int] = {}
    calls: Calls = Calls()
    unresolved: dict[str, int] = {}
    stale: Stale = Stale()
    bytes: dict[str, int] = {}
    generated: dict[str, int] = {}
    remarks: tuple[str, ...] = ()
    watch: WatchReport = WatchReport()


# Implements REQ-CLI-007.
def status_of(
    root: Path, settings: Settings, store: StoreFolder, reader: Reader | None, remarks: tuple[str, ...] = ()
) -> Status:
    """The status of the project at `root`; `reader` holds its current generation, None before the first index."""
    if reader is None:
        return Status(root=str(root), store=str(store.path), indexed=False, remarks=remarks)
    from loregraph.graph import queries

    counts = queries.counts(reader.columns)
    calls = queries.calls_by_file(reader.columns)
    sizes = store.sizes()
    return Status(
        root=str(root),
        store=str(store.path),
        indexed=True,
        generation=reader.generation,
        engine=f"{reader.current.engine} (storage version {reader.current.engine_storage_version})",
        embedder=reader.current.embedder,
        languages=counts.languages,
        nodes=counts.labels,
        relationships=counts.relationships,
        calls=Calls(**{name: sum(own[name] for own in calls.values()) for name in Calls.__struct_fields__}),
        unresolved={path: own["unresolved"] for path, own in sorted(calls.items()) if own["unresolved"]},
        stale=stale_files(root, settings, store),
        bytes={
            "graph": sizes.get(f"generation-{reader.generation}", 0) + sizes.get(CURRENT, 0),
            "state": sum(size for name, size in sizes.items() if name.startswith(STATE)),
            "total": sum(sizes.values()),
        },
        generated=dict(sorted(Counter(reader.columns.generated.values()).items())),
        remarks=remarks,
        watch=reported(followed_by(store)),
    )


def stale_files(root: Path, settings: Settings, store: StoreFolder) -> Stale:
    """The changes that another index would process. Only files whose stamp is not conclusive are read, to compare
    contents."""
    from loregraph.indexer.build.plan import is_known, read_times
    from loregraph.indexer.discover.files import discover

    known: dict[str, FileState] = {}
    read_at: dict[str, int] = {}
    with suppress(DamagedStoreError):  # it would begin from scratch
        state = store.open_state()
        if state is not None:
            with closing(state):
                files = state.files()
                read_at = read_times(state, files)
                known = files
    found = {file.path: file for file in discover(root, settings).files}
    changed = [
        path
        for path, file in found.items()
        if (before := known.get(path)) is not None
        and not is_known(file, before, read_at)
        and before.content_hash != content_hash_of(root / path, settings.max_file_bytes)
    ]
    return Stale(tuple(sorted(changed)), tuple(sorted(found.keys() - known)), tuple(sorted(known.keys() - found)))


def content_hash_of(path: Path, max_bytes: int) -> str:
    """The hash that the index stores for a file's content, "" for an unusable file."""
    from loregraph.indexer.source import ARCHIVE, content_hash, read_archive, read_source

    source, _ = (read_archive if path.name.endswith(ARCHIVE) else read_source)(path, max_bytes)
    return "" if source is None else content_hash(source)


def suggestions(reader: Reader) -> list[str]:
    """Example commands for this project: about its own function with the most callers."""
    import numpy as np

    columns = reader.columns
    called = np.bincount(columns.target[columns.edges("CALLS")], minlength=columns.node_count)
    functions = columns.nodes("Function")
    ranked = functions[np.argsort(-called[functions], kind="stable")][:RANKED].tolist()
    if not ranked:
        return ["loregraph status"]
    inner = {n for n in ranked if any(columns.label(c) == "Function" for c in containers(columns, n))}
    telling = (n for n in ranked if n not in inner and is_telling(columns.name(n), columns.path(n)))
    node = next(telling, ranked[0])
    return [
        f"loregraph callers {shell_quoted(columns.id(node))}",
        f"loregraph impact {shell_quoted(columns.id(node))} --depth 2",
        f"loregraph search {shell_quoted(' '.join(split_identifier(columns.name(node))))}",
    ]


def containers(columns: GraphColumns, node: int) -> list[int]:
    """The containers of a node: its file, its class or the function around it."""
    found: list[int] = columns.source[columns.into(node, "CONTAINS")].tolist()
    return found


def is_telling(name: str, path: str) -> bool:
    """Whether a function is a good example: public, a name of several words, outside the tests."""
    return name[:1].isalpha() and len(split_identifier(name)) > 1 and "test" not in path.lower()
