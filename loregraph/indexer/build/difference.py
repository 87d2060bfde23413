"""The difference between the nodes and edges of an edited project and those of the current graph.

Derived from the files that changed and those whose edges may have changed; all other nodes and edges stay. If the
difference is uncertain, the methods of `Difference` return False.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from loregraph.graph.authored import AUTHORED_RELS
from loregraph.graph.change import GraphChange
from loregraph.graph.model import Edge, File, Node
from loregraph.indexer.build.assemble import package_node
from loregraph.indexer.build.kept_resolution import KeptFile, Key, digest_of, kept_file
from loregraph.indexer.build.untouched import RESOLVED
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve import Resolution

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns

_SYMBOLS: Final = ("Function", "Class")


class Source(Struct, frozen=True):
    """A file that changed: its facts before and now (None for a file without), its node, its definitions' nodes now,
    and the CONTAINS edges among them."""

    path: str
    was: FileFacts | None
    now: FileFacts | None
    file: File
    nodes: dict[str, Node]
    contained: list[Edge]


class Difference:
    """The difference as it is collected: nodes and edges added, changed and removed.

    `columns` are the current graph, and `kept` was stored with it. `resolution` has every file whose edges may have
    changed, and all external symbols that its edges end at.
    """

    def __init__(self, columns: GraphColumns, resolution: Resolution, kept: Mapping[str, KeptFile]) -> None:
        self.columns = columns
        self.resolution = resolution
        self.came: dict[str, Node] = {}
        self.gone: dict[str, int] = {}
        self.renamed: list[Node] = []
        """Nodes that keep their ids and change their names, as they were and as they are."""
        self.fresh: dict[str, Node] = {}
        self.new_edges: dict[Key, Edge] = {}
        self.old_edges: dict[Key, int] = {}
        """Numbers of edges that go or are replaced."""
        self._before = kept
        self.kept = dict(kept)
        """What to keep of the resolution of each file from now on."""
        self._outside = {external.id: external for external in resolution.externals}
        self._numbers: dict[str, int | None] = {}

    def nodes_of(self, sources: Iterable[Source]) -> bool:
        """Compares the nodes of changed files with those in the columns; False where one is uncertain."""
        columns = self.columns
        for source in sources:
            first, last = columns.ids_with(f"{source.path}::")
            old = {columns.id(number): number for number in range(first, last)}
            for identity, number in old.items():
                if columns.label(number) not in _SYMBOLS or columns.path(number) != source.path:
                    return False
                node = source.nodes.get(identity)
                if node is None:
                    self.gone[identity] = number
                    continue
                before = columns.node(number)
                if type(before) is not type(node):
                    return False
                if before != node:
                    self.fresh[identity] = node
                    if (before.name, before.qualified_name) != (node.name, node.qualified_name):
                        self.renamed += (before, node)
            for identity, node in source.nodes.items():
                if identity not in old:
                    if self.number(identity) is not None:
                        return False
                    self.came[identity] = self.fresh[identity] = node
            own = self.resolution.files.get(source.path)
            counts = (0, 0, 0) if own is None else (own.resolved, own.external, sum(own.unresolved.values()))
            self._file(source.file, counts)
        came = self.came.keys()
        return not any(not came.isdisjoint(own.missing) for own in self._before.values() if own.missing)

    def resolved(self, sources: Sequence[Source]) -> bool:
        """Compares the resolved edges with those in the columns; False where one is uncertain."""
        changed = {source.path: source for source in sources}
        again = [
            path
            for path, own in sorted(self.resolution.files.items())
            if path in changed or path not in self._before or self._before[path].digest != digest_of(own)
        ]
        if any(path not in self._before for path in again):
            return False
        elsewhere = {key for path, own in self._before.items() for key in own.apart}
        for path in again:
            elsewhere.difference_update(self._before[path].apart)
        wanted: dict[Key, Edge] = {}
        for source in sources:
            for edge in source.contained:
                wanted.setdefault(key_of(edge), edge)
        ended: set[str] = set()
        for path in again:
            own = self.resolution.files[path]
            missing: set[str] = set()
            for edge in own.edges:
                lost = [identity for identity in (edge.source, edge.target) if not self._exists(identity)]
                missing.update(lost)
                if lost:
                    continue
                key = key_of(edge)
                if key in elsewhere:
                    return False  # two files give the edge: which one determines its properties
                wanted.setdefault(key, edge)
                if edge.rel == "CONTAINS":
                    ended.add(edge.target)
            if path not in changed:
                number = self.columns.find_id(path)
                node = None if number is None else self.columns.node(number)
                if not isinstance(node, File):
                    return False
                self._file(node, (own.resolved, own.external, sum(own.unresolved.values())))
            self.kept[path] = kept_file(path, own, missing)
        found = self._found(again, changed, ended, elsewhere)
        for key, number in found.items():
            if wanted.get(key) != self.columns.edge(number):
                self.old_edges[key] = number
        for key, edge in wanted.items():
            if key not in found or key in self.old_edges:
                if self._stands(key) and key not in found:
                    return False
                self.new_edges[key] = edge
        return self._depends() and self._externals()

    def change(self) -> GraphChange | None:
        """The whole difference; None where an edge to a removed node would be left."""
        numbers = set(self.old_edges.values())
        columns = self.columns
        for number in self.gone.values():
            if not numbers.issuperset(columns.out(number).tolist()) or not numbers.issuperset(
                columns.into(number).tolist()
            ):
                return None
        nodes = tuple(node for _, node in sorted(self.fresh.items()))
        return GraphChange(
            nodes, tuple(self.gone.values()), tuple(self.new_edges.values()), tuple(self.old_edges.values())
        )

    def number(self, identity: str) -> int | None:
        """The number of a node in the columns."""
        if identity not in self._numbers:
            self._numbers[identity] = self.columns.find_id(identity)
        return self._numbers[identity]

    def _exists(self, identity: str) -> bool:
        return (
            identity in self.came
            or (identity not in self.gone and self.number(identity) is not None)
            or identity in self._outside
        )

    def _stands(self, key: Key) -> bool:
        """Whether the columns have an edge."""
        return self._edge(key) is not None

    def _edge(self, key: Key) -> int | None:
        rel, source, target = key
        start, end = self.number(source), self.number(target)
        if start is None or end is None:
            return None
        for edge in self.columns.out(start, rel).tolist():
            if self.columns.target[edge] == end:
                return int(edge)
        return None

    def _file(self, node: File, counts: tuple[int, int, int]) -> None:
        """The node of a file, with its call counts."""
        resolved, external, unresolved = counts
        node = replace(node, calls_resolved=resolved, calls_external=external, calls_unresolved=unresolved)
        number = self.number(node.id)
        assert number is not None  # its presence in the columns was checked
        if self.columns.node(number) != node:
            self.fresh[node.id] = node

    def _found(
        self, again: Iterable[str], changed: Mapping[str, Source], ended: set[str], elsewhere: set[Key]
    ) -> dict[Key, int]:
        """The columns' edges that the resolution of files gave, and the CONTAINS edges in changed files.

        The parent of a method outside its type comes from resolution (`ended` has these), all other parents from facts.
        """
        columns = self.columns
        found: dict[Key, int] = {}

        def note(edge: int) -> None:
            source, target = columns.id(int(columns.source[edge])), columns.id(int(columns.target[edge]))
            key = (columns.rel(edge), source, target)
            if key not in elsewhere:
                found[key] = edge

        for path in again:
            file = self.number(path)
            first, last = columns.ids_with(f"{path}::")
            bounds = [(file, file + 1)] if file is not None else []
            for start, end in (*bounds, (first, last)):
                for edge in range(int(columns.out_offsets[start]), int(columns.out_offsets[end])):
                    if columns.rel(edge) in RESOLVED:
                        note(edge)
            inside: Iterable[int] = range(first, last)
            if path not in changed:
                inside = [n for identity in ended if (n := self.number(identity)) is not None and first <= n < last]
            for number in inside:
                for edge in columns.into(number, "CONTAINS").tolist():
                    note(edge)
            for key in self._before[path].apart:
                apart = self._edge(key)
                if apart is not None:
                    found[key] = apart
        return found

    # components and external nodes

    def _depends(self) -> bool:
        """The DEPENDS_ON edges changed by added and removed IMPORTS edges; see `dependency_edges`."""
        columns = self.columns
        count: Counter[Key] = Counter()
        for edge, sign in (
            *((columns.edge(number), -1) for key, number in self.old_edges.items() if key[0] == "IMPORTS"),
            *((edge, 1) for key, edge in self.new_edges.items() if key[0] == "IMPORTS"),
        ):
            source, target = self._component(edge.source), self._component(edge.target)
            if source is None or target is None:
                return False
            if target and target != source:
                count["DEPENDS_ON", source, target] += sign * edge.count
        for key, more in count.items():
            number = self._edge(key)
            before = 0 if number is None else int(columns.count[number])
            if not more:
                continue
            if before + more < 0:
                return False
            if number is not None:
                self.old_edges[key] = number
            if before + more:
                self.new_edges[key] = Edge(*key, count=before + more)
        return True

    def _component(self, identity: str) -> str | None:
        """The component that an end of an IMPORTS edge counts for, or the package; "" for none, None where it is
        unknown."""
        columns, number = self.columns, self.number(identity)
        if number is None or identity in self._outside:
            external = self._outside.get(identity)
            if external is None:
                return None
            return f"external:{external.package}" if external.package else ""
        label = columns.label(number)
        if label == "External":
            package = columns.own(number, "package")
            return f"external:{package}" if package else ""
        if label == "Component":
            return identity
        around = columns.into(number, "CONTAINS").tolist()
        sources = [int(columns.source[edge]) for edge in around]
        if label != "File" or len(sources) != 1 or columns.label(sources[0]) != "Component":
            return None
        return columns.id(sources[0])

    def _externals(self) -> bool:
        """Removes external symbols that lose their last edge, adds those that get their first."""
        columns = self.columns
        less: dict[str, Counter[str]] = {}
        more: dict[str, Counter[str]] = {}
        for edges, into in ((self.old_edges, less), (self.new_edges, more)):
            for rel, _, target in edges:
                if target.startswith("external:"):
                    into.setdefault(target, Counter())[rel] += 1
        for identity in sorted({*less, *more}):
            number = self.number(identity)
            before: Counter[str] = Counter()
            if number is not None:
                if columns.label(number) != "External":
                    continue  # a node of the project has this id
                before = Counter(columns.rel(edge) for edge in columns.into(number).tolist())
            now = before - less.get(identity, Counter()) + more.get(identity, Counter())
            symbol_now = any(rel not in AUTHORED_RELS and rel != "DEPENDS_ON" for rel in now)
            symbol_before = any(rel not in AUTHORED_RELS and rel != "DEPENDS_ON" for rel in before)
            old = None if number is None else columns.node(number)
            node: Node | None = None
            if symbol_now:
                node = self._outside.get(identity)
                if symbol_before:
                    if node is not None and node != old:
                        return False  # two symbols have this id
                    continue
                if node is None:
                    return False
            elif now["DEPENDS_ON"]:
                node = package_node(identity.removeprefix("external:"))
            if node is None:
                if now or number is None:
                    return False  # authored content refers to it
                self.gone[identity] = number
            elif node != old:
                self.fresh[identity] = node
                if old is None:
                    self.came[identity] = node
        return True


def key_of(edge: Edge) -> Key:
    return edge.rel, edge.source, edge.target
