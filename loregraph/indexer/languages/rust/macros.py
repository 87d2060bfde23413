"""What stands in a macro's parentheses: read as code where the grammar can, else as a run of tokens.

A grammar gives the arguments of `println!("{}", user.name())` as bare tokens. Most macros take expressions, so
`parse_source` blanks out their `!` before parsing: an invocation then reads as a call, at the same byte offsets. Macros
around items (`cfg_unix! { pub fn … }`) read as the items themselves. Where that makes an error, the invocation is put
back as it was, and `token_calls` finds the calls among its tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from loregraph.indexer.extract import Extraction, parse
from loregraph.indexer.facts import FILE_SCOPE, UNKNOWN, Call, Expr

if TYPE_CHECKING:
    from tree_sitter import Node

_ROUNDS: Final = 3
"""How often invocations that do not parse are put back before all of them are."""
_LARGE: Final = 400_000
"""Bytes of a file past which there is one attempt only."""
_NEARBY: Final = 200
"""How many rewritings before an error are looked at to find the one around it."""
_NOT_EXPRESSIONS: Final = frozenset(
    {b"matches", b"assert_matches", b"debug_assert_matches", b"select", b"lazy_static", b"bitflags", b"concat_idents"}
)
"""Macros whose arguments look like code and are not."""
_KEYWORDS: Final = frozenset({b"if", b"while", b"match", b"return", b"in", b"else", b"break", b"let", b"move"})
_PATTERN_SECOND: Final = frozenset({"matches", "assert_matches", "debug_assert_matches"})
"""Macros with a pattern after the first comma: what looks like a call there is none."""
_NAMES: Final = frozenset({"identifier", "self", "crate", "super", "primitive_type", "metavariable"})

_SKIPPED: Final = (
    rb"//[^\n]*|(?P<comment>/\*)|\b[bc]?r(?P<raw>#*\")|\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)"
    rb"|'(?:[^'\\\n]|\\(?:u\{[^}]*\}|.[^']?[^']?))'"
)
_INVOCATION: Final = rb"\b(?P<name>[A-Za-z_]\w*)!\s*(?P<opening>[(\[{])"
_OUTSIDE: Final = re.compile(_SKIPPED + rb"|" + _INVOCATION, re.DOTALL)
_INSIDE: Final = re.compile(
    _SKIPPED
    + rb"|"
    + _INVOCATION
    + rb"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    + rb"|(?P<foreign>=>|[;$#@]|->|\.\.\.|\b(?:in|where|let|fn|struct|enum|impl|static|type|use|mod|pub|trait)\b)",
    re.DOTALL,
)
"""`foreign`: tokens between a macro's parentheses that no list of expressions has."""
_PATH: Final = re.compile(rb"\s*+(?:\w++::)*+")
_MAX_PATH: Final = 1_000
"""Bytes before an invocation on its line that are looked through for a path."""
_COMMENT_MARK: Final = re.compile(rb"/\*|\*/")
_ITEMS: Final = re.compile(
    rb"(?:\s++|//[^\n]*+\n|/\*(?:(?!\*/).)*+\*/)*+"
    rb"(?:#!?\[|(?:pub|fn|mod|use|struct|enum|impl|trait|type|const|static|async|unsafe|extern)\b|[A-Za-z_]\w*!)",
    re.DOTALL,
)


_ITEMS_IN_PARENTHESES: Final = re.compile(rb"\s*+(?:pub|fn|mod|use|struct|enum|impl|trait)\b")


