"""How syntax becomes expressions, as rows: tables from a node's type to what it is, compiled once into functions.

    EXPRESSIONS = lowerings({
        "identifier": name,
        "selector_expression": (ATTRIBUTE, "@operand", "$field!"),
        "map_type": (SUBSCRIPT, (NAME, "map"), (SEQUENCE, ("@key", "@value"))),
        "true false": BOOLEAN,
        "binary_expression": choose("%operator", {COMPARISONS: BOOLEAN}, (OPERATION, "%operator", "@left", "@right")),
    })

A row is a function of `lowering`, or of the language's own, or a tuple as the expression has it, of

    "@selector"   that node, lowered: UNKNOWN where there is none
    "$selector"   its text: "" where there is none; "$" alone: the node's own
    "`selector"   its text without the language's `name_marks` (backticks): a name
    "%selector"   its type, which is its text where it has no name; "%" alone: of the first child without a name
    "*selector"   its parts (named children but comments), lowered, as a tuple; "*" alone: the node's own
    "**selector"  all nodes that the selector is, lowered, as a tuple
    another row   what that gives
    other text    itself

with the selectors of `selectors`. A `!` behind one says that without that node the whole row is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from loregraph.indexer.facts import LITERAL, SEQUENCE, SPREAD, SUBSCRIPT, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL
from loregraph.indexer.languages.lowering import inner, last
from loregraph.indexer.languages.selectors import One, many, mentioning, one, parts
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

Row = Any
"""See above; `str`, a tuple of rows, a Lowering or a Reading."""
Reading = Callable[["Extraction", "Node"], Any]
"""What a row is compiled to: an expression, a text, or a tuple of expressions."""
ReadName = Callable[["Extraction", "Node | None"], str]

BOOLEAN: Final[Expr] = (LITERAL, "bool", "")
TEXT: Final[Expr] = (LITERAL, "str", "")
FLOAT: Final[Expr] = (LITERAL, "float", "")
NOTHING: Final[Expr] = (LITERAL, "none", "")
COMPARISONS: Final = "== != < > <= >= && ||"
"""Signs whose result is true or false in C's family."""


def lowerings(rows: Mapping[str, Row]) -> dict[str, Lowering]:
    """The rows of a table, compiled; each key is a node type, or several with spaces between them."""
    return {kind: made for kinds, row in rows.items() for made in [compiled(row)] for kind in kinds.split()}


def compiled(row: Row) -> Reading:
    """What reads a row at a node."""
    if callable(row):
        return row  # type: ignore[no-any-return]
    needed = required(row)
    made = _lean(row) or _term(row)
    if needed and not _checks_itself(row):
        made = _guarded(made, [one(selector) for selector in needed])
        mentioning(made, *needed, *_sources(row))
    else:
        mentioning(made, *_sources(row))
    return made


def _sources(row: Row) -> Sequence[object]:
    """The selectors and functions in a row."""
    if isinstance(row, tuple):
        return [source for part in row for source in _sources(part)]
    if isinstance(row, str):
        return [] if _is_constant(row) or row == SPREAD else [row.lstrip(_SIGILS).rstrip("!")]
    return [row] if callable(row) else []


_SIGILS: Final = "@$`%*"


def required(row: Row) -> list[str]:
    """The selectors without which a row says nothing."""
    if isinstance(row, tuple):
        return [selector for part in row for selector in required(part)]
    return [row[1:-1]] if isinstance(row, str) and row[:1] in ("@", "$", "`", "%") and row[-1:] == "!" else []


def _guarded(made: Reading, needed: list[One]) -> Reading:
    def reading(x: Extraction, node: Node) -> Any:
        for selected in needed:
            if selected(x, node) is None:
                return UNKNOWN
        return made(x, node)

    return reading


def _is_field(row: Row, sigil: str) -> bool:
    return isinstance(row, str) and row[:1] == sigil and row[1:].rstrip("!").isidentifier()


def _checks_itself(row: Row) -> bool:
    """Whether `_lean` makes of a row what looks at its required part itself."""
    return (isinstance(row, tuple) and len(row) == 3 and _is_field(row[1], "@") and row[1][-1] != "!") and _is_field(
        row[2], "$"
    )


