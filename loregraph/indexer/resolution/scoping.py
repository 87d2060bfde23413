"""Which bindings of a name a place may see; decided from one file's facts alone.

Within its own scope a name is read flow-sensitively: only bindings that reach the place count, and one that certainly
ran hides those before it. From an inner function all bindings of the outer scope count (it may run at any time), except
those that a later definition or import replaces. From other files a name has what it holds when the file has run.
"""

from __future__ import annotations

from typing import Any

from loregraph.indexer.resolution.model import DEFINITION, IMPORT, OPAQUE, Binding, Scope

END = 1 << 60
"""A place after everything."""


def find(scope: Scope, name: str) -> Scope | None:
    """The scope that binds `name` as seen from `scope`; None where no scope of the file does."""
    around: Scope | None = scope
    while around is not None:
        if around.redirects is not None:
            target = around.redirects.get(name)
            if target is not None:
                return target if name in target.bindings else None
        if name in around.bindings and (not around.is_type or _visible(around, around is scope, name)):
            return around
        around = around.parent
    return None


def _visible(scope: Scope, within: bool, name: str) -> bool:
    """Whether a bare name sees what a type's body binds: `within` from code that stands in the body itself."""
    policy = scope.file.policy
    if policy.class_scope_visible or (within and policy.class_body_visible):
        return True
    return scope.definition is not None and name in scope.definition.type_parameters


def closure(scope: Scope, bindings: list[Binding]) -> tuple[Binding, ...]:
    """Bindings that code running later, in an inner scope, may see."""
    for i in range(len(bindings) - 1, 0, -1):
        binding = bindings[i]
        if binding.kind in (DEFINITION, IMPORT) and block_of(scope, binding) == -1 and not binding.foreign:
            if _overload(scope, bindings[i - 1], binding):
                continue
            return tuple(bindings[i:]) + tuple(b for b in bindings[:i] if b.foreign)
    return tuple(bindings)


def _overload(scope: Scope, earlier: Binding, later: Binding) -> bool:
    return scope.file.policy.overloads and earlier.kind == DEFINITION and later.kind == DEFINITION


def block_of(scope: Scope, binding: Binding) -> int:
    """The block that a binding stands in, -1 for none."""
    if binding.block == -2:
        at = binding.site.at if binding.kind == DEFINITION else binding.at
        if binding.kind == IMPORT:
            at = binding.payload.at
        binding.block = innermost(scope, at)
    return binding.block


def innermost(scope: Scope, at: int) -> int:
    """The innermost block of `scope` around the place `at`."""
    found = -1
    for number, block in enumerate(scope.file.facts.blocks):
        if block.scope == scope.number and block.start <= at < block.end:
            found = number
    return found


def reaching(scope: Scope, bindings: list[Binding], site: Any) -> tuple[Binding, ...]:
    """Bindings of one name that may be the latest to have run at `site` (None: at the scope's end)."""
    file = scope.file
    blocks = file.facts.blocks
    if site is None:
        at, block, own = END, -1, -1
    else:
        at, block = site.at, site.block
        if block == -2:
            block = innermost(scope, at)
        own = file.assigned_at.get(at, at)
    around = {-1}
    current = block
    while current >= 0:
        around.add(current)
        current = blocks[current].parent
    reach: list[Binding] = []
    hidden_from = -1
    for binding in reversed(bindings):
        if binding.at > at or (binding.at == own and not binding.foreign):
            continue
        reach.append(binding)
        if binding.foreign:
            continue
        if block_of(scope, binding) in around:
            if reach and scope.file.policy.overloads and binding.kind == DEFINITION:
                continue
            hidden_from = binding.at
            reach.extend(b for b in bindings if b.foreign and b.at < binding.at)
            break
    reach.reverse()
    # What a loop's end hands to its next round.
    current = block
    while current >= 0:
        loop = blocks[current]
        if loop.kind == "loop":
            if hidden_from >= loop.start:
                break
            reach.extend(b for b in bindings if at <= b.at < loop.end and b not in reach)
        current = loop.parent
    reach.extend(b for b in bindings if b.foreign and b.at > at and b not in reach)
    if not reach or all(b.kind == OPAQUE for b in reach):
        # Comprehensions bind their names after the place that uses them.
        later = [b for b in bindings if b.at > at and b.at != own]
        if later:
            return tuple(later)
        return tuple(reach) or tuple(bindings)
    return tuple(reach)
