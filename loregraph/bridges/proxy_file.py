"""The file of `loregraph proxy`: the upstream, and the tools with their names.

Read strictly: all errors are reported at once, each with its JSON path, before a host sees a tool.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from msgspec import Raw

from loregraph import trust, user_files
from loregraph.bridges.process import Launch
from loregraph.errors import ConfigError, NotFoundError, UsageError

Fault = tuple[str, str]
"""JSON path, fault."""

_DOT: Final = re.compile(r"(?<!\\)\.")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Parameter:
    """A parameter shown to hosts, and its place in the upstream's arguments."""

    name: str
    target: tuple[str, ...]


@dataclass(frozen=True)
class MappedTool:
    """A tool shown to hosts, and the upstream's tool behind it."""

    name: str
    upstream: str
    parameters: tuple[Parameter, ...]
    repeatable: bool
    """Whether its annotations declare it idempotent."""


@dataclass(frozen=True)
class ProxyFile:
    """A parsed file."""

    launch: Launch
    tools: Mapping[str, MappedTool]
    listed: Raw
    """The result of `tools/list`: the file's entries without their `upstream`, in order."""
    source: list[dict[str, Any]]
    """The entries as written in the file."""


def load(path: Path) -> ProxyFile:
    """Reads a file. Raises ConfigError with the JSON path of each fault."""
    return parse(text_of(read(path), path), path.name)


def read(path: Path) -> bytes:
    """The content of a file. Raises ConfigError where it cannot be read."""
    try:
        content = user_files.read(path.resolve())
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}", _AN_EXAMPLE) from error
    if content is None:
        raise ConfigError(f"cannot read {path}: {os.strerror(errno.ENOENT)}", _AN_EXAMPLE)
    return content


def text_of(content: bytes, path: Path) -> str:
    """A file's content as text. Raises ConfigError."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"cannot read {path}: {error}", _AN_EXAMPLE) from error


# Implements REQ-SEC-002.
def trusted(path: Path) -> ProxyFile:
    """As `load`. Raises UsageError for a file that came with a repository, unless the user has trusted its content.

    The file of loregraph's own plugin is part of the installation, wherever it is.
    """
    content = read(path)
    text = text_of(content, path)
    file = parse(text, path.name)
    # Both the given path and the target of links.
    places = (path.absolute(), path.resolve())
    if trust.in_repository(places) is None or trust.is_trusted_file(path, content):
        return file
    if text.replace("\r\n", "\n") == example(SHIPPED):
        return file
    command = json.dumps(list(file.launch.command))
    raise UsageError(
        f"{str(path)!a} came with a repository and would run {command}",
        f"if that is what you want, run `loregraph trust {shlex.quote(ascii(str(path))[1:-1])}`",
    )


SHIPPED: Final = "episodic-memory"
"""The example used by the plugin."""
EXAMPLE_HINT: Final = f"loregraph proxy --example {SHIPPED}"
_AN_EXAMPLE: Final = f"`{EXAMPLE_HINT}` prints a whole file"


def parse(text: str, name: str) -> ProxyFile:
    """As `load`, from the file's text. `name` is used in error messages."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        told = f"{name} is no JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        raise ConfigError(told, "correct it there") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; deeply nested brackets
        raise ConfigError(f"{name} cannot be read as JSON: {error}", "correct it") from error
    faults = list(faults_of(found))
    if faults:
        told = "\n  ".join(f"{where}: {what}" for where, what in faults)
        raise ConfigError(f"{name} cannot be used:\n  {told}", f"`{EXAMPLE_HINT}` prints a whole file")
    upstream = found["upstream"]
    listed = [{key: value for key, value in tool.items() if key != "upstream"} for tool in found["tools"]]
    return ProxyFile(
        Launch((upstream["command"], *upstream.get("args", ())), upstream.get("env", {}), upstream.get("cwd")),
        {tool["name"]: mapped(tool) for tool in found["tools"]},
        Raw(json.dumps(listed).encode()),
        found["tools"],
    )


def mapped(tool: dict[str, Any]) -> MappedTool:
    hints = tool.get("annotations", {})
    repeatable = hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True
    pairs = tool["upstream"].get("paramMapping", {}).items()
    parameters = tuple(Parameter(mine, target_of(theirs)) for mine, theirs in pairs)
    return MappedTool(tool["name"], tool["upstream"]["tool"], parameters, repeatable)


def target_of(path: str) -> tuple[str, ...]:
    r"""The keys of a nested path: `filters.text` → filters, text. A dot within a name is written `\.`."""
    return tuple(part.replace("\\.", ".") for part in _DOT.split(path))


def step(path: str, key: str) -> str:
    """The JSON path of `key` below `path`."""
    return f"{path}.{key}" if _PLAIN_NAME.fullmatch(key) else f"{path}[{json.dumps(key)}]"


# faults


