"""Search everywhere: what is called so, or speaks of it. The overlay of every page asks for data, without script the
form in the frame leads to a page."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from loregraph.errors import LoregraphError
from loregraph.pages.found import TITLES, Group, Result, in_order, named_groups, result_of
from loregraph.pages.names import BEGINNING, LONGEST_QUERY, SPREAD, WORD, Match, NameIndex, exported_names
from loregraph.pages.node_address import address_of
from loregraph.pages.page import Data, Page
from loregraph.viewer.asked import Asked
from loregraph.viewer.frame import navigation

WHILE_TYPING: Final = 7
"""Results of a group while somebody types."""
ON_THE_PAGE: Final = 40
SHORTEST_WORDS: Final = 3
"""Characters of a query that is looked up in texts, too."""


def find_data(asked: Asked) -> Data:
    """`{"query", "groups": [{"name", "title", "results", "total"}]}` for the overlay; nothing for an empty query, which
    makes the index ready for the next."""
    query = asked.value("q")[:LONGEST_QUERY]
    return Data({"query": query, "groups": found(asked, query, WHILE_TYPING)})


def names_data(asked: Asked) -> Data:
    """All names, for the search of an export, where nobody answers."""
    index = name_index(asked)
    return Data(exported_names(index, index.columns, lambda node: address_of(asked.links, index.columns, node)))


def find_page(asked: Asked) -> Page:
    query = asked.value("q")
    values: dict[str, Any] = {
        "query": query,
        "groups": found(asked, query[:LONGEST_QUERY], ON_THE_PAGE),
        "is_cut": len(query) > LONGEST_QUERY,
        "longest": LONGEST_QUERY,
    }
    return Page(f"Search: {query[:60]}" if query else "Search", "find.html", values)


# Implements REQ-WEB-009.
def found(asked: Asked, query: str, most: int) -> list[Group]:
    """What `query` finds, at most `most` of each kind. While somebody types, texts are only looked at where few names
    match."""
    index = name_index(asked)
    if not query:
        return []
    groups = named_groups(index.find(query, most), index.columns, asked.links)
    groups.append(_pages(asked, query))
    if len(query) >= SHORTEST_WORDS:
        known = {result.address for group in groups for result in group.results}
        groups.append(_memories(asked, query, most))
        if most > WHILE_TYPING or len(known) < WHILE_TYPING:
            groups.append(_by_words(asked, index, query, most, known))
    return in_order(groups)


def name_index(asked: Asked) -> NameIndex:
    """The names of the graph that is shown; made once for it."""
    from loregraph.indexer.languages.registry import is_test_path

    return asked.kept.get("name index", lambda: NameIndex(asked.project.reader().columns, is_test_path))


def _pages(asked: Asked, query: str) -> Group:
    wanted = query.lower()
    entries = [(label, address) for _, label, address in navigation(asked.links) if address]
    hits = tuple(Result(label, "page", "", address) for label, address in entries if label.lower().startswith(wanted))
    return Group("pages", TITLES["pages"], hits, len(hits), BEGINNING)


def _by_words(asked: Asked, index: NameIndex, query: str, most: int, known: set[str]) -> Group:
    """What `Project.search` finds by words alone: a model would take longer than somebody types."""
    results = []
    for hit in asked.project.search(query, mode="lexical", limit=most):
        node = index.columns.find_id(hit.id)
        if node is not None:
            result = result_of(Match(node, SPREAD), index.columns, asked.links)
            if result.address not in known:
                results.append(result)
    return Group("words", TITLES["words"], tuple(results), len(results))


def _memories(asked: Asked, query: str, most: int) -> Group:
    results: list[Result] = []
    total = 0
    # Journals that cannot be read are no reason to find nothing else.
    with suppress(LoregraphError):
        page = asked.project.memory.page(search=query, limit=most)
        total = page.total
        for one in page.memories:
            memory = one.memory
            title = " ".join(memory.content[:200].split())[:110]
            results.append(Result(title, memory.kind, ", ".join(memory.tags), asked.links.memory(memory.id)))
    return Group("memories", TITLES["memories"], tuple(results), total, WORD if results else SPREAD)
