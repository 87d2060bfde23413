"""What OpenAPI documents declare: joined with what code handles, and bounded, since anybody may have written them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from joining import FIXTURES, joined, rows

from loregraph.indexer.endpoints import openapi
from loregraph.indexer.endpoints.openapi import read


def declared(text: str, path: str = "openapi.yaml") -> list[tuple[str, str, int]]:
    """(method, path, line) of each operation."""
    found, problems = read(path, text.encode())
    assert problems == ()
    return [(route.methods[0], "".join(map(str, route.path)), route.line) for route in found.routes]


# Verifies REQ-NET-009.
def test_a_document_declares_endpoints_of_handlers_and_of_its_own() -> None:
    assert rows(joined(FIXTURES / "openapi"), "DECLARES") == [
        ("DELETE /api/v1/users/{userId}", "docs/openapi.yaml", "openapi"),
        ("GET /api/v1/users/{id}", "docs/openapi.yaml", "openapi"),
        ("GET /items", "docs/swagger.json", "openapi"),
        ("GET /old/users/{id}", "docs/swagger.json", "openapi"),
        ("POST /api/v1/orders", "docs/openapi.yaml", "openapi"),
    ]


# Verifies REQ-NET-009.
def test_lines_are_those_of_the_paths() -> None:
    assert declared("openapi: 3.1.0\npaths:\n  /a:\n    get: {}\n  /b:\n    post: {}\n") == [
        ("GET", "/a", 3),
        ("POST", "/b", 5),
    ]
    text = '{"swagger": "2.0",\n"paths": {\n"/a": {"get": {}},\n"/b": {"post": {}}}}'
    assert declared(text, "spec.json") == [("GET", "/a", 3), ("POST", "/b", 4)]


# Verifies REQ-NET-009.
@pytest.mark.parametrize(
    ("servers", "path"),
    [
        ("[{url: https://x.org/api/}]", "/api/a"),
        ("[{url: /v1}, {url: /v1/}]", "/v1/a"),
        ('[{url: "https://{host}/v2"}]', "/v2/a"),
        ('[{url: "https://x.org/{version}"}]', "/a"),
        ('[{url: "https://[x"}]', "/a"),
        ("[]", "/a"),
    ],
)
def test_the_path_of_a_server_comes_first(servers: str, path: str) -> None:
    assert declared(f"openapi: 3.0.0\nservers: {servers}\npaths:\n  /a: {{get: {{}}}}\n") == [("GET", path, 4)]


# Verifies REQ-NET-009.
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("values.yaml", "paths:\n  /a: {get: {}}\n"),
        ("deploy.yaml", "kind: Service\n# openapi: 3\n"),
        ("tests/fixtures/openapi.yaml", "openapi: 3.0.0\npaths:\n  /a: {get: {}}\n"),
        ("openapi.txt", "openapi: 3.0.0\npaths:\n  /a: {get: {}}\n"),
        ("openapi.yaml", "openapi: 3.0.0\npaths: [1, 2]\n"),
        ("openapi.yaml", "- openapi: 3.0.0\n"),
    ],
)
def test_other_files_declare_nothing(path: str, text: str) -> None:
    found, problems = read(path, text.encode())
    assert found.is_empty
    assert problems == ()


# Verifies REQ-NET-009.
def test_aliases_are_not_expanded() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 60))
    assert declared(f"openapi: 3.0.0\n{bomb}paths:\n  /a: {{get: {{}}}}\n  /b: *a59\n") == [("GET", "/a", 63)]


# Verifies REQ-NET-009.
@pytest.mark.parametrize("path", ["openapi.yaml", "openapi.json"])
def test_a_deep_document_is_refused_with_one_problem(path: str) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    found, problems = read(path, f'{{"openapi": "3.0.0", "x": {deep}, "paths": {{"/a": {{"get": {{}}}}}}}}'.encode())
    assert found.is_empty
    assert len(problems) == 1
    assert problems[0][1].startswith("not a valid OpenAPI document")


# Verifies REQ-NET-009.
def test_a_large_document_is_said_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openapi, "MAX_BYTES", 100)
    found, problems = read("openapi.yaml", b"openapi: 3.0.0\npaths:\n" + b"#" * 100)
    assert found.is_empty
    assert problems == ((0, "an OpenAPI document of more than 100 bytes is not read"),)


# Verifies REQ-NET-009.
def test_more_operations_than_allowed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openapi, "MAX_OPERATIONS", 5)
    text = "openapi: 3.0.0\npaths:\n" + "".join(f"  /{n}: {{get: {{}}}}\n" for n in range(8))
    found, _ = read("openapi.yaml", text.encode())
    assert (len(found.routes), found.cut) == (5, 3)


# Verifies REQ-NET-009.
def test_references_lead_one_step_within_the_document() -> None:
    text = (
        "openapi: 3.0.0\npaths:\n  /a: {$ref: '#/components/pathItems/a'}\n  /b: {$ref: '#/paths/~1c'}\n"
        "  /c: {$ref: '#/paths/~1b'}\n  /d: {$ref: ../../etc/passwd}\ncomponents: {pathItems: {a: {get: {}}}}\n"
    )
    found, problems = read("openapi.yaml", text.encode())
    assert ["".join(map(str, route.path)) for route in found.routes] == ["/a"]
    assert problems == ((0, "3 paths of the OpenAPI document are in other files, which are not read"),)
