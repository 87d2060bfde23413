"""Nothing of a project becomes markup, and nothing invisible stays invisible."""

from __future__ import annotations

import json

import jinja2
import pytest

from loregraph.pages.links import Links
from loregraph.pages.rendering import environment, json_block, render

HOSTILE = "<script>alert(1)</script>\u202egnp.\x1b[31m\x00\"'&"


def rendered(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


def test_printed_text_is_escaped_and_shown() -> None:
    text = rendered('<p title="{{ text }}">{{ text }}</p>', text=HOSTILE)
    assert "<script" not in text
    assert text.count("\\u202egnp.\\x1b[31m\\x00&#34;&#39;&amp;") == 2


def test_text_joined_by_a_filter_is_escaped_too() -> None:
    assert "<script" not in rendered("{{ texts | join(', ') }}", texts=[HOSTILE, HOSTILE])
    assert "\u202e" not in rendered("{{ texts | join(', ') }}", texts=[HOSTILE, HOSTILE])


def test_json_cannot_end_its_element() -> None:
    text = str(json_block({"name": HOSTILE, "end": "</script>", "comment": "<!--"}))
    assert "<" not in text
    assert "\u202e" not in text
    assert json.loads(text) == {"name": HOSTILE, "end": "</script>", "comment": "<!--"}


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        rendered("{{ missing }}")


def test_parts_are_there_for_the_blocks_of_a_page() -> None:
    values = {
        "links": Links(),
        "writes": False,
        "key_field": "",
        "project": "p",
        "policy": "",
        "title": "t",
        "section": "",
        "navigation": [],
        "state": "",
        "message": HOSTILE,
        "suggestion": "",
        "candidates": ["a.py::f", "external:os.path"],
    }
    text = render("error.html", values)
    assert '<a class="symbol" href="/symbol?id=a.py%3A%3Af"' in text
    assert '<code title="external:os.path">' in text
    assert "<script>alert" not in text


def test_a_count_has_its_plural() -> None:
    calls = ["several(1, 'call')", "several(1204, 'call')", "several(2, 'class', 'classes')"]
    counts = [rendered("{{ %s }}" % call) for call in calls]  # noqa: UP031 - the braces are the template's
    assert counts == ["1 call", "1,204 calls", "2 classes"]
