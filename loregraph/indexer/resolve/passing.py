"""Argument passing: each parameter that is read has a cell, which receives the arguments of all linked calls."""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import containers, names
from loregraph.indexer.resolve.containers import Key
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import is_outer_parameter, outer_site, takes_receiver
from loregraph.indexer.resolve.hierarchy import is_subclass
from loregraph.indexer.resolve.holders import holders
from loregraph.indexer.resolve.model import (
    NEW,
    PARAMETER,
    RECEIVER,
    Bound,
    Cell,
    Class,
    Constant,
    Container,
    ExternalInstance,
    FileIndex,
    Function,
    Instance,
    Link,
    Partial,
    Value,
    Values,
    expression_cell,
)
from loregraph.indexer.resolve.types import closed, instances, narrowed

MAX_RECEIVERS: Final = 16
"""A method is examined with at most so many receiver classes."""
MAX_BELOW: Final = 24
"""If a declared type has more subclasses than this, none of them counts as a receiver of its methods."""


class ParameterCell(Cell):
    """The values of one parameter: arguments of calls, its default, and what its declared type adds."""

    __slots__ = ("declared", "function", "number")

    def __init__(self, function: Function, number: int) -> None:
        super().__init__(function.file)
        self.function = function
        self.number = number
        self.declared: Values | None = None

    def compute(self, engine: Engine) -> Values:
        function, number = self.function, self.number
        parameter = function.parameters[number]
        site = outer_site(function)
        parts: list[Values] = []
        if parameter.kind in ("*", "**"):
            return (rest_container(engine, function, number),)
        if parameter.type is not None:
            self.declared = instances(engine, function.file, outer_site(function), parameter.type)
            if closed(parameter.type):
                return self.declared
            parts.append(self.declared)
        if parameter.default is not None:
            if self._default_used(engine):
                parts.append(self.admit(engine, evaluate(engine, function.file, site, parameter.default)))
        elif function.file.policy.fixtures.decorators:
            parts.append(evaluate(engine, function.file, site, ("A", function, parameter.name)))
        parts += self.arrived(engine)
        return union(parts)

    def _default_used(self, engine: Engine) -> bool:
        """Whether some call may omit the argument. Code that asks before the calls are known asks again at the end."""
        function = self.function
        if not function.file.policy.calls.defaults_replaced:
            return True
        if any(may_leave_out(function, self.number, link) for link in function.links):
            return True
        return engine.allow_fallback() and not function.links

    @property
    def takes_functions(self) -> bool:
        """Whether a parameter with a declared type accepts functions: the type names nothing in the project."""
        declared = self.function.parameters[self.number].type
        if _is_open(self.function, self.number):
            return True
        if declared is not None and declared[0] == "n" and declared[1] != "any":
            name: str = declared[1]
            if name[:1].islower() and name in self.function.file.policy.scopes.default_externals:
                return False  # a number, a text
        return declared is None or all(isinstance(value, ExternalInstance) for value in self.declared or ())

    def arrived(self, engine: Engine) -> list[Values]:
        """The arguments of calls linked before the parameter was first read; those of later calls flow in."""
        parts: list[Values] = []
        if self.state < 0:
            for link in self.function.links:
                for given in passed(engine, self.function, self.number, self, link):
                    parts.append(engine.take(given, self) if isinstance(given, Cell) else given)
        return parts

    filtered = True

    def admit(self, engine: Engine, values: Values) -> Values:
        declared = self.function.parameters[self.number].type
        if declared is not None and closed(declared):
            return ()
        if declared is not None and self.function.file.policy.types.static_types:
            if self.function.parameters[self.number].kind or _is_open(self.function, self.number):
                return values
            own = self.declared or ()
            kinds = (
                (Function, Bound, Partial, Class)
                if self.function.file.policy.calls.handles
                else (Function, Bound, Partial)
            )
            return tuple(value for value in values if isinstance(value, kinds) or value in own)
        if not self.declared:
            return values
        return union([narrowed(engine, values, self.declared), tuple(v for v in values if v in self.declared)])


