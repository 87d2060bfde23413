"""Stable names of cells, derived from what they hold the values of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from loregraph.indexer.resolve import containers, imports, module_lists, passing, results
from loregraph.indexer.resolve import names as variables
from loregraph.indexer.resolve.absolute import Used
from loregraph.indexer.resolve.call_names import (
    CALL_CELLS,
    UnnameableError,
    decoration_name,
    expression_name,
    find_expression,
    find_site,
    site_name,
)
from loregraph.indexer.resolve.calls import CallCell, Result
from loregraph.indexer.resolve.classes import field_cell
from loregraph.indexer.resolve.containers import Every, Has, has_cell
from loregraph.indexer.resolve.decorators import Decorated, Decoration
from loregraph.indexer.resolve.fact_names import IMPORTED, Name, UnknownNameError
from loregraph.indexer.resolve.imports import StarMember, WholeMember
from loregraph.indexer.resolve.keys import MAX_STEPS, ArgumentKeys, ExprLiterals, argument_cell, literals_cell
from loregraph.indexer.resolve.lua_calls import SendCell
from loregraph.indexer.resolve.members import Wraps, wraps_cell
from loregraph.indexer.resolve.model import (
    RECEIVER,
    Cell,
    Class,
    Constant,
    Container,
    ExprCell,
    FieldCell,
    FileIndex,
    Function,
    expression_cell,
)
from loregraph.indexer.resolve.module_lists import Published, Several
from loregraph.indexer.resolve.names import Lookup, MemberCell, Variable
from loregraph.indexer.resolve.object_properties import AccessorResult, given_cell
from loregraph.indexer.resolve.packages import PackageMember, Relative
from loregraph.indexer.resolve.passing import ParameterCell, ReceiverCell
from loregraph.indexer.resolve.reads import Read
from loregraph.indexer.resolve.results import Returned, WrapperResult, Yielded

if TYPE_CHECKING:
    from loregraph.indexer.resolve.naming import Names

# Names


def _variable(names: Names, cell: Variable) -> Name:
    """Named by the bindings, each by its kind and its number among those of its name; None where all bindings are
    meant."""
    file = cell.file
    if not cell.bindings or file.scopes[-1].cells.get("=") is cell:
        return ("whole", file.path)
    places = names.bindings(file)
    first = places.get(id(cell.bindings[0]))
    if first is None:
        raise UnnameableError(cell)
    scope, name, _, _ = first
    if scope is None:
        return ("exported", file.path, name)
    within = names.name(scope)
    if len(cell.bindings) == len(scope.bindings[name]):
        return ("variable", within, name, None)
    return ("variable", within, name, tuple(places[id(binding)][2:] for binding in cell.bindings))


def _lookup(names: Names, cell: Lookup) -> Name:
    return ("lookup", names.name(variables.seen_as(cell.scope, cell.name)), cell.name)


def _field(names: Names, cell: FieldCell) -> Name:
    return ("field", names.name(cell.holder), cell.key)


def _call(names: Names, cell: CallCell) -> Name:
    return ("call", names.call(cell.file, cell.call))


def _decoration(names: Names, cell: Decoration) -> Name:
    return ("call", decoration_name(names, cell))


def _result(names: Names, cell: Result | Decorated) -> Name:
    return ("result", names.name(cell.call)[1])


def _expression(names: Names, cell: ExprCell) -> Name:
    file, site = cell.file, cell.site
    return ("expression", site_name(names, file, site), expression_name(names, file, site, cell.expr))


def _member(names: Names, cell: MemberCell) -> Name:
    return names.imported(cell) or ("member", _home(cell), names.name(cell.holder), cell.name)


def _home(cell: Cell) -> str:
    assert cell.home is not None
    return cell.home.path


def _literals(names: Names, cell: ExprLiterals) -> Name:
    file, site = cell.file, cell.site
    return ("literals", site_name(names, file, site), expression_name(names, file, site, cell.expr), cell.steps)


def _imported(names: Names, cell: Cell) -> Name:
    found = names.imported(cell)
    if found is None:
        raise UnnameableError(cell)
    return found


def _held(names: Names, cell: PackageMember) -> Name:
    return names.imported(cell) or ("held", cell.file.path, cell.family, cell.package, cell.name)


def _used(names: Names, cell: Used) -> Name:
    return ("used", cell.file.path, *names.of(cell.file).fact(IMPORTED, cell.star), cell.name)


def _of_file(kind: str) -> Callable[[Names, Any], Name]:
    return lambda names, cell: (kind, cell.file.path, cell.name)


def _parameter(names: Names, cell: ParameterCell) -> Name:
    return ("parameter", names.name(cell.function), cell.number)


NAMERS: Final[dict[type, Callable[[Names, Any], Name]]] = {
    Variable: _variable,
    Lookup: _lookup,
    ParameterCell: _parameter,
    ReceiverCell: _parameter,
    Returned: lambda names, cell: ("returned", names.name(cell.function)),
    Yielded: lambda names, cell: ("yielded", names.name(cell.function)),
    ArgumentKeys: lambda names, cell: ("keys", names.name(cell.function), cell.number, cell.steps),
    FieldCell: _field,
    Every: lambda names, cell: ("every", names.name(cell.container)),
    Has: lambda names, cell: ("has", names.name(cell.container), cell.name),
    CallCell: _call,
    SendCell: _call,
    Decoration: _decoration,
    Result: _result,
    Decorated: _result,
    Read: lambda names, cell: ("result", names.call(cell.file, cell.call)),
    ExprCell: _expression,
    ExprLiterals: _literals,
    Wraps: lambda names, cell: ("wraps", names.name(cell.wrapper)),
    WrapperResult: lambda names, cell: ("own result", names.name(cell.function)),
    StarMember: _of_file("star member"),
    WholeMember: _of_file("whole member"),
    Published: _of_file("published"),
    Used: _used,
    AccessorResult: lambda names, cell: ("given", _home(cell), names.name(cell.function), names.name(cell.receiver)),
    MemberCell: _member,
    Several: _imported,
    PackageMember: _held,
    Relative: _imported,
    Constant: lambda names, cell: ("constant", *(names.name(value) for value in cell.values)),
}

# From names back to cells


def _found_variable(names: Names, scope: Name, name: Name, chosen: Name) -> Cell:
    within = names.scope(scope)
    bindings = within.bindings.get(name) if type(name) is str else None
    if not bindings:
        raise UnknownNameError(name)
    if chosen is not None:
        if type(chosen) is not tuple or not 0 < len(chosen) <= len(bindings):
            raise UnknownNameError(name)
        places = names.bindings(within.file)
        known = {places[id(binding)][2:]: binding for binding in bindings}
        if len(set(chosen)) != len(chosen) or not known.keys() >= set(chosen):
            raise UnknownNameError(name)
        return variables.variable(names.engine, within, name, tuple(known[place] for place in chosen))
    return variables.variable(names.engine, within, name, tuple(bindings))


def _found_exported(names: Names, path: Name, name: Name) -> Cell:
    file = names.file(path)
    if type(name) is not str or name not in file.exports:
        raise UnknownNameError(name)
    return imports.member_cell(names.engine, file, name)


def _found_whole(names: Names, path: Name) -> Cell:
    file = names.file(path)
    if "=" not in file.exports:
        raise UnknownNameError(path)
    return imports.whole_cell(file)


def _found_lookup(names: Names, scope: Name, name: Name) -> Cell:
    within = names.scope(scope)
    if type(name) is not str or not variables.is_looked_up(within, name):
        raise UnknownNameError(name)
    return variables.lookup(variables.seen_as(within, name), name)


def _number(names: Names, function: Name, number: Name) -> Function:
    """The function, if `number` is one of its parameters."""
    held = names.function(function)
    if type(number) is not int or not RECEIVER <= number < len(held.parameters):
        raise UnknownNameError(function)
    return held


def _found_parameter(names: Names, function: Name, number: Name) -> Cell:
    return passing.parameter_cell(names.engine, _number(names, function, number), number)


def _found_keys(names: Names, function: Name, number: Name, steps: Name) -> Cell:
    if type(steps) is not int or not 0 <= steps <= MAX_STEPS or number == RECEIVER:
        raise UnknownNameError(function)
    return argument_cell(names.engine, _number(names, function, number), number, steps)


def _found_field(names: Names, holder: Name, key: Name) -> Cell:
    held = names.find(holder)
    if isinstance(held, Container):
        if key is None:
            return held.rest
        if type(key) is tuple and len(key) == 2 and all(type(part) is str for part in key):
            return containers.announced_field(names.engine, held, key)
    elif type(key) is str:
        if isinstance(held, Class):
            return field_cell(held, key)
        if isinstance(held, Function):
            found = held.fields.get(key)
            if found is None:
                found = held.fields[key] = FieldCell(held, key)
            return found
    raise UnknownNameError(holder)


def _found_has(names: Names, container: Name, name: Name) -> Cell:
    held = names.container(container)
    if not held.mapping or name not in held.policy.library.container_methods:
        raise UnknownNameError(name)
    return has_cell(held, name)


def _found_cell(names: Names, call: Name) -> CallCell:
    if type(call) is tuple and call and type(call[0]) is str:
        row = CALL_CELLS.get(call[0])
        if row is not None and len(call) == ARITY[call[0]]:
            return row(names, *call[1:])
    raise UnknownNameError(call)


def _found_result(names: Names, call: Name) -> Cell:
    found = names.find(("call", call))
    if not isinstance(found, CallCell):
        raise UnknownNameError(call)
    return found.result(names.engine)


def _found_expression(names: Names, site: Name, expression: Name) -> Cell:
    file, place = find_site(names, site)
    return expression_cell(file, place, find_expression(names, file, expression, place))


def _found_literals(names: Names, site: Name, expression: Name, steps: Name) -> Cell:
    file, place = find_site(names, site)
    if type(steps) is not int or not 0 <= steps <= MAX_STEPS:
        raise UnknownNameError(steps)
    return literals_cell(file, place, find_expression(names, file, expression, place), steps)


def _found_member(names: Names, path: Name, holder: Name, name: Name) -> Cell:
    held = names.find(holder)
    if not isinstance(held, Cell) or type(name) is not str:
        raise UnknownNameError(name)
    return MemberCell(names.file(path), held, name)


def _file_and_name(names: Names, path: Name, name: Name) -> FileIndex:
    if type(name) is not str:
        raise UnknownNameError(name)
    return names.file(path)


def _found_star(names: Names, path: Name, name: Name) -> Cell:
    found = imports.member_cell(names.engine, _file_and_name(names, path, name), name)
    if not isinstance(found, StarMember | WholeMember):
        raise UnknownNameError(name)
    return found


def _found_published(names: Names, path: Name, name: Name) -> Cell:
    return module_lists.published(names.engine, _file_and_name(names, path, name), name)


def _found_used(names: Names, path: Name, scope: Name, content: Name, ordinal: Name, name: Name) -> Cell:
    file = _file_and_name(names, path, name)
    star = names.of(file).find_fact(IMPORTED, scope, content, ordinal)
    key = ("used", star.at, name)
    cells = file.scopes[-1].cells
    found = cells.get(key)
    if found is None:
        found = cells[key] = Used(file, star, name)
    return found


def _found_held(names: Names, path: Name, family: Name, package: Name, name: Name) -> Cell:
    if type(family) is not str or type(package) is not str:
        raise UnknownNameError(name)
    return PackageMember(_file_and_name(names, path, name), family, package, name)


def _found_imported(
    names: Names, star: Name, path: Name, scope: Name, content: Name, ordinal: Name, depth: Name
) -> Cell:
    """What an import binds its name to, or (by `depth`) the object whose member that is."""
    file = names.file(path)
    fact = names.of(file).find_fact(IMPORTED, scope, content, ordinal)
    if type(star) is not bool or type(depth) is not int:
        raise UnknownNameError(path)
    cell = imports.starred_cell(names.engine, file, fact) if star else imports.imported_cell(names.engine, file, fact)
    for _ in range(depth):
        if not isinstance(cell, MemberCell):
            raise UnknownNameError(path)
        cell = cell.holder
    return cell


def _found_given(names: Names, path: Name, function: Name, receiver: Name) -> Cell:
    return given_cell(names.engine, names.file(path), names.value(function), names.value(receiver))


def _found_constant(names: Names, *values: Name) -> Cell:
    return Constant(tuple(names.value(value) for value in values))


ARITY: Final = {"c": 5, "s": 5, "dc": 5, "cb": 5, "pr": 4}
"""Kind of a call's name → the number of its parts."""

