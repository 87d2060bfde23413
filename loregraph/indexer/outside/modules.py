"""Names in stubs, followed through imports and aliases to their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FILE_SCOPE, Assignment, Expr, FileFacts, Import
from loregraph.indexer.outside.shapes import Shapes
from loregraph.indexer.outside.types import CLASS

MAX_ALIASES: Final = 64
"""How many modules are followed for one name."""

Source = tuple[bytes, bool]
"""The text of a module, and whether it is a package's `__init__`."""

_VARIABLES: Final = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
"""Functions that create type variables."""
_CANONICAL: Final = dict.fromkeys(("collections.abc", "_collections_abc", "typing_extensions"), "typing")
"""Modules that re-export the definitions of another one."""
_NOTHING: Final = FileFacts("", "python", "", 0, "indexed")
"""The facts of a module without a source."""


class Module:
    """The facts of one module, by name."""

    def __init__(self, name: str, facts: FileFacts, is_package: bool) -> None:
        self.name = name
        self.facts = facts
        self.is_package = is_package
        self.definitions: dict[str, list[int]] = {}
        self.imports: dict[str, Import] = {}
        self.stars: list[Import] = []
        self.assigned: dict[str, Assignment] = {}
        self.inner: dict[int, list[int]] = {}
        self.attributes: dict[int, list[Assignment]] = {}
        for number, definition in enumerate(facts.definitions):
            if definition.parent == FILE_SCOPE:
                self.definitions.setdefault(definition.name, []).append(number)
            else:
                self.inner.setdefault(definition.parent, []).append(number)
        for fact in facts.imports:
            if fact.scope == FILE_SCOPE and fact.name == "*":
                self.stars.append(fact)
            elif fact.scope == FILE_SCOPE:
                self.imports.setdefault(fact.alias or fact.name, fact)
        for assignment in facts.assignments:
            if assignment.target[0] == "n" and assignment.kind in ("=", "declare"):
                if assignment.scope == FILE_SCOPE:
                    self.assigned.setdefault(assignment.target[1], assignment)
                else:
                    self.attributes.setdefault(assignment.scope, []).append(assignment)

    def absolute(self, fact: Import) -> str:
        """The module that an import names."""
        if not fact.level:
            return fact.module
        around = self.name.split(".")
        kept = around[: len(around) - fact.level + self.is_package]
        return ".".join([*kept, fact.module] if fact.module else kept)


