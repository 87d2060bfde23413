"""How a call was made, by the instruction that the caller had reached."""

from __future__ import annotations

import opcode
from types import CodeType
from typing import Final

KINDS: Final = ("call", "attribute", "operator", "iteration", "with", "other")
"""Written in the code as a call; a property or another descriptor; an operator, a subscript or a truth test; a `for`,
an `await` or an unpacking; a `with`; what the interpreter did by itself (`__del__`, an import hook)."""
CALL, ATTRIBUTE, OPERATOR, ITERATION, WITH, OTHER = range(len(KINDS))

_STARTS: Final = (
    ("CALL", CALL),
    ("PRECALL", CALL),
    ("LOAD_ATTR", ATTRIBUTE),
    ("LOAD_METHOD", ATTRIBUTE),
    ("LOAD_SUPER_ATTR", ATTRIBUTE),
    ("STORE_ATTR", ATTRIBUTE),
    ("DELETE_ATTR", ATTRIBUTE),
    ("BINARY_", OPERATOR),
    ("UNARY_", OPERATOR),
    ("COMPARE_OP", OPERATOR),
    ("CONTAINS_OP", OPERATOR),
    ("STORE_SUBSCR", OPERATOR),
    ("DELETE_SUBSCR", OPERATOR),
    ("STORE_SLICE", OPERATOR),
    ("TO_BOOL", OPERATOR),
    ("POP_JUMP", OPERATOR),
    ("JUMP_IF", OPERATOR),
    ("FORMAT_", OPERATOR),
    ("FOR_ITER", ITERATION),
    ("SEND", ITERATION),
    ("YIELD", ITERATION),
    ("GET_", ITERATION),
    ("UNPACK_", ITERATION),
    ("LIST_EXTEND", ITERATION),
    ("SET_UPDATE", ITERATION),
    ("BEFORE_", WITH),
    ("LOAD_SPECIAL", WITH),
    ("WITH_", WITH),
)
"""Beginnings of the names of instructions, in CPython 3.11 to 3.14."""


def kind_at_name(name: str) -> int:
    return next((kind for start, kind in _STARTS if name.startswith(start)), OTHER)


_CACHE: Final = opcode.opmap.get("CACHE", 0)
_OF_OPCODE: Final = tuple(kind_at_name(name) for name in opcode.opname)


def kind_at(code: CodeType, offset: int) -> int:
    """The index in `KINDS` of the instruction at `offset` of `code`."""
    instructions = code.co_code
    if not 0 <= offset < len(instructions):
        return OTHER
    while offset > 0 and instructions[offset] == _CACHE:  # a call has passed its instruction's inline cache
        offset -= 2
    return _OF_OPCODE[instructions[offset]]


def line_at(code: CodeType, offset: int) -> int:
    """The line of the instruction at `offset`, 0 where it has none."""
    for start, end, line in code.co_lines():
        if start <= offset < end:
            return line or 0
    return 0
