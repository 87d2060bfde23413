"""Records what crosses from file to file while a project is resolved, for `replay`.

A file's trace contains: for each of its cells that other files read, the values over time and who read it when; what
other files wanted changed in it, and when; and which files it read or sent something to. A repeated message counts
once, in its first round, with all its senders, so that it survives the loss of one of them.

Everything is identified by its name (`naming`), which edits elsewhere in the file leave unchanged.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

import msgspec

from loregraph.indexer.resolve.call_names import UnnameableError
from loregraph.indexer.resolve.containers import Spread, copied, spread_into, spread_later
from loregraph.indexer.resolve.engine import Crossings, Engine
from loregraph.indexer.resolve.fact_names import Name
from loregraph.indexer.resolve.late_types import become, gain, mix
from loregraph.indexer.resolve.model import Cell, Container, FileIndex, Values
from loregraph.indexer.resolve.naming import Names
from loregraph.indexer.resolve.passing import add_link
from loregraph.indexer.resolve.records import Entry, Export, Head, Message, Trace, Words, Written
from loregraph.indexer.resolve.words import words

_NONE: Final = type(None)

LINK, FLOW, SPREAD, TASK, JOIN, ADD = "link", "flow", "spread", "task", "join", "add"
COPY, BECOME, GAIN, MIX = "copy", "become", "gain", "mix"


# Implements REQ-IDX-026.
class Recorder(Crossings):
    """Records what crosses, as objects; `traces` names them once everything is solved."""

    def __init__(self) -> None:
        self.asks: dict[Cell, dict[FileIndex | None, int]] = {}
        self.messages: list[tuple[FileIndex, Callable[..., None], tuple[Any, ...], FileIndex | None, int]] = []
        self.additions: list[tuple[Cell, Values, FileIndex | None, int]] = []
        self.joins: dict[tuple[Container, tuple[str, str], FileIndex | None], int] = {}
        self._cells: list[Cell] = []
        self._sizes = array("q")
        self._times = array("q")
        self._replaced: dict[Cell, list[tuple[int, Values]]] = {}
        """Cell → (number of the growth before which it was given up, what it held) of each time that it was crowded."""

    def asked(self, engine: Engine, cell: Cell, flows: bool = False) -> None:
        when = 2 * engine.rounds + flows
        askers = self.asks.get(cell)
        if askers is None:
            self.asks[cell] = {engine.home: when}
        elif engine.home not in askers:
            askers[engine.home] = when

    def sent(self, engine: Engine, home: FileIndex, run: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self.messages.append((home, run, arguments, engine.home, engine.rounds + engine.due))

    def added(self, engine: Engine, cell: Cell, values: Values) -> None:
        self.additions.append((cell, values, engine.home, engine.rounds + engine.due))

    def sought(self, engine: Engine, container: Container, key: tuple[str, str]) -> None:
        self.joins.setdefault((container, key, engine.home), engine.rounds + engine.due)

    def begun(self, engine: Engine, task: Cell) -> None:
        assert task.home is not None
        self.messages.append((task.home, spread_later, (task,), engine.home, engine.rounds + engine.due))

    def grown(self, engine: Engine, cell: Cell, held: Values) -> None:
        values = cell.values
        if held and (len(values) <= len(held) or values[len(held) - 1] is not held[-1]):
            self._replaced.setdefault(cell, []).append((len(self._cells), held))
        self._cells.append(cell)
        self._sizes.append(len(values))
        self._times.append(2 * engine.rounds + engine.at_barrier)

    def histories(self, cells: Mapping[Cell, Any]) -> dict[Cell, list[tuple[int, Values]]]:
        """Cell → (time, values from then on), for the non-empty ones of `cells`."""
        found: dict[Cell, list[tuple[int, Values]]] = {}
        for number, cell in enumerate(self._cells):
            if cell in cells:
                whole = cell.values
                for before, held in self._replaced.get(cell, ()):
                    if number < before:
                        whole = held
                        break
                found.setdefault(cell, []).append((self._times[number], whole[: self._sizes[number]]))
        return found

    def inboxes(
        self, names: Names, senders: Collection[FileIndex] | None = None
    ) -> dict[str, dict[Message, dict[str, int]]]:
        """Path → what other files (with `senders`, only those) wanted changed there, with the senders and the first
        time of each."""
        found: dict[str, dict[Message, dict[str, int]]] = {}
        for home, wishes in self._wishes(senders).items():
            found[home.path] = _inbox(names, wishes)
        return found

    def _wishes(self, senders: Collection[FileIndex] | None = None) -> dict[FileIndex, list[_Wish]]:
        """File → the changes that other files want there."""
        found: dict[FileIndex, list[_Wish]] = {}
        for home, run, arguments, sender, rounds in self.messages:
            if sender is not None and (senders is None or sender in senders):
                found.setdefault(home, []).append((run, arguments, sender, rounds))
        for (container, key, sender), rounds in self.joins.items():
            if sender is not None and (senders is None or sender in senders):
                found.setdefault(container.file, []).append((None, (container, key), sender, rounds))
        for cell, values, sender, rounds in self.additions:
            if sender is not None and cell.home is not None and (senders is None or sender in senders):
                for value in values:
                    found.setdefault(cell.home, []).append((None, (cell, value), sender, rounds))
        return found

    def traces(self, names: Names, files: Mapping[str, FileIndex]) -> dict[str, bytes]:
        """Path → the file's trace; none at all where something crossed that has no name. Consumes the recording, file
        by file."""
        for cell in self._cells:  # solving is over, and the names need as much memory
            cell.readers = cell.flows = None
        wishes = self._wishes()
        self.messages, self.additions, self.joins = [], [], {}
        histories = self.histories(self.asks)
        self._cells, self._sizes, self._times = [], array("q"), array("q")
        asked: dict[FileIndex, list[Cell]] = {}
        told: dict[str, set[str]] = {path: set() for path in files}
        for home, own in wishes.items():
            for _, _, sender, _ in own:
                told[sender.path].add(home.path)
        for cell, askers in self.asks.items():
            if cell.home is not None:
                asked.setdefault(cell.home, []).append(cell)
                for asker in askers:
                    if asker is not None:
                        told[asker.path].add(cell.home.path)
        try:
            return {
                path: encode(
                    Trace(
                        self._exports(names, asked.pop(file, []), histories),
                        _inbox(names, wishes.pop(file, [])),
                        sorted(told[path]),
                        words(file),
                    )
                )
                for path, file in files.items()
            }
        except UnnameableError:
            return {}

    def _exports(
        self, names: Names, cells: list[Cell], histories: dict[Cell, list[tuple[int, Values]]]
    ) -> dict[Name, Export]:
        """The cells among `cells` that other files read, by name."""
        found: dict[Name, Export] = {}
        for cell in cells:
            by = {asker.path: when for asker, when in self.asks[cell].items() if asker is not None}
            if by:
                history = entries(names, histories.pop(cell, ()))
                found[names.name(cell)] = Export(cell.birth, cell.height, history, by)
        return found


_Wish = tuple[Callable[..., None] | None, tuple[Any, ...], FileIndex, int]
"""(effect, its arguments, senders, round); effect None: a container's member under a key, or a value joining a cell."""


