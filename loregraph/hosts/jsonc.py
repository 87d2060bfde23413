"""JSON with comments and trailing commas (JSONC), edited in place: what is not ours stays byte for byte.

The form is that of Visual Studio Code's parser, <https://github.com/microsoft/node-jsonc-parser>: JSON (RFC 8259), `//`
and `/* */` comments, a comma after the last element, a byte order mark. No package for Python edits it by position with
types of its own, so this is a scanner of one pass, linear in the text, without recursion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from loregraph.errors import ConfigError
from loregraph.hosts.edits import Edited, closed, line_end, line_start

DEEPEST: Final = 200
"""Maximum depth of nesting; Python's own comparison of such values recurses."""

MOST_ITEMS: Final = 8
"""Maximum number of items that are taken out: each is a pass over the text."""

_TOKEN: Final = re.compile(
    r"[ \t\r\n\ufeff]+|//[^\r\n]*|(?P<block>/\*)"
    r'|(?P<token>[{}\[\],:]|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"|[A-Za-z0-9+.\-]+)'
)
_DECODER: Final = json.JSONDecoder(strict=False)
_ENDS: Final = {"]": "[", "}": "{"}
_FIRST: Final = {"[": "value", "{": "key"}
"""What is wanted first in a container, and after a comma."""
_BLANKS: Final = re.compile(r"[ \t]*")
_REST: Final = re.compile(r"[ \t]*(?:[\r\n]|//|\Z)")
_UNIT: Final = "  "


@dataclass(slots=True)
class Element:
    """A member of an object, or an item of an array (`key` None): from `start` to the end of its value.

    `comma` is the place of the comma after it, -1 without one.
    """

    key: str | None
    start: int
    value: Node
    comma: int = -1


