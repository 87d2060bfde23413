"""The state of one file's extraction, and what a language's hooks say of a definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from tree_sitter import Node

from loregraph.indexer.facts import (
    FILE_SCOPE,
    UNKNOWN,
    Assignment,
    Base,
    Block,
    Call,
    Definition,
    Export,
    Expr,
    Import,
    Problem,
    Reference,
    Return,
)
from loregraph.indexer.languages.selectors import One, one
from loregraph.indexer.languages.spec import LanguageSpec, Lowering

MAX_EXPRESSION_DEPTH: Final = 60
"""Depth of nested expressions past which an operand is UNKNOWN."""
MAX_CALLED: Final = 8
"""Steps from a call to the name that is called: `f()()()…` may be longer than any text that is meant to be read."""
MAX_SIGNATURE: Final = 500
MAX_LITERAL: Final = 64
MAX_PROBLEMS: Final = 20
"""Problems kept for one file: a file in the wrong language gives thousands."""


@dataclass(slots=True)
class Header:
    """What a language's `header` hook says about a definition node. `name` is "" for an anonymous function."""

    name: str = ""
    kind: str = ""
    owner: Expr | None = None
    owner_name: str = ""
    """The owner as it appears in an id: `Foo` for Go's `(f *Foo)`, `ns.Foo` for C++'s `ns::Foo::bar`."""
    bases: tuple[Base, ...] = ()
    decorators: tuple[Expr, ...] = ()
    decorator_names: tuple[str, ...] = ()
    returns: Expr | None = None
    type_parameters: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    outer: Node | None = None
    """The node that the definition's lines and text are taken from, where it is not the captured one."""
    first: Node | None = None
    """The node that the definition's lines and text start with, where that stands before `outer` (decorators)."""
    last: Node | None = None
    """The node that the definition ends with, where that stands behind the captured one (a body beside its head)."""
    continues: Node | None = None
    """The definition node, captured earlier, that this one is another part of (a further clause of one function): it
    defines nothing itself, and what stands in it belongs there."""
    within: Node | None = None
    """The definition node that the qualified name stands under, where that is not the scope the definition stands in
    (`this.run = function () {}` in a method makes a method of the class); any other node: the file's top level."""
    signature: str | None = None


