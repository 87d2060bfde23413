"""Changes, made and proposed: extracts both sides and runs the analyses on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from loregraph import git
from loregraph.analysis.changes import definitions, view
from loregraph.analysis.component_lookup import locate
from loregraph.analysis.consistency import habits
from loregraph.analysis.fixes.proposed import Proposed
from loregraph.analysis.fixes.review import Review, review, with_memories
from loregraph.analysis.since import changed_share
from loregraph.analysis.tracing.verification import source_lines
from loregraph.config import Settings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.memory.about import about
from loregraph.unified_diff import parse

if TYPE_CHECKING:
    from loregraph.analysis.changes.view import ChangeView
    from loregraph.analysis.duplicates.results import Copy, Duplicates
    from loregraph.analysis.rules.code import Code
    from loregraph.memory.api import ProjectMemory

NEW_SHARE: Final = 0.5
"""Minimum share of new or changed lines in a new copy; an edit within an old copy makes none."""


MOST_COPIES: Final = 3
"""Maximum functions that one of a proposed fix is compared with."""


class FindDuplicates(Protocol):
    """`Project.duplicates`."""

    def __call__(self, *, since: str) -> Duplicates: ...


class FindCopiesOf(Protocol):
    """`Project.copies_of`."""

    def __call__(self, *, code: str, language: str, limit: int) -> list[Copy]: ...


def change_since(
    root: Path,
    settings: Settings,
    store: StoreFolder,
    columns: GraphColumns,
    rev: str,
    duplicates: FindDuplicates,
) -> ChangeView:
    """The differences of the files under `root` from `rev`; see `Project.diff`. `duplicates` is only called where code
    was added or changed."""
    from loregraph.indexer import revision

    commit = git.commit_of(root, rev)
    changes = git.changed_lines(root, commit)
    before, after = revision.both_sides(root, settings, commit, changes)
    renamed = {change.old_path: path for path, change in changes.items() if change.status == "R"}
    compared = definitions.compare(before.definitions, after.definitions, renamed)
    is_new = any(change.kind in ("added", "signature", "body") for change in compared.changes)
    then = revision.Past((), ())
    state = store.open_state()
    if state is not None:
        needed = view.needs_edges_before(compared.changes)
        with closing(state):
            then = revision.past(root, settings, state, before, changes, columns.all_nodes(), resolved=needed)
    pairs: list[dict[str, Any]] = msgspec.to_builtins(duplicates(since=commit).pairs) if is_new else []
    return view.change_view(
        columns,
        changes,
        compared,
        then.edges,
        then.requirements,
        source_lines(root),
        revision=rev,
        commit=commit,
        duplicates=new_copies(pairs, changes, compared) if is_new else (),
    )


def new_copies(
    pairs: Iterable[dict[str, Any]], changes: Mapping[str, git.ChangedFile], compared: definitions.Compared
) -> list[dict[str, Any]]:
    """The copies among `pairs` made by the change, most similar first: most of one side is new, and was not only
    moved."""
    moved = {change.new.node.id for change in compared.changes if change.new and change.kind in ("moved", "renamed")}

    def is_new(side: dict[str, Any]) -> bool:
        share = changed_share(side["file_path"], side["start_line"], side["end_line"], changes)
        return side["id"] not in moved and share >= NEW_SHARE

    found = [pair for pair in pairs if is_new(pair["a"]) or is_new(pair["b"])]
    return sorted(found, key=lambda pair: (-pair["similarity"], pair["a"]["id"], pair["b"]["id"]))


def reviewed(
    root: Path,
    settings: Settings,
    code: Code,
    memory: ProjectMemory,
    component: str,
    description: str,
    affected_files: tuple[str, ...],
    diff: str,
    copies_of: FindCopiesOf,
) -> Review:
    """Reviews a fix of `component`; see `Project.review`."""

    def copies(text: str, language: str) -> list[tuple[str, float]]:
        found = copies_of(code=text, language=language, limit=MOST_COPIES)
        return [(copy.id, copy.similarity) for copy in found]

    columns = code.columns
    node = locate(columns, component)
    proposed = None
    if diff.strip():
        from loregraph.indexer.proposal import proposal

        patches = parse(diff)
        made = proposal(root, settings, patches)
        compared = definitions.compare(made.before.definitions, made.after.definitions, made.renamed)
        proposed = Proposed(
            files=tuple(patch.path for patch in patches),
            new_files=frozenset(patch.path for patch in patches if patch.old_path is None),
            compared=compared,
            misfits=tuple((misfit.path, misfit.line) for misfit in made.misfits),
            broken=tuple(sorted(made.after.broken - made.before.broken)),
            puzzling=tuple(sorted(made.after.puzzling - made.before.puzzling - made.before.broken)),
            imports=made.imports,
            marks_before=made.before.marks(),
            marks_after=made.after.marks(),
            is_applied=made.is_applied,
            diff=diff,
        )
    found = review(columns, node, description, affected_files, proposed, copies, settings.check)
    id = columns.id(node)
    return with_memories(found, habits(code, id), about(memory, id, description), description, diff)
