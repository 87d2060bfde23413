"""Named reads of the graph, as used by the command line, the MCP tools and the analyses.

All are answered from the columns of one generation, in a deterministic order, without the engine. They take and return
ids; node numbers stay internal.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from loregraph.errors import AmbiguousSymbolError, NotFoundError, UsageError, unknown_name
from loregraph.graph.columns import GraphColumns, Numbers
from loregraph.graph.endpoint_hops import hops
from loregraph.graph.groups import group_of, lead, unnumbered
from loregraph.graph.model import DIRECTIONS, GUESSED, LABELS, Edge

CODE_LABELS: Final = ("File", "Class", "Function", "External")
"""Labels that can call and be called."""
_CALLED: Final = ("Class", "Function", "External", "Endpoint")
_OF_CALLS: Final = frozenset({"CALLS", "TESTS"})
"""Relationships that an unresolved call may be the reason to lack."""

_INHERITS: Final = ("EXTENDS", "IMPLEMENTS")
_CALLING: Final = ("CALLS", "REQUESTS")
IMPACT: Final = ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "TESTS", "REQUESTS")
"""Relationships that a change is followed along, from what they end at to where they begin."""
_COMPARED: Final = 200
"""Maximum names compared letter by letter when a symbol is not found."""


# Implements REQ-CLI-009.
class CallHit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A symbol that calls, is called or is affected. `file_path` and `line` are the place of the call.

    `lines` are all places in that file, ascending, of the edge at this symbol; the first is `line`. One step away they
    are those of all edges with the row's confidence between this symbol and the one in question: of its definitions, or
    of the members of a class. `distance` is the number of edges from the symbol in question; `confidence` is the lowest
    along the path, and the highest of all shortest paths; `how` is that of the edge at this symbol. Where the symbol in
    question has several definitions, `definitions` are the ids of those concerned; else it is empty, and left out of
    JSON. A request over a network has the id of its `endpoint`, `how` of the request, and the lower confidence of both
    edges; of calls `endpoint` is empty, and left out of JSON. `unseen` is that of the edge at this symbol, as in
    `model.Edge`, left out of JSON where it is 0.
    """

    id: str
    file_path: str
    line: int
    distance: int
    confidence: float
    how: str
    lines: tuple[int, ...]
    definitions: tuple[str, ...] = ()
    endpoint: str = ""
    unseen: int = 0


class Link(msgspec.Struct, frozen=True):
    """A neighbour: the id at the other end of an edge and the edge's properties."""

    id: str
    how: str = ""
    confidence: float = 1.0
    evidence: str = ""


class Related(msgspec.Struct, frozen=True):
    """A node within some steps of another. `relationship` is the last edge on the path, `evidence` its evidence.

    `direction` is OUTGOING where that edge ends at this node, INCOMING where it starts here; `confidence`, `how` and
    `lines` (ascending, in the file of its source) are the edge's: 1.0, "" and none where it has no such property.
    """

    entity_id: str
    type: str
    name: str
    relationship: str
    distance: int
    evidence: str
    direction: str
    confidence: float
    how: str
    lines: tuple[int, ...]


class Show(msgspec.Struct, frozen=True, omit_defaults=True):
    """One symbol and its neighbours.

    Where it has several definitions, `definitions` are the ids of all, the text is that of the one that is not a stub,
    and the neighbours are those of all definitions; else `definitions` is empty, and left out of JSON. So are the
    endpoints that it `handles` and `requests`, and an endpoint's `handled_by` and `requested_by`, where there are none.
    `commits` and `authors`, as in `model.Function`, are there where git's history was asked.
    """

    id: str
    name: str
    qualified_name: str
    label: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    language: str
    signature: str
    docstring: str
    container: str
    contains: tuple[str, ...]
    callers: tuple[CallHit, ...]
    callees: tuple[CallHit, ...]
    bases: tuple[str, ...]
    subclasses: tuple[str, ...]
    overrides: tuple[str, ...]
    overridden_by: tuple[str, ...]
    imports: tuple[str, ...]
    imported_by: tuple[str, ...]
    references: tuple[str, ...]
    referenced_by: tuple[str, ...]
    tests: tuple[Link, ...]
    requirements: tuple[Link, ...]
    designs: tuple[Link, ...]
    memories: tuple[str, ...]
    definitions: tuple[str, ...] = ()
    handles: tuple[Link, ...] = ()
    requests: tuple[Link, ...] = ()
    handled_by: tuple[Link, ...] = ()
    requested_by: tuple[Link, ...] = ()
    commits: int | None = None
    authors: tuple[str, ...] | None = None


