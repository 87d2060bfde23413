"""Members of lists and mappings: their cells, and containers that inherit the members of other containers."""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.languages.policy import Policy
from loregraph.indexer.resolve import late_types
from loregraph.indexer.resolve.classes import field_cell, function_field
from loregraph.indexer.resolve.dispatch import elements_of, evaluate
from loregraph.indexer.resolve.engine import FAR, Engine, union
from loregraph.indexer.resolve.model import (
    NEW,
    Cell,
    Class,
    Container,
    FieldCell,
    FileIndex,
    Function,
    Generator,
    Heir,
    Instance,
    Values,
    expression_cell,
)

OBJECT: Final = "object"
"""Origin of containers that model an instance of a generic class outside the project: the values of its type variables
are stored as members, by the variables' names."""
MAX_HEIRS: Final = 64
"""At most so many containers inherit one container's members by spreads or slices."""
MAX_POSITION: Final = 24
"""Distinct positions in a list. Without a bound, a list spread into itself with an offset would never end."""
MAX_DIGITS: Final = 18
"""Maximum digits of a list position; longer numbers are not positions."""

Key = tuple[str, str]


def _written(container: Container, key: Key) -> Key:
    if container.policy.members.string_keys and is_number(key[1]):
        return ("str" if container.mapping else "int", key[1])
    return key


def is_number(text: str) -> bool:
    """Whether a key's text is a number: `isdigit` also accepts `²`, and Python's `int` limits the length of text."""
    return len(text) <= MAX_DIGITS and text.isascii() and text.isdigit()


def position(key: Key) -> int:
    """The list index that a key denotes; −1 where it is none."""
    kind, text = key
    return int(text) if kind == "int" and is_number(text) else -1


def field_of(engine: Engine, container: Container, key: Key) -> FieldCell:
    """The cell of a container's member under a key. Code that iterates over all members sees a new one from the next
    round on."""
    key = _written(container, key)
    if engine.crossings is not None and container.file is not engine.home:
        engine.crossings.sought(engine, container, key)
    field = container.fields.get(key)
    if field is None:
        field = engine.fresh.get((container, key))
        if field is None:
            field = engine.fresh[container, key] = _field(container, key)
            engine.own_effect(container.file, joined, container, key)
    return field


def own_field(container: Container, key: Key) -> FieldCell:
    """The same for a container under construction, which no other code can see yet."""
    key = _written(container, key)
    field = container.fields.get(key)
    if field is None:
        field = container.fields[key] = _field(container, key)
    return field


def announced_field(engine: Engine, container: Container, key: Key) -> FieldCell:
    """The cell of the member under a key. If no code has asked for it yet, the cell is registered for the first that
    does."""
    field = container.fields.get(key) or engine.fresh.get((container, key))
    if field is None:
        if container.announced is None:
            container.announced = {}
        field = container.announced.get(key)
        if field is None:
            field = container.announced[key] = FieldCell(container, key)
    return field


def _field(container: Container, key: Key) -> FieldCell:
    announced = container.announced.pop(key, None) if container.announced else None
    return announced if announced is not None else FieldCell(container, key)


def new(
    engine: Engine, file: FileIndex, key: tuple[object, ...], mapping: bool, policy: Policy, origin: tuple[Any, ...]
) -> Container:
    """A new container, to be kept under `key`, or the one announced under it (see `naming`)."""
    found: Container | None = engine.announced.pop(key, None)
    if found is None:
        return Container(file, mapping, policy, origin)
    found.mapping, found.policy, found.origin, found.rank = mapping, policy, origin, None
    return found


def literal(engine: Engine, mapping: bool, file: FileIndex, site: Any, expr: Expr) -> Container:
    """A new container for a literal expression; the caller adds the members."""
    found = new(engine, file, ("literal", file, id(expr)), mapping, file.policy, ("literal", file, site, expr))
    file.containers[id(expr)] = found
    engine.keep(expr)
    return found


