"""Method signatures as written, compared without resolving the types' names.

Two methods of the same shape may be the same to a compiler, two of different shapes are not. A type is identified by
its name and the package that the name comes from; types that facts do not keep (function types, inline types) match
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from loregraph.indexer.facts import FILE_SCOPE, Expr
from loregraph.indexer.resolve.model import FileIndex, Function

Shape = tuple[Any, ...]
"""(folder of the package that the method is private to or "", its parameter types followed by its result type): each as
("*" if variadic, type)."""

_ANYTHING: Final[tuple[str, ...]] = ("?",)
_MAX_DEPTH: Final = 8
"""Types nested deeper than this match anything."""


InProject = Callable[[str], str | None]
"""The folder of an imported package; None for one outside the project."""


def nowhere(module: str) -> str | None:
    """Treats every package as outside the project."""
    return None


def folder_of(file: FileIndex) -> str:
    """The folder of a file, which is its package."""
    return file.path.rpartition("/")[0]


def shape_of(function: Function, project: InProject) -> Shape:
    """The shape of a method: a pure function of its file's facts and the packages' locations."""
    file = function.file
    definition = function.definition
    free = set(definition.type_parameters)
    around = function.scope.parent
    if around is not None and around.definition is not None:
        free.update(around.definition.type_parameters)
    taken = tuple(
        ("*" if parameter.kind == "*" else "", _form(file, parameter.type, free, project, 0))
        for parameter in definition.parameters
        if parameter.kind != "this"
    )
    name = definition.name
    private = "" if name[:1].isupper() else folder_of(file)
    return (private, *taken, ("", _form(file, definition.returns, free, project, 0)))


def aliases_of(file: FileIndex) -> list[str]:
    """The type aliases in a file: uses of them do not show the aliased type."""
    return sorted(
        fact.target[1]
        for fact in file.facts.assignments
        if fact.scope == FILE_SCOPE and fact.kind == "=" and fact.target[0] == "n"
    )


def takes(shape: Shape) -> int:
    """The number of parameters in a shape."""
    return len(shape) - 2


def fits(wanted: Shape, given: Shape, aliases: Collection[str]) -> bool:
    """Whether a method with the shape `given` satisfies one of the shapes `wanted`."""
    if len(wanted) != len(given) or wanted[0] != given[0]:
        return False
    return all(
        one[0] == other[0] and _agree(one[1], other[1], aliases)
        for one, other in zip(wanted[1:], given[1:], strict=True)
    )


def _form(file: FileIndex, written: Expr | None, free: set[str], project: InProject, depth: int) -> tuple[Any, ...]:
    if written is None or depth > _MAX_DEPTH:
        return _ANYTHING
    op = written[0]
    if op == "n":
        name = written[1]
        return _ANYTHING if name in free else _named(file, name)
    if op == "a" and written[1][0] == "n":
        return _imported(file, written[1][1], written[2], project)
    if op == "s":
        return (
            "s",
            _form(file, written[1], free, project, depth + 1),
            _form(file, written[2], free, project, depth + 1),
        )
    if op == "l":
        return ("l", *(_form(file, part, free, project, depth + 1) for part in written[1]))
    if op == "k":
        return ("k", written[1])
    return _ANYTHING


def _named(file: FileIndex, name: str) -> tuple[str, ...]:
    if name in file.policy.scopes.default_externals or name in file.policy.types.type_containers:
        return ("n", "", "", file.policy.members.outside_aliases.get(name, name))
    if any(fact.name == "*" for fact in file.facts.imports):
        return ("n", "any", "", name)
    package = file.facts.package
    return ("n", "own", f"{folder_of(file)} {package}" if package.endswith("_test") else folder_of(file), name)


def _imported(file: FileIndex, alias: str, name: str, project: InProject) -> tuple[str, ...]:
    module = next((fact.module for fact in file.facts.imports if fact.alias == alias), None)
    if module is None:  # a package whose name is not the end of its path
        return ("n", "any", "", name)
    folder = project(module)
    known = file.policy.members.outside_aliases.get(f"{module}.{name}")
    if known is not None:
        module, _, name = known.rpartition(".")
    return ("n", "from", module, name) if folder is None else ("n", "own", folder, name)


def _agree(one: tuple[Any, ...], other: tuple[Any, ...], aliases: Collection[str]) -> bool:
    if one == other or _ANYTHING in (one, other):
        return True
    if one[0] == "n" and other[0] == "n":
        if one[3] in aliases or other[3] in aliases:
            return True
        return bool(one[3] == other[3]) and _same_package(one, other)
    if "n" in (one[0], other[0]):
        return (one if one[0] == "n" else other)[3] in aliases
    if one[0] != other[0] or one[0] == "k" or len(one) != len(other):
        return False
    return all(_agree(a, b, aliases) for a, b in zip(one[1:], other[1:], strict=True))


def _same_package(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    if "any" in (one[1], other[1]):
        return "" not in (one[1], other[1])
    return bool(one[1:3] == other[1:3])
