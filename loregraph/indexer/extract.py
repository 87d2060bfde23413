"""Bytes → facts: one file, one parse, one query, no recursion over the tree.

`extract` parses a file with its language's grammar, runs the language's query once, and sweeps over the captured nodes
in the order of the text. The sweep keeps a stack of open definitions and blocks, so every fact knows its scope.
Expressions are lowered by the language's table (`LanguageSpec.expressions`), at most `MAX_EXPRESSION_DEPTH` deep.

What cannot be read is a problem of the file, never an exception: see `FileFacts.status`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from msgspec.structs import force_setattr
from tree_sitter import Node, Query, QueryCursor
from tree_sitter_language_pack import get_language

from loregraph.indexer.facts import (
    FILE_SCOPE,
    FUNCTION_KINDS,
    TYPE_KINDS,
    UNKNOWN,
    Assignment,
    Base,
    Block,
    Call,
    Definition,
    Export,
    Expr,
    FileFacts,
    Import,
    Parameter,
    Problem,
    Reference,
    Return,
    is_node,
)
from loregraph.indexer.languages import query_of, spec_of
from loregraph.indexer.languages.assigned import assigned_name
from loregraph.indexer.languages.spec import Hook, LanguageSpec, Lowering
from loregraph.indexer.parsing import error_bytes, parse
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN
from loregraph.indexer.requirements.markers import find_markers
from loregraph.indexer.syntax_faults import problems_of

MAX_START_DEPTH: Final = 1000
"""Depth at which a query stops looking for matches. Deeper trees make tree-sitter's cursor quadratic; real code stays
below 200."""
MAX_EXPRESSION_DEPTH: Final = 60
"""Depth of nested expressions past which an operand is UNKNOWN."""
MAX_DOCSTRING: Final = 2000
MAX_SIGNATURE: Final = 500
MAX_LITERAL: Final = 64
MAX_COMMENTS: Final = 100
"""Comments above a definition that are read: siblings are slow to walk, and nobody documents at that length."""
MAX_PROBLEMS: Final = 20
"""Problems kept for one file: a file in the wrong language gives thousands."""

_COMMENT_SIGN = re.compile(rb"#|/[/*]|--|\{-|<!|=begin")
"""What every comment of the languages extracted begins with, and little else has in the head of a definition."""


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
class _Open:
    """A definition the sweep is inside of."""

    end: int
    index: int
    body: int
    anonymous: int = 0


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
    _call_index: dict[int, int] = field(default_factory=dict)
    _definition_index: dict[int, int] = field(default_factory=dict)
    _depth: int = 0
    _complexity: list[int] = field(default_factory=list)

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
        index = self._call_index.get(node.id)
        return UNKNOWN if index is None else ("c", index)

    def numbered(self, node: Node) -> bool:
        """Whether `node` is one of the calls that the query captured."""
        return node.id in self._call_index

    def definition_at(self, node: Node) -> Expr:
        """The function or class expression at `node`; UNKNOWN where the query did not capture it."""
        index = self._definition_index.get(node.id)
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
        call = Call(
            self.scope, node.start_point[0] + 1, node.start_byte, self.block, function, arguments, keywords, kind
        )
        index = self._call_index.get(node.id)
        if index is None or self.calls[index] is not None:
            self.calls.append(call)
        else:
            self.calls[index] = call

    def problem(self, line: int, message: str) -> None:
        """Records something that could not be read; `line` 0 blames the whole file."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(line, message))


@cache
def _names(spec: LanguageSpec) -> frozenset[str]:
    """The types of nodes that are a name and nothing else: they are most of what is lowered."""
    from loregraph.indexer.languages.lowering import name  # which is built on this module

    return frozenset(kind for kind, lowering in spec.expressions.items() if lowering is name)


@cache
def _query(language: str) -> Query:
    spec = spec_of(language)
    return Query(get_language(spec.grammar), query_of(language))  # type: ignore[arg-type]


# Implements REQ-IDX-005.
def extract(path: str, source: bytes, language: str, content_hash: str = "") -> FileFacts:
    """The facts of one file: see `extract_with_spans`."""
    return extract_with_spans(path, source, language, content_hash)[0]


