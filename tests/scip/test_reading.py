"""Indexes that are not trusted: whatever the bytes are, they are read within bounds or refused with one error."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from loregraph.errors import BadScipError, UsageError
from loregraph.project import Project
from loregraph.scip import reading, schema
from loregraph.scip.reading import ScipFile, is_inside
from loregraph.scip.wire import WireError, field, fields_of, varint

from .messages import encoded
from .projects import FOLDER, PYTHON, written


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Project:
    project = Project(written(tmp_path_factory.mktemp("shop"), PYTHON))
    project.index(embed=False)
    return project


def index_file(folder: Path, data: bytes) -> Path:
    path = folder / "hand.scip"
    path.write_bytes(data)
    return path


def occurrence(*numbers: int, symbol: str = "x . . . f().", roles: int = 0) -> bytes:
    message = schema.messages().Occurrence(range=numbers, symbol=symbol, symbol_roles=roles)
    return field(schema.OCCURRENCES, message.SerializeToString())


def document(path: str, *parts: bytes) -> bytes:
    return field(schema.DOCUMENTS, field(schema.RELATIVE_PATH, path.encode()) + b"".join(parts))


def groups(depth: int) -> bytes:
    """Messages in messages, as deep."""
    content = b""
    for _ in range(depth):
        content = field(6, content)
    return content


BAD = {
    "text": b"this is no index, but a text that is long enough to be taken for one",
    "zip": b"PK\x03\x04" + bytes(60),
    "group": b"\x0b\x0c",
    "cut in a field": field(schema.DOCUMENTS, b"x" * 50)[:-1],
    "cut in a number": b"\x12\xff",
    "endless number": b"\x12" + b"\xff" * 20,
    "a length of 2**63": b"\x12" + varint(1 << 63),
    "an inner length beyond the document": field(schema.DOCUMENTS, b"\x12\x7fabc"),
    "an occurrence that is no message": document("shop/show.py", field(schema.OCCURRENCES, b"\x0a\xff\xff")),
    "a symbol that is no UTF-8": document("shop/show.py", field(schema.OCCURRENCES, field(2, b"\xff\xfe"))),
    "metadata that is no message": field(schema.METADATA, b"\x0a\xff"),
}


# Verifies REQ-EXC-004.
@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_what_is_no_index_is_refused_with_one_error(project: Project, tmp_path: Path, data: bytes) -> None:
    before = project.reader().generation
    with pytest.raises(BadScipError, match="no SCIP index that can be read"):
        project.import_scip(index_file(tmp_path, data))
    assert project.imported() == []
    assert project.reader().generation == before


# Verifies REQ-EXC-004.
def test_a_bad_index_does_not_cost_the_one_before(project: Project, tmp_path: Path) -> None:
    path = index_file(tmp_path, (FOLDER / "python.scip").read_bytes())
    project.import_scip(path)
    before = project.imported()
    path.write_bytes(path.read_bytes() + BAD["an inner length beyond the document"])
    with pytest.raises(BadScipError):
        project.import_scip(path)
    assert project.imported() == before
    project.forget_imported("scip:hand.scip")


# Verifies REQ-EXC-004.
def test_a_document_beyond_the_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = index_file(tmp_path, document("a.py", occurrence(0, 0, 1)))
    monkeypatch.setattr(reading, "MOST_DOCUMENT", 10)
    with pytest.raises(BadScipError, match="at most 10 are read at once"):
        ScipFile(path)
    monkeypatch.setattr(reading, "MOST_BYTES", 10)
    with pytest.raises(BadScipError, match=r"it has [0-9]+ bytes"):
        ScipFile(path)


# Verifies REQ-EXC-004.
def test_only_a_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        ScipFile(tmp_path / "none.scip")
    with pytest.raises((UsageError, BadScipError)):
        ScipFile(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        with pytest.raises(BadScipError, match="it is no file"):
            ScipFile(tmp_path / "fifo")


# Verifies REQ-EXC-004.
@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../shop/show.py", "shop/../shop/show.py", "./shop/show.py", "shop//show.py", "shop\\show.py",
     "shop/show.py\0", "file:///etc/passwd", "no/such/file.py", "C:/x.py"],
)  # fmt: skip
def test_documents_that_are_no_files_of_the_graph_are_counted(project: Project, tmp_path: Path, path: str) -> None:
    found = project.import_scip(index_file(tmp_path, document(path, occurrence(0, 0, 1, roles=1))))
    assert (found.unknown, found.definitions, found.references) == (1, 0, 0)
    assert path == "" or not is_inside(path) or not (project.root / path).exists()


# Verifies REQ-EXC-004.
def test_one_path_counts_once(project: Project, tmp_path: Path) -> None:
    twice = document("shop/show.py", occurrence(4, 4, 8, roles=1)) * 2
    found = project.import_scip(index_file(tmp_path, twice))
    assert (found.definitions, found.unknown) == (1, 1)


# Verifies REQ-EXC-004.
def test_ranges_outside_the_file_are_another_text(project: Project, tmp_path: Path) -> None:
    wild = [(2**31 - 1, 0, 1), (0, 2**31 - 1, 2**31 - 1), (0, 0, 10_000), (-1, 0, 1), (0, 5, 2), (0, 0, 3, 1)]
    found = project.import_scip(index_file(tmp_path, document("shop/show.py", *(occurrence(*one) for one in wild))))
    assert found.outdated == ("shop/show.py",)
    malformed = [(), (1,), (1, 2), (1, 2, 3, 4, 5), (-5, 0, 1)]
    found = project.import_scip(index_file(tmp_path, document("shop/show.py", *(occurrence(*o) for o in malformed))))
    assert (found.references, found.outdated) == (0, ())


# Verifies REQ-EXC-004.
def test_many_small_parts_take_the_memory_of_one(project: Project, tmp_path: Path) -> None:
    """Twenty thousand empty occurrences of two bytes would be megabytes as messages."""
    import tracemalloc

    path = index_file(tmp_path, document("shop/show.py", field(schema.OCCURRENCES, b"") * 20_000))
    scip = ScipFile(path)
    tracemalloc.start()
    try:
        for one in scip.documents():
            assert sum(1 for _ in scip.places(one)) == 0
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


# Verifies REQ-EXC-004.
def test_depth_does_not_matter(project: Project, tmp_path: Path) -> None:
    deep = document("shop/show.py", field(schema.OCCURRENCES, groups(5_000)))
    try:
        project.import_scip(index_file(tmp_path, deep))
    except BadScipError:
        return  # the runtime may refuse it


# Verifies REQ-EXC-004.
def test_a_symbol_without_end_is_passed_over(project: Project, tmp_path: Path) -> None:
    long = "x" * (reading.LONGEST_SYMBOL + 1)
    data = document("shop/show.py", occurrence(4, 4, 8, symbol=long, roles=1))
    assert project.import_scip(index_file(tmp_path, data)).definitions == 0


# Verifies REQ-EXC-004.
def test_damaged_indexes_end_with_a_report_or_the_error(project: Project, tmp_path: Path) -> None:
    whole = (FOLDER / "python.scip").read_bytes()
    chance = random.Random(7)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path = index_file(tmp_path, bytes(data[: chance.randint(1, len(data))]))
        try:
            scip = ScipFile(path)
            for one in scip.documents():
                list(scip.places(one))
        except BadScipError:
            pass


@pytest.mark.parametrize(
    ("said", "below"),
    [("file:///project", ""), ("file:///project/", ""), ("file:///project/web%20site", "web site"),
     ("file:///project/../etc", ""), ("file:///projects", ""), ("http://host/project/web", ""), ("", ""), ("::", "")],
)  # fmt: skip
def test_where_paths_begin(tmp_path: Path, said: str, below: str) -> None:
    assert ScipFile(index_file(tmp_path, encoded(root=said))).folder_in(Path("/project")) == below


def test_unknown_fields_are_passed_over() -> None:
    content = b"\x09" + bytes(8) + b"\x15" + bytes(4) + b"\x18\x96\x01" + field(7, b"x")
    assert list(fields_of(content)) == [(3, 150), (7, b"x")]
    for cut in (1, 8, 12):
        with pytest.raises(WireError):
            list(fields_of(content[:cut]))


def test_fields_are_written_as_the_runtime_does() -> None:
    message: Any = schema.messages().Document(relative_path="a" * 300)
    assert field(schema.RELATIVE_PATH, b"a" * 300) == message.SerializeToString()
