"""Tables that define requirements and traceability tables, in Markdown and CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.fields import key_of, plain
from loregraph.indexer.requirements.ids import IdPattern, names_design
from loregraph.indexer.requirements.model import MAX_TEXT, Item, Link, Trace, quoted

_ID: Final = frozenset(
    {"id", "req", "req id", "reqid", "requirement id", "identifier", "nr", "no", "key", "uid", "number"}
)
_TEXT: Final = frozenset({"description", "text", "statement", "requirement", "requirement text", "shall", "definition"})
_CODE: Final = frozenset(
    {
        "code",
        "implementation",
        "implementations",
        "implemented in",
        "implemented by",
        "source",
        "sources",
        "source file",
    }
    | {"file", "files", "module", "modules", "function", "functions", "symbol", "symbols", "class", "classes", "path"}
    | {"component", "components", "source code", "where", "method", "methods"}
)
_TEST: Final = frozenset(
    {"test", "tests", "test case", "test cases", "verification", "verified by", "verified in", "tested by", "tested in"}
    | {"test file", "unit test", "unit tests", "test id"}
)
_DESIGN: Final = frozenset({"design", "designs", "adr", "adrs", "decision", "decisions", "architecture", "design id"})
_PATH_LIKE = re.compile(
    r"[\w.@+-]+(?:/[\w.@+-]+)+/?(?:::[\w.#<>~]+)?|[\w.-]+\.[A-Za-z]{1,4}(?:::[\w.#<>~]+)?|[\w.]+::[\w.:]+"
)
_NOTHING: Final = frozenset({"", "-", "–", "—", "n/a", "na", "none", "tbd", "todo", "?", "x", "✓", "✔", "yes", "no"})
_LINKED = re.compile(r"\[([^\[\]]*+)\]\([^)\[]*+\)")
_SPLIT = re.compile(r",|;|<br\s*+/?>|\n|\s&\s|\s\+\s")

Rows = Sequence[tuple[int, Sequence[str]]]
"""(line, cells) of each row."""


def read_table(header: Sequence[str], rows: Rows, ids: IdPattern, sure: bool) -> tuple[list[Item], list[Trace]]:
    """The definitions in a table and its links to code.

    `sure`: the document is known to define requirements.
    """
    roles = _roles(header)
    items: list[Item] = []
    traces: list[Trace] = []
    id_column = _id_column(roles, rows, ids)
    traced = {"code", "test"} & set(roles)
    for line, cells in rows:
        row = quoted(" | ".join(cells))
        own = _only_id(cells[id_column], ids) if id_column is not None and id_column < len(cells) else ""
        item = _item(roles, cells, line, own, id_column, ids, sure) if own else None
        if item is not None and (item.text or not traced):
            items.append(item)
        places, named = _places(roles, cells, id_column, ids)
        targets = (own,) if own else _only_ids(roles, cells, ids)
        if places and targets:
            traces.append(Trace(tuple(targets), tuple(places), line, row, named))
    return items, traces


def _roles(header: Sequence[str]) -> list[str]:
    """The content of each column: id, title, text, status, priority, code, test, design, parent, links, or ""."""
    roles: list[str] = []
    for label in header:
        key = key_of(plain(label))
        role = next(
            (
                name
                for name, keys in (
                    ("id", _ID),
                    ("title", fields.TITLE),
                    ("text", _TEXT),
                    ("status", fields.STATUS),
                    ("priority", fields.PRIORITY),
                    ("code", _CODE),
                    ("test", _TEST),
                    ("design", _DESIGN),
                    ("parent", fields.PARENT),
                    ("links", fields.SATISFIES),
                )
                if key in keys
            ),
            "",
        )
        roles.append(role if role not in roles or role in ("code", "test", "design", "links", "parent", "") else "")
    return roles


def _id_column(roles: Sequence[str], rows: Rows, ids: IdPattern) -> int | None:
    """The column of ids: by its heading, else the first with one id in all but few rows."""
    if "id" in roles:
        return roles.index("id")
    width = max((len(cells) for _, cells in rows), default=0)
    for column in range(min(width, 2)):
        if column < len(roles) and roles[column] in ("code", "test", "design", "links", "parent"):
            continue
        full = [cells[column] for _, cells in rows if column < len(cells) and cells[column].strip()]
        if full and sum(bool(_only_id(cell, ids)) for cell in full) * 2 > len(full):
            return column
    return None


def _only_id(cell: str, ids: IdPattern) -> str:
    """The id that is the whole cell, apart from markup; "" for any other cell."""
    text = plain(cell).strip("[]() ")
    return text if ids.is_id(text) else ""


def _only_ids(roles: Sequence[str], cells: Sequence[str], ids: IdPattern) -> list[str]:
    """The ids of cells that contain nothing else."""
    found: list[str] = []
    for column, cell in enumerate(cells):
        if column < len(roles) and roles[column] in ("code", "test", "title"):
            continue
        named = ids.ids(cell)
        if named and not re.sub(r"[\s,;`*\[\]()]|<br\s*/?>|and|\.\.", "", ids.without(cell)):
            found += named
    return list(dict.fromkeys(found))


def _item(
    roles: Sequence[str], cells: Sequence[str], line: int, own: str, id_column: int | None, ids: IdPattern, sure: bool
) -> Item | None:
    values: dict[str, str] = {}
    others: list[str] = []
    links: list[Link] = []
    row = quoted(" | ".join(cells))
    for column, cell in enumerate(cells):
        role = roles[column] if column < len(roles) else ""
        if column == id_column or not cell.strip():
            continue
        if role in ("title", "text", "status", "priority"):
            values[role] = cell.strip()
        elif role in ("parent", "links", "design"):
            links += [
                Link(i, "parent" if role == "parent" else "declared", line, row) for i in ids.ids(cell) if i != own
            ]
        elif role == "":
            others.append(cell.strip())
    text = values.get("text") or " ".join(others)
    title = plain(values.get("title", ""))
    if not (text or title):
        return None
    inner = fields.read_fields(text, line, ids, own)
    return Item(
        kind="design" if names_design(own) else "requirement",
        id=own,
        line=line,
        title=title or fields.first_sentence(inner.text),
        text=(inner.text or title)[:MAX_TEXT],
        status=fields.value_of(values.get("status", "")) or inner.status,
        priority=fields.value_of(values.get("priority", "")) or inner.priority,
        links=tuple(dict.fromkeys((*links, *inner.links))),
        sure=sure,
    )


def _places(
    roles: Sequence[str], cells: Sequence[str], id_column: int | None, ids: IdPattern
) -> tuple[list[str], bool]:
    """The code named by cells, and whether the heading declares that they name code."""
    named: list[str] = []
    guessed: list[str] = []
    for column, cell in enumerate(cells):
        role = roles[column] if column < len(roles) else ""
        if column == id_column:
            continue
        if role in ("code", "test"):
            named += [place for place in _cell_places(cell) if not ids.is_id(place)]
        elif role == "":
            places = list(_cell_places(cell))
            if places and all(_PATH_LIKE.fullmatch(place) and not ids.is_id(place) for place in places):
                guessed += places
    return (named, True) if named else (guessed, False)


def _cell_places(cell: str) -> Iterator[str]:
    for part in _SPLIT.split(cell):
        place = _LINKED.sub(r"\1", part.strip()).strip(" `*'\"").removesuffix("()").removeprefix("./")
        if place.lower() not in _NOTHING:
            yield place