def extract_with_spans(
    path: str,
    source: bytes,
    language: str,
    content_hash: str = "",
    id_pattern: str = DEFAULT_PATTERN,
) -> tuple[FileFacts, list[tuple[int, int]]]:
    """The facts of one file, and the byte range of each definition's body (without its docstring).

    `path` is its readable path, `source` its text as UTF-8 with LF line ends (see `source.read_source`), `id_pattern`
    the expression of a requirement's id. The status is "indexed", "partial" where the parser met something it does not
    know, "failed" where there is no tree at all.
    """
    spec = spec_of(language)
    lines = source.count(b"\n") + (not source.endswith(b"\n") and bool(source))
    state = Extraction(path, source, spec)
    status = "indexed"
    root = spec.parse(state) if spec.parse else parse(spec.grammar, source)
    if root is None:
        given_up = Problem(0, "not parsed: that takes more work than a text of its size may")
        return FileFacts(path, language, content_hash, lines, "failed", (given_up,)), []
    if state.problems:  # what `parse` had to leave out
        status = "partial"
    if root.has_error:
        status = "partial"
        for found in problems_of(language, source, root, MAX_PROBLEMS):
            state.problem(found.line, found.message)
    if spec.file_facts:
        spec.file_facts(state, root)
    _sweep(state, _captured(spec, language, root))
    if spec.finish:
        spec.finish(state)
    markers = find_markers(source, root, spec, state.definitions, id_pattern, state.problem)
    facts = FileFacts(
        path=path,
        language=language,
        content_hash=content_hash,
        lines=lines,
        status=status,
        problems=tuple(state.problems),
        package=state.package,
        docstring=state.docstring[:MAX_DOCSTRING],
        definitions=_with_complexity(state),
        imports=tuple(state.imports),
        exports=tuple(state.exports),
        assignments=tuple(state.assignments),
        calls=tuple(c for c in state.calls if c is not None) if None not in state.calls else _filled(state),
        returns=tuple(state.returns),
        references=tuple(state.references),
        blocks=tuple(state.blocks),
        extras=state.extras,
        markers=markers,
    )
    return facts, state.body_spans


def _with_complexity(state: Extraction) -> tuple[Definition, ...]:
    """The definitions with their complexity, known only when all of the file has been swept over."""
    for definition, complexity in zip(state.definitions, state._complexity, strict=True):
        if complexity != 1:
            force_setattr(definition, "complexity", complexity)
    return tuple(state.definitions)


def _filled(state: Extraction) -> tuple[Call, ...]:
    """The calls, with an empty one where a hook declined: indices that expressions hold must stay true."""
    return tuple(c or Call(FILE_SCOPE, 0, 0, -1, UNKNOWN) for c in state.calls)


_ORDER: Final = {"ignore": -1, "block": 0, "definition": 1, "decision": 2}
"""Where captures start at one place: what opens comes before what stands in it."""


@dataclass(slots=True, frozen=True)
class _Capture:
    """One capture's name, taken apart once for all its nodes."""

    name: str
    family: str
    rest: str
    hook: Hook | None


_Row = tuple[int, int, int, int, int, _Capture, Node]
"""(start, −end, order, rank of the capture's name, number within it, capture, node): the numbers are different for any
two rows, so that sorting never compares more."""


def _captured(spec: LanguageSpec, language: str, root: Node) -> list[_Row]:
    """All captured nodes, each once a capture, outermost first."""
    cursor = QueryCursor(_query(language))
    cursor.set_max_start_depth(MAX_START_DEPTH)
    captures = cursor.captures(root)
    rows: list[_Row] = []
    for rank, name in enumerate(sorted(captures)):
        if name.startswith("_"):
            continue  # there for a predicate of its pattern
        family, _, rest = name.partition(".")
        order = _ORDER.get(family, 3)
        hook = None
        if order == 3:
            hook = spec.hooks.get(name) or spec.hooks.get(family) or _GENERIC.get(family)
            if hook is None:
                raise KeyError(f"{spec.name}: nothing records @{name}")
        capture = _Capture(name, family, rest, hook)
        # A node that two patterns capture under one name arrives twice.
        nodes = {node.id: node for node in captures[name]}.values()
        rows += [(n.start_byte, -n.end_byte, order, rank, number, capture, n) for number, n in enumerate(nodes)]
    rows.sort()
    return _not_ignored(rows) if "ignore" in captures else rows


