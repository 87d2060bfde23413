"""Names computed at run time: `getattr(self, f"visit_{kind}")`, `this["on" + event]`, `"#{kind}Job"`.

Only the literal prefix or suffix of such a name is known. One of three letters or more applies to the whole project, as
the member may be defined anywhere; a shorter one (`f"_{name}"`) only to its own file, and only where its own line looks
something up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

_LONG: Final = 3
"""Minimum letters of a prefix or suffix that applies to the whole project."""
_LONGEST_LINE: Final = 2_000
"""Maximum characters examined per line; longer ones are data."""

_LOOKUP: Final = re.compile(
    # Python
    r"\b(?:getattr|hasattr|globals|locals|vars|attrgetter|methodcaller|__dict__)\b"
    # Ruby
    r"|\b(?:__send__|public_send|send|const_get|instance_method|public_method|respond_to\?)|\bmethod\("
    # Java, Kotlin, Scala, C#, Go, Swift
    r"|\b(?:getMethod|getDeclaredMethod|forName|loadClass|GetMethod|GetType|CreateInstance|MethodByName)\b"
    r"|\b(?:NSSelectorFromString|Selector|performSelector|dlsym|GetProcAddress)\b"
    # PHP, and its calls by a name in a variable
    r"|\b(?:method_exists|function_exists|is_callable|call_user_func|call_user_func_array|class_exists)\b"
    r"|(?:->|::)[{$]"
    # Elixir, Erlang, Perl, Dart
    r"|\b(?:apply|function_exported\?|to_existing_atom|to_atom|invokeMethod)\b"
)
_INDEX: Final = re.compile(r"[\w)\]]\[\s*+(?:[fF$]?[\"'`]|\w[\w.]*+\s*+(?:\+|\.\.)\s*+[\"'])")
"""`this["on" + event]`, `M["on_" .. event]`, ``obj[`on${event}`]``, `handlers[kind + "Handler"]`."""
_JOIN: Final = r"\s*+(?:\+|\.\.?|<>|&)\s*+"
_PREFIX: Final = re.compile(
    r"[\"'`]#?(\w++)(?:#\{|\$\{|\{|%[sw]|\\\(|\$(?=\w)|[\"'`]" + _JOIN + r"[\w$(@])",
)
"""A literal that begins with a piece of a name and continues with a value, by interpolation or concatenation."""
_SUFFIX: Final = re.compile(r"(?:\}|%s|[\w)\]]" + _JOIN + r"[\"'`])(\w++)[\"'`]")
"""A literal that ends with a piece of a name, after a value."""


class Pieces(msgspec.Struct, frozen=True):
    """Prefixes and suffixes of computed names: of all files, and (path, prefix or suffix) of one file alone."""

    beginnings: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    beginnings_here: frozenset[tuple[str, str]] = frozenset()
    ends_here: frozenset[tuple[str, str]] = frozenset()

    def may_make(self, name: str, path: str) -> bool:
        """Whether `name`, defined in the file `path`, may be computed by a program."""
        name = name.lstrip("#")
        return any(
            name[:cut] in self.beginnings
            or name[cut:] in self.ends
            or (path, name[:cut]) in self.beginnings_here
            or (path, name[cut:]) in self.ends_here
            for cut in range(1, len(name))
        )


class Collected:
    """Prefixes and suffixes from the files read so far."""

    def __init__(self) -> None:
        self._beginnings: set[str] = set()
        self._ends: set[str] = set()
        self._beginnings_here: set[tuple[str, str]] = set()
        self._ends_here: set[tuple[str, str]] = set()

    def read(self, path: str, content: bytes) -> None:
        """Adds those in the text of one file."""
        text = content.decode("utf-8", "replace")
        looks_up = _LOOKUP.search(text) is not None
        if not looks_up and _INDEX.search(text) is None:
            return
        for line in text.split("\n"):
            if len(line) > _LONGEST_LINE or not any(quote in line for quote in "\"'`"):
                continue
            here = _INDEX.search(line) is not None or (looks_up and _LOOKUP.search(line) is not None)
            for piece, everywhere, in_file in self._pieces(line):
                if sum(map(str.isalpha, piece)) < _LONG:
                    if here:
                        in_file.add((path, piece))
                elif here or looks_up:
                    # The name may be computed a line or two above the look-up.
                    everywhere.add(piece)

    def pieces(self) -> Pieces:
        return Pieces(
            frozenset(self._beginnings),
            frozenset(self._ends),
            frozenset(self._beginnings_here),
            frozenset(self._ends_here),
        )

    def _pieces(self, line: str) -> Iterator[tuple[str, set[str], set[tuple[str, str]]]]:
        for match in _PREFIX.finditer(line):
            yield match[1], self._beginnings, self._beginnings_here
        for match in _SUFFIX.finditer(line):
            yield match[1], self._ends, self._ends_here
