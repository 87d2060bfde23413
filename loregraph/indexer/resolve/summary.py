"""What a full solve stores about a language family as a whole, so that `replay` need not load all its files.

Names are counted by files, so that an edit can subtract those of one file. Types have their supertypes and their depth,
under names that edits elsewhere leave unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.fact_names import Name
from loregraph.indexer.resolve.functions import is_accessor_kind
from loregraph.indexer.resolve.model import VALUE, Class, External, FileIndex
from loregraph.indexer.resolve.records import Counts, Row, Said, Summary

Base = tuple[str, Name] | tuple[None, tuple[str, str]]
"""(path, name within the file) of a class, or (None, (package, name)) of an external one."""


def key_of(family: str) -> str:
    """The key under which a family's summary is stored among the traces of files; no path equals it."""
    return f"/{family}"


def said(file: FileIndex) -> Said:
    """The names that `file` contributes."""
    definitions = file.facts.definitions
    return Said(
        frozenset(d.name for d in definitions),
        frozenset(store.name for store in file.stores if store.name is not None),
        frozenset(d.name for d in definitions if is_accessor_kind(d.kind, d.flags)),
        frozenset(made(file)),
    )


def made(file: FileIndex) -> Iterator[tuple[str, str]]:
    """(last name of the callee, attribute) of the class attributes made by a call or decorator."""
    for cls in file.classes.values():
        for name, bindings in cls.scope.bindings.items():
            value = bindings[-1].payload if bindings[-1].kind == VALUE else ()
            if value and value[0] == "c":
                called = _last_name(file.facts.calls[value[1]].function)
                if called:
                    yield called, name
    for definition in file.facts.definitions:
        if definition.decorators and definition.parent in file.classes:
            for decorator in definition.decorators:
                called = _last_name(file.facts.calls[decorator[1]].function if decorator[0] == "c" else decorator)
                if called:
                    yield called, definition.name


def _last_name(function: Expr) -> str:
    """The last name of a dotted type, without type arguments."""
    function = function[1] if function[0] == "s" else function
    return function[-1] if type(function[-1]) is str else ""


def hooked(file: FileIndex) -> list[Class]:
    """The descriptor types in a file: their instances answer for attributes of classes."""
    methods = [file.policy.implicit.item_methods.get(kind) for kind in ("descriptor", "descriptor set")]
    return [cls for cls in file.classes.values() if any(method in cls.scope.bindings for method in methods if method)]


def add(summary: Summary, part: Said, sign: int = 1) -> None:
    """Adds the names of one file, or (−1) subtracts them."""
    for counts, names in (
        (summary.members, part.members),
        (summary.stored, part.stored),
        (summary.accessors, part.accessors),
    ):
        for name in names:
            _count(counts, name, sign)
    for function, name in part.made:
        counts = summary.made.setdefault(function, {})
        _count(counts, name, sign)
        if not counts:
            del summary.made[function]


def _count(counts: Counts, name: str, sign: int) -> None:
    number = counts.get(name, 0) + sign
    if number > 0:
        counts[name] = number
    else:
        counts.pop(name, None)


class Types:
    """The rows of types, written file by file; paths and external symbols are numbered."""

    def __init__(self, summary: Summary, name: Callable[[Class], Name]) -> None:
        self.summary = summary
        self.name = name
        self._paths = {path: number for number, path in enumerate(summary.paths)}
        self._externals = {tuple(held): number for number, held in enumerate(summary.externals)}
        self.moved = False
        """Whether any type has other supertypes now, or another place among the others."""

    def put(self, file: FileIndex) -> bool:
        """Replaces the rows of a file's types by the current ones; returns whether anything changed."""
        rows: list[Row] = []
        for cls in file.classes.values():
            if cls.bases:
                rows.append((_written(self.name(cls)), cls.depth, [self._base(base) for base in cls.bases]))
        before = self.summary.types.get(file.path, [])
        new = _keep(self.summary.types, file.path, rows)
        self.moved |= new and sorted(map(repr, before)) != sorted(map(repr, rows))
        return _keep(self.summary.hooks, file.path, [_written(self.name(cls)) for cls in hooked(file)]) or new

    def _base(self, base: Class | External) -> tuple[int, Any]:
        if isinstance(base, Class):
            path = base.file.path
            number = self._paths.get(path)
            if number is None:
                number = self._paths[path] = len(self.summary.paths)
                self.summary.paths.append(path)
            return (number, _written(self.name(base)))
        key = (base.package, base.name)
        number = self._externals.get(key)
        if number is None:
            number = self._externals[key] = len(self.summary.externals)
            self.summary.externals.append(key)
        return (-1 - number, None)


def _keep(kept: dict[str, list[Any]], path: str, rows: list[Any]) -> bool:
    before = kept.get(path, [])
    if rows:
        kept[path] = rows
    else:
        kept.pop(path, None)
    return before != rows


