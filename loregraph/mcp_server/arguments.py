"""Types of arguments that several tools share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(min_length=1)]
Content = Annotated[str, Meta(min_length=1, max_length=100_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
MaxTokens = Annotated[int, Meta(ge=200, le=100_000, extra_json_schema={"type": "integer"})]
Level = Literal["high", "medium", "low"]
Importance = Annotated[float | Level, Meta(extra_json_schema={"type": ["number", "string"]})]
"""0…1, or a word."""
Scope = Literal["project", "agent", "user", "session", "org"]
RecallScope = Literal["project", "agent", "user", "session", "org", "all"]
Visibility = Literal["private", "shared", "public"]
State = Literal["active", "archived", "deleted"]
Format = Literal["jsonl", "agent-memory", "knowledge-graph"]
Object = dict[str, Any]


class Relationship(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link of a memory to a memory or to code."""

    type: Text
    target_id: Text


Relationships = Annotated[
    list[Relationship],
    Meta(extra_json_schema={"type": "array", "items": {"type": "object", "required": ["type", "target_id"]}}),
]


class TimeRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times of ISO 8601; either end may be open."""

    start: str | None = None
    end: str | None = None


Between = Annotated[TimeRange, Meta(extra_json_schema={"type": "object", "properties": {"start": {}, "end": {}}})]


def present(**given: Any) -> dict[str, Any]:
    """Those arguments that were given: None stands for one that was not."""
    return {name: value for name, value in given.items() if value is not None}
