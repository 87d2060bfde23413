"""Hostile files cost what they are worth: bounds count, what they cut is said, cycles end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from joining import joined, rows

from loregraph.graph.endpoint_paths import matches, normalised
from loregraph.indexer.endpoints import collect as collecting
from loregraph.indexer.endpoints import join as joining_all

APP = "from flask import Flask\napp = Flask(__name__)\n"


# Verifies REQ-NET-006.
def test_more_routes_than_allowed_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "MAX_ENTRIES", 100)
    (tmp_path / "app.py").write_text(APP + "".join(f"@app.get('/{n}')\ndef f{n}(): ...\n" for n in range(150)))
    found = joined(tmp_path)
    assert len(found.nodes) == 100
    assert found.problems[0].path == "app.py"
    assert found.problems[0].message.startswith("50 ")


# Verifies REQ-NET-006.
def test_more_endpoints_than_allowed_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining_all, "MAX_ENDPOINTS", 5)
    (tmp_path / "app.py").write_text(APP + "".join(f"@app.get('/{n}')\ndef f{n}(): ...\n" for n in range(9)))
    found = joined(tmp_path)
    assert len(found.nodes) == 5
    assert found.problems[0].message.startswith("4 ")


# Verifies REQ-NET-006.
def test_a_path_of_a_megabyte_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        f"{APP}@app.get('/{'x' * 1_000_000}')\ndef f(): ...\n@app.get('/y')\ndef g(): ...\n"
    )
    assert [row[0] for row in rows(joined(tmp_path), "HANDLES")] == ["GET /y"]


# Verifies REQ-NET-006.
def test_cycles_of_routers_and_of_included_modules_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from django.urls import include, path\n"
        "urlpatterns = [path('b/', include('b')), path('x', lambda request: None)]\n"
    )
    (tmp_path / "b.py").write_text("from django.urls import include, path\nurlpatterns = [path('a/', include('a'))]\n")
    (tmp_path / "c.js").write_text(
        "const { Router } = require('express');\nconst one = Router(), two = Router();\n"
        "one.use('/two', two);\ntwo.use('/one', one);\none.get('/x', (req, res) => 1);\n"
    )
    assert len(joined(tmp_path).nodes) < 10


# Verifies REQ-NET-006.
def test_routers_mounted_on_one_another_many_times_have_a_bounded_number_of_paths(tmp_path: Path) -> None:
    chain = "".join(f"r{n}.include_router(r{n + 1}, prefix='/a')\nr{n}.include_router(r{n + 1}, prefix='/b')\n"
                    for n in range(20))  # fmt: skip
    made = "".join(f"r{n} = APIRouter()\n" for n in range(21))
    (tmp_path / "app.py").write_text(
        f"from fastapi import APIRouter, FastAPI\napp = FastAPI()\n{made}{chain}app.include_router(r0)\n"
        "@r20.get('/x')\ndef f(): ...\n"
    )
    found = joined(tmp_path)
    assert len(found.nodes) == joining_all.MAX_PATHS
    assert "left out" in found.problems[0].message


# Verifies REQ-NET-006.
def test_a_file_is_read_at_its_calls_for_a_bounded_number_of_characters(tmp_path: Path) -> None:
    deep = "app.get(" * 3_000 + "'/x'" + ", f)" * 3_000
    (tmp_path / "app.js").write_text(f"const app = require('express')();\n{deep}\n")
    assert len(joined(tmp_path).nodes) <= 1


# Verifies REQ-NET-008.
@pytest.mark.parametrize(
    "name", ["x" * 300, "\x1b[31m", " ", "", "${topic}"], ids=["long", "escape", "blank", "empty", "placeholder"]
)
def test_what_can_be_no_topic_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "A.java").write_text(f'class A {{ @KafkaListener(topics = "{name}") void on(String one) {{}} }}\n')
    sent = "" if "$" in name else name
    (tmp_path / "a.py").write_text(
        f"from kafka import KafkaProducer\nKafkaProducer().send('kept')\nKafkaProducer().send('{sent}')\n"
    )
    assert [node.path for node in joined(tmp_path).nodes] == ["kept"]


# Verifies REQ-NET-002.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/users/<int:id>/", "/users/{}"),
        ("/users/:id", "/users/{}"),
        ("users/{id:guid}", "/users/{}"),
        ("/users/${id}", "/users/{}"),
        ("/a/{x}/b/{y}", "/a/{}/b/{}"),
        (r"/old/(?P<x>\d+)/", "/old/{}"),
        ("/files/{path:path}", "/files/{*}"),
        ("/files/*", "/files/{*}"),
        ("/owners/*/pets", "/owners/{}/pets"),
        ("/", "/"),
    ],
)
def test_notations_have_one_normal_form(one: str, other: str) -> None:
    assert normalised(one) == other


# Verifies REQ-NET-002.
@pytest.mark.parametrize(
    ("client", "handler", "sure"),
    [
        ("/users/3", "/users/{id}", 1.0),
        ("/users/{}/", "/users/:id", 1.0),
        ("/Users/me", "/users/me", 1.0),
        ("/users/{}", "/users/me", 0.0),
        ("/users", "/users/{id}", 0.0),
        ("/api/users/3", "/users/{id}", 0.8),
        ("/users/3", "/api/v1/users/<id>", 0.7),
        ("/3", "/api/{id}", 0.0),
        ("/files/a/b", "/files/{rest:path}", 1.0),
        ("/x.json", "/{name}.json", 1.0),
    ],
)
def test_whether_a_request_reaches_a_handler(client: str, handler: str, sure: float) -> None:
    assert matches(client, handler) == sure
