"""Messages about wrong arguments name the field, and say what is right."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from loregraph.mcp_server.validation import ArgumentError, read


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    type: Literal["a", "b"]
    size: int = 0


class Arguments(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    query: Annotated[str, Meta(min_length=1, max_length=5)]
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    share: float = 0.0
    force: bool = False
    tags: list[str] | None = None
    inner: list[Inner] | None = None
    more: dict[str, Any] | None = None


@pytest.mark.parametrize(
    ("values", "field", "said"),
    [
        ({}, "query", "is required"),
        ({"query": ""}, "query", ">= 1"),
        ({"query": "a" * 6}, "query", "<= 5"),
        ({"query": None}, "query", "got null"),
        ({"query": "a", "limit": "5"}, "limit", "expected a whole number, got text"),
        ({"query": "a", "limit": 5.0}, "limit", "expected a whole number, got a number"),
        ({"query": "a", "limit": True}, "limit", "got true or false"),
        ({"query": "a", "limit": 0}, "limit", ">= 1"),
        ({"query": "a", "share": "0.5"}, "share", "got text"),
        ({"query": "a", "force": 1}, "force", "expected true or false"),
        ({"query": "a", "force": "true"}, "force", "got text"),
        ({"query": "a", "tags": "a"}, "tags", "expected a list"),
        ({"query": "a", "tags": ["a", 1]}, "tags[1]", "got a whole number"),
        ({"query": "a", "inner": [{"type": "a"}, {"type": "c"}]}, "inner[1].type", "'c' is not allowed"),
        ({"query": "a", "inner": [{}]}, "inner[0].type", "is required"),
        ({"query": "a", "inner": [{"type": "a", "sise": 1}]}, "inner[0].sise", "is not known here"),
        ({"query": "a", "more": []}, "more", "expected an object"),
        ({"query": "a", "limt": 1}, "limt", "is not an argument"),
        ([], "arguments", "expected an object"),
    ],
)
def test_the_field_is_named(values: Any, field: str, said: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        read(Arguments, values)
    assert raised.value.field == field
    assert raised.value.message.startswith(f"{field}: ")
    assert said in raised.value.message
    assert raised.value.suggestion


def test_the_nearest_argument_is_suggested() -> None:
    with pytest.raises(ArgumentError) as raised:
        read(Arguments, {"query": "a", "limt": 1})
    assert "limit" in raised.value.suggestion
    with pytest.raises(ArgumentError) as raised:
        read(Arguments, {"query": "a", "inner": [{"type": "z"}]})
    assert "a, b" in raised.value.suggestion


def test_a_place_within_something_larger_is_told() -> None:
    with pytest.raises(ArgumentError, match=r"^rows\[3\]\.type: "):
        read(Inner, {}, "rows[3]")


def test_what_is_right_is_taken_as_it_is() -> None:
    found = read(Arguments, {"query": "a", "limit": 5, "share": 1, "inner": [{"type": "b"}]})
    assert (found.limit, found.share, found.inner) == (5, 1.0, [Inner("b")])
