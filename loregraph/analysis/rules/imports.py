"""Imports between files: when each takes effect, and the parts of the code that contracts name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Final, Literal

import numpy as np

from loregraph.analysis.rules.code import CLASS, COMPONENT, FILE, Code
from loregraph.graph.model import LABELS
from loregraph.indexer.languages import registry

When = Literal["load", "call", "types"]
"""When an import takes effect: as the file is loaded, when a function is called, only for a type checker."""

_UNDER: Final = registry.where(lambda language: language.conditions.imports_under)
_SCRIPTS: Final = registry.where(lambda language: language.ecmascript)
_EXTERNAL: Final = LABELS.index("External")
_PREFIX: Final = "external:"
_TYPES_BLOCK: Final = re.compile(r"if\s+(?:\w+\.)?TYPE_CHECKING\b")
_SCRIPT_BLOCK: Final = re.compile(r"if\s+__name__\s*==")
_STATEMENT: Final = re.compile(r"^\s*(?:import|export)\b")
_TYPE_STATEMENT: Final = re.compile(r"^\s*(?:import|export)\s+type\b")
_NAMED_IMPORTS: Final = re.compile(r"\s*(?:import|export)\s+(?P<type>type\s+)?\{(?P<names>[^{}]*)\}\s*from\b")
_ERASED_KINDS: Final = frozenset({"interface", "type"})
"""Kinds of types that are erased when TypeScript runs."""
_LONGEST_STATEMENT: Final = 200


def imports_of(code: Code) -> dict[int, list[int]]:
    """File → its IMPORTS edges, in order of line."""

    def group() -> dict[int, list[int]]:
        columns = code.columns
        edges = columns.edges("IMPORTS")
        order = edges[np.lexsort((columns.line[edges], columns.source[edges]))]
        found: dict[int, list[int]] = {}
        for edge, source in zip(order.tolist(), columns.source[order].tolist(), strict=True):
            found.setdefault(source, []).append(edge)
        return found

    return code.once("imports", group)


def when(code: Code, edge: int) -> When:
    """When the import `edge` takes effect, as far as its line and its target tell."""
    columns = code.columns
    file, line = int(columns.source[edge]), int(columns.line[edge])
    lines = code.lines(columns.path(file))
    if not 0 < line <= len(lines):
        return "load"
    if any(first <= line <= last for first, last in _functions(code, columns.path(file))):
        return "call"
    language = columns.language(file)
    if language in _UNDER:
        return _under(lines, line)
    if language in _SCRIPTS:
        return "types" if _erased(lines, line) or _only_types(code, edge) else "load"
    return "load"


def _functions(code: Code, path: str) -> list[tuple[int, int]]:
    """First and last line of every function of a file."""

    def find() -> list[tuple[int, int]]:
        columns = code.columns
        nodes = columns.nodes("Function", path=path)
        starts, ends = columns.start_line[nodes].tolist(), columns.end_line[nodes].tolist()
        return list(zip(starts, ends, strict=True))

    return code.once(("function lines", path), find)


def _under(lines: Sequence[str], line: int) -> When:
    """When an import outside functions takes effect, by the conditions around it: under `if TYPE_CHECKING:` never, in
    a script only there."""
    indent = _indent(lines[line - 1])
    for text in reversed(lines[: line - 1]):
        if indent == 0:
            break
        stripped = text.strip()
        if not stripped or stripped.startswith("#") or _indent(text) >= indent:
            continue
        indent = _indent(text)
        if _TYPES_BLOCK.match(stripped):
            return "types"
        if _SCRIPT_BLOCK.match(stripped):
            return "call"
    return "load"


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _erased(lines: Sequence[str], line: int) -> bool:
    """Whether the import statement around the line imports only types."""
    first = line
    while first > max(1, line - _LONGEST_STATEMENT) and not _STATEMENT.match(lines[first - 1]):
        first -= 1
    statement = " ".join(lines[first - 1 : first - 1 + _LONGEST_STATEMENT])
    found = _NAMED_IMPORTS.match(statement)
    if found is None:
        return bool(_TYPE_STATEMENT.match(statement))
    names = [name.strip() for name in found["names"].split(",") if name.strip()]
    return found["type"] is not None or (bool(names) and all(name.startswith("type ") for name in names))


def _only_types(code: Code, edge: int) -> bool:
    """Whether all imported names are interfaces and types of the other file."""
    columns = code.columns
    names, target = columns.edge(edge).names, int(columns.target[edge])
    if not names or columns.labels[target] != FILE:
        return False
    kinds: dict[str, set[str]] = {}
    for inner in code.ends(target, "CONTAINS"):
        kind = columns.kind(inner) if columns.labels[inner] == CLASS else "function"
        kinds.setdefault(columns.name(inner), set()).add(kind)
    return all(name in kinds and kinds[name] <= _ERASED_KINDS for name in names)


def part(code: Code, text: str) -> frozenset[int]:
    """The files, components and external packages denoted by `text`: see `config.ContractSettings`."""

    def find() -> frozenset[int]:
        columns = code.columns
        if text.startswith(_PREFIX):
            return frozenset(_external(code, text))
        nodes = np.flatnonzero((columns.labels == FILE) | (columns.labels == COMPONENT)).tolist()
        path = text.removeprefix("component:").removeprefix("./").rstrip("/")
        return frozenset(node for node in nodes if _within(columns.path(node), columns.qualified_name(node), path))

    return code.once(("part", text), find)


def _external(code: Code, text: str) -> Iterable[int]:
    columns = code.columns
    for node in np.flatnonzero(columns.labels == _EXTERNAL).tolist():
        identity = columns.id(node)
        package = columns.own(node, "package")
        if identity == text or identity.startswith(text + ".") or _PREFIX + package == text:
            yield node


def _within(path: str, qualified_name: str, text: str) -> bool:
    if path == text or path.startswith(text + "/"):
        return True
    if any(sign in text for sign in "*?["):
        return fnmatchcase(path, text) or fnmatchcase(path, text + "/*")
    return qualified_name == text or qualified_name.startswith(text + ".")
