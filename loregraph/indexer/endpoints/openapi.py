"""Endpoints that OpenAPI documents (https://spec.openapis.org/oas/) declare, versions 2 (Swagger) and 3, JSON or YAML.

A document is one by its beginning, so that other data files cost a look at their first bytes. YAML is read as a stream
of events: nothing is constructed, an alias is never expanded, and only the levels that matter are kept.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

from loregraph.indexer.endpoints.model import DECLARED, HTTP_METHODS, FileEndpoints, Route

HEAD_BYTES: Final = 4_096
"""How far from the beginning the version may be said: after a licence, or after `info` in JSON sorted by keys."""
MAX_BYTES: Final = 5_000_000
MAX_DEPTH: Final = 200
MAX_EVENTS: Final = 2_000_000
MAX_OPERATIONS: Final = 20_000
MAX_BASES: Final = 8
"""Servers whose paths are distinct."""
MAX_PATH: Final = 2_000
_KEPT_DEPTH: Final = 6
"""Levels of a document that are kept: those of a path item below `components`, with its operations."""
_EXTENSIONS: Final = (".yaml", ".yml", ".json")
_VERSION: Final = re.compile(rb"""(?:^|[{,\s"'])(?:openapi|swagger)["']?\s{0,9}:\s{0,9}["']?[23]\.\d""")
_NAME: Final = re.compile(r"(?:^|[-_./])(?:openapi|swagger|api-?docs?|api-?spec|spec)(?:[-_.]|$)", re.IGNORECASE)
_NOT_SEARCHED: Final = re.compile(
    r"(?:^|/)(?:(?:__)?fixtures?(?:__)?|test[-_]?data|vendor|third[-_]party|node_modules|examples?|samples?|templates?"
    r"|tests?|__tests__)/"
)
"""Folders with documents of others, or fictitious ones."""
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Problems = tuple[tuple[int, str], ...]


# Implements REQ-NET-009.
def read(path: str, source: bytes) -> tuple[FileEndpoints, Problems]:
    """What a document declares, and its problems as (line, message). Empty for nearly every file; never raises because
    of the content. A route's path begins with that of the server or `basePath`."""
    if not path.endswith(_EXTENSIONS) or not _is_openapi(path, source) or _NOT_SEARCHED.search(path) is not None:
        return FileEndpoints(), ()
    if len(source) > MAX_BYTES:
        return FileEndpoints(), ((0, f"an OpenAPI document of more than {MAX_BYTES:,} bytes is not read"),)
    text = source.decode("utf-8", "replace")
    try:
        whole, lines = _json(text) if path.endswith(".json") else _yaml(text)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        return FileEndpoints(), ((line, f"not a valid OpenAPI document: {_reason(error)}"),)
    return _declared(whole, lines)


def _is_openapi(path: str, source: bytes) -> bool:
    """Whether a version is said near the beginning, or anywhere outermost in a file that is named like a document."""
    if _VERSION.search(source, 0, HEAD_BYTES) is not None:
        return True
    return _NAME.search(path.rpartition("/")[2]) is not None and _VERSION.search(source, 0, MAX_BYTES) is not None


def _reason(error: Exception) -> str:
    return str(getattr(error, "problem", None) or error).split("\n", 1)[0][:200]


def _json(text: str) -> tuple[Any, dict[str, int]]:
    """The value, and the lines of the paths: where they first stand as keys."""
    whole = json.loads(text)
    lines: dict[str, int] = {}
    paths = whole.get("paths") if isinstance(whole, dict) else None
    at, line = max(0, text.find('"paths"')), 0
    line = text.count("\n", 0, at) + 1
    for path in paths if isinstance(paths, dict) else ():
        found = text.find(f'"{path}"', at)
        if found >= 0:
            line += text.count("\n", at, found)
            at = found
        lines[path] = line
    return whole, lines


def _yaml(text: str) -> tuple[Any, dict[str, int]]:
    """The outer levels as plain values, and the lines of the paths. Raises ValueError for what is beyond the bounds."""
    root: list[Any] = []
    stack: list[Any] = [root]
    keys: list[str | None] = [None]
    lines: dict[str, int] = {}
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER), 1):
        if count > MAX_EVENTS or len(stack) > MAX_DEPTH:
            raise ValueError(f"more than {MAX_EVENTS:,} values, or nested more than {MAX_DEPTH} deep")
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            made: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            _put(stack, keys, made, event, lines)
            stack.append(made)
            keys.append(None)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            stack.pop()
            keys.pop()
        elif isinstance(event, yaml.ScalarEvent):
            _put(stack, keys, event.value, event, lines)
        elif isinstance(event, yaml.AliasEvent):
            _put(stack, keys, None, event, lines)
        elif isinstance(event, yaml.DocumentEndEvent):
            break
    return (root[0] if root else None), lines


