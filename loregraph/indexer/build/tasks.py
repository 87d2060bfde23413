"""The tasks of workers; a separate module, so that a run without workers loads no parser."""

from __future__ import annotations

import msgspec


class Task(msgspec.Struct, array_like=True):
    """A file to extract. `known_hash` is its content hash at the last extraction; identical content is not extracted
    again. `document` files are only read and hashed. `origin` is the file's origin by attributes: see
    `attributes.origins`. With `texts`, texts for embedding are made."""

    path: str
    language: str
    known_hash: str = ""
    document: bool = False
    origin: str = ""
    texts: bool = True
