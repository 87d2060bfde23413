"""Voyage's models against a stand-in of their API on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import loregraph
from loregraph.errors import EmbedderMismatchError, EmbedderUnavailableError
from loregraph.graph import voyage
from loregraph.graph.vectors import identity, load_embedder
from loregraph.graph.voyage import ATTEMPTS, BATCH_BYTES, BATCH_TEXTS, QUERY_ATTEMPTS, VoyageEmbedder, batches

KEY = "pa-stand-in-0123456789"
Reply = tuple[int, dict[str, str], bytes]


class StandIn(ThreadingHTTPServer):
    """Answers as the API does: a vector a text, made of its length; first with what `refusals` holds."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.refusals: list[Reply] = []
        self.dim = 1024
        self.change: Callable[[dict[str, Any]], Any] = lambda answer: answer


class Handler(BaseHTTPRequestHandler):
    server: StandIn

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append({"path": self.path, **asked})
        self.server.keys.append(self.headers["Authorization"])
        if self.server.refusals:
            self._answer(*self.server.refusals.pop(0))
            return
        rows = [
            {"object": "embedding", "embedding": [float(len(text)), 1.0] + [0.0] * (self.server.dim - 2), "index": i}
            for i, text in enumerate(asked["input"])
        ]
        answer = {"object": "list", "data": rows[::-1], "model": asked["model"], "usage": {"total_tokens": 1}}
        self._answer(200, {}, json.dumps(self.server.change(answer)).encode())

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        monkeypatch.setenv("VOYAGE_API_KEY", KEY)
        monkeypatch.setenv("VOYAGE_API_BASE", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def embedder(api: StandIn, waits: list[float]) -> VoyageEmbedder:
    return VoyageEmbedder("voyage-code-3", sleep=waits.append)


# Verifies REQ-SRC-011.
def test_documents_and_queries_are_told_apart_and_come_back_in_order(embedder: VoyageEmbedder, api: StandIn) -> None:
    rows = embedder.embed_documents(["open a file", "", "x"])
    assert rows.shape == (3, 1024)
    assert np.allclose(rows[[0, 2], :2], np.array([[11, 1], [1, 1]]) / np.array([[122**0.5], [2**0.5]]))
    assert not rows[1].any()
    assert np.allclose(np.linalg.norm(embedder.embed_query("how is a file opened")), 1)
    assert [row["input_type"] for row in api.asked] == ["document", "query"]
    assert {(row["path"], row["model"], row["truncation"]) for row in api.asked} == {
        ("/v1/embeddings", "voyage-code-3", True)
    }
    assert set(api.keys) == {f"Bearer {KEY}"}
    assert not embedder.embed_query(" ").any()
    assert embedder.embed_documents([]).shape == (0, 1024)


def test_requests_stay_within_the_limits(embedder: VoyageEmbedder, api: StandIn) -> None:
    texts = [f"text {i}" for i in range(2 * BATCH_TEXTS + 1)]
    assert len(embedder.embed_documents(texts)) == len(texts)
    assert [len(row["input"]) for row in api.asked] == [BATCH_TEXTS, BATCH_TEXTS, 1]
    assert [text for row in api.asked for text in row["input"]] == texts
    long = ["é" * (BATCH_BYTES // 4), "b" * (BATCH_BYTES // 2), "c", "d" * (2 * BATCH_BYTES), " ", "e"]
    assert list(batches(long)) == [[0, 1], [2], [3], [5]]


def test_what_passes_is_waited_for(embedder: VoyageEmbedder, api: StandIn, waits: list[float]) -> None:
    api.refusals = [(429, {"Retry-After": "7"}, b""), (503, {}, b"busy"), (500, {"Retry-After": "999999"}, b"")]
    assert embedder.embed_documents(["a"]).any()
    assert waits == [7.0, voyage.FIRST_WAIT * 2, voyage.LONGEST_WAIT]
    waits.clear()
    api.refusals = [(429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, b""), (429, {"Retry-After": "soon"}, b"")]
    assert embedder.embed_documents(["a"]).any()
    assert waits == [0.0, voyage.FIRST_WAIT * 2]


def test_attempts_end(embedder: VoyageEmbedder, api: StandIn, waits: list[float]) -> None:
    api.refusals = [(503, {}, b"")] * 100
    with pytest.raises(EmbedderUnavailableError, match=f"503, {ATTEMPTS} times"):
        embedder.embed_documents(["a"])
    assert (len(api.asked), len(waits)) == (ATTEMPTS, ATTEMPTS - 1)
    with pytest.raises(EmbedderUnavailableError, match=f"503, {QUERY_ATTEMPTS} times"):
        embedder.embed_query("a")


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b'{"detail": "Provided API key is invalid."}', r"401 \(Provided API key is invalid\.\)"),
        (400, b'{"detail": "Model\\nnot supported"}', r"400 \(Model not supported\)"),
        (400, b"<html>", "answered 400$"),
        (302, b"", "answered 302$"),
    ],
)
def test_what_does_not_pass_is_said_at_once(
    embedder: VoyageEmbedder, api: StandIn, waits: list[float], status: int, body: bytes, said: str
) -> None:
    api.refusals = [(status, {"Location": "/elsewhere"}, body)]
    with pytest.raises(EmbedderUnavailableError, match=said) as raised:
        embedder.embed_query("a")
    assert (len(api.asked), waits) == (1, [])
    assert KEY not in f"{raised.value} {raised.value.suggestion}"


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: {"data": answer["data"][1:]},
        lambda answer: {"data": [{**row, "index": 0} for row in answer["data"]]},
        lambda answer: {"data": [{**row, "embedding": row["embedding"][:7]} for row in answer["data"]]},
        lambda answer: {"data": [{**row, "embedding": [1e300] * 1024} for row in answer["data"]]},
        lambda answer: {"data": "none"},
        lambda answer: [],
    ],
)
def test_an_answer_that_is_none_is_refused(embedder: VoyageEmbedder, api: StandIn, change: Any) -> None:
    api.change = change
    with pytest.raises(EmbedderUnavailableError, match="voyage:voyage-code-3"):
        embedder.embed_documents(["a", "b"])