class _Edit:
    """One invocation rewritten: the bytes of the ranges `blank` become spaces. `around_items`: it leaves no trace."""

    __slots__ = ("active", "around_items", "blank", "end", "name", "start")

    def __init__(
        self, start: int, end: int, name: bytes, blank: tuple[tuple[int, int], ...], around_items: bool = False
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.blank = blank
        self.around_items = around_items
        self.active = True


class _Bracket:
    """A bracket that is open. `name` is where the macro's name begins and ends, None for a plain bracket."""

    __slots__ = ("foreign", "inner", "kind", "name", "start")

    def __init__(self, start: int, name: tuple[int, int] | None, inner: int, kind: bytes) -> None:
        self.start = start
        self.name = name
        self.inner = inner
        self.kind = kind
        self.foreign = False


def parse_source(x: Extraction) -> Node | None:
    """The tree of the file with its macro invocations read as code, as far as that makes no errors."""
    edits = _edits(x)
    for _ in range(0 if not edits else _ROUNDS if len(x.source) < _LARGE else 1):
        text = bytearray(x.source)
        for edit in edits:
            if edit.active:
                for start, end in edit.blank:
                    text[start:end] = b" " * (end - start)
        root = parse("rust", bytes(text))
        if root is None:
            break
        if root.has_error:
            if _put_back(root, edits):
                continue
            plain = parse("rust", x.source)
            if plain is not None and not plain.has_error:
                return plain
        _record_item_macros(x, edits)
        return root
    return parse("rust", x.source)


def _record_item_macros(x: Extraction, edits: list[_Edit]) -> None:
    """Records the calls of top-level macros around items: nothing of them is left in the tree."""
    for edit in edits:
        if edit.active and edit.around_items and not x.source[edit.start : edit.start + 1].isspace():
            line = x.source.count(b"\n", 0, edit.start) + 1
            x.calls.append(Call(FILE_SCOPE, line, edit.start, -1, ("n", edit.name.decode()), kind="macro"))


def _put_back(root: Node, edits: list[_Edit]) -> bool:
    """Gives up the innermost rewriting around each error, else the last one before; False where there is none."""
    around: list[_Edit] = []
    before: list[_Edit] = []
    starts = [edit.start for edit in edits]
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            inside = earlier = None
            index = bisect_right(starts, node.end_byte)
            for edit in reversed(edits[max(0, index - _NEARBY) : index]):
                if edit.active and edit.end >= node.start_byte:
                    inside = edit
                    break
                if edit.active and earlier is None:
                    earlier = edit
            if inside is not None:
                around.append(inside)
            elif earlier is not None:
                before.append(earlier)
        elif node.has_error:
            stack.extend(node.children)
    # An error may follow from one further up: what is only near one is kept as long as something else can go.
    culprits = around or before
    for edit in culprits:
        edit.active = False
    return bool(culprits)


def _edits(x: Extraction) -> list[_Edit]:
    """The rewritings that a file's macro invocations allow, in the order of the text, outer ones first."""
    source = x.source
    edits: list[_Edit] = []
    position = 0
    while True:
        match = _OUTSIDE.search(source, position)
        if match is None:
            break
        position = _skipped(source, match) if match["name"] is None else _invocation(x, match, edits)
    edits.sort(key=lambda e: (e.start, -e.end))
    return edits


def _skipped(source: bytes, match: re.Match[bytes]) -> int:
    """Where a comment, string or character ends that `match` begins."""
    position = match.end()
    if match["raw"] is not None:
        end = source.find(match["raw"][::-1], position)
        return len(source) if end < 0 else end + len(match["raw"])
    if match["comment"] is None:
        return position
    depth = 1  # Block comments nest.
    while depth:
        mark = _COMMENT_MARK.search(source, position)
        if mark is None:
            return len(source)
        depth += 1 if mark[0] == b"/*" else -1
        position = mark.end()
    return position


def _invocation(x: Extraction, match: re.Match[bytes], edits: list[_Edit]) -> int:
    """Adds the edits of one invocation and of those inside it; answers with the place to go on from."""
    source = x.source
    stack: list[_Bracket] = []
    found: re.Match[bytes] | None = match
    position = match.end()
    while found is not None:
        position = found.end()
        if found["name"] is not None:
            bracket = _Bracket(found.start(), None, found.start("opening"), found["opening"])
            if found["name"] not in _KEYWORDS:
                bracket.name = found.span("name")
            stack.append(bracket)
        elif found["open"]:
            stack.append(_Bracket(found.start(), None, found.start(), found["open"]))
        elif found["close"]:
            bracket = stack.pop()
            if bracket.name is not None:
                _close(x, bracket, position, edits)
            if not stack:
                return position
        elif found["foreign"]:
            stack[-1].foreign = True
        else:
            position = _skipped(source, found)
        found = _INSIDE.search(source, position)
    return position


def _close(x: Extraction, bracket: _Bracket, end: int, edits: list[_Edit]) -> None:
    """Adds the edit of an invocation that ends at `end`, where its brackets hold what the grammar can read."""
    if bracket.name is None:
        return
    start, bang = bracket.name
    name = x.source[start:bang]
    if name in _NOT_EXPRESSIONS:
        return
    inside = bracket.inner + 1
    if bracket.kind == b"[":
        if name == b"vec":
            edits.append(_Edit(bracket.start, end, name, ((bracket.start, bracket.inner),)))
    elif (_ITEMS if bracket.kind == b"{" else _ITEMS_IN_PARENTHESES).match(x.source, inside):
        line_start = x.source.rfind(b"\n", 0, bracket.start) + 1
        if bracket.start - line_start > _MAX_PATH:
            told = f"the call of a macro more than {_MAX_PATH:,} bytes into its line is not read as items"
            x.problem(x.source.count(b"\n", 0, line_start) + 1, told)
        elif _PATH.fullmatch(x.source, line_start, bracket.start):
            edits.append(_Edit(line_start, end, name, ((line_start, inside), (end - 1, end)), around_items=True))
    elif bracket.kind == b"(" and not bracket.foreign:
        edits.append(_Edit(bracket.start, end, name, ((bang, bracket.inner),)))


# Tokens


def token_calls(x: Extraction, tokens: Node, macro: str = "") -> None:
    """Records the calls that a run of tokens spells: `a.b(…)`, `Foo::new(…)`, `name!(…)`. `macro` is whose they are."""
    stack = [tokens]
    first_only = macro in _PATTERN_SECOND
    while stack:
        tree = stack.pop()
        expr: Expr | None = None
        joined = ""
        bang = False
        inner: list[Node] = []
        previous = ""
        for child in tree.children:
            kind = child.type
            if kind == "," and first_only:
                break
            if kind in _NAMES:
                text = x.text(child)
                if joined and expr is not None:
                    expr = ("a", expr, text)
                elif previous == "fn":
                    expr = None
                else:
                    expr = ("v",) if kind == "self" else ("n", text)
                joined, bang = "", False
            elif kind in (".", "::") and not bang:
                joined = kind
            elif kind == "!" and expr is not None and previous in _NAMES:
                bang = True
            elif kind == "token_tree" and previous in ("#", "#!"):
                expr, joined, bang = None, "", False
            elif kind == "token_tree":
                inner.append(child)
                bang = bang or (previous in _NAMES and x.source[child.start_byte - 1 : child.start_byte] == b"!")
                opening = child.children[0].type if child.children else ""
                if expr is not None and not joined and (opening == "(" or bang):
                    x.record_call(child, expr, kind="macro" if bang else "call")
                    expr = ("c", len(x.calls) - 1)
                else:
                    expr = UNKNOWN if opening == "(" and not joined else None
                joined, bang = "", False
            elif kind == "integer_literal" and joined == "." and expr is not None:
                expr, joined = ("a", expr, x.text(child)), ""
            elif kind not in ("?", "$", "line_comment", "block_comment"):
                expr, joined, bang = None, "", False
            previous = kind
        first_only = False
        stack.extend(reversed(inner))
