"""What earlier answers of a session had, so that no source is sent twice."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import Final

MOST: Final = 2_000
"""Symbols remembered of one session: the last ones that were sent."""


# Implements REQ-MCP-014.
class Sent:
    """The lines sent of each symbol, by its id. Thread-safe."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[bytes, frozenset[int]]] = {}
        self._lock = threading.Lock()

    def has(self, id: str, lines: Sequence[str], kept: Collection[int]) -> bool:
        """Whether these lines of the symbol, whose present ones are `lines`, have all been sent as they are now."""
        digest, sent = self._lines.get(id, (b"", frozenset[int]()))
        return bool(sent) and sent.issuperset(kept) and digest == _digest(lines)

    def add(self, id: str, lines: Sequence[str], kept: Collection[int]) -> None:
        digest = _digest(lines)
        with self._lock:
            before, sent = self._lines.pop(id, (b"", frozenset[int]()))
            self._lines[id] = digest, (sent.union(kept) if before == digest else frozenset(kept))
            while len(self._lines) > MOST:
                del self._lines[next(iter(self._lines))]

    def noted(self) -> dict[str, tuple[bytes, frozenset[int]]]:
        """What was sent so far, for `take_back`."""
        with self._lock:
            return dict(self._lines)

    def take_back(self, noted: dict[str, tuple[bytes, frozenset[int]]]) -> None:
        """Forgets what was added since `noted`: that answer was not sent."""
        with self._lock:
            self._lines = dict(noted)


def _digest(lines: Sequence[str]) -> bytes:
    return blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=16).digest()
