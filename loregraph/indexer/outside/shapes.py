"""Look-up of library declarations by qualified name.

The standard library's table comes with the package, made by `distil`: one line per module, with its name and its table
as JSON, decoded when the module is first looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

import msgspec

from loregraph.indexer.outside.types import (
    CLASS,
    FUNCTION,
    VARIABLE,
    Signature,
    Symbol,
    Table,
    Type,
    bounded,
    substituted,
)

STANDARD_LIBRARY: Final = "stdlib.jsonl"
MAX_STEPS: Final = 16
"""How many aliases are followed for one name."""
MAX_BASES: Final = 48
"""How many supertypes of one class are searched."""


class Shape(NamedTuple):
    """A declaration: a function by its `signatures`, a class, or a variable by its `type`. `owner` is the class that it
    was looked up on, "" for one in a module; `bound` are the owner's type arguments."""

    kind: str
    signatures: tuple[Signature, ...] = ()
    type: Type = ""
    variables: tuple[str, ...] = ()
    owner: str = ""
    path: str = ""
    """The qualified name, if it is a class."""


class _Class(NamedTuple):
    path: str
    bases: list[Type]
    variables: list[str]
    members: dict[str, Symbol]


class Shapes:
    """The declarations of modules outside the project. `knows` tells whether a module exists, `symbol` returns what a
    name in it is declared as, None where nothing is known."""

    def __init__(self, knows: Callable[[str], bool], symbol: Callable[[str, str], Symbol | None]) -> None:
        self.knows = knows
        self.symbol = symbol
        self._found: dict[str, Shape | None] = {}

    def find(self, path: str) -> Shape | None:
        """The declaration of a qualified name; None where it is unknown."""
        if path not in self._found:
            self._found[path] = self._look_up(path)
        return self._found[path]

    def member(self, cls: str, name: str) -> Shape | None:
        """A member of a class."""
        return self.find(f"{cls}.{name}")

    def _look_up(self, path: str) -> Shape | None:
        found = self._resolved(path, 0)
        if isinstance(found, _Class):
            return Shape(CLASS, variables=tuple(found.variables), path=found.path)
        return found

    def _resolved(self, path: str, steps: int) -> Shape | _Class | None:
        """The declaration of a qualified name, aliases followed."""
        parts = path.split(".")
        if steps > MAX_STEPS or len(parts) > MAX_STEPS:
            return None
        for end in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:end])
            if self.knows(module):
                symbol = self.symbol(module, parts[end])
                if isinstance(symbol, str):
                    return self._resolved(".".join([symbol, *parts[end + 1 :]]), steps + 1)
                return self._within(_of_symbol(symbol, f"{module}.{parts[end]}", ""), parts[end + 1 :], steps)
        return None

    def _within(self, found: Shape | _Class | None, rest: list[str], steps: int) -> Shape | _Class | None:
        """Follows a path of member names from a declaration."""
        for name in rest:
            bound: dict[str, Type] = {}
            if isinstance(found, Shape):
                held = found.type if found.kind == VARIABLE else ""
                arguments: list[Type] = []
                if isinstance(held, list) and held[0] == "G":
                    held, arguments = held[1], held[2]
                elif isinstance(held, list) and held[0] == "S":
                    held = found.owner
                cls = self._resolved(held, steps + 1) if isinstance(held, str) and held else None
                if not isinstance(cls, _Class):
                    return None
                bound = dict(zip(cls.variables, arguments, strict=False))
                found = cls
            if found is None:
                return None
            found = self._member(found, name, bound, steps)
        return found

    def _member(self, cls: _Class, name: str, bound: dict[str, Type], steps: int) -> Shape | _Class | None:
        """The member from the class or the first supertype that has it, depth first, with the class's type
        arguments."""
        waiting: list[tuple[_Class, dict[str, Type]]] = [(cls, bound)]
        seen = {cls.path}
        while waiting and len(seen) <= MAX_BASES:
            current, known = waiting.pop()
            symbol = current.members.get(name)
            if symbol is not None:
                return _of_symbol(symbol, f"{current.path}.{name}", cls.path, known)
            for base in reversed(current.bases):
                path, given = (base, []) if isinstance(base, str) else (base[1], base[2])
                held = self._resolved(path, steps + 1)
                if isinstance(held, _Class) and held.path not in seen:
                    seen.add(held.path)
                    arguments = [bounded(substituted(part, known)) for part in given]
                    waiting.append((held, dict(zip(held.variables, arguments, strict=False))))
        return None


def _of_symbol(
    symbol: Symbol | None, path: str, owner: str, bound: dict[str, Type] | None = None
) -> Shape | _Class | None:
    if not isinstance(symbol, list):
        return None
    if symbol[0] == CLASS:
        return _Class(path, symbol[1], symbol[2], symbol[3])
    if symbol[0] == VARIABLE:
        return Shape(VARIABLE, type=substituted(symbol[1], bound or {}), owner=owner)
    signatures = tuple(_substituted(signature, bound or {}) for signature in symbol[1])
    return Shape(FUNCTION, signatures, owner=owner)


def _substituted(signature: Signature, bound: dict[str, Type]) -> Signature:
    if not bound:
        return signature
    least, most, rows, given = signature
    return [least, most, [[place, name, substituted(t, bound)] for place, name, t in rows], substituted(given, bound)]


@cache
def standard_library() -> Shapes:
    """The declarations of Python's standard library."""
    text = resources.files("loregraph.indexer.outside").joinpath(STANDARD_LIBRARY).read_bytes()
    lines: dict[str, bytes] = {}
    for line in text.splitlines():
        name, _, table = line.partition(b" ")
        lines[name.decode()] = table
    decoded: dict[str, Table] = {}

    def symbol(module: str, name: str) -> Symbol | None:
        if module not in decoded:
            decoded[module] = msgspec.json.decode(lines[module], type=dict)
        return decoded[module].get(name)

    return Shapes(lines.__contains__, symbol)
