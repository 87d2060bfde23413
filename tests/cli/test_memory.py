"""`loregraph memory …`: arguments in, text or JSON and an exit code out."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import click
import pytest

from loregraph.cli.memory import memory

from ..stores import same_key
from .conftest import Run


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREGRAPH_HOME", str(same_key(tmp_path / "home")))
    gitconfig = tmp_path / "gitconfig"
    gitconfig.write_text("[user]\n\tname = Ann\n\temail = ann@example.org\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(gitconfig))
    monkeypatch.setenv("LOREGRAPH_EMBEDDER", "none")


def answer(run: Run, root: Path, *words: str, code: int = 0) -> Any:
    done = run("--root", root, "memory", *words, "--json")
    assert done.code == code, done.err
    return json.loads(done.out)


# Verifies REQ-MEM-007.
def test_a_memory_from_adding_to_undoing(run: Run, indexed: Path) -> None:
    added = answer(
        run, indexed, "add", "prices are rounded once", "--kind", "design", "--tag", "money", "--anchor", "round_price"
    )
    assert set(added) == {"memory_id", "status", "conflicts", "stale_links", "archived"}
    assert (added["status"], added["stale_links"]) == ("created", [])
    memory_id = added["memory_id"]
    listed = answer(run, indexed, "list", "--kind", "design")
    assert [record["id"] for record in listed] == [memory_id]
    assert listed[0]["memory_type"] == listed[0]["kind"] == "design"
    assert listed[0]["anchors"] == ["shop/money.py::round_price"]
    assert (listed[0]["stale"], listed[0]["tags"], listed[0]["author"]) == (False, ["money"], "Ann <ann@example.org>")
    assert answer(run, indexed, "get", memory_id)["content"] == "prices are rounded once"
    found = answer(run, indexed, "search", "rounding prices")
    assert [(hit["id"], hit["memory_id"]) for hit in found] == [(memory_id, memory_id)]
    assert found[0]["similarity"] > 0
    assert answer(run, indexed, "update", memory_id, "--importance", "high")["updated_fields"] == ["importance"]
    assert answer(run, indexed, "delete", memory_id)["status"] == "deleted"
    assert answer(run, indexed, "list") == []
    assert run("--root", indexed, "memory", "get", memory_id).code == 2
    assert [version["version"] for version in answer(run, indexed, "history", memory_id)] == [1, 2, 3]
    assert answer(run, indexed, "history", memory_id, "--restore", "1")["version"] == 4
    assert answer(run, indexed, "get", memory_id)["importance"] == 0.5


def test_ids_may_be_shortened_as_far_as_they_name_one(run: Run, project: Path) -> None:
    memory_id = answer(run, project, "add", "one")["memory_id"]
    assert run("--root", project, "memory", "get", memory_id[:8]).out.startswith("one\n")
    assert run("--root", project, "memory", "get", "zzz").code == 2


def test_text_comes_from_standard_input(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Input(io.TextIOWrapper):
        pass

    monkeypatch.setattr("sys.stdin", Input(io.BytesIO("from süd\n".encode()), encoding="utf-8"))
    memory_id = answer(run, project, "add", "-")["memory_id"]
    assert answer(run, project, "get", memory_id)["content"] == "from süd"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", ""), "content"),
        (("add", "x", "--kind", "poem"), "memory_type"),
        (("add", "x", "--importance", "huge"), "importance"),
        (("add", "x", "--scope", "user", "--agent", "bot"), "agent_id"),
        (("add", "x", "--scope", "user", "--project-id", "p"), "project_id"),
        (("add", "x", "--scope", "agent"), "agent_id"),
        (("add", "x", "--scope", "session"), "session_id"),
        (("add", "x", "--metadata", "{"), "not JSON"),
        (("add", "x", "--anchor", "run"), "run"),
        (("add", "gh" + "p_" + "a1B2" * 9), "GitHub Token"),
        (("get", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"), "no memory"),
        (("list", "--scope", "world"), "scope"),
        (("search", " "), "query"),
        (("list", "--project-id", "No"), "project_id"),
        (("import", "nothing.jsonl"), "does not exist"),
        (("normalize", "--phase", "magic"), "phases"),
    ],
)
def test_wrong_calls_say_what_is_wrong(run: Run, indexed: Path, words: tuple[str, ...], said: str) -> None:
    done = run("--root", indexed, "memory", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_agents_own_memories_are_theirs(run: Run, project: Path) -> None:
    answer(run, project, "add", "secret plan", "--scope", "agent", "--agent", "bot")
    assert answer(run, project, "list") == []
    assert answer(run, project, "list", "--agent", "spy") == []
    assert len(answer(run, project, "list", "--agent", "bot")) == 1
    assert len(answer(run, project, "search", "plan", "--agent", "bot")) == 1
    assert answer(run, project, "search", "plan", "--scope", "all") == []


def test_export_import_and_normalize(run: Run, project: Path, tmp_path: Path) -> None:
    answer(run, project, "add", "one")
    out = str(tmp_path / "out.jsonl")
    assert answer(run, project, "export", out)["memories_exported"] == 1
    done = answer(run, project, "import", out, "--project-id", "other")
    assert (done["imported"], done["skipped"], done["errors"]) == (1, 0, [])
    (tmp_path / "out.jsonl").write_text("torn\n")
    assert answer(run, project, "import", out, code=3)["errors"][0]["line"] == 1
    assert answer(run, project, "normalize")["stats"]["processed"] == 1
    assert answer(run, project, "stats")["total"] == 1


def test_people_see_lines_and_where_there_is_nothing_a_remark(run: Run, project: Path) -> None:
    assert "no memories" in run("--root", project, "memory", "list").err
    assert "no memories" in run("--root", project, "memory", "search", "x").err
    answer(run, project, "add", "one\nmore")
    shown = run("--root", project, "memory", "list").out
    assert "one more" in shown
    assert shown.count("\n") == 1
    assert "1 memory" in run("--root", project, "memory", "stats").out


@pytest.mark.parametrize("name", memory.commands)
def test_every_command_has_an_example_and_help_for_its_options(name: str) -> None:
    command = memory.commands[name]
    assert f"loregraph memory {name}" in (command.help or "")
    assert "JSON: " in (command.help or "")
    assert not [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
