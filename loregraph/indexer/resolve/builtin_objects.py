"""Models of JavaScript's built-in objects: what collections contain, what `Object`, `Promise` and `Reflect` do with
their arguments.

The models are rows of `library.MODELS`; the language's policy maps functions to rows.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, Final

from loregraph.indexer.facts import UNKNOWN, Call, Expr
from loregraph.indexer.resolve import calls, container_methods, containers, keys, late_types
from loregraph.indexer.resolve.constructors import constructed
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.library import EFFECTS, MODELS, first, instance_given
from loregraph.indexer.resolve.model import (
    Class,
    Container,
    External,
    FileIndex,
    Function,
    Value,
    Values,
)

_SECOND: Final[Expr] = ("k", "int", "1")
PROTOTYPE: Final = ("str", "__proto__")
"""The key of the object that an object inherits from."""


def _made_set(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`new Set(iterable)`: modelled as a list that also has the methods of its class."""
    sources: list[tuple[FileIndex, Any, Expr]] = []
    if call.function[0] == "s":  # `new Set<Item>()`
        sources.append((file, call, ("i", ("T", call.function))))
    if call.arguments:
        sources.append((file, call, ("i", call.arguments[0])))
    made = container_methods.derived(engine, file, file.policy, ("list", file, call), *sources)
    return union([made.alone, engine.instance_of(value).alone])


