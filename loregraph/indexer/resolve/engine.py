"""The fixpoint computation, in rounds: the final values of cells depend on the facts, not on the order of the work.

A run of a cell sees only what was committed before its round. Its results (values for cells, links of calls, sources of
members, copies) are queued until the barrier at the round's end, where each cell takes in its queue in canonical order,
up to its limits. So a full cell keeps the values with the shortest derivations, and among equally short ones the least
by `canonical.rank`. A cell is computed when it is first read, and again in the round after one of its inputs grew.
Cells that no call, store or loop needs are never computed.

A new cell is computed during the run that reads it, and its first values are visible at once: like the run's own
results, they depend only on what was committed before. New cells that read one another in a cycle, and cells that read
such cells, show no values before the barrier (Tarjan's strongly connected components, on the stack of starts). So it
does not matter which of them was read first.

Every cell has a home file; so has everything that an effect changes. To be able to follow an edit later without solving
everything again, `Crossings` records what crosses from one file to another: see `replay`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from loregraph.indexer.facts import Expr, Import
from loregraph.indexer.resolve.canonical import in_order, rank
from loregraph.indexer.resolve.model import (
    FINAL,
    IDLE,
    INSTANCE,
    NEW,
    QUEUED,
    Cell,
    Class,
    Container,
    External,
    ExternalInstance,
    FieldCell,
    FileIndex,
    Literal,
    Value,
    Values,
    expression_cell,
)
from loregraph.indexer.resolve.project import Project

MAX_DEPTH: Final = 60
"""Maximum nesting of starts, at some ten Python frames each. A cell beyond it is started on its own, from an empty
stack."""
MAX_RUNS_PER_CELL: Final = 40
"""Average number of computations per cell, over the whole project, after which the work is cut short."""
MOST_SPECIAL: Final = 16
"""The smallest `Cell.limit` of any kind of cell."""
FAR: Final = 1 << 60
LATE: Final = 1 << 20
"""Height of a cell that shows nothing before the barrier: higher than any number of file borders that a start can
cross."""
UNLIMITED: Final = 1 << 60
"""`Cell.limit` of cells without a limit."""
LAST_PHASE: Final = 1 << 20
"""First round of the phase that allows fallback answers: see `Engine.allow_fallback`."""
AT_END: Final = 1 << 21
"""The round in which edges are written."""

SMALL: Final = 4
"""Up to so many values, comparing each is cheaper than building a set."""

Common = Callable[["Engine", list[Value]], Value | None]
Evaluate = Callable[["Engine", FileIndex, Any, Expr], Values]
Source = tuple[FileIndex, Any, Expr]


@dataclass(frozen=True, slots=True)
class Limits:
    """How many values of each sort one cell keeps: classes whose instances it holds (more are replaced by their common
    superclass), containers with external symbols and literals, functions and classes."""

    instances: int = 10
    plain: int = 6
    callables: int = 64


class TooDeepError(Exception):
    """Raised when starts are nested too deeply."""

    def __init__(self, cell: Cell) -> None:
        super().__init__("too many cells are started within one another")
        self.cell = cell


# Implements REQ-RES-010.
class Engine:
    """The state of one resolution: its cells, the worklist, and the changes that wait for the barrier."""

    def __init__(
        self,
        project: Project,
        evaluate: Evaluate,
        common: Common,
        limits: Limits | None = None,
        order: Random | None = None,
    ) -> None:
        self.project = project
        self.evaluate = evaluate
        self.common = common
        self.limits = limits or Limits()
        self._room = min(self.limits.instances, self.limits.plain, self.limits.callables, MOST_SPECIAL)
        self.order = order
        """Shuffles what must not matter; None: as it came."""
        self.reader: Cell | None = None
        self.home: FileIndex | None = None
        """The file whose code runs."""
        self.crossings: Crossings | None = None
        self.cells = 0
        self.runs = 0
        self.rounds = 0
        # The stack of starts, innermost last: see `start`.
        self._open: list[Cell] = []
        self._depth = 0
        self._index = 0
        self._low = FAR
        self._height = 0
        self._driven = False
        self.at_barrier = False
        self.due = 0
        """1 where what is wanted now waits for the next round's barrier: values are being committed at this one's."""
        # Changes queued for the barrier.
        self._effects: list[tuple[Any, ...]] = []
        self._additions: dict[Cell, list[Values]] = {}
        self._ranked: list[tuple[Any, ...]] = []
        self.fresh: dict[tuple[Container, tuple[str, str]], FieldCell] = {}
        """Members of containers that somebody has asked for in this round."""
        # The worklist of the next round.
        self._queue: list[Cell] = []
        self._starts: list[Cell] = []
        self._fed: dict[Cell, list[Cell]] = {}
        """New cell → the cells whose values it takes in when it is started."""
        self.lookers: dict[Class, dict[Cell, None]] = {}
        """Class → the cells that looked a member of its instances up; only where `Project.mixing`."""
        self.projecting = False
        """Whether edges are being written: nothing is recorded any more."""
        self.externals: dict[str, dict[str, External]] = {}
        self.literals: dict[tuple[str, str], Literal] = {}
        self.interned: dict[tuple[object, ...], Value] = {}
        self.namespace_cells: dict[tuple[str, str, str], list[Cell]] = {}
        """(file that looks or "" for any, qualified namespace, name) → what its visible parts bind the name to."""
        self.implicit: dict[tuple[int, ...], Any] = {}
        self.linked: set[tuple[object, ...]] = set()
        self.applied: dict[tuple[object, ...], Any] = {}
        """See `library.applied_call` and `stores.item_call`."""
        self.origins: dict[int, tuple[Any, ...]] = {}
        """Identity of a call that resolution made → what made it, and of what."""
        self.importers: dict[Cell, tuple[FileIndex, Import, bool, int]] = {}
        """Cell that an import has made → file, import, whether it is one of all names, and how many members deep."""
        self.announced: dict[tuple[object, ...], Any] = {}
        """What was named before any code has made it: see `naming`."""
        self.givens: dict[tuple[FileIndex, Value, Value], Cell] = {}
        """See `object_properties.given_cell`."""
        self.calling: dict[External, bool] = {}
        """Whether external symbols call functions that they are given. See `declared`."""
        self.shapes: dict[External, Any] = {}
        """What is declared of external symbols; None for those of which nothing is. See `declared`."""
        self.operators: dict[str, Any] = {}
        """Language → what of it expressions may run: see `syntax_calls`."""
        self.changes: dict[tuple[Any, ...], int] = {}
        """(file, what was done, with what) → the round, of all that has changed of types while values were followed: it
        is read without asking a cell. See `late_types`."""
        self.unheard = False
        """Whether what other files see without asking has changed while values were followed: nobody was told."""
        self.cut_short = False
        """Whether not everything was computed that was asked for."""
        self.widened = False
        self._deferred: dict[Cell, None] = {}
        self._kept: list[object] = []
        self.nested = 0
        """See `hierarchy.MAX_NESTED`."""
        self.cuts: dict[tuple[str, str], set[int]] = {}
        """(file, what a bound cut there) → the lines."""

    def keep(self, expr: object) -> None:
        """Keeps `expr` alive, since its identity is the key of the container that it makes."""
        self._kept.append(expr)

    # Implements REQ-SEC-010.
    def cut(self, file: FileIndex, line: int, what: str) -> None:
        """Records that a limit made the analysis leave something out, at `line` of `file`."""
        self.cuts.setdefault((file.path, what), set()).add(line)

    # Cells

    def read(self, cell: Cell) -> Values:
        """The values of `cell`; makes the running cell depend on it."""
        if cell.state != FINAL:
            if cell.state <= NEW:
                self._begin(cell)
            if cell.home is not self.home and self.crossings is not None:
                self.crossings.asked(self, cell)
            if cell.birth == self.rounds:
                self._reach(cell)
            reader = self.reader
            if reader is not None:
                readers = cell.readers
                if readers is None:
                    cell.readers = [reader]
                elif not readers or readers[-1] is not reader:
                    readers.append(reader)
        return cell.values

    def take(self, source: Cell, target: Cell) -> Values:
        """The values of `source`, all of which flow into `target`, present and future; for a cell that is being
        started."""
        if source.state == FINAL:
            return source.values
        if source.state <= NEW:
            self._begin(source)
        if source.home is not self.home and self.crossings is not None:
            self.crossings.asked(self, source)
        if source.birth == self.rounds:
            self._reach(source)
        _join(source, target)
        return source.values

    def _begin(self, cell: Cell) -> None:
        """Starts `cell` if it is new; records a cycle if it is being started."""
        if cell.state == NEW:
            self.start(cell)
        else:
            index = -cell.state if cell is not self.reader else -cell.state - 1
            if index < self._low:
                self._low = index

    def _reach(self, cell: Cell) -> None:
        """Updates the height of the cells being started, one of which has read this cell, itself started in this
        round."""
        height = cell.height if cell.home is self.home else cell.height + 1
        if height > self._height:
            self._height = height

    def start(self, cell: Cell) -> None:
        """Computes `cell` for the first time. Stack indexes are even: the odd number below one marks a cell
        that reads itself."""
        if self._depth >= MAX_DEPTH:
            if self._driven:
                raise TooDeepError(cell)
            self._starts.append(cell)
            return
        reader, low, home, around = self.reader, self._low, self.home, self._height
        self._index = index = self._index + 2
        place = len(self._open)
        self._open.append(cell)
        cell.state = -index
        self.reader = cell
        self.home = cell.home
        self._low = index
        self._height = 0
        self._depth += 1
        values = cell.compute(self)
        fed = self._fed.get(cell)
        if fed is not None:
            values = union([values, *[self.take(source, cell) for source in fed]])
            del self._fed[cell]
        self._depth -= 1
        self.cells += 1
        self.runs += 1
        mine = self._low
        cell.birth = self.rounds
        cell.height = self._height
        self.reader = reader
        self.home = home
        self._height = around
        if mine < index - 1:
            self._low = mine if mine < low else low
            if values:
                self._add(cell, values)
            return
        self._low = low
        if mine == index and len(self._open) == place + 1 and cell.height < LATE:
            self._open.pop()
            cell.state = IDLE
            if values:
                self._grow(cell, values)
            return
        if values:
            self._add(cell, values)
        for member in self._open[place:]:
            member.state = IDLE
            member.height = LATE
        del self._open[place:]

    def _first(self, cell: Cell) -> None:
        """Starts `cell`, after the cells that would be nested too deeply within it."""
        waiting = [cell]
        while waiting:
            if waiting[-1].state != NEW:
                waiting.pop()
                continue
            try:
                self.start(waiting[-1])
            except TooDeepError as deep:
                self._abort()
                if deep.cell in waiting:  # the cycle itself is too deep: it is entered here and shows what it can
                    self._driven = False
                    self.start(waiting[-1])
                    self._driven = True
                else:
                    waiting.append(deep.cell)
        self._index = 0

    def _again(self, cell: Cell) -> None:
        """Computes `cell` again."""
        while True:
            self.reader = cell
            self.home = cell.home
            try:
                values = cell.compute(self)
                break
            except TooDeepError as deep:
                self._abort()
                self._first(deep.cell)
        self.reader = self.home = None
        self._index = 0
        self.runs += 1
        if values and values is not cell.values:
            self._add(cell, values)

    def _abort(self) -> None:
        """Drops all starts in progress; their cells are started again when next read."""
        for cell in self._open:
            cell.state = NEW
        self._open.clear()
        self._depth = self._index = 0
        self._low = FAR
        self._height = 0
        self.reader = self.home = None

    # Requests of a run: they wait for the barrier

    def add(self, cell: Cell, values: Values) -> None:
        """Adds `values` to `cell`."""
        if cell.home is not self.home and self.crossings is not None:
            self.crossings.added(self, cell, values)
        self._add(cell, values)

    def _add(self, cell: Cell, values: Values) -> None:
        parts = self._additions.get(cell)
        if parts is None:
            self._additions[cell] = [values]
        else:
            parts.append(values)

    def enqueue(self, cell: Cell) -> None:
        """Schedules `cell` for the next round if it is new."""
        if cell.state == NEW:
            if cell.home is not self.home and self.crossings is not None:
                self.crossings.begun(self, cell)
            self._starts.append(cell)

    def effect(self, home: FileIndex, run: Callable[..., None], *arguments: Any) -> None:
        """Schedules `run(engine, *arguments)`, which changes something of `home`, for the barrier."""
        if home is not self.home and self.crossings is not None:
            self.crossings.sent(self, home, run, arguments)
        self._effects.append((home, run, *arguments))

    def own_effect(self, home: FileIndex, run: Callable[..., None], *arguments: Any) -> None:
        """Like `effect`, for effects that are recorded in another way when they cross files."""
        self._effects.append((home, run, *arguments))

    def flow(self, source: Cell, target: Cell) -> None:
        """Lets all values of `source`, present and future, flow into `target`."""
        assert target.home is not None
        self.effect(target.home, Engine._flow, source, target)

    def source(self, field: FieldCell, file: FileIndex, site: Any, expr: Expr) -> None:
        """Lets the values of `expr`, read at `site`, flow into a member."""
        assert field.home is not None
        if file is field.home:
            self.effect(file, Engine._source, field, file, site, expr)
        else:
            self.effect(field.home, Engine._flow, expression_cell(file, site, expr), field)

    def ranked_effect(self, home: FileIndex, value: Value, run: Callable[..., None], *arguments: Any) -> None:
        """Like `effect`, where a limit makes the order matter: effects with smaller values run first."""
        if home is not self.home and self.crossings is not None:
            self.crossings.sent(self, home, run, arguments)
        self._ranked.append((value, home, run, *arguments))

    def feed(self, source: Cell, target: Cell) -> None:
        """Lets all values of `source` flow into `target`, a new cell that no other code knows yet."""
        self._fed.setdefault(target, []).append(source)

    # The barrier

    def _flow(self, source: Cell, target: Cell) -> None:
        if target.state == NEW:
            fed = self._fed.setdefault(target, [])
            if source not in fed:
                fed.append(source)
            return
        if source.state != FINAL:
            if source.home is not target.home and self.crossings is not None:
                self.crossings.asked(self, source, True)
            if not _join(source, target):
                return
            if source.state == NEW:
                self._starts.append(source)
                return
        if source.values:
            self.add(target, source.values)

    def _source(self, field: FieldCell, file: FileIndex, site: Any, expr: Expr) -> None:
        for known in field.sources:
            if known[1] is site and known[0] is file and known[2] == expr:
                return
        field.sources.append((file, site, expr))
        self.invalidate(field)

    def changed(self, home: FileIndex, run: Callable[..., None], *arguments: Any) -> None:
        """Records that `run(engine, *arguments)` changes something of `home` that is read without a cell."""
        self.changes[home, run, *arguments] = self.rounds

    def invalidate(self, cell: Cell) -> None:
        """Schedules `cell` for recomputation in the next round, if it was ever computed. At the barrier only."""
        if cell.state == IDLE:
            cell.state = QUEUED
            self._queue.append(cell)

    def _barrier(self) -> None:
        """Commits the results of a round."""
        order = self.order
        self.at_barrier = True
        while self._effects or self._ranked:
            effects, self._effects = self._effects, []
            ranked, self._ranked = self._ranked, []
            if order is not None:
                order.shuffle(effects)
                order.shuffle(ranked)
            for home, run, *arguments in effects:
                self.home = home
                run(self, *arguments)
            for _, home, run, *arguments in sorted(ranked, key=_rank_of_first):
                self.home = home
                run(self, *arguments)
            self.home = None
        additions, self._additions = list(self._additions.items()), {}
        if order is not None:
            order.shuffle(additions)
        self.due = 1
        for cell, parts in additions:
            self._grow(cell, union(parts))
        self.due = 0
        self.at_barrier = False

    def _grow(self, cell: Cell, values: Values) -> None:
        """Adds `values` to `cell` and notifies its dependents."""
        if cell.filtered:
            values = cell.admit(self, values)
        held = before = cell.values
        if held:
            if len(held) > SMALL and len(values) > 1:
                known = set(held)
                added = [v for v in values if v not in known]
            else:
                added = [v for v in values if v not in held]
        else:
            added = list(values)
        if not added:
            return
        if len(held) + len(added) > self._room and cell.limit != UNLIMITED:
            in_order(added)
            added = self._within_limits(cell, held, added)
            if not added:
                return
            held = cell.values
        cell.values = (*held, *added) if held else tuple(added)
        if self.crossings is not None:
            self.crossings.grown(self, cell, before)
        home, self.home = self.home, cell.home
        cell.grown(self, added)
        self.home = home
        self.tell(cell, added)

    def tell(self, cell: Cell, added: list[Value]) -> None:
        """Notifies the dependents of `cell` that `added` joined it."""
        readers = cell.readers
        if readers:
            cell.readers = None
            for reader in readers:
                self.invalidate(reader)
        flows = cell.flows
        if flows:
            fresh = tuple(added)
            for target in flows:
                self._add(target, fresh)

    def _within_limits(self, cell: Cell, held: Values, added: list[Value]) -> list[Value]:
        """The part of `added` that the limits leave room for. Too many instances are replaced by their common
        superclass."""
        limits = self.limits
        room = [min(cell.limit, limits.callables), limits.instances, limits.plain]
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
            if common is not None:
                kept = [v for v in kept if v.sort != INSTANCE]
                if common not in held:
                    cell.values = tuple(v for v in held if v.sort != INSTANCE)
                    kept.append(common)
        return kept

    def run(self) -> None:
        """Runs rounds until nothing changes."""
        self._driven = True
        self._solve()
        self.widened = True
        self.rounds = LAST_PHASE
        for cell in self._deferred:
            self.invalidate(cell)
        self._deferred = {}
        self._solve()
        self._driven = False

    def _solve(self) -> None:
        while True:
            self._barrier()
            if not self._is_moving():
                return
            self.rounds += 1
            if not self._compute_round():
                first = self.project.files[min(self.project.files)]
                self.cut(first, 0, "calls that values reach only in very many steps")
                self.cut_short = True
                return

    def _is_moving(self) -> bool:
        """Whether any work is left."""
        return bool(self._queue or self._starts or self._additions or self._effects or self._ranked)

    def _compute_round(self) -> bool:
        """Computes the worklist of this round. False if the bound on all runs is exceeded and the work has to end."""
        queue, self._queue = self._queue, []
        starts, self._starts = self._starts, []
        if self.order is not None:
            self.order.shuffle(queue)
            self.order.shuffle(starts)
        for cell in queue:
            cell.state = IDLE
            self._again(cell)
        for cell in starts:
            if cell.state == NEW:
                self._first(cell)
        return self.runs <= MAX_RUNS_PER_CELL * self.cells + 10_000

    def allow_fallback(self) -> bool:
        """Whether fallback answers are allowed yet. At first everything is computed without them; when nothing changes
        any more, the cells that asked are computed again, so that a fallback never precedes a certain answer."""
        if self.widened:
            return True
        if self.reader is not None:
            self._deferred[self.reader] = None
        return False

    def evaluated(self, sources: list[tuple[FileIndex, Any, Expr]]) -> Values:
        """All values of the expressions, each read where it occurs."""
        evaluate = self.evaluate
        return union([evaluate(self, *source) for source in sources])

    # Values that exist once

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
        """The literal with this type and text."""
        found = self.literals.get(key)
        if found is None:
            found = self.literals[key] = Literal(key)
        return found


def _join(source: Cell, target: Cell) -> bool:
    """Lets everything that joins `source` from now on join `target`; False where it does already."""
    if source.flows is None:
        source.flows = [target]
    elif target in source.flows:
        return False
    else:
        source.flows.append(target)
    return True


class Crossings:
    """Listener for everything that crosses from one file to another; see `replay` for the implementations."""

    def asked(self, engine: Engine, cell: Cell, flows: bool = False) -> None:
        """Code of the engine's home reads a cell of another file; with `flows` at the barrier, from the next round
        on."""

    def sent(self, engine: Engine, home: FileIndex, run: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        """Code of the engine's home sends an effect to another file."""

    def added(self, engine: Engine, cell: Cell, values: Values) -> None:
        """Code of the engine's home adds values to a cell of another file."""

    def sought(self, engine: Engine, container: Container, key: tuple[str, str]) -> None:
        """Code of the engine's home asks for the member of another file's container under a key, available from the
        next round on."""

    def begun(self, engine: Engine, task: Cell) -> None:
        """Code of the engine's home schedules a task of another file for the next round."""

    def grown(self, engine: Engine, cell: Cell, held: Values) -> None:
        """A cell, which held `held`, got new values."""


def _rank_of_first(effect: tuple[Any, ...]) -> tuple[str, ...]:
    return rank(effect[0])


def union(parts: list[Values]) -> Values:
    """All values of `parts`, without repetitions, in order."""
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
