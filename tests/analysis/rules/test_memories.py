"""Reading conventions out of memories, and each verb."""

from __future__ import annotations

import pytest

from loregraph.analysis.rules.memories import Convention, conventions
from loregraph.analysis.rules.rule import Case

from .conftest import Checked

APP = """import json

from lib import deco


class Base:
    pass


class Shop(Base):
    pass


@deco(1)
async def handle_a(request, x):
    try:
        json.dumps(x)
    except ValueError:
        raise KeyError


def handle_b(x):
    return x
"""


def test_a_convention_taken_apart() -> None:
    text = "Handlers.\n- rule: functions matching ^handle_ do not call print\nMore.\nrule: classes named Handler$"
    assert list(conventions(text)) == [
        Convention("functions matching ^handle_ do not call print", "functions", "^handle_", "call", "print", True),
        Convention("classes named Handler$", "classes", "", "named", "Handler$", False),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "functions should be nice",
        "functions named",
        "functions matching ( take x",
        "functions are async now",
        "classes take request",
        "files extend Base",
    ],
)
def test_what_cannot_be_read_is_said(line: str) -> None:
    assert list(conventions(f"rule: {line}")) == [line]


def test_prose_about_rules_is_no_convention() -> None:
    assert list(conventions("The golden rule: be kind. As a rule functions are short.")) == []


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("functions matching ^handle_ take request", [22]),
        ("functions matching ^handle_ do not take request", [14]),
        ("functions are async", [22]),
        ("functions are not async", [14]),
        ("functions are decorated with deco", [22]),
        ("functions call json.dumps", [22]),
        ("functions do not raise KeyError", [14]),
        ("functions handle ValueError", [22]),
        ("functions named _a$", [22]),
        ("classes extend Base", []),
        ("classes extend Other", [6, 10]),
        ("files do not import json", [1]),
        ("files import json", []),
    ],
)
def test_each_verb(checked: Checked, rule: str, lines: list[int]) -> None:
    case = Case("", {}, memories=(("design", f"rule: {rule}", "app.py"),))
    result = checked("memories", {"app.py": APP}, case)
    assert [one.finding.place.start_line for one in result.findings] == lines


def test_only_patterns_and_designs_state_conventions(checked: Checked) -> None:
    case = Case("", {}, memories=(("learning", "rule: functions are async", "app.py"),))
    assert checked("memories", {"app.py": APP}, case).findings == ()