class GraphCounts(msgspec.Struct, frozen=True):
    """Sizes: per label, per relationship, and files per language and per status."""

    labels: dict[str, int]
    relationships: dict[str, int]
    languages: dict[str, int]
    statuses: dict[str, int]


# symbols


# Implements REQ-CLI-005.
def resolve_number(columns: GraphColumns, text: str, labels: Collection[str] = LABELS) -> int:
    """The number of the one node denoted by `text`: an id, else a qualified name, else a name or the end of one at a
    boundary.

    Of a symbol with several definitions it is the one that is not a stub. For names, nodes of the project take
    precedence over external symbols. Raises `AmbiguousSymbolError` with the candidates where several symbols match and
    `NotFoundError` with the nearest names where none does.
    """
    return lead(columns, resolve_group(columns, text, labels))


def resolve_group(columns: GraphColumns, text: str, labels: Collection[str] = LABELS) -> list[int]:
    """The numbers of all definitions of the symbol denoted by `text`, in order of id; errors as `resolve_number`."""
    text = text.strip().removeprefix("./")
    found = columns.find_symbol(text, labels) if text else []
    if len(found) > 1:
        found = [node for node in found if columns.label(node) != "External"] or found
    if not found:
        raise _not_found(columns, text, labels)
    if len({unnumbered(columns.id(node)) for node in found}) == 1:
        return group_of(columns, found[0], text, labels)
    candidates = list(dict.fromkeys(columns.id(group_of(columns, node, text, labels)[0]) for node in found))
    raise AmbiguousSymbolError(f"{text!r} could be any of {len(candidates)} symbols", candidates, "name one by its id")


def _not_found(columns: GraphColumns, text: str, labels: Collection[str]) -> NotFoundError:
    near = nearest(columns, text, labels)
    hint = f"did you mean {', '.join(near)}?" if near else "look for it with `loregraph search`"
    return NotFoundError(f"there is no symbol {text!r} in the graph", hint)


def nearest(columns: GraphColumns, text: str, labels: Collection[str] = LABELS, limit: int = 5) -> list[str]:
    """Ids whose name is most like the last part of `text`, best first, those of the project before external ones."""
    last = text
    for separator in ("::", "/", "."):
        last = last.rpartition(separator)[2] or last
    if not last:
        return []
    wanted = last.lower()
    by_name: dict[str, list[int]] = {}
    for node, name in enumerate(columns.all_names()):
        by_name.setdefault(name.lower(), []).append(node)
    # The ratio is slow, so it is computed only where many pairs of letters are shared.
    pairs = _pairs(wanted)
    shared = sorted(by_name, key=lambda name: (-_overlap(pairs, _pairs(name)), name))[:_COMPARED]
    close = difflib.get_close_matches(wanted, shared, limit)
    nodes = [node for name in close for node in by_name[name] if columns.label(node) in labels]
    nodes.sort(key=lambda node: columns.label(node) == "External")
    return [columns.id(node) for node in nodes[:limit]]


def _pairs(name: str) -> set[str]:
    return {name[i : i + 2] for i in range(len(name) - 1)}


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / (len(a) + len(b) + 1)


# calls


