"""The types that JavaScript's comments say: `@param {Foo} x`, `@returns {Foo}`, `@type {Foo}`, `@typedef {Foo} Bar`.

The notation is JSDoc's, which TypeScript's checker reads too; what names no class (primitives, functions, `*`) says
nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from loregraph.indexer.facts import (
    ATTRIBUTE,
    FILE_SCOPE,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Assignment,
    Definition,
    Export,
    Expr,
    Parameter,
)
from loregraph.indexer.languages.comments import clean_comment
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.lowering import inner
from loregraph.indexer.languages.rows import with_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

_TOKEN = re.compile(r"\s*(import\s*\(\s*['\"][^'\"]*['\"]\s*\)|[\w$#]+|\.\.\.|=>|\.<|\[\]|.)", re.DOTALL)
_TAG = re.compile(r"@(param|arg|argument|returns?|type|typedef|property|prop)\b\s*(?=\{)")
_NAME = re.compile(r"\s*+(\[?)\s*+([\w$]++)((?:\.[\w$]++|\[\])*+)")
_COMMENT = re.compile(rb"/\*\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)")
_TYPE_TAG = re.compile(rb"@type(?:def)?\b")
_BEFORE_TARGET = re.compile(rb"\s*(?:export\s+)?(?:(?:const|let|var|static|readonly)\s+)?")
_NOTHING = frozenset(
    "string number boolean bool symbol bigint null undefined void any unknown never object Object function Function "
    "true false this".split()
)
_PLAIN = re.compile(r"\s*[?!]?([A-Za-z_$][\w$]*(?: *\| *[A-Za-z_$][\w$]*)*)=?\s*")
_MAX_TOKENS = 400
_MAX_DEPTH = 12
ARRAY: Expr = (NAME, "Array")
_RECORD: Expr = (NAME, "Record")


def type_of(text: str) -> Expr | None:
    """The type that a text names; None where it names none that could be followed."""
    plain = _PLAIN.fullmatch(text)
    if plain is not None:  # most of them, without reading them token by token
        names = [name for name in plain[1].replace(" ", "").split("|") if name not in _NOTHING]
        if len(names) < 2:
            return (NAME, names[0]) if names else None
    tokens = [match[1] for match in _TOKEN.finditer(text)]
    if not tokens or len(tokens) > _MAX_TOKENS:
        return None
    reader = _Reader(tokens)
    found = reader.union(0)
    return found if found != UNKNOWN and reader.at == len(tokens) else None


class _Reader:
    """Reads one type from its tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def union(self, depth: int) -> Expr:
        options: list[Expr] = []
        self.take("|")
        while True:
            part = self._one(depth)
            if part != UNKNOWN and part not in options:
                options.append(part)
            if not self.take("|") and not self.take("&"):
                break
        return UNKNOWN if not options else options[0] if len(options) == 1 else (UNION, tuple(options))

    def _one(self, depth: int) -> Expr:
        if depth > _MAX_DEPTH:
            self.at = len(self.tokens) + 1
            return UNKNOWN
        rest = False
        while self.peek() in ("?", "!", "..."):
            rest = rest or self.peek() == "..."
            self.at += 1
        found = self._primary(depth + 1)
        links = 0
        while self.take("[]"):
            links += 1
            found = (SUBSCRIPT, ARRAY, found) if found != UNKNOWN and links <= MAX_EXPRESSION_DEPTH else UNKNOWN
        if not self.take("="):
            self.take("?")
        return (SUBSCRIPT, ARRAY, found) if rest and found != UNKNOWN else found

    def _primary(self, depth: int) -> Expr:
        token = self.peek()
        self.at += 1
        if token == "(":
            found = self.union(depth) if self.peek() != ")" else UNKNOWN
            if self.peek() != ")":
                self._skip(")")
                found = UNKNOWN
            self.at += 1
            if self.take("=>"):
                self.union(depth)
                return UNKNOWN
            return found
        if token == "{":
            return self._record(depth)
        if token == "function" and self.take("("):
            self._skip(")")
            self.at += 1
            if self.take(":"):
                self.union(depth)
            return UNKNOWN
        if token in ("typeof", "keyof", "readonly"):
            return self.union(depth)
        if token.startswith("import"):
            named: Expr = (MODULE, re.split(r"['\"]", token)[1]) if "(" in token else UNKNOWN
        elif re.fullmatch(r"[\w$]+", token):
            named = (NAME, token)
        else:
            return UNKNOWN
        return self._applied(self._member(named), depth)

    def _member(self, expr: Expr) -> Expr:
        links = 0
        while self.take("."):
            links += 1
            if links <= MAX_EXPRESSION_DEPTH:
                expr = (ATTRIBUTE, expr, self.peek())
            self.at += 1
        return expr

    def _applied(self, expr: Expr, depth: int) -> Expr:
        plain = expr[1] if expr[0] == NAME else ""
        if not self.take("<") and not self.take(".<"):
            return UNKNOWN if plain in _NOTHING or plain.isdigit() else expr
        arguments: list[Expr] = []
        while self.peek() not in (">", ""):
            arguments.append(self.union(depth))
            if not self.take(","):
                break
        if not self.take(">"):
            self.at = len(self.tokens) + 1
        if plain in ("Object", "object"):
            expr = _RECORD
        if not arguments or all(a == UNKNOWN for a in arguments):
            return UNKNOWN if plain in _NOTHING else expr
        return with_arguments(expr, arguments)

    def _record(self, depth: int) -> Expr:
        pairs: list[tuple[Expr, Expr]] = []
        while self.peek() not in ("}", ""):
            key = self.peek().strip("'\"")
            self.at += 1
            self.take("?")
            if self.take(":"):
                held = self.union(depth)
                if held != UNKNOWN:
                    pairs.append(((LITERAL, "str", key), held))
            else:
                self._skip(",", ";", "}")
            if not self.take(",") and not self.take(";"):
                break
        if not self.take("}"):
            self.at = len(self.tokens) + 1
        return (MAPPING, tuple(pairs)) if pairs else UNKNOWN

    def _skip(self, *until: str) -> None:
        """Goes on to one of these tokens, past what is in brackets."""
        nested = 0
        while self.peek():
            token = self.peek()
            if not nested and token in until:
                return
            nested += (token in "([{<") - (token in ")]}>")
            self.at += 1


