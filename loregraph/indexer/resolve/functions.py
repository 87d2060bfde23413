"""Static facts about functions, known before values are followed: receiver, accepted arguments, accessors."""

from __future__ import annotations

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.model import DEFINITION, PARAMETER, Bound, FileIndex, Function, Scope, Site, Value
from loregraph.indexer.resolve.scoping import find


def receiver_function(file: FileIndex, number: int) -> Function | None:
    """The function whose receiver `this` denotes in a scope; functions without a receiver of their own are skipped."""
    scope: Scope | None = file.scopes[number]
    lexical = file.policy.members.lexical_receiver
    while scope is not None and scope.definition is not None:
        if scope.is_type:
            return None
        if scope.definition.is_function and (
            scope.definition.kind not in lexical or file.policy.members.explicit_receiver
        ):
            function = file.functions[scope.number]
            if file.policy.construction.functions_construct or function.owner is not None:
                return function
        elif (
            scope.definition.is_function and file.functions[scope.number].lists_receiver and not file.policy.calls.sends
        ):
            return file.functions[scope.number]  # `x.apply { … }`
        scope = scope.parent
    return None


def bound(function: Function, receiver: Value) -> Bound:
    """`function` bound to its receiver; one value per pair."""
    found = function.bound.get(receiver)
    if found is None:
        found = function.bound[receiver] = Bound(function, receiver)
    return found


def is_abstract(function: Function) -> bool:
    """Whether a method only exists to be overridden: abstract, without a body, or only raising."""
    flags = function.definition.flags
    if "abstract" in flags or "declaration" in flags or (function.owner is not None and function.owner.abstract):
        return True
    returns = function.file.returns.get(function.number)
    if not returns or not function.file.policy.members.explicit_receiver:
        return False
    return len(returns) == 1 and returns[0].kind == "throw" and _not_implemented(function, returns[0].value)


def _not_implemented(function: Function, value: Expr) -> bool:
    if value[0] == "c":
        value = function.file.facts.calls[value[1]].function
    return bool(value[0] == "n" and value[1] == "NotImplementedError")


def outer_site(function: Function) -> Site:
    """The site at which a function's defaults and annotations are read."""
    site = function.outside
    if site is None:
        definition = function.definition
        site = function.outside = Site(definition.parent, definition.start_byte, -2)
    return site


def takes_receiver(function: Function) -> bool:
    """Whether the receiver is the first listed parameter, or replaces a listed one."""
    return function.lists_receiver or function.file.policy.members.explicit_receiver


def accepts(function: Function, arguments: int) -> bool:
    """Whether a function accepts so many positional arguments."""
    least = most = 0
    for parameter in function.parameters:
        if parameter.kind == "*":
            return arguments >= least
        if parameter.kind == "" or (parameter.kind == "kw" and not function.file.policy.calls.generic_functions):
            most += 1
            least += parameter.default is None
    return least <= arguments <= most


def runs_when_read(value: Value) -> bool:
    """Whether naming a function runs it: it has a name and no required parameters."""
    function = value.function if isinstance(value, Bound) else value
    return isinstance(function, Function) and function.definition.kind != "lambda" and accepts(function, 0)


def is_accessor_kind(kind: str, flags: tuple[str, ...]) -> bool:
    """Whether a function runs when a member is read or written."""
    return kind == "getter" or kind == "setter" or "property" in flags


def accessor(function: Function, kind: str) -> Function | None:
    """The "getter", "setter" or "deleter" that belongs to an accessor; None where there is none."""
    if _accessor_kind(function) == kind:
        return function
    parent = function.scope.parent
    for binding in reversed(parent.bindings.get(function.definition.name, ()) if parent is not None else ()):
        if binding.kind == DEFINITION:
            other = function.file.functions.get(binding.payload)
            if other is not None and _accessor_kind(other) == kind:
                return other
    return None


def _accessor_kind(function: Function) -> str:
    return "deleter" if "deleter" in function.definition.flags else function.definition.kind


def parameter_of(function: Function, expr: Expr) -> int | None:
    """The number of the parameter that an expression in a function names, where nothing else has that name there."""
    bindings = function.scope.bindings.get(expr[1], ()) if expr[0] == "n" else ()
    if len(bindings) != 1 or bindings[0].kind != PARAMETER:
        return None
    number: int = bindings[0].payload[2]
    return number


def is_outer_parameter(scope: Scope, name: str) -> bool:
    """Whether a name in a function is a parameter of one around it."""
    owner = find(scope, name)
    return (
        owner is not None and owner is not scope and any(binding.kind == PARAMETER for binding in owner.bindings[name])
    )


def is_receiver(file: FileIndex, number: int, expr: Expr) -> bool:
    """Whether an expression is the receiver of the enclosing method."""
    if expr[0] == "v":
        return True
    if expr[0] != "n" or not (file.policy.members.explicit_receiver or file.policy.calls.sends):
        return False
    function = receiver_function(file, number)
    return (
        function is not None
        and bool(function.receives)
        and bool(function.parameters)
        and function.parameters[0].name == expr[1]
    )
