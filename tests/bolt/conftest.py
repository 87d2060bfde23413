"""One server for all tests of a process, and graphs to load into it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loregraph.bolt.address import PASSWORD_VARIABLE, USER_VARIABLE, Server
from loregraph.bolt.connection import Connection

from ..arcadedb import DATABASE, USER, ArcadeDB, arcadedb


@pytest.fixture(scope="session")
def database_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArcadeDB]:
    with arcadedb(tmp_path_factory.mktemp("arcadedb")) as running:
        yield running


@pytest.fixture
def server(database_server: ArcadeDB, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server's address, with its user and password in the environment."""
    monkeypatch.setenv(USER_VARIABLE, USER)
    monkeypatch.setenv(PASSWORD_VARIABLE, database_server.password)
    return Server(database_server.url, DATABASE)


@pytest.fixture
def connection(server: Server) -> Iterator[Connection]:
    with Connection(server) as connected:
        yield connected


@pytest.fixture
def name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A repository's name that no other test has."""
    return f"{request.node.originalname[:40]}-{tmp_path.name[-8:]}"
