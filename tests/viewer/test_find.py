"""Search everywhere, as data for the overlay and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .desk import Desk, indexed_desk, written_by_ann


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("find")
    with written_by_ann(folder):
        opened = Desk(indexed_desk(folder))
        opened.memory.add("Loans are lent by the <b>service</b>", tags=["loans"])
        yield opened
        opened.close()


def groups(desk: Desk, query: str) -> dict[str, Any]:
    return {group["title"]: group for group in desk.get("/data/find", q=query).json()["groups"]}


# Verifies REQ-WEB-009.
def test_names_files_memories_and_pages_are_found(desk: Desk) -> None:
    found = groups(desk, "service")
    assert found["Files"]["results"][0] == {
        "name": "service.py",
        "kind": "python",
        "where": "lending",
        "address": "/file?path=lending%2Fservice.py",
    }
    assert found["Memories"]["results"][0]["name"] == "Loans are lent by the <b>service</b>"
    assert groups(desk, "mem")["Pages"]["results"] == [
        {"name": "Memories", "kind": "page", "where": "", "address": "/memories"}
    ]


def test_a_requirement_is_found_by_its_id(desk: Desk) -> None:
    found = groups(desk, "LEND-3")
    assert found["Requirements"]["results"][0]["address"].startswith("/requirement?id=")


def test_nothing_is_found_for_nothing(desk: Desk) -> None:
    assert groups(desk, "") == {}
    assert groups(desk, "zzzzqqqq") == {}
    assert "Nothing is called so" in desk.get("/find", q="zzzzqqqq").text


def test_without_script_the_same_is_a_page(desk: Desk) -> None:
    page = desk.get("/find", q="service").text
    assert '<a href="/file?path=lending%2Fservice.py">service.py</a>' in page
    assert "<b>service</b>" not in page
    assert "&lt;b&gt;service&lt;/b&gt;" in page


@pytest.mark.parametrize(
    "query", ["<script>alert(1)</script>", "\u202e" * 50, "a" * 60_000, "' OR 1=1 --", "$x(", "[["]
)
def test_any_text_may_be_looked_for(desk: Desk, query: str) -> None:
    page = desk.get("/find", q=query)
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text
    assert desk.get("/data/find", q=query).status_code == 200
