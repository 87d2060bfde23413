"""Comments that suppress a finding: `loregraph: ignore`, `loregraph: ignore[rule]`, `loregraph: ignore-file[rule]`."""

from __future__ import annotations

import re
from typing import Final

from loregraph.analysis.findings import Place
from loregraph.analysis.rules.code import Code

_COMMENT: Final = re.compile(r"\bloregraph:\s*+(ignore(?:-file)?)\b(?:\[([\w\s,-]*+)\])?")
_OPENS: Final = re.compile(r"#|//|/\*|--")
_MARK: Final = "loregraph:"
_HEAD_ENDS: Final = re.compile(r"[:{;}]\s*+(?:(?:#|//|/\*)(?s:.*+))?\Z")
"""The end of a definition's head, where its body begins."""
_HEAD: Final = 12
"""Maximum lines from a definition's first to its name, after decorators, and lines of a file's own head."""


def is_suppressed(code: Code, rule: str, place: Place) -> bool:
    """Whether a comment suppresses a finding: on its line, in the lines of the definition's head, alone on the line
    above, or at the head of the file for all of it."""
    lines = code.lines(place.file_path)
    for line in lines[:_HEAD]:
        if (found := _comment(line)) and found[1] == "ignore-file" and _names(found[2], rule):
            return True
    start = place.start_line - 1
    if not 0 <= start < len(lines):
        return False
    if (
        start
        and lines[start - 1].lstrip().startswith(("#", "//", "/*", "--", "<!--"))
        and _says(lines[start - 1], rule)
    ):
        return True
    head = (
        lines[start : min(place.end_line, start + _HEAD)] if place.id.partition("::")[2] else lines[start : start + 1]
    )
    for line in head:
        if _says(line, rule):
            return True
        if _HEAD_ENDS.search(line):
            return False
    return False


def _says(line: str, rule: str) -> bool:
    found = _comment(line)
    return found is not None and found[1] == "ignore" and _names(found[2], rule)


def _comment(line: str) -> re.Match[str] | None:
    """The directive in the first comment of `line`."""
    opens = _OPENS.search(line) if _MARK in line else None
    return _COMMENT.search(line, opens.end()) if opens else None


def _names(listed: str | None, rule: str) -> bool:
    return listed is None or rule in {name.strip() for name in listed.split(",")}
