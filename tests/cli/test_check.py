"""`check`: what it prints, what it gates, what it lets pass."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import loregraph

from ..stores import adopted
from .conftest import Run

CONTRACT = """
[[check.contracts]]
name = "the library knows no pages"
kind = "layers"
layers = ["shop/pages", "shop/model"]
"""
FILES = {
    "shop/__init__.py": "",
    "shop/pages/__init__.py": "",
    "shop/pages/cart.py": "from shop.model import price\n\n\ndef cart():\n    return price.of(1)\n",
    "shop/model/__init__.py": "",
    "shop/model/price.py": "def of(x):\n    return x\n",
    "loregraph.toml": CONTRACT,
}
BROKEN = "from shop.pages import cart\n\n\ndef stock():\n    return cart.cart()\n"


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def index(run: Run, root: Path) -> None:
    assert run("--root", root, "index", "--jobs", "1", "--no-embed").code == 0


@pytest.fixture(scope="module")
def _shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("checked") / "shop", FILES)
    with loregraph.open(root) as project:
        project.index(jobs=1, embed=False)
    return root


@pytest.fixture
def shop(_shop: Path, tmp_path: Path) -> Path:
    return adopted(Path(shutil.copytree(_shop, tmp_path / "shop")))


@pytest.fixture
def broken(shop: Path, run: Run) -> Path:
    write(shop, {"shop/model/stock.py": BROKEN})
    index(run, shop)
    return shop


def test_nothing_found(shop: Path, run: Run) -> None:
    result = run("--root", shop, "check")
    assert (result.code, result.out, result.err) == (0, "", "nothing found\n")


# Verifies REQ-CON-001.
def test_a_finding_fails_the_build_and_shows_why(broken: Path, run: Run) -> None:
    result = run("--root", broken, "check")
    assert result.code == 1
    assert "shop/model/stock.py:1  error layers: " in result.out
    assert "the library knows no pages" in result.out
    assert "shop/model/stock.py:1 imports shop/pages/cart.py" in result.out
    assert "error" in result.err


def test_the_contract_s_json(broken: Path, run: Run) -> None:
    result = run("--root", broken, "check", "--json", "--rule", "layers")
    rows = json.loads(result.out)
    assert [list(row) for row in rows] == [
        ["rule", "severity", "file_path", "start_line", "message", "expected", "actual", "evidence"]
    ] * len(rows)
    assert {(row["rule"], row["severity"], row["file_path"], row["start_line"]) for row in rows} == {
        ("layers", "error", "shop/model/stock.py", 1)
    }
    assert run("--root", broken, "check", "--format", "json", "--rule", "layers").out == result.out


def test_notes_do_not_fail_a_build_until_they_are_told_to(broken: Path, run: Run) -> None:
    off = '[check]\ndisable = ["layers"]\nenable = ["component-cycles"]\n'
    write(broken, {"loregraph.toml": off})
    notes = run("--root", broken, "check")
    assert notes.code == 0
    assert "note component-cycles" in notes.out
    write(broken, {"loregraph.toml": off + '[check.severity]\ncomponent-cycles = "warning"\n'})
    assert run("--root", broken, "check").code == 1


# Verifies REQ-CON-002.
def test_only_a_path_and_only_a_rule(broken: Path, run: Run) -> None:
    assert run("--root", broken, "check", broken / "shop/pages", "--rule", "layers").code == 0
    assert run("--root", broken, "check", broken / "shop/model", "--rule", "layers").code == 1
    assert run("--root", broken, "check", "--rule", "naming").code == 0


# Verifies REQ-CON-002.
def test_a_baseline(broken: Path, run: Run, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    written = run("--root", broken, "check", "--write-baseline", known)
    assert written.code == 0
    assert str(known) in written.err
    same = run("--root", broken, "check", "--baseline", known)
    assert (same.code, same.out) == (0, "")
    assert "known" in same.err
    write(broken, {"shop/model/stock.py": "import os\n" + BROKEN})
    index(run, broken)
    assert run("--root", broken, "check", "--baseline", known).code == 0, "lines moved, nothing is new"
    write(broken, {"shop/model/more.py": BROKEN})
    index(run, broken)
    new = run("--root", broken, "check", "--baseline", known, "--json")
    assert new.code == 1
    assert {row["file_path"] for row in json.loads(new.out)} == {"shop/model/more.py"}


def test_since_a_revision(shop: Path, run: Run) -> None:
    write(shop, {"shop/model/old.py": BROKEN})
    git = ["git", "-C", str(shop), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    write(shop, {"shop/model/new.py": BROKEN})
    index(run, shop)
    rows = json.loads(run("--root", shop, "check", "--since", "HEAD", "--rule", "layers", "--json").out)
    assert {row["file_path"] for row in rows} == {"shop/model/new.py"}
    assert run("--root", shop, "check", "--since", "nowhere").code == 2


def test_sarif(broken: Path, run: Run) -> None:
    result = run("--root", broken, "check", "--format", "sarif", "--rule", "layers")
    assert result.code == 1
    [found] = json.loads(result.out)["runs"]
    assert {one["ruleId"] for one in found["results"]} == {"layers"}
    assert "layers" in {rule["id"] for rule in found["tool"]["driver"]["rules"]}


def test_a_comment_lets_a_finding_pass(broken: Path, run: Run) -> None:
    line, rest = BROKEN.split("\n", 1)
    write(broken, {"shop/model/stock.py": f"{line}  # loregraph: ignore[layers]\n{rest}"})
    index(run, broken)
    assert run("--root", broken, "check", "--rule", "layers").code == 0


def test_the_rules_listed(shop: Path, run: Run) -> None:
    rows = json.loads(run("--root", shop, "check", "--list", "--json").out)
    assert {row["name"]: row["on"] for row in rows}["component-cycles"] is False
    assert "import-cycles" in run("--root", shop, "check", "--list").out


@pytest.mark.parametrize(
    ("words", "config", "said"),
    [
        (["--rule", "layer"], "", "layers"),
        (["nowhere"], "", "nowhere"),
        ([], '[check]\ndisable = ["laiers"]\n', "layers"),
        ([], '[check]\nenabled = ["naming"]\n', "check.enable"),
        ([], '[check.severity]\nnaming = "high"\n', "severity"),
        ([], '[[check.contracts]]\nname = "x"\nkind = "layers"\nlayer = ["a"]\n', "layers"),
        ([], '[[check.contracts]]\nname = "x"\nkind = "layers"\nlayers = ["shop/pages", "shop/modal"]\n', "shop/modal"),
        (["--baseline", "none.json"], "", "none.json"),
    ],
)
def test_what_cannot_be_understood(shop: Path, run: Run, words: list[str], config: str, said: str) -> None:
    if config:
        write(shop, {"loregraph.toml": config})
    result = run("--root", shop, "check", *words)
    assert result.code == 2
    assert said in result.err
