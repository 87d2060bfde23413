"""Sphinx (reStructuredText fields): `:param name:`, `:param type name:`.

https://www.sphinx-doc.org/en/master/usage/domains/python.html#info-field-lists
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example

_FIELD: Final = re.compile(
    r"^[^\S\n]*+:(?:param|parameter|arg|argument|key|keyword|kwarg)[^\S\n]++([^:\n]*+(?::(?!\s|$)[^:\n]*+)*+):(?=\s|$)",
    re.M,
)
_LAST_WORD: Final = re.compile(r"(?<![^\s*\\])\w++\Z")


def parameters(text: str) -> Iterator[str]:
    for match in _FIELD.finditer(text):
        # `:param str x, y:` is read by no tool; the last word alone would be half of what is meant.
        if (word := _LAST_WORD.search(match[1].rstrip())) and "," not in match[1].rpartition("]")[2]:
            yield word[0]


CONVENTION = Convention(
    name="Sphinx",
    openings=frozenset({'"""'}),
    shows=lambda text: _FIELD.search(text) is not None,
    parameters=parameters,
    good=(
        Example("It.\n\n:param x: it\n:param int y: other\n:returns: z\n:type w: int", ("x", "y")),
        Example(":param dict[str, int] x: it\n:param str | None y: other\n:arg z:", ("x", "y", "z")),
        Example(
            ":param \\*args: more\n:param \\**options: passed on\n:keyword depth: how deep",
            ("args", "options", "depth"),
        ),
        Example("    :param x: it\n        more of it: here", ("x",)),
    ),
    bad=(
        Example(":returns: x\n:raises ValueError: where x is none\n:type x: int\n:rtype: int"),
        Example("Give :param x: to it."),
        Example(":param:\n:param x, y: two of them"),
        Example("@param x: it"),
    ),
)
