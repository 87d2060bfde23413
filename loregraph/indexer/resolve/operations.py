"""Implicit calls: property accesses, operators that are methods, library functions that call a method.

Before values are followed, the expressions of a file are searched for members that may be properties (some class of the
project has a property or descriptor of that name) and for operators whose method some class of the project defines.
Each becomes a call with one of these as its function:

`("G", base, name)` reading `base.name`,
`("G=", base, name)` writing it,
`("G-", base, name)` deleting it,
`("M", base, methods)` calling the first of these methods that the value has,
`("B", class, base)` the hook of a base class that defining a class runs.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.languages.policy import Policy
from loregraph.indexer.resolve import members, names
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import accessor, bound, is_accessor_kind
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.model import Class, FileIndex, Function, Instance, Super, Value, Values
from loregraph.indexer.resolve.summary import hooked, made

Found = tuple[Expr, tuple[Expr, ...]]
"""The function of an implicit call, and its arguments."""


_LEAVES: Final = frozenset({"n", "c", "k", "x", "v", "p", "f", "m"})


_WITHIN: Final = frozenset({"i", "e", "w", "y", "*"})
"""Operators with a single operand."""


MAX_IN_TEXT: Final = 8
"""How many arguments of a formatting library function are examined."""
ON_THE_RIGHT: Final = frozenset({"in", "not in"})
"""Operators that run a method of the right operand."""


JOINING: Final = "+"
"""The operator that concatenates strings."""
_TEXTS: Final = frozenset({"str", "format"})
_NAMED: Final = frozenset({"n", "a", "c", "s", "v", "w", "t"})
"""Operators of expressions that may be an object of the project rather than a string."""


class ImplicitCallNames:
    """The names in a project that may cause implicit calls, for one language: accessors, and methods behind
    operators."""

    def __init__(self, engine: Engine, policy: Policy) -> None:
        self.hook = (
            policy.implicit.subclass_hook if policy.implicit.subclass_hook in engine.project.member_names else ""
        )
        self.operators = {
            operator: methods
            for operator, methods in policy.implicit.operators.items()
            if not engine.project.member_names.isdisjoint(methods)
        }
        self.text = (
            () if engine.project.member_names.isdisjoint(policy.implicit.text_methods) else policy.implicit.text_methods
        )
        """The method that being put into a text runs; empty where the project has none."""
        self.names: set[str] = set()
        if not policy.implicit.operators:
            return
        if engine.project.accessors is not None:
            self.names.update(engine.project.accessors())
            return
        for file in engine.project.files.values():
            if file.policy is policy:
                self.names.update(d.name for d in file.facts.definitions if is_accessor_kind(d.kind, d.flags))
        descriptors = _descriptors(engine, policy)
        if descriptors:
            for file in engine.project.files.values():
                if file.policy is policy:
                    self.names.update(name for function, name in made(file) if function in descriptors)

    def __bool__(self) -> bool:
        return bool(self.names or self.operators or self.hook or self.text)


def _descriptors(engine: Engine, policy: Policy) -> set[str]:
    """Names of the descriptor classes, whose instances answer for attributes of other classes."""
    found: set[str] = set()
    if not engine.project.member_names.isdisjoint(descriptor_methods(policy)):
        for file in engine.project.files.values():
            for cls in hooked(file):
                found.update(c.definition.name for c in (cls, *cls.subclasses))
    return found


def descriptor_methods(policy: Policy) -> list[str]:
    """The descriptor methods that run for an attribute of a class."""
    methods = (policy.implicit.item_methods.get("descriptor"), policy.implicit.item_methods.get("descriptor set"))
    return [method for method in methods if method]


# Implements REQ-RES-012.
def implicit_calls(engine: Engine, file: FileIndex, known: ImplicitCallNames) -> list[CallCell]:
    """The implicit calls that the members and operators in a file may make."""
    facts = file.facts
    cells: list[CallCell] = []
    seen: set[tuple[int, int, str, Any]] = set()

    def add(site: Any, found: list[Found]) -> None:
        for function, arguments in found:
            path = _path(function[1])
            if path and function[0] not in ("G=", "G-"):  # the same member is read many times: `self.name`
                key = (site.scope, site.block, path, function[2])
                if key in seen:
                    continue
                seen.add(key)
            implied = Call(site.scope, site.line, site.at, site.block, function, arguments, (), "implicit")
            cells.append(CallCell(file, implied))
        found.clear()

    found: list[Found] = []
    for call in facts.calls:
        function = call.function
        if function[0] not in _LEAVES:
            _search(function, known, found)
        for argument in call.arguments:
            if argument[0] not in _LEAVES:
                _search(argument, known, found)
        for _, argument in call.keywords:
            if argument[0] not in _LEAVES:
                _search(argument, known, found)
        if found:
            add(call, found)
    for fact in facts.assignments:
        if fact.value[0] not in _LEAVES:
            _search(fact.value, known, found)
        if fact.target[0] not in _LEAVES:
            _written(fact.kind, fact.target, fact.value, known, found)
        if found:
            add(fact, found)
    for leaving in facts.returns:
        if leaving.value[0] not in _LEAVES:
            _search(leaving.value, known, found)
            if found:
                add(leaving, found)
    if known.hook:
        for number, definition in enumerate(facts.definitions):
            if definition.bases and number in file.classes:
                base = _hooked(engine, file.classes[number], known.hook)
                if base is not None:
                    site = Call(definition.parent, definition.start_line, definition.start_byte, -2, ())
                    add(site, [(("B", file.classes[number], base), ())])
    return cells


def _path(expr: Any) -> str:
    """`a.b.c` as text; "" for any other expression."""
    parts: list[str] = []
    while type(expr) is not Class and expr[0] == "a":
        parts.append(expr[2])
        expr = expr[1]
    if type(expr) is Class or expr[0] != "n":
        return ""
    parts.append(expr[1])
    return ".".join(parts)


def _search(expr: Expr, known: ImplicitCallNames, found: list[Found]) -> None:
    """Adds the calls that reading `expr` may make."""
    names_, operators = known.names, known.operators
    stack = [expr]
    while stack:
        part = stack.pop()
        op = part[0]
        if op == "a":
            if part[2] in names_:
                found.append((("G", part[1], part[2]), ()))
            stack.append(part[1])
        elif op == "l" or op == "u":
            stack += part[1]
        elif op == "d":
            for key, value in part[1]:
                stack.append(key)
                stack.append(value)
        elif op == "s":
            stack.append(part[1])
            stack.append(part[2])
            methods = operators.get("[]")
            if methods is not None:
                found.append((("M", part[1], methods), (part[2],)))
        elif op == "b":
            if known.text and part[1] == JOINING:
                part = _joined(part, known.text, stack, found)
            stack.append(part[2])
            if part[3] is not None:
                stack.append(part[3])
                methods = operators.get(part[1])
                if methods is not None:
                    on, other = (part[3], part[2]) if part[1] in ON_THE_RIGHT else (part[2], part[3])
                    if on[0] not in ("k", "x"):
                        found.append((("M", on, methods), (other,)))
        elif op in _WITHIN:
            stack.append(part[1])
        elif op == "t":
            stack.append(part[2])


def _joined(expr: Expr, methods: tuple[str, ...], stack: list[Expr], found: list[Found]) -> Expr:
    """Adds the string conversions in a concatenation: `"to " + owner + ":"`. Of a chain, the right operands of all but
    the first concatenation go onto the stack, and the first one is returned."""
    operands: list[Expr] = []
    while expr[2][0] == "b" and expr[2][1] == JOINING and expr[3] is not None:
        operands.append(expr[3])
        expr = expr[2]
    stack += operands
    operands += [part for part in (expr[3], expr[2]) if part is not None]
    if any(part[0] == "k" and part[1] in _TEXTS for part in operands):
        found.extend((("M", part, methods), ()) for part in operands if part[0] in _NAMED)
    return expr


def _written(kind: str, target: Expr, value: Expr, known: ImplicitCallNames, found: list[Found]) -> None:
    """Adds the calls that writing to `target` may make."""
    stack = [target]
    single = target[0] != "l"
    while stack:
        part = stack.pop()
        op = part[0]
        if op == "l":
            stack += part[1]
        elif op == "*":
            stack.append(part[1])
        elif op == "a":
            if part[2] in known.names:
                written = single and kind != "del"
                found.append((("G-" if kind == "del" else "G=", part[1], part[2]), (value,) if written else ()))
            _search(part if kind == "+=" else part[1], known, found)
        elif op == "s":
            methods = known.operators.get("del []" if kind == "del" else "[]=")
            if methods is not None:
                found.append((("M", part[1], methods), (part[2], value) if single and kind != "del" else (part[2],)))
            _search(part if kind == "+=" else part[1], known, found)
            _search(part[2], known, found)


def protocol_call(engine: Engine, file: FileIndex, call: Call, methods: tuple[str, ...]) -> None:
    """Records that a library function runs a method of its first argument: `len(x)`."""
    key = (id(call), id(methods))
    if (
        engine.project.member_names.isdisjoint(methods)
        or not call.arguments
        or call.arguments[0][0] in ("k", "x", "l", "d")
        or key in engine.implicit
    ):
        return
    iterated = file.policy.implicit.iterator_methods[:1] == methods
    subject = call.arguments[0]
    functions: list[Expr] = [("I", subject, False), ("I", subject, True)] if iterated else [("M", subject, methods)]
    for place, function in enumerate(functions):
        cell = protocol_cell(engine, file, call, methods, place, function)
        engine.implicit[key] = engine.implicit[(*key, place)] = cell
        file.implicit.append(cell)
        engine.enqueue(cell)


def text_calls(engine: Engine, file: FileIndex, call: Call) -> None:
    """Records that a library function converts its arguments to text: `String.valueOf(owner)`."""
    methods = file.policy.implicit.text_methods
    key = (id(call), id(methods))
    if engine.project.member_names.isdisjoint(methods) or key in engine.implicit:
        return
    for place, argument in enumerate(call.arguments[:MAX_IN_TEXT]):
        if argument[0] in _NAMED:
            cell = protocol_cell(engine, file, call, methods, place, ("M", argument, methods))
            engine.implicit[key] = engine.implicit[(*key, place)] = cell
            file.implicit.append(cell)
            engine.enqueue(cell)


def protocol_cell(
    engine: Engine, file: FileIndex, call: Call, methods: tuple[str, ...], place: int, function: Expr
) -> CallCell:
    """The cell of the call that a library function makes: a new one, or the announced one (see `naming`)."""
    found: CallCell | None = engine.announced.pop((id(call), id(methods), place), None)
    if found is None:
        implied = Call(call.scope, call.line, call.at, call.block, function, (), (), "implicit")
        engine.origins[id(implied)] = ("protocol", call, methods, place)
        found = CallCell(file, implied)
    return found


def _accessors(engine: Engine, value: Value, name: str, kind: str) -> Values:
    """The functions that reading ("getter"), writing ("setter") or deleting ("deleter") `value.name` runs."""
    if isinstance(value, Super):
        receiver = value.receiver
        cls = receiver.cls if isinstance(receiver, Instance) else None
        order = linearised(engine, cls) if cls is not None else ()
        for base in order[order.index(value.cls) + 1 :] if value.cls in order else ():
            if isinstance(base, Class) and name in base.scope.bindings:
                return _held(engine, names.exit_cell(engine, base.scope, name), receiver, kind)
        return ()
    if not isinstance(value, Instance):
        return ()
    parts = [_held(engine, members.lookup(engine, value.cls, name).cell, value, kind)]
    if value.declared:
        for cls, cell, _ in members.overrides(engine, value.cls, name):
            parts.append(_held(engine, cell, cls.typed, kind))
    return union(parts)


def _held(engine: Engine, cell: Any, receiver: Value, kind: str) -> Values:
    found: list[Value] = []
    for held in engine.read(cell) if cell is not None else ():
        if isinstance(held, Function):
            if held.receives == "instance" and is_accessor_kind(held.definition.kind, held.definition.flags):
                chosen = accessor(held, kind)
                if chosen is not None:
                    found.append(bound(chosen, receiver))
        elif isinstance(held, Instance):
            methods = held.cls.file.policy.implicit.item_methods
            method = methods.get(_DESCRIBING[kind])
            if method is not None:
                found.extend(members.own_member(engine, held, method))
    return tuple(found)


def _accessed(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    kind = _KINDS[expr[0]]
    return union([_accessors(engine, v, expr[2], kind) for v in evaluate(engine, file, site, expr[1])])


def _method(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts: list[Values] = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Instance):
            parts.append(_first(engine, value, expr[2]))
    return union(parts)


def _first(engine: Engine, value: Instance, methods: tuple[str, ...]) -> Values:
    """The first of `methods` that a value has, and for methods that every object has also the overrides in subtypes;
    nothing where an external base may provide it."""
    for name in methods:
        member = members.lookup(engine, value.cls, name)
        if member.cell is not None:
            return members.instance_member(engine, value, name)
        if value.declared and name in value.cls.file.policy.implicit.text_methods:
            return members.overriding(engine, value, name)
        if member.external:
            return ()
    return ()


def _hooked(engine: Engine, cls: Class, hook: str) -> Class | None:
    """The nearest base of `cls` that has the method `hook`."""
    for base in linearised(engine, cls)[1:]:
        if isinstance(base, Class) and hook in base.scope.bindings:
            return base
    return None


def _defined(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    cell = names.exit_cell(engine, expr[2].scope, file.policy.implicit.subclass_hook)
    held = engine.read(cell) if cell is not None else ()
    return tuple(bound(f, expr[1]) for f in held if isinstance(f, Function))


_KINDS: Final = {"G": "getter", "G=": "setter", "G-": "deleter"}
_DESCRIBING: Final = {"getter": "descriptor", "setter": "descriptor set", "deleter": "descriptor delete"}
"""Kind of accessor → the key of its method in `ImplicitCalls.item_methods`."""

OPERATORS.update({"G": _accessed, "G=": _accessed, "G-": _accessed, "M": _method, "B": _defined})
