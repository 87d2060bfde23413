"""Documents and markers → the graph's requirements and designs, and the edges between them and code. Reads no files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from loregraph.graph.model import MENTION, MENTION_CONFIDENCE, Design, Edge, Node, Requirement
from loregraph.indexer.facts import FILE_SCOPE, Definition, FileFacts, Marker, is_node
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.requirements.choosing import Choice, choose
from loregraph.indexer.requirements.ids import words
from loregraph.indexer.requirements.keywords import Hits
from loregraph.indexer.requirements.known import Known
from loregraph.indexer.requirements.link_targets import Places
from loregraph.indexer.requirements.model import Document, quoted

CONFIDENCE: Final = {
    "tag": 1.0,
    "annotation": 1.0,
    "name": 0.95,
    "label": 0.9,
    "commit": 0.7,
    MENTION: MENTION_CONFIDENCE,
}
"""Kind of marker → confidence: a verb or a decorator that declares the purpose, the id in a test's name, a decorator
that files the code under the id, a commit that names it; last the bare id in a comment, which declares nothing."""


class CommitLink(Struct, array_like=True, frozen=True):
    """Lines of a file left by a commit that names an id: `evidence` is the commit and its trailer."""

    path: str
    start_line: int
    end_line: int
    id: str
    evidence: str


class Joined(Struct, frozen=True):
    """What requirements add to the graph; `orphans` maps a path to "line: ID" of its markers without a target."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    orphans: Mapping[str, tuple[str, ...]] = {}
    problems: tuple[PathProblem, ...] = ()


# Implements REQ-TRC-002.
def join(
    documents: Mapping[str, Document],
    files: Mapping[str, FileFacts],
    nodes: Sequence[Node],
    component_of: Callable[[str], str],
    commits: Iterable[CommitLink] = (),
    keywords: Hits | None = None,
) -> Joined:
    """`nodes` are the code's; `component_of` returns the id of a path's component; `keywords` are the places of the
    keywords by which documents refer to code."""
    choice = choose(documents)
    known = Known(choice)
    if not choice.requirements and not choice.designs:
        # They may be in another repository: see `workspaces.requirements`.
        orphans = {path: lost for path, facts in sorted(files.items()) if (lost := _markers(facts, known, "", {})[1])}
        return Joined(orphans=orphans, problems=choice.problems)
    edges: list[Edge] = []
    lost_by_path: dict[str, tuple[str, ...]] = {}
    announced = _announced(files)
    for path, facts in sorted(files.items()):
        found, lost = _markers(facts, known, component_of(path), announced)
        edges += found
        if lost:
            lost_by_path[path] = lost
    edges += _test_names(files, choice)
    declared, problems = _declared(documents, known, Places(nodes), Pointed(keywords or {}, files))
    edges += declared
    edges += _commit_edges(commits, files, known)
    edges += _satisfied(choice, known)
    return Joined(
        tuple(_nodes(choice)),
        tuple(_surest(edges)),
        lost_by_path,
        tuple(sorted((*choice.problems, *problems))),
    )


def _nodes(choice: Choice) -> Iterator[Node]:
    for identity, chosen in choice.requirements.items():
        item = chosen.item
        parents = tuple(dict.fromkeys(link.target for link in item.links if link.role == "parent"))
        yield Requirement(
            identity,
            identity,
            identity,
            item.title,
            item.text,
            item.status,
            item.priority,
            chosen.path,
            item.line,
            parents,
        )
    for identity, chosen in choice.designs.items():
        item = chosen.item
        name = identity if item.id else item.title
        yield Design(identity, name, identity, item.title, item.kind, item.status, item.text, chosen.path, item.line)


def definition_nodes(facts: FileFacts) -> list[str]:
    """The id of each definition's node, or of the node around it; the file's path where there is none."""
    ids: list[str] = []
    for definition in facts.definitions:
        if is_node(definition.kind, definition.flags):
            ids.append(f"{facts.path}::{definition.qualname}")
        else:
            ids.append(facts.path if definition.parent == FILE_SCOPE else ids[definition.parent])
    return ids


def _announced(files: Mapping[str, FileFacts]) -> dict[str, str]:
    """Qualified name → the id of the only function of that name, for the targets of markers in headers."""
    wanted = {
        facts.definitions[marker.scope].qualname
        for facts in files.values()
        for marker in facts.markers
        if marker.scope != FILE_SCOPE and "prototype" in facts.definitions[marker.scope].flags
    }
    found: dict[str, list[str]] = {}
    if wanted:
        announcing = {f.language for f in files.values() if any("prototype" in d.flags for d in f.definitions)}
        for path, facts in files.items():
            for definition in facts.definitions if facts.language in announcing else ():
                if definition.qualname in wanted and is_node(definition.kind, definition.flags):
                    found.setdefault(definition.qualname, []).append(f"{path}::{definition.qualname}")
    return {name: ids[0] for name, ids in found.items() if len(ids) == 1}


