"""A server that sends too much, too long, nothing, or nonsense."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from loregraph.bolt import driver
from loregraph.bolt.address import PASSWORD_VARIABLE, USER_VARIABLE, Server
from loregraph.bolt.connection import Connection
from loregraph.bolt.messages import Request, Statement
from loregraph.errors import (
    LoregraphError,
    QueryLimitError,
    ServerAccessError,
    ServerFailedError,
    ServerUnreachableError,
)

from . import bolt_peer as peer

pytestmark = pytest.mark.integration("neo4j")

ASKED = Statement("MATCH (f:File) RETURN f.name AS x", limit=50)


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_VARIABLE, "me")
    monkeypatch.setenv(PASSWORD_VARIABLE, "sesame-open")


def endless(row: bytes) -> Callable[[socket.socket], None]:
    def rows(connection: socket.socket) -> None:
        many = peer.chunked(row) * 100
        while True:
            connection.sendall(many)

    return rows


def one(*rows: bytes, end: bytes = peer.DONE) -> Callable[[socket.socket], None]:
    return lambda connection: connection.sendall(b"".join(map(peer.chunked, rows)) + end)


def huge(connection: socket.socket) -> None:
    """One text of 3 GiB."""
    first = peer.RECORD + b"\x91\xd2" + struct.pack(">I", 3 << 30)
    connection.sendall(struct.pack(">H", len(first)) + first)
    part = struct.pack(">H", 0xFFFF) + b"x" * 0xFFFF
    while True:
        connection.sendall(part * 64)


def silent(connection: socket.socket) -> None:
    while connection.recv(1024):
        pass


def refusal(code: str, message: str) -> bytes:
    return peer.chunked(peer.FAILURE + peer.mapping(code=peer.text(code), message=peer.text(message)))


# Verifies REQ-SRV-009.
@pytest.mark.parametrize(
    ("served", "error"),
    [
        (peer.answering(endless(peer.RECORD + b"\x91\x01")), QueryLimitError),
        (peer.answering(huge), QueryLimitError),
        (peer.answering(silent), QueryLimitError),
        (peer.answering(one(peer.RECORD + b"\x91" + b"\x91" * 3_000 + b"\x01")), ServerFailedError),
        (peer.answering(one(peer.RECORD + b"\x01")), ServerFailedError),
        (peer.answering(one(peer.RECORD + b"\x91\xdf")), ServerFailedError),
        (peer.answering(one(peer.RECORD + b"\x93\x01\x02\x03")), ServerFailedError),
        (peer.answering(one(), fields=peer.chunked(peer.SUCCESS + b"\x01")), ServerFailedError),
        (peer.answering(one(), fields=peer.chunked(peer.SUCCESS + peer.mapping(fields=b"\x01"))), ServerFailedError),
        (lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"), LoregraphError),
        (lambda connection: connection.sendall(b"\xff" * 100), LoregraphError),
        (lambda connection: None, ServerUnreachableError),
    ],
)
def test_whatever_a_server_sends_is_one_error_within_bounds(served: peer.Peer, error: type[LoregraphError]) -> None:
    # The others are told at once, however long that takes here.
    seconds = 2 if error is QueryLimitError else 60
    with peer.listening(served) as url, Connection(Server(url)) as connection, pytest.raises(error) as raised:
        connection.read(ASKED, seconds=seconds)
    assert raised.value.message and raised.value.suggestion


# Verifies REQ-SRV-009.
def test_rows_beyond_the_limit_are_not_kept() -> None:
    rows = one(*[peer.RECORD + b"\x91\x07"] * 60)
    with peer.listening(peer.answering(rows)) as url, Connection(Server(url)) as connection:
        result = connection.read(ASKED, seconds=60)
    assert result.rows == [[7]] * 50 and result.truncated


# Verifies REQ-SRV-008.
@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("Neo.ClientError.Security.Unauthorized", ServerAccessError),
        ("Neo.ClientError.Security.Forbidden", ServerAccessError),
        ("Neo.ClientError.Transaction.TransactionTimedOut", QueryLimitError),
        ("Neo.DatabaseError.General.UnknownError", ServerFailedError),
        ("Neo.ClientError.Statement.SyntaxError", LoregraphError),
    ],
)
def test_a_server_that_repeats_the_password_is_not_repeated(code: str, error: type[LoregraphError]) -> None:
    rows = one(end=refusal(code, "no: me/sesame-open \x1b[2J" + "long " * 1_000))
    with (
        peer.listening(peer.answering(rows)) as url,
        Connection(Server(url)) as connection,
        pytest.raises(error) as raised,
    ):
        connection.read(ASKED, seconds=60)
    assert "sesame" not in raised.value.message
    assert len(raised.value.message) <= driver.MOST_MESSAGE


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="where arguments can be read")
def test_the_process_that_asks_has_no_secret_among_its_arguments() -> None:
    with peer.listening(peer.answering(one())) as url, Connection(Server(url)) as connection:
        connection.read(ASKED, seconds=60)
        assert connection._process is not None
        arguments = Path(f"/proc/{connection._process.pid}/cmdline").read_bytes()
    assert os.environ[PASSWORD_VARIABLE].encode() not in arguments
    assert url.encode() not in arguments


def test_an_answer_of_many_bytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "MOST_BYTES", 10_000)
    with peer.listening(peer.answering(one(*[peer.RECORD + b"\x91" + peer.text("x" * 900)] * 20))) as url:
        held = driver._Held(driver.Opening(url, "", 5))
        assert not held.opened().error
        answer = held.answer(Request([Statement("RETURN 1")], 60))
        held.close()
    assert answer.error == QueryLimitError.__name__
