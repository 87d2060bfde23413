"""Selects the requirements and designs among the candidate items of documents: unique ids, and enough evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from loregraph.indexer.problems import PathProblem
from loregraph.indexer.requirements.ids import family, folded, known_as
from loregraph.indexer.requirements.model import Document, Item
from loregraph.indexer.requirements.roles import in_tree

_REQUIREMENT_WORDS: Final = frozenset(
    {"REQ", "REQS", "RQ", "REQUIREMENT", "SRS", "FR", "NFR", "FRQ", "UR", "HLR", "LLR", "SWR", "SWREQ", "SYSREQ", "SSR"}
    | {"PRD", "URS", "FRS", "SYS", "SRQ", "SWRQT", "US", "UC", "BR", "NFRQ"}
)
_SPEAKS = re.compile(
    r"requirement|\bsrs\b|\bprd\b|\breqs?\b|user[-_ ]?stor|use[-_ ]?case|\bspecification\b", re.IGNORECASE
)
_NEVER: Final = frozenset(
    {
        "CVE",
        "CWE",
        "GHSA",
        "RFC",
        "PEP",
        "ISO",
        "IEC",
        "IEEE",
        "UTF",
        "SHA",
        "MD",
        "BUG",
        "ISSUE",
        "TICKET",
        "X",
        "HTTP",
    }
    | {"AES", "RSA", "ECMA", "WCAG", "CP", "KOI", "UCS", "GPL", "LGPL", "AGPL", "MIT", "BSD", "GB", "EUC", "WINDOWS"}
)
"""Id-like words that are never requirements, unless the configuration names the document."""


class Chosen(Struct, frozen=True):
    """An item with the id of its node, and its document."""

    id: str
    path: str
    item: Item


class Choice(Struct, frozen=True):
    """Requirements and designs by id; `problems` are duplicate ids."""

    requirements: dict[str, Chosen]
    designs: dict[str, Chosen]
    problems: tuple[PathProblem, ...]


def choose(documents: Mapping[str, Document]) -> Choice:
    """The requirements and designs of all documents, in the order of paths and lines; of duplicates the first
    counts."""
    requirements: dict[str, Chosen] = {}
    designs: dict[str, Chosen] = {}
    problems: list[PathProblem] = []
    documents = in_tree(documents)
    for path, document in sorted(documents.items()):
        accepted = accepted_families(path, document)
        for item in document.items:
            if item.kind == "section" or not (item.sure or family_of(item.id) in accepted):
                continue
            identity = item.id or f"{path}#{item.slug}"
            first = requirements.get(identity) or designs.get(identity)
            if first is None:
                into = requirements if item.kind == "requirement" else designs
                into[identity] = Chosen(identity, path, item)
            elif item.text != first.item.text or item.sure:
                problems.append(
                    PathProblem(path, item.line, f"{identity} is defined in {first.path}:{first.item.line} already")
                )
    known = known_as(requirements)
    for path, document in sorted(documents.items()):
        for item in document.items:
            if item.kind == "section" and any(known.get(folded(link.target)) for link in item.links):
                identity = f"{path}#{item.slug}"
                if identity not in designs:
                    designs[identity] = Chosen(identity, path, item)
    return Choice(requirements, designs, tuple(problems))


def family_of(identity: str) -> str:
    return family(identity) or identity


def accepted_families(path: str, document: Document) -> frozenset[str]:
    """The families of ids (`REQ-IDX-`) defined by a document that is not configured as a source.

    At least two of a family, where their names or the document mention requirements; one is enough where both do.
    """
    counts = Counter(family_of(item.id) for item in document.items if item.id and not item.sure)
    speaks = _SPEAKS.search(path) is not None or _SPEAKS.search(document.title) is not None
    accepted = set()
    for name, count in counts.items():
        first = re.split(r"[-_0-9]", name, maxsplit=1)[0]
        if first in _NEVER:
            continue
        tells = any(part in _REQUIREMENT_WORDS for part in re.split(r"[-_0-9]+", name))
        if (tells or speaks) and count >= (1 if tells and speaks else 2):
            accepted.add(name)
    return frozenset(accepted)
