"""Who is let in, decided from a request's line and headers alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from loregraph.viewer.security import HEADERS, Access, Guard

PORT = 4321
HOST = f"127.0.0.1:{PORT}"


@pytest.fixture
def access() -> Access:
    return Access("t" * 43, PORT)


def ask(
    access: Access,
    path: str = "/map",
    method: str = "GET",
    query: str = "",
    headers: list[tuple[str, str]] | None = None,
    **changed: str | None,
) -> tuple[int, dict[str, str], str]:
    """Status, headers and body; 299 is the answer of the application behind. `changed` replaces headers."""
    own: dict[str, str | None] = {"host": HOST, "cookie": f"{access.cookie_name}={access.session}"}
    own |= {name.replace("_", "-"): value for name, value in changed.items()}
    pairs = [*((name, value) for name, value in own.items() if value is not None), *(headers or [])]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in pairs],
    }
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body", "body": b"shown"})

    async def receive() -> Any:
        raise AssertionError("nothing of a body may be read here")

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Guard(app, access)(scope, receive, send))  # type: ignore[arg-type]
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(one.get("body", b"") for one in sent).decode()


# Verifies REQ-WEB-002.
def test_with_the_cookie_a_page_is_shown(access: Access) -> None:
    status, headers, body = ask(access)
    assert (status, body) == (299, "shown")
    assert {name.decode() for name, _ in HEADERS} <= headers.keys()


def test_localhost_is_another_name_for_it(access: Access) -> None:
    assert ask(access, host=f"localhost:{PORT}")[0] == 299


@pytest.mark.parametrize(
    "host",
    [None, "", "127.0.0.1", "127.0.0.1:80", "evil.example", f"evil.example:{PORT}", f"127.0.0.1:{PORT}.evil.example"],
)
def test_another_host_is_refused(access: Access, host: str | None) -> None:
    status, headers, body = ask(access, host=host)
    assert status == 421
    assert "shown" not in body
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    "cookie", [None, "", "loregraph-1=x", f"loregraph-{PORT}=wrong", "a=b; =", f"loregraph-{PORT}="]
)
def test_without_the_cookie_nothing_is_shown(access: Access, cookie: str | None) -> None:
    assert ask(access, cookie=cookie)[0] == 403


def test_the_cookie_of_another_run_is_refused(access: Access) -> None:
    other = Access("u" * 43, PORT)
    assert ask(access, cookie=f"{other.cookie_name}={other.session}")[0] == 403


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", f"https://{HOST}", "http://127.0.0.1:1", f"http://{HOST}.x"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_origin_is_refused(access: Access, origin: str, method: str) -> None:
    assert ask(access, method=method, origin=origin)[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "x"])
def test_another_site_is_refused(access: Access, site: str) -> None:
    assert ask(access, sec_fetch_site=site)[0] == 403


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_its_own_pages_and_the_address_line_are_not(access: Access, site: str) -> None:
    assert ask(access, sec_fetch_site=site)[0] == 299


def test_a_form_says_where_it_comes_from(access: Access) -> None:
    assert ask(access, method="POST")[0] == 403
    assert ask(access, method="POST", origin=f"http://{HOST}")[0] == 299


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "X"])
def test_other_methods_are_refused(access: Access, method: str) -> None:
    assert ask(access, method=method, origin=f"http://{HOST}")[0] == 405


@pytest.mark.parametrize("name", ["host", "cookie", "origin", "sec-fetch-site"])
def test_a_header_that_decides_stands_once(access: Access, name: str) -> None:
    first = {"host": HOST, "origin": f"http://{HOST}", "sec-fetch-site": "none"}.get(name, "a=b")
    twice = [(name, first)] if name in ("host", "cookie") else [(name, first), (name, first)]
    assert ask(access, headers=twice)[0] == 400


def test_the_token_sets_the_cookie_and_leaves_the_address(access: Access) -> None:
    status, headers, body = ask(access, "/", query=f"token={access.token}", cookie=None, sec_fetch_site="cross-site")
    assert status == 200
    assert headers["set-cookie"] == f"loregraph-{PORT}={access.session}; Path=/; HttpOnly; SameSite=Strict"
    assert access.token not in body
    assert 'content="0; url=/"' in body


@pytest.mark.parametrize("token", ["", "wrong", "t" * 42, "t" * 44, "%00", "é"])
def test_a_wrong_token_sets_nothing(access: Access, token: str) -> None:
    status, headers, _ = ask(access, "/", query=f"token={token}", cookie=None)
    assert status == 403
    assert "set-cookie" not in headers


def test_a_token_given_twice_or_elsewhere_lets_nobody_in(access: Access) -> None:
    assert ask(access, "/", query=f"token={access.token}&token={access.token}", cookie=None)[0] == 403
    assert ask(access, "/map", query=f"token={access.token}", cookie=None)[0] == 403
    assert ask(access, "/", "POST", f"token={access.token}", cookie=None, origin=f"http://{HOST}")[0] == 403


def test_a_token_does_not_help_another_host_or_origin(access: Access) -> None:
    assert ask(access, "/", query=f"token={access.token}", cookie=None, host="evil.example")[0] == 421
    assert ask(access, "/", query=f"token={access.token}", cookie=None, origin="http://evil.example")[0] == 403


def test_a_ticket_lets_in_once(access: Access) -> None:
    query = access.ticket().partition("?")[2]
    assert ask(access, "/", query=query, cookie=None)[0] == 200
    assert ask(access, "/", query=query, cookie=None)[0] == 403


def test_the_secrets_are_not_one_another(access: Access) -> None:
    assert len({access.token, access.session, access.key}) == 3
    assert not access.is_key(access.session)
