"""Normalising merges what says the same, purges what is due, keeps every version, and rolls back on any failure."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from loregraph.errors import StoreError, UsageError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.journal_file import JournalFile
from loregraph.memory.merging import says_the_same
from loregraph.memory.normalize import PHASES, Progress

from .conftest import Clock, Opens

TEXT = "payments are retried three times with exponential backoff before the order is parked for a human"


def journals(home: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (home / "memory").glob("*.jsonl")}


# Verifies REQ-MEM-009.
def test_duplicates_are_merged_into_the_earliest(memory: ProjectMemory) -> None:
    first = memory.add(TEXT, kind="design", tags=["a"], importance=0.2, metadata={"x": 1, "y": 1}).memory_id
    second = memory.add(TEXT + " to see", kind="design", tags=["b"], importance=0.9, metadata={"y": 2}).memory_id
    linked = memory.add("see there", relationships=[{"type": "uses", "target_id": second}]).memory_id
    created = memory.get(first).created_at
    for _ in range(2):
        memory.get(second)
    report = memory.normalize()
    assert (report.status, report.stats.merged, report.stats.processed) == ("completed", 1, 3)
    kept = memory.get(first, touch=False)
    assert kept.content == TEXT + " to see"
    assert (set(kept.tags), kept.importance, kept.metadata) == ({"a", "b"}, 0.9, {"x": 1, "y": 2})
    assert (kept.created_at, kept.access_count) == (created, 3)
    assert {m.id for m in memory.list()} == {first, linked}
    assert [link.target_id for link in memory.get(linked).relationships] == [first]
    assert memory.restore(second, 1)
    assert memory.get(second).content == TEXT + " to see"
    assert [version.content for version in memory.history(first)] == [TEXT, TEXT + " to see"]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (TEXT, TEXT + ".", True),
        (TEXT, TEXT.upper(), True),
        (TEXT, "do not say that " + TEXT, False),
        (TEXT, TEXT.replace("three", "3"), False),
        (TEXT + " within 5 s", TEXT + " within 9 s", False),
        (TEXT, TEXT.replace("human", "robot"), False),
        ("always " + TEXT, TEXT, False),
        (TEXT, TEXT + " team", True),
    ],
)
def test_only_what_says_the_same_is_merged(memory: ProjectMemory, a: str, b: str, same: bool) -> None:
    assert says_the_same(a, b) is same
    memory.add(a)
    memory.add(b)
    assert memory.normalize().stats.merged == (1 if same else 0)


def test_nothing_is_merged_across_kinds_owners_or_scopes(memory: ProjectMemory) -> None:
    memory.add(TEXT)
    memory.add(TEXT, kind="design")
    memory.add(TEXT, scope="user")
    memory.add(TEXT, scope="org")
    memory.acting_as(user_id="eve@example.org").add(TEXT)
    memory.acting_as(agent_id="bot").add(TEXT, scope="agent")
    memory.acting_as(agent_id="spy").add(TEXT, scope="agent")
    memory.acting_as(agent_id="spy").add(TEXT, scope="agent", visibility="public")
    assert memory.normalize().stats.merged == 0


def test_links_to_what_is_gone_are_dropped_and_anchors_kept(memory: ProjectMemory) -> None:
    gone = memory.add("gone").memory_id
    kept = memory.add("kept", anchors=["src/gone.py"], relationships=[{"type": "uses", "target_id": gone}]).memory_id
    memory.delete(gone)
    assert memory.normalize().stats.orphans_removed == 1
    found = memory.get(kept)
    assert (found.relationships, found.anchors) == ((), ("src/gone.py",))


def test_deleted_memories_are_purged_after_thirty_days_and_sessions_after_seven(
    memory: ProjectMemory, clock: Clock, home: Path
) -> None:
    memory_id = memory.add("to be forgotten").memory_id
    memory.acting_as(session_id="s").add("of the session", scope="session")
    memory.delete(memory_id)
    clock.pass_days(6)
    assert memory.normalize().stats.purged == 0
    clock.pass_days(2)
    assert memory.normalize().stats.purged == 1
    assert b"of the session" not in b"".join(journals(home).values())
    assert memory.history(memory_id)
    clock.pass_days(23)
    assert memory.normalize().stats.purged == 1
    assert b"to be forgotten" not in b"".join(journals(home).values())


# Verifies REQ-MEM-007.
def test_unreadable_and_repeated_lines_go_and_every_version_stays(
    memory: ProjectMemory, home: Path, opens: Opens
) -> None:
    memory_id = memory.add("one").memory_id
    memory.update(memory_id, content="two")
    journal = home / "memory" / "shop.jsonl"
    journal.write_bytes(journal.read_bytes() * 2 + b"torn\n")
    again = opens()
    assert again.stats().rejected_lines == 1
    assert again.normalize().stats.rejected_lines_removed == 1
    assert len(journal.read_bytes().splitlines()) == 2
    assert [version.content for version in opens().history(memory_id)] == ["one", "two"]
    assert (home / "memory" / "shop.jsonl.rejected").read_bytes() == b"torn\n"


def test_a_dry_run_changes_nothing_and_says_what_would_be_done(memory: ProjectMemory, home: Path) -> None:
    memory.add(TEXT)
    memory.add(TEXT)
    before = {file.name: file.read_bytes() for file in (home / "memory").iterdir() if file.is_file()}
    report = memory.normalize(dry_run=True)
    assert (report.stats.merged, report.snapshots) == (1, ())
    after = {file.name: file.read_bytes() for file in (home / "memory").iterdir() if file.is_file()}
    assert after == before
    assert len(memory.list()) == 2


def test_a_snapshot_is_kept_for_a_day(memory: ProjectMemory, home: Path, clock: Clock) -> None:
    memory.add("one")
    before = journals(home)
    report = memory.normalize()
    assert [Path(path).read_bytes() for path in report.snapshots] == list(before.values())
    if os.name == "posix":  # others on the machine read neither
        kept = [Path(path) for path in report.snapshots]
        modes = {stat.S_IMODE(there.stat().st_mode) for path in kept for there in (path, path.parent)}
        assert modes == {0o600, 0o700}
    for path in report.snapshots:
        os.utime(path, (clock.now.timestamp(), clock.now.timestamp()))
    clock.pass_days(0.9)
    memory.normalize()
    assert Path(report.snapshots[0]).exists()
    clock.pass_days(0.2)
    memory.normalize()
    assert not Path(report.snapshots[0]).exists()


def fill_both(memory: ProjectMemory) -> None:
    for scope in ("project", "user"):
        memory.add(TEXT, scope=scope)
        memory.add(TEXT, scope=scope)


@pytest.mark.parametrize("phase", PHASES)
def test_a_run_that_is_cancelled_leaves_everything_as_it_was(memory: ProjectMemory, home: Path, phase: str) -> None:
    fill_both(memory)
    before = journals(home)

    class Cancelled(Exception):
        pass

    def cancel(progress: Progress) -> None:
        if progress.phase == phase:
            raise Cancelled

    with pytest.raises(Cancelled):
        memory.normalize(progress=cancel)
    assert journals(home) == before
    assert len(memory.list()) == 4


# Verifies REQ-MEM-009.
@pytest.mark.parametrize("failing", ["shop.jsonl", "_user.jsonl"])
def test_a_failure_in_the_middle_of_the_swap_puts_everything_back(
    memory: ProjectMemory, home: Path, monkeypatch: pytest.MonkeyPatch, failing: str, opens: Opens
) -> None:
    fill_both(memory)
    before = journals(home)
    real = JournalFile.replace
    tried: list[str] = []

    def replace(self: JournalFile, data: bytes, stamp: str) -> Path | None:
        if self.path.name == failing and failing not in tried:
            tried.append(failing)
            raise StoreError("no space left")
        return real(self, data, stamp)

    monkeypatch.setattr(JournalFile, "replace", replace)
    with pytest.raises(StoreError, match="no space left"):
        memory.normalize()
    assert journals(home) == before
    assert len(memory.list()) == len(opens().list()) == 4
    monkeypatch.undo()
    monkeypatch.setenv("LOREGRAPH_HOME", str(home))
    assert memory.normalize().stats.merged == 2


def test_what_someone_changes_meanwhile_stays_as_they_made_it(memory: ProjectMemory, opens: Opens) -> None:
    first = memory.add(TEXT).memory_id
    second = memory.add(TEXT).memory_id
    other = opens()

    def meddle(progress: Progress) -> None:
        if progress.phase == "swap":
            other.update(second, content="something else now")
            other.add("added meanwhile")

    memory.normalize(progress=meddle)
    assert {m.content for m in memory.list()} == {TEXT, "something else now", "added meanwhile"}
    assert memory.get(first).version == 1


def test_phases_run_in_their_order_and_progress_goes_from_none_to_all(memory: ProjectMemory) -> None:
    seen: list[Progress] = []
    report = memory.normalize(progress=seen.append)
    assert report.phases == PHASES
    assert [progress.phase for progress in seen] == [*PHASES, "done"]
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert (seen[0].done, seen[-1].done) == (0, 1)


def test_phases_can_be_chosen_and_those_that_guard_always_run(memory: ProjectMemory) -> None:
    fill_both(memory)
    report = memory.normalize(phases=["orphan_detection"])
    assert report.phases == ("snapshot", "orphan_detection", "validation", "swap")
    assert report.stats.merged == 0
    with pytest.raises(UsageError, match="phases"):
        memory.normalize(phases=["magic"])


def test_normalising_twice_changes_nothing_more(memory: ProjectMemory, home: Path) -> None:
    fill_both(memory)
    memory.normalize()
    before = journals(home)
    report = memory.normalize()
    assert (report.stats.merged, report.stats.orphans_removed, report.stats.purged) == (0, 0, 0)
    assert journals(home) == before
    assert all(json.loads(line) for data in before.values() for line in data.splitlines())


def test_an_empty_memory_is_normal(memory: ProjectMemory, home: Path) -> None:
    assert memory.normalize().stats.processed == 0
    assert journals(home) == {}
