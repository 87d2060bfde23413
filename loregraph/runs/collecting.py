"""What a run says, collected record by record, as claims about the files of the project."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import Claim, FileClaims, Ran, Source, Tested
from loregraph.runs import placing, record
from loregraph.runs.lines import MOST_LINES
from loregraph.runs.mapping import FileBodies
from loregraph.runs.measured import MODULE, MeasuredFile, MeasuredFiles, body_of
from loregraph.runs.names_of_tests import NamesOfTests
from loregraph.runs.record import Covered, LeftOut, Observed, Outcome, Place
from loregraph.runs.watched import Watched

_NUMBER: Final = re.compile(r"#\d+")
"""What tells two definitions of one name apart in their ids."""
MOST_CLAIMS: Final = 5_000_000
"""Edges that are taken from one file."""
MOST_NAMES: Final = 200_000
"""Names that are kept to count each once."""
OTHER_TEXT: Final = "files of which another version was measured"
AMBIGUOUS: Final = "files whose place in the project is not certain"
OUTSIDE: Final = "files that are not the project's"
NO_TEST: Final = "tests that are no function of the project, or not certainly one"
NO_FUNCTION: Final = "pieces of code that are no function of the project"
TOO_MANY: Final = f"facts of edges beyond the first {MOST_CLAIMS:,}"


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What one file gave: how many tests have edges or results, how many functions were measured, the number of edges,
    the number of facts about code that has changed since, and what was left out (reason → how many)."""

    source: Source
    files: dict[str, FileClaims]
    tests: int = 0
    functions: int = 0
    edges: int = 0
    outdated: int = 0
    left_out: dict[str, int] = {}


