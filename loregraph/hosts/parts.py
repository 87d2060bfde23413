"""What is put into a host's file: an entry of its configuration, a block of its instructions, or the whole file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Final, Protocol

from loregraph.errors import ConfigError
from loregraph.hosts import jsonc, marked, toml_table, yaml_block
from loregraph.hosts.edits import NAME, Edited

SHOWN: Final = 300
"""Characters of another's entry that are shown."""


class Found(Enum):
    """What a file has in the place of a part."""

    NOTHING = "nothing"
    SAME = "same"
    """Exactly this part."""
    OURS = "ours"
    """A form of it that only loregraph, or a person who followed its documentation, writes."""
    OTHER = "other"
    """Something else under its name."""


class Part(Protocol):
    """Reads and edits one file's text. All of it raises ConfigError for a text that it cannot read."""

    @property
    def kind(self) -> str: ...

    def found(self, text: str) -> tuple[Found, str]:
        """(what is there, how it reads)."""

    def put(self, edited: Edited) -> Edited:
        """With this part, in place of what has its name."""

    def depth(self, text: str) -> int:
        """How many of the containers around it there are."""

    def drop(self, edited: Edited, keep: int) -> Edited:
        """Without it, and without the containers around it that are empty then, but for the outer `keep`."""

    def is_empty(self, text: str) -> bool:
        """Whether a file with this text says nothing."""


def starts_loregraph(entry: Any) -> bool:
    """Whether a host's entry for a server runs `loregraph … serve`, in any of the forms that hosts have."""
    if not isinstance(entry, Mapping):
        return False
    command = entry.get("command", entry.get("cmd"))
    words = command if isinstance(command, list) else [command]
    args = entry.get("args")
    words = [*words, *(args if isinstance(args, list) else ())]
    if not words or not all(isinstance(word, str) for word in words) or "serve" not in words[1:]:
        return False
    name = PurePosixPath(PureWindowsPath(words[0]).as_posix()).name.lower().removesuffix(".exe")
    return name == NAME or words[1:3] == ["-m", NAME]


def hints_at_loregraph(item: Any) -> bool:
    """Whether an item of a host's list of hooks is an `echo` that names loregraph, and nothing else."""
    hooks = item.get("hooks") if isinstance(item, dict) else None
    if not isinstance(hooks, list) or len(hooks) != 1 or not isinstance(hooks[0], dict):
        return False
    command = hooks[0].get("command")
    return isinstance(command, str) and command.startswith("echo '{") and NAME in command


def compared(there: Any, value: Any) -> tuple[Found, str]:
    if there is None:
        return Found.NOTHING, ""
    if there == value:
        return Found.SAME, ""
    shown = json.dumps(there, ensure_ascii=False, default=str)[:SHOWN]
    return (Found.OURS if starts_loregraph(there) else Found.OTHER), shown


@dataclass(frozen=True)
class JsonEntry:
    """A server in a file of JSON with comments. `newer` is its form where the object that holds that exists."""

    path: tuple[str, ...]
    value: Mapping[str, Any]
    newer: JsonEntry | None = None
    kind: str = "server"

    def form(self, text: str) -> JsonEntry:
        if self.newer is None or jsonc.depth(text, self.newer.path[:-1]) < len(self.newer.path) - 1:
            return self
        return self.newer

    def found(self, text: str) -> tuple[Found, str]:
        form = self.form(text)
        there = jsonc.lookup(jsonc.parse(text), form.path)
        if there is not None and there.plain() is None:
            return Found.OTHER, "null"
        return compared(None if there is None else there.plain(), form.value)

    def put(self, edited: Edited) -> Edited:
        form = self.form(edited.text)
        return jsonc.put(edited, form.path, dict(form.value))

    def depth(self, text: str) -> int:
        return jsonc.depth(text, self.form(text).path[:-1])

    def drop(self, edited: Edited, keep: int) -> Edited:
        return jsonc.drop(edited, self.form(edited.text).path, keep)

    def is_empty(self, text: str) -> bool:
        return "".join(text.removeprefix("\ufeff").split()) in ("", "{}")