def _inbox(names: Names, wishes: Iterable[_Wish]) -> dict[Message, dict[str, int]]:
    """The changes wanted of one file, by name, with the senders and the first time of each."""
    found: dict[Message, dict[str, int]] = {}
    for run, arguments, sender, rounds in wishes:
        by = found.setdefault(message_of(names, run, arguments), {})
        if by.setdefault(sender.path, rounds) > rounds:
            by[sender.path] = rounds
    return found


def entries(names: Names, history: Iterable[tuple[int, Values]]) -> list[Entry]:
    """A history as the additions at each time, by name."""
    found: list[Entry] = []
    held: Values = ()
    for when, values in history:
        known = set(held)
        dropped = len(known.intersection(values)) < len(held)
        joining = values if dropped else tuple(v for v in values if v not in known)
        if len(joining) > 1:
            joining = tuple(sorted(joining, key=names.text))
        found.append((when, dropped, tuple([names.name(value) for value in joining])))
        held = values
    return found


def message_of(names: Names, run: Callable[..., None] | None, arguments: tuple[Any, ...]) -> Message:
    """The name of a message."""
    if run is None:
        on, what = arguments
        return (JOIN, names.name(on), what) if isinstance(on, Container) else (ADD, names.name(on), names.name(what))
    if run is add_link:
        function, link = arguments
        call = names.call(link.file, link.call) if link.call is not None else None
        return (
            LINK, names.name(function), link.file.path if link.file is not None else None, call,
            names.name(link.receiver) if link.receiver is not None else None, link.skip, link.transparent,
        )  # fmt: skip
    if run is Engine._flow:
        return (FLOW, names.name(arguments[0]), names.name(arguments[1]))
    if run is spread_later:
        (task,) = arguments
        if not isinstance(task, Spread):
            raise UnnameableError(task)
        site = names.site(task.file, task.site)
        expr = names.expression(task.file, task.site, task.expr)
        return (TASK, names.name(task.target), task.file.path, site, expr, task.shift)
    if run is spread_into:
        source, heir = arguments
        return (SPREAD, names.name(source), names.name(heir.target), heir.shift, heir.stop, heir.cut)
    if run is copied:
        return (COPY, names.name(arguments[0]), names.name(arguments[1]))
    if run is become:
        return (BECOME, names.name(arguments[0]))
    if run is gain:
        return (GAIN, names.name(arguments[0]), arguments[1])
    if run is mix:
        return (MIX, names.name(arguments[0]), names.name(arguments[1]))
    raise UnnameableError(run)


