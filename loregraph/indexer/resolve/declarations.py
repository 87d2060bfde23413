"""Assignments to names that are declared elsewhere: in the same function (`Owner x; x = get();`) or around it."""

from __future__ import annotations

from loregraph.indexer.facts import Assignment, Expr, FileFacts
from loregraph.indexer.resolve.model import OPAQUE, PARAMETER, VALUE, Binding, FileIndex, Scope, Site
from loregraph.indexer.resolve.scoping import END, find


# Implements REQ-RES-002.
def link_declarations(facts: FileFacts, bindings: list[Binding]) -> None:
    """Notes for each plain assignment to a name, whose `bindings` these are in order, which of them declares its type:
    the last one before it in the innermost block around it that has one. A further declaration is another variable."""
    if not any(declared_type(b) is not None for b in bindings):
        return
    latest: dict[int, Binding] = {}
    for binding in bindings:
        if _declares(binding):
            if not binding.foreign:
                latest[binding.block] = binding
        elif _is_assigned(binding):
            block = binding.block if not binding.foreign else -1
            while block not in latest and block >= 0:
                block = facts.blocks[block].parent
            declaration = latest.get(block)
            if declaration is not None and declared_type(declaration) is not None:
                binding.declaration = declaration


def declared_type(binding: Binding) -> Expr | None:
    """The type that is written with what binds a name; None where none is."""
    if binding.kind != PARAMETER:
        return binding.type
    parameter = binding.payload[1].parameters[binding.payload[2]]
    declared: Expr | None = parameter.type if not parameter.kind else None
    return declared


def _declares(binding: Binding) -> bool:
    if binding.kind == PARAMETER or binding.type is not None:
        return True
    return isinstance(binding.site, Assignment) and binding.site.kind not in ("=", "+=")


def _is_assigned(binding: Binding) -> bool:
    """Whether a value is assigned that may be of any type: a literal says its own."""
    if binding.kind != VALUE or binding.payload[0] == "k" or not isinstance(binding.site, Assignment):
        return False
    return binding.site.kind == "="


# Implements REQ-RES-002.
def hand_outward(file: FileIndex) -> None:
    """Has what a function assigns to a name that it does not declare join the variable around it, where the language
    has it so. Behind the assignment the function itself sees what it assigned; before it, the variable around it."""
    kinds = file.policy.assigns_outward
    if not kinds:
        return
    undeclared: set[tuple[int, str]] = set()
    around: dict[tuple[int, str], tuple[bool, Binding | None]] = {}
    for scope in file.scopes[:-1]:
        definition = scope.definition
        if definition is None or definition.kind not in kinds or scope.parent is None:
            continue
        for name, bindings in scope.bindings.items():
            if not all(_is_bare(binding) for binding in bindings):
                continue
            owner = find(scope.parent, name)
            while owner is not None and (owner.number, name) in undeclared and owner.parent is not None:
                owner = find(owner.parent, name)
            takes_in, declared = True, None
            if owner is not None:
                # Looked for once a variable: thousands of functions may assign to it, and what they hand on tells of
                # no type.
                key = (owner.number, name)
                if key not in around:
                    around[key] = _variable(owner.bindings[name])
                takes_in, declared = around[key]
            outer = _outer(file, scope, owner, name) if takes_in else None
            if outer is None:
                continue
            undeclared.add((scope.number, name))
            declaration: Binding | None = outer
            if owner is not None:
                declaration = declared
                owner.bindings[name] += [_handed(binding) for binding in bindings]
            for binding in bindings:
                if binding.payload[0] != "k":
                    binding.declaration = declaration
            bindings.insert(0, outer)


def _is_bare(binding: Binding) -> bool:
    if binding.kind != VALUE or binding.foreign or binding.type is not None:
        return False
    return isinstance(binding.site, Assignment) and binding.site.kind in ("=", "+=")


# Implements REQ-SEC-010.
def _variable(bindings: list[Binding]) -> tuple[bool, Binding | None]:
    """Whether functions may assign to what is bound so, and which binding says its type."""
    takes_in = all(binding.kind in (VALUE, OPAQUE, PARAMETER) for binding in bindings)
    return takes_in, next((binding for binding in bindings if declared_type(binding) is not None), None)


def _outer(file: FileIndex, scope: Scope, owner: Scope | None, name: str) -> Binding | None:
    """What the variable around a function is before the function assigns to it: a field that it inherits where no scope
    of the file has it. None where there is no such variable."""
    if owner is not None:
        return Binding(VALUE, -1, -1, ("n", name), Site(owner.number, END, -1))
    if not file.policy.members_in_scope:
        return None
    return Binding(VALUE, -1, -1, ("a", ("v",), name), Site(scope.number, END, -1))


def _handed(binding: Binding) -> Binding:
    copy = Binding(VALUE, binding.at, binding.block, binding.payload, binding.site)
    copy.foreign = True
    return copy
