"""A component's options as an object: `export default { data() {…}, methods: {…}, computed: {…} }`.

What stands in `methods` and `computed` are members of the component, next to the options: `this.save()` means one of
them in any other, and the template names them bare.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from loregraph.indexer.facts import FILE_SCOPE, Assignment, Call, Export, Expr

if TYPE_CHECKING:
    from loregraph.indexer.languages.extraction import Extraction

_MERGED: Final = frozenset({"methods", "computed", "filters"})
"""Options whose members are members of the component."""
_RUN: Final = (
    "setup data beforeCreate created beforeMount mounted beforeUpdate updated activated deactivated beforeUnmount "
    "unmounted beforeDestroy destroyed errorCaptured serverPrefetch render asyncData fetch head middleware"
).split()
"""Options that the framework calls, in the life of every instance."""
_MAX_STEPS: Final = 4


def bind_options(x: Extraction, options: Export, component: int) -> None:
    """Makes `options`, what a script exports by default, known to the component and its template."""
    found = _object(x, options.value)
    if found is None:
        return
    members = _merged(found)
    flat: Expr = ("d", tuple(members))
    if not _replaced(x, found, flat):
        target: Expr = ("n", "$$options")
        x.assignments.append(Assignment(FILE_SCOPE, options.line, options.at, -1, target, flat, None, "declare"))
    for key, value in members:
        name = _name(key)
        if not name or value == ("n", name):
            continue
        if value[0] == "f" and name not in _RUN:
            x.assignments.append(_bind(x, component, name, value))
        elif value[0] == "f":
            run = x.definitions[value[1]]
            x.calls.append(Call(component, run.start_line, run.start_byte, -1, value))
            if name == "setup":
                _returned(x, component, value[1], ("c", len(x.calls) - 1))
        elif value[0] == "d" and name == "components":
            for own, held in value[1]:
                named = _name(own)
                words = "".join(word[:1].upper() + word[1:] for word in named.split("-"))
                if words and held != ("n", words):
                    x.assignments.append(_bind(x, component, words, held))


def _object(x: Extraction, value: Expr) -> Expr | None:
    """The object literal behind what is exported: itself, what a function such as `defineComponent` is given, or what
    a name of the file is declared as."""
    for _ in range(_MAX_STEPS):
        if value[0] == "d":
            return value
        if value[0] == "t":
            value = value[2]
        elif value[0] == "c":
            call = x.calls[value[1]] if value[1] < len(x.calls) else None
            if call is None or not call.arguments:
                return None
            value = call.arguments[-1]
        elif value[0] == "n":
            name = value
            held = next((a.value for a in x.assignments if a.target == name and a.scope == FILE_SCOPE), None)
            if held is None:
                return None
            value = held
        else:
            return None
    return None


def _merged(options: Expr) -> list[tuple[Expr, Expr]]:
    members: list[tuple[Expr, Expr]] = []
    for key, value in options[1]:
        if _name(key) in _MERGED and value[0] == "d":
            members += value[1]
        else:
            members.append((key, value))
    return members


def _name(key: Expr) -> str:
    return str(key[2]) if key[0] == "k" and key[1] == "str" else str(key[1]) if key[0] == "n" else ""


def _replaced(x: Extraction, found: Expr, flat: Expr) -> bool:
    """Whether a call or an assignment holds the object, which then holds the merged one."""
    for i, call in enumerate(x.calls):
        if call is not None and any(one is found for one in call.arguments):
            x.calls[i] = replace(call, arguments=tuple(flat if one is found else one for one in call.arguments))
            return True
    for i, fact in enumerate(x.assignments):
        if fact.value is found:
            x.assignments[i] = replace(fact, value=flat)
            return True
    return False


def _returned(x: Extraction, component: int, setup: int, given: Expr) -> None:
    """Binds in the component what its `setup` returns."""
    held: dict[str, Expr] = {}
    for i, d in enumerate(x.definitions):
        if d.parent == setup and "expression" not in d.flags:
            held[d.name] = ("f", i)
    for fact in x.assignments:
        if fact.scope == setup and fact.target[0] == "n" and fact.value[0] == "f":
            held[fact.target[1]] = fact.value
    names: dict[str, Expr] = {}
    for leaving in x.returns:
        if leaving.scope == setup and leaving.value[0] == "d":
            for key, value in leaving.value[1]:
                name = _name(key)
                names[name] = held.get(value[1], ("a", given, name)) if value[0] == "n" else ("a", given, name)
    for name, value in names.items():
        if name:
            x.assignments.append(_bind(x, component, name, value))


def _bind(x: Extraction, scope: int, name: str, value: Expr) -> Assignment:
    definition = x.definitions[scope]
    return Assignment(scope, definition.start_line, definition.start_byte, -1, ("n", name), value, None, "declare")
