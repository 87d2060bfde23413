"""A bridge that steps in nowhere: all passes, and what fails upstream is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from loregraph.bridges.bridge import Bridge
from loregraph.bridges.process import Launch

from .bridged import HELLO, PATIENCE, RawHost, command, heard, kill, runs, starts
from .stub_upstream import VERBATIM

Open = Callable[..., RawHost]


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[Open]:
    """Puts a bridge before the stub with a fault."""
    hosts = []

    def new(fault: str = "", *, seconds: float = PATIENCE, pause: float = 0, words: list[str] | None = None) -> RawHost:
        env = {"STUB_FAULT": fault, "STUB_PAUSE": str(pause)}
        launch = Launch(tuple(words or command(tmp_path)), env)

        def serve(read: BinaryIO, write: BinaryIO) -> None:
            Bridge(launch, seconds=seconds, read=read, write=write).run()

        hosts.append(RawHost(serve))
        return hosts[-1]

    yield new
    for host in hosts:
        host.close()


def test_messages_pass_in_both_directions(bridge: Open, tmp_path: Path) -> None:
    host = bridge()
    assert host.hello()["result"]["serverInfo"] == {"name": "stub", "version": "1.4.0"}
    assert [tool["name"] for tool in host.ask("tools/list")["result"]["tools"]] == ["search", "read"]
    answered = host.call("search", query="rounding", limit=3)
    assert json.loads(answered["content"][0]["text"]) == {
        "tool": "search",
        "arguments": {"query": "rounding", "limit": 3},
    }
    assert host.ask("prompts/list")["error"] == {"code": -32601, "message": "Method not found", "data": {"seen": 1}}
    assert heard(tmp_path, "initialize") == [HELLO]
    assert heard(tmp_path, "notifications/initialized") == [{}]


def test_an_answer_is_passed_on_byte_by_byte(bridge: Open) -> None:
    host = bridge("verbatim")
    host.hello()
    number = host.begin("tools/call", {"name": "search"})
    line = host.line(lambda message: message.get("id") == number)
    assert line.decode().strip() == VERBATIM.replace('"ID"', str(number))


@pytest.mark.parametrize("number", ['"a-1"', "7.0", "-3", '"\\u00e9"'])
def test_a_host_may_number_its_requests_as_it_likes(bridge: Open, number: str) -> None:
    host = bridge()
    host.hello()
    host.send(f'{{"jsonrpc":"2.0","id":{number},"method":"tools/list"}}\n'.encode())
    line = host.line(lambda message: message.get("id") == json.loads(number))
    assert f'"id":{number},'.encode() in line


def test_what_is_no_message_is_refused_and_the_bridge_goes_on(bridge: Open) -> None:
    host = bridge()
    host.send(b"hello?\n\n[1]\n" + b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n')
    assert host.hello()["result"]
    refused = [json.loads(line) for line in host.lines if b'"error"' in line]
    assert [message["error"]["code"] for message in refused] == [-32700, -32700, -32600]
    assert all(message["id"] is None for message in refused)


def test_an_answer_with_half_a_surrogate_pair_passes(bridge: Open, tmp_path: Path) -> None:
    script = tmp_path / "half.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    number = json.loads(line)['id']\n"
        '    print(\'{"jsonrpc":"2.0","id":%d,"result":{"text":"cut \\\\ud83d"}}\' % number, flush=True)\n'
    )
    host = bridge(words=[sys.executable, str(script)])
    assert host.ask("tools/list")["result"] == {"text": "cut \ud83d"}


# what fails


def test_a_server_that_cannot_be_started_is_named(bridge: Open) -> None:
    host = bridge(words=["no-such-server-here", "--fast"])
    error = host.ask("initialize", HELLO)["error"]
    assert "cannot start the upstream server `no-such-server-here --fast`" in error["message"]
    assert "installed and on PATH" in error["message"]
    assert host.alive


def test_a_server_that_dies_at_once_is_tried_twice_and_its_last_words_are_told(bridge: Open, tmp_path: Path) -> None:
    host = bridge("dead")
    message = host.ask("initialize", HELLO)["error"]["message"]
    assert "exit code 1: Error: Cannot find module 'better-sqlite3'" in message
    assert starts(tmp_path) == 2
    assert "exit code 1" in host.ask("tools/list")["error"]["message"]
    assert host.alive


def test_a_call_that_kills_the_server_is_not_repeated_and_the_next_one_starts_it_again(
    bridge: Open, tmp_path: Path
) -> None:
    host = bridge("crash-once")
    host.hello()
    told = host.told("search", query="rounding")
    assert told.startswith("Error: the upstream server")
    assert "exit code 7: Error: the database is locked" in told
    assert "whether that took effect is not known" in told
    assert json.loads(host.call("search", query="again")["content"][0]["text"])["arguments"] == {"query": "again"}
    assert starts(tmp_path) == 2
    assert heard(tmp_path, "initialize") == [HELLO, HELLO]
    assert heard(tmp_path, "notifications/initialized") == [{}, {}]


def test_a_dead_server_is_started_again_before_a_call_is_sent(bridge: Open, tmp_path: Path) -> None:
    host = bridge()
    host.hello()
    host.ask("resources/subscribe", {"uri": "memory://graph"})
    for number in range(3):
        kill(tmp_path)
        assert not host.call("search", query=f"after {number}").get("isError")
    assert starts(tmp_path) == 4
    # The host's subscription is part of the session.
    assert heard(tmp_path, "resources/subscribe") == [{"uri": "memory://graph"}] * 4


def test_a_server_that_does_not_come_back_is_reported(bridge: Open, tmp_path: Path) -> None:
    host = bridge("fail-again")
    host.hello()
    kill(tmp_path)
    told = host.told("search", query="rounding")
    assert "exit code 9: Error: the file is gone" in told
    assert "when it was started again" in told
    assert starts(tmp_path) == 2
    assert host.alive


def test_a_server_that_hangs_is_given_up_and_replaced(bridge: Open, tmp_path: Path) -> None:
    host = bridge("hang", seconds=0.5)
    host.hello()
    assert "did not answer tools/call in 0.5 seconds" in host.told("search", query="rounding")
    assert host.ask("tools/list")["result"]["tools"]
    assert starts(tmp_path) == 2


def test_progress_puts_the_deadline_off(bridge: Open) -> None:
    host = bridge("progress", seconds=1.0, pause=0.7)
    host.hello()
    number = host.begin("tools/call", {"name": "read", "arguments": {"path": "a"}, "_meta": {"progressToken": "p1"}})
    assert "isError" not in host.answer(number)["result"]
    told = [json.loads(line) for line in host.lines if b"notifications/progress" in line]
    assert [message["params"]["progress"] for message in told] == [1, 2]
    assert {message["params"]["progressToken"] for message in told} == {"p1"}


@pytest.mark.parametrize("fault", ["half-a-line", "no-result", "text-result"])
def test_what_is_no_answer_is_told_at_once(bridge: Open, fault: str) -> None:
    host = bridge(fault)
    host.hello()
    told = host.told("search", query="rounding")
    assert "answered what is no JSON-RPC answer: {" in told
    assert host.ask("tools/list")["result"]["tools"]


def test_prose_on_standard_output_is_quoted_when_no_answer_comes(bridge: Open) -> None:
    host = bridge("prose", seconds=0.5)
    host.hello()
    told = host.told("search", query="rounding")
    assert "did not answer tools/call in 0.5 seconds" in told
    assert "it wrote what is no JSON-RPC message: Here is what I found: nothing" in told


def test_lines_that_are_no_messages_do_not_disturb_an_answer(bridge: Open, capsys: pytest.CaptureFixture[str]) -> None:
    host = bridge("chatty")
    host.hello()
    assert not host.call("read", path="a").get("isError")
    assert "[debug] searching" in capsys.readouterr().err


def test_a_server_that_reads_nothing_does_not_stop_the_host(bridge: Open, tmp_path: Path) -> None:
    script = tmp_path / "deaf.py"
    script.write_text("import time\ntime.sleep(600)\n")
    host = bridge(words=[sys.executable, str(script)], seconds=0.5)
    numbers = [host.begin("tools/call", {"name": "a", "arguments": {"text": "x" * 100_000}}) for _ in range(20)]
    assert all(host.answer(number)["result"]["isError"] for number in numbers)


# what the server wants from the host


def test_a_question_of_the_servers_reaches_the_host_and_its_answer_the_server(bridge: Open) -> None:
    host = bridge("ask")
    host.hello()
    number = host.begin("tools/call", {"name": "read", "arguments": {"path": "a"}})
    asked = json.loads(host.line(lambda message: message.get("method") == "elicitation/create"))
    assert asked["params"] == {"message": "Which?"}
    host.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
    got = json.loads(host.answer(number)["result"]["content"][0]["text"])
    assert got == {"jsonrpc": "2.0", "id": 0, "result": {"action": "accept"}}


def test_a_cancelled_call_is_cancelled_upstream_and_never_answered(bridge: Open, tmp_path: Path) -> None:
    host = bridge("ask")
    host.hello()
    number = host.begin("tools/call", {"name": "read", "arguments": {"path": "a"}})
    asked = json.loads(host.line(lambda message: message.get("method") == "elicitation/create"))
    host.notify("notifications/cancelled", {"requestId": number, "reason": "enough"})
    host.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
    assert host.ask("resources/list")["result"] == {"resources": []}
    assert not any(json.loads(line).get("id") == number for line in host.lines)
    (cancelled,) = heard(tmp_path, "notifications/cancelled")
    assert cancelled["reason"] == "enough"


def test_answers_under_way_are_waited_for_when_the_host_closes_its_end(bridge: Open) -> None:
    host = bridge("progress", pause=0.2)
    host.hello()
    number = host.begin("tools/call", {"name": "read", "arguments": {"path": "a"}, "_meta": {"progressToken": 1}})
    host.close()
    assert not host.answer(number)["result"].get("isError")


def test_a_bridge_takes_its_server_with_it(bridge: Open, tmp_path: Path) -> None:
    host = bridge("hang")
    host.hello()
    host.close()
    assert not runs(tmp_path)


def test_each_of_many_calls_is_answered_once_though_the_server_dies_among_them(bridge: Open, tmp_path: Path) -> None:
    host = bridge()
    host.hello()
    numbers = []
    for number in range(300):
        numbers.append(host.begin("tools/call", {"name": "search", "arguments": {"query": f"{number:03}"}}))
        if number == 150:
            kill(tmp_path)
    answers = [host.answer(number)["result"] for number in numbers]
    assert len([line for line in host.lines if json.loads(line).get("id") in numbers]) == len(numbers)
    for number, answer in enumerate(answers):
        text = answer["content"][0]["text"]
        if answer.get("isError"):
            assert "whether that took effect is not known" in text
        else:
            assert json.loads(text)["arguments"] == {"query": f"{number:03}"}
    assert not answers[-1].get("isError")
    assert starts(tmp_path) == 2
