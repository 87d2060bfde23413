"""The forms of an answer to a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Page:
    """A whole page within the frame. `section` is the entry of the navigation that is current."""

    title: str
    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    section: str = ""
    status: int = 200


@dataclass(frozen=True)
class Part:
    """A fragment of HTML that a script puts into a page."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True)
class Data:
    """JSON for a script: anything that msgspec encodes."""

    value: object


@dataclass(frozen=True)
class File:
    """A file to download, such as the result of a query."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class Moved:
    """The answer to an action: the browser goes on to this address."""

    address: str


Answer = Page | Part | Data | File | Moved
