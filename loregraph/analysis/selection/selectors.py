"""Chosen tests as what runners take: words of a command line, a file of arguments, JUnit XML, JSON."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.selection.junit import junit
from loregraph.analysis.selection.places import Lines, Places
from loregraph.analysis.selection.selected import SelectedTest
from loregraph.errors import RunnerError, unknown_name
from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.running import Asked, TestPlace, TestRunner, Words
from loregraph.terminal import counted, visible

FORMATS: Final = ("text", "args", "pytest", "junit", "json")
MOST_BYTES: Final = 100_000
"""Bytes of a line of words. Linux takes 131,072 in one argument, which the line is where `sh -c` is given it."""
SHOWN_BYTES: Final = 2_000
"""Bytes of a command that is shown to people."""

_WIDTHS: Final = ("single tests", "files or classes", "folders or packages", "everything")
_FILE_RUNNER: Final = "pytest"
"""The runner that reads its arguments from a file, one a line."""


class Placed(msgspec.Struct, frozen=True):
    """A test with its places and what the project runs it with."""

    test: SelectedTest
    places: tuple[TestPlace, ...]
    language: str
    runner: TestRunner | None


def runners_of(rows: Sequence[SelectedTest], columns: GraphColumns) -> list[str]:
    """Names of what runs the tests, sorted: of the chosen ones, or of the whole project's where none is chosen."""
    placed = _placed(rows or _one_of_each_file(columns), columns)
    return sorted({one.runner.name for one in placed if one.runner is not None})


# Implements REQ-RUN-010.
def formatted(
    rows: Sequence[SelectedTest],
    columns: GraphColumns,
    form: str,
    runner: str = "",
    *,
    fold: bool = True,
    note: Callable[[str], None] = lambda text: None,
    lines_of: Lines = lambda path: (),
) -> str:
    """Chosen tests, in their order, as `form`, one of FORMATS, without a line end.

    `args` and `pytest` are for one runner, `runner` where the tests have several. `note` is given sentences about what
    is widened or left out. `lines_of` gives the lines of a file, by which definitions under a condition are known. With
    `fold` a file of which every test is chosen is named as a whole.

    Raises RunnerError where no runner is known, or several and none named; UsageError for an unknown form or runner.
    """
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)
    if form == "json":
        return json.dumps(msgspec.to_builtins(rows), indent=2)
    if form == "junit":
        return junit(rows)
    if form == "text":
        return _text(rows, columns, runner, fold, lines_of)
    placed = _placed(rows, columns, lines_of)
    in_file = form == _FILE_RUNNER
    chosen = _chosen(placed, _FILE_RUNNER if in_file else runner, columns)
    words = _words(placed, chosen, columns, fold=fold, in_file=in_file)
    for sentence in words.notes:
        note(sentence)
    return ("\n" if in_file else " ").join(words.words)


def _text(rows: Sequence[SelectedTest], columns: GraphColumns, runner: str, fold: bool, lines_of: Lines) -> str:
    """A line for each test, and the command for each runner where it is short."""
    lines = []
    for row in rows:
        seconds = "" if row.seconds is None else f"  {row.seconds:.2f} s"
        lines.append(f"{visible(row.id)}  {visible(row.how)} {row.confidence:.2f}{seconds}  {visible(row.reason)}")
    if not rows:
        return "no tests"
    placed = _placed(rows, columns, lines_of)
    present = {one.runner.name: one.runner for one in placed if one.runner is not None}
    chosen = [_chosen(placed, runner, columns)] if runner else [present[name] for name in sorted(present)]
    for one in chosen:
        words = _words(placed, one, columns, fold=fold, in_file=False).words
        command = f"{one.command} {shlex.join(words)}"
        short = len(command.encode("utf-8", "replace")) <= SHOWN_BYTES
        lines.append(f"run: {command}" if short else f"run: {one.command} $(… --format args --runner {one.name})")
    return "\n".join(lines)


def _placed(rows: Sequence[SelectedTest], columns: GraphColumns, lines_of: Lines = lambda path: ()) -> list[Placed]:
    found, places = [], Places(columns, lines_of)
    for row in rows:
        language = places.language(row)
        of_row = tuple(places.of(row))
        found.append(Placed(row, of_row, language, places.runner(of_row[0], language)))
    return found


def _one_of_each_file(columns: GraphColumns) -> list[SelectedTest]:
    first = {columns.path(node): node for node in reversed(CodeRoles(columns).functions)}
    return [
        SelectedTest(columns.id(node), path, columns.name(node), "", "", 1.0) for path, node in sorted(first.items())
    ]


def _chosen(placed: Sequence[Placed], name: str, columns: GraphColumns) -> TestRunner:
    """The runner called `name`, or the only one of the tests; that of the project's where no test is chosen."""
    placed = placed or _placed(_one_of_each_file(columns), columns)
    present = {one.runner.name: one.runner for one in placed if one.runner is not None}
    if name:
        known = {one.name: one for language in sorted(registry.SOURCES) for one in registry.runners_of(language)}
        if name not in known:
            raise unknown_name("runner", name, sorted(known))
        return present.get(name) or known[name]
    if len(present) == 1:
        (only,) = present.values()
        return only
    if present:
        raise RunnerError(f"the tests have several runners: {', '.join(sorted(present))}", "name one with --runner")
    languages = sorted({one.language for one in placed if one.language})
    raise RunnerError(
        f"no runner is known for {'these tests' if not languages else 'tests in ' + ', '.join(languages)}",
        "name one with --runner, or take --format json",
    )


def _is_run_by(one: Placed, runner: TestRunner, present: bool) -> bool:
    if present:
        return one.runner is not None and one.runner.name == runner.name
    return any(offered.name == runner.name for offered in registry.runners_of(one.language))


# Implements REQ-RUN-013.
def _words(placed: Sequence[Placed], runner: TestRunner, columns: GraphColumns, *, fold: bool, in_file: bool) -> Words:
    """The words for one runner, as wide as it takes for the line to stay within its bound. Those that run nothing where
    it has no test to run: behind a command, no words would run everything."""
    present = any(one.runner is not None and one.runner.name == runner.name for one in placed)
    mine = [one for one in placed if _is_run_by(one, runner, present)]
    notes: list[str] = []
    if len(mine) < len(placed):
        notes.append(f"{counted(len(placed) - len(mine), 'test')} of other runners left out")
    if not mine:
        return Words(runner.nothing, (*notes, f"no test to run: {' '.join(runner.nothing)} runs none"))
    places = tuple(place for one in mine for place in one.places)
    whole = _whole(mine, columns) if fold else frozenset()
    for width in range(len(_WIDTHS)):
        words = runner.words(Asked(places, whole, width, in_file))
        if in_file or sum(len(word.encode("utf-8", "replace")) + 1 for word in words.words) <= MOST_BYTES:
            break
    if width:
        notes.append(
            f"the line would be longer than {MOST_BYTES:,} bytes: {_WIDTHS[width]} are selected instead of single tests"
        )
    return Words(words.words, (*notes, *words.notes))


def _whole(mine: Sequence[Placed], columns: GraphColumns) -> frozenset[str]:
    """The files of which every test is chosen."""
    chosen = {one.test.id for one in mine}
    counts = Counter(one.test.path for one in mine if columns.find_id(one.test.id) is not None)
    missing = {columns.path(node) for node in CodeRoles(columns).functions if columns.id(node) not in chosen}
    return frozenset(counts) - missing
