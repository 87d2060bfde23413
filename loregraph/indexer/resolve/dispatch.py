"""What an expression means, and what can be done with a value: a table for each, which the modules above fill.

An expression's value takes calls, a call takes the value of an expression, a member may be a property and so a call:
the rules need one another in circles. Their modules do not: each registers the operators that it gives a meaning and
the kinds of values that it is about, and asks for everything else here. `rules` imports them all.

A row of `OPERATORS` is an operator of `facts`, or one of resolution's own:
`("P", function, number)` a parameter, `("S", base, start)` the rest of a sequence from an index on,
`("D", definition, level)` what a definition is below its decorator number `level`, `("V", values)` values as they are,
`("R", container)` all elements, `("R*", expr)` those of every container that an expression may be, `("C", call cell)` a
call's result, `("T", type)` an instance of a type, `("F", function)` what a function gives that no call names,
`("A", function, parameter)` what a test framework passes, `("O", scope, name)` a name that no scope of the file binds,
`("->", value, name)` a member that a value's type hands on to others, `("^", value, name)` one that a trait leaves to
the types that take it in, `("K", class, name)` one of a class object,
`("H", values)` what a call reaches that hands its receiver on, where it reaches `values` otherwise. `protocols` and
`operations` have those of implicit calls.
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
"""Kind of value → the values of a member of it."""
LINKS: Final[dict[type[Value], Callable[[Engine, FileIndex, Call, Any, int], None]]] = {}
"""Kind of value → has the arguments of a call of it flow to what then runs."""
RESULTS: Final[dict[type[Value], Callable[[Engine, FileIndex, Call, Any, int], Values]]] = {}
"""Kind of value → what a call of it gives."""
ELEMENTS: Final[dict[type[Value], Callable[[Engine, FileIndex, Any], Values]]] = {}
"""Kind of value → what iterating over it gives."""
ITEMS: Final[dict[type[Value], Callable[[Engine, FileIndex, Any, Any, Expr], Values]]] = {}
"""Kind of value → what a subscript of it gives."""
# No kind of value has subclasses: its type is all there is to ask for.


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
    """Has the arguments of `call`, but for the first `skip`, flow to what `value` runs."""
    row = LINKS.get(type(value))
    if row is not None:
        row(engine, file, call, value, skip)


def result_of(engine: Engine, file: FileIndex, call: Call, target: Value, skip: int) -> Values:
    """What `call` gives when it reaches `target`."""
    row = RESULTS.get(type(target))
    return row(engine, file, call, target, skip) if row is not None else ()


def elements_of(engine: Engine, file: FileIndex, value: Value) -> Values:
    """What iterating over `value` gives."""
    row = ELEMENTS.get(type(value))
    return row(engine, file, value) if row is not None else ()


def item_of(engine: Engine, file: FileIndex, site: Any, value: Value, key: Expr) -> Values:
    """`value[key]`."""
    row = ITEMS.get(type(value))
    return row(engine, file, site, value, key) if row is not None else ()
