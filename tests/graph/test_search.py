from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from loregraph.errors import NotIndexedError, UsageError
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.lexical import LexicalIndex, document_terms
from loregraph.graph.lexical_writer import build_lexical
from loregraph.graph.model import Function, Graph
from loregraph.graph.search import Filters, Searcher, embedded
from loregraph.graph.terms import term_hash, terms
from loregraph.graph.vector_index import VectorIndex, write_vectors
from loregraph.indexer.languages.registry import is_test_path

CONCEPTS = {"remov": 0, "delet": 0, "file": 1, "fil": 1, "folder": 1, "mail": 2, "send": 2}
"""Terms that mean the same have the same number."""


def meaning(text: str) -> NDArray[np.float32]:
    vector = np.zeros(3, dtype=np.float32)
    for term in terms(text):
        if term in CONCEPTS:
            vector[CONCEPTS[term]] += 1
    length = np.linalg.norm(vector)
    unit: NDArray[np.float32] = vector / length if length else vector
    return unit


class Concepts:
    def of(self, hashes: NDArray[np.uint32], /) -> NDArray[np.float32]:
        rows = np.zeros((len(hashes), 3), dtype=np.float32)
        for term, number in CONCEPTS.items():
            rows[hashes == term_hash(term), number] = 1
        return rows


FUNCTIONS = [
    ("src/app.py", "remove_file", "python", "os.unlink(path)"),
    ("src/app.py", "send_mail", "python", "smtp.send(message)"),
    ("src/app.py", "Box.size", "python", "return len(self)"),
    ("src/other.py", "Box.size", "python", "return len(self)"),
    ("tests/test_app.py", "test_remove_file", "python", "remove_file(path); remove_file(path)"),
    ("web/app.ts", "sendMail", "typescript", "transport.send(message)"),
    ("web/app.ts", "helper", "typescript", "sendMail(message)"),
]


def searcher(
    folder: Path, vectors: bool = True, functions: Sequence[tuple[str, str, str, str]] = FUNCTIONS
) -> Searcher:
    nodes = sorted(
        (
            Function(
                f"{path}::{name}",
                name.rpartition(".")[2],
                f"app.{name}",
                "function",
                path,
                3,
                5,
                language,
                f"def {name}",
            )
            for path, name, language, _ in functions
        ),
        key=lambda node: node.id,
    )
    bodies = {f"{path}::{name}": body for path, name, _, body in functions}
    names = {f"{path}::{name}": name for path, name, _, _ in functions}
    write_columns(folder, Graph(tuple(nodes), ()))
    build_lexical(folder, [document_terms(n.file_path, names[n.id], "", "", bodies[n.id]) for n in nodes])
    index = None
    if vectors:
        write_vectors(
            folder, np.stack([meaning(f"{names[n.id]} {bodies[n.id]}") for n in nodes]), np.arange(len(nodes))
        )
        index = VectorIndex(folder)
    return Searcher(LexicalIndex(folder), index, GraphColumns.open(folder), is_test=is_test_path)


def found(index: Searcher, query: str, **more: object) -> list[str]:
    hits = index.search(query, embedded(query, meaning), **more)  # type: ignore[arg-type]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.id for hit in hits]


# Verifies REQ-SRC-003.
def test_meaning_finds_what_words_do_not(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, "delete folder", mode="lexical") == []
    assert found(index, "delete folder", mode="semantic")[0] == "src/app.py::remove_file"
    assert found(index, "delete folder")[0] == "src/app.py::remove_file"


def test_words_find_what_has_no_meaning(tmp_path: Path) -> None:
    assert found(searcher(tmp_path), "smtp")[0] == "src/app.py::send_mail"


def test_tests_give_way_unless_asked_for(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, "remove file")[:2] == ["src/app.py::remove_file", "tests/test_app.py::test_remove_file"]
    assert found(index, "test remove file")[0] == "tests/test_app.py::test_remove_file"


def test_what_the_query_names_comes_first(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, "helper")[0] == "web/app.ts::helper"
    assert found(index, "helper()")[0] == "web/app.ts::helper"
    assert found(index, "src/other.py::Box.size")[0] == "src/other.py::Box.size"
    hits = index.search("what sends mail before sendMail does", meaning("send mail"))
    assert hits[0].id == "web/app.ts::sendMail"
    assert "named in the query" in hits[0].why


# Verifies REQ-SRC-008.
def test_equal_scores_are_in_order_of_id_whatever_the_limit(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, "Box.size") == ["src/app.py::Box.size", "src/other.py::Box.size"]
    assert found(index, "box size", limit=1) == ["src/app.py::Box.size"]


# Verifies REQ-SRC-008.
def test_filters(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, "send mail", filters=Filters(language="typescript"))[0] == "web/app.ts::sendMail"
    assert set(found(index, "send mail", filters=Filters(path="src"))) == {"src/app.py::send_mail"}
    assert found(index, "send mail", filters=Filters(kind="class")) == []
    assert found(index, "send mail", filters=Filters(path="nowhere")) == []


