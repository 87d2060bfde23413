"""Whatever bytes a file holds become UTF-8 or a problem."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.indexer.source import normalise, read_source

LIMIT = 1000


def _messages(problems: tuple[object, ...]) -> str:
    return " | ".join(str(problem) for problem in problems)


# Verifies REQ-IDX-008.
@pytest.mark.parametrize(
    "raw",
    [
        codecs.BOM_UTF8 + "é = 1\n".encode(),
        codecs.BOM_UTF16_LE + "é = 1\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "é = 1\n".encode("utf-16-be"),
        codecs.BOM_UTF32_LE + "é = 1\n".encode("utf-32-le"),
        codecs.BOM_UTF32_BE + "é = 1\n".encode("utf-32-be"),
        "é = 1\n".encode(),
        "é = 1\r".encode(),
    ],
)
def test_every_unicode_form_reads_the_same(raw: bytes) -> None:
    assert normalise(raw) == ("é = 1\n".encode(), ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(encoding: str) -> None:
    text = "def main():\n    return 1\n" * 10
    assert normalise(text.encode(encoding)) == (text.encode(), ())


def test_line_ends() -> None:
    assert normalise(b"a\rb\r\nc\nd\r\r\n") == (b"a\nb\r\nc\nd\n\r\n", ())


def test_nul_early_is_binary_and_late_is_a_problem_with_its_line() -> None:
    data, problems = normalise(b"\x7fELF\0\0\1")
    assert data is None
    assert "binary" in _messages(problems)
    late = b"x = 1\n" * 2000 + b"y = '\0'\n"
    data, problems = normalise(late)
    assert data == late.replace(b"\0", b" ")
    assert [(problem.line, "NUL" in problem.message) for problem in problems] == [(2001, True)]


def test_broken_utf16_is_replaced_and_said() -> None:
    data, problems = normalise(codecs.BOM_UTF16_LE + b"a\0\0\xd8b\0")
    assert data == "a\ufffdb".encode()
    assert "utf-16-le" in _messages(problems)


def test_undecodable_bytes_in_utf8_are_replaced_with_their_line() -> None:
    data, problems = normalise("é\n# ok\n# ".encode() + b"\xff\n")
    assert data == "é\n# ok\n# \ufffd\n".encode()
    assert [problem.line for problem in problems] == [3]


def test_latin_text_without_any_utf8_is_read_as_such() -> None:
    data, problems = normalise("# Größe\n".encode("latin-1"))
    assert data == "# Größe\n".encode()
    assert "Windows-1252" in _messages(problems)


def test_a_declared_encoding_is_believed() -> None:
    text = "#!/usr/bin/python\n# -*- coding: koi8-r -*-\n# привет\n"
    assert normalise(text.encode("koi8-r")) == (text.encode(), ())


@pytest.mark.parametrize("name", ["no-such-codec", "rot13", "zlib", "punycode", "idna", "utf-8"])
def test_a_declared_encoding_that_is_none_is_not(name: str) -> None:
    data, problems = normalise(f"# coding: {name}\n# ".encode() + b"\xe9\n")
    assert data == f"# coding: {name}\n# é\n".encode()
    assert len(problems) == 1


def test_what_is_no_file_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "fifo.py")
    (tmp_path / "link.py").symlink_to(tmp_path / "folder.py")
    for name, message in (
        ("folder.py", "not a regular file"),
        ("fifo.py", "not a regular file"),
        ("none.py", "cannot be read: No such file"),
        ("link.py", "cannot be read"),
    ):
        data, problems = read_source(tmp_path / name, LIMIT)
        assert data is None
        assert message in _messages(problems)


def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    monkeypatch.setattr("loregraph.indexer.source.os.open", refuse)
    data, problems = read_source(path, LIMIT)
    assert data is None
    assert "Permission denied" in _messages(problems)


# Verifies REQ-IDX-008.
def test_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"#" * LIMIT)
    assert read_source(path, LIMIT) == (b"#" * LIMIT, ())
    data, problems = read_source(path, LIMIT - 1)
    assert data is None
    assert f"too large: {LIMIT} bytes" in _messages(problems)
    # A file that grows while it is read: its size said otherwise.
    real = os.fstat
    small = tmp_path / "small"
    small.write_bytes(b"")
    size = small.stat()
    monkeypatch.setattr("loregraph.indexer.source.os.fstat", lambda fd: size if real(fd).st_size else real(fd))
    data, problems = read_source(path, LIMIT - 1)
    assert data is None
    assert "grew" in _messages(problems)


def test_empty(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"")
    assert read_source(tmp_path / "a.py", LIMIT) == (b"", ())


@given(st.binary(max_size=300))
def test_any_bytes_give_valid_utf8_or_a_reason(raw: bytes) -> None:
    data, problems = normalise(raw)
    if data is None:
        assert problems
    else:
        text = data.decode("utf-8")
        assert "\0" not in text
        assert "\r" not in text.replace("\r\n", "")


@given(
    st.text(max_size=200).filter(lambda text: "\0" not in text and "\r" not in text and not text.startswith("\ufeff"))
)
def test_any_text_comes_through_unchanged(text: str) -> None:
    assert normalise(text.encode("utf-8", "ignore")) == (text.encode("utf-8", "ignore"), ())
