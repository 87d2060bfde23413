"""`review`: a fix before it is applied."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from .conftest import Run

DIFF = """--- a/shop/money.py
+++ b/shop/money.py
@@ -1,3 +1,3 @@
-def round_price(amount: float) -> float:
+def round_price(amount: float, places: int) -> float:
     \"\"\"Round to whole cents.\"\"\"
-    return round(amount, 2)
+    return round(amount, places)
"""


# Verifies REQ-CON-003.
def test_the_answer_is_that_of_the_tool(run: Run, indexed: Path, tmp_path: Path) -> None:
    (tmp_path / "fix.diff").write_text(DIFF, encoding="utf-8")
    words = ("review", "round_price", "--description", "let callers choose", "--diff", tmp_path / "fix.diff", "--json")
    result = run("--root", indexed, *words)
    assert result.code == 0
    answer = json.loads(result.out)
    assert list(answer) == ["alignment_score", "design_context", "concerns", "impact", "recommendations"]
    assert answer["impact"] == {"callers": ["shop/cart.py::Cart.total"], "tests": [], "requirements": []}
    signature = next(one for one in answer["concerns"] if one["type"] == "signature")
    assert (signature["severity"], signature["related"]) == ("high", ["shop/cart.py::Cart.total"])
    assert answer["alignment_score"] < 0.7


def test_a_diff_on_standard_input_for_people(run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DIFF.encode()), encoding="utf-8"))
    result = run("--root", indexed, "review", "round_price", "--description", "let callers choose", "--diff", "-")
    assert result.out.startswith("high    signature: ")
    assert "callers (1)\n  shop/cart.py::Cart.total" in result.out
    assert result.err.splitlines()[-1].startswith("0.")


def test_memories_are_heard(run: Run, copied: Path) -> None:
    text = "Never use `Decimal` here: the bank rounds floats."
    assert run("--root", copied, "memory", "add", text, "--kind", "design", "--anchor", "round_price").code == 0
    words = ("--root", copied, "review", "round_price", "--description", "use Decimal for prices", "--json")
    answer = json.loads(run(*words).out)
    assert answer["concerns"][0]["type"] == "contradicts_memory"
    assert any(one["name"] == f"design: {text}" for one in answer["design_context"]["patterns"])


def test_files_beside_the_diff_are_looked_at(run: Run, indexed: Path) -> None:
    words = ("--root", indexed, "review", "round_price", "--description", "x", "--json", "--file")
    answer = json.loads(run(*words, indexed / "shop" / "none.py").out)
    assert ["shop/none.py"] in [one["related"] for one in answer["concerns"] if one["type"] == "unknown_file"]
    outside = run(*words, indexed.parent / "elsewhere.py")
    assert (outside.code, outside.out) == (2, "")


def test_a_wrong_call(run: Run, indexed: Path) -> None:
    assert run("--root", indexed, "review", "round_price").code == 2
    assert "no symbol" in run("--root", indexed, "review", "no_such_thing", "--description", "x").err
