"""Validates the arguments of a call before they are used: unknown ones and wrong types are refused by name."""

from __future__ import annotations

import difflib
import re
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec

from loregraph.errors import LONGEST_NAME, UsageError
from loregraph.mcp_server.arguments import MOST_DEPTH, MOST_OBJECT
from loregraph.mcp_server.schema import _bare

S = TypeVar("S", bound=msgspec.Struct)

_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_NAMES: Final = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}
_NAMES_MORE: Final = {"array": "a list", "object": "an object", "null": "null"}


class ArgumentError(UsageError):
    """An invalid argument; `field` is its name."""

    def __init__(self, field: str, message: str, suggestion: str) -> None:
        super().__init__(f"{field}: {message}", suggestion)
        self.field = field


# Implements REQ-MCP-002.
def read(kind: type[S], values: Any, where: str = "") -> S:
    """`values` as a record of `kind`, without conversions: a "5" is not a 5.

    Raises UsageError whose message begins with the field, as `limit: ...` or `relationships[0].type: ...`.
    """
    try:
        record = msgspec.convert(values, kind, strict=True)
    except msgspec.ValidationError as error:
        field, message, suggestion = _explained(kind, str(error))
        raise ArgumentError(_joined(where, field) or "arguments", message, suggestion) from None
    except UnicodeEncodeError:
        raise ArgumentError(where or "arguments", "a text holds half of a character", "send whole ones") from None
    for field in record.__struct_fields__:
        check(_joined(where, field), getattr(record, field))
    return record


# Implements REQ-SEC-011.
def check(field: str, value: Any) -> None:
    """Raises ArgumentError for what types cannot express: invalid Unicode, an object that is too large."""
    if isinstance(value, str) and ("\0" in value or not encodable(value)):
        raise ArgumentError(field, "holds a character that is none: NUL or half of a pair", "leave it out")
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            check(f"{field}.{name}", getattr(value, name))
    if isinstance(value, list):
        for number, item in enumerate(value):
            if not isinstance(item, dict):  # rows are read one by one
                check(f"{field}[{number}]", item)
    if isinstance(value, dict):
        check_object(field, value)


def check_object(field: str, value: dict[str, Any]) -> None:
    """Raises ArgumentError for an object that is nested too deeply, too large, or not JSON."""
    level: list[Any] = [value]
    for _ in range(MOST_DEPTH):
        inner = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [item for items in inner for item in items]
    if any(isinstance(one, dict | list) for one in level):
        raise ArgumentError(field, f"is nested more than {MOST_DEPTH} deep", "make it flatter")
    try:
        size = len(msgspec.json.encode(value))
    except UnicodeEncodeError:
        raise ArgumentError(field, "holds a text that is no Unicode: half of a pair", "leave it out") from None
    except (OverflowError, TypeError, ValueError):
        raise ArgumentError(field, "holds a number that is out of range", "make it a text") from None
    if size > MOST_OBJECT:
        raise ArgumentError(field, f"is larger than {MOST_OBJECT:,} characters of JSON", "make it smaller")


def encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _explained(kind: type[msgspec.Struct], text: str) -> tuple[str, str, str]:
    """(field, what is wrong, what to do) for an error message of msgspec."""
    match = _AT.match(text)
    what, path = (match["what"], match["path"] or "") if match else (text, "")
    field = path.removeprefix("$").removeprefix(".")
    if found := re.match(r"Object contains unknown field `(.*)`$", what, re.DOTALL):
        name = found[1]
        known = _fields(_at(kind, field))
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}" if known else "leave it out"
        return _joined(field, name), "is not an argument of this tool" if not field else "is not known here", hint
    if found := re.match(r"Object missing required field `(.*)`$", what):
        return _joined(field, found[1]), "is required", "pass it"
    if what.startswith("Invalid enum value"):
        allowed = _allowed(_at(kind, field))
        given = what[len("Invalid enum value ") :]
        near = difflib.get_close_matches(given.strip("'").casefold()[:LONGEST_NAME], allowed, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return field, given + " is not allowed", f"{hint}use one of {', '.join(allowed)}"
    what = re.sub(r"`(\w+)( \| null)?`", lambda m: (_NAMES | _NAMES_MORE).get(m[1], m[1]), what)
    return field, what[0].lower() + what[1:], "correct the value"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name and not name.startswith("[") else path + name


def _at(kind: Any, path: str) -> Any:
    """The type at a path such as `relationships[0].type`."""
    for step in re.findall(r"[^.\[\]]+", re.sub(r"\[[^\[\]]*+\]", ".*", path)):
        kind, _ = _bare(kind)
        if step == "*" or step == "...":
            kind = next(iter(get_args(kind)), Any)
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            kind = next((f.type for f in msgspec.structs.fields(kind) if f.encode_name == step), Any)
    return _bare(kind)[0]


def _fields(kind: Any) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [field.encode_name for field in msgspec.structs.fields(kind)]
    return []


def _allowed(kind: Any) -> list[str]:
    return [str(value) for value in get_args(kind)] if get_origin(kind) is Literal else []
