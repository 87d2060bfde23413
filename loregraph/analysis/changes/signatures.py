"""The consequences of a function's changed signature for its callers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from loregraph.graph.definitions import DeclaredParameter, SourceDefinition
from loregraph.indexer.languages import registry

_NAMED_ARGUMENTS: Final = registry.where(lambda language: language.signatures.names_arguments)
"""Languages whose callers may name arguments, so that renaming a parameter breaks them."""
_COUNTED: Final = registry.where(lambda language: language.signatures.counts_arguments)
"""Languages that reject a call with too few or too many arguments."""


class Difference(Struct, frozen=True):
    """`breaks`: calls that were right before may fail or mean something else now."""

    text: str
    breaks: bool


def differences(old: SourceDefinition, new: SourceDefinition) -> list[Difference]:
    """The differences between the signatures of two versions of a function, parameters first."""
    language = new.node.language
    found = [
        *_plain(
            [p for p in old.parameters if not p.kind],
            [p for p in new.parameters if not p.kind and p.name not in _kinds(old, "kw")],
            bool(_kinds(new, "*")),
            language,
            {p.name for p in new.parameters if p.kind == "kw"},
        ),
        *_by_name(old, new),
        *_rests(old, new),
    ]
    if old.returns and new.returns and old.returns != new.returns:
        found.append(Difference("its return type changed", False))
    return found


def _plain(
    old: Sequence[DeclaredParameter],
    new: Sequence[DeclaredParameter],
    takes_rest: bool,
    language: str,
    by_name: set[str],
) -> Iterator[Difference]:
    """Differences in positional parameters. `by_name` are those that are keyword-only now."""
    named = language in _NAMED_ARGUMENTS
    counted = language in _COUNTED
    names, new_names = [p.name for p in old], [p.name for p in new]
    for at, parameter in enumerate(old):
        if parameter.name in by_name:
            yield Difference(f"`{parameter.name}` can only be passed by name", True)
        elif not parameter.name or parameter.name not in new_names:
            if len(old) == len(new) and at < len(new) and (not new[at].name or new[at].name not in names):
                if parameter.name and new[at].name and named:
                    yield Difference(f"parameter `{parameter.name}` is now `{new[at].name}`", True)
                elif parameter.type != new[at].type:
                    yield Difference(f"the type of parameter {at + 1} changed", counted)
            elif parameter.name or len(new) < len(old):
                breaks = (counted and not takes_rest) or named or at < len(new)
                yield Difference(f"parameter `{parameter.name or at + 1}` is gone", breaks)
    stayed = [name for name in names if name and name in new_names]
    if stayed != [name for name in new_names if name and name in names]:
        yield Difference("the order of its parameters changed", True)
    for at, parameter in enumerate(new):
        if parameter.name and parameter.name in names:
            yield from _same(old[names.index(parameter.name)], parameter, counted)
        elif len(new) > len(old) or (at < len(old) and old[at].name in new_names):
            what = f"new parameter `{parameter.name or at + 1}`"
            if not parameter.is_optional:
                yield Difference(f"{what} has no default", counted or at < len(old))
            elif at < len(old) and any(name in names for name in new_names[at + 1 :]):
                yield Difference(f"{what} stands before others", True)
            else:
                yield Difference(f"{what} has a default", False)


def _same(old: DeclaredParameter, new: DeclaredParameter, counted: bool) -> Iterator[Difference]:
    if old.is_optional and not new.is_optional:
        yield Difference(f"`{new.name}` has no default any more", counted)
    elif new.is_optional and not old.is_optional:
        yield Difference(f"`{new.name}` has a default now", False)
    elif old.default != new.default:
        yield Difference(f"the default of `{new.name}` changed", False)
    if old.type and new.type and old.type != new.type:
        yield Difference(f"the type of `{new.name}` changed", False)


def _by_name(old: SourceDefinition, new: SourceDefinition) -> Iterator[Difference]:
    """Differences in keyword-only parameters."""
    before, after = _kinds(old, "kw"), _kinds(new, "kw")
    reachable = set(after) | {p.name for p in new.parameters if not p.kind}
    catches = bool(_kinds(new, "**"))
    for name in before:
        if name not in reachable and not catches:
            yield Difference(f"parameter `{name}` is gone", True)
    known = set(before) | {p.name for p in old.parameters}
    for name, parameter in after.items():
        if name in before:
            yield from _same(before[name], parameter, True)
        elif name not in known:
            suffix = "has a default" if parameter.is_optional else "has no default"
            yield Difference(f"new parameter `{name}` {suffix}", not parameter.is_optional)


def _rests(old: SourceDefinition, new: SourceDefinition) -> Iterator[Difference]:
    for kind, what in (("*", "any number of arguments"), ("**", "any named argument")):
        before, after = _kinds(old, kind), _kinds(new, kind)
        if before and not after:
            yield Difference(f"it does not take {what} any more", True)
        elif after and not before:
            yield Difference(f"it takes {what} now", False)


def _kinds(definition: SourceDefinition, kind: str) -> dict[str, DeclaredParameter]:
    return {p.name: p for p in definition.parameters if p.kind == kind}