@dataclass(slots=True)
class Extraction:
    """The state of one file's extraction; hooks and lowerings read the source and record facts through it."""

    path: str
    source: bytes
    spec: LanguageSpec
    definitions: list[Definition] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    exports: list[Export] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    calls: list[Call | None] = field(default_factory=list)
    returns: list[Return] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    package: str = ""
    docstring: str = ""
    extras: dict[str, Any] = field(default_factory=dict)
    scope: int = FILE_SCOPE
    block: int = -1
    body_spans: list[tuple[int, int]] = field(default_factory=list)
    """Byte range of each definition's body without its docstring: what search indexes. Not part of the facts."""
    docstring_end: int = 0
    """End of the docstring that a `docstring` hook has just read inside a body."""
    memo: dict[str, Any] = field(default_factory=dict)
    """What a language's hooks remember while they go through the file. Not part of the facts."""
    _text: str | None = field(init=False)
    """The source where a byte of it is a character, as it nearly always is: parts of it need no decoding."""
    _lowerings: Mapping[str, Lowering] = field(init=False)
    _names: frozenset[str] = field(init=False)
    call_index: dict[int, int] = field(default_factory=dict)
    definition_index: dict[int, int] = field(default_factory=dict)
    _depth: int = 0
    complexity: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._text = self.source.decode("ascii") if self.source.isascii() else None
        self._lowerings = self.spec.expressions
        self._names = _names(self.spec)

    # Reading the source

    def text(self, node: Node) -> str:
        """The source of `node`."""
        if self._text is not None:
            return self._text[node.start_byte : node.end_byte]
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def folded(self, node: Node, limit: int = MAX_SIGNATURE) -> str:
        """The source of `node` with runs of white space folded, at most `limit` characters."""
        start = node.start_byte
        text = self.source[start : min(node.end_byte, start + 4 * limit)].decode("utf-8", "ignore")
        return " ".join(text.split())[:limit]

    # Lowering

    def lower(self, node: Node | None) -> Expr:
        """`node` as an expression; UNKNOWN for what the language's table does not know or what is nested too deeply."""
        if node is None:
            return UNKNOWN
        kind = node.type
        depth = self._depth
        if depth >= MAX_EXPRESSION_DEPTH:
            return UNKNOWN
        if kind in self._names:
            return ("n", self.text(node) if self._text is None else self._text[node.start_byte : node.end_byte])
        lowering = self._lowerings.get(kind)
        if lowering is None:
            return UNKNOWN
        self._depth = depth + 1
        expr = lowering(self, node)
        self._depth = depth
        return expr

    def call_at(self, node: Node) -> Expr:
        """The result of the call at `node`; UNKNOWN where the query did not capture it."""
        index = self.call_index.get(node.id)
        return UNKNOWN if index is None else ("c", index)

    def numbered(self, node: Node) -> bool:
        """Whether `node` is one of the calls that the query captured."""
        return node.id in self.call_index

    def definition_at(self, node: Node) -> Expr:
        """The function or class expression at `node`; UNKNOWN where the query did not capture it."""
        index = self.definition_index.get(node.id)
        return UNKNOWN if index is None else ("f", index)

    # Recording

    def assign(self, node: Node, target: Expr, value: Expr, kind: str = "=", type: Expr | None = None) -> None:
        """Records that `value` flows to `target` at `node`."""
        self.assignments.append(
            Assignment(self.scope, node.start_point[0] + 1, node.start_byte, self.block, target, value, type, kind)
        )

    def import_(self, node: Node, module: str, name: str = "", alias: str = "", kind: str = "", level: int = 0) -> None:
        """Records an import at `node`: see `facts.Import`."""
        self.imports.append(
            Import(self.scope, node.start_point[0] + 1, node.start_byte, module, level, name, alias, kind)
        )

    def export(self, node: Node, name: str, value: Expr) -> None:
        """Records that the module publishes `value` as `name`."""
        self.exports.append(Export(self.scope, node.start_point[0] + 1, node.start_byte, name, value))

    def leave(self, node: Node, value: Expr, kind: str = "return") -> None:
        """Records a value that leaves the function around `node`: kind return, yield, yield from or throw."""
        self.returns.append(Return(self.scope, node.start_point[0] + 1, node.start_byte, self.block, value, kind))

    def refer(self, node: Node, value: Expr, how: str) -> None:
        """Records a use without a call."""
        self.references.append(Reference(self.scope, node.start_point[0] + 1, value, how))

    def record_call(
        self,
        node: Node,
        function: Expr,
        arguments: tuple[Expr, ...] = (),
        keywords: tuple[tuple[str, Expr], ...] = (),
        kind: str = "call",
    ) -> None:
        """Fills the call captured at `node`, or adds one where the query captured none (an operator, a decorator)."""
        row = node.start_point[0]
        if row != node.end_point[0]:
            row = self._called_row(node)
        call = Call(self.scope, row + 1, node.start_byte, self.block, function, arguments, keywords, kind)
        index = self.call_index.get(node.id)
        if index is None or self.calls[index] is not None:
            self.calls.append(call)
        else:
            self.calls[index] = call

    def _called_row(self, node: Node) -> int:
        """The line, from 0, of the name that a call at `node` calls: see `LanguageSpec.called_name`."""
        parts = _called_name(self.spec)
        for _ in range(MAX_CALLED):
            part = parts.get(node.type)
            held = part(self, node) if part is not None else None
            if held is None:
                break
            node = held
        return node.start_point[0]

    def problem(self, line: int, message: str) -> None:
        """Records something that could not be read; `line` 0 blames the whole file."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(line, message))


@cache
def _called_name(spec: LanguageSpec) -> dict[str, One]:
    """`LanguageSpec.called_name`, compiled."""
    return {kind: one(selector) for kind, selector in spec.called_name.items()}


@cache
def _names(spec: LanguageSpec) -> frozenset[str]:
    """The types of nodes that are a name and nothing else: they are most of what is lowered."""
    from loregraph.indexer.languages.lowering import name  # which is built on this module

    return frozenset(kind for kind, lowering in spec.expressions.items() if lowering is name)
