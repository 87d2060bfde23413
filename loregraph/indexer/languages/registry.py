"""Every language loregraph knows, and how a file's name tells its language.

The folders beside this module that have a `language.py` are the languages whose code is extracted; nothing else lists
them. Documents have a table of their own. Nothing here needs a grammar, so that discovery stays cheap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, TypeVar

from loregraph.indexer import languages
from loregraph.indexer.languages.documents import DOCUMENTS as _DOCUMENTS
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import UNKNOWN, TestPaths

if TYPE_CHECKING:
    from loregraph.indexer.languages.running import TestRunner

T = TypeVar("T")

HEAD_BYTES: Final = 32_768
"""How much of a file is looked at to tell its language: long licence headers come first in many headers."""


def _found() -> Iterator[tuple[str, Language]]:
    """(folder, language) of all folders, in order of their names."""
    for folder in sorted(module.name for module in iter_modules(languages.__path__) if module.ispkg):
        name = f"{languages.__name__}.{folder}.language"
        if find_spec(name) is not None:  # else what several languages share
            for language in import_module(name).LANGUAGES:
                yield folder, language


_IN_FOLDERS: Final = tuple(_found())
FOLDERS: Final[dict[str, str]] = {language.name: folder for folder, language in _IN_FOLDERS}
"""Language → its folder. TSX shares TypeScript's: the same language with one more kind of node."""
LANGUAGES: Final[tuple[Language, ...]] = (*(language for _, language in _IN_FOLDERS), *_DOCUMENTS)
"""Sources first, then documents."""

BY_NAME: Final[dict[str, Language]] = {language.name: language for language in LANGUAGES}
SOURCES: Final = frozenset(language.name for language in LANGUAGES if not language.document)
CODE: Final = frozenset(language.name for language in LANGUAGES if not language.document and not language.holds)
"""The languages that definitions are in: not those of files that only hold code of others."""
DOCUMENTS: Final = frozenset(language.name for language in LANGUAGES if language.document)
SUPPORTED: Final = frozenset(FOLDERS)

BY_EXTENSION: Final[dict[str, str]] = {
    extension: language.name
    for language in LANGUAGES
    for extension in language.extensions
    if not (language.heads and extension in language.shared)
}
BY_FILENAME: Final[dict[str, str]] = {name: language.name for language in LANGUAGES for name in language.filenames}
_BY_SHEBANG: Final = {name: language.name for language in LANGUAGES for name in language.shebangs}
_CONTESTED: Final[dict[str, tuple[str, ...]]] = {
    extension: tuple(
        language.name
        for language in sorted(LANGUAGES, key=lambda language: len(language.heads))
        if extension in language.shared and language.heads
    )
    for one in LANGUAGES
    for extension in one.shared
}
"""Extension that languages share → those to look for by their heads: first those that have the fewest, and surest."""
PACKAGING: Final[tuple[tuple[Packaging, str], ...]] = tuple(
    sorted(
        ((file, language.name) for language in LANGUAGES for file in language.packaging), key=lambda pair: pair[0].rank
    )
)
"""(packaging file, language), by rank."""

_SHEBANG = re.compile(rb"#![ \t]*(?P<program>[^ \t\r\n]++)(?P<rest>[^\r\n]*)")


def code_of(language: str) -> str:
    """The language whose rules a file follows: the first that it holds, for one that only holds code of others."""
    record = BY_NAME.get(language)
    return record.holds[0] if record is not None and record.holds else language


@cache
def reader_of(language: str) -> Callable[[str, bytes], Any] | None:
    """What takes the code out of the files of `language` (see `embedded`); None where they are code themselves."""
    record = BY_NAME.get(language)
    if record is None or not record.holds:
        return None
    found: Callable[[str, bytes], Any] = import_module(f"{languages.__name__}.{FOLDERS[language]}.embedded").read
    return found


def runners_of(language: str) -> tuple[TestRunner, ...]:
    """What runs tests of a language; () where it is not known."""
    record = BY_NAME.get(language)
    if record is None or not record.runners:
        return ()
    found: tuple[TestRunner, ...] = import_module(f"{languages.__name__}.{record.runners}.runners").RUNNERS
    return found


