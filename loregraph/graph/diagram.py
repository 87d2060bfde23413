"""A small picture of a part of the graph, for documents: boxes in groups, and arrows between them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from loregraph.terminal import clipped, visible

LONGEST_LABEL: Final = 80
"""Characters of a name that are shown."""
UNCERTAIN: Final = 0.7
"""An arrow is dashed if fewer than this share of edges found in the same way is right."""


class Group(Struct, frozen=True):
    """A frame around boxes and other groups. `parent` is the key of the group around it, "" for none."""

    key: str
    label: str
    parent: str = ""


class Box(Struct, frozen=True):
    """A node of the picture. `group` is the key of its group, "" for none; `is_start`: the picture is about it."""

    key: str
    label: str
    group: str = ""
    is_start: bool = False


class Arrow(Struct, frozen=True):
    """An edge between two boxes, by their keys."""

    source: str
    target: str
    label: str = ""
    uncertain: bool = False
    in_cycle: bool = False


class Diagram(Struct, frozen=True):
    """What `mermaid.text` and `dot.text` write. `remarks` say what it shows and what was left out, a line each."""

    groups: tuple[Group, ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    remarks: tuple[str, ...]


def label_of(name: str) -> str:
    """An untrusted name as one short line with what is invisible escaped."""
    return clipped(visible(name[: 4 * LONGEST_LABEL]), LONGEST_LABEL)


def counted(number: int, singular: str, plural: str = "") -> str:
    """`1 file`, `1,234 files`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
