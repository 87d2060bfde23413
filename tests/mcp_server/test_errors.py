"""Error bodies: codes, suggestions, and nothing of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loregraph import errors as causes
from loregraph.errors import AmbiguousSymbolError, LoregraphError, NotIndexedError, StoreError
from loregraph.mcp_server import tools_search
from loregraph.mcp_server.errors import CODES, ELSEWHERE, body, without_paths
from loregraph.project import Project

from .conftest import Asker

ROOT = Path("/srv/project")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("there is no graph in /srv/project/.loregraph yet", "there is no graph in .loregraph yet"),
        ("/srv/project is a folder", ". is a folder"),
        ("see /etc/passwd.", f"see {ELSEWHERE}."),
        ("the journal ~/.local/share/x.jsonl is torn", f"the journal {ELSEWHERE} is torn"),
        ("cannot open '/usr/lib/python3/x.py', line 3", f"cannot open '{ELSEWHERE}', line 3"),
        (
            "the route /no-such-top/v1 and src/app.py and a/b stay",
            "the route /no-such-top/v1 and src/app.py and a/b stay",
        ),
        ("https://example.org/etc/passwd stays", "https://example.org/etc/passwd stays"),
    ],
)
def test_paths_outside_the_project_are_left_out(text: str, told: str) -> None:
    assert without_paths(text, ROOT) == told


# Verifies REQ-MCP-003.
def test_every_error_has_a_code_of_the_contract() -> None:
    kinds = [kind for kind in vars(causes).values() if isinstance(kind, type) and issubclass(kind, LoregraphError)]
    assert len(kinds) > 10
    assert {kind.code for kind in kinds} <= set(CODES)


def test_a_body_says_what_to_do_next() -> None:
    error = body(NotIndexedError("no graph", "run `loregraph index` first"), ROOT, "abc")["error"]
    assert error == {
        "code": "UNAVAILABLE",
        "message": "no graph",
        "suggestion": "run index_directory first",
        "details": {"correlation_id": "abc"},
    }
    assert body(StoreError("broken"), ROOT, "")["error"]["suggestion"]
    ambiguous = body(AmbiguousSymbolError("two", [f"a{n}" for n in range(50)]), ROOT, "")["error"]
    assert len(ambiguous["details"]["candidates"]) == 20


# Verifies REQ-MCP-003.
def test_what_nobody_expected_tells_nothing(
    ask: Asker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the password is hunter2 in /etc/shadow")

    monkeypatch.setattr(Project, "related", broken)
    assert tools_search.get_related is not None
    answer = ask("get_related", entity_id="x")
    assert answer.code == "INTERNAL_ERROR"
    assert "hunter2" not in answer.text
    assert "Traceback" not in answer.text
    correlation_id = answer.body["error"]["details"]["correlation_id"]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    logged = [line for line in lines if line.get("correlation_id") == correlation_id]
    assert any("hunter2" in line.get("exception", "") for line in logged)
    assert logged[-1]["outcome"] == "INTERNAL_ERROR"


# Verifies REQ-MCP-004.
def test_each_call_leaves_one_line(ask: Asker, capsys: pytest.CaptureFixture[str]) -> None:
    ask.ok("code_search", query="round")
    ask("code_search", query=5)
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [json.loads(line) for line in captured.err.splitlines()]
    assert [line["outcome"] for line in lines] == ["ok", "VALIDATION_ERROR"]
    wanted = {"timestamp", "level", "message", "tool", "correlation_id", "project_id", "duration_ms", "outcome"}
    assert all(set(line) == wanted for line in lines)
    assert {line["project_id"] for line in lines} == {"shop"}
    assert len({line["correlation_id"] for line in lines}) == 2


def test_the_log_can_be_quietened(
    ask: Asker, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    ask.ok("code_search", query="round")
    assert capsys.readouterr().err == ""
