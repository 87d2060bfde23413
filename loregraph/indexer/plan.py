"""What an index run has to do: the files that are there against those that were."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from msgspec import Struct

from loregraph.config import RequirementSettings
from loregraph.graph.embedders import TEXT_VERSION
from loregraph.graph.state import FileState, State
from loregraph.graph.terms import TERMS_VERSION
from loregraph.indexer.discover import Discovery, SourceFile
from loregraph.indexer.languages import registry
from loregraph.indexer.workers import Task

_DEFAULT_REQUIREMENTS: Final = RequirementSettings()


class Plan(Struct, frozen=True):
    """`tasks` go to the workers, with their sizes; `unsupported` are noted without being read; paths are sorted."""

    tasks: tuple[tuple[Task, int], ...]
    unsupported: tuple[SourceFile, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


@cache
def extractor_version() -> int:
    """Stands for the code that extracts: files extracted by other code are extracted again. 48 bits.

    Of the graph's code only the versions of what workers make with it count: terms and texts to embed.
    """
    return int(_digest(lambda name: name not in _NOT_EXTRACTION, f"{TERMS_VERSION} {TEXT_VERSION}"), 16)


@cache
def builder_version() -> str:
    """Stands for the code that makes the graph of facts: a graph made by other code is made again."""
    return _digest(lambda name: True)


_NOT_EXTRACTION: Final = frozenset(
    {"resolution", "packaging", "layout.py", "pipeline.py", "assemble.py", "build.py", "plan.py", "policy.py"}
    | {"report.py", "revision.py", "proposal.py", "store_graph.py", "scope.py", "moved.py", "traits.py"}
    | {"joining.py", "choosing.py", "known.py", "places.py", "commits.py"}
)
"""What never sees a source file: changing it makes no facts stale."""


def _digest(wanted: Callable[[str], bool], versions: str = "") -> str:
    digest = hashlib.blake2b(versions.encode(), digest_size=6)
    for name, content in sorted(_sources(resources.files("loregraph.indexer"), "", wanted)):
        digest.update(name.encode())
        digest.update(content)
    return digest.hexdigest()


def _sources(folder: Traversable, prefix: str, wanted: Callable[[str], bool]) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name == "__pycache__" or not wanted(entry.name):
            continue
        if entry.is_dir():
            yield from _sources(entry, f"{prefix}{entry.name}/", wanted)
        elif entry.name.endswith((".py", ".scm")):
            yield f"{prefix}{entry.name}", entry.read_bytes()


def facts_version(language: str, requirements: RequirementSettings) -> int:
    """Stands for the code that reads files of a language and for the settings it depends on: source files are read for
    ids of the pattern, documents also by where requirements are written."""
    pattern, id_from, sources = requirements.pattern, requirements.id_from, requirements.sources
    if language in registry.DOCUMENTS:
        return _with_settings(extractor_version(), pattern, id_from, sources)
    return _with_settings(extractor_version(), pattern, "", ())


@lru_cache(maxsize=16)
def _with_settings(version: int, *settings: object) -> int:
    digest = hashlib.blake2b(msgspec.msgpack.encode(settings), digest_size=6).digest()
    return version ^ int.from_bytes(digest, "big")


# Implements REQ-SEC-016.
def is_known(file: SourceFile, before: FileState, read_at: Mapping[str, int]) -> bool:
    """Whether a file has, by its stamp, the content that it had `before`; where not, its content tells.

    `read_at` as `read_times` gives it.
    """
    return before.stamp == file.stamp and file.stamp.is_settled(read_at.get(file.path, 0))


def racy(state: State) -> dict[str, int]:
    """Path → when it was read, of the files whose stamps were too young then to be believed."""
    saved = state.meta("racy")
    return msgspec.msgpack.decode(saved, type=dict[str, int]) if saved else {}


def read_times(state: State, known: Iterable[str]) -> dict[str, int]:
    """When each of the files `known` was read; those whose stamps were old enough then count as read long after it."""
    late = 1 << 62
    young = racy(state)
    return {path: young.get(path, late) for path in known}


# Implements REQ-IDX-011, REQ-IDX-012.
def plan(
    discovery: Discovery,
    known: Mapping[str, FileState],
    read_at: Mapping[str, int],
    requirements: RequirementSettings = _DEFAULT_REQUIREMENTS,
) -> Plan:
    """`read_at` maps a path to when it was last read, in nanoseconds since the epoch."""
    tasks: list[tuple[Task, int]] = []
    unsupported: list[SourceFile] = []
    unchanged: list[str] = []
    for file in discovery.files:
        before = known.get(file.path)
        version = facts_version(file.language, requirements)
        same_kind = before is not None and before.language == file.language and before.facts_version == version
        if same_kind and file.path in discovery.settled:
            unchanged.append(file.path)
            continue
        if same_kind and before is not None and is_known(file, before, read_at):
            unchanged.append(file.path)
            continue
        document = file.language in registry.DOCUMENTS
        if not document and file.language not in registry.SUPPORTED:
            if same_kind and before is not None and before.stamp == file.stamp:
                unchanged.append(file.path)
            else:
                unsupported.append(file)
            continue
        known_hash = before.content_hash if same_kind and before is not None else ""
        tasks.append((Task(file.path, file.language, known_hash, document), file.size))
    there = {file.path for file in discovery.files}
    return Plan(tuple(tasks), tuple(unsupported), tuple(unchanged), tuple(sorted(known.keys() - there)))
