"""JSDoc and TSDoc: `@param {type} name - text`, `@param {type} [options.depth=3]`, `@param name - text`.

https://jsdoc.app/tags-param, https://tsdoc.org/pages/tags/param/. A dotted name is a property of a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, past_brackets, tags

_TAGS: Final = frozenset({"param", "arg", "argument"})
_OTHER_THING: Final = frozenset(
    "typedef callback fn function func method name overload event class interface namespace module"
    " constructor alias lends".split()
)
"""Tags that say that the comment is about something else than what stands below it, or declare its parameters."""
_OPENING: Final = re.compile(r"\s*+(?=\{)")
_NAME: Final = re.compile(r"\s*+(?:\[\s*+)?(?:\.\.\.)?([A-Za-z_$][\w$]*+)(?=[\s.\[\]=:,?*-]|$)")


def parameters(text: str) -> Iterator[str]:
    found = list(tags(text))
    if any(tag in _OTHER_THING for tag, _ in found):
        return
    for tag, rest in found:
        if tag not in _TAGS:
            continue
        at = 0
        if opening := _OPENING.match(rest):
            at = past_brackets(rest, opening.end(), "{}")
            if at < 0:
                continue
        elif not rest[:1].isspace():
            continue
        if match := _NAME.match(rest, at):
            yield match[1]


CONVENTION = Convention(
    name="JSDoc",
    openings=frozenset({"/**"}),
    shows=has_tag(*_TAGS),
    parameters=parameters,
    good=(
        Example("@param {string} x - it\n@param {number} [y=1] other", ("x", "y")),
        Example("@param {{a: {b: number}, c: string}} x it\n@arg {Array.<string>} y\n@argument z", ("x", "y", "z")),
        Example(
            "@param {Object} opts\n@param {number} [opts.depth=3] - how deep\n@param {string} users[].name",
            ("opts", "opts", "users"),
        ),
        Example("@param {...number} rest\n@param {function(string, number): boolean} test", ("rest", "test")),
        Example("@param {(a: number) => void} call\n@param {\n  string | null\n} x", ("call", "x")),
        Example("@param x - it\n@typeParam T - its type\n@param options.depth - how deep", ("x", "options")),
        Example("@template T\n@param {T} x", ("x",)),
    ),
    bad=(
        Example("@typedef {Object} Shape\n@param {number} x"),
        Example("@callback done\n@param {Error} error"),
        Example("@returns {x}\n@prop {string} name\n@property y"),
        Example("@param {string} - without a name\n@param {string\n@param"),
        Example("@param 0 - it"),
    ),
)
