"""Fields within an item's text: `Status: planned`, `` `priority: high` ``, `Satisfies: REQ-1`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from loregraph.indexer.requirements.ids import LOOSE, IdPattern
from loregraph.indexer.requirements.model import Link, quoted

STATUS: Final = frozenset({"status", "state", "decision status"})
PRIORITY: Final = frozenset({"priority", "prio", "moscow", "importance"})
TITLE: Final = frozenset({"title", "name", "summary", "headline"})
PARENT: Final = frozenset(
    {"parent", "parents", "derived from", "derives from", "derives", "refines", "parent links", "upstream", "up links"}
)
SATISFIES: Final = frozenset(
    {"satisfies", "implements", "fulfils", "fulfills", "covers", "addresses", "realizes", "realises", "requirement"}
    | {"requirements", "traces to", "trace to", "traces", "links", "link", "related requirements", "refs"}
)
_KNOWN: Final = STATUS | PRIORITY | TITLE | PARENT | SATISFIES
_FIELD = re.compile(r"^[\s>|*+\-_`]*+(?P<key>[A-Za-z][A-Za-z _-]{1,24}?)[*_`]*+\s*+:[*_`]*+\s*+(?P<value>\S.*)$")
_INLINE = re.compile(r"[(\[]?`\s*+(?P<key>status|state|priority|prio)\s*+:\s*+(?P<value>[^`]++)`[)\]]?", re.IGNORECASE)
_INLINE_LINK = re.compile(
    r"(?:^|(?<=[\s(\[;,.*_`|]))(?P<key>(?:parents?|derived[ -]from|refines|satisfies|implements|fulfill?s|covers)"
    r"(?:[ -](?:links?|requirements?|reqs?|ids?))?)[*_`]*+\s*+:[*_`]*+\s*+",
    re.IGNORECASE,
)
_INLINE_PARENT = re.compile(r"parent|derived|refines", re.IGNORECASE)
_LISTED = re.compile(r"[\s,;&`'\"*({\[]*+(?:(?:and|or)\s++)?[`'\"*({\[]*+")
_LOOSE = re.compile(rf"(?<![\w-]){LOOSE}(?!\w|-\w)")
_MAX_LOOSE: Final = 100
"""Characters searched for an id that the pattern does not match."""
_MARKUP = re.compile(r"(?<!\w)[*_`~]+(?=\S)|(?<=\S)[*_`~]+(?!\w)|<[^<>]*+>")
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^)\[]*+\)")


class Fields(msgspec.Struct):
    """The fields found, and the text without them."""

    text: str = ""
    title: str = ""
    status: str = ""
    priority: str = ""
    links: tuple[Link, ...] = ()


def key_of(label: str) -> str:
    """A field's name, normalised for the sets above."""
    return " ".join(re.split(r"[\W_]+", label.strip().lower())).strip()


def value_of(text: str) -> str:
    """A status or priority without markup and final full stop, in lower case."""
    return plain(text).strip(" .;,").lower()


def plain(text: str) -> str:
    """Markdown as plain words: links by their text, emphasis and code without their marks."""
    return _MARKUP.sub("", _LINK.sub(r"\1", text)).strip()


def read_fields(text: str, line: int, ids: IdPattern, own: str = "") -> Fields:
    """The fields in `text`, whose first line is line `line` of the document; `own` is the item's id."""
    found = Fields()
    kept: list[str] = []
    links: list[Link] = []
    for offset, raw in enumerate(text.split("\n")):
        for inline in _INLINE.finditer(raw):
            _take(found, key_of(inline["key"]), inline["value"])
        left = _INLINE.sub("", raw)
        match = _FIELD.match(left)
        key = key_of(match["key"]) if match else ""
        if match is not None and key in _KNOWN:
            if key in STATUS | PRIORITY | TITLE:
                _take(found, key, match["value"])
                continue
            role = "parent" if key in PARENT else "declared"
            named = ids.ids(match["value"]) or _LOOSE.findall(match["value"][:_MAX_LOOSE])
            links += [Link(target, role, line + offset, quoted(raw)) for target in named]
        else:
            links += [Link(target, role, line + offset, quoted(raw)) for role, target in _inline_links(left, ids)]
        kept.append(left.rstrip() if left != raw else raw)
    found.links = tuple(link for link in links if link.target != own)
    found.text = "\n".join(kept).strip()
    return found


def _inline_links(line: str, ids: IdPattern) -> Iterator[tuple[str, str]]:
    """(role, id) of the ids after `Parent:` and the like anywhere in a line."""
    for label in _INLINE_LINK.finditer(line):
        role = "parent" if _INLINE_PARENT.match(label["key"]) else "declared"
        at = label.end()
        while True:
            skipped = _LISTED.match(line, at)
            start = skipped.end() if skipped else at
            named, end = ids.at(line, start)
            if not named and (loose := _LOOSE.match(line, start, start + _MAX_LOOSE)):
                named, end = (loose[0],), loose.end()
            if not named:
                break
            yield from ((role, target) for target in named)
            at = end


def mentions(text: str, line: int, ids: IdPattern, own: str = "", known: tuple[Link, ...] = ()) -> Iterator[Link]:
    """Ids in running text that are not in `known`, each at its first occurrence."""
    seen = {link.target for link in known} | {own}
    for offset, raw in enumerate(text.split("\n")):
        for target in ids.ids(raw):
            if target not in seen:
                seen.add(target)
                yield Link(target, "mention", line + offset, quoted(raw))


def first_sentence(text: str, limit: int = 100) -> str:
    """A title for an item without one: its first sentence as words, cut at a word."""
    words = " ".join(plain(text).split())
    sentence = re.split(r"(?<=[.!?;])\s", words, maxsplit=1)[0].rstrip(".;:")
    if len(sentence) <= limit:
        return sentence
    return sentence[: limit + 1].rsplit(" ", 1)[0].rstrip(" ,;:-") + "…"


def slug(title: str) -> str:
    """The anchor that code hosts make from a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def _take(found: Fields, key: str, value: str) -> None:
    if key in STATUS:
        found.status = found.status or value_of(value)
    elif key in PRIORITY:
        found.priority = found.priority or value_of(value)
    elif key in TITLE:
        found.title = found.title or plain(value)
