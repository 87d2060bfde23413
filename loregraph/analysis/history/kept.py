"""The history as it is kept in a store, so that git is only asked for what is new."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from loregraph import git
from loregraph.analysis.history.past import Past, continued, past
from loregraph.errors import DamagedStoreError, StoreBusyError, StoreError
from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import State, with_state

_KEY: Final = "history"
_FORM: Final = 1
"""Raised when a history says something else than before of the same commits."""
_WAIT_SECONDS: Final = 0.2
"""For a writer: what cannot be kept now is computed again."""


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    form: int
    past: Past


# Implements REQ-HIS-006.
def history(root: Path, store: StoreFolder) -> Past:
    """The history of `root` up to HEAD: as kept in `store`, with what was committed since; it is kept again unless
    another process is writing or the store cannot be written."""
    head = git.head(root)
    if head is None:
        return past(root)
    known = _kept(store)
    shallow = git.is_shallow(root)
    if known is not None and known.shallow == shallow:
        if known.head == head:
            return known
        found = continued(root, known) or past(root)
    else:
        found = past(root)
    if not found.refusal:
        _keep(store, found)
    return found


def _kept(store: StoreFolder) -> Past | None:
    try:
        state = store.open_state(counted=False)
        if state is None:
            return None
        with state:
            saved = state.meta(_KEY)
        kept = None if saved is None else msgspec.msgpack.decode(saved, type=_Kept)
    except (DamagedStoreError, msgspec.MsgspecError):  # the next index run mends it
        return None
    return kept.past if kept is not None and kept.form == _FORM else None


def _keep(store: StoreFolder, found: Past) -> None:
    saved = msgspec.msgpack.encode(_Kept(_FORM, found))
    with suppress(StoreBusyError, StoreError), store.writer(_WAIT_SECONDS) as folder:
        if folder.current() is not None:

            def put(state: State) -> None:
                folder.bind(state)
                state.put_meta(_KEY, saved)

            with_state(folder.state_path, put)
