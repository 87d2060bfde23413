"""The words of a file that are stored with its trace, so that the reach of an edit elsewhere is known without the
file's facts."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from loregraph.indexer.resolve.differences import mentions
from loregraph.indexer.resolve.model import FileIndex
from loregraph.indexer.resolve.records import Words

STORED: Final = "="
DEFINED: Final = "d"


def words(file: FileIndex) -> Words:
    """The words of a file. `file` is as `build_index` made it."""
    known = {digest(DEFINED, definition.name) for definition in file.facts.definitions}
    known.update(digest(STORED, store.name) for store in file.stores if store.name is not None)
    return Words(mentions(file.facts), b"".join(sorted(known)))


def digest(kind: str, name: str) -> bytes:
    """8 bytes for a name that is known in some way."""
    return blake2b(f"{kind}{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
