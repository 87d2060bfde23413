"""Stubs (`.pyi`, or the code of typed packages) → tables of their modules' declarations.

A stub is extracted like any Python file, and never run. Names are followed through imports and aliases to their
definitions. Conditions are not evaluated: of declarations for several versions or platforms all signatures count, in
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from loregraph.indexer.facts import Assignment, Definition, Expr
from loregraph.indexer.outside.modules import Module, Modules, Source
from loregraph.indexer.outside.shapes import Shapes
from loregraph.indexer.outside.types import (
    BY_NAME,
    CLASS,
    FUNCTION,
    FURTHER,
    NOTHING,
    VARIABLE,
    Signature,
    Symbol,
    Table,
    Type,
    mentions,
    substituted,
)

MAX_PARTS: Final = 2_000
"""Maximum parts of one type, with its aliases expanded; larger types are treated as unknown."""
MAX_DEPTH: Final = 8
"""Maximum nesting of types; deeper ones are treated as unknown."""
MAX_SIGNATURES: Final = 12
"""Maximum overloads of one function."""


_SEQUENCES: Final = dict.fromkeys(
    """builtins.list builtins.set builtins.frozenset typing.List typing.Set typing.FrozenSet typing.Iterable
    typing.Iterator typing.Sequence typing.MutableSequence typing.Collection typing.AbstractSet typing.MutableSet
    typing.Generator typing.AsyncIterator typing.AsyncIterable typing.AsyncGenerator typing.KeysView typing.Reversible
    typing.Container _typeshed.SupportsNext _typeshed.SupportsAnext _collections_abc.dict_keys""".split(),
    0,
) | dict.fromkeys(("typing.ValuesView", "_collections_abc.dict_values"), -1)
"""Iterable type → index of the type argument that is its element type."""
_PAIRS: Final = frozenset({"typing.ItemsView", "_collections_abc.dict_items"})
_MAPPINGS: Final = frozenset(
    """builtins.dict typing.Dict typing.Mapping typing.MutableMapping collections.OrderedDict typing.DefaultDict
    typing.OrderedDict collections.defaultdict types.MappingProxyType _typeshed.SupportsItems
    _typeshed.SupportsKeysAndGetItem""".split()
)
_WRAPPERS: Final = dict.fromkeys(
    """typing.Optional typing.Annotated typing.Required typing.NotRequired typing.ReadOnly typing.ClassVar typing.Final
    typing.Awaitable contextlib.AbstractContextManager contextlib.AbstractAsyncContextManager typing.ContextManager
    typing.AsyncContextManager contextlib._GeneratorContextManager contextlib._AsyncGeneratorContextManager
    typing.TypeGuard _asyncio.Future _asyncio.Task asyncio.futures.Future asyncio.tasks.Task""".split(),
    0,
) | dict.fromkeys(("typing.Coroutine", "types.CoroutineType"), 2)
"""Transparent wrapper type → index of the type argument that it is equivalent to."""
_CALLABLES: Final = frozenset({"typing.Callable", "_collections_abc.Callable", "collections.abc.Callable"})
_CLASSES: Final = frozenset({"builtins.type", "typing.Type"})
_TUPLES: Final = frozenset({"builtins.tuple", "typing.Tuple"})
_UNIONS: Final = frozenset({"typing.Union"})
_LITERALS: Final = frozenset({"typing.Literal"})
_SELF: Final = frozenset({"typing.Self", "_typeshed.Self"})
_SILENT: Final = frozenset(
    """builtins.object typing.Any typing.NoReturn typing.Never typing.LiteralString typing.TypeIs typing.AnyStr
    typing.Generic typing.Protocol _typeshed.Incomplete _typeshed.Unused _typeshed.MaybeNone""".split()
)
PRIMITIVES: Final = frozenset(f"builtins.{name}" for name in "str int float bool bytes complex bytearray".split())
"""Classes whose instances are not followed: values of the project never come out of them."""
_ASKED: Final = frozenset("__init__ __new__ __call__ __enter__ __aenter__ __iter__ __next__ __getitem__".split())
"""Methods looked up by name: their absence is information too."""
_PROPERTIES: Final = ("property", "cached_property", "abstractproperty")


class Stubs:
    """The declarations of modules. `find` returns the source of a module by its qualified name, None without one;
    `others` may know the classes of modules without a source."""

    def __init__(self, find: Callable[[str], Source | None], others: Shapes | None = None) -> None:
        self._modules = Modules(find, others)
        self._parts = 0
        """Parts of the type that is being read."""

    def table(self, module: str) -> Table | None:
        """The declarations of a module, without the uninformative ones; None where the module does not exist."""
        own = self._modules.get(module)
        if own is None:
            return None
        found: Table = {}
        for name in self._modules.names(own, set()):
            symbol = self._symbol(own, name)
            if symbol is not None:
                found[name] = symbol
        return found

    def knows(self, module: str) -> bool:
        """Whether the module exists."""
        return self._modules.get(module) is not None

    def symbol(self, module: str, name: str) -> Symbol | None:
        """The declaration of a name in a module; None where nothing is known or the module does not exist."""
        own = self._modules.get(module)
        return self._symbol(own, name) if own is not None else None

    # Symbols

    def _symbol(self, module: Module, name: str) -> Symbol | None:
        self._parts = 0
        if name not in module.definitions and name not in module.assigned:
            found = self._modules.followed(module, name)
            if found is None:
                return None
            path = f"{found[0].name}.{found[1]}".rstrip(".")
            return path if path != f"{module.name}.{name}" else None
        numbers = module.definitions.get(name)
        if numbers is not None:
            first = module.facts.definitions[numbers[0]]
            if first.is_type:
                return self._described(module, [n for n in numbers if module.facts.definitions[n].is_type], name)
            return self._function(module, [module.facts.definitions[n] for n in numbers], (), False)
        assignment = module.assigned[name]
        if assignment.type is not None and not _is_alias(assignment.type):
            return _variable(self._type(module, assignment.type, (), 0))
        target = self._modules.located(module, assignment.value)
        if target is not None and target != (module, name):
            return f"{target[0].name}.{target[1]}".rstrip(".")
        return self._taken_off(module, assignment.value)

    def _taken_off(self, module: Module, expr: Expr) -> Symbol | None:
        """A method taken from an object of the module: `choice = _instance.choice`."""
        holder = module.assigned.get(expr[1][1]) if expr[0] == "a" and expr[1][0] == "n" else None
        if holder is None or holder.type is None:
            return None
        type_ = self._type(module, holder.type, (), 0)
        return f"{type_}.{expr[2]}" if isinstance(type_, str) and type_ else None

    def _described(self, module: Module, numbers: list[int], name: str) -> Symbol:
        facts = module.facts
        definition = facts.definitions[numbers[0]]
        variables = self._class_variables(module, definition)
        bases = [self._base(module, base.type, variables) for base in definition.bases]
        members: dict[str, Symbol] = {}
        grouped: dict[str, list[Definition]] = {}
        for number in numbers:
            for inner in module.inner.get(number, ()):
                held = facts.definitions[inner]
                if held.is_type:
                    members.setdefault(held.name, self._described(module, [inner], f"{name}.{held.name}"))
                else:
                    grouped.setdefault(held.name, []).append(held)
            for assignment in module.attributes.get(number, ()):
                if assignment.type is not None and not _is_alias(assignment.type):
                    symbol = _variable(self._type(module, assignment.type, variables, 0))
                    if symbol is not None:
                        members.setdefault(assignment.target[1], symbol)
                elif assignment.value[0] == "n":
                    members.setdefault(assignment.target[1], assignment.value[1])
        for own, definitions in grouped.items():
            symbol = self._function(module, definitions, variables, True)
            if symbol is not None:
                members.setdefault(own, symbol)
        for own, symbol in list(members.items()):  # `__radd__ = __add__`
            if isinstance(symbol, str):
                if members.get(symbol) is None or isinstance(members[symbol], str):
                    del members[own]
                else:
                    members[own] = members[symbol]
        return [CLASS, [base for base in bases if base != NOTHING], list(variables), members]

    def _base(self, module: Module, expr: Expr, variables: tuple[str, ...]) -> Type:
        """A supertype: a class, or a generic one with type arguments."""
        target = self._modules.located(module, expr[1] if expr[0] == "s" else expr)
        if target is None or not self._modules.is_class(target) or f"{target[0].name}.{target[1]}" in _SILENT:
            return NOTHING
        path = self._modules.public(*target)
        if expr[0] != "s":
            return path
        arguments = expr[2][1] if expr[2][0] == "l" else (expr[2],)
        return ["G", path, [self._type(module, argument, variables, 1) for argument in arguments]]

    def _class_variables(self, module: Module, definition: Definition) -> tuple[str, ...]:
        if definition.type_parameters:
            return definition.type_parameters
        found: dict[str, None] = {}
        generic: dict[str, None] = {}
        for base in definition.bases:
            if base.type[0] != "s":
                continue
            for part in _names_in(base.type[2]):
                if self._modules.is_variable(module, part):
                    found[part] = None
                    if base.type[1][-1] in ("Generic", "Protocol"):
                        generic[part] = None
        return tuple(name for name in generic or found if name != "AnyStr")

    def _function(
        self, module: Module, definitions: list[Definition], around: tuple[str, ...], is_method: bool
    ) -> Symbol | None:
        """A function, or a property; None where neither its result nor its callbacks are known."""
        overloads = [
            d for d in definitions if "overload" in d.decorator_names or "typing.overload" in d.decorator_names
        ]
        counted = overloads or [d for d in definitions if not _is_accessor(d)][:2]
        if is_method and any(name.rpartition(".")[2] in _PROPERTIES for name in counted[0].decorator_names):
            signature = self._signature(module, counted[0], around, is_method)
            return _variable(signature[3])
        signatures: list[Signature] = []
        for definition in counted[:MAX_SIGNATURES]:
            signature = self._signature(module, definition, around, is_method)
            if signature not in signatures:
                signatures.append(signature)
        silent = all(signature[3] == NOTHING and not _takes(signature, around) for signature in signatures)
        if silent and not (is_method and definitions[0].name in _ASKED):
            return None
        return [FUNCTION, signatures]

    def _signature(self, module: Module, definition: Definition, around: tuple[str, ...], is_method: bool) -> Signature:
        parameters = list(definition.parameters)
        variables = (*around, *definition.type_parameters)
        receiver = ""
        if is_method and "static" not in definition.flags and parameters and not parameters[0].kind:
            written = parameters.pop(0).type
            if written is not None:
                receiver = self._receiver(module, written, variables)
        rows: list[list[object]] = []
        least = most = 0
        for parameter in parameters:
            type_ = (
                self._type(module, parameter.type, variables, 0, receiver) if parameter.type is not None else NOTHING
            )
            place = most if not parameter.kind else FURTHER if parameter.kind == "*" else BY_NAME
            if parameter.kind == "":
                most += 1
                least += parameter.default is None
            elif parameter.kind == "*":
                rows.append([FURTHER, parameter.name, type_])
                continue
            elif parameter.kind == "**":
                continue
            if type_ != NOTHING and mentions(type_, "T", "C", "K", "=", "S"):
                rows.append([place, parameter.name, type_])
        if any(row[0] == FURTHER for row in rows):
            most = -1 - most
            rows = [row for row in rows if row[0] != FURTHER or row[2] != NOTHING]
        given = (
            self._type(module, definition.returns, variables, 0, receiver)
            if definition.returns is not None
            else NOTHING
        )
        return [least, most, rows, given]

    def _receiver(self, module: Module, written: Expr, variables: tuple[str, ...]) -> str:
        """The type variable in the annotation of a method's receiver: `self: S`, `cls: type[S]`; "" for none."""
        if written[0] == "s" and written[1][-1] in ("type", "Type"):
            written = written[2]
        name = written[1] if written[0] == "n" else ""
        return name if name in variables or (name and self._modules.is_variable(module, name)) else ""

    # Types

    def _type(self, module: Module, expr: Expr, variables: Iterable[str], depth: int, receiver: str = "") -> Type:
        self._parts = self._parts + 1 if depth else 0
        if depth > MAX_DEPTH or self._parts > MAX_PARTS:
            return NOTHING
        op = expr[0]
        if op == "k":
            return NOTHING
        if op == "b" and expr[1] == "|" and expr[3] is not None:  # in an alias, which is an ordinary expression
            op, expr = "u", ("u", (expr[2], expr[3]))
        if op == "u":
            return _union([self._type(module, option, variables, depth + 1, receiver) for option in expr[1]])
        if op in ("n", "a"):
            if op == "n" and expr[1] == receiver:
                return ["S"]
            if op == "n" and (expr[1] in variables or self._modules.is_variable(module, expr[1])):
                return ["T", expr[1]] if expr[1] != "AnyStr" else NOTHING
            if op == "a" and expr[1][0] == "n" and expr[2] == "args" and self._modules.is_variable(module, expr[1][1]):
                return ["P*", expr[1][1]]
            return self._named(module, expr, variables, depth, receiver)
        if op == "s":
            return self._generic(module, expr, variables, depth, receiver)
        return NOTHING

    def _named(self, module: Module, expr: Expr, variables: Iterable[str], depth: int, receiver: str) -> Type:
        target = self._modules.located(module, expr)
        if target is None or not target[1]:
            return NOTHING
        path = f"{target[0].name}.{target[1]}"
        if path in _SELF or path == "typing_extensions.Self":
            return ["S"]
        if path in _SILENT:
            return NOTHING
        if path in _CALLABLES:
            return ["C", [], NOTHING]
        assignment = target[0].assigned.get(target[1])
        if assignment is not None and self._modules.class_number(*target) is None:
            if assignment.value[0] in ("x", "c", "k"):
                return NOTHING
            return self._type(target[0], assignment.value, (), depth + 1)
        if not self._modules.is_class(target):
            return NOTHING
        if path in _MAPPINGS:
            return ["M", NOTHING]
        if path in _SEQUENCES or path in _TUPLES or path in _PAIRS:
            return ["L", NOTHING]
        if path in _WRAPPERS:
            return NOTHING
        return self._modules.public(*target) if path not in PRIMITIVES else NOTHING

    def _generic(self, module: Module, expr: Expr, variables: Iterable[str], depth: int, receiver: str) -> Type:
        target = self._modules.located(module, expr[1])
        if target is None:
            return NOTHING
        path = f"{target[0].name}.{target[1]}"
        arguments = list(expr[2][1]) if expr[2][0] == "l" else [expr[2]]

        def argument(place: int) -> Type:
            if not arguments or place >= len(arguments):
                return NOTHING
            return self._type(module, arguments[place], variables, depth + 1, receiver)

        if path in _LITERALS:
            texts = [a[2] if a[0] == "k" else a[1] if a[0] == "n" else "" for a in arguments]
            return ["=", texts] if all(texts) and all(a[0] == "n" or a[1] == "str" for a in arguments) else NOTHING
        if path in _UNIONS:
            return _union([argument(i) for i in range(len(arguments))])
        if path in _WRAPPERS:
            return argument(_WRAPPERS[path])
        if path in _SEQUENCES:
            return ["L", argument(_SEQUENCES[path] if _SEQUENCES[path] >= 0 else len(arguments) - 1)]
        if path in _PAIRS:
            return ["L", ["P", [argument(0), argument(1)]]]
        if path in _MAPPINGS:
            return ["M", argument(len(arguments) - 1)]
        if path in _CLASSES:
            held = argument(0)
            return ["K", held] if held != NOTHING else NOTHING
        if path in _TUPLES:
            if len(arguments) == 2 and arguments[1][0] == "x":
                return ["L", argument(0)]
            return ["P", [argument(i) for i in range(len(arguments))]]
        if path in _CALLABLES:
            given: list[Type] = []
            if len(arguments) > 1 and arguments[0][0] == "l":
                given = [self._type(module, a, variables, depth + 1, receiver) for a in arguments[0][1]]
            elif len(arguments) > 1 and arguments[0][0] == "n" and self._modules.is_variable(module, arguments[0][1]):
                given = [["P*", arguments[0][1]]]
            return ["C", given, argument(len(arguments) - 1)]
        assignment = target[0].assigned.get(target[1])
        if assignment is not None and self._modules.class_number(*target) is None:
            return self._alias(target, assignment, [argument(i) for i in range(len(arguments))], depth)
        if not self._modules.is_class(target) or path in _SILENT:
            return NOTHING
        held = [argument(i) for i in range(len(arguments))]
        return (
            ["G", self._modules.public(*target), held]
            if any(mentions([h], "T", "S", "G", "L", "M", "P", "C") or h for h in held)
            else self._modules.public(*target)
        )

    def _alias(self, target: tuple[Module, str], assignment: Assignment, given: list[Type], depth: int) -> Type:
        """A generic alias with its arguments: `Opener[int]` of `Opener = Callable[[T], T]`."""
        if assignment.value[0] in ("x", "c", "k"):
            return NOTHING
        inner = self._type(target[0], assignment.value, (), depth + 1)
        names = [n for n in _names_in(assignment.value) if self._modules.is_variable(target[0], n)]
        bound = dict(zip(dict.fromkeys(names), given, strict=False))
        return substituted(inner, bound)


