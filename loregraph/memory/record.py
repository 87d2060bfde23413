"""One memory: its fields, their constraints, and its JSON form."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeVar, get_args

import msgspec

from loregraph.errors import UsageError, nearest_name

Kind = Literal[
    "requirements",
    "design",
    "code_pattern",
    "component",
    "function",
    "test_history",
    "session",
    "user_preference",
    "architecture",
    "core",
    "learning",
    "task",
]
KINDS: Final[tuple[str, ...]] = get_args(Kind)
VISIBILITIES: Final = ("private", "shared", "public")
STATES: Final = ("active", "archived", "deleted")
TASK_STATUSES: Final = ("completed", "in-progress", "blocked")
MAX_CONTENT: Final = 100_000
MAX_TAGS: Final = 100
MAX_TAG: Final = 100
MAX_NAME: Final = 200
"""Maximum characters of a category, a relationship's type and the ids of users, agents, sessions and runs."""
MAX_LINKS: Final = 200
MAX_METADATA: Final = 100_000
"""Maximum characters of the metadata as JSON."""
DEFAULT_IMPORTANCE: Final = 0.5
IMPORTANCE: Final[Mapping[str, float]] = {"high": 0.9, "medium": 0.5, "low": 0.2}
HIGH_FROM: Final = 0.7
MEDIUM_FROM: Final = 0.35
SUPERSEDES: Final = "SUPERSEDES"
ABOUT: Final = "ABOUT"

T = TypeVar("T")

_UUID4: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d")


class Relationship(msgspec.Struct, frozen=True):
    """A typed link to another memory (`target_id` is its id) or to something in the graph."""

    type: str
    target_id: str


class Memory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One version of one memory. Empty texts mean absent values.

    `anchors` are ids in the graph; `anchor_hashes` maps those that existed to their content hash when they were last
    confirmed. `accessed_at` and `access_count` are as of the writing of this version: for later ones see `access.py`.
    """

    id: str
    version: int = 1
    kind: str
    content: str
    category: str = ""
    tags: tuple[str, ...] = ()
    importance: float = DEFAULT_IMPORTANCE
    metadata: dict[str, Any] = {}
    scope: str = "project"
    user_id: str = ""
    project_id: str = ""
    agent_id: str = ""
    session_id: str = ""
    run_id: str = ""
    visibility: str = "private"
    state: str = "active"
    anchors: tuple[str, ...] = ()
    anchor_hashes: dict[str, str] = {}
    relationships: tuple[Relationship, ...] = ()
    author: str = ""
    created_at: str = ""
    updated_at: str = ""
    accessed_at: str = ""
    access_count: int = 0

    @property
    def order(self) -> tuple[int, datetime, bytes]:
        """Sort key of versions: the number, then the time, then the text."""
        return (self.version, moment(self.updated_at), encode(self))


FIELDS: Final = Memory.__struct_fields__
_encoder: Final = msgspec.json.Encoder(order="sorted")


def encode(memory: Memory) -> bytes:
    """The memory as one line of JSON without its end; equal for equal memories."""
    return _encoder.encode(memory)


def decode(value: Mapping[str, Any]) -> Memory:
    """A memory from a JSON object; `memory_type` and `type` are read as `kind`, words as importance.

    Unknown fields are dropped. Raises UsageError that names the invalid field.
    """
    data = {name: item for name, item in value.items() if name in FIELDS and item is not None}
    if "kind" not in data and (kind := value.get("memory_type", value.get("type"))) is not None:
        data["kind"] = kind
    if isinstance(word := data.get("importance"), str):
        data["importance"] = importance_of(word)
    return validated(converted(data, Memory))


def converted(data: Mapping[str, Any], kind: type[T]) -> T:
    """`data` as a struct, each value converted to the field's type. Raises UsageError that names the invalid field."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        field = path.strip("`.") or ""
        raise refusal(field, text[0].lower() + text[1:]) if field else UsageError(text, "see docs/memory.md") from None


def published(memory: Memory, **more: Any) -> dict[str, Any]:
    """The memory in its public form: every field, the kind also as `memory_type`, the importance also as a word."""
    record: dict[str, Any] = msgspec.structs.asdict(memory)
    record["tags"], record["anchors"] = list(memory.tags), list(memory.anchors)
    record["relationships"] = [msgspec.structs.asdict(link) for link in memory.relationships]
    return {
        "id": memory.id,
        "memory_type": memory.kind,
        **record,
        "importance_level": level_of(memory.importance),
        **more,
    }


def importance_of(value: float | str) -> float:
    """Importance, 0–1, from a number or a word."""
    if isinstance(value, str):
        if value not in IMPORTANCE:
            raise refusal("importance", f"{value!r} is none of high, medium, low and no number from 0 to 1")
        return IMPORTANCE[value]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise refusal("importance", f"{value!r} is no number from 0 to 1")
    return float(value)


def level_of(importance: float) -> str:
    """high, medium or low."""
    return "high" if importance >= HIGH_FROM else "medium" if importance >= MEDIUM_FROM else "low"


