"""Plain text: a file that is one requirement, and files with lines that begin with ids."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.front_matter import YamlError, as_text, mapping, split
from loregraph.indexer.requirements.ids import IdPattern, names_design
from loregraph.indexer.requirements.model import MAX_TEXT, Document, Item

_START: Final = re.compile(r"^[\s>*+=#.\-•|]*+(?:\d++[.)]\s++)*+[*_`\[(\"]*+")
_AFTER: Final = re.compile(r"[*_`\])\"]*+(?:\s*+[:.|)–—-]++)?[*_`]*+(?:\s++|$)")


def read_whole(path: str, text: str, ids: IdPattern) -> Document:
    """The requirement in a file; its id is the file's name without the last extension."""
    head, body, before = split(text)
    problems: tuple[tuple[int, str], ...] = ()
    meta = {}
    try:
        meta = mapping(head)
    except YamlError as error:
        problems = ((error.line + 1, f"front matter: {error}"),)
    own = PurePosixPath(path).stem
    inner = fields.read_fields(body, before + 1, ids, own)
    first = next((line for line in inner.text.splitlines() if line.strip()), "")
    item = Item(
        kind="requirement",
        id=own,
        line=1,
        title=as_text(meta.get("title")) or inner.title or fields.first_sentence(first.lstrip("#=* ")) or own,
        text=inner.text[:MAX_TEXT],
        status=fields.value_of(as_text(meta.get("status"))) or inner.status,
        priority=fields.value_of(as_text(meta.get("priority"))) or inner.priority,
        links=inner.links,
    )
    return Document((item,), (), True, item.title, problems)


def read_lines(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """Requirements at lines that begin with an id, each up to the next one or to two consecutive empty lines.

    Only configured files are read so: any log or table may have this form.
    """
    if not named:
        return Document()
    lines = text.split("\n")
    starts = [
        (number, own, rest)
        for number, line in enumerate(lines)
        if (found := _start(line, ids))
        for own, rest in [found]
    ]
    items = []
    for at, (number, own, rest) in enumerate(starts):
        end = starts[at + 1][0] if at + 1 < len(starts) else len(lines)
        more = _until_gap(lines[number + 1 : end])
        stated = "\n".join((rest, *more))
        inner = fields.read_fields(stated, number + 1, ids, own)
        if not inner.text:
            continue
        items.append(
            Item(
                kind="design" if names_design(own) else "requirement",
                id=own,
                line=number + 1,
                title=inner.title or fields.first_sentence(inner.text),
                text=inner.text[:MAX_TEXT],
                status=inner.status,
                priority=inner.priority,
                links=(*inner.links, *fields.mentions(stated, number + 1, ids, own, inner.links)),
            )
        )
    return Document(tuple(items), (), named)


def _start(line: str, ids: IdPattern) -> tuple[str, str] | None:
    before = _START.match(line)
    start = before.end() if before else 0
    end = ids.end_of(line, start)
    after = _AFTER.match(line, end) if end >= 0 else None
    return (line[start:end], line[after.end() :].strip()) if after else None


def _until_gap(lines: list[str]) -> list[str]:
    """`lines` up to two consecutive empty ones."""
    for at in range(len(lines) - 1):
        if not lines[at].strip() and not lines[at + 1].strip():
            return lines[:at]
    return lines
