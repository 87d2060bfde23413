"""Language-neutral facts: the output of extraction and the input of resolution.

One `FileFacts` holds everything that resolution knows of a file; it never sees source text or a syntax tree. Facts are
flat, positional (`array_like`) and made of plain values, so that they can be serialised as one msgpack blob, sent by
workers and stored. Every language lowers its syntax to these; adding a language adds no kind of fact.

Expressions are nested tuples whose first item is an operator. They keep what following values needs and drop the rest;
anything else is `UNKNOWN`, never a guess. Each operator below documents the rest of its tuple.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    # Nested expressions are lists after decoding; compiled code checks types at run time.
    Expr = tuple[Any, ...] | list[Any]
else:
    Expr = tuple[Any, ...]

NAME: Final = "n"
"""`(NAME, name)`: a name looked up in scope."""
RECEIVER: Final = "v"
"""`(RECEIVER,)`: `this`, Rust's and Ruby's `self` (Python's `self` is a plain name)."""
PARENT: Final = "p"
"""`(PARENT,)`: `super`, `super()`; the next class of the receiver."""
ATTRIBUTE: Final = "a"
"""`(ATTRIBUTE, base, name)`: member access (`.`, `->`, `::`)."""
RESULT: Final = "c"
"""`(RESULT, call)`: the result of `calls[call]` of the same file."""
SUBSCRIPT: Final = "s"
"""`(SUBSCRIPT, base, key)`; generics in a type: `List<Foo>` is `(SUBSCRIPT, List, Foo)`."""
DEFINED: Final = "f"
"""`(DEFINED, definition)`: a function or class expression, `definitions[definition]` of the same file."""
SEQUENCE: Final = "l"
"""`(SEQUENCE, (item, ...))`: list, tuple, set, array literal or pattern."""
MAPPING: Final = "d"
"""`(MAPPING, ((key, value), ...))`: mapping or object literal or pattern; a spread's key is `UNKNOWN`."""
UNION: Final = "u"
"""`(UNION, (option, ...))`: one of several: conditional, `or`, union type, match arms."""
ELEMENT: Final = "i"
"""`(ELEMENT, expr)`: an element of the iterated value."""
ENTERED: Final = "e"
"""`(ENTERED, expr)`: the result of entering the context manager."""
AWAITED: Final = "w"
"""`(AWAITED, expr)`."""
YIELDED: Final = "y"
"""`(YIELDED, expr)`: what a `yield`/`yield from` evaluates to."""
SPREAD: Final = "*"
"""`(SPREAD, expr)`: all elements of it."""
LITERAL: Final = "k"
"""`(LITERAL, type, text)`: `type` is str, int, float, bool, none, bytes, regex; `text` is kept for strings up to 64
characters and for integers, else "". A string with parts filled in is a "format" where some of it is written: each part
is `FILLED`."""
TYPED: Final = "t"
"""`(TYPED, type, expr)`: a value whose type is written: cast, `as`, composite literal (`Foo{}`)."""
MODULE: Final = "m"
"""`(MODULE, module)`: the module object that a string names: `require("./x")`, `import("./x")`."""
OPERATION: Final = "b"
"""`(OPERATION, sign, left, right)`: binary operator; `right` is None for unary."""
UNKNOWN: Final[Expr] = ("x",)
FILLED: Final = "\0"
"""Placeholder for an interpolated part in the text of a string: `f"get_{name}"` is `get_` and this."""
FILE_SCOPE: Final = -1
"""The scope of a file's top level; every other scope is an index into `definitions`."""

FORWARD: Final = "->"
"""Name of a pseudo-member: the objects to which a type forwards calls of unknown methods; `FORWARD_STATIC` for static
calls. No source can contain these names. Calls forwarded to `DECORATE` return the original receiver."""
FORWARD_STATIC: Final = "::"
DECORATE: Final = "->this"
GIVEN: Final = "()->"
"""Suffix of a pseudo-member: the result of a method that a type only announces."""


class Parameter(msgspec.Struct, array_like=True, frozen=True):
    """One declared parameter. `kind`: "" plain, "*" rest, "**" keyword rest, "kw" keyword only, "this" the receiver.

    `pattern` is the destructuring pattern where the parameter is one (then `name` is "").
    """

    name: str
    type: Expr | None = None
    default: Expr | None = None
    kind: str = ""
    pattern: Expr | None = None


class Base(msgspec.Struct, array_like=True, frozen=True):
    """A supertype as written. `relation` is EXTENDS or IMPLEMENTS."""

    type: Expr
    relation: str
    line: int


class Definition(msgspec.Struct, array_like=True, frozen=True):
    """A function or a type.

    `name` is as written, else the name that a function is assigned to, else `<lambda1>`, `<arrow1>`, …. `qualname` is
    the part of the id after `::`, including `#2` and the numbers of anonymous functions. `kind` of functions:
    function, method, constructor, lambda, getter, setter, macro; of types: class, interface, struct, trait, enum,
    union, protocol, type, annotation, record, object; `namespace` and `module` are scopes without a node of their own
    (a C++ namespace, a Rust `mod {}`, a TypeScript namespace).
    `parent` is the enclosing definition's index or FILE_SCOPE; `owner` names the type of a method defined outside it
    (Go receiver, C++ `Foo::bar`, Rust `impl Foo`), as an expression.
    `flags`: static, classmethod, property, deleter (the accessor that `del` runs; its kind is setter), async,
    generator, abstract, declaration (no body: a prototype, a method of an interface, an overload signature),
    prototype (a declaration of something defined elsewhere, as in C and C++; see `is_node`), test, exported, private,
    const, extension, partial, expression (a function or class expression: its name is not bound in the enclosing scope,
    its value goes where the assignment around it says), class (a function that is used as a class, as in ES5).
    `decorators` are expressions (a call decorator is `("c", call)`), `decorator_names` the same as text.
    `returns` is the declared return type, `type_parameters` the names of generic parameters.
    `docstring` has at most 2,000 characters, `signature` at most 500, both with runs of white space collapsed.
    `content_hash` is a hash of the definition's own text, 16 hex digits.
    """

    name: str
    qualname: str
    kind: str
    parent: int
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str = ""
    docstring: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: Expr | None = None
    bases: tuple[Base, ...] = ()
    decorators: tuple[Expr, ...] = ()
    decorator_names: tuple[str, ...] = ()
    owner: Expr | None = None
    type_parameters: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    complexity: int = 1
    content_hash: str = ""

    @property
    def is_function(self) -> bool:
        return self.kind in FUNCTION_KINDS

    @property
    def dotted_name(self) -> str:
        """`qualname` ending in the definition's own name, where it ends in a number instead (`K.<lambda1>`)."""
        around, dot, last = self.qualname.rpartition(".")
        return f"{around}{dot}{self.name}" if is_anonymous(last) else self.qualname

    @property
    def is_numbered(self) -> bool:
        """Whether its id contains a number in place of a name, which changes when others are added or removed before
        it."""
        return is_anonymous(self.qualname.rpartition(".")[2])

    @property
    def is_type(self) -> bool:
        return self.kind in TYPE_KINDS


FUNCTION_KINDS: Final = frozenset({"function", "method", "constructor", "lambda", "getter", "setter", "macro"})
TYPE_KINDS: Final = frozenset(
    {"class", "interface", "struct", "trait", "enum", "union", "protocol", "type", "annotation", "record", "object"}
)
SCOPE_KINDS: Final = frozenset({"namespace", "module"})


def is_node(kind: str, flags: tuple[str, ...]) -> bool:
    """Whether a definition becomes a node of the graph, and so is counted in ids (`#2`).

    Scopes and macros do not, nor does a "prototype": a declaration of something defined elsewhere.
    """
    return kind not in SCOPE_KINDS and kind != "macro" and "prototype" not in flags


def is_anonymous(name: str) -> bool:
    """Whether a definition's name was generated (`<lambda1>`), unlike an operator's (`<|>`)."""
    return name[:1] == "<" and name[-1:] == ">" and name[1:2].isalpha()


def is_type_node(kind: str, flags: tuple[str, ...]) -> bool:
    """Whether the node is a Class: a type, or a function used as a constructor (JavaScript before `class`)."""
    return kind in TYPE_KINDS or "class" in flags


class Import(msgspec.Struct, array_like=True, frozen=True):
    """One imported name, or a module as a whole.

    `module` is as written (`a.b`, `./x`, `com.acme.Foo`, `crate::x`, `"x.h"`), `level` Python's leading dots.
    `name` is the imported member, "" for the module itself, "*" for all of it. `alias` is the local name it binds, ""
    where it binds none (an include, a side-effect import). `kind`: "" plain, "from", "reexport" (binds no local name;
    exports `alias`), "include", "static" (Java), "require", "dynamic", "type".
    """

    scope: int
    line: int
    at: int
    module: str
    level: int = 0
    name: str = ""
    alias: str = ""
    kind: str = ""


class Export(msgspec.Struct, array_like=True, frozen=True):
    """A name that a module exports explicitly: ES `export`, CommonJS. `name` "=" is the module as a whole
    (`module.exports = …`), "default" the default export."""

    scope: int
    line: int
    at: int
    name: str
    value: Expr


NARROWING: Final = frozenset({"is", "is not"})
"""Kinds of assignments that assign nothing: they give the type of a name where a test has succeeded."""


class Assignment(msgspec.Struct, array_like=True, frozen=True):
    """A value flowing to a target. `target` is a name, member, subscript or pattern; `type` its declared type.

    `kind`: "=" assignment, "declare" a declaration (binds in `scope`; `value` is UNKNOWN without an initialiser),
    "global" and "nonlocal" (`target` is the name), "+=" augmented, "for", "with", "except", "del", "read" (a value that
    is only read: a condition; `target` is UNKNOWN), "is" and "is not" (from `at` to the end of the enclosing block the
    name `value` is of `type`, or is not; None: it can be called; `block` is −2, `target` UNKNOWN). `value` already
    includes the conversion: `("i", xs)` for a loop, `("e", cm)` for a context manager.
    """

    scope: int
    line: int
    at: int
    block: int
    target: Expr
    value: Expr
    type: Expr | None = None
    kind: str = "="


class Call(msgspec.Struct, array_like=True, frozen=True):
    """A call. `kind`: "call", "new" (an explicit instantiation), "macro", "jsx" (a component's use), "decorator",
    "send" (Lua's `a:f()`: the receiver is the first argument, but not in `arguments`), and two silent ones, not
    reported where they run no function of the project: "read" (a name, which is a call if it denotes a function without
    parameters) and "operator".

    `keywords` are named arguments; spreads are `("*", expr)` in `arguments`.
    """

    scope: int
    line: int
    at: int
    block: int
    function: Expr
    arguments: tuple[Expr, ...] = ()
    keywords: tuple[tuple[str, Expr], ...] = ()
    kind: str = "call"


class Return(msgspec.Struct, array_like=True, frozen=True):
    """A value that leaves a function. `kind`: return, yield, yield from, throw."""

    scope: int
    line: int
    at: int
    block: int
    value: Expr
    kind: str = "return"


class Reference(msgspec.Struct, array_like=True, frozen=True):
    """A name used without being called that no other fact contains. `how`: type, value, decorator."""

    scope: int
    line: int
    value: Expr
    how: str


class Block(msgspec.Struct, array_like=True, frozen=True):
    """A run of statements that may run any number of times, for flow-sensitive analysis.

    `parent` is the block around it within the same scope, -1 at the scope's own top. `kind`: branch, loop, try,
    handler.
    """

    scope: int
    parent: int
    kind: str
    start: int
    end: int


class Marker(msgspec.Struct, array_like=True, frozen=True):
    """An id in a comment, docstring or decorator. `scope` is the definition that it is about.

    `kind`: "tag" where a verb declares that the code answers for the id (`Implements: X`), "annotation" for a
    decorator's argument, "label" for that of one which only files code under something, "mention" for the bare id.
    `text` is the line.
    """

    scope: int
    line: int
    id: str
    kind: str
    text: str


class Problem(msgspec.Struct, array_like=True, frozen=True):
    """Something in a file that could not be read. `line` is 0 where there is no specific line."""

    line: int
    message: str


class FileFacts(msgspec.Struct, array_like=True):
    """The facts of one file.

    `at` in the lists below is a byte offset: the order of things within the file. `block` is an index into `blocks`, -1
    outside any. `package` is the package that the file declares (`package com.acme;`, Go's `package http`), "" where it
    declares none. `extras` has data for a single language's import rules (for instance Python's `__all__`).
    """

    path: str
    language: str
    content_hash: str
    lines: int
    status: str
    problems: tuple[Problem, ...] = ()
    package: str = ""
    docstring: str = ""
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    calls: tuple[Call, ...] = ()
    returns: tuple[Return, ...] = ()
    references: tuple[Reference, ...] = ()
    blocks: tuple[Block, ...] = ()
    extras: dict[str, Any] = {}
    markers: tuple[Marker, ...] = ()


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(FileFacts)


def encode(facts: FileFacts) -> bytes:
    """`facts` as msgpack."""
    return _encoder.encode(facts)


def decode(blob: bytes) -> FileFacts:
    """The inverse of `encode`. Raises `msgspec.DecodeError` for malformed data, or data of another version."""
    return _decoder.decode(blob)