def changes(engine: Engine, names: Names) -> dict[Message, dict[str, int]]:
    """The changes of types while values were followed, by the path of the changed type, with the round."""
    found: dict[Message, dict[str, int]] = {}
    for (home, run, *arguments), rounds in engine.changes.items():
        found[message_of(names, run, tuple(arguments))] = {home.path: rounds}
    return found


class _Nodes:
    """The names in one trace, each part stored once."""

    def __init__(self) -> None:
        self.written: list[list[Any]] = []
        self._numbers: dict[Name, int] = {}
        self._known: dict[int, int] = {}
        """By identity, which is quicker than to hash a name: whoever asks keeps all names alive."""

    def number(self, name: Name) -> int:
        found = self._known.get(id(name))
        if found is None:
            found = self._numbers.get(name)
            if found is None:
                parts = [[self.number(part)] if type(part) is tuple else part for part in name]
                found = self._numbers[name] = len(self.written)
                self.written.append(parts)
            self._known[id(name)] = found
        return found


def encode(trace: Trace) -> bytes:
    """A trace as msgpack."""
    nodes = _Nodes()
    paths: dict[str, int] = {}
    exports = [
        (
            nodes.number(name),
            export.birth,
            export.height,
            [(when, dropped, [nodes.number(value) for value in values]) for when, dropped, values in export.history],
            _said(paths, export.askers),
        )
        for name, export in trace.exports.items()
    ]
    inbox = [(nodes.number(message), _said(paths, senders)) for message, senders in trace.inbox.items()]
    told = [paths.setdefault(path, len(paths)) for path in trace.told]
    return _ENCODER.encode(Written(trace.words, list(paths), nodes.written, exports, inbox, told))


def _said(paths: dict[str, int], by: dict[str, int]) -> list[tuple[int, int]]:
    return [(paths.setdefault(path, len(paths)), when) for path, when in by.items()]


