"""What a client may send: every line is answered, with its id where it has one, and the server goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import msgspec
import pytest
from mcp.shared.message import SessionMessage
from msgspec import inspect

from loregraph.errors import UsageError
from loregraph.mcp_server import profiles, validation, wire
from loregraph.mcp_server.stdio import Lines, streams
from loregraph.mcp_server.tools_memory import NewMemory
from loregraph.project import Project

from ..mcp_server.conftest import _indexed, home, root

__all__ = ["_indexed", "home", "root"]

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))
INVALID, UNREADABLE, PARAMETERS, UNKNOWN = -32600, -32700, -32602, -32601


def request(params: bytes, number: bytes = b"7") -> bytes:
    return b'{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}' % (number, params)


NESTED = b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BAD: list[tuple[bytes, int, Any]] = [
    (b"[]", INVALID, None),
    (b"{", UNREADABLE, None),
    (b"{}", INVALID, None),
    (b"null", INVALID, None),
    (b"no json", UNREADABLE, None),
    (b"\xff\xfe", UNREADABLE, None),
    (b"[" * 100_000, INVALID, None),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', INVALID, None),
    (b'{"id":3,"method":"ping"}', INVALID, 3),
    (b'{"jsonrpc":"2.0","id":3}', INVALID, 3),
    (b'{"jsonrpc":"2.0","id":3,"method":5}', INVALID, 3),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID, None),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', INVALID, None),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', INVALID, None),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID, None),
    (b'{"jsonrpc":"2.0","id":"%s","method":"ping"}' % (b"i" * 5_000), INVALID, None),
    (request(b"{}", b"9" * 5_000), INVALID, None),
    (b'{"jsonrpc":"2.0","id":"a","method":"%s"}' % (b"m" * 1_000_000), UNKNOWN, "a"),
    (request(b"[1]"), PARAMETERS, 7),
    (request(b'{"x":1e999}'), PARAMETERS, 7),
    (request(b'{"x":%s}' % (b"9" * 5_000)), PARAMETERS, 7),
    (request(b'{"x":"\xff"}'), PARAMETERS, 7),
    (request(b'{"x":"\\ud800"}'), UNREADABLE, 7),
    (request(b'{"x":NaN}'), UNREADABLE, 7),
    (request(b'{"x":"\x00"}'), UNREADABLE, 7),
    (request(NESTED), INVALID, 7),
    (request(b'{"x":[' + b"[]," * 200_000 + b"1]}"), INVALID, 7),
    (request(b'{"x":"%s"}' % (b"a" * wire.MOST_BYTES)), INVALID, 7),
    (b'{"method":"x","params":{"x":"%s"},"jsonrpc":"2.0","id":9}' % (b"a" * wire.MOST_BYTES), INVALID, 9),
]


# Verifies REQ-SEC-011.
@pytest.mark.parametrize(("line", "code", "known"), BAD, ids=[line[:40].decode("latin-1") for line, _, _ in BAD])
def test_what_cannot_be_read_has_its_error(line: bytes, code: int, known: Any) -> None:
    with pytest.raises(wire.WireError) as caught:
        wire.read(line)
    assert (caught.value.code, caught.value.id) == (code, known)
    assert len(caught.value.message) < 200


def test_brackets_and_quotes_in_a_text_are_no_nesting() -> None:
    code = '["\\{' * 100_000
    message = wire.read(request(json.dumps({"x": code}).encode()))
    assert isinstance(message, types.JSONRPCRequest)
    assert message.params == {"x": code}


def test_messages_are_read() -> None:
    assert isinstance(wire.read(b'{"jsonrpc":"2.0","method":"ping","params":null}'), types.JSONRPCNotification)
    assert isinstance(wire.read(b'{"jsonrpc":"2.0","id":1,"result":{}}'), types.JSONRPCResponse)


def test_an_answer_can_be_written_whatever_it_holds() -> None:
    answer = wire.WireError(INVALID, "half of a pair: \ud800").answer()
    assert json.loads(wire.encoded(answer))["error"]["code"] == INVALID


def test_of_a_line_that_is_too_long_little_is_held() -> None:
    lines = Lines(most=10_000)
    assert lines.take(b'{"jsonrpc":"2.0","id":4,"x":"') == []
    for _ in range(1_000):
        assert lines.take(b"a" * 1_000) == []
        assert len(lines._held) <= 11_000
    error, after = lines.take(b'"}\n{}\n\n')
    assert isinstance(error, wire.WireError)
    assert error.id == 4
    assert after == b"{}"


# Verifies REQ-SEC-011.
def test_the_server_goes_on_after_each(root: Path) -> None:
    process = subprocess.Popen(
        [LOREGRAPH, "--root", str(root), "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(line: bytes) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    ask(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode())
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    for line, code, known in BAD:
        answer = ask(line)
        assert (answer["error"]["code"], answer["id"]) == (code, known), line[:60]
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/none"}\n' * 20_000)
    assert ask(b'{"jsonrpc":"2.0","id":"x","method":"none/such"}')["error"]["code"] == UNKNOWN
    for tool, arguments in (
        ("index_file", {"file_path": "a/" * 2_500}),
        ("code_search", {"query": "q" * 10_001}),
        ("code_search", {"query": "a\0b"}),
        ("code_search", {"query": "a", "path": "\0"}),
        ("memory_add", {"memory_type": "core", "content": "x", "metadata": nested(30)}),
        ("memory_add", {"memory_type": "core", "content": "x", "tags": ["t"] * 201}),
    ):
        call = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        body = ask(json.dumps(call).encode())["result"]["structuredContent"]
        assert body["error"]["code"] == "VALIDATION_ERROR", (tool, body)
    assert ask(b'{"jsonrpc":"2.0","id":6,"method":"ping"}')["result"] == {}
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()


def nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"x": found}
    return found


# Verifies REQ-SEC-011.
def test_a_client_that_never_reads_is_not_asked_for_more() -> None:
    given, ask = os.pipe()
    read, taken = os.pipe()
    most, sent = 5, 50
    forwarded: list[int] = []
    os.write(ask, b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"x"}\n' % number for number in range(sent)))

    async def converse() -> None:
        async with streams(given, taken, most_open=most) as (requests, answers):
            with anyio.move_on_after(5) as waited:
                while len(forwarded) < most + 1:
                    with anyio.move_on_after(0.2) as quiet:
                        forwarded.append((await requests.receive()).message.id)
                    if quiet.cancelled_caught and len(forwarded) == most:
                        break
            assert not waited.cancelled_caught
            assert forwarded == list(range(most))
            # Each answer that is taken makes room for one more.
            for number in range(sent):
                response = types.JSONRPCResponse(jsonrpc="2.0", id=number, result={})
                await answers.send(SessionMessage(response))
                if number + most < sent:
                    forwarded.append((await requests.receive()).message.id)
            os.close(ask)
            await answers.aclose()

    try:
        anyio.run(converse)
    finally:
        os.close(read)
    assert forwarded == list(range(sent))


def texts_and_lists(kind: Any, where: str, seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, bool]]:
    """(place, whether it has a bound) of every text and list of a type."""
    match kind:
        case inspect.StrType():
            yield where, kind.max_length is not None
        case inspect.ListType():
            yield where, kind.max_length is not None
            yield from texts_and_lists(kind.item_type, f"{where}[]")
        case inspect.DictType():
            yield from texts_and_lists(kind.key_type, f"{where} key")
        case inspect.UnionType():
            for one in kind.types:
                yield from texts_and_lists(one, where)
        case inspect.Metadata():
            yield from texts_and_lists(kind.type, where)
        case inspect.StructType():
            for field in kind.fields:
                yield from texts_and_lists(field.type, f"{where}.{field.name}")


# Verifies REQ-SEC-011.
@pytest.mark.parametrize("profile", profiles.PROFILES.values(), ids=lambda profile: profile.name)
def test_every_text_and_list_of_a_tool_has_a_length(profile: profiles.Profile) -> None:
    found = [
        place
        for tool, _, _ in profiles.load(profile)
        for place in texts_and_lists(inspect.type_info(tool.arguments), tool.name)
    ]
    assert found
    assert [where for where, bounded in found if not bounded] == []
    assert all(bounded for _, bounded in texts_and_lists(inspect.type_info(NewMemory), "row"))


class Arguments(msgspec.Struct):
    name: str = ""
    things: dict[str, Any] = {}


@pytest.mark.parametrize(
    "values",
    [
        {"name": "a\0"},
        {"name": "\ud800"},
        {"things": {"a": "\ud800"}},
        {"things": {"a": "x" * 100_001}},
        {"things": nested(21)},
    ],
)
def test_what_a_type_cannot_say_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        validation.read(Arguments, values)


# Verifies REQ-SEC-011.
def test_a_query_has_a_length_in_a_program_too(root: Path) -> None:
    with Project(root) as project, pytest.raises(UsageError, match="100,000"):
        project.search("a" * 10_000_000)