# Implements REQ-STO-009.
def callers(columns: GraphColumns, symbol: str, depth: int = 1, min_confidence: float = 0.0) -> list[CallHit]:
    """Callers of `symbol` (in any form that `resolve_number` accepts), up to `depth` calls away, by distance, place and
    id."""
    # A module may have the qualified name of a function in it, but is never called.
    start = resolve_group(columns, symbol, _CALLED if columns.find_symbol(symbol, _CALLED) else CODE_LABELS)
    return _walk(columns, _Walk(tuple(start), _CALLING, False, depth, min_confidence))


def callees(columns: GraphColumns, symbol: str, depth: int = 1, min_confidence: float = 0.0) -> list[CallHit]:
    """What `symbol` calls, up to `depth` calls away; places are those of the calls, in the callers' files."""
    start = resolve_group(columns, symbol, CODE_LABELS)
    return _walk(columns, _Walk(tuple(start), _CALLING, True, depth, min_confidence))


def impact(columns: GraphColumns, symbol: str, depth: int = 10, min_confidence: float = 0.0) -> list[CallHit]:
    """Code that may have to change with `symbol`: its direct and indirect callers, references, subclasses, overrides,
    tests.

    A class or a file includes its contents, and a file also its importers (one step: the calls and references tell what
    they use). `how` is the relationship's name in lower case where it is not a call.
    """
    return impact_of(columns, resolve_group(columns, symbol, CODE_LABELS), depth, min_confidence)


def impact_of(
    columns: GraphColumns, group: Sequence[int], depth: int = 10, min_confidence: float = 0.0
) -> list[CallHit]:
    """As `impact`, for nodes that change together: definitions of one symbol, or all that a diff touches. A row's
    `definitions` are then those of them that it was reached from."""
    inside = [node for start in group for node in within(columns, start)]
    origins = {node: start for start in group for node in within(columns, start)} if len(group) > 1 else {}
    walk = _Walk(tuple(inside), IMPACT, False, depth, min_confidence, returns=False, origins=origins, told=("CALLS",))
    hits = _walk(columns, walk)
    there = {hit.id for hit in hits} | {columns.id(node) for node in inside}
    for start in group:
        for edge in columns.into(start, "IMPORTS").tolist() if columns.label(start) == "File" else ():
            node = int(columns.source[edge])
            if columns.id(node) not in there:
                there.add(columns.id(node))
                place, lines = int(columns.line[edge]), columns.lines(edge)
                hits.append(CallHit(columns.id(node), columns.path(node), place, 1, 1.0, "imports", lines))
    return sorted(hits, key=_by_place)


def _by_place(hit: CallHit) -> tuple[int, str, int, str]:
    return hit.distance, hit.file_path, hit.line, hit.id


def within(columns: GraphColumns, start: int) -> list[int]:
    """`start` and everything contained in it, at any depth."""
    found = [start]
    for node in found:
        found.extend(columns.target[columns.out(node, "CONTAINS")].tolist())
    return found


class _Walk(msgspec.Struct, frozen=True):
    """A walk along edges of `rels` from `start`; `returns` decides whether reaching a start again is a hit.

    `origins` maps each start to the definition of the symbol in question that it belongs to; empty for a single
    definition.
    """

    start: tuple[int, ...]
    rels: tuple[str, ...]
    outward: bool
    depth: int = 1
    min_confidence: float = 0.0
    returns: bool = True
    origins: Mapping[int, int] = {}
    told: tuple[str, ...] = _CALLING
    """Relationships of which a hit has the edge's `how`; of others it has the name."""


