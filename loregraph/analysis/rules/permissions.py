"""Attributes, annotations and comments by which a language's own tools permit unused code."""

from __future__ import annotations

import posixpath
import re
from typing import Final

from loregraph.analysis.rules.code import FILE, Code
from loregraph.analysis.rules.surroundings import head_lines
from loregraph.indexer.languages import registry

_GIVES_LEAVE: Final = registry.expressions(lambda language: language.unused.permitted)
_BY_DECLARATION: Final = registry.where(lambda language: language.unused.permitted_for_modules)
_FILE_HEAD: Final = 60
"""Lines at the start of a file that may permit it for the whole file."""
_WHOLE_FILE: Final = re.compile(
    r"#!\[|@file:|eslint-disable(?!-)|@ts-nocheck|biome-ignore-all|ignore_for_file|file-ignore|OPTIONS_GHC"
    r"|#pragma|luacheck:|@diagnostic\s++disable\s*+:|periphery:ignore:all|swiftlint:disable\s"
)
_LONGEST: Final = 500
"""Maximum characters examined per line."""
_MOST_MODULES: Final = 30
"""Maximum files up to a crate's root that are searched for a module's declaration."""


def is_permitted(code: Code, node: int) -> bool:
    """Whether unused code is permitted for the definition, its container, its file or its crate."""
    columns = code.columns
    path, line = columns.path(node), int(columns.start_line[node])
    gives_leave = _GIVES_LEAVE.get(columns.language(node))
    if gives_leave is None:
        return False
    openings = [line, *(number for number, _ in code.openings(path, line))]
    parent = code.container(node)
    while parent >= 0 and columns.labels[parent] != FILE:
        openings.append(int(columns.start_line[parent]))
        parent = code.container(parent)
    for opening in dict.fromkeys(openings):
        # Attributes of Rust and annotations of Java are among the lines of their definition.
        below = code.lines(path)[opening : opening + 4]
        head = head_lines(code, path, opening) + [
            text for text in below if text.lstrip()[:2] in ("#[", "[[") or text.lstrip()[:1] == "@"
        ]
        if any(gives_leave.search(text[:_LONGEST]) for text in head):
            return True
    if _file_permits(code, path, gives_leave):
        return True
    return columns.language(node) in _BY_DECLARATION and _crate_permits(code, path, gives_leave)


def _file_permits(code: Code, path: str, gives_leave: re.Pattern[str]) -> bool:
    return code.once(
        ("file permits", path, gives_leave.pattern),
        lambda: any(
            gives_leave.search(text[:_LONGEST]) and _WHOLE_FILE.search(text[:_LONGEST])
            for text in code.lines(path)[:_FILE_HEAD]
        ),
    )


def _crate_permits(code: Code, path: str, gives_leave: re.Pattern[str]) -> bool:
    """Whether one of the files that declare the module of `path`, up to the crate's root, permits it."""

    def look() -> bool:
        current = path
        for _ in range(_MOST_MODULES):
            folder, name = posixpath.split(current)
            module = name.removesuffix(".rs")
            if module in ("mod", "lib", "main"):
                if module != "mod":
                    return False
                folder, module = posixpath.split(folder)
            declared = re.compile(rf"\s*+(?:pub(?:\([^)]*+\))?\s++)?mod\s++{re.escape(module)}\s*+;")
            beside = [posixpath.join(folder, f"{one}.rs") for one in ("mod", "lib", "main")]
            for parent in [*beside, f"{folder}.rs"]:
                for number, text in enumerate(code.lines(parent) if parent != current else (), 1):
                    if declared.match(text[:_LONGEST]):
                        if any(gives_leave.search(one[:_LONGEST]) for one in head_lines(code, parent, number)):
                            return True
                        if _file_permits(code, parent, gives_leave):
                            return True
                        current = parent
                        break
                else:
                    continue
                break
            else:
                return False
        return False

    return code.once(("crate permits", path), look)
