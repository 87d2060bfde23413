"""`related`: the neighbours of a symbol."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

ROW = set("entity_id type name relationship distance evidence direction confidence how lines".split())


def test_the_answer_is_that_of_the_tool(run: Run, indexed: Path) -> None:
    answer = json.loads(run("--root", indexed, "related", "round_price", "--json").out)
    assert list(answer) == ["related", "unresolved_calls"]
    assert all(set(row) == ROW for row in answer["related"])
    assert ("shop/cart.py::Cart.total", "CALLS", 1) in {
        (row["entity_id"], row["relationship"], row["distance"]) for row in answer["related"]
    }


def test_types_direction_and_depth_narrow_it(run: Run, indexed: Path) -> None:
    base = ("--root", indexed, "related", "round_price", "--type", "calls", "--direction", "incoming", "--json")
    near = json.loads(run(*base).out)["related"]
    assert [row["entity_id"] for row in near] == ["shop/cart.py::Cart.total"]
    far = json.loads(run(*base, "--depth", "3").out)["related"]
    assert {row["distance"] for row in far} == {1, 2, 3}
    cut = run(*base, "--depth", "3", "--limit", "2")
    assert [row["entity_id"] for row in json.loads(cut.out)["related"]] == [row["entity_id"] for row in far[:2]]
    assert "no more than 2 neighbours" in cut.err


def test_people_see_a_line_for_each(run: Run, indexed: Path) -> None:
    result = run(
        "--root", indexed, "related", "round_price", "--type", "CALLS", "--direction", "INCOMING", "--depth", "2"
    )
    assert result.code == 0
    first, second = result.out.splitlines()[:2]
    assert first.startswith("shop/cart.py::Cart.total")
    assert first.endswith("line 14 (import)")
    assert "2 away" in second
    assert run("--root", indexed, "related", "shop/jobs.py::run", "--type", "TESTS").err == "none\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["round_price", "--type", "LIKES"], "LIKES"),
        (["round_price", "--depth", "6"], "--depth"),
        (["no_such_thing"], "no symbol"),
        (["run"], "could be any of 2"),
    ],
)
def test_a_wrong_call(run: Run, indexed: Path, words: list[str], said: str) -> None:
    result = run("--root", indexed, "related", *words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


# Verifies REQ-CLI-018.
def test_files_that_changed_since_are_named(run: Run, copied: Path) -> None:
    (copied / "shop" / "cart.py").write_text("x = 1\n", encoding="utf-8")
    (copied / "tests" / "test_cart.py").write_text("x = 1\n", encoding="utf-8")
    result = run("--root", copied, "related", "round_price", "--type", "CALLS", "--json")
    assert json.loads(result.out)["stale"] == ["shop/cart.py"]  # the other is not in the answer
    assert "warning: 2 files changed" in result.err


# Verifies REQ-RES-011.
def test_calls_that_may_hide_a_neighbour_are_counted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    pass\n\n\ndef g(x):\n    x.f()\n    x.f()\n", encoding="utf-8")
    assert run("--root", tmp_path, "index").code == 0
    callers = ("--root", tmp_path, "related", "a.py::f", "--type", "CALLS", "--direction", "INCOMING")
    assert json.loads(run(*callers, "--json").out) == {"related": [], "unresolved_calls": 2}
    assert run(*callers).err == "none\nof 2 calls that could add to this it is not known what they reach\n"
    assert (
        json.loads(run("--root", tmp_path, "related", "a.py::f", "--type", "CONTAINS", "--json").out)[
            "unresolved_calls"
        ]
        == 0
    )
