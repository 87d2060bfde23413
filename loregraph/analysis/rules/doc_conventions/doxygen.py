r"""Doxygen: `\param[in,out] a,b text`, with `@` or `\`.

https://www.doxygen.nl/manual/commands.html#cmdparam
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, tags

_OTHER_THING: Final = frozenset(
    "fn def class struct union enum interface namespace file page defgroup addtogroup name overload var typedef"
    " copydoc macro callback".split()
)
"""Commands that say that the comment is about something else than what stands below it, or that its words are
another's."""
_NAMES: Final = re.compile(
    r"(?:\s*+\[\s*+(?:in|out|inout|in\s*+,\s*+out|out\s*+,\s*+in)\s*+\])?\s++[*&]*+([A-Za-z_]\w*+(?:,[A-Za-z_]\w*+)*+)"
    r"(?=[\s:.,;\[-]|$)"
)


def parameters(text: str) -> Iterator[str]:
    found = list(tags(text, "@\\"))
    if any(tag in _OTHER_THING for tag, _ in found):
        return
    for tag, rest in found:
        if tag == "param" and (match := _NAMES.match(rest)):
            yield from match[1].split(",")


CONVENTION = Convention(
    name="Doxygen",
    openings=frozenset({"/**", "/*!", "///", "//!"}),
    shows=has_tag("param", signs="@\\"),
    parameters=parameters,
    good=(
        Example("\\param x it\n@param y other", ("x", "y")),
        Example("@param[in] x it\n@param[in,out] y\n@param [out] z more", ("x", "y", "z")),
        Example("\\param a,b,c coordinates\n\\param d, the last", ("a", "b", "c", "d")),
        Example("@param argv[] words\n@param *x it\n@param point.x part", ("argv", "x", "point")),
        Example("\\tparam T type\n\\param x it\n\\return none", ("x",)),
    ),
    bad=(
        Example("\\fn int other(int y)\n\\param y it"),
        Example("@def MAX(a)\n@param a it"),
        Example("@param ... more\n@tparam T type\n@return x\n@retval x"),
        Example("\\param[some] x it"),
    ),
)
