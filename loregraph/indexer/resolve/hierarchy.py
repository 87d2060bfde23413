"""Supertypes: base classes as values, method resolution orders, subclasses."""

from __future__ import annotations

from collections import Counter, deque
from itertools import islice
from typing import Final

from loregraph.indexer.resolve.canonical import rank
from loregraph.indexer.resolve.classes import MAX_ANCESTORS, types_of
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine, TooDeepError
from loregraph.indexer.resolve.model import Class, Container, External, Function, Instance, Site, Value
from loregraph.indexer.resolve.scoping import innermost

MAX_NESTED: Final = 20
"""Maximum nesting while finding supertypes that need other supertypes (`class A(B.Inner)`), at some ten Python frames
each."""


def bases_of(engine: Engine, cls: Class) -> tuple[Class | External, ...]:
    """The direct supertypes of `cls`, in order, computed once. For a type declared in several parts, those of all
    parts."""
    known = cls.bases
    if known is not None:
        return known
    if cls.file.kin is not None:
        known = cls.file.kin.bases(cls)
        if known is not None:
            cls.bases = known
            return known
    if engine.nested >= MAX_NESTED:
        engine.cut(cls.file, cls.definition.start_line, "its supertypes, found through too many other types'")
        cls.bases = ()
        return ()
    parts = engine.project.parts.get(cls, (cls,))
    for part in parts:
        part.bases = ()  # a class that inherits from its own name
    engine.nested += 1
    saved, engine.reader = engine.reader, None
    home = engine.home
    found: dict[Class | External, None] = {}
    try:
        for part in parts:
            engine.home = part.file
            found.update(dict.fromkeys(_written(engine, part)))
    except TooDeepError:
        for part in parts:
            part.bases = None
        raise
    finally:
        engine.reader = saved
        engine.home = home
        engine.nested -= 1
    for part in parts:
        part.bases = tuple(base for base in found if base not in parts)
    return cls.bases or ()


def _written(engine: Engine, cls: Class) -> list[Class | External]:
    """The supertypes in one part of a type's declaration, and those added elsewhere."""
    file = cls.file
    definition = cls.definition
    parent = cls.scope.parent
    scope = parent.number if parent is not None else -1
    block = innermost(parent, definition.start_byte) if parent is not None and file.facts.blocks else -1
    site = Site(scope, definition.start_byte, block)
    found: list[Class | External] = []
    if len(definition.bases) > MAX_ANCESTORS:
        engine.cut(file, definition.start_line, f"supertypes after the first {MAX_ANCESTORS}")
    for base in definition.bases[:MAX_ANCESTORS]:
        held = evaluate(engine, file, site, base.type)
        for value in types_of(held) if file.policy.members.companions else held:
            if isinstance(value, Class | External) and value is not cls and value not in found:
                found.append(value)
            elif isinstance(value, Function) and value.is_type and value.constructs is not None:
                found.append(value.constructs)
            elif isinstance(value, Instance | Container):
                continue
    return found + [base for base in engine.project.extra_bases.get(cls, ()) if base not in found]


ROOTS = frozenset(
    {"builtins.object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "abc.ABC", "java.Object"}
)
"""External bases whose members are not worth an edge."""


def is_root(value: External) -> bool:
    """Whether an external base says nothing about members."""
    return value.path in ROOTS


# Implements REQ-RES-006.
def linearised(engine: Engine, cls: Class) -> tuple[Class | External, ...]:
    """The method resolution order of `cls`, itself first: C3, or depth-first where C3 has no solution."""
    known = cls.mro
    if known is not None:
        return known
    stack = [cls]
    entered = {cls: None}
    while stack:
        current = stack[-1]
        above = [b for b in bases_of(engine, current) if isinstance(b, Class) and b.mro is None]
        fresh = next((b for b in above if b not in entered), None)
        if fresh is not None:
            stack.append(fresh)
            entered[fresh] = None
            continue
        stack.pop()
        if current.mro is None and not above and engine.project.circular.isdisjoint(current.bases or ()):
            _set_order(engine, current, _order(current, engine.project.parts.get(current, ())))
    for one in entered:  # classes in an inheritance cycle, and their subclasses
        if one.mro is None:
            engine.project.circular.add(one)
            _set_order(engine, one, _nearest_first(engine, one))
    assert cls.mro is not None
    return cls.mro


def _nearest_first(engine: Engine, cls: Class) -> tuple[Class | External, ...]:
    """The order for a class above an inheritance cycle: breadth-first, the only order that does not depend on where one
    enters the cycle."""
    found: dict[Class | External, None] = {cls: None}
    level: list[Class | External] = [cls]
    while level and len(found) <= MAX_ANCESTORS:
        level = [base for one in level if isinstance(one, Class) for base in bases_of(engine, one) if base not in found]
        found.update(dict.fromkeys(level))
    return tuple(found)


def _set_order(engine: Engine, cls: Class, order: tuple[Class | External, ...]) -> None:
    if len(order) > MAX_ANCESTORS:
        engine.cut(cls.file, cls.definition.start_line, f"types more than {MAX_ANCESTORS} above it")
    cls.mro = order[:MAX_ANCESTORS]


def _order(cls: Class, parts: tuple[Class, ...]) -> tuple[Class | External, ...]:
    """The order of one class; further parts of a type's declaration follow right after it."""
    if len(cls.bases or ()) == 1 and not parts:
        only = (cls.bases or ())[0]
        above = only.mro if isinstance(only, Class) else None
        if above is not None and cls not in above:
            return (cls, *above)
    sequences: list[list[Class | External]] = []
    for base in cls.bases or ():
        # A base without an order yet inherits from this very class.
        sequences.append(list(base.mro or (base,)) if isinstance(base, Class) else [base])
    sequences.append(list(cls.bases or ()))
    merged = _merge([s for s in sequences if s])
    if merged is None:
        merged = list(dict.fromkeys(c for sequence in sequences for c in sequence))
    own = (cls, *(part for part in parts if part is not cls))
    return (*own, *(c for c in merged if c not in own))


def _merge(sequences: list[list[Class | External]]) -> list[Class | External] | None:
    result: list[Class | External] = []
    behind = Counter(cls for sequence in sequences for cls in islice(sequence, 1, None))
    left = [deque(sequence) for sequence in sequences]
    while left and len(result) <= MAX_ANCESTORS:
        head = next((sequence[0] for sequence in left if not behind[sequence[0]]), None)
        if head is None:
            return None
        result.append(head)
        for sequence in left:
            if sequence[0] is head:
                sequence.popleft()
                if sequence:
                    behind[sequence[0]] -= 1
        left = [sequence for sequence in left if sequence]
    return result


def is_subclass(engine: Engine, cls: Class, of: Class) -> bool:
    """Whether `cls` is `of` or inherits from it."""
    return of in linearised(engine, cls) or cls in of.subclasses


def common_base(engine: Engine, values: list[Value]) -> Value | None:
    """An instance of the nearest common superclass of these instances; None where there is none."""
    classes = sorted((v.cls for v in values if isinstance(v, Instance)), key=rank)
    for base in linearised(engine, classes[0]):
        if isinstance(base, Class) and all(base in linearised(engine, c) for c in classes[1:]):
            return base.typed
    return None
