"""List and mapping literals; subscripts and iteration, also of objects."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import containers, declared, keys, matching, members, results
from loregraph.indexer.resolve.containers import OBJECT, spread_later
from loregraph.indexer.resolve.dispatch import ELEMENTS, ITEMS, OPERATORS, elements_of, evaluate, item_of, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    Cell,
    Class,
    Container,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    Generator,
    Instance,
    Module,
    Value,
    Values,
)


def _sequence(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found = file.containers.get(id(expr))
    if found is not None:
        return found.alone
    value = containers.literal(engine, False, file, site, expr)
    known = True
    for i, item in enumerate(expr[1]):
        if item[0] == "*":
            if known:
                spread_later(engine, value, file, site, item[1], i)
            else:
                containers.add_source(engine, value.rest, file, site, ("i", item[1]))
            known = False
        elif item[0] not in ("x", "k"):
            field = containers.own_field(value, ("int", str(i))) if known else value.rest
            containers.add_source(engine, field, file, site, item)
    return value.alone


def _mapping(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found = file.containers.get(id(expr))
    if found is not None:
        return found.alone
    # Read before the container is visible: a start nested too deeply restarts all this.
    computed = [keys.key_values(engine, file, site, key) if key[0] not in ("x", "k") else () for key, _ in expr[1]]
    value = containers.literal(engine, True, file, site, expr)
    last = {(key[1], key[2]): place for place, (key, item) in enumerate(expr[1]) if key[0] == "k"}
    for place, ((key, item), literals) in enumerate(zip(expr[1], computed, strict=True)):
        if key[0] == "k" and last[key[1], key[2]] != place and item[0] != "f":
            continue  # overwritten below; a getter and a setter are one member
        if key[0] == "x":
            spread_later(engine, value, file, site, item)
        elif key[0] == "k":
            containers.add_source(engine, containers.own_field(value, keys.literal_key(key)), file, site, item)
        else:
            for literal in literals:
                containers.add_source(engine, containers.own_field(value, literal), file, site, item)
            if not literals:
                containers.add_source(engine, value.rest, file, site, item)
            engine.enqueue(Keyed(value, file, site, key, item))
    return value.alone


class Keyed(Cell):
    """An item of a mapping under a computed key, whose possible keys are found over time."""

    __slots__ = ("container", "file", "item", "key", "site")

    def __init__(self, container: Container, file: FileIndex, site: Any, key: Expr, item: Expr) -> None:
        super().__init__(file)
        self.container = container
        self.file = file
        self.site = site
        self.key = key
        self.item = item

    def compute(self, engine: Engine) -> Values:
        for literal in keys.key_values(engine, self.file, self.site, self.key):
            engine.source(containers.field_of(engine, self.container, literal), self.file, self.site, self.item)
        return ()


def _subscript(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    base = evaluate(engine, file, site, expr[1])
    if not base:
        return ()
    return union([item_of(engine, file, site, value, expr[2]) for value in base])


def _bounds(key: Expr) -> tuple[int, int | None]:
    """The bounds of `[start:stop]`, lowered to `("b", ":", start, stop)`; unknown ones as wide as possible."""
    start, stop = key[2], key[3]
    first, last = (
        containers.position(("int", bound[2])) if bound is not None and bound[0] == "k" else -1
        for bound in (start, stop)
    )
    return max(first, 0), last if last >= 0 else None


def _rest_of(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found: list[Value] = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Container) and not value.mapping:
            found.extend(containers.sliced(engine, value, expr[2], None))
    return tuple(found)


def _element(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts = []
    for value in evaluate(engine, file, site, expr[1]):
        parts.append(elements_of(engine, file, value))
    return union(parts)


def _all_of(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return containers.every_element(engine, expr[1])


def _every_of(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    held = evaluate(engine, file, site, expr[1])
    return union([containers.every_element(engine, value) for value in held if isinstance(value, Container)])


def _elements_of_generator(engine: Engine, file: FileIndex, value: Generator) -> Values:
    return engine.read(results.yielded_cell(engine, value.function))


def _elements_of_instance(engine: Engine, file: FileIndex, value: Instance) -> Values:
    methods = file.policy.implicit.iterator_methods
    if not methods:
        return ()
    iterators = members.returned_by(engine, value, methods[0])
    parts = []
    for iterator in iterators:
        if isinstance(iterator, Instance):
            parts += [members.returned_by(engine, iterator, m) for m in methods[1:]]
        elif isinstance(iterator, Container | Generator):
            parts.append(elements_of(engine, file, iterator))
    return union(parts)


def _elements_outside(engine: Engine, file: FileIndex, value: ExternalInstance) -> Values:
    methods = file.policy.implicit.iterator_methods
    given = declared.elements(engine, value, methods) if methods else None
    return given or ()


def _item_outside(engine: Engine, file: FileIndex, site: Any, value: ExternalInstance, key: Expr) -> Values:
    method = file.policy.implicit.item_methods.get("get")
    return (declared.given_by(engine, value, method) or ()) if method is not None else ()


def _item_of_container(engine: Engine, file: FileIndex, site: Any, value: Container, key: Expr) -> Values:
    if value.origin[0] == OBJECT and not (key[:2] == ("k", "str") and declared.is_variable(engine, value, key[2])):
        return declared.object_gives(engine, value, file.policy.implicit.item_methods.get("get", "")) or ()
    if key[0] == "b" and key[1] == ":":
        return containers.sliced(engine, value, *_bounds(key))
    found = keys.key_values(engine, file, site, key)
    if not found:
        return containers.every_element(engine, value) if keys.is_open(key) or engine.allow_fallback() else ()
    parts = [engine.read(value.rest)]
    for literal in found:
        parts.append(engine.read(containers.field_of(engine, value, literal)))
    return union(parts)


def _item_of_module(engine: Engine, file: FileIndex, site: Any, value: Module, key: Expr) -> Values:
    """`globals()[name]`, a member of a namespace import."""
    return _named(engine, file, site, value, key, True)


def _named(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr, computed: bool) -> Values:
    """The members of `value` under the names that `key` may be; with `computed`, else those that fit a computed
    name."""
    found = keys.key_values(engine, file, site, key)
    if found or not computed:
        return union([member_of(engine, value, text) for kind, text in found if kind == "str"])
    wanted = matching.patterns(engine, file, site, key)
    return matching.members_like(engine, file, site, ("v",), value, wanted) if wanted else ()


def _generic(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr) -> Values:
    """A generic type with its arguments."""
    if type(value) is Class and key[0] in ("k", "n") and file.policy.members.string_keys:
        return _member_under(engine, file, site, value, key) or value.alone
    return value.alone


def _member_under(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr) -> Values:
    """`value["name"]`, where members have text keys; `First[Owner]`, a function with type arguments."""
    if file.policy.members.string_keys:
        return _named(engine, file, site, value, key, False)
    applied = isinstance(value, Function) and bool(value.definition.type_parameters)
    return value.alone if applied and file.policy.types.type_parameters_followed else ()


def _item_of_generator(engine: Engine, file: FileIndex, site: Any, value: Generator, key: Expr) -> Values:
    """The item that destructuring takes from a generator: `[first] = generate()`."""
    return elements_of(engine, file, value)


def _item_of_instance(engine: Engine, file: FileIndex, site: Any, value: Instance, key: Expr) -> Values:
    method = file.policy.implicit.item_methods.get("get")
    under = file.policy.members.string_keys or file.policy.members.subscript_members
    if under and (method is None or not members.lookup(engine, value.cls, method).found):
        return _named(engine, file, site, value, key, file.policy.members.subscript_members)
    return members.returned_by(engine, value, method, (key,)) if method is not None else ()


OPERATORS.update(
    {
        "l": _sequence,
        "d": _mapping,
        "s": _subscript,
        "S": _rest_of,
        "i": _element,
        "R": _all_of,
        "R*": _every_of,
    }
)
ELEMENTS.update(
    {ExternalInstance: _elements_outside, Generator: _elements_of_generator, Instance: _elements_of_instance}
)
ITEMS.update(
    {
        Class: _generic,
        Container: _item_of_container,
        External: _generic,
        ExternalInstance: _item_outside,
        Function: _member_under,
        Generator: _item_of_generator,
        Instance: _item_of_instance,
        Module: _item_of_module,
    }
)
