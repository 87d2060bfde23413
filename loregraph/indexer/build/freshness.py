"""Whether a generation matches the present files, settings and code: a token that identifies everything it was built
from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from loregraph.graph.generation import Current
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.graph.state import IMPORTED, FileState, State
from loregraph.indexer.build.plan import code_version
from loregraph.indexer.build.run import Run
from loregraph.indexer.source import content_hash, read_archive

if TYPE_CHECKING:
    from loregraph.indexer.build.edits import Published
    from loregraph.indexer.requirements.joining import CommitLink

_TOKEN: Final = "totals_token"
"""The key under which the state stores the token of the generation that its data belongs to."""


class MadeOf(NamedTuple):
    """The inputs of a graph besides settings and code: the files as stored, and what commits and documents say."""

    files: Mapping[str, FileState]
    commits: list[CommitLink]
    keywords: dict[str, dict[str, int]]


def token_of(run: Run, made_of: MadeOf, instead: Mapping[str, Published] | None = None) -> str:
    """A token for all inputs of the graph: files, relevant settings, and the code.

    `instead` replaces the entries of some files by earlier ones.
    """
    from loregraph import __version__

    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{__version__}\n{SCHEMA_VERSION}\n{run.embedder}\n{code_version()}\n".encode())
    if run.outside is not None:
        digest.update(run.outside.digest.encode())
    digest.update(run.state.meta(IMPORTED) or b"")
    digest.update(msgspec.msgpack.encode(made_of.commits))
    digest.update(msgspec.msgpack.encode(made_of.keywords))
    for path, known in made_of.files.items():
        file = (instead or {}).get(path, known)
        digest.update(f"{path}\0{file.language}\0{file.content_hash}\0{file.facts_version}\n".encode())
    indexed = {file.path for file in run.discovery.files}
    for path in run.discovery.paths:
        if path not in indexed:
            digest.update(f"{path}\0{_packaging_hash(run, path)}\n".encode())
    return digest.hexdigest()


def _packaging_hash(run: Run, path: str) -> str:
    """A hash of a packaging file's content; they are few, so all of them are read every time."""
    content, _ = read_archive(run.root / path, run.settings.max_file_bytes)
    return content_hash(content) if content is not None else ""


def changed_since(run: Run, made_of: MadeOf, current: Current) -> dict[str, Published]:
    """The files that have changed since `current`, as they were then; empty where other differences exist: files were
    added or removed, or the generation does not belong to the stored files."""
    from loregraph.indexer.build.edits import published

    before = published(run.state)
    if not before or run.state.meta(_TOKEN) != current.state_token.encode():
        return {}
    return before if token_of(run, made_of, before) == current.state_token else {}


def note_token(state: State, token: str) -> None:
    """Records that the state's data belongs to the generation with that token. Does not commit."""
    state.put_meta(_TOKEN, token.encode())