def summary_of(files: Iterable[FileIndex], name: Callable[[Class], Name]) -> Summary:
    """The summary of all files, after `resolver.prepare`; `name` returns a class's name within its file."""
    found = Summary({}, {}, {}, {}, {}, [], [], {})
    types = Types(found, name)
    for file in files:
        add(found, said(file))
        types.put(file)
    return found


def encode(summary: Summary) -> bytes:
    """A summary as msgpack."""
    return _ENCODER.encode(summary)


def decode(blob: bytes) -> Summary:
    """The inverse of `encode`. Raises `msgspec.DecodeError` for malformed data."""
    found = _DECODER.decode(blob)
    for hooks in found.hooks.values():
        for name in hooks:
            _checked(name)
    for rows in found.types.values():
        for name, _, bases in rows:
            _checked(name)
            for number, base in bases:
                if number >= len(found.paths) or -number > len(found.externals):
                    raise msgspec.DecodeError("a summary with numbers of nothing")
                if number >= 0:
                    _checked(base)
    return found


def _checked(name: Any) -> None:
    if type(name) is not str and not (
        type(name) is list and len(name) == 2 and type(name[0]) is str and type(name[1]) is int
    ):
        raise msgspec.DecodeError("a summary with a name that is none")


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Summary)


class Kept:
    """A stored summary as used by one replay, without the contribution of the active files."""

    def __init__(self, summary: Summary, active: Collection[str]) -> None:
        self.summary = summary
        self.active = active
        self._rows: dict[str, dict[Name, Row]] = {}
        self._below: dict[tuple[str, Name], list[tuple[str, Name]]] | None = None

    def row(self, path: str, name: Name) -> Row | None:
        """The row of a type; None for one without supertypes."""
        rows = self._rows.get(path)
        if rows is None:
            rows = self._rows[path] = {as_name(row[0]): row for row in self.summary.types.get(path, ())}
        return rows.get(name)

    def bases(self, path: str, name: Name) -> list[Base]:
        """The supertypes of a type."""
        row = self.row(path, name)
        return [self._base(*base) for base in row[2]] if row is not None else []

    def _base(self, number: int, name: Any) -> Base:
        if number >= 0:
            return (self.summary.paths[number], as_name(name))
        return (None, self.summary.externals[-1 - number])

    def depth(self, path: str, name: Name) -> int:
        """`Class.depth` of a type."""
        row = self.row(path, name)
        return row[1] if row is not None else 1

    def below(self, path: str, name: Name) -> list[tuple[str, Name]]:
        """The direct subtypes of a type, except those in active files."""
        if self._below is None:
            found: dict[tuple[str, Name], list[tuple[str, Name]]] = {}
            paths = self.summary.paths
            for own, rows in self.summary.types.items():
                if own not in self.active:
                    for row in rows:
                        below = (own, as_name(row[0]))
                        for number, base in row[2]:
                            if number >= 0:
                                found.setdefault((paths[number], as_name(base)), []).append(below)
            self._below = found
        return self._below.get((path, name), [])

    def all_below(self, types: Iterable[tuple[str, Name]]) -> list[tuple[str, Name]]:
        """All subtypes of some types, except those in active files."""
        found: dict[tuple[str, Name], None] = {}
        left = list(types)
        while left:
            for below in self.below(*left.pop()):
                if below not in found:
                    found[below] = None
                    left.append(below)
        return list(found)

    def hooks(self) -> list[tuple[str, Name]]:
        """The descriptor types (`hooked`), except those in active files."""
        return [
            (path, as_name(name))
            for path, names in self.summary.hooks.items()
            if path not in self.active
            for name in names
        ]


def _written(name: Name) -> Any:
    """A name within a file, in decoded form."""
    return name if type(name) is str else list(name)


def as_name(part: Any) -> Name:
    """Converts a decoded name within a file to its original form."""
    return part if type(part) is str else tuple(part)


def last_name(name: Name) -> str:
    """The last part of a definition's name within its file."""
    found: str = name if type(name) is str else name[0]
    return found.partition("#")[0].rpartition(".")[2]


class Loaded(Mapping[str, FileIndex]):
    """The files of a project, each loaded on demand."""

    def __init__(self, paths: Collection[str], load: Callable[[str], FileIndex]) -> None:
        self.paths = paths
        self.loaded: dict[str, FileIndex] = {}
        self.ready: Callable[[FileIndex], None] | None = None
        """Is told of each file once it is there."""
        self._load = load

    def __getitem__(self, path: str) -> FileIndex:
        found = self.loaded.get(path)
        if found is None:
            if path not in self.paths:
                raise KeyError(path)
            found = self.loaded[path] = self._load(path)
            if self.ready is not None:
                self.ready(found)
        return found

    def get(self, path: str, default: FileIndex | None = None) -> FileIndex | None:  # type: ignore[override]
        return self[path] if path in self.paths else default

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)
