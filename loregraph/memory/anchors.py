"""Anchors of memories in the graph: resolution, staleness (changed code), and distances."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

from loregraph.errors import AmbiguousSymbolError
from loregraph.graph.groups import Symbols, group_of
from loregraph.graph.model import GUESSED
from loregraph.memory.record import Memory, is_memory_id

HAS_NO_CONTENT: Final = "-"
"""The hash of nodes without content: components, external symbols."""
MAX_HOPS: Final = 3
MAX_VISITED: Final = 5_000
MOST_KNOWN: Final = 100_000
"""Anchors of a graph whose hashes are kept: finding one takes 80 µs, and a list of memories asks for all of them."""


class Code(Symbols, Protocol):
    """The part of `graph.columns.GraphColumns` that is needed."""

    @property
    def source(self) -> Any: ...
    @property
    def target(self) -> Any: ...
    def find_symbol(self, text: str, /) -> list[int]: ...
    def out(self, node: int, /) -> Any: ...
    def into(self, node: int, /) -> Any: ...
    def rel(self, edge: int, /) -> str: ...


_UNKNOWN: Final = "?"
"""In place of a hash: not asked for yet. No hash looks like this."""
_KNOWN: Final[WeakKeyDictionary[Code, dict[str, str | None]]] = WeakKeyDictionary()


def resolve_anchors(anchors: Iterable[str], code: Code | None) -> tuple[str, ...]:
    """`anchors` as unique ids of the graph: ids as they are, names by the only symbol with the name. An id without a
    number denotes all definitions of its symbol.

    An anchor that is not in the graph is kept as it is. Raises AmbiguousSymbolError for a name of several symbols.
    """
    found: dict[str, None] = {}
    for anchor in anchors:
        found[anchor if code is None else _resolved(anchor, code)] = None
    return tuple(found)


def _resolved(anchor: str, code: Code) -> str:
    if is_memory_id(anchor) or code.find_id(anchor) is not None:
        return anchor
    nodes = [node for node in code.find_symbol(anchor) if code.label(node) != "Memory"]
    symbols = list(dict.fromkeys(code.id(group_of(code, node, anchor)[0]) for node in nodes))
    if len(symbols) > 1:
        raise AmbiguousSymbolError(f"{len(symbols)} symbols are called {anchor!r}", symbols, "name one by its id")
    return symbols[0] if symbols else anchor


def hashes_of(anchors: Iterable[str], code: Code | None) -> dict[str, str]:
    """The content hash of each anchor that is in the graph."""
    if code is None:
        return {}
    found = ((anchor, content_hash(anchor, code)) for anchor in anchors)
    return {anchor: digest for anchor, digest in found if digest is not None}


def content_hash(anchor: str, code: Code) -> str | None:
    """The hash of the content of `anchor`, all its definitions; None where the graph does not have it."""
    known = _KNOWN.setdefault(code, {})
    found = known.get(anchor, _UNKNOWN)
    if found is _UNKNOWN:
        if len(known) >= MOST_KNOWN:
            known.clear()
        found = known[anchor] = _content_hash(anchor, code)
    return found


def _content_hash(anchor: str, code: Code) -> str | None:
    node = code.find_id(anchor)
    if node is None:
        return None
    hashes = [_own_hash(one, code) for one in group_of(code, node, anchor)]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:32]


def _own_hash(node: int, code: Code) -> str:
    if digest := code.own(node, "content_hash"):
        return str(digest)
    if text := code.own(node, "text"):
        return hashlib.sha256(str(text).encode("utf-8", "replace")).hexdigest()[:32]
    return HAS_NO_CONTENT


# Implements REQ-MEM-004.
def stale_anchors(memory: Memory, code: Code | None) -> tuple[str, ...]:
    """The anchors that have changed since they were confirmed, or are gone.

    Without a graph none is known to be stale. An anchor that was never in the graph is stale until it is.
    """
    if code is None:
        return ()
    return tuple(anchor for anchor in memory.anchors if _is_stale(anchor, memory.anchor_hashes, code))


def _is_stale(anchor: str, confirmed: Mapping[str, str], code: Code) -> bool:
    if is_memory_id(anchor):
        return False
    now = content_hash(anchor, code)
    return now is None or confirmed.get(anchor, now) != now


def missing(targets: Iterable[str], code: Code | None) -> tuple[str, ...]:
    """The `targets` that are not in the graph; none without a graph."""
    return () if code is None else tuple(target for target in targets if code.find_id(target) is None)


def hops_from(symbols: Iterable[str], code: Code | None) -> dict[str, int]:
    """The distance of each id around `symbols` in edges of any kind, guesses apart, and direction: at most 3, nearest
    ones first."""
    if code is None:
        return {}
    named = ((symbol, node) for symbol in symbols if (node := code.find_id(symbol)) is not None)
    start = [one for symbol, node in named for one in group_of(code, node, symbol)]
    distance = dict.fromkeys(start, 0)
    frontier = list(distance)
    for hop in range(1, MAX_HOPS + 1):
        following: list[int] = []
        for node in frontier:
            near = [
                *(int(code.target[edge]) for edge in code.out(node).tolist() if code.rel(edge) not in GUESSED),
                *(int(code.source[edge]) for edge in code.into(node).tolist() if code.rel(edge) not in GUESSED),
            ]
            for other in near:
                if other not in distance:
                    distance[other] = hop
                    following.append(other)
            if len(distance) > MAX_VISITED:
                return {code.id(node): hops for node, hops in distance.items()}
        frontier = following
    return {code.id(node): hops for node, hops in distance.items()}
