"""Markers in examples are none; those around them are."""

from __future__ import annotations

import time

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.requirements.examples import bare, example_lines
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.marker_syntax import marked

IDS = compiled(DEFAULT_PATTERN)

EXAMPLES = {
    "a fence": '"""Marks.\n\n    ```python\n    # Implements: REQ-9\n    ```\n\n    Implements: REQ-1\n    """',
    "a fence of tildes": '"""Marks.\n\n    ~~~\n    # Implements: REQ-9\n    ~~~\n    Implements: REQ-1\n    """',
    "a literal block": '"""Write it so::\n\n        # Implements: REQ-9\n\n    Implements: REQ-1\n    """',
    "a directive": (
        '"""Marks.\n\n    .. code-block:: python\n       :linenos:\n\n       # Implements: REQ-9\n\n'
        '    Implements: REQ-1\n    """'
    ),
    "a doctest": '"""Marks.\n\n    >>> mark("# Implements: REQ-9")\n    [REQ-9]\n\n    Implements: REQ-1\n    """',
    "Markdown's indented code": '"""Marks.\n\n        # Implements: REQ-9\n\n    Implements: REQ-1\n    """',
    "what a sentence announces": (
        '"""A marker looks like this:\n        # Implements: REQ-9\n    Implements: REQ-1\n    """'
    ),
    "Google's section": (
        '"""Marks.\n\n    Examples:\n        # Implements: REQ-9\n\n        Satisfies: REQ-8\n\n'
        '    Implements: REQ-1\n    """'
    ),
    "NumPy's section": (
        '"""Marks.\n\n    Implements: REQ-1\n\n    Examples\n    --------\n    # Implements: REQ-9\n\n'
        '    Notes\n    -----\n    x\n    """'
    ),
    "Javadoc": "/**\n * Marks.\n * <pre>\n *   Implements: REQ-9\n * </pre>\n * Implements: REQ-1\n */",
    "Javadoc in a line": "/** Implements: REQ-1\n * write {@code @req REQ-9} or <code>Implements: REQ-8</code> */",
    "JSDoc": "/**\n * Marks.\n * @example\n * // Implements: REQ-9\n * f();\n * @implements REQ-1\n */",
    "Doxygen": "/**\n * Marks.\n * \\code\n * // Implements: REQ-9\n * \\endcode\n * \\satisfies REQ-1\n */",
    "XML docs": "/// Marks.\n/// <example>\n/// Implements: REQ-9\n/// </example>\n/// Implements: REQ-1",
    "rustdoc": "/// Marks.\n///\n/// ```\n/// // Implements: REQ-9\n/// ```\n/// Implements: REQ-1",
    "Go": "// Marks.\n//\n//     Implements: REQ-9\n//\n// Implements: REQ-1",
}


# Verifies REQ-TRC-002.
@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_marks_nothing(text: str) -> None:
    assert [(m.id, m.kind) for m in marked(text, IDS)] == [("REQ-1", "tag")]


@pytest.mark.parametrize(
    "text",
    [
        '"""Marks.\n\n    Args:\n        x: a thing. Implements: REQ-1\n    """',
        '"""Marks.\n\n    Traceability:\n\n        Implements: REQ-1\n    """',
        '"""Title\n    ~~~~~\n    Implements: REQ-1\n\n    More\n    ~~~~\n    """',
        '"""Marks.\n\n    .. note::\n       Implements: REQ-1\n    """',
        '"""Marks.\n\n    - a list\n\n          Implements: REQ-1\n    """',
        "# ---------\n# Implements: REQ-1\n# ---------",
        "#   Implements: REQ-1",
        "/* Implements: REQ-1 */",
        "/**\n * <pre>\n * Implements: REQ-1\n */",
    ],
)
def test_what_is_only_laid_out_is_no_example(text: str) -> None:
    assert [m.id for m in marked(text, IDS)] == ["REQ-1"]


def test_lines_of_comments_are_read_together() -> None:
    source = "// Marks.\n// ```\n// Implements: REQ-9\n// ```\n// Implements: REQ-1\nfunc f() {} // Implements: REQ-2\n"
    facts = extract("a.go", b"package a\n\n" + source.encode(), "go")
    assert [(m.id, m.line, m.text) for m in facts.markers] == [
        ("REQ-1", 7, "// Implements: REQ-1"),
        ("REQ-2", 8, "// Implements: REQ-2"),
    ]


def test_signs_of_comments_are_no_text() -> None:
    assert bare("/**\n * a\n *   b\n */") == ["", " a", "   b", " */"]
    assert bare("    # a\n    #   b") == [" a", "   b"]
    assert bare('"""A.\n\n    * item\n    """') == ["A.", "", "    * item", '    """']


@pytest.mark.parametrize(
    "line", ["~~~x", "<pre>", "@code", "    x\n", "e.g.:", ".. code::", "```", "@example", "Examples"]
)
def test_many_beginnings_cost_no_more_than_their_length(line: str) -> None:
    lines = (f"{line}\n" * 20_000).split("\n")
    start = time.process_time()
    example_lines(lines)
    assert time.process_time() - start < 2
