"""Normalises the journals: merges duplicates, drops dead links, purges deleted memories, rewrites the files.

Changes are planned on copies. Then, under the locks of both journals, the affected memories are checked to be
unchanged, the new files are written and read back, and only then put in place by renames. After a failure at any point
the journals are as they were. Every version of memories that are not purged is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import EmbedderUnavailableError, StoreError, UnsafePathError
from loregraph.memory.holding import Holding, text_of
from loregraph.memory.journal import Folded, Journal, Purge, encoded_lines, parse
from loregraph.memory.journal_file import FILE_MODE
from loregraph.memory.limits import expired
from loregraph.memory.merging import merged, says_the_same
from loregraph.memory.reading import SESSION_DAYS
from loregraph.memory.recall import CONFLICT_ABOVE
from loregraph.memory.record import Memory, Relationship, is_memory_id, moment, one_of, timestamp
from loregraph.memory.store import JournalStore

PHASES: Final = (
    "snapshot",
    "deduplication",
    "orphan_detection",
    "embedding_refresh",
    "cleanup",
    "validation",
    "swap",
)
OPTIONAL: Final = ("deduplication", "orphan_detection", "embedding_refresh", "cleanup")
"""Phases that a call may select; the others guard every change and always run."""
PURGE_DAYS: Final = 30
SNAPSHOT_HOURS: Final = 24
MERGED_INTO: Final = "merged_into"
"""Metadata key of a memory that was merged into another one."""


class Progress(msgspec.Struct, frozen=True):
    """The progress of a run: the phase, and the completed share of the whole, 0–1."""

    phase: str
    done: float


class NormalizeStats(msgspec.Struct, kw_only=True):
    processed: int = 0
    merged: int = 0
    orphans_removed: int = 0
    embeddings_refreshed: int = 0
    purged: int = 0
    archived: int = 0
    rejected_lines_removed: int = 0


class NormalizeReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, or with `dry_run` would be. `snapshots` are copies of the journals before, kept for a day."""

    status: str
    dry_run: bool
    phases: tuple[str, ...]
    stats: NormalizeStats
    seconds: float
    snapshots: tuple[str, ...] = ()


class _Plan:
    """The plan for the memories of one journal, with the versions that it is based on."""

    def __init__(self, holding: Holding) -> None:
        self.holding = holding
        self.before = {memory.id: memory for memory in holding.journal.all()}
        self.after = dict(self.before)
        self.purged: set[str] = set()
        self.into: dict[str, str] = {}
        """Memory → the one it is merged into."""

    def changed(self) -> Iterator[tuple[Memory, Memory]]:
        for memory_id, after in self.after.items():
            if memory_id not in self.purged and after is not self.before[memory_id]:
                yield self.before[memory_id], after


