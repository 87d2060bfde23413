"""Loads a generation of a repository into a server, beside the one that is asked, and then shows it instead.

What readers see is decided by one property of the repository's node, so they see the old generation or the new one. A
push that dies leaves nodes that nobody is shown; their generation is noted before the first of them is written, and the
next push removes them. Every transaction may be repeated without another effect.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
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
from loregraph.graph.columns_writer import COLUMNS_FILE

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
) -> Pushed:
    """Makes `columns` what the server shows of the repository `name`; `waiting` and `pause` are those of `Turn`.

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
        return _replace(turn, name, columns, digest, state)
    finally:
        turn.release()


def digest_of(columns: GraphColumns) -> str:
    """A hash of the whole graph and of the form that it is loaded in."""
    with (columns.folder / COLUMNS_FILE).open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    return f"1-{content}"


def prepare(connection: Connection) -> None:
    """Makes the constraints and indexes that are missing, in the dialect that the server knows."""
    for statement in layout.schema_statements(memgraph="memgraph" in connection.agent().casefold()):
        try:
            connection.change_schema(statement)
        except QueryFailedError as error:
            raise ServerFailedError(
                f"the server refuses a constraint or an index: {error.message}", "see docs/server.md for what it needs"
            ) from None


def _replace(turn: Turn, name: str, columns: GraphColumns, digest: str, state: State) -> Pushed:
    number = state.next + 1
    generation = layout.generation_name(name, number)
    turn.change("r.next = $number, r.leftover = [$number]", number=number)
    nodes = sum(_load(turn, _node_statement(label), rows) for label, rows in layout.nodes(columns, name, generation))
    edges = sum(
        _load(turn, _edge_statement(rel, source, target), rows)
        for rel, source, target, rows in layout.edges(columns, generation)
    )
    turn.change(
        "r.number = $number, r.shown = $generation, r.digest = $digest, r.nodes = $nodes, r.edges = $edges, "
        "r.leftover = $leftover",
        number=number,
        generation=generation,
        digest=digest,
        nodes=nodes,
        edges=edges,
        leftover=[state.number] if state.number else [],
    )
    _remove(turn, name, (state.number,) if state.number else ())
    return Pushed(nodes, edges, number)


def _node_statement(label: str) -> str:
    return f"UNWIND $rows AS row MERGE (n:{label} {{key: row.key}}) SET n += row RETURN count(n) AS loaded"


def _edge_statement(rel: str, source: str, target: str) -> str:
    return (
        f"UNWIND $rows AS row MATCH (a:{source} {{key: row.source}}) MATCH (b:{target} {{key: row.target}}) "
        f"MERGE (a)-[e:{rel}]->(b) SET e += row.values RETURN count(e) AS loaded"
    )


def _load(turn: Turn, cypher: str, rows: Iterable[Row]) -> int:
    """Runs `cypher` for all `rows`, which it has to count. Returns their number."""
    loaded = 0
    for batch in _batches(rows):
        try:
            turn.write([Statement(cypher, {"rows": batch}, rows=len(batch))])
        except UnexpectedRowsError:
            raise ServerFailedError(
                f"the server did not load all of {len(batch):,} rows: {cypher}",
                "push again; if it happens again, the server's Cypher differs from what docs/server.md says",
            ) from None
        loaded += len(batch)
    return loaded


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, LOADED)):
        yield batch


def _remove(turn: Turn, name: str, numbers: Iterable[int]) -> None:
    """Removes the nodes of these generations, which nobody is shown."""
    for number in numbers:
        first, end = layout.key_range(layout.generation_name(name, number))
        for label in PUSHED_LABELS:
            cypher = (
                f"MATCH (n:{label}) WHERE n.key >= $first AND n.key < $end WITH n LIMIT {REMOVED} "
                "DETACH DELETE n RETURN count(*) AS removed"
            )
            while count_of(turn.write([Statement(cypher, {"first": first, "end": end})])[0]):
                pass
        turn.change("r.leftover = [one IN r.leftover WHERE one <> $number]", number=number)


def _counts(connection: Connection, name: str) -> tuple[int, int] | None:
    """The numbers of nodes and edges that the repository's node says."""
    cypher = f"MATCH (r:{REPOSITORY} {{name: $name}}) RETURN r.nodes AS nodes, r.edges AS edges"
    rows = connection.read(Statement(cypher, {"name": name})).rows
    return (rows[0][0], rows[0][1]) if rows and None not in rows[0] else None
