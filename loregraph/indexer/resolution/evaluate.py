"""Expressions → values. One function an operator of `facts`, plus some operators of the resolver's own:

`("P", function, number)` a parameter, `("S", base, start)` the rest of a sequence from an index on,
`("D", definition, level)` what a definition is below its decorator number `level`, `("V", values)` values as they are,
`("R", container)` all elements, `("R*", expr)` those of every container that an expression may be, `("C", call cell)` a
call's result, `("T", type)` an instance of a type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolution import (
    calls,
    containers,
    imports,
    keys,
    members,
    names,
    operations,
    passing,
    results,
    types,
)
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.model import (
    DEFINITION,
    IMPORT,
    OPAQUE,
    PARAMETER,
    Binding,
    Bound,
    Cell,
    Class,
    Container,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    Generator,
    Instance,
    Namespace,
    Scope,
    Super,
    Value,
    Values,
)


# Implements REQ-RES-003.
def evaluate(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """The values of `expr` read at `site` in `file`."""
    handler = _HANDLERS.get(expr[0])
    return handler(engine, file, site, expr) if handler is not None else ()


def binding_values(engine: Engine, file: FileIndex, binding: Binding) -> Values:
    """The values that a binding gives its name."""
    kind = binding.kind
    if kind == DEFINITION:
        return definition_values(engine, file, binding.payload)
    if kind == IMPORT:
        return imports.import_values(engine, file, binding.payload)
    if kind == PARAMETER:
        _, function, number = binding.payload
        return engine.read(passing.parameter_cell(engine, function, number))
    if kind == OPAQUE:
        return ()
    values = evaluate(engine, file, binding.site, binding.payload)
    if binding.type is not None:
        declared = types.instances(engine, file, binding.site, binding.type)
        if types.closed(binding.type):
            return declared
        if declared:
            return union([types.narrowed(engine, values, declared), declared])
    return values


def definition_values(engine: Engine, file: FileIndex, number: int) -> Values:
    """A definition as its name's value: decorators applied."""
    definition = file.facts.definitions[number]
    if definition.decorators and file.policy.explicit_receiver:
        return decorated_values(engine, file, number, 0)
    return plain_values(engine, file, number)


def plain_values(engine: Engine, file: FileIndex, number: int) -> Values:
    """A definition itself."""
    function = file.functions.get(number)
    if function is not None:
        if function.owner is None and "prototype" in function.definition.flags:
            return imports.definitions_of(engine, function) or function.alone
        return function.alone
    cls = file.classes.get(number)
    if cls is not None:
        return cls.alone
    qualified = file.facts.definitions[number].qualname.partition("#")[0]
    opened = imports.open_namespace(engine, file.policy.language, qualified)
    if opened:
        return opened
    definition = file.facts.definitions[number]
    key = ("namespace", file.path, number)
    found = engine.interned.get(key)
    if found is None:
        found = Namespace(definition.name, file.policy.language, (), file.scopes[number])
        engine.interned[key] = found
    return found.alone


def decorated_values(engine: Engine, file: FileIndex, number: int, level: int) -> Values:
    """What decorator number `level` and those below it (nearer the definition) make of it."""
    cells = file.decorated.get(number)
    if cells is None or level >= len(cells):
        return plain_values(engine, file, number)
    return engine.read(cells[level].result(engine))


# Operators


