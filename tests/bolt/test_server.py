"""Pushing to a real server, and asking it, while pushes go on, die and overtake each other."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from loregraph.bolt import layout, turn
from loregraph.bolt.address import PASSWORD_VARIABLE, Server
from loregraph.bolt.ask import ask
from loregraph.bolt.connection import Connection, UnexpectedRowsError
from loregraph.bolt.messages import Question, Result, Statement
from loregraph.bolt.push import Pushed, push
from loregraph.bolt.turn import Turn
from loregraph.errors import (
    NotIndexedError,
    QueryFailedError,
    ServerAccessError,
    ServerUnreachableError,
    TurnLostError,
)
from loregraph.graph.columns import GraphColumns

from ..shop import SHOP, written
from .graphs import columns, small, tangled

pytestmark = pytest.mark.integration("arcadedb_embedded")

SIGNATURES = "MATCH (f:Function) RETURN f.signature AS s ORDER BY s"


@pytest.fixture
def one(tmp_path: Path) -> GraphColumns:
    return columns(tmp_path / "one", small("1"))


@pytest.fixture
def two(tmp_path: Path) -> GraphColumns:
    return columns(tmp_path / "two", small("2"))


def values(connection: Connection, cypher: str, name: str, **params: Any) -> list[Any]:
    """The first column of the answer from one repository."""
    result = ask(connection, cypher, params, limit=10_000, timeout=30, repositories=[name])
    return [row[0] for row in result.rows]


def shown(connection: Connection, name: str) -> set[str]:
    """The versions of the graph that a reader sees; of a whole one there are three functions."""
    signatures = values(connection, SIGNATURES, name)
    assert len(signatures) == 3
    return {signature[0] for signature in signatures}


def leftovers(connection: Connection, name: str) -> set[str]:
    """The generations of a repository that have nodes on the server."""
    found = set()
    for label in layout.PUSHED_LABELS:
        cypher = f"MATCH (n:{label}) WHERE n.repository = $name RETURN DISTINCT n.generation"
        found |= {row[0] for row in connection.read(Statement(cypher, {"name": name})).rows}
    return found


def never(_: float) -> None:
    raise AssertionError("nothing to wait for")


class Watched(Connection):
    """A connection that calls `before` with the number of each transaction that it is to write."""

    def __init__(self, server: Server, before: Callable[[int], None]) -> None:
        super().__init__(server)
        self.before = before
        self.writes = 0

    def write(self, statements: Sequence[Statement]) -> list[Result]:
        self.writes += 1
        self.before(self.writes)
        return super().write(statements)


# Verifies REQ-SRV-001.
def test_a_graph_is_loaded_whole_but_for_memories(connection: Connection, name: str, one: GraphColumns) -> None:
    assert push(connection, name, one, pause=never) == Pushed(4, 5, 1)
    found = ask(connection, "MATCH (n) RETURN n", {}, limit=100, timeout=30, repositories=[name]).rows
    assert {row[0]["label"] for row in found} == {"File", "Function"}
    (call,) = values(connection, "MATCH (f:Function {name: 'f'})-[c:CALLS]->(g) RETURN c", name)
    known = {"line": 1, "lines": [1, 2], "count": 2, "confidence": 0.9, "how": "import", "unseen": 0}
    assert call == {"rel": "CALLS"} | known
    (file,) = values(connection, "MATCH (n:File) RETURN n", name)
    assert file["id"] == f"{name}:a.py"
    assert file["problems"] == ["a 'quoted' line", "another"] and file["orphan_markers"] == []
    assert values(connection, "MATCH (n:File) RETURN n.repository", name) == [name]


# Verifies REQ-SRV-002.
def test_the_same_graph_is_not_loaded_again(server: Server, name: str, one: GraphColumns, tmp_path: Path) -> None:
    with Watched(server, lambda _: None) as connection:
        first = push(connection, name, one, pause=never)
        loading = connection.writes
        again = push(connection, name, one, pause=never)
        assert again == Pushed(first.nodes, first.edges, 1, unchanged=True)
        assert connection.writes - loading == 2  # the turn is taken and given back
        # From somebody who remembers something else.
        others = columns(tmp_path / "others", small("1", remembered=False))
        assert push(connection, name, others, pause=never).unchanged
        assert shown(connection, name) == {"1"}


# Verifies REQ-SRV-002.
def test_a_transaction_that_is_repeated_leaves_nothing_twice(server: Server, name: str, one: GraphColumns) -> None:
    class Twice(Connection):
        def write(self, statements: Sequence[Statement]) -> list[Result]:
            if "UNWIND" in statements[-1].cypher:
                super().write(statements)
            return super().write(statements)

    with Twice(server) as connection:
        assert push(connection, name, one, pause=never) == Pushed(4, 5, 1)
        assert values(connection, "MATCH (n) RETURN count(n)", name) == [4]
        assert values(connection, "MATCH (n)-[e]->(m) RETURN count(e)", name) == [5]


# Verifies REQ-SRV-003.
def test_a_reader_sees_one_whole_generation_at_every_step_of_a_push(
    server: Server, connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    push(connection, name, one, pause=never)
    seen: list[set[str]] = []
    with Watched(server, lambda _: seen.append(shown(connection, name))) as pushing:
        assert push(pushing, name, two, pause=never).generation == 2
    assert seen[0] == {"1"} and seen[-1] == {"2"}
    assert sorted(seen, key=str) == seen  # never back, never both
    assert leftovers(connection, name) == {f"{name}@2"}


# Verifies REQ-SRV-003, REQ-SRV-007.
def test_a_push_that_dies_anywhere_leaves_the_old_graph_and_the_next_one_cleans_up(
    server: Server, connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    push(connection, name, one, pause=never)
    versions = [two, one]

    def dies_at(last: int) -> Callable[[int], None]:
        def before(write: int) -> None:
            if write > last:
                raise ServerUnreachableError("the connection is lost")

        return before

    died, last = 0, 1
    while True:
        wanted = versions[died % 2]
        before = shown(connection, name)
        with Watched(server, dies_at(last)) as dying:
            try:
                push(dying, name, wanted, pause=never)
            except ServerUnreachableError:
                died += 1
            if dying.writes <= last:
                break
        assert len(shown(connection, name) | before) <= 2
        looks: list[float] = []
        push(connection, name, wanted, pause=looks.append)
        assert len(looks) >= turn.LOOKS  # the owner was waited for
        assert len(shown(connection, name)) == 1
        assert len(leftovers(connection, name)) == 1
        last += 4
    assert died >= 3


# Verifies REQ-SRV-007.
def test_two_pushes_take_turns(
    server: Server, connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    waits, done = threading.Event(), threading.Event()

    def first() -> Pushed:
        # It goes on once the other one waits for it.
        with Watched(server, lambda write: waits.wait() and None if write == 3 else None) as pushing:
            pushed = push(pushing, name, one, pause=never)
        done.set()
        return pushed

    def second() -> Pushed:
        with Connection(server) as pushing:
            return push(pushing, name, two, waiting=waits.set, pause=lambda _: done.wait() and None)

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(first)
        while not connection.read(
            Statement(f"MATCH (r:{layout.REPOSITORY} {{name: $name}}) RETURN r.owner", {"name": name})
        ).rows:
            pass
        assert pool.submit(second).result().generation == 2
        assert running.result().generation == 1
    assert shown(connection, name) == {"2"}
    assert leftovers(connection, name) == {f"{name}@2"}


# Verifies REQ-SRV-007.
def test_of_two_first_pushes_at_once_both_come_to_their_turn(
    server: Server, connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    together, done = threading.Barrier(2), threading.Event()

    def pushed(graph: GraphColumns) -> Pushed:
        with Watched(server, lambda write: together.wait() and None if write == 1 else None) as pushing:
            found = push(pushing, name, graph, pause=lambda _: done.wait() and None)
        done.set()
        return found

    with ThreadPoolExecutor(2) as pool:
        assert {found.generation for found in pool.map(pushed, (one, two))} == {1, 2}
    assert len(shown(connection, name)) == 1
    assert leftovers(connection, name) == {f"{name}@2"}


# Verifies REQ-SRV-007.
def test_a_push_that_lost_its_turn_writes_nothing_more(
    server: Server, connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    push(connection, name, one, pause=never)
    slow = Turn(connection, name)
    slow.take()
    with Connection(server) as other:
        quick = Turn(other, name, pause=lambda _: None)
        quick.take()
        with pytest.raises(TurnLostError, match="took over"):
            slow.change("r.digest = 'mine'")
        slow.release()  # not the other's
        quick.change("r.digest = 'theirs'")
        quick.release()
    digest = connection.read(
        Statement(f"MATCH (r:{layout.REPOSITORY} {{name: $name}}) RETURN r.digest, r.owner", {"name": name})
    )
    assert digest.rows == [["theirs", None]]
    assert push(connection, name, two, pause=never).generation == 2


def test_an_owner_with_signs_of_life_is_waited_for(server: Server, connection: Connection, name: str) -> None:
    owner = Turn(connection, name)
    owner.take()
    looks = 0

    def beats(_: float) -> None:
        nonlocal looks
        looks += 1
        if looks < 3 * turn.LOOKS:
            owner.change("r.digest = ''")
        elif looks == 3 * turn.LOOKS:
            owner.release()

    with Connection(server) as other:
        waiting = Turn(other, name, pause=beats)
        waiting.take()
        waiting.release()
    assert looks == 3 * turn.LOOKS


# Verifies REQ-SRV-006.
def test_repositories_are_asked_together_or_alone(
    connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    names = [f"{name}-a", f"{name}-b"]
    for each, graph in zip(names, (one, two), strict=True):
        push(connection, each, graph, pause=never)
    cypher = "MATCH (f:Function {name: 'f'})-[:CALLS]->(g) RETURN f.id, g.id ORDER BY f.id"
    together = ask(connection, cypher, {}, limit=10, timeout=30, repositories=names)
    assert together.rows == [[f"{each}:a.py::f", f"{each}:a.py::g"] for each in names]
    assert values(connection, cypher, names[1]) == [f"{names[1]}:a.py::f"]
    with pytest.raises(NotIndexedError, match=f"no repository '{name}-c'"):
        values(connection, cypher, f"{name}-c")
    limited = ask(connection, cypher, {}, limit=1, timeout=30, repositories=names)
    assert len(limited.rows) == 1 and limited.truncated


def test_repositories_are_pushed_at_the_same_time(
    server: Server, connection: Connection, name: str, tmp_path: Path
) -> None:
    graphs = {f"{name}-{i}": columns(tmp_path / str(i), tangled(i)) for i in range(3)}

    def pushed(each: str) -> Pushed:
        with Connection(server) as own:
            return push(own, each, graphs[each], pause=never)

    with ThreadPoolExecutor(3) as pool:
        for each, done in zip(graphs, pool.map(pushed, graphs), strict=True):
            assert (done.nodes, done.edges) == (graphs[each].node_count, graphs[each].edge_count)
            assert values(connection, "MATCH (a)-[e]->(b) RETURN count(e)", each) == [done.edges]


# Verifies REQ-SRV-003.
def test_a_transaction_sees_that_a_generation_was_replaced(
    server: Server, connection: Connection, name: str, one: GraphColumns, two: GraphColumns
) -> None:
    """What `ask` rests on: the list of generations read again in one transaction is the current one."""
    import neo4j

    from loregraph.bolt.address import credentials

    push(connection, name, one, pause=never)
    listing = f"MATCH (r:{layout.REPOSITORY} {{name: $name}}) RETURN r.shown AS g"
    with (
        neo4j.GraphDatabase.driver(server.url, auth=credentials()) as driver,
        driver.session(database=server.database) as session,
        session.begin_transaction() as transaction,
    ):
        assert transaction.run(listing, name=name).value() == [f"{name}@1"]
        push(connection, name, two, pause=never)
        assert transaction.run(listing, name=name).value() == [f"{name}@2"]


# Verifies REQ-SRV-004.
def test_a_statement_that_writes_is_undone_even_if_it_were_let_through(
    connection: Connection, name: str, one: GraphColumns
) -> None:
    push(connection, name, one, pause=never)
    writes = Statement("CREATE (n:Written {name: $name}) RETURN n.name", {"name": name})
    connection.ask(Question(writes, Statement("RETURN 'x' AS g"), "generations", 30))
    assert connection.read(Statement("MATCH (n:Written {name: $name}) RETURN n", {"name": name})).rows == []


def test_a_transaction_with_another_count_is_undone(connection: Connection, name: str) -> None:
    created = Statement("CREATE (n:Counted {name: $name}) RETURN count(n)", {"name": name}, rows=1)
    with pytest.raises(UnexpectedRowsError) as raised:
        connection.write([created, Statement("RETURN 5", rows=4)])
    assert raised.value.index == 1
    assert connection.read(Statement("MATCH (n:Counted {name: $name}) RETURN n", {"name": name})).rows == []


# Verifies REQ-SRV-008.
def test_tls_is_a_matter_of_the_address(server: Server) -> None:
    with Connection(Server(server.url.replace("bolt:", "bolt+ssc:"), server.database)) as unchecked:
        assert unchecked.read(Statement("RETURN 7")).rows == [[7]]
    with (
        Connection(Server(server.url.replace("bolt:", "bolt+s:"), server.database)) as checked,
        pytest.raises(ServerUnreachableError, match="SSLCertVerificationError"),
    ):
        checked.read(Statement("RETURN 7"))


# Verifies REQ-SRV-004.
def test_an_anchored_query_starts_at_an_index(
    server: Server, connection: Connection, name: str, one: GraphColumns
) -> None:
    import neo4j

    from loregraph.bolt.address import credentials
    from loregraph.bolt.scope import scoped

    push(connection, name, one, pause=never)
    with (
        neo4j.GraphDatabase.driver(server.url, auth=credentials()) as driver,
        driver.session(database=server.database) as session,
    ):
        for cypher, index in {
            "MATCH (a:Function {id: $id}) RETURN a.name": "id",
            "MATCH (b:Function)-[:CALLS]->(a:Function {id: $id}) RETURN b.id": "id",
            "MATCH (b:Function)-[:CALLS*1..3]->(a:Function {id: $id}) WHERE b.is_test RETURN DISTINCT b.id": "id",
            "MATCH (a:Function {name: $id}) RETURN a.id": "name",
        }.items():
            statement = scoped(cypher)
            params = {"id": f"{name}:a.py::f", statement.parameter: [f"{name}@1"]}
            plan = session.run(f"EXPLAIN {statement.cypher}", params).consume().plan
            assert plan is not None
            text = plan["args"]["string-representation"]
            assert f"NodeIndexSeek(a:Function) [index=loregraph_function_{index}" in text, text


def test_a_long_answer_is_left_where_it_is(connection: Connection, name: str, one: GraphColumns) -> None:
    push(connection, name, one, pause=never)
    found = ask(connection, "UNWIND range(1, 1000000) AS x RETURN x", {}, limit=3, timeout=30, repositories=[name])
    assert found.rows == [[1], [2], [3]] and found.truncated
    assert shown(connection, name) == {"1"}


def test_what_the_server_refuses_is_said_in_one_error(
    connection: Connection, name: str, one: GraphColumns, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    push(connection, name, one, pause=never)
    with pytest.raises(QueryFailedError):
        values(connection, "MATCH (f:Function) RETURN f.name + ", name)
    with pytest.raises(QueryFailedError, match="unknown label 'function'"):
        values(connection, "MATCH (f:function) RETURN f.name", name)
    monkeypatch.setenv(PASSWORD_VARIABLE, "sesame-open")
    with Connection(server) as refused, pytest.raises(ServerAccessError) as raised:
        refused.read(Statement("RETURN 1"))
    assert "sesame" not in f"{raised.value.message} {raised.value.suggestion}"


def rows_of(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text)
    return found


# Verifies REQ-SRV-001, REQ-SRV-005, REQ-SRV-006, REQ-SRV-008.
def test_the_command_line_and_mcp_ask_what_was_pushed(
    server: Server,
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from loregraph.cli.main import main
    from loregraph.mcp_server.call import Call
    from loregraph.mcp_server.tools_search import graph_query
    from loregraph.mcp_server.workspace import Workspace

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = written(tmp_path / "shop", SHOP)

    def run(*words: str) -> str:
        capsys.readouterr()
        assert main(["--root", str(root), *words, "--json"], standalone_mode=False) == 0, capsys.readouterr().err
        captured = capsys.readouterr()
        for text in (captured.out, captured.err, caplog.text):
            assert server_password not in text
        return captured.out

    import os

    server_password = os.environ[PASSWORD_VARIABLE]
    run("index", "--no-embed", "--jobs", "1")
    there = (server.url, "--database", server.database)
    pushed = json.loads(run("push", *there, "--as", name))
    assert pushed.keys() == {"nodes", "edges", "generation"} and pushed["generation"] == 1
    exported = [json.loads(line) for line in _exported(main, root, capsys)]
    assert pushed["nodes"] == sum(row["type"] == "node" for row in exported)
    assert pushed["edges"] == sum(row["type"] == "edge" for row in exported)

    def prefixed(value: Any) -> Any:
        """What the embedded engine answers, with the ids of the server."""
        ids = {row["id"] for row in exported if row["type"] == "node"}
        if isinstance(value, dict):
            return {key: prefixed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [prefixed(item) for item in value]
        return f"{name}:{value}" if value in ids and value != "" else value

    for cypher in (
        "MATCH (f:Function {name: 'checkout'})-[c:CALLS]->(g) RETURN label(g) AS l, label(c) AS r, c.confidence AS c, "
        "g.id AS id ORDER BY id",
        "MATCH (f:File) WHERE EXISTS { MATCH (f)-[:CONTAINS]->(c:Class) } RETURN f.id AS id, lower(f.language) AS l",
        "MATCH (f:Function {name: 'total'}) RETURN f",
    ):
        here = rows_of(run("query", cypher))
        assert here, cypher
        asked = rows_of(run("query", cypher, "--server", *there, "--repository", name))
        assert asked == [
            # A function's name may be an id, too: only ids are changed.
            {key: prefixed(value) if key in ("id", "f") else value for key, value in row.items()}
            if not isinstance(row.get("f"), dict)
            else {"f": {**row["f"], "id": f"{name}:{row['f']['id']}"}}
            for row in here
        ], cypher

    nothing = "MATCH (f:Function {name: 'nowhere'})-[:CALLS]->(g:Function) RETURN f.repository, count(*)"
    assert main(["--root", str(root), "query", nothing, "--server", *there], standalone_mode=False) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 1

    monkeypatch.setenv("LOREGRAPH_SERVER_URL", server.url)
    monkeypatch.setenv("LOREGRAPH_SERVER_DATABASE", server.database)
    workspace = Workspace(root)
    try:
        call = Call(workspace, jobs=None, correlation_id="1")  # type: ignore[arg-type]
        answer = graph_query(
            call,
            "MATCH (f:Function {id: $id}) RETURN f.name",
            {"id": f"{name}:shop/cart.py::checkout"},
        )
        assert answer.rows == [["checkout"]]
        assert call.elsewhere  # and so no file of this project makes it stale
    finally:
        workspace.close()


def _exported(main: Any, root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["--root", str(root), "export"], standalone_mode=False) == 0
    return capsys.readouterr().out.splitlines()