class Collector:
    """What was read so far, by the file of the project that it is about."""

    def __init__(
        self,
        columns: GraphColumns,
        names: NamesOfTests,
        measured: MeasuredFiles,
        files: placing.Files,
        source: record.Source,
    ) -> None:
        self._columns = columns
        self._names = names
        self._measured = measured
        self._files = files
        self._source = source
        self._file_bodies: dict[str, FileBodies] = {}
        self._outdated: set[str] = set()
        self._lost_tests: set[str] = set()
        self._lost_places: set[str] = set()
        self._functions: dict[str, dict[str, Ran]] = defaultdict(dict)
        """Path → id → whether it ran in any test or outside of all."""
        self._tests: dict[tuple[str, str], None] = {}
        """(test, function), by ids."""
        self._calls: dict[tuple[str, str, int], tuple[str, int]] = {}
        """(caller, callee, line in the caller's file) → (first test, how many)."""
        self._callers: dict[str, str] = {}
        """Id of a caller → its content hash, "" for a file or type."""
        self._lines: dict[str, tuple[int, int]] = {}
        """Id of a function that called → its first and last line."""
        self._tested: dict[str, Tested] = {}
        self._watched = Watched(self._text_at)
        self._is_partial = False
        """Whether the record left something out."""
        self._types: dict[str, dict[tuple[str, int], str]] = {}
        """Path → (name, first line) → id of the types in it."""
        self.left_out: Counter[str] = Counter()

    def text(self, name: str) -> str | None:
        path = self._files.get(name)
        file = self._measured.file(path) if path else None
        return file.text if file else None

    def take(self, fact: record.Fact) -> None:
        if isinstance(fact, Covered):
            self._covered(fact)
        elif isinstance(fact, Observed):
            self._observed(fact)
        elif isinstance(fact, Outcome):
            self._outcome(fact)
        elif isinstance(fact, LeftOut):
            self.left_out[fact.reason] += fact.count
            self._is_partial = True

    def _covered(self, covered: Covered) -> None:
        path = self._files.get(covered.paths[0])
        if path is None or path in self._outdated:
            return
        file = self._measured.file(path)
        if file is None:
            self._outdated.update([path] if self._columns.language(self._node(path)) else [])
            return
        if path not in self._file_bodies:
            headers_run = self._source.headers_run
            self._file_bodies[path] = FileBodies(file.bodies, file.text, headers_run=headers_run)
        ran = self._file_bodies[path].ran(covered)
        if ran is None:
            self._outdated.add(path)
            self._functions.pop(path, None)
            return
        test = self._test(covered.test)
        for place in ran.measured:
            self._mark(path, file, file.bodies[place].id, file.bodies[place].content_hash, place in ran.executed)
        if test:
            for place in ran.executed:
                self._link(test, file.bodies[place].id)

    def _observed(self, seen: Observed) -> None:
        test = self._test(seen.test)
        functions = [found for place in seen.functions if (found := self._function(place))]
        self._watched.ran(seen.test, {identity for identity, _, _ in functions})
        for place in seen.stopped:
            if stopped := self._function(place):
                self._watched.missed(stopped[0])
        for identity, path, file in functions:
            self._mark(path, file, identity, self._callers[identity], True)
            if test:
                self._link(test, identity)
        for call in seen.calls:
            caller, callee = self._caller(call.caller), self._function(call.callee)
            if caller and callee and self._is_within(caller, call.line) and self._watched.called(call, callee[0]):
                key = (caller, callee[0], call.line)
                if key not in self._calls and self._is_full():
                    continue
                first, count = self._calls.get(key, (seen.test, 0))
                self._calls[key] = (min(first, seen.test), count + 1)

    def _link(self, test: str, function: str) -> None:
        if (test, function) not in self._tests and not self._is_full():
            self._tests[test, function] = None

    def _is_full(self) -> bool:
        """Whether no further edge is taken, which is counted."""
        is_full = len(self._tests) + len(self._calls) >= MOST_CLAIMS
        self.left_out[TOO_MANY] += is_full
        return is_full

    def _is_within(self, caller: str, line: int) -> bool:
        """Whether a line can be one of the code that called."""
        first, last = self._lines.get(caller, (1, MOST_LINES))
        return first <= line <= last

    def _count_once(self, name: str, names: set[str], reason: str) -> None:
        if len(names) < MOST_NAMES:
            names.add(name)
        elif name not in names:
            self.left_out[reason] += 1

    def _text_at(self, place: Place) -> str:
        file = self._measured.file(self._files.get(place.path, place.path))
        return file.text if file else ""

    def _outcome(self, outcome: Outcome) -> None:
        test = self._names.of_case(outcome)
        if not test:
            self._count_once(outcome.test, self._lost_tests, NO_TEST)
            return
        seconds = -1.0 if outcome.seconds is None else outcome.seconds
        one = Tested(test, outcome.outcome, seconds, outcome.failed_when)
        old = self._tested.get(test)
        # Several cases of one function: its time is theirs together, and one that failed decides.
        self._tested[test] = one if old is None else _worse(old, one)

    def _test(self, name: str) -> str:
        """The id of a test's function, "" for what is in no test."""
        if not name:
            return ""
        found = self._names.of_context(name)
        if not found:
            self._count_once(name, self._lost_tests, NO_TEST)
        return found

    def _function(self, place: Place) -> tuple[str, str, MeasuredFile] | None:
        """(id, path, file) of a function that was seen."""
        path = self._files.get(place.path, place.path)
        file = self._measured.file(path)
        body = body_of(file, place) if file else None
        if file is None or body is None:
            self._lose(path, place)
            return None
        self._callers[body.id] = body.content_hash
        self._lines[body.id] = (body.start_line, body.end_line)
        return body.id, path, file

    def _caller(self, place: Place) -> str:
        """The id of the code that called: a function, or a file or type as far as the file is as it was."""
        path = self._files.get(place.path, place.path)
        file = self._measured.file(path)
        if file is None:
            self._lose(path, place)
            return ""
        if body_of(file, place):
            found = self._function(place)
            return found[0] if found else ""
        if not file.is_current:
            return ""
        identity = path if place.name == MODULE else self._type(path, place)
        if not identity:
            self._lose(path, place)
            return ""
        self._callers[identity] = ""
        return identity

    def _type(self, path: str, place: Place) -> str:
        """The id of the type whose code was seen to run at a place, "" for none: several may have one name."""
        if path not in self._types:
            columns = self._columns
            own = self._types[path] = {}
            for node in columns.nodes("Class", path=path).tolist():
                name = _NUMBER.sub("", columns.id(node).partition("::")[2])
                own.setdefault((name, int(columns.start_line[node])), columns.id(node))
        return self._types[path].get((place.name, place.line), "")

    def _lose(self, path: str, place: Place) -> None:
        """Counts a place whose function is not known: with its file where that is another than it was."""
        if self._columns.find_id(path) is not None and self._measured.file(path) is None:
            self._outdated.add(path)
        else:
            self._count_once(f"{path}:{place.name}:{place.line}", self._lost_places, NO_FUNCTION)

    def _mark(self, path: str, file: MeasuredFile, identity: str, digest: str, executed: bool) -> None:
        old = self._functions[path].get(identity)
        if old is None or (executed and not old.executed):
            self._functions[path][identity] = Ran(identity, digest, executed)

    def _node(self, path: str) -> int:
        node = self._columns.find_id(path)
        assert node is not None  # a placed path is a file's id
        return node

    def found(self, source: Source) -> Imported:
        claims: dict[str, list[Claim]] = defaultdict(list)
        for test, function in sorted(self._tests):
            if test != function:
                claims[_path(test)].append(Claim(test, function, 0, "TESTS", self._hash_now(test)))
        for (caller, callee, line), (first, count) in sorted(self._calls.items()):
            digest = self._callers[caller]
            within = line - self._lines[caller][0] if digest else line
            claims[_path(caller)].append(Claim(caller, callee, within, "CALLS", digest, first, count))
        edges = sum(map(len, claims.values()))
        tested = defaultdict(list)
        for test in sorted(self._tested):
            tested[_path(test)].append(self._tested[test])
        files = {
            path: FileClaims(
                self._digest(path),
                tuple(claims.get(path, ())),
                tuple(sorted(map(self._with_tests, self._functions.get(path, {}).values()))),
                tuple(tested.get(path, ())),
            )
            for path in sorted({*claims, *self._functions, *tested})
        }
        tests = {test for test, _ in self._tests} | self._tested.keys()
        self.left_out[OTHER_TEXT] += len(self._outdated)
        self.left_out[NO_TEST] += len(self._lost_tests)
        self.left_out[NO_FUNCTION] += len(self._lost_places)
        return Imported(
            source=source,
            files=files,
            tests=len(tests),
            functions=sum(map(len, self._functions.values())),
            edges=edges,
            outdated=len(self._outdated) + self._changed(),
            left_out={reason: count for reason, count in sorted(self.left_out.items()) if count},
        )

    def _with_tests(self, ran: Ran) -> Ran:
        if self._is_partial or self.left_out[TOO_MANY]:
            return ran  # a call that is not in the record may have been made
        tests, is_watched = self._watched.of(ran.function)
        return msgspec.structs.replace(ran, tests=tests, is_watched=is_watched) if tests or is_watched else ran

    def _changed(self) -> int:
        """How many measured functions have another content now, or are gone."""
        columns = self._columns
        count = 0
        for ran in (one for own in self._functions.values() for one in own.values()):
            node = columns.find_id(ran.function)
            count += node is None or columns.own(node, "content_hash") != ran.content_hash
        return count

    def _digest(self, path: str) -> str:
        file = self._measured.file(path)
        return file.content_hash if file else str(self._columns.own(self._node(path), "content_hash") or "")

    def _hash_now(self, test: str) -> str:
        """The content hash of a test's function as it was measured, else as it is."""
        file = self._measured.file(_path(test))
        for body in file.bodies if file else ():
            if body.id == test:
                return body.content_hash
        node = self._columns.find_id(test)
        return str(self._columns.own(node, "content_hash") or "") if node is not None else ""


def _worse(one: Tested, other: Tested) -> Tested:
    order = ("failed", "passed", "skipped")
    worst = min(one, other, key=lambda each: order.index(each.outcome))
    seconds = sum(each.seconds for each in (one, other) if each.seconds >= 0)
    return msgspec.structs.replace(worst, seconds=seconds if max(one.seconds, other.seconds) >= 0 else -1.0)


def _path(identity: str) -> str:
    return identity.partition("::")[0]