def normal_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Lower case, trimmed, each once, in the order given."""
    if isinstance(tags, str):
        raise refusal("tags", "is a text, not a list of texts")
    found: dict[str, None] = {}
    for tag in tags:
        if not isinstance(tag, str):
            raise refusal("tags", f"{tag!r} is no text")
        if cleaned := " ".join(tag.lower().split()):
            found[cleaned] = None
    return tuple(found)


def validated(memory: Memory) -> Memory:
    """`memory` with normalised tags. Raises UsageError that names the first invalid field."""
    if not is_memory_id(memory.id):
        raise refusal("id", f"{memory.id!r} is no UUIDv4")
    if memory.version < 1:
        raise refusal("version", "is below 1")
    one_of("memory_type", memory.kind, KINDS)
    check_text("content", memory.content, MAX_CONTENT)
    if not memory.content.strip():
        raise refusal("content", "is empty")
    importance_of(memory.importance)
    one_of("visibility", memory.visibility, VISIBILITIES)
    one_of("state", memory.state, STATES)
    for field in ("category", "user_id", "project_id", "agent_id", "session_id", "run_id", "author"):
        check_text(field, getattr(memory, field), MAX_NAME)
    tags = normal_tags(memory.tags)
    if len(tags) > MAX_TAGS:
        raise refusal("tags", f"are {len(tags)}, at most {MAX_TAGS} are kept")
    for tag in tags:
        check_text("tags", tag, MAX_TAG)
    for field, links in (("anchors", memory.anchors), ("relationships", memory.relationships)):
        if len(links) > MAX_LINKS:
            raise refusal(field, f"are {len(links)}, at most {MAX_LINKS} are kept")
    for anchor in memory.anchors:
        check_link("anchors", anchor)
    for link in memory.relationships:
        check_link("relationships", link.target_id)
        check_text("relationships", link.type, MAX_NAME)
        if not link.type.strip():
            raise refusal("relationships", "one has no type")
    for field in ("created_at", "updated_at", "accessed_at"):
        if text := getattr(memory, field):
            parse_time(field, text)
    check_metadata(memory.kind, memory.metadata)
    return memory if tags == memory.tags else msgspec.structs.replace(memory, tags=tags)


def is_sound(memory: Memory) -> bool:
    """Whether a memory once written by `encode` is still valid: the fast part of `validated`, for reading many."""
    return (
        is_memory_id(memory.id)
        and memory.kind in KINDS
        and memory.state in STATES
        and memory.visibility in VISIBILITIES
        and 0 <= memory.importance <= 1
        and memory.version >= 1
        and 0 < len(memory.content) <= MAX_CONTENT
    )


def check_metadata(kind: str, metadata: Mapping[str, Any]) -> None:
    """Raises unless metadata is a JSON object in which a task's known keys have the right form."""
    try:
        text = json.dumps(metadata, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise refusal("metadata", f"cannot be written as JSON: {error}") from None
    if len(text) > MAX_METADATA:
        raise refusal("metadata", f"is longer than {MAX_METADATA:,} characters of JSON")
    check_text("metadata", text, MAX_METADATA)
    if kind != "task":
        return
    status = metadata.get("status")
    if status is not None:
        one_of("metadata.status", status, TASK_STATUSES)
    for key in ("outcome", "context"):
        if not isinstance(metadata.get(key, ""), str | None):
            raise refusal(f"metadata.{key}", "is no text")
    blockers = metadata.get("blockers", [])
    if not isinstance(blockers, list) or not all(isinstance(item, str) for item in blockers):
        raise refusal("metadata.blockers", "is no list of texts")


def check_link(field: str, target: str) -> None:
    check_text(field, target, 1000)
    if not target.strip():
        raise refusal(field, "one of them is empty")


def check_text(field: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise refusal(field, f"is {len(text):,} characters long, at most {longest:,} are kept")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise refusal(field, "holds half of a surrogate pair, which is no Unicode text") from None


def one_of(field: str, value: Any, known: Sequence[str]) -> None:
    """Raises UsageError with the nearest known value unless `value` is in `known`."""
    if value not in known:
        hint = f" ({nearest_name(value, known)})" if isinstance(value, str) and value else ""
        raise refusal(field, f"{value!r} is unknown; use one of {', '.join(known)}{hint}")


def refusal(field: str, why: str) -> UsageError:
    """The error for an invalid field."""
    return UsageError(f"{field}: {why}", f"correct {field}; docs/memory.md lists what each field may hold")


def is_memory_id(text: str) -> bool:
    """Whether `text` is a UUIDv4 in its usual form."""
    return _UUID4.fullmatch(text) is not None


def new_memory_id() -> str:
    return str(uuid.uuid4())


def timestamp(at: datetime) -> str:
    """ISO 8601, UTC, to the microsecond: the texts sort chronologically."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_time(field: str, text: str) -> datetime:
    """A date or a time of ISO 8601; one without a zone is UTC."""
    try:
        if not _TIME.match(text):
            raise ValueError(text)
        at = datetime.fromisoformat(text)
    except ValueError:
        raise refusal(field, f"{text!r} is no date or time of ISO 8601") from None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def moment(text: str) -> datetime:
    """The time in a record; the beginning of time where it is unreadable."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def title_of(content: str, width: int = 80) -> str:
    """The first line, cut at `width` characters."""
    line = " ".join(next((line for line in content.splitlines() if line.strip()), "").split())
    return line if len(line) <= width else line[: width - 1] + "…"
