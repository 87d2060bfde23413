"""The scripts' types, which are comments in them, by TypeScript's compiler from npm."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

COMPILER = "typescript@5.9"
NPM = shutil.which("npm")

pytestmark = pytest.mark.skipif(NPM is None, reason="no npm here: the scripts' types were not checked")


def test_every_script_is_typed_and_right(tmp_path: Path) -> None:
    assert NPM is not None
    installed = subprocess.run(
        [
            NPM,
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
            str(tmp_path),
            COMPILER,
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if installed.returncode:
        pytest.skip(f"{COMPILER} could not be installed, so nothing was checked: {installed.stderr[-300:]}")
    scripts = sorted(Path(str(files("loregraph.pages"))).joinpath("static").glob("*.js"))
    untyped = [one.name for one in scripts if not one.read_text(encoding="utf-8").startswith("// @ts-check\n")]
    assert untyped == []
    compiler = tmp_path / "node_modules" / "typescript" / "bin" / "tsc"
    options = "--noEmit --allowJs --checkJs --strict --target es2022 --module esnext".split()
    options += ["--lib", "es2022,dom,dom.iterable"]
    checked = subprocess.run(
        ["node", str(compiler), *options, "--moduleResolution", "bundler", *map(str, scripts)],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
