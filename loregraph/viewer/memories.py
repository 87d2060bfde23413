"""What people and agents wrote down: the list, and one memory with its versions. What changes them is in
`memory_actions`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from loregraph.errors import LoregraphError, NotIndexedError, StoreError, UnsupportedError
from loregraph.memory.answers import Found
from loregraph.memory.graph_nodes import belongs_in_graph
from loregraph.memory.questions import MAX_PAGE
from loregraph.memory.reading import not_found
from loregraph.memory.record import KINDS, Memory, is_memory_id, title_of
from loregraph.pages.memories import (
    Place,
    Row,
    anchor_of,
    by_place,
    row_of,
    said,
    scope_of,
    text_of,
    time_of,
    versions_of,
)
from loregraph.pages.memory_form import MemoryForm, form_of, new_form
from loregraph.pages.page import Page
from loregraph.pages.word_differences import word_differences
from loregraph.viewer.asked import Asked

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.memory.answers import Relation
    from loregraph.memory.api import ProjectMemory

ON_A_PAGE: Final = 50
BY_PLACE: Final = 300
"""Memories on a page by what they are about: each stands there once for each of its anchors."""
EXPORTED: Final = 500
"""Memories on the page of an export, which has one: the rest is counted."""
FILTERS: Final = ("q", "kind", "scope", "tag", "state", "stale", "anchor")
STATES: Final = ("active", "archived", "deleted", "all")
FARTHEST: Final = 1_000_000


# Implements REQ-WEB-008.
def memories_page(asked: Asked) -> Page:
    """Memories by a question or by their fields, those whose code changed first; or by where they are anchored."""
    return list_page(asked, new_form(asked.value("anchor")))


def list_page(asked: Asked, adding: MemoryForm, *, error: LoregraphError | None = None) -> Page:
    """The list with the form for a new memory, which is open where it was refused with `error`."""
    memory = asked.project.memory
    columns = columns_of(asked)
    chosen = {name: asked.value(name) for name in FILTERS} if error is None else dict.fromkeys(FILTERS, "")
    by = asked.value("by") if error is None else ""
    offset = asked.number("offset", 0, FARTHEST) if error is None else 0
    most = (BY_PLACE if by else ON_A_PAGE) if asked.writes else MAX_PAGE
    listed, total, note = _listed(asked, chosen, offset, most)
    if not asked.writes:
        # An export is for others to read: only what everyone in the project sees.
        listed = [found for found in listed if belongs_in_graph(found.memory)]
        total = len(listed)
        listed = listed[:EXPORTED]
    rows = [row_of(found, columns, asked.links) for found in listed]
    stats = memory.stats()
    values: dict[str, Any] = {
        "rows": rows,
        "places": by_place(rows, asked.links) if by else list[Place](),
        "unplaced": [row for row in rows if not row.anchors] if by else list[Row](),
        "by": by,
        "chosen": chosen,
        "is_filtered": any(chosen.values()),
        "total": total,
        "shown": len(rows),
        "note": note,
        "stats": stats,
        "counted": stats.total if asked.writes else total,
        "stale": stats.stale if asked.writes else sum(found.stale for found in listed),
        "deleted": len(memory.deleted()),
        "kinds": KINDS,
        "states": STATES,
        "author": memory.author,
        "address": lambda **changes: _address(asked, chosen, by, changes),
        "earlier": _address(asked, chosen, by, {"offset": max(0, offset - most)}) if offset else "",
        "later": _address(asked, chosen, by, {"offset": offset + len(rows)}) if offset + len(rows) < total else "",
        "form": adding,
        "error": error,
    }
    return Page("Memories", "memories.html", values, "memories", 200 if error is None else 400)


def _address(asked: Asked, chosen: Mapping[str, str], by: str, changes: Mapping[str, object]) -> str:
    return asked.links.memories(**{**chosen, "by": by, **changes})


def _listed(asked: Asked, chosen: Mapping[str, str], offset: int, most: int) -> tuple[list[Found], int, str]:
    """The memories that were asked for, the number of all, and what to know of how they were found."""
    memory = asked.project.memory
    kinds = (chosen["kind"],) if chosen["kind"] else ()
    tags = (chosen["tag"],) if chosen["tag"] else ()
    state = chosen["state"] or "active"
    if state == "deleted":
        gone = [Found(memory=one) for one in memory.deleted() if _fits(one, chosen)]
        return gone[offset : offset + most], len(gone), ""
    if chosen["q"] and state == "active" and not (chosen["stale"] or chosen["anchor"]):
        scope = chosen["scope"] or "all"
        answer = memory.search(chosen["q"], kinds=kinds, tags=tags, scope=scope, limit=min(MAX_PAGE, offset + most))
        hits = [
            Found(memory=hit.memory, stale=hit.stale, superseded_by=hit.superseded_by)
            for hit in answer.results[offset:]
        ]
        return hits, answer.total, f"by words alone: {answer.note}" if answer.note else ""
    selection = {
        "kinds": kinds,
        "tags": tags,
        "scope": chosen["scope"] or None,
        "search": chosen["q"],
        "anchor": chosen["anchor"],
        "archived": {"active": False, "archived": True}.get(state),
    }
    return (*_stale_first(memory, selection, bool(chosen["stale"]), offset, most), "")


def _stale_first(
    memory: ProjectMemory, selection: Mapping[str, Any], only_stale: bool, offset: int, most: int
) -> tuple[list[Found], int]:
    stale = memory.page(**selection, stale=True, offset=offset, limit=most)
    if only_stale:
        return list(stale.memories), stale.total
    room = most - len(stale.memories)
    others = memory.page(**selection, stale=False, offset=max(0, offset - stale.total), limit=max(1, room))
    return [*stale.memories, *others.memories[:room]], stale.total + others.total


def _fits(memory: Memory, chosen: Mapping[str, str]) -> bool:
    return (
        chosen["kind"] in ("", memory.kind)
        and chosen["scope"] in ("", "all", memory.scope)
        and (not chosen["tag"] or chosen["tag"].lower() in memory.tags)
        and all(word in memory.content.lower() for word in chosen["q"].lower().split())
    )


# Implements REQ-WEB-008.
def memory_page(asked: Asked) -> Page:
    """One memory: its text, what it is about and whether that changed, its links and versions."""
    return one_page(asked, asked.project.memory.full_id(asked.value("id")))


def one_page(
    asked: Asked,
    memory_id: str,
    *,
    form: MemoryForm | None = None,
    error: LoregraphError | None = None,
    meanwhile: Memory | None = None,
) -> Page:
    """The page of a memory. `form` has what somebody wrote and could not be stored because of `error`; where that is a
    change by somebody else, `meanwhile` is the version that both were made from. Raises NotFoundError."""
    memory, columns = asked.project.memory, columns_of(asked)
    history = _history(memory, memory_id)
    present = history[-1] if history else memory.found(memory_id, touch=False).memory
    if not asked.writes and not belongs_in_graph(present):
        raise not_found(memory_id)
    is_deleted = present.state == "deleted"
    found = Found(memory=present) if is_deleted else memory.found(memory_id, relationships=True, touch=False)
    may_change = asked.writes and memory.may_change(found.memory)
    # Older versions may hold what was taken out for good reason: they are not for an export.
    versions, older = versions_of(history, may_change) if asked.writes else ([], 0)
    one = found.memory
    kept = [version for version in history if version.state != "deleted"]
    values = {
        "memory": one,
        "row": row_of(found, columns, asked.links),
        "text": text_of(one),
        "scope": scope_of(one),
        "created": time_of(one.created_at),
        "accessed": time_of(one.accessed_at),
        "metadata": [(name, said(value)) for name, value in sorted(one.metadata.items())],
        "anchors": [anchor_of(anchor, one.anchor_hashes, columns, asked.links) for anchor in one.anchors],
        "links_from_it": _named(asked, (link for link in found.relationships or () if link.direction == "outgoing")),
        "links_to_it": _named(asked, (link for link in found.relationships or () if link.direction != "outgoing")),
        "superseded_by": [(each, asked.links.memory(each)) for each in found.superseded_by],
        "is_deleted": is_deleted,
        "restorable": kept[-1].version if is_deleted and kept else 0,
        "may_change": may_change,
        "owner": one.agent_id if one.scope == "agent" else one.user_id or one.session_id,
        "versions": versions,
        "older": older,
        "form": form or form_of(one),
        "error": error,
        "theirs": () if meanwhile is None else word_differences(meanwhile.content, one.content),
        "own": () if meanwhile is None or form is None else word_differences(one.content, form.content),
        "kinds": KINDS,
    }
    status = 200 if error is None else 409 if meanwhile is not None else 400
    return Page(title_of(one.content), "memory.html", values, "memories", status)


def _history(memory: ProjectMemory, memory_id: str) -> list[Memory]:
    """Every version, deleted memories' too; none with a backend that keeps no versions."""
    try:
        return memory.history(memory_id)
    except UnsupportedError:
        return []


def _named(asked: Asked, relations: Any) -> list[tuple[Relation, str, str]]:
    """(link, what it leads to, the address): a memory by its text, anything else is among the anchors."""
    found = []
    for link in relations:
        if is_memory_id(link.target_id):
            found.append((link, _title(asked.project.memory, link.target_id), asked.links.memory(link.target_id)))
        elif link.type != "ABOUT":
            found.append((link, link.target_id, ""))
    return found


def _title(memory: ProjectMemory, memory_id: str) -> str:
    """The first line of a memory; its id where it is gone, or not for this viewer."""
    try:
        return title_of(memory.get(memory_id, touch=False).content)
    except LoregraphError:
        return memory_id


def columns_of(asked: Asked) -> GraphColumns | None:
    """The graph; None without one, which memories can do without."""
    try:
        return asked.project.reader().columns
    except (NotIndexedError, StoreError):
        return None
