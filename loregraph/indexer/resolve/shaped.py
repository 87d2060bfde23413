"""Results and callbacks of calls outside the project, from library declarations: see `outside.types`.

Models in a policy take precedence. A declared shape is filled in with the call's arguments: the elements of an argument
of type `Iterable[T]` are the values of a result of type `T`, and an argument for a parameter that takes a function is
called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.indexer.facts import UNKNOWN, Call, Expr
from loregraph.indexer.outside.shapes import Shape
from loregraph.indexer.outside.types import BY_NAME, CLASS, FURTHER, NOTHING, Signature, Type, mentions
from loregraph.indexer.resolve import calls, container_methods, containers
from loregraph.indexer.resolve.containers import OBJECT
from loregraph.indexer.resolve.declared import (
    calls_back,
    class_of,
    element_type,
    external_at,
    is_variable,
    member_shape,
    of_class,
    shape_of,
    signatures,
)
from loregraph.indexer.resolve.dispatch import LINKS, RESULTS, evaluate, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    Class,
    Container,
    ContainerMethod,
    External,
    ExternalInstance,
    FieldCell,
    FileIndex,
    Instance,
    Value,
    Values,
)

SHAPED: Final = {"L": "shaped", "M": "shaped mapping", "P": "shaped tuple"}
"""Kind of type → origin of the containers of that type that calls return."""
_CALLED: Final = frozenset({"n", "a", "f", "c"})
"""Operators of arguments that may be functions."""


def call_back(engine: Engine, file: FileIndex, call: Call, value: External) -> None:
    """Calls the function arguments of a call to an external function."""
    if call.kind == "decorator" or not calls_back(engine, value):
        return
    shape = shape_of(engine, value)
    signature = _fitting(signatures(engine, shape), call) if shape is not None else None
    if signature is not None:
        Filled(engine, file, call, value, signature)


def result(engine: Engine, file: FileIndex, call: Call, value: External, shape: Shape) -> Values:
    """The result of calling an external symbol with a known shape."""
    if shape.kind == CLASS:
        made = engine.instance_of(value).alone
        signature = _fitting(signatures(engine, shape), call) if shape.variables else None
        if signature is None:
            return made
        held = signature[3]  # of `__new__`, which may be more precise than its class
        if not isinstance(held, list) or held[0] != "G":
            held = ["G", value.path, [["T", name] for name in shape.variables]]
        return Filled(engine, file, call, value, signature).generic(held, True)
    signature = _fitting(signatures(engine, shape), call)
    if signature is None or signature[3] == NOTHING:
        return ()
    return Filled(engine, file, call, value, signature).values(signature[3])


def _fitting(signatures: Iterable[Signature], call: Call) -> Signature | None:
    """The first signature that accepts the number of arguments and the literal strings."""
    spread = any(a[0] == "*" for a in call.arguments) or any(name == "**" for name, _ in call.keywords)
    count = len(call.arguments)
    named = dict(call.keywords)
    for signature in signatures:
        least, most, rows, _ = signature
        if not spread and (count > most >= 0 or count + len(named) < least):
            continue
        if all(_is_one_of(call, named, row[0], row[1], row[2]) for row in rows):
            return signature
    return None


def _is_one_of(call: Call, named: dict[str, Expr], place: int, name: str, type_: Type) -> bool:
    """Whether an argument is one of the strings that a type allows; True for other types."""
    if not (isinstance(type_, list) and type_[:1] == ["="]):
        return True
    given = call.arguments[place] if 0 <= place < len(call.arguments) else named.get(name)
    return given is None or (given[0] == "k" and given[1] == "str" and given[2] in type_[1])


class Filled:
    """A signature filled in with the arguments of one call: the values of its type variables. Creating it calls the
    function arguments."""

    def __init__(
        self,
        engine: Engine,
        file: FileIndex,
        call: Call,
        value: External,
        signature: Signature,
        receiver: Container | None = None,
    ) -> None:
        self.engine = engine
        self.file = file
        self.call = call
        self.value = value
        self.known: dict[str, list[Expr]] = {}
        self.further: tuple[Expr, ...] = ()
        self.receiver = receiver
        """The instance of a generic class that a method is called on."""
        self._around: list[str] = []
        given = list(self._given(signature))
        for type_, expr in given:
            if not mentions(type_, "C"):
                self._bind(type_, expr)
        # The arguments of callbacks are known by now. A decorated function, or one returned unchanged, is kept.
        if call.kind != "decorator" and signature[3][:1] != ["C"] and calls_back(engine, value):
            for type_, expr in given:
                if mentions(type_, "C"):
                    self._bind(type_, expr)

    def _given(self, signature: Signature) -> Iterable[tuple[Type, Expr]]:
        """The informative arguments, with the types of their parameters."""
        _, most, rows, _ = signature
        arguments = self.call.arguments
        plain = next((i for i, a in enumerate(arguments) if a[0] == "*"), len(arguments))
        named = dict(self.call.keywords)
        fixed = -1 - most if most < 0 else most
        self.further = arguments[fixed:] if plain >= fixed else ()
        for place, name, type_ in rows:
            if place == FURTHER:
                for argument in self.further:
                    yield type_, argument if argument[0] != "*" else ("i", argument[1])
            elif 0 <= place < plain:
                yield type_, arguments[place]
            elif place >= BY_NAME and name in named:
                yield type_, named[name]

    def _bind(self, type_: Type, expr: Expr) -> None:
        if not isinstance(type_, list):
            return
        kind = type_[0]
        if kind == "T" and self.receiver is not None and is_variable(self.engine, self.receiver, type_[1]):
            if expr[0] not in ("x", "k"):
                self._fill(containers.field_of(self.engine, self.receiver, ("str", type_[1])), (expr,))
        elif kind == "T":
            known = self.known.setdefault(type_[1], [])
            if expr[0] not in ("x", "k") and expr not in known:
                known.append(expr)
        elif kind == "L":
            self._bind(type_[1], ("i", expr))
        elif kind == "M":
            self._bind(type_[1], ("R*", expr))
        elif kind == "P":
            for place, part in enumerate(type_[1]):
                self._bind(part, ("s", expr, ("k", "int", str(place))))
        elif kind == "U":
            for part in type_[1]:
                self._bind(part, expr)
        elif kind == "K":
            self._bind(type_[1], ("T", expr))
        elif kind == "G":
            self._bind(element_type(self.engine, type_), ("i", expr))
            if len(type_[2]) == 1:
                self._bind(type_[2][0], ("R*", expr))
        elif kind == "C" and expr[0] in _CALLED:
            made = calls.implicit_call(self.engine, self.file, self.call, expr, self._passed(type_[1]))
            self._bind(type_[2], ("C", made))

    def _passed(self, types: list[Type]) -> tuple[Expr, ...]:
        """The arguments that a function argument is called with."""
        found: list[Expr] = []
        for type_ in types:
            if isinstance(type_, list) and type_[:1] == ["P*"]:
                found += self.further
            elif mentions(type_, "S", "K"):  # its values may grow, and a call is identified by its arguments
                found.append(UNKNOWN)
            else:
                found.append(next(iter(self.expressions(type_)), UNKNOWN))
        return tuple(found)

    def expressions(self, type_: Type) -> list[Expr]:
        """The values of a type, as expressions."""
        if isinstance(type_, list) and type_[:1] == ["T"]:
            return self._known(type_[1])
        if isinstance(type_, list) and type_[:1] == ["U"]:
            return [expr for part in type_[1] for expr in self.expressions(part)]
        held = self.values(type_)
        return [("V", held)] if held else []

    def _known(self, name: str) -> list[Expr]:
        """The values of a type variable."""
        if self.receiver is not None and is_variable(self.engine, self.receiver, name):
            return [("s", ("V", self.receiver.alone), ("k", "str", name))]
        return self.known.get(name, [])

    def values(self, type_: Type) -> Values:
        """The values of a type."""
        engine = self.engine
        if not isinstance(type_, list):
            return of_class(engine, type_)
        kind = type_[0]
        if kind == "T":
            return union([evaluate(engine, self.file, self.call, expr) for expr in self._known(type_[1])])
        if kind == "S":
            return self._receivers()
        if kind == "U":
            return union([self.values(part) for part in type_[1]])
        if kind == "G":
            return self.generic(type_)
        if kind == "K":
            return tuple(dict.fromkeys(_class_of(value) for value in self.values(type_[1])))
        return self._container(kind, type_) if kind in SHAPED else ()

    def generic(self, type_: Type, made: bool = False) -> Values:
        """An instance of a generic class: a mapping for classes used as one, else an object with the known values of
        its type variables. `made`: the call creates it, even if it is empty."""
        engine, path = self.engine, type_[1]
        plain = of_class(engine, path)
        if not made and not mentions(type_[2], "T"):
            return plain
        member = engine.project.layout.shapes.member
        if member(path, "keys") is not None and member(path, "__getitem__") is not None:
            return union([plain, self._container("M", ["M", type_[2][-1] if type_[2] else NOTHING], made)])
        return self._object(type_) or plain

    def _object(self, type_: Type) -> Values:
        engine, file, path = self.engine, self.file, type_[1]
        shape = engine.project.layout.shapes.find(path)
        if shape is None or shape.kind != CLASS or path in self._around:
            return ()
        self._around.append(path)
        parts = [self.expressions(part) for part in type_[2]]
        self._around.pop()
        origin = (OBJECT, file, self.call, path)
        found = engine.interned.get(container_methods.by_identity(origin))
        if found is None:
            found = container_methods.make(engine, file, True, file.policy, origin)
            for name in shape.variables:
                containers.own_field(found, ("str", name))
        assert isinstance(found, Container)
        for name, exprs in zip(shape.variables, parts, strict=False):
            self._fill(containers.own_field(found, ("str", name)), exprs)
        return found.alone

    def _fill(self, field: FieldCell, exprs: Iterable[Expr]) -> None:
        for expr in exprs:
            if (self.file, self.call, expr) not in field.sources:
                self.engine.source(field, self.file, self.call, expr)

    def _container(self, kind: str, type_: Type, made: bool = False) -> Values:
        """The list, mapping or tuple that the call returns; one of each kind per call, never nested in its own kind."""
        if kind in self._around:
            return ()
        self._around.append(kind)
        parts = [self.expressions(part) for part in (type_[1] if kind == "P" else [type_[1]])]
        self._around.pop()
        if not made and not any(parts):
            return ()
        engine, file = self.engine, self.file
        origin = (SHAPED[kind], file, self.call)
        found = engine.interned.get(container_methods.by_identity(origin))
        if found is None:
            found = container_methods.make(engine, file, kind == "M", file.policy, origin)
            for place in range(len(parts)) if kind == "P" else ():
                containers.own_field(found, ("int", str(place)))
        assert isinstance(found, Container)
        for place, exprs in enumerate(parts):
            field = found.fields.get(("int", str(place))) if kind == "P" else found.rest
            if field is not None:
                self._fill(field, exprs)
        return found.alone

    def _receivers(self) -> Values:
        """The receivers of the call: for a method that a class of the project inherits, its instances."""
        if self.receiver is not None:
            return self.receiver.alone
        function = self.call.function
        held: list[Value] = []
        for value in evaluate(self.engine, self.file, self.call, function[1]) if function[0] == "a" else ():
            of_type = isinstance(value, Instance | Class | ExternalInstance)
            if of_type and self.value in member_of(self.engine, value, function[2]):
                held.append(value.instance if isinstance(value, Class) else value)
        if held:
            return tuple(dict.fromkeys(held))
        around = self.value.name.rpartition(".")[0]
        return self.engine.instance_of(self.engine.external(self.value.package, around)).alone if around else ()


def _class_of(value: Value) -> Value:
    if isinstance(value, Instance):
        return value.cls
    return value.type if isinstance(value, ExternalInstance) else value


def _of_method(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod) -> tuple[Filled, Type] | None:
    """The filled-in signature of a method of a generic class's instance, and its result type."""
    shape = member_shape(engine, method.container, method.name)
    signature = _fitting(shape.signatures, call) if shape is not None else None
    if signature is None:
        return None
    value = engine.member_of(external_at(engine, class_of(method.container)), method.name)
    return Filled(engine, file, call, value, signature, method.container), signature[3]


def _method_called(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod, skip: int) -> None:
    if method.container.origin[0] == OBJECT:
        _of_method(engine, file, call, method)
    else:
        container_methods.called(engine, file, call, method, skip)


def _method_given(engine: Engine, file: FileIndex, call: Call, method: ContainerMethod, skip: int) -> Values:
    if method.container.origin[0] != OBJECT:
        return container_methods.given(engine, file, call, method, skip)
    found = _of_method(engine, file, call, method)
    return found[0].values(found[1]) if found is not None else ()


def _object_called(engine: Engine, file: FileIndex, call: Call, value: Container, skip: int) -> None:
    if value.origin[0] == OBJECT:
        for method in container_methods.method(engine, value, "__call__"):
            _of_method(engine, file, call, method)


def _object_given(engine: Engine, file: FileIndex, call: Call, value: Container, skip: int) -> Values:
    if value.origin[0] != OBJECT:
        return calls.container_result(engine, file, call, value, skip)
    return union(
        [_method_given(engine, file, call, m, skip) for m in container_methods.method(engine, value, "__call__")]
    )


LINKS[Container] = _object_called
RESULTS[Container] = _object_given
LINKS[ContainerMethod] = _method_called
RESULTS[ContainerMethod] = _method_given
