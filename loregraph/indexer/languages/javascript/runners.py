"""How chosen tests are named to Jest, Vitest and Mocha, and their files to Node's own runner."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.running import (
    Asked,
    TestPlace,
    TestRunner,
    Words,
    as_pattern,
    file_words,
    folder_of,
    unique,
)

_CALL: Final = re.compile(
    r"(?P<name>[A-Za-z]++)[^\"'`]*+(?:(?<=\()|(?<=\( ))"
    r"(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|`(?P<back>[^`]*+)`),"
)
_GROUPS: Final = frozenset("describe fdescribe xdescribe context suite".split())
_TESTS: Final = frozenset("it test specify fit xit xtest bench".split())
_OPEN: Final = re.compile(r"[%$\\]")
"""What may be replaced in a title, or stand for another sign."""


def _full_name(place: TestPlace) -> str:
    """A pattern of the full name, titles joined by blanks; "" where nothing is known of it."""
    words: list[str] = []
    start = "^"
    heads = [*(holder.heads[0] if holder.heads else "" for holder in place.holders), place.head]
    for number, head in enumerate(heads):
        last = number == len(heads) - 1
        call = _CALL.match(head)
        known = call is not None and call["name"] in (_TESTS if last else _GROUPS)
        if not known or call is None:
            if last:
                return ""
            start, words = "", []  # what is around may be a loop, or name what is in it
            continue
        title = call["double"] if call["double"] is not None else call["single"]
        title = call["back"] if title is None else title
        cut = _OPEN.search(title)
        words.append(as_pattern(title[: cut.start()] if cut else title))
        if cut:
            found = ".".join(words).rstrip(".+")
            return f"{start}{found}" if found else ""
    return f"{start}{'.'.join(words)}$" if any(words) else ""


def _names(asked: Asked, option: str, *, from_start: bool = False) -> tuple[str, ...]:
    """The option with one pattern for all, which holds for each of the files; none where one of them is unknown.
    `from_start`: whether a full name begins with the first title, and not with that of the file or a blank."""
    if asked.width or all(place.path in asked.whole for place in asked.places):
        return ()
    patterns = unique(_full_name(place).removeprefix("" if from_start else "^") for place in asked.places)
    return () if "" in patterns else (option, f"({'|'.join(patterns)})")


# Implements REQ-RUN-011.
def jest_words(asked: Asked) -> Words:
    """Files as patterns of paths, and `-t` with the full names as one pattern."""
    if asked.width > 2:
        return Words((".",))
    paths = unique(place.path if asked.width < 2 else f"{folder_of(place.path)}/" for place in asked.places)
    return Words((*(_path_pattern(path) for path in paths), *_names(asked, "-t", from_start=True)))


def _path_pattern(path: str) -> str:
    """A path with `.` for what a shell or a regular expression would read as its own."""
    pattern = "".join(sign if sign in "/@,-" else as_pattern(sign) for sign in path)
    return f"/{pattern}" if pattern.startswith(("-", "@")) else pattern


def vitest_words(asked: Asked) -> Words:
    """Parts of paths, and `-t` with the full names as one pattern."""
    if asked.width > 2:
        return Words((".",))
    files = file_words(asked)
    return Words((*files.words, *_names(asked, "-t")), files.notes)


def mocha_words(asked: Asked) -> Words:
    """Files, and `-g` with the full names as one pattern."""
    files = file_words(asked)
    deep = () if set(files.words) <= {place.path for place in asked.places} else ("--recursive",)
    return Words((*deep, *files.words, *_names(asked, "-g")), files.notes)


_NOTHING: Final = ("--passWithNoTests", "no-test-is-chosen")
"""A pattern that no path matches. `vitest run --version` runs all tests."""
RUNNERS: Final = (
    TestRunner("jest", "npx jest", _NOTHING, jest_words, packages=("javascript:jest",)),
    TestRunner("vitest", "npx vitest run", _NOTHING, vitest_words, packages=("javascript:vitest",)),
    TestRunner("mocha", "npx mocha", ("--version",), mocha_words, packages=("javascript:mocha",)),
    TestRunner("node", "node --test", ("--version",), file_words, claims=lambda place: False),
)
