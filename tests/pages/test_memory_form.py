"""What somebody changes in the form of a memory."""

from __future__ import annotations

from typing import Any

import pytest

from loregraph.errors import UsageError
from loregraph.memory.record import Memory
from loregraph.pages.memory_form import arguments, changes, filled, form_of, new_form, rebased


def memory(**fields: Any) -> Memory:
    given = {
        "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "kind": "design",
        "content": "Prices are rounded once\nat the end",
        "tags": ("money", "tax"),
        "importance": 0.62,
        "metadata": {"status": "completed", "runs": 3},
        "anchors": ("shop/pay.py::total",),
        "version": 4,
    }
    return Memory(**{**given, **fields})


def test_a_form_that_was_not_touched_changes_nothing() -> None:
    before = form_of(memory())
    sent = {
        "content": "Prices are rounded once\r\nat the end\r\n",
        "kind": "design",
        "tags": "money, tax",
        "importance": "0.62",
        "anchors": "shop/pay.py::total",
        "metadata": before.metadata,
        "category": "",
    }
    assert changes(filled(before, sent), before) == {}
    assert ("0.62", "0.62") in before.importances


def test_what_was_changed_becomes_arguments_of_an_update() -> None:
    before = form_of(memory())
    sent = {"tags": "Money,  vat", "importance": "0.9", "anchors": "shop/pay.py::total\r\n\r\nREQ-1", "metadata": ""}
    assert changes(filled(before, sent), before) == {
        "tags": ["Money", "vat"],
        "importance": 0.9,
        "anchors": ["shop/pay.py::total", "REQ-1"],
        "metadata": {"status": None, "runs": None},
    }


# Verifies REQ-SEC-008.
def test_characters_that_were_shown_as_escapes_stay_what_they_are() -> None:
    before = form_of(memory(content="می\u200cخواهم and \u202e"))
    shown = "می\\u200cخواهم or \\u202e"
    assert changes(filled(before, {"content": shown}), before) == {"content": "می\u200cخواهم or \u202e"}


def test_an_escape_that_was_written_as_such_stays_one() -> None:
    before = form_of(memory(content="\\u200c is written \u200c"))
    assert changes(filled(before, {"content": "\\u200c was written"}), before) == {"content": "\\u200c was written"}


def test_a_change_is_made_again_of_the_present_version_and_others_changes_stay() -> None:
    before = form_of(memory())
    present = form_of(memory(content="Prices are rounded per line", tags=("money",), version=5))
    mine = filled(before, {"content": "Prices are never rounded", "tags": "money, tax"})
    again = rebased(mine, before, present)
    assert (again.content, again.tags, again.version) == ("Prices are never rounded", "money", 5)


@pytest.mark.parametrize(
    ("field", "text"), [("importance", "much"), ("metadata", "[1]"), ("metadata", "{"), ("metadata", "[" * 100_000)]
)
def test_what_cannot_be_read_is_refused_by_name(field: str, text: str) -> None:
    before = form_of(memory())
    with pytest.raises(UsageError, match=field):
        changes(filled(before, {field: text}), before)


def test_a_new_memory_is_a_persons() -> None:
    form = filled(new_form("shop/pay.py::total"), {"content": "Round once", "scope": "user", "tags": "a, b"})
    assert arguments(form) == {
        "content": "Round once",
        "kind": "learning",
        "tags": ["a", "b"],
        "importance": 0.5,
        "category": "",
        "anchors": ["shop/pay.py::total"],
        "metadata": {},
        "scope": "user",
    }
    with pytest.raises(UsageError, match="scope"):
        arguments(filled(new_form(), {"content": "x", "scope": "agent"}))
