"""Structural typing: types that implement an interface by having its methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Final

from loregraph.indexer.resolve.canonical import rank
from loregraph.indexer.resolve.classes import MAX_ANCESTORS, own_methods
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.hierarchy import bases_of, linearised
from loregraph.indexer.resolve.layout import FileLayout
from loregraph.indexer.resolve.method_shapes import Shape, aliases_of, fits, shape_of, takes
from loregraph.indexer.resolve.model import Class, External

MAX_COMPARED: Final = 1_000_000
"""At most so many pairs of an interface and a type are compared by their methods."""
SURE_WITHOUT_THE_REST: Final = 3
"""If an interface includes the methods of an unknown external one, it needs at least so many known methods: with fewer,
types would match by chance."""


class _Members:
    """The methods of a type or interface with their shapes, and its external supertypes."""

    __slots__ = ("methods", "outside")

    def __init__(self) -> None:
        self.methods: dict[str, Shape] = {}
        self.outside: set[str] = set()


# Implements REQ-RES-006, REQ-RES-015.
def find_implementers(engine: Engine) -> None:
    """Makes each type a subtype of the interfaces whose methods it has, counting those of embedded types and
    interfaces.

    Methods are compared by name and by their written parameter and result types (see `method_shapes`). Pointer
    receivers make no difference: a type represents its pointers too.
    """
    members: dict[Class, _Members] = {}
    interfaces: list[Class] = []
    having: dict[str, list[Class]] = {}
    aliases: set[str] = set()
    for file in engine.project.files.values():
        if not file.policy.members.structural:
            continue
        aliases.update(aliases_of(file))
        for cls in file.classes.values():
            members[cls] = own = _members(engine, cls)
            if cls.definition.kind == "interface":
                interfaces.append(cls)
            else:
                for name in own.methods:
                    having.setdefault(name, []).append(cls)
    compared = 0
    for interface in sorted(interfaces, key=rank):
        wanted = members[interface]
        known = interface.file.policy.members.outside_interfaces
        # Methods of a library interface may come from an embedded library type.
        names = wanted.methods or [name for path in sorted(wanted.outside) for name in known.get(path, ())]
        rarest = min((having.get(name, []) for name in names), key=len, default=[])
        compared += len(rarest)
        if compared > MAX_COMPARED:
            engine.cut(interface.file, interface.definition.start_line, "types that have an interface's methods")
            continue
        below = set(interface.subclasses)
        for cls in rarest:
            if cls not in below and _implements(wanted, members[cls], known, aliases):
                interface.subclasses.append(cls)
                engine.project.satisfied.setdefault(cls, []).append(interface)


def _members(engine: Engine, cls: Class) -> _Members:
    found = _Members()
    for base in linearised(engine, cls):
        if isinstance(base, External):
            found.outside.add(base.path)
            continue
        project = partial(_folder, engine.project.layout.of(base.file.policy.language), base.file.path)
        for function in own_methods(base):
            name = function.definition.name
            if name not in found.methods:
                found.methods[name] = shape_of(function, project)
    if cls.definition.kind != "interface":
        for name in _ambiguous(engine, cls):
            found.methods.pop(name, None)
    return found


def _ambiguous(engine: Engine, cls: Class) -> set[str]:
    """Methods of several types embedded at the same depth: the embedding type has none of them."""
    if all(len(bases_of(engine, one)) < 2 for one in linearised(engine, cls) if isinstance(one, Class)):
        return set()
    found: set[str] = set()
    settled: set[str] = set()
    seen: dict[Class, None] = {cls: None}
    level = [cls]
    while level and len(seen) <= MAX_ANCESTORS:
        had = Counter(name for one in level for name in {f.definition.name for f in own_methods(one)})
        found.update(name for name, count in had.items() if count > 1 and name not in settled)
        settled.update(had)
        deeper = [base for one in level for base in bases_of(engine, one) if isinstance(base, Class)]
        level = [base for base in dict.fromkeys(deeper) if base not in seen]
        seen.update(dict.fromkeys(level))
    return found


def _has(own: _Members, name: str, count: int) -> bool:
    """Whether a type has a method with so many parameters, or may inherit it from an external embedded type."""
    given = own.methods.get(name)
    return bool(own.outside) if given is None else takes(given) == count


def _folder(layout: FileLayout, path: str, module: str) -> str | None:
    return layout.package_dir(module, path)


def _implements(wanted: _Members, own: _Members, known: Mapping[str, Mapping[str, int]], aliases: set[str]) -> bool:
    for name, shape in wanted.methods.items():
        given = own.methods.get(name)
        if given is None or not fits(shape, given, aliases):
            return False
    for path in wanted.outside - own.outside:
        promised = known.get(path)
        if promised is None:
            if len(wanted.methods) < SURE_WITHOUT_THE_REST:
                return False
        elif not all(_has(own, name, count) for name, count in promised.items()):
            return False
    return True
