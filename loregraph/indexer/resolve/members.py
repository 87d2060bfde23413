"""Members of values: look-up along the method resolution order, binding of methods to receivers, `super`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from loregraph.indexer.facts import FORWARD, Expr
from loregraph.indexer.resolve import containers, declared, generics, names, passing, results
from loregraph.indexer.resolve.canonical import Rank, rank
from loregraph.indexer.resolve.classes import all_subclasses, field_cell, function_field, is_record
from loregraph.indexer.resolve.constructors import constructed
from loregraph.indexer.resolve.dispatch import MEMBERS, OPERATORS, evaluate, member_of
from loregraph.indexer.resolve.engine import UNLIMITED, Engine, union
from loregraph.indexer.resolve.functions import accessor, bound, is_abstract, receiver_function
from loregraph.indexer.resolve.hierarchy import is_root, linearised
from loregraph.indexer.resolve.kept_apart import own_values
from loregraph.indexer.resolve.model import (
    DEFINITION,
    FINAL,
    IMPORT,
    Bound,
    Cell,
    Class,
    Container,
    External,
    ExternalInstance,
    FieldCell,
    FileIndex,
    Function,
    FunctionMethod,
    Instance,
    ReturnsReceiver,
    Super,
    Value,
    Values,
    Wrapped,
    function_name,
)
from loregraph.indexer.resolve.scoping import find
from loregraph.indexer.resolve.types import closed

MAX_DISPATCH = 24
MANY_BELOW: Final = 64
"""From so many subclasses on, an index of their member names is built."""
_BELOW: Final = ("below",)
_HAVING: Final = ("having",)
"""A call through a declared type or abstract method gets edges to at most so many overrides."""
MAX_OF_MANY = 8
"""Where there are more overrides, the number that gets edges: the least by `canonical.rank`."""


class Member:
    """The result of looking up one name on a class; the values stay in the cells.

    `fields` are stores on instances or classes along the resolution order; `cell` is the binding in the first class
    body that has one, that of class `owner`; `extra` are members outside the body; `external` is the member that an
    external base would provide.
    """

    __slots__ = ("cell", "external", "extra", "fields", "owner")

    def __init__(
        self, fields: tuple[FieldCell, ...], owner: Class | None, cell: Cell | None, extra: Values, external: Values
    ) -> None:
        self.fields = fields
        self.owner = owner
        self.cell = cell
        self.extra = extra
        self.external = external

    @property
    def found(self) -> bool:
        return bool(self.cell is not None or self.extra or self.fields or self.external)


def lookup(engine: Engine, cls: Class, name: str) -> Member:
    """The member `name` of instances of `cls`."""
    if engine.project.mixing and engine.reader is not None:
        engine.lookers.setdefault(cls, {})[engine.reader] = None
    found: Member | None = cls.lookups.get(name)
    below: list[Class] = []
    while found is None:
        order = linearised(engine, cls) if cls.file.policy.members.inherits else (cls,)
        above = order[1] if len(order) > 1 else None
        below.append(cls)
        if (
            isinstance(above, Class)
            and name not in cls.scope.bindings
            and name not in cls.extra
            and name not in engine.project.stored_names
            and name not in cls.file.policy.construction.kept_names
            and not cls.gained
            and linearised(engine, above) == order[1:]
        ):
            cls = above
            found = cls.lookups.get(name)
        else:
            found = _search(engine, order, name, True)
    for cls in below:
        cls.lookups[name] = found
    return found


def _search(engine: Engine, order: tuple[Class | External, ...], name: str, with_fields: bool) -> Member:
    fields: list[FieldCell] = []
    external: Values = ()
    stored = with_fields and (name in engine.project.stored_names or _is_gained(order, name) or _is_kept(order, name))
    stored = stored and not _is_primitive(order, name)
    owner: Class | None = None
    cell: Cell | None = None
    extra: Values = ()
    for cls in order:
        if isinstance(cls, External):
            if owner is None and not external and not is_root(cls):
                external = engine.member_of(cls, name).alone
            continue
        if stored:
            fields.append(field_cell(cls, name))
        if owner is None:
            cell = names.exit_cell(engine, cls.scope, name)
            outside = cls.extra.get(name)
            if outside:
                extra = tuple(outside)
            if cell is not None or outside:
                owner = cls
                if not stored:
                    break
    if owner is not None:
        external = ()
    return Member(tuple(fields), owner, cell, extra, external)


def _is_gained(order: tuple[Class | External, ...], name: str) -> bool:
    """Whether a call has copied a member `name` to a class."""
    return any(isinstance(cls, Class) and cls.gained is not None and name in cls.gained for cls in order)


def _is_kept(order: tuple[Class | External, ...], name: str) -> bool:
    """Whether an external base may store a constructor argument as `name`."""
    first = order[0] if order else None
    if not isinstance(first, Class) or not first.file.policy.construction.kept_by_bases:
        return False
    records: tuple[Class, ...] | None = first.lookups.get(_RECORDS)
    if records is None:
        outside = first.file.policy.construction.record_bases
        all_ = any(isinstance(base, External) and base.path in outside for base in order)
        records = tuple(base for base in order if isinstance(base, Class) and (all_ or is_record(base)))
        first.lookups[_RECORDS] = records
    if name in first.file.policy.construction.kept_names:
        return True
    return any(b.type is not None for cls in records for b in cls.scope.bindings.get(name, ()))


_RECORDS = ("records",)


def _is_primitive(order: tuple[Class | External, ...], name: str) -> bool:
    """Whether a class declares its attribute `name` as a string, a number or nothing."""
    for cls in order:
        if isinstance(cls, Class):
            for binding in cls.scope.bindings.get(name, ()):
                if binding.type is not None and closed(binding.type):
                    return True
    return False


def _external_member(engine: Engine, value: External, name: str) -> Values:
    return engine.member_of(value, name).alone


def _external_instance_member(engine: Engine, value: ExternalInstance, name: str) -> Values:
    held = declared.attribute(engine, value, name)
    return held if held is not None else engine.member_of(value.type, name).alone


def instance_member(engine: Engine, value: Instance, name: str) -> Values:
    """`instance.name`."""
    found = own_instance_member(engine, value, name)
    return _or_forwarded(engine, value.cls.file, value, name, found)


def _or_forwarded(engine: Engine, file: FileIndex, value: Value, name: str, found: Values) -> Values:
    """For a member that a type lacks, or that only an external supertype may have: what it is forwarded to is more
    precise."""
    if file.policy.members.forwards and _may_be_forwarded(name, found):
        return evaluate(engine, file, None, ("->", value, name)) or found
    return found


def _may_be_forwarded(name: str, found: Values) -> bool:
    return name.endswith("()") and all(type(held) is External for held in found)


def own_instance_member(engine: Engine, value: Instance, name: str) -> Values:
    """`instance.name`, without forwarding to other objects."""
    settled = value.settled.get(name)
    if settled is not None:
        return settled
    policy = value.cls.file.policy
    if name == policy.members.class_member:
        return value.cls.alone
    member = lookup(engine, value.cls, name)
    parts = [engine.read(field) for field in member.fields]
    if policy.construction.functions_construct:
        parts = [bind(engine, held, value) for part in parts for held in part]
    if member.cell is not None:
        for held in _without_merged(engine, engine.read(member.cell)):
            if not (member.extra and isinstance(held, Function) and "declaration" in held.definition.flags):
                parts.append(bind(engine, held, value))
    for held in member.extra:
        parts.append(bind(engine, held, value))
    if member.external:
        parts.append(member.external)
    if member.owner is None and policy.members.taken_in:
        parts.append(_expected_of_users(engine, value, name))
    opened = None
    if member.owner is not None and member.owner.definition.type_parameters:
        opened = _open_type(engine, member.owner, name)
        if opened is not None:
            parts.append(generics.member_given(engine, value, member.owner, opened))
    found = union(parts)
    if not found and value.cls.definition.kind == "record" and name.endswith("()"):
        return tuple([same(engine, held) for held in own_instance_member(engine, value, name[:-2])])
    if not found and name in policy.calls.passing_methods:
        return same(engine, value).alone
    final = opened is None and not member.fields and (member.cell is None or member.cell.state == FINAL)
    final = final and value.cls.definition.kind not in policy.members.taken_in
    if (value.declared or any(type(v) is Bound and is_abstract(v.function) for v in found)) and not (
        member.cell is None and (_is_forwarded(engine, value.cls, name) or _is_missing(engine, value.cls, member, name))
    ):
        above = _declaring(value, found) if policy.members.embedding else value
        final = final and all(c is None or c.state == FINAL for _, c, _ in overrides(engine, above.cls, name))
        found = union([found, overriding(engine, above, name)])
    settles = final and not engine.project.mixing and all(_is_method(v, name) for v in found)
    if settles and not (policy.members.forwards and _may_be_forwarded(name, found)):  # enough for `dispatch.member_of`
        value.settled[name] = found
    return found


def _open_type(engine: Engine, owner: Class, name: str) -> Expr | None:
    """The declared type of a member, if it is or contains one of its owner's type parameters."""
    key = ("open", name)
    if key not in owner.lookups:
        written = [b.type for b in owner.scope.bindings.get(name, ()) if b.type is not None]
        owner.lookups[key] = next((type_ for type_ in written if generics.is_open(owner, type_)), None)
    found: Expr | None = owner.lookups[key]
    return found


