"""What stands in a macro's parentheses: read as code where the grammar can, else as a run of tokens.

A grammar gives the arguments of `println!("{}", user.name())` as bare tokens. Most macros take expressions, so
`parse_source` blanks out their `!` before parsing: an invocation then reads as a call, at the same byte offsets. Macros
around items (`cfg_unix! { pub fn … }`) read as the items themselves, those with arms (`with!(value, name => { … })`) as
a `match`, and `select!` as a call with its arms as arguments. Where that makes an error, the invocation is put back as
it was, and `token_calls` finds the calls among its tokens.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, FILE_SCOPE, NAME, RECEIVER, RESULT, UNKNOWN, Call, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.parsing import parse

if TYPE_CHECKING:
    from tree_sitter import Node

QUOTING: Final = frozenset({"quote", "quote_spanned", "parse_quote", "parse_quote_spanned", "stringify"})
"""Macros whose tokens are handed on as tokens: what they spell runs in another program."""
_ROUNDS: Final = 3
"""How often invocations that do not parse are put back before all of them are."""
_LARGE: Final = 400_000
"""Bytes of a file past which there is one attempt only."""
_NEARBY: Final = 200
"""How many rewritings before an error are looked at to find the one around it; bytes before an invocation in braces
that are looked at for an arrow."""
_NOT_EXPRESSIONS: Final = frozenset({b"lazy_static", b"bitflags", b"concat_idents", *(n.encode() for n in QUOTING)})
"""Macros whose arguments look like code and are not."""
_FIRST_ONLY: Final = frozenset({b"matches", b"assert_matches", b"debug_assert_matches"})
"""Macros with an expression before the first comma, and a pattern behind it."""
ALTERNATIVES: Final = frozenset({"select", "select_biased"})
"""Macros of which each arm is `pattern = future => what is done then`."""
_KEYWORDS: Final = frozenset({b"if", b"while", b"match", b"return", b"in", b"else", b"break", b"let", b"move"})
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
    + rb"|(?P<comma>,)|(?P<arrow>=>)"
    + rb"|(?P<foreign>[;$#@]|->|\.\.\.|\b(?:in|where|let|fn|struct|enum|impl|static|type|use|mod|pub|trait)\b)",
    re.DOTALL,
)
"""`foreign`: tokens between a macro's parentheses that neither a list of expressions nor one of arms has."""
_PATH: Final = re.compile(rb"\s*+(?:\w++::)*+")
_MAX_PATH: Final = 1_000
"""Bytes before an invocation on its line that are looked through for a path."""
_NO_STATEMENT: Final = re.compile(rb"\s*+(?:[;,.?)\]}]|\Z)")
_PATH_BYTES: Final = string.ascii_letters.encode() + string.digits.encode() + b"_:"
_BLANK: Final = re.compile(rb"[^\n]")
_UNREAD: Final = re.compile(rb"\b(?:(?P<wildcard>_)|mut|ref)\b")
"""What patterns have and expressions do not."""
_BIASED: Final = re.compile(rb"\s*+biased\s*+;")
_BEFORE_ARROW: Final = re.compile(rb"\s*+(?:if\b|(?P<otherwise>else)\b)")
_OPENING: Final = re.compile(rb"\s*+\{")
_GOES_ON: Final = re.compile(rb"\s*+[,.?]")
_STATEMENT: Final = re.compile(rb"\s*+(?:match|if|async|loop|unsafe)\b")
_LABEL: Final = re.compile(rb"\s*+\w++\s*+:(?!:)")
_METAVARIABLE: Final = re.compile(rb"\$(\w++)\s*+:")
_LET: Final = re.compile(
    rb"\blet\s++(?:mut\s++)?+\$(?P<name>\w++)\s*+=\s*+\$(?P<of>\w++)(?P<calls>(?:\s*+\.\s*+\w++\s*+\(\s*+\))*+)\s*+;"
)
_DEFINITION: Final = re.compile(rb"\bmacro_rules!\s*+(\w++)")
_WORD: Final = re.compile(rb"\w++")
MATCHES: Final = "matches"
"""Key of `Extraction.memo`: where an invocation reads as a `match` → the macro's name."""
_LETS: Final = "lets"
_MAX_DEFINITION: Final = 10_000
"""Bytes of a macro's definition that are looked through."""
_COMMENT_MARK: Final = re.compile(rb"/\*|\*/")
_ITEMS: Final = re.compile(
    rb"(?:\s++|//[^\n]*+\n|/\*(?:(?!\*/).)*+\*/)*+"
    rb"(?:#!?\[|(?:pub|fn|mod|use|struct|enum|impl|trait|type|const|static|extern)\b"
    rb"|(?:async|unsafe)\s++(?:fn|unsafe|extern|impl|trait|mod)\b|[A-Za-z_]\w*!)",
    re.DOTALL,
)


