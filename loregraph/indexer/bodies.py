"""Where the bodies of functions begin, which no node says: the line of a declaration is not one of what it declares."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from loregraph.indexer.extract.file import extract_with_spans
from loregraph.indexer.facts import is_node
from loregraph.indexer.languages import registry

_BEFORE: Final = frozenset(b" \t\r\n\f{:=>")
"""What may stand between a header and the first word of a body."""
_FUNCTIONS: Final = frozenset(("function", "method", "constructor", "getter", "setter", "lambda", "macro"))


class Body(Struct, frozen=True):
    """A function's lines (1-based, inclusive). `id` and `content_hash` are those of its node; `body_line` is the first
    line with code of the body and nothing of the header, after `end_line` where there is none; `qualname` is without
    the numbers that tell two of one name apart."""

    id: str
    kind: str
    name: str
    qualname: str
    start_line: int
    body_line: int
    end_line: int
    content_hash: str


def bodies(path: str, source: bytes, language: str) -> tuple[Body, ...]:
    """The functions of a file, as indexing finds them, outer before inner. `source` is normalised
    (`source.read_source`).

    Empty for a language that is not parsed, and for a file without a tree.
    """
    if language not in registry.SUPPORTED:
        return ()
    facts, spans = extract_with_spans(path, source, language)
    found = []
    for definition, (start, end) in zip(facts.definitions, spans, strict=False):
        if definition.kind not in _FUNCTIONS or not is_node(definition.kind, definition.flags):
            continue
        first = start
        while first < end and source[first] in _BEFORE:
            first += 1
        header_end = start
        while header_end > definition.start_byte and source[header_end - 1] in _BEFORE:
            header_end -= 1
        header_line = definition.start_line + source.count(b"\n", definition.start_byte, header_end)
        line = definition.start_line + source.count(b"\n", definition.start_byte, first)
        found.append(
            Body(
                f"{path}::{definition.qualname}",
                definition.kind,
                definition.name,
                ".".join(part.partition("#")[0] for part in definition.qualname.split(".")),
                definition.start_line,
                line + 1 if line == header_line else line,
                definition.end_line,
                definition.content_hash,
            )
        )
    return tuple(found)
