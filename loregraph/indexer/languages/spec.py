"""What a language has to say about itself: the row that the generic extractor reads.

A language is a folder: `query.scm` captures the nodes that become facts, `spec.py` holds one `LanguageSpec` and the
hooks it needs. The captures and what the extractor makes of them:

- `@definition.<kind>`: a function or type of that kind (see `facts.Definition`); also `@definition.namespace`.
- `@call`, `@call.new`, `@call.macro`, `@call.jsx`: a call.
- `@assignment`, `@assignment.<anything>`: handled by the hook of that name.
- `@return`, `@return.yield`, `@return.throw`: a value that leaves a function.
- `@import`, `@import.<anything>`, `@export`, `@export.<anything>`, `@reference.<how>`: as the hook of that name does.
- `@block.branch`, `@block.loop`, `@block.try`, `@block.handler`: control flow within a scope.
- `@ignore`: nothing inside is a fact (an attribute, an operand that is not evaluated).
- `@_anything`: only there for a predicate of its pattern (`#match?`, `#not-match?`, `#eq?`).
- `@decision`: one more path through the function (McCabe's cyclomatic complexity).

A capture whose full name, or whose name before the first dot, is a key of `hooks` goes to that hook instead of the
generic treatment. Patterns must capture one node each; never a list together with its parent (that costs quadratic
time on long lists).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from loregraph.indexer.facts import Expr, Parameter

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction, Header

Lowering = Callable[["Extraction", "Node"], Expr]
"""Turns one expression node into an `Expr`; calls `extraction.lower` for its parts."""

Hook = Callable[["Extraction", "Node", str], None]
"""Records the facts of one captured node: (extraction, node, capture name)."""


# Implements REQ-IDX-019.
@dataclass(frozen=True, slots=True, eq=False)
class LanguageSpec:
    """One language. Field names are those of its grammar's nodes."""

    name: str
    grammar: str
    queries: tuple[str, ...]
    """Files under this folder, joined: `("javascript/query.scm", "typescript/query.scm")`."""
    expressions: Mapping[str, Lowering]
    """Node type → how it is lowered. A type that is not listed lowers to UNKNOWN."""
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    """Capture name → what records it."""
    name_field: str = "name"
    body_field: str = "body"
    return_type_field: str = "return_type"
    name_marks: str = "`"
    """What a name may be written in, or behind, that is no part of it: backticks, C#'s `@`."""
    call_function_field: str = "function"
    call_arguments_field: str = "arguments"
    called_name: Mapping[str, str] = field(default_factory=dict)
    """Node type → selector of the part in which the called name is: followed from a call that spans lines to a type
    that is not listed, to tell the line of that name from that of the chain's start. Not listed: where a node starts.
    """
    arguments: Callable[[Extraction, Node], tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]] | None = None
    """Lowers an argument list to (positional, named). None: every named child is positional."""
    is_call: Callable[[Extraction, Node], bool] | None = None
    """Whether a node captured as a call is one, where definitions and control flow are written like calls: the others
    take no number, and the hook records none for them. None: every one is."""
    parameters: Callable[[Extraction, Node], tuple[Parameter, ...]] | None = None
    """The parameters of a definition node. None: it has none that matter."""
    header: Callable[[Extraction, Node, str], Header | None] | None = None
    """Name, owner, bases, flags and the rest of a definition node (second argument the kind captured). None: the
    grammar's `name` field alone. A hook that answers None says that the node defines nothing."""
    docstring: Callable[[Extraction, Node], str] | None = None
    """The documentation of a definition node. None: the comments directly above it."""
    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment"})
    """Node types of comments."""
    documentation_marks: tuple[str, ...] = ()
    """What opens a comment that the language's own documentation tool attaches to the next definition even over blank
    lines. Empty: a comment has to stand directly above (as Go's tool wants it), or documentation is no comment."""
    annotations: frozenset[str] = frozenset(
        {"decorator", "annotation", "marker_annotation"}
        | {"attribute_item", "attribute_declaration", "attribute_specifier"}
    )
    """Node types of what is written on a definition: decorators, annotations, attributes."""
    docstrings_in: frozenset[str] = frozenset()
    """Node types in which a string on its own documents: none where documentation is a comment."""
    trailing_comments: tuple[bytes, ...] = ()
    """Where the grammar counts comments after a body as part of it (languages that end blocks by indentation): one of
    these stands in the last line of every comment."""
    transparent: frozenset[str] = frozenset()
    """Node types around a definition that belong to it (a decorated definition, an `export` statement, a template):
    its lines, text and comments start with them."""
    header_scope: str = "outer"
    """Whether what stands before a definition's body (defaults, annotations) runs in the "outer" scope or "inner"."""
    inner_from: Callable[[Node], int] | None = None
    """The byte at which the inner scope of a definition node begins, where neither answer is right for all of them (a
    class's bases run outside it, a function's default values inside). None: as `header_scope` says."""
    parse: Callable[[Extraction], Node | None] | None = None
    """Parses `Extraction.source` in place of the grammar alone, where the grammar understands more of a text with the
    same byte offsets (macro invocations written as calls). None as its answer: no tree in time."""
    file_facts: Callable[[Extraction, Node], None] | None = None
    """Called once with the root node before anything else: package, file docstring, extras."""
    finish: Callable[[Extraction], None] | None = None
    """Called once at the end, for what needs the whole file."""
    assigned: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Node type of what assigns → the fields of the place and of the value, "" for the first and the last part: whose
    name a function without one has (see `assigned`). A `header` hook may know better and give one itself."""
    anonymous: str = "lambda"
    """What a function without a name is called: `<lambda1>`, `<arrow1>`."""