def _walk(columns: GraphColumns, walk: _Walk) -> list[CallHit]:
    """The nodes reached by a breadth-first walk, each once, at its smallest distance."""
    if walk.depth < 1:
        raise UsageError(f"depth must be at least 1, not {walk.depth}")
    outward = walk.outward
    edges_at: Callable[[int, str], Numbers] = columns.out if outward else columns.into
    ends = columns.target if outward else columns.source
    sure = dict.fromkeys(walk.start, 1.0)
    # The definitions from which each node was reached; not needed for a single one.
    several = len(set(walk.origins.values()) if walk.origins else walk.start) > 1
    origin = {node: {walk.origins.get(node, node)} for node in walk.start} if several else {}
    seen: set[int] = set() if walk.returns else set(walk.start)
    frontier, hits = list(walk.start), []
    for distance in range(1, walk.depth + 1):
        # Per node reached: the edge with the highest confidence, then one with a place, then the first place.
        best: dict[int, tuple[float, bool, int, int, int]] = {}
        reached: dict[int, set[int]] = {}
        # All edges of those next to the start, by confidence and file: one function may call several definitions.
        beside: dict[tuple[int, float, str], list[int]] = {}
        for node in frontier:
            weakest = sure[node]
            for rel in walk.rels:
                edges = edges_at(node, rel)
                if not len(edges) and rel != "REQUESTS":
                    continue
                ends_at, lines, confidences = ends[edges], columns.line[edges], columns.confidence[edges]
                steps: Iterable[tuple[int, int, int, float]] = zip(
                    edges.tolist(), ends_at.tolist(), lines.tolist(), confidences.tolist(), strict=True
                )
                if rel == "REQUESTS" and columns.label(node) != "Endpoint":
                    steps = _requested(columns, node, outward=outward)
                for edge, end, line, confidence in steps:
                    if confidence >= walk.min_confidence and end not in seen:
                        key = (-min(weakest, confidence), line == 0, line, node, edge)
                        if end not in best or key < best[end]:
                            best[end] = key
                        if distance == 1 and line:
                            in_file = columns.path(node if outward else end)
                            beside.setdefault((end, confidence, in_file), []).append(edge)
                        if several:
                            reached.setdefault(end, set()).update(origin[node])
        for end, (minus, _, line, node, edge) in best.items():
            rel = columns.rel(edge)
            how = columns.how(edge) if rel in walk.told else rel.lower()
            path = columns.path(node if outward else end)
            place = line or int(columns.start_line[end])  # overriding and testing have no line of their own
            edges_here = beside.get((end, -minus, path), [edge])
            own = tuple(sorted({at for one in edges_here for at in columns.lines(one)})) or (place,) * bool(place)
            about = tuple(map(columns.id, sorted(reached.get(end, ()))))
            endpoint = columns.id(int(columns.target[edge])) if rel == "REQUESTS" else ""
            unseen = int(columns.unseen[edge])
            hits.append(CallHit(columns.id(end), path, place, distance, -minus, how, own, about, endpoint, unseen))
        # The start itself may be a hit once, and is never expanded again.
        frontier = [end for end in best if end not in sure]
        sure.update((end, -best[end][0]) for end in best if end not in sure)
        origin.update((end, ends) for end, ends in reached.items() if end not in origin)
        seen.update(best)
        if not frontier:
            break
    return sorted(hits, key=_by_place)


def _requested(columns: GraphColumns, node: int, *, outward: bool) -> Iterator[tuple[int, int, int, float]]:
    """The steps from a handler to those who request it, or back: (edge, node, line, confidence)."""
    for hop in hops(columns, node, outward=outward):
        yield hop.edge, hop.end, hop.line, hop.confidence


# one symbol and its surroundings


