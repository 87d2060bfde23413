"""How the tests of a language are told: by the names of files and folders, and of what marks a function as a test.

What a runner finds by default is in its manual: pytest and unittest; Jest, Vitest, Mocha, Jasmine, AVA, node:test;
`go test`; Surefire, Failsafe and Gradle's source sets for JUnit; Cargo; RSpec and minitest; PHPUnit and phpspec; xUnit,
NUnit, MSTest; ExUnit; hspec; busted; XCTest; `dart test`; GoogleTest and Catch2, whose names are custom; bats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

FOLDERS: Final = (
    "test", "tests", "Test", "Tests", "e2e", "*[a-z0-9_.-]Test", "*[a-z0-9_.-]Tests", "*[_-]tests",
    *(f"{kind}{joint}{word}" for kind in ("integration", "functional", "unit", "e2e") for joint in "_-"
      for word in ("test", "tests")),
)  # fmt: skip
"""Folders of tests and their helpers in any language: `integrationTest` of Gradle, `Serilog.Tests` of .NET, `AppTests`
of Xcode, `guava-tests`."""


class Tests(msgspec.Struct, frozen=True):
    """How one language's tests are told. `folders` and `files` are globs with at most one `*`, upper and lower case
    apart: any more could take long on a hostile name."""

    files: tuple[str, ...] = ()
    """Names of files that hold tests or their helpers, each against the name without its extension and with it."""
    folders: tuple[str, ...] = ()
    """Folders in which all files do, besides `FOLDERS`; one with a slash names the folder in another."""
    product: tuple[str, ...] = ()
    """Folders in which all is the product's, however it is called, but where they stand in a folder of tests
    themselves: `src/main` of Maven and Gradle."""
    prefixes: tuple[str, ...] = ()
    """What the name of a test begins with in a file of tests."""
    callers: frozenset[str] = frozenset()
    """Functions that are given a test: `it("works", () => …)`."""
    marks: frozenset[str] = frozenset()
    """Annotations, attributes or decorators of a test, without what is before them and their arguments: `Test`."""
    modules: tuple[str, ...] = ()
    """Modules within a file of the product that hold its tests and their helpers (Rust)."""

    def marked(self, names: Iterable[str]) -> bool:
        """Whether one of these annotations, as they are written (`tokio::test(flavor = "x")`), is one of `marks`."""
        return any((name if name.isidentifier() else _last_word(name)) in self.marks for name in names)


UNKNOWN: Final = Tests()
"""Where nothing is said of a language's tests, and for documents: folders alone tell."""
JVM_FILES: Final = (
    *(f"*[A-Za-z0-9_]{word}" for word in ("Test", "Tests", "TestCase", "TestBase")),
    *(f"*[a-z0-9]{word}" for word in ("IT", "ITCase")),
)
"""Those of Surefire and Failsafe, but `Test*` and `IT*`, which say too little outside `src/test`."""
JVM_FOLDERS: Final = ("src/test*", "src/*Test*", "src/it", "javatests")

_HEAD: Final = re.compile(r"[(<\[{ ]")
_LAST: Final = re.compile(r"[.:\\]")


def _last_word(name: str) -> str:
    return _LAST.split(_HEAD.split(name, 1)[0])[-1]


_GLOB: Final = re.compile(r"(\*)|(\[[^\]]++\])|([^*\[]++)")


class TestPaths:
    """The paths, POSIX and relative, of one language's files that hold tests or their helpers."""

    __slots__ = ("_file", "_folder", "_product")

    def __init__(self, tests: Tests) -> None:
        self._folder = re.compile(f"(?:^|/)(?:{_either((*FOLDERS, *tests.folders))})/")
        self._product = re.compile(f"(?:^|/)(?:{_either(tests.product)})/") if tests.product else None
        self._file = re.compile(f"(?:{_either(tests.files)})\\Z") if tests.files else None

    def __contains__(self, path: str) -> bool:
        product = self._product.search(path) if self._product is not None else None
        if product is not None:
            return self._folder.search(path, 0, product.start() + 1) is not None
        if self._folder.search(path) is not None:
            return True
        if self._file is None:
            return False
        name = path[path.rfind("/") + 1 :]
        dot = name.rfind(".")
        stem = self._file.match(name, 0, dot) if dot > 0 else None
        return stem is not None or self._file.match(name) is not None


def _either(globs: Iterable[str]) -> str:
    """The globs as one regular expression, in which `*` stays within a folder and `[…]` is a set of characters."""
    return "|".join("".join(_part(*found.groups()) for found in _GLOB.finditer(glob)) for glob in globs)


def _part(star: str | None, characters: str | None, text: str | None) -> str:
    return "[^/]*" if star else characters or re.escape(text or "")
