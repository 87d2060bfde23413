"""Assignments to names declared earlier: in the same function (`Owner x; x = get();`) or in an enclosing one."""

from __future__ import annotations

from loregraph.indexer.facts import Assignment, Expr, FileFacts
from loregraph.indexer.resolve.model import OPAQUE, PARAMETER, VALUE, Binding, FileIndex, Scope, Site
from loregraph.indexer.resolve.scoping import END, find


# Implements REQ-RES-002.
def link_declarations(facts: FileFacts, bindings: list[Binding]) -> None:
    """Records for each plain assignment to a name which binding declares its type: the last declaration before it in
    the innermost enclosing block that has one. A further declaration starts a new variable. `bindings` are those of the
    name, in order."""
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
    """The type annotation of a binding, or of the binding that declares it; None where there is none."""
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
    """Whether a value is assigned whose type is open: a literal has its own type."""
    if binding.kind != VALUE or binding.payload[0] == "k" or not isinstance(binding.site, Assignment):
        return False
    return binding.site.kind == "="


# Implements REQ-RES-002.
def hand_outward(file: FileIndex) -> None:
    """Makes what a function assigns to a name that it does not declare flow to the enclosing variable, in languages
    that work so. After the assignment the function sees the assigned value; before it, the enclosing variable."""
    kinds = file.policy.scopes.assigns_outward
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
                # Looked up once per variable: thousands of functions may assign to it, and what they assign declares no
                # type.
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
    """Whether inner functions may assign to a variable, and the binding that declares its type."""
    takes_in = all(binding.kind in (VALUE, OPAQUE, PARAMETER) for binding in bindings)
    return takes_in, next((binding for binding in bindings if declared_type(binding) is not None), None)


def _outer(file: FileIndex, scope: Scope, owner: Scope | None, name: str) -> Binding | None:
    """The enclosing variable that an assignment in a function writes: an inherited field where no scope of the file
    binds it. None where there is no such variable."""
    if owner is not None:
        return Binding(VALUE, -1, -1, ("n", name), Site(owner.number, END, -1))
    if not file.policy.scopes.members_in_scope:
        return None
    return Binding(VALUE, -1, -1, ("a", ("v",), name), Site(scope.number, END, -1))


def _handed(binding: Binding) -> Binding:
    copy = Binding(VALUE, binding.at, binding.block, binding.payload, binding.site)
    copy.foreign = True
    return copy
