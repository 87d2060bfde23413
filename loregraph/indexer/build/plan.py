"""What an index run has to do: the files that are there against those that were."""

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
    """`tasks` go to the workers, with their sizes; `unsupported` are noted without being read; paths are sorted."""

    tasks: tuple[tuple[Task, int], ...]
    unsupported: tuple[SourceFile, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def is_work(self) -> bool:
        """Whether anything may have changed."""
        return bool(self.tasks or self.unsupported or self.removed)


PACKAGES: Final = ("loregraph.indexer", "loregraph.graph")
"""What is hashed, each as a whole, beside the modules of `loregraph` itself, which both build on. Of a part that is
left out by its name users never get the mends: it happened."""
_GRAMMARS: Final = "tree_sitter_language_pack"
_PARSERS: Final = re.compile(r"tree_sitter(_language_pack)?-[^-]*\.dist-info")
"""What the distributions that parse leave beside their packages; another version reads the same file otherwise."""


@cache
def code_version() -> str:
    """Stands for the code that extracts, resolves and builds: what other code made is made again. 48 bits, as hex."""
    digest = hashlib.blake2b(_parsers().encode(), digest_size=6)
    digest.update(content_of(resources.files("loregraph"), deep=False))
    for package in PACKAGES:
        digest.update(content_of(resources.files(package)))
    return digest.hexdigest()


def _parsers() -> str:
    """Names and versions of what parses. `importlib.metadata` says the same and takes 20 ms to import."""
    spec = find_spec(_GRAMMARS)
    if spec is None or spec.origin is None:
        return ""
    beside = Path(spec.origin).parent.parent
    return " ".join(sorted(entry.name for entry in beside.iterdir() if _PARSERS.fullmatch(entry.name)))


def content_of(package: Traversable, *, deep: bool = True) -> bytes:
    """A digest of the names and contents of a package's modules and queries; with `deep` of those in it as well."""
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
    """Stands for the code that reads files of a language and for the settings it depends on: source files are read for
    ids of the pattern and by what attributes say of their `origin`, documents by where requirements are written."""
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
"""Set in the version of facts that were taken without the texts that embedders are given."""


def kept_version(language: str, requirements: RequirementSettings, origin: str = "", *, texts: bool = True) -> int:
    """The `facts_version` to keep with a file's facts; `texts`: whether its texts to embed were made with them."""
    version = facts_version(language, requirements, origin)
    return version if texts or language not in registry.SUPPORTED else version | WITHOUT_TEXTS


def _serves(kept: int, version: int, *, texts: bool) -> bool:
    """Whether facts kept under a version are those of `version`, with the texts where they are wanted."""
    return kept == version or (not texts and kept == version | WITHOUT_TEXTS)


# Implements REQ-SEC-016.
def is_known(file: SourceFile, before: FileState, read_at: Mapping[str, int]) -> bool:
    """Whether a file has, by its stamp, the content that it had `before`; where not, its content tells.

    `read_at` as `read_times` gives it.
    """
    return before.stamp == file.stamp and file.stamp.is_settled(read_at.get(file.path, 0))


def read_times(state: State, known: Iterable[str]) -> dict[str, int]:
    """When each of the files `known` was read; those whose stamps were old enough then count as read long after it."""
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
    """`read_at` maps a path to when it was last read, in nanoseconds since the epoch. Where `texts` to embed are
    wanted, files without any are read again."""
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
            and _serves(before.facts_version, version, texts=texts)
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
