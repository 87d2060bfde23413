"""The official server's file: what it holds, what breaks it, where it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loregraph.bridges.team_file import Stored, TeamFile, fault_of, locate
from loregraph.errors import StoreBusyError, StoreError


def line(name: str, *observations: str) -> str:
    """As the server writes it."""
    value = {"type": "entity", "name": name, "entityType": "t", "observations": list(observations)}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


NAMES = ["shop:api", 'with "quotes"', "back\\slash", "ünï ✓", "tab\tand\nline", "a" * 300]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["plain", "spaced", "escaped"])
def test_an_entity_is_found_by_its_name(name: str, form: str) -> None:
    own = line(name, "x", "y")
    if form == "spaced":
        own = json.dumps(json.loads(own), ensure_ascii=False, indent=None, separators=(" , ", " : "))
    elif form == "escaped":
        own = json.dumps(json.loads(own))
    stored = Stored("\n".join([line("first"), own, line("last", name)]).encode())
    assert name in stored
    assert stored.observations(name) == {"x", "y"}
    assert name + "x" not in stored
    assert name[1:] not in stored
    assert stored.observations("nobody") == frozenset()


def test_what_an_observation_or_relation_says_is_no_name() -> None:
    relation = '{"type":"relation","from":"a","to":"b","relationType":"name"}'
    stored = Stored("\n".join([line("x", "a", '"name":"a"', '{"name":"a"}'), relation]).encode())
    assert "a" not in stored
    assert "b" not in stored
    assert 5 not in stored


GOOD = [
    line("a", "x"),
    '{"type":"relation","from":"a","to":"b","relationType":"r"}',
    '{"type":"something later"}',
    "5",
    '"text"',
    "[]",
    '{"type":"entity","name":"a","entityType":"t","observations":[],"more":1}',
]
BAD = [
    ('{"type":"entity"', "not JSON"),
    ("nonsense", "not JSON"),
    ("NaN", "not JSON"),
    ("null", "null"),
    ('{"type":"entity","entityType":"t","observations":[]}', "'name'"),
    ('{"type":"entity","name":"a","observations":[]}', "'entityType'"),
    ('{"type":"entity","name":"a","entityType":"t"}', "'observations'"),
    ('{"type":"entity","name":"a","entityType":"t","observations":[1]}', "'observations'"),
    ('{"type":"relation","from":"a","to":"b"}', "'relationType'"),
    ("[" * 100_000, "nested"),
]


@pytest.mark.parametrize("good", GOOD)
def test_good_lines_have_no_fault(good: str) -> None:
    assert fault_of(good) == ""


@pytest.mark.parametrize(("bad", "why"), BAD)
def test_the_first_bad_line_is_named(bad: str, why: str, tmp_path: Path) -> None:
    file = TeamFile(tmp_path / "m.json")
    file.path.write_text("\n".join([GOOD[0], "", GOOD[1], bad, bad]))
    fault = file.fault()
    assert fault is not None
    assert fault.line == 4
    assert why in fault.why
    assert f"line 4 of {file.path}" in str(fault)


def test_a_file_that_is_not_there_is_empty_and_sound(tmp_path: Path) -> None:
    file = TeamFile(tmp_path / "none" / "m.json")
    assert file.fault() is None
    assert "a" not in file.stored()


def test_the_lock_is_one_for_all_names_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    one, other = TeamFile(tmp_path / "real" / "m.json"), TeamFile(tmp_path / "link" / ".." / "real" / "m.json")
    with one.locked(1), pytest.raises(StoreBusyError, match="another process"), other.locked(0.05):
        pass
    with other.locked(1):
        assert one.lock_path.exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"), TeamFile(tmp_path / "file" / "m.json").locked(1):
        pass


def test_where_the_file_is(tmp_path: Path) -> None:
    default = tmp_path / "default"
    assert locate({}, tmp_path, default) == default
    assert locate({"MEMORY_FILE_PATH": ""}, tmp_path, default) == default
    assert locate({"MEMORY_FILE_PATH": str(tmp_path / "x.json")}, Path("/"), default) == tmp_path / "x.json"
    assert locate({"MEMORY_FILE_PATH": "docs/../m.json"}, tmp_path, default) == tmp_path / "m.json"
