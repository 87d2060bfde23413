"""The size of an answer in tokens, estimated from its JSON: what budgets of answers are measured in."""

from __future__ import annotations

from typing import Any, Final

import msgspec

CHARACTERS: Final = 4
"""Estimated characters per token."""


def size(value: Any) -> int:
    """Approximate characters of `value` as JSON: bytes of UTF-8."""
    return len(msgspec.json.encode(value))


def tokens(characters: int) -> int:
    """The tokens of so many characters, rounded up."""
    return -(-characters // CHARACTERS)