FINDERS: Final[dict[str, tuple[int, Callable[..., object]]]] = {
    "variable": (3, _found_variable),
    "exported": (2, _found_exported),
    "whole": (1, _found_whole),
    "lookup": (2, _found_lookup),
    "parameter": (2, _found_parameter),
    "returned": (1, lambda names, function: results.returned_cell(names.function(function))),
    "yielded": (1, lambda names, function: results.yielded_cell(names.engine, names.function(function))),
    "keys": (3, _found_keys),
    "field": (2, _found_field),
    "every": (1, lambda names, container: containers.every_cell(names.container(container))),
    "has": (2, _found_has),
    "call": (1, _found_cell),
    "result": (1, _found_result),
    "expression": (2, _found_expression),
    "literals": (3, _found_literals),
    "wraps": (1, lambda names, wrapper: wraps_cell(names.function(wrapper))),
    "own result": (1, lambda names, wrapper: results.wrapper_result(names.function(wrapper))),
    "member": (3, _found_member),
    "star member": (2, _found_star),
    "whole member": (2, _found_star),
    "published": (2, _found_published),
    "used": (5, _found_used),
    "held": (4, _found_held),
    "imported": (6, _found_imported),
    "given": (3, _found_given),
    "constant": (-1, _found_constant),
}
"""First part of a name → how many parts follow (−1: any number), and how to find the cell."""
