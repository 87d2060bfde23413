from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.errors import StoreError
from loregraph.graph.lexical import LEXICAL_FILE, LexicalIndex, document_terms, pack, unpack
from loregraph.graph.lexical_writer import build_lexical
from loregraph.graph.terms import term_hash, terms

DOCUMENTS = [
    ("src/http/client", "Client.send_request", "def send_request(self, url)", "Sends a request.", "sock.sendall(data)"),
    ("src/http/client", "Client.close", "def close(self)", "", "self.sock.close()"),
    ("", "", "", "", ""),
    ("src/cache", "evict", "def evict(key)", "Removes the oldest request.", "del self.entries[key]"),
    ("src/cache", "put#2", "def put(key, value)", "", "# when a request was sent, keep it\nentries[key] = value"),
]


def blobs() -> list[bytes]:
    return [document_terms(*texts) if texts[1] else b"" for texts in DOCUMENTS]


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    build_lexical(tmp_path, blobs())
    return LexicalIndex(tmp_path)


def ranked(index: LexicalIndex, query: str) -> list[int]:
    documents, scores = index.scores(query)
    return [int(documents[i]) for i in np.lexsort((documents, -scores))]


def test_name_outweighs_docstring_outweighs_body(index: LexicalIndex) -> None:
    assert ranked(index, "request") == [0, 3, 4]


def test_other_forms_of_a_word_are_found(index: LexicalIndex) -> None:
    assert ranked(index, "evicting") == [3]
    assert ranked(index, "sendRequest")[0] == 0


def test_words_run_together_are_found(index: LexicalIndex) -> None:
    assert ranked(index, "send all") == [0]


def test_scope_and_path_count(index: LexicalIndex) -> None:
    assert set(ranked(index, "client")) == {0, 1}
    assert set(ranked(index, "cache")) == {3, 4}


def test_scores_are_positive_and_documents_ascend(index: LexicalIndex) -> None:
    documents, scores = index.scores("request key sock")
    assert documents.tolist() == sorted(set(documents.tolist()))
    assert (scores > 0).all()
    assert 2 not in documents


def test_a_query_without_a_known_term_finds_nothing(index: LexicalIndex) -> None:
    for query in ("", "   ", "zyzzyva", "?!"):
        documents, scores = index.scores(query)
        assert len(documents) == len(scores) == 0


def test_rare_terms_weigh_more(index: LexicalIndex) -> None:
    assert index.idf("evict") > index.idf("request") > 0
    assert index.idf("zyzzyva") > index.idf("evict")


def test_held_terms_are_those_of_the_documents_without_their_paths(index: LexicalIndex) -> None:
    held, counts = index.held_terms(np.array([3, 2, 1]))
    assert counts.tolist()[1] == 0
    assert counts.sum() == len(held)
    third = set(held[: counts[0]].tolist())
    assert {term_hash(term) for term in terms("evict key oldest entries")} <= third
    assert term_hash("cach") not in third


def test_no_documents(tmp_path: Path) -> None:
    for given_blobs in ([], [b"", b""]):
        build_lexical(tmp_path, given_blobs)
        index = LexicalIndex(tmp_path)
        assert index.documents == len(given_blobs)
        assert len(index.scores("anything")[0]) == 0


def test_the_same_documents_give_the_same_bytes(tmp_path: Path) -> None:
    build_lexical(tmp_path, blobs())
    first = (tmp_path / LEXICAL_FILE).read_bytes()
    build_lexical(tmp_path, blobs())
    assert (tmp_path / LEXICAL_FILE).read_bytes() == first


def test_damage_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        LexicalIndex(tmp_path)
    build_lexical(tmp_path, blobs())
    file = tmp_path / LEXICAL_FILE
    whole = file.read_bytes()
    for broken in (b"", whole[:10], whole[:-4], b"x" + whole[1:]):
        file.write_bytes(broken)
        with pytest.raises(StoreError):
            LexicalIndex(tmp_path)


def test_counts_beyond_their_width_do_not_reach_the_next_field() -> None:
    blob = document_terms("a/" * 100, "b." * 100 + "name", "c " * 300, "d " * 2000, "e " * 5000)
    packed = dict(np.frombuffer(blob, dtype="<u4").reshape(-1, 2).tolist())
    assert packed[term_hash("c")] == 63 << 12
    assert packed[term_hash("d")] == 127 << 18
    assert packed[term_hash("e")] == 127 << 25
    assert packed[term_hash("b")] == 15 << 4


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_unpack_inverts_pack(given_blobs: list[bytes]) -> None:
    assert unpack(pack(given_blobs)) == given_blobs


@given(st.lists(st.binary(max_size=40), max_size=5), st.integers(min_value=1, max_value=8))
def test_a_cut_pack_is_refused(given_blobs: list[bytes], cut: int) -> None:
    whole = pack(given_blobs)
    with pytest.raises(StoreError):
        unpack(whole[:-cut])


def test_workers_do_without_numpy() -> None:
    code = "import sys, loregraph.graph.lexical, loregraph.graph.embedders; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