def _without_merged(engine: Engine, held: Values) -> Values:
    """The members of a class without descriptor objects whose wrapped function is known: a descriptor's result merges
    those of all functions that it was made for."""
    getters = {value.wrapper for value in held if type(value) is Wrapped and results.is_getter(value.wrapper)}
    if not getters:
        return held
    found: list[Value] = []
    for value in held:
        if isinstance(value, Instance) and (getter := getter_of(engine, value)) in getters and getter is not None:
            results.link_implicit(engine, getter, value)
        else:
            found.append(value)
    return tuple(found)


def getter_of(engine: Engine, value: Instance) -> Function | None:
    """The descriptor method that answers for a class attribute, if its result is that of the wrapped function."""
    method = value.cls.file.policy.implicit.item_methods.get("descriptor")
    cell = lookup(engine, value.cls, method).cell if method is not None else None
    held = engine.read(cell) if cell is not None else ()
    if len(held) == 1 and isinstance(held[0], Function) and results.wrapper_result(held[0]).forwarded:
        return held[0]
    return None


def caller_of(engine: Engine, value: Instance) -> Function | None:
    """The method that runs when an object is called, if its result is that of the wrapped function."""
    for name in value.cls.file.policy.implicit.call_methods:
        cell = lookup(engine, value.cls, name).cell
        held = engine.read(cell) if cell is not None else ()
        if len(held) == 1 and isinstance(held[0], Function) and results.is_caller(held[0]):
            return held[0] if results.wrapper_result(held[0]).forwarded else None
    return None