_ITEMS_IN_PARENTHESES: Final = re.compile(rb"\s*+(?:pub|fn|mod|use|struct|enum|impl|trait)\b")


@dataclass(slots=True, eq=False)
class _Edit:
    """One invocation rewritten: the bytes of the ranges `blank` become spaces, then those at the places `put` others.

    `around_items`: it leaves no trace. `matching`: it reads as a `match`, whose keyword is where that says.
    """

    start: int
    end: int
    name: bytes
    blank: tuple[tuple[int, int], ...]
    put: tuple[tuple[int, bytes], ...] = ()
    around_items: bool = False
    matching: int = -1
    active: bool = True

    def apply(self, text: bytearray) -> None:
        for start, end in self.blank:
            text[start:end] = _BLANK.sub(b" ", bytes(text[start:end]))
        for start, written in self.put:
            text[start : start + len(written)] = written


@dataclass(slots=True, eq=False)
class _Bracket:
    """A bracket that is open. `name` is where the macro's name begins and ends, None for a plain bracket.

    `marks` are the commas and arrows directly in it, and where brackets in it close.
    """

    start: int
    name: tuple[int, int] | None
    inner: int
    kind: bytes
    foreign: bool = False
    marks: list[tuple[str, int]] = field(default_factory=list)


def parse_source(x: Extraction) -> Node | None:
    """The tree of the file with its macro invocations read as code, as far as that makes no errors."""
    edits = _edits(x)
    for _ in range(0 if not edits else _ROUNDS if len(x.source) < _LARGE else 1):
        text = bytearray(x.source)
        for edit in edits:
            if edit.active:
                edit.apply(text)
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
        x.memo[MATCHES] = {edit.matching: edit.name for edit in edits if edit.active and edit.matching >= 0}
        return root
    return parse("rust", x.source)


