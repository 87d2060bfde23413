"""The change of the current graph after files were edited and resolved again.

The result is the difference between the graph in the columns and the one that `whole.build_graph` would build for the
whole project, derived from the changed files and those whose edges may have changed. Where the result is uncertain, the
answer is None and `build_graph` does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from loregraph.graph.authored import Authored, mention_in
from loregraph.graph.groups import unnumbered
from loregraph.graph.imported import Ran, executions, with_execution
from loregraph.graph.model import Class, Edge, Function, Node
from loregraph.graph.state import State
from loregraph.indexer.build.assemble import FileEntry, file_node, file_nodes
from loregraph.indexer.build.difference import Difference, Source, key_of
from loregraph.indexer.build.edits import Edited, EditedFile, Published, definition_ids
from loregraph.indexer.build.endpoint_graph import changed_endpoints
from loregraph.indexer.build.kept_resolution import KeptFile
from loregraph.indexer.build.line_only_edits import moved_orphans
from loregraph.indexer.build.workers import inflate_facts
from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.facts import FILE_SCOPE, FileFacts, is_node
from loregraph.indexer.requirements.ids import words
from loregraph.indexer.requirements.joining import CommitLink, definition_nodes, evidence_of
from loregraph.indexer.requirements.keywords import Hits
from loregraph.indexer.requirements.link_targets import Places
from loregraph.indexer.requirements.model import decode
from loregraph.indexer.resolve import Resolution
from loregraph.indexer.resolve.policies import policy_of

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.indexer.resolve.layout import Layout

JOINED: Final = ("IMPLEMENTS_REQ", "FOLLOWS_DESIGN")
"""Relationships from code to requirements and designs."""


class Around(Struct, frozen=True):
    """Inputs of the graph other than files and resolution, for the current generation and now: lines left by commits,
    keywords by which documents refer to code, authored content."""

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
    layout: Callable[[], Layout | None] = lambda: None,
) -> Edited | None:
    """The change of the generation in `columns`, which was built when `before` described its files; None where it is
    uncertain.

    No file was added or removed. `resolution` has every file of `before` that has facts, every other file whose
    resolution may have changed, and all external symbols that their edges end at. `kept` belongs to the current
    generation. `layout` gives the project's layout, None where it is not known.
    """
    if any(is_packaging(path) for path in before):
        return None
    difference = Difference(columns, resolution, kept)
    sources: list[Source] = []
    files: dict[str, EditedFile] = {}
    entries = dict(state.blobs("entries", before))
    blobs = dict(state.blobs("facts", before))
    documents = dict(state.blobs("requirements", before))
    ran = executions(state, before.keys())
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
        own = _source(entry, was, now, columns, ran)
        if own is None or (blob and path not in resolution.files):
            return None
        sources.append(own)
        files[path] = EditedFile(entry, definition_ids(was), definition_ids(now), old.terms)
    if not difference.nodes_of(sources) or not difference.resolved(sources):
        return None
    if not changed_endpoints(state, before, sources, difference, layout):
        return None
    if not _joined(state, sources, difference, around):
        return None
    if _is_authored(around.authored, difference):
        return None
    change = difference.change()
    return None if change is None else Edited(change, files, difference.kept)


def _source(
    entry: FileEntry,
    was: FileFacts | None,
    now: FileFacts | None,
    columns: GraphColumns,
    ran: Mapping[str, Sequence[Ran]],
) -> Source | None:
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
        for node in with_execution(inner, ran):
            nodes.setdefault(node.id, node)
    return Source(entry.path, was, now, file_node(entry, module, orphans), nodes, contained)


# requirements and memories


def _joined(state: State, sources: Sequence[Source], difference: Difference, around: Around) -> bool:
    """Keeps the links between code and requirements, with their evidence at its present lines; False where more than
    that may change."""
    columns = difference.columns
    labels = columns.label_counts()
    if not labels["Requirement"] and not labels["Design"]:
        # Markers have no target, but files say which they have.
        return all(
            _markers(one.was) == _markers(one.now) for one in sources if one.was is not None and one.now is not None
        )
    paths = {source.path for source in sources}
    if any(link.path in paths for link in around.commits):
        return False
    if any(not paths.isdisjoint(hits) for hits in around.keywords.values()):
        return False
    if not _names_stay(state, difference):
        return False
    if any(
        isinstance(node, Function | Class) and policy_of(node.language).modules.include_scope
        for node in (*difference.came.values(), *_nodes(columns, difference.gone.values()))
    ):
        return False  # a header's marker counts for the only function of that name
    for source in sources:
        if (
            source.was is not None
            and source.now is not None
            and not _evidence(source, source.was, source.now, difference)
        ):
            return False
    return True


def _names_stay(state: State, difference: Difference) -> bool:
    """Whether references from documents to code keep their meaning: none names anything added, removed or renamed."""
    other = [*difference.came.values(), *_nodes(difference.columns, difference.gone.values()), *difference.renamed]
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


def _evidence(source: Source, was: FileFacts, now: FileFacts, difference: Difference) -> bool:
    """Updates the evidence of the edges from a file's markers and names; False where a marker or the name of a test was
    added, removed or changed."""
    columns = difference.columns
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
    file = difference.number(source.path)
    assert file is not None
    # Markers of designs at the head of a file apply to its component.
    numbers = [file, *(int(columns.source[edge]) for edge in columns.into(file, "CONTAINS").tolist())]
    numbers += [number for identity in source.nodes if (number := difference.number(identity)) is not None]
    for number in numbers:
        for rel in JOINED:
            for edge in columns.out(number, rel).tolist():
                record = columns.edge(edge)
                mention = mention_in(record.evidence)
                evidence = told.get(mention or record.evidence)
                if evidence is None or evidence == (mention or record.evidence):
                    continue
                evidence = record.evidence.removesuffix(mention) + evidence if mention else evidence
                difference.old_edges[key_of(record)] = edge
                difference.new_edges[key_of(record)] = replace(record, evidence=evidence)
    return True


def _scopes(facts: FileFacts) -> Iterator[tuple[str, ...]]:
    """The flags of the definitions that markers are in."""
    return (facts.definitions[marker.scope].flags for marker in facts.markers if marker.scope != FILE_SCOPE)


def _markers(facts: FileFacts) -> list[tuple[str, str, str, str, str]]:
    ids = [facts.path, *definition_nodes(facts)]  # the file's scope is numbered one below the first
    names = ["", *(definition.qualname for definition in facts.definitions)]
    return [(ids[m.scope + 1], names[m.scope + 1], m.id, m.kind, m.text) for m in facts.markers]


def _numbered_tests(facts: FileFacts) -> list[str]:
    """Tests that may have an id in their name: see `joining`."""
    return sorted(
        d.qualname
        for d in facts.definitions
        if "test" in d.flags and is_node(d.kind, d.flags) and any(part.isdigit() for part in words(d.name))
    )


def _is_authored(authored: Authored, difference: Difference) -> bool:
    """Whether authored content refers to something added or removed: a memory may always have meant what was added."""
    named = {end for edge in authored.edges for end in (edge.source, edge.target)}
    named.update(node.id for node in authored.nodes)
    changed = (*difference.came, *difference.gone)
    return bool(named) and any(identity in named or unnumbered(identity) in named for identity in changed)
