"""Markdown: requirements as headings, list items, paragraphs and table rows that begin with an id; design sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from loregraph.indexer.requirements import fields, tables
from loregraph.indexer.requirements.decision_records import decision_record, is_in_record_folder
from loregraph.indexer.requirements.front_matter import YamlError, as_text, mapping, split
from loregraph.indexer.requirements.ids import IdPattern, names_design
from loregraph.indexer.requirements.markdown_blocks import Block, blocks
from loregraph.indexer.requirements.model import MAX_TEXT, Document, Item, Link, Trace

_BEFORE: Final = r"^(?:\[[ xX]\]\s+)?(?:<a\b[^>]*>(?:</a>)?\s*)?"
_OPEN: Final = r"[*_`~\[(\"]*"
_AFTER = re.compile(r"[*_`~]*+[\])\"]?[*_`~]*+(?P<mark>\s*+[:.|)–—-]++)?[*_`~]*+(?:\s++|$)")
_STRONG = re.compile(r"^(?:\[[ xX]\]\s+)?(?:\*\*|__|`|\[)")
_MARKS = re.compile(r"\*\*|__|[*_`~\[(\"]")
_CLOSING: Final = {"[": "]", "(": ")"}
_SEPARATOR = re.compile(r"^\s*[:.|)–—-]*\s*")
_ANCHOR = re.compile(r"(?<!\s)\s*+\{#(?P<id>[^{}\s]++)\}\s*+$")
_DESIGN_PATH = re.compile(r"(?:^|[/_-])(?:design|architecture|hld|lld|sdd|sad)s?(?:[/._-]|$)", re.IGNORECASE)
_STARTS = re.compile(r"^(?:\[[xX]\]|<a\b[^>\n]*+>|\d++[.)]|[^\w\n])*+[A-Z][\w-]{1,60}|\{#[\w-]++\}", re.MULTILINE)
_SAYS = re.compile(
    r"satisf|implements|fulfill?s|covers|addresses|reali[sz]es|traces|requirements?[*_`]*\s*[:|]", re.IGNORECASE
)
_ADR = re.compile(r"^# +ADR\b", re.MULTILINE | re.IGNORECASE)
_SKIP = re.compile(
    r"(?:^|/)(?:change-?log|changes|history|news|releases?(?:[-_]notes)?|license|copying)\b", re.IGNORECASE
)


def read(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """The definitions in the Markdown file at `path`. `named`: it is configured as a source of requirements."""
    if not named and not may_define(path, text, ids):
        return Document()
    head, body, before = split(text)
    problems: list[tuple[int, str]] = []
    meta: dict[str, Any] = {}
    if head:
        try:
            meta = mapping(head)
        except YamlError as error:
            problems.append((error.line + 1, f"front matter: {error}"))
    found = blocks("\n" * before + body)
    lines = text.split("\n")
    title = next((fields.plain(b.content) for b in found if b.kind == "heading"), "")
    record = decision_record(path, found, lines, meta, ids)
    if record is not None:
        return Document((record,), (), named, title, tuple(problems))
    whole = _from_front_matter(meta, body, before, ids, title)
    if whole is not None:
        return Document((whole,), (), named, title, tuple(problems))
    items: list[Item] = []
    traces: list[Trace] = []
    for header, rows in _tables(found):
        stated, traced = tables.read_table(header, rows, ids, named)
        items += stated
        traces += traced
    in_rows = {item.line: item.id for item in items}
    defined = [in_rows.get(b.line + 1, "") if b.kind == "row" else _definition(b, ids) for b in found]
    # Rows and definitions belong to themselves, not to their section.
    taken = {
        line
        for block, own in zip(found, defined, strict=True)
        if block.kind == "row" or (own and block.kind != "heading")
        for line in range(block.line, block.end)
    }
    for number, (block, own) in enumerate(zip(found, defined, strict=True)):
        if own and block.kind != "row":
            items.append(_item(found, defined, number, lines, own, ids, named))
        elif block.kind == "heading":
            section = _section(path, found, defined, number, lines, taken, ids)
            if section is not None:
                items.append(section)
    items.sort(key=lambda item: item.line)
    # Front matter of templates and other tools is not reported.
    told = tuple(problems) if named or items else ()
    return Document(tuple(items), tuple(traces), named, title, told)


def may_define(path: str, text: str, ids: IdPattern) -> bool:
    """Whether a file that is not configured is worth parsing: most Markdown is not."""
    if is_in_record_folder(path) or _ADR.search(text):
        return True
    if _SKIP.search(path) or (not ids.is_in(text) and "\nid:" not in text):
        return False
    if _DESIGN_PATH.search(path) or _SAYS.search(text) or text.startswith("---"):
        return True
    return any(ids.is_in(start[0]) for start in _STARTS.finditer(text))


def _tables(found: list[Block]) -> Iterator[tuple[tuple[str, ...], list[tuple[int, tuple[str, ...]]]]]:
    by_group: dict[int, list[Block]] = {}
    for block in found:
        if block.kind == "row":
            by_group.setdefault(block.group, []).append(block)
    for rows in by_group.values():
        yield rows[0].header, [(row.line + 1, row.cells) for row in rows if not row.linked]


def _definition(block: Block, ids: IdPattern) -> str:
    """The id that `block` defines; "" where it begins with none, or only refers to one."""
    if block.linked or block.kind == "row":
        return ""
    content = block.content
    anchor = _ANCHOR.search(content) if block.kind == "heading" else None
    if anchor is not None and ids.is_id(anchor["id"]):
        return anchor["id"]
    start = re.match(_BEFORE + _OPEN, content)
    at = start.end() if start else 0
    end = ids.end_of(content, at)
    if end < 0:
        return ""
    own = content[at:end]
    after = _AFTER.match(content, end)
    if after is None:
        return ""
    rest = content[after.end() :]
    if block.kind == "heading":
        return own
    # "REQ-1, REQ-2" and "REQ-1" alone are references; a definition has a statement after its id.
    if re.match(r"[\s,;]*(?:and\b|&|/)", content[end:]) or len(fields.plain(rest).split()) < 2:
        return ""
    if block.kind == "paragraph" and not (after["mark"] or _STRONG.match(content)):
        return ""
    return own


def _item(
    found: list[Block], defined: list[str], number: int, lines: list[str], own: str, ids: IdPattern, sure: bool
) -> Item:
    block = found[number]
    title, rest = _title_and_rest(block.content, own)
    end = _end(found, defined, number)
    if block.kind == "heading":
        heading = _ANCHOR.sub("", block.content)
        title = fields.plain(_ANCHOR.sub("", f"{title} {rest}") if own in heading else heading)
        start = block.end
        text = "\n".join(lines[start:end])
    else:
        start = block.line
        text = "\n".join([*rest.split("\n"), *lines[start + block.content.count("\n") + 1 : end]])
    inner = fields.read_fields(text, start + 1, ids, own)
    return Item(
        kind="design" if names_design(own) else "requirement",
        id=own,
        line=block.line + 1,
        title=inner.title or title or fields.first_sentence(inner.text) or own,
        text=(inner.text or title)[:MAX_TEXT],
        status=inner.status,
        priority=inner.priority,
        links=(*inner.links, *fields.mentions(text, start + 1, ids, own, inner.links)),
        sure=sure,
    )


def _title_and_rest(content: str, own: str) -> tuple[str, str]:
    """The statement after a leading id, and before it the title, where the markup opened before the id closes after
    more words (`**REQ-1: Login** The user …`)."""
    start = re.match(_BEFORE, content)
    at = content.find(own, start.end() if start else 0)
    marks = _MARKS.findall(content[start.end() if start else 0 : at])
    rest = content[at + len(own) :]
    while marks and rest.startswith(_CLOSING.get(marks[-1], marks[-1])):
        rest = rest[len(marks.pop()) :]
    rest = _SEPARATOR.sub("", rest)
    title = ""
    for mark in reversed(marks):
        closing = _CLOSING.get(mark, mark)
        inside, found, after = rest.partition(closing)
        if found and "\n" not in inside:
            title, rest = inside, _SEPARATOR.sub("", after)
    return fields.plain(title).rstrip(":. "), rest


def _end(found: list[Block], defined: list[str], number: int) -> int:
    """The line (0-based, exclusive) at which the definition in block `number` ends: its own end, or the next definition
    if that comes first; for a heading the next heading of the same or a higher level."""
    block = found[number]
    limit = block.end if block.kind != "heading" else 1 << 30
    for later, own in zip(found[number + 1 :], defined[number + 1 :], strict=True):
        if later.line >= limit:
            break
        if own or (block.kind == "heading" and later.kind == "heading" and later.level <= block.level):
            return later.line
    return limit


def _section(
    path: str,
    found: list[Block],
    defined: list[str],
    number: int,
    lines: list[str],
    taken: set[int],
    ids: IdPattern,
) -> Item | None:
    """A design section: one that lists the requirements it satisfies, or names some in a design document."""
    block = found[number]
    end = next((later.line for later in found[number + 1 :] if later.kind == "heading"), len(lines))
    end = min(end, _end(found, defined, number))
    text = "\n".join("" if at in taken else lines[at] for at in range(block.end, min(end, len(lines))))
    if not ids.is_in(text):
        return None
    inner = fields.read_fields(text, block.end + 1, ids)
    declared = tuple(link for link in inner.links if link.role == "declared")
    is_design = _DESIGN_PATH.search(path) is not None
    links: tuple[Link, ...] = declared
    if is_design:
        links += tuple(fields.mentions(text, block.end + 1, ids, "", declared))
    if not links:
        return None
    title = fields.plain(_ANCHOR.sub("", block.content))
    return Item(
        kind="section",
        id="",
        line=block.line + 1,
        title=title,
        text=inner.text[:MAX_TEXT],
        status=inner.status,
        links=links,
        slug=fields.slug(title),
        sure=is_design,
    )


def _from_front_matter(meta: dict[str, Any], body: str, before: int, ids: IdPattern, title: str) -> Item | None:
    """The single item of a file with `id:` in its front matter."""
    own = as_text(meta.get("id") or meta.get("uid"))
    kind = as_text(meta.get("type") or meta.get("kind")).lower()
    if not own or not (ids.is_id(own) or kind in ("requirement", "design", "req", "spec")):
        return None
    inner = fields.read_fields(body, before + 1, ids, own)
    links: list[Link] = []
    for key, value in meta.items():
        role = "parent" if fields.key_of(key) in fields.PARENT else "declared"
        if fields.key_of(key) in fields.PARENT | fields.SATISFIES:
            for target in value if isinstance(value, list) else re.split(r"[,\s]+", as_text(value)):
                links.append(Link(as_text(target), role, 1, f"{key}: {as_text(target)}"))
    return Item(
        kind="design" if kind == "design" or names_design(own) else "requirement",
        id=own,
        line=1,
        title=as_text(meta.get("title")) or inner.title or title or own,
        text=inner.text[:MAX_TEXT],
        status=fields.value_of(as_text(meta.get("status"))) or inner.status,
        priority=fields.value_of(as_text(meta.get("priority"))) or inner.priority,
        links=(*links, *inner.links),
    )
