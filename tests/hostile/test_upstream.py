"""A bridge before servers that mean harm, and hosts that do: it believes only what it asked, and goes on."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from loregraph.bridges import messages, process, proxy_check, proxy_file
from loregraph.bridges.bridge import MAX_OPEN, Bridge
from loregraph.bridges.lines import MAX_LINE, TooLong, cleaned, lines, shown
from loregraph.bridges.pending import MAX_PENDING
from loregraph.bridges.process import Launch

from ..bridges.bridged import HELLO, PATIENCE, RawHost

SERVER = Path(__file__).with_name("upstreams.py")
Open = Callable[..., RawHost]


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Open]:
    """Puts a bridge before a hostile server, and shakes hands."""
    hosts = []

    def new(fault: str, *, seconds: float = PATIENCE) -> RawHost:
        launch = Launch((sys.executable, str(SERVER), fault, str(tmp_path)))

        def serve(read: BinaryIO, write: BinaryIO) -> None:
            Bridge(launch, seconds=seconds, read=read, write=write).run()

        hosts.append(RawHost(serve))
        hosts[-1].hello()
        return hosts[-1]

    yield new
    for host in hosts:
        host.close()


def echoes(host: RawHost) -> bool:
    """Whether the bridge and the server still do what they are for."""
    return json.loads(host.call("echo", still="there")["content"][0]["text"]) == {"still": "there"}


def wait_for_the_end_of(old: int) -> None:
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{old}").exists():
        assert time.monotonic() < until
        time.sleep(0.01)


# what is believed


# Verifies REQ-SEC-019.
@pytest.mark.parametrize("fault", ["digits", "guesses", "next", "nested", "bytes", "long-log"])
def test_what_is_no_answer_to_a_question_costs_its_line_alone(hostile: Open, fault: str) -> None:
    host = hostile(fault)
    assert json.loads(host.call("fault", n=1)["content"][0]["text"]) == {"n": 1}
    assert echoes(host)
    assert b"forged" not in b"".join(host.lines)


# Verifies REQ-SEC-019.
@pytest.mark.parametrize("fault", ["batch", "deep-message"])
def test_what_is_meant_as_an_answer_and_is_none_ends_its_request(hostile: Open, fault: str) -> None:
    host = hostile(fault)
    assert "answered what is no JSON-RPC answer" in host.told("fault")
    assert echoes(host)


# Verifies REQ-SEC-019.
def test_a_second_answer_is_dropped_and_told_once(hostile: Open, capsys: pytest.CaptureFixture[str]) -> None:
    host = hostile("twice")
    for _ in range(3):
        assert host.call("fault")["content"][0]["text"] == "first"
    assert echoes(host)
    assert b"second" not in b"".join(host.lines)
    assert capsys.readouterr().err.count("is dropped; this is said once") == 1


def test_ids_are_drawn_by_chance_for_each_request() -> None:
    seen: list[Any] = []
    script = "import sys\nfor line in sys.stdin: sys.stderr.write(line); sys.stderr.flush()"
    launch = Launch((sys.executable, "-c", script))
    from loregraph.bridges.upstream import Upstream

    got = threading.Semaphore(0)

    class Heard(io.StringIO):
        def write(self, text: str) -> int:
            if text.startswith("{"):
                seen.append(json.loads(text)["id"])
                got.release()
            return len(text)

    before, sys.stderr = sys.stderr, Heard()
    upstream = Upstream(launch, on_request=lambda _: None, on_notification=lambda _: None)
    try:
        for _ in range(50):
            upstream.request("ping", messages.raw({}), lambda _: None)
        assert all(got.acquire(timeout=PATIENCE) for _ in range(50))
    finally:
        upstream.close()
        sys.stderr = before
    assert len(set(seen)) == 50
    assert all(isinstance(number, int) and 0 < number < 1 << 53 for number in seen)
    assert sorted(seen) != seen
    assert min(abs(a - b) for a, b in pairwise(seen)) > 1_000_000


# Verifies REQ-SEC-019.
def test_no_second_message_hides_in_a_line_that_is_passed_on(hostile: Open) -> None:
    host = hostile("line-in-line")
    answered = host.ask("tools/call", {"name": "fault"})
    assert answered["result"] == {"text": "a\u2028b\u2029c"}
    for line in host.lines:
        text = line.decode().rstrip("\n")
        assert len(text.splitlines()) == 1, text


def test_what_is_not_quite_text_is_passed_on_as_text(hostile: Open) -> None:
    host = hostile("not-utf-8")
    text = host.call("fault")["content"][0]["text"]
    assert text.startswith("a�") and text.endswith("�b")
    assert echoes(host)


def test_a_byte_order_mark_and_carriage_returns_are_no_matter(hostile: Open) -> None:
    host = hostile("bom")
    assert host.call("fault") == {"content": []}


# how much is taken


# Verifies REQ-SEC-019.
@pytest.mark.parametrize("fault", ["long-answer", "long-answer-id-last"])
def test_a_line_that_is_too_long_ends_its_request_at_once(hostile: Open, fault: str) -> None:
    host = hostile(fault)
    assert "bytes; more than 16,777,216 are not read" in host.told("fault")
    assert echoes(host)


def test_a_list_of_tools_that_is_too_long_is_refused_and_calls_go_on(hostile: Open) -> None:
    host = hostile("tools-100-mb")
    assert "are not read" in host.ask("tools/list")["error"]["message"]
    assert echoes(host)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_stays_flat_whatever_the_length_of_a_line() -> None:
    """40 MB on a line, five times: a process that held one whole would have grown by that."""
    script = (
        "import re, sys\n"
        "from pathlib import Path\n"
        "from loregraph.bridges.bridge import Bridge\n"
        "from loregraph.bridges.process import Launch\n"
        "Bridge(Launch((sys.executable, sys.argv[1], 'long-answer'))).run()\n"
        # Not ru_maxrss: that begins with what the process that started this one had.
        "print(re.search(r'VmHWM:\\s*(\\d+)', Path('/proc/self/status').read_text())[1], file=sys.stderr)\n"
    )
    asked = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}]
    asked += [{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": "fault"}} for n in range(1, 6)]
    given = "".join(json.dumps(message) + "\n" for message in asked).encode()
    done = subprocess.run(
        [sys.executable, "-c", script, str(SERVER)], input=given, capture_output=True, check=True, timeout=PATIENCE * 2
    )
    answers = {json.loads(line)["id"] for line in done.stdout.splitlines()}
    assert answers == set(range(6))
    kilobytes = int(done.stderr.split()[-1])
    assert kilobytes < 160_000, f"{kilobytes:,} KB"


def test_a_flood_waits_in_the_servers_pipe_and_does_not_grow_the_bridge(tmp_path: Path) -> None:
    """The host does not read; then it does, and gets what it asked for among what came before it."""
    script = (
        "import sys\n"
        "from loregraph.bridges.bridge import Bridge\n"
        "from loregraph.bridges.process import Launch\n"
        "Bridge(Launch((sys.executable, sys.argv[1], 'flood'))).run()\n"
    )
    bridge = subprocess.Popen(
        [sys.executable, "-c", script, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert bridge.stdin is not None
    assert bridge.stdout is not None
    bridge.stdin.write(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode() + b"\n"
    )
    bridge.stdin.flush()
    assert json.loads(bridge.stdout.readline())["id"] == 1
    if sys.platform == "linux":
        for _ in range(3):
            time.sleep(0.2)  # in which an unhindered flood would be of hundreds of megabytes
            pages = int(Path(f"/proc/{bridge.pid}/statm").read_text().split()[1])
            assert pages * os.sysconf("SC_PAGE_SIZE") < 120_000_000
    for _ in range(1_000):
        assert json.loads(bridge.stdout.readline())["method"] == "notifications/message"
    bridge.stdin.close()
    bridge.kill()
    bridge.wait()
    bridge.stdout.close()


def test_questions_without_an_id_or_number_are_refused(hostile: Open) -> None:
    host = hostile("questions")
    assert not host.call("fault").get("isError")
    asked = [json.loads(line) for line in host.lines if b"sampling/createMessage" in line]
    assert len(asked) == 100
    assert not any(b"roots/list" in line for line in host.lines)
    assert len({message["id"] for message in asked}) == 100
    for message in asked:
        host.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
        host.send({"jsonrpc": "2.0", "id": message["id"], "result": {"again": 1}})
    assert echoes(host)


def test_the_servers_log_is_bounded_and_escaped(hostile: Open, capfd: pytest.CaptureFixture[str]) -> None:
    host = hostile("stderr")
    assert not host.call("fault").get("isError")
    assert echoes(host)
    host.close()
    written = capfd.readouterr().err
    assert "\\x1b[2J" in written
    assert not any(ord(character) < 32 and character != "\n" for character in written)
    assert len(written) < 2 * process.MAX_ERRORS
    assert "no more of it is shown" in written


@pytest.mark.parametrize("fault", ["half-a-line", "closes-input", "closes-output", "hangs"])
def test_a_server_that_goes_half_way_is_replaced(hostile: Open, tmp_path: Path, fault: str) -> None:
    # The one that hangs is given up by its time; the others are seen to be gone.
    host = hostile(fault, seconds=2.0 if fault == "hangs" else PATIENCE)
    first = int((tmp_path / "pid").read_text())
    host.call("fault")
    if fault in ("hangs", "half-a-line"):  # a call before its end is seen may be lost with it, which is told
        wait_for_the_end_of(first)
    assert echoes(host)


# what a server says of its tools


def test_tools_of_any_shape_and_name_are_looked_at_without_harm(tmp_path: Path) -> None:
    """`proxy --check`: names that clash or hold control characters, schemas that are none or refer to themselves."""
    tool = {"name": "a", "description": "b", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}
    for upstream in ("echo", "missing", "tool 7"):
        entry = {**tool, "upstream": {"tool": upstream, "paramMapping": {"q": "deep.er"}}}
        launched = {"command": sys.executable, "args": [str(SERVER), "tools"]}
        file = proxy_file.parse(json.dumps({"upstream": launched, "tools": [entry]}), "tools.json")
        server, faults = proxy_check.check(file, seconds=PATIENCE)
        told = str(server) + str(faults)
        assert "\x1b" not in told
        assert len(told) < 10_000
        assert upstream != "missing" or "more" in told


def test_a_list_of_tools_that_never_ends_is_not_followed(tmp_path: Path) -> None:
    entry = {"name": "a", "description": "b", "inputSchema": {"type": "object"}, "upstream": {"tool": "echo"}}
    launched = {"command": sys.executable, "args": [str(SERVER), "endless-tools"]}
    file = proxy_file.parse(json.dumps({"upstream": launched, "tools": [entry]}), "tools.json")
    _, faults = proxy_check.check(file, seconds=PATIENCE)
    assert [where for where, _ in faults] == ["$.tools[0].upstream.tool"]


# hosts that mean harm


# Verifies REQ-SEC-019.
def test_whatever_a_host_sends_the_bridge_goes_on(hostile: Open) -> None:
    host = hostile("none")
    for data in (
        b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}\n',
        b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n{"jsonrpc":"2.0","id":[],"method":"ping"}\n',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n{"jsonrpc":"2.0","id":7,"method":7}\n',
        b'{"jsonrpc":"2.0","id":"' + b"x" * 10_000 + b'","method":"ping"}\n',
        b'{"jsonrpc":"2.0","id":1e3,"method":"tools/call","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
        b'{"jsonrpc":"2.0","id":"q","result":{}}\n{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"result":{}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":' + b"9" * 5_000 + b"}}\n",
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}\n\xff\xfe\n\0\n\xef\xbb\xbf\n\r\n{\n[]\nnull\n',
    ):
        host.send(data)
    assert echoes(host)


def test_a_request_that_is_too_long_is_answered_by_its_id(hostile: Open) -> None:
    host = hostile("none")
    filler = b"x" * (MAX_LINE + 100)
    host.send(b'{"jsonrpc":"2.0","id":"first","method":"tools/call","params":{"id":9,"t":"' + filler + b'"}}\n')
    host.send(b'{"method":"tools/call","params":{"id":9,"t":"' + filler + b'"},"jsonrpc":"2.0","id":"last"}\n')
    host.send(b'{"params":{"t":"' + filler + b'","id":9},"method":"tools/call"}\n')
    for number in ("first", "last", None):
        assert "those of more than 16,777,216 are not read" in host.answer(number)["error"]["message"]
    assert echoes(host)


# Verifies REQ-SEC-019.
def test_more_requests_than_are_kept_are_refused(hostile: Open, tmp_path: Path) -> None:
    host = hostile("hangs", seconds=600)
    first = int((tmp_path / "pid").read_text())
    host.begin("tools/call", {"name": "fault"})
    call = {"name": "echo", "arguments": {}}
    numbers = [host.begin("tools/call", call) for _ in range(MAX_PENDING + 5)]
    told = [host.answer(number)["result"]["content"][0]["text"] for number in numbers[-5:]]
    assert all("too much is asked of the upstream server at once" in text for text in told)
    assert MAX_OPEN > MAX_PENDING
    os.kill(first, signal.SIGKILL)


# the parts


def test_lines_are_bounded() -> None:
    data = b"a\n" + b"b" * 50 + b"\n" + b"c" * 10 + b"\n\n" + b"d" * 30 + b"e"
    found = list(lines(io.BytesIO(data), 10))
    long, last = TooLong(51, b"b" * 11, b"b" * 50 + b"\n"), TooLong(31, b"d" * 11, b"d" * 30 + b"e")
    assert found == [b"a\n", long, b"c" * 10 + b"\n", b"\n", last]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":{"id":8,', b"7"),
        (b'{ "method" : "a", "jsonrpc": "2.0", "id" : "x-1", "params":', b'"x-1"'),
        (b'{"params":{"id":8,"a":"...', None),
        (b'..."},"id":9}\n', b"9"),
        (b'...","id":8}}\n', None),
        (b'..."},"id":9,"jsonrpc":"2.0"}\n', b"9"),
        (b'{"id":' + b"9" * 5_000, None),
        (b'{"id":"\\u0041", "params"', None),
    ],
)
def test_the_id_of_a_line_that_is_too_long(line: bytes, number: bytes | None) -> None:
    assert TooLong(1 << 30, line, line).id == number


def test_cleaned_lines_are_one_line_and_mean_the_same() -> None:
    chance = random.Random(7)
    pieces = ['"a"', "1", "\r", " ", "{", "}", ":", ",", '"\u2028"', '"\u2029é"', "\\r", "\ufeff"]
    for _ in range(2_000):
        text = "".join(chance.choice(pieces) for _ in range(chance.randint(1, 8)))
        line = cleaned(text.encode())
        assert len(line.decode().splitlines() or [""]) == 1
        try:
            value = json.loads(text.removeprefix("\ufeff"))
        except ValueError:
            continue
        assert json.loads(line) == value


def test_what_is_shown_is_one_short_line() -> None:
    assert shown("a\x1b[31m\u202eb\nc") == "a\\x1b[31m\\u202eb\\nc"
    assert shown(b"\xff" * 10_000, 5) == "�����…"
    assert len(shown("\x00" * 1_000)) <= 4 * 300 + 1
