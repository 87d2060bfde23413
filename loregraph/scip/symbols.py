"""SCIP's names for the nodes of a graph, by the grammar that its schema gives for symbols.

    loregraph pypi shop 1.2 src/`cart.py`/Cart#total().

The folders and the file are namespaces, so that a symbol is as unique as an id; types, functions and what is in them
follow. A further definition of the same name (`#2` of an id) has a disambiguator, `(+1)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from loregraph.graph.columns import GraphColumns

SCHEME: Final = "loregraph"
_KEPT: Final = 65_536
"""Symbols that are remembered: most references are to few of them."""
_SIMPLE: Final = re.compile(r"[A-Za-z0-9_+$-]+")
_NUMBERED: Final = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)


class Package(NamedTuple):
    """What a symbol belongs to; "" for what is not known."""

    manager: str = ""
    name: str = ""
    version: str = ""

    def __str__(self) -> str:
        return " ".join(part.replace("\0", "").replace(" ", "  ") or "." for part in self)


def escaped(name: str) -> str:
    """`name` as a descriptor has it, between backticks where it is no simple identifier."""
    name = name.replace("\0", "")  # it ends texts in the readers of some languages
    return name if _SIMPLE.fullmatch(name) else "`" + (name or " ").replace("`", "``") + "`"


class Symbols:
    """The symbols of the nodes of a graph. `package_of` gives the package of a file, or of a folder."""

    def __init__(self, columns: GraphColumns, package_of: Callable[[str], Package]) -> None:
        self._columns = columns
        self._package_of = package_of
        self.of = lru_cache(_KEPT)(self._of)

    def _of(self, node: int) -> str:
        """The symbol of a file, component, type, function or external node."""
        columns = self._columns
        label = columns.label(node)
        if label == "External":
            package, name = columns.own(node, "package") or "", columns.id(node).removeprefix("external:")
            rest = name.removeprefix(package).removeprefix(".") if name.startswith(package) else name
            return (
                f"{SCHEME} {Package(name=package)} {escaped(rest)}{'.' if rest else ''}"
                if rest
                else (f"{SCHEME} {Package(name=package)} {escaped(package)}/")
            )
        if label in ("File", "Component"):
            path = columns.path(node)
            folders = [] if path == "." else path.split("/")
            names = "".join(f"{escaped(part)}/" for part in folders) or f"{escaped('.')}/"
            return f"{SCHEME} {self._package_of(path)} {names}"
        around = self._around(node)
        own = columns.id(node).removeprefix(columns.id(around)).removeprefix("::").removeprefix(".")
        return self.of(around) + _descriptor(own, is_type=label == "Class")

    def _around(self, node: int) -> int:
        """The definition or file in whose id that of `node` begins."""
        columns = self._columns
        identity = columns.id(node)
        for edge in columns.into(node, "CONTAINS").tolist():
            around = int(columns.source[edge])
            if columns.label(around) in ("Class", "Function") and identity.startswith(f"{columns.id(around)}."):
                return around
        file = columns.find_id(columns.path(node))
        assert file is not None  # every definition is in a file of the graph
        return file


def _descriptor(name: str, *, is_type: bool) -> str:
    if is_type:
        return f"{escaped(name)}#"
    numbered = _NUMBERED.fullmatch(name)
    return f"{escaped(numbered[1])}(+{int(numbered[2]) - 1})." if numbered else f"{escaped(name)}()."
