"""Parses lines of JSON-RPC from an untrusted client: each gives a message or an error.

The SDK silently drops unreadable messages, so that a client would wait forever for the answer.
"""

from __future__ import annotations

import re
from typing import Any, Final

import mcp_types as types
import msgspec

MOST_BYTES: Final = 16 << 20
"""Maximum bytes of one message: a hundred memories of 100,000 characters fit."""
MOST_VALUES: Final = 100_000
"""Maximum values in one message: each takes far more memory than its characters."""
MOST_DEPTH: Final = 64
"""Maximum nesting of its objects and lists."""
MOST_ID: Final = 500
"""Maximum characters of a request's id."""
MOST_METHOD: Final = 200
"""Maximum characters of a method's name."""

Id = int | str

_TEXTS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_ID: Final = rb'"id"\s{0,9}:\s{0,9}(-?\d{1,18}|"[\w.:/-]{1,100}")\s{0,9}'
_FIRST_ID: Final = re.compile(
    rb'\s{0,9}\{\s{0,9}(?:"(?:jsonrpc|method)"\s{0,9}:\s{0,9}"[^"\\]{0,200}"\s{0,9},\s{0,9}){0,2}' + _ID + rb"[,}]"
)
_LAST_ID: Final = re.compile(
    _ID + rb'(?:,\s{0,9}"(?:jsonrpc|method)"\s{0,9}:\s{0,9}"[^"\\]{0,200}"\s{0,9}){0,2}\}\s{0,9}\Z'
)
ENDS: Final = 1_000
"""Bytes at the start and the end of a message that are searched for its id."""

_Members = msgspec.json.Decoder(dict[str, msgspec.Raw])


class WireError(Exception):
    """An unreadable or unacceptable message, as a JSON-RPC error. `id` is None where the message's is unknown."""

    def __init__(self, code: int, message: str, id: Id | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.id = code, message, id

    def answer(self) -> types.JSONRPCError:
        return types.JSONRPCError(
            jsonrpc="2.0", id=self.id, error=types.ErrorData(code=self.code, message=self.message)
        )


# Implements REQ-SEC-011.
def read(line: bytes | bytearray) -> types.JSONRPCMessage:
    """The message in one line, or in one body of HTTP. Raises WireError."""
    if len(line) > MOST_BYTES:
        raise too_long(bytes(line[:ENDS]), bytes(line[-ENDS:]))
    line = bytes(line)
    check_size(line)
    try:
        members = _Members.decode(line)
    except msgspec.ValidationError:
        raise WireError(types.INVALID_REQUEST, what_else(line)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise WireError(
            types.PARSE_ERROR, "this cannot be read as JSON of Unicode texts", id_at_the_ends(line)
        ) from None
    known = identity(members)
    method = text(members, "method", known)
    if text(members, "jsonrpc", known) != "2.0":
        raise WireError(types.INVALID_REQUEST, 'jsonrpc: has to be "2.0"', known)
    if method is None:
        return response(line, known)
    if len(method) > MOST_METHOD:
        raise WireError(types.METHOD_NOT_FOUND, "there is no method with so long a name", known)
    params = parameters(members, known)
    given = {"params": params} if params is not None else {}
    if "id" in members:
        assert known is not None
        return types.JSONRPCRequest(jsonrpc="2.0", id=known, method=method, **given)
    return types.JSONRPCNotification(jsonrpc="2.0", method=method, **given)


def too_long(start: bytes, end: bytes) -> WireError:
    """The error for a message that was not read completely."""
    said = f"a message may have {MOST_BYTES >> 20} MiB"
    return WireError(types.INVALID_REQUEST, said, id_at_the_ends(start) or id_at_the_ends(end))


def check_size(line: bytes) -> None:
    """Raises WireError for a message that would take far more memory than its characters."""
    values = line.count(b",") + line.count(b"[") + line.count(b"{")
    deep = max(line.count(b"["), line.count(b"{")) > MOST_DEPTH
    if values <= MOST_VALUES and not deep:
        return
    bare = _TEXTS.sub(b"", line)  # brackets may also be in texts of code
    if bare.count(b",") + bare.count(b"[") + bare.count(b"{") > MOST_VALUES:
        said = f"a message may hold {MOST_VALUES:,} values"
        raise WireError(types.INVALID_REQUEST, said, id_at_the_ends(line))
    if depth(bare) > MOST_DEPTH:
        said = f"a message may be nested {MOST_DEPTH} deep"
        raise WireError(types.INVALID_REQUEST, said, id_at_the_ends(line))


def depth(bare: bytes) -> int:
    """The maximum nesting of brackets in JSON, texts excluded."""
    most = now = 0
    for byte in bare:
        if byte in b"[{":
            now += 1
            most = max(most, now)
        elif byte in b"]}":
            now -= 1
    return most


def identity(members: dict[str, msgspec.Raw]) -> Id | None:
    """The message's id, None where it has none. Raises WireError for an invalid one."""
    if "id" not in members:
        return None
    try:
        found = msgspec.json.decode(members["id"])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    if isinstance(found, int) and not isinstance(found, bool) and -(1 << 63) <= found < 1 << 63:
        return found
    if isinstance(found, str) and len(found) <= MOST_ID:
        return found
    said = f"id: has to be a whole number of 64 bits or a text of at most {MOST_ID} characters"
    # An error sent to us may have null.
    if found is None and "method" not in members and "error" in members:
        return None
    raise WireError(types.INVALID_REQUEST, said)


def text(members: dict[str, msgspec.Raw], name: str, known: Id | None) -> str | None:
    if name not in members:
        return None
    try:
        return msgspec.json.decode(members[name], type=str)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise WireError(types.INVALID_REQUEST, f"{name}: has to be a text", known) from None


def parameters(members: dict[str, msgspec.Raw], known: Id | None) -> dict[str, Any] | None:
    if bytes(members.get("params", b"null")) == b"null":
        return None
    try:
        return msgspec.json.decode(members["params"], type=dict[str, Any])
    except msgspec.ValidationError as error:
        said = "has to be an object" if str(error).startswith("Expected") else "has a number that is out of range"
    except (msgspec.DecodeError, UnicodeDecodeError):
        said = "has a text that is no Unicode"
    except RecursionError:
        said = "is nested too deep"
    raise WireError(types.INVALID_PARAMS, f"params: {said}", known)


def response(line: bytes, known: Id | None) -> types.JSONRPCMessage:
    """A response to a request of the server's."""
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        raise WireError(types.INVALID_REQUEST, "this is neither a request nor an answer", known) from None


def what_else(line: bytes) -> str:
    if line.lstrip()[:1] == b"[":
        return "one message a line: batches are no part of the protocol any more"
    return "a message has to be an object"


def id_at_the_ends(line: bytes) -> Id | None:
    """The id of a message that cannot be read completely, if it is among the first or last members."""
    found = _FIRST_ID.match(line[:ENDS]) or _LAST_ID.search(line[-ENDS:])
    if found is None:
        return None
    known: Id = msgspec.json.decode(found[1])
    return known


def encoded(message: types.JSONRPCMessage) -> bytes:
    """One message on the wire. Invalid Unicode is replaced."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError:
        import json

        plain = message.model_dump(by_alias=True, exclude_unset=True)
        return json.dumps(plain, ensure_ascii=False, default=str).encode("utf-8", "replace")