def _not_ignored(rows: list[_Row]) -> list[_Row]:
    """`rows` without what stands in a node captured as `@ignore`."""
    kept = []
    end = -1
    for row in rows:
        if row[0] < end:
            continue
        if row[5].family == "ignore":
            end = -row[1]
        else:
            kept.append(row)
    return kept


def _sweep(state: Extraction, rows: list[_Row]) -> None:
    headers, rows = _numbered(state, rows)
    spec = state.spec
    inner_from = spec.inner_from
    inner = spec.header_scope == "inner"
    scopes: list[_Open] = []
    blocks: list[tuple[int, int, int]] = []
    counters: dict[tuple[int, str], int] = {}
    names: dict[str, int] = {}
    complexity = state._complexity
    for start, negative_end, order, _, _, capture, node in rows:
        while scopes and scopes[-1].end <= start:
            scopes.pop()
        while blocks and blocks[-1][0] <= start:
            blocks.pop()
        scope = FILE_SCOPE
        for opened in reversed(scopes):
            if start >= opened.body:
                scope = opened.index
                break
        state.scope = scope
        state.block = blocks[-1][1] if blocks and blocks[-1][2] == scope else -1
        hook = capture.hook
        if hook is not None:
            hook(state, node, capture.name)
        elif order == 1:
            header = headers[node.id]
            if header.continues is None:
                index = len(state.definitions)
                _define(state, node, capture.rest, header, counters, names)
            else:
                index = state._definition_index[node.id]
            if inner_from is not None:
                body_start = inner_from(node)
            else:
                body = None if inner else node.child_by_field_name(spec.body_field)
                body_start = body.start_byte if body is not None else start
            end = -negative_end if header.last is None else header.last.end_byte
            scopes.append(_Open(end, index, body_start))
        elif order == 0:
            state.blocks.append(Block(scope, state.block, capture.rest, start, -negative_end))
            blocks.append((-negative_end, len(state.blocks) - 1, scope))
        elif scope >= 0:
            complexity[scope] += 1


# Implements REQ-GRA-002.
def _numbered(state: Extraction, rows: list[_Row]) -> tuple[dict[int, Header], list[_Row]]:
    """The headers of the definitions, and `rows` without those that a header hook declined.

    Numbers come before facts, so that an expression can name a call or definition that stands inside it: calls before
    headers, since a base class or decorator may be a call.
    """
    spec = state.spec
    index = state._call_index
    is_call = spec.is_call
    for row in rows:
        if row[5].family == "call" and row[6].id not in index and (is_call is None or is_call(state, row[6])):
            index[row[6].id] = len(state.calls)
            state.calls.append(None)
    headers: dict[int, Header] = {}
    count = 0
    kept: list[_Row] = []
    for row in rows:
        if row[2] == 1:
            node = row[6]
            if node.id in headers:
                continue
            header = spec.header(state, node, row[5].rest) if spec.header else _plain_header(state, node)
            if header is None:
                continue
            headers[node.id] = header
            if header.continues is None:
                state._definition_index[node.id] = count
                count += 1
            else:
                state._definition_index[node.id] = state._definition_index[header.continues.id]
        kept.append(row)
    return headers, kept


def _plain_header(state: Extraction, node: Node) -> Header:
    name = node.child_by_field_name(state.spec.name_field)
    return Header(name=state.text(name) if name else "")


