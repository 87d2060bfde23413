"""The form in which a memory is written or changed: its fields as text, and what somebody changed in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from loregraph.errors import UsageError
from loregraph.memory.record import IMPORTANCE, Memory, refusal
from loregraph.terminal import visible_lines

PERSONS_SCOPES: Final = ("project", "user", "org")
"""The scopes of memories that a person writes: others belong to an agent or a session."""


class MemoryForm(msgspec.Struct, frozen=True):
    """The fields as somebody sees and writes them. `tags` are separated by commas, `anchors` by lines, `importance` is
    a number, `metadata` a JSON object. `version` is the one that the form was made from, 0 for a new memory."""

    content: str = ""
    kind: str = "learning"
    tags: str = ""
    importance: str = "0.5"
    category: str = ""
    anchors: str = ""
    metadata: str = ""
    visibility: str = "private"
    scope: str = "project"
    version: int = 0
    allow_secret: bool = False
    importances: tuple[tuple[str, str], ...] = ()
    """(number, what it is called) to choose from."""


FIELDS: Final = ("content", "kind", "tags", "importance", "category", "anchors", "metadata", "visibility", "scope")


def new_form(anchor: str = "") -> MemoryForm:
    return MemoryForm(anchors=anchor, importances=_importances(0.5))


def form_of(memory: Memory) -> MemoryForm:
    """The form for changing a memory."""
    return MemoryForm(
        content=memory.content,
        kind=memory.kind,
        tags=", ".join(memory.tags),
        importance=f"{memory.importance:g}",
        category=memory.category,
        anchors="\n".join(memory.anchors),
        metadata=json.dumps(memory.metadata, indent=1, ensure_ascii=False) if memory.metadata else "",
        visibility=memory.visibility,
        scope=memory.scope,
        version=memory.version,
        importances=_importances(memory.importance),
    )


def filled(form: MemoryForm, values: Mapping[str, str], *, allow_secret: bool = False) -> MemoryForm:
    """`form` with what was sent: fields that were not sent stay.

    Characters that are invisible or turn text around were shown as escapes: where the field had them they are what is
    meant, and not the escapes.
    """
    sent = {name: _as_meant(values[name], str(getattr(form, name))) for name in FIELDS if name in values}
    return msgspec.structs.replace(form, **sent, allow_secret=allow_secret)


def _as_meant(text: str, before: str) -> str:
    text = text.replace("\r\n", "\n")
    for character in sorted(set(before)):
        escape = visible_lines(character)
        if escape != character and escape not in before:
            text = text.replace(escape, character)
    return text


def changes(form: MemoryForm, before: MemoryForm) -> dict[str, Any]:
    """The arguments of `ProjectMemory.update` for what differs from `before`, the form as it was shown. Raises
    UsageError that names the invalid field."""
    return {
        name: _value(name, getattr(form, name), before)
        for name in FIELDS
        if name != "scope" and _compared(getattr(form, name)) != _compared(getattr(before, name))
    }


def rebased(form: MemoryForm, before: MemoryForm, present: MemoryForm) -> MemoryForm:
    """What somebody changed from `before` as a change of `present`: fields that they left alone are those of now."""
    own = {
        name: getattr(form, name)
        for name in FIELDS
        if _compared(getattr(form, name)) != _compared(getattr(before, name))
    }
    return msgspec.structs.replace(present, **own, allow_secret=form.allow_secret)


def _compared(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def arguments(form: MemoryForm) -> dict[str, Any]:
    """The arguments of `ProjectMemory.add`. Raises UsageError that names the invalid field."""
    if form.scope not in PERSONS_SCOPES:
        raise refusal("scope", f"{form.scope!r} is none of {', '.join(PERSONS_SCOPES)}")
    names = [name for name in FIELDS if name != "visibility"]
    return {name: _value(name, getattr(form, name), MemoryForm()) for name in names}


def _value(name: str, text: str, before: MemoryForm) -> Any:
    if name == "tags":
        return [tag.strip() for tag in text.split(",") if tag.strip()]
    if name == "anchors":
        return [line.strip() for line in text.splitlines() if line.strip()]
    if name == "importance":
        return _number(text)
    if name == "metadata":
        # An update merges: what was taken out of the form has to be taken out by name.
        gone = dict.fromkeys(_object(before.metadata))
        return {**gone, **_object(text)}
    return text.strip() if name != "content" else text


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise refusal("importance", f"{text!r} is no number from 0 to 1") from None


def _object(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"metadata: not JSON: {error}", 'write an object, such as {"status": "completed"}') from None
    if not isinstance(value, dict):
        raise refusal("metadata", "is no JSON object")
    return value


def _importances(present: float) -> tuple[tuple[str, str], ...]:
    named = {number: word for word, number in IMPORTANCE.items()}
    numbers = sorted({*named, present}, reverse=True)
    return tuple((f"{number:g}", named.get(number, f"{number:g}")) for number in numbers)
