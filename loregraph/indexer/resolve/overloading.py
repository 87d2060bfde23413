"""Overload resolution: which of several functions of one name a call means, by the written types of its arguments.

A function is excluded only where an argument certainly does not fit its parameter. Of the rest the nearest are kept:
the same type before a wider one, a wider one before any object, variadic parameters last (following Java's
specification, 15.12.2, and C#'s and Kotlin's). `Types.basic_types` gives the conversions between the language's own
types.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from loregraph.indexer.facts import Call, Expr, Parameter
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import accepts, outer_site
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.model import (
    PARAMETER,
    VALUE,
    Bound,
    Class,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    Instance,
    Value,
    Values,
)
from loregraph.indexer.resolve.scoping import find
from loregraph.indexer.resolve.types import instances

MAX_OVERLOADS: Final = 40
"""With more candidates overloads are not told apart; generated code has hundreds."""
_NEVER: Final = 1000


_REST: Final = 50
"""The distance of an argument in a variadic parameter."""


_UNKNOWN: Final = ""


_NOTHING: Final = "null"


_FUNCTION: Final = "=>"


def nearest(engine: Engine, file: FileIndex, call: Call, values: Values) -> Values:
    """Of functions that share a name and an owner, those whose parameters fit the arguments best; all where none
    fits."""
    groups: dict[tuple[object, str], list[Value]] = {}
    for value in values:
        groups.setdefault(_shared(value, apart=False), []).append(value)
    if len(groups) == len(values):
        return values
    found: list[Value] = []
    for group in groups.values():
        functions = [v.function if isinstance(v, Bound) else v for v in group]
        kept = chosen(engine, file, call, [f for f in functions if isinstance(f, Function)], shown_receivers(group[0]))
        found += [v for v, f in zip(group, functions, strict=True) if len(group) == 1 or f in kept]
    return tuple(found)


def _shared(value: Value, *, apart: bool = True) -> tuple[object, str]:
    """What overloads have in common: their owner and name. Functions without an owner are `apart` by their files."""
    function = value.function if isinstance(value, Bound) else value
    if not isinstance(function, Function):
        return value, ""
    if apart and not function.file.policy.calls.generic_functions:
        return function.owner or function.file, function.definition.name
    return function.owner, function.definition.name


def shown_receivers(value: Value) -> int:
    """1 for an extension that is called on the value that is its first parameter, which could be given as an argument
    just as well (Solidity's `using L for T`); 0 for everything else."""
    if not isinstance(value, Bound) or value.function.lists_receiver:
        return 0
    definition = value.function.definition
    return int("extension" in definition.flags and definition.owner is None)


def chosen(
    engine: Engine, file: FileIndex, call: Call, functions: list[Function], receivers: int = 0
) -> list[Function]:
    """The best fitting of `functions`; all where none fits. The first `receivers` parameters take the receiver, which
    is known to fit."""
    named = call.keywords and not file.policy.calls.generic_functions
    if len(functions) < 2 or named or any(a[0] == "*" for a in call.arguments):
        return functions
    arguments = [argument_type(engine, file, call, a) for a in call.arguments]
    if all(a == _UNKNOWN for a in arguments) and not file.policy.calls.generic_functions:
        return functions
    arguments[:0] = [_UNKNOWN] * receivers
    costs = [_cost(engine, file, function, arguments) for function in functions]
    least = min(costs)
    return functions if least >= _NEVER else [f for f, cost in zip(functions, costs, strict=True) if cost == least]


def argument_type(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> str | Class | External:
    """The type of an argument: a basic type's name, a class of the project or outside it, "" where it is unknown."""
    op = expr[0]
    policy = file.policy
    if op == "k":
        return _NOTHING if expr[1] == "none" else policy.types.literal_names.get(expr[1], _UNKNOWN)
    if op == "f" or (op == "a" and expr[2].endswith("()")):
        return _FUNCTION
    written: Expr | None = None
    if op == "t":
        written = expr[1]
    elif op == "n":
        owner = find(file.scopes[site.scope], expr[1])
        bindings = owner.bindings[expr[1]] if owner is not None else []
        if len(bindings) == 1 and bindings[0].kind == PARAMETER:
            parameter = bindings[0].payload[1].parameters[bindings[0].payload[2]]
            written = parameter.type if not parameter.kind else None
        elif all(binding.kind == VALUE for binding in bindings):  # declared once, assigned any time
            declared = [binding.type for binding in bindings if binding.type is not None]
            written = declared[0] if len(declared) == 1 else None
    elif op == "a" and policy.members.extensions_named:
        owners = evaluate(engine, file, site, expr[1])
        if len(owners) == 1 and isinstance(owners[0], Instance):
            fields = owners[0].cls.scope.bindings.get(expr[2], [])
            written = fields[0].type if len(fields) == 1 else None
    elif op == "c":
        targets = engine.read(file.calls[expr[1]])
        results = {_name(_returned(target)) for target in targets}
        name = results.pop() if len(results) == 1 else _UNKNOWN
        if name in policy.types.basic_types:
            return name
    if written is not None and (_name(written) in policy.types.basic_types or _name(written).endswith("[]")):
        return _name(written)
    return _class_of(evaluate(engine, file, site, expr))


def _returned(value: Value) -> Expr | None:
    function = value.function if isinstance(value, Bound) else value
    return function.definition.returns if isinstance(function, Function) else None


def _class_of(values: Values) -> str | Class | External:
    if len(values) != 1:
        return _UNKNOWN
    value = values[0]
    return value.cls if isinstance(value, Instance) else value.type if isinstance(value, ExternalInstance) else _UNKNOWN


def _name(type_: Expr | None) -> str:
    """The name of a type: `int`, `int[]`, `List` for `List<String>`; "" for a type without a single name."""
    if type_ is None:
        return ""
    if _is_array(type_):
        held = _name(type_[2])
        return f"{held}[]" if held else ""
    if type_[0] == "s":
        return _name(type_[1])
    return type_[1] if type_[0] == "n" else type_[2] if type_[0] == "a" else ""


def _is_array(type_: Expr) -> bool:
    return bool(type_[0] == "s" and type_[1][0] == "n" and type_[1][1] == "[]")


def _cost(engine: Engine, file: FileIndex, function: Function, arguments: list[str | Class | External]) -> int:
    """The distance of the arguments from the parameters; `_NEVER` where one does not fit."""
    ignored = ("this", "kw", "**") if function.file.policy.calls.generic_functions else ("this",)
    parameters = [p for p in function.parameters if p.kind not in ignored]
    total = _REST if parameters and parameters[-1].kind == "*" else 0
    for place, argument in enumerate(arguments):
        if place < len(parameters):
            parameter = parameters[place]
        elif parameters and parameters[-1].kind == "*":
            parameter = parameters[-1]
        else:
            return _NEVER
        if argument == _FUNCTION and place == len(arguments) - 1 and not parameter.kind:
            parameter = parameters[-1]  # a trailing lambda is the last argument (Kotlin)
        rest = parameter.kind == "*"
        if argument != _UNKNOWN and parameter.type is not None:
            cost = _distance(engine, function, parameter, argument)
            if cost >= _NEVER:
                if not rest or _name(parameter.type) + "[]" != argument:
                    return _NEVER
                cost = -_REST  # the array itself is passed
            total += cost
    return total


def _distance(engine: Engine, function: Function, parameter: Parameter, argument: str | Class | External) -> int:
    type_ = parameter.type
    assert type_ is not None
    policy = function.file.policy
    if type_[0] == "u" and policy.calls.generic_functions:
        options = [replace(parameter, type=option) for option in type_[1]]
        return min((_distance(engine, function, option, argument) for option in options), default=_NEVER)
    name = _name(type_)
    parameters = function.definition.type_parameters
    if function.owner is not None:
        parameters += function.owner.definition.type_parameters
    if name in parameters or type_[0] == "x":
        return 9
    if name.removesuffix("[]") in parameters:
        values = isinstance(argument, str) and argument.removesuffix("[]") in policy.types.value_types
        return _NEVER if values or (isinstance(argument, str) and not argument.endswith("[]")) else 9
    basic = name in policy.types.basic_types
    if isinstance(argument, Class):
        if basic:
            return 8 if name in policy.types.top_types else _NEVER
        wanted = instances(engine, function.file, outer_site(function), type_)
        classes = [v.cls for v in wanted if isinstance(v, Instance)]
        order = linearised(engine, argument)
        places = [order.index(cls) for cls in classes if cls in order]
        if places:
            return min(places)
        if _is_array(type_):
            return _NEVER
        return _NEVER if classes else 8 if any(isinstance(base, External) for base in order) else _NEVER
    if isinstance(argument, External):
        if basic:
            return 8 if name in policy.types.top_types else _NEVER
        if name == argument.name.rpartition(".")[2]:
            return 0
        wanted = instances(engine, function.file, outer_site(function), type_)
        return _NEVER if any(isinstance(v, Instance) for v in wanted) or name.endswith("[]") else 5
    if argument == _NOTHING:
        return _NEVER if name in policy.types.value_types else 0
    if argument == _FUNCTION:
        return _NEVER if basic or name.endswith("[]") else 0
    if name == argument:
        return 0
    if argument.endswith("[]"):
        held = argument[:-2]
        if name in policy.types.top_types:
            return 8
        fits = name.endswith("[]") and (
            name[:-2] in policy.types.top_types or name[:-2] in policy.types.basic_types.get(held, ())
        )
        return (
            1 if fits and held not in policy.types.value_types and name[:-2] not in policy.types.value_types else _NEVER
        )
    wider = policy.types.basic_types.get(argument, ())
    return wider.index(name) + 1 if name in wider else _NEVER


def settled(engine: Engine, file: FileIndex, call: Call, values: Values) -> Values:
    """The targets whose results count: a call of overloads has a result only where it is clear which one is meant, or
    all return the same. Other candidates with the same name and owner are dropped."""
    if len(values) < 2 or len(values) > MAX_OVERLOADS:
        return values
    groups: dict[tuple[object, str], list[Value]] = {}
    for value in values:
        groups.setdefault(_shared(value), []).append(value)
    if len(groups) == len(values):
        return values
    found: list[Value] = []
    for group in groups.values():
        if len(group) == 1:
            found += group
            continue
        receivers = shown_receivers(group[0])
        fitting = [v for v in group if accepts(_function(v), len(call.arguments) + receivers)] or group
        meant = chosen(engine, file, call, [_function(v) for v in fitting], receivers)
        if len({repr(function.definition.returns) for function in meant}) == 1:
            found += [v for v in fitting if _function(v) in meant]
    return tuple(found)


def _function(value: Value) -> Function:
    function = value.function if isinstance(value, Bound) else value
    assert isinstance(function, Function)
    return function


def fitting(values: Values, arguments: int, exact: bool = False) -> Values:
    """Of functions with the same name, those that accept so many arguments; unless `exact`, all where none does.
    Candidates may share an owner or have several: a subclass's method with other parameters does not override the one
    that is meant."""
    groups: dict[tuple[object, str], list[Value]] = {}
    for value in values:
        groups.setdefault(_shared(value), []).append(value)
    found: list[Value] = []
    unfit: list[Value] = []
    fitting_sizes: set[int] = set()
    for group in groups.values():
        chosen = group
        if len(group) > 1 or exact or type(group[0]) is Bound:
            chosen = []
            for value in group:
                function = value.function if isinstance(value, Bound) else value
                if not isinstance(function, Function):
                    chosen += [value] if exact else []
                elif accepts(function, arguments + shown_receivers(value)):
                    chosen.append(value)
                    fitting_sizes.add(len(function.parameters))
        if chosen or exact:
            found.extend(chosen)
        else:
            unfit.extend(group)
    if not fitting_sizes:
        return (*found, *unfit)
    # An override inherits the default values of the overridden method.
    return (*found, *(value for value in unfit if len(_function(value).parameters) in fitting_sizes))