def _lean(row: Row) -> Reading | None:
    """The rows that there are most of, without a step between: they are what costs time."""
    if not isinstance(row, tuple) or not row or not isinstance(row[0], str) or not _is_constant(row[0], head=True):
        return None
    operator = row[0]
    if len(row) == 3 and _is_field(row[1], "@"):
        first, second = row[1][1:].rstrip("!"), row[2][1:].rstrip("!") if isinstance(row[2], str) else ""
        if _is_field(row[2], "@"):
            return lambda x, node: (
                operator,
                x.lower(node.child_by_field_name(first)),
                x.lower(node.child_by_field_name(second)),
            )
        if _checks_itself(row):
            missing = UNKNOWN if row[2][-1] == "!" else None

            def attribute(x: Extraction, node: Node) -> Expr:
                named = node.child_by_field_name(second)
                if named is None:
                    return missing or (operator, x.lower(node.child_by_field_name(first)), "")
                return (operator, x.lower(node.child_by_field_name(first)), x.text(named))

            return attribute
    if len(row) == 4 and _is_field(row[1], "%") and _is_field(row[2], "@") and _is_field(row[3], "@"):
        written, left, right = (part[1:].rstrip("!") for part in row[1:])

        def operation(x: Extraction, node: Node) -> Expr:
            found = node.child_by_field_name(written)
            first = x.lower(node.child_by_field_name(left))
            return (operator, "" if found is None else found.type, first, x.lower(node.child_by_field_name(right)))

        return operation
    if len(row) == 2 and row[1] == "*":

        def listed(x: Extraction, node: Node) -> Expr:
            comments = x.spec.comments
            return (operator, tuple([x.lower(part) for part in node.named_children if part.type not in comments]))

        return listed
    return None


def _term(row: Row, *, head: bool = False) -> Reading:
    if callable(row):
        return row  # type: ignore[no-any-return]
    if _is_constant(row, head=head):
        return lambda x, node: row
    return _lean(row) or _tuple(row) if isinstance(row, tuple) else _read(row.rstrip("!"))


def _is_constant(row: Row, *, head: bool = False) -> bool:
    """Whether a row is what it says; `*` as the head of a tuple is the operator SPREAD."""
    if isinstance(row, tuple):
        return all(_is_constant(part, head=not number) for number, part in enumerate(row))
    if isinstance(row, str):
        return row[:1] not in _SIGILS or not row or (head and row == SPREAD)
    return not callable(row)


def _tuple(row: tuple[Row, ...]) -> Reading:
    terms = [_term(part, head=not number) for number, part in enumerate(row)]
    constant = row[0]
    if _is_constant(constant, head=True):
        if len(terms) == 2:
            only = terms[1]
            return lambda x, node: (constant, only(x, node))
        if len(terms) == 3:
            left, right = terms[1:]
            return lambda x, node: (constant, left(x, node), right(x, node))
        if len(terms) == 4:
            sign, left, right = terms[1:]
            return lambda x, node: (constant, sign(x, node), left(x, node), right(x, node))
    if len(terms) == 2:
        first, second = terms
        return lambda x, node: (first(x, node), second(x, node))
    return lambda x, node: tuple([term(x, node) for term in terms])


def _read(row: str) -> Reading:
    sigil, selector = row[0], row[1:]
    if row == "%":
        return sign
    if sigil == "*":
        return _all_of(selector[1:]) if selector[:1] == "*" else _parts_of(selector)
    if selector.isidentifier() and sigil != "`":
        return _read_field(sigil, selector)
    if sigil == "@" and selector in ("0", "-1"):
        return last if selector == "-1" else inner
    select = one(selector)
    if sigil == "`":
        return lambda x, node: x.text(found).strip(x.spec.name_marks) if (found := select(x, node)) is not None else ""
    if sigil == "@":
        return lambda x, node: x.lower(select(x, node))
    if sigil == "$":
        return lambda x, node: x.text(found) if (found := select(x, node)) is not None else ""
    return lambda x, node: found.type if (found := select(x, node)) is not None else ""


def _read_field(sigil: str, field: str) -> Reading:
    if sigil == "@":
        return lambda x, node: x.lower(node.child_by_field_name(field))
    if sigil == "$":
        return lambda x, node: x.text(found) if (found := node.child_by_field_name(field)) is not None else ""
    return lambda x, node: found.type if (found := node.child_by_field_name(field)) is not None else ""


def _parts_of(selector: str) -> Reading:
    if selector.isidentifier():

        def listed(x: Extraction, node: Node) -> Any:
            held = node.child_by_field_name(selector)
            if held is None:
                return ()
            comments = x.spec.comments
            return tuple([x.lower(part) for part in held.named_children if part.type not in comments])

        return listed
    select = one(selector)
    return lambda x, node: tuple([x.lower(part) for part in parts(x, select(x, node))])


def _all_of(selector: str) -> Reading:
    select = many(selector)
    return lambda x, node: tuple([x.lower(found) for found in select(x, node)])