class Modules:
    """The modules of stubs. `find` returns the source of a module by its qualified name, None without one; `others` may
    know the classes of modules without a source."""

    def __init__(self, find: Callable[[str], Source | None], others: Shapes | None) -> None:
        self._find = find
        self._others = others
        self._modules: dict[str, Module | None] = {}

    def get(self, name: str) -> Module | None:
        """A module that has a source."""
        if name not in self._modules:
            source = self._find(name)
            facts = extract(f"{name}.pyi", source[0], "python") if source is not None else None
            self._modules[name] = Module(name, facts, source[1]) if facts is not None and source is not None else None
        return self._modules[name]

    def _foreign(self, name: str) -> Module | None:
        """A module without a source whose declarations `others` know; empty here."""
        if self._others is None or self._find(name) is not None or not self._others.knows(name):
            return None
        return Module(_CANONICAL.get(name, name), _NOTHING, False)

    def names(self, module: Module, seen: set[str]) -> list[str]:
        """The names that a module exports, star imports included; `seen` are the modules visited."""
        names = dict.fromkeys((*module.definitions, *module.imports, *module.assigned))
        seen.add(module.name)
        for fact in module.stars:
            other = self.get(module.absolute(fact))
            if other is not None and other.name not in seen:
                names.update(dict.fromkeys(n for n in self.names(other, seen) if not n.startswith("_")))
        return sorted(names)

    # Implements REQ-SEC-010.
    def followed(
        self, module: Module, name: str, seen: set[tuple[str, str]] | None = None
    ) -> tuple[Module, str] | None:
        """The module that defines `name`, and its name there; "" for a module itself."""
        seen = set() if seen is None else seen
        if (module.name, name) in seen or len(seen) > MAX_ALIASES:
            return None
        seen.add((module.name, name))
        if name in module.definitions or name in module.assigned:
            return module, name
        fact = module.imports.get(name)
        if fact is not None:
            target = module.absolute(fact)
            if not fact.name:
                named = target if fact.alias != target.partition(".")[0] else fact.alias
                whole = self.get(named) or self._foreign(named)
                return (whole, "") if whole is not None else None
            other = self.get(target)
            if other is None and (foreign := self._foreign(target)) is not None:
                return foreign, fact.name
            if other is not None and (other is not module or fact.name != name):
                found = self.followed(other, fact.name, seen)
                if found is not None:
                    return found
            part = self.get(f"{target}.{fact.name}")
            return (part, "") if part is not None else None
        for star in module.stars:
            if len(seen) > MAX_ALIASES:
                break
            other = self.get(module.absolute(star))
            if other is not None and not name.startswith("_"):
                found = self.followed(other, name, seen)
                if found is not None:
                    return found
        return None

    def located(self, module: Module, expr: Expr) -> tuple[Module, str] | None:
        """The definition of a name or member of a module."""
        if expr[0] == "n":
            found = self.followed(module, expr[1])
            if found is None and module.name != "builtins":
                around = self.get("builtins")
                if around is not None:
                    return self.followed(around, expr[1])
                foreign = self._foreign("builtins")
                return (foreign, expr[1]) if foreign is not None else None
            return found
        if expr[0] == "a":
            holder = self.located(module, expr[1])
            if holder is None:
                return None
            if not holder[1] and holder[0].facts is _NOTHING:
                return holder[0], expr[2]
            if not holder[1]:
                return self.followed(holder[0], expr[2]) or self._part(holder[0], expr[2])
            inner = f"{holder[1]}.{expr[2]}"
            return (holder[0], inner) if self.class_number(holder[0], inner) is not None else None
        return None

    def _part(self, package: Module, name: str) -> tuple[Module, str] | None:
        part = self.get(f"{package.name}.{name}")
        return (part, "") if part is not None else None

    def class_number(self, module: Module, name: str) -> int | None:
        """The index of a class by its name, which may be nested."""
        around = FILE_SCOPE
        for part in name.split("."):
            numbers = module.definitions.get(part, ()) if around == FILE_SCOPE else module.inner.get(around, ())
            around = next(
                (
                    n
                    for n in numbers
                    if module.facts.definitions[n].name == part and module.facts.definitions[n].is_type
                ),
                FILE_SCOPE,
            )
            if around == FILE_SCOPE:
                return None
        return around

    def is_class(self, target: tuple[Module, str]) -> bool:
        """Whether a name of a module is a class."""
        module, name = target
        if module.facts is not _NOTHING:
            return self.class_number(module, name) is not None
        found = self._others.find(f"{module.name}.{name}") if self._others is not None and name else None
        return found is not None and found.kind == CLASS

    def public(self, module: Module, name: str) -> str:
        """The public qualified name of a class: that of the package that exports it, if the class's own module is
        private or within that package."""
        path = f"{module.name}.{name}"
        first = name.partition(".")[0]
        package, _, last = module.name.rpartition(".")
        candidates = [package] if package else []
        if last.startswith("_"):
            candidates.append(f"{package}.{last.lstrip('_')}" if package else last.lstrip("_"))
        for candidate in candidates:
            other = self.get(candidate)
            if other is not None and self.followed(other, first) == (module, first):
                path = f"{candidate}.{name}"
                break
        return path

    def is_variable(self, module: Module, name: str) -> bool:
        """Whether a name is a type variable."""
        target = self.followed(module, name)
        if target is None or not target[1]:
            return False
        assignment = target[0].assigned.get(target[1])
        if assignment is None or assignment.value[0] != "c":
            return False
        function = target[0].facts.calls[assignment.value[1]].function
        return function[0] in ("n", "a") and function[-1] in _VARIABLES
