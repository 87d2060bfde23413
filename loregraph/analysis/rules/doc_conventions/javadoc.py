"""Javadoc: `@param name text`, `@param <T> text` for a type parameter.

https://docs.oracle.com/en/java/javase/21/docs/specs/javadoc/doc-comment-spec.html#param; Markdown comments (`///`) are
JEP 467's. Scaladoc writes type parameters as `@tparam`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, tags

_NAME: Final = re.compile(r"\s++([A-Za-z_$][\w$]*+)(?=[\s:,.]|$)")


def parameters(text: str) -> Iterator[str]:
    for tag, rest in tags(text):
        if tag == "param" and (match := _NAME.match(rest)):
            yield match[1]


CONVENTION = Convention(
    name="Javadoc",
    openings=frozenset({"/**", "///"}),
    shows=has_tag("param"),
    parameters=parameters,
    good=(
        Example("@param x it\n@param  count how many\n   of them\n@return int", ("x", "count")),
        Example("@param <T> the type\n@param value", ("value",)),
        Example("@tparam A its type\n@param f what to do", ("f",)),
    ),
    bad=(
        Example("Calls {@code f(x)}.\n@return x\n@throws IOException where x is none\n@see #f(int)"),
        Example("Give @param x to it."),
        Example("@param\n@param <T>"),
        Example("@param {int} x it"),
    ),
)
