"""What one language's rules of naming and calling are, as data.

The evaluator asks these fields and never for a language's name. A language keeps its `POLICY` in
`languages/<language>/policy.py`, where `policies.py` finds it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from loregraph.indexer.facts import FUNCTION_KINDS
from loregraph.indexer.languages.registry import BY_NAME

CALL_ANY: Final = "call"
CALL_NEW: Final = "new"


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


def grouped(**groups: str) -> dict[str, str]:
    """Word → what is said of it, from what is said → all the words that it is said of."""
    return {word: said for said, listed in groups.items() for word in listed.split()}


@dataclass(frozen=True, slots=True)
class Modules:
    """Imports, exports and what files of one package see of one another."""

    style: str = "include"
    """Which rules of imports apply: a key of `imports.STYLES`."""
    files_apart: str = ""
    """Ending of files in a package's folder that belong to no package that others import (Go's tests)."""
    inside: re.Pattern[str] = re.compile(r"(?!)")
    """Searched in what an import names: a place in the project. What is not there is nothing, and no package from
    outside."""
    module_exports: bool = False
    """Only what a file exports can be imported from it (ES modules, CommonJS)."""
    include_scope: bool = False
    """Top-level names are visible through includes; a declaration stands for its definition elsewhere."""
    includer_scope: bool = False
    """What a file includes is run in its place: it sees the names of the one file that includes it too (shells)."""
    private_prefix: str = ""
    """Names with this prefix are not taken along by a star import."""
    imports_passed: bool = True
    """Who imports a module sees what the module has imported by a star; else only what it exports (Dart)."""
    relative_imports: bool = False
    """An import may begin with any name in scope: a package beside the file's own, an object, a value (Scala)."""
    module_hook: str = ""
    """Function of a module that runs where something is imported from it that it may not have."""
    package_scope: bool = False
    """Top-level names are shared by the files of a package."""
    package_lookup: str = ""
    """How names are looked for by declared packages (see `packages`): "own" in the file's own, "outer" also in each
    package around it (C#), "global" also among what no package holds (PHP, Ruby). "": by folders, as Java and Go do."""
    shared_values: re.Pattern[str] = re.compile(r"(?!)")
    """Names of top-level values that other files of the package see; functions and types always are."""
    platform_variants: bool = False
    """A name may have a definition for each platform (Kotlin's `expect` and `actual`): see `source_sets`."""


@dataclass(frozen=True, slots=True)
class Scopes:
    """Which names code sees, and what an assignment binds."""

    members_in_scope: bool = False
    """A bare name in a method may be a member of the enclosing type, inherited ones included."""
    class_body_visible: bool = True
    """Code that stands in a class body sees the names bound in that body."""
    class_scope_visible: bool = True
    """Functions nested in a class body see the names bound in that body."""
    hoisted: bool = True
    """Functions and types can be used before the place they are defined at."""
    assigns_outward: frozenset[str] = FUNCTION_KINDS
    """Kinds of functions in which an assignment to a name that they do not declare is to the variable around them."""
    functions_apart: bool = False
    """Functions have a name space of their own: a variable `f` does not hide what `f()` calls (Java)."""
    default_externals: Mapping[str, str] = field(default_factory=dict)
    """Bare names that the language itself provides → package to name them under."""