def _markers(
    facts: FileFacts, known: Known, component: str, announced: Mapping[str, str]
) -> tuple[list[Edge], tuple[str, ...]]:
    if not facts.markers:
        return [], ()
    ids = definition_nodes(facts)
    for index, definition in enumerate(facts.definitions):
        if "prototype" in definition.flags:
            ids[index] = announced.get(definition.qualname, ids[index])
    edges: list[Edge] = []
    orphans: list[tuple[int, str]] = []
    for marker in facts.markers:
        target = known.find(marker.id)
        if target is None:
            if is_orphan(marker, known):
                orphans.append((marker.line, marker.id))
            continue
        source = facts.path if marker.scope == FILE_SCOPE else ids[marker.scope]
        for requirement in known.requirements_of(target):
            edges.append(_implements(source, requirement, marker.kind, _marker_evidence(facts.path, marker)))
        if not known.is_requirement(target):
            # A file has no design of its own: a reference at its head applies to the component.
            source = component if source == facts.path else source
            evidence = _marker_evidence(facts.path, marker)
            edges.append(Edge("FOLLOWS_DESIGN", source, target, how="marker", evidence=evidence))
    return edges, tuple(orphan_text(line, identity) for line, identity in sorted(set(orphans)))


def orphan_text(line: int, identity: str) -> str:
    """A marker without a target, in the form of `File.orphan_markers`."""
    return f"{line}: {identity}"


def evidence_of(facts: FileFacts) -> list[str]:
    """The evidence of every edge that a file's markers and names can give, in the order of its facts."""
    told = [_marker_evidence(facts.path, marker) for marker in facts.markers]
    return told + [_name_evidence(facts.path, definition) for definition in facts.definitions]


def is_orphan(marker: Marker, known: Known) -> bool:
    """Whether a marker without a target was intended as a reference.

    A tag or annotation is, if its argument looks like an id; a bare id must be like the defined ones.
    """
    if known.is_like(marker.id):
        return True
    return marker.kind not in (MENTION, "label") and marker.id[:1].isupper() and any(c.isdigit() for c in marker.id)


def _marker_evidence(path: str, marker: Marker) -> str:
    return f"{path}:{marker.line}: {marker.text}"


def _name_evidence(path: str, definition: Definition) -> str:
    return f"{path}:{definition.start_line}: {definition.name}"


def _implements(source: str, target: str, kind: str, evidence: str) -> Edge:
    how = MENTION if kind == MENTION else "marker"
    return Edge("IMPLEMENTS_REQ", source, target, confidence=CONFIDENCE[kind], how=how, evidence=evidence)


def _test_names(files: Mapping[str, FileFacts], choice: Choice) -> Iterator[Edge]:
    """Tests whose names contain an id in the form of a test's name: `test_req_mem_005_survives`, `testReqMem005`."""
    by_words: dict[tuple[str, ...], str] = {}
    for identity in choice.requirements:
        parts = words(identity)
        if len(parts) > 1 and any(part.isdigit() for part in parts) and sum(map(len, parts)) >= 3:
            by_words.setdefault(parts, identity)
    lengths = sorted({len(parts) for parts in by_words}, reverse=True)
    if not lengths:
        return
    for path, facts in sorted(files.items()):
        for definition in facts.definitions:
            if "test" not in definition.flags or not is_node(definition.kind, definition.flags):
                continue
            for identity in _named(words(definition.name), by_words, lengths):
                evidence = _name_evidence(path, definition)
                yield _implements(f"{path}::{definition.qualname}", identity, "name", evidence)


def _named(name: Sequence[str], by_words: Mapping[tuple[str, ...], str], lengths: Sequence[int]) -> Iterator[str]:
    """The ids among the words of a name, longest first, without overlaps."""
    at = 0
    while at < len(name):
        for length in lengths:
            found = by_words.get(tuple(name[at : at + length]))
            if found is not None and len(name) >= at + length:
                yield found
                at += length
                break
        else:
            at += 1


