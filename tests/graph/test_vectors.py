from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from loregraph.errors import EmbedderMismatchError, EmbedderUnavailableError
from loregraph.graph.embedders import Embedder, embedding_text
from loregraph.graph.terms import term_hash, terms
from loregraph.graph.vectors import (
    STATIC_MODEL_ID,
    WEIGHTS_FOLDER,
    StaticEmbedder,
    identity,
    load_embedder,
    require_same_space,
    term_vectors,
)

WORDS = {"open": (1, 0, 0), "close": (0, 1, 0), "file": (0, 0, 1), "##s": (0, 0, 1), "files": (0, 0, 1)}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A static model with a vocabulary of a few words in three dimensions."""
    vocabulary = {"[UNK]": 0} | {word: i for i, word in enumerate(WORDS, 1)}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary},
    }  # fmt: skip
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    rows = np.array([(9, 9, 9), *WORDS.values()], dtype="<f4")
    header = json.dumps({"embeddings": {"dtype": "F32", "shape": rows.shape, "data_offsets": [0, rows.nbytes]}})
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header.encode() + rows.tobytes())
    return tmp_path


@pytest.fixture(scope="module")
def packaged() -> Embedder:
    embedder = load_embedder("static")
    assert embedder is not None
    return embedder


def near(vector: NDArray[np.float32], *expected: float) -> bool:
    return bool(np.allclose(vector, np.array(expected) / max(np.linalg.norm(expected), 1e-9), atol=1e-6))


def test_lines_are_pooled_apart_and_words_count_with_their_root(folder: Path) -> None:
    embedder = StaticEmbedder(folder, "small")
    one, two, repeated, unknown, empty = embedder.embed_documents(
        ["open close", "open\n\nclose close file", "open open open open close", "zyzzyva", ""]
    )
    assert near(one, 1, 1, 0)
    second = np.array([0, 2**0.5, 1]) / 3**0.5
    assert near(two, 1, *second[1:])
    assert near(repeated, 2, 1, 0)
    assert not unknown.any()
    assert not empty.any()
    assert embedder.embed_documents([]).shape == (0, 3)


def test_queries_are_split_like_identifiers_and_lose_question_words(folder: Path) -> None:
    embedder = StaticEmbedder(folder, "small")
    assert near(embedder.embed_query("how do I openFile"), 1, 0, 1)
    assert not embedder.embed_query("").any()
    assert embedder.embed_query("how").shape == (3,)


def test_vectors_do_not_depend_on_what_was_embedded_before(folder: Path) -> None:
    texts = [f"open {'close ' * (i % 7)}file" for i in range(600)]
    together = StaticEmbedder(folder, "small").embed_documents(texts)
    embedder = StaticEmbedder(folder, "small")
    alone = np.concatenate([embedder.embed_documents([text]) for text in reversed(texts)])[::-1]
    assert np.allclose(together, alone, atol=1e-6)


def test_single_terms_have_vectors(folder: Path) -> None:
    found = term_vectors(StaticEmbedder(folder, "small"))
    assert found is not None
    hashes = np.array([term_hash(term) for term in (*terms("files opened"), "zyzzyva")], dtype=np.uint32)
    files, opened, unknown = found.of(hashes)
    assert near(files, 0, 0, 1)
    assert near(opened, 1, 0, 0)
    assert not unknown.any()
    assert term_vectors(None) is None


def test_a_local_folder_is_loaded_without_a_network(folder: Path) -> None:
    embedder = load_embedder(f"fastembed:{folder}")
    assert embedder is not None
    assert embedder.dim == 3
    assert len(embedder.weights_sha256) == 64


# Verifies REQ-SRC-006.
def test_other_weights_are_another_space(folder: Path) -> None:
    before = identity(StaticEmbedder(folder, "small"))
    require_same_space(before, StaticEmbedder(folder, "small"))
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4] + b"\0\0\0\0")
    after = StaticEmbedder(folder, "small")
    for other in (before, msgspec.structs.replace(identity(after), text_version=-1)):
        with pytest.raises(EmbedderMismatchError, match="re-embed required") as refused:
            require_same_space(other, after)
        for space in (other, identity(after)):
            assert f"{space.model_id} ({space.dim} dimensions" in refused.value.message
            assert f"weights {space.weights_sha256[:8]}, text {space.text_version})" in refused.value.message


def test_what_does_not_load_is_said(folder: Path, tmp_path: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"junk")
    empty = tmp_path / "empty"
    empty.mkdir()
    untokenized = tmp_path / "untokenized"
    untokenized.mkdir()
    (untokenized / "tokenizer.json").write_text("{}")
    for spec in (
        f"fastembed:{folder}",
        f"fastembed:{empty}",
        f"fastembed:{untokenized}",
        "fastembed:nobody/nothing",
        "nonsense",
    ):
        with pytest.raises(EmbedderUnavailableError):
            load_embedder(spec)


def test_none_is_none() -> None:
    assert load_embedder("none") is None


# Verifies REQ-SRC-005.
def test_the_packaged_weights_are_small_and_have_their_notice(packaged: Embedder) -> None:
    assert packaged.model_id == STATIC_MODEL_ID
    assert packaged.dim == 256
    assert sum(path.stat().st_size for path in WEIGHTS_FOLDER.iterdir()) < 10_000_000
    assert "all-MiniLM-L6-v2" in (WEIGHTS_FOLDER / "NOTICE").read_text()


def test_a_line_of_distinct_words_is_what_fastembed_makes_of_it(packaged: Embedder) -> None:
    from fastembed import TextEmbedding

    reference = TextEmbedding("minishlab/potion-base-8M", specific_model_path=str(WEIGHTS_FOLDER))
    for text in ("read the configuration file", "xylophonist quux 42 größe", "日本語"):
        (expected,) = reference.embed([text])
        assert np.allclose(packaged.embed_documents([text])[0], expected, atol=1e-5)


def test_the_packaged_weights_know_what_code_means(packaged: Embedder) -> None:
    texts = [
        embedding_text("", "remove_dir", "def remove_dir(path)", "", "shutil.rmtree(path)"),
        embedding_text("", "send_mail", "def send_mail(to, body)", "", "smtp.sendmail(sender, to, body)"),
        embedding_text("", "mean", "def mean(values)", "", "return sum(values) / len(values)"),
    ]
    documents = packaged.embed_documents(texts)
    queries = ("delete a folder and all it holds", "deliver an email message", "calculate the average of numbers")
    for i, query in enumerate(queries):
        assert int(np.argmax(documents @ packaged.embed_query(query))) == i


def test_importing_loads_neither_fastembed_nor_a_runtime() -> None:
    code = (
        "import sys, loregraph.graph.vectors, loregraph.graph.search\n"
        "sys.exit(bool({'fastembed', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
