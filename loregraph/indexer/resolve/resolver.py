"""Facts of all files → edges, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from loregraph.gc_control import without_collector
from loregraph.graph import model
from loregraph.graph.model import Edge
from loregraph.indexer.facts import FileFacts, is_node
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.resolve import rules
from loregraph.indexer.resolve.call_names import UnnameableError
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.canonical import Rank, in_order, rank
from loregraph.indexer.resolve.decorators import Decoration
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.edges import EdgeBuilder
from loregraph.indexer.resolve.engine import AT_END, Engine, Limits
from loregraph.indexer.resolve.hierarchy import bases_of, common_base, linearised
from loregraph.indexer.resolve.index import build_index, constructed_by
from loregraph.indexer.resolve.late_types import placed
from loregraph.indexer.resolve.layout import Layout, shared_folders
from loregraph.indexer.resolve.lua_calls import SendCell, find_module_tables
from loregraph.indexer.resolve.macros import expanded, macro_ids
from loregraph.indexer.resolve.model import Class, External, FileIndex, Function, Site, function_name
from loregraph.indexer.resolve.naming import Names
from loregraph.indexer.resolve.policies import are_replayed, family_of, is_summarized, policy_of
from loregraph.indexer.resolve.project import arrange
from loregraph.indexer.resolve.recording import Recorder, changes
from loregraph.indexer.resolve.recording import encode as encode_trace
from loregraph.indexer.resolve.records import Trace, TypesTrace
from loregraph.indexer.resolve.scoping import END
from loregraph.indexer.resolve.stores import StoreTask
from loregraph.indexer.resolve.structural import find_implementers
from loregraph.indexer.resolve.summary import encode, key_of, summary_of
from loregraph.indexer.resolve.syntax_calls import syntax_calls

EXAMPLES: Final = 3
"""At most so many example lines are kept per file and reason for calls without an edge."""


class FileResolution(Struct, frozen=True):
    """The edges that start in one file, sorted; the number of its calls without an edge by reason; the numbers of calls
    that reach something in the project, and only something outside. `examples` are the first lines of calls without an
    edge, by reason."""

    edges: tuple[Edge, ...]
    unresolved: dict[str, int]
    resolved: int = 0
    external: int = 0
    examples: dict[str, tuple[int, ...]] = {}


class Resolution(Struct, frozen=True):
    """The edges of every file, and the external symbols that they end at, sorted by id. What a limit left out is
    reported as a problem of its file."""

    files: dict[str, FileResolution]
    externals: tuple[model.External, ...]
    problems: tuple[PathProblem, ...] = ()
    traces: dict[str, bytes] = {}
    """Path → the trace of the file (see `recording`), and `summary.key_of` a family → its summary; empty unless
    traced."""


# Implements REQ-RES-001, REQ-RES-009.
def resolve(
    files: Mapping[str, FileFacts],
    layout: Layout,
    *,
    limits: Limits | None = None,
    order: Random | None = None,
    traced: bool = False,
) -> Resolution:
    """Resolves a whole project.

    The result is a function of the facts (lines included) and the layout, independent of the order of `files`. Each
    language family is resolved on its own, from its own files. `order` shuffles everything that must not matter, for
    tests; without it files are processed by path. `traced` records what crosses between files, for
    `again.resolve_again`.
    """
    families: dict[str, dict[str, FileFacts]] = {}
    for path in sorted(files):
        families.setdefault(family_of(files[path].language), {})[path] = files[path]
    with without_collector():
        parts: list[Resolution] = []
        for _, own in sorted(families.items()):
            recorder = Recorder() if traced and are_replayed({file.language for file in own.values()}) else None
            parts.append(_resolve(own, layout, limits, order, recorder))
    return together(parts)


def together(parts: Iterable[Resolution]) -> Resolution:
    """The merged results of several families."""
    found: dict[str, FileResolution] = {}
    externals: dict[str, model.External] = {}
    problems: list[PathProblem] = []
    traces: dict[str, bytes] = {}
    for part in parts:
        found.update(part.files)
        problems += part.problems
        traces.update(part.traces)
        for external in part.externals:
            externals.setdefault(external.id, external)
    outside = tuple(external for _, external in sorted(externals.items()))
    return Resolution(found, outside, tuple(sorted(problems)), traces)


def _resolve(
    files: Mapping[str, FileFacts],
    layout: Layout,
    limits: Limits | None,
    order: Random | None,
    recorder: Recorder | None,
) -> Resolution:
    paths = sorted(files)
    if order is not None:
        order.shuffle(paths)
    index = {path: build_index(files[path], policy_of(files[path].language)) for path in paths}
    engine = Engine(arrange(index, layout), rules.evaluate, common_base, limits, order)
    engine.crossings = recorder
    prepare(engine, index.values())
    standing = placed(index.values()) if recorder is not None else {}
    find_module_tables(engine)
    demand(engine, index.values())
    engine.run()
    collector = EdgeBuilder(engine)
    found = written(engine, collector, index)
    traces: dict[str, bytes] = {}
    if recorder is not None and not engine.cut_short and not engine.unheard:
        names = Names(engine, one_way=True)
        traces = recorder.traces(names, index)
        family = family_of(next(iter(index.values())).facts.language)
        if traces and next(iter(index.values())).policy.construction.functions_construct:
            try:
                traces[key_of(family)] = msgspec.msgpack.encode(
                    TypesTrace(standing, encode_trace(Trace({}, changes(engine, names), [])))
                )
            except UnnameableError:
                traces = {}
        if traces and is_summarized(family):
            ordered = [index[path] for path in sorted(index)]
            summed = summary_of(ordered, lambda cls: names.of(cls.file).definition(cls.number))
            traces[key_of(family)] = encode(summed)
    return Resolution(found, collector.externals(), cuts(engine), traces)


def written(engine: Engine, collector: EdgeBuilder, files: Mapping[str, FileIndex]) -> dict[str, FileResolution]:
    """The edges of `files`, after solving."""
    engine.projecting = True
    engine.rounds = AT_END
    gathered = {path: collector.file(file) for path, file in files.items()}
    facts = {path: file.facts for path, file in files.items()}
    edges = expanded({path: own for path, (own, *_) in gathered.items()}, macro_ids(facts), facts)
    return {
        path: FileResolution(
            (*contained(files[path]), *edges[path]),
            {reason: len(lines) for reason, lines in unresolved.items()},
            *counts,
            {reason: lines[:EXAMPLES] for reason, lines in unresolved.items()},
        )
        for path, (_, unresolved, counts) in sorted(gathered.items())
    }


# Implements REQ-SEC-010.
def cuts(engine: Engine) -> tuple[PathProblem, ...]:
    """The problems for what limits left out: one per file and limit, at the first line concerned."""
    found: list[PathProblem] = []
    for (path, what), lines in engine.cuts.items():
        more = f", here and at {len(lines) - 1:,} more places" if len(lines) > 1 else ""
        found.append(PathProblem(path, min(lines), f"left out of account{more}: {what}"))
    return tuple(found)


# Implements REQ-GRA-003.
def contained(file: FileIndex) -> list[Edge]:
    """CONTAINS edges to methods defined outside their type: from the type, or the file where the type is unknown."""
    return sorted(
        (
            Edge("CONTAINS", _holder(file, function), function.id)
            for function in file.functions.values()
            if function.definition.owner is not None and is_node(function.definition.kind, function.definition.flags)
        ),
        key=lambda edge: (edge.source, edge.target),
    )


def _holder(file: FileIndex, function: Function) -> str:
    owner = function.owner
    return owner.id if owner is not None and is_node(owner.definition.kind, owner.definition.flags) else file.path


def prepare(engine: Engine, files: Collection[FileIndex]) -> None:
    """Prepares what everything else needs: the cells of calls, owners of methods outside their types, subclasses."""
    for file in files:
        make_cells(file)
    for file in files:
        engine.home = file
        _find_owners(engine, file)
    for file in files:
        engine.home = file
        for written, contract, line, scope in file.facts.extras.get("impls", ()):
            site = Site(scope, END, -1)
            bases = [v for v in evaluate(engine, file, site, contract) if isinstance(v, Class | External)]
            for value in evaluate(engine, file, site, written):
                if isinstance(value, Class):
                    engine.project.extra_bases.setdefault(value, []).extend(bases)
                    for base in bases:
                        engine.project.implemented.append((file, value, base, line))
    for bases in engine.project.extra_bases.values():
        in_order(bases)
    # Look-ups cached so far did not know about members defined outside their types.
    for file in files:
        for cls in file.classes.values():
            cls.bases = cls.mro = None
            cls.forget()
            for functions in cls.extra.values():
                in_order(functions)
    for file in files:
        for cls in file.classes.values():
            bases_of(engine, cls)
    for file in files:
        for cls in file.classes.values():
            for base in bases_of(engine, cls):
                if isinstance(base, Class):
                    base.subclasses.append(cls)
    for file in files:
        for cls in file.classes.values():
            linearised(engine, cls)
    engine.home = None
    find_implementers(engine)
    for file in files:
        for cls in file.classes.values():
            cls.depth = len(cls.mro or ())
        forget_ranks(file)


def forget_ranks(file: FileIndex) -> None:
    """Drops cached ranks: only now are the depths of types known."""
    for value in (*file.functions.values(), *file.classes.values()):
        value.rank = None
        if isinstance(value, Class):
            value.instance.rank = value.typed.rank = None
            value.applied = None


def make_cells(file: FileIndex) -> None:
    """Creates the cells of a file's calls and decorators."""
    policy = file.policy
    made = SendCell if policy.calls.sends else CallCell
    file.calls = [made(file, call) for call in file.facts.calls]
    for number, definition in enumerate(file.facts.definitions):
        if definition.decorators and policy.members.explicit_receiver:
            file.decorated[number] = [
                Decoration(file, number, level, decorator) for level, decorator in enumerate(definition.decorators)
            ]