def called_apart(engine: Engine, targets: Values) -> Values:
    """The targets of a call without objects whose wrapped function is known."""
    if len(targets) < 2:
        return targets
    callers = {value.wrapper for value in targets if type(value) is Wrapped and results.is_caller(value.wrapper)}
    if not callers:
        return targets
    return tuple(v for v in targets if not (isinstance(v, Instance) and caller_of(engine, v) in callers))


def _declaring(value: Instance, found: Values) -> Instance:
    """The type that limits which overrides a call may run: the interface that declares the method, where a struct
    embeds it."""
    if value.cls.definition.kind != "interface":
        for held in found:
            if isinstance(held, Bound) and is_abstract(held.function) and held.function.owner is not None:
                return held.function.owner.typed
    return value


def _is_forwarded(engine: Engine, cls: Class, name: str) -> bool:
    """Whether a type forwards a method that it lacks to other objects, so that its subtypes need not be searched."""
    policy = cls.file.policy
    if not policy.members.forwards or not name.endswith("()"):
        return False
    return any(lookup(engine, cls, own).cell is not None for own in (FORWARD, function_name(policy.members.forwards)))


def _is_missing(engine: Engine, cls: Class, member: Member, name: str) -> bool:
    """Whether calling `name` through a type would not compile, because neither it nor a supertype has it. The callee
    then belongs to another type."""
    policy = cls.file.policy
    if not policy.members.common_methods or member.found or name.removesuffix("()") in policy.members.common_methods:
        return False
    for base in linearised(engine, cls):
        if isinstance(base, External):
            if not is_root(base):
                return False
        elif len(base.definition.bases) > len(base.bases or ()):  # some of the supertypes are unknown
            return False
    return True


