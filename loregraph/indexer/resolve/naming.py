"""Stable names for the objects of resolution, and their inverse: the key to keep results from one run to the next.

A name is a nested tuple of str, int, None and bool. It identifies an object by definitions, content and positions
within facts, never by its position in a file: an edit only renames what it changes. `Names.find` returns the object in
an engine, which need not have computed it yet. Missing objects are created by the functions that resolution itself
uses, or announced to them, so the outcome is the same; nothing is computed or scheduled.

`call_names`, `value_names` and `cell_names` have a row for each kind of object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from loregraph.indexer.facts import Call
from loregraph.indexer.resolve import call_names, cell_names, value_names
from loregraph.indexer.resolve.call_names import CALLS, MAX_NESTED, UnnameableError
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.fact_names import IMPORTED, FileNames, Name, UnknownNameError
from loregraph.indexer.resolve.model import Binding, Cell, Class, Container, FileIndex, Function, Scope, Value

NAMERS: Final[dict[type, Callable[[Names, Any], Name]]] = {**value_names.NAMERS, **cell_names.NAMERS}
FINDERS: Final[dict[str, tuple[int, Callable[..., object]]]] = {**value_names.FINDERS, **cell_names.FINDERS}

_PLAIN: Final = frozenset({str, int, bool})

Place = tuple["Scope | None", str, int, int]
"""The place of a binding: its scope (None: the exports), its name, its kind and its number among those of the kind."""


class Names:
    """The names of one engine's objects, each computed once. With `one_way` no inverse is kept, which is large for a
    whole project."""

    def __init__(self, engine: Engine, *, one_way: bool = False) -> None:
        self.engine = engine
        self._one_way = one_way
        self.sites: dict[Name, tuple[FileIndex, Any]] = {}
        self.expressions: dict[tuple[FileIndex, Name], Any] = {}
        self._names: dict[Any, Name] = {}
        self._texts: dict[Any, str] = {}
        self._objects: dict[Name, object] = {}
        self._files: dict[FileIndex, FileNames] = {}
        self._calls: dict[int, tuple[Call, Name]] = {}
        self._found_calls: dict[Name, tuple[FileIndex, Call]] = {}
        self._bindings: dict[FileIndex, dict[int, Place]] = {}
        self._folders: frozenset[str] | None = None
        self._depth = 0

    # From objects to names

    def name(self, thing: Any) -> Name:
        """The name of a value, a cell, a file or a scope. Raises `UnnameableError` for an object without a name."""
        found = self._names.get(thing)
        if found is None:
            row = NAMERS.get(type(thing))
            if row is None or self._depth >= MAX_NESTED:
                raise UnnameableError(thing)
            self._depth += 1
            try:
                found = row(self, thing)
            finally:
                self._depth -= 1
            self._names[thing] = found
            if not self._one_way:
                self._objects.setdefault(found, thing)
        return found

    def text(self, thing: Any) -> str:
        """The name as text, for sorting."""
        found = self._texts.get(thing)
        if found is None:
            found = self._texts[thing] = repr(self.name(thing))
        return found

    def call(self, file: FileIndex, call: Call) -> Name:
        """The name of a call of `file`, from the facts or made by resolution."""
        known = self._calls.get(id(call))
        if known is None:
            name = call_names.call_name(self, file, call)
            known = self._calls[id(call)] = (call, name)
            if not self._one_way:
                self._found_calls.setdefault(name, (file, call))
        return known[1]

    def site(self, file: FileIndex, site: Any) -> Name:
        """The name of a site."""
        return call_names.site_name(self, file, site)

    def expression(self, file: FileIndex, site: Any, expr: Any) -> Name:
        """The name, within `file`, of an expression read at `site`."""
        return call_names.expression_name(self, file, site, expr)

    # From names to objects

    def find(self, name: Name) -> object:
        """The object with that name in this engine. Raises `UnknownNameError` where the facts contain no such thing, or
        the name is malformed."""
        if self._depth == 0 and not _is_sound(name, MAX_NESTED):
            raise UnknownNameError(name)
        if type(name) is not tuple or not name:
            raise UnknownNameError(name)
        found = self._objects.get(name)
        if found is None:
            row = FINDERS.get(name[0])
            if row is None or (row[0] != len(name) - 1 and row[0] >= 0) or self._depth > MAX_NESTED:
                raise UnknownNameError(name)
            self._depth += 1
            try:
                found = row[1](self, *name[1:])
            finally:
                self._depth -= 1
            self._objects[name] = found
            self._names.setdefault(found, name)
        return found

    def find_call(self, name: Name) -> tuple[FileIndex, Call]:
        """The file and the call with that name."""
        if self._depth == 0 and not _is_sound(name, MAX_NESTED):
            raise UnknownNameError(name)
        found = self._found_calls.get(name)
        if found is None:
            if type(name) is not tuple or not name or self._depth > MAX_NESTED:
                raise UnknownNameError(name)
            row = CALLS.get(name[0])
            self._depth += 1
            try:
                if row is None:
                    cell = self.find(("call", name))
                    assert isinstance(cell, CallCell)
                    found = (cell.file, cell.call)
                elif len(name) == call_names.CALL_PARTS[name[0]]:
                    found = row(self, *name[1:])
                else:
                    raise UnknownNameError(name)
            finally:
                self._depth -= 1
            self._found_calls[name] = found
            self._calls.setdefault(id(found[1]), (found[1], name))
        return found

    def find_site(self, name: Name) -> tuple[FileIndex, Any]:
        """The file and the place of the site with that name."""
        if self._depth == 0 and not _is_sound(name, MAX_NESTED):
            raise UnknownNameError(name)
        return call_names.find_site(self, name)

    def find_expression(self, file: FileIndex, name: Name, site: Any) -> Any:
        """The expression with that name in `file`, read at `site`."""
        if self._depth == 0 and not _is_sound(name, MAX_NESTED):
            raise UnknownNameError(name)
        return call_names.find_expression(self, file, name, site)

    # For the rows of the tables

    def of(self, file: FileIndex) -> FileNames:
        """The names of a file's facts."""
        found = self._files.get(file)
        if found is None:
            found = self._files[file] = FileNames(file)
        return found

    def file(self, path: Name) -> FileIndex:
        found = self.engine.project.files.get(path) if type(path) is str else None
        if found is None:
            raise UnknownNameError(path)
        return found

    def function(self, name: Name) -> Function:
        found = self.find(name)
        if not isinstance(found, Function):
            raise UnknownNameError(name)
        return found

    def cls(self, name: Name) -> Class:
        found = self.find(name)
        if not isinstance(found, Class):
            raise UnknownNameError(name)
        return found

    def container(self, name: Name) -> Container:
        found = self.find(name)
        if not isinstance(found, Container):
            raise UnknownNameError(name)
        return found

    def scope(self, name: Name) -> Scope:
        found = self.find(name)
        if not isinstance(found, Scope):
            raise UnknownNameError(name)
        return found

    def value(self, name: Name) -> Value:
        found = self.find(name)
        if not isinstance(found, Value):
            raise UnknownNameError(name)
        return found

    def bindings(self, file: FileIndex) -> dict[int, Place]:
        """Identity of each binding of a file → its place."""
        places = self._bindings.get(file)
        if places is None:
            places = self._bindings[file] = {}
            bound: list[tuple[Scope | None, str, list[Binding]]] = [
                (scope, name, bindings) for scope in file.scopes for name, bindings in scope.bindings.items()
            ]
            bound += [(None, name, bindings) for name, bindings in file.exports.items()]
            for scope, name, bindings in bound:
                counts: dict[int, int] = {}
                for binding in bindings:
                    ordinal = counts.get(binding.kind, 0)
                    counts[binding.kind] = ordinal + 1
                    places[id(binding)] = (scope, name, binding.kind, ordinal)
        return places

    def imported(self, cell: Cell) -> Name:
        """The name of a cell made by an import of the facts; None for any other cell."""
        found = self.engine.importers.get(cell)
        if found is None:
            return None
        file, fact, star, depth = found
        own = self.of(file)
        return ("imported", star, file.path, *own.fact(IMPORTED, fact), depth) if own.kind_of(fact) else None

    def folders(self) -> frozenset[str]:
        """Dotted names that may denote a folder of the project as a package."""
        if self._folders is None:
            found: set[str] = set()
            for folder in {path.rpartition("/")[0] for path in self.engine.project.files}:
                parts = folder.split("/")
                for last in range(len(parts)):
                    for first in range(last + 1):
                        found.add(".".join(parts[first : last + 1]))
            self._folders = frozenset(found)
        return self._folders


def _is_sound(name: Name, depth: int) -> bool:
    """Whether a decoded object has the form of a name: hashable, and not nested too deeply."""
    if type(name) is not tuple:
        return name is None or type(name) in _PLAIN
    if depth < 0:
        return False
    for part in name:
        kind = type(part)
        if kind is tuple:
            if not _is_sound(part, depth - 1):
                return False
        elif part is not None and kind not in _PLAIN:
            return False
    return True