@dataclass(frozen=True)
class JsonItem:
    """An item of a list in a file of JSON with comments: a hook."""

    path: tuple[str, ...]
    value: Mapping[str, Any]
    kind: str = "hook"

    def found(self, text: str) -> tuple[Found, str]:
        there = jsonc.lookup(jsonc.parse(text), self.path)
        if there is None:
            return Found.NOTHING, ""
        if there.kind != "[":
            raise ConfigError(f"{'.'.join(self.path)} is no list", "add the entry by hand")
        hints = [one for one in there.plain() if hints_at_loregraph(one)]
        if not hints:
            return Found.NOTHING, ""
        return (Found.SAME if hints == [self.value] else Found.OURS), ""

    def put(self, edited: Edited) -> Edited:
        kept = jsonc.remove(edited, self.path, hints_at_loregraph, len(self.path))
        return jsonc.append(kept, self.path, dict(self.value))

    def depth(self, text: str) -> int:
        return jsonc.depth(text, self.path)

    def drop(self, edited: Edited, keep: int) -> Edited:
        return jsonc.remove(edited, self.path, hints_at_loregraph, keep)

    def is_empty(self, text: str) -> bool:
        return "".join(text.removeprefix("\ufeff").split()) in ("", "{}")


@dataclass(frozen=True)
class TomlTable:
    """A server in a TOML file."""

    path: tuple[str, ...]
    value: Mapping[str, Any]
    kind: str = "server"

    def found(self, text: str) -> tuple[Found, str]:
        return compared(toml_table.lookup(toml_table.parse(text), self.path), self.value)

    def put(self, edited: Edited) -> Edited:
        return toml_table.put(edited, self.path, dict(self.value))

    def depth(self, text: str) -> int:
        return len(self.path) - 1

    def drop(self, edited: Edited, keep: int) -> Edited:
        return toml_table.drop(edited, self.path)

    def is_empty(self, text: str) -> bool:
        return not text.strip("\ufeff \t\r\n")


@dataclass(frozen=True)
class YamlEntry:
    """A server in a YAML file."""

    path: tuple[str, str]
    value: Mapping[str, Any]
    kind: str = "server"

    def found(self, text: str) -> tuple[Found, str]:
        return compared(yaml_block.lookup(yaml_block.parse(text), self.path), self.value)

    def put(self, edited: Edited) -> Edited:
        return yaml_block.put(edited, self.path, dict(self.value))

    def depth(self, text: str) -> int:
        return int(yaml_block.lookup(yaml_block.parse(text), self.path[:1]) is not None)

    def drop(self, edited: Edited, keep: int) -> Edited:
        return yaml_block.drop(edited, self.path, keep)

    def is_empty(self, text: str) -> bool:
        return not text.strip("\ufeff \t\r\n")


@dataclass(frozen=True)
class Block:
    """A marked block of instructions."""

    content: str
    kind: str = "instructions"

    def found(self, text: str) -> tuple[Found, str]:
        there = marked.found(text)
        if there is None:
            return Found.NOTHING, ""
        block = text[there[0] : there[1]].splitlines()
        same = block == marked.render(self.content, "\n").splitlines()
        return (Found.SAME if same else Found.OURS), ""

    def put(self, edited: Edited) -> Edited:
        return marked.put(edited, self.content)

    def depth(self, text: str) -> int:
        return 0

    def drop(self, edited: Edited, keep: int) -> Edited:
        return marked.drop(edited)

    def is_empty(self, text: str) -> bool:
        return not text.strip("\ufeff \t\r\n")


@dataclass(frozen=True)
class WholeFile:
    """A file that is loregraph's alone."""

    content: str
    kind: str = "skill"

    def found(self, text: str) -> tuple[Found, str]:
        if not text:
            return Found.NOTHING, ""
        return (Found.SAME, "") if text == self.content else (Found.OTHER, text.partition("\n")[0])

    def put(self, edited: Edited) -> Edited:
        return edited.replace(0, len(edited.text), self.content)

    def depth(self, text: str) -> int:
        return 0

    def drop(self, edited: Edited, keep: int) -> Edited:
        return edited.replace(0, len(edited.text), "") if edited.text == self.content else edited

    def is_empty(self, text: str) -> bool:
        return not text
