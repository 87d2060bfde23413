"""Argument types shared by several tools."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from loregraph.graph.model import DIRECTIONS, FOUND_KINDS, RELATIONSHIPS
from loregraph.indexer.languages import registry
from loregraph.memory.record import KINDS

MOST_NAMES = 200
MOST_OBJECT = 100_000
"""Maximum characters of an object as JSON."""
MOST_DEPTH = 20
"""Maximum nesting of an object."""

# Every text and list has a maximum length (REQ-SEC-011): it bounds the cost of a call.
# Where a name does not say what to pass, a description of at most twelve words does.
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Symbol = Annotated[str, Meta(min_length=1, max_length=5_000)]
"""An id of code (a path and a name), or of a memory."""
Component = Annotated[Symbol, Meta(description="id of code, or path of a file or folder")]
PathText = Annotated[str, Meta(min_length=1, max_length=4_096)]
Query = Annotated[str, Meta(min_length=1, max_length=10_000)]
Cypher = Annotated[str, Meta(min_length=1, max_length=100_000)]
Source = Annotated[str, Meta(min_length=1, max_length=100_000)]
Diff = Annotated[str, Meta(max_length=1_000_000, description="the fix as a unified diff")]
ExploreQuery = Annotated[Query, Meta(description="words, or a symbol's name")]
SymbolId = Annotated[Symbol, Meta(description="path::Qualified.Name, or a name")]
ChangeDiff = Annotated[str, Meta(min_length=1, max_length=1_000_000, description="unified diff, proposed or made")]
Resend = Annotated[bool, Meta(description="also source sent before")]
Content = Annotated[str, Meta(min_length=1, max_length=100_000)]
Names = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MOST_NAMES)]
Paths = Annotated[list[Annotated[str, Meta(max_length=4_096)]], Meta(max_length=1_000)]
Share = Annotated[float, Meta(ge=0, le=1)]


def _one_of(known: Iterable[str]) -> Meta:
    """A name with the choices in its schema. Its user checks it, ignoring case, and suggests the nearest name."""
    return Meta(min_length=1, max_length=200, extra_json_schema={"enum": list(known)})


SymbolKind = Annotated[str, _one_of(FOUND_KINDS)]
Language = Annotated[str, _one_of(sorted(registry.CODE))]
"""Not the files that hold code of others: what is in them has the inner language."""
Direction = Annotated[str, _one_of(DIRECTIONS)]
RelationshipTypes = Annotated[list[Annotated[str, _one_of(RELATIONSHIPS)]], Meta(max_length=MOST_NAMES)]
MemoryTypes = Annotated[list[Annotated[str, _one_of(KINDS)]], Meta(max_length=MOST_NAMES)]
MaxTokens = Annotated[int, Meta(ge=200, le=100_000, extra_json_schema={"type": "integer"})]
Level = Literal["high", "medium", "low"]
Importance = Annotated[float | Level, Meta(extra_json_schema={"type": ["number", "string"]})]
"""0…1, or a word."""
NewImportance = Annotated[Importance, Meta(description="0 to 1, or high, medium, low")]
Scope = Literal["project", "agent", "user", "session", "org"]
RecallScope = Literal["project", "agent", "user", "session", "org", "all"]
Visibility = Annotated[Literal["private", "shared", "public"], Meta(description="of an agent's memory")]
State = Literal["active", "archived", "deleted"]
Format = Literal["jsonl", "agent-memory", "knowledge-graph"]
Object = dict[Annotated[str, Meta(max_length=1_000)], Any]
"""See `check_object` for its limits."""


class Relationship(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link of a memory to a memory or to code."""

    type: Name
    target_id: Symbol


Relationships = Annotated[
    list[Relationship],
    Meta(
        max_length=MOST_NAMES,
        description='what it is about: [{type:"ABOUT",target_id:"src/app.py::main"}]',
        extra_json_schema={
            "type": "array",
            "items": {"type": "object"},
        },
    ),
]


Moment = Annotated[str, Meta(max_length=40)]


class TimeRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times of ISO 8601; either end may be open."""

    start: Moment | None = None
    end: Moment | None = None


Between = Annotated[
    TimeRange,
    Meta(
        description="ISO 8601",
        extra_json_schema={"type": "object", "properties": {"start": {}, "end": {}}},
    ),
]
OwnAgent = Annotated[Name, Meta(description="of a memory of that agent")]
OwnSession = Annotated[Name, Meta(description="of a memory of that session")]


def present(**given: Any) -> dict[str, Any]:
    """The arguments that were given: None means not given."""
    return {name: value for name, value in given.items() if value is not None}
