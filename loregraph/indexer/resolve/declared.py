"""What modules outside the project declare for the symbols that code uses: see `outside.types`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.indexer.outside.shapes import Shape
from loregraph.indexer.outside.types import CLASS, FUNCTION, VARIABLE, Signature, Type, mentions, substituted
from loregraph.indexer.resolve import containers
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import Container, External, ExternalInstance, Values

LOOKED_AT: Final = frozenset(
    """inspect functools typing types dis unittest.mock abc doctest pydoc trace enum weakref.WeakMethod
    builtins.property builtins.staticmethod builtins.classmethod builtins.callable builtins.type""".split()
)
"""Modules and classes whose functions only inspect or store the functions passed to them, without calling them."""


# Implements REQ-RES-017.
def shape_of(engine: Engine, value: External) -> Shape | None:
    """The declared shape of an external symbol; None where it is unknown."""
    if engine.home is None or not engine.home.policy.library.declared_outside:
        return None
    shape: Shape | None = engine.shapes.get(value)
    if shape is None and value not in engine.shapes:
        shape = engine.shapes[value] = engine.project.layout.shapes.find(value.path)
    return shape


def calls_back(engine: Engine, value: External) -> bool:
    """Whether an external function calls the functions passed to it."""
    known = engine.calling.get(value)
    if known is None:
        known = engine.calling[value] = _calls_back(engine, value)
    return known


def _calls_back(engine: Engine, value: External) -> bool:
    shape = shape_of(engine, value)
    path = value.path
    if shape is None or not LOOKED_AT.isdisjoint((value.package, path, path.rpartition(".")[0])):
        return False
    return any(mentions(row[2], "C") for signature in signatures(engine, shape) for row in signature[2])


def attribute(engine: Engine, value: ExternalInstance, name: str) -> Values | None:
    """The declared type of an attribute of an external instance; None where it is unknown or a method."""
    shape = shape_of(engine, engine.member_of(value.type, name))
    if shape is None or shape.kind != VARIABLE:
        return None
    found = [_instance(engine, value, part) for part in _options(shape.type)]
    return union([held for held in found if held]) or None


def given_by(engine: Engine, value: ExternalInstance, method: str) -> Values | None:
    """The declared result of a method that syntax calls (`__enter__`, `__next__`); None where nothing is declared."""
    shape = shape_of(engine, engine.member_of(value.type, method))
    if shape is None or shape.kind != FUNCTION:
        return None
    return union([_instance(engine, value, part) for part in _options(shape.signatures[0][3])])


def elements(engine: Engine, value: ExternalInstance, methods: tuple[str, ...]) -> Values | None:
    """The declared element type when iterating over an external instance; None where nothing is declared. `methods` are
    those that the iteration runs."""
    shape = shape_of(engine, engine.member_of(value.type, methods[0]))
    if shape is None or shape.kind != FUNCTION:
        return None
    given = shape.signatures[0][3]
    if isinstance(given, list) and given[0] == "L":
        return union([_instance(engine, value, part) for part in _options(given[1])])
    for iterator in _instance(engine, value, given):
        if isinstance(iterator, ExternalInstance):
            return given_by(engine, iterator, methods[1])
    return None


def class_of(value: Container) -> str:
    """The external class that a container models an instance of."""
    path: str = value.origin[3]
    return path


def external_at(engine: Engine, path: str) -> External:
    """The external symbol of a qualified name."""
    package, _, name = path.partition(".")
    return engine.external(package, name)


def member_shape(engine: Engine, value: Container, name: str) -> Shape | None:
    """The declared shape of a member of an instance of a generic class."""
    return engine.project.layout.shapes.member(class_of(value), name)


def is_variable(engine: Engine, value: Container, name: str) -> bool:
    """Whether a generic class has a type variable with that name."""
    shape = engine.project.layout.shapes.find(class_of(value))
    return shape is not None and name in shape.variables


def of_object(engine: Engine, value: Container, type_: Type) -> Values:
    """The values of a type as seen from an instance of a generic class."""
    found: list[Values] = []
    for part in _options(type_):
        if isinstance(part, str):
            found.append(of_class(engine, part))
        elif part[0] == "T":
            found.append(engine.read(containers.field_of(engine, value, ("str", part[1]))))
        elif part[0] == "S":
            found.append(value.alone)
        elif part[0] == "G":
            found.append(of_class(engine, part[1]))
    return union(found)


def object_gives(engine: Engine, value: Container, method: str) -> Values | None:
    """The result of a method that syntax calls on an instance of a generic class; None where nothing is declared."""
    shape = member_shape(engine, value, method)
    if shape is None or shape.kind != FUNCTION:
        return None
    return of_object(engine, value, shape.signatures[-1][3])


def object_elements(engine: Engine, value: Container) -> Values:
    """The elements when iterating over an instance of a generic class."""
    shape = engine.project.layout.shapes.find(class_of(value))
    own = [["T", name] for name in shape.variables] if shape is not None else []
    return of_object(engine, value, element_type(engine, ["G", class_of(value), own]))


def element_type(engine: Engine, type_: Type) -> Type:
    """The element type when iterating over an instance of a generic class; "" where it is unknown."""
    shapes = engine.project.layout.shapes
    cls = shapes.find(type_[1])
    bound = dict(zip(cls.variables, type_[2], strict=False)) if cls is not None else {}
    for method in ("__iter__", "__next__", "__getitem__"):
        found = shapes.member(type_[1], method)
        if found is not None and found.kind == FUNCTION:
            given = found.signatures[0][3]
            if isinstance(given, list) and given[0] == "L":
                return substituted(given[1], bound)
            if method != "__iter__":
                return substituted(given, bound)
    return ""


def _options(type_: Type) -> list[Type]:
    return type_[1] if isinstance(type_, list) and type_[:1] == ["U"] else [type_]


def _instance(engine: Engine, receiver: ExternalInstance, type_: Type) -> Values:
    """An instance for a type that names a single class."""
    if isinstance(type_, list):
        if type_[0] == "S":
            return receiver.alone
        if type_[0] != "G":
            return ()
        type_ = type_[1]
    return of_class(engine, type_)


def of_class(engine: Engine, path: str) -> Values:
    """An instance of the external class of a qualified name."""
    if not path:
        return ()
    return engine.instance_of(external_at(engine, path)).alone


def signatures(engine: Engine, shape: Shape) -> Iterable[Signature]:
    """The call signatures of the symbol with this shape."""
    if shape.kind == FUNCTION:
        return shape.signatures
    if shape.kind == CLASS:
        for name in ("__init__", "__new__"):
            maker = engine.project.layout.shapes.member(shape.path, name)
            if maker is not None and maker.kind == FUNCTION:
                return maker.signatures
        return ()
    held = shape.type[1] if isinstance(shape.type, list) and shape.type[:1] == ["G"] else shape.type
    called = engine.project.layout.shapes.member(held, "__call__") if isinstance(held, str) and held else None
    return called.signatures if called is not None else ()