def _is_method(value: Value, name: str) -> bool:
    """Whether a member is itself a method, not the result of a property."""
    return isinstance(value, External) or (isinstance(value, Bound) and value.function.definition.name == name)


def same(engine: Engine, value: Value) -> Value:
    """A method of a wrapper type that returns the wrapped value."""
    key = ("same", value)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = ReturnsReceiver(value)
    return found


def overriding(engine: Engine, value: Instance, name: str) -> Values:
    """Overrides in subclasses that a call through the class may run."""
    found: list[Value] = []
    for cls, cell, functions in overrides(engine, value.cls, name):
        receiver = cls.typed if value.declared else cls.instance
        if cell is not None:
            for held in engine.read(cell):
                if isinstance(held, Function | Wrapped):
                    found.extend(bind(engine, held, receiver))
        for function in functions:
            found.extend(bind(engine, function, receiver))
    return tuple(found)


def _promoted(engine: Engine, cls: Class, name: str) -> Class | None:
    """The type that declares a method of `cls`: itself, or one that it embeds."""
    for base in linearised(engine, cls):
        if isinstance(base, Class) and (name in base.scope.bindings or name in base.extra):
            return base if base.definition.kind != "interface" else None
    return None


Override = tuple[Class, "Cell | None", tuple[Function, ...]]


def overrides(engine: Engine, cls: Class, name: str) -> tuple[Override, ...]:
    """The subclasses of `cls` that define their own member `name`; of very many, some."""
    key = ("overrides", name)
    known: tuple[Override, ...] | None = cls.lookups.get(key)
    if known is None:
        found: list[Override] = []
        policy = cls.file.policy
        # An embedding type has the methods of the embedded one, but these never call the embedding type's.
        dispatched = not policy.members.embedding or cls.definition.kind == "interface"
        holders: dict[Class, None] = {}
        for sub in _below(cls, name) if dispatched else ():
            holder = _promoted(engine, sub, name) if policy.members.embedding else sub
            if holder is None or holder in holders:
                continue
            if name in holder.scope.bindings or name in holder.extra:
                holders[holder] = None
                cell = names.exit_cell(engine, holder.scope, name)
                found.append((holder, cell, tuple(holder.extra.get(name, ()))))
        if len(found) > MAX_DISPATCH:
            cls.lookups["capped", name.removesuffix("()")] = True
            found = sorted(found, key=_rank_of_class)[:MAX_OF_MANY]
        known = cls.lookups[key] = tuple(found)
    return known


# Implements REQ-SEC-010.
def _below(cls: Class, name: str) -> Sequence[Class]:
    """The subclasses of `cls`, nearest first; where there are many, only those that define `name`, so that they are not
    searched for each method of the type."""
    below: list[Class] | None = cls.lookups.get(_BELOW)
    if below is None:
        below = cls.lookups[_BELOW] = all_subclasses(cls)
    if len(below) < MANY_BELOW or cls.file.policy.members.embedding:
        return below
    having: dict[str, list[Class]] | None = cls.lookups.get(_HAVING)
    if having is None:
        having = cls.lookups[_HAVING] = {}
        for sub in below:
            for own in dict.fromkeys((*sub.scope.bindings, *sub.extra)):
                having.setdefault(own, []).append(sub)
    return having.get(name, ())


