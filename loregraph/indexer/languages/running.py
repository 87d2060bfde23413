"""How chosen tests are named to the program that runs them: what the `runners.py` of a language's folder is made of.

The words are those of a command line that a shell makes of `$(…)`: it splits at white space and expands `*`, `?` and
`[`, and removes no quotes. A word therefore holds none of these. What cannot be named with the rest is named by what is
around it, its class, its file or its folder, so that tests are added and never lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from loregraph.terminal import counted

EVERYTHING: Final = "."
"""The folder in which all tests are."""

_SAFE: Final = re.compile(r"[\w@%+=:,./-]+")
_IN_LINE: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class Holder(msgspec.Struct, frozen=True):
    """A definition that a test is in. `heads` are its head as written and those of what it inherits from;
    `constructed` says whether the project writes a constructor of it."""

    name: str
    is_class: bool
    heads: tuple[str, ...]
    constructed: bool = False


class TestPlace(msgspec.Struct, frozen=True):
    """A test as a runner has to find it. `holders` are the definitions that it is in, the outermost first; `prefix` is
    the part of its qualified name before them, and `head` the test's own head as written."""

    __test__ = False

    id: str
    path: str
    name: str
    holders: tuple[Holder, ...] = ()
    prefix: str = ""
    head: str = ""
    decorators: tuple[str, ...] = ()
    line: int = 0
    is_named: bool = True
    """Whether `name` stands in the source, rather than a number among the anonymous functions there."""
    inherited: bool = False
    """Whether it is written in a class that this one inherits it from."""
    has_heirs: bool = False
    """Whether it is inherited by other classes, each of which has a place of its own."""
    is_called: bool = False
    """Whether code of the project calls it, as no runner's own tests are."""
    is_conditional: bool = False
    """Whether the outermost definition around it stands under a condition."""
    root: str = ""
    """The folder of the packaging file that it is built with, `.` for the project's own."""
    package: str = ""
    """The name in that packaging file."""


class Asked(msgspec.Struct, frozen=True):
    """What a runner is to run, in order. `whole` are the files of which every test is; `width` is 0 for single tests,
    1 for files or classes, 2 for folders or packages, 3 for everything. `in_file` says that each word will stand on a
    line of its own in a file, with no shell in between."""

    places: tuple[TestPlace, ...]
    whole: frozenset[str] = frozenset()
    width: int = 0
    in_file: bool = False

    def expressible(self, text: str) -> bool:
        """Whether a word may hold `text`."""
        return (_IN_LINE if self.in_file else _SAFE).fullmatch(text) is not None


class Words(msgspec.Struct, frozen=True):
    """The words behind a runner's command, and sentences about what they widen or leave out."""

    words: tuple[str, ...]
    notes: tuple[str, ...] = ()


class TestRunner(msgspec.Struct, frozen=True):
    """A program that runs tests.

    `command` is what the words stand behind, and `nothing` the words with which it runs no test and succeeds. It is the
    project's where a component of one of `kinds` is around a test, or one that requires one of `packages`; else the
    first of its language whose `claims` says that such a test is its own.
    """

    __test__ = False

    name: str
    command: str
    nothing: tuple[str, ...]
    words: Callable[[Asked], Words]
    kinds: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    claims: Callable[[TestPlace], bool] = lambda place: True


def unique(words: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order of first appearance."""
    return tuple(dict.fromkeys(words))


def folder_of(path: str) -> str:
    """The folder of a path, `.` at the top."""
    return path.rpartition("/")[0] or EVERYTHING


def place_word(path: str, asked: Asked, refused: str = "") -> str:
    """A file or folder as a word: the nearest folder around it that can be one where it cannot. `refused` are
    characters that the runner reads as its own."""
    while path != EVERYTHING and not (asked.expressible(path) and not any(sign in path for sign in refused)):
        path = folder_of(path)
    return f"./{path}" if path.startswith(("-", "@", "+", "=", "~")) else path


def file_words(asked: Asked, refused: str = "") -> Words:
    """The files of the tests, by `width` their folders."""
    if asked.width > 2:
        return Words((EVERYTHING,))
    paths = [place.path if asked.width < 2 else folder_of(place.path) for place in asked.places]
    words = [place_word(path, asked, refused) for path in paths]
    return Words(without_covered(words), widened(paths, words))


def without_covered(words: Sequence[str]) -> tuple[str, ...]:
    """The words, each once, without files and folders in a folder that is there as well."""
    given = {word.removeprefix("./") for word in words}
    if EVERYTHING in given:
        return (EVERYTHING,)
    return unique(word for word in words if not _is_covered(word.removeprefix("./"), given))


def _is_covered(word: str, given: set[str]) -> bool:
    path = word.partition("::")[0]
    if path != word and path in given:
        return True
    while path != EVERYTHING:
        path = folder_of(path)
        if path in given:
            return True
    return False


def widened(paths: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """A sentence where files are named by folders, because no word can hold their names."""
    count = len({path for path, word in zip(paths, words, strict=True) if word.removeprefix("./") != path})
    said = f"{counted(count, 'file')} whose names cannot be passed this way: the folders are selected"
    return (said,) if count else ()


def line_words(asked: Asked) -> Words:
    """`file:line` of each test, or the file."""
    if asked.width:
        return file_words(asked)
    words = []
    for place in asked.places:
        path = place_word(place.path, asked, refused=":")
        single = path.removeprefix("./") == place.path and place.path not in asked.whole and not place.inherited
        words.append(f"{path}:{place.line}" if single and place.line else path)
    files = {word for word in words if ":" not in word}
    kept = without_covered([word for word in words if word.partition(":")[0] not in files or word in files])
    return Words(kept, widened([place.path for place in asked.places], [word.partition(":")[0] for word in words]))


def as_pattern(text: str) -> str:
    """A regular expression that matches `text`, of signs that a word may hold: any other is `.`, runs of white space
    `.+`, as heads hold them folded, and so are signs beyond the first plane, which are two where text is UTF-16."""
    return "".join(
        ".+" if part.isspace() else "".join(_sign(sign) for sign in part) for part in re.split(r"(\s+)", text) if part
    )


def _sign(sign: str) -> str:
    if sign == "_" or (sign.isascii() and sign.isalnum()):
        return sign
    return "." if ord(sign) < 0x10000 else ".+"
