"""`tests`, and the gate of `diff`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Repository

from .conftest import Run

CODE = "def net(price):\n    return price / 2\n\n\ndef unseen(price):\n    return price\n"
TESTS = "import shop\n\n\ndef test_net():\n    assert shop.net(5) == 2.5\n\n\ndef test_other():\n    assert True\n"


@pytest.fixture
def shop(repository: Repository, run: Run) -> Path:
    repository.write("shop.py", CODE)
    repository.write("tests/test_shop.py", TESTS)
    repository.write("pytest.ini", "[pytest]\npythonpath = .\n")
    repository.commit()
    repository.replace("shop.py", "price / 2", "price * 2")
    assert run("--root", repository.root, "index", "--no-embed").code == 0
    return repository.root


# Verifies REQ-RUN-009.
def test_tests_are_listed_with_their_reasons(run: Run, shop: Path) -> None:
    (one,) = json.loads(run("--root", shop, "tests", "--since", "HEAD", "--json").out)
    assert one == {
        "id": "tests/test_shop.py::test_net",
        "path": "tests/test_shop.py",
        "name": "test_net",
        "reason": "leads to net",
        "how": "call",
        "confidence": one["confidence"],
        "seconds": None,
    }
    assert 0.4 < one["confidence"] < 1
    assert json.loads(run("--root", shop, "tests", "net", "--format", "json").out) == [one]
    result = run("--root", shop, "tests", "--since", "HEAD")
    assert result.out.startswith("tests/test_shop.py::test_net  call 0.")
    assert "1 of 2 tests (50%)" in result.err


# Verifies REQ-RUN-010.
def test_the_words_run_what_was_selected(run: Run, shop: Path) -> None:
    words = run("--root", shop, "tests", "net", "--format", "args").out.split()
    assert words == ["tests/test_shop.py::test_net"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *words]
    done = subprocess.run(command, cwd=shop, capture_output=True, text=True, timeout=60, check=False)
    assert "1 failed" in done.stdout, "price * 2"
    assert run("--root", shop, "tests", "net", "--format", "pytest").out == "tests/test_shop.py::test_net\n"
    assert "<testcase" in run("--root", shop, "tests", "net", "--format", "junit").out


@pytest.mark.parametrize(
    "wrong",
    [["--safe", "--fast", "net"], [], ["net", "--since", "HEAD"], ["net", "--format", "args", "--runner", "no-such"]],
)
def test_wrong_calls_are_refused(run: Run, shop: Path, wrong: list[str]) -> None:
    result = run("--root", shop, "tests", *wrong)
    assert (result.code, result.out) == (2, "")


# Verifies REQ-RUN-009.
def test_a_build_fails_on_changed_code_without_tests(run: Run, shop: Path) -> None:
    assert run("--root", shop, "diff", "HEAD", "--fail-on-untested").code == 0
    text = (shop / "shop.py").read_text()
    (shop / "shop.py").write_text(text.replace("    return price\n", "    return price + 1\n"))
    assert run("--root", shop, "index", "--no-embed").code == 0
    result = run("--root", shop, "diff", "HEAD", "--fail-on-untested")
    assert result.code == 1 and "shop.py::unseen" in result.err
    assert run("--root", shop, "diff", "HEAD").code == 0
