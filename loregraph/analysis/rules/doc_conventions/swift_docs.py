"""Swift's documentation: `- Parameter name: text`, or `- Parameters:` with a list of names.

https://www.swift.org/documentation/docc/writing-symbol-documentation-in-your-source-files
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_parameter
from loregraph.analysis.rules.doc_conventions.sections import indentation

_ONE: Final = re.compile(r"\s*+[-*+]\s++[Pp]arameter\s++`?([A-Za-z_]\w*+)`?\s*+:")
_LIST: Final = re.compile(r"\s*+[-*+]\s++[Pp]arameters\s*+:\s*+")
_ITEM: Final = re.compile(r"\s*+[-*+]\s++`?([A-Za-z_]\w*+)`?\s*+:")


def parameters(text: str) -> Iterator[str]:
    around = level = -1
    for line in text.split("\n"):
        if not line.strip():
            continue
        indent = indentation(line)
        if match := _ONE.match(line):
            around = -1
            yield match[1]
        elif _LIST.fullmatch(line):
            around, level = indent, -1
        elif around >= 0 and indent <= around:
            around = -1
        elif around >= 0 and (match := _ITEM.match(line)):
            level = indent if level < 0 else level
            if indent == level:
                yield match[1]


CONVENTION = Convention(
    name="Swift",
    openings=frozenset({"///", "/**"}),
    shows=has_parameter(parameters),
    parameters=parameters,
    good=(
        Example("It.\n\n- Parameter x: it\n- parameter y: other\n- Returns: z", ("x", "y")),
        Example("- Parameters:\n  - x: it\n    - one: of it\n  - `y`: other\n- Returns: z\n  - w: it", ("x", "y")),
    ),
    bad=(
        Example("- Returns: x\n- Throws: y: z\n- Note: it"),
        Example("- Parameters:\n- x: it"),
        Example("@param x it"),
    ),
)