def _record_item_macros(x: Extraction, edits: list[_Edit]) -> None:
    """Records the calls of top-level macros around items: nothing of them is left in the tree."""
    for edit in edits:
        if edit.active and edit.around_items and not x.source[edit.start : edit.start + 1].isspace():
            line = x.source.count(b"\n", 0, edit.start) + 1
            x.calls.append(Call(FILE_SCOPE, line, edit.start, -1, (NAME, edit.name.decode()), kind="macro"))


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
                    if inside is None or edit.put:  # what is rewritten most, rather than what stands in it
                        inside = edit
                    if edit.put:
                        break
                elif edit.active and earlier is None:
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
            stack[-1].marks.append(("close", position))
        elif found["foreign"]:
            stack[-1].foreign = True
        elif found["comma"] or found["arrow"]:
            stack[-1].marks.append(("comma" if found["comma"] else "arrow", found.start()))
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
    arrows = any(kind == "arrow" for kind, _ in bracket.marks)
    first = next((at for kind, at in bracket.marks if kind == "comma"), -1)
    if name in _FIRST_ONLY:
        if first > 0 and bracket.kind == b"(":
            edits.append(_Edit(bracket.start, end, name, ((bang, bracket.inner), (first, end - 1))))
    elif name.decode() in ALTERNATIVES:
        _alternatives(x, bracket, end, edits)
    elif bracket.kind == b"[":
        if name == b"vec" and not arrows:
            edits.append(_Edit(bracket.start, end, name, ((bracket.start, bracket.inner),)))
    elif (_ITEMS if bracket.kind == b"{" else _ITEMS_IN_PARENTHESES).match(x.source, inside):
        line_start = x.source.rfind(b"\n", 0, bracket.start) + 1
        if bracket.start - line_start > _MAX_PATH:
            told = f"the call of a macro more than {_MAX_PATH:,} bytes into its line is not read as items"
            x.problem(x.source.count(b"\n", 0, line_start) + 1, told)
        elif _PATH.fullmatch(x.source, line_start, bracket.start):
            edits.append(_Edit(line_start, end, name, ((line_start, inside), (end - 1, end)), around_items=True))
    elif bracket.foreign:
        return
    elif arrows:
        _arms(x, bracket, first, end, edits)
    elif bracket.kind == b"(":
        edits.append(_Edit(bracket.start, end, name, ((bang, bracket.inner),)))
    elif _STATEMENT.match(x.source, inside) or (first > 0 and not _LABEL.match(x.source, inside)):
        # `join! { a(), b() }`
        put = ((bracket.inner, b"("), *_ended(x, bracket, end))
        edits.append(_Edit(bracket.start, end, name, ((bang, bracket.inner),), put))


def _ended(x: Extraction, bracket: _Bracket, end: int) -> tuple[tuple[int, bytes], ...]:
    """What closes an invocation in braces where it reads as a call, with what ends the statement that it may be."""
    if bracket.kind != b"{" or _NO_STATEMENT.match(x.source, end):
        return ((end - 1, b")"),)
    before = x.source[max(0, bracket.start - _NEARBY) : bracket.start].rstrip(_PATH_BYTES).rstrip()
    behind_arrow = before.endswith(b"=>")
    return _closed(x.source, end, b")", b"," if behind_arrow else b";")


def _closed(source: bytes, end: int, closing: bytes, mark: bytes) -> tuple[tuple[int, bytes], ...]:
    """`closing` for the bracket before `end`, and `mark` behind it where there is a place for it. Lines stay as long as
    they are."""
    if source[end - 2 : end - 1] in (b" ", b"\t"):
        return ((end - 2, closing + mark),)
    place = end
    while source[place : place + 1] in (b"\n", b"\r"):
        place += 1
    if source[place : place + 1] in (b" ", b"\t"):
        return ((end - 1, closing), (place, mark))
    return ((end - 1, closing),)


def _arms(x: Extraction, bracket: _Bracket, comma: int, end: int, edits: list[_Edit]) -> None:
    """`with!(value, pattern => body)` reads as `match value { pattern => body }`."""
    assert bracket.name is not None
    start, bang = bracket.name
    arrow = next(at for kind, at in bracket.marks if kind == "arrow")
    before = max(x.source.rfind(b"\n", 0, start) + 1, start - _NEARBY)
    while start > before and (x.source[start - 1 : start].isalnum() or x.source[start - 1 : start] in (b"_", b":")):
        start -= 1
    if 0 < comma < arrow and bracket.inner + 1 - start > len(b"match "):
        put = ((start, b"match"), (comma, b"{"), (end - 1, b"}"))
        blank = ((start, bracket.inner + 1),)
        edits.append(_Edit(bracket.start, end, x.source[bracket.name[0] : bang], blank, put, matching=start))


