"""Makes a user's statement one that a server answers from one generation of each repository, and that only reads.

Edges never lead from one generation to another, so a path lies within one if any of its nodes does: each path of a
MATCH gets a condition on one node, in the MATCH's own WHERE. Nothing else is changed but names of functions. The
condition is put on the node that the pattern says most of, from which a server starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from loregraph.bolt.values import OWN
from loregraph.bolt.vocabulary import LABEL, RENAMED, SERVERS
from loregraph.errors import QueryFailedError, QueryRefusedError, unknown_name
from loregraph.graph.cypher import Clause, Token, clauses_of, missing_bounds, rebuilt, tokens_of
from loregraph.graph.cypher_names import check_names_as_written
from loregraph.graph.schema import NODE_COLUMNS, REL_COLUMNS

_ESCAPE: Final = re.compile(r"\\(?![\\'\"bfnrt])")
"""An escape in a string that servers need not read as we do: some replace \\u0027 before they look for the quote."""
PROPERTIES: Final = frozenset(
    {*OWN, *(name for columns in (*NODE_COLUMNS.values(), *REL_COLUMNS.values()) for name, _ in columns)}
)
"""The properties of all nodes and relationships on a server."""
_OPENS: Final = "([{"
_CLOSES: Final = ")]}"


class Scoped(NamedTuple):
    """The statement for a server, the name of its parameter with the generations, and the beginning of the names that
    it gives to nodes without one."""

    cypher: str
    parameter: str
    invented: str


# Implements REQ-SRV-004, REQ-SRV-005.
def scoped(cypher: str) -> Scoped:
    """`cypher`, reading the generations in a parameter only. Raises QueryRefusedError for anything but a read in the
    dialect that servers share, and QueryFailedError for labels and relationships that no graph has."""
    tokens = tokens_of(cypher)
    clauses = clauses_of(tokens, SERVERS)
    _check_quotes(tokens)
    check_names_as_written(tokens)
    return _Scope(cypher, tokens, clauses).scoped()


def _check_quotes(tokens: Sequence[Token]) -> None:
    """Refuses what two readers may take for different ends of a string or a name."""
    for i, token in enumerate(tokens):
        if token.kind == "string" and _ESCAPE.search(token.text):
            raise QueryRefusedError(
                f"an escape in the string at position {token.start} is not known to every server", "use a parameter"
            )
        if token.kind == "quoted" and (
            "\\" in token.text or (i and tokens[i - 1].kind == "quoted") or not token.text.isprintable()
        ):
            raise QueryRefusedError(f"the name at position {token.start} is no name in a graph", "leave it out")


class _Scope:
    def __init__(self, cypher: str, tokens: list[Token], clauses: list[Clause]) -> None:
        self._cypher = cypher
        self._tokens = tokens
        self._clauses = clauses
        self._after = missing_bounds(tokens)
        self._replaced: dict[int, str] = {}
        self._invented = _unused("scoped", tokens)
        self._parameter = f"{self._invented}_generations"
        self._paths: set[int] = set()  # tokens of patterns
        self._relationships: set[str] = set()
        self._named: set[str] = set()  # nodes and relationships

    def scoped(self) -> Scoped:
        for i, clause in enumerate(self._clauses):
            if clause.keyword in ("MATCH", "OPTIONAL"):
                self._match(i, clause)
        self._check_patterns()
        self._check_properties()
        self._rename()
        text = rebuilt(self._cypher, self._tokens, self._after, self._replaced)
        return Scoped(text, self._parameter, self._invented)

    def _insert(self, token: int, text: str) -> None:
        self._after[token] = self._after.get(token, "") + text

    def _match(self, i: int, clause: Clause) -> None:
        """Adds the condition to one MATCH."""
        start = clause.start + (2 if clause.keyword == "OPTIONAL" else 1)
        where, end = self._next(i), None
        pattern_end = where[1].start if where else len(self._tokens)
        condition = " AND ".join(
            f"{self._node(first, last)}.generation IN ${self._parameter}"
            for first, last in self._pieces(start, pattern_end)
        )
        self._paths.update(range(start, pattern_end))
        if where is None or where[1].keyword != "WHERE":
            self._insert(pattern_end - 1, f" WHERE {condition}")
            return
        end = self._next(where[0])
        self._insert(where[1].start, f" {condition} AND (")
        self._insert((end[1].start if end else len(self._tokens)) - 1, ")")

    def _next(self, i: int) -> tuple[int, Clause] | None:
        """The clause after clause `i` in the same brackets, with its index; None at the end of the statement."""
        depth = self._clauses[i].depth
        for k in range(i + 1, len(self._clauses)):
            if self._clauses[k].depth == depth:
                return k, self._clauses[k]
        return None

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The ranges of tokens between the commas of a pattern."""
        depth, first = 0, start
        for i in range(start, end):
            text = self._sign(i)
            depth += text in _OPENS if text else 0
            depth -= text in _CLOSES if text else 0
            if text == "," and depth == 0:
                yield first, i
                first = i + 1
        yield first, end

    def _sign(self, i: int) -> str:
        return self._tokens[i].text if self._tokens[i].kind == "sign" else ""

    def _node(self, first: int, last: int) -> str:
        """The name of the node in a path that gets the condition, which is given one where it has none."""
        nodes = list(self._nodes(first, last))
        if not nodes:
            raise QueryRefusedError(
                f"the pattern at position {self._tokens[min(first, len(self._tokens) - 1)].start} has no nodes",
                "write MATCH (a)-[:CALLS]->(b)",
            )
        self._named.update(self._tokens[opened + 1].text for opened, _ in nodes)
        start, _ = max(nodes, key=lambda node: (self._says(*node), -node[0]))
        name = self._tokens[start + 1]
        if name.kind in ("word", "quoted"):
            return name.text
        given = f"{self._invented}_{start}"
        self._insert(start, given)
        return given

    def _nodes(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The brackets of the nodes in a path: index of "(" and ")"."""
        depth, opened = 0, first
        for i in range(first, last):
            sign = self._sign(i)
            if sign and sign in _OPENS:
                if depth == 0:
                    opened = i
                elif sign == "(" and self._sign(opened) == "(" and depth == 1 and i == opened + 1:
                    raise QueryRefusedError(
                        f"'(' at position {self._tokens[i].start} is not allowed here",
                        "write a path as -[:CALLS*1..3]->",
                    )
                if depth == 0 and sign == "[":
                    self._relationship(i)
                depth += 1
            elif sign and sign in _CLOSES:
                depth -= 1
                if depth == 0 and sign == ")":
                    yield opened, i

    def _relationship(self, opened: int) -> None:
        """Notes the name of the relationship in these brackets, and refuses the path modes of single dialects."""
        closed = next(i for i in range(opened, len(self._tokens)) if self._sign(i) == "]")
        for i in range(opened, closed):
            if self._sign(i) == "*" and self._tokens[i + 1].kind == "word":
                mode = self._tokens[i + 1]
                raise QueryRefusedError(
                    f"{mode.text!r} at position {mode.start} is not known to every server",
                    "write MATCH p = (a)-[*1..8]->(b) ... ORDER BY length(p) LIMIT 1",
                )
        if opened + 1 < len(self._tokens) and self._tokens[opened + 1].kind in ("word", "quoted"):
            self._relationships.add(self._tokens[opened + 1].text)

    def _says(self, start: int, end: int) -> int:
        """How much a node pattern says: 2 for properties, 1 for a label."""
        signs = [self._sign(i) for i in range(start, end)]
        return 2 if "{" in signs else 1 if ":" in signs else 0

    def _check_patterns(self) -> None:
        """Refuses paths outside of MATCH, which could lie in any generation."""
        for i in range(len(self._tokens) - 2):
            if i in self._paths or self._sign(i) != ")":
                continue
            if self._sign(i + 1) in ("-", "<-") and self._sign(i + 2) in ("[", "-", "->"):
                raise QueryRefusedError(
                    f"the path at position {self._tokens[i].start} is outside of MATCH",
                    "write EXISTS { MATCH (a)-[:CALLS]->(b) }",
                )

    def _check_properties(self) -> None:
        """Refuses properties that no node or relationship has: a server would answer null, and find nothing."""
        named = self._named | self._relationships
        for i in sorted(self._paths - {len(self._tokens) - 1}):
            # (f:Function {name: …}), but not the values in there.
            if self._tokens[i].kind == "word" and self._sign(i + 1) == ":" and self._sign(i - 1) in ("{", ","):
                self._check_property(self._tokens[i])
        for i in range(len(self._tokens) - 2):
            owner, dot, token = self._tokens[i : i + 3]
            if dot.text != "." or owner.text not in named or (i and self._tokens[i - 1].text == "."):
                continue
            self._check_property(token)

    def _check_property(self, token: Token) -> None:
        name = token.text.strip("`")
        if name not in PROPERTIES:
            error = unknown_name("property", name, sorted(PROPERTIES))
            raise QueryFailedError(error.message, error.suggestion)

    def _rename(self) -> None:
        """Puts the names that servers have for functions of the embedded engine in their place."""
        for i, token in enumerate(self._tokens[:-1]):
            if self._tokens[i + 1].text != "(" or (i and self._tokens[i - 1].text in (".", "AS")):
                continue
            if token.word == LABEL:
                self._rename_label(i)
            elif token.word in RENAMED:
                self._replaced[i] = RENAMED[token.word]

    def _rename_label(self, i: int) -> None:
        """`label(x)` is type(x) of a relationship, and labels(x)[0] of a node: a node has one label."""
        named, closed = self._tokens[i + 2 : i + 4] if i + 3 < len(self._tokens) else (None, None)
        if named is None or closed is None or closed.text != ")":
            raise QueryRefusedError(
                f"label() at position {self._tokens[i].start} is of something without a name",
                "write labels(n)[0] for a node, type(r) for a relationship",
            )
        if named.text in self._relationships:
            self._replaced[i] = "type"
        else:
            self._replaced[i] = "labels"
            self._insert(i + 3, "[0]")


def _unused(name: str, tokens: Sequence[Token]) -> str:
    """`name`, made longer until no word of the statement begins with it."""
    while any(token.text.lstrip("`$").casefold().startswith(name) for token in tokens):
        name += "_"
    return name
