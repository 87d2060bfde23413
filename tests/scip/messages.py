"""Whole SCIP indexes in memory, for tests: written and read by messages of the same schema."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from loregraph.scip import schema
from loregraph.scip.wire import field


def decoded(data: bytes) -> Any:
    """An index with the fields of `Index`, by its outer fields."""
    index = SimpleNamespace(metadata=None, documents=[], external_symbols=[])
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        size, at = _varint(data, at)
        content = data[at : at + size]
        assert number & 7 == 2 and len(content) == size
        at += size
        match number >> 3:
            case schema.METADATA:
                assert index.metadata is None and not index.documents
                index.metadata = schema.messages().Metadata.FromString(content)
            case schema.DOCUMENTS:
                index.documents.append(schema.messages().Document.FromString(content))
            case schema.EXTERNAL_SYMBOLS:
                index.external_symbols.append(schema.messages().SymbolInformation.FromString(content))
    return index


def encoded(*documents: Any, root: str = "file:///project", tool: str = "test") -> bytes:
    """An index with these documents."""
    metadata = schema.messages().Metadata(project_root=root)
    metadata.tool_info.name = tool
    parts = [field(schema.METADATA, metadata.SerializeToString())]
    parts += (field(schema.DOCUMENTS, document.SerializeToString()) for document in documents)
    return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at
