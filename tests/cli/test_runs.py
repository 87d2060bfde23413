"""`runs`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def lcov(indexed: Path, tmp_path: Path) -> Path:
    """An LCOV of shop/cart.py in which one function ran, of a container that is gone, and of a file with escapes."""
    lines = (indexed / "shop/cart.py").read_text().split("\n")
    body = next(number for number, text in enumerate(lines, 1) if text.startswith("def checkout")) + 1
    while not lines[body - 1].strip() or '"""' in lines[body - 1]:
        body += 1
    path = tmp_path / "lcov.info"
    path.write_text(
        f"TN:\nSF:/app/shop/cart.py\nDA:{body},3\nend_of_record\nSF:/x/\x1b[2Jevil.py\nDA:1,1\nend_of_record\n"
    )
    return path


# Verifies REQ-RUN-005.
def test_a_run_is_imported_listed_and_forgotten(run: Run, indexed: Path, lcov: Path) -> None:
    result = run("--root", indexed, "runs", "import", lcov, "--json")
    assert result.code == 0
    found = json.loads(result.out)
    assert found["tests"] == found["edges"] == found["outdated"] == 0
    assert found["functions"] > 0
    assert found["left_out"] == {"files that are not the project's": 1}
    (one,) = json.loads(run("--root", indexed, "runs", "list", "--json").out)
    assert (one["run"], one["functions"]) == ("coverage:lcov.info", found["functions"])
    assert "coverage:lcov.info" in run("--root", indexed, "runs", "list").out
    query = "MATCH (f:Function) WHERE f.executed RETURN f.name"
    assert json.loads(run("--root", indexed, "query", query, "--json").out)[0] == {"f.name": "checkout"}
    assert run("--root", indexed, "runs", "forget", "lcov.info").code == 0
    assert json.loads(run("--root", indexed, "runs", "list", "--json").out) == []
    assert run("--root", indexed, "runs", "list").code == 0


def test_what_was_left_out_is_said(run: Run, indexed: Path, lcov: Path) -> None:
    result = run("--root", indexed, "runs", "import", lcov)
    assert "from 1 file" in result.out
    assert "left out: 1 files that are not the project's" in result.err
    assert "\x1b" not in result.out + result.err


# Verifies REQ-RUN-007.
def test_compare_says_that_there_is_nothing_to_compare(run: Run, indexed: Path) -> None:
    assert json.loads(run("--root", indexed, "runs", "compare", "--json").out) == {
        "observed": 0, "found": 0, "missed": 0, "classes": {}, "calls": [],
    }  # fmt: skip
    assert "0 calls seen" in run("--root", indexed, "runs", "compare").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import",), "no file of a run was named"),
        (("import", "nothing.info"), "not there, or not a regular file"),
        (("forget",), "name one run or --all"),
        (("forget", "a.info"), "unknown run 'a.info'"),
    ],
)
def test_wrong_calls_say_what_to_do(run: Run, indexed: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run("--root", indexed, "runs", *arguments)
    assert result.code == 2
    assert said in result.err
    assert "hint:" in result.err


def test_forgetting_all_of_nothing_is_no_error(run: Run, indexed: Path) -> None:
    run("--root", indexed, "runs", "forget", "--all")
    result = run("--root", indexed, "runs", "forget", "--all")
    assert (result.code, "no run was imported" in result.err) == (0, True)
