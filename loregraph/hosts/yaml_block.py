"""An entry of a mapping in a YAML file (yaml.org, 1.1 as PyYAML reads it), added and taken out as whole lines.

PyYAML tells where the values stand; the lines are written by hand, and what it reads afterwards is compared with what
it read before. Mappings in braces are refused, they have no lines of their own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import yaml

from loregraph.errors import ConfigError
from loregraph.hosts.edits import Edited, closed, line_end, line_start

MOST: Final = 1 << 18
"""Maximum characters of such a file: PyYAML takes seconds for it."""


def parse(text: str) -> Any:
    """Raises ConfigError for what is no YAML, or too much."""
    if len(text) > MOST:
        raise ConfigError("too large to be edited", "add the entry by hand")
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line = " ".join(str(error).split())
        raise ConfigError(f"no YAML: {line}", "mend it, or add the entry by hand") from None


def lookup(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def children(text: str, path: Sequence[str]) -> tuple[yaml.Node | None, list[tuple[str, int, int]]]:
    """(the node at `path`, (key, start of its line, end of its value) of each of its members)."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for key in path:
        members = node.value if isinstance(node, yaml.MappingNode) else ()
        node = next((value for name, value in members if name.value == key), None)
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return node, []
    found = []
    for name, value in node.value:
        begin = line_start(text, name.start_mark.index)
        if text[begin : name.start_mark.index].strip(" \ufeff"):
            return node, []
        found.append((name.value, begin, value.end_mark.index))
    return node, found


def put(edited: Edited, path: Sequence[str], value: dict[str, Any]) -> Edited:
    """`value` at `path`, which has two keys: before the other members, or at the end with a mapping of its own."""
    text = edited.text
    if lookup(parse(text), path) is not None:
        edited = drop(edited, path, keep=1)
        text = edited.text
    before = parse(text)
    if before is not None and not isinstance(before, dict):
        raise ConfigError("it is no mapping", "add the entry by hand")
    expected = dict(before or {})
    others = expected.get(path[0]) or {}
    if not isinstance(others, dict):
        raise ConfigError(f"{path[0]} is no mapping", "add the entry by hand")
    expected[path[0]] = {**others, path[1]: value}
    eol = line_end(text)
    node, members = children(text, path[:1])
    if members:
        begin = members[0][1]
        indent = text[begin : len(text) - len(text[begin:].lstrip(" "))]
        edited = edited.insert(begin, lines(path[1], value, indent, eol))
    elif node is None:
        edited = edited.insert(len(text), f"{closed(text)}{path[0]}:{eol}{lines(path[1], value, '  ', eol)}")
    elif isinstance(node, yaml.ScalarNode) and not node.value:
        end = text.find("\n", node.start_mark.index) + 1 or len(text)
        gap = "" if text[:end].endswith("\n") else eol
        edited = edited.insert(end, gap + lines(path[1], value, "  ", eol))
    return checked(edited, expected)


def lines(key: str, value: dict[str, Any], indent: str, eol: str) -> str:
    rows = [f"{indent}{key}:", *(f"{indent}  {name}: {json.dumps(one)}" for name, one in value.items())]
    return "".join(row + eol for row in rows)


def drop(edited: Edited, path: Sequence[str], keep: int) -> Edited:
    """Without the member at `path`, and with `keep` 0 the mapping around it if it is empty then."""
    text = edited.text
    expected = parse(text)
    if lookup(expected, path) is None:
        return edited
    del expected[path[0]][path[1]]
    if not expected[path[0]]:
        expected[path[0]] = None
    if not keep and expected[path[0]] is None:
        del expected[path[0]]
        path = path[:1]
    _, members = children(text, path[:-1])
    found = next(((begin, end) for key, begin, end in members if key == path[-1]), None)
    if found is None:
        raise ConfigError("the entry has no lines of its own", "take it out by hand")
    begin, end = found
    content = text[begin:end].rstrip()
    end = text.find("\n", begin + len(content)) + 1 or len(text)
    return checked(edited.replace(begin, end, ""), expected)


def checked(edited: Edited, expected: Any) -> Edited:
    try:
        after = parse(edited.text)
    except ConfigError:
        after = ()
    if (after or {}) != (expected or {}):
        raise ConfigError("its form leaves no safe place for the entry", "change it by hand")
    return edited
