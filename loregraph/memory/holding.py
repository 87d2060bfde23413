"""One journal with its derived data: lexical index, vectors, counters."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from loregraph.memory.access import AccessCounts
from loregraph.memory.journal import Journal
from loregraph.memory.record import Memory
from loregraph.memory.texts import TextIndex
from loregraph.rooted import base_of

if TYPE_CHECKING:
    from loregraph.graph.embedders import Embedder
    from loregraph.memory.vectors import VectorTable


class Words:
    """A lexical index of the memories that are not deleted; updated on use."""

    def __init__(self, text: Callable[[Memory], str]) -> None:
        self._text = text
        self._index = TextIndex()
        self._behind: set[str] | None = None
        """Ids to look at again; None: all."""

    def changed(self, ids: Iterable[str] | None) -> None:
        if ids is None:
            self._behind = None
        elif self._behind is not None:
            self._behind.update(ids)

    def of(self, journal: Journal) -> TextIndex:
        if self._behind is None:
            self._index.clear()
            self._behind = {memory.id for memory in journal.all()}
        for memory_id in self._behind:
            memory = journal.current(memory_id)
            if memory is None or memory.state == "deleted":
                self._index.drop(memory_id)
            else:
                self._index.put(memory_id, self._text(memory))
        self._behind = set()
        return self._index


class Holding:
    """The journal at `path`, its lexical index, its vectors and its counters.

    `root` is the project's: within it, nothing is reached through a link.
    """

    def __init__(self, path: Path, root: Path | None = None) -> None:
        self.path = path
        self.base = base_of(path, root)
        self.counts = AccessCounts(path.with_name(path.name + ".access"), self.base)
        self.threads = threading.RLock()
        self._searched = Words(text_of)
        self._said = Words(lambda memory: memory.content)
        self._vectors: VectorTable | None = None
        self._linked: dict[str, dict[str, set[str]]] | None = None
        self.journal = Journal(path, self._changed, self.base)

    def _changed(self, ids: Iterable[str] | None) -> None:
        ids = None if ids is None else tuple(ids)
        self._linked = None
        self._searched.changed(ids)
        self._said.changed(ids)

    def refresh(self) -> None:
        """Reads what other processes wrote."""
        with self.threads:
            self.journal.refresh()
            self.counts.refresh()

    def index(self) -> TextIndex:
        """The searched text of all memories that are not deleted. Only under `threads`."""
        return self._searched.of(self.journal)

    def contents(self) -> TextIndex:
        """The content alone, without tags and category, of all memories that are not deleted. Only under `threads`."""
        return self._said.of(self.journal)

    def vectors(self, embedder: Embedder) -> VectorTable:
        """The vectors of the journal's memories by `embedder`."""
        if self._vectors is None or self._vectors.embedder is not embedder:
            from loregraph.memory.vectors import VectorTable

            self._vectors = VectorTable(self.path.with_name(self.path.name + ".vectors"), embedder, self.base)
        return self._vectors

    def linked_from(self, memory_id: str) -> dict[str, set[str]]:
        """Type → memories that are not deleted and link to `memory_id`. Only under `threads`."""
        if self._linked is None:
            self._linked = {}
            for memory in self.journal.all():
                if memory.state != "deleted":
                    for link in memory.relationships:
                        self._linked.setdefault(link.target_id, {}).setdefault(link.type, set()).add(memory.id)
        return self._linked.get(memory_id, {})

    def close(self) -> None:
        """Writes the pending access counters."""
        self.counts.flush()


def text_of(memory: Memory) -> str:
    """The searched text of a memory."""
    return "\n".join(filter(None, (memory.content, memory.category, " ".join(memory.tags))))