def is_capped(value: Value) -> bool:
    """Whether a called method has more overrides than get edges."""
    if not isinstance(value, Bound) or not isinstance(value.receiver, Instance):
        return False
    if not value.receiver.declared and not is_abstract(value.function):  # another call may have found the number before
        return False
    return ("capped", value.function.definition.name) in value.receiver.cls.lookups


def _rank_of_class(override: Override) -> Rank:
    return rank(override[0])


def class_member(engine: Engine, cls: Class, name: str) -> Values:
    """`Class.name`."""
    found = own_class_member(engine, cls, name)
    return _or_forwarded(engine, cls.file, cls, name, found)


def own_class_member(engine: Engine, cls: Class, name: str) -> Values:
    """`Class.name`, without forwarding."""
    if name == "prototype" and cls.file.policy.construction.functions_construct:
        return cls.alone
    member = lookup(engine, cls, name)
    # In languages with companion objects, a type's only own members are other types.
    types_alone = cls.file.policy.members.companions and cls.definition.kind in ("class", "trait")
    parts = [engine.read(field) for field in member.fields]
    if member.cell is not None:
        for held in engine.read(member.cell):
            if (
                isinstance(held, Function)
                and held.definition.kind == "getter"
                and cls.file.policy.construction.functions_construct
            ):
                parts.append(results.returned_values(engine, held, cls))
            elif isinstance(held, Function) and held.receives == "class":
                parts.append(bound(held, cls).alone)
            elif types_alone and not isinstance(held, Class):
                continue
            elif isinstance(held, Wrapped) and results.is_getter(held.wrapper):
                continue  # the companion object exists as well
            elif not (member.extra and isinstance(held, Function) and "declaration" in held.definition.flags):
                parts.append(held.alone)
    if member.extra:
        parts.append(member.extra)
    if member.external:
        parts.append(member.external)
    return union(parts)


def super_member(engine: Engine, value: Super, name: str) -> Values:
    """`super().name`: from the next class in the receiver's resolution order that has it."""
    receiver = value.receiver
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    if not isinstance(cls, Class):
        return ()
    order = linearised(engine, cls)
    if value.cls not in order:
        return ()
    key = ("super", value.cls, name)
    member: Member | None = cls.lookups.get(key)
    if member is None:
        rest = order[order.index(value.cls) + 1 :]
        member = cls.lookups[key] = _search(engine, rest, name, False)
    parts: list[Values] = []
    if member.cell is not None:
        for held in _without_merged(engine, engine.read(member.cell)):
            if isinstance(receiver, Instance):
                parts.append(bind(engine, held, receiver))
            elif isinstance(held, Function) and held.receives == "class":
                parts.append(bound(held, receiver).alone)
            else:
                parts.append(held.alone)
    for held in member.extra:
        parts.append(bind(engine, held, receiver))
    parts.append(member.external)
    return union(parts)


def bind(engine: Engine, value: Value, receiver: Value) -> Values:
    """A class attribute as read through an instance."""
    if isinstance(value, Function):
        if value.receives == "class":
            return bound(value, receiver.cls if isinstance(receiver, Instance) else receiver).alone
        if value.receives == "instance":
            if value.definition.kind == "setter" and value.file.policy.construction.functions_construct:
                getter = accessor(value, "getter")
                return results.returned_values(engine, getter, receiver) if getter is not None else ()
            if "property" in value.definition.flags or value.definition.kind == "getter":
                getter = accessor(value, "getter") or value  # a property is represented by its last accessor
                return results.returned_values(engine, getter, receiver)
            if value.file.policy.members.embedding and value.owner is not None and isinstance(receiver, Instance):
                # A promoted method runs on the embedded part and knows nothing of the embedding value.
                receiver = generics.embedded(engine, receiver, value.owner)
            return bound(value, receiver).alone
        if value.owner is None and value.file.policy.members.explicit_receiver:
            return bound(value, receiver).alone
        return value.alone
    if isinstance(value, Wrapped):
        if results.is_getter(value.wrapper):
            return results.described(engine, value, receiver)
        original = value.original
        if isinstance(original, Function) and not original.receives:
            return value.alone
        holder = receiver
        if isinstance(original, Function) and original.receives == "class" and isinstance(receiver, Instance):
            holder = receiver.cls
        return wrapped(engine, value.wrapper, original, holder).alone
    if isinstance(value, Instance):
        method = value.cls.file.policy.implicit.item_methods.get("descriptor")
        if method is not None and lookup(engine, value.cls, method).cell is not None:
            return returned_by(engine, value, method)
    return value.alone


