"""Builds the index of one file from its facts: scopes with bindings, functions, types and stores.

One pass over the facts, without a look at other files. Patterns are destructured here: `a, (b, *c) = xs` becomes one
binding per name, each with the expression of its part.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from loregraph.indexer.facts import (
    FILE_SCOPE,
    NARROWING,
    UNKNOWN,
    Assignment,
    Call,
    Definition,
    Expr,
    FileFacts,
    is_anonymous,
)
from loregraph.indexer.languages.policy import Policy
from loregraph.indexer.resolve.declarations import hand_outward, link_declarations
from loregraph.indexer.resolve.model import (
    DEFINITION,
    IMPORT,
    OPAQUE,
    PARAMETER,
    VALUE,
    Binding,
    Class,
    FileIndex,
    Function,
    Scope,
    Site,
    Store,
    function_name,
)

_AT = attrgetter("at")
UNPLACED = -2
"""Marks a binding whose block is not in the facts; it is found from the position on demand."""


def build_index(facts: FileFacts, policy: Policy) -> FileIndex:
    """The index of one file."""
    file = FileIndex(facts, policy)
    _scopes(file)
    _definitions(file)
    _imports(file)
    _assignments(file)
    hand_outward(file)
    _exports(file)
    for fact in facts.returns:
        file.returns.setdefault(fact.scope, []).append(fact)
    for scope in file.scopes:
        for tests in scope.narrowings.values() if scope.narrowings is not None else ():
            tests.sort(key=_AT)
        for name, bindings in scope.bindings.items():
            if len(bindings) > 1:
                bindings.sort(key=_place)
                scope.bindings[name] = _without_declarations(file, bindings)
                link_declarations(file.facts, bindings)
    for number, function in file.functions.items():
        if any(r.kind in ("yield", "yield from") for r in file.returns.get(number, ())):
            function.generator = True
    return file


def _without_declarations(file: FileIndex, bindings: list[Binding]) -> list[Binding]:
    """Drops prototypes and overload signatures where the definition itself is present."""
    definitions = file.facts.definitions
    announced = [b for b in bindings if b.kind == DEFINITION and "declaration" in definitions[b.payload].flags]
    if not announced or all(b in announced for b in bindings if b.kind == DEFINITION):
        return bindings
    kept = [b for b in bindings if b not in announced]
    for binding in kept:
        if binding.kind == DEFINITION and binding.payload in file.functions:
            signatures = (file.functions.get(b.payload) for b in announced)
            file.functions[binding.payload].signatures = tuple(f for f in signatures if f is not None)
    return kept


def _place(binding: Binding) -> int:
    return binding.at


def _scopes(file: FileIndex) -> None:
    top = Scope(file, FILE_SCOPE, None, None)
    scopes = file.scopes
    for number, definition in enumerate(file.facts.definitions):
        parent = top if definition.parent < 0 else scopes[definition.parent]
        scopes.append(Scope(file, number, parent, definition))
    scopes.append(top)


def _definitions(file: FileIndex) -> None:
    policy = file.policy
    for number, definition in enumerate(file.facts.definitions):
        scope = file.scopes[number]
        for name in definition.type_parameters:
            scope.bindings[name] = [Binding(OPAQUE, -1, -1, None)]
        if scope.is_type:
            file.classes[number] = Class(file, number, definition, scope)
        elif definition.is_function:
            _function(file, number, definition, scope)
        if (
            definition.kind == "constructor"
            and not policy.members.explicit_receiver
            and not _is_named(file, definition)
        ):
            if "static" not in definition.flags:  # a static constructor (C#) makes no instance
                file.constructors.setdefault(definition.parent, []).append(file.functions[number])
            continue
        if is_anonymous(definition.name) or definition.owner is not None or "expression" in definition.flags:
            continue
        at = -1 if policy.scopes.hoisted else definition.start_byte
        parent = scope.parent
        if parent is not None:
            site = Site(definition.parent, definition.start_byte, UNPLACED)
            parent.bindings.setdefault(definition.name, []).append(Binding(DEFINITION, at, UNPLACED, number, site))
            if policy.scopes.functions_apart and definition.is_function:
                own_name = function_name(definition.name)
                parent.bindings.setdefault(own_name, []).append(Binding(DEFINITION, at, UNPLACED, number, site))


def _is_named(file: FileIndex, definition: Definition) -> bool:
    """Whether a constructor is looked up by its own name: it is defined outside its type, or named differently."""
    if definition.owner is not None:
        return True
    if not file.policy.construction.named_constructors or definition.parent < 0:
        return False
    return definition.name != file.facts.definitions[definition.parent].name


def _function(file: FileIndex, number: int, definition: Definition, scope: Scope) -> None:
    policy = file.policy
    function = Function(file, number, definition)
    file.functions[number] = function
    owner = file.classes.get(definition.parent)
    flags = definition.flags
    if owner is not None:
        function.owner = owner
        if (
            "classmethod" in flags
            or definition.name in policy.construction.allocators
            or definition.name == "__init_subclass__"
        ):
            function.receives = "class"
        elif "static" not in flags:
            function.receives = "instance"
        elif policy.members.late_static:
            function.receives = "class"
    elif definition.owner is not None:
        function.receives = "instance" if "static" not in flags else ""
    elif not policy.members.explicit_receiver and definition.kind not in policy.members.lexical_receiver:
        function.receives = "instance"
    first = definition.parameters[0].kind if definition.parameters else None
    function.lists_receiver = first == "this" or (
        (policy.members.explicit_receiver or policy.calls.sends) and first == ""
    )
    if policy.construction.functions_construct and "class" in flags:
        constructed_by(function)
    for position, parameter in enumerate(definition.parameters):
        value: Expr = ("P", function, position)
        if parameter.name:
            scope.bindings.setdefault(parameter.name, []).append(Binding(PARAMETER, -1, -1, value))
        if parameter.pattern is not None:
            site = Site(number, definition.start_byte, -1)
            for target, part in targets(parameter.pattern, value):
                if target[0] == "n":
                    scope.bindings.setdefault(target[1], []).append(Binding(VALUE, -1, -1, part, site))


def constructed_by(function: Function) -> Class:
    """The type that `new` on a function creates; the function becomes a method of it unless it already is a method."""
    made = made_by(function)
    function.is_type = True
    if function.owner is None:
        function.owner = made
    return made


def made_by(function: Function) -> Class:
    """The same, without any visible change."""
    if function.constructs is None:
        scope = Scope(function.file, function.number, None, None)
        function.constructs = Class(function.file, function.number, function.definition, scope)
    return function.constructs


def _imports(file: FileIndex) -> None:
    for fact in file.facts.imports:
        scope = file.scopes[fact.scope]
        if fact.kind == "reexport":
            if fact.name == "*" and not fact.alias:
                file.star_exports.append(fact)
            else:
                file.exports.setdefault(fact.alias or fact.name, []).append(Binding(IMPORT, fact.at, -1, fact))
            continue
        if fact.name == "*" and not fact.alias:
            if scope.stars is None:
                scope.stars = []
            scope.stars.append(fact)
        elif fact.alias:
            at = -1 if file.policy.scopes.hoisted and fact.kind != "require" else fact.at
            scope.bindings.setdefault(fact.alias, []).append(Binding(IMPORT, at, UNPLACED, fact))


def _exports(file: FileIndex) -> None:
    for fact in file.facts.exports:
        site = Site(fact.scope, fact.at, UNPLACED)
        file.exports.setdefault(fact.name, []).append(Binding(VALUE, fact.at, -1, fact.value, site))


def _assignments(file: FileIndex) -> None:
    scopes = file.scopes
    calls = file.facts.calls
    for fact in file.facts.assignments:
        kind = fact.kind
        scope = scopes[fact.scope]
        if kind in ("global", "nonlocal"):
            _redirect(scope, fact)
            continue
        if kind == "del":
            continue
        if kind in NARROWING:
            if scope.definition is None or not scope.definition.is_function:
                continue  # read by other files without a cell, being outside of functions
            if scope.narrowings is None:
                scope.narrowings = {}
            scope.narrowings.setdefault(fact.value[1], []).append(fact)
            continue
        _mark_calls(file, fact, calls)
        if fact.target[0] == "n":
            _bind(file, scope, fact, fact.target[1], fact.value)
            continue
        for target, part in targets(fact.target, fact.value):
            op = target[0]
            if op == "n":
                _bind(file, scope, fact, target[1], part)
            elif op == "a":
                file.stores.append(Store(file, fact, target[1], target[2], None, part))
            elif op == "s":
                file.stores.append(Store(file, fact, target[1], None, target[2], part))


def _bind(file: FileIndex, scope: Scope, fact: Assignment, name: str, value: Expr) -> None:
    kind = VALUE
    if fact.kind == "declare" and value[0] == "x" and fact.type is None:
        kind = OPAQUE
    binding = Binding(kind, fact.at, fact.block, value, fact, fact.type)
    if scope.redirects is not None:
        target = scope.redirects.get(name)
        if target is not None:
            binding.foreign = True
            scope = target
    if fact.kind == "+=":
        binding.foreign = True
    scope.bindings.setdefault(name, []).append(binding)


def _redirect(scope: Scope, fact: Assignment) -> None:
    name = fact.target[1] if fact.target[0] == "n" else ""
    if scope.redirects is None:
        scope.redirects = {}
    target = scope.file.scopes[-1]
    if fact.kind == "nonlocal":
        around = scope.parent
        while around is not None and around.parent is not None:
            if name in around.bindings:
                target = around
                break
            around = around.parent
    scope.redirects[name] = target


def _mark_calls(file: FileIndex, fact: Assignment, calls: tuple[Call, ...]) -> None:
    """Records the assignment that a call's result goes to: its target is not yet bound while the call runs."""
    if fact.value[0] == "n" or fact.value[0] == "k" or fact.value[0] == "x":
        return
    stack = [fact.value]
    marked = file.assigned_at
    met: set[int] = set()  # hand-made facts may be cyclic
    while stack:
        expr = stack.pop()
        op = expr[0]
        if op == "c":
            if expr[1] in met:
                continue
            met.add(expr[1])
            call = calls[expr[1]]
            marked[call.at] = fact.at
            stack.append(call.function)
            stack.extend(call.arguments)
            stack.extend(value for _, value in call.keywords)
        elif op == "l" or op == "u":
            stack.extend(expr[1])
        elif op == "d":
            for key, value in expr[1]:
                stack.append(key)
                stack.append(value)
        elif op == "a" or op in ("i", "e", "w", "y", "*"):
            stack.append(expr[1])
        elif op == "s":
            stack.append(expr[1])
            stack.append(expr[2])
        elif op == "t":
            stack.append(expr[2])
        elif op == "b":
            stack.append(expr[2])
            if expr[3] is not None:
                stack.append(expr[3])


