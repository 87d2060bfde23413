"""StrictDoc's .sdoc: blocks of `FIELD: value` under `[ELEMENT]`, multi-line values between `>>>` and `<<<`.

Parsed here, since the format's own package is a whole documentation generator; the grammar is small and line-based.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.ids import IdPattern, names_design
from loregraph.indexer.requirements.model import MAX_TEXT, Document, Item, Link, Trace, quoted

_ELEMENT = re.compile(r"^\[\[?(?P<close>/)?(?P<name>[A-Z][A-Z0-9_]*)\]\]?\s*$")
_FIELD = re.compile(r"^(?P<key>[A-Z][A-Z0-9_]*):(?:\s(?P<value>.*))?$")
_ENTRY = re.compile(r"^\s*+(?:-\s++)?(?P<key>TYPE|VALUE|ROLE|FUNCTION|LINE_RANGE|FORMAT|CLASS):\s*+(?P<value>.*)$")
_NOT_ITEMS: Final = frozenset({"DOCUMENT", "GRAMMAR", "SECTION", "TEXT", "FREETEXT", "DOCUMENT_FROM_FILE", "ANCHOR"})
_STATEMENTS: Final = ("STATEMENT", "CONTENT", "DESCRIPTION", "RATIONALE")


class _Block(Struct):
    """One element: its name, its fields, and its relations in order."""

    name: str
    line: int
    values: dict[str, str]
    relations: list[tuple[int, dict[str, str]]]


def read(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """The requirements of an .sdoc file: every element with a UID that is not a section or text."""
    items: list[Item] = []
    traces: list[Trace] = []
    problems: list[tuple[int, str]] = []
    title = ""
    for block in _blocks(text, problems):
        if block.name == "DOCUMENT":
            title = block.values.get("TITLE", "")
        own = block.values.get("UID", "")
        if not own or block.name in _NOT_ITEMS:
            continue
        links = []
        for line, relation in block.relations:
            kind, value = relation.get("TYPE", ""), relation.get("VALUE", "")
            if kind == "File" and value:
                inner = relation.get("FUNCTION") or relation.get("CLASS")
                place = f"{value}::{inner}" if inner else value
                traces.append(Trace((own,), (place,), line, quoted(f"File: {place}")))
            elif value:
                # For a design, "Parent" is the requirement that it satisfies.
                role = "parent" if _kind(block, own) == "requirement" else "declared"
                links.append(Link(value, role, line, quoted(f"{kind}: {value}")))
        statement = next((block.values[key] for key in _STATEMENTS if block.values.get(key)), "")
        items.append(
            Item(
                kind=_kind(block, own),
                id=own,
                line=block.line,
                title=block.values.get("TITLE", "") or fields.first_sentence(statement),
                text=statement[:MAX_TEXT],
                status=fields.value_of(block.values.get("STATUS", "")),
                priority=fields.value_of(block.values.get("PRIORITY", "")),
                links=tuple(links),
            )
        )
    return Document(tuple(items), tuple(traces), named, title, tuple(problems))


def _kind(block: _Block, own: str) -> str:
    """The kind of an element by its name, which a document's own grammar may define."""
    if "DESIGN" in block.name or "ARCHITECTURE" in block.name or names_design(own):
        return "design"
    return "test_case" if "TEST" in block.name.split("_") else "requirement"


def _blocks(text: str, problems: list[tuple[int, str]]) -> Iterator[_Block]:
    current: _Block | None = None
    multiline = ""
    started = 0
    kept: list[str] = []
    listing = False
    for number, line in enumerate(text.split("\n"), 1):
        if multiline:
            if line.strip() == "<<<":
                if current is not None:
                    current.values.setdefault(multiline, "\n".join(kept).strip())
                multiline, kept = "", []
            else:
                kept.append(line)
            continue
        element = _ELEMENT.match(line)
        if element is not None:
            if current is not None:
                yield current
            current = None if element["close"] else _Block(element["name"], number, {}, [])
            listing = False
            continue
        if current is None:
            continue
        entry = _ENTRY.match(line) if listing else None
        if entry is not None:
            if line.lstrip().startswith("-"):
                current.relations.append((number, {}))
            if current.relations:
                current.relations[-1][1][entry["key"]] = entry["value"].rstrip()
            continue
        found = _FIELD.match(line)
        if found is None:
            continue
        key, value = found["key"], (found["value"] or "").strip()
        listing = key in ("RELATIONS", "REFS")
        if value == ">>>":
            multiline, started = key, number
        else:
            current.values.setdefault(key, value)
    if multiline:
        if current is not None:
            current.values.setdefault(multiline, "\n".join(kept).strip())
        problems.append((started, f"{multiline} begins with >>> and never ends with <<<"))
    if current is not None:
        yield current