def wrapped(engine: Engine, wrapper: Function, original: Value, receiver: Value | None) -> Wrapped:
    """`original` as decorated by `wrapper`; one value per combination."""
    key = ("wrapped", wrapper, original, receiver)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = Wrapped(wrapper, original, receiver)
    known = ("wraps", engine.home, wrapper, original)
    if not engine.projecting and known not in engine.linked:
        engine.linked.add(known)
        engine.add(wraps_cell(wrapper), original.alone)
    assert isinstance(found, Wrapped)
    return found


def wraps_cell(wrapper: Function) -> Cell:
    """The cell of the functions that a wrapper wraps."""
    if wrapper.wraps is None:
        wrapper.wraps = Wraps(wrapper)
    return wrapper.wraps


class Wraps(Cell):
    """All functions that a wrapper wraps, without a limit."""

    __slots__ = ("wrapper",)
    limit = UNLIMITED

    def __init__(self, wrapper: Function) -> None:
        super().__init__(wrapper.file)
        self.wrapper = wrapper

    def compute(self, engine: Engine) -> Values:
        return self.values


def function_member(engine: Engine, value: Function | Wrapped, name: str) -> Values:
    """An attribute stored on a function."""
    if isinstance(value, Wrapped):
        parts = [function_member(engine, value.wrapper, name)]
        if isinstance(value.original, Function | Wrapped):
            parts.append(function_member(engine, value.original, name))
        return union(parts)
    if name.removesuffix("()") in value.file.policy.calls.function_calls:
        return value.alone
    if value.file.policy.construction.functions_construct:
        if name == "prototype":
            return constructed(engine, value).alone
        if name in ("call", "apply", "bind"):
            return function_method(engine, value, name)
    if name in engine.project.stored_names:
        held = engine.read(function_field(value, name))
        return (
            tuple([_on_function(v, value) for v in held])
            if value.file.policy.construction.functions_construct
            else held
        )
    return ()


def _on_function(value: Value, receiver: Function) -> Value:
    """A function stored on another function, which is its receiver: `app.use = function () { this.lazy() }`."""
    if type(value) is Function and value.owner is None and value.receives == "instance":
        return bound(value, receiver)
    return value


def bound_member(engine: Engine, value: Bound, name: str) -> Values:
    """A member of a bound method object: a way to call it."""
    policy = value.function.file.policy
    if policy.construction.functions_construct and name in ("call", "apply", "bind"):
        return function_method(engine, value.function, name)
    return value.alone if name.removesuffix("()") in policy.calls.function_calls else ()


def returned_by(engine: Engine, value: Instance, name: str, arguments: tuple[Expr, ...] = ()) -> Values:
    """The result of calling `value.name()`, for methods that syntax calls."""
    parts = []
    for method in instance_member(engine, value, name):
        if isinstance(method, Bound):
            parts.append(results.returned_values(engine, method.function, method.receiver, arguments))
        elif isinstance(method, Function):
            parts.append(results.returned_values(engine, method, None))
    return union(parts)


def external_base(engine: Engine, cls: Class) -> External | None:
    """The first external class among the supertypes of `cls`."""
    for base in linearised(engine, cls):
        if isinstance(base, External) and not is_root(base):
            return base
    return None


def function_method(engine: Engine, value: Function, name: str) -> Values:
    """`call`, `apply` and `bind` of a function."""
    key = ("function-method", value, name)
    found = engine.interned.get(key)
    if found is None:
        found = engine.interned[key] = FunctionMethod(value, name)
    return found.alone