def _made_map(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`new Map([[key, value], …])`."""
    found = engine.interned.get(("dict", file, id(call)))
    if found is None:
        found = container_methods.make(engine, file, True, file.policy, ("dict", file, call))
        if call.function[0] == "s":  # `new Map<string, Item>()`
            containers.add_source(engine, found.rest, file, call, ("R*", ("T", call.function)))
        _add_pairs(engine, file, call, found)
    return union([found.alone, engine.instance_of(value).alone])


def _from_entries(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.fromEntries([[key, value], …])`."""
    found = engine.interned.get(("mapped", file, id(call)))
    if found is None:
        found = container_methods.make(engine, file, True, file.policy, ("mapped", file, call))
        _add_pairs(engine, file, call, found)
    return found.alone


def _add_pairs(engine: Engine, file: FileIndex, call: Call, made: Container) -> None:
    """Adds the pairs in the first argument to a new mapping, under their keys where these are literal."""
    for argument in call.arguments[:1]:
        if argument[0] == "l" and all(item[0] == "l" and len(item[1]) == 2 for item in argument[1]):
            for _, (key, held) in argument[1]:
                field = containers.own_field(made, keys.literal_key(key)) if _is_key(key) else made.rest
                if held[0] not in ("x", "k"):
                    containers.add_source(engine, field, file, call, held)
        elif argument[0] not in ("x", "k"):
            containers.add_source(engine, made.rest, file, call, ("s", ("i", argument), _SECOND))


def _is_key(expr: Expr) -> bool:
    return bool(expr[0] == "k" and expr[1] in ("str", "int") and expr[2])


def _array_from(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Array.from(iterable, function)`."""
    if not call.arguments:
        return ()
    element: Expr = ("i", call.arguments[0])
    if len(call.arguments) < 2:
        return container_methods.derived(engine, file, file.policy, ("list", file, call), (file, call, element)).alone
    made_by = calls.implicit_call(engine, file, call, call.arguments[1], (element,))
    return container_methods.derived(engine, file, file.policy, ("map", file, call), (file, None, ("C", made_by))).alone


def _values(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.values(object)`."""
    held = first(engine, file, call, value)
    return union([container_methods.values_of(engine, v).alone for v in held if isinstance(v, Container)])


def _entries(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Object.entries(object)`."""
    held = first(engine, file, call, value)
    return union([container_methods.pairs_of(engine, v).alone for v in held if isinstance(v, Container)])


# Promises: a promise is modelled by the value it resolves to, so `await` and `then` pass that value on.


def _settled(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Promise.all(promises)`, `Promise.resolve(value)`: the argument, or a promise of an unknown value."""
    return first(engine, file, call, value) or _promise(engine, value)


def _one_of(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Promise.race(promises)`."""
    held = evaluate(engine, file, call, ("i", call.arguments[0])) if call.arguments else ()
    return held or _promise(engine, value)


def _promise(engine: Engine, value: External) -> Values:
    return engine.instance_of(engine.external(value.package, "Promise")).alone


def _executed(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`new Promise((resolve, reject) => …)`: the argument that the function passes to `resolve`."""
    parts = [engine.instance_of(value).alone]
    executor = call.arguments[0] if call.arguments else UNKNOWN
    if executor[0] == "f":
        definition = file.facts.definitions[executor[1]]
        name = definition.parameters[0].name if definition.parameters else ""
        found = _called_by_name(file).get(name, [])
        first = bisect_left(found, definition.start_byte, key=lambda c: c.at)
        for resolving in found[first:]:
            if resolving.at >= definition.end_byte:
                break
            parts.append(evaluate(engine, file, resolving, resolving.arguments[0]))
    return union(parts)


def _called_by_name(file: FileIndex) -> dict[str, list[Call]]:
    """The calls of bare names with arguments in a file, by the name called, in the order of the text."""
    if file.named_calls is None:
        found: dict[str, list[Call]] = {}
        for call in file.facts.calls:
            if call.function and call.function[0] == "n" and call.arguments:
                found.setdefault(call.function[1], []).append(call)
        for listed in found.values():
            listed.sort(key=lambda c: c.at)
        file.named_calls = found
    return file.named_calls


# Reflect


def _reflected(engine: Engine, file: FileIndex, call: Call) -> calls.CallCell | None:
    """The call that `Reflect.apply(function, receiver, arguments)` makes."""
    if len(call.arguments) != 3:
        return None
    function, receiver, given = call.arguments
    return calls.implicit_call(engine, file, call, ("a", function, "call"), (receiver, ("*", given)))


def _reflected_call(engine: Engine, file: FileIndex, call: Call) -> None:
    _reflected(engine, file, call)


def _reflected_result(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    made = _reflected(engine, file, call)
    return engine.read(made.result(engine)) if made is not None else ()


def _reflected_construction(engine: Engine, file: FileIndex, call: Call) -> None:
    """The constructor that `Reflect.construct(Type, arguments)` runs."""
    if len(call.arguments) > 1:
        calls.implicit_call(engine, file, call, call.arguments[0], (("*", call.arguments[1]),))


def _got(engine: Engine, file: FileIndex, call: Call, value: External) -> Values:
    """`Reflect.get(object, key)`."""
    if len(call.arguments) < 2:
        return ()
    return evaluate(engine, file, call, ("s", call.arguments[0], call.arguments[1]))


# Prototypes


def _inherits(engine: Engine, file: FileIndex, call: Call) -> None:
    """`Object.setPrototypeOf(object, prototype)`, `util.inherits(Type, Base)`."""
    if len(call.arguments) < 2:
        return
    below, above = (evaluate(engine, file, call, argument) for argument in call.arguments[:2])
    for target in below:
        for source in above:
            if isinstance(target, Container):
                if isinstance(source, Container) and source is not target:
                    containers.spread(engine, source, target, 0, True)
                    field = containers.field_of(engine, target, PROTOTYPE)
                    engine.source(field, file, call, call.arguments[1])
                continue
            cls, base = _class_of(engine, target), _class_of(engine, source)
            if cls is not None and base is not None and cls is not base:
                engine.ranked_effect(cls.file, base, late_types.mix, base, cls)


def _class_of(engine: Engine, value: Value) -> Class | None:
    if isinstance(value, Function) and value.definition.kind != "lambda":
        return constructed(engine, value)
    return value if isinstance(value, Class) else None


EFFECTS.update({"reflected call": _reflected_call, "construct": _reflected_construction, "inherit": _inherits})
MODELS.update(
    {
        "set": _made_set,
        "map of pairs": _made_map,
        "from pairs": _from_entries,
        "array from": _array_from,
        "object values": _values,
        "object pairs": _entries,
        "settled": _settled,
        "one of": _one_of,
        "executed": _executed,
        "reflected call": _reflected_result,
        "construct": instance_given,
        "item": _got,
        "inherit": first,
    }
)
