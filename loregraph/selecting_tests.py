"""Tests to run: reads both sides of a change and asks `analysis.selection` what it may break."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from loregraph import git
from loregraph.analysis.changes import definitions
from loregraph.analysis.selection.change import Change, TouchedDefinition, TouchedStatement, touched_definitions
from loregraph.analysis.selection.known import known
from loregraph.analysis.selection.select import Effort, Selection, select
from loregraph.config import Settings
from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.graph.imported import RUNS, all_claims, sources
from loregraph.graph.queries import within
from loregraph.reader import Reader
from loregraph.unified_diff import FilePatch, parse

if TYPE_CHECKING:
    from loregraph.indexer.revision import Side

Lines = Mapping[int, str]
"""Changed lines by number, from 1."""
Source = Callable[[str], bytes | None]
MOST_READ: Final = 2_000
"""Definitions that are read to see whether they have a word; of more it is taken for granted."""
MOST_NAMING: Final = 200
"""Definitions that are read to see whether they name a file."""


def change_of_symbols(columns: GraphColumns, nodes: Iterable[int]) -> Change:
    """The change of functions and classes, whatever it is; of a class or file all that is in it."""
    found: dict[int, TouchedDefinition] = {}
    for start in nodes:
        for node in within(columns, start):
            label = columns.label(node)
            if label in ("Function", "Class"):
                id = columns.id(node)
                found[node] = TouchedDefinition(id, id, "body", label == "Class")
    return Change(tuple(found.values()))


def change_since(root: Path, settings: Settings, commit: str, source: Source) -> Change:
    """The difference of the files as they are from `commit`; `source` reads one of them."""
    from loregraph.indexer import revision

    changes = git.changed_lines(root, commit)
    before, after = revision.both_sides(root, settings, commit, changes)
    renamed = {change.old_path: path for path, change in changes.items() if change.status == "R"}
    old = git.files_at(root, commit, sorted(path for path in before.facts))
    lines: dict[str, tuple[str, str, Lines, Lines]] = {}
    for path, change in changes.items():
        then = _lines(old.get(change.old_path))
        now = _lines(source(path) if path in after.facts else None)
        gone, new = _picked(then, change.old_ranges, now), _picked(now, change.new_ranges, then)
        lines[path] = (change.old_path, "" if change.status == "D" else path, gone, new)
    return _change(before, after, renamed, lines)


def change_of_diff(root: Path, settings: Settings, diff: str) -> Change:
    """What a unified diff changes, applied or not. Raises UsageError for one that does not fit the files."""
    from loregraph.indexer.proposal import proposal

    patches = parse(diff)
    if not patches:
        raise UsageError("the diff has no changes", "make it with `git diff`")
    made = proposal(root, settings, patches)
    if made.misfits:
        first = made.misfits[0]
        near = f" near line {first.line}" if first.line else ""
        raise UsageError(f"the diff does not fit {first.path!r}{near}", "make it from the files as they are")
    lines = {
        patch.path: (patch.old_path or "", patch.new_path or "", _lines_of(patch, "-"), _lines_of(patch, "+"))
        for patch in patches
    }
    return _change(made.before, made.after, made.renamed, lines)


def selected(
    reader: Reader, store: StoreFolder, change: Change, source: Source, effort: Effort, commits: Sequence[str] = ()
) -> Selection:
    """See `Project.tests`; `source` reads a file as it is, `commits` are both ends of the change: a run of either knows
    it."""
    columns = reader.columns
    gone = [one.then for one in change.definitions if one.then and columns.find_id(one.then) is None]
    state = store.open_state(counted=False)
    if state is None:
        return select(columns, reader.roles, change, known(columns, (), gone), _Written(reader, source), effort)
    with closing(state):
        facts = known(columns, all_claims(state), gone)
        measured = {one.revision for one in sources(state) if one.kind in RUNS and one.revision}
    found = select(columns, reader.roles, change, facts, _Written(reader, source), effort)
    if commits and measured and measured.isdisjoint(commits):
        then = ", ".join(sorted(revision[:9] for revision in measured))
        remark = f"runs are of {then}: they do not know what changed from there to {commits[0][:9]}"
        found = replace(found, remarks=(*found.remarks, remark))
    return found


class _Written:
    """What is written in the files of a project: see `analysis.selection.select.Texts`."""

    def __init__(self, reader: Reader, source: Source) -> None:
        self._reader = reader
        self._source = source
        self._files: dict[str, list[str]] = {}

    def mentions(self, name: str, among: Container[int]) -> list[int]:
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        found = [node for node in self._reader.mentioning(name) if node in among]
        return found if len(found) > MOST_READ else [node for node in found if word.search(self._text(node))]

    def naming(self, path: str) -> list[int]:
        """Found by the words of the name, and then read: its words may stand anywhere."""
        name = path.rpartition("/")[2]
        found: set[int] | None = None
        for word in name.replace(".", " ").split():
            nodes = set(self._reader.mentioning(word))
            found = nodes if found is None else found & nodes
        return [node for node in sorted(found or ())[:MOST_NAMING] if name in self._text(node)]

    def _text(self, node: int) -> str:
        columns = self._reader.columns
        path = columns.path(node)
        lines = self._files.get(path)
        if lines is None:
            lines = self._files[path] = _lines(self._source(path))
        return "\n".join(lines[max(0, int(columns.start_line[node]) - 1) : int(columns.end_line[node])])


def _change(
    before: Side, after: Side, renamed: Mapping[str, str], lines: Mapping[str, tuple[str, str, Lines, Lines]]
) -> Change:
    from loregraph.indexer.same_code import is_same_code
    from loregraph.indexer.statements import statements

    compared = definitions.compare(before.definitions, after.definitions, renamed)
    found: dict[TouchedStatement, None] = {}
    others, added, removed = [], [], []
    for path, (old_path, new_path, gone, new) in lines.items():
        then, now = before.facts.get(old_path), after.facts.get(new_path)
        if then is None and now is None:
            others.append(path)
            continue
        if then is None:
            added.append(path)
        elif now is None:
            removed.append(path)
        for facts, changed in ((then, gone), (now, new)):
            if facts is not None:
                found |= {TouchedStatement(path, kind, names): None for kind, names in statements(facts, changed)}
    touched = tuple(touched_definitions(compared, is_same_code))
    return Change(touched, tuple(found), tuple(others), tuple(added), tuple(removed))


def _lines(content: bytes | None) -> list[str]:
    return [] if content is None else content.decode("utf-8", "replace").split("\n")


def _picked(texts: Sequence[str], ranges: Iterable[tuple[int, int]], others: Iterable[str]) -> dict[int, str]:
    """The lines of `texts` within `ranges`, both ends included.

    Those that are on the other side too are left out: a range of no lines is written as the line before it.
    """
    known = frozenset(others)
    return {
        number: text
        for first, last in ranges
        for number in range(max(1, first), min(last, len(texts)) + 1)
        if (text := texts[number - 1]) not in known
    }


def _lines_of(patch: FilePatch, sign: str) -> dict[int, str]:
    """The lines that a patch removes ("-") or adds ("+")."""
    found: dict[int, str] = {}
    for hunk in patch.hunks:
        number = hunk.old_start if sign == "-" else hunk.new_start
        for line in hunk.lines:
            if line.startswith(sign):
                found[number] = line[1:]
            if line.startswith((sign, " ")):
                number += 1
    return found
