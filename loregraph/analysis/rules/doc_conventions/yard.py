"""YARD: `@param [Type] name text`, `@param name [Type] text`, `@option options [Type] :key`.

https://rubydoc.info/gems/yard/file/docs/Tags.md#param
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, past_brackets, tags

_OPENING: Final = re.compile(r"[^\S\n]++(?=\[)")
_NAME: Final = re.compile(r"\s++[*&]{0,2}([a-z_]\w*+)(?=[\s:,.=]|$)")


def parameters(text: str) -> Iterator[str]:
    if "@!" in text or has_tag("overload")(text):
        # A directive or an overload says what it is about.
        return
    for tag, rest in tags(text):
        if tag not in ("param", "option"):
            continue
        at = 0
        if tag == "param" and (opening := _OPENING.match(rest)):
            at = past_brackets(rest, opening.end(), "[]")
        if at >= 0 and (match := _NAME.match(rest, at)):
            yield match[1]


CONVENTION = Convention(
    name="YARD",
    openings=frozenset({"#"}),
    shows=has_tag("param", "option"),
    parameters=parameters,
    good=(
        Example("@param [String] x it\n@param y [Integer, nil] other", ("x", "y")),
        Example(
            "@param [Hash{Symbol => Array<String>}] options it\n@option options [Integer] :depth (3)",
            ("options", "options"),
        ),
        Example(
            "@param [Array<String>] *rest\n@param [Proc] &block\n@param depth: how deep", ("rest", "block", "depth")
        ),
    ),
    bad=(
        Example("@overload f(x)\n  @param x it"),
        Example("@!method f(x)\n  @param x it"),
        Example("@return [String] x\n@yieldparam x it\n@raise [Error] where x is none"),
        Example("@param [String x it\n@param\n@param [String]"),
    ),
)
