"""The type hierarchy of frozen files, loaded from a summary on demand."""

from __future__ import annotations

from collections.abc import Collection
from operator import attrgetter

from loregraph.indexer.resolve.fact_names import Name
from loregraph.indexer.resolve.hierarchy import bases_of, linearised
from loregraph.indexer.resolve.model import Class, External, FileIndex
from loregraph.indexer.resolve.operations import descriptor_methods
from loregraph.indexer.resolve.replay import ActivateError, Replay
from loregraph.indexer.resolve.resolver import forget_ranks
from loregraph.indexer.resolve.summary import Kept, Loaded, Types, hooked, last_name


class FrozenTypes:
    """Supertypes and subtypes of all types during one replay (see `model.Kin`)."""

    def __init__(self, kept: Kept, replay: Replay, files: Loaded) -> None:
        self.kept = kept
        self.replay = replay
        self.files = files
        self._settled = False
        """Whether the supertypes of all types are known."""
        self._live: dict[Class, list[Class]] = {}
        """Class → those right below it in active files."""
        self._moved: set[tuple[str, Name]] = set()
        """The frozen types below those active ones that are at another depth than they were."""

    def name(self, cls: Class) -> Name:
        """The name of a class within its file."""
        return self.replay.names.of(cls.file).definition(cls.number)

    def bases(self, cls: Class) -> tuple[Class | External, ...] | None:
        """The direct supertypes of a frozen class."""
        if cls.file in self.replay.active:
            return None
        found: list[Class | External] = []
        for path, name in self.kept.bases(cls.file.path, self.name(cls)):
            if path is None:
                found.append(self.replay.external(*name))
            else:
                found.append(self._class(path, name, cls.file.path))
        return tuple(found)

    def below(self, cls: Class) -> list[Class] | None:
        """The direct subclasses of a class, by their paths; None while they are unknown."""
        if not self._settled:
            return None
        found = [self._class(path, name, path) for path, name in self.kept.below(cls.file.path, self.name(cls))]
        return sorted([*found, *self._live.get(cls, ())], key=attrgetter("file.path"))

    def _class(self, path: str, name: Name, on_behalf: str) -> Class:
        """The class with that name. Raises `ActivateError` for the file that refers to it if it no longer exists."""
        file = self.files.get(path)
        number = self.replay.names.of(file).number_of(name) if file is not None else None
        found = file.classes.get(number) if file is not None and number is not None else None
        if found is None:
            raise ActivateError([on_behalf])
        return found

    def find(self) -> None:
        """Finds the supertypes of the types in active files."""
        for file in self.replay.active:
            for cls in file.classes.values():
                bases_of(self.replay, cls)

    def settle(self) -> None:
        """Sets the depths of types, once all supertypes are known."""
        for file in self.replay.active:
            for cls in file.classes.values():
                for base in bases_of(self.replay, cls):
                    if isinstance(base, Class):
                        self._live.setdefault(base, []).append(cls)
        self._settled = True
        for file in self.replay.active:
            for cls in file.classes.values():
                cls.depth = len(linearised(self.replay, cls))
        moved = [
            (cls.file.path, self.name(cls))
            for file in self.replay.active
            for cls in file.classes.values()
            if cls.depth != self.kept.depth(file.path, self.name(cls))
        ]
        self._moved = set(self.kept.all_below(moved))
        for file in list(self.files.loaded.values()):
            self.place(file)
            forget_ranks(file)

    def loaded(self, file: FileIndex) -> None:
        """Answers for a loaded file's types from now on."""
        file.kin = self
        self.place(file)

    def place(self, file: FileIndex) -> None:
        """Sets the depths of a frozen file's types: their distance from the root types."""
        if not self._settled or file in self.replay.active:
            return
        path = file.path
        for cls in file.classes.values():
            name = self.name(cls)
            if (path, name) in self._moved:
                cls.depth = len(linearised(self.replay, cls))
            else:
                cls.depth = self.kept.depth(path, name)

    def accessors(self) -> Collection[str]:
        """The names of all members that run code when read or written."""
        summary = self.kept.summary
        found = set(summary.accessors)
        policy = next(iter(self.replay.active)).policy
        if not summary.members.keys().isdisjoint(descriptor_methods(policy)):
            types = {last_name(name) for _, name in self.kept.hooks()}
            for path, name in self.kept.hooks():
                types.update(last_name(below) for _, below in self.kept.below(path, name))
                file = self.files.loaded.get(path)
                if file is not None and self._live:
                    number = self.replay.names.of(file).number_of(name)
                    held = file.classes.get(number) if number is not None else None
                    types.update(cls.definition.name for cls in (self._live.get(held, ()) if held else ()))
            for file in self.replay.active:
                for cls in hooked(file):
                    types.add(cls.definition.name)
                    types.update(last_name(below) for _, below in self.kept.below(file.path, self.name(cls)))
                    types.update(sub.definition.name for sub in self._live.get(cls, ()))
            for function in types & summary.made.keys():
                found.update(summary.made[function])
        return found

    def write(self) -> bool:
        """Updates the summary with the types of the active files and their subtypes; returns whether anything changed.
        Raises ActivateError where supertypes given by values changed: code reads them without a cell."""
        types = Types(self.kept.summary, self.name)
        files = dict.fromkeys(self.replay.active)
        for path, _ in sorted(self._moved, key=lambda key: key[0]):
            files[self.files[path]] = None
        for file in files:
            for cls in file.classes.values():
                bases_of(self.replay, cls)
        new = [types.put(file) for file in files]
        if types.moved:
            raise ActivateError(())
        return any(new)
