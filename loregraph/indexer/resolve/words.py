"""What of a file's words is kept with its trace: what an edit elsewhere reaches is known without its facts."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from loregraph.indexer.resolve.differences import mentions
from loregraph.indexer.resolve.model import FileIndex
from loregraph.indexer.resolve.records import Words

STORED: Final = "="
DEFINED: Final = "d"


def words(file: FileIndex) -> Words:
    """What is kept of a file. `file` is as `build_index` made it."""
    known = {digest(DEFINED, definition.name) for definition in file.facts.definitions}
    known.update(digest(STORED, store.name) for store in file.stores if store.name is not None)
    return Words(mentions(file.facts), b"".join(sorted(known)))


def digest(kind: str, name: str) -> bytes:
    """8 bytes for a name that is known in a way."""
    return blake2b(f"{kind}{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
