"""Files were edited, and what resolution now says of them is known: what that changes in the current graph.

The answer is the difference between the graph in the columns and the one that `build.build_graph` makes of the whole
project, found from the files that changed and those whose edges are others now. Whatever is not certain to come out
the same is left to `build_graph`: the answer is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from loregraph.graph.authored import AUTHORED_RELS, Authored, mention_in
from loregraph.graph.change import GraphChange
from loregraph.graph.groups import unnumbered
from loregraph.graph.model import Class, Edge, File, Function, Node
from loregraph.graph.state import State
from loregraph.indexer.assemble import FileEntry, file_node, file_nodes, package_node
from loregraph.indexer.edits import Edited, EditedFile, Published, definition_ids
from loregraph.indexer.facts import FILE_SCOPE, FileFacts, is_node
from loregraph.indexer.kept_resolution import KeptFile, Key, digest_of, kept_file
from loregraph.indexer.moved import moved_orphans
from loregraph.indexer.packaging import is_packaging
from loregraph.indexer.requirements.ids import words
from loregraph.indexer.requirements.joining import CommitLink, definition_nodes, evidence_of
from loregraph.indexer.requirements.keywords import Hits
from loregraph.indexer.requirements.model import decode
from loregraph.indexer.requirements.places import Places
from loregraph.indexer.resolution import Resolution
from loregraph.indexer.resolution.policies import policy_of
from loregraph.indexer.untouched import RESOLVED
from loregraph.indexer.workers import inflate_facts

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns

JOINED: Final = ("IMPLEMENTS_REQ", "FOLLOWS_DESIGN")
"""Relationships that join code to requirements and designs; code is at their start."""
_SYMBOLS: Final = ("Function", "Class")


class Around(Struct, frozen=True):
    """What the graph depends on besides files and resolution, as it was for the current generation and is now: lines
    that commits left, where words stand that documents point to code by, what people wrote."""

    commits: Sequence[CommitLink] = ()
    keywords: Hits = {}
    authored: Authored = Authored()


# Implements REQ-IDX-012.
def edited(
    state: State,
    before: Mapping[str, Published],
    columns: GraphColumns,
    resolution: Resolution,
    kept: Mapping[str, KeptFile],
    around: Around,
) -> Edited | None:
    """What to change in the generation of `columns`, which was built when the files of `before` were as it says; None
    where that is not certain.

    No file has come or gone. `resolution` has every file of `before` that has facts, every other whose resolution may
    be another one than it was, and all external symbols that edges of these end at. `kept` is of the current
    generation.
    """
    if any(is_packaging(path) for path in before):
        return None
    splicing = _Splicing(columns, resolution, kept)
    sources: list[_Source] = []
    files: dict[str, EditedFile] = {}
    entries = dict(state.blobs("entries", before))
    blobs = dict(state.blobs("facts", before))
    documents = dict(state.blobs("requirements", before))
    for path, old in sorted(before.items()):
        entry = msgspec.msgpack.decode(entries[path], type=FileEntry)
        blob = blobs.get(path)
        if (
            documents.get(path, b"") != old.requirements
            or bool(blob) != bool(old.facts)
            or entry.language != old.language
        ):
            return None
        was, now = (inflate_facts(old.facts), inflate_facts(blob)) if blob else (None, None)
        own = _source(entry, was, now, columns)
        if own is None or (blob and path not in resolution.files):
            return None
        sources.append(own)
        files[path] = EditedFile(entry, definition_ids(was), definition_ids(now), old.terms)
    if not splicing.nodes_of(sources) or not splicing.resolved(sources):
        return None
    if not _joined(state, sources, splicing, around):
        return None
    if _is_authored(around.authored, splicing):
        return None
    change = splicing.change()
    return None if change is None else Edited(change, files, splicing.kept())


class _Source(Struct, frozen=True):
    """A file that changed: its facts then and now (None for one without), its node, the nodes in it now, the CONTAINS
    edges among them."""

    path: str
    was: FileFacts | None
    now: FileFacts | None
    file: File
    nodes: dict[str, Node]
    contained: list[Edge]


def _source(entry: FileEntry, was: FileFacts | None, now: FileFacts | None, columns: GraphColumns) -> _Source | None:
    number = columns.find_id(entry.path)
    if number is None or columns.label(number) != "File":
        return None
    module = columns.qualified_name(number)
    module = "" if module == entry.path else module
    orphans: tuple[str, ...] = tuple(columns.own(number, "orphan_markers"))
    nodes: dict[str, Node] = {}
    contained: list[Edge] = []
    if was is not None and now is not None:
        if was.package != now.package:
            return None
        if orphans and len(was.markers) != len(now.markers):
            return None
        orphans = moved_orphans(orphans, was, now) if orphans else ()
        inner, contained = file_nodes(now, module)
        for node in inner:
            nodes.setdefault(node.id, node)
    return _Source(entry.path, was, now, file_node(entry, module, orphans), nodes, contained)


class _Splicing:
    """The difference as it is found: nodes and edges that come, change and go."""

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
        self._kept = dict(kept)
        self._outside = {external.id: external for external in resolution.externals}
        self._numbers: dict[str, int | None] = {}

    def nodes_of(self, sources: Iterable[_Source]) -> bool:
        """Compares the nodes of files that changed with those of the columns; False where one cannot be told."""
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

    def resolved(self, sources: Sequence[_Source]) -> bool:
        """Compares the edges that resolution gives with those of the columns; False where one cannot be told."""
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
                wanted.setdefault(_key(edge), edge)
        ended: set[str] = set()
        for path in again:
            own = self.resolution.files[path]
            missing: set[str] = set()
            for edge in own.edges:
                lost = [identity for identity in (edge.source, edge.target) if not self._exists(identity)]
                missing.update(lost)
                if lost:
                    continue
                key = _key(edge)
                if key in elsewhere:
                    return False  # which of two files says what the edge is like
                wanted.setdefault(key, edge)
                if edge.rel == "CONTAINS":
                    ended.add(edge.target)
            if path not in changed:
                number = self.columns.find_id(path)
                node = None if number is None else self.columns.node(number)
                if not isinstance(node, File):
                    return False
                self._file(node, (own.resolved, own.external, sum(own.unresolved.values())))
            self._kept[path] = kept_file(path, own, missing)
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
        """All that is different; None where an edge of a node that goes would be left."""
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

    def kept(self) -> dict[str, KeptFile]:
        return self._kept

    def number(self, identity: str) -> int | None:
        """The number of a node of the columns."""
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
        """The node of a file, with what became of its calls."""
        resolved, external, unresolved = counts
        node = replace(node, calls_resolved=resolved, calls_external=external, calls_unresolved=unresolved)
        number = self.number(node.id)
        assert number is not None  # it was found in the columns
        if self.columns.node(number) != node:
            self.fresh[node.id] = node

    def _found(
        self, again: Iterable[str], changed: Mapping[str, _Source], ended: set[str], elsewhere: set[Key]
    ) -> dict[Key, int]:
        """The edges that the columns have of the resolution of files, and of what contains what in those that changed.

        What contains a method that stands outside its type is up to resolution (`ended` are such), the rest to facts.
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

    # components and what is outside

    def _depends(self) -> bool:
        """The DEPENDS_ON edges that the IMPORTS edges which come and go make others; see `dependency_edges`."""
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
        """The component that an end of an IMPORTS edge counts for, or the package; "" for none, None where unknown."""
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
        """External symbols that lose their last edge go, and those that get their first come."""
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
                    continue  # something of the project is called so
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
                    return False  # somebody wrote about it
                self.gone[identity] = number
            elif node != old:
                self.fresh[identity] = node
                if old is None:
                    self.came[identity] = node
        return True


