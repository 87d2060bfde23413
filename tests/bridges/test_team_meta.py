"""The side file: who did what, kept for all memory files of a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loregraph.bridges import team_meta
from loregraph.bridges.team_meta import TeamMeta

ADA = {"author": "Ada <ada@example.org>", "at": "2026-01-01T00:00:00.000Z", "client": "host"}
BOB = {"author": "Bob <bob@example.org>", "at": "2026-01-02T00:00:00.000Z", "client": ""}


def test_who_created_and_changed_is_kept(tmp_path: Path) -> None:
    meta = TeamMeta(tmp_path / "m.json")
    meta.record(created=["shop:a", 'org:"b"', "bare"], by=ADA)
    meta.record(changed=["shop:a", "seen before"], by=BOB)
    meta.record(changed=["shop:a"], by=BOB)
    meta.record(deleted=["bare", "nothing"], by=BOB)
    known = TeamMeta(tmp_path / "m.json").entities()
    assert known == meta.entities()
    changed = {"changed_by": BOB["author"], "changed_at": BOB["at"], "changed_with": ""}
    created = {"created_by": ADA["author"], "created_at": ADA["at"], "created_with": "host"}
    assert known == {
        "shop:a": {"namespace": "shop", **created, **changed, "changes": 2},
        'org:"b"': {"namespace": "org", **created},
        "seen before": {**changed, "changes": 1},
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == [team_meta.NAME, team_meta.NAME + ".lock"]


def test_nothing_to_note_writes_nothing(tmp_path: Path) -> None:
    TeamMeta(tmp_path / "m.json").record(by=ADA)
    assert list(tmp_path.iterdir()) == []


def test_two_writers_and_two_memory_files_share_it(tmp_path: Path) -> None:
    one, other, third = (TeamMeta(tmp_path / name) for name in ("m.json", "m.json", "n.json"))
    for number in range(3):
        one.record(created=[f"one {number}"], by=ADA)
        other.record(created=[f"other {number}"], by=BOB)
        third.record(created=[f"third {number}"], by=BOB)
    assert set(one.entities()) == {f"{who} {n}" for who in ("one", "other") for n in range(3)}
    assert set(third.entities()) == {f"third {n}" for n in range(3)}
    whole = json.loads((tmp_path / team_meta.NAME).read_text())
    assert whole["version"] == team_meta.VERSION
    assert set(whole["files"]) == {"m.json", "n.json"}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"files": 5}', '{"files": {"m.json": {"entities": {"a": 5}}}}', "\udc80"]
)
def test_a_damaged_one_is_kept_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / team_meta.NAME
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    meta = TeamMeta(tmp_path / "m.json")
    assert meta.entities() == {}
    meta.record(created=["a"], by=ADA)
    assert set(TeamMeta(tmp_path / "m.json").entities()) == {"a"}
    assert path.with_name(path.name + ".rejected").exists()
