"""What other tools found of the code, such as a compiler or a run of the tests, joined with our own edges.

It is derived data of a source outside: kept in the store's state by source and file, with the hashes of the contents
that it speaks of. Whenever a file is resolved, the claims about it that still hold are joined with its edges, so that
an edit and a fresh index give the same graph; claims about content that is not there now wait until it is there again.
An edge that both found keeps both reasons (`how` is `import+scip`) and is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final

import msgspec
from msgspec.structs import replace

from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import RELATIONSHIP_PROPERTIES, Edge, Function, Node
from loregraph.graph.state import IMPORTED, State, with_state

OBSERVED: Final = "observed"
"""Kind of a source: a run of tests in which calls were recorded, by the pytest plugin."""
COVERAGE: Final = "coverage"
"""Kind of a source: a run in which lines were counted."""
SCIP: Final = "scip"
"""Kind of a source: an index that a compiler made. It is the `how` of what only that knows."""
_AND: Final = "+"
RUNS: Final = (OBSERVED, COVERAGE)
"""Kinds of sources that are runs, the one that tells most first."""
WAIT_SECONDS: Final = 60.0
"""How long an import waits for another writer."""


class Source(msgspec.Struct, frozen=True):
    """Where claims come from: `kind` is the `how` of their edges, `name` tells sources of a kind apart, `digest` is the
    hash of the file that was read, `revision` that of the code it was made from, "" where it does not say."""

    kind: str
    name: str
    digest: str
    revision: str = ""
    claims: str = ""
    """Hash of all claims."""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.name}"


class Claim(msgspec.Struct, array_like=True, frozen=True, order=True):
    """That `source`, a file or a definition in it, has the relationship `rel` to `target`, at `line`.

    Where `content_hash` is given it is that of the definition `source`, which may have moved since: `line` counts from
    its first line, 0. Else the claim holds for the file's content only, and `line` is the file's.
    """

    source: str
    target: str
    line: int
    rel: str = "CALLS"
    content_hash: str = ""
    evidence: str = ""
    """What shows it: of a run the first of the tests that did."""
    count: int = 1
    """How many tests did."""


class Ran(msgspec.Struct, array_like=True, frozen=True, order=True):
    """Whether a function ran when it was measured, and its content hash then. Where calls were recorded, `tests` is in
    how many tests it ran, and `is_watched` says that calls of it could be seen: at least one was."""

    function: str
    content_hash: str
    executed: bool
    tests: int = 0
    is_watched: bool = False


class Tested(msgspec.Struct, array_like=True, frozen=True, order=True):
    """What came of a test: `outcome` as in `analysis.tracing.junit`, `seconds` -1 where it is not known, `failed_when`
    "setup", "call" or "teardown" where that is known."""

    test: str
    outcome: str
    seconds: float = -1.0
    failed_when: str = ""


class FileClaims(msgspec.Struct, array_like=True, frozen=True):
    """The claims of one source about the code of one file, whose content has `content_hash`; which of its functions ran
    and what came of its tests, where the source is a run."""

    content_hash: str
    claims: tuple[Claim, ...] = ()
    ran: tuple[Ran, ...] = ()
    tested: tuple[Tested, ...] = ()

    @property
    def says_something(self) -> bool:
        return bool(self.claims or self.ran or self.tested)


Definitions = Callable[[], Mapping[str, tuple[str, int]]]
"""Gives the definitions of a file: id → content hash and first line."""


def sources(state: State) -> list[Source]:
    """What was imported, by kind and name."""
    saved = state.meta(IMPORTED)
    return msgspec.msgpack.decode(saved, type=list[Source]) if saved else []


def put(state: State, source: Source, files: Mapping[str, FileClaims]) -> None:
    """Stores what `source` claims about each file, in place of what it claimed before. Does not commit."""
    from hashlib import blake2b

    blobs = {path: msgspec.msgpack.encode(own) for path, own in sorted(files.items()) if own.says_something}
    digest = blake2b(digest_size=16)
    for path, blob in blobs.items():
        digest.update(f"{path}\0{len(blob)}\0".encode("utf-8", "surrogatepass") + blob)
    state.put_imported(source.key, blobs)
    _note(state, [replace(source, claims=digest.hexdigest())], source.key)


def forget(state: State, key: str) -> bool:
    """Removes everything of the source `key`; whether there was any. Does not commit."""
    known = any(source.key == key for source in sources(state))
    state.put_imported(key, {})
    _note(state, [], key)
    return known


def sources_in(folder: StoreFolder) -> list[Source]:
    """As `sources`, of a store; none where it has no state that can be read."""
    state = folder.open_state(counted=False)
    if state is None:
        return []
    with closing(state):
        return sources(state)


def put_in(folder: StoreFolder, source: Source, files: Mapping[str, FileClaims]) -> None:
    """As `put`, in the state of a store. Raises StoreBusyError while another process is writing."""

    def work(state: State) -> None:
        folder.bind(state)
        put(state, source, files)

    with folder.writer(WAIT_SECONDS):
        with_state(folder.state_path, work)


def forget_in(folder: StoreFolder, key: str) -> bool:
    """As `forget`, in the state of a store; a store without anything of that source is not touched."""
    if all(source.key != key for source in sources_in(folder)):
        return False

    def work(state: State) -> bool:
        folder.bind(state)
        return forget(state, key)

    with folder.writer(WAIT_SECONDS):
        return with_state(folder.state_path, work)


def _note(state: State, new: Iterable[Source], gone: str) -> None:
    kept = [*(source for source in sources(state) if source.key != gone), *new]
    kept.sort(key=lambda source: source.key)
    state.put_meta(IMPORTED, msgspec.msgpack.encode(kept) if kept else None)


def claims_about(state: State, paths: Collection[str] | None = None) -> dict[str, list[tuple[str, FileClaims]]]:
    """Path → (key of the source, its claims) for those of `paths` that there are claims about."""
    found: dict[str, list[tuple[str, FileClaims]]] = {}
    if state.meta(IMPORTED) is None:
        return found
    decoder = msgspec.msgpack.Decoder(FileClaims)
    for path, source, blob in state.imported(paths):
        found.setdefault(path, []).append((source, decoder.decode(blob)))
    return found


def watched(state: State, paths: Collection[str]) -> dict[str, set[str]]:
    """Key of a source → ids of the functions in the files `paths` of which it could see every call."""
    found: dict[str, set[str]] = {}
    for own in claims_about(state, paths).values():
        for key, claims in own:
            found.setdefault(key, set()).update(ran.function for ran in claims.ran if ran.is_watched)
    return found


def executions(state: State, paths: Collection[str] | None = None) -> dict[str, list[Ran]]:
    """Id → what runs say of the function, for the code of `paths`, or of all files."""
    found: dict[str, list[Ran]] = {}
    if state.meta(IMPORTED) is None:
        return found
    decoder = msgspec.msgpack.Decoder(FileClaims)
    for _, _, blob in state.imported(paths):
        for ran in decoder.decode(blob).ran:
            found.setdefault(ran.function, []).append(ran)
    return found


# Implements REQ-RUN-006.
def with_execution(nodes: Iterable[Node], executions: Mapping[str, Sequence[Ran]]) -> list[Node]:
    """`nodes` with what runs say of functions: what one run saw, all together know; what they say of another content is
    no answer, only that there was one."""
    return [
        _with_answer(node, executions[node.id]) if isinstance(node, Function) and node.id in executions else node
        for node in nodes
    ]


def _with_answer(node: Function, said: Sequence[Ran]) -> Function:
    valid = [ran.executed for ran in said if ran.content_hash == node.content_hash]
    return replace(node, executed=any(valid) if valid else None, outdated=not valid)


def all_claims(state: State) -> Iterator[tuple[str, FileClaims]]:
    """(key of the source, its claims about one file) of all sources and files, by path."""
    decoder = msgspec.msgpack.Decoder(FileClaims)
    for _, source, blob in state.imported():
        yield source, decoder.decode(blob)


# Implements REQ-EXC-003.
def joined(
    edges: Sequence[Edge],
    claimed: Iterable[tuple[str, FileClaims]],
    content_hash: str,
    definitions: Definitions,
) -> tuple[Edge, ...]:
    """The edges of a file whose content has `content_hash`, with the claims that hold for it, given with the keys of
    their sources.

    Ends are not checked: an edge to something that is not in the graph is left out where the graph is put together, as
    any other.
    """
    by_key = {(edge.rel, edge.source, edge.target): edge for edge in edges}
    before = len(by_key)
    for source_key, own in claimed:
        kind = source_key.partition(":")[0]
        for claim in own.claims:
            line = claim.line
            if claim.content_hash:
                known, first = definitions().get(claim.source, ("", 0))
                if known != claim.content_hash:
                    continue
                line += first
            elif own.content_hash != content_hash:
                continue
            if "line" not in RELATIONSHIP_PROPERTIES[claim.rel]:
                line = 0
            key = (claim.rel, claim.source, claim.target)
            by_key[key] = _with_reason(by_key.get(key), key, kind, line)
    found = tuple(by_key.values())
    return found if len(found) == before else tuple(edge for _, edge in sorted(by_key.items()))


def _with_reason(edge: Edge | None, key: tuple[str, str, str], kind: str, line: int) -> Edge:
    rel, source, target = key
    if edge is None:
        return Edge(rel, source, target, line, how=kind)
    how = edge.how if kind in reasons(edge.how) else f"{edge.how}{_AND}{kind}" if edge.how else kind
    if rel != "CALLS" or not line or line in edge.lines:
        return replace(edge, how=how, confidence=1.0)
    first, *more = sorted((*edge.lines, line))
    return replace(edge, how=how, confidence=1.0, line=first, more_lines=tuple(more), count=edge.count + 1)


def reasons(how: str) -> list[str]:
    """The ways in which an edge was found: our own first, then what was imported."""
    return how.split(_AND)


def by_run(how: str) -> str:
    """The run among the reasons of an edge, "" where there is none."""
    ways = reasons(how)
    return next((one for one in RUNS if one in ways), "")


# Implements REQ-RUN-016.
def is_only_of_runs(how: str) -> bool:
    """Whether an edge was found by runs alone: of TESTS, that the test ran the code, not that it calls it itself."""
    return frozenset(RUNS).issuperset(reasons(how))
