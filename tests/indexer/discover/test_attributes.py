from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.ignore_rules import MAX_PATTERNS
from loregraph.indexer.discover.attributes import GENERATED, MAX_FILES, OWN, VENDORED, origins
from loregraph.indexer.problems import PathProblem


def said(root: Path, files: dict[str, str], paths: list[str]) -> tuple[list[str], list[PathProblem]]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    problems: list[PathProblem] = []
    origin = origins(root, [*files, *paths], problems)
    return [origin(path) for path in paths], problems


@pytest.mark.parametrize(
    ("line", "path", "origin"),
    [
        ("*.api.ts linguist-generated", "src/shop.api.ts", GENERATED),
        ("*.api.ts linguist-generated=true", "src/shop.api.ts", GENERATED),
        ("gen/** text eol=lf linguist-generated=true", "gen/a/b.go", GENERATED),
        ("/gen/*.go\tlinguist-generated", "gen/b.go", GENERATED),
        ("/gen/*.go linguist-generated", "inner/gen/b.go", ""),
        ("lib/** linguist-vendored", "lib/a.c", VENDORED),
        ("*.go -linguist-generated", "a.pb.go", OWN),
        ("*.go linguist-generated=false", "a.pb.go", OWN),
        ("*.go !linguist-generated", "a.pb.go", ""),
        ('"two words.go" linguist-generated', "two words.go", GENERATED),
        ("# *.go linguist-generated", "a.go", ""),
        ("*.go text", "a.go", ""),
        ("*.go linguist-generated\n/a.go -linguist-generated", "a.go", OWN),
        ("[attr]gen linguist-generated", "gen", ""),
    ],
)
def test_what_a_line_says_of_a_path(tmp_path: Path, line: str, path: str, origin: str) -> None:
    assert said(tmp_path, {".gitattributes": f"{line}\n"}, [path]) == ([origin], [])


def test_the_nearest_file_decides(tmp_path: Path) -> None:
    files = {".gitattributes": "*.go linguist-generated\n", "own/.gitattributes": "*.go -linguist-generated\n"}
    assert said(tmp_path, files, ["a.go", "own/a.go", "own/deep/a.go"])[0] == [GENERATED, OWN, OWN]


def test_a_link_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("*.go linguist-generated\n", encoding="utf-8")
    root = tmp_path / "project"
    root.mkdir()
    (root / ".gitattributes").symlink_to(outside)
    assert origins(root, [".gitattributes"], [])("a.go") == ""


def test_what_is_beyond_the_bounds_is_told(tmp_path: Path) -> None:
    many = "".join(f"a{number}/*.go linguist-generated\n" for number in range(MAX_PATTERNS + 1))
    _, problems = said(tmp_path, {".gitattributes": many}, ["a.go"])
    assert [p.message for p in problems] == ["1 patterns are too long, or too many, and say nothing"]
    files = [f"d{number}/.gitattributes" for number in range(MAX_FILES + 2)]
    problems = []
    origins(tmp_path, files, problems)
    assert "2 files of this name are not read" in problems[0].message
