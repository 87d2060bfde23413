"""The abstract values of expressions, and the cells that hold sets of them.

A value is an entity of the program: a function, a class, an instance of a class (one for all its instances), a bound
method, a module, a list or mapping created at one place, something outside the project. Sets of values are tuples in
the order of discovery without repetitions. Values are compared by identity, so each entity has exactly one value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Protocol

from loregraph.indexer.facts import Assignment, Call, Definition, Expr, FileFacts, Import
from loregraph.indexer.languages.registry import is_test_path

if TYPE_CHECKING:
    from loregraph.indexer.languages.policy import Policy
    from loregraph.indexer.resolve.engine import Engine

Values = tuple["Value", ...]

NEW: Final = 0
IDLE: Final = 1
QUEUED: Final = 2
FINAL: Final = 3
"""States of a cell; a negative state is the stack index of a cell that is being started."""


def function_name(name: str) -> str:
    """The key under which the function `name` is bound in languages where functions have a name space of their own."""
    return f"{name}()"


RECEIVER: Final = -1
"""Index of the receiver parameter where it is implicit (`this`)."""


CALLABLE: Final = 0
INSTANCE: Final = 1
PLAIN: Final = 2


class Value:
    """Base class of all values. `alone` is the set of just this value; `sort` selects the limit of a cell that it
    counts towards."""

    __slots__ = ("alone", "rank")
    sort: int = CALLABLE

    def __init__(self) -> None:
        self.alone: Values = (self,)
        self.rank: tuple[str, ...] | None = None
        """See `canonical.rank`; None until somebody asks."""


class Cell:
    """A set of values that grows until the fixpoint: the possible values of one variable, parameter, field or result.

    `home` is the file whose code it follows: from other files it may read cells, and definitions outside function
    bodies, nothing else. `readers` are the cells to recompute when it grows, `flows` the cells that receive all its
    values. `birth` is the round in which it was started, `height` the number of file borders that its start crossed
    (see `engine`).
    """

    __slots__ = ("birth", "flows", "height", "home", "readers", "state", "values")

    limit: int = 64
    """Maximum number of functions and classes; at the limit the cell stops growing. See also `engine.MAX_INSTANCES`."""
    filtered: bool = False
    """Whether `admit` filters the values that join."""
    of_import: bool = False
    """Whether only the import that it was made for identifies it."""

    def __init__(self, home: FileIndex | None) -> None:
        self.home = home
        self.values: Values = ()
        self.readers: list[Cell] | None = None
        self.flows: list[Cell] | None = None
        self.state = NEW
        self.birth = -1
        self.height = 0

    def compute(self, engine: Engine) -> Values:
        """The values as far as they are known now."""
        return self.values

    def admit(self, engine: Engine, values: Values) -> Values:
        """The values among these that may join."""
        return values

    def grown(self, engine: Engine, added: list[Value]) -> None:
        """Called after values joined."""


class Constant(Cell):
    """A cell that never changes."""

    __slots__ = ()

    def __init__(self, values: Values) -> None:
        super().__init__(None)
        self.values = values
        self.state = FINAL


EMPTY: Final = Constant(())


class Site:
    """A place where expressions are read that are not part of a call, assignment or return."""

    __slots__ = ("at", "block", "scope")

    def __init__(self, scope: int, at: int, block: int) -> None:
        self.scope = scope
        self.at = at
        self.block = block


DEFINITION: Final = 0
IMPORT: Final = 1
VALUE: Final = 2
PARAMETER: Final = 3
OPAQUE: Final = 4


class Binding:
    """One place where a name is bound. `block` is −2 until it is looked up.

    `payload` is the definition's index, the `Import`, or an expression. `foreign` marks a binding in another scope
    (`global x`): it may run at any time and hides no other. `declaration` is the earlier binding whose declared type
    holds for this one too: see `declarations`.
    """

    __slots__ = ("at", "block", "declaration", "foreign", "kind", "payload", "site", "type")

    def __init__(
        self, kind: int, at: int, block: int, payload: Any, site: Any = None, type: Expr | None = None
    ) -> None:
        self.kind = kind
        self.at = at
        self.block = block
        self.payload = payload
        self.site = site
        self.type = type
        self.foreign = False
        self.declaration: Binding | None = None


def is_class(definition: Definition, policy: Policy) -> bool:
    """Whether resolution treats a definition as a type."""
    return definition.is_type or (policy.members.module_types and definition.kind == "module")


class Scope:
    """The names of one file, function, type or namespace."""

    __slots__ = (
        "bindings", "cells", "definition", "fast", "file", "foreign", "is_type", "narrowings", "number", "parent",
        "redirects", "stars", "ways",
    )  # fmt: skip

    def __init__(self, file: FileIndex, number: int, parent: Scope | None, definition: Definition | None) -> None:
        self.file = file
        self.number = number
        self.parent = parent
        self.definition = definition
        self.is_type = definition is not None and is_class(definition, file.policy)
        self.bindings: dict[str, list[Binding]] = {}
        self.redirects: dict[str, Scope] | None = None
        self.stars: list[Import] | None = None
        self.fast: dict[str, Cell] = {}
        self.cells: dict[Any, Cell] = {}
        self.narrowings: dict[str, list[Assignment]] | None = None
        """Name → the tests of its type: see `narrowing`."""
        self.foreign: dict[str, list[Binding]] | None = None
        """Name → its bindings that are `foreign`; None until somebody asks."""
        self.ways: dict[str, tuple[dict[tuple[int, int], int], dict[str, tuple[int, Import]]]] | None = None
        """See `reasons._ways`; None until somebody asks."""


ASIDE: Final = re.compile(r"(^|/)(examples?|samples?|demos?|docs?|benchmarks?)/")
"""Paths of files with examples or benchmarks of a project."""


class FileIndex:
    """The indexed facts of one file. `scopes[-1]` is its top level."""

    __slots__ = (
        "aside", "assigned_at", "blocks", "calls", "classes", "constructors", "containers", "copies", "decorated",
        "exports", "expressions", "facts", "for_tests", "functions", "given", "holders", "implicit", "kept", "kin",
        "module", "named", "named_calls", "path", "places", "policy", "results", "returns", "scopes", "star_exports",
        "stored", "stores", "syntactic", "typed",
    )  # fmt: skip

    def __init__(self, facts: FileFacts, policy: Policy) -> None:
        self.facts = facts
        self.path = facts.path
        self.policy = policy
        self.places: dict[int, dict[int, int]] = {}
        """See `canonical`."""
        self.for_tests = is_test_path(facts.path, facts.language)
        """Whether it holds tests or their helpers."""
        self.aside = self.for_tests or ASIDE.search(facts.path) is not None
        """Whether it holds tests, examples or documentation: what counts last where there is no room for all."""
        self.scopes: list[Scope] = []
        self.functions: dict[int, Function] = {}
        self.classes: dict[int, Class] = {}
        self.constructors: dict[int, list[Function]] = {}
        self.calls: list[Any] = []
        self.implicit: list[Any] = []
        self.given: dict[Class, set[str]] | None = None
        """See `results`: the members in which types keep what they are made with, once somebody asks."""
        self.named: Any = None
        """See `matching`: the names that the module binds, once somebody asks for some by a part of them."""
        self.holders: dict[int, tuple[Any, Expr]] | None = None
        """What holds functions that are written into objects; None until somebody asks."""
        self.copies: dict[int, dict[tuple[int, int], None]] | None = None
        """See `copying`; None until somebody asks."""
        self.named_calls: dict[str, list[Call]] | None = None
        """Calls of bare names by that name; None until somebody asks."""
        self.syntactic: list[Any] | None = None
        """See `syntax_calls`; None until somebody asks."""
        self.results: dict[int, Cell] = {}
        self.returns: dict[int, list[Any]] = {}
        self.stores: list[Store] = []
        self.stored: dict[str | int | None, list[Store]] | None = None
        """Writes to members by their name, and by their scope; None until somebody asks."""
        self.kept: dict[int, dict[str, int]] = {}
        """See `kept_apart.kept_parameters`; filled when somebody asks."""
        self.decorated: dict[int, list[Any]] = {}
        self.containers: dict[int, Container] = {}
        self.expressions: dict[int, list[ExprCell]] = {}
        """Identity of a site → the cells of expressions that other files' cells take in from it."""
        self.typed: dict[int, Values] = {}
        self.exports: dict[str, list[Binding]] = {}
        self.star_exports: list[Import] = []
        self.assigned_at: dict[int, int] = {}
        self.blocks: dict[int, tuple[list[int], list[int]]] | None = None
        """Scope → numbers and starts of its blocks; None until somebody asks."""
        self.module = Module(self)
        self.kin: Kin | None = None
        """What knows supertypes and subtypes of its types; None where they are found by looking."""