# Implements REQ-MEM-009.
def normalize(
    store: JournalStore,
    phases: tuple[str, ...] = (),
    *,
    dry_run: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> NormalizeReport:
    """Runs the phases, all by default, in their order. For failures see the module.

    An exception from `progress` cancels the run: nothing is changed.
    """
    for phase in phases:
        one_of("phases", phase, PHASES)
    chosen = set(phases) & set(OPTIONAL) or set(OPTIONAL)
    wanted = tuple(phase for phase in PHASES if phase in chosen or phase not in OPTIONAL)
    return _Run(store, wanted, dry_run, progress or _silent).go()


class _Run:
    def __init__(
        self, store: JournalStore, phases: tuple[str, ...], dry_run: bool, progress: Callable[[Progress], None]
    ) -> None:
        self.store = store
        self.phases = phases
        self.dry_run = dry_run
        self.progress = progress
        self.stats = NormalizeStats()
        self.now = store.clock()
        self.stamp = self.now.strftime("%Y%m%dT%H%M%S.%fZ")
        self.snapshots: dict[Path, Path] = {}
        """Copy of a journal → what is trusted on the way to it."""

    def go(self) -> NormalizeReport:
        begun = time.perf_counter()
        self.store.refresh()
        plans = [_Plan(holding) for holding in self.store.holdings]
        self.stats.processed = sum(len(plan.before) for plan in plans)
        steps: dict[str, Callable[[list[_Plan]], None]] = {
            "snapshot": self._snapshot,
            "deduplication": self._deduplicate,
            "orphan_detection": self._drop_orphans,
            "embedding_refresh": self._refresh_embeddings,
            "cleanup": self._clean_up,
            "validation": self._validate,
            "swap": self._swap,
        }
        try:
            for number, phase in enumerate(self.phases):
                self.progress(Progress(phase, number / len(self.phases)))
                steps[phase](plans)
        except BaseException:
            self._drop_snapshots()
            raise
        self.progress(Progress("done", 1.0))
        return NormalizeReport(
            status="completed",
            dry_run=self.dry_run,
            phases=self.phases,
            stats=self.stats,
            seconds=round(time.perf_counter() - begun, 4),
            snapshots=tuple(str(path) for path in self.snapshots),
        )

    def _snapshot(self, plans: list[_Plan]) -> None:
        """Copies the journals; deletes copies older than a day."""
        if self.dry_run:
            return
        for plan in plans:
            path = plan.holding.path
            folder, base = path.parent / "snapshots", plan.holding.base
            if path.exists():
                copy = folder / f"{path.name}.{self.stamp}"
                try:
                    rooted.make_folder(base, folder, private=True)
                    self.snapshots[copy] = base
                    rooted.copy(base, path, base, copy, FILE_MODE)
                    rooted.sync_folder(base, folder)
                except OSError as error:
                    what = f"no snapshot can be kept in {folder}: {error.strerror}"
                    raise StoreError(what, "make room, then try again") from error
                for old in folder.glob(f"{path.name}.*"):
                    if _age(old, self.now) > timedelta(hours=SNAPSHOT_HOURS):
                        with suppress(OSError):
                            rooted.remove(base, old)

    # Implements REQ-SEC-017.
    def _drop_snapshots(self) -> None:
        """After a failed run there is nothing to undo, and its copies may be what fills the disk."""
        for copy, base in self.snapshots.items():
            with suppress(OSError, UnsafePathError):
                rooted.remove(base, copy)
            rooted.remove_empty_folder(base, copy.parent)

    def _deduplicate(self, plans: list[_Plan]) -> None:
        into: dict[str, str] = {}
        for plan in plans:
            into |= self._merge_duplicates(plan)
        if not into:
            return
        for plan in plans:
            for memory in list(plan.after.values()):
                moved = (Relationship(x.type, into.get(x.target_id, x.target_id)) for x in memory.relationships)
                links = tuple(link for link in dict.fromkeys(moved) if link.target_id != memory.id)
                if links != memory.relationships and memory.state != "deleted":
                    plan.after[memory.id] = msgspec.structs.replace(memory, relationships=links)

    def _merge_duplicates(self, plan: _Plan) -> dict[str, str]:
        """Merges duplicates with the same kind and owner into the earliest; returns id → the id merged into."""
        holding = plan.holding
        into = plan.into
        active = sorted(
            (memory for memory in plan.before.values() if memory.state == "active"), key=lambda m: (m.created_at, m.id)
        )
        for leader in active:
            if leader.id in into:
                continue
            with holding.threads:
                near = holding.contents().similar(leader.content, CONFLICT_ABOVE)
            others = [plan.before[key] for key, _ in near if key in plan.before and key != leader.id]
            kept = leader
            for other in sorted(others, key=lambda m: (m.created_at, m.id)):
                if other.state != "active" or other.id in into or _owner(other) != _owner(leader):
                    continue
                if not says_the_same(leader.content, other.content) or not says_the_same(kept.content, other.content):
                    continue
                accesses = holding.counts.of(other)[0] + (
                    holding.counts.of(leader)[0] if kept is leader else kept.access_count
                )
                kept = merged(kept, other, accesses=accesses)
                into[other.id] = leader.id
                plan.after[other.id] = msgspec.structs.replace(
                    other, state="deleted", metadata={**other.metadata, MERGED_INTO: leader.id}
                )
            if kept is not leader:
                plan.after[leader.id] = kept
        self.stats.merged += len(into)
        return into

    def _drop_orphans(self, plans: list[_Plan]) -> None:
        """Drops links to memories that are gone. Anchors in code are kept and reported: their targets may come back."""
        there = {memory.id for plan in plans for memory in plan.after.values() if memory.state != "deleted"}
        for plan in plans:
            for memory in list(plan.after.values()):
                if memory.state == "deleted":
                    continue
                links = tuple(
                    link for link in memory.relationships if not is_memory_id(link.target_id) or link.target_id in there
                )
                if links != memory.relationships:
                    self.stats.orphans_removed += len(memory.relationships) - len(links)
                    plan.after[memory.id] = msgspec.structs.replace(memory, relationships=links)

    def _refresh_embeddings(self, plans: list[_Plan]) -> None:
        try:
            embedder = self.store.embedder()
        except EmbedderUnavailableError:
            return
        if embedder is None:
            return
        for plan in plans:
            texts = [text_of(memory) for memory in plan.after.values() if memory.state != "deleted"]
            if texts:
                count = len(texts) if self.dry_run else plan.holding.vectors(embedder).refresh(texts)
                self.stats.embeddings_refreshed += count

    def _clean_up(self, plans: list[_Plan]) -> None:
        for plan in plans:
            for memory in plan.before.values():
                age = self.now - moment(memory.updated_at)
                is_due = memory.state == "deleted" and age > timedelta(days=PURGE_DAYS)
                is_over = memory.scope == "session" and age > timedelta(days=SESSION_DAYS)
                if is_due or is_over:
                    plan.purged.add(memory.id)
            if self.store.limits is not None:
                use = {memory.id: plan.holding.counts.of(memory) for memory in plan.before.values()}
                for memory in expired(plan.after.values(), use, self.store.limits, self.now):
                    plan.after[memory.id] = msgspec.structs.replace(memory, state="archived")
                    self.stats.archived += 1
            self.stats.purged += len(plan.purged)
            self.stats.rejected_lines_removed += plan.holding.journal.rejected

    def _validate(self, plans: list[_Plan]) -> None:
        """Reads back the new files: every memory is there, as planned, or purged on purpose."""
        for plan in plans:
            self._written(plan)

    def _written(self, plan: _Plan) -> bytes:
        """The new content of the journal. Raises StoreError where it is incomplete."""
        folded, expected = self._folded(plan)
        data = encoded_lines(folded)
        again = Folded()
        for line in data.splitlines():
            again.add(parse(line))
        kept = {memory_id: again.current(memory_id) for memory_id in again.versions}
        if kept != expected or again.purged != folded.purged or again.links != folded.links:
            raise StoreError(
                f"the journal {plan.holding.path} would not hold what it should; nothing was changed",
                "please report this; the journal is as it was",
            )
        return data

    def _folded(self, plan: _Plan) -> tuple[Folded, dict[str, Memory]]:
        """All versions with the planned ones added, and the expected state of each memory. Changes made since the plan
        win over the plan."""
        journal = plan.holding.journal
        folded = Folded()
        expected: dict[str, Memory] = {}
        for memory in journal.all():
            for version in journal.history(memory.id):
                folded.add(version)
            expected[memory.id] = memory
        for memory_id, at in journal.purged().items():
            folded.add(Purge(memory_id, at))
        for decision in journal.decisions():
            folded.add(decision)
        # A merge is applied as planned or not at all.
        changed = {memory_id for memory_id, before in plan.before.items() if expected.get(memory_id) != before}
        spoiled = {plan.into.get(memory_id, memory_id) for memory_id in changed}
        for before, after in plan.changed():
            if before.id in changed or plan.into.get(before.id, before.id) in spoiled:
                continue
            now = max(self.now, moment(before.updated_at))
            version = msgspec.structs.replace(after, version=before.version + 1, updated_at=timestamp(now))
            folded.add(version)
            expected[before.id] = version
        for memory_id in plan.purged:
            if expected.get(memory_id) == plan.before[memory_id]:
                folded.add(Purge(memory_id, timestamp(self.now)))
                del expected[memory_id]
        return folded, expected

    def _swap(self, plans: list[_Plan]) -> None:
        if self.dry_run:
            return
        plans = [plan for plan in plans if plan.holding.path.exists()]
        replaced: list[tuple[Journal, Path]] = []
        with ExitStack() as locks:
            for plan in plans:
                locks.enter_context(plan.holding.threads)
                locks.enter_context(plan.holding.journal.file.locked())
                plan.holding.journal.refresh()
            try:
                for plan in plans:
                    journal = plan.holding.journal
                    data = self._written(plan)
                    if (kept := journal.file.replace(data, self.stamp)) is not None:
                        replaced.append((journal, kept))
                    if rooted.read(journal.file.base, journal.path) != data:
                        raise StoreError(f"{journal.path} does not hold what was written", "check the disk")
            except BaseException:
                for journal, kept in reversed(replaced):
                    journal.file.restore(kept)
                raise
            for plan in plans:
                plan.holding.journal.refresh()
        for plan in plans:
            gone = plan.purged | {m.id for m in plan.after.values() if MERGED_INTO in m.metadata}
            plan.holding.counts.flush(gone)


def _owner(memory: Memory) -> tuple[str, ...]:
    """Memories are merged only if all of this is equal."""
    return (
        memory.kind,
        memory.scope,
        memory.user_id,
        memory.project_id,
        memory.agent_id,
        memory.session_id,
        memory.visibility,
    )


def _age(path: Path, now: datetime) -> timedelta:
    try:
        return timedelta(seconds=now.timestamp() - path.stat().st_mtime)
    except OSError:
        return timedelta()


def _silent(_: Progress) -> None:
    """A progress callback that does nothing."""
