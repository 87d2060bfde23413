"""What becomes of errors, and that one call leaves nothing behind for the next."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from loregraph import __version__
from loregraph.cli.main import cli, main
from loregraph.errors import AmbiguousSymbolError, LoregraphError, UsageError

from .conftest import Run


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """A command `fail` that raises what the test puts into the list."""
    errors: list[BaseException] = []

    @click.command()
    def fail() -> None:
        raise errors[0]

    monkeypatch.setitem(cli.commands, "fail", fail)
    return errors


def test_version(run: Run) -> None:
    assert run("--version").out == f"loregraph {__version__}\n"


def test_help_lists_the_commands_with_index_first(run: Run) -> None:
    out = run("--help").out
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines() if line.startswith("  ")]
    assert listed[:2] == ["index", "watch"]
    assert set(cli.commands) <= set(listed)


@pytest.mark.parametrize("words", [["nosuch"], ["search"], ["callers"], ["callers", "x", "--depth", "0"], ["--nosuch"]])
def test_a_wrong_call_ends_with_2_and_prints_no_result(run: Run, words: list[str]) -> None:
    result = run(*words)
    assert result.code == 2
    assert result.out == ""
    assert result.err != ""


# Verifies REQ-CLI-004.
def test_an_error_is_what_happened_and_what_to_do(run: Run, raising: list[BaseException]) -> None:
    raising.append(LoregraphError("the disk is full", "make room"))
    result = run("fail")
    assert (result.code, result.out) == (3, "")
    assert result.err == "error: the disk is full\nhint: make room\n"


# Verifies REQ-CLI-003.
def test_an_error_says_its_own_exit_code(run: Run, raising: list[BaseException]) -> None:
    raising.append(UsageError("no"))
    result = run("fail")
    assert (result.code, result.err) == (2, "error: no\n")


def test_candidates_of_an_ambiguous_name_are_listed(run: Run, raising: list[BaseException]) -> None:
    raising.append(AmbiguousSymbolError("`run` has 2 meanings", ["a.py::run", "b.py::run"], "name one"))
    result = run("fail")
    assert result.code == 2
    assert result.err.splitlines() == ["error: `run` has 2 meanings", "  a.py::run", "  b.py::run", "hint: name one"]


def test_of_many_candidates_the_first_are_listed(run: Run, raising: list[BaseException]) -> None:
    raising.append(AmbiguousSymbolError("many", [f"a.py::f{i}" for i in range(100)], "name one"))
    lines = run("fail").err.splitlines()
    assert lines[1] == "  a.py::f0"
    assert lines[-2:] == ["  ... and 70 more", "hint: name one"]


def test_an_unexpected_error_is_short(run: Run, raising: list[BaseException]) -> None:
    raising.append(RuntimeError("first line\nsecond line"))
    result = run("fail")
    assert result.code == 3
    assert result.err.startswith("error: unexpected RuntimeError: first line second line\nhint: ")
    assert "Traceback" not in result.err


def test_debug_shows_the_traceback(run: Run, raising: list[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_DEBUG", "1")
    raising.append(RuntimeError("deep"))
    result = run("fail")
    assert result.code == 3
    assert "Traceback" in result.err
    assert "RuntimeError: deep" in result.err


# Verifies REQ-CLI-003.
def test_interrupted(run: Run, raising: list[BaseException]) -> None:
    raising.append(KeyboardInterrupt())
    result = run("fail")
    assert (result.code, result.out) == (130, "")


def test_standalone_ends_the_process_with_the_code(raising: list[BaseException]) -> None:
    raising.append(UsageError("no"))
    with pytest.raises(SystemExit) as stop:
        main(args=["fail"], standalone_mode=True)
    assert stop.value.code == 2


def test_a_reader_that_has_seen_enough_is_no_error(indexed: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "loregraph", "--root", str(indexed), "export"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    errors = child.stderr.read()
    child.stderr.close()
    assert child.wait() == 0
    assert errors == b""


def test_many_calls_in_one_process_do_not_know_of_each_other(project: Path, copied: Path) -> None:
    """Each call writes to the standard output of its moment and answers from its own root."""

    def call(*words: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            main(args=list(words), standalone_mode=True)
        return out.getvalue()

    (project / "shop" / "jobs.py").unlink()
    report = json.loads(call("--root", str(project), "index", str(project), "--no-embed", "--json"))
    first = call("--root", str(project), "callers", "checkout", "--json")
    other = call("--root", str(copied), "callers", "checkout", "--json")
    again = call("--root", str(project), "callers", "checkout", "--json")
    assert report["files"]["indexed"] == 4
    assert [hit["id"] for hit in json.loads(first)] == ["tests/test_cart.py::test_checkout"]
    assert [hit["id"] for hit in json.loads(other)] == ["shop/jobs.py::run", "tests/test_cart.py::test_checkout"]
    assert again == first


# Verifies REQ-CLI-006.
def test_commands_work_from_a_folder_inside(run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(indexed / "shop")
    assert json.loads(run("callers", "round_price", "--json").out)[0]["file_path"] == "shop/cart.py"


def test_a_question_before_the_first_index_says_what_to_do(run: Run, project: Path) -> None:
    result = run("--root", project, "callers", "run")
    assert (result.code, result.out) == (2, "")
    assert "loregraph index" in result.err
    assert not (project / ".loregraph").exists()


def test_a_setting_that_is_not_known_is_refused_with_the_nearest(run: Run, project: Path) -> None:
    (project / "loregraph.toml").write_text("exclud = []\n")
    result = run("--root", project, "status")
    assert result.code == 2
    assert "exclude" in result.err


def test_output_that_the_terminal_cannot_show_ends_nothing(indexed: Path, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "café.py").write_text("def brühe() -> None:\n    '''Kocht.'''\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LOREGRAPH_EMBEDDER": "none"}
    base = [sys.executable, "-m", "loregraph", "--root", str(root)]
    for words in (["index"], ["search", "brühe"], ["export"]):
        subprocess.run([*base, *words], env=environment, check=True, capture_output=True)
    found = subprocess.run([*base, "search", "brühe", "--json"], env=environment, check=True, capture_output=True)
    assert json.loads(found.stdout)[0]["id"] == "café.py::brühe"
