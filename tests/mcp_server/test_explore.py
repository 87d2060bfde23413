"""`explore` and `impact` over the protocol: answers that fit, source that is sent once, and wrong calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Asker, Connect

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


@pytest.fixture
def coding(connect: Connect) -> Asker:
    return connect("coding")


def test_a_question_is_answered_within_its_budget(coding: Asker) -> None:
    answer = coding("explore", query="convert an amount to another currency", max_tokens=700)
    assert not answer.is_error, answer.body
    assert len(answer.text.encode()) <= 700 * 4
    assert answer.body["tokens"] <= 700
    assert "shop/money.py::exchange" in {one["id"] for one in answer.body["symbols"]}
    assert set(answer.body) >= {"symbols", "omitted", "unresolved_calls", "stale", "tokens"}


# Verifies REQ-MCP-014.
def test_source_is_sent_once_a_session_unless_asked_for(coding: Asker, connect: Connect) -> None:
    first = coding.ok("explore", id=TOTAL)
    again = coding.ok("explore", id=TOTAL)
    resent = coding.ok("explore", id=TOTAL, resend=True)
    other = connect("coding").ok("explore", id=TOTAL)

    def sources(answer: dict[str, Any]) -> dict[str, str]:
        return {one["id"]: one["source"] for one in answer["symbols"]}

    assert "return round_price(sum(self.items))" in sources(first)[TOTAL]
    assert again["symbols"][0]["sent_before"] is True
    assert set(sources(again).values()) == {""}
    assert sources(resent) == sources(first) == sources(other)


def test_memories_stand_with_the_code_they_are_about(coding: Asker) -> None:
    coding.ok(
        "memory_add",
        memory_type="design",
        content="Cents are rounded half to even",
        relationships=[{"type": "ABOUT", "target_id": "shop/money.py::round_price"}],
    )
    (memory,) = coding.ok("explore", id="round_price")["symbols"][0]["memories"]
    assert (memory["content"], memory["stale"]) == ("Cents are rounded half to even", False)
    assert coding.ok("impact", id="round_price")["memories"] == [memory]


def test_memories_that_answer_the_question_stand_beside_the_code(coding: Asker) -> None:
    coding.ok("memory_add", memory_type="design", content="Orders are queued because the bank is slow at night")
    answer = coding.ok("explore", query="why are orders queued for the bank")
    assert [memory["content"][:17] for memory in answer["memories"]] == ["Orders are queued"]
    assert "memories" not in coding.ok("explore", id="round_price")


def test_impact_names_call_sites_and_tests(coding: Asker) -> None:
    answer = coding.ok("impact", id="shop/money.py::round_price")
    assert answer["call_sites"] == [
        {
            "id": TOTAL,
            "file_path": "shop/cart.py",
            "lines": [14],
            "confidence": answer["call_sites"][0]["confidence"],
            "how": "import",
        }
    ]
    assert answer["tests"] == [{"id": "tests/test_cart.py::test_checkout", "distance": 2}]
    assert len(json.dumps(answer)) / 4 < 600


def test_a_diff_is_about_what_it_changes(coding: Asker) -> None:
    assert coding.ok("impact", diff=DIFF)["call_sites"] == coding.ok("impact", id="round_price")["call_sites"]
    explored = coding.ok("explore", diff=DIFF, resend=True)
    assert explored["symbols"][0]["id"] == "shop/money.py::round_price"


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("explore", {}, "exactly one"),
        ("explore", {"query": "a", "diff": DIFF}, "exactly one"),
        ("explore", {"query": ""}, "query"),
        ("explore", {"query": "a", "max_tokens": 100}, "max_tokens"),
        ("impact", {}, "exactly one"),
        ("impact", {"id": TOTAL, "diff": DIFF}, "exactly one"),
        ("impact", {"diff": "nothing like one"}, "not a unified diff"),
        ("impact", {"diff": DIFF.replace("shop/", "../shop/")}, "outside the project"),
        ("impact", {"diff": DIFF.replace("amount, 2", "amount, 5")}, "does not fit"),
    ],
)
def test_wrong_calls(coding: Asker, tool: str, arguments: dict[str, Any], said: str) -> None:
    answer = coding(tool, **arguments)
    assert answer.code in ("VALIDATION_ERROR", "PERMISSION_DENIED"), answer.body
    assert said in answer.message


def test_what_is_not_there(coding: Asker) -> None:
    assert coding("explore", id="chekout").code == "NOT_FOUND"
    assert coding("impact", id="chekout").code == "NOT_FOUND"
