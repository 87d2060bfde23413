"""Addresses hold whatever a repository calls its files and symbols."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from loregraph.pages.links import Links


def test_an_id_survives_its_address() -> None:
    for name in ("src/a b.py::f", "a&b=c#d?.py::g", "ä/ö.py::<T>", "%41.py", "a+b.py::operator+"):
        assert parse_qs(urlsplit(Links().symbol(name)).query) == {"id": [name]}


def test_empty_options_are_left_out() -> None:
    assert (
        Links().findings(rule="", severity="error", new=True, old=False, limit=None) == "/findings?severity=error&new=1"
    )


def test_boxes_are_opened_one_by_one() -> None:
    assert Links().map("component:a", "b", colour="churn") == "/map?open=a&open=b&colour=churn"


def test_what_lies_outside_has_no_page() -> None:
    assert Links().symbol("external:os.path") == ""


def test_a_line_is_an_anchor() -> None:
    assert Links().file("a.py", 3) == "/file?path=a.py#L3"
    assert Links().file("a.py") == "/file?path=a.py"


def test_a_line_of_a_later_part_of_a_file_is_asked_for() -> None:
    assert Links().file("a.py", 2001) == "/file?path=a.py&line=2001#L2001"
