"""JSON-RPC messages of MCP on the wire, one line each.

Parameters, results and errors stay unparsed bytes: what passes through a bridge cannot be lost or changed, whether or
not this version of the protocol knows it.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from loregraph.bridges.lines import shown

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
UNSUPPORTED_VERSION: Final = -32022

NULL: Final = b"null"


class Message(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    """A request (id, method), a notification (method), or an answer (id, and a result or an error)."""

    id: Raw | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET

    @property
    def is_request(self) -> bool:
        return self.method is not UNSET and self.id is not UNSET

    @property
    def is_answer(self) -> bool:
        return self.method is UNSET and self.id is not UNSET


class Error(msgspec.Struct):
    """The fields of an answer's `error` that are read here."""

    code: int = INTERNAL_ERROR
    message: str = ""


_DECODER: Final = msgspec.json.Decoder(Message)
MAX_READ: Final = 4 << 20
"""Maximum bytes of an answer that is parsed rather than only passed on: parsed, it may take thirty times as much."""
_MAX_ID: Final = 256
"""Maximum bytes of an id. A longer one is never a real counter."""


def read(line: bytes) -> Message:
    """The message on `line`. Raises ValueError for an invalid one."""
    try:
        message = _DECODER.decode(line)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        message = _read_leniently(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    # Some servers write both fields, one of them null.
    if message.error is not UNSET and bytes(message.error) == NULL:
        message.error = UNSET
    elif message.error is not UNSET:
        message.result = UNSET
    return message


def _read_leniently(line: bytes) -> Message:
    """As `read`, for texts with half a surrogate pair, as JavaScript writes after cutting an emoji."""
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0" or not isinstance(found.get("method", ""), str):
        raise ValueError("no JSON-RPC message")
    raw = {name: Raw(json.dumps(value).encode()) for name, value in found.items() if name not in ("jsonrpc", "method")}
    known = {name: value for name, value in raw.items() if name in Message.__struct_fields__}
    return Message(method=found.get("method", UNSET), **known)


def write(message: Message) -> bytes:
    """`message` as a line."""
    return msgspec.json.encode(message) + b"\n"


def raw(value: Any) -> Raw:
    """`value` as JSON; values in it that are `Raw` are inserted unchanged."""
    return Raw(msgspec.json.encode(value))


def object_of(value: Raw | UnsetType) -> dict[str, Raw]:
    """The fields of a JSON object with unparsed values. Raises ValueError for anything else; empty input is an empty
    object."""
    if value is UNSET or bytes(value) == NULL:
        return {}
    try:
        return msgspec.json.decode(value, type=dict[str, Raw])
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_object(value: Raw | UnsetType, most: int = MAX_READ) -> dict[str, Any]:
    """A parsed JSON object; empty for anything else, or for more than `most` bytes."""
    if value is UNSET or size_of(value) > most:
        return {}
    try:
        found = json.loads(bytes(value))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def size_of(value: Raw | UnsetType) -> int:
    """Bytes of a part of a message."""
    return 0 if value is UNSET else memoryview(value).nbytes


def is_object(value: Raw | UnsetType) -> bool:
    """Whether a part of a message is a JSON object, without parsing it."""
    return value is not UNSET and bytes(memoryview(value)[:1]) == b"{"


def is_id(value: Raw | UnsetType) -> bool:
    """Whether a value is a valid request id: a text or a number, of limited length."""
    return value is not UNSET and 0 < size_of(value) <= _MAX_ID and bytes(value)[0] in b'"-0123456789'


def error_of(message: Message) -> Error:
    """The error of an answer, as far as it is readable."""
    try:
        return msgspec.json.decode(message.error if message.error is not UNSET else b"{}", type=Error)
    except (ValueError, RecursionError):
        return Error(message=shown(bytes(message.error or b"")))


def refusal(code: int, message: str, data: Any = UNSET) -> Raw:
    """The `error` of an answer."""
    body = {"code": code, "message": message}
    return raw(body if data is UNSET else {**body, "data": data})


def told(message: str) -> Raw:
    """A tool's error result, which every MCP client displays."""
    return raw({"content": [{"type": "text", "text": message}], "isError": True})
