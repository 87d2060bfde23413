"""Selects the tests to run for a change: what is known first, and where nothing is, what may depend on it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, Protocol

from msgspec import Struct

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.selection.change import Change, TouchedDefinition, TouchedStatement
from loregraph.analysis.selection.dependents import Dependents
from loregraph.analysis.selection.known import Known, Ran, ran
from loregraph.analysis.selection.paths import LEAST, MOST, Path, Paths, tests_below
from loregraph.analysis.selection.reasons import Reason, Reasons
from loregraph.analysis.selection.selected import SelectedTest
from loregraph.graph.columns import GraphColumns
from loregraph.graph.groups import group_of
from loregraph.graph.queries import within

Effort = Literal["fast", "default", "safe"]
"""`fast`: only tests that are known to execute the change; `safe`: all that could be affected by it."""
_SURE: Final = 0.99
"""Of a test that a run saw executing what changed."""
_CERTAIN: Final = 0.9
"""Confidence of a call from which on it is taken for made."""
_FAST: Final = 0.4
"""Probability of a path from which on it is taken for known where no run says anything."""
_WIDENED: Final = {"file": 0.3, "imports": 0.1, "all": 0.05}
MOST_NAMED: Final = 300
"""Definitions that mention a changed name, above which it says nothing about them."""


class Selection(Struct, frozen=True, kw_only=True):
    """`tests` in the order in which they find a failure soonest. `all_tests` is how many the project has, `seconds` how
    long the selected ones took in the last run, `all_seconds` how long all did; `unknown` counts selected tests without
    a duration. `untested` are ids of changed functions that no test is known to execute; `remarks` say what the
    selection could not know, or why it is wide."""

    tests: tuple[SelectedTest, ...]
    all_tests: int
    seconds: float
    all_seconds: float
    unknown: int
    untested: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Texts(Protocol):
    """What is written in the code of the project."""

    def mentions(self, name: str, among: Container[int]) -> Sequence[int]:
        """Those definitions of `among` whose text has the word `name`."""

    def naming(self, path: str) -> Sequence[int]:
        """The definitions whose text has the name of a file."""


# Implements REQ-RUN-009.
def select(
    columns: GraphColumns,
    roles: CodeRoles,
    change: Change,
    known: Known,
    texts: Texts,
    effort: Effort = "default",
) -> Selection:
    """The tests to run for `change`."""
    selecting = _Selecting(columns, roles, known, texts, effort)
    selecting.begin(change)
    for one in change.definitions:
        selecting.definition(one)
    for statement in change.statements:
        selecting.statement(statement)
    for path in (*change.others, *change.removed):
        selecting.file(path)
    selecting.follow()
    if effort == "safe":
        selecting.widen(change)
    return selecting.selection()


class _Selecting:
    """Collects the best reason for each test."""

    def __init__(
        self,
        columns: GraphColumns,
        roles: CodeRoles,
        known: Known,
        texts: Texts,
        effort: Effort,
    ) -> None:
        self._columns = columns
        self._roles = roles
        self._known = known
        self._texts = texts
        self._effort = effort
        self._reasons = Reasons(columns, known)
        self._remarks: dict[str, None] = {}
        self._starts: dict[int, str] = {}
        """Code that changed, with what is said of it."""
        self._shared: dict[int, str] = {}
        """Code of which runs cannot tell all tests."""
        self._new: frozenset[str] = frozenset()
        self._untested: dict[int, None] = {}
        self._dependents = Dependents(columns)
        self._paths = Paths(columns, roles)

    def begin(self, change: Change) -> None:
        self._new = frozenset(one.now for one in change.definitions if one.kind == "added")

    def definition(self, one: TouchedDefinition) -> None:
        """A function or class that was added, changed, moved or removed."""
        columns = self._columns
        node = columns.find_id(one.now) if one.now else None
        then = columns.find_id(one.then) if one.then else None
        if node is not None and not one.is_class and columns.own(node, "is_test"):
            self._reasons.add(
                node, Reason("changed", 1.0, "it was added" if one.kind == "added" else "it changed itself")
            )
        name = _name(one.now or one.then)
        for seen in self._known.gone.get(one.then, ()):
            self._ran(seen, f"ran {name}, which is {'gone' if one.kind == 'removed' else one.kind}")
        for number in dict.fromkeys(one for one in (node, then) if one is not None):
            if one.is_class and one.kind == "added":
                self._starts.setdefault(number, name)
            elif one.is_class:
                self._class(number, name)
            elif one.kind == "added":
                self._added(number, name)
            else:
                self._function(number, name)

    def statement(self, one: TouchedStatement) -> None:
        """A statement outside of all definitions: what mentions the names that it binds depends on it."""
        columns = self._columns
        file = columns.find_id(one.path)
        if file is None:
            return
        if one.kind == "effect" or (one.kind == "binding" and self._is_loaded_by_framework(file)):
            self._loaded(file, f"{one.path} does something else when it is loaded")
            return
        users = self._dependents.users(file, one.kind == "import")
        for name in one.names:
            named = self._texts.mentions(name, users)
            if len(named) > MOST_NAMED:
                self._loaded(file, f"{name} of {one.path} changed")
                continue
            for node in named:
                if columns.label(node) == "Function":
                    self._function(node, f"{name} in {_name(columns.id(node))}", is_changed=False)
                elif columns.label(node) == "Class":
                    self._class(node, f"{name} in {_name(columns.id(node))}")

    def file(self, path: str) -> None:
        """A file without code, or one that is gone: what names it, and all below it where it configures them."""
        if kind := self._dependents.configures(path):
            folder = path.rpartition("/")[0]
            reason = f"{path} {kind}"
            if self._effort == "fast":
                self._remarks[f"{reason}: what depends on it is left out"] = None
                return
            self._remarks[f"{reason}: every test below {folder or 'the root'} is selected"] = None
            for test in tests_below(self._columns, folder):
                self._reasons.add(test, Reason("all", _WIDENED["all"], reason))
            return
        is_document = self._dependents.is_document(path)
        if is_document and self._effort != "safe":
            return
        users = [node for node in self._texts.naming(path) if self._columns.label(node) == "Function"]
        for node in users:
            self._function(node, f"what names {path}", is_changed=False)
        if not users and not is_document:
            self._remarks[f"no code names {path}: --safe selects every test for it"] = None

    def follow(self) -> None:
        """The tests that the graph leads to: of those that a run knows only where it cannot tell, or with `safe`."""
        paths = self._paths
        least = {"fast": _FAST, "default": LEAST, "safe": 0.0}[self._effort]
        known = self._known.tests
        if self._effort == "safe":
            self._leads(paths.of({**self._starts, **self._shared}, least), frozenset())
        else:
            self._leads(paths.of(self._shared, least), frozenset())
            if len(known) < len(self._roles.functions):
                self._leads(paths.of(self._starts, least), known)
        if paths.was_cut:
            self._remarks[f"paths were followed to {MOST:,} functions and classes only: use a run's facts"] = None

    def _leads(self, found: Mapping[int, Path], known: frozenset[int]) -> None:
        names = {**self._starts, **self._shared}
        for test, path in found.items():
            if test in known or len(path.nodes) == 1:
                continue
            between = len(path.nodes) - 2
            through = f" through {between} other{'s' if between > 1 else ''}" if between > 0 else ""
            self._reasons.add(test, Reason("call", path.probability, f"leads to {names[path.nodes[-1]]}{through}"))

    def widen(self, change: Change) -> None:
        """Every test whose file has, directly or not, to do with a changed file; all where a changed file is no code
        and nothing names it."""
        columns = self._columns
        touched = {
            *(id.partition("::")[0] for one in change.definitions for id in (one.now, one.then) if id),
            *(one.path for one in change.statements),
            *change.added,
        }
        for path in sorted(touched):
            file = columns.find_id(path)
            if file is not None:
                self._loaded(file, f"{path} changed", depth=None)
        unnamed = [path for path in change.others if not self._dependents.is_document(path)]
        if unnamed:
            for test in self._roles.functions:
                self._reasons.add(test, Reason("all", _WIDENED["all"], f"{unnamed[0]} changed"))

    def selection(self) -> Selection:
        seconds = self._known.seconds
        order = self._reasons.order()
        untested = [node for node in self._untested if not self._is_reached(node)]
        return Selection(
            tests=self._reasons.tests(),
            all_tests=len(self._roles.functions),
            seconds=sum(seconds.get(node, 0.0) for node in order),
            all_seconds=sum(seconds.values()),
            unknown=sum(node not in seconds for node in order),
            untested=tuple(self._columns.id(node) for node in untested),
            remarks=tuple(self._remarks),
        )

    # What was touched

    def _function(self, node: int, name: str, *, is_changed: bool = True) -> None:
        """A function that does something else now."""
        columns = self._columns
        if is_changed and self._should_be_tested(node):
            self._untested[node] = None
        for each in group_of(columns, node, columns.id(node)):
            for one in ran(columns, each):
                self._ran(one, f"ran {name}")
        if columns.own(node, "is_test"):
            self._reasons.add(node, Reason("changed" if is_changed else "call", 1.0, f"{name} changed"))
        (self._shared if self._is_shared(node) else self._starts).setdefault(node, name)

    def _added(self, node: int, name: str) -> None:
        """A function that is new: what reaches it without having changed behaves differently.

        That is an override, or a method that callers find by its name: where they and its class are executed.
        """
        columns = self._columns
        if self._should_be_tested(node):
            self._untested[node] = None
        if columns.own(node, "is_test"):
            return
        self._starts.setdefault(node, name)
        owners = columns.source[columns.into(node, "CONTAINS")].tolist()
        owner = owners[0] if owners and columns.label(owners[0]) == "Class" else None
        if owner is not None and columns.id(owner) in self._new:
            return  # whatever makes one of a new class has changed itself
        callers = {
            int(columns.source[edge])
            for edge in columns.into(node, "CALLS").tolist()
            if owner is not None or columns.confidence[edge] >= _CERTAIN
        }
        callers.update(columns.target[columns.out(node, "OVERRIDES")].tolist())
        users = None if owner is None else {one.test for each in self._members(owner) for one in ran(columns, each)}
        for caller in sorted(callers):
            for one in ran(columns, caller):
                if users is None or one.test in users:
                    self._ran(one, f"ran {_name(columns.id(caller))}, which reaches {name}")
        if owner is not None and not callers and self._paths.is_implicit(node, owner):
            makers = [one for one in self._members(owner) if columns.kind(one) == "constructor"]
            for one in (each for member in makers or self._members(owner) for each in ran(columns, member)):
                self._ran(one, f"ran the class of {name}")

    def _class(self, node: int, name: str) -> None:
        """A class of which something else than its methods changed: its bases, its attributes."""
        columns = self._columns
        members = self._members(node)
        seen = False
        for member in members:
            if columns.own(member, "is_test"):
                self._reasons.add(member, Reason("changed", 1.0, f"{name} changed"))
            for one in ran(columns, member):
                seen = True
                self._ran(one, f"ran {_name(columns.id(member))} of {name}")
        self._starts.setdefault(node, name)
        if seen or not self._is_known(node):
            return
        for rel in ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS"):
            for user in columns.source[columns.into(node, rel)].tolist():
                for one in ran(columns, user):
                    seen = True
                    self._ran(one, f"ran {_name(columns.id(user))}, which uses {name}")
        if not seen:
            self._shared.setdefault(node, name)

    def _members(self, node: int) -> list[int]:
        return [one for one in within(self._columns, node) if self._columns.label(one) == "Function"]

    def _loaded(self, file: int, why: str, *, depth: int | None = 1) -> None:
        """The tests of a file, and of those that import it: directly, or at any depth."""
        columns = self._columns
        path = columns.path(file)
        if self._effort == "fast":
            self._remarks[f"{why}: what depends on it is left out"] = None
            return
        for node in self._members(file):
            for one in ran(columns, node):
                self._reasons.add(one.test, Reason("file", _WIDENED["file"], f"ran code of {path}"))
        widened = 0
        if self._is_loaded_by_framework(file):
            for test in tests_below(columns, path.rpartition("/")[0]):
                widened += self._reasons.add(test, Reason("file", _WIDENED["file"], why))
        for importer, distance in self._dependents.importers(file, depth).items():
            how = "imports" if distance else "file"
            for test in self._roles.tests_within(importer):
                if depth is None or distance == 0 or test not in self._known.tests:
                    widened += self._reasons.add(test, Reason(how, _WIDENED[how], why))
        if widened:
            self._remarks[f"{why}: {widened:,} tests that load it are selected"] = None

    # What is known

    def _ran(self, one: Ran, text: str) -> None:
        self._reasons.add(one.test, Reason(one.how, _SURE, text))

    def _is_known(self, node: int) -> bool:
        """Whether runs of tests in the language of `node` were imported."""
        return self._columns.language(node) in self._languages

    @cached_property
    def _languages(self) -> frozenset[str]:
        return frozenset(self._columns.language(test) for test in self._known.tests)

    def _is_shared(self, node: int) -> bool:
        """Whether a framework runs it once for several tests, as fixtures: a run names the first of them."""
        columns = self._columns
        return (
            not columns.own(node, "is_test")
            and self._roles.is_test_file(columns.path(node))
            and not len(columns.into(node, "CALLS"))
        )

    def _is_loaded_by_framework(self, file: int) -> bool:
        """Whether a file of test code has no tests and is imported by none: it is for all tests of its folder."""
        columns = self._columns
        return (
            self._roles.is_test_file(columns.path(file))
            and not self._roles.tests_within(file)
            and not len(columns.into(file, "IMPORTS"))
        )

    def _should_be_tested(self, node: int) -> bool:
        columns = self._columns
        return (
            columns.kind(node) in ("function", "method", "constructor", "getter", "setter")
            and not self._roles.is_test(node)
            and not self._roles.is_test_file(columns.path(node))
        )

    def _is_reached(self, node: int) -> bool:
        columns = self._columns
        if len(columns.into(node, "TESTS")) or columns.own(node, "executed"):
            return True
        if columns.own(node, "executed") is False:
            return False
        return bool(self._paths.of([node]))


def _name(id: str) -> str:
    return id.partition("::")[2] or id
