"""Scoping: which bindings of a name are visible at a place, decided from one file's facts alone.

Within its own scope a name is flow-sensitive: only bindings that may reach the place count, and one that certainly ran
hides earlier ones. An inner function sees all bindings of the outer scope (it may run at any time), except those that a
later definition or import replaces. Other files see the values after the file has run.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import Any, Final

from loregraph.indexer.resolve.model import DEFINITION, IMPORT, OPAQUE, Binding, FileIndex, Scope

END = 1 << 60
"""A position after everything."""
MAX_REACHING: Final = 100
"""At most so many bindings of one name count at one place: the nearest before it, and as many carried around a loop."""

_AT: Final = attrgetter("at")


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
    """Whether a bare name sees the bindings of a type's body; `within` means from code in the body itself."""
    policy = scope.file.policy
    if policy.scopes.class_scope_visible or (within and policy.scopes.class_body_visible):
        return True
    return scope.definition is not None and name in scope.definition.type_parameters


def closure(scope: Scope, bindings: list[Binding]) -> tuple[Binding, ...]:
    """The bindings that code running later, in an inner scope, may see."""
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
    """The innermost block around a binding, -1 for none."""
    if binding.block == -2:
        at = binding.site.at if binding.kind == DEFINITION else binding.at
        if binding.kind == IMPORT:
            at = binding.payload.at
        binding.block = innermost(scope, at)
    return binding.block


def innermost(scope: Scope, at: int) -> int:
    """The innermost block of `scope` around the position `at`."""
    blocks = scope.file.facts.blocks
    if not blocks:
        return -1
    numbers, starts = _blocks_by_scope(scope.file).get(scope.number, ([], []))
    place = bisect_right(starts, at) - 1
    found = numbers[place] if place >= 0 else -1
    while found >= 0 and at >= blocks[found].end:
        found = blocks[found].parent
    return found


def _blocks_by_scope(file: FileIndex) -> dict[int, tuple[list[int], list[int]]]:
    """The indexes and starts of each scope's blocks, in order of the text, as extraction emits them."""
    if file.blocks is None:
        file.blocks = {}
        for number, block in enumerate(file.facts.blocks):
            numbers, starts = file.blocks.setdefault(block.scope, ([], []))
            numbers.append(number)
            starts.append(block.start)
    return file.blocks


# Implements REQ-SEC-010.
def reaching(scope: Scope, name: str, site: Any) -> tuple[tuple[Binding, ...], bool]:
    """The bindings of one name that may be the latest to have run at `site` (None: at the scope's end), and whether
    there are more than the limit."""
    file = scope.file
    blocks = file.facts.blocks
    bindings = scope.bindings[name]
    if site is None:
        at, block, own, most = END, -1, -1, len(bindings)
    else:
        at, block, most = site.at, site.block, MAX_REACHING
        if block == -2:
            block = innermost(scope, at)
        own = file.assigned_at.get(at, at)
    around = {-1}
    current = block
    while current >= 0:
        around.add(current)
        current = blocks[current].parent
    others = foreign(scope, name)
    before: list[Binding] = []
    hidden_from = -1
    cut = len(others) > most
    for place in range(bisect_right(bindings, at, key=_AT) - 1, -1, -1):
        binding = bindings[place]
        if binding.at == own and not binding.foreign:
            continue
        if len(before) >= most:
            cut = True
            break
        before.append(binding)
        if binding.foreign:
            continue
        if block_of(scope, binding) in around:
            if file.policy.overloads and binding.kind == DEFINITION:
                continue
            hidden_from = binding.at
            before += others[: min(most, bisect_left(others, hidden_from, key=_AT))]
            break
    reach = dict.fromkeys(reversed(before))
    # Bindings at a loop's end reach its next iteration.
    current = block
    while current >= 0:
        loop = blocks[current]
        if loop.kind == "loop":
            if hidden_from >= loop.start:
                break
            first = bisect_left(bindings, at, key=_AT)
            last = bisect_left(bindings, loop.end, key=_AT)
            cut = cut or last - first > most
            reach.update(dict.fromkeys(bindings[first : min(last, first + most)]))
        current = loop.parent
    after = bisect_right(others, at, key=_AT)
    reach.update(dict.fromkeys(others[after : after + most]))
    if not reach or all(b.kind == OPAQUE for b in reach):
        # Comprehensions bind their names after the place that uses them.
        after = bisect_right(bindings, at, key=_AT)
        later = [b for b in bindings[after : after + most] if b.at != own]
        if later:
            return tuple(later), cut
        return tuple(reach) or tuple(bindings), cut
    return tuple(reach), cut


def foreign(scope: Scope, name: str) -> list[Binding]:
    """The bindings of a name that are in another scope, in order."""
    if scope.foreign is None:
        scope.foreign = {}
    found = scope.foreign.get(name)
    if found is None:
        found = scope.foreign[name] = [b for b in scope.bindings[name] if b.foreign]
    return found
