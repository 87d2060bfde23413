"""NumPy's docstrings: under `Parameters` and its ruler, lines of `x, y : type`.

https://numpydoc.readthedocs.io/en/latest/format.html#parameters
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_parameter
from loregraph.analysis.rules.doc_conventions.sections import RULER, entries, indentation

_HEAD: Final = re.compile(r"[ \t]*+(?:Other )?Parameters[ \t]*+")
_ENTRY: Final = re.compile(r"((?:\\?\*{0,2}\w++)(?:\s*+,\s*+\\?\*{0,2}\w++)*+)\s*+(?::.*+)?")


def parameters(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1]):
        if _HEAD.fullmatch(line) and RULER.fullmatch(lines[number + 1]):
            for entry in entries(lines[number + 2 :], indentation(line), deeper=False):
                if match := _ENTRY.fullmatch(entry):
                    yield from (name.strip().lstrip("\\*") for name in match[1].split(","))


CONVENTION = Convention(
    name="NumPy",
    openings=frozenset({'"""'}),
    shows=has_parameter(parameters),
    parameters=parameters,
    good=(
        Example(
            "It.\n\nParameters\n----------\nx, y : int\n    both: of them\nz\n    other\n\nReturns\n-------\nw : int",
            ("x", "y", "z"),
        ),
        Example(
            "Parameters\n----------\n*args : tuple\n\\**kw : dict\n\nOther Parameters\n----------------\nn : {1, 2}",
            ("args", "kw", "n"),
        ),
    ),
    bad=(
        Example("Returns\n-------\nx : int\n\nAttributes\n----------\ny : int"),
        Example("Parameters\nx : int"),
        Example("Parameters\n----------\nSee the other one.\n"),
    ),
)
