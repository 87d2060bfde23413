"""Paths and symbols as written in tables → nodes of the graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from loregraph.graph.model import Class, Component, File, Function, Node
from loregraph.indexer.languages.registry import SUPPORTED, by_path


class Places:
    """An index over the code's nodes."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._ids = {node.id for node in nodes}
        self._ends: defaultdict[str, list[str]] = defaultdict(list)
        for node in nodes:
            if isinstance(node, Function | Class):
                self._ends[node.name].append(node.id)
                if node.qualified_name != node.name:
                    self._ends[node.qualified_name].append(node.id)
                inner = node.id.partition("::")[2]
                if inner != node.name:
                    self._ends[inner].append(node.id)
            elif isinstance(node, File):
                self._ends[node.name].append(node.id)
                if node.qualified_name != node.id:
                    self._ends[node.qualified_name].append(node.id)
            elif isinstance(node, Component):
                self._ids.add(node.id)

    def find(self, written: str) -> str | None:
        """The id of the only node that `written` denotes; None for none and for several."""
        for name in (written, f"component:{written.rstrip('/')}"):
            if name in self._ids:
                return name
        found = self._candidates(written)
        return found[0] if len(found) == 1 else None

    def should_know(self, written: str) -> bool:
        """Whether `written` denotes something the graph would have: not a data file or an unsupported script."""
        path = written.partition("::")[0]
        return "/" not in path or by_path(path) in SUPPORTED or "." not in path.rpartition("/")[2]

    def is_ambiguous(self, written: str) -> bool:
        return len(self._candidates(written)) > 1

    def _candidates(self, written: str) -> list[str]:
        path, separator, inner = written.partition("::")
        if separator and "/" not in path and "." not in path:
            # `Foo::bar`, in the notation of C++ and Rust.
            dotted = written.replace("::", ".")
            return self._named(dotted) or self._named(inner)
        if separator:
            wanted = inner.replace("::", ".")
            return [i for i in self._named(wanted) if _ends(i.partition("::")[0], path)]
        if "/" in written:
            name = written.rstrip("/").rpartition("/")[2]
            return [i for i in self._named(name) if _ends(i, written)]
        return self._named(written)

    def _named(self, name: str) -> list[str]:
        return list(dict.fromkeys(self._ends.get(name, ())))


def _ends(whole: str, end: str) -> bool:
    return whole == end or whole.endswith(f"/{end}")
