"""`context`: why code is as it is."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run

FIELDS = ["component", "requirements", "design_documents", "patterns", "memories", "dependencies", "dependents"]


def test_the_answer_is_that_of_the_tool(run: Run, indexed: Path) -> None:
    answer = json.loads(run("--root", indexed, "context", "round_price", "--code", "--json").out)
    assert list(answer) == FIELDS
    assert answer["component"]["id"] == "shop/money.py::round_price"
    assert answer["component"]["code"].splitlines()[-1] == "    return round(amount, 2)"
    assert [one["id"] for one in answer["dependents"]] == ["shop/cart.py::Cart.total"]


def test_a_question_finds_the_code_and_the_memories(run: Run, copied: Path) -> None:
    added = run(
        "--root", copied, "memory", "add", "Whole cents, as the bank wants it", "--anchor", "round_price", "--json"
    )
    memory_id = json.loads(added.out)["memory_id"]
    answer = json.loads(run("--root", copied, "context", "--query", "round to whole cents", "--json").out)
    assert answer["component"]["id"] == "shop/money.py::round_price"
    assert [(one["memory_id"], one["stale"]) for one in answer["memories"]] == [(memory_id, False)]


def test_people_see_sections_and_only_those_there_are(run: Run, indexed: Path) -> None:
    shown = run("--root", indexed, "context", "round_price").out
    assert shown.startswith("shop/money.py:1  function  round_price\n  def round_price(amount: float) -> float\n")
    assert "what depends on it (1)\n  shop/cart.py::Cart.total" in shown
    assert "requirements" not in shown


def test_a_wrong_call(run: Run, indexed: Path) -> None:
    assert run("--root", indexed, "context").code == 2
    missing = run("--root", indexed, "context", "no_such_thing")
    assert (missing.code, missing.out) == (2, "")
    assert "no symbol" in missing.err


# Verifies REQ-CLI-018.
def test_files_that_changed_since_are_named(run: Run, copied: Path) -> None:
    (copied / "shop" / "cart.py").unlink()
    result = run("--root", copied, "context", "round_price", "--json")
    assert json.loads(result.out)["stale"] == ["shop/cart.py"]
    assert "warning: 1 file changed" in result.err
