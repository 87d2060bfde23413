"""Supertypes: bases as values, method resolution orders, subclasses."""

from __future__ import annotations

from loregraph.indexer.resolution import companions, evaluate
from loregraph.indexer.resolution.engine import Engine
from loregraph.indexer.resolution.model import Class, Container, External, Function, Instance, Site, Value
from loregraph.indexer.resolution.scoping import innermost


def bases_of(engine: Engine, cls: Class) -> tuple[Class | External, ...]:
    """The direct supertypes of `cls`, in order; evaluated once."""
    if cls.bases is not None:
        return cls.bases
    cls.bases = ()  # a class that inherits from itself through its own name
    saved, engine.reader = engine.reader, None
    file = cls.file
    definition = cls.definition
    parent = cls.scope.parent
    scope = parent.number if parent is not None else -1
    block = innermost(parent, definition.start_byte) if parent is not None and file.facts.blocks else -1
    site = Site(scope, definition.start_byte, block)
    found: list[Class | External] = []
    for part in engine.parts.get(cls, ()):
        if part is not cls:
            found += [base for base in bases_of(engine, part) if base not in found]
    for base in definition.bases:
        held = evaluate.evaluate(engine, file, site, base.type)
        for value in companions.types_of(held) if file.policy.companions else held:
            if isinstance(value, Class | External) and value is not cls and value not in found:
                found.append(value)
            elif isinstance(value, Function) and value.constructs is not None:
                found.append(value.constructs)
            elif isinstance(value, Instance | Container):
                continue
    found += [base for base in engine.extra_bases.get(cls, ()) if base not in found]
    engine.reader = saved
    cls.bases = tuple(found)
    return cls.bases


# Implements REQ-RES-006.
def linearised(engine: Engine, cls: Class) -> tuple[Class | External, ...]:
    """The resolution order of `cls`, itself first: C3, or depth first where that has no answer."""
    if cls.mro is not None:
        return cls.mro
    stack = [cls]
    entered = {cls}
    while stack:
        current = stack[-1]
        above = [b for b in bases_of(engine, current) if isinstance(b, Class) and b.mro is None and b not in entered]
        if above:
            stack += above
            entered.update(above)
            continue
        stack.pop()
        if current.mro is None:
            current.mro = _order(current, engine.parts.get(current, ()))
    assert cls.mro is not None
    return cls.mro


def _order(cls: Class, parts: tuple[Class, ...]) -> tuple[Class | External, ...]:
    """The order of one class; the other parts of a type that is written in several places stand right behind it."""
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
    while sequences:
        for sequence in sequences:
            head = sequence[0]
            if not any(head in other[1:] for other in sequences):
                break
        else:
            return None
        result.append(head)
        sequences = [rest for s in sequences if (rest := s[1:] if s[0] is head else s)]
    return result


def all_subclasses(cls: Class) -> list[Class]:
    """Every class below `cls`, nearest first."""
    found: dict[Class, None] = {}
    level = cls.subclasses
    while level:
        below: list[Class] = []
        for sub in level:
            if sub is not cls and sub not in found:
                found[sub] = None
                below.extend(sub.subclasses)
        level = below
    return list(found)


def is_subclass(engine: Engine, cls: Class, of: Class) -> bool:
    """Whether `cls` is `of` or inherits from it."""
    return of in linearised(engine, cls) or cls in of.subclasses


def common_base(engine: Engine, values: list[Value]) -> Value | None:
    """An instance of the nearest class that all of these instances have in common; None where there is none."""
    classes = [v.cls for v in values if isinstance(v, Instance)]
    for base in linearised(engine, classes[0]):
        if isinstance(base, Class) and all(base in linearised(engine, c) for c in classes[1:]):
            return base.typed
    return None
