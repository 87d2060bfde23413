"""Loads a generation of a repository into a server, beside the one that is asked, and then shows it instead.

What readers see is decided by one property of the repository's node, so they see the old generation or the new one. A
push that dies leaves nodes that nobody is shown; their generation is noted before the first of them is written, and the
next push removes them. Every transaction may be repeated without another effect.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec

from loregraph.bolt import layout
from loregraph.bolt.connection import Connection, UnexpectedRowsError, count_of
from loregraph.bolt.layout import PUSHED_LABELS, REPOSITORY, Row
from loregraph.bolt.messages import Statement
from loregraph.bolt.turn import State, Turn
from loregraph.errors import QueryFailedError, ServerFailedError
from loregraph.graph.columns import GraphColumns

LOADED: Final = 2_000
"""Nodes or edges of a transaction: at least as fast as larger ones on ArcadeDB, and a sign of life every second."""
REMOVED: Final = 500
"""Nodes of a transaction that removes them with their edges."""


class Pushed(msgspec.Struct, frozen=True):
    """What the server has now: nodes and edges of the repository, the number of its generation, and whether it had them
    before."""

    nodes: int
    edges: int
    generation: int
    unchanged: bool = False


# Implements REQ-SRV-001, REQ-SRV-002, REQ-SRV-003.
def push(
    connection: Connection,
    name: str,
    columns: GraphColumns,
    *,
    waiting: Callable[[], None] = lambda: None,
    pause: Callable[[float], None] = time.sleep,
    progress: Callable[[int, int], None] | None = None,
) -> Pushed:
    """Makes `columns` what the server shows of the repository `name`; `waiting` and `pause` are those of `Turn`, and
    `progress` is called with the number of nodes and edges that are loaded, and that of all.

    Raises the errors of `Connection` and TurnLostError.
    """
    layout.check_name(name)
    digest = digest_of(columns)
    prepare(connection)
    turn = Turn(connection, name, waiting=waiting, pause=pause)
    state = turn.take()
    try:
        _remove(turn, name, state.leftover)
        counts = _counts(connection, name) if state.digest == digest else None
        if counts is not None:
            return Pushed(*counts, state.number, unchanged=True)
        return _Replacement(turn, name, columns, digest, state, progress).run()
    finally:
        turn.release()


def digest_of(columns: GraphColumns) -> str:
    """A hash of all that is loaded: memories, which are each user's own, make no difference."""
    content = hashlib.sha256()
    for label, rows in layout.nodes(columns, "", ""):
        content.update(label.encode())
        for row in rows:
            content.update(msgspec.msgpack.encode(row))
    for rel, source, target, rows in layout.edges(columns, ""):
        content.update(f"{rel} {source} {target}".encode())
        for row in rows:
            content.update(msgspec.msgpack.encode(row))
    return content.hexdigest()


def prepare(connection: Connection) -> None:
    """Makes the constraints and indexes that are missing, in the dialect that the server knows."""
    for statement in layout.schema_statements(memgraph="memgraph" in connection.agent().casefold()):
        try:
            connection.change_schema(statement)
        except QueryFailedError as error:
            raise ServerFailedError(
                f"the server refuses a constraint or an index: {error.message}", "see docs/server.md for what it needs"
            ) from None


class _Replacement:
    """One generation replaced by another, by a push whose turn it is."""

    def __init__(
        self,
        turn: Turn,
        name: str,
        columns: GraphColumns,
        digest: str,
        state: State,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._turn = turn
        self._name = name
        self._columns = columns
        self._digest = digest
        self._replaced = [state.number] if state.number else []
        self._number = state.next + 1
        self._progress = progress
        self._done = 0

    def run(self) -> Pushed:
        generation = layout.generation_name(self._name, self._number)
        self._turn.change("r.next = $number, r.leftover = [$number]", number=self._number)
        nodes = sum(
            self._load(_node_statement(label), rows)
            for label, rows in layout.nodes(self._columns, self._name, generation)
        )
        edges = sum(
            self._load(_edge_statement(rel, source, target), rows)
            for rel, source, target, rows in layout.edges(self._columns, generation)
        )
        self._turn.change(
            "r.number = $number, r.shown = $generation, r.digest = $digest, r.nodes = $nodes, r.edges = $edges, "
            "r.leftover = $leftover",
            number=self._number,
            generation=generation,
            digest=self._digest,
            nodes=nodes,
            edges=edges,
            leftover=self._replaced,
        )
        _remove(self._turn, self._name, self._replaced)
        return Pushed(nodes, edges, self._number)

    def _load(self, cypher: str, rows: Iterable[Row]) -> int:
        """Runs `cypher` for all `rows`, which it has to count. Returns their number."""
        loaded = 0
        for batch in _batches(rows):
            try:
                self._turn.write([Statement(cypher, {"rows": batch}, rows=len(batch))])
            except UnexpectedRowsError:
                raise ServerFailedError(
                    f"the server did not load all of {len(batch):,} rows: {cypher}",
                    "push again; if it happens again, the server's Cypher differs from what docs/server.md says",
                ) from None
            loaded += len(batch)
            self._done += len(batch)
            if self._progress is not None:
                self._progress(self._done, self._columns.node_count + self._columns.edge_count)
        return loaded


def _node_statement(label: str) -> str:
    return f"UNWIND $rows AS row MERGE (n:{label} {{key: row.key}}) SET n += row RETURN count(n) AS loaded"


def _edge_statement(rel: str, source: str, target: str) -> str:
    return (
        f"UNWIND $rows AS row MATCH (a:{source} {{key: row.source}}) MATCH (b:{target} {{key: row.target}}) "
        f"MERGE (a)-[e:{rel}]->(b) SET e += row.values RETURN count(e) AS loaded"
    )


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, LOADED)):
        yield batch


def _remove(turn: Turn, name: str, numbers: Sequence[int]) -> None:
    """Removes the nodes of these generations, which nobody is shown."""
    for done, number in enumerate(numbers, 1):
        first, end = layout.key_range(layout.generation_name(name, number))
        for label in PUSHED_LABELS:
            cypher = (
                f"MATCH (n:{label}) WHERE n.key >= $first AND n.key < $end WITH n LIMIT {REMOVED} "
                "DETACH DELETE n RETURN count(*) AS removed"
            )
            while count_of(turn.write([Statement(cypher, {"first": first, "end": end})])[0]):
                pass
        turn.change("r.leftover = $leftover", leftover=list(numbers[done:]))


def _counts(connection: Connection, name: str) -> tuple[int, int] | None:
    """The numbers of nodes and edges that the repository's node says."""
    cypher = f"MATCH (r:{REPOSITORY} {{name: $name}}) RETURN r.nodes AS nodes, r.edges AS edges"
    rows = connection.read(Statement(cypher, {"name": name})).rows
    return (rows[0][0], rows[0][1]) if rows and None not in rows[0] else None