class ReceiverCell(ParameterCell):
    """The receiver of a method: its own class, and the classes of the receivers that it is called on."""

    __slots__ = ()
    limit = MAX_RECEIVERS

    def compute(self, engine: Engine) -> Values:
        function = self.function
        owner = function.owner
        parts = self.arrived(engine)
        if owner is None:
            declared = function.parameters[self.number].type if self.number >= 0 else None
            if declared:
                parts.insert(0, instances(engine, function.file, outer_site(function), declared))
            elif (
                function.file.policy.construction.functions_construct
                and engine.allow_fallback()
                and not _is_called_on(function)
            ):
                parts.insert(0, _held_by(engine, function))
        elif function.receives == "class":
            parts.insert(0, owner.alone)
        else:
            parts.insert(0, (owner.typed if function.file.policy.calls.dispatch_self else owner.instance).alone)
        return union(parts)

    def admit(self, engine: Engine, values: Values) -> Values:
        function = self.function
        owner = function.owner
        found: list[Value] = []
        for value in values:
            if owner is None or (
                function.file.policy.construction.functions_construct and not isinstance(value, Instance)
            ):
                found.append(value)
            elif isinstance(value, Instance):
                if is_subclass(engine, value.cls, owner):
                    found.append(value.cls.typed if function.file.policy.calls.dispatch_self else value.cls.instance)
                    if value.declared and function.file.policy.calls.receivers_below:
                        found += [cls.instance for cls in _running(function, value.cls)]
            elif (
                isinstance(value, Class)
                and is_subclass(engine, value, owner)
                and (function.receives != "instance" or function.file.policy.calls.sends)
            ):
                found.append(value)
        return tuple(found)


def _is_called_on(function: Function) -> bool:
    """Whether some call gives the receiver that a function is called on."""
    return any(link.receiver is not None for link in function.links)


def _running(function: Function, cls: Class) -> list[Class]:
    """The subclasses of `cls` whose instances run `function`, a method of `cls`: no class in between overrides it. None
    where there are too many. Subclasses in tests and examples count only for methods in tests and examples."""
    key = ("running", function)
    known: list[Class] | None = cls.lookups.get(key)
    if known is None:
        name, product = function.definition.name, not function.file.aside
        found: dict[Class, None] = {}
        level = cls.subclasses
        while level and len(found) <= MAX_BELOW:
            level = [
                sub
                for sub in level
                if sub not in found
                and name not in sub.scope.bindings
                and len(sub.definition.bases) == 1  # another one may come before it
                and not (product and sub.file.aside)
            ]
            found.update(dict.fromkeys(level))
            level = [sub for above in level for sub in above.subclasses]
        known = cls.lookups[key] = list(found) if len(found) <= MAX_BELOW else []
    return known


def _held_by(engine: Engine, function: Function) -> Values:
    """The object that a function is written into: its receiver where no call is seen to set one."""
    file = function.file
    if file.holders is None:
        file.holders = holders(file)
    holder = file.holders.get(function.number)
    return evaluate(engine, file, *holder) if holder is not None else ()


def receiver_cell(engine: Engine, function: Function) -> Cell:
    """The cell of a function's receiver."""
    return parameter_cell(engine, function, 0 if function.lists_receiver else RECEIVER)


def parameter_cell(engine: Engine, function: Function, number: int) -> Cell:
    """The cell of a parameter."""
    found = function.cells.get(number)
    if found is None:
        if number == RECEIVER:
            found = ReceiverCell(function, number)
        elif number >= len(function.parameters):
            found = Constant(())
        elif number == 0 and function.receives and function.lists_receiver:
            found = ReceiverCell(function, number)
        else:
            found = ParameterCell(function, number)
        function.cells[number] = found
    return found


def rest_container(engine: Engine, function: Function, number: int) -> Container:
    """The list or mapping that a rest parameter is."""
    key = ("rest", function, number)
    found = engine.interned.get(key)
    if found is None:
        mapping = function.parameters[number].kind == "**"
        found = containers.new(engine, function.file, key, mapping, function.file.policy, ("rest", function, number))
        engine.interned[key] = found
        declared = function.parameters[number].type
        if declared is not None:
            listed: Expr = ("T", declared)
            if (
                function.file.policy.construction.functions_construct
            ):  # `...xs: Item[]`; elsewhere an element's type is written
                listed = ("i", listed)
            containers.add_source(engine, found.rest, function.file, outer_site(function), listed)
        for known in function.links:
            for field, argument in _rest(engine, function, number, found, known):
                containers.add_source(engine, containers.own_field(found, field), *argument)
    assert isinstance(found, Container)
    return found


def _is_open(function: Function, number: int) -> bool:
    """Whether a parameter's declared type allows any value: `Object`, a type parameter."""
    written = function.parameters[number].type
    policy = function.file.policy
    if (
        written is None
        or written[0] != "n"
        or not (policy.types.type_parameters_followed or policy.members.class_objects)
    ):
        return False
    if policy.members.class_objects and written[1] in policy.types.top_types:
        return True
    return written[1] in function.definition.type_parameters


