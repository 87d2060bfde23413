"""KDoc: `@param name text`, `@param[name] text`; also for type parameters, which are told by the signature.

https://kotlinlang.org/docs/kotlin-doc.html#block-tags
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, tags

_NAME: Final = re.compile(r"(?:\s*+\[\s*+(\w++)\s*+\]|\s++(\w++)(?=[\s:,.]|$))")


def parameters(text: str) -> Iterator[str]:
    for tag, rest in tags(text):
        if tag == "param" and (match := _NAME.match(rest)):
            yield match[1] or match[2]


CONVENTION = Convention(
    name="KDoc",
    openings=frozenset({"/**"}),
    shows=has_tag("param"),
    parameters=parameters,
    good=(
        Example("@param x it\n@param[y] other\n@param [z] more", ("x", "y", "z")),
        Example("See [other] of [App.run].\n@receiver the list\n@param block run on it", ("block",)),
    ),
    bad=(
        Example("@property size how many\n@return [x]\n@throws Error of x\n@receiver it"),
        Example("@param\n@param []\n@param <T> it"),
    ),
)