def decode(blob: bytes) -> Trace:
    """The inverse of `encode`. Raises `msgspec.DecodeError` for malformed data."""
    written = _DECODER.decode(blob)
    paths = written.paths
    names: list[Name] = []
    try:
        for parts in written.nodes:
            names.append(tuple([names[part[0]] if type(part) is tuple else part for part in parts]))
        exports = {
            names[name]: Export(
                birth,
                height,
                [(when, dropped, tuple([names[value] for value in values])) for when, dropped, values in history],
                {paths[asker]: when for asker, when in askers},
            )
            for name, birth, height, history, askers in written.exports
        }
        inbox = {
            _message(names[name]): {paths[sender]: when for sender, when in senders} for name, senders in written.inbox
        }
        return Trace(exports, inbox, [paths[path] for path in written.told], written.words)
    except IndexError as error:
        raise msgspec.DecodeError("a trace with numbers of nothing") from error


def words_of(blob: bytes) -> Words:
    """The words of a trace. Raises `msgspec.DecodeError` for malformed data."""
    return _HEAD.decode(blob).words


def crossing(blob: bytes, path: str, objects: Mapping[str, Collection[str]]) -> set[str]:
    """The files that received one of `objects` (path → qualified names of definitions there) or something of it,
    according to the trace of the file at `path`. May include files that received a name which combines one object's
    path with another's qualified name. Raises `msgspec.DecodeError` for malformed data."""
    written = _DECODER.decode(blob)
    bits: dict[tuple[str, bool], int] = {}
    wanted: list[int] = []
    for other, own in objects.items():
        for name in own:
            pair = [bits.setdefault(part, 1 << len(bits)) for part in ((other, True), (name, False))]
            wanted.append(pair[0] | pair[1])
    has: list[int] = []
    try:
        for parts in written.nodes:
            held = 0
            for part in parts:
                if type(part) is tuple:
                    held |= has[part[0]]
                elif type(part) is str:
                    held |= bits.get((part, True), 0) | bits.get((part, False), 0)
            has.append(held)
        reached = [any(held & pair == pair for pair in wanted) for held in has]
        found: set[str] = set()
        for cell, _, _, history, askers in written.exports:
            values = (value for _, _, added in history for value in added)
            if reached[cell] or any(reached[value] for value in values):
                found.add(path)
                found.update(written.paths[asker] for asker, _ in askers)
        for message, senders in written.inbox:
            if reached[message]:
                found.add(path)
                found.update(written.paths[sender] for sender, _ in senders)
        return found
    except IndexError as error:
        raise msgspec.DecodeError("a trace with numbers of nothing") from error


_PARTS: Final[dict[str, tuple[tuple[type, ...], ...]]] = {
    LINK: ((tuple,), (str, _NONE), (tuple, _NONE), (tuple, _NONE), (int,), (bool,)),
    FLOW: ((tuple,), (tuple,)),
    SPREAD: ((tuple,), (tuple,), (int,), (int,), (bool,)),
    TASK: ((tuple,), (str,), (tuple,), (tuple,), (int,)),
    JOIN: ((tuple,), (tuple,)),
    ADD: ((tuple,), (tuple,)),
    COPY: ((tuple,), (tuple,)),
    BECOME: ((tuple,),),
    GAIN: ((tuple,), (str,)),
    MIX: ((tuple,), (tuple,)),
}
"""Kind of message → the possible kinds of each of its parts."""


def _message(name: Name) -> Message:
    kinds = _PARTS.get(name[0]) if name and type(name[0]) is str else None
    fits = kinds is not None and len(name) == len(kinds) + 1
    if kinds is None or not fits or any(type(part) not in kind for part, kind in zip(name[1:], kinds, strict=True)):
        raise msgspec.DecodeError("a trace with a message that is none")
    if name[0] == JOIN and not (len(name[2]) == 2 and all(type(part) is str for part in name[2])):
        raise msgspec.DecodeError("a trace with a message that is none")
    return name  # type: ignore[no-any-return]


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Written)
_HEAD: Final = msgspec.msgpack.Decoder(Head)
