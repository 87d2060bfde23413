"""Merges two memories: duplicates, and imported versions of known memories."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import msgspec

from loregraph.memory.record import MAX_LINKS, MAX_TAGS, Memory, moment, timestamp

_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")
_DECIDES: Final = re.compile(
    r"not|no|never|none|nor|neither|without|avoid|stop|don|cannot|unless|except|only|instead|always|must|may|should|"
    r"before|after|above|below|more|less|least|most|first|last|true|false|on|off|enable[ds]?|disable[ds]?|allow(ed|s)?|"
    r"forbid(den|s)?|deny|denied|remove[ds]?|add(ed|s)?|\w+n['’]?t|[^\W\d]*+\d\w*",
    re.IGNORECASE,
)
"""Words, and everything with a digit, that must be equal in two texts with the same meaning."""


def says_the_same(a: str, b: str) -> bool:
    """Whether two nearly equal texts may be merged: they differ in no number and no word that changes the meaning."""
    left, right = _words(a), _words(b)
    differing = (left - right) + (right - left)
    if any(_DECIDES.fullmatch(word) for word in differing):
        return False
    # A replaced word may mean something entirely different; added or removed words do not.
    return not (left - right) or not (right - left)


def _words(text: str) -> Counter[str]:
    return Counter(word.lower() for word in _WORD.findall(text))


def merged(kept: Memory, other: Memory, *, accesses: int) -> Memory:
    """`kept` with the additions of `other`: the longer content, the union of metadata (the later one's where both have
    a key), tags and links, the earlier creation, the higher importance. `accesses` is the count of both together."""
    later, earlier = (kept, other) if moment(kept.updated_at) >= moment(other.updated_at) else (other, kept)
    return msgspec.structs.replace(
        kept,
        content=max((kept.content, other.content), key=len),
        category=kept.category or other.category,
        tags=tuple(dict.fromkeys([*kept.tags, *other.tags]))[:MAX_TAGS],
        metadata={**earlier.metadata, **later.metadata},
        importance=max(kept.importance, other.importance),
        anchors=tuple(dict.fromkeys([*kept.anchors, *other.anchors]))[:MAX_LINKS],
        anchor_hashes={**earlier.anchor_hashes, **later.anchor_hashes},
        relationships=tuple(dict.fromkeys([*kept.relationships, *other.relationships]))[:MAX_LINKS],
        created_at=min((kept.created_at, other.created_at), key=moment),
        updated_at=timestamp(max(moment(kept.updated_at), moment(other.updated_at))),
        accessed_at=max((kept.accessed_at, other.accessed_at), key=moment),
        access_count=accesses,
    )
