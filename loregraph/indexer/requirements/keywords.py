"""The places of keywords by which documents refer to code: doorstop's `ref:`, and `keyword:` of its `references:`.

Doorstop searches every file of the working copy for the first line with the word (`reference_finder.py`). Here only
source files are searched, each once per content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from loregraph.indexer.requirements.model import Document

MAX_KEYWORDS: Final = 200
"""Maximum number of different keywords, in the order of their documents."""
MAX_KEYWORD: Final = 200
"""Maximum characters of a keyword; longer ones are left out."""
MAX_FILES: Final = 20
"""Maximum files stored per keyword: a word with more is just as meaningless."""

Hits = Mapping[str, Mapping[str, int]]
"""Keyword → path → the first line that has it."""


class Found(msgspec.Struct, array_like=True, frozen=True):
    """The matches in a file with this content: keyword → line."""

    content_hash: str
    lines: dict[str, int] = {}


class Known(msgspec.Struct, array_like=True, frozen=True):
    """The matches in every file for these keywords."""

    words: tuple[str, ...] = ()
    files: dict[str, Found] = {}


def wanted(documents: Iterable[Document]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keywords by which documents refer to code, each once, and those beyond the limits."""
    words = dict.fromkeys(trace.keyword for document in documents for trace in document.traces if trace.keyword)
    short = [word for word in words if len(word) <= MAX_KEYWORD and word.strip()]
    kept = tuple(short[:MAX_KEYWORDS])
    return kept, tuple(word for word in words if word not in kept)


def find(
    root: Path, words: tuple[str, ...], hashes: Mapping[str, str], before: bytes | None
) -> tuple[dict[str, dict[str, int]], bytes]:
    """The places of `words`, and what to store for the next run.

    `hashes` maps the path of each source file to its content hash, `before` was stored by an earlier run.
    """
    known = _decoded(before)
    known = known if known.words == words else Known(words)
    files: dict[str, Found] = {}
    for path, digest in sorted(hashes.items()):
        own = known.files.get(path)
        files[path] = own if own is not None and own.content_hash == digest else Found(digest, _in(root / path, words))
    hits: dict[str, dict[str, int]] = {word: {} for word in words}
    for path, found in files.items():
        for word, line in found.lines.items():
            if len(hits[word]) < MAX_FILES:
                hits[word][path] = line
    return hits, msgspec.msgpack.encode(Known(words, files))


def _decoded(before: bytes | None) -> Known:
    try:
        return msgspec.msgpack.decode(before, type=Known) if before is not None else Known()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Known()


def _in(path: Path, words: Iterable[str]) -> dict[str, int]:
    try:
        data = path.read_bytes()
    except OSError:  # removed since it was listed
        return {}
    found: dict[str, int] = {}
    for word in words:
        place = _place(data, word.encode())
        if place >= 0:
            found[word] = data.count(b"\n", 0, place) + 1
    return found


def _place(data: bytes, word: bytes) -> int:
    """The position of `word` as a whole word; -1 where there is none."""
    place = data.find(word)
    while place >= 0:
        before, after = data[place - 1 : place], data[place + len(word) : place + len(word) + 1]
        if not (_joins(before, word[:1]) or _joins(word[-1:], after)):
            return place
        place = data.find(word, place + len(word))
    return -1


def _joins(one: bytes, other: bytes) -> bool:
    return _is_word(one) and _is_word(other)


def _is_word(byte: bytes) -> bool:
    return bool(byte) and (byte.isalnum() or byte == b"_" or byte >= b"\x80")
