"""CUDA's row: C++'s. A kernel's launch, `kernel<<<grid, block>>>(…)`, is a call like any other."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.c import rescue
from loregraph.indexer.languages.cpp.spec import SPECS as CPP

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_UNKNOWN: Final = re.compile(
    rb"__(?:builtin_)?align__[ \t]*\([^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)?+\)|__cluster_dims__[ \t]*\([^()\n]*\)"
    rb"|__maxnreg__[ \t]*\([^()\n]*\)|\b__(?:grid_constant|nv_pure|tile_global)__\b"
    rb"|(?<=\])[ \t\n]*+(?:__(?:host|device|forceinline|noinline)__[ \t\n]*+)++"
)
"""What the grammar does not know: attributes of types, and what a lambda expression runs on."""


def _parsed(x: Extraction) -> Node | None:
    """The tree of a file without such attributes; nothing moves."""
    source = x.source
    x.source = _UNKNOWN.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), source)
    try:
        return rescue.parsed(x)
    finally:
        x.source = source


SPECS = {
    "cuda": replace(
        CPP["cpp"], name="cuda", grammar="cuda", queries=("c/query.scm", "cpp/query.scm"), parse=_parsed,
    )
}  # fmt: skip
