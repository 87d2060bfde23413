"""SCIP indexes of others, which are not trusted: read by document and by occurrence, within bounds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from loregraph.errors import BadScipError, UsageError
from loregraph.scip import schema
from loregraph.scip.wire import WireError, fields_of, messages_in

MOST_BYTES: Final = 4 << 30
"""Size of an index that is read."""
MOST_DOCUMENT: Final = 64 << 20
"""Size of one document."""
MOST_OCCURRENCE: Final = 1 << 20
"""Size of one occurrence with what is said of it; larger ones are passed over."""
LONGEST_SYMBOL: Final = 4_096
"""Characters of a symbol; occurrences of longer ones are passed over."""
_CHUNK: Final = 1 << 20


class Place(NamedTuple):
    """An occurrence within one line: `line` from 0, columns in the units of its document, the symbol and its roles."""

    line: int
    start: int
    end: int
    symbol: str
    roles: int

    @property
    def defines(self) -> bool:
        return bool(self.roles & schema.DEFINITION)


class Document(NamedTuple):
    """One file of an index. `text` is its content, "" where the index does not have it."""

    path: str
    encoding: int
    text: str
    content: bytes

    def places(self) -> Iterator[Place]:
        """The occurrences within one line, in the order of the index. Raises `WireError`, and the runtime's error for
        malformed ones, as `ScipFile.documents` says."""
        occurrence = schema.messages().Occurrence
        for number, content in fields_of(self.content):
            if number == schema.OCCURRENCES and isinstance(content, bytes) and len(content) <= MOST_OCCURRENCE:
                place = _place(occurrence.FromString(content))
                if place is not None:
                    yield place


# Implements REQ-EXC-004.
class ScipFile:
    """An index in a file. Raises UsageError where there is none, BadScipError where it cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.project_root = self.tool = ""
        """What the index says of itself: an address, and the name and version of what made it."""
        digest = blake2b(digest_size=16)
        with self._open() as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
            self.digest = digest.hexdigest()
            file.seek(0)
            for number, content in self._guarded(messages_in(file, MOST_DOCUMENT)):
                if number == schema.METADATA:
                    self._metadata(content)
                break  # it has to be the first field

    def documents(self) -> Iterator[Document]:
        """The documents, one in memory at a time."""
        with self._open() as file:
            for number, content in self._guarded(messages_in(file, MOST_DOCUMENT)):
                if number == schema.DOCUMENTS:
                    yield self._document(content)

    def places(self, document: Document) -> Iterator[Place]:
        """The occurrences of a document."""
        return self._guarded(document.places())

    def check(self) -> None:
        """Reads everything once: what comes after does not fail in the middle."""
        for document in self.documents():
            for _ in self.places(document):
                pass

    def folder_in(self, root: Path) -> str:
        """The folder that paths of the index begin at, relative to `root`: what the index says where that is below
        `root`, else `root` itself, as of an index that another machine made. POSIX, "" for `root`."""
        address = urlsplit(self.project_root)
        said = unquote(address.path) if address.scheme == "file" else ""
        inside = PurePosixPath(said.rstrip("/")) if said else None
        if inside is None or ".." in inside.parts or not inside.is_relative_to(root.as_posix()):
            return ""
        below = inside.relative_to(root.as_posix()).as_posix()
        return "" if below == "." else below

    def _open(self) -> BinaryIO:
        try:
            # Opening a FIFO without a writer would block for ever.
            descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise UsageError(f"{self.path} cannot be read: {error.strerror or error}", "name a SCIP index") from error
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            os.close(descriptor)
            why = f"it has {status.st_size:,} bytes" if stat.S_ISREG(status.st_mode) else "it is no file"
            raise BadScipError(self.path, why)
        return os.fdopen(descriptor, "rb")

    def _metadata(self, content: bytes) -> None:
        for metadata in self._guarded(map(schema.messages().Metadata.FromString, (content,))):
            self.project_root = metadata.project_root[:LONGEST_SYMBOL]
            self.tool = f"{metadata.tool_info.name} {metadata.tool_info.version}"[:100].strip()

    def _document(self, content: bytes) -> Document:
        path, encoding, text = b"", 0, b""
        for number, value in self._guarded(fields_of(content)):
            if number == schema.RELATIVE_PATH and isinstance(value, bytes):
                path = value
            elif number == schema.TEXT and isinstance(value, bytes):
                text = value
            elif number == schema.POSITION_ENCODING and isinstance(value, int):
                encoding = value
        return Document(path.decode("utf-8", "replace"), encoding, text.decode("utf-8", "replace"), content)

    def _guarded(self, found: Iterator[Any]) -> Iterator[Any]:
        """`found`, with one error for everything that may be wrong with the bytes."""
        from google.protobuf.message import DecodeError

        try:
            yield from found
        except (WireError, DecodeError, UnicodeDecodeError) as error:
            raise BadScipError(self.path, str(error)) from error
        except OSError as error:
            raise BadScipError(self.path, error.strerror or str(error)) from error


def is_inside(path: str) -> bool:
    """Whether a path of an index is one below its root, in the one form that the schema allows."""
    return bool(path) and "\0" not in path and "\\" not in path and not {"", ".", ".."} & {*path.split("/")}


def _place(occurrence: Any) -> Place | None:
    at = occurrence.range
    symbol: str = occurrence.symbol
    if not 3 <= len(at) <= 4 or not symbol or len(symbol) > LONGEST_SYMBOL or (len(at) == 4 and at[2] != at[0]):
        return None
    line, start, end = at[0], at[1], at[-1]
    return Place(line, start, end, symbol, occurrence.symbol_roles) if line >= 0 and 0 <= start <= end else None
