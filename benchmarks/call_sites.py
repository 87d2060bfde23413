"""The positions and names of calls in Python code: shared by the benchmarks that compare calls. Needs only Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Site:
    """A name at a position, within the definition `scope` (first line including decorators, name; (0, "") is the
    module). `called`: it is called, not only read."""

    def __init__(self, scope: tuple[int, str], name: str, line: int, column: int, called: bool) -> None:
        self.scope = scope
        self.name = name
        self.line = line
        self.column = column
        self.called = called


def sites(tree: ast.Module) -> Iterator[Site]:
    """The names that are called, as decorators too, and the attributes that are read."""
    stack: list[tuple[ast.AST, tuple[int, str]]] = [(tree, (0, ""))]
    while stack:
        node, scope = stack.pop()
        if isinstance(node, ast.Call):
            yield from site(node.func, scope, True)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from site(node, scope, False)
        if isinstance(node, FUNCTIONS):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            for decorator in node.decorator_list:
                yield from site(decorator, scope, True)
            inner = (first, node.name)
            for name, value in ast.iter_fields(node):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        stack.append((child, inner if name == "body" else scope))
        elif isinstance(node, ast.Lambda):
            stack += [(node.args, scope), (node.body, (node.lineno, "<lambda>"))]
        else:
            stack += [(child, scope) for child in ast.iter_child_nodes(node)]


def site(node: ast.AST, scope: tuple[int, str], called: bool) -> Iterator[Site]:
    if isinstance(node, ast.Name):
        yield Site(scope, node.id, node.lineno, node.col_offset, called)
    elif isinstance(node, ast.Attribute) and node.end_lineno and node.end_col_offset:
        yield Site(scope, node.attr, node.end_lineno, node.end_col_offset - len(node.attr.encode()), called)