def tags(text: str) -> Iterator[tuple[str, Expr | None, str]]:
    """(tag, type, the rest of the text behind it) of every tag that has a type."""
    for match in _TAG.finditer(text):
        end = _closing(text, match.end())
        if end > 0:
            yield match[1], type_of(text[match.end() + 1 : end]), text[end + 1 :]


def _closing(text: str, start: int) -> int:
    """Where the brace that opens at `start` is closed; -1 where it is not."""
    nested = 0
    for at in range(start, min(len(text), start + 2000)):
        if text[at] == "{":
            nested += 1
        elif text[at] == "}":
            nested -= 1
            if not nested:
                return at
    return -1


def parenthesized(x: Extraction, node: Node) -> Expr:
    """`(value)`, or with a type: `/** @type {Foo} */ (value)`."""
    value = inner(x, node)
    casts = x.memo.get("casts")
    if casts is None:
        casts = x.memo["casts"] = b"@type" in x.source
    before = node.prev_sibling if casts else None
    if before is None or before.type != "comment":
        return value
    type_ = next((type_ for tag, type_, _ in tags(x.text(before)) if tag == "type"), None)
    return (TYPED, type_, value) if type_ is not None else value


def apply_types(x: Extraction) -> None:
    """Puts the types of the file's comments where annotations would have put them."""
    source = x.source
    if b"{" not in source or b"@" not in source or not re.search(rb"@(?:param|arg|returns?|type)", source):
        return
    for number, definition in enumerate(x.definitions):
        if definition.docstring and "{" in definition.docstring and definition.is_function:
            x.definitions[number] = _documented(definition)
    if b"@type" in source:
        _declared(x)


