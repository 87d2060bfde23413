"""A peer that speaks just enough of Bolt 4.4 to mislead a driver: it lets anybody in, and then does what it is told."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Peer = Callable[[socket.socket], None]

SUCCESS, FAILURE, RECORD = b"\xb1\x70", b"\xb1\x7f", b"\xb1\x71"


def text(value: str) -> bytes:
    raw = value.encode()
    return b"\xd1" + struct.pack(">H", len(raw)) + raw


def mapping(**values: bytes) -> bytes:
    return bytes([0xA0 + len(values)]) + b"".join(text(key) + value for key, value in values.items())


def listed(*values: bytes) -> bytes:
    return b"\xd5" + struct.pack(">H", len(values)) + b"".join(values)


def chunked(message: bytes) -> bytes:
    parts = [message[i : i + 0xFFFF] for i in range(0, len(message), 0xFFFF)]
    return b"".join(struct.pack(">H", len(part)) + part for part in parts) + b"\0\0"


GREETED = chunked(SUCCESS + mapping(server=text("Neo4j/4.4.0"), connection_id=text("1")))
DONE = chunked(SUCCESS + mapping())
FIELDS = chunked(SUCCESS + mapping(fields=listed(text("x"))))


def message(connection: socket.socket) -> int:
    """Reads one message; its kind."""
    whole = b""
    while size := struct.unpack(">H", exactly(connection, 2))[0]:
        whole += exactly(connection, size)
    return whole[1]


def exactly(connection: socket.socket, size: int) -> bytes:
    raw = b""
    while len(raw) < size:
        part = connection.recv(size - len(raw))
        if not part:
            raise ConnectionError
        raw += part
    return raw


BEGIN, RUN, PULL = 0x11, 0x10, 0x3F


def answering(rows: Callable[[socket.socket], None], fields: bytes = FIELDS) -> Peer:
    """Greets, and answers the first PULL by `rows`."""

    def peer(connection: socket.socket) -> None:
        exactly(connection, 20)
        connection.sendall(b"\0\0\x04\x04")
        while True:
            kind = message(connection)
            if kind == 0x01:
                connection.sendall(GREETED)
            elif kind == RUN:
                connection.sendall(fields)
            elif kind == PULL:
                rows(connection)
            else:
                connection.sendall(DONE)

    return peer


@contextmanager
def listening(peer: Peer) -> Iterator[str]:
    """The address of a server that is `peer` to each that connects."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = []

        def serve(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                peer(connection)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    held.append(connection)
                    threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield f"bolt://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            for connection in held:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
