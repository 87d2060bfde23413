"""Questions say when they are answered from files that changed since."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from loregraph import freshness
from loregraph.project import Project

from .conftest import Run

LINE = "changed since the last index; `loregraph index` makes the graph current"


def asked(run: Run, root: Path, *words: str) -> tuple[Any, str]:
    result = run("--root", root, *words, "--json")
    assert result.code == 0
    return json.loads(result.out), result.err


# Verifies REQ-CLI-018.
@pytest.mark.parametrize("command", ["callers", "callees", "impact", "show", "search"])
def test_nothing_is_said_where_nothing_changed(run: Run, copied: Path, command: str) -> None:
    answer, said = asked(run, copied, command, "checkout")
    assert said == ""
    assert answer
    assert "stale" not in json.dumps(answer)


# Verifies REQ-CLI-007.
@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("command", ["callers", "impact"])
def test_rows_about_files_that_changed_are_stale(run: Run, copied: Path, command: str, gone: bool) -> None:
    path = copied / "shop" / "jobs.py"
    if gone:
        path.unlink()
    else:
        path.write_text(path.read_text() + "\n\nx = 1\n")
    rows, said = asked(run, copied, command, "checkout")
    assert said == f"warning: 1 file {LINE}\n"
    assert {row["file_path"] for row in rows if row.get("stale")} == {"shop/jobs.py"}
    assert all(row["stale"] is True for row in rows if "stale" in row)


def test_a_callee_in_a_file_that_is_gone_is_stale(run: Run, copied: Path) -> None:
    (copied / "shop" / "cart.py").unlink()
    rows, _ = asked(run, copied, "callees", "shop/jobs.py::run")
    assert [(row["file_path"], row.get("stale")) for row in rows if row["id"].startswith("shop/cart.py")] == [
        ("shop/jobs.py", True)
    ]


def test_search_and_show_mark_what_changed(run: Run, copied: Path) -> None:
    path = copied / "shop" / "cart.py"
    path.write_text("# edited\n" + path.read_text())
    hits, said = asked(run, copied, "search", "checkout", "--mode", "lexical")
    assert LINE in said
    assert {hit["file_path"] for hit in hits if hit.get("stale")} == {"shop/cart.py"}
    shown, said = asked(run, copied, "show", "checkout")
    assert LINE in said
    assert shown["stale"] is True
    assert "stale" not in run("--root", copied, "callers", "checkout").out


def test_a_batch_says_it_once_and_marks_every_list(run: Run, copied: Path, tmp_path: Path) -> None:
    (copied / "shop" / "cart.py").unlink()
    (tmp_path / "batch.txt").write_text("checkout\nadd to cart\n")
    result = run("--root", copied, "search", "--batch", tmp_path / "batch.txt", "--mode", "lexical", "--json")
    assert result.err.count(LINE) == 1
    for line in result.out.splitlines():
        assert {hit["file_path"] for hit in json.loads(line) if hit.get("stale")} == {"shop/cart.py"}


def test_a_file_that_was_only_touched_has_not_changed(run: Run, copied: Path) -> None:
    for path in (copied / "shop").glob("*.py"):
        os.utime(path, ns=(1, 1))
    rows, said = asked(run, copied, "callers", "checkout")
    assert said == ""
    assert not any("stale" in row for row in rows)


def test_what_is_not_found_may_be_in_a_file_that_is_new(run: Run, copied: Path) -> None:
    (copied / "shop" / "brand_new.py").write_text("def brand_new() -> None: ...\n")
    result = run("--root", copied, "callers", "brand_new")
    assert result.code == 2
    assert f"1 file {LINE}" in result.err
    assert "no symbol 'brand_new'" in result.err


def test_a_query_says_that_files_changed(run: Run, copied: Path) -> None:
    (copied / "shop" / "cart.py").unlink()
    result = run("--root", copied, "query", "MATCH (f:File) RETURN count(f) AS n", "--json")
    assert LINE in result.err
    assert set(json.loads(result.out)[0]) == {"n"}


# Verifies REQ-CLI-007.
def test_of_many_files_those_of_the_answer_and_some_others_are_looked_at(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (copied / "shop").glob("*.py"):
        path.unlink()
    with Project(copied) as project:
        everything = project.behind()
        assert everything.is_whole
        assert {"shop/cart.py", "shop/jobs.py", "shop/money.py"} <= everything.changed
        assert project.behind(["shop/cart.py"], others=False).changed == {"shop/cart.py"}
        monkeypatch.setattr(freshness, "MOST_LOOKED", 2)
        some = project.behind(["shop/cart.py"])
        assert not some.is_whole
        assert "shop/cart.py" in some.changed
        assert len(some.changed) < len(everything.changed)


def test_what_was_touched_and_is_too_much_to_compare_may_have_changed(
    run: Run, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (copied / "shop").glob("*.py"):
        os.utime(path, ns=(1, 1))
    monkeypatch.setattr(freshness, "MOST_COMPARED", 1)
    result = run("--root", copied, "callers", "checkout")
    assert "files may have changed" in result.err