def sign(x: Extraction, node: Node) -> str:
    """How the first child without a name is written: an operator, where no field has it."""
    return next((child.type for child in node.children if not child.is_named), "")


def choose(what: str, cases: Mapping[str, Row], otherwise: Row = UNKNOWN) -> Reading:
    """One of several rows, by what a text ("$field") or type ("%field") is; each key is a word, or several with spaces
    between them."""
    key = compiled(what)
    by_word = {word: compiled(row) for words, row in cases.items() for word in words.split()}
    other = compiled(otherwise)

    field = what[1:] if _is_field(what, "%") else ""

    def chosen(x: Extraction, node: Node) -> Any:
        return by_word.get(key(x, node), other)(x, node)

    def chosen_by_type(x: Extraction, node: Node) -> Any:
        found = node.child_by_field_name(field)
        return by_word.get("" if found is None else found.type, other)(x, node)

    def chosen_by_own_type(x: Extraction, node: Node) -> Any:
        return by_word.get(node.type, other)(x, node)

    made = chosen_by_type if field else chosen_by_own_type if what == "%." else chosen
    types = f":{','.join(by_word)}" if what[:1] == "%" and all(map(_is_word, by_word)) else ""
    mentioning(made, key, other, *by_word.values(), types)
    return made


def _is_word(text: str) -> bool:
    return text.isidentifier()


def having(selector: str, row: Row, otherwise: Row = UNKNOWN) -> Reading:
    """`row` where the selected node is there."""
    select, made, other = one(selector), compiled(row), compiled(otherwise)

    def reading(x: Extraction, node: Node) -> Any:
        return other(x, node) if select(x, node) is None else made(x, node)

    mentioning(reading, selector, made, other)
    return reading


def at(selector: str, row: Row, otherwise: Row = UNKNOWN) -> Reading:
    """`row`, read at the selected node; `otherwise`, at this one, where that is not there."""
    select, made, other = one(selector), compiled(row), compiled(otherwise)

    def reading(x: Extraction, node: Node) -> Any:
        found = select(x, node)
        return other(x, node) if found is None else made(x, found)

    mentioning(reading, selector, made, other)
    return reading


def each(selector: str, row: Row) -> Reading:
    """`row`, read at each of the selected nodes, as a tuple: `(MAPPING, each(":pair", ("@key", "@value")))`."""
    select, made = many(selector), compiled(row)

    def reading(x: Extraction, node: Node) -> Any:
        return tuple([made(x, found) for found in select(x, node)])

    mentioning(reading, selector, made)
    return reading


def some(operator: str, items: Row, *, known: bool = False) -> Reading:
    """The expression that `operator` makes of items; UNKNOWN where there are none. With `known` those that are UNKNOWN
    are left out."""
    read = compiled(items)

    def reading(x: Extraction, node: Node) -> Expr:
        found = read(x, node)
        if known:
            found = tuple([item for item in found if item != UNKNOWN])
        return (operator, found) if found else UNKNOWN

    mentioning(reading, read)
    return reading


def together(operator: str, items: Row, *, known: bool = False) -> Reading:
    """As `some`, but one item alone stands for itself."""
    several = some(operator, items, known=known)

    def reading(x: Extraction, node: Node) -> Any:
        found = several(x, node)
        return found[1][0] if found != UNKNOWN and len(found[1]) == 1 else found

    mentioning(reading, several)
    return reading


def generic(base: Row, arguments: Row) -> Reading:
    """A type with its arguments; without any the type alone."""
    read, items = compiled(base), compiled(arguments)

    def reading(x: Extraction, node: Node) -> Expr:
        return with_arguments(read(x, node), items(x, node))

    mentioning(reading, read, items)
    return reading


def with_arguments(base: Expr, arguments: Sequence[Expr]) -> Expr:
    """A type with its arguments; without any the type alone."""
    if not arguments:
        return base
    return (SUBSCRIPT, base, arguments[0] if len(arguments) == 1 else (SEQUENCE, tuple(arguments)))


def text_of(selector: str) -> Callable[[Extraction, Node], str]:
    """The text of the selected node; "" where there is none."""
    select = one(selector)

    def text(x: Extraction, node: Node) -> str:
        found = select(x, node)
        return x.text(found) if found is not None else ""

    mentioning(text, selector)
    return text


def written_text(selector: str, kind: str = "str") -> Reading:
    """A literal with the text of the selected node, where that is short."""
    read = text_of(selector)

    def literal(x: Extraction, node: Node) -> Expr:
        text = read(x, node)
        return (LITERAL, kind, text if len(text) <= MAX_LITERAL else "")

    mentioning(literal, read)
    return literal