@dataclass(slots=True)
class Node:
    """A value: `data` of a scalar, `elements` of a container. `kind` is "{", "[" or ""."""

    kind: str
    start: int
    end: int = -1
    data: Any = None
    elements: list[Element] = field(default_factory=list)

    def plain(self) -> Any:
        """The value as Python has it; of a key that is there twice the last."""
        if self.kind == "{":
            return {element.key: element.value.plain() for element in self.elements}
        return [element.value.plain() for element in self.elements] if self.kind else self.data


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """(token, place) of all but blanks and comments. Raises ConfigError for what is none."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise fault(text, at)
        begin, at = at, found.end()
        if found.lastgroup == "block":
            at = text.find("*/", at) + 2
            if at < 2:
                raise fault(text, begin)
        elif found.lastgroup == "token":
            yield found[0], begin


def parse(text: str) -> Node | None:
    """The value in `text`, None where it has none. Raises ConfigError with the line of a fault."""
    top = Node("[", 0)
    open_nodes = [top]
    key: tuple[str, int] | None = None
    wants = "value"  # or "key", "colon", "comma"; a container may also end where a key or a comma is wanted
    for token, at in tokens(text):
        around = open_nodes[-1]
        if token in _ENDS:
            ended = around is not top and _ENDS[token] == around.kind
            if not ended or wants == "colon" or (wants == "value" and around.kind == "{"):
                raise fault(text, at)
            around.end = at + 1
            open_nodes.pop()
            wants = "comma"
        elif wants == "comma":
            if token != "," or around is top:
                raise fault(text, at)
            around.elements[-1].comma = at
            wants = _FIRST[around.kind]
        elif wants == "colon":
            if token != ":":
                raise fault(text, at)
            wants = "value"
        elif wants == "key":
            if not token.startswith('"'):
                raise fault(text, at)
            key = scalar(text, at, token), at
            wants = "colon"
        else:
            node = Node(token, at) if token in _FIRST else Node("", at, at + len(token), scalar(text, at, token))
            name, start = key or (None, at)
            around.elements.append(Element(name, start, node))
            key = None
            wants = "comma"
            if node.kind:
                open_nodes.append(node)
                wants = _FIRST[token]
                if len(open_nodes) > DEEPEST:
                    raise fault(text, at, f"more than {DEEPEST} values inside one another")
    if len(open_nodes) > 1:
        raise fault(text, len(text))
    return top.elements[0].value if top.elements else None


def scalar(text: str, at: int, token: str) -> Any:
    try:
        return _DECODER.decode(token)
    except ValueError:
        raise fault(text, at) from None


def fault(text: str, at: int, what: str = "no JSON") -> ConfigError:
    line = text.count("\n", 0, at) + 1
    return ConfigError(f"line {line}: {what}", "mend it, or add the entry by hand")


def lookup(root: Node | None, path: Sequence[str]) -> Node | None:
    """The value at `path`, None where there is none. Raises ConfigError for a key that is there twice or no object."""
    node = root
    for depth, key in enumerate(path):
        if node is None:
            return None
        if node.kind != "{":
            raise ConfigError(f"{'.'.join(path[:depth]) or 'the whole'} is no object", "add the entry by hand")
        same = [element for element in node.elements if element.key == key]
        if len(same) > 1:
            raise ConfigError(f"{'.'.join(path[: depth + 1])} is there {len(same)} times", "leave one of them")
        node = same[0].value if same else None
    return node


# adding


def put(edited: Edited, path: Sequence[str], value: Any) -> Edited:
    """`value` at `path`: in place of the one that is there, else as the last member, with the objects around it."""
    text = edited.text
    root = parse(text)
    there = lookup(root, path)
    if root is None:
        eol = line_end(text)
        whole = render(nested(path, value), eol, "", _UNIT) + eol
        return edited.insert(len(text), closed(text) + whole)
    if there is not None:
        eol, unit = line_end(text), unit_of(text, root)
        return edited.replace(there.start, there.end, render(value, eol, indent_of(text, there.start), unit))
    depth = len(path) - 1
    while (around := lookup(root, path[:depth])) is None:
        depth -= 1
    if around.kind != "{":
        raise ConfigError(f"{'.'.join(path[:depth]) or 'the whole'} is no object", "add the entry by hand")
    return add(edited, root, around, path[depth], nested(path[depth + 1 :], value))


def append(edited: Edited, path: Sequence[str], value: Any) -> Edited:
    """`value` as the last item of the array at `path`, which is made where there is none."""
    root = parse(edited.text)
    there = lookup(root, path)
    if there is None:
        return put(edited, path, [value])
    if there.kind != "[":
        raise ConfigError(f"{'.'.join(path)} is no list", "add the entry by hand")
    assert root is not None
    return add(edited, root, there, None, value)


def add(edited: Edited, root: Node, around: Node, key: str | None, value: Any) -> Edited:
    """`value` as the last element of `around`, in the form of those before it."""
    text = edited.text
    eol, unit = line_end(text), unit_of(text, root)
    name = f"{json.dumps(key, ensure_ascii=False)}: " if key is not None else ""
    outer = indent_of(text, around.start)
    if not around.elements:
        inner = text[around.start + 1 : around.end - 1]
        lines = eol + outer + unit + name + render(value, eol, outer + unit, unit)
        if "\n" in inner:
            return edited.insert(around.start + 1 + len(inner.rstrip()), lines)
        return edited.insert(around.end - 1, lines + eol + outer)
    last = around.elements[-1]
    end = last.value.end if last.comma < 0 else last.comma + 1
    if "\n" not in text[around.start : around.end]:
        entry = name + json.dumps(value, ensure_ascii=False)
        return edited.insert(end, f", {entry}" if last.comma < 0 else f" {entry},")
    inside = indent_of(text, last.start) if starts_line(text, last.start) else outer + unit
    entry = eol + inside + name + render(value, eol, inside, unit) + ("" if last.comma < 0 else ",")
    place = after_comments(text, end)
    if last.comma < 0:
        if place == end:
            return edited.insert(end, "," + entry)
        edited, place = edited.insert(end, ","), place + 1
    return edited.insert(place, entry)


def after_comments(text: str, at: int) -> int:
    """Where the comments end that follow `at` on its line; `at` without any."""
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    while True:
        blanks = _BLANKS.match(text, at)
        begin = blanks.end() if blanks is not None else at
        if text.startswith("//", begin):
            return stop - 1 if text[begin:stop].endswith("\r") else stop
        end = text.find("*/", begin + 2, stop) if text.startswith("/*", begin) else -1
        if end < 0:
            return at
        at = end + 2


def nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def render(value: Any, eol: str, indent: str, unit: str) -> str:
    """`value` as JSON, a line for each member; lists of plain values on one line."""
    deeper = indent + unit
    if isinstance(value, dict) and value:
        rows = [f"{json.dumps(k, ensure_ascii=False)}: {render(v, eol, deeper, unit)}" for k, v in value.items()]
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        rows = [render(one, eol, deeper, unit) for one in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    ends = "{}" if isinstance(value, dict) else "[]"
    return ends[0] + eol + f",{eol}".join(deeper + row for row in rows) + eol + indent + ends[1]


def indent_of(text: str, at: int) -> str:
    """The blanks that the line of the character `at` begins with."""
    line = text[line_start(text, at) : at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def starts_line(text: str, at: int) -> bool:
    return not text[line_start(text, at) : at].strip(" \t\ufeff")


def unit_of(text: str, root: Node) -> str:
    """What a level is indented by."""
    first = root.elements[0] if root.elements else None
    own = first is not None and starts_line(text, first.start) and "\n" in text[root.start : first.start]
    return (indent_of(text, first.start) if own and first is not None else "") or _UNIT


# removing


def depth(text: str, path: Sequence[str]) -> int:
    """How many of the containers along `path` there are."""
    root = parse(text)
    return next((i for i in range(len(path)) if lookup(root, path[: i + 1]) is None), len(path))


def drop(edited: Edited, path: Sequence[str], keep: int) -> Edited:
    """Without the member at `path`, and the objects around it that are empty then, but for the outer `keep`."""
    root = parse(edited.text)
    around = lookup(root, path[:-1])
    if around is None or lookup(root, path) is None:
        return edited
    return pruned(cut(edited, around, named(around, path[-1])), path[:-1], keep)


def remove(edited: Edited, path: Sequence[str], wanted: Callable[[Any], bool], keep: int) -> Edited:
    """Without the items that are `wanted` of the array at `path`, at most `MOST_ITEMS`; `keep` as for `drop`."""
    for _ in range(MOST_ITEMS):
        there = lookup(parse(edited.text), path)
        if there is None or there.kind != "[":
            break
        found = [i for i, one in enumerate(there.elements) if wanted(one.value.plain())]
        if not found:
            break
        edited = cut(edited, there, found[-1])
    return pruned(edited, path, keep)


def pruned(edited: Edited, path: Sequence[str], keep: int) -> Edited:
    """Without the containers along `path` in which only blanks are left, from the innermost to `keep` of the outer."""
    while len(path) > keep:
        root = parse(edited.text)
        there, around = lookup(root, path), lookup(root, path[:-1])
        if there is None or around is None or not there.kind:
            break
        if edited.text[there.start + 1 : there.end - 1].strip():
            break
        edited = cut(edited, around, named(around, path[-1]))
        path = path[:-1]
    return edited


def named(around: Node, key: str) -> int:
    """The number of the member `key`."""
    return next(i for i, element in enumerate(around.elements) if element.key == key)


def cut(edited: Edited, around: Node, number: int) -> Edited:
    """Without an element of the container `around`: with its comma, or the one before it."""
    text = edited.text
    element = around.elements[number]
    begin = len(text[: element.start].rstrip(" \t"))
    if text[:begin].endswith("\n"):
        # What follows moves up to the line before, which may end in a comment: only blanks and comments may do so.
        end = max(element.value.end, element.comma + 1)
        if _REST.match(text, end):
            begin -= 2 if text[:begin].endswith("\r\n") else 1
        else:
            begin = element.start
    elif element.comma < 0 and number == 0:
        begin = element.start
    if element.comma >= 0:
        edited = edited.replace(element.comma, element.comma + 1, "")
    edited = edited.replace(begin, element.value.end, "")
    if element.comma < 0 and number > 0:
        before = around.elements[number - 1].comma
        edited = edited.replace(before, before + 1, "")
    return edited
