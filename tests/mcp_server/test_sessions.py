"""What is remembered of sessions."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from loregraph.mcp_server import sessions
from loregraph.mcp_server.server import session_of
from loregraph.mcp_server.sessions import Sessions


def test_each_session_has_its_own_and_a_call_without_one_has_none() -> None:
    known = Sessions()
    assert known.sent("a") is known.sent("a")
    assert known.sent("a") is not known.sent("b")
    assert known.sent("") is known.sent("")
    assert known.sent(None) is None


def test_the_last_ones_that_called_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 2)
    known = Sessions()
    first, second = known.sent("a"), known.sent("b")
    known.sent("a")
    known.sent("c")
    assert known.sent("a") is first
    assert known.sent("b") is not second


@pytest.mark.parametrize(
    ("headers", "session"), [(None, ""), ({"mcp-session-id": "abc"}, "abc"), ({"accept": "application/json"}, None)]
)
def test_a_session_is_the_connection_or_what_http_calls_one(
    headers: dict[str, str] | None, session: str | None
) -> None:
    request = None if headers is None else SimpleNamespace(headers=headers)
    assert session_of(SimpleNamespace(request=request)) == session
