"""Text that people and agents wrote, as pieces to show: what is an address can be followed, all else is plain.

Only `http` and `https` in printable ASCII, without a user's name in it, is an address, and it is shown whole: where a
link leads is what it says.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

LONGEST_ADDRESS: Final = 2_000
"""Characters of an address that can be followed."""

_ADDRESS: Final = re.compile(r"https?://[!#-;=?-\[\]_a-z~]++")
_MARKS: Final = ".,;:!?"
_HOST: Final = re.compile(r"https?://(?P<host>[^/?#]*)")
_NAMED: Final = re.compile(r"[A-Za-z0-9]")


class Piece(msgspec.Struct, frozen=True):
    """A part of a text; `address` is where it leads, "" for plain text."""

    text: str
    address: str = ""


def pieces(text: str) -> list[Piece]:
    """`text` in pieces that are together the same text."""
    found: list[Piece] = []
    plain = 0
    for match in _ADDRESS.finditer(text):
        address = _trimmed(match[0])
        if not _may_be_followed(address):
            continue
        if match.start() > plain:
            found.append(Piece(text[plain : match.start()]))
        found.append(Piece(address, address))
        plain = match.start() + len(address)
    if plain < len(text):
        found.append(Piece(text[plain:]))
    return found


def _trimmed(address: str) -> str:
    """Without the marks of the sentence around it: a closing bracket only where the address opens none."""
    end = len(address)
    closes = address.count(")") - address.count("(")
    while end:
        last = address[end - 1]
        if last in _MARKS or last in "'*]":
            end -= 1
        elif last == ")" and closes > 0:
            end, closes = end - 1, closes - 1
        else:
            break
    return address[:end]


def _may_be_followed(address: str) -> bool:
    """Whether a browser goes where the text seems to lead: it has a host, and no name of a user in front of it."""
    host = _HOST.match(address)
    if host is None or len(address) > LONGEST_ADDRESS:
        return False
    return "@" not in host["host"] and _NAMED.match(host["host"]) is not None