class Pointed:
    """The code that documents refer to by a keyword in it."""

    def __init__(self, keywords: Hits, files: Mapping[str, FileFacts]) -> None:
        self._keywords = keywords
        self._files = files

    def find(self, word: str, within: Sequence[str]) -> list[str]:
        """The ids of the definitions around the first line with `word` in each file, limited to those in `within` if
        given."""
        hits = self._keywords.get(word, {})
        paths = [path for path in hits if not within or any(path == one or path.endswith(f"/{one}") for one in within)]
        return [self._around(path, hits[path]) for path in paths]

    def _around(self, path: str, line: int) -> str:
        facts = self._files.get(path)
        around = path
        if facts is not None:
            # In the order of their starts: the last one around the line is the innermost.
            for own, definition in zip(definition_nodes(facts), facts.definitions, strict=True):
                if definition.start_line <= line <= definition.end_line:
                    around = own
        return around


def _declared(
    documents: Mapping[str, Document], known: Known, places: Places, pointed: Pointed
) -> tuple[list[Edge], list[PathProblem]]:
    """The edges that tables and fields declare."""
    edges: list[Edge] = []
    problems: list[PathProblem] = []
    for path, document in sorted(documents.items()):
        for trace in document.traces:
            targets: list[str] = []
            for name in trace.ids:
                found = known.find(name)
                if found is not None:
                    targets += known.requirements_of(found)
                elif trace.sure and (document.named or known.is_like(name)):
                    problems.append(PathProblem(path, trace.line, f"{name} is traced here and defined nowhere"))
            if not targets:
                continue
            evidence = f"{path}:{trace.line}: {trace.text}"
            if trace.keyword:
                named = places.find(trace.keyword) if not trace.places else None
                sources = [named] if named is not None else pointed.find(trace.keyword, trace.places)
                if len(sources) == 1:
                    edges += [_stated(sources[0], target, evidence) for target in targets]
                elif sources:
                    told = f"{trace.keyword!r} stands in several files, so that it points to none: {', '.join(sources)}"
                    problems.append(PathProblem(path, trace.line, quoted(told)))
                elif trace.places and places.should_know(trace.places[0]):
                    problems.append(PathProblem(path, trace.line, quoted(f"no {trace.keyword!r} in {trace.places[0]}")))
                continue
            for written in trace.places:
                source = places.find(written)
                if source is not None:
                    edges += [_stated(source, target, evidence) for target in targets]
                elif trace.sure and known.find(written) is None and places.should_know(written):
                    what = "names several symbols" if places.is_ambiguous(written) else "is no file or symbol"
                    problems.append(PathProblem(path, trace.line, f"{written} {what} of the project"))
    return edges, problems


def _stated(source: str, target: str, evidence: str) -> Edge:
    return Edge("IMPLEMENTS_REQ", source, target, confidence=1.0, how="declared", evidence=evidence)


def _commit_edges(commits: Iterable[CommitLink], files: Mapping[str, FileFacts], known: Known) -> Iterator[Edge]:
    owners: dict[str, list[str]] = {}
    for link in commits:
        facts = files.get(link.path)
        target = known.find(link.id)
        targets = known.requirements_of(target) if target is not None else ()
        if facts is None or not targets:
            continue
        if link.path not in owners:
            owners[link.path] = _function_of_lines(facts)
        touched = dict.fromkeys(owners[link.path][link.start_line : link.end_line + 1])
        for source in touched:
            for one in targets if source else ():
                yield _implements(source, one, "commit", link.evidence)


def _function_of_lines(facts: FileFacts) -> list[str]:
    """Line → the id of the innermost function around it, "" outside of any."""
    ids = definition_nodes(facts)
    owners = [""] * (facts.lines + 2)
    for index, definition in enumerate(facts.definitions):
        owner = ids[index] if definition.is_function and ids[index] != facts.path else ""
        if owner or definition.is_type:
            last = min(definition.end_line, facts.lines)
            owners[definition.start_line : last + 1] = [owner] * (last + 1 - definition.start_line)
    return owners


def _satisfied(choice: Choice, known: Known) -> Iterator[Edge]:
    for identity, chosen in choice.designs.items():
        for link in chosen.item.links:
            target = known.find(link.target)
            if target is not None and known.is_requirement(target):
                how = MENTION if link.role == MENTION else "declared"
                evidence = f"{chosen.path}:{link.line}: {link.text}"
                yield Edge("SATISFIES", identity, target, how=how, evidence=evidence)


def _surest(edges: Iterable[Edge]) -> list[Edge]:
    """One edge for each pair of nodes: the one with the highest confidence, of equals the first in the given order."""
    best: dict[tuple[str, str, str], Edge] = {}
    for edge in edges:
        key = (edge.rel, edge.source, edge.target)
        before = best.get(key)
        if before is None or _rank(edge) > _rank(before):
            best[key] = edge
    return [edge for _, edge in sorted(best.items())]


def _rank(edge: Edge) -> tuple[float, bool]:
    return edge.confidence, edge.how != MENTION
