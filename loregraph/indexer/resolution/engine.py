"""The fixpoint: cells that compute when first read, and again when what they read has grown.

Values only ever join a cell, up to a limit, so the work ends. Everything is demand driven: what no call, store or loop
asks for is never computed. The order of work depends on the facts alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from loregraph.indexer.facts import Expr, Import
from loregraph.indexer.resolution.layout import Layout
from loregraph.indexer.resolution.model import (
    FINAL,
    IDLE,
    INSTANCE,
    NEW,
    QUEUED,
    RUNNING,
    Cell,
    Class,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    Literal,
    Scope,
    Value,
    Values,
)

MAX_INSTANCES = 10
"""Most classes whose instances one cell holds; more are replaced by the class that they have in common."""
MAX_PLAIN = 6
"""Most containers, external symbols and literals that one cell holds."""
MAX_DEPTH = 60
"""Cells computed within one another before the next one is put off: some ten Python frames each."""
MAX_RUNS_PER_CELL = 40
"""Average number of computations a cell, over the whole project, after which the work is cut short."""

SMALL = 4
"""Values up to which comparing each is cheaper than a set."""

Common = Callable[["Engine", list[Value]], Value | None]
Evaluate = Callable[["Engine", FileIndex, Any, Expr], Values]


# Implements REQ-RES-010.
class Engine:
    """The state of one resolution: the project's files, the cells waiting to be computed."""

    def __init__(self, files: Mapping[str, FileIndex], layout: Layout, evaluate: Evaluate, common: Common) -> None:
        self.files = files
        self.layout = layout
        self.evaluate = evaluate
        self.common = common
        self.reader: Cell | None = None
        self.depth = 0
        self.queue: deque[Cell] = deque()
        self.cells = 0
        self.runs = 0
        self.externals: dict[str, dict[str, External]] = {}
        self.literals: dict[tuple[str, str], Literal] = {}
        self.member_names: set[str] = set()
        """Names of all functions and types."""
        self.stored_names: set[str] = set()
        """Names of all members that are written anywhere."""
        self.interned: dict[tuple[object, ...], Value] = {}
        self.namespaces: dict[str, list[Scope]] = {}
        self.namespace_cells: dict[tuple[str, str, str], list[Cell]] = {}
        """(file that looks or "" for any, qualified namespace, name) → what its visible parts bind the name to."""
        self.visible: dict[tuple[str, str], list[Scope]] = {}
        self.macros: dict[str, list[Function]] = {}
        """Name of a namespace → its scopes in all files."""
        self.packages: dict[tuple[str, str, str], list[FileIndex]] = {}
        """See `imports.package_key`."""
        self.package_names: dict[tuple[str, str, str], dict[str, list[FileIndex]]] = {}
        """Package → name → files that define it at their top level; filled as packages are asked for."""
        self.member_lists: dict[str, dict[str, frozenset[str]]] = {}
        """Language → type or class → what `T(..)` stands for in lists; filled when somebody asks."""
        self.outer_packages: set[tuple[str, str]] = set()
        """(family, package) of those that only hold other packages, and of others around one."""
        self.shared_stars: dict[tuple[str, str], list[Import]] = {}
        """(language, component) → star imports that hold for all its files."""
        self.extensions: dict[str, list[Function]] = {}
        """Name → functions that can be called like methods of what they extend."""
        self.plain_names: set[str] = set()
        """Names of functions that are no extensions, in languages that have them."""
        self.parts: dict[Class, tuple[Class, ...]] = {}
        """A type that is written in several places → all its parts, in order."""
        self.included: dict[str, tuple[FileIndex, ...]] = {}
        self.includers: dict[str, list[FileIndex]] | None = None
        """File → those that include it, through others too; None until somebody asks."""
        self.module_tables: dict[Value, FileIndex] | None = None
        """Where a module is the table that its file returns: that table → the file; None until somebody asks."""
        self.open_files: dict[str, list[FileIndex]] | None = None
        """Component → its files that include what cannot be told; None until somebody asks."""
        self.libraries: dict[str, str] | None = None
        """Name that a library gives itself (Dart) → its first file; None until somebody asks."""
        self.bodies: dict[tuple[str, str], list[Function]] = {}
        """(family, qualified name) → functions with a body, for prototypes."""
        self.extra_bases: dict[Class, list[Class | External]] = {}
        """Supertypes that are declared outside their type's body."""
        self.implemented: list[tuple[FileIndex, Class, Class | External, int]] = []
        """(file, type, contract, line) of implementations declared outside the type."""
        self.named_fixtures: dict[Scope, dict[str, list[Function]]] = {}
        """Functions that a decorator gives another name, by the scope they stand in."""
        self.implicit: dict[tuple[int, int], Any] = {}
        self.linked: set[tuple[object, ...]] = set()
        self._waiting: deque[tuple[Cell, Values]] = deque()
        self.widened = False
        self._deferred: dict[Cell, None] = {}
        self._kept: list[object] = []
        self.nested = 0
        """See `hierarchy.MAX_NESTED`."""
        self.cuts: dict[tuple[str, str], list[int]] = {}
        """(file, what a bound cut there) → the lines."""

    def keep(self, expr: object) -> None:
        """Keeps `expr` alive: its identity names the container that it makes."""
        self._kept.append(expr)

    # Implements REQ-SEC-010.
    def cut(self, file: FileIndex, line: int, what: str) -> None:
        """Notes what a bound on the work left out of account at `line` of `file`."""
        lines = self.cuts.setdefault((file.path, what), [])
        if line not in lines[-1:]:
            lines.append(line)

    # Cells

    def read(self, cell: Cell) -> Values:
        """The values of `cell`; the cell being computed is computed again when they grow."""
        state = cell.state
        if state != FINAL:
            if state == NEW:
                self.start(cell)
            reader = self.reader
            if reader is not None:
                readers = cell.readers
                if readers is None:
                    cell.readers = [reader]
                elif not readers or readers[-1] is not reader:
                    readers.append(reader)
        return cell.values

    def start(self, cell: Cell) -> None:
        """Computes `cell` for the first time, or later where that would go too deep."""
        self.cells += 1
        if self.depth >= MAX_DEPTH:
            cell.state = QUEUED
            self.queue.append(cell)
            return
        self._compute(cell)

    def _compute(self, cell: Cell) -> None:
        cell.state = RUNNING
        self.runs += 1
        saved = self.reader
        self.reader = cell
        self.depth += 1
        values = cell.compute(self)
        self.depth -= 1
        self.reader = saved
        if cell.state == RUNNING:
            cell.state = IDLE
        if values is not cell.values and values:
            self.grow(cell, values)

    def grow(self, cell: Cell, values: Values) -> None:
        """Adds `values` to `cell` and tells those that depend on it."""
        if cell.filtered:
            values = cell.admit(self, values)
        held = cell.values
        if held:
            if len(held) > SMALL and len(values) > 1:
                known = set(held)
                added = [v for v in values if v not in known]
            else:
                added = [v for v in values if v not in held]
            if not added:
                return
        elif values:
            added = list(values)
        else:
            return
        if len(held) + len(added) > MAX_PLAIN:
            added = self._within_limits(cell, held, added)
            if not added:
                return
            held = cell.values
        cell.values = (*held, *added)
        cell.grown(self, added)
        readers = cell.readers
        if readers:
            cell.readers = None
            for reader in readers:
                self.touch(reader)
        flows = cell.flows
        if flows:
            fresh = tuple(added)
            if self.depth >= MAX_DEPTH:
                self._waiting.extend((target, fresh) for target in flows)
                return
            self.depth += 1
            for target in flows:
                self.grow(target, fresh)
            self.depth -= 1

    def _within_limits(self, cell: Cell, held: Values, added: list[Value]) -> list[Value]:
        """Those of `added` that there is room for. Many instances become one of what they have in common."""
        room = [cell.limit, MAX_INSTANCES, MAX_PLAIN]
        for value in held:
            room[value.sort] -= 1
        kept: list[Value] = []
        crowded = False
        for value in added:
            if room[value.sort] > 0:
                room[value.sort] -= 1
                kept.append(value)
            elif value.sort == INSTANCE:
                crowded = True
        if crowded:
            common = self.common(self, [v for v in (*held, *added) if v.sort == INSTANCE])
            kept = [v for v in kept if v.sort != INSTANCE]
            if common is not None and common not in held:
                cell.values = tuple(v for v in held if v.sort != INSTANCE)
                kept.append(common)
        return kept

    def touch(self, cell: Cell) -> None:
        """Has `cell` computed again, if it was computed at all."""
        state = cell.state
        if state in (IDLE, RUNNING):
            cell.state = QUEUED
            self.queue.append(cell)

    def later(self, cell: Cell) -> None:
        """Has `cell` computed when its turn comes."""
        if cell.state == NEW:
            self.queue.append(cell)

    def flow(self, source: Cell, target: Cell) -> None:
        """Lets all that `source` ever holds join `target`."""
        state = source.state
        if state == NEW:
            self.start(source)
        if source.values:
            self.grow(target, source.values)
        if source.state != FINAL:
            if source.flows is None:
                source.flows = [target]
            elif target not in source.flows:
                source.flows.append(target)

    def run(self) -> None:
        """Computes what waits until nothing does."""
        self._drain()
        self.widened = True
        waiting, self._deferred = self._deferred, {}
        for cell in waiting:
            self.touch(cell)
        self._drain()

    def _drain(self) -> None:
        queue = self.queue
        waiting = self._waiting
        while queue or waiting:
            if waiting:
                self.grow(*waiting.popleft())
                continue
            cell = queue.popleft()
            if cell.state == NEW:
                self.cells += 1
                self._compute(cell)
            elif cell.state == QUEUED:
                self._compute(cell)
            if self.runs > MAX_RUNS_PER_CELL * self.cells + 10_000:
                queue.clear()

    def guess(self) -> bool:
        """Whether to fall back on a wider answer now. First everything is computed without; what asked is computed
        again when nothing else moves any more, so that a guess never gets ahead of what is known."""
        if self.widened:
            return True
        if self.reader is not None:
            self._deferred[self.reader] = None
        return False

    def evaluated(self, sources: list[tuple[FileIndex, Any, Expr]]) -> Values:
        """All values of expressions, each read where it stands."""
        evaluate = self.evaluate
        return union([evaluate(self, *source) for source in sources])

    # Values that are made once

    def external(self, package: str, name: str) -> External:
        """The external symbol `name` of `package`."""
        names = self.externals.get(package)
        if names is None:
            names = self.externals[package] = {}
        found = names.get(name)
        if found is None:
            found = names[name] = External(package, name)
        return found

    def member_of(self, value: External, name: str) -> External:
        """The member `name` of an external symbol."""
        name = name.removesuffix("()")  # see `model.function_name`
        found = value.members.get(name)
        if found is None:
            found = value.members[name] = self.external(value.package, f"{value.name}.{name}" if value.name else name)
        return found

    def instance_of(self, value: External) -> ExternalInstance:
        """An instance of an external class."""
        if value.instance is None:
            value.instance = ExternalInstance(value)
        return value.instance

    def literal(self, key: tuple[str, str]) -> Literal:
        """The literal of a type and text."""
        found = self.literals.get(key)
        if found is None:
            found = self.literals[key] = Literal(key)
        return found


def union(parts: list[Values]) -> Values:
    """All values of `parts`, once each, in order."""
    found: Values = ()
    seen: dict[Value, None] | None = None
    for part in parts:
        if not part or part is found:
            continue
        if not found:
            found = part
        elif seen is None:
            seen = dict.fromkeys((*found, *part))
        elif len(part) == 1:
            seen[part[0]] = None
        else:
            seen.update(dict.fromkeys(part))
    return found if seen is None else tuple(seen)
