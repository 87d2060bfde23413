"""Addresses to answers, without a browser: statuses, headers, forms, errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from loregraph.errors import AmbiguousSymbolError, NotFoundError
from loregraph.pages.page import Data, File, Moved, Part
from loregraph.viewer import application, routes
from loregraph.viewer.application import Service, fields
from loregraph.viewer.security import Access
from loregraph.viewer.served import ServedProject

from .desk import indexed_desk

PORT = 4321
ORIGIN = f"http://127.0.0.1:{PORT}"
TABLES = ("PAGES", "PARTS", "DATA", "ACTIONS")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedProject]:
    root = indexed_desk(tmp_path_factory.mktemp("application"))
    project = ServedProject(root)
    yield project
    project.close()


@pytest.fixture
def access() -> Access:
    return Access("t" * 43, PORT)


@pytest.fixture
def client(served: ServedProject, access: Access, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """Of an application with some routes of the tests besides its own."""

    def missing(asked: Any) -> Any:
        raise NotFoundError("there is no <b>such</b> thing", "look elsewhere")

    def several(asked: Any) -> Any:
        raise AmbiguousSymbolError("several", ["a.py::f", "b.py::f"])

    def unforeseen(asked: Any) -> Any:
        raise ZeroDivisionError("secret of the machine")

    extra = {
        "PAGES": {"/missing": missing, "/several": several, "/unforeseen": unforeseen},
        "PARTS": {
            "missing": missing,
            "echo": lambda asked: Part("error_part.html", {"message": asked.value("text"), "suggestion": ""}),
        },
        "DATA": {
            "values": lambda asked: Data(dict(asked.values)),
            "file": lambda asked: File('a"b\r\nx: y/ü.csv', "text/csv", b"a,b\n"),
        },
        "ACTIONS": {"move": lambda asked: Moved("/?done=" + asked.value("name"))},
    }
    for table in TABLES:
        monkeypatch.setattr(application, table, {**getattr(routes, table), **extra[table]})
    made = TestClient(Service(served, access).application(), base_url=ORIGIN, follow_redirects=False)
    made.cookies.set(access.cookie_name, access.session)
    return made


def test_the_overview_is_shown_and_kept_by_nobody(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "<h1>desk</h1>" in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_an_address_without_a_page_is_a_page_that_says_so(client: TestClient) -> None:
    answer = client.get("/nowhere/../../etc/passwd")
    assert answer.status_code == 404
    assert "no such page" in answer.text


def test_errors_say_what_to_do(client: TestClient) -> None:
    answer = client.get("/missing")
    assert answer.status_code == 404
    assert "there is no &lt;b&gt;such&lt;/b&gt; thing" in answer.text
    assert "look elsewhere" in answer.text
    part = client.get("/part/missing")
    assert (part.status_code, "<html" in part.text) == (404, False)
    candidates = client.get("/several")
    assert candidates.status_code == 400
    assert candidates.text.count('class="symbol"') == 2


def test_what_nobody_foresaw_ends_one_answer_and_tells_nothing(client: TestClient) -> None:
    answer = client.get("/unforeseen")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert client.get("/").status_code == 200


def test_parts_and_data_are_answered(client: TestClient) -> None:
    assert "&lt;i&gt;" in client.get("/part/echo?text=%3Ci%3E").text
    assert client.get("/data/values?a=1&a=2&b=").json() == {"a": ["1", "2"], "b": [""]}


def test_a_file_has_a_harmless_name(client: TestClient) -> None:
    answer = client.get("/data/file")
    assert answer.headers["content-disposition"] == 'attachment; filename="a_b__x__y_.csv"'
    assert "x" not in answer.headers


def test_a_form_needs_its_key(client: TestClient, access: Access) -> None:
    headers = {"origin": ORIGIN}
    assert client.post("/do/move", data={"name": "a"}, headers=headers).status_code == 403
    assert client.post("/do/move", data={"name": "a", "key": access.session}, headers=headers).status_code == 403
    done = client.post("/do/move", data={"name": "a", "key": access.key}, headers=headers)
    assert (done.status_code, done.headers["location"]) == (303, "/?done=a")


def test_a_key_in_the_address_does_not_count(client: TestClient, access: Access) -> None:
    answer = client.post(f"/do/move?key={access.key}", data={"name": "a"}, headers={"origin": ORIGIN})
    assert answer.status_code == 403


def test_an_action_is_posted_and_a_page_is_not(client: TestClient, access: Access) -> None:
    assert client.get("/do/move").status_code in (404, 405)
    assert client.post("/", data={"key": access.key}, headers={"origin": ORIGIN}).status_code in (404, 405)


def test_a_form_is_of_its_kind_and_size(client: TestClient, access: Access) -> None:
    headers = {"origin": ORIGIN}
    as_json = client.post("/do/move", json={"key": access.key}, headers=headers)
    assert as_json.status_code == 413
    large = client.post("/do/move", data={"key": access.key, "name": "a" * (3 << 20)}, headers=headers)
    assert large.status_code == 413


def test_only_the_two_assets_are_files(client: TestClient) -> None:
    assert client.get("/assets/style.css").headers["content-type"].startswith("text/css")
    assert client.get("/assets/app.js").headers["content-type"].startswith("text/javascript")
    for name in ("text.js", "../assets.py", "%2e%2e/page.py", "frame.html", ""):
        assert client.get(f"/assets/{name}").status_code == 404, name


def test_fields_are_bounded() -> None:
    assert fields("a=1&b=%zz&a=2") == {"a": ("1", "2"), "b": ("%zz",)}
    assert fields("&".join(f"a{n}=1" for n in range(300))) == {}
    assert fields("") == {}
