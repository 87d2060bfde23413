"""Values that the state has deflated, inflated within a bound: a state may come from elsewhere."""

from __future__ import annotations

import zlib
from typing import Final

from loregraph.errors import DamagedStoreError

MOST: Final = 256 << 20
"""Maximum bytes of one value: a file of 64 MB, the largest that can be configured, has less."""


def inflated(blob: bytes) -> bytes:
    """The value that `zlib.compress` made `blob` of. Raises DamagedStoreError for anything else, and beyond `MOST`."""
    inflater = zlib.decompressobj()
    try:
        value = inflater.decompress(blob, MOST)
    except zlib.error as error:
        raise _damaged(str(error)) from error
    if not inflater.eof or inflater.unused_data:
        raise _damaged("a value does not end where it should")
    return value


def _damaged(what: str) -> DamagedStoreError:
    return DamagedStoreError(f"the store is damaged: {what}", "run `loregraph index`: it is built again")
