"""Selects the reader for a document that may define requirements or designs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final

from msgspec import structs

from loregraph.config import RequirementSettings
from loregraph.indexer.languages.documents import FORMATS, Format
from loregraph.indexer.requirements import decision_records, roles
from loregraph.indexer.requirements.ids import IdPattern, compiled
from loregraph.indexer.requirements.model import Document
from loregraph.indexer.requirements.named import is_source
from loregraph.indexer.source import ARCHIVE

Read = Callable[[str, str, IdPattern, bool], Document]
"""(path, text, ids, named) → the document's definitions. `named`: the configuration names it."""


NOT_SEARCHED: Final = re.compile(
    r"(?:^|/)(?:(?:__)?fixtures?(?:__)?|test[-_]?data|vendor|third[-_]party|node_modules|examples?|samples?|templates?"
    r"|tests?/(?!(?:docs?|reqs?|requirements?|specs?)/))(?:/|(?<=/))"
)
"""Folders with third-party or fictitious documents, ignored unless the configuration names them."""


# Implements REQ-TRC-001.
def read_document(path: str, raw: bytes, settings: RequirementSettings) -> Document:
    """The definitions in the document at `path`; empty for most. Never raises because of its content."""
    named = is_source(path, settings)
    ids = compiled(settings.pattern)
    if named and settings.id_from == "file":
        from loregraph.indexer.requirements import plain

        return roles.with_roles(plain.read_whole(path, raw.decode("utf-8", "replace"), ids), path, settings)
    if not named and NOT_SEARCHED.search(path):
        return Document()
    if path.lower().endswith(ARCHIVE):
        from loregraph.indexer.requirements import reqif

        found = roles.with_roles(reqif.read_archive(raw, named), path, settings)
        return Document(problems=found.problems) if settings.sources and not named else found
    found = Document()
    for form in formats_of(path):
        if not named and not _worth_reading(form, path, raw):
            continue
        found = _reader(form.reader)(path, raw.decode("utf-8", "replace"), ids, named)
        if not found.is_empty:
            break
    found = roles.with_roles(found, path, settings)
    if settings.sources and not named:
        # The configuration says where requirements are; designs may be anywhere else.
        designs = tuple(item for item in found.items if item.kind != "requirement")
        found = structs.replace(found, items=designs, problems=())
    return found


@cache
def _reader(name: str) -> Read:
    """Imported when the first document of its format is met: most projects have one format, and parsers take time to
    load."""
    module, function = name.split(":")
    read: Read = getattr(import_module(f"loregraph.indexer.requirements.{module}"), function)
    return read


def formats_of(path: str) -> list[Format]:
    """The possible formats of a file, by its extension."""
    name = path[path.rfind("/") + 1 :]
    extension = name[name.rfind(".") :].lower() if "." in name.lstrip(".") else ""
    return [form for form in FORMATS if extension in form.extensions]


def _worth_reading(form: Format, path: str, raw: bytes) -> bool:
    if form.hints is None:
        return False
    return _hints(form.hints).search(raw) is not None or decision_records.is_in_record_folder(path)


@cache
def _hints(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.MULTILINE)
