"""`loregraph install` and `loregraph uninstall` as a user runs them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from .conftest import Run

ENTRY = {"mcpServers": {"loregraph": {"command": "loregraph", "args": ["serve"]}}}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(folder))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("loregraph.orphans.program", lambda name: None)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


# Verifies REQ-CLI-020.
def test_with_yes_it_is_written_and_taken_out(run: Run, root: Path) -> None:
    done = run("--root", root, "install", "claude-code", "--yes")
    assert done.code == 0 and "wrote .mcp.json" in done.out
    assert "not on PATH" in done.err
    assert json.loads((root / ".mcp.json").read_text()) == ENTRY
    assert run("--root", root, "install", "claude-code").out == "nothing to change\n"
    done = run("--root", root, "uninstall", "claude-code", "--yes")
    assert done.code == 0 and "removed .mcp.json" in done.out
    assert list(root.iterdir()) == []
    assert run("--root", root, "uninstall", "claude-code").out == "nothing to change\n"


# Verifies REQ-CLI-020.
def test_without_a_terminal_nothing_is_written_and_the_difference_is_shown(run: Run, root: Path) -> None:
    (root / ".mcp.json").write_text("{}\n")
    done = run("--root", root, "install", "claude-code")
    assert done.code == 2
    assert '+    "loregraph": {' in done.out and "add --yes" in done.err
    assert (root / ".mcp.json").read_text() == "{}\n"


@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("n\n", False), ("", False)])
def test_on_a_terminal_it_asks(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch, answer: str, written: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    done = run("--root", root, "install", "claude-code")
    assert "Write .mcp.json?" in done.out
    assert (root / ".mcp.json").exists() is written


def test_a_foreign_entry_is_asked_about_by_what_it_runs(run: Run, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"mcpServers": {"loregraph": {"command": "evil \\u001b[2J"}}}'
    (root / ".mcp.json").write_text(text)
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    done = run("--root", root, "install", "claude-code")
    assert "Replace an entry that loregraph did not write?" in done.out
    assert "evil" in done.err and "\x1b" not in done.out + done.err
    assert (root / ".mcp.json").read_text() == text


def test_a_dry_run_prints_a_unified_difference_and_writes_nothing(run: Run, root: Path, tmp_path: Path) -> None:
    done = run("--root", root, "install", "codex", "--dry-run")
    assert done.code == 0
    assert done.out == (
        "--- /dev/null\n+++ b/.codex/config.toml\n@@ -0,0 +1,3 @@\n"
        '+[mcp_servers.loregraph]\n+command = "loregraph"\n+args = ["serve"]\n'
    )
    assert list(root.iterdir()) == [] and not (tmp_path / "data").exists()


# Verifies REQ-CLI-021.
def test_instructions_are_only_written_when_they_are_asked_for(run: Run, root: Path) -> None:
    (root / "AGENTS.md").write_text("# Rules")
    run("--root", root, "install", "codex", "--yes")
    assert (root / "AGENTS.md").read_text() == "# Rules"
    run("--root", root, "install", "codex", "--instructions", "--yes")
    text = (root / "AGENTS.md").read_text()
    assert text.startswith("# Rules\n\n<!-- loregraph: begin") and text.endswith("<!-- loregraph: end -->\n")
    run("--root", root, "uninstall", "codex", "--instructions", "--yes")
    assert (root / "AGENTS.md").read_text() == "# Rules"


def test_a_skill_and_a_hook_are_extra(run: Run, root: Path) -> None:
    run("--root", root, "install", "claude-code", "--skill", "--hook", "--yes")
    settings = json.loads((root / ".claude/settings.json").read_text())
    assert [row["matcher"] for row in settings["hooks"]["PreToolUse"]] == ["Grep"]
    assert (root / ".claude/skills/loregraph/SKILL.md").is_file()
    run("--root", root, "uninstall", "claude-code", "--yes")
    assert list(root.iterdir()) == []


def test_for_the_user_nothing_is_written_into_the_project(run: Run, root: Path, home: Path) -> None:
    done = run("--root", root, "install", "gemini-cli", "--user", "--yes", "--profile", "lean", "--json")
    report = json.loads(done.out)
    assert report["scope"] == "user" and report["written"] is True
    assert [(row["kind"], row["action"]) for row in report["files"]] == [("server", "create")]
    entry = json.loads((home / ".gemini/settings.json").read_text())["mcpServers"]["loregraph"]
    assert entry["args"][-3:] == ["serve", "--profile", "lean"]
    assert list(root.iterdir()) == []
    listed = {row["host"]: row for row in json.loads(run("--root", root, "install", "--json").out)}
    assert listed["gemini-cli"]["user"] == str(home / ".gemini/settings.json")
    assert listed["gemini-cli"]["project"] == listed["codex"]["user"] == ""
    run("--root", root, "uninstall", "gemini-cli", "--user", "--yes")
    assert list(home.iterdir()) == []


def test_json_alone_writes_nothing(run: Run, root: Path) -> None:
    report = json.loads(run("--root", root, "install", "cursor", "--json").out)
    assert report["written"] is False and "${workspaceFolder}" in report["files"][0]["diff"]
    assert list(root.iterdir()) == []


def test_without_a_host_all_are_listed(run: Run, root: Path) -> None:
    run("--root", root, "install", "zed", "--yes")
    done = run("--root", root, "install")
    lines = {line.split()[0]: line for line in done.out.splitlines()}
    assert "installed in .zed/settings.json" in lines["zed"]
    assert "not found here" in lines["codex"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["install", "curser"], "did you mean 'cursor'?"),
        (["install", "windsurf"], "--user"),
        (["install", "roo", "--user"], "leave out --user"),
        (["install", "cursor", "--hook"], "leave out --hook"),
        (["install", "cursor", "--user", "--instructions"], "leave out --user"),
        (["--store", "s", "install", "cursor"], "LOREGRAPH_STORE"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(run: Run, root: Path, words: list[str], message: str) -> None:
    done = run("--root", root, *words, "--yes")
    assert done.code == 2 and message in done.err
    assert list(root.iterdir()) == []


def test_a_broken_file_is_named_and_left(run: Run, root: Path) -> None:
    (root / ".mcp.json").write_text('{\n"a": 1,,\n}')
    done = run("--root", root, "install", "claude-code", "--yes")
    assert done.code == 2 and "error: .mcp.json: line 2: no JSON" in done.err
    assert (root / ".mcp.json").read_text() == '{\n"a": 1,,\n}'
