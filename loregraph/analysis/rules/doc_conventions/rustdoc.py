"""rustdoc: a list under `# Arguments` or `# Parameters`, each item beginning with a name in backticks.

rustdoc itself knows no parameters: this is the form of the Rust RFC 1574 era that most who list them use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example

_HEAD: Final = re.compile(r"#{1,6}\s++(?:Arguments|Parameters)\s*+:?\s*+")
_NEXT: Final = re.compile(r"#{1,6}\s")
_ITEM: Final = re.compile(r"([ \t]*+)[*+-][ \t]++(?:\*\*)?`([A-Za-z_]\w*+)`(?:\*\*)?[ \t]*+(?:[:–—-]|\([^)\n]*+\)|$)")


def parameters(text: str) -> Iterator[str]:
    inside = fenced = False
    level = -1
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif fenced:
            continue
        elif _NEXT.match(line.strip() + " "):
            inside, level = bool(_HEAD.fullmatch(line.strip())), -1
        elif inside and (item := _ITEM.match(line)):
            level = len(item[1]) if level < 0 else level
            if len(item[1]) == level:
                yield item[2]


CONVENTION = Convention(
    name="rustdoc",
    openings=frozenset({"///", "/**"}),
    shows=lambda text: any(_HEAD.fullmatch(line.strip()) for line in text.split("\n")),
    parameters=parameters,
    good=(
        Example("It.\n\n# Arguments\n\n* `x` - it\n* `y` - other\n\n# Panics\n\n* `z` - never", ("x", "y")),
        Example("## Parameters\n- `x`: it\n  - `Some`: with it\n- `y` (optional): other", ("x", "y")),
    ),
    bad=(
        Example("# Errors\n\n* `x` - where it is none"),
        Example("# Arguments\n\nThe argument `x` is it.\n* `--flag` - of the program\n* `a.b` - part\n* x - it"),
        Example("# Arguments\n\n```\n* `x` - it\n```"),
    ),
)
