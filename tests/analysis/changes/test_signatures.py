"""What a changed signature means for callers."""

from __future__ import annotations

import pytest

from loregraph.analysis.changes.signatures import differences
from loregraph.graph.definitions import DeclaredParameter, SourceDefinition
from loregraph.graph.model import Function


def made(text: str, language: str = "python") -> SourceDefinition:
    """`a b=1 *rest c!` → plain, with a default, rest, by name only; `x:int` has a type; `-> int` the last of all."""
    parameters = []
    text, _, returns = text.partition("->")
    for word in text.split():
        name, _, default = word.partition("=")
        name, _, type = name.partition(":")
        kind = "**" if name.startswith("**") else "*" if name.startswith("*") else "kw" if name.endswith("!") else ""
        is_optional = bool(default) or kind in ("*", "**")
        parameters.append(DeclaredParameter(name.strip("*!"), kind, is_optional, type, default))
    node = Function("a.py::f", "f", "f", "function", "a.py", 1, 2, language)
    return SourceDefinition(node, "", tuple(parameters), returns.strip())


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a b", "a b", []),
        ("a", "a b", [("new parameter `b` has no default", True)]),
        ("a", "a b=1", [("new parameter `b` has a default", False)]),
        ("a b", "a c=1 b", [("new parameter `c` stands before others", True)]),
        ("a b", "a", [("parameter `b` is gone", True)]),
        ("a b", "a c", [("parameter `b` is now `c`", True)]),
        ("a b", "b a", [("the order of its parameters changed", True)]),
        ("a b=1", "a b", [("`b` has no default any more", True)]),
        ("a b", "a b=1", [("`b` has a default now", False)]),
        ("a b=1", "a b=2", [("the default of `b` changed", False)]),
        ("a b", "a b!", [("`b` can only be passed by name", True)]),
        ("a b!", "a b", []),
        ("a b!=1", "a", [("parameter `b` is gone", True)]),
        ("a b!=1", "a **rest", [("it takes any named argument now", False)]),
        ("a", "a b!", [("new parameter `b` has no default", True)]),
        ("a", "a b!=1", [("new parameter `b` has a default", False)]),
        ("a *rest", "a", [("it does not take any number of arguments any more", True)]),
        ("a", "a *rest", [("it takes any number of arguments now", False)]),
        ("a:int", "a:str", [("the type of `a` changed", False)]),
        ("a", "a:str", []),
        ("a -> int", "a -> str", [("its return type changed", False)]),
        ("a", "a -> str", []),
    ],
)
def test_python(old: str, new: str, expected: list[tuple[str, bool]]) -> None:
    assert [(d.text, d.breaks) for d in differences(made(old), made(new))] == expected


def test_a_new_name_says_nothing_where_arguments_have_none() -> None:
    assert differences(made("a b:int", "rust"), made("a _b:int", "rust")) == []
    assert [d.text for d in differences(made("a b:int", "rust"), made("a c:str", "rust"))] == [
        "the type of parameter 2 changed"
    ]


@pytest.mark.parametrize(
    ("language", "old", "new", "breaks"),
    [
        ("go", "a b", "a c", False),  # nobody names arguments there
        ("go", "a", "a b", True),
        ("javascript", "a", "a b", False),  # `undefined` where nothing is passed
        ("javascript", "a b", "b a", True),
        ("typescript", "a", "a b", True),
        ("rust", "a b", "a", True),
        ("javascript", "a b c", "a c", True),  # what was passed as b is c now
    ],
)
def test_other_languages(language: str, old: str, new: str, breaks: bool) -> None:
    assert any(d.breaks for d in differences(made(old, language), made(new, language))) is breaks
