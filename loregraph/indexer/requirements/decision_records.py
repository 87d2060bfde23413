"""Architecture decision records: Nygard's form (adr-tools), MADR, and common variants."""

from __future__ import annotations

import re
from typing import Any

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.front_matter import as_text
from loregraph.indexer.requirements.ids import IdPattern
from loregraph.indexer.requirements.markdown_blocks import Block
from loregraph.indexer.requirements.model import MAX_TEXT, Item, Link

_FOLDER = re.compile(
    r"(?:^|/)(?:adrs?|decisions?|decision[-_]?(?:records?|log)|architecture[-_]decisions?)/[^/]+$", re.I
)
_FILE = re.compile(r"^(?:adr[-_ ]?)?(?P<number>\d{1,5})(?=[-_. ]|$)", re.IGNORECASE)
_HEADING = re.compile(r"^(?P<id>ADR[-_ ]?0*(?P<number>\d{1,5}))\s*[:.–—-]*\s*(?P<title>.*)$", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?P<number>\d{1,5})[.:)]?\s+(?P<title>\S.*)$")
_ID = re.compile(r"ADR[-_]\d{1,5}$")
_STATUS_LINE = re.compile(
    r"^(?:[^\S\n]|[>*+_-])*+status[*_]*+\s*+:[*_]*+\s*+(?P<value>\S.*)$", re.IGNORECASE | re.MULTILINE
)
_FIRST_WORDS = re.compile(r"[A-Za-z][A-Za-z-]*")


def is_in_record_folder(path: str) -> bool:
    """Whether a file's place and name are those of a decision record (`docs/adr/0004-wrap-the-server.md`)."""
    return _FOLDER.search(path) is not None and _FILE.match(path.rpartition("/")[2]) is not None


def decision_record(
    path: str, found: list[Block], lines: list[str], meta: dict[str, Any], ids: IdPattern
) -> Item | None:
    """The record in a Markdown file; None for any other file."""
    first = next((block for block in found if block.kind == "heading"), None)
    heading = fields.plain(first.content) if first is not None else ""
    own = _HEADING.match(heading)
    in_folder = is_in_record_folder(path)
    if not in_folder and not (own is not None and first is not None and first.level == 1):
        return None
    if own is not None:
        title, number = own["title"] or heading, int(own["number"])
    else:
        numbered = _NUMBERED.match(heading)
        file = _FILE.match(path.rpartition("/")[2])
        title = numbered["title"] if numbered else heading
        number = int(numbered["number"]) if numbered else int(file["number"]) if file else 0
    given = as_text(meta.get("id"))
    if not given and own is not None and _ID.match(own["id"].upper().replace(" ", "-")):
        given = own["id"].upper().replace(" ", "-").replace("_", "-")
    start = first.end if first is not None else 0
    body = "\n".join(lines[start:])
    inner = fields.read_fields(body, start + 1, ids, given)
    status = fields.value_of(as_text(meta.get("status"))) or _status(found, lines, body)
    text = body.strip()
    links = (*inner.links, *fields.mentions(body, start + 1, ids, given, inner.links))
    own_number = {given} | ({f"ADR-{number}"} if number else set())
    title = as_text(meta.get("title")) or title or path.rpartition("/")[2]
    return Item(
        kind="adr",
        id=given,
        line=(first.line if first is not None else 0) + 1,
        title=title,
        text=text[:MAX_TEXT],
        status=status,
        links=tuple(Link(k.target, k.role, k.line, k.text) for k in links if k.target not in own_number),
        slug=fields.slug(title),
        number=number,
    )


def _status(found: list[Block], lines: list[str], body: str) -> str:
    """The first words below a heading "Status", or after `Status:`."""
    for number, block in enumerate(found):
        if block.kind == "heading" and fields.key_of(fields.plain(block.content)) == "status":
            end = next((b.line for b in found[number + 1 :] if b.kind == "heading"), len(lines))
            value = next((line for line in lines[block.end : end] if line.strip()), "")
            return _first_words(value)
    match = _STATUS_LINE.search(body)
    return _first_words(match["value"]) if match else ""


def _first_words(value: str) -> str:
    match = _FIRST_WORDS.search(fields.plain(value))
    return match[0].lower() if match else ""
