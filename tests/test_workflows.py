"""Workflows, the action and the hooks: what their schemas allow, and what their commands do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from loregraph.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
GITHUB = ROOT / ".github"
BASH = "bash"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


SCHEMAS = [
    *((path, "github-workflows") for path in sorted((GITHUB / "workflows").glob("*.yml"))),
    (ROOT / "action.yml", "github-actions"),
    (GITHUB / "ISSUE_TEMPLATE" / "config.yml", "github-issue-config"),
    *((path, "github-issue-forms") for path in sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml"))),
]


# Verifies REQ-PKG-005.
@pytest.mark.parametrize(("path", "schema"), SCHEMAS, ids=lambda value: getattr(value, "name", value))
def test_files_for_the_code_host_follow_its_schemas(path: Path, schema: str) -> None:
    words = ["--builtin-schema", f"vendor.{schema}", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_workflows_say_what_they_may_do_and_keep_no_credentials() -> None:
    for path in (GITHUB / "workflows").glob("*.yml"):
        workflow = read(path)
        assert workflow["permissions"] == {"contents": "read"}, path.name
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                if step.get("uses", "").startswith("actions/checkout@"):
                    assert step["with"]["persist-credentials"] is False, path.name


def scripts() -> list[tuple[str, dict[str, Any]]]:
    files = [("action.yml", read(ROOT / "action.yml")["runs"]["steps"])]
    for path in sorted((GITHUB / "workflows").glob("*.yml")):
        files += [(path.name, job["steps"]) for job in read(path)["jobs"].values()]
    return [(name, step) for name, steps in files for step in steps if "run" in step]


@pytest.mark.parametrize(("name", "step"), scripts())
def test_no_input_is_pasted_into_a_script(name: str, step: dict[str, Any]) -> None:
    assert "${{" not in step["run"]


@pytest.mark.parametrize(
    "words", [step["run"].split() for _, step in scripts() if step["run"].startswith("python run.py")], ids=" ".join
)
def test_workflows_call_commands_that_there_are(words: list[str]) -> None:
    help_of_run = subprocess.run(
        [sys.executable, str(ROOT / "run.py"), "--help"], capture_output=True, text=True, check=True
    )
    assert f"python3 run.py {words[2]} " in help_of_run.stdout


@pytest.mark.parametrize("hook", read(ROOT / ".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_hooks_call_commands_that_there_are(hook: dict[str, Any]) -> None:
    program, command, *options = hook["entry"].split()
    assert program == "loregraph"
    known = {name for parameter in cli.commands[command].params for name in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= known


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two functions of which one is a copy, indexed by the action's own command."""
    folder = tmp_path_factory.mktemp("project")
    body = "".join(f"    total += price * {number} + shipping\n" for number in range(12))
    for name in ("orders", "carts"):
        (folder / f"{name}.py").write_text(
            f"def total(price, shipping):\n    total = 0\n{body}    return total\n", encoding="utf-8"
        )
    assert run("Index", folder, folder).returncode == 0
    return folder


def run(step: str, folder: Path, temporary: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """One step of the action, as the runner runs it."""
    [script] = [one["run"] for one in read(ROOT / "action.yml")["runs"]["steps"] if one.get("name") == step]
    programs = os.pathsep.join((str(Path(sys.executable).parent), str(temporary), os.environ["PATH"]))
    environment = {**os.environ, "PATH": programs, "RUNNER_TEMP": str(temporary), "FOLDER": str(folder), **variables}
    return subprocess.run(
        [BASH, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="the runner's bash is not the one on the path of Windows")
def test_the_action_fails_on_findings_and_writes_them_for_the_code_host(project: Path, tmp_path: Path) -> None:
    done = run("Check, duplicates, trace", project, tmp_path, CHECK="", DUPLICATES="--min-tokens 10", TRACE="off")
    assert done.returncode == 1
    assert "orders.py" in done.stdout
    found = json.loads((tmp_path / "sarif" / "duplicates.sarif").read_text(encoding="utf-8"))
    assert len(found["runs"][0]["results"]) == 1
    assert json.loads((tmp_path / "sarif" / "check.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


@pytest.mark.skipif(os.name == "nt", reason="the runner's bash is not the one on the path of Windows")
def test_the_action_passes_without_gates(project: Path, tmp_path: Path) -> None:
    done = run("Check, duplicates, trace", project, tmp_path, CHECK="off", DUPLICATES="off", TRACE="off")
    assert done.returncode == 0
    assert list((tmp_path / "sarif").iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="the runner's bash is not the one on the path of Windows")
def test_the_action_comments_with_what_a_change_reaches(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()

    def git(*words: str) -> str:
        person = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        return subprocess.run(
            ["git", "-C", str(folder), *person, *words], capture_output=True, text=True, check=True
        ).stdout

    git("init", "-q")
    (folder / "a.py").write_text("def one():\n    return 1\n", encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "one")
    base = git("rev-parse", "HEAD").strip()
    (folder / "a.py").write_text("def one():\n    return 2\n", encoding="utf-8")
    git("commit", "-qam", "two")
    assert run("Index", folder, tmp_path).returncode == 0
    gh = tmp_path / "gh"
    gh.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/said"\n', encoding="utf-8")
    gh.chmod(0o755)
    done = run("Comment on the pull request", folder, tmp_path, BASE=base, NUMBER="7", GITHUB_REPOSITORY="a/b")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "said").read_text(encoding="utf-8").split()[:5] == ["pr", "comment", "7", "--repo", "a/b"]
    assert "`one`" in (tmp_path / "comment.md").read_text(encoding="utf-8")