def as_code(path: str, source: bytes, language: str = "") -> tuple[str, bytes]:
    """The language and text of a file as those see it who read lines of code. Of a file that holds code of another
    language these are that language, and the code alone on the lines of the file. `language` is the file's own, ""
    where its name tells it."""
    language = language or by_path(path) or ""
    reader = reader_of(language)
    held: Any = reader(path, source) if reader is not None else None
    return (held.language, held.lines_of(source)) if hasattr(held, "lines_of") else (language, source)


def where(holds: Callable[[Language], bool]) -> frozenset[str]:
    """The names of the languages of which something holds."""
    return frozenset(language.name for language in LANGUAGES if holds(language))


def table(of: Callable[[Language], T]) -> dict[str, T]:
    """Language → what its record has for something; languages whose record says nothing of it left out."""
    return {language.name: value for language in LANGUAGES if (value := of(language))}


def expressions(of: Callable[[Language], str]) -> dict[str, re.Pattern[str]]:
    """Language → the expression that its record has for something, compiled, line by line; those without left out."""
    return {name: re.compile(text, re.MULTILINE) for name, text in table(of).items()}


def byte_expressions(of: Callable[[Language], str]) -> dict[str, re.Pattern[bytes]]:
    """The same over bytes, for what reads sources as such."""
    return {name: re.compile(text.encode(), re.MULTILINE) for name, text in table(of).items()}


# Implements REQ-IDX-006.
def by_path(path: str) -> str | None:
    """Name of the language that a path's file name or extension tells; None where it tells none.

    A shared extension (`.h`) gives the language without heads; `by_head` can tell better.
    """
    name = path[path.rfind("/") + 1 :]
    found = BY_FILENAME.get(name)
    if found is not None:
        return found
    dot = name.rfind(".")
    if dot <= 0:
        return None
    return BY_EXTENSION.get(name[dot:]) or BY_EXTENSION.get(name[dot:].lower())


def sharing(path: str) -> tuple[str, ...]:
    """The languages that share a path's extension, the one without heads first; () where it is one's alone."""
    extension = path[path.rfind(".") :].lower() if "." in path else ""
    told = _CONTESTED.get(extension)
    return (BY_EXTENSION[extension], *told) if told is not None else ()


def by_head(path: str, head: bytes, among: Collection[str] = ()) -> str | None:
    """Name of the language that a file's first bytes tell: a `#!` line, or the heads of a shared extension.

    None where they tell none; the language without heads is never told, only its absence. `among` are the languages
    that share the extension in this project, where that is known.
    """
    if head.startswith(b"#!"):
        return _by_shebang(head)
    extension = path[path.rfind(".") :].lower() if "." in path else ""
    for name in _CONTESTED.get(extension, ()):
        if (not among or name in among) and any(pattern.search(head) for pattern in _heads(name)):
            return name
    return None


_WITH_FOREIGN: Final = tuple(
    extension for language in LANGUAGES if language.foreign for extension in language.extensions
)


def is_foreign(path: str, head: bytes) -> bool:
    """Whether a file's first bytes say that it is none of the language that its extension tells."""
    return any(pattern.search(head) for pattern in _foreign(by_path(path) or ""))


def may_be_foreign(path: str) -> bool:
    """Whether `is_foreign` has anything to ask of a path."""
    return path.endswith(_WITH_FOREIGN)


@cache
def _foreign(name: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode()) for pattern in BY_NAME[name].foreign) if name in BY_NAME else ()


@cache
def _heads(name: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.MULTILINE) for pattern in BY_NAME[name].heads)


def _by_shebang(head: bytes) -> str | None:
    match = _SHEBANG.match(head)
    if match is None:
        return None
    words = [match["program"], *match["rest"].split()]
    names = [word.rsplit(b"/", 1)[-1].decode("ascii", "replace") for word in words]
    if names[0] == "env":
        # `env -S python3 -u`, `env FOO=1 python3`: the first word that is neither an option nor an assignment.
        names = [name for name in names[1:] if not name.startswith("-") and "=" not in name]
    if not names:
        return None
    return _BY_SHEBANG.get(names[0]) or _BY_SHEBANG.get(names[0].rstrip("0123456789."))


def is_test_path(path: str, language: str = "") -> bool:
    """Whether a file holds tests or their helpers, by its name, the folders around it and what its language's runners
    look for. `language` where the name does not tell it; a path may be a folder's, with "/" at its end."""
    return path in _test_paths(code_of(language or by_path(path) or ""))


@cache
def _test_paths(language: str) -> TestPaths:
    known = BY_NAME.get(language)
    return TestPaths(known.tests if known is not None else UNKNOWN)
