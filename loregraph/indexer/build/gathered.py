"""What the files say as a whole: problems, whether documents define requirements, what documents and commits point to.

It is read off all of them once, and kept in the state until one of them changes.
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
"""Where the state keeps it."""


class Gathered(msgspec.Struct, frozen=True):
    """What is read off the files that are kept."""

    problems: tuple[ReportedProblem, ...] = ()
    has_documents: bool = False
    """Whether a document defines a requirement or a design."""
    words: tuple[str, ...] = ()
    """What documents point to code by, and those of it that are past the bounds: see `requirements.keywords`."""
    unsought: tuple[str, ...] = ()


def gathered(state: State) -> Gathered:
    """What the files of the state say, read anew where it is not kept."""
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
    """Has all read again."""
    state.put_meta(_META, None)


def update(state: State, changed: set[str], before: Mapping[str, FileState], after: Mapping[str, FileState]) -> None:
    """Brings what is kept up to date with the files `changed`: only documents say more than their own problems."""
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
    """What commits say of requirements; git is not asked where no document defines one."""
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
    """On which lines the words are that documents point to code by; no file is read where none does."""
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
