"""Fields of a protobuf message one by one, so that an index of any size is read and written in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
"""Wire types: a number, eight bytes, a text or message, four bytes."""
_MOST_VARINT: Final = 10
"""Bytes of a number of 64 bits."""


class WireError(ValueError):
    """Bytes that are no fields of a message, or a field beyond the bound."""


def field(number: int, content: bytes) -> bytes:
    """`content` as field `number` of a message: repeated fields may be written one after the other."""
    return varint(number << 3 | _BYTES) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """`value`, not negative, in groups of seven bits, the least first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields_of(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """(number, content) of the fields of a message: bytes, or a number; fields of four and eight bytes are passed over.

    Raises `WireError` where the bytes are none.
    """
    at, end = 0, len(message)
    while at < end:
        tag, at = _number(message, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = _number(message, at)
            yield tag >> 3, value
        elif kind == _BYTES:
            size, at = _number(message, at)
            if size > end - at:
                raise WireError("a field is longer than what it is in")
            yield tag >> 3, message[at : at + size]
            at += size
        elif kind in (_EIGHT, _FOUR):
            at += 8 if kind == _EIGHT else 4
            if at > end:
                raise WireError("a field is longer than what it is in")
        else:
            raise WireError(f"there is a field of the unknown type {kind}")


def _number(message: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place, byte in enumerate(message[at : at + _MOST_VARINT]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, at + place + 1
    raise WireError("a number does not end")


def messages_in(file: BinaryIO, most: int) -> Iterator[tuple[int, bytes]]:
    """(number, content) of the texts and messages in the message that `file` holds, one at a time.

    Raises `WireError` where it holds none, or where one has more than `most` bytes.
    """
    while (tag := _read_number(file, at_end=True)) is not None:
        if tag & 7 == _VARINT:
            _read_number(file)
            continue
        size = {_BYTES: None, _EIGHT: 8, _FOUR: 4}.get(tag & 7, -1)
        if size == -1:
            raise WireError(f"there is a field of the unknown type {tag & 7}")
        size = _read_number(file) if size is None else size
        assert size is not None  # only at the end
        if size > most:
            raise WireError(f"a part of it has {size:,} bytes; at most {most:,} are read at once")
        content = file.read(size)
        if len(content) < size:
            raise WireError("it ends in the middle of a field")
        if tag & 7 == _BYTES:
            yield tag >> 3, content


def _read_number(file: BinaryIO, *, at_end: bool = False) -> int | None:
    """The next number; None at the end of the file, where that is allowed."""
    value = 0
    for place in range(_MOST_VARINT):
        byte = file.read(1)
        if not byte:
            if at_end and not place:
                return None
            raise WireError("it ends in the middle of a number")
        value |= (byte[0] & 0x7F) << (7 * place)
        if byte[0] < 0x80:
            return value
    raise WireError("a number does not end")