def _put(stack: list[Any], keys: list[str | None], value: Any, event: Any, lines: dict[str, int]) -> None:
    """Adds a value to the innermost list or mapping; in the latter every other one is a key."""
    holder = stack[-1]
    is_kept = len(stack) <= _KEPT_DEPTH
    if isinstance(holder, list):
        if is_kept:
            holder.append(value)
        return
    key = keys[-1]
    if key is None:
        keys[-1] = value if isinstance(value, str) else ""
        outer = stack[1] if len(stack) == 3 else None
        if isinstance(outer, dict) and isinstance(value, str) and holder is outer.get("paths"):
            lines.setdefault(value, event.start_mark.line + 1)
        return
    if is_kept:
        holder[key] = value
    keys[-1] = None


def _declared(whole: Any, lines: dict[str, int]) -> tuple[FileEndpoints, Problems]:
    paths = whole.get("paths") if isinstance(whole, dict) else None
    if not isinstance(paths, dict):
        return FileEndpoints(), ()
    routes: list[Route] = []
    cut = elsewhere = 0
    bases = _bases(whole)
    for path, item in paths.items():
        if not isinstance(path, str) or path[:1] != "/" or len(path) > MAX_PATH or not path.isprintable():
            continue
        target = item.get("$ref") if isinstance(item, dict) else None
        if isinstance(target, str):
            item = _within(whole, target)
            elsewhere += item is None
        own = _bases(item) if isinstance(item, dict) and "servers" in item else bases
        for name in sorted(item) if isinstance(item, dict) else ():
            if not isinstance(name, str) or name.upper() not in HTTP_METHODS or not isinstance(item[name], dict):
                continue
            if len(routes) >= MAX_OPERATIONS:
                cut += 1
                continue
            at = lines.get(path, 1)
            routes += [Route("", (name.upper(),), [base, path], at, DECLARED) for base in own]
    told = ((0, f"{elsewhere:,} paths of the OpenAPI document are in other files, which are not read"),)
    return FileEndpoints(routes=tuple(routes), cut=cut), told if elsewhere else ()


def _bases(holder: dict[str, Any]) -> list[str]:
    """The paths of the servers, "" where there is none."""
    base = holder.get("basePath")
    if isinstance(base, str):
        return [_base(base)]
    servers = holder.get("servers")
    found = [
        _base(one["url"])
        for one in (servers if isinstance(servers, list) else [])[: MAX_BASES * 4]
        if isinstance(one, dict) and isinstance(one.get("url"), str)
    ]
    return list(dict.fromkeys(found))[:MAX_BASES] or [""]


def _base(address: str) -> str:
    """The path of a server's address; "" where a variable hides where it begins."""
    if len(address) > MAX_PATH or not address.isprintable():
        return ""
    try:
        path = urlsplit(address).path if "{" not in address.split("/", 3)[-1] else ""
    except ValueError:
        return ""
    return path.rstrip("/") if path[:1] == "/" else ""


def _within(whole: dict[str, Any], target: str) -> dict[str, Any] | None:
    """The path item that a reference within the document means; one step, so that no cycle is followed."""
    if not target.startswith("#/") or target.count("/") > _KEPT_DEPTH:
        return None
    found: Any = whole
    for part in target[2:].split("/"):
        found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found if isinstance(found, dict) and "$ref" not in found else None