def targets(pattern: Expr, value: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The targets that a pattern assigns to, each with the expression of its part of `value`."""
    stack = [(pattern, value)]
    while stack:
        target, part = stack.pop()
        op = target[0]
        if op == "l":
            stack.extend(reversed(list(_elements(target[1], part))))
        elif op == "d":
            for key, inner in reversed(target[1]):
                if key[0] == "k" and key[1] == "str":
                    stack.append((inner, ("a", part, key[2])))
                elif key[0] == "x":
                    stack.append((inner, part))
                else:
                    stack.append((inner, ("s", part, key)))
        elif op == "u":  # a pattern with a default
            stack.append((target[1][0], ("u", (part, *target[1][1:]))))
        elif op == "t":
            stack.append((target[2], part))
        elif op == "*":
            stack.append((target[1], part))
        elif op in ("n", "a", "s"):
            yield target, part


def _elements(items: list[Expr] | tuple[Expr, ...], value: Expr) -> Iterator[tuple[Expr, Expr]]:
    count = len(items)
    starred = next((i for i, item in enumerate(items) if item[0] == "*"), -1)
    if value[0] == "l" and all(v[0] != "*" for v in value[1]):
        values = value[1]
        if starred < 0:
            for i, item in enumerate(items):
                yield item, values[i] if i < len(values) else UNKNOWN
            return
        after = count - starred - 1
        for i, item in enumerate(items):
            if i < starred:
                yield item, values[i] if i < len(values) else UNKNOWN
            elif i == starred:
                yield item, ("l", tuple(values[starred : len(values) - after]))
            else:
                j = len(values) - (count - i)
                yield item, values[j] if 0 <= j < len(values) else UNKNOWN
        return
    for i, item in enumerate(items):
        if starred < 0 or i < starred:
            yield item, ("s", value, ("k", "int", str(i)))
        elif i == starred:
            yield item, ("S", value, i)
        else:
            yield item, ("s", value, UNKNOWN)