# Implements REQ-CLI-008.
def show(columns: GraphColumns, symbol: str) -> Show:
    """`symbol` and its direct neighbours."""
    group = resolve_group(columns, symbol)
    node = lead(columns, group)
    code = columns.label(node) in CODE_LABELS

    def targets(*rels: str) -> tuple[str, ...]:
        edges = ((rel, edge) for rel in rels for one in group for edge in columns.out(one, rel))
        return tuple(dict.fromkeys(columns.id(int(columns.target[edge])) for _, edge in edges))

    def sources(*rels: str) -> tuple[str, ...]:
        edges = ((rel, edge) for rel in rels for one in group for edge in columns.into(one, rel))
        return tuple(dict.fromkeys(columns.id(int(columns.source[edge])) for _, edge in edges))

    def links(rel: str, outward: bool) -> tuple[Link, ...]:
        numbers = [edge for one in group for edge in (columns.out if outward else columns.into)(one, rel).tolist()]
        return tuple(
            dict.fromkeys(
                Link(edge.target if outward else edge.source, edge.how, edge.confidence, edge.evidence)
                for edge in map(columns.edge, numbers)
            )
        )

    return Show(
        id=columns.id(node),
        name=columns.name(node),
        qualified_name=columns.qualified_name(node),
        label=columns.label(node),
        kind=columns.kind(node),
        file_path=columns.path(node),
        start_line=int(columns.start_line[node]),
        end_line=int(columns.end_line[node]),
        language=columns.language(node),
        signature=columns.signature(node),
        docstring=columns.docstring(node),
        container=next(iter(sources("CONTAINS")), ""),
        contains=targets("CONTAINS"),
        callers=tuple(_walk(columns, _Walk(tuple(group), _CALLING, False))) if code else (),
        callees=tuple(_walk(columns, _Walk(tuple(group), _CALLING, True))) if code else (),
        bases=targets(*_INHERITS),
        subclasses=sources(*_INHERITS),
        overrides=targets("OVERRIDES"),
        overridden_by=sources("OVERRIDES"),
        imports=targets("IMPORTS"),
        imported_by=sources("IMPORTS"),
        references=targets("REFERENCES"),
        referenced_by=sources("REFERENCES"),
        tests=links("TESTS", False),
        requirements=links("IMPLEMENTS_REQ", True) + links("SATISFIES", True),
        designs=links("FOLLOWS_DESIGN", True) + links("SATISFIES", False),
        memories=sources("ABOUT"),
        definitions=tuple(map(columns.id, group)) if len(group) > 1 else (),
        handles=links("HANDLES", True),
        requests=links("REQUESTS", True),
        handled_by=links("HANDLES", False),
        requested_by=links("REQUESTS", False),
    )


def related(
    columns: GraphColumns,
    symbol: str,
    relationship_types: Collection[str] = (),
    direction: str = "BOTH",
    depth: int = 1,
    limit: int = 100,
) -> list[Related]:
    """The nodes within `depth` edges of `symbol`, by distance, relationship and id, at most `limit`.

    `relationship_types` in any case, empty for all but those that are guesses (`model.GUESSED`); `direction` is
    OUTGOING, INCOMING or BOTH in any case. Raises `UsageError` for a relationship or direction that does not exist.
    """
    wanted = {rel.upper() for rel in relationship_types}
    if unknown := sorted(wanted - set(columns.rels)):
        raise unknown_name("relationship", unknown[0], columns.rels)
    wanted = wanted or set(columns.rels) - GUESSED
    direction = direction.upper()
    if direction not in DIRECTIONS:
        raise unknown_name("direction", direction, DIRECTIONS)
    start = resolve_group(columns, symbol)
    seen, frontier, found = set(start), start, []
    for distance in range(1, depth + 1):
        reached: dict[int, tuple[str, int]] = {}
        for node in frontier:
            for edge, end in _neighbours(columns, node, direction):
                rel = columns.rel(edge)
                if end not in seen and rel in wanted:
                    reached[end] = min(reached.get(end, (rel, edge)), (rel, edge))
        ordered = sorted(reached, key=lambda end: (reached[end][0], end))
        for end in ordered:
            rel, edge = reached[end]
            name, label = columns.name(end), columns.label(end)
            way = "OUTGOING" if columns.target[edge] == end else "INCOMING"
            sure, how = float(columns.confidence[edge]), columns.how(edge)
            said = _evidence(columns, edge)
            lines = columns.lines(edge)
            found.append(Related(columns.id(end), label, name, rel, distance, said, way, sure, how, lines))
        if len(found) >= limit:
            break
        seen.update(reached)
        frontier = sorted(reached)
    return found[:limit]