class Kin(Protocol):
    """The recorded type hierarchy of files that are not indexed again."""

    def bases(self, cls: Class) -> tuple[Class | External, ...] | None:
        """The direct supertypes of a class; None where they have to be computed."""

    def below(self, cls: Class) -> list[Class] | None:
        """The direct subclasses of a class; None while they are unknown."""


class Store:
    """A value written to a member or subscript: `base.name = value`, `base[key] = value` (then `name` is None)."""

    __slots__ = ("assignment", "base", "file", "key", "name", "value")

    def __init__(
        self, file: FileIndex, assignment: Assignment, base: Expr, name: str | None, key: Expr | None, value: Expr
    ) -> None:
        self.file = file
        self.assignment = assignment
        self.base = base
        self.name = name
        self.key = key
        self.value = value


class Module(Value):
    """A file as a value."""

    __slots__ = ("file",)

    def __init__(self, file: FileIndex) -> None:
        super().__init__()
        self.file = file


class Namespace(Value):
    """A folder, package or `namespace` whose members are spread over several files. `members` looks a name up."""

    __slots__ = ("files", "language", "name", "scope")

    def __init__(self, name: str, language: str, files: tuple[str, ...] = (), scope: Scope | None = None) -> None:
        super().__init__()
        self.name = name
        self.language = language
        self.files = files
        self.scope = scope


