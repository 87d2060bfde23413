"""XML of coverage tools by events, with Python's own expat: bounded memory, no entities, nothing fetched.

Cobertura's and JaCoCo's reports name a document type, so that alone is no reason to refuse one; expat does not read it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final
from xml.parsers import expat

from loregraph.runs import reading

_DEEPEST: Final = 200
_LONGEST: Final = 4_000_000
"""Bytes of one tag or text that expat may hold back."""
_CHUNK: Final = 1 << 18

Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]


class WrongXmlError(Exception):
    """Raised by handlers for XML of another kind; the message is the reason."""


class Events:
    """Reads a file step by step: `step` passes on what the next part of the file has."""

    def __init__(self, path: Path, start: Start, end: End, text: Callable[[str], None] | None = None) -> None:
        self._path = path
        self._start, self._end = start, end
        self._depth = 0
        self._read = 0
        parser = self._parser = expat.ParserCreate()
        parser.StartElementHandler = self._opened
        parser.EndElementHandler = self._closed
        parser.StartDoctypeDeclHandler = _doctype
        parser.EntityDeclHandler = _entity
        if text is not None:
            parser.CharacterDataHandler = text
        self._file = reading.opened(path)

    def step(self) -> bool:
        """False at the end of the file. Raises RunFileError for a file that is not well-formed or not accepted."""
        block = self._file.read(_CHUNK)
        self._read += len(block)
        try:
            self._parser.Parse(block, not block)
            if self._read - max(self._parser.CurrentByteIndex, 0) > _LONGEST:
                raise WrongXmlError(f"a tag or text of more than {_LONGEST:,} bytes")
        except expat.ExpatError as error:
            self.close()
            why = f"not well-formed XML: {expat.ErrorString(error.code)}"
            raise reading.refused(self._path, why, error.lineno) from error
        except (WrongXmlError, LookupError, ValueError) as error:
            self.close()
            raise reading.refused(self._path, str(error), self._parser.CurrentLineNumber) from error
        if not block:
            self.close()
        return bool(block)

    def close(self) -> None:
        self._file.close()

    def _opened(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise WrongXmlError(f"elements in more than {_DEEPEST} others")
        self._start(tag, attributes)

    def _closed(self, tag: str) -> None:
        self._depth -= 1
        self._end(tag)


def number(attributes: dict[str, str], name: str) -> int:
    """The attribute as a number that is not negative. Raises WrongXmlError for any other."""
    text = attributes.get(name, "")
    if not text.isascii() or not text.isdigit() or len(text) > 20:
        raise WrongXmlError(f"{name} is {text[:40]!r}, not a number")
    return int(text)


def _doctype(name: str, system: str | None, public: str | None, internal: bool) -> None:
    if internal:
        raise WrongXmlError("its document type defines something, which no coverage report does")


def _entity(*_: object) -> None:
    raise WrongXmlError("it defines entities, which no coverage report does")
