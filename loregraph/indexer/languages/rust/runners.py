"""How chosen tests are named to `cargo test`."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.running import EVERYTHING, Asked, TestPlace, TestRunner, Words, unique

_PLAIN: Final = re.compile(r"(?:\w+::)*(?:test|should_panic|ignore|allow|expect|cfg|cfg_attr|serial|doc)\b")
"""Attributes beside which the test is one of its own name; others (`rstest`, `test_case`) make several of it."""


# Implements REQ-RUN-011.
def cargo_words(asked: Asked) -> Words:
    """Packages and, behind `--`, the paths of the tests: by `--exact`, but where an attribute may make several tests of
    one, whose names begin with its own."""
    packages, notes = _packages(asked)
    if asked.width > 1:
        return Words(packages, notes)
    paths = [_path(place, asked.width) for place in asked.places]
    if not all(path.replace("::", "_").isidentifier() for path in paths):
        return Words(packages, (*notes, "a test whose name cannot be passed this way selects all of its packages"))
    exact = not asked.width and all(_is_plain(place) for place in asked.places)
    return Words((*packages, "--", *(("--exact",) if exact else ()), *unique(paths)), notes)


def _path(place: TestPlace, width: int) -> str:
    """The path below the crate or target, which the first part of a qualified name is."""
    parts = [*place.prefix.split(".")[1:], *(holder.name for holder in place.holders), *place.name.split(".")]
    around = parts[:-1]
    return "::".join([*around, ""] if width and around else parts)


def _is_plain(place: TestPlace) -> bool:
    return all(_PLAIN.match(decorator.lstrip("#[ ")) for decorator in place.decorators)


def _packages(asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = {place.root: place.package for place in asked.places}
    if len(found) == 1:
        (root,) = found
        if root in (EVERYTHING, ""):
            return (), ()
        if asked.expressible(root):
            return ("--manifest-path", f"{'./' if root.startswith('-') else ''}{root}/Cargo.toml"), ()
    names = sorted(set(found.values()))
    if not all(name and asked.expressible(name) and not name.startswith("-") for name in names):
        return ("--workspace",), ()
    notes = ("the packages are several: the top folder needs a workspace with them",) if len(names) > 1 else ()
    return tuple(word for name in names for word in ("-p", name)), notes


RUNNERS: Final = (TestRunner("cargo", "cargo test", ("--no-run",), cargo_words),)
