"""The difference that one edit makes, as a unified diff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

CONTEXT: Final = 3
WIDEST: Final = 300
"""Characters of a line that are shown: some hosts keep megabytes on one."""


def unified(before: str | None, after: str | None, path: str) -> str:
    """One hunk from the first line that differs to the last; None is no file. "" where nothing does."""
    if before == after:
        return ""
    old, new = lines(before), lines(after)
    start = shared(old, new)
    end = shared(old[start:][::-1], new[start:][::-1])
    top = max(0, start - CONTEXT)
    rows = [
        "--- " + ("/dev/null" if before is None else f"a/{path}"),
        "+++ " + ("/dev/null" if after is None else f"b/{path}"),
        f"@@ -{span(top, len(old) - end + CONTEXT, len(old))} +{span(top, len(new) - end + CONTEXT, len(new))} @@",
        *(row(" ", line) for line in old[top:start]),
        *(row("-", line) for line in old[start : len(old) - end]),
        *(row("+", line) for line in new[start : len(new) - end]),
        *(row(" ", line) for line in old[len(old) - end : len(old) - end + CONTEXT]),
    ]
    return "\n".join(rows)


def lines(text: str | None) -> list[str]:
    """Its lines with their ends, which may be all that differs."""
    return (text or "").splitlines(keepends=True)


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def span(top: int, end: int, total: int) -> str:
    size = min(end, total) - top
    return f"{top + 1 if size else top},{size}"


def row(mark: str, line: str) -> str:
    text = line.rstrip("\r\n")
    cut = text if len(text) <= WIDEST else f"{text[:WIDEST]}… ({len(text):,} characters)"
    return mark + cut + ("" if line.endswith("\n") else "\n\\ No newline at end of file")
