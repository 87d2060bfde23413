"""Doorstop: a folder of items, one file each, in YAML or in Markdown with the same fields in its front matter.

Doorstop's own package reads and writes whole trees; the item format is a few YAML keys, read here.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any, Final

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.front_matter import YamlError, as_text, mapping, split
from loregraph.indexer.requirements.ids import IdPattern, names_design
from loregraph.indexer.requirements.model import MAX_TEXT, Document, DocumentTree, Item, Link, Trace, quoted

MAX_TITLE: Final = 200
"""Maximum characters of a document's name."""
_KEYS: Final = frozenset({"active", "derived", "level", "links", "normative", "reviewed"})
"""Keys that doorstop writes into every item."""
_TREE: Final = (".doorstop.yml", ".doorstop.yaml")
_NAME = re.compile(r"[A-Za-z](?:[\w.-]*\d$|[^\W_]*+[-_.][\w.-]++$)")


def read_yaml(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """A `.yml` item, or the settings of a folder of items."""
    if PurePosixPath(path).name in _TREE:
        return _tree(text)
    return _read(path, text, "", 0)


def read_markdown(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """A `.md` item: fields in the front matter, the text below; a heading on its first line is the item's header."""
    head, body, before = split(text)
    return _read(path, head, body, before) if head else Document()


def _read(path: str, head: str, body: str, before: int) -> Document:
    own = PurePosixPath(path).stem
    if _NAME.fullmatch(own) is None or sum(f"\n{key}:" in f"\n{head}" for key in _KEYS) < 4:
        return Document()
    try:
        found = mapping(head)
    except YamlError as error:
        return Document(problems=((error.line + (1 if before else 0), f"doorstop item: {error}"),))
    if not found.get("normative", True):
        return Document()  # a heading or a remark, not a requirement
    title, text = as_text(found.get("header")), as_text(found.get("text"))
    if body:
        first, _, rest = body.strip().partition("\n")
        title, text = (
            (title or first.lstrip("# ").strip(), rest.strip()) if first.startswith("#") else (title, body.strip())
        )
    line = next((n for n, row in enumerate(head.split("\n"), 1) if row.startswith("links:")), 1)
    links = tuple(Link(target, "parent", line, f"links: {target}") for target in _linked(found.get("links")))
    item = Item(
        kind="design" if names_design(own) else "requirement",
        id=own,
        line=1,
        title=fields.plain(title) or fields.first_sentence(text),
        text=text[:MAX_TEXT],
        status="inactive" if found.get("active", True) is False else fields.value_of(as_text(found.get("status"))),
        priority=fields.value_of(as_text(found.get("priority"))),
        links=links,
    )
    return Document((item,), _references(own, found, head), is_doorstop=True)


def _tree(text: str) -> Document:
    try:
        found = mapping(text)
    except YamlError as error:
        return Document(problems=((error.line, f"doorstop document: {error}"),))
    settings, attributes = found.get("settings"), found.get("attributes")
    if not isinstance(settings, dict) or not (prefix := as_text(settings.get("prefix"))):
        return Document()
    title = ""
    defaults = attributes.get("defaults") if isinstance(attributes, dict) else None
    told = defaults.get("doc") if isinstance(defaults, dict) else None
    if isinstance(told, dict):
        title = " ".join(filter(None, (as_text(told.get("name")), as_text(told.get("title")))))
    return Document(tree=DocumentTree(prefix, as_text(settings.get("parent")), title[:MAX_TITLE]))


def _linked(value: Any) -> list[str]:
    """Links are ids, or mappings of an id to its fingerprint at the last review."""
    targets: list[str] = []
    for link in value if isinstance(value, list) else []:
        targets += [str(key) for key in link] if isinstance(link, dict) else [as_text(link)]
    return [target for target in targets if target]


def _references(own: str, found: dict[str, Any], head: str) -> tuple[Trace, ...]:
    """`references` are files, optionally with a keyword; `ref`, the older field, is a file or a keyword."""

    def line(key: str) -> int:
        return next((n for n, row in enumerate(head.split("\n"), 1) if row.startswith(f"{key}:")), 1)

    traces = []
    listed = found.get("references")
    for reference in listed if isinstance(listed, list) else []:
        path = as_text(reference.get("path")) if isinstance(reference, dict) else ""
        word = as_text(reference.get("keyword")) if isinstance(reference, dict) else ""
        if path:
            shown = quoted(f"references: {path} {word}")
            traces.append(Trace((own,), (path,), line("references"), shown, keyword=word))
    if ref := as_text(found.get("ref")):
        traces.append(Trace((own,), (), line("ref"), quoted(f"ref: {ref}"), keyword=ref))
    return tuple(traces)
