"""Documentation conventions, and which of them a comment is written in."""

from __future__ import annotations

from typing import Final

from loregraph.analysis.rules.doc_conventions import (
    doxygen,
    emmylua,
    google,
    javadoc,
    jsdoc,
    kdoc,
    numpy_docs,
    phpdoc,
    rustdoc,
    sphinx,
    swift_docs,
    xml_docs,
    yard,
)
from loregraph.analysis.rules.doc_conventions.comments import Comment
from loregraph.analysis.rules.doc_conventions.convention import MAX_TEXT, Convention

CONVENTIONS: Final[tuple[Convention, ...]] = tuple(
    module.CONVENTION
    for module in (
        phpdoc,
        javadoc,
        kdoc,
        jsdoc,
        doxygen,
        xml_docs,
        rustdoc,
        sphinx,
        google,
        numpy_docs,
        yard,
        emmylua,
        swift_docs,
    )
)
"""Dart, Elixir, Go, Haskell, Bash and Zig have no convention that names parameters."""
LANGUAGES: Final = frozenset(language for convention in CONVENTIONS for language in convention.languages)


# Implements REQ-CON-005.
def convention_of(language: str, comment: Comment) -> Convention | None:
    """The convention that a comment shows: None where none is known, or where several could be meant."""
    text = comment.text[:MAX_TEXT]
    found = [
        convention
        for convention in CONVENTIONS
        if language in convention.languages and comment.opening in convention.openings and convention.shows(text)
    ]
    return found[0] if len(found) == 1 else None


def documented_parameters(language: str, comment: Comment) -> tuple[str, ...]:
    """The names that a comment claims to be parameters, each once, in order."""
    convention = convention_of(language, comment)
    text = comment.text
    if len(text) > MAX_TEXT:
        # The last line may be cut in the middle of a name.
        text = text[:MAX_TEXT].rpartition("\n")[0]
    return tuple(dict.fromkeys(convention.parameters(text))) if convention else ()