def _union(options: list[Type]) -> Type:
    found: list[Type] = []
    texts: list[str] = []
    for option in options:
        if isinstance(option, list) and option[:1] == ["="]:
            texts += option[1]
        elif isinstance(option, list) and option[:1] == ["U"]:
            found += [part for part in option[1] if part not in found]
        elif option != NOTHING and option not in found:
            found.append(option)
    if texts and not found:
        return ["=", texts]
    return found[0] if len(found) == 1 else ["U", found] if found else NOTHING


def _variable(type_: Type) -> Symbol | None:
    return [VARIABLE, type_] if type_ != NOTHING else None


def _is_alias(type_: Expr) -> bool:
    return bool(type_[0] in ("n", "a") and type_[-1] == "TypeAlias")


def _is_accessor(definition: Definition) -> bool:
    return any(name.endswith((".setter", ".deleter")) for name in definition.decorator_names)


def _takes(signature: Signature, around: tuple[str, ...]) -> bool:
    """Whether a function takes functions, or arguments of its class's type variables."""
    return any(mentions(row[2], "C") or (row[2][:1] == ["T"] and row[2][1] in around) for row in signature[2])


def _names_in(expr: Expr) -> list[str]:
    """The names in a type, from left to right."""
    found: list[str] = []
    stack = [expr]
    while stack:
        part = stack.pop()
        if part[0] == "n":
            found.append(part[1])
        elif part[0] == "s":
            stack += [part[2], part[1]]
        elif part[0] in ("l", "u"):
            stack += reversed(part[1])
        elif part[0] == "b":
            stack += [e for e in (part[3], part[2]) if e is not None]
    return found
