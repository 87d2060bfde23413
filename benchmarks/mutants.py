"""Small faults for the source of a module: each a place in its text and what stands there instead.

The operators are those that Offutt et al. found sufficient (An Experimental Determination of Sufficient Mutant
Operators, TOSEM 1996: relations, arithmetic, connectors, constants), and what Python has beside them: conditions turned
round, statements and results left out, `any` for `all`. Left alone is what says nothing of behaviour or only to people:
annotations, decorators, docstrings, what a `raise` says, and texts with spaces.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

RELATIONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.Div: (r"/", "*"),
    ast.FloorDiv: (r"//", "*"),
    ast.Mod: (r"%", "//"),
    ast.BitAnd: (r"&", "|"),
    ast.BitOr: (r"\|", "&"),
    ast.BitXor: (r"\^", "|"),
    ast.LShift: (r"<<", ">>"),
    ast.RShift: (r">>", "<<"),
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
# Where names are put together for import, not for what the module does.
DECLARATIONS = {"__all__", "__slots__"}


@dataclass(frozen=True, order=True)
class Mutant:
    """One fault: bytes `start` to `end` of the source become `text`. `line` and `last` are the lines, from 1, of the
    smallest construct around it: a test that runs none of them cannot notice."""

    start: int
    end: int
    text: str
    operator: str
    line: int
    last: int

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


class _Finder:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.offsets = [0]
        for line in source.splitlines(keepends=True):
            self.offsets.append(self.offsets[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.offsets[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offsets[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr) -> str:
        return self.source[self.start(node) : self.end(node)].decode()

    def mutant(self, node: ast.expr | ast.stmt, text: str, operator: str) -> Mutant:
        return Mutant(self.start(node), self.end(node), text, operator, node.lineno, node.end_lineno or node.lineno)

    def between(
        self, around: ast.expr | ast.stmt, left: ast.expr, right: ast.expr, pattern: str, text: str, operator: str
    ) -> Iterator[Mutant]:
        """`text` for the one match of `pattern` between two expressions."""
        first, last = self.end(left), self.start(right)
        if found := re.search(pattern.encode(), self.source[first:last]):
            at = first + found.start()
            yield Mutant(at, first + found.end(), text, operator, around.lineno, around.end_lineno or around.lineno)

    def walk(self, node: ast.AST, raising: bool = False) -> Iterator[Mutant]:
        yield from self.of(node, raising)
        raising = raising or isinstance(node, ast.Raise)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            children = value if isinstance(value, list) else [value]
            if field == "body" and isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                children = [child for child in children if not _says_nothing(child)]
            for child in children:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield from self.walk(child, raising)

    def of(self, node: ast.AST, raising: bool) -> Iterator[Mutant]:
        match node:
            case ast.Compare():
                left = node.left
                for kind, right in zip(node.ops, node.comparators, strict=True):
                    pattern, text = RELATIONS[type(kind)]
                    yield from self.between(node, left, right, pattern, text, "relation")
                    left = right
            case ast.BoolOp():
                old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from self.between(node, left, right, rf"\b{old}\b", new, "connector")
            case ast.UnaryOp(op=ast.Not()):
                start = self.start(node)
                yield Mutant(start, start + 3, "", "condition", node.lineno, node.end_lineno or node.lineno)
            case ast.BinOp() if (row := ARITHMETIC.get(type(node.op))) and not _joins_text(node):
                yield from self.between(node, node.left, node.right, row[0], row[1], "arithmetic")
            case ast.If() | ast.IfExp():
                yield self.mutant(node.test, f"(not ({self.text(node.test)}))", "condition")
            case ast.comprehension():
                for test in node.ifs:
                    yield self.mutant(test, f"(not ({self.text(test)}))", "condition")
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield self.mutant(node.func, CALLS[name], "call")
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield self.mutant(value, "None", "result")
            case ast.Break():
                yield self.mutant(node, "continue", "statement")
            case ast.Continue():
                yield self.mutant(node, "break", "statement")
            case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Delete():
                yield self.mutant(node, "pass", "statement")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
                yield self.mutant(node, "pass", "statement")
            case ast.AugAssign():
                yield self.mutant(node, "pass", "statement")
                if row := ARITHMETIC.get(type(node.op)):
                    yield from self.between(node, node.target, node.value, row[0] + "=", row[1] + "=", "arithmetic")
            case ast.Constant(value=bool() as value):
                yield self.mutant(node, str(not value), "constant")
            case ast.Constant(value=int() | float() as value):
                yield self.mutant(node, repr(value + 1), "constant")
            case ast.Constant(value=str() | bytes() as value) if not raising and not _is_prose(value):
                yield self.mutant(node, repr(value + "XX" if isinstance(value, str) else value + b"XX"), "constant")


def _says_nothing(node: ast.AST) -> bool:
    """Docstrings, what is for type checkers alone, and lists of names."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in DECLARATIONS
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_prose(value: str | bytes) -> bool:
    return (" " if isinstance(value, str) else b" ") in value


def _joins_text(node: ast.BinOp) -> bool:
    """Sums of texts: `-` between them fails wherever it is run."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )


def mutants_of(source: bytes) -> list[Mutant]:
    """All mutants of a module in the order of its text. `changes` says which of them can be run."""
    return sorted(set(_Finder(source).walk(ast.parse(source))))


def changes(mutant: Mutant, source: bytes) -> bool:
    """Whether the mutated module can be parsed and says something else than `source`."""
    try:
        changed = ast.parse(mutant.apply(source))
    except SyntaxError:  # such as a text that was a key of a `match`
        return False
    return ast.dump(changed) != ast.dump(ast.parse(source))
