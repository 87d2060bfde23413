"""Facts of single-file components: from those of the code that `components` put together to those of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from loregraph.indexer.facts import FILE_SCOPE, Export, Expr, Reference, is_anonymous
from loregraph.indexer.languages.javascript.component_options import bind_options

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.facts import Definition
    from loregraph.indexer.languages.extraction import Extraction

COMPONENT: Final = "$$Component"
"""What the function of a component is called in the code that is put together."""
TEMPLATE: Final = "$$template"
"""What the namespace around its template is called."""


# Implements REQ-GRA-002.
def finish(x: Extraction, root: Node, name: str, handed: Sequence[int]) -> None:
    """Makes what was extracted of a component what its file says."""
    number = next((i for i, d in enumerate(x.definitions) if d.name == COMPONENT and d.parent == FILE_SCOPE), None)
    if number is None:
        return
    taken = {d.qualname for d in x.definitions if d.parent == FILE_SCOPE}
    own, count = name, 1
    while own in taken:
        count += 1
        own = f"{name}#{count}"
    template = next((i for i, d in enumerate(x.definitions) if d.name == TEMPLATE and d.parent == number), number)
    for i, qualname in _qualnames(x.definitions, number, template, own).items():
        x.definitions[i] = replace(x.definitions[i], qualname=qualname)
    x.definitions[number] = replace(
        x.definitions[number],
        name=name,
        signature=f"component {name}",
        parameters=(),
        flags=tuple(dict.fromkeys((*x.definitions[number].flags, "exported", "expression"))),
    )
    x.complexity[number] = 1  # what stands there runs once, as in a module
    x.imports[:] = [replace(one, scope=FILE_SCOPE) if one.scope == number else one for one in x.imports]
    own_value: Expr = ("f", number)
    _own_calls(x, own_value, name)
    options = _exports(x, number, own_value)
    if options is not None:
        bind_options(x, options, number)
    for at in handed:
        node = root.descendant_for_byte_range(at, at + 1)
        while node is not None and node.parent is not None and node.parent.start_byte == at:
            node = node.parent
        if node is not None:
            value = x.lower(node)
            if value[0] in ("n", "a"):
                x.references.append(Reference(template, node.start_point[0] + 1, value, "value"))


def _qualnames(definitions: Sequence[Definition], component: int, template: int, own: str) -> dict[int, str]:
    """The names of a component called `own` and of all in it: what stands in the template is the component's."""
    found: dict[int, str] = {component: own}
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for i, d in enumerate(definitions):
        if d.parent not in found:
            continue
        rest = d.qualname.removeprefix(f"{definitions[d.parent].qualname}.")
        around = own if d.parent == template else found[d.parent]
        if d.parent == component and is_anonymous(rest):
            label = rest.strip("<>").rstrip("0123456789")
            numbers[label] = numbers.get(label, 0) + 1
        elif d.parent == template != component and i != template:
            if is_anonymous(rest):
                label = rest.strip("<>").rstrip("0123456789")
                numbers[label] = numbers.get(label, 0) + 1
                rest = f"<{label}{numbers[label]}>"
            elif f"{around}.{rest}" in taken:
                rest = f"{rest}#2" if "#" not in rest else f"{rest}.2"
        found[i] = f"{around}.{rest}"
        taken.add(found[i])
    return found


def _bound(x: Extraction) -> set[str]:
    """The names that something in the file binds."""
    known = {one.alias for one in x.imports} | {d.name for d in x.definitions if "expression" not in d.flags}
    known.update(fact.target[1] for fact in x.assignments if fact.target[0] == "n")
    return known


def provide(x: Extraction, library: str, macros: frozenset[str]) -> None:
    """Makes calls of what the compiler provides calls of the library."""
    free = macros - _bound(x)
    for i, call in enumerate(x.calls):
        if call is None:
            continue
        function = call.function
        if function[0] == "n" and function[1] in free:
            x.calls[i] = replace(call, function=("a", ("m", library), function[1]))
        elif function[0] == "a" and function[1][0] == "n" and function[1][1] in free:
            whole = f"{function[1][1]}.{function[2]}"
            x.calls[i] = replace(call, function=("a", ("m", library), whole))


def _own_calls(x: Extraction, own: Expr, name: str) -> None:
    """A component that shows itself is called by the name of its file, which only the template knows."""
    known = _bound(x)
    names = {("n", COMPONENT)} if name in known else {("n", COMPONENT), ("n", name)}
    for i, call in enumerate(x.calls):
        if call is not None and call.function in names:
            x.calls[i] = replace(call, function=own)


def _exports(x: Extraction, number: int, own: Expr) -> Export | None:
    """Leaves the module the component as its default export, and types; answers with what a script exported by
    default, the component's options."""
    inside = {d.name: i for i, d in enumerate(x.definitions) if d.parent == number}
    options: Export | None = None
    kept: list[Export] = []
    for one in x.exports:
        if one.scope == number:
            found = one.value[1] if one.value[0] == "f" else inside.get(one.value[1]) if one.value[0] == "n" else None
            if found is not None:
                d = x.definitions[found]
                x.definitions[found] = replace(d, flags=tuple(dict.fromkeys((*d.flags, "exported"))))
                if d.is_type:
                    kept.append(replace(one, scope=FILE_SCOPE, value=("f", found)))
        elif one.scope == FILE_SCOPE and one.name == "default":
            if one.value not in (own, ("n", COMPONENT)):
                options = one
        else:
            kept.append(one)
    last = x.exports[-1] if x.exports else None
    kept.append(Export(FILE_SCOPE, last.line if last else 1, last.at if last else 0, "default", own))
    x.exports[:] = kept
    return options
