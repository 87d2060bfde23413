"""`run.py`: it must run before anything is installed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parent.parent / "run.py"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Without site-packages, as on a machine where nothing is installed."""
    return subprocess.run([sys.executable, "-I", "-S", str(RUN), *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("words", "code"), [(["--help"], 0), (["-h"], 0), ([], 2)])
def test_says_what_it_does_without_installing_anything(words: list[str], code: int) -> None:
    done = run(*words)
    assert done.returncode == code
    assert "python3 run.py index" in done.stdout
    assert done.stderr == ""


def test_older_pythons_can_read_it() -> None:
    ast.parse(RUN.read_text(encoding="utf-8"), feature_version=(3, 7))
