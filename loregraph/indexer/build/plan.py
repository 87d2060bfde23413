"""What an index run has to do: compares the present files with the stored ones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from loregraph.config import RequirementSettings
from loregraph.graph.state import FileState, State
from loregraph.indexer.build.tasks import Task
from loregraph.indexer.discover.files import Discovery, SourceFile
from loregraph.indexer.languages import registry

_DEFAULT_REQUIREMENTS: Final = RequirementSettings()


class Plan(Struct, frozen=True):
    """`tasks` for the workers, with file sizes; `unsupported` files are listed without being read; paths are sorted."""

    tasks: tuple[tuple[Task, int], ...]
    unsupported: tuple[SourceFile, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def is_work(self) -> bool:
        """Whether anything may have changed."""
        return bool(self.tasks or self.unsupported or self.removed)


PACKAGES: Final = ("loregraph.indexer", "loregraph.graph")
"""Packages hashed as a whole, beside `loregraph`'s top-level modules, which both build on. A part excluded by name
would keep its bugs in existing stores: that has happened."""
_GRAMMARS: Final = "tree_sitter_language_pack"
_PARSERS: Final = re.compile(r"tree_sitter(_language_pack)?-[^-]*\.dist-info")
"""Files of the parser distributions outside their packages; another version may parse the same file differently."""


@cache
def code_version() -> str:
    """A hash of the code that extracts, resolves and builds: results of other code are computed again. 48 bits, as
    hex."""
    digest = hashlib.blake2b(_parsers().encode(), digest_size=6)
    digest.update(content_of(resources.files("loregraph"), deep=False))
    for package in PACKAGES:
        digest.update(content_of(resources.files(package)))
    return digest.hexdigest()


def _parsers() -> str:
    """Names and versions of the parsers. `importlib.metadata` gives the same but takes 20 ms to import."""
    spec = find_spec(_GRAMMARS)
    if spec is None or spec.origin is None:
        return ""
    beside = Path(spec.origin).parent.parent
    return " ".join(sorted(entry.name for entry in beside.iterdir() if _PARSERS.fullmatch(entry.name)))


def content_of(package: Traversable, *, deep: bool = True) -> bytes:
    """A digest of the names and contents of a package's modules and queries; with `deep` of its subpackages too."""
    digest = hashlib.blake2b()
    for name, content in sorted(_sources(package, "", deep)):
        digest.update(b"%s\0%d\0%s" % (name.encode(), len(content), content))
    return digest.digest()


def _sources(folder: Traversable, prefix: str, deep: bool) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            if deep and entry.name != "__pycache__":
                yield from _sources(entry, f"{prefix}{entry.name}/", deep)
        elif entry.name.endswith((".py", ".scm", ".jsonl")):
            yield f"{prefix}{entry.name}", entry.read_bytes()


def facts_version(language: str, requirements: RequirementSettings, origin: str = "") -> int:
    """A hash of the code that reads files of a language and of the settings it depends on: for source files the id
    pattern and the `origin` by attributes, for documents the locations of requirements."""
    pattern, id_from, sources = requirements.pattern, requirements.id_from, requirements.sources
    if language in registry.DOCUMENTS:
        roles = tuple(requirements.roles.items())
        return _with_settings(int(code_version(), 16), pattern, id_from, sources, roles)
    return _with_settings(int(code_version(), 16), pattern, "", (), *([origin] if origin else ()))


@lru_cache(maxsize=16)
def _with_settings(version: int, *settings: object) -> int:
    digest = hashlib.blake2b(msgspec.msgpack.encode(settings), digest_size=6).digest()
    return version ^ int.from_bytes(digest, "big")


WITHOUT_TEXTS: Final = 1 << 48
"""A flag in the version of facts extracted without texts for embedding."""


def kept_version(language: str, requirements: RequirementSettings, origin: str = "", *, texts: bool = True) -> int:
    """The `facts_version` to store with a file's facts; `texts`: whether texts for embedding were extracted."""
    version = facts_version(language, requirements, origin)
    return version if texts or language not in registry.SUPPORTED else version | WITHOUT_TEXTS


def serves(kept: int, version: int, *, texts: bool) -> bool:
    """Whether facts stored with a version can be used for `version`, with texts where they are wanted."""
    return kept == version or (not texts and kept == version | WITHOUT_TEXTS)


# Implements REQ-SEC-016.
def is_known(file: SourceFile, before: FileState, read_at: Mapping[str, int]) -> bool:
    """Whether a file's content is still that of `before`, by its stamp, else by its hash.

    `read_at` is from `read_times`.
    """
    return before.stamp == file.stamp and file.stamp.is_settled(read_at.get(file.path, 0))


def read_times(state: State, known: Iterable[str]) -> dict[str, int]:
    """When each of the files `known` was read; files with old enough stamps count as read long after them."""
    late = 1 << 62
    young = state.racy()
    return {path: young.get(path, late) for path in known}


# Implements REQ-IDX-011, REQ-IDX-012.
def plan(
    discovery: Discovery,
    known: Mapping[str, FileState],
    read_at: Mapping[str, int],
    requirements: RequirementSettings = _DEFAULT_REQUIREMENTS,
    *,
    texts: bool = True,
) -> Plan:
    """`read_at` maps a path to the time it was last read, in nanoseconds since the epoch. Where `texts` for embedding
    are wanted, files without any are read again."""
    tasks: list[tuple[Task, int]] = []
    unsupported: list[SourceFile] = []
    unchanged: list[str] = []
    versions: dict[tuple[str, str], int] = {}
    for file in discovery.files:
        before = known.get(file.path)
        kind = file.language, file.origin
        version = versions.get(kind)
        if version is None:
            version = versions[kind] = facts_version(file.language, requirements, file.origin)
        same_kind = (
            before is not None
            and before.language == file.language
            and serves(before.facts_version, version, texts=texts)
        )
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
        tasks.append((Task(file.path, file.language, known_hash, document, file.origin, texts), file.size))
    there = {file.path for file in discovery.files}
    return Plan(tuple(tasks), tuple(unsupported), tuple(unchanged), tuple(sorted(known.keys() - there)))
