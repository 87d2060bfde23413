"""Changes of types while values are followed: functions that become types (`new f()`), members and supertypes that
calls add to a class (`Object.assign`).

Types are read without a cell, from any file. So each change is recorded with its round and repeated in a replay (see
`replay`); code that makes one sends it to the home file of the changed type. Properties of types that values determine
before the first round (`class M extends made()`, `made().prototype.go = …`) are recorded as they were: see `placed`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from loregraph.indexer.resolve.classes import all_subclasses
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.index import constructed_by
from loregraph.indexer.resolve.model import Class, FileIndex, Function
from loregraph.indexer.resolve.records import Placed

_TYPE: Final = "type "


def placed(files: Iterable[FileIndex]) -> Placed:
    """The supertypes of types, the types of methods defined outside them, and the functions that are types, after
    `resolver.prepare` has handled all files."""
    found: Placed = {}
    for file in files:
        own: dict[str, list[str]] = {}
        for cls in file.classes.values():
            if cls.bases:
                own[cls.id] = [base.id if isinstance(base, Class) else base.path for base in cls.bases]
        for function in file.functions.values():
            if function.is_type:
                own[f"{_TYPE}{function.id}"] = []
            if function.definition.owner is not None:
                own[function.id] = [function.owner.id] if function.owner is not None else []
        if own:
            found[file.path] = own
    return found


def is_moved(before: Placed, after: Placed, edited: Collection[str]) -> bool:
    """Whether a type of an unedited file has another place in the hierarchy than before. Types added or removed in
    edited files do not count, as readers find them by name; functions that became types do."""
    for path in before.keys() | after.keys():
        was, now = before.get(path, {}), after.get(path, {})
        if path not in edited:
            if was != now:
                return True
            continue
        became = any(one.startswith(_TYPE) for one in was.keys() ^ now.keys())
        if became or any(was[one] != now[one] for one in was.keys() & now.keys()):
            return True
    return False


def become(engine: Engine, function: Function) -> None:
    """Makes a function a type with itself as a method. At the barrier."""
    if function.owner is None:
        engine.changed(function.file, become, function)
        constructed_by(function)
        for cell in function.cells.values():
            engine.invalidate(cell)


def gain(engine: Engine, cls: Class, name: str) -> None:
    """Adds a member to the instances of a class. At the barrier."""
    if cls.gained is None:
        cls.gained = {}
    if name not in cls.gained:
        engine.changed(cls.file, gain, cls, name)
        cls.gained[name] = None
        for own in (cls, *all_subclasses(cls)):
            _look_again(engine, own)


def mix(engine: Engine, source: Class, target: Class) -> None:
    """Makes a class a supertype of another one. At the barrier."""
    mixed = engine.project.extra_bases.setdefault(target, [])
    if source not in mixed:
        engine.changed(target.file, mix, source, target)
        mixed.append(source)
        target.bases = (*(target.bases or ()), source)
        source.subclasses.append(target)
        for own in (target, *all_subclasses(target)):
            own.mro = None
            _look_again(engine, own)
        for above in linearised(engine, source):  # the overridden methods below them
            if isinstance(above, Class):
                _look_again(engine, above)


def _look_again(engine: Engine, cls: Class) -> None:
    cls.forget()
    for looker in engine.lookers.get(cls, ()):
        engine.invalidate(looker)