def joined(engine: Engine, container: Container, key: Key) -> None:
    """Makes a member that was asked for visible to all that iterate over the container."""
    field = engine.fresh.pop((container, key), None)
    if field is None:
        return
    container.fields[key] = field
    if container.every is not None and container.every.state != NEW:
        engine.flow(field, container.every)
    if container.has is not None and key[1] in container.has:
        engine.invalidate(container.has[key[1]])
    for heir in container.heirs or ():
        _inherit(engine, key, field, heir)
    for cls in container.copies or ():
        _copy(engine, key, field, cls)


def _inherit(engine: Engine, key: Key, field: FieldCell, heir: Heir) -> None:
    if _is_inherited(key, heir):
        taken = _key_in(heir, key)
        engine.flow(field, heir.target.rest if taken is None else field_of(engine, heir.target, taken))


def _is_inherited(key: Key, heir: Heir) -> bool:
    """Whether an inheriting container takes over the member under a key."""
    if heir.cut and heir.target.mapping:
        return key not in _overriding(heir.target)
    return not heir.cut or -heir.shift <= position(key) < heir.stop


def is_written(container: Container, name: str) -> bool:
    """Whether a literal has an explicit entry for a name."""
    return ("str", name) in _overriding(container)


def _overriding(container: Container) -> frozenset[Key]:
    """The keys written after all spreads in a literal: `{...defaults, key: value}`."""
    if container.overriding is None:
        found: list[Key] = []
        kind, *parts = container.origin
        if kind == "literal" and parts[2][0] == "d":
            for key, _ in reversed(parts[2][1]):
                if key[0] == "x":
                    break
                if key[0] == "k":
                    found.append(_written(container, (key[1], key[2])))
        container.overriding = frozenset(found)
    return container.overriding


def _key_in(heir: Heir, key: Key) -> Key | None:
    """The key under which an inheriting container stores an inherited member; None for the rest (unknown keys)."""
    if heir.target.mapping:
        return key
    place = position(key)
    number = place + heir.shift
    return ("int", str(number)) if place >= 0 and 0 <= number < MAX_POSITION else None


def spread(engine: Engine, source: Container, target: Container, shift: int = 0, below: bool = False) -> None:
    """Makes all members of `source`, present and future, members of `target` under the same keys (numbers shifted).
    With `below`, without the keys that the target mapping defines itself."""
    if source is not target:
        cut = below and target.mapping
        engine.ranked_effect(source.file, target, spread_into, source, Heir(target, shift, FAR, cut))


def spread_into(engine: Engine, source: Container, heir: Heir) -> None:
    if source.heirs is None:
        source.heirs = []
    if len(source.heirs) >= MAX_HEIRS or any(h.target is heir.target and h.shift == heir.shift for h in source.heirs):
        return
    source.heirs.append(heir)
    engine.flow(source.rest, heir.target.rest)
    for key, field in list(source.fields.items()):
        _inherit(engine, key, field, heir)


def sliced(engine: Engine, value: Container, start: int, end: int | None) -> Values:
    """The slice of a list from `start` up to, not including, `end`."""
    key = ("slice", value, start, end)
    found = engine.interned.get(key)
    if found is None:
        part = new(engine, value.file, key, False, value.policy, ("slice", value, start, -1 if end is None else end))
        found = engine.interned[key] = part
        heir = Heir(part, -start, FAR if end is None or end < 0 else end, True)
        engine.feed(value.rest, part.rest)
        for own, field in value.fields.items():
            if _is_inherited(own, heir):
                taken = _key_in(heir, own)
                engine.feed(field, part.rest if taken is None else own_field(part, taken))
        engine.ranked_effect(value.file, part, spread_into, value, heir)
    return found.alone


def copied(engine: Engine, source: Container, cls: Class | Function) -> None:
    """Makes all members of `source`, present and future, members of a class or function. At the barrier."""
    if source.copies is None:
        source.copies = []
    if cls not in source.copies:
        source.copies.append(cls)
        for key, field in list(source.fields.items()):
            _copy(engine, key, field, cls)


