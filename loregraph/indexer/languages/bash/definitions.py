"""Functions of shell scripts, and the tests of bats, which are written as functions of a kind: `@test "…" { }`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import DEFINED, FILE_SCOPE, NAME, Assignment
from loregraph.indexer.languages.bash.language import TESTS
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.lowering import around
from loregraph.indexer.languages.registry import is_test_path

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST_NAME: Final = re.compile(rf"(?:{'|'.join(TESTS.prefixes)})(?=[_A-Z\d]|$)")
_MAX_NAME: Final = 120


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if x.source.startswith(b"@test", node.start_byte):
        end = x.source.find(b"\n", node.start_byte)
        line = x.source[node.start_byte : end if end >= 0 else node.end_byte].decode("utf-8", "replace")
        text = line.removeprefix("@test").rpartition("{")[0].strip()
        name = " ".join(text.strip("\"'").split())[:_MAX_NAME]
        return Header(name=name or "test", flags=("expression", "test"), signature=f"@test {text}"[:_MAX_NAME])
    named = node.child_by_field_name("name")
    if named is None:
        return None
    name = x.text(named)
    flags = [] if name.startswith("_") else ["exported"]
    if _is_test(x, node, name):
        flags.append("test")
    if around(node, "function_definition") is not None:
        flags.append("expression")  # bound in the whole shell, not in the function around it
    return Header(name=name, flags=tuple(flags), signature=f"{name}()")


def _is_test(x: Extraction, node: Node, name: str) -> bool:
    if _TEST_NAME.match(name) and is_test_path(x.path, "bash"):
        return True
    body = node.child_by_field_name("body")
    if body is None:
        return False
    end = x.source.find(b"\n", body.start_byte)
    return b"#@test" in x.source[body.start_byte : end].replace(b" ", b"") if end >= 0 else False


def bind_inner(x: Extraction) -> None:
    """A function that is defined in another one is there for the whole shell once that one has run."""
    for number, definition in enumerate(x.definitions):
        if definition.parent != FILE_SCOPE and "test" not in definition.flags and definition.is_function:
            line, at, name = definition.start_line, definition.start_byte, (NAME, definition.name)
            x.assignments.append(Assignment(FILE_SCOPE, line, at, -1, name, (DEFINED, number)))


def inner_from(node: Node) -> int:
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.start_byte
