"""Checks the labels and relationships in a statement against those that a graph has, and finds out which parts of the
graph have to be updated before the statement runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.errors import QueryFailedError, unknown_name
from loregraph.graph.cypher import Token, tokens_of
from loregraph.graph.model import LABELS, RELATIONSHIPS

_CLOSES = {")": "(", "]": "[", "}": "{"}
_AUTHORED: Final = re.compile(r"\b(?:Memory|ABOUT|RELATES_TO|SUPERSEDES|Requirement|IMPLEMENTS_REQ)\b", re.IGNORECASE)
_COPIES: Final = re.compile(r"\bSIMILAR_TO\b", re.IGNORECASE)
_HISTORY: Final = re.compile(r"\bCO_CHANGES\b|[.{,]\s*+`?(?:commits|authors)\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"[(\[]\s*+`?\w*+`?\s*+:")


def asks_for_authored(cypher: str) -> bool:
    """Whether a statement may concern authored content (memories, links to requirements): it names it, or it names no
    label at all."""
    return bool(_AUTHORED.search(cypher)) or not _NAMED.search(cypher)


def asks_for_copies(cypher: str) -> bool:
    """Whether a statement, or the name of a relationship, concerns SIMILAR_TO, which is only computed on demand."""
    return bool(_COPIES.search(cypher))


def asks_for_history(cypher: str) -> bool:
    """Whether a statement, or the name of a relationship, may concern what git's history says of the code: CO_CHANGES
    and the properties `commits` and `authors`, which are only computed on demand."""
    return bool(_HISTORY.search(cypher))


# Implements REQ-QRY-001.
def check_names(cypher: str) -> None:
    """Raises QueryFailedError with the nearest valid name for an unknown label or relationship in a pattern. The
    statement has passed `cypher.check_read_only`. The engine ignores case."""
    labels = {label.casefold() for label in LABELS}
    relationships = {rel.casefold() for rel in RELATIONSHIPS}
    for name, is_label in _named(tokens_of(cypher)):
        if name.casefold() not in (labels if is_label else relationships):
            what, known = ("label", LABELS) if is_label else ("relationship", tuple(RELATIONSHIPS))
            error = unknown_name(what, name, known)
            raise QueryFailedError(error.message, error.suggestion)


def check_names_as_written(tokens: list[Token]) -> None:
    """As `check_names`, for an engine to which case matters: a name in another case is unknown, too."""
    for name, is_label in _named(tokens):
        what, known = ("label", LABELS) if is_label else ("relationship", tuple(RELATIONSHIPS))
        if name not in known:
            error = unknown_name(what, name, known)
            raise QueryFailedError(error.message, error.suggestion)


def _named(tokens: list[Token]) -> Iterator[tuple[str, bool]]:
    """(name, whether it is a label) for each name after a colon in the brackets of a node or relationship, including
    alternatives after bars."""
    open_: list[str] = []
    last = -1
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else None
        if token.kind == "sign" and token.text in "([{":
            is_path = token.text == "[" and before is not None and before.text in ("-", "<-")
            open_.append("-[" if is_path else token.text)
        elif token.kind == "sign" and token.text in _CLOSES and open_:
            open_.pop()
        elif token.kind in ("word", "quoted") and open_ and open_[-1] in ("(", "-[") and before is not None:
            sign = before.text
            if sign == ":" and tokens[i - 2].text == "|":
                sign = "|"  # [:CALLS|:TESTS]
            if sign == ":" or (sign == "|" and last == (i - 2 if before.text == "|" else i - 3)):
                last = i
                yield token.text.strip("`"), open_[-1] == "("