class External(Value):
    """Something outside the project: `package` and the dotted `name` within it."""

    __slots__ = ("instance", "members", "name", "package")
    sort = PLAIN

    def __init__(self, package: str, name: str) -> None:
        super().__init__()
        self.package = package
        self.name = name
        self.instance: ExternalInstance | None = None
        self.members: dict[str, External] = {}

    @property
    def path(self) -> str:
        return f"{self.package}.{self.name}" if self.name else self.package


class ExternalInstance(Value):
    """An instance of an external class, or anything else of which only the external type is known."""

    __slots__ = ("type",)
    sort = PLAIN

    def __init__(self, type: External) -> None:
        super().__init__()
        self.type = type


class Literal(Value):
    """A string or number used as a key of a mapping or list."""

    __slots__ = ("key",)
    sort = PLAIN

    def __init__(self, key: tuple[str, str]) -> None:
        super().__init__()
        self.key = key


class Function(Value):
    """A function of the project."""

    __slots__ = (
        "bound", "cells", "constructs", "definition", "fields", "file", "generator", "id", "is_type", "keyed",
        "links", "lists_receiver", "number", "open", "outside", "own_result", "owner", "parameters", "receives",
        "returned", "scope", "signatures", "wraps", "yielded",
    )  # fmt: skip

    def __init__(self, file: FileIndex, number: int, definition: Definition) -> None:
        super().__init__()
        self.file = file
        self.number = number
        self.definition = definition
        self.id = f"{file.path}::{definition.qualname}"
        self.parameters = definition.parameters
        self.owner: Class | None = None
        self.scope: Scope = file.scopes[number]
        self.receives = ""
        """What its receiver is: "instance", "class" or "" for none."""
        self.cells: dict[int, Cell] = {}
        self.links: list[Link] = []
        self.fields: dict[str, FieldCell] = {}
        self.bound: dict[Value, Bound] = {}
        self.returned: Cell | None = None
        self.yielded: Cell | None = None
        self.generator = False
        self.wraps: Cell | None = None
        """The cell of the functions that it stands in for, those that its enclosing function decorates; None where it
        stands in for none."""
        self.outside: Site | None = None
        """See `functions.outer_site`; None until somebody asks."""
        self.own_result: Cell | None = None
        """What it returns itself where it stands in for another one; None until somebody asks."""
        self.constructs: Class | None = None
        """The type that `new` on this function makes, where functions construct; None until somebody asks."""
        self.is_type = False
        """Whether it is that type for all to see."""
        self.open: frozenset[str] | None = None
        """The type parameters in what it says that it gives; None until somebody asks."""
        self.keyed: dict[tuple[int, int], Cell] | None = None
        """Cells of the literals that parameters receive: see `keys`."""
        self.lists_receiver = False
        """Whether the first of the parameters is the receiver."""
        self.signatures: tuple[Function, ...] = ()
        """The signatures of its overloads, where they are written apart."""


