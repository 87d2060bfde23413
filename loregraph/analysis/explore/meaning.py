"""What a text means: a symbol, by exactly its name, or a question in words."""

from __future__ import annotations

from loregraph.errors import AmbiguousSymbolError, NotFoundError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import CODE_LABELS, resolve_number


def symbol_meant(columns: GraphColumns, text: str) -> int | None:
    """The function, class or file that `text` is the id, the qualified name or the unique name of; None for words."""
    if not text.strip() or any(character.isspace() for character in text.strip()):
        return None
    try:
        node = resolve_number(columns, text.removesuffix("()"), CODE_LABELS)
    except (NotFoundError, AmbiguousSymbolError):
        return None
    return node if columns.label(node) != "External" else None
