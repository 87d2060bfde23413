"""Every gate fails for its own reason and passes after the fix, through the installed command line.

`fixtures/gates/base` is a project that passes; each case is a mistake and its mending, as patches.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .stores import adopted

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "gates"
COMMAND = shutil.which("loregraph", path=sysconfig.get_path("scripts"))

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(COMMAND is None, reason="loregraph is not installed in this environment, only importable"),
]

CHECK = ("check",)
TRACE = ("trace", "--fail-under", "100", "--fail-under-tested", "100", "--strict")
DUPLICATES = ("duplicates", "--since", "HEAD")

GATES = {
    "check-dead-code": (CHECK, "dead-code"),
    "check-doc-parameters": (CHECK, "doc-parameters"),
    "check-error-handling": (CHECK, "error-handling"),
    "check-import-cycles": (CHECK, "import-cycles"),
    "check-layers": (CHECK, "layers"),
    "check-signature": (CHECK, "signature"),
    "duplicates-copy": (DUPLICATES, ""),
    "trace-failed-test": (TRACE, "failed: the tests of LEND-4 fail"),
    "trace-no-code": (TRACE, "without code: LEND-7"),
    "trace-no-test": (TRACE, "without a test: LEND-3"),
    "trace-orphan-marker": (TRACE, "LEND-44"),
}
"""Case → the command that is its gate, and the rule or the words by which it says why."""


@dataclass(frozen=True)
class Desk:
    """A copy of the sample repository, its base state committed and indexed."""

    root: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        assert COMMAND is not None
        return subprocess.run([COMMAND, *words], cwd=self.root, capture_output=True, text=True, check=False)

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json").stdout)

    def apply(self, case: str, state: str) -> None:
        patch = FIXTURES / "cases" / case / f"{state}.patch"
        subprocess.run(["git", "apply", str(patch)], cwd=self.root, check=True, capture_output=True)
        indexed = self.run("index", "--no-embed", "--jobs", "1")
        assert indexed.returncode == 0, indexed.stderr


@pytest.fixture(scope="module")
def _base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gates")
    root = Path(shutil.copytree(FIXTURES / "base", folder / "desk"))
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "The desk"]):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *identity, *command], cwd=root, env=environment, check=True)
    indexed = Desk(root).run("index", "--no-embed", "--jobs", "1")
    assert indexed.returncode == 0, indexed.stderr
    return root


@pytest.fixture
def desk(_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("LOREGRAPH_STORE", "LOREGRAPH_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    return Desk(adopted(Path(shutil.copytree(_base, tmp_path / "desk"))))


def test_every_case_has_its_test() -> None:
    cases = {folder.name for folder in (FIXTURES / "cases").iterdir()}
    assert cases == {*GATES, "diff-forgotten-caller", "diff-lost-test"}


@pytest.mark.parametrize("command", [CHECK, TRACE, DUPLICATES], ids=" ".join)
def test_the_base_passes(desk: Desk, command: tuple[str, ...]) -> None:
    done = desk.run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("case", GATES)
def test_the_mistake_fails_and_the_fix_passes(desk: Desk, case: str) -> None:
    command, reason = GATES[case]
    desk.apply(case, "bad")
    bad = desk.run(*command)
    assert bad.returncode == 1, bad.stdout + bad.stderr
    if command == CHECK:
        assert {one["rule"] for one in desk.json(*command)} == {reason}
    assert reason in bad.stdout + bad.stderr
    desk.apply(case, "fixed")
    fixed = desk.run(*command)
    assert fixed.returncode == 0, fixed.stdout + fixed.stderr


def test_only_the_gate_in_question_fails(desk: Desk) -> None:
    desk.apply("check-layers", "bad")
    assert [desk.run(*command).returncode for command in (CHECK, TRACE, DUPLICATES)] == [1, 0, 0]


def test_known_findings_do_not_fail_and_new_ones_do(desk: Desk) -> None:
    desk.apply("check-layers", "bad")
    assert desk.run("check", "--write-baseline", "known.json").returncode == 0
    assert desk.run("check", "--baseline", "known.json").returncode == 0
    desk.apply("check-signature", "bad")
    again = desk.json("check", "--baseline", "known.json")
    assert [one["rule"] for one in again] == ["signature"]


def test_known_copies_do_not_fail_and_new_ones_do(desk: Desk) -> None:
    desk.apply("duplicates-copy", "bad")
    assert desk.run("duplicates").returncode == 1
    assert desk.run("duplicates", "--write-baseline", "known.json").returncode == 0
    assert desk.run("duplicates", "--baseline", "known.json").returncode == 0
    report = (desk.root / "lending" / "report.py").read_text(encoding="utf-8")
    (desk.root / "lending" / "again.py").write_text(report.replace("owed", "due"), encoding="utf-8")
    assert desk.run("index", "--no-embed", "--jobs", "1").returncode == 0
    new = desk.json("duplicates", "--baseline", "known.json")
    assert new
    assert all("lending/again.py::due" in (pair["a"]["id"], pair["b"]["id"]) for pair in new)


# Verifies REQ-DUP-004.
def test_since_leaves_out_what_was_there(desk: Desk) -> None:
    desk.apply("check-layers", "bad")
    for command in (["add", "-A"], ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=desk.root, check=True)
    assert desk.run("check", "--since", "HEAD").returncode == 0
    assert desk.run("check", "--since", "HEAD~1").returncode == 1


def test_a_copy_names_both_places(desk: Desk) -> None:
    desk.apply("duplicates-copy", "bad")
    (pair,) = desk.json(*DUPLICATES)
    assert {pair["a"]["id"], pair["b"]["id"]} == {"lending/report.py::owed", "lending/service.py::fine_for"}
    view = desk.json("diff", "HEAD")
    assert view["duplicates"] == [pair]


def test_diff_shows_the_callers_that_were_forgotten(desk: Desk) -> None:
    desk.apply("diff-forgotten-caller", "bad")
    view = desk.json("diff", "HEAD")
    assert [(one["id"], one["is_changed"]) for one in view["callers"]] == [
        ("lending/service.py::give_back", False),
        ("tests/test_service.py::test_fine_for", False),
    ]
    assert [one["id"] for one in view["requirements"]] == ["LEND-3"]
    desk.apply("diff-forgotten-caller", "fixed")
    fixed = desk.json("diff", "HEAD")
    assert {one["is_changed"] for one in fixed["callers"]} == {True}
    assert fixed["summary"]["forgotten_callers"] == 0


def test_diff_shows_what_is_covered_no_more(desk: Desk) -> None:
    desk.apply("diff-lost-test", "bad")
    lost = {(one["kind"], one["id"]) for one in desk.json("diff", "HEAD")["lost"]}
    assert ("test", "tests/test_service.py::test_search") in lost
    comment = desk.run("diff", "HEAD", "--format", "markdown").stdout
    assert "the test `tests/test_service.py::test_search` is gone" in comment.partition("<details>")[0]
    desk.apply("diff-lost-test", "fixed")
    assert desk.json("diff", "HEAD")["lost"] == []
