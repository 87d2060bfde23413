"""A block of text between two marks, in a file of instructions that people write (AGENTS.md, CLAUDE.md…)."""

from __future__ import annotations

import re
from typing import Final

from loregraph.errors import ConfigError
from loregraph.hosts.edits import Edited, closed, line_end

BEGIN: Final = "<!-- loregraph: begin (written by `loregraph install`, removed by `loregraph uninstall`) -->"
END: Final = "<!-- loregraph: end -->"
_BEGIN: Final = re.compile(r"(?m)(?:^|(?<=\ufeff))<!-- loregraph: begin\b[^\r\n]*")
_END: Final = re.compile(r"(?m)^<!-- loregraph: end -->[ \t]*(?:\r?\n)?")


def found(text: str) -> tuple[int, int] | None:
    """Where the block is, with the end of its last line. Raises ConfigError for marks without their counterpart."""
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise ConfigError("its marks of loregraph are not one pair", "leave one begin and one end, or none")
    return begins[0].start(), ends[0].end()


def render(content: str, eol: str) -> str:
    return eol.join([BEGIN, *content.strip().splitlines(), END])


def put(edited: Edited, content: str) -> Edited:
    """The block with `content`: in place of the one that is there, else at the end, after a blank line."""
    text = edited.text
    eol = line_end(text)
    there = found(text)
    if there is not None:
        last = len(text[: there[1]].rstrip("\r\n"))
        return edited.replace(there[0], last, render(content, eol))
    gap = closed(text) + (eol if text.removeprefix("\ufeff").strip() else "")
    return edited.insert(len(text), gap + render(content, eol) + eol)


def drop(edited: Edited) -> Edited:
    """Without the block, and the blank line before it."""
    there = found(edited.text)
    if there is None:
        return edited
    begin, end = there
    before = edited.text[:begin]
    blank = next((len(eol) for eol in ("\r\n", "\n") if before.endswith("\n" + eol)), 0)
    return edited.replace(begin - blank, end, "")
