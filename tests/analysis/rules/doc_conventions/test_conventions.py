"""Every convention's own examples, and which convention a comment shows."""

from __future__ import annotations

import pytest

from loregraph.analysis.rules.doc_conventions import CONVENTIONS, LANGUAGES, convention_of, documented_parameters
from loregraph.analysis.rules.doc_conventions.comments import Comment, comment_of
from loregraph.analysis.rules.doc_conventions.convention import Convention, Example
from loregraph.indexer.languages.registry import BY_NAME

GOOD = [pytest.param(c, e, id=f"{c.name}: {e.text[:40]!r}") for c in CONVENTIONS.values() for e in c.good]
BAD = [pytest.param(c, e, id=f"{c.name}: {e.text[:40]!r}") for c in CONVENTIONS.values() for e in c.bad]


# Verifies REQ-CON-005.
@pytest.mark.parametrize(("convention", "example"), GOOD)
def test_what_it_names(convention: Convention, example: Example) -> None:
    assert convention.shows(example.text)
    assert tuple(convention.parameters(example.text)) == example.parameters
    using = [one for one in LANGUAGES if convention in map(CONVENTIONS.get, BY_NAME[one].documentation.conventions)]
    assert using
    for language in using:
        for opening in convention.openings:
            found = convention_of(language, Comment(opening, example.text))
            assert found is None or found is convention


@pytest.mark.parametrize(("convention", "example"), BAD)
def test_what_names_nothing(convention: Convention, example: Example) -> None:
    assert example.parameters == ()
    assert tuple(convention.parameters(example.text)) == ()


def test_every_convention_has_examples_of_both_sorts_and_an_indexed_language() -> None:
    assert [c.name for c in CONVENTIONS.values() if not c.good or not c.bad] == []
    assert {name for one in LANGUAGES for name in BY_NAME[one].documentation.conventions} == CONVENTIONS.keys()


@pytest.mark.parametrize(
    ("language", "opening", "text", "names"),
    [
        ("php", "/**", "@param int $x", ("$x",)),
        ("php", "/*", "@param int $x", ()),
        ("javascript", "//", "@param {int} x", ()),
        ("cpp", "///", "\\param x it", ("x",)),
        ("cpp", "///", '<param name="x">it</param>', ("x",)),
        ("cpp", "///", '<param name="x">it</param>\n\\param y it', ()),
        ("cpp", "//!", '<param name="x">it</param>', ()),
        ("python", '"""', ":param x: it\n\nArgs:\n    y: other", ()),
        ("python", '"""', "@param x: it", ()),
        ("go", "//", "@param x it", ()),
        ("csharp", "///", "@param x it", ()),
        ("lua", "--", "@param x it", ()),
    ],
)
def test_one_convention_is_told_by_language_mark_and_text(
    language: str, opening: str, text: str, names: tuple[str, ...]
) -> None:
    assert documented_parameters(language, Comment(opening, text)) == names


@pytest.mark.parametrize(
    ("language", "source", "line", "comment"),
    [
        ("java", "/** It.\n *  more\n */\nint x;", 4, Comment("/**", " It.\n more")),
        ("java", "/**\n * It.\n */\n\n@Test\nint x;", 6, Comment("/**", "\nIt.")),
        ("rust", "//! no\n/// It.\n/// more\n#[inline]\nfn f() {}", 5, Comment("///", "It.\nmore")),
        ("c", "int a; /* of a */\nint f();", 2, None),
        ("c", "*/\nint f();", 2, None),
        ("csharp", "// no\nvoid F() {}", 2, None),
        ("ruby", "# It.\n#   more\ndef f\nend", 3, Comment("#", "It.\n  more")),
        ("lua", "--- It.\n-- more\nfunction f() end", 3, Comment("---", "It.\nmore")),
        ("lua", "--[[--\nIt.\n]]\nfunction f() end", 4, Comment("--[[", "\nIt.\n")),
        (
            "python",
            'def f(\n    x,\n):\n    r"""It.\n\n    Args:\n        x: it\n    """',
            1,
            Comment('"""', "It.\n\nArgs:\n    x: it\n"),
        ),
        ("javascript", "// @param x\nfunction f() {}", 2, None),
        ("kotlin", "fun f() {}", 1, None),
    ],
)
def test_a_comment_as_it_is_written(language: str, source: str, line: int, comment: Comment | None) -> None:
    lines = source.split("\n")
    assert comment_of(lines, line, len(lines), language) == comment


@pytest.mark.parametrize(
    "piece",
    ["@param {", "@param (", "@param '", "@param array<", "<c>", "<!--", "@param [", ":param a:b", "# Arguments\n"],
)
def test_a_hostile_text_claims_nothing(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    claimed = {
        documented_parameters(language, Comment(opening, text))
        for language in LANGUAGES
        for opening in ("/**", "///", '"""', "#", "---")
    }
    assert claimed == {()}
