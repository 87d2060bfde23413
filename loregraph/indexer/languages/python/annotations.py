"""Annotations written as strings, and in type comments: a second, small parse."""

from __future__ import annotations

import ast
from functools import lru_cache

from loregraph.indexer.facts import ATTRIBUTE, NAME, SEQUENCE, SUBSCRIPT, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.rows import NOTHING


@lru_cache(maxsize=4096)
def lower_annotation_text(text: str) -> Expr:
    """`text` read as an annotation; UNKNOWN where it is not one."""
    try:
        return _lower(ast.parse(text.strip(), mode="eval").body, 0)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return UNKNOWN


def _lower(node: ast.expr, depth: int) -> Expr:
    if depth > 20:
        return UNKNOWN
    match node:
        case ast.Name(id=name):
            return (NAME, name)
        case ast.Attribute(value=value, attr=name):
            return (ATTRIBUTE, _lower(value, depth + 1), name)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=items)):
            return (SUBSCRIPT, _lower(value, depth + 1), (SEQUENCE, tuple(_lower(i, depth + 1) for i in items)))
        case ast.Subscript(value=value, slice=key):
            return (SUBSCRIPT, _lower(value, depth + 1), _lower(key, depth + 1))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return (UNION, (_lower(left, depth + 1), _lower(right, depth + 1)))
        case ast.Constant(value=None):
            return NOTHING
        case ast.Constant(value=str(inner)):
            return lower_annotation_text(inner)
    return UNKNOWN