def _key(edge: Edge) -> Key:
    return edge.rel, edge.source, edge.target


# requirements and memories


def _joined(state: State, sources: Sequence[_Source], splicing: _Splicing, around: Around) -> bool:
    """Sees to it that code stays joined to requirements as it was, with evidence where that stands now; False where
    more than that could change."""
    columns = splicing.columns
    labels = columns.label_counts()
    if not labels["Requirement"] and not labels["Design"]:
        return True
    paths = {source.path for source in sources}
    if any(link.path in paths for link in around.commits):
        return False
    if any(not paths.isdisjoint(hits) for hits in around.keywords.values()):
        return False
    if not _names_stay(state, splicing):
        return False
    if any(
        isinstance(node, Function | Class) and policy_of(node.language).include_scope
        for node in (*splicing.came.values(), *_nodes(columns, splicing.gone.values()))
    ):
        return False  # a header's marker counts for the one function of a name
    for source in sources:
        if (
            source.was is not None
            and source.now is not None
            and not _evidence(source, source.was, source.now, splicing)
        ):
            return False
    return True


def _names_stay(state: State, splicing: _Splicing) -> bool:
    """Whether documents that name code mean what they meant: none names what came, went or has another name now."""
    other = [*splicing.came.values(), *_nodes(splicing.columns, splicing.gone.values()), *splicing.renamed]
    code = [node for node in other if isinstance(node, Function | Class)]
    if not code:
        return True
    places = Places(code)
    for _, blob in state.blobs("requirements"):
        if blob:
            for trace in decode(blob).traces:
                for written in (*trace.places, *filter(None, (trace.keyword,))):
                    if places.find(written) is not None or places.is_ambiguous(written):
                        return False
    return True


