"""What people and tools of a language take for granted of its source: how it is documented, what is there only under a
condition, what may be unused. The analyses ask these records, and nobody for a language's name.

Expressions are text in `re`'s syntax, compiled by who needs them; "" is none. They are tried at the start of a line
unless it says otherwise.
"""

from __future__ import annotations

import msgspec


class Documentation(msgspec.Struct, frozen=True):
    """How definitions are documented, and which need no words."""

    conventions: tuple[str, ...] = ()
    """Ways of naming parameters that are in use: modules of `analysis/rules/doc_conventions`."""
    marks: tuple[str, ...] = ("///", "//!")
    """What begins a line of a comment that documents, beside `/**`."""
    longer_mark: str = ""
    """The mark with one sign more that some tools want (`---` beside `--`): lines lose all of its sign."""
    long_comment: tuple[str, str] | None = None
    """What opens and closes a comment of several lines, where it is not C's."""
    docstrings: bool = False
    """The first string of a body that stands alone documents, and no comment does."""
    marked_up: bool = False
    """Comments hold tags (XML), so that the graph's words of one do not begin like it."""
    attribute: str = ""
    """An attribute that documents, or hides from the documentation: `#[doc(hidden)]`."""
    stands_in: bool = False
    """What is defined under a condition stands in for what is missing, and is documented where that is."""
    private_module: str = ""
    """Searched in a path: a module that stays within its package, unless the package's own file takes names from it."""
    package_file: str = ""
    """The file of a package that gives names on: `__init__.py`."""
    interfaces: frozenset[str] = frozenset()
    """Methods that interfaces of the standard library ask for: everybody knows them."""
    protocols: tuple[frozenset[str], ...] = ()
    """Groups of methods that everybody knows where a type has several of one: those of files, of containers."""


class Conditions(msgspec.Struct, frozen=True):
    """What of a file is there only under a condition."""

    preprocessed: bool = False
    """Lines with `#if` take code in or out."""
    file: str = ""
    """A line in a file's head that takes all of it in or out: `//go:build`."""
    attribute: str = ""
    """An attribute above a definition that does: `#[cfg(…)]`. It begins with `#[`."""
    imports_under: bool = False
    """An import stands under `if TYPE_CHECKING:` for checkers, under `if __name__ ==` for scripts (Python)."""


class Unused(msgspec.Struct, frozen=True):
    """What nothing uses and is right all the same."""

    permitted: str = ""
    """Searched in a line: an attribute, annotation or comment by which the language's tools let it be."""
    permitted_for_modules: bool = False
    """It also holds for a module where another file declares it: `#[allow(dead_code)] mod x;`."""
    duck_typed: bool = False
    """Whoever gets an object may ask for a method, whether it knows the class or not."""
    implicit_interfaces: bool = False
    """A method whose name begins with a capital may be what an interface from elsewhere asks for."""
    loose_enumerators: bool = False
    """The members of an enumeration are used without its name."""
    underscored: bool = False
    """`_` before a name says that it is not meant to be used."""
    called_by_name: frozenset[str] = frozenset()
    """Methods that the language's own syntax or library calls by their names, without an interface that says so."""
    platform: str = ""
    """A line above a definition by which it is there for the compiler: a namespace of the platform."""


class Signatures(msgspec.Struct, frozen=True):
    """What a function takes, who checks it, and what its head does not say."""

    names_arguments: bool = False
    """Callers may name an argument, so that renaming a parameter breaks them."""
    counts_arguments: bool = False
    """A call with too few or too many arguments is refused."""
    ignores_surplus_arguments: bool = False
    """A function may be given more than it takes."""
    checked_by_position: bool = False
    """The compiler checks what a function is given, and no caller can write a parameter's name."""
    unchecked: bool = False
    """Nothing checks that functions in one table take the same."""
    overloads: bool = False
    """Functions of one name and other parameters are other functions."""
    override_in_head: bool = False
    """A word of the head says that a method overrides another, which the graph may not know."""
    reads_unnamed: str = ""
    """Searched in a line of a body: it reads arguments that no parameter names (`arguments`)."""
    decorators_replace: bool = False
    """A decorator may change what a function takes."""
    rest_documented: bool = False
    """What a rest parameter takes may be documented one by one."""
    labels: bool = False
    """Parameters have labels, by which documentation may name them."""
    macros: bool = False
    """A head may be a macro's, or have one in it."""
    receiver_first: bool = False
    """A method that is not static is written with its receiver as the first parameter."""
    implements: str = ""
    """A line around a method by which it does what something elsewhere asks for: `impl Trait for Type {`."""
    inline_module: str = ""
    """A line that opens a module within a file."""


class Constants(msgspec.Struct, frozen=True):
    """Which assignments and lines define constants, beside names that say so (`MAX_RETRIES`)."""

    declared: bool = False
    """What is declared at the top level with a literal is one, whatever its name looks like."""
    in_types: bool = False
    """All of them stand in types, and begin with a capital."""
    capital_exports: bool = False
    """The first letter says whether a name is exported."""
    in_lines: str = ""
    """Searched in the text, over its lines; group 1 is the name of one that is defined there: `#define MAX 3`."""
    made_by: str = ""
    """The function that makes one of its first argument: `define('MAX', 3)`."""
