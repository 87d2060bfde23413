"""Which handler of another repository a request reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.graph.model import LABELS
from loregraph.project import Project
from loregraph.workspaces.endpoints import ENDPOINT, address, best, reaches
from loregraph.workspaces.project import WorkspaceProject

from ..shop import written
from .conftest import workspace_file

SERVICE = """
from flask import Flask

app = Flask(__name__)


@app.route("/users/<int:id>")
def user(id):
    return str(id)


@app.get("/")
def home():
    return ""
"""
CLIENT = """
import requests


def load(id):
    return requests.get(f"http://service:8000/users/{id}").json()


def root():
    return requests.get("http://service:8000/")
"""


# Verifies REQ-WSP-010.
@pytest.mark.parametrize(
    ("wanted", "own", "met"),
    [
        ("http:GET:/users/{}", "http:GET:/users/{}", True),
        ("http:GET:/users/7", "http:GET:/users/{}", True),
        ("http:GET:/users/{}", "http:ANY:/users/{}", True),
        ("http:ANY:/users", "http:POST:/users", True),
        ("http:GET:/files/a/b", "http:GET:/files/{*}", True),
        ("http:GET:/users/{}", "http:POST:/users/{}", False),
        ("http:GET:/users/{}", "http:GET:/users/me", False),
        ("http:GET:/users", "http:GET:/users/{}", False),
        ("http:GET:/users", "http:GET:/{*}", False),
        ("grpc::/shop.Cart/Add", "grpc::/shop.Cart/Add", True),
        ("grpc::/shop.Cart/Add", "http::/shop.Cart/Add", False),
        ("topic::orders", "topic::orders", True),
    ],
)
def test_protocol_method_and_path_decide(wanted: str, own: str, met: bool) -> None:
    assert reaches(address(f"endpoint:{wanted}"), address(f"endpoint:{own}")) is met


def test_a_path_of_parameters_alone_says_nothing() -> None:
    assert not address("endpoint:http:GET:/{}/{}").is_literal
    assert not address("endpoint:http:GET:/").is_literal
    assert address("endpoint:http:GET:/v1/{}").is_literal


def test_the_handler_with_the_fewest_parameters_answers() -> None:
    rows = [
        (address(f"endpoint:http:{own}"), number)
        for number, own in enumerate(("GET:/users/{}", "GET:/users/me", "ANY:/users/me", "GET:/{*}"))
    ]
    assert best(address("endpoint:http:GET:/users/me"), rows) == [1]
    assert best(address("endpoint:http:PUT:/users/me"), rows) == [2]
    assert best(address("endpoint:http:GET:/users/7"), rows) == [0]
    assert best(address("endpoint:http:GET:/elsewhere"), rows) == []


if ENDPOINT in LABELS:
    # Verifies REQ-WSP-010.
    @pytest.mark.parametrize("others", [1, 2])
    def test_a_request_reaches_the_one_other_repository_that_handles_it(tmp_path: Path, others: int) -> None:
        services = [f"service{number}" for number in range(others)]
        for name, text in {"web": CLIENT, **dict.fromkeys(services, SERVICE)}.items():
            with Project(written(tmp_path / name, {"app.py": text})) as project:
                project.index(jobs=1, embed=False)
        names = {name: name for name in ("web", *services)}
        with WorkspaceProject(workspace_file(tmp_path, names)) as workspace:
            found = [hit.id for hit in workspace.callers("service0:app.py::user")]
            assert found == (["web:app.py::load"] if others == 1 else [])
            assert workspace.callers("service0:app.py::home") == []
            columns = workspace.reader().columns
            paths = {columns.path(node) for node in columns.nodes(ENDPOINT).tolist()}
            assert "/users/<int:id>" in paths