def test_a_second_look_wants_every_part_of_the_question(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    query = "delete folder smtp"
    plain = {hit.id: hit.score for hit in index.search(query, meaning(query))}
    again = {hit.id: hit.score for hit in index.search(query, meaning(query), term_vectors=Concepts())}
    gains = {node: again[node] - plain[node] for node in plain}
    assert gains["src/app.py::remove_file"] > gains["src/app.py::send_mail"] > 0


# Verifies REQ-SRC-001.
def test_hits_say_where_and_why(tmp_path: Path) -> None:
    (hit, *_) = searcher(tmp_path).search("remove file", meaning("remove file"))
    assert (hit.name, hit.kind, hit.file_path, hit.start_line, hit.end_line) == (
        "remove_file", "function", "src/app.py", 3, 5,
    )  # fmt: skip
    assert hit.signature == "def remove_file"
    assert hit.why[0] == "name has remove, file"
    assert any(reason.startswith("meaning 1.00") for reason in hit.why)


# Verifies REQ-SRC-004.
def test_without_vectors_words_are_left(tmp_path: Path) -> None:
    index = searcher(tmp_path, vectors=False)
    assert found(index, "remove file") == found(index, "remove file", mode="lexical") != []
    with pytest.raises(NotIndexedError):
        index.search("remove file", mode="semantic")


def test_an_unknown_mode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        searcher(tmp_path).search("x", mode="magic")


@pytest.mark.parametrize("query", ["", " ", "?!", "zyzzyva", "\x00", "a" * 5000, "( [ {", "::", "."])
def test_any_query_is_answered(tmp_path: Path, query: str) -> None:
    hits: Sequence[object] = searcher(tmp_path).search(query, meaning(query), term_vectors=Concepts())
    assert list(hits) == []


def test_limits(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, "send mail", limit=0) == []
    assert len(found(index, "send mail", limit=2)) == 2
    assert len(found(index, "send mail", limit=1000)) >= 3


def test_what_is_no_test_counts_alike_beside_tests(tmp_path: Path) -> None:
    scores = []
    for folder in ("tests", "moats"):
        (tmp_path / folder).mkdir()
        index = searcher(
            tmp_path / folder,
            functions=[("src/a.py", "send_mail", "python", ""), (f"{folder}/b.py", "x", "python", "")],
        )
        scores += [hit.score for hit in index.search("send mail", meaning("send mail"), mode="semantic")]
    assert scores[0] == scores[1]
    assert len(scores) == 2


def test_ten_are_found_where_no_limit_is_given(tmp_path: Path) -> None:
    index = searcher(tmp_path, functions=[("src/mail.py", f"send_{i}", "python", "send(mail)") for i in range(12)])
    assert len(found(index, "send mail")) == 10


LOGS = "\n".join(
    f"2024-05-01 10:00:{i:02} app.mail transport smtp message sendMail transport message {i}" for i in range(40)
)
REPORT = f"""Deleting a folder leaves an entry behind

It happens each time that an os.unlink path is given, see the output that was captured:

```
{LOGS}
```
"""


# Verifies REQ-SRC-003.
def test_pasted_logs_do_not_drown_the_title(tmp_path: Path) -> None:
    index = searcher(tmp_path)
    assert found(index, REPORT)[0] == "src/app.py::remove_file"
    assert found(index, REPORT, mode="lexical")[0] == "src/app.py::remove_file"


@pytest.mark.parametrize(
    "line",
    [
        '  File "/srv/releases/7/src/other.py", line 4, in size',
        "    at Box.size (/srv/releases/7/src/other.py:4:1)",
        "It is in src/other.py, I believe",
        "The culprit is src.other.Box",
    ],
)
def test_a_file_that_a_report_names_comes_first(tmp_path: Path, line: str) -> None:
    report = (
        f"The number is wrong for some boxes\n\nWe measured again after the update and it still is not right.\n{line}\n"
    )
    assert found(searcher(tmp_path), report)[0] == "src/other.py::Box.size"


def test_a_word_of_the_title_may_be_a_file(tmp_path: Path) -> None:
    report = (
        "other gives a wrong number of them\n\nWe measured it again after the last update, and it is not right yet.\n"
    )
    assert found(searcher(tmp_path), report)[0] == "src/other.py::Box.size"


def test_the_word_test_in_the_text_of_a_report_asks_for_no_tests(tmp_path: Path) -> None:
    report = "remove_file leaves an entry behind\n\nI will write a test once somebody says what is expected.\n"
    ids = found(searcher(tmp_path), report)
    assert ids.index("src/app.py::remove_file") < ids.index("tests/test_app.py::test_remove_file")


def test_the_vector_of_a_long_query_is_its_titles_and_its_texts(tmp_path: Path) -> None:
    assert (embedded("delete", meaning) == meaning("delete")).all()
    vector = embedded("delete a folder\n" + "mail " * 30 + "\n" + LOGS, meaning)
    assert vector[0] > 0
    assert vector[2] > 0
    assert np.isclose(np.linalg.norm(vector), 1)
    assert not embedded("zyx\n" * 50, meaning).any()
