"""Which assignments in a file define constants that other files may use.

Facts have every assignment at the top level and in types; its name, the file's exports and its value decide whether it
is a constant. Preprocessor and shell constants are read from the lines of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.graph.constants import Constant
from loregraph.indexer.facts import FILE_SCOPE, SCOPE_KINDS, Assignment, FileFacts, is_type_node
from loregraph.indexer.languages import registry

MAX_TEXT: Final = 200
"""Characters kept of a constant's line."""
_SPACE: Final = re.compile(r"\s+")
_SHOUTED: Final = re.compile(r"_?[A-Z][A-Z0-9_]*[A-Z0-9]|k[A-Z]\w+|__version__")
"""Naming conventions for constants: `MAX_RETRIES`, Google's `kMaxRetries`."""
_IS_TYPE: Final = re.compile(
    r"(?:(?:export|declare|public|private|internal|open|pub(?:\([a-z]{1,9}\))?) )*"
    r"(?:type|typealias|using|typedef|import|interface)\b"
)
_IN_LINES: Final = registry.byte_expressions(lambda language: language.constants.in_lines)
_MADE_BY: Final = registry.table(lambda language: language.constants.made_by)
_CAPITAL_EXPORTS: Final = registry.where(lambda language: language.constants.capital_exports)
"""Languages in which the first letter says whether a name is exported."""
_LIST_EXPORTS: Final = registry.where(lambda language: language.ecmascript)
"""Languages whose files have explicit exports."""
_DECLARE_CONSTANTS: Final = registry.where(lambda language: language.constants.declared)
"""Languages in which every declaration at the top level with a literal value is a constant, whatever its name."""
_IN_TYPES: Final = registry.where(lambda language: language.constants.in_types)
"""Languages in which all constants are in types and begin with a capital."""


# Implements REQ-SRC-013.
def constants_of(facts: FileFacts, source: bytes) -> tuple[Constant, ...]:
    """The constants of a file, in order of their lines, each name once per line."""
    found = sorted({*_assigned(facts), *_called(facts), *_in_lines(facts.language, source)})
    if not found:
        return ()
    lines = source.split(b"\n")
    constants = []
    for line, name in found:
        raw = lines[line - 1][: 2 * MAX_TEXT] if 0 < line <= len(lines) else b""
        text = _SPACE.sub(" ", raw.decode("utf-8", "ignore")).strip()[:MAX_TEXT]
        if not _IS_TYPE.match(text):
            constants.append(Constant(line, name, text))
    return tuple(constants)


def _assigned(facts: FileFacts) -> Iterator[tuple[int, str]]:
    defined = {definition.name for definition in facts.definitions}
    exported = {export.name for export in facts.exports}
    for fact in facts.assignments:
        target = fact.target
        if fact.kind not in ("=", "declare") or fact.value[0] == "f":
            continue
        if target[0] == "a" and target[1][0] == "n":  # Rust's `impl`, Lua's `M.MAX = 3`
            name = target[2]
            fits = _SHOUTED.fullmatch(name) is not None
        elif target[0] == "n":
            name = target[1]
            fits = _fits(facts, fact, name, exported)
        else:
            continue
        if fits and name not in defined and _is_shared(facts, fact):
            yield fact.line, name


def _is_shared(facts: FileFacts, fact: Assignment) -> bool:
    """Whether a fact is at the top level, in a namespace or in a type, but not in a function."""
    if fact.scope == FILE_SCOPE:
        return True
    around = facts.definitions[fact.scope]
    return around.kind in SCOPE_KINDS or is_type_node(around.kind, around.flags)


def _fits(facts: FileFacts, fact: Assignment, name: str, exported: set[str]) -> bool:
    if len(name) < 2:
        return False
    is_literal = fact.value[0] == "k"
    if facts.language in _LIST_EXPORTS and fact.scope == FILE_SCOPE:
        return name in exported
    if _SHOUTED.fullmatch(name):
        return True
    if facts.language in _CAPITAL_EXPORTS and not name[0].isupper():
        return False
    if facts.language in _DECLARE_CONSTANTS:
        return fact.scope == FILE_SCOPE and fact.kind == "declare" and is_literal
    return facts.language in _IN_TYPES and fact.kind == "declare" and is_literal and name[0].isupper()


def _called(facts: FileFacts) -> Iterator[tuple[int, str]]:
    """Those that a function makes: PHP's `define('NAME', …)`."""
    maker = _MADE_BY.get(facts.language)
    for call in facts.calls if maker is not None else ():
        given = call.arguments
        if call.function == ("n", maker) and given and given[0][:2] == ("k", "str") and given[0][2]:
            yield call.line, given[0][2]


def _in_lines(language: str, source: bytes) -> Iterator[tuple[int, str]]:
    pattern = _IN_LINES.get(language)
    line, at = 1, 0
    for match in pattern.finditer(source) if pattern is not None else ():
        line += source.count(b"\n", at, match.start(1))
        at = match.start(1)
        yield line, match[1].decode("utf-8", "replace")
