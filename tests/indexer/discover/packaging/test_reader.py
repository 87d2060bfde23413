"""Reading packaging files that people wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.languages.packaging.reader import PackagingReader, join, strip_comments


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ('{"a": "// no", /* yes */ "b": "/* no */"} // yes', '{"a": "// no",   "b": "/* no */"}  '),
        ('{"a": [1, 2, ], }', '{"a": [1, 2 ] }'),
        (r'{"a": "\"//", "b": ",}"}', r'{"a": "\"//", "b": ",}"}'),
        ('{"a": "http://x/*.js"}', '{"a": "http://x/*.js"}'),
    ],
)
def test_comments(text: str, bare: str) -> None:
    assert strip_comments(text) == bare


@given(st.lists(st.sampled_from(['"', "\\", "/", "*", ",", "}", "]", "\n", "a"]), max_size=60).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert len(strip_comments(text)) <= len(text)
    plain = text.replace("/", "").replace(",", "")  # neither comments nor commas to be left out
    assert strip_comments(plain) == plain


@pytest.mark.parametrize(
    ("folder", "relative", "joined"),
    [
        ("a/b", "../c", "a/c"),
        ("a", "./.", "a"),
        ("", "x//y/", "x/y"),
        ("a", "../..", None),
        ("", "..", None),
        ("a/b", "/c", "c"),
        ("a", "..", ""),
    ],
)
def test_join(folder: str, relative: str, joined: str | None) -> None:
    assert join(folder, relative) == joined


def test_unreadable_and_odd_files_are_problems(tmp_path: Path) -> None:
    (tmp_path / "package.json").mkdir()
    (tmp_path / "binary.json").write_bytes(b"\0\1\2")
    (tmp_path / "marked.json").write_bytes(b"\xef\xbb\xbf{}")
    (tmp_path / "wide.toml").write_bytes("a = 1\n".encode("utf-16"))
    (tmp_path / "dos.toml").write_bytes(b"a = 1\r\nb = 2\r\n")
    reader = PackagingReader(tmp_path)
    assert reader.json("package.json") == {}
    assert reader.json("none.json") == {}
    assert reader.json("binary.json") == {}
    assert reader.json("marked.json") == {}
    assert reader.toml("wide.toml") == {"a": 1}
    assert reader.toml("dos.toml") == {"a": 1, "b": 2}
    assert {problem.path for problem in reader.problems} == {"package.json", "none.json", "binary.json"}
    # One reason each: the file, not that what could not be read is no JSON.
    assert len(reader.problems) == 3


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("a/package.json", True),
        ("go.mod", True),
        ("x.csproj", True),
        ("tsconfig.base.json", True),
        ("a/data.json", False),
        ("package.json.bak", False),
        ("my-package.json", False),
    ],
)
def test_packaging_files(path: str, answer: bool) -> None:
    assert is_packaging(path) is answer