def passed(engine: Engine, function: Function, number: int, cell: Cell, link: Link) -> list[Cell | Values]:
    """What `link` passes to the parameter with index `number`: cells whose values flow to it, and values."""
    if isinstance(cell, ReceiverCell) or (number == 0 and link.receiver is not None and takes_receiver(function)):
        if link.receiver is not None:
            return [link.receiver.alone]
        if number == RECEIVER:
            return []
    if link.file is None or link.call is None or number < 0:
        return []
    kind = function.parameters[number].kind
    if kind in ("*", "**"):
        container = rest_container(engine, function, number)
        for key, argument in _rest(engine, function, number, container, link):
            engine.source(containers.field_of(engine, container, key), *argument)
        return []
    policy = function.file.policy
    told = policy.types.static_types and isinstance(cell, ParameterCell) and not cell.takes_functions
    if told and not policy.calls.functions_passed:
        return []
    found: list[Cell | Values] = []
    for expr in arguments_for(function, number, link):
        op = expr[0]
        if told and op not in ("f", "n", "a"):
            continue
        if op == "n" and link.file is function.file:
            source = link.file.scopes[link.call.scope].fast.get(expr[1])
            if source is None:
                source = names.name_cell(engine, link.file, expr[1], link.call)
            found.append(source)
        elif op == "k":
            found.append(evaluate(engine, link.file, link.call, expr))
        elif op != "x":
            found.append(expression_cell(link.file, link.call, expr))
    return found


def _rest(
    engine: Engine, function: Function, number: int, container: Container, link: Link
) -> list[tuple[Key, tuple[FileIndex, Call, Expr]]]:
    """The arguments that `link` passes to a rest parameter, each with its key; spread arguments are added by flows."""
    if link.file is None or link.call is None or link.transparent:
        return []
    call = link.call
    found: list[tuple[Key, tuple[FileIndex, Call, Expr]]] = []
    if function.parameters[number].kind == "**":
        named = {p.name for p in function.parameters}
        for name, value in call.keywords:
            if name == "**":
                if not _forwards(link, call, value):
                    containers.spread_later(engine, container, link.file, call, value)
            elif name not in named:
                found.append((("str", name), (link.file, call, value)))
        return found
    first = number
    if link.receiver is not None and takes_receiver(function):
        first -= 1
    for i, argument in enumerate(call.arguments):
        if argument[0] == "*":
            if not _forwards(link, call, argument[1]):
                containers.spread_later(engine, container, link.file, call, argument[1], i - first)
            break
        if i >= first and argument[0] not in ("x", "k"):
            found.append((("int", str(i - first)), (link.file, call, argument)))
    return found


def arguments_for(function: Function, number: int, link: Link) -> list[Expr]:
    """The expressions that `link` passes to the parameter with index `number`, read at the call."""
    call = link.call
    if call is None:
        return []
    parameter = function.parameters[number]
    found: list[Expr] = []
    position = number
    if link.receiver is not None and takes_receiver(function):
        position -= 1
    if link.skip > 0:
        position -= link.skip
    if parameter.kind == "" and position >= 0:
        for i, argument in enumerate(call.arguments):
            if argument[0] == "*":
                if not _forwards(link, call, argument[1]):
                    found.append(("s", argument[1], ("k", "int", str(position - i))))
                break
            if i == position:
                found.append(argument)
                break
    for name, value in call.keywords:
        if name == parameter.name:
            return [value]
        if name == "**" and not found and not _forwards(link, call, value):
            found.append(("s", value, ("k", "str", parameter.name)))
    return found


def may_leave_out(function: Function, number: int, link: Link) -> bool:
    """Whether the call behind `link` may pass nothing to the parameter with index `number`: a spread may be too
    short."""
    if link.call is None or link.transparent:
        return True
    call = link.call
    spread = any(argument[0] == "*" for argument in call.arguments) or any(name == "**" for name, _ in call.keywords)
    return spread or not arguments_for(function, number, link)


def _forwards(link: Link, call: Call, spread: Expr) -> bool:
    """Whether a wrapper passes its own rest parameter on to a function that it closes over.

    A caller of the wrapper is linked to the wrapped function directly; going through the wrapper would merge all
    functions that it wraps.
    """
    if link.file is None or spread[0] != "n" or call.function[0] != "n":
        return False
    return is_outer_parameter(link.file.scopes[call.scope], call.function[1])


def add_link(engine: Engine, function: Function, link: Link) -> None:
    """Records that a call reaches `function`; parameters that are being read receive its arguments. At the barrier."""
    function.links.append(link)
    for number, cell in list(function.cells.items()):
        if cell.state != NEW:
            if (
                function.file.policy.calls.defaults_replaced
                and number >= 0
                and function.parameters[number].default is not None
            ):
                engine.invalidate(cell)  # omitted arguments are only looked at later
            for given in passed(engine, function, number, cell, link):
                if isinstance(given, Cell):
                    engine.flow(given, cell)
                else:
                    engine.add(cell, given)
    if function.keyed is not None:
        for keyed in function.keyed.values():
            engine.invalidate(keyed)


def _parameter(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return engine.read(parameter_cell(engine, expr[1], expr[2]))


def _bound_cell(engine: Engine, file: FileIndex, payload: tuple[Any, Function, int]) -> Cell:
    return parameter_cell(engine, payload[1], payload[2])


names.CELLS[PARAMETER] = _bound_cell
OPERATORS["P"] = _parameter