def own_member(engine: Engine, value: Instance, name: str) -> Values:
    """A method from a class of the project; nothing where only an external base may provide it."""
    if lookup(engine, value.cls, name).cell is None:
        return ()
    return instance_member(engine, value, name)


def _super(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    function = receiver_function(file, site.scope)
    if function is None:
        return ()
    owner = function.owner
    if owner is None:
        return _prototypes(engine, function)
    found = []
    for value in engine.read(passing.receiver_cell(engine, function)):
        if isinstance(value, Instance | Class):
            key = ("super", owner, value)
            known = engine.interned.get(key)
            if known is None:
                known = engine.interned[key] = Super(owner, value)
            found.append(known)
    return tuple(dict.fromkeys(found))


def _prototypes(engine: Engine, function: Function) -> Values:
    """`super` in a method of an object literal: its prototype."""
    if not function.file.policy.construction.functions_construct:
        return ()
    held = engine.read(passing.receiver_cell(engine, function))
    key = ("str", "__proto__")
    return union([engine.read(containers.field_of(engine, v, key)) for v in held if isinstance(v, Container)])


def _of_objects(engine: Engine, file: FileIndex, site: Any, expr: Expr, base: Values) -> Values:
    """A member in languages where classes are objects and functions implement interfaces with one method:
    `visitor.visit(x)` calls the function passed for a `Visitor`."""
    name = expr[2]
    parts: list[Values] = []
    functions: list[Value] = []
    named: bool | None = None
    for value in base:
        if type(value) is Class:
            if named is None:
                named = is_type_name(file, site, expr[1])
            if name == "new()":
                parts.append(value.alone)
            elif named:
                parts.append(class_member(engine, value, name))
            else:
                parts.append(evaluate(engine, file, site, ("K", value, name)))
                functions.append(value)
        else:
            parts.append(member_of(engine, value, name))
            if type(value) is Function or type(value) is Bound:
                functions.append(value)
    if functions and any(type(v) is Bound and is_abstract(v.function) for part in parts for v in part):
        parts.append(tuple(functions))
    return union(parts)


def is_type_name(file: FileIndex, site: Any, expr: Expr) -> bool:
    """Whether an expression is a type's own name, so that its members are the type's static ones."""
    while expr[0] == "a" and not expr[2].endswith("()"):
        expr = expr[1]
    if expr[0] != "n":
        return bool(expr[0] == "v")  # in the body of a class
    owner = find(file.scopes[site.scope], expr[1])
    return owner is None or any(b.kind in (DEFINITION, IMPORT) for b in owner.bindings[expr[1]])


def _attribute(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    base = evaluate(engine, file, site, expr[1])
    if not base:
        return ()
    name = expr[2]
    if file.policy.members.class_objects:
        return _of_objects(engine, file, site, expr, base)
    if len(base) == 1 and not file.policy.members.taken_in:
        found = member_of(engine, base[0], name)
        if (
            len(found) > 1
            and expr[1][0] == "n"
            and file.policy.construction.kept_by_bases
            and type(base[0]) is Instance
        ):
            return own_values(engine, file, site, expr[1][1], base[0], name, found)
        return found
    parts = [member_of(engine, value, name) for value in base]
    if (
        file.policy.members.taken_in and expr[1][0] == "n" and expr[1][1] in file.policy.types.self_types
    ):  # `static::name()`
        parts += [_expected_of_users(engine, value, name) for value in base if type(value) is Class]
    return union(parts)


def _expected_of_users(engine: Engine, value: Instance | Class, name: str) -> Values:
    """A member that a trait expects from the types that use it."""
    cls = value.cls if isinstance(value, Instance) else value
    if cls.definition.kind not in cls.file.policy.members.taken_in or not name.endswith("()"):
        return ()
    return evaluate(engine, cls.file, None, ("^", value, name))


OPERATORS.update({"a": _attribute, "p": _super})
MEMBERS.update(
    {
        External: _external_member,
        ExternalInstance: _external_instance_member,
        Class: class_member,
        Instance: instance_member,
        Super: super_member,
        Function: function_member,
        Bound: bound_member,
        Wrapped: function_member,
    }
)