@dataclass(frozen=True, slots=True)
class Members:
    """What a receiver is, and how members of values are found."""

    explicit_receiver: bool = False
    """A method's first parameter is its receiver."""
    lexical_receiver: frozenset[str] = frozenset({"lambda"})
    """Kinds of functions that have the receiver of the function around them."""
    late_static: bool = False
    """A static method knows the class that it is called on (PHP's `static`)."""
    class_member: str = ""
    """Member of every object that is its class."""
    class_objects: bool = False
    """A class is a value where it is no bare name: `Item.class`, `Item::new`, `Class.forName("shop.Item")`. Then it has
    the methods of class objects and is called to make an instance (Java): see `class_objects`."""
    literal_members: bool = False
    """Members of an object or struct literal are read with a dot."""
    subscript_members: bool = False
    """A subscript of an object is its member of that name, where it has no method for subscripts: `this["on" + name]`,
    and what is lowered to that (`$this->{"get$name"}()`, `send("on_#{name}")`)."""
    string_keys: bool = False
    """Members of objects are keyed by text: `o[1]` is `o["1"]`."""
    attributes_called: bool = False
    """What is no function gives itself where it is called: an attribute is read by a call (Ruby)."""
    forwards: str = ""
    """Method that gets the calls of those that a type has not, and may hand them on to others: see `forwarding`."""
    extensions: bool = False
    """Functions outside a type can be called like its methods (C#, Kotlin): those flagged `extension`."""
    extensions_imported: bool = False
    """Only extension functions that a file sees count: those of its package, and those that it imports or inherits;
    and only on what they are known to fit."""
    extensions_named: bool = False
    """Any function can be an extension of what its first parameter takes: a file says which are (`extras`:
    "extensions", names of functions or of what they stand in; "extensions for all", those of its own that all files may
    call so). Goes with `extensions_imported` (Solidity's `using L for T`)."""
    common_methods: frozenset[str] = frozenset()
    """The methods that everything has, where a call through a type must be of a method that the type has: what is only
    below it has to be asked for by a cast. Empty where that does not hold."""
    inherits: bool = True
    """A type has the members of its supertypes; else it only promises to have them (Elixir's behaviours)."""
    taken_in: frozenset[str] = frozenset()
    """Kinds of types that are no object's own: what they have not is a member of the types that take them in (PHP's
    traits)."""
    open_types: bool = False
    """A type may be opened again anywhere: definitions of one qualified name are its parts (Ruby)."""
    module_types: bool = False
    """A module is a type all the same: its methods are mixed into others (Ruby)."""
    companions: bool = False
    """A type and an object may share a name: see `companions` (Scala)."""
    embedding: bool = False
    """Members of an unnamed field's type belong to the type around it (Go)."""
    structural: bool = False
    """A type implements each interface whose methods it has, without saying so (Go)."""
    outside_interfaces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Interfaces of the standard library → their methods with the number of parameters, where types are structural."""
    outside_aliases: Mapping[str, str] = field(default_factory=dict)
    """Types of the language and its library → the type that they are another name for, where types are structural."""
    instances: bool = False
    """Methods of a type class are called by their bare name; which instance's one runs, types decide (Haskell)."""


@dataclass(frozen=True, slots=True)
class Construction:
    """How instances are made, and what their members hold from the beginning."""

    constructors: tuple[str, ...] = ("constructor",)
    """Names of methods that run at instantiation, besides definitions of kind constructor."""
    named_constructors: bool = False
    """A constructor whose name is not its type's is called by that name, as a member of the type (Dart)."""
    allocators: tuple[str, ...] = ()
    """Like `constructors`, but called on the class."""
    instantiation: str = CALL_NEW
    """Whether calling a type instantiates it ("call") or only `new` does ("new")."""
    conversion: bool = False
    """Calling a type converts a value to it (Go)."""
    functions_construct: bool = False
    """`new` works on functions, members are put on their `prototype`, a receiver is what a method is called on."""
    raise_instantiates: bool = False
    """Throwing a class instantiates it."""
    makers: frozenset[str] = frozenset()
    """Functions and methods that give an instance of the class they are given: service containers (PHP)."""
    kept_by_bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """External class → the members in which its constructor keeps what it is given, in order: `property`."""
    record_decorators: frozenset[str] = frozenset()
    """Names of decorators that give a class a constructor which keeps what it is given in the members that the body
    declares with a type, in order (Python's `dataclass`)."""
    record_bases: frozenset[str] = frozenset()
    """External classes that do the same for those below them."""
    kept_names: frozenset[str] = field(init=False)
    """The names of the members in `kept_by_bases`."""

    def __post_init__(self) -> None:
        kept = frozenset(name for names in self.kept_by_bases.values() for name in names)
        object.__setattr__(self, "kept_names", kept)