def _documented(definition: Definition) -> Definition:
    """A function with the types that its comment gives its parameters and result."""
    types: dict[str, Expr] = {}
    members: dict[str, list[tuple[Expr, Expr]]] = {}
    order: list[str] = []
    returns = definition.returns
    for tag, type_, rest in tags(definition.docstring):
        if tag in ("param", "arg", "argument"):
            name = _NAME.match(rest)
            if name is None:
                continue
            if name[3]:
                if type_ is not None and name[3].count(".") == 1:
                    members.setdefault(name[2], []).append(((LITERAL, "str", name[3].rpartition(".")[2]), type_))
                continue
            order.append(name[2])
            if type_ is not None:
                types[name[2]] = type_
        elif tag.startswith("return") and returns is None:
            returns = type_
    for name_, pairs in members.items():
        types.setdefault(name_, (MAPPING, tuple(pairs)))
    if not types and returns is definition.returns:
        return definition
    parameters = tuple(
        _typed(parameter, types, order[i] if i < len(order) else "")
        for i, parameter in enumerate(definition.parameters)
    )
    return msgspec.structs.replace(definition, parameters=parameters, returns=returns)


def _typed(parameter: Parameter, types: dict[str, Expr], place: str) -> Parameter:
    type_ = types.get(parameter.name or place)
    if parameter.type is not None or type_ is None or parameter.kind:
        return parameter
    return msgspec.structs.replace(parameter, type=type_)


def _declared(x: Extraction) -> None:
    """`@type` before a variable, a field or an assignment, and `@typedef` anywhere."""
    by_place: dict[int, int] = {}
    for number, fact in enumerate(x.assignments):
        by_place.setdefault(fact.at, number)
    bound = {d.name for d in x.definitions if d.parent == FILE_SCOPE}
    bound.update(i.alias for i in x.imports)
    bound.update(a.target[1] for a in x.assignments if a.scope == FILE_SCOPE and a.target[0] == NAME)
    line, counted = 1, 0
    for comment in _COMMENT.finditer(x.source):
        if not _TYPE_TAG.search(comment[0]):
            continue
        line += x.source.count(b"\n", counted, comment.start())
        counted = comment.start()
        text = clean_comment(comment[0].decode("utf-8", "replace"))
        found = list(tags(text))
        for tag, type_, rest in found:
            if tag == "typedef":
                name = _NAME.match(rest)
                pairs = [
                    ((LITERAL, "str", named[2]), held)
                    for other, held, behind in found
                    if other in ("property", "prop") and held is not None and (named := _NAME.match(behind))
                ]
                aliased: Expr | None = (MAPPING, tuple(pairs)) if pairs and type_ is None else type_
                if name is not None and aliased is not None and name[2] not in bound:
                    bound.add(name[2])
                    _alias(x, line, comment.start(), name[2], aliased)
            elif tag == "type" and type_ is not None:
                target = _BEFORE_TARGET.match(x.source, comment.end())
                place = by_place.get(target.end()) if target is not None else None
                if place is not None and x.assignments[place].type is None:
                    x.assignments[place] = msgspec.structs.replace(x.assignments[place], type=type_)


def _alias(x: Extraction, line: int, at: int, name: str, type_: Expr) -> None:
    value = type_ if type_[0] in (NAME, ATTRIBUTE, MODULE) else (TYPED, type_, UNKNOWN)
    x.assignments.append(Assignment(FILE_SCOPE, line, at, -1, (NAME, name), value, None, "declare"))
    if x.exports:
        x.exports.append(Export(FILE_SCOPE, line, at, name, (NAME, name)))
