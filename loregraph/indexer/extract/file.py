"""Bytes → facts: one file, one parse, one query, no recursion over the tree.

`extract` parses a file with its language's grammar, runs the language's query once, and sweeps over the captured nodes
in the order of the text. The sweep keeps a stack of open definitions and blocks, so every fact knows its scope.
Expressions are lowered by the language's table (`LanguageSpec.expressions`), at most `MAX_EXPRESSION_DEPTH` deep.

Whatever cannot be read is a problem of the file, never an exception: see `FileFacts.status`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from msgspec.structs import force_setattr
from tree_sitter import Node, Query, QueryCursor
from tree_sitter_language_pack import get_language

from loregraph.indexer.extract.markers import find_markers
from loregraph.indexer.facts import (
    FILE_SCOPE,
    FUNCTION_KINDS,
    UNKNOWN,
    Block,
    Call,
    Definition,
    Expr,
    FileFacts,
    Problem,
    is_node,
)
from loregraph.indexer.languages import query_of, registry, spec_of
from loregraph.indexer.languages.assigned import assigned_name
from loregraph.indexer.languages.comments import comment_above, last_line
from loregraph.indexer.languages.embedded import moved
from loregraph.indexer.languages.extraction import MAX_PROBLEMS, MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.parsing import parse
from loregraph.indexer.languages.spec import Hook, LanguageSpec
from loregraph.indexer.languages.syntax_faults import problems_of
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN

MAX_START_DEPTH: Final = 1000
"""Depth at which a query stops matching. Deeper trees make tree-sitter's cursor quadratic; real code stays below
200."""
MAX_DOCSTRING: Final = 2000
_COMMENT_SIGN = re.compile(rb"#|/[/*]|--|\{-|<!|=begin")
"""The bytes that comments of the extracted languages begin with; they are rare in the head of a definition."""


@dataclass(slots=True)
class _Open:
    """An open definition on the sweep's stack."""

    end: int
    index: int
    body: int
    anonymous: int = 0


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

    `path` is the readable path, `source` the text as UTF-8 with LF line ends (see `source.read_source`), `id_pattern`
    the regular expression of a requirement's id. The status is "indexed", "partial" where the parser met syntax errors,
    "failed" where there is no tree at all. Facts of a file that holds code of another language are of that language.
    """
    reader = registry.reader_of(language)
    if reader is None:
        return _extracted(path, source, language, content_hash, id_pattern, spec_of(language))
    held = reader(path, source)
    if isinstance(held, FileFacts):
        held.content_hash = content_hash
        return held, []
    spec = spec_of(held.parsed_as or held.language)
    facts, spans = _extracted(path, held.code, held.language, content_hash, id_pattern, spec, held.finish)
    return moved(facts, spans, held, source)


def _extracted(
    path: str,
    source: bytes,
    language: str,
    content_hash: str,
    id_pattern: str,
    spec: LanguageSpec,
    finish: Callable[[Extraction, Node], None] | None = None,
) -> tuple[FileFacts, list[tuple[int, int]]]:
    lines = source.count(b"\n") + (not source.endswith(b"\n") and bool(source))
    state = Extraction(path, source, spec)
    status = "indexed"
    root = spec.parse(state) if spec.parse else parse(spec.grammar, source)
    if root is None:
        given_up = Problem(0, "not parsed: that takes more work than a text of its size may")
        return FileFacts(path, language, content_hash, lines, "failed", (given_up,)), []
    if state.problems:  # the parts that `parse` had to leave out
        status = "partial"
    if root.has_error:
        status = "partial"
        for found in problems_of(language, source, root, MAX_PROBLEMS):
            state.problem(found.line, found.message)
    if spec.file_facts:
        spec.file_facts(state, root)
    _sweep(state, _captured(spec, spec.name, root))
    if spec.finish:
        spec.finish(state)
    if finish:
        finish(state, root)
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
    """The definitions with their complexity, which is only known after the sweep."""
    for definition, complexity in zip(state.definitions, state.complexity, strict=True):
        if complexity != 1:
            force_setattr(definition, "complexity", complexity)
    return tuple(state.definitions)


def _filled(state: Extraction) -> tuple[Call, ...]:
    """The calls, with an empty one where a hook declined: the indexes in expressions must stay valid."""
    return tuple(c or Call(FILE_SCOPE, 0, 0, -1, UNKNOWN) for c in state.calls)


_ORDER: Final = {"ignore": -1, "block": 0, "definition": 1, "decision": 2}
"""Order of captures that start at the same byte: enclosing ones first."""


@dataclass(slots=True, frozen=True)
class _Capture:
    """The parsed name of a capture, shared by all its nodes."""

    name: str
    family: str
    rest: str
    hook: Hook | None


_Row = tuple[int, int, int, int, int, _Capture, Node]
"""(start, −end, order, rank of the capture's name, number within it, capture, node): the numbers are unique, so sorting
never compares the last two."""


def _captured(spec: LanguageSpec, language: str, root: Node) -> list[_Row]:
    """All captured nodes, each once per capture, outermost first."""
    cursor = QueryCursor(_query(language))
    cursor.set_max_start_depth(MAX_START_DEPTH)
    captures = cursor.captures(root)
    rows: list[_Row] = []
    for rank, name in enumerate(sorted(captures)):
        if name.startswith("_"):
            continue  # used only by a predicate of its pattern
        family, _, rest = name.partition(".")
        order = _ORDER.get(family, 3)
        hook = None
        if order == 3:
            hook = spec.hooks.get(name) or spec.hooks.get(family) or _GENERIC.get(family)
            if hook is None:
                raise KeyError(f"{spec.name}: nothing records @{name}")
        capture = _Capture(name, family, rest, hook)
        # A node that two patterns capture under the same name occurs twice.
        nodes = {node.id: node for node in captures[name]}.values()
        rows += [(n.start_byte, -n.end_byte, order, rank, number, capture, n) for number, n in enumerate(nodes)]
    rows.sort()
    return _not_ignored(rows) if "ignore" in captures else rows


def _not_ignored(rows: list[_Row]) -> list[_Row]:
    """`rows` without those inside a node captured as `@ignore`."""
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
    complexity = state.complexity
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
                index = state.definition_index[node.id]
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

    Numbers are assigned before facts are made, so that an expression can refer to a nested call or definition: calls
    before headers, since a base class or decorator may be a call.
    """
    spec = state.spec
    index = state.call_index
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
                state.definition_index[node.id] = count
                count += 1
            else:
                state.definition_index[node.id] = state.definition_index[header.continues.id]
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
    under = parent if header.within is None else state.definition_index.get(header.within.id, FILE_SCOPE)
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
            end_line=last_line(last),
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
    state.complexity.append(1)
    state.body_spans.append((max(body.start_byte if body else outer.start_byte, state.docstring_end), last.end_byte))


def _last_code(state: Extraction, node: Node) -> Node:
    """The node where `node` really ends: where blocks end by indentation, grammars include the comments that follow."""
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
    # The last token with a node may not be the last token: grammars hide the text of interpolated strings.
    return last if has_comment or not ends_in_text else node


def _signature(state: Extraction, node: Node, body: Node | None) -> str:
    start = node.start_byte
    end = body.start_byte if body else node.end_byte
    if (
        body is not None
        and _COMMENT_SIGN.search(state.source, start, end)
        and node.start_point[0] != body.start_point[0]
    ):
        # A comment between the head and the body belongs to neither.
        end = next((c.start_byte for c in node.children if c.type in state.spec.comments and c.start_byte < end), end)
    text = state.source[start : min(end, start + 4 * MAX_SIGNATURE)].decode("utf-8", "ignore")
    return " ".join(text.split()).rstrip(":{=;").strip()[:MAX_SIGNATURE]


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