def _define(
    state: Extraction,
    node: Node,
    kind: str,
    header: Header,
    counters: dict[tuple[int, str], int],
    names: dict[str, int],
) -> None:
    spec = state.spec
    kind = header.kind or kind
    parent = state.scope
    name = own_name = header.name
    flags = header.flags
    if not name:
        label = spec.anonymous if kind in FUNCTION_KINDS else kind
        number = counters[parent, label] = counters.get((parent, label), 0) + 1
        name = own_name = f"<{label}{number}>"
        if spec.assigned and kind in FUNCTION_KINDS:
            in_function = parent >= 0 and state.definitions[parent].is_function
            own_name = assigned_name(state, node, in_function=in_function) or name
            if own_name != name and "expression" not in flags:
                flags = (*flags, "expression")
    under = parent if header.within is None else state._definition_index.get(header.within.id, FILE_SCOPE)
    around = state.definitions[under].qualname if under >= 0 else ""
    if header.owner_name:
        around = f"{around}.{header.owner_name}" if around else header.owner_name
    computed = name[:1] == "[" and name[1:2].isalpha()  # `Order[Symbol.iterator]`
    qualname = (f"{around}{name}" if computed else f"{around}.{name}") if around else name
    count = 0
    if is_node(kind, header.flags):
        count = names[qualname] = names.get(qualname, 0) + 1
    if count > 1:
        qualname += f"#{count}"
    outer = header.outer or node
    while outer.parent is not None and outer.parent.type in spec.transparent:
        outer = outer.parent
    first = header.first or outer
    last = _last_code(state, header.last or outer)
    state.docstring_end = 0
    docstring = (spec.docstring or comment_above)(state, node)
    body = node.child_by_field_name(spec.body_field)
    returns = header.returns
    if returns is None:
        declared = node.child_by_field_name(spec.return_type_field)
        returns = state.lower(declared) if declared else None
    state.definitions.append(
        Definition(
            name=own_name,
            qualname=qualname,
            kind=kind,
            parent=parent,
            start_line=first.start_point[0] + 1,
            end_line=_last_line(last),
            start_byte=first.start_byte,
            end_byte=last.end_byte,
            signature=_signature(state, node, body) if header.signature is None else header.signature,
            docstring=docstring[:MAX_DOCSTRING],
            parameters=spec.parameters(state, node) if spec.parameters and kind in FUNCTION_KINDS else (),
            returns=returns,
            bases=header.bases,
            decorators=header.decorators,
            decorator_names=header.decorator_names,
            owner=header.owner,
            type_parameters=header.type_parameters,
            flags=flags,
            content_hash=hashlib.blake2b(state.source[first.start_byte : last.end_byte], digest_size=8).hexdigest(),
        )
    )
    state._complexity.append(1)
    state.body_spans.append((max(body.start_byte if body else outer.start_byte, state.docstring_end), last.end_byte))


def _last_code(state: Extraction, node: Node) -> Node:
    """The node that `node` really ends with: where blocks end by indentation, grammars put the comments that follow
    into them."""
    signs = state.spec.trailing_comments
    if not signs:
        return node
    end = node.end_byte
    last_line = state.source[max(node.start_byte, state.source.rfind(b"\n", 0, end)) : end]
    ends_in_text = not last_line[-1:].isspace()
    if ends_in_text and not any(map(last_line.__contains__, signs)):
        return node
    comments = state.spec.comments
    last, has_comment = node, False
    while True:
        at = last.child_count
        while at and (found := last.child(at - 1)) is not None and found.type in comments:
            has_comment = True
            at -= 1
        if not at or found is None:
            break
        last = found
    # The last token that has a node may not be the last one: grammars hide the text of interpolated strings.
    return last if has_comment or not ends_in_text else node