def _nodes(columns: GraphColumns, numbers: Iterable[int]) -> Iterator[Node]:
    return map(columns.node, numbers)


def _evidence(source: _Source, was: FileFacts, now: FileFacts, splicing: _Splicing) -> bool:
    """Gives the edges that a file's markers and names made the evidence that these are now; False where a marker or the
    name of a test came, went, or says something else."""
    columns = splicing.columns
    if any("prototype" in flags for flags in _scopes(was)) or _markers(was) != _markers(now):
        return False  # a header's marker counts for a function that may be in another file
    if _numbered_tests(was) != _numbered_tests(now):
        return False
    told: dict[str, str] = {}
    count = len(was.markers)
    old, new = evidence_of(was), evidence_of(now)
    pairs = list(zip(old[:count], new[:count], strict=True))
    by_name = dict(zip([d.qualname for d in now.definitions], new[count:], strict=True))
    for definition, before in zip(was.definitions, old[count:], strict=True):
        if definition.qualname in by_name:
            pairs.append((before, by_name[definition.qualname]))
    for before, after in pairs:
        if told.setdefault(before, after) != after:
            return False
    file = splicing.number(source.path)
    assert file is not None
    # What the head of a file says of designs holds for the component it is in.
    numbers = [file, *(int(columns.source[edge]) for edge in columns.into(file, "CONTAINS").tolist())]
    numbers += [number for identity in source.nodes if (number := splicing.number(identity)) is not None]
    for number in numbers:
        for rel in JOINED:
            for edge in columns.out(number, rel).tolist():
                record = columns.edge(edge)
                mention = mention_in(record.evidence)
                evidence = told.get(mention or record.evidence)
                if evidence is None or evidence == (mention or record.evidence):
                    continue
                evidence = record.evidence.removesuffix(mention) + evidence if mention else evidence
                splicing.old_edges[_key(record)] = edge
                splicing.new_edges[_key(record)] = replace(record, evidence=evidence)
    return True


def _scopes(facts: FileFacts) -> Iterator[tuple[str, ...]]:
    """The flags of the definitions that markers stand in."""
    return (facts.definitions[marker.scope].flags for marker in facts.markers if marker.scope != FILE_SCOPE)


def _markers(facts: FileFacts) -> list[tuple[str, str, str, str, str]]:
    ids = [facts.path, *definition_nodes(facts)]  # the scope of a file is the one before the first
    names = ["", *(definition.qualname for definition in facts.definitions)]
    return [(ids[m.scope + 1], names[m.scope + 1], m.id, m.kind, m.text) for m in facts.markers]


def _numbered_tests(facts: FileFacts) -> list[str]:
    """Tests that may have an id in their name: see `joining`."""
    return sorted(
        d.qualname
        for d in facts.definitions
        if "test" in d.flags and is_node(d.kind, d.flags) and any(part.isdigit() for part in words(d.name))
    )


def _is_authored(authored: Authored, splicing: _Splicing) -> bool:
    """Whether somebody wrote about what came or went: what came may be what a memory was always about."""
    named = {end for edge in authored.edges for end in (edge.source, edge.target)}
    named.update(node.id for node in authored.nodes)
    changed = (*splicing.came, *splicing.gone)
    return bool(named) and any(identity in named or unnumbered(identity) in named for identity in changed)
