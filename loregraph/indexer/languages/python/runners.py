"""How chosen tests are named to pytest and to unittest."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.python.language import TESTS
from loregraph.indexer.languages.running import (
    EVERYTHING,
    Asked,
    Holder,
    TestPlace,
    TestRunner,
    Words,
    folder_of,
    place_word,
    unique,
    widened,
    without_covered,
)
from loregraph.indexer.languages.testing import TestPaths
from loregraph.terminal import visible

_NAMED_AS_TESTS: Final = TestPaths(TESTS)
_RENAMED: Final = re.compile(
    r"\b(?:fixture|parameterized|parameterized_class|expand|parameters|named_parameters|product|ddt|data|file_data)\b"
)
"""Decorators that make no test of a function, or tests of other names: of pytest, parameterized, ddt and absl."""


# Implements REQ-RUN-011.
def pytest_words(asked: Asked) -> Words:
    """Node ids, in order. An id that pytest does not find ends its whole run, so that only what it surely collects has
    one: others are selected by their files, and what stands in a file that it may not collect, a `conftest.py` first,
    by the folder."""
    if asked.width > 2:
        return Words((EVERYTHING,))
    paths, words = [], []
    for place in asked.places:
        collected = _is_file_of_tests(place.path)
        if place.has_heirs and not _is_collected(place) and collected and asked.width < 2:
            continue  # the classes that inherit it have places of their own
        path = place.path if collected and asked.width < 2 else folder_of(place.path)
        word = place_word(path, asked, refused="[:")
        paths.append(path)
        names = [*(holder.name for holder in place.holders), place.name]
        exact = word.removeprefix("./") == place.path and asked.width < 1 and place.path not in asked.whole
        if exact and _is_collected(place) and asked.expressible("".join(names)) and "[" not in "".join(names):
            word = "::".join([word, *names])
        words.append(word)
    files = [word.partition("::")[0] for word in words]
    return Words(without_covered(words), widened(paths, files))


def _is_file_of_tests(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name != "conftest.py" and name in _NAMED_AS_TESTS


def _is_collected(place: TestPlace) -> bool:
    """Whether pytest finds the test under its name, by what it collects unless told otherwise."""
    decorators = [*place.decorators, *(holder.heads[0].partition("class ")[0] for holder in place.holders)]
    if (
        not place.is_named
        or place.is_called
        or place.is_conditional
        or any(_RENAMED.search(decorator.partition("(")[0]) for decorator in decorators)
    ):
        return False
    outer = place.holders[:-1]
    return all(map(_is_collected_class, place.holders)) and not any(map(_is_unittest, outer))


def _is_collected_class(holder: Holder) -> bool:
    if not holder.is_class:
        return False
    return _is_unittest(holder) or (holder.name.startswith("Test") and not holder.constructed)


def _is_unittest(holder: Holder) -> bool:
    """Whether a base says so by its name: `unittest.TestCase`, `django.test.SimpleTestCase`."""
    return any("TestCase" in head.partition("(")[2] for head in holder.heads)


def unittest_words(asked: Asked) -> Words:
    """Dotted names; what cannot be one selects all tests that unittest discovers."""
    if asked.width > 1:
        return Words(("discover",))
    words = []
    for place in asked.places:
        module = place.path.removesuffix(".py").replace("/", ".")
        if not all(part.isidentifier() for part in module.split(".")):
            return Words(("discover",), (f"{visible(place.path)} has no name as a module: all tests are selected",))
        if asked.width or place.path in asked.whole or not place.holders or not _is_collected(place):
            words.append(module)
        else:
            words.append(".".join([module, *(holder.name for holder in place.holders), place.name]))
    return Words(unique(words))


RUNNERS: Final = (
    # A single `--version` is not read from a file of arguments, a second one is.
    TestRunner("pytest", "pytest", ("--version", "--version"), pytest_words),
    TestRunner("unittest", "python -m unittest", ("--help",), unittest_words, claims=lambda place: False),
)
