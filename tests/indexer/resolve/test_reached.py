"""Which files an edit reaches by what it changes at definition level."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.facts import decode
from loregraph.indexer.resolve import recording
from loregraph.indexer.resolve.reached import Reach

from .sessions import Session, facts_in_store

TEXTS = {
    "shop.py": """
class Item:
    def price(self, tax):
        return tax

def total(items):
    return items

def helper():
    return total

def make():
    def inner():
        return 1
    return inner
""",
    "named.py": "from shop import total\ntotal([])\n",
    "alias.py": "import shop\nsumme = shop.total\n",
    "through.py": "import alias\nalias.summe([])\n",
    "handed.py": "import shop\nfound = shop.helper()\nfound([])\n",
    "member.py": "def show(item):\n    return item.price(1)\n",
    "below.py": "from shop import Item\nclass Book(Item):\n    pass\n",
    "far.py": "def inner():\n    return 2\ninner()\n",
}

EDITS = {
    "a body": ("return 1", "return 2", {"shop.py"}),
    "what a body passes on": ("return tax", "return tax + 1", {"shop.py", "member.py"}),
    "another parameter": ("def total(items)", "def total(items, extra)",
                          {"shop.py", "named.py", "alias.py", "through.py", "handed.py"}),
    "a renamed function": ("def total(items)", "def totals(items)",
                           {"shop.py", "named.py", "alias.py", "through.py", "handed.py"}),
    "a new function of no name before": ("def helper", "def fresh(): pass\n\ndef helper", {"shop.py"}),
    "a new method that others call": ("    def price", "    def show(self): pass\n\n    def price",
                                      {"shop.py", "member.py"}),
    "a local function that others have, too": ("def helper():", "def helper():\n    def show(): pass", {"shop.py"}),
    "a supertype": ("class Item:", "class Item(dict):", None),
    "what decides for instances": ("class Item:", "class Item:\n    def __get__(self, a, b): pass", None),
}  # fmt: skip


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(Path(tmp_path_factory.mktemp("reached")), TEXTS)


def found(session: Session, old: str, new: str, limit: int = 99) -> set[str] | None:
    text = TEXTS["shop.py"].replace(old, new)
    assert text != TEXTS["shop.py"]
    blob = facts_in_store("shop.py", text)
    assert blob is not None
    changed, before = {"shop.py": decode(blob)}, {"shop.py": session.facts("shop.py")}
    return Reach(changed, before, session.facts, session.traces.__getitem__, session.stored, limit).found()


# Verifies REQ-IDX-015.
@pytest.mark.parametrize(("old", "new", "expected"), EDITS.values(), ids=EDITS)
def test_reached(session: Session, old: str, new: str, expected: set[str] | None) -> None:
    assert found(session, old, new) == expected


def test_more_than_the_limit_is_not_told(session: Session) -> None:
    assert found(session, "def total(items)", "def total(items, extra)", limit=3) is None


def test_words_stand_at_the_head_of_a_trace(session: Session) -> None:
    blob = session.traces["named.py"]
    assert recording.words_of(blob) == recording.decode(blob).words
    assert recording.words_of(blob).mentions


def test_what_crossed_is_found_by_what_it_is_of(session: Session) -> None:
    assert recording.crossing(session.traces["shop.py"], "shop.py", {"shop.py": {"total"}}) >= {"handed.py"}
    assert not recording.crossing(session.traces["shop.py"], "shop.py", {"elsewhere.py": {"total"}})