class Class(Value):
    """A type of the project. `bases` and `mro` are computed on demand."""

    __slots__ = (
        "_subclasses", "abstract", "applied", "bases", "definition", "depth", "extra", "fields", "file", "gained", "id",
        "instance", "lookups", "mro", "number", "scope", "typed",
    )  # fmt: skip

    def __init__(self, file: FileIndex, number: int, definition: Definition, scope: Scope) -> None:
        super().__init__()
        self.file = file
        self.number = number
        self.definition = definition
        self.id = f"{file.path}::{definition.qualname}"
        self.scope = scope
        self.bases: tuple[Class | External, ...] | None = None
        self.mro: tuple[Class | External, ...] | None = None
        self.depth = 0
        """How many types are in its `mro`; 0 until supertypes are known of all types."""
        self._subclasses: list[Class] | None = None
        self.fields: dict[str, FieldCell] = {}
        self.extra: dict[str, list[Function]] = {}
        """Members that stand outside its body (Go, Rust, C++, extension functions)."""
        self.gained: dict[str, None] | None = None
        """Names of members that calls have copied onto it, besides those that are written anywhere."""
        self.lookups: dict[object, Any] = {}
        self.instance = Instance(self, False)
        self.typed = Instance(self, True)
        self.applied: dict[tuple[bool, tuple[Values, ...]], Instance] | None = None
        """Its instances of which more is known: what its type parameters stand for."""
        self.abstract = definition.kind in ("interface", "trait", "protocol") or "abstract" in definition.flags

    @property
    def subclasses(self) -> list[Class]:
        """The direct subtypes."""
        found = self._subclasses
        if found is None:
            known = self.file.kin.below(self) if self.file.kin is not None else []
            if known is None:
                return []
            found = self._subclasses = known
        return found

    def forget(self) -> None:
        """Clears the look-up caches after members were added."""
        self.lookups.clear()
        self.instance.settled.clear()
        self.typed.settled.clear()
        for known in (self.applied or {}).values():
            known.settled.clear()


class Instance(Value):
    """The instances of a class. `declared` marks one that is only known from a written type: it may be of a subclass.

    `arguments` are the values of the class's type parameters, where they are known: `Repo<Owner>`, see `generics`.
    """

    __slots__ = ("arguments", "cls", "declared", "settled")
    sort = INSTANCE

    def __init__(self, cls: Class, declared: bool) -> None:
        super().__init__()
        self.settled: dict[str, Values] = {}
        """Members whose values will not change any more."""
        self.cls = cls
        self.declared = declared
        self.arguments: tuple[Values, ...] = ()


