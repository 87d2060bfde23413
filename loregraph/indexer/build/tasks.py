"""What a worker is told to do with a file; apart from the workers, so that a run without one loads no parser."""

from __future__ import annotations

import msgspec


class Task(msgspec.Struct, array_like=True):
    """A file to extract. `known_hash` is its content hash when last extracted; the same content is not extracted again.
    `document` files are read and hashed only. `origin` is what attributes say of it: see `attributes.origins`. Without
    `texts` none to embed are made."""

    path: str
    language: str
    known_hash: str = ""
    document: bool = False
    origin: str = ""
    texts: bool = True