def _find_owners(engine: Engine, file: FileIndex) -> None:
    """Finds the owning types of the methods in a file that are defined outside of them."""
    for number, function in file.functions.items():
        owner = file.facts.definitions[number].owner
        if owner is None:
            continue
        definition = file.facts.definitions[number]
        site = Site(definition.parent, definition.start_byte, -2)
        held = evaluate(engine, file, site, owner)
        owners = [
            constructed_by(value)
            if isinstance(value, Function) and file.policy.construction.functions_construct
            else value
            for value in held
        ]
        type_ = min((v for v in owners if isinstance(v, Class)), key=_distance(file), default=None)
        if type_ is not None:
            function.owner = type_
            type_.extra.setdefault(definition.name, []).append(function)
            if file.policy.scopes.functions_apart:
                type_.extra.setdefault(function_name(definition.name), []).append(function)
        else:
            if function.owner is not None:  # an extension of something outside the project: its own members
                function.owner.extra.setdefault(definition.name, []).append(function)


def _distance(file: FileIndex) -> Callable[[Class], tuple[bool, int, Rank]]:
    """How near a type is to a file, as a sort key: in it, in its folder, in a folder close by."""
    return lambda cls: (cls.file is not file, -shared_folders(cls.file.path, file.path), rank(cls))


def demand(engine: Engine, files: Collection[FileIndex]) -> None:
    """Reads every cell that becomes an edge or changes what other files see."""
    for file in files:
        engine.home = file
        for store in file.stores:
            if store.value[0] not in ("x", "k") or store.assignment.type is not None:
                engine.enqueue(StoreTask(store))
        for cell in file.calls:
            engine.enqueue(cell)
        for cells in file.decorated.values():
            for cell in cells:
                engine.enqueue(cell)
            if cells[0].file.functions.get(cells[0].number) is not None:
                engine.enqueue(cells[0].result(engine))  # a wrapper is represented by everything that it wraps
    implicit_calls(engine, files)
    engine.home = None


def implicit_calls(engine: Engine, files: Collection[FileIndex]) -> None:
    """Calls made by syntax: iteration, context managers, raised classes."""
    for file in files:
        engine.home = file
        implicit = syntax_calls(engine, file)
        file.implicit.extend(implicit)
        for cell in implicit:
            engine.enqueue(cell)


__all__ = ["FileIndex", "FileResolution", "Resolution", "resolve"]