class Bound(Value):
    """A function together with its receiver."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Function, receiver: Value) -> None:
        super().__init__()
        self.function = function
        self.receiver = receiver


class Wrapped(Value):
    """A decorated function: calls run `wrapper`, which wraps `original`."""

    __slots__ = ("original", "receiver", "wrapper")

    def __init__(self, wrapper: Function, original: Value, receiver: Value | None) -> None:
        super().__init__()
        self.wrapper = wrapper
        self.original = original
        self.receiver = receiver


class Super(Value):
    """`super` in a method of `cls` that runs on `receiver`."""

    __slots__ = ("cls", "receiver")

    def __init__(self, cls: Class, receiver: Value) -> None:
        super().__init__()
        self.cls = cls
        self.receiver = receiver


class Generator(Value):
    """The result of calling a generator function."""

    __slots__ = ("function",)

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function


class Partial(Value):
    """A function with some arguments already bound: `functools.partial`, `bind`."""

    __slots__ = ("call", "file", "function", "skip")

    def __init__(self, function: Value, file: FileIndex, call: Call, skip: int) -> None:
        super().__init__()
        self.function = function
        self.file = file
        self.call = call
        self.skip = skip


class FunctionMethod(Value):
    """`call`, `apply` or `bind` of a function."""

    __slots__ = ("function", "name")

    def __init__(self, function: Function, name: str) -> None:
        super().__init__()
        self.function = function
        self.name = name


class ReturnsReceiver(Value):
    """A method that returns its receiver."""

    __slots__ = ("receiver",)

    def __init__(self, receiver: Value) -> None:
        super().__init__()
        self.receiver = receiver


class Container(Value):
    """A list, tuple, mapping or object literal, identified by the place that creates it.

    Fields are keyed by (literal type, text); `rest` holds elements under unknown keys. `origin` says what created it
    and is unique.
    """

    __slots__ = (
        "announced", "copies", "every", "fields", "file", "has", "heirs", "mapping", "origin", "overriding", "policy",
        "rest",
    )  # fmt: skip
    sort = PLAIN

    def __init__(self, file: FileIndex, mapping: bool, policy: Policy, origin: tuple[Any, ...]) -> None:
        super().__init__()
        self.file = file
        self.mapping = mapping
        self.policy = policy
        self.origin = origin
        self.fields: dict[tuple[str, str], FieldCell] = {}
        self.announced: dict[tuple[str, str], FieldCell] | None = None
        """Members that were named before any code has asked for them: no fields yet."""
        self.rest: FieldCell = FieldCell(self, None)
        self.every: Cell | None = None
        """All elements together; None until somebody asks."""
        self.has: dict[str, Cell] | None = None
        """See `containers.has_cell`."""
        self.heirs: list[Heir] | None = None
        """Containers that this one is spread or sliced into."""
        self.copies: list[Class | Function] | None = None
        """Classes and functions that the members are copied to."""
        self.overriding: frozenset[tuple[str, str]] | None = None
        """Keys that are written behind all spreads; None until somebody asks."""


class Heir:
    """A container that inherits members of another one: numbered members from −`shift` to before `stop`, shifted by
    `shift`, and, unless a slice cuts them off, all members under other keys. Members that a mapping literal defines
    itself are not inherited."""

    __slots__ = ("cut", "shift", "stop", "target")

    def __init__(self, target: Container, shift: int, stop: int, cut: bool) -> None:
        self.target = target
        self.shift = shift
        self.stop = stop
        self.cut = cut


class ContainerMethod(Value):
    """A method of a list or mapping, before it is called."""

    __slots__ = ("container", "name")
    sort = PLAIN

    def __init__(self, container: Container, name: str) -> None:
        super().__init__()
        self.container = container
        self.name = name


class FieldCell(Cell):
    """The values of one member: the union of its stores, each read where it occurs.

    `holder` is the class, function or container that has the member, `key` a name; for a container a literal's type and
    text, or None for its `rest`.
    """

    __slots__ = ("holder", "key", "sources")
    limit = 64

    def __init__(self, holder: Class | Function | Container, key: Any) -> None:
        super().__init__(holder.file)
        self.holder = holder
        self.key = key
        self.sources: list[tuple[FileIndex, Any, Expr]] = []

    def compute(self, engine: Engine) -> Values:
        return engine.evaluated(self.sources)


class ExprCell(Cell):
    """The values of an expression, read where it occurs, for cells of other files."""

    __slots__ = ("expr", "file", "site")

    def __init__(self, file: FileIndex, site: Any, expr: Expr) -> None:
        super().__init__(file)
        self.file = file
        self.site = site
        self.expr = expr

    def compute(self, engine: Engine) -> Values:
        return engine.evaluate(engine, self.file, self.site, self.expr)


def expression_cell(file: FileIndex, site: Any, expr: Expr) -> ExprCell:
    """The cell of an expression that is read at a site; one per expression and site."""
    known = file.expressions.setdefault(id(site), [])
    for cell in known:
        if cell.expr is expr or (cell.expr[0] == expr[0] and _is_same(cell.expr, expr)):
            return cell
    cell = ExprCell(file, site, expr)
    known.append(cell)
    return cell


def _is_same(one: Expr, other: Expr) -> bool:
    """Whether two expressions are composed of the same parts. Those from facts are compared by identity, since each
    place that creates a list creates one of its own."""
    return len(one) == len(other) and all(
        a is b or (type(a) is not tuple and type(a) is not list and a == b) or (_is_literal(a) and a == b)
        for a, b in zip(one, other, strict=True)
    )


def _is_literal(part: Any) -> bool:
    return (type(part) is tuple or type(part) is list) and part[:1] in (("k",), ["k"])


class Link:
    """A call that reaches a function, and how its arguments map to parameters.

    `receiver` is the value of the receiver parameter, `skip` the number of positional arguments bound by an earlier
    partial application, `call` None where there are no arguments (a property, an operator). `transparent` means that a
    wrapper lies between the call and the function.
    """

    __slots__ = ("call", "file", "receiver", "skip", "transparent")

    def __init__(
        self,
        file: FileIndex | None,
        call: Call | None,
        receiver: Value | None,
        skip: int = 0,
        transparent: bool = False,
    ) -> None:
        self.file = file
        self.call = call
        self.receiver = receiver
        self.skip = skip
        self.transparent = transparent