def faults_of(found: Any) -> Iterator[Fault]:
    if not isinstance(found, dict):
        yield "$", "must be an object with `upstream` and `tools`"
        return
    yield from unknown(found, "$", ("upstream", "tools", "$schema"))
    if "upstream" not in found:
        yield "$.upstream", "is missing"
    else:
        yield from faults_of_upstream(found["upstream"])
    tools = found.get("tools")
    if not isinstance(tools, list) or not tools:
        yield "$.tools", "is missing" if "tools" not in found else "must be a list of at least one tool"
        return
    names: dict[str, int] = {}
    for number, tool in enumerate(tools):
        yield from faults_of_tool(tool, f"$.tools[{number}]")
        name = tool.get("name") if isinstance(tool, dict) else None
        if isinstance(name, str):
            if name in names:
                yield f"$.tools[{number}].name", f"{name!r} is the name of $.tools[{names[name]}], too"
            names.setdefault(name, number)


def faults_of_upstream(found: Any) -> Iterator[Fault]:
    at = "$.upstream"
    if not isinstance(found, dict):
        yield at, "must be an object with `command` and `args`"
        return
    yield from unknown(found, at, ("command", "args", "env", "cwd"))
    yield from text_at(found, at, "command")
    args, env, cwd = found.get("args", []), found.get("env", {}), found.get("cwd", "")
    if not isinstance(args, list):
        yield f"{at}.args", "must be a list of texts"
    else:
        for number, arg in enumerate(args):
            if not isinstance(arg, str):
                yield f"{at}.args[{number}]", "must be a text"
    if not isinstance(env, dict):
        yield f"{at}.env", "must be an object of texts"
    else:
        for key, value in env.items():
            if not isinstance(value, str):
                yield step(f"{at}.env", key), "must be a text"
    if not isinstance(cwd, str):
        yield f"{at}.cwd", "must be a text"


def faults_of_tool(tool: Any, at: str) -> Iterator[Fault]:
    if not isinstance(tool, dict):
        yield at, "must be an object with `name`, `description`, `inputSchema` and `upstream`"
        return
    yield from text_at(tool, at, "name")
    yield from text_at(tool, at, "description")
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        yield f"{at}.inputSchema", "must be an object" if "inputSchema" in tool else "is missing"
        schema = {}
    elif schema.get("type") != "object":
        yield f"{at}.inputSchema.type", 'must be "object"'
    if not isinstance(schema.get("properties", {}), dict):
        yield f"{at}.inputSchema.properties", "must be an object"
        schema = {}
    if not isinstance(tool.get("annotations", {}), dict):
        yield f"{at}.annotations", "must be an object"
    upstream = tool.get("upstream")
    if not isinstance(upstream, dict):
        yield (
            f"{at}.upstream",
            "must be an object with `tool` and `paramMapping`" if "upstream" in tool else "is missing",
        )
        return
    yield from unknown(upstream, f"{at}.upstream", ("tool", "paramMapping"))
    yield from text_at(upstream, f"{at}.upstream", "tool")
    yield from faults_of_mapping(upstream, schema, f"{at}.upstream.paramMapping")


def faults_of_mapping(upstream: dict[str, Any], schema: dict[str, Any], at: str) -> Iterator[Fault]:
    mapping = upstream.get("paramMapping", {})
    properties = schema.get("properties", {})
    if not isinstance(mapping, dict):
        yield at, "must be an object: a parameter of this tool → the upstream's"
        return
    if "paramMapping" not in upstream and properties:
        yield at, "is missing: no parameter would reach the upstream"
    closed = bool(properties) and schema.get("additionalProperties") in (None, False)
    taken: dict[tuple[str, ...], str] = {}
    for mine, theirs in mapping.items():
        where = step(at, mine)
        if not isinstance(theirs, str) or not all(target_of(theirs)):
            yield where, "must be a name of the upstream's, or a path to one such as `filters.text`"
            continue
        if closed and mine not in properties:
            yield where, f"inputSchema has no property {mine!r}"
        target = target_of(theirs)
        for other, owner in taken.items():
            shorter = min(len(other), len(target))
            if other[:shorter] == target[:shorter]:
                yield where, f"{theirs!r} is already filled by {owner!r}"
        taken[target] = mine


def text_at(found: dict[str, Any], at: str, key: str) -> Iterator[Fault]:
    if key not in found:
        yield f"{at}.{key}", "is missing"
    elif not isinstance(found[key], str) or not found[key].strip():
        yield f"{at}.{key}", "must be a text that is not empty"


def unknown(found: dict[str, Any], at: str, known: tuple[str, ...]) -> Iterator[Fault]:
    for key in found:
        if key not in known:
            yield step(at, key), f"is not known here; known are {', '.join(k for k in known if k[0] != '$')}"


# examples


def examples() -> list[str]:
    """Names of the files that come with loregraph."""
    folder = resources.files("loregraph.bridges") / "examples"
    return sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))


def example(name: str) -> str:
    """The text of a file that comes with loregraph. Raises NotFoundError."""
    if name not in examples():
        raise NotFoundError(f"there is no example {name!r}", f"there are {', '.join(examples())}")
    return (resources.files("loregraph.bridges") / "examples" / f"{name}.json").read_text(encoding="utf-8")
