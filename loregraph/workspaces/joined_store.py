"""The store of a workspace: one generation, joined from those of its repositories, in the user's cache.

It is a function of their content: its token names the arrays of each. When one of them has another generation, the
next question joins them again, and readers of the old one keep it until they are done, as in any store.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import DamagedStoreError, NotIndexedError, StoreError
from loregraph.graph.generation import Current, Lease, StoreFolder
from loregraph.user_files import blake2b, cache_folder
from loregraph.workspaces.members import INDEX_IT, Members

JOINING_VERSION: Final = 2
"""Raised when the same generations are joined to another graph."""
_FOLDER: Final = "workspaces"
_SECONDS: Final = 120.0


def joined_store_path(file: Path) -> Path:
    """Where the joined graph of a workspace's file is kept."""
    return cache_folder() / _FOLDER / blake2b(str(file).encode(), digest_size=12).hexdigest()


class JoinedStore(StoreFolder):
    """A store that reads as any other; `current` brings it up to date with its repositories, at one `stat` each."""

    def __init__(self, path: Path, members: Members) -> None:
        super().__init__(path)
        self._members = members
        self._is_joining = False

    def current(self) -> Current | None:
        """As of any store; None where no repository can be asked."""
        if not self._is_joining:
            states = self._members.states()
            if not states:
                return None
            known = self._known()
            if known is None or known.state_token != token_of(states):
                self._join()
        return super().current()

    def lease(self) -> Lease:
        if self.current() is None:
            told = "; ".join(f"{name}: {problem}" for name, problem in self._members.problems.items())
            raise NotIndexedError(f"no repository of the workspace can be asked: {told}", INDEX_IT)
        return super().lease()

    def _known(self) -> Current | None:
        self._is_joining = True
        try:
            return super().current()
        except StoreError:
            return None  # a damaged cache is made again
        finally:
            self._is_joining = False

    # Implements REQ-WSP-002.
    def _join(self) -> None:
        from loregraph.workspaces.joining import join

        self._is_joining = True
        try:
            with self.writer(_SECONDS), ExitStack() as held:
                leases = self._leases(held)
                token = token_of({name: lease.current for name, lease in leases.items()})
                known = self._known()
                self._is_joining = True
                if not leases or (known is not None and known.state_token == token):
                    return  # another process was faster
                building = self.new_generation()
                embedder = join(building, leases)
                self.publish(
                    building,
                    Current(
                        state_token=token,
                        embedder=embedder,
                        similar=all(lease.current.similar for lease in leases.values()),
                    ),
                )
        finally:
            self._is_joining = False

    def _leases(self, held: ExitStack) -> dict[str, Lease]:
        """The generations to join, whole; what is damaged is left out."""
        leases = {}
        for name, current in self._members.states().items():
            try:
                lease = held.enter_context(self._members.store(name).lease())
                lease.verify()
            except (DamagedStoreError, NotIndexedError) as error:
                self._members.is_damaged(name, current, error.message)
                self._members.problems[name] = error.message
            else:
                leases[name] = lease
        return leases


def token_of(states: dict[str, Current]) -> str:
    """Names what a joined graph is made of: content, not when or by whom it was indexed."""
    content = [(name, current.files, current.embedder, current.similar) for name, current in states.items()]
    return blake2b(msgspec.json.encode([JOINING_VERSION, content]), digest_size=16).hexdigest()
