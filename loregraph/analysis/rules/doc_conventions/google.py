"""Google's docstrings: under `Args:` lines of `name (type, optional): text`.

https://google.github.io/styleguide/pyguide.html#383-functions-and-methods and what Sphinx' Napoleon reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_parameter
from loregraph.analysis.rules.doc_conventions.sections import entries, indentation

_HEAD: Final = re.compile(r"[ \t]*+(?:Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments):[ \t]*+")
_ENTRY: Final = re.compile(r"\\?\*{0,2}(\w++)\s*+(?:\((?:[^()]++|\([^()]*+\))*+\)\s*+)?:(?=\s|$)")


def parameters(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _HEAD.fullmatch(line):
            for entry in entries(lines[number + 1 :], indentation(line), deeper=True):
                if match := _ENTRY.match(entry):
                    yield match[1]


CONVENTION = Convention(
    name="Google",
    openings=frozenset({'"""'}),
    shows=has_parameter(parameters),
    parameters=parameters,
    good=(
        Example(
            "It.\n\nArgs:\n    x (int): it\n        Note: more of it\n    y: other\n\nReturns:\n    z: what", ("x", "y")
        ),
        Example(
            "Args:\n  x (Callable[[int], str], optional): it\n  *args: more\n  **options: passed on",
            ("x", "args", "options"),
        ),
        Example("Args:\n    x (tuple(int, str)): it\nKeyword Args:\n    y:\n        other", ("x", "y")),
    ),
    bad=(
        Example("Returns:\n    x: it\n\nRaises:\n    ValueError: where x is none"),
        Example("Args: x and y"),
        Example("Args:\nx: it"),
        Example("Args:\n    the first: it\n    http://example.org: what"),
    ),
)