@dataclass(frozen=True, slots=True)
class Calls:
    """Which function a call reaches, and what arguments and results tell."""

    exact_arity: bool = False
    """A call with another number of arguments reaches something else (Elixir)."""
    generic_functions: bool = False
    """Functions of one name are methods of one function, in whatever files of a package they stand; named arguments do
    not decide which one is meant (Julia)."""
    overload_results: bool = False
    """What an overloaded function gives counts only where one is meant or all give the same."""
    dispatch_self: bool = False
    """A call on the receiver itself reaches what subclasses override."""
    receivers_below: bool = False
    """A method that is called on a declared type is looked at with each class below it that runs it, where these are
    few: what it calls on its receiver reaches what they override."""
    sends: bool = False
    """A call says by how it is written whether the receiver is an argument: `a:f()` hands it over, `a.f()` does not.
    Classes are receivers like their instances (Lua)."""
    defaults_replaced: bool = False
    """A parameter's default is only looked at where some call leaves the argument out."""
    function_calls: frozenset[str] = frozenset()
    """Methods of a function value that call it: `invoke`, `call`; those of functional interfaces (Java)."""
    handles: bool = False
    """What is outside the project calls the functions that are named to it without a call: `Owner::name` (Java),
    `$this->run(...)` (PHP)."""
    functions_passed: bool = False
    """Functions are followed into parameters, though a declared type is enough to know what else these hold."""
    callable_names: bool = False
    """A function can be called by a text or a pair that names it (PHP): see `callables`."""
    handed: Mapping[str, str] = field(default_factory=dict)
    """Methods of any value or of wrappers that call a function with it → what they give: see `scope_functions`."""
    handed_unseen: bool = False
    """They call the function that they are given also where nobody knows what they are called on."""
    passing_methods: frozenset[str] = frozenset()
    """Methods of wrappers that hand on what they hold, for types that are read through their wrappers: `unwrap`."""
    callbacks: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    """External function → the positions or names of arguments that it calls."""