def _name(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    name = expr[1]
    cell = file.scopes[site.scope].fast.get(name)
    if cell is None:
        cell = names.name_cell(engine, file, name, site)
    return engine.read(cell)


def _receiver(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    function = receiver_function(file, site.scope)
    if function is None:
        cls = enclosing_class(file, site.scope)
        return cls.alone if cls is not None else ()
    return engine.read(passing.receiver_cell(engine, function))


def receiver_function(file: FileIndex, number: int) -> Function | None:
    """The function whose receiver `this` is at a scope: functions without one of their own are passed over."""
    scope: Scope | None = file.scopes[number]
    lexical = file.policy.lexical_receiver
    while scope is not None and scope.definition is not None:
        if scope.is_type:
            return None
        if scope.definition.is_function and (scope.definition.kind not in lexical or file.policy.explicit_receiver):
            function = file.functions[scope.number]
            if file.policy.functions_construct or function.owner is not None:
                return function
        elif scope.definition.is_function and file.functions[scope.number].lists_receiver and not file.policy.sends:
            return file.functions[scope.number]  # `x.apply { … }`
        scope = scope.parent
    return None


def enclosing_class(file: FileIndex, number: int) -> Class | None:
    """The innermost type around a scope, the scope itself included."""
    scope: Scope | None = file.scopes[number]
    while scope is not None and scope.definition is not None:
        if scope.is_type:
            return file.classes[scope.number]
        if scope.definition.owner is not None and scope.number in file.functions:
            owner = file.functions[scope.number].owner
            if owner is not None:
                return owner
        scope = scope.parent
    return None


def _super(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    function = receiver_function(file, site.scope)
    if function is None:
        return ()
    owner = members.owner_of(engine, function)
    if owner is None:
        return ()
    found = []
    for value in engine.read(passing.receiver_cell(engine, function)):
        if isinstance(value, Instance | Class):
            key = ("super", owner, value)
            known = engine.interned.get(key)
            if known is None:
                known = engine.interned[key] = Super(owner, value)
            found.append(known)
    return tuple(dict.fromkeys(found))


def _attribute(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    base = evaluate(engine, file, site, expr[1])
    if not base:
        return ()
    name = expr[2]
    if len(base) == 1:
        return members.get(engine, base[0], name)
    return union([members.get(engine, value, name) for value in base])


def _call(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return engine.read(file.calls[expr[1]].result(engine))


def _subscript(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    base = evaluate(engine, file, site, expr[1])
    if not base:
        return ()
    return union([item_of(engine, file, site, value, expr[2]) for value in base])


def item_of(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr) -> Values:
    """`value[key]`."""
    if isinstance(value, Container):
        if key[0] == "b" and key[1] == ":":
            return containers.sliced(engine, value, *_bounds(key))
        found = keys.key_values(engine, file, site, key)
        if not found:
            return containers.every_element(engine, value) if keys.is_open(key) or engine.guess() else ()
        parts = [engine.read(value.rest)]
        for literal in found:
            parts.append(engine.read(containers.field_of(engine, value, literal)))
        return union(parts)
    if isinstance(value, Class | External):
        return value.alone  # a generic type with its arguments
    if isinstance(value, Instance):
        method = file.policy.item_methods.get("get")
        if method is not None:
            return members.returned_by(engine, value, method, (key,))
    return ()


def _bounds(key: Expr) -> tuple[int, int | None]:
    """The bounds of `[start:stop]`, which is lowered to `("b", ":", start, stop)`; unknown ones as wide as can be."""
    start, stop = key[2], key[3]
    first = int(start[2]) if start is not None and start[0] == "k" and start[2].isdigit() else 0
    last = int(stop[2]) if stop is not None and stop[0] == "k" and stop[2].isdigit() else None
    return first, last


def _rest_of(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found: list[Value] = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Container) and not value.mapping:
            found.extend(containers.sliced(engine, value, expr[2], None))
    return tuple(found)


def _definition(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return plain_values(engine, file, expr[1])


def _sequence(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found = file.containers.get(id(expr))
    if found is not None:
        return found.alone
    value = Container(False, file.policy, ("literal", file, site, expr))
    file.containers[id(expr)] = value
    engine.keep(expr)
    known = True
    for i, item in enumerate(expr[1]):
        if item[0] == "*":
            if known:
                spread_later(engine, value, file, site, item[1], i)
            else:
                containers.add_source(value.rest, file, site, ("i", item[1]))
            known = False
        elif item[0] not in ("x", "k"):
            field = containers.own_field(value, ("int", str(i))) if known else value.rest
            containers.add_source(field, file, site, item)
    return value.alone


def _mapping(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found = file.containers.get(id(expr))
    if found is not None:
        return found.alone
    # Asked for before anybody can see the container: a start that goes too deep begins all this again.
    computed = [keys.key_values(engine, file, site, key) if key[0] not in ("x", "k") else () for key, _ in expr[1]]
    value = Container(True, file.policy, ("literal", file, site, expr))
    file.containers[id(expr)] = value
    engine.keep(expr)
    for (key, item), literals in zip(expr[1], computed, strict=True):
        if key[0] == "x":
            spread_later(engine, value, file, site, item)
        elif key[0] == "k":
            containers.add_source(containers.own_field(value, keys.literal_key(key)), file, site, item)
        else:
            for literal in literals:
                containers.add_source(containers.own_field(value, literal), file, site, item)
            if not literals:
                containers.add_source(value.rest, file, site, item)
            engine.later(Keyed(value, file, site, key, item))
    return value.alone


class Keyed(Cell):
    """An item of a mapping whose key is computed: more of what the key may be is found later."""

    __slots__ = ("container", "file", "item", "key", "site")

    def __init__(self, container: Container, file: FileIndex, site: Any, key: Expr, item: Expr) -> None:
        super().__init__()
        self.container = container
        self.file = file
        self.site = site
        self.key = key
        self.item = item

    def compute(self, engine: Engine) -> Values:
        for literal in keys.key_values(engine, self.file, self.site, self.key):
            engine.source(containers.field_of(engine, self.container, literal), self.file, self.site, self.item)
        return ()


class Spread(Cell):
    """A container whose members are spread into another one."""

    __slots__ = ("expr", "file", "shift", "site", "target")

    def __init__(self, target: Container, file: FileIndex, site: Any, expr: Expr, shift: int) -> None:
        super().__init__()
        self.target = target
        self.file = file
        self.site = site
        self.expr = expr
        self.shift = shift

    def compute(self, engine: Engine) -> Values:
        target = self.target
        for value in evaluate(engine, self.file, self.site, self.expr):
            if isinstance(value, Container):
                if value.mapping == target.mapping:
                    containers.spread(engine, value, target, self.shift)
                elif not target.mapping and not value.mapping:
                    engine.flow(containers.every_cell(value), target.rest)
            elif not target.mapping and isinstance(value, Generator | Instance):
                given = elements(engine, self.file, value)
                if given:
                    engine.add(target.rest, given)
        return ()


def spread_later(engine: Engine, target: Container, file: FileIndex, site: Any, expr: Expr, shift: int = 0) -> None:
    """Lets the members of what `expr` is join `target`."""
    if expr[0] not in ("x", "k"):
        engine.later(Spread(target, file, site, expr, shift))


def _options(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return union([evaluate(engine, file, site, option) for option in expr[1]])


def _element(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts = []
    for value in evaluate(engine, file, site, expr[1]):
        parts.append(elements(engine, file, value))
    return union(parts)


def elements(engine: Engine, file: FileIndex, value: Value) -> Values:
    """What iterating over `value` gives."""
    if isinstance(value, Container):
        return () if value.mapping else containers.every_element(engine, value)
    if isinstance(value, Generator):
        return engine.read(results.yielded_cell(engine, value.function))
    if isinstance(value, Instance):
        methods = file.policy.iterator_methods
        if not methods:
            return ()
        iterators = members.returned_by(engine, value, methods[0])
        parts = []
        for iterator in iterators:
            if isinstance(iterator, Instance):
                parts += [members.returned_by(engine, iterator, m) for m in methods[1:]]
            elif isinstance(iterator, Container | Generator):
                parts.append(elements(engine, file, iterator))
        return union(parts)
    return ()


def _entered(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts: list[Values] = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Instance):
            for method in file.policy.context_methods[:2]:
                values = members.returned_by(engine, value, method)
                if values:
                    parts.append(values)
                    break
            else:
                external = members.external_base(engine, value.cls)
                if external:
                    parts.append(value.alone)
        elif isinstance(value, Generator):
            parts.append(engine.read(results.yielded_cell(engine, value.function)))
        elif isinstance(value, ExternalInstance):
            parts.append(value.alone)
    return union(parts)


def _inner(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return evaluate(engine, file, site, expr[1])


def _yielded(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return ()


def _literal(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found = file.policy.literal_types.get(expr[1])
    return engine.instance_of(engine.external(*found)).alone if found is not None else ()


def _typed(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    declared = types.instances(engine, file, site, expr[1])
    if types.closed(expr[1]) or (expr[1][0] == "t" and declared):  # a cast to `typeof other`
        return declared
    values = evaluate(engine, file, site, expr[2])
    if not declared:
        return values
    return union([declared, types.narrowed(engine, values, declared)])


def _module(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return imports.module_values(engine, file, expr[1])


def _operator(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    if expr[1] in TRUTHS:
        return _literal(engine, file, site, ("k", "bool", ""))
    if expr[1] not in ("+", "|") or expr[3] is None:
        return ()
    both = union([evaluate(engine, file, site, expr[2]), evaluate(engine, file, site, expr[3])])
    return tuple(v for v in both if isinstance(v, Container))


def _parameter(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return engine.read(passing.parameter_cell(engine, expr[1], expr[2]))


def _decorated(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return decorated_values(engine, file, expr[1], expr[2])


def _given(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    values: Values = expr[1]
    return values


def _all_of(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return containers.every_element(engine, expr[1])


def _made_by(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return engine.read(expr[1].result(engine))


def _of_type(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return types.instances(engine, file, site, expr[1])


TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not", "not"})
"""Operators that answer yes or no."""


def _every_of(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    held = evaluate(engine, file, site, expr[1])
    return union([containers.every_element(engine, value) for value in held if isinstance(value, Container)])


_HANDLERS: dict[str, Callable[[Engine, FileIndex, Any, Expr], Values]] = {
    "n": _name,
    "v": _receiver,
    "p": _super,
    "a": _attribute,
    "c": _call,
    "s": _subscript,
    "S": _rest_of,
    "f": _definition,
    "l": _sequence,
    "d": _mapping,
    "u": _options,
    "i": _element,
    "e": _entered,
    "w": _inner,
    "y": _yielded,
    "k": _literal,
    "t": _typed,
    "m": _module,
    "b": _operator,
    "P": _parameter,
    "D": _decorated,
    "V": _given,
    "R": _all_of,
    "R*": _every_of,
    "C": _made_by,
    "T": _of_type,
}


def store_item(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr, source: Any) -> None:
    """`value[key] = …`."""
    if isinstance(value, Container):
        known = keys.key_values(engine, file, site, key)
        for field in [containers.field_of(engine, value, k) for k in known] if known else [value.rest]:
            engine.source(field, *source)
    elif isinstance(value, Instance):
        method = file.policy.item_methods.get("set")
        if method is not None and members.lookup(engine, value.cls, method).cell is not None:
            for held in members.instance_member(engine, value, method):
                if isinstance(held, Bound):
                    call = Call(site.scope, site.line, site.at, site.block, key, (key, source[2]), (), "implicit")
                    mark = (id(key), id(source[2]), held)
                    if mark not in engine.linked:
                        engine.linked.add(mark)
                        engine.keep((call, key, source))
                        calls.link(engine, file, call, held, 0)


def implicit_functions(file: FileIndex) -> list[calls.CallCell]:
    """The calls that loops, context managers and raised classes make, as call cells."""
    policy = file.policy
    found: list[calls.CallCell] = []
    for fact in file.facts.assignments:
        value = fact.value
        if value[0] == "i" and policy.iterator_methods and value[1][0] not in ("l", "d", "k", "x"):
            found.append(_implicit(file, fact, ("I", value[1], False)))
            found.append(_implicit(file, fact, ("I", value[1], True)))
        elif value[0] == "e" and policy.context_methods:
            found.append(_implicit(file, fact, ("E", value[1])))
    if policy.raise_instantiates:
        for leaving in file.facts.returns:
            if leaving.kind == "throw" and leaving.value[0] in ("n", "a"):
                found.append(_implicit(file, leaving, ("T!", leaving.value)))
    return found


def _implicit(file: FileIndex, fact: Any, function: Expr) -> calls.CallCell:
    return calls.CallCell(file, Call(fact.scope, fact.line, fact.at, fact.block, function, (), (), "implicit"))


def _iterator_methods(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """The methods that iterating over an expression runs: the first one, or those on what it returned."""
    methods = file.policy.iterator_methods
    parts = []
    for value in evaluate(engine, file, site, expr[1]):
        if not isinstance(value, Instance):
            continue
        if not expr[2]:
            parts.append(own_member(engine, value, methods[0]))
            continue
        for iterator in members.returned_by(engine, value, methods[0]):
            if isinstance(iterator, Instance):
                parts += [own_member(engine, iterator, m) for m in methods[1:]]
    return union(parts)


def own_member(engine: Engine, value: Instance, name: str) -> Values:
    """A method that a class of the project provides; nothing where only an external base may."""
    if members.lookup(engine, value.cls, name).cell is None:
        return ()
    return members.instance_member(engine, value, name)


def _context_methods(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Instance):
            parts += [own_member(engine, value, m) for m in file.policy.context_methods]
    return union(parts)


def _raised(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return tuple(v for v in evaluate(engine, file, site, expr[1]) if isinstance(v, Class))


_HANDLERS["I"] = _iterator_methods
_HANDLERS["E"] = _context_methods
_HANDLERS["T!"] = _raised
_HANDLERS.update(operations.HANDLERS)
