"""What a repository provides to others: the names that they import, and which symbol of it a dotted name means.

A name is followed as an import follows it: from the module that it begins with, through submodules, definitions and
what a module imports from others of the repository (re-exports), to members of types and of their bases. What is not
found so is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS

MOST_STEPS: Final = 12
"""Maximum re-exports and bases followed for one name."""
_DEFAULT: Final = "default"
"""What modules call the one thing that they export."""
_CONSTRUCTOR: Final = "constructor"
_FILE, _CLASS, _FUNCTION = (LABELS.index(label) for label in ("File", "Class", "Function"))


class Entry(NamedTuple):
    """What is imported as `name`: the file or folder `path` of a component that is published as `package`."""

    name: str
    path: str
    package: str
    component: int


class Provided:
    """The entries of one repository, and what names below them mean."""

    def __init__(self, columns: GraphColumns) -> None:
        self.columns = columns
        self.entries: dict[str, list[Entry]] = {}
        """Imported name → what it means; several where several packages provide one."""
        self.components: dict[str, list[int]] = {}
        """Package → the components that provide it."""
        for node in columns.nodes("Component").tolist():
            packages = columns.own(node, "provides") or ()
            for package in packages:
                self.components.setdefault(package, []).append(node)
            for line in columns.own(node, "entries") or ():
                name, _, path = line.rpartition("=")
                for package in packages:
                    self.entries.setdefault(name, []).append(Entry(name, path, package, node))
        self._files = cache(self._files_of)

    def below(self, entry: Entry, rest: str) -> Iterator[tuple[Entry, str]]:
        """What the dotted name `rest` below an entry can be: a name there, or one in a path of it that has an entry of
        its own (`name/values` for the first part of `values.Default`)."""
        yield entry, rest
        while rest:
            first, _, rest = rest.partition(".")
            inner = [one for one in self.entries.get(f"{entry.name}/{first}", ()) if one.package == entry.package]
            if len(inner) != 1:
                return
            entry = inner[0]
            yield entry, rest

    # Implements REQ-WSP-005.
    def symbol(self, entry: Entry, rest: str) -> int | None:
        """The node that the dotted name `rest` below `entry` means; the file itself for no name; None where none is
        found, or where several could be meant."""
        files = self._files(entry.path)
        parts = tuple(rest.split(".")) if rest else ()
        if not parts:
            return files[0] if len(files) == 1 else None
        if parts == (_DEFAULT,) and len(files) == 1:
            return self.what_it_is(entry)
        if len(files) == 1:
            return self._in_file(files[0], parts, MOST_STEPS, frozenset())
        found = {node for file in files if (node := self._defined(file, parts, MOST_STEPS)) is not None}
        return found.pop() if len(found) == 1 else None

    def what_it_is(self, entry: Entry) -> int | None:
        """The function or type that a module is itself, to those who call or extend it: the only one that it exports,
        or the one that has its name."""
        files, columns = self._files(entry.path), self.columns
        if len(files) != 1:
            return None
        inner = columns.target[columns.out(files[0], "CONTAINS")].tolist()
        exported = [node for node in inner if columns.own(node, "is_exported")]
        own = entry.name.rpartition("/")[2].casefold()
        named = [node for node in exported if columns.name(node).casefold() == own]
        found = named if len(named) == 1 else exported
        return found[0] if len(found) == 1 else None

    def constructor(self, node: int) -> int | None:
        """The constructor that a class itself defines; None where it has several, of which a call means one."""
        columns = self.columns
        if columns.labels[node] != _CLASS:
            return None
        inner = columns.target[columns.out(node, "CONTAINS")].tolist()
        found = [member for member in inner if columns.kind(member) == _CONSTRUCTOR]
        return found[0] if len(found) == 1 else None

    def _files_of(self, path: str) -> tuple[int, ...]:
        """The file at a path, or the files directly in a folder."""
        columns = self.columns
        file = columns.find_id(path)
        if file is not None:
            return (file,) if columns.labels[file] == _FILE else ()
        folder = "" if path == "." else f"{path}/"
        first, last = columns.ids_with(folder)
        return tuple(
            node
            for node in range(first, last)
            if columns.labels[node] == _FILE and "/" not in columns.id(node)[len(folder) :]
        )

    def _in_file(self, file: int, parts: tuple[str, ...], steps: int, seen: frozenset[int]) -> int | None:
        """What the names `parts` mean in a module: its own, else a submodule's, else what it has from another one."""
        if not parts:
            return file
        if steps == 0 or file in seen:
            return None
        defined = self._defined(file, parts, steps)
        if defined is not None:
            return defined
        columns, seen = self.columns, seen | {file}
        submodule = self._submodule(file, parts[0])
        if submodule is not None:
            found = self._in_file(submodule, parts[1:], steps - 1, seen)
            if found is not None:
                return found
        starred = []
        for edge in columns.out(file, "IMPORTS").tolist():
            target = int(columns.target[edge])
            if columns.labels[target] != _FILE:
                continue
            names = columns.edge(edge).names
            if parts[0] in names:
                is_module = columns.qualified_name(target).rpartition(".")[2] == parts[0]
                found = self._in_file(target, parts, steps - 1, seen)
                if found is None and is_module:
                    found = self._in_file(target, parts[1:], steps - 1, seen)
                if found is not None:
                    return found
            elif "*" in names:
                starred.append(target)
        for target in starred:
            found = self._in_file(target, parts, steps - 1, seen)
            if found is not None:
                return found
        return None

    def _submodule(self, file: int, name: str) -> int | None:
        columns = self.columns
        around = columns.qualified_name(file)
        for separator in (".", "/"):
            found = [
                node
                for node in columns.find_qualified_name(f"{around}{separator}{name}")
                if columns.labels[node] == _FILE and node != file
            ]
            if len(found) == 1:
                return found[0]
        return None

    def _defined(self, file: int, parts: tuple[str, ...], steps: int) -> int | None:
        """The definition of a file with the name `parts`, or a member of one that has the beginning of it."""
        columns = self.columns
        path = columns.id(file)
        whole = columns.find_id(f"{path}::{'.'.join(parts)}")
        if whole is not None:
            return whole
        for count in range(len(parts) - 1, 0, -1):
            owner = columns.find_id(f"{path}::{'.'.join(parts[:count])}")
            if owner is not None:
                if len(parts) != count + 1:
                    return None
                if columns.labels[owner] == _FUNCTION:
                    return self._of_result(owner, parts[count])
                return self._inherited(owner, parts[count], steps) if columns.labels[owner] == _CLASS else None
        return None

    def _of_result(self, function: int, name: str) -> int | None:
        """The member of what a function gives: that of the only type with such a member which its signature names."""
        columns = self.columns
        named = [
            int(columns.target[edge])
            for edge in columns.out(function, "REFERENCES").tolist()
            if columns.how(edge) == "declared-type"
        ]
        found = {member for one in named if columns.labels[one] == _CLASS for member in self._members(one, name)}
        return found.pop() if len(found) == 1 else None

    def _inherited(self, owner: int, name: str, steps: int) -> int | None:
        """The member that a type has from the nearest of its bases, in the order in which they are searched."""
        columns = self.columns
        level, seen = [owner], {owner}
        for _ in range(steps):
            above: list[int] = []
            for one in level:
                for rel in ("EXTENDS", "IMPLEMENTS"):
                    above += [base for base in columns.target[columns.out(one, rel)].tolist() if base not in seen]
            above = [base for base in dict.fromkeys(above) if columns.labels[base] == _CLASS]
            seen.update(above)
            found = {node for base in above for node in self._members(base, name)}
            if found:
                return found.pop() if len(found) == 1 else None
            if not above:
                return None
            level = above
        return None

    def _members(self, owner: int, name: str) -> Iterator[int]:
        columns = self.columns
        for member in columns.target[columns.out(owner, "CONTAINS")].tolist():
            if columns.name(member) == name and columns.labels[member] in (_FUNCTION, _CLASS):
                yield member
