"""`explore` and `impact` with diffs and as a report."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from .conftest import Run

TOTAL = "shop/cart.py::Cart.total"
DIFF = """\
--- a/shop/money.py
+++ b/shop/money.py
@@ -1,3 +1,3 @@
 def round_price(amount: float) -> float:
     \"\"\"Round to whole cents.\"\"\"
-    return round(amount, 2)
+    return round(amount, 3)
"""
SYMBOL = {"id", "file_path", "start_line", "end_line", "source", "callers", "callees", "tests", "requirements"}


@pytest.fixture
def change(tmp_path: Path) -> Path:
    path = tmp_path / "change.diff"
    path.write_text(DIFF, encoding="utf-8")
    return path


# Verifies REQ-CLI-022.
def test_explore_answers_within_its_budget(run: Run, indexed: Path) -> None:
    out = run("--root", indexed, "explore", "pay for everything in the cart", "--max-tokens", "400", "--json").out
    answer = json.loads(out)
    assert len(out.encode()) <= 400 * 4 + 1
    assert set(answer) >= {"symbols", "omitted", "unresolved_calls", "stale", "tokens"}
    assert "shop/cart.py::checkout" in [one["id"] for one in answer["symbols"]]
    assert all(set(one) >= SYMBOL | {"memories"} for one in answer["symbols"])


def test_explore_takes_exactly_a_name_as_a_symbol(run: Run, indexed: Path) -> None:
    by_name, by_id = (
        json.loads(run("--root", indexed, "explore", symbol, "--json").out) for symbol in ("Cart.total", TOTAL)
    )
    assert by_name == by_id
    assert by_name["symbols"][0]["id"] == TOTAL
    (caller,) = by_name["symbols"][0]["callers"]
    assert caller["id"] == "shop/cart.py::checkout"


def test_explore_prints_places_source_and_calls(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "explore", TOTAL)
    lines = result.out.splitlines()
    assert lines[0] == "shop/cart.py:12-14  Cart.total"
    assert "          return round_price(sum(self.items))" in lines
    assert "  called from" in lines
    assert any("shop/cart.py:14" in line and "round_price" in line for line in lines)
    assert "tokens" in result.err


def test_explore_of_a_diff(run: Run, indexed: Path, change: Path) -> None:
    answer = json.loads(run("--root", indexed, "explore", "--diff", change, "--json").out)
    assert answer["symbols"][0]["id"] == "shop/money.py::round_price"


@pytest.mark.parametrize(
    "words", [(), ("a", "--diff", "-"), ("a", "--max-tokens", "10"), ("--diff", "no-such-file")], ids=str
)
def test_explore_wants_one_of_a_question_and_a_diff(run: Run, indexed: Path, words: tuple[str, ...]) -> None:
    assert run("--root", indexed, "explore", *words).code == 2


def test_a_file_that_changed_is_stale_and_one_that_is_gone_does_not_answer(run: Run, copied: Path) -> None:
    money = copied / "shop/money.py"
    money.write_text("# a new line\n\n" + money.read_text(encoding="utf-8"), encoding="utf-8")
    result = run("--root", copied, "explore", "round_price", "--json")
    answer = json.loads(result.out)
    assert answer["stale"] == ["shop/money.py"]
    assert answer["symbols"][0]["start_line"] == 3
    assert answer["symbols"][0]["source"].startswith("def round_price(")
    assert "changed since the last index" in result.err
    money.unlink()
    gone = json.loads(run("--root", copied, "explore", "round_price", "--json").out)
    assert "shop/money.py" not in {one["file_path"] for one in gone["symbols"]}


# Verifies REQ-CLI-023.
def test_impact_reports_what_has_to_change(run: Run, indexed: Path) -> None:
    out = run("--root", indexed, "impact", "round_price", "--report", "--json").out
    answer = json.loads(out)
    (site,) = answer["call_sites"]
    assert (site["id"], site["file_path"], site["lines"], site["how"]) == (TOTAL, "shop/cart.py", [14], "import")
    assert set(answer) >= {"overrides", "tests", "requirements", "memories", "unresolved_calls"}
    assert {one["id"] for one in answer["tests"]} == {"tests/test_cart.py::test_checkout"}
    shown = run("--root", indexed, "impact", "round_price", "--report").out
    assert "call sites (1)" in shown
    assert "shop/cart.py:14  Cart.total" in shown


def test_impact_of_a_diff_is_that_of_what_it_changes(run: Run, indexed: Path, change: Path) -> None:
    def answers(*words: str | Path) -> list[object]:
        base = ("--root", indexed, "impact", *words, "--json")
        return [json.loads(run(*base).out), json.loads(run(*base, "--report").out)]

    assert answers("--diff", change) == answers("round_price")


def test_impact_since_a_revision(run: Run, copied: Path) -> None:
    for words in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one"),
    ):
        subprocess.run(["git", *words], cwd=copied, check=True)
    money = copied / "shop/money.py"
    money.write_text(money.read_text(encoding="utf-8").replace("amount, 2", "amount, 3"), encoding="utf-8")
    answer = json.loads(run("--root", copied, "impact", "--since", "HEAD", "--report", "--json").out)
    assert [one["id"] for one in answer["call_sites"]] == [TOTAL]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--since", "HEAD"), "no git repository"),
        (("round_price", "--since", "HEAD"), "give one of"),
        ((), "give one of"),
    ],
)
def test_impact_refuses_what_it_cannot_answer(run: Run, indexed: Path, words: tuple[str, ...], said: str) -> None:
    result = run("--root", indexed, "impact", *words)
    assert result.code == 2
    assert said in result.err
