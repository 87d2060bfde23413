"""Dispatch tables: the meaning of each operator of expressions, and the operations on each kind of value.

The rules are mutually recursive: evaluating an expression may evaluate calls, a call evaluates its function, and a
member may be a property and thus a call. To avoid import cycles, modules do not import one another for that. Each
registers its operators and kinds of values here and calls the functions below for everything else. `rules` imports all
of them.

A row of `OPERATORS` is an operator of `facts`, or one that resolution adds:
`("P", function, number)` a parameter,
`("S", base, start)` the rest of a sequence from an index on,
`("D", definition, level)` a definition after the decorators below its decorator number `level`,
`("V", values)` the values themselves,
`("R", container)` all elements, `("R*", expr)` all elements of the containers among an expression's values,
`("C", call cell)` a call's result,
`("T", type)` an instance of a type,
`("F", function)` what a function returns to an implicit call,
`("A", function, parameter)` the argument that a test framework passes,
`("O", scope, name)` a name that no scope of the file binds,
`("->", value, name)` a member that a value's type forwards to other objects,
`("^", value, name)` a member that a trait expects from the types that use it,
`("K", class, name)` a member of a class object,
`("H", values)` the targets of a call that passes its receiver on, where it reaches `values` otherwise.
`protocols` and `operations` add those of implicit calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import FileIndex, Instance, Value, Values

Operator = Callable[[Engine, FileIndex, Any, Expr], Values]

OPERATORS: Final[dict[str, Operator]] = {}
"""Operator → the values of an expression, read at a site of a file."""
MEMBERS: Final[dict[type[Value], Callable[[Engine, Any, str], Values]]] = {}
"""Kind of value → the values of one of its members."""
LINKS: Final[dict[type[Value], Callable[[Engine, FileIndex, Call, Any, int], None]]] = {}
"""Kind of value → links a call: lets its arguments flow to the function that runs."""
RESULTS: Final[dict[type[Value], Callable[[Engine, FileIndex, Call, Any, int], Values]]] = {}
"""Kind of value → the result of calling it."""
ELEMENTS: Final[dict[type[Value], Callable[[Engine, FileIndex, Any], Values]]] = {}
"""Kind of value → the elements when iterating over it."""
ITEMS: Final[dict[type[Value], Callable[[Engine, FileIndex, Any, Any, Expr], Values]]] = {}
"""Kind of value → the result of a subscript."""
# No kind of value has subclasses, so tables are looked up by exact type.


# Implements REQ-RES-003.
def evaluate(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """The values of `expr` read at `site` in `file`."""
    operator = OPERATORS.get(expr[0])
    return operator(engine, file, site, expr) if operator is not None else ()


def member_of(engine: Engine, value: Value, name: str) -> Values:
    """The values of `value.name`."""
    if type(value) is Instance:
        settled = value.settled.get(name)
        if settled:
            return settled
    row = MEMBERS.get(type(value))
    return row(engine, value, name) if row is not None else ()


def link_call(engine: Engine, file: FileIndex, call: Call, value: Value, skip: int) -> None:
    """Lets the arguments of `call`, without the first `skip`, flow to the function that runs when `value` is called."""
    row = LINKS.get(type(value))
    if row is not None:
        row(engine, file, call, value, skip)


def result_of(engine: Engine, file: FileIndex, call: Call, target: Value, skip: int) -> Values:
    """The result of `call` when it reaches `target`."""
    row = RESULTS.get(type(target))
    return row(engine, file, call, target, skip) if row is not None else ()


def elements_of(engine: Engine, file: FileIndex, value: Value) -> Values:
    """The elements when iterating over `value`."""
    row = ELEMENTS.get(type(value))
    return row(engine, file, value) if row is not None else ()


def item_of(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr) -> Values:
    """`value[key]`."""
    row = ITEMS.get(type(value))
    return row(engine, file, site, value, key) if row is not None else ()
