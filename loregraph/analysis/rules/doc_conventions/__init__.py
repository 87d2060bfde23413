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
from loregraph.indexer.languages import registry

CONVENTIONS: Final[dict[str, Convention]] = {
    module.__name__.rpartition(".")[2]: module.CONVENTION
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
}
"""Name, as a language's `Documentation.conventions` has it → the convention."""
LANGUAGES: Final = registry.where(lambda language: bool(language.documentation.conventions))
"""Dart, Elixir, Go, Haskell, Bash and Zig have no convention that names parameters."""


# Implements REQ-CON-005.
def convention_of(language: str, comment: Comment) -> Convention | None:
    """The convention that a comment shows: None where none is known, or where several could be meant."""
    text = comment.text[:MAX_TEXT]
    found = [
        convention
        for convention in map(CONVENTIONS.__getitem__, registry.BY_NAME[language].documentation.conventions)
        if comment.opening in convention.openings and convention.shows(text)
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