def _alternatives(x: Extraction, bracket: _Bracket, end: int, edits: list[_Edit]) -> None:
    """`select! { pattern = future, if condition => body }` reads as `select(pattern = future, condition, body)`."""
    assert bracket.name is not None
    start, bang = bracket.name
    blank = [(bang, bracket.inner)]
    put = [(bracket.inner, b"("), *_ended(x, bracket, end)]
    inside = bracket.inner + 1
    biased = _BIASED.match(x.source, inside, end)
    if biased is not None:
        blank.append(biased.span())
    before = begin = inside if biased is None else biased.end()
    body = -1
    answered = False
    for kind, at in bracket.marks:
        if kind == "arrow":
            word = _BEFORE_ARROW.match(x.source, before, at)
            for unread in _UNREAD.finditer(x.source, begin, max(begin, x.source.find(b"=", begin, at))):
                if unread["wildcard"]:
                    put.append((unread.start(), b"X"))  # a name that binds nothing: see `patterns`
                else:
                    blank.append(unread.span())
            blank.append((at, at + 2))
            if word is not None:
                blank.append(word.span())
            if word is None or word["otherwise"] is None:
                put.append((at, b","))
            braced = _OPENING.match(x.source, at + 2, end)
            body = braced.end() if braced is not None else -1
            answered = True
            before = begin = at + 2
        elif kind == "comma":
            before = at + 1
            begin = before if answered else begin
            body = -1
            answered = False
        elif body > 0:
            if _GOES_ON.match(x.source, at, end) is None:
                put += _closed(x.source, at, b"}", b",")
                before = begin = at + 1
                answered = False
            body = -1
    edits.append(_Edit(bracket.start, end, x.source[start:bang], tuple(blank), tuple(put)))


def matched(x: Extraction, node: Node, macro: bytes, value: Expr, pattern: Node | None) -> Expr:
    """What the pattern of a macro's arm stands for, where `value` is the macro's first argument.

    A definition in the same file may say so: `let $inner = $self.into_inner();`. Else a name alone may be anything.
    """
    lets: dict[bytes, list[str]] | None = x.memo.get(_LETS)
    if lets is None:
        lets = x.memo[_LETS] = _lets(x.source)
    calls = lets.get(macro)
    if calls is None:
        return UNKNOWN if pattern is not None and pattern.type in ("identifier", "mut_pattern") else value
    for name in calls:
        x.record_call(node, (ATTRIBUTE, value, name))
        value = (RESULT, len(x.calls) - 1)
    return value


def _lets(source: bytes) -> dict[bytes, list[str]]:
    """The macros that a file defines which give a name of their caller's to their first argument → the methods that are
    called on it before."""
    found: dict[bytes, list[str]] = {}
    heads = list(_DEFINITION.finditer(source))
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(source)
        end = min(end, head.end() + _MAX_DEFINITION)
        first = _METAVARIABLE.search(source, head.end(), end)
        let = _LET.search(source, head.end(), end)
        if first is not None and let is not None and let["of"] == first[1]:
            found[head[1]] = [name[0].decode() for name in _WORD.finditer(let["calls"])]
    return found


# Tokens


def token_calls(x: Extraction, tokens: Node, macro: str = "") -> None:
    """Records the calls that a run of tokens spells: `a.b(…)`, `Foo::new(…)`, `name!(…)`. `macro` is whose they are."""
    stack = [tokens]
    first_only = macro.encode() in _FIRST_ONLY  # what looks like a call behind the first comma is a pattern
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
                    expr = (ATTRIBUTE, expr, text)
                elif previous == "fn":
                    expr = None
                else:
                    expr = (RECEIVER,) if kind == "self" else (NAME, text)
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
                    expr = (RESULT, len(x.calls) - 1)
                else:
                    expr = UNKNOWN if opening == "(" and not joined else None
                joined, bang = "", False
            elif kind == "integer_literal" and joined == "." and expr is not None:
                expr, joined = (ATTRIBUTE, expr, x.text(child)), ""
            elif kind not in ("?", "$", "line_comment", "block_comment"):
                expr, joined, bang = None, "", False
            previous = kind
        first_only = False
        stack.extend(reversed(inner))