@dataclass(frozen=True, slots=True)
class ImplicitCalls:
    """Methods that syntax and built-in functions run without a call of them."""

    call_methods: tuple[str, ...] = ()
    """Method that runs when an instance is called."""
    iterator_methods: tuple[str, ...] = ()
    """Methods that iterating runs: the first on the object, the others on what it returned."""
    context_methods: tuple[str, ...] = ()
    """Methods that entering a context manager runs, in order of preference; then those of leaving it."""
    item_methods: Mapping[str, str] = field(default_factory=dict)
    """Methods behind syntax: "get" and "set" (subscript), "descriptor", "descriptor set" and "descriptor delete"
    (attributes of a class)."""
    operators: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Operator → the methods that it runs, the first one that there is; also "[]", "[]=" and "del []". A language with
    a row here has its expressions searched for these, and for members that are properties: see `operations`."""
    text_methods: tuple[str, ...] = ()
    """The method that everything has and that being put into a text runs, `toString`: see `operations`."""
    text_takers: frozenset[str] = frozenset()
    """External functions that put their arguments into a text."""
    protocols: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """External function → the methods of its first argument that it runs, the first one that there is: `len`."""
    subclass_hook: str = ""
    """Method of its bases that a new class runs."""


@dataclass(frozen=True, slots=True)
class Types:
    """What types that are written tell of values."""

    static_types: bool = False
    """Every receiver has a declared type: values are not followed into parameters."""
    type_parameters_followed: bool = False
    """Values are followed into parameters all the same whose type is a type parameter."""
    basic_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The language's own types → the types that take one too, nearest first; empty: overloads are told apart by the
    number of arguments alone. See `overloading`."""
    literal_types: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Literal type of the facts → (package, name) of its class."""
    literal_names: Mapping[str, str] = field(default_factory=dict)
    """Literal type of the facts → the name of its basic type."""
    value_types: frozenset[str] = frozenset()
    """Basic types that are never null."""
    top_types: frozenset[str] = frozenset()
    """Types that everything is one of."""
    type_wrappers: frozenset[str] = frozenset()
    """Generic types that stand for their argument: `Optional`, `Annotated`, `Box`."""
    type_containers: frozenset[str] = frozenset()
    """Generic types whose last argument is what iterating or subscripting gives."""
    type_classes: frozenset[str] = frozenset()
    """Generic types that stand for the class itself: `type[C]`."""
    type_operators: Mapping[str, str] = field(default_factory=dict)
    """Generic types that compute one: name → "returned" (what a function gives), "instance" (one of a class)."""
    self_types: frozenset[str] = frozenset()
    """Names for the class around them."""


@dataclass(frozen=True, slots=True)
class Library:
    """What the standard library and frameworks do with values."""

    models: Mapping[str, str] = field(default_factory=dict)
    """External function → a row of `library.MODELS`."""
    container_methods: Mapping[str, str] = field(default_factory=dict)
    """Method of a list or mapping → a row of `container_methods.METHODS`."""
    namespace_methods: Mapping[str, str] = field(default_factory=dict)
    """The same of what a command line is parsed into."""
    mappings_give_pairs: bool = False
    """Iterating over a mapping gives its keys with their values; else its keys."""
    declared_outside: bool = False
    """Whether what libraries declare of their functions is known: see `declared`."""


@dataclass(frozen=True, slots=True)
class Fixtures:
    """What a test framework passes to the parameters of tests and fixtures, by their names: see `fixtures`."""

    decorators: frozenset[str] = frozenset()
    """External decorators of functions whose results are passed to parameters of their name."""
    files: str = ""
    """Name of files whose fixtures all files of their folder and below see."""
    plugins: str = ""
    """Variable of a file that names modules whose fixtures it has too."""
    uses: str = ""
    """External decorator that names fixtures which run for a test, or all tests of a class, without being passed."""
    parametrize: str = ""
    """External decorator that names parameters and lists their values."""
    row: str = ""
    """External function that makes one entry of such a list of its arguments."""
    marks: str = ""
    """Variable of a file or class that holds decorators for all tests in it."""
    request: str = ""
    """Parameter that tells a fixture about the test it runs for."""
    params: str = ""
    """Argument of a fixture's decorator that lists values, one for each time that the fixture runs."""
    param: str = ""
    """Member of the request that holds one of these values."""
    asked: str = ""
    """Method of the request that gives the result of the fixture it names."""


_MODULES: Final = Modules()
_SCOPES: Final = Scopes()
_MEMBERS: Final = Members()
_CONSTRUCTION: Final = Construction()
_CALLS: Final = Calls()
_IMPLICIT: Final = ImplicitCalls()
_TYPES: Final = Types()
_LIBRARY: Final = Library()
_FIXTURES: Final = Fixtures()


@dataclass(frozen=True, slots=True)
class Policy:
    """One language. The defaults are the commonest answer among curly-brace languages."""

    language: str
    family: str = ""
    """Files of one family see each other's names (C and C++, JavaScript and TypeScript, Java and Kotlin); a language
    that names none is its own."""
    modules: Modules = _MODULES
    scopes: Scopes = _SCOPES
    members: Members = _MEMBERS
    construction: Construction = _CONSTRUCTION
    calls: Calls = _CALLS
    implicit: ImplicitCalls = _IMPLICIT
    types: Types = _TYPES
    library: Library = _LIBRARY
    fixtures: Fixtures = _FIXTURES
    overloads: bool = field(init=False)
    """Several functions of one scope share a name and are told apart by the number of their parameters: as the
    language's record says."""
    replayed: bool = False
    """Differences of its files are told apart, so that after an edit only what it reaches is solved again. In others
    function bodies take part in what names mean elsewhere (Lua's tables, what Elixir quotes, Ruby's reopened types,
    prototypes and their bodies): any change of their facts reaches everything."""
    summarized: bool = False
    """All that `project.arrange` and `operations.ImplicitCallNames` tell of other files is in a summary: there are no
    packages, namespaces, parts of types or methods outside types."""

    def __post_init__(self) -> None:
        known = BY_NAME.get(self.language)
        object.__setattr__(self, "overloads", known is not None and known.signatures.overloads)
        if not self.family:
            object.__setattr__(self, "family", self.language)
