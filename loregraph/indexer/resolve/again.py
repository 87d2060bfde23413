"""Incremental resolution: solves only the files that an edit affects, from what the last full solve recorded.

`resolver.resolve` can record for each file how it interacted with other files: its **trace**. This module solves the
changed files again against the recorded traces of all other files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from loregraph.gc_control import without_collector
from loregraph.graph import model
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages.registry import code_of
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.resolve import rules
from loregraph.indexer.resolve import summary as summaries
from loregraph.indexer.resolve.call_names import UnnameableError
from loregraph.indexer.resolve.edges import EdgeBuilder
from loregraph.indexer.resolve.engine import Limits
from loregraph.indexer.resolve.fact_names import UnknownNameError
from loregraph.indexer.resolve.frozen_types import FrozenTypes
from loregraph.indexer.resolve.hierarchy import common_base
from loregraph.indexer.resolve.index import build_index
from loregraph.indexer.resolve.late_types import is_moved, placed
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.resolve.model import FileIndex
from loregraph.indexer.resolve.policies import are_replayed, family_of, is_summarized, policy_of
from loregraph.indexer.resolve.project import Project, arrange
from loregraph.indexer.resolve.reached import Reach
from loregraph.indexer.resolve.recording import decode, encode
from loregraph.indexer.resolve.records import Message, Placed, Said, Summary, Trace, TypesTrace, Words
from loregraph.indexer.resolve.replay import ActivateError, Replay
from loregraph.indexer.resolve.resolver import (
    FileResolution,
    Resolution,
    cuts,
    demand,
    make_cells,
    prepare,
    together,
    written,
)
from loregraph.indexer.resolve.summary import Kept, Loaded, key_of
from loregraph.indexer.resolve.words import words as words_said

_TYPES: Final = msgspec.msgpack.Decoder(TypesTrace)
SHARE: Final = 0.1
"""Share of all files that may be solved again. Beyond it a full solve costs no more."""
FEW: Final = 12
"""So many files may always be solved again, however small the project is."""


class LateTypes(NamedTuple):
    """How the types of a family changed while values were followed, as recorded: see `late_types.TypesTrace`."""

    placed: Placed
    changes: Mapping[Message, Mapping[str, int]]
    encoded: bytes
    """The trace of these changes."""
    edited: Collection[str]
    """The files edited since the recording."""


class TraceError(ValueError):
    """A malformed trace, not written by `resolver.resolve`: the store is foreign or damaged. The caller solves
    everything."""


class Again(Struct, frozen=True):
    """What an edit changed; whatever is not listed here is as it was before."""

    files: dict[str, FileResolution]
    """The edited files, and every other file whose edges may have changed."""
    externals: tuple[model.External, ...] = ()
    """All external symbols that those edges end at, sorted by id."""
    problems: tuple[PathProblem, ...] = ()
    """The problems of those files."""
    traces: dict[str, bytes] = {}
    """The traces that changed, possibly of more files than `files` has, and the changed summaries of families."""


def resolve_again(
    changed: Mapping[str, FileFacts],
    before: Mapping[str, FileFacts],
    facts: Callable[[str], FileFacts],
    languages: Mapping[str, str],
    traces: Callable[[str], bytes | None],
    layout: Layout,
    *,
    limits: Limits | None = None,
    words: Callable[[str], Words] | None = None,
) -> Again | None:
    """Solves again what an edit affects; None where only a full solve is certain.

    `changed` are the new facts of the edited files, `before` their old ones; each edited file keeps its path, its
    language and the package that it declares. `languages` maps every file of their language families to its language,
    and `facts` and `traces` load the stored data of a file (`traces` also by `summary.key_of` a family),
    `words` that of a trace's words where there is a quicker way. A trace may have been made from facts with other lines
    and offsets than the present ones (than `before` for an edited file), but with the same interface digest. `layout`
    must give the same answers as then. Raises TraceError for a malformed trace.
    """
    families: dict[str, list[str]] = {}
    for path in changed:
        families.setdefault(family_of(languages[path]), []).append(path)
    spoken = {code_of(language) for language in languages.values() if family_of(language) in families}
    if not are_replayed(spoken):
        return None
    kept: dict[str, Trace] = {}

    def blob(path: str) -> bytes:
        found = traces(path)
        if found is None:
            raise TraceError(path)
        return found

    def trace(path: str) -> Trace:
        found = kept.get(path)
        if found is None:
            try:
                found = kept[path] = decode(blob(path))
            except msgspec.DecodeError as error:
                raise TraceError(path) from error
        return found

    held: dict[str, FileFacts] = dict(changed)

    def loaded(path: str) -> FileFacts:
        found = held.get(path)
        if found is None:
            found = held[path] = facts(path)
        return found

    parts: list[Resolution] = []
    with without_collector():
        for family, paths in sorted(families.items()):
            own = {path: None for path, language in languages.items() if family_of(language) == family}
            limit = max(FEW, SHARE * len(own))
            edited = {path: changed[path] for path in paths}
            try:
                active = Reach(edited, before, loaded, blob, list(own), limit, words).found()
            except msgspec.DecodeError as error:
                raise TraceError(family) from error
            if active is None:
                return None
            summary, differs = None, False
            if is_summarized(family):
                summary, differs = _adjusted(traces(key_of(family)), paths, changed, before)
            late: LateTypes | None = None
            if policy_of(languages[paths[0]]).construction.functions_construct:
                late = _late_types(traces(key_of(family)), paths)
            solved: tuple[Replay, EdgeBuilder, dict[str, FileResolution], FrozenTypes | None] | None = None
            while solved is None:
                if len(active) > limit:
                    return None
                try:
                    solved = _attempt(own, active, summary, late, loaded, trace, layout, limits)
                except ActivateError as error:
                    if error.paths <= active:
                        return None
                    active |= error.paths
            replay, collector, found, types = solved
            new: dict[str, bytes] = {}
            try:
                written_anew = types is not None and types.write()
                for path, one in replay.new_traces().items():
                    if path in active:
                        one.words = words_said(replay.project.files[path])
                    new[path] = encode(one)
            except (UnknownNameError, UnnameableError, ActivateError):
                return None
            if summary is not None and (written_anew or differs):
                new[key_of(family)] = summaries.encode(summary)
            if late is not None and replay.placed != late.placed:
                new[key_of(family)] = msgspec.msgpack.encode(TypesTrace(replay.placed, late.encoded))
            told = tuple(problem for problem in cuts(replay) if problem.path in active)
            parts.append(Resolution(found, collector.externals(), told, new))
    whole = together(parts)
    return Again(whole.files, whole.externals, whole.problems, whole.traces)


def _attempt(
    own: Mapping[str, None],
    active: set[str],
    summary: Summary | None,
    late: LateTypes | None,
    facts: Callable[[str], FileFacts],
    trace: Callable[[str], Trace],
    layout: Layout,
    limits: Limits | None,
) -> tuple[Replay, EdgeBuilder, dict[str, FileResolution], FrozenTypes | None]:
    """Solves the active files and returns their edges. Raises ActivateError with the files that have to be solved too;
    without any files where no certain answer is possible."""
    types: FrozenTypes | None = None
    try:
        if summary is not None:
            replay, types = _replayed_alone(own, Kept(summary, active), facts, trace, layout, limits)
        else:
            replay = _replayed(sorted(own), active, late, facts, trace, layout, limits)
        collector = EdgeBuilder(replay)
        found = written(replay, collector, {file.path: file for file in replay.active})
        replay.finish()
        more = replay.differences()
    except (UnknownNameError, UnnameableError) as error:
        raise ActivateError(()) from error
    if replay.unheard:
        raise ActivateError(())
    if more:
        raise ActivateError(more)
    return replay, collector, found, types


def _replayed(
    paths: list[str],
    active: set[str],
    late: LateTypes | None,
    facts: Callable[[str], FileFacts],
    trace: Callable[[str], Trace],
    layout: Layout,
    limits: Limits | None,
) -> Replay:
    """Solves the active files."""
    index = {}
    for path in paths:
        own = facts(path)
        index[path] = build_index(own, policy_of(own.language))
    project = arrange(index, layout)
    files = {index[path]: None for path in sorted(active)}
    changes = late.changes if late is not None else None
    replay = Replay(project, rules.evaluate, common_base, limits, files, trace, preparing=True, changes=changes)
    prepare(replay, index.values())
    if late is not None:
        replay.placed = placed(index.values())
        if is_moved(late.placed, replay.placed, late.edited):
            raise ActivateError(())
    demand(replay, index.values())
    replay.freeze()
    replay.run()
    return replay


def _replayed_alone(
    paths: Collection[str],
    kept: Kept,
    facts: Callable[[str], FileFacts],
    trace: Callable[[str], Trace],
    layout: Layout,
    limits: Limits | None,
) -> tuple[Replay, FrozenTypes]:
    """Like `_replayed`, but does not load files that have nothing to do with the active ones."""

    def load(path: str) -> FileIndex:
        own = facts(path)
        file = build_index(own, policy_of(own.language))
        make_cells(file)
        return file

    files = Loaded(paths, load)
    project = Project(files, layout)
    project.member_names = set(kept.summary.members)
    project.stored_names = set(kept.summary.stored)
    active = {files[path]: None for path in sorted(kept.active)}
    replay = Replay(project, rules.evaluate, common_base, limits, active, trace, preparing=False)
    types = FrozenTypes(kept, replay, files)
    project.accessors = types.accessors
    files.ready = types.loaded
    for file in active:
        types.loaded(file)
    types.find()
    replay.freeze()
    replay.begin()
    types.settle()
    demand(replay, active)
    replay.run()
    return replay, types


def _late_types(blob: bytes | None, edited: Collection[str]) -> LateTypes:
    """What was recorded of the types of a family."""
    if blob is None:
        raise TraceError("no types")
    try:
        found = _TYPES.decode(blob)
        return LateTypes(found.placed, decode(found.changes).inbox, found.changes, edited)
    except msgspec.DecodeError as error:
        raise TraceError("types") from error


def _adjusted(
    blob: bytes | None, paths: list[str], changed: Mapping[str, FileFacts], before: Mapping[str, FileFacts]
) -> tuple[Summary, bool]:
    """The summary with the current names of the edited files, and whether it differs from the stored one."""
    if blob is None:
        raise TraceError("no summary")
    try:
        found = summaries.decode(blob)
    except msgspec.DecodeError as error:
        raise TraceError("summary") from error
    differs = False
    for path in paths:
        was, now = _said(before[path]), _said(changed[path])
        if was != now:
            summaries.add(found, was, -1)
            summaries.add(found, now)
            differs = True
    return found, differs


def _said(facts: FileFacts) -> Said:
    return summaries.said(build_index(facts, policy_of(facts.language)))
