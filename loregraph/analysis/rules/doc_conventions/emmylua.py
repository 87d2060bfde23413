"""EmmyLua and LDoc: `---@param name? type text`, `-- @tparam type name`, `-- @param[opt=3] name`.

https://luals.github.io/wiki/annotations/#param, https://lunarmodules.github.io/ldoc/manual/manual.md.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, tags

_OTHER_THING: Final = frozenset({"function", "overload", "class", "table", "field", "name", "alias", "type", "module"})
_MODIFIERS: Final = re.compile(r"\[[^\]\n]*+\]")
_NAME: Final = re.compile(r"\s++([A-Za-z_]\w*+)\??(?=[\s:,.]|$)")
_TYPED: Final = re.compile(r"\s++[^\s()\[\]{}<>]++[ \t]++([A-Za-z_]\w*+)(?=[\s:,.]|$)")


def parameters(text: str) -> Iterator[str]:
    found = list(tags(text))
    if any(tag in _OTHER_THING for tag, _ in found):
        return
    for tag, rest in found:
        if tag not in ("param", "tparam"):
            continue
        at = match.end() if (match := _MODIFIERS.match(rest)) else 0
        if match := (_TYPED if tag == "tparam" else _NAME).match(rest, at):
            yield match[1]


CONVENTION = Convention(
    name="EmmyLua",
    openings=frozenset({"---", "--[["}),
    shows=has_tag("param", "tparam"),
    parameters=parameters,
    good=(
        Example("@param name string it\n@param depth? integer|nil\n@return string", ("name", "depth")),
        Example("@tparam string name it\n@tparam[opt=3] int depth\n@param[opt] other", ("name", "depth", "other")),
        Example("@param options.depth how deep", ("options",)),
    ),
    bad=(
        Example("@param ... any\n@vararg string\n@return x"),
        Example("@overload fun(x: number)\n@param y number"),
        Example("@function other\n@param x"),
        Example("@tparam {string} name\n@param"),
    ),
)
