"""Declarations with one definition per platform (Kotlin's `expect` and `actual`): which one a file sees.

Source sets are folders: `src/commonMain`, `src/jvmMain`, `src/jvmTest`. A file sees the definition in its own set;
tests see the one in the set they test; all other code sees the expectation.
"""

from __future__ import annotations

import re

from loregraph.indexer.resolve.model import DEFINITION, Bound, FileIndex, Function, Values

_SET = re.compile(r"^((?:.*/)?src/)([^/]+)/")
_VARIANTS = frozenset({"expect", "actual"})
_ONE_PLATFORM = frozenset({"main", "test"})
"""Source sets of projects for a single platform: the JVM's."""


def own_variant(file: FileIndex, files: list[FileIndex], name: str) -> list[FileIndex]:
    """Of several files that define `name`, those whose definition `file` sees; all where no platform is involved."""
    flags = {f.path: _flags(f, name) for f in files}
    if not any(held & _VARIANTS for held in flags.values()):
        return files
    sets = {f.path: _set_of(f.path) for f in files}
    place = _set_of(file.path)
    wanted = [place, (place[0], f"{place[1].removesuffix('Test')}Main")]
    for one in wanted:
        found = [f for f in files if sets[f.path] == one]
        if found:
            return found
    if place[1] in _ONE_PLATFORM or file.policy.language == file.policy.family or place[1].startswith("jvm"):
        found = [f for f in files if sets[f.path][1] == "jvmMain"]
        if found:
            return found
    return [f for f in files if "expect" in flags[f.path]] or files


def own_variants(file: FileIndex, functions: list[Function]) -> list[Function]:
    """The same for functions found by name alone."""
    kept: list[Function] = []
    for function in functions:
        if _VARIANTS.isdisjoint(function.definition.flags):
            kept.append(function)
            continue
        others = [f.file for f in functions if f.definition.name == function.definition.name]
        if function.file in own_variant(file, others, function.definition.name):
            kept.append(function)
    return kept


def visible(file: FileIndex, values: Values) -> Values:
    """Of the methods that a call may run, those in definitions of types that `file` sees."""
    holders: dict[str, list[FileIndex]] = {}
    for value in values:
        owner = value.function.owner if isinstance(value, Bound) else None
        if owner is not None and not _VARIANTS.isdisjoint(owner.definition.flags):
            holders.setdefault(owner.definition.name, []).append(owner.file)
    seen = {name: own_variant(file, files, name) for name, files in holders.items() if len(set(files)) > 1}
    if not seen:
        return values
    return tuple(v for v in values if not isinstance(v, Bound) or _is_seen(v, seen))


def _is_seen(value: Bound, seen: dict[str, list[FileIndex]]) -> bool:
    owner = value.function.owner
    return owner is None or owner.definition.name not in seen or owner.file in seen[owner.definition.name]


def _set_of(path: str) -> tuple[str, str]:
    found = _SET.match(path)
    return (found[1], found[2]) if found is not None else ("", "")


def _flags(file: FileIndex, name: str) -> frozenset[str]:
    definitions = file.facts.definitions
    found: set[str] = set()
    for binding in file.scopes[-1].bindings.get(name, ()):
        if binding.kind == DEFINITION:
            found.update(definitions[binding.payload].flags)
    return frozenset(found)