def _copy(engine: Engine, key: Key, field: FieldCell, cls: Class | Function) -> None:
    name = key[1]
    if isinstance(cls, Function):
        if name in engine.project.stored_names:
            engine.flow(field, function_field(cls, name))
        return
    engine.effect(cls.file, late_types.gain, cls, name)
    engine.flow(field, field_cell(cls, name))


class Has(Cell):
    """Whether a mapping has an own member with the name of a mapping method; holds the mapping if so."""

    __slots__ = ("container", "name")

    def __init__(self, container: Container, name: str) -> None:
        super().__init__(container.file)
        self.container = container
        self.name = name

    def compute(self, engine: Engine) -> Values:
        container = self.container
        typed = not container.fields and container.rest.sources  # known only from a written type: `Map<K, V>`
        written = self.name in engine.project.stored_names and not typed
        return container.alone if written or ("str", self.name) in container.fields else ()


def has_cell(container: Container, name: str) -> Cell:
    """The cell that tells whether a mapping has an own member with the name of a mapping method."""
    if container.has is None:
        container.has = {}
    found = container.has.get(name)
    if found is None:
        found = container.has[name] = Has(container, name)
    return found


class Every(Cell):
    """All elements of a container, also those added later."""

    __slots__ = ("container",)

    def __init__(self, container: Container) -> None:
        super().__init__(container.file)
        self.container = container

    def compute(self, engine: Engine) -> Values:
        if self.state > 0:
            return self.values
        container = self.container
        parts = [engine.take(container.rest, self)]
        parts += [engine.take(field, self) for field in container.fields.values()]
        return union(parts)


def every_cell(container: Container) -> Cell:
    """The cell of all elements of a list, or all values of a mapping."""
    every = container.every
    if every is None:
        every = container.every = Every(container)
    return every


def every_element(engine: Engine, container: Container) -> Values:
    """All elements of a list, or all values of a mapping."""
    return engine.read(every_cell(container))


def add_source(engine: Engine, field: FieldCell, file: FileIndex, site: Any, expr: Expr) -> None:
    """Lets the values of `expr` flow into a member of a container under construction."""
    if file is field.home:
        field.sources.append((file, site, expr))
    else:
        engine.feed(expression_cell(file, site, expr), field)


class Spread(Cell):
    """A container whose members are spread into another one."""

    __slots__ = ("expr", "file", "shift", "site", "target")

    def __init__(self, target: Container, file: FileIndex, site: Any, expr: Expr, shift: int) -> None:
        super().__init__(file)
        self.target = target
        self.file = file
        self.site = site
        self.expr = expr
        self.shift = shift

    def compute(self, engine: Engine) -> Values:
        target = self.target
        for value in evaluate(engine, self.file, self.site, self.expr):
            if isinstance(value, Container) and value.origin[0] != OBJECT:
                if value.mapping == target.mapping:
                    spread(engine, value, target, self.shift, True)
                elif not target.mapping and not value.mapping:
                    engine.flow(every_cell(value), target.rest)
            elif not target.mapping and isinstance(value, Generator | Instance | Container):
                given = elements_of(engine, self.file, value)
                if given:
                    engine.add(target.rest, given)
        return ()


def spread_later(engine: Engine, target: Container, file: FileIndex, site: Any, expr: Expr, shift: int = 0) -> None:
    """Spreads the members of the values of `expr` into `target`."""
    if expr[0] not in ("x", "k"):
        engine.enqueue(Spread(target, file, site, expr, shift))


def object_field(engine: Engine, value: Container, name: str) -> FieldCell:
    """The member of an object literal that `object.name = …` writes."""
    if value.policy.members.literal_members:
        return field_of(engine, value, ("str", name))
    return FieldCell(value, ("str", name))
