"""Facts about the project as a whole: problems, whether documents define requirements, what documents and commits refer
to.

Computed from all files once, and stored until one of them changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.graph.state import FileState, State
from loregraph.indexer.build.report import ReportedProblem
from loregraph.indexer.build.run import Run, entries_of
from loregraph.indexer.languages import registry

if TYPE_CHECKING:
    from loregraph.indexer.build.assemble import FileEntry
    from loregraph.indexer.requirements.joining import CommitLink

_META: Final = "told"
"""The key under which the state stores it."""


class Gathered(msgspec.Struct, frozen=True):
    """What is known from all stored files."""

    problems: tuple[ReportedProblem, ...] = ()
    has_documents: bool = False
    """Whether any document defines a requirement or design."""
    words: tuple[str, ...] = ()
    """The keywords by which documents refer to code, and those beyond the limits: see `requirements.keywords`."""
    unsought: tuple[str, ...] = ()


def gathered(state: State) -> Gathered:
    """The stored value, or a newly computed one where none is stored."""
    saved = state.meta(_META)
    if saved is not None:
        return msgspec.msgpack.decode(saved, type=Gathered)
    from loregraph.indexer.requirements import keywords
    from loregraph.indexer.requirements.model import decode

    problems = _own_problems(entries_of(state))
    documents = [decode(blob) for _, blob in sorted(state.blobs("requirements")) if blob]
    found = Gathered(tuple(problems), bool(documents), *keywords.wanted(documents))
    state.put_meta(_META, msgspec.msgpack.encode(found))
    state.commit()
    return found


def forget(state: State) -> None:
    """Drops the stored value."""
    state.put_meta(_META, None)


def update(state: State, changed: set[str], before: Mapping[str, FileState], after: Mapping[str, FileState]) -> None:
    """Updates the stored value after `changed`: only documents contribute more than their own problems."""
    saved = state.meta(_META)
    languages = {files[path].language for files in (before, after) for path in changed if path in files}
    if saved is None or not languages.isdisjoint(registry.DOCUMENTS):
        forget(state)
        return
    found = msgspec.msgpack.decode(saved, type=Gathered)
    problems = [problem for problem in found.problems if problem.path not in changed]
    problems += _own_problems(entries_of(state, changed))
    found = msgspec.structs.replace(found, problems=tuple(sorted(problems, key=lambda problem: problem.path)))
    state.put_meta(_META, msgspec.msgpack.encode(found))


def commit_links(run: Run, found: Gathered, files: Mapping[str, FileState]) -> list[CommitLink]:
    """The links from commits to requirements; git is not run where no document defines one."""
    if not found.has_documents:
        return []
    from loregraph.indexer.requirements.commits import read_history
    from loregraph.indexer.requirements.ids import compiled

    pattern = run.settings.requirements.pattern
    before = run.state.meta("commits")
    links, after = read_history(run.root, compiled(pattern), pattern, _source_hashes(files), before)
    if after != before:
        run.state.put_meta("commits", after)
        run.state.commit()
    return links


def keyword_lines(run: Run, found: Gathered, files: Mapping[str, FileState]) -> dict[str, dict[str, int]]:
    """The lines with the keywords by which documents refer to code; no file is read where there are no keywords."""
    if not found.words:
        return {}
    from loregraph.indexer.requirements import keywords

    before = run.state.meta("keywords")
    hits, after = keywords.find(run.root, found.words, _source_hashes(files), before)
    if after != before:
        run.state.put_meta("keywords", after)
        run.state.commit()
    return hits


def _source_hashes(files: Mapping[str, FileState]) -> dict[str, str]:
    """Path → content hash of every source file."""
    return {
        path: file.content_hash
        for path, file in files.items()
        if file.language in registry.SUPPORTED and file.content_hash
    }


def _own_problems(entries: Iterable[FileEntry]) -> list[ReportedProblem]:
    return [ReportedProblem(entry.path, line, message) for entry in entries for line, message in entry.problems]
