"""Arguments of a call, checked before anything is done with them: unknown ones and wrong types are refused by name."""

from __future__ import annotations

import difflib
import re
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec

from loregraph.errors import UsageError
from loregraph.mcp_server.schema import _bare

S = TypeVar("S", bound=msgspec.Struct)

_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_NAMES: Final = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}
_NAMES_MORE: Final = {"array": "a list", "object": "an object", "null": "null"}


class ArgumentError(UsageError):
    """An argument that cannot be taken; `field` is its name."""

    def __init__(self, field: str, message: str, suggestion: str) -> None:
        super().__init__(f"{field}: {message}", suggestion)
        self.field = field


# Implements REQ-MCP-002.
def read(kind: type[S], values: Any, where: str = "") -> S:
    """`values` as a record of `kind`. Nothing is converted: a "5" is not a 5.

    Raises UsageError whose message begins with the field, as `limit: ...` or `relationships[0].type: ...`.
    """
    try:
        return msgspec.convert(values, kind, strict=True)
    except msgspec.ValidationError as error:
        field, message, suggestion = _explained(kind, str(error))
        raise ArgumentError(_joined(where, field) or "arguments", message, suggestion) from None


def _explained(kind: type[msgspec.Struct], text: str) -> tuple[str, str, str]:
    """(field, what is wrong, what to do) for a message of msgspec."""
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
        return field, what[len("Invalid enum value ") :] + " is not allowed", f"use one of {', '.join(allowed)}"
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
