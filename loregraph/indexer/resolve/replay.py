"""Solves some files of a project again, against the recording of all others.

Files behave like actors: they interact only by reading cells and by sending changes to one another. The *active* files
are solved as usual. Cells of all other files are *frozen*: they have the values recorded for each round, and messages
from frozen files arrive in the rounds in which they were sent. Since a round depends only on the one before it, the
active files get the values of a full solve, provided that they tell frozen files what was recorded.
`Replay.differences` returns the files that were told something else, which then become active too. Reading something of
a frozen file that was never read before makes it active at once (`ActivateError`).

This is change propagation (Acar, Blelloch, Harper: Adaptive Functional Programming, POPL 2002), at the granularity of
files and rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from loregraph.indexer.resolve import container_methods, containers, late_types
from loregraph.indexer.resolve.call_names import UnnameableError
from loregraph.indexer.resolve.engine import (
    AT_END,
    LAST_PHASE,
    LATE,
    Common,
    Engine,
    Evaluate,
    Limits,
)
from loregraph.indexer.resolve.fact_names import Name, UnknownNameError
from loregraph.indexer.resolve.model import (
    IDLE,
    NEW,
    Cell,
    Class,
    Container,
    FileIndex,
    Function,
    Heir,
    Link,
    Value,
    Values,
)
from loregraph.indexer.resolve.naming import Names
from loregraph.indexer.resolve.passing import add_link
from loregraph.indexer.resolve.project import Project
from loregraph.indexer.resolve.recording import (
    ADD,
    BECOME,
    COPY,
    FLOW,
    GAIN,
    JOIN,
    LINK,
    MIX,
    SPREAD,
    TASK,
    Recorder,
    changes,
    entries,
)
from loregraph.indexer.resolve.records import Export, Message, Placed, Trace

NEVER: Final = 1 << 60


class ActivateError(Exception):
    """Raised when frozen files have to be solved again, too."""

    def __init__(self, paths: Collection[str]) -> None:
        super().__init__("more files are affected")
        self.paths = frozenset(paths)


# Implements REQ-IDX-026.
class Replay(Engine):
    """Solves the active files."""

    def __init__(
        self,
        project: Project,
        evaluate: Evaluate,
        common: Common,
        limits: Limits | None,
        active: Mapping[FileIndex, None],
        traces: Callable[[str], Trace],
        *,
        preparing: bool,
        changes: Mapping[Message, Mapping[str, int]] | None = None,
    ) -> None:
        super().__init__(project, evaluate, common, limits)
        self.active = active
        self.paths = frozenset(file.path for file in active)
        self.traces = traces
        self.recorder = _Recorder()
        self.crossings = self.recorder
        self.names = Names(self)
        self.preparing = preparing
        """Whether nothing is frozen yet: what stands outside functions is read of all files."""
        self._changes = changes or {}
        """What was recorded of how types changed: see `recording.changes`."""
        self.placed: Placed = {}
        """What values decided of types before the first round: see `late_types`."""
        self._changing: dict[int, list[tuple[str, Message]]] = {}
        """Round → what changes of types of frozen files."""
        self._adopted: dict[Cell, Export] = {}
        self._growth: dict[int, list[tuple[Cell, bool, Values]]] = {}
        self._messages: dict[int, list[Message]] = {}
        self._asks: dict[int, list[Name]] = {}
        self._senders: dict[Message, list[str]] = {}
        self._askers: dict[Name, list[str]] = {}
        self._made = 0
        """How many objects were announced when `_make` last looked."""
        self._looked_at: tuple[object, ...] | None = None
        """The key of the last of them."""
        self._sent: dict[str, dict[Message, dict[str, int]]] = {}
        """Path → what active files want changed there; once all is solved."""
        self._asked: dict[str, dict[Name, dict[str, int]]] = {}
        """Path → the cells there that active files asked for; once all is solved."""

    # Frozen cells do not run

    def _is_frozen(self, home: FileIndex | None) -> bool:
        return not self.preparing and home is not None and home not in self.active

    def start(self, cell: Cell) -> None:
        if self._is_frozen(cell.home):
            self.adopt(cell)
        else:
            super().start(cell)

    def invalidate(self, cell: Cell) -> None:
        if not self._is_frozen(cell.home):
            super().invalidate(cell)

    def enqueue(self, cell: Cell) -> None:
        if not self._is_frozen(cell.home):
            super().enqueue(cell)
        elif self.home is not cell.home:
            self.recorder.begun(self, cell)

    def feed(self, source: Cell, target: Cell) -> None:
        if not self._is_frozen(target.home):
            super().feed(source, target)

    def effect(self, home: FileIndex, run: Callable[..., None], *arguments: Any) -> None:
        if not self._is_frozen(home):
            super().effect(home, run, *arguments)
        elif self.home is not home:
            self.recorder.sent(self, home, run, arguments)

    def own_effect(self, home: FileIndex, run: Callable[..., None], *arguments: Any) -> None:
        if not self._is_frozen(home):
            super().own_effect(home, run, *arguments)

    def ranked_effect(self, home: FileIndex, value: Value, run: Callable[..., None], *arguments: Any) -> None:
        if not self._is_frozen(home):
            super().ranked_effect(home, value, run, *arguments)
        elif self.home is not home:
            self.recorder.sent(self, home, run, arguments)

    def _add(self, cell: Cell, values: Values) -> None:
        if not self._is_frozen(cell.home):
            super()._add(cell, values)

    # The recording

    def freeze(self) -> None:
        """From now on only active files run; their reads so far are answered from the recording."""
        self.preparing = False
        active = self.active
        self._effects = [effect for effect in self._effects if effect[0] in active]
        self._ranked = [effect for effect in self._ranked if effect[1] in active]
        self._additions = {cell: parts for cell, parts in self._additions.items() if cell.home in active}
        self._starts = [cell for cell in self._starts if cell.home in active]
        self._queue = [cell for cell in self._queue if cell.home in active]
        self._fed = {cell: parts for cell, parts in self._fed.items() if cell.home in active}
        for cell, askers in self.recorder.asks.items():
            if cell.home not in active and not active.keys().isdisjoint(askers):
                self.adopt(cell)
        for file in active:
            trace = self.traces(file.path)
            for message, senders in trace.inbox.items():
                frozen = self._of_frozen(senders)
                if frozen:
                    self._messages.setdefault(min(frozen.values()), []).append(message)
                    self._senders[message] = list(frozen)
            for name, export in trace.exports.items():
                frozen = self._of_frozen(export.askers)
                if frozen:
                    self._asks.setdefault(min(frozen.values()), []).append(name)
                    self._askers[name] = list(frozen)

        for message, homes in self._changes.items():
            for path, number in homes.items():
                if path not in self.paths:
                    self._changing.setdefault(number, []).append((path, message))

    def _of_frozen(self, by: Mapping[str, int]) -> dict[str, int]:
        return {path: when for path, when in by.items() if path not in self.paths}

    def begin(self) -> None:
        """Starts the cells that frozen files read before the first round."""
        self._driven = True
        for cell in self._asked_for(0):
            if cell.state == NEW:
                self._first(cell)
        self._driven = False

    def adopt(self, cell: Cell) -> None:
        """Gives a frozen cell its recorded values."""
        if cell in self._adopted:
            return
        assert cell.home is not None
        path = cell.home.path
        export = self._recorded(cell)
        if export is None or export.birth > self.rounds:
            raise ActivateError([path])
        self._adopted[cell] = export
        now = 2 * self.rounds
        held: Values = ()
        try:
            for when, dropped, added in export.history:
                values = tuple([self.value(name) for name in added])
                if when <= now:
                    held = values if dropped else held + values
                else:
                    self._growth.setdefault(when // 2, []).append((cell, dropped, values))
        except UnknownNameError:
            raise ActivateError([path]) from None
        known = cell.values
        cell.values = held
        cell.birth = export.birth
        cell.height = export.height
        if cell.state == NEW:
            cell.state = IDLE
        shown = [value for value in held if value not in known]
        if shown:
            self.tell(cell, shown)

    def value(self, name: Name) -> Value:
        """The value with that name. Raises `UnknownNameError`."""
        found = self.names.value(name)
        self._make()
        return found

    def container(self, name: Name) -> Container:
        """The container with that name. Raises `UnknownNameError`."""
        found = self.names.container(name)
        self._make()
        return found

    def _make(self) -> None:
        """Creates an object that only other files' code has created: containers derived from one of an active file."""
        announced = self.announced
        if len(announced) == self._made:
            return
        fresh: list[tuple[object, ...]] = []
        for key in reversed(announced):  # newest first: what precedes `_looked_at` was looked at, too
            if key is self._looked_at:
                break
            fresh.append(key)
        for key in reversed(fresh):
            found = announced.get(key)
            if isinstance(found, Container) and not self._is_frozen(found.file):
                home, self.home = self.home, found.file
                container_methods.made_again(self, found)
                self.home = home
        self._made = len(announced)
        self._looked_at = next((key for key in fresh if key in announced), self._looked_at)

    def cell(self, name: Name) -> Cell:
        """The cell with that name. Raises `UnknownNameError`."""
        found = self.names.find(name)
        if not isinstance(found, Cell):
            raise UnknownNameError(name)
        self._make()
        return found

    def asked(self, cell: Cell) -> None:
        """Adopts a frozen cell that was started before freezing."""
        if self._is_frozen(cell.home) and (cell.state != NEW or self._is_born(cell)):
            self.adopt(cell)

    def _is_born(self, cell: Cell) -> bool:
        """Whether a frozen cell was started by now in the recording, whether or not it was read here."""
        export = self._recorded(cell)
        return export is not None and export.birth <= self.rounds

    def _recorded(self, cell: Cell) -> Export | None:
        """The recording of a frozen cell; None where no other file read it."""
        assert cell.home is not None
        try:
            return self.traces(cell.home.path).exports.get(self.names.name(cell))
        except UnnameableError:
            return None

    # The rounds

    def _solve(self) -> None:
        last = AT_END if self.widened else LAST_PHASE
        while True:
            self._deliver(self.rounds)
            self._barrier()
            self._grow_frozen(self.rounds)
            if self._is_moving():
                self.rounds += 1
            else:
                upcoming = self._next_round(last)
                if upcoming is None:
                    return
                self.rounds = upcoming
            self._ask(2 * self.rounds)
            if not self._compute_round():
                raise ActivateError(())

    def _next_round(self, last: int) -> int | None:
        rounds = [
            *self._growth, *self._messages, *self._changing, *(when // 2 for when in self._asks)
        ]  # fmt: skip
        return min((number for number in rounds if self.rounds < number < last), default=None)

    def _ask(self, when: int) -> None:
        """Starts the cells that frozen files read."""
        self._starts += [cell for cell in self._asked_for(when) if cell.state == NEW]

    def _asked_for(self, when: int) -> list[Cell]:
        """The cells that frozen files read at that time."""
        found: list[Cell] = []
        for name in self._asks.get(when, ()):
            try:
                found.append(self.cell(name))
            except UnknownNameError:
                raise ActivateError(self._askers[name]) from None
        return found

    def _deliver(self, number: int) -> None:
        """Applies the changes that frozen files wanted in a round, and the recorded changes of their types."""
        for path, change in self._changing.get(number, ()):
            try:
                self._effects.append((self.names.file(path), *self._change(change)))
            except UnknownNameError:
                raise ActivateError([path]) from None
        for message in self._messages.get(number, ()):
            try:
                self._carry_out(message)
            except UnknownNameError:
                raise ActivateError(self._senders[message]) from None
        self._ask(2 * number + 1)

    def _carry_out(self, message: Message) -> None:
        kind = message[0]
        if kind == LINK:
            _, function_name, path, call, receiver, skip, transparent = message
            function = self.names.function(function_name)
            link = Link(
                self.names.file(path) if path is not None else None,
                self.names.find_call(call)[1] if call is not None else None,
                self.value(receiver) if receiver is not None else None,
                skip,
                transparent,
            )
            self._effects.append((function.file, add_link, function, link))
        elif kind == FLOW:
            source, target = self.cell(message[1]), self.cell(message[2])
            self._effects.append((target.home, Engine._flow, source, target))
        elif kind == JOIN:
            container = self.container(message[1])
            home, self.home = self.home, container.file
            containers.field_of(self, container, message[2])
            self.home = home
        elif kind == SPREAD:
            held, taker = self.container(message[1]), self.container(message[2])
            heir = Heir(taker, message[3], message[4], message[5])
            self._ranked.append((taker, held.file, containers.spread_into, held, heir))
        elif kind == TASK:
            taker, file = self.container(message[1]), self.names.file(message[2])
            _, site = self.names.find_site(message[3])
            expr = self.names.find_expression(file, message[4], site)
            self._starts.append(containers.Spread(taker, file, site, expr, message[5]))
        elif kind == ADD:
            self._add(self.cell(message[1]), self.value(message[2]).alone)
        elif kind == COPY:
            copied, into_what = self.container(message[1]), self.names.find(message[2])
            if not isinstance(into_what, Class | Function):
                raise UnknownNameError(message[2])
            self._effects.append((copied.file, containers.copied, copied, into_what))
        elif kind == MIX:
            run, mixed, into = self._change(message)
            self._ranked.append((mixed, into.file, run, mixed, into))
        else:
            run, changed, *more = self._change(message)
            self._effects.append((changed.file, run, changed, *more))

    def _change(self, message: Message) -> tuple[Any, ...]:
        """A change of types: the effect and its arguments."""
        if message[0] == BECOME:
            return (late_types.become, self.names.function(message[1]))
        if message[0] == GAIN:
            return (late_types.gain, self.names.cls(message[1]), message[2])
        if message[0] == MIX:
            return (late_types.mix, self.names.cls(message[1]), self.names.cls(message[2]))
        raise UnknownNameError(message)

    def _grow_frozen(self, number: int) -> None:
        """Gives frozen cells the values that they had from the end of a round on."""
        for cell, dropped, values in self._growth.pop(number, ()):
            known = set(cell.values)
            added = [value for value in values if value not in known]
            cell.values = values if dropped else (*cell.values, *added)
            self.tell(cell, added)

    def finish(self) -> None:
        """Starts the cells that frozen files read when edges were written."""
        self.projecting = True
        self.rounds = AT_END
        self.home = None
        for when in (2 * AT_END, 2 * AT_END + 1):
            for cell in self._asked_for(when):
                self.read(cell)

    # The differences from the recording

    def differences(self) -> set[str]:
        """The frozen files that were told something else than recorded, once everything is solved. Raises
        `UnnameableError` where something in an active file has no name, so that no certain answer is possible."""
        changed = {m: by for m, by in changes(self, self.names).items() if not self.paths.isdisjoint(by)}
        if changed != {m: by for m, by in self._changes.items() if not self.paths.isdisjoint(by)}:
            raise ActivateError(())  # types are read without a cell
        self._sent = self.recorder.inboxes(self.names, senders=self.active)
        self._asked = self._asked_now()
        return {
            *self._different_exports(),
            *self._different_messages(),
            *self._different_asks(),
        }

    def _different_exports(self) -> set[str]:
        """The readers of cells in active files whose values over time changed."""
        found: set[str] = set()
        asked: dict[Cell, tuple[Name, Export]] = {}
        for file in self.active:
            for name, export in self.traces(file.path).exports.items():
                if name in self._askers:
                    try:
                        asked[self.cell(name)] = (name, export)
                    except UnknownNameError:
                        found.update(self._askers[name])
        histories = self.recorder.histories(asked)
        for cell, (name, export) in asked.items():
            same_height = cell.height == export.height or (export.height < LATE and cell.height <= export.height)
            if (
                cell.birth != export.birth
                or not same_height
                or entries(self.names, histories.get(cell, ())) != export.history
            ):
                found.update(self._askers[name])
        return found

    def _different_messages(self) -> set[str]:
        """The files that get other messages, or at other times."""
        sent = self._sent
        found: set[str] = set()
        for path in self._told(sent):
            if path in self.paths:
                continue
            inbox = self.traces(path).inbox
            for message, by in _changes(inbox, _as_it_is, sent.get(path, {}), self.paths).items():
                before = inbox.get(message, {})
                if min(by.values(), default=NEVER) != min(before.values(), default=NEVER):
                    found.add(path)
                    break
        return found

    def _different_asks(self) -> set[str]:
        """The files with a cell that would be started at another time."""
        found: set[str] = set()
        asked = self._asked
        for path in self._told(asked):
            if path in self.paths:
                continue
            new = asked.get(path, {})
            for name, export in self.traces(path).exports.items():
                frozen = self._of_frozen(export.askers)
                before = [when for asker, when in export.askers.items() if asker not in frozen]
                if any((when + 1) // 2 == export.birth for when in before):
                    now = [*frozen.values(), *new.get(name, {}).values()]
                    if all((when + 1) // 2 != export.birth for when in now):
                        found.add(path)
                        break
        return found

    def _told(self, now: Mapping[str, Any]) -> set[str]:
        """The files that active files read from or send something to, before or now."""
        return {*now, *(path for file in self.active for path in self.traces(file.path).told)}

    def _asked_now(self) -> dict[str, dict[Name, dict[str, int]]]:
        """Path → the cells there that active files read."""
        found: dict[str, dict[Name, dict[str, int]]] = {}
        for cell, askers in self.recorder.asks.items():
            by = {asker.path: when for asker, when in askers.items() if asker is not None and asker in self.active}
            if by and cell.home is not None:
                found.setdefault(cell.home.path, {})[self.names.name(cell)] = by
        return found

    def new_traces(self) -> dict[str, Trace]:
        """The traces of active files (without their words), and of files whose interaction with active files changed.
        To be called after `differences`."""
        sent, asked = self._sent, self._asked
        found: dict[str, Trace] = {}
        paths = {*self._told(sent), *asked, *(file.path for file in self.active)}
        cells: dict[Cell, Name] = {}
        for file in self.active:
            for name in {*asked.get(file.path, {}), *(n for n in self.traces(file.path).exports if n in self._askers)}:
                cells[self.cell(name)] = name
        histories = self.recorder.histories(cells)
        live = {
            name: Export(cell.birth, cell.height, entries(self.names, histories.get(cell, ())), {})
            for cell, name in cells.items()
        }
        for path in paths:
            trace = self.traces(path)
            active = path in self.paths
            said = _changes(trace.inbox, _as_it_is, sent.get(path, {}), self.paths)
            wanted = _changes(trace.exports, _askers, asked.get(path, {}), self.paths)
            if not (active or said or wanted):
                continue
            inbox = {message: by for message, by in {**trace.inbox, **said}.items() if by}
            askers = {name: by for name, by in {**_all_askers(trace), **wanted}.items() if by}
            exports: dict[Name, Export] = {}
            for name, by in askers.items():
                export = live[name] if active else trace.exports[name]
                exports[name] = Export(export.birth, export.height, export.history, by)
            found[path] = Trace(exports, inbox, trace.told, trace.words)
        for file in self.active:
            told = {path for path, inbox in sent.items() for by in inbox.values() if file.path in by}
            told |= {path for path, names in asked.items() for by in names.values() if file.path in by}
            trace = found[file.path]
            found[file.path] = Trace(trace.exports, trace.inbox, sorted(told))
        return found


class _Recorder(Recorder):
    def asked(self, engine: Engine, cell: Cell, flows: bool = False) -> None:
        super().asked(engine, cell, flows)
        assert isinstance(engine, Replay)
        engine.asked(cell)


def _changes(
    before: Mapping[Any, Any],
    senders: Callable[[Any], Mapping[str, int]],
    now: Mapping[Any, Mapping[str, int]],
    active: frozenset[str],
) -> dict[Any, dict[str, int]]:
    """Recorded messages whose senders or times changed: senders in frozen files as recorded, those in active files as
    now; empty for messages that no file sends any more. `senders` returns the senders in an entry of `before`."""
    found: dict[Any, dict[str, int]] = {}
    for key, said in now.items():
        held = before.get(key)
        old = senders(held) if held is not None else {}
        by = {path: when for path, when in old.items() if path not in active}
        by.update(said)
        if by != old:
            found[key] = by
    for key, held in before.items():
        old = senders(held)
        if not active.isdisjoint(old) and key not in now:
            found[key] = {path: when for path, when in old.items() if path not in active}
    return found


def _as_it_is(senders: Mapping[str, int]) -> Mapping[str, int]:
    return senders


def _askers(export: Export) -> Mapping[str, int]:
    return export.askers


def _all_askers(trace: Trace) -> dict[Name, dict[str, int]]:
    return {name: export.askers for name, export in trace.exports.items()}