def _last_line(node: Node) -> int:
    """The line of the last character: a node that ends with its newline ends at column 0 of the next line."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point[0] else row + 1


def _signature(state: Extraction, node: Node, body: Node | None) -> str:
    start = node.start_byte
    end = body.start_byte if body else node.end_byte
    if (
        body is not None
        and _COMMENT_SIGN.search(state.source, start, end)
        and node.start_point[0] != body.start_point[0]
    ):
        # A comment between the head and its body is of neither.
        end = next((c.start_byte for c in node.children if c.type in state.spec.comments and c.start_byte < end), end)
    text = state.source[start : min(end, start + 4 * MAX_SIGNATURE)].decode("utf-8", "ignore")
    return " ".join(text.split()).rstrip(":{=;").strip()[:MAX_SIGNATURE]


def named_part(node: Node | None, index: int = 0) -> Node | None:
    """Named child number `index`, negative ones from the end; None where there is none (broken code has gaps)."""
    children = node.named_children if node is not None else ()
    return children[index] if -len(children) <= index < len(children) else None


def comment_above(state: Extraction, node: Node) -> str:
    """The block of comments that ends on the line above `node` (or above what is transparently around it); or higher,
    where it is one that the language's own tool attaches over blank lines."""
    while node.parent is not None and node.parent.type in state.spec.transparent:
        node = node.parent
    found: list[str] = []
    line = node.start_point[0]
    previous = node.prev_sibling
    while previous is not None and previous.type in state.spec.comments:
        if len(found) >= MAX_COMMENTS:
            break
        if _last_line(previous) < line and (found or not attaches_over_blank_lines(state, previous)):
            break
        before = previous.prev_sibling
        line = previous.start_point[0]
        if before is not None and before.end_point[0] == line and before.type not in state.spec.comments:
            break  # it stands behind something on the same line, and is about that
        found.append(state.text(previous))
        previous = before
    return clean_comment("\n".join(reversed(found)))


_OTHERS = re.compile(
    r"[@\\](?:file\w*+|overview|packageDocumentation|module|license|copyright|preserve|mainpage|page|defgroup|addtogroup"
    r"|name|typedef|callback)\b|[@\\][{}]|(?i:\bcopyright\b|SPDX-License)"
)
"""What says that a documentation comment is about a file, a group or something without a declaration."""


def attaches_over_blank_lines(state: Extraction, comment: Node) -> bool:
    """Whether a comment documents what follows it, however far below that is: not a plain one, a banner of stars, one
    behind what it is about (`/**< … */`), or one about the file."""
    text = state.text(comment)
    mark = next((mark for mark in state.spec.documentation_marks if text.startswith(mark)), "")
    return bool(mark) and text[len(mark) : len(mark) + 1] not in ("*", "/", "<") and not _OTHERS.search(text)


_COMMENT_EDGE = re.compile(
    r"^\s*(?:/\*\*?<?!?|\*/|\*(?!/)|//[/!]?<?|#+!?|--+|;+)?[ \t]?|(?<!\s)\s*\*/\s*$", re.MULTILINE
)


def clean_comment(text: str) -> str:
    """The words of a comment, without its marks and indentation."""
    return "\n".join(line.strip() for line in _COMMENT_EDGE.sub("", text).splitlines()).strip() if text else ""


def _generic_call(state: Extraction, node: Node, capture: str) -> None:
    spec = state.spec
    arguments = node.child_by_field_name(spec.call_arguments_field)
    positional: tuple[Expr, ...] = ()
    named: tuple[tuple[str, Expr], ...] = ()
    if arguments is not None:
        if spec.arguments:
            positional, named = spec.arguments(state, arguments)
        else:
            positional = tuple(state.lower(a) for a in arguments.named_children if a.type not in spec.comments)
    function = state.lower(node.child_by_field_name(spec.call_function_field))
    state.record_call(node, function, positional, named, capture.partition(".")[2] or "call")


def _generic_return(state: Extraction, node: Node, capture: str) -> None:
    value = next((c for c in node.named_children if c.type not in state.spec.comments), None)
    state.leave(node, state.lower(value), capture.partition(".")[2] or "return")


def _generic_reference(state: Extraction, node: Node, capture: str) -> None:
    state.refer(node, state.lower(node), capture.partition(".")[2] or "value")


_GENERIC: Final[dict[str, Callable[[Extraction, Node, str], None]]] = {
    "call": _generic_call,
    "return": _generic_return,
    "reference": _generic_reference,
}

__all__ = [
    "FUNCTION_KINDS",
    "TYPE_KINDS",
    "Extraction",
    "Header",
    "Parameter",
    "attaches_over_blank_lines",
    "clean_comment",
    "comment_above",
    "error_bytes",
    "extract",
    "named_part",
    "parse",
]
