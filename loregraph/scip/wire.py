"""Fields of a protobuf message one by one, so that an index of any size is read and written in bounded memory."""

from __future__ import annotations

from typing import Final

_BYTES: Final = 2
"""Wire type of texts and messages."""


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
