"""What a page is given: the values of an address, and what is computed once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from loregraph.errors import UsageError
from loregraph.pages.links import Links
from loregraph.project import Project
from loregraph.viewer.asked import MOST_KEPT, Asked, Kept


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_values_are_the_first_and_every(project: Project) -> None:
    asked = Asked(project, Links(), {"open": (" a ", "", "b"), "empty": ("",)})
    assert (asked.value("open"), asked.value("empty", "x"), asked.value("none")) == ("a", "x", "")
    assert asked.every("open") == ("a", "b")


def test_a_number_is_within_its_bounds(project: Project) -> None:
    def number(text: str) -> int:
        return Asked(project, Links(), {"page": (text,)}).number("page", 1, 500)

    assert (number("7"), number("500"), number("")) == (7, 500, 1)
    for wrong in ("501", "-1", "1.5", "x", "٣", "9" * 5000, "0x1"):
        with pytest.raises(UsageError, match="page"):
            number(wrong)


def test_a_value_is_made_once_for_all_who_ask_at_a_time() -> None:
    kept, made, together = Kept(), [], threading.Barrier(4)

    def make() -> str:
        made.append(1)
        return "value"

    def ask() -> None:
        together.wait()
        assert kept.get("name", make) == "value"

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_a_failure_is_not_kept() -> None:
    kept = Kept()

    def fail() -> str:
        raise UsageError("no")

    with pytest.raises(UsageError):
        kept.get("name", fail)
    assert kept.get("name", lambda: "value") == "value"


def test_a_value_of_nothing_is_kept_too() -> None:
    kept = Kept()
    assert kept.get("name", lambda: None) is None
    assert kept.get("name", lambda: pytest.fail("made again")) is None


def test_the_oldest_value_goes_first() -> None:
    kept = Kept()
    for number in range(MOST_KEPT + 1):
        kept.get(number, lambda number=number: number)  # type: ignore[misc]
    assert kept.get(1, lambda: "again") == 1
    assert kept.get(0, lambda: "again") == "again"