# Implements REQ-RES-011.
def unresolved_near(
    columns: GraphColumns,
    symbol: str,
    found: Sequence[Related],
    family_of: Callable[[str], str],
    relationship_types: Collection[str] = (),
    direction: str = "BOTH",
    depth: int = 1,
) -> int:
    """The number of calls with unknown targets that may hide a row of `related`, which gave `found` for the same
    arguments.

    Whom a symbol calls may be hidden in its own file. Who calls it may be hidden in every file of a language that can
    call it: one of the same family, by `family_of`. Rows nearer than `depth` count like the symbol itself.
    """
    wanted = {rel.upper() for rel in relationship_types}
    if wanted and wanted.isdisjoint(_OF_CALLS):
        return 0
    nodes = resolve_group(columns, symbol)
    nodes += [node for row in found if row.distance < depth and (node := columns.find_id(row.entity_id)) is not None]
    files = columns.nodes("File")
    unresolved, _ = columns.column("File", "calls_unresolved")  # a number for each file, in their order
    called = [node for node in nodes if columns.label(node) in _CALLED] if direction.upper() != "OUTGOING" else []
    if called:
        everything = any(columns.label(node) == "External" for node in called)
        families = {family_of(columns.language(node)) for node in called}
        languages = columns.languages
        codes = [i for i, name in enumerate(languages.values) if everything or family_of(name) in families]
        hiding = np.isin(languages.codes[files], codes)
    else:
        hiding = np.isin(columns.paths.codes[files], columns.paths.codes[[n for n in nodes if _calls(columns, n)]])
    return int(np.asarray(unresolved)[hiding].sum())


def _calls(columns: GraphColumns, node: int) -> bool:
    return columns.label(node) in ("File", "Class", "Function")


def _neighbours(columns: GraphColumns, node: int, direction: str) -> Iterable[tuple[int, int]]:
    """(edge, the node at its other end)."""
    if direction != "INCOMING":
        edges = columns.out(node)
        yield from zip(edges.tolist(), columns.target[edges].tolist(), strict=True)
    if direction != "OUTGOING":
        edges = columns.into(node)
        yield from zip(edges.tolist(), columns.source[edges].tolist(), strict=True)


def _evidence(columns: GraphColumns, number: int) -> str:
    """The origin of an edge in words: `path:line (how)`, as far as known."""
    edge: Edge = columns.edge(number)
    if edge.evidence:
        return edge.evidence
    if edge.support:
        return f"changed together {edge.support} times"
    path = columns.path(int(columns.source[number]))
    place = f"{path}:{edge.line}" if edge.line else path
    return f"{place} ({edge.how})" if edge.how else place


# the whole graph


# Implements REQ-RES-011.
def calls_by_file(columns: GraphColumns) -> dict[str, dict[str, int]]:
    """Path → numbers of resolved, external and unresolved calls in it: see `model.File`."""
    return {
        columns.path(file): {
            name: columns.own(file, f"calls_{name}") or 0 for name in ("resolved", "external", "unresolved")
        }
        for file in columns.nodes("File").tolist()
    }


def unresolved_by_file(columns: GraphColumns) -> dict[str, int]:
    """Path → number of the file's calls with unknown targets; files without are left out."""
    return {path: own["unresolved"] for path, own in calls_by_file(columns).items() if own["unresolved"]}


def counts(columns: GraphColumns) -> GraphCounts:
    """The sizes of the graph."""
    files = columns.nodes("File").tolist()
    statuses: dict[str, int] = {}
    languages: dict[str, int] = {}
    for file in files:
        status = columns.own(file, "status")
        statuses[status] = statuses.get(status, 0) + 1
        language = columns.language(file)
        languages[language] = languages.get(language, 0) + 1
    return GraphCounts(
        columns.label_counts(), columns.rel_counts(), dict(sorted(languages.items())), dict(sorted(statuses.items()))
    )
