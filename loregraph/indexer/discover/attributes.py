"""The origin of files according to .gitattributes: `linguist-generated` and `linguist-vendored`, set or unset.

The files are parsed here rather than by git, so that no git configuration of the repository takes effect. See
gitattributes(5); macros and other attributes are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from loregraph import rooted
from loregraph.errors import UnsafePathError
from loregraph.ignore_rules import IgnoreRules, parse_rules
from loregraph.indexer.problems import PathProblem

FILE: Final = ".gitattributes"
MAX_BYTES: Final = 1_000_000
"""Maximum bytes of a .gitattributes file."""
MAX_FILES: Final = 500
"""Maximum number of .gitattributes files, since each is consulted for every file below it."""
GENERATED: Final = "generated"
VENDORED: Final = "vendored"
OWN: Final = "own"
"""The origin where an attribute is unset: not generated, not vendored, whatever other signs there are."""
_ATTRIBUTES: Final = {"linguist-generated": GENERATED, "linguist-vendored": VENDORED}
_TRUE: Final = frozenset({"", "true", "1"})

_Rules = list[tuple[str, dict[str, IgnoreRules]]]


# Implements REQ-IDX-021.
def origins(base: Path, paths: Iterable[str], problems: list[PathProblem]) -> Callable[[str], str]:
    """Path → GENERATED, VENDORED, OWN, or "" where no attribute applies. `paths` are all files of the project."""
    files = sorted((path for path in paths if path == FILE or path.endswith(f"/{FILE}")), key=lambda p: p.count("/"))
    if len(files) > MAX_FILES:
        told = f"attributes of {len(files) - MAX_FILES:,} files of this name are not read: at most {MAX_FILES:,} are"
        problems.append(PathProblem(FILE, 0, told))
    rules: _Rules = []
    for path in files[:MAX_FILES]:
        found = _read(base, path)
        for own in found.values():
            if own.cut:
                told = f"{own.cut:,} patterns are too long, or too many, and say nothing"
                problems.append(PathProblem(path, 0, told))
        if found:
            rules.append((path.removesuffix(FILE), found))
    if not rules:
        return lambda path: ""
    rules.reverse()  # the nearest file takes precedence
    return lambda path: _origin(path, rules)


def _origin(path: str, rules: _Rules) -> str:
    said: dict[str, bool] = {}
    name = path.rpartition("/")[2]
    for folder, found in rules:
        if path.startswith(folder):
            for attribute, own in found.items():
                answer = own.decide(path, name, is_folder=False)
                if answer is not None:
                    said.setdefault(attribute, answer)
    for attribute in (GENERATED, VENDORED):
        if said.get(attribute):
            return attribute
    return OWN if said else ""


def _read(base: Path, path: str) -> dict[str, IgnoreRules]:
    try:
        with rooted.open_read(base, path) as file:
            data = file.read(MAX_BYTES)
    except (OSError, UnsafePathError):
        return {}
    lines: dict[str, list[str]] = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        for attribute, is_set, pattern in _said(line):
            lines.setdefault(attribute, []).append(pattern if is_set else f"!{pattern}")
    parsed = {attribute: parse_rules("\n".join(own), path.removesuffix(FILE)) for attribute, own in lines.items()}
    return {attribute: own for attribute, own in parsed.items() if own is not None}


def _said(line: str) -> Iterator[tuple[str, bool, str]]:
    """The content of a line: (attribute, whether it is set, pattern)."""
    line = line.strip()
    if not line or line.startswith(("#", "[attr]", "!")) or "linguist-" not in line:
        return
    if line.startswith('"'):
        pattern, _, rest = line[1:].partition('"')
    else:
        pattern, _, rest = line.partition("\t") if "\t" in line.partition(" ")[0] else line.partition(" ")
    for word in rest.split():
        name, _, value = word.lstrip("-!").partition("=")
        if name in _ATTRIBUTES and not word.startswith("!"):
            yield _ATTRIBUTES[name], not word.startswith("-") and value in _TRUE, pattern
