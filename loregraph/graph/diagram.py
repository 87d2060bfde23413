"""A small picture of a part of the graph, for documents: boxes in groups, and arrows between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
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


def nested(
    diagram: Diagram, box: Callable[[Box], str], head: Callable[[Group], Sequence[str]], foot: str
) -> Iterator[str]:
    """The boxes in their groups, a line each with its line end and indented by depth; a group is its `head`, of which
    further lines are indented once more, what is in it, and its `foot`."""
    members: dict[str, list[Box]] = defaultdict(list)
    for one in diagram.boxes:
        members[one.group].append(one)
    inner: dict[str, list[Group]] = defaultdict(list)
    for group in diagram.groups:
        inner[group.parent].append(group)

    def within(key: str, indent: str) -> Iterator[str]:
        for one in members[key]:
            yield f"{indent}{box(one)}\n"
        for group in inner[key]:
            first, *further = head(group)
            yield f"{indent}{first}\n"
            yield from (f"{indent}  {line}\n" for line in further)
            yield from within(group.key, indent + "  ")
            yield f"{indent}{foot}\n"

    return within("", "  ")


def label_of(name: str) -> str:
    """An untrusted name as one short line with what is invisible escaped."""
    return clipped(visible(name[: 4 * LONGEST_LABEL]), LONGEST_LABEL)