def test_a_server_that_is_not_there(embedder: VoyageEmbedder, waits: list[float], monkeypatch: Any) -> None:
    monkeypatch.setenv("VOYAGE_API_BASE", "http://127.0.0.1:9/v1")
    with pytest.raises(EmbedderUnavailableError, match="not reached"):
        VoyageEmbedder("voyage-code-3", sleep=waits.append).embed_query("a")


def test_the_space_is_the_models_and_an_unknown_model_is_asked_for_its_size(api: StandIn) -> None:
    known = load_embedder("voyage:voyage-code-3")
    assert known is not None
    assert (identity(known).model_id, identity(known).dim, api.asked) == ("voyage:voyage-code-3", 1024, [])
    api.dim = 33
    other = load_embedder("voyage:voyage-9")
    assert other is not None
    assert (other.dim, other.dim, len(api.asked)) == (33, 33, 1)


def test_without_a_key_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in voyage.KEYS:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(EmbedderUnavailableError, match="VOYAGE_API_KEY is not set") as raised:
        load_embedder("voyage:voyage-code-3")
    assert "static" in raised.value.suggestion
    monkeypatch.setenv("CLAUDE_MEMORY_VOYAGE_API_KEY", KEY)
    assert load_embedder("voyage:voyage-code-3") is not None
    monkeypatch.setenv("VOYAGE_API_KEY", "pa-\nHost: evil")
    with pytest.raises(EmbedderUnavailableError, match="no key") as raised:
        load_embedder("voyage:voyage-code-3")
    assert "evil" not in str(raised.value)


@pytest.mark.parametrize(
    "base", ["http://example.org/v1", "ftp://127.0.0.1", "api.voyageai.com", "https://[", "https://"]
)
def test_the_key_goes_nowhere_in_the_clear(api: StandIn, monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("VOYAGE_API_BASE", base)
    with pytest.raises(EmbedderUnavailableError, match="VOYAGE_API_BASE"):
        VoyageEmbedder("voyage-code-3")


@pytest.mark.parametrize("model", ["", "../x", "a b", "a\n"])
def test_a_model_is_named_as_models_are(api: StandIn, model: str) -> None:
    with pytest.raises(EmbedderUnavailableError, match="no name of a model"):
        VoyageEmbedder(model)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "app.py").write_text("def pay(order):\n    return order.total\n\n\ndef ship(parcel):\n    parcel.send()\n")
    return root


# Verifies REQ-SRC-006, REQ-SRC-007.
def test_a_project_is_embedded_once_and_its_vectors_are_the_models_own(api: StandIn, shop: Path) -> None:
    with loregraph.open(shop, embedder="voyage:voyage-code-3") as project:
        project.index()
        assert [row["input_type"] for row in api.asked] == ["document"]
        project.index()
        assert len(api.asked) == 1
        assert project.search("pay an order")[0].name == "pay"
        assert api.asked[-1]["input_type"] == "query"
    with loregraph.open(shop, embedder="static") as project, pytest.raises(EmbedderMismatchError, match="re-embed"):
        project.search("pay an order")
    assert KEY.encode() not in b"".join(path.read_bytes() for path in shop.rglob("*") if path.is_file())


# Verifies REQ-SEC-002.
def test_a_repository_cannot_have_its_user_send_code_anywhere(api: StandIn, shop: Path) -> None:
    (shop / "loregraph.toml").write_text('embedder = "voyage:voyage-code-3"\n')
    with loregraph.open(shop) as project:
        project.index()
        assert project.search("pay an order")[0].name == "pay"
        project.memory.add("Orders are paid once")
        assert project.memory.search("order").results
    assert api.asked == []
