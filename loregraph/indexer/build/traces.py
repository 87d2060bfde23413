"""Stores the traces of a full solve in the state, and solves an edit from them.

Traces belong to the resolution of the current generation. They are written in the transaction that records that
generation's token, and used only if it is the current one, its files are the present ones except for edits, and the
packaging is the same; so the layout is the same, too.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.graph.model import Component
from loregraph.graph.state import FileState, State
from loregraph.indexer.build.edits import Published
from loregraph.indexer.build.workers import inflate_facts
from loregraph.indexer.facts import FileFacts

if TYPE_CHECKING:
    from loregraph.indexer.discover.layout import ProjectLayout
    from loregraph.indexer.resolve import Resolution
    from loregraph.indexer.resolve.again import Again
    from loregraph.indexer.resolve.layout import Layout
    from loregraph.indexer.resolve.records import Words

MAX_TRACE: Final = 64 << 20
"""Maximum bytes of a trace: a store may be foreign, and few bytes may inflate to very many. Real ones have some KB."""
_DEFLATE: Final = 1
"""As for facts: the fastest level."""

_KIND: Final = "traces"
_LAYOUT: Final = "layout"
_SUMMARY: Final = "summary"


class KeptLayout(msgspec.Struct, array_like=True, frozen=True):
    """The part of a layout that does not follow from one family's packaging: the components, and the package that each
    file declares, by path."""

    components: tuple[Component, ...] = ()
    packages: dict[str, str] = {}


def keep_traces(state: State, resolution: Resolution, facts: Mapping[str, FileFacts], layout: ProjectLayout) -> None:
    """Stores the traces of a resolution that solved its files from scratch; those of other files in `facts`, which has
    all, stay. Does not commit."""
    known = facts.keys() - resolution.files.keys() | resolution.traces.keys()
    state.drop_blobs(_KIND, [path for path in state.owners(_KIND) if path not in known])
    put_traces(state, resolution.traces)
    kept = KeptLayout(layout.components, {path: own.package for path, own in facts.items() if own.package})
    state.put_meta(_LAYOUT, msgspec.msgpack.encode(kept))


def kept_layout(state: State) -> KeptLayout | None:
    """The layout at the time the traces were made; None without traces."""
    saved = state.meta(_LAYOUT)
    return msgspec.msgpack.decode(saved, type=KeptLayout) if saved else None


def put_traces(state: State, traces: Mapping[str, bytes]) -> None:
    """Stores new traces of some files, and summaries of families. Does not commit."""
    deflated = {path: zlib.compress(trace, _DEFLATE) for path, trace in sorted(traces.items())}
    for key, blob in deflated.items():
        if _is_summary(key):
            state.put_meta(f"{_SUMMARY}{key}", blob)
    state.put_blobs(_KIND, ((path, blob) for path, blob in deflated.items() if not _is_summary(path)))


def _is_summary(key: str) -> bool:
    """Whether a key is `summary.key_of` a family rather than a path, which never begins with a slash."""
    return key.startswith("/")


def read_trace(state: State, path: str) -> bytes | None:
    """The trace of a file, or the summary of a family; None where none is stored. Raises TraceError for malformed
    data."""
    blob = _deflated(state, path)
    return None if blob is None else _inflated(blob, path)


def read_words(state: State, path: str) -> Words:
    """The words of the trace of a file. Raises TraceError where there is none or it is malformed."""
    from loregraph.indexer.resolve.again import TraceError

    blob = _deflated(state, path)
    if blob is None:
        raise TraceError(path)
    return _words(blob)


@lru_cache(maxsize=1 << 13)
def _words(deflated: bytes) -> Words:
    """Kept for a process that indexes again and again: many edits ask for the words of all files, of which few have
    changed. Django's traces have 8 MB, deflated."""
    from loregraph.indexer.resolve.recording import words_of

    return words_of(_inflated(deflated, "a file"))


def _deflated(state: State, path: str) -> bytes | None:
    if _is_summary(path):
        return state.meta(f"{_SUMMARY}{path}")
    return dict(state.blobs(_KIND, (path,))).get(path)


def _inflated(blob: bytes, path: str) -> bytes:
    from loregraph.indexer.resolve.again import TraceError

    inflater = zlib.decompressobj()
    try:
        trace = inflater.decompress(blob, MAX_TRACE)
    except zlib.error as error:
        raise TraceError(f"the trace of {path} is not deflated: {error}") from error
    if not inflater.eof or inflater.unused_data:
        raise TraceError(f"the trace of {path} does not end where it should")
    return trace


# Implements REQ-IDX-012.
def solved_again(
    state: State,
    files: Mapping[str, FileState],
    before: Mapping[str, Published],
    layout: Callable[[KeptLayout], Layout],
) -> Again | None:
    """The resolution after an edit; None where everything has to be solved from scratch.

    The current generation was made from the files as `before` describes them, and from the rest of `files` as they are
    now; `layout` restores the layout of that time from what is stored of it.
    """
    from loregraph.indexer.build.untouched import changed_families
    from loregraph.indexer.resolve.policies import family_of

    families = changed_families({path: (old.language, files[path].language) for path, old in before.items()})
    if families is None:
        return None
    blobs = dict(state.blobs("facts", before))
    changed: dict[str, FileFacts] = {}
    old_facts: dict[str, FileFacts] = {}
    for path, old in sorted(before.items()):
        blob = blobs.get(path, b"")
        if bool(blob) != bool(old.facts) or old.language != files[path].language:
            return None
        if not blob:
            continue
        was, now = inflate_facts(old.facts), inflate_facts(blob)
        if was.package != now.package:
            return None  # determines where imports of the package lead
        changed[path], old_facts[path] = now, was
    from loregraph.indexer.resolve.again import Again, TraceError, resolve_again

    if not changed:
        return Again({})

    def facts(path: str) -> FileFacts:
        return inflate_facts(dict(state.blobs("facts", (path,)))[path])

    languages = {path: files[path].language for path in state.owners("facts")}
    affected = {language for language in set(languages.values()) if family_of(language) in families}
    languages = {path: language for path, language in languages.items() if language in affected}
    if not languages.keys() <= set(state.owners(_KIND)):
        return None
    kept = kept_layout(state)
    if kept is None:
        return None
    try:
        found = resolve_again(
            changed,
            old_facts,
            facts,
            languages,
            partial(read_trace, state),
            layout(kept),
            words=partial(read_words, state),
        )
    except TraceError:
        return None
    if found is None or not found.files.keys() >= changed.keys():
        return None
    if not all(path in languages or _is_summary(path) for path in found.traces):
        return None
    return found
