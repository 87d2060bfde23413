"""`loregraph diff`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from .conftest import Run, write_project

if TYPE_CHECKING:
    from tests.conftest import Repository


@pytest.fixture
def shop(repository: Repository, run: Run) -> Repository:
    write_project(repository.root)
    repository.commit()
    repository.replace("shop/money.py", "def round_price(amount: float)", "def round_price(amount: float, digits: int)")
    repository.replace(
        "shop/cart.py", "    def total", "    def count(self) -> int:\n        return 0\n\n    def total"
    )
    assert run("--root", repository.root, "index", "--no-embed", "--jobs", "1").code == 0
    return repository


# Verifies REQ-CLI-016.
def test_text(run: Run, shop: Repository) -> None:
    found = run("--root", shop.root, "diff", "HEAD")
    assert found.code == 0
    lines = [" ".join(line.split()) for line in found.out.splitlines()]
    assert "shop/money.py:1 round_price new parameter digits has no default" in lines
    assert "shop/cart.py:12 Cart.count" in lines
    assert "shop/cart.py:17 Cart.total uses round_price: signature changed" in lines
    assert "since HEAD: 1 added, 1 changed" in found.err
    assert "warning" not in found.err


# Verifies REQ-CLI-016.
@pytest.mark.parametrize("words", [("--json",), ("--format", "json")])
def test_json(run: Run, shop: Repository, words: tuple[str, ...]) -> None:
    found = run("--root", shop.root, "diff", "HEAD", *words)
    body = json.loads(found.out)
    assert set(body) == {
        *("revision", "commit", "summary", "files", "code", "callers", "requirements", "tests", "untested", "lost"),
        *("duplicates", "unresolved_calls"),
    }
    assert body["revision"] == "HEAD"
    assert body["commit"] == shop.git("rev-parse", "HEAD")
    assert {one["id"]: one["change"] for one in body["code"]} == {
        "shop/cart.py::Cart.count": "added",
        "shop/money.py::round_price": "signature",
    }
    assert body["summary"]["forgotten_callers"] == 1
    assert body["callers"][0]["id"] == "shop/cart.py::Cart.total"


def test_markdown(run: Run, shop: Repository) -> None:
    found = run("--root", shop.root, "diff", "HEAD", "--format", "markdown")
    assert found.out.startswith("### Changes since `HEAD`\n")
    assert "- `shop/cart.py:17` `Cart.total` uses `round_price`, whose signature changed" in found.out


def test_nothing_changed(run: Run, repository: Repository) -> None:
    write_project(repository.root)
    repository.commit()
    run("--root", repository.root, "index", "--no-embed", "--jobs", "1")
    found = run("--root", repository.root, "diff", "HEAD")
    assert (found.code, found.out) == (0, "")
    assert "no function or class differs from HEAD" in found.err


def test_edits_since_the_index_are_shown_and_said(run: Run, shop: Repository) -> None:
    shop.write("shop/later.py", "def later():\n    return 1\n")
    found = run("--root", shop.root, "diff", "HEAD")
    assert "shop/later.py:1" in found.out
    assert "warning: 1 file changed since the last index" in found.err


def test_wrong_calls(run: Run, shop: Repository) -> None:
    unknown = run("--root", shop.root, "diff", "nowhere")
    assert unknown.code == 2
    assert "git knows no revision 'nowhere'" in unknown.err
    assert "hint: " in unknown.err
    option = run("--root", shop.root, "diff", "--", "--output=stolen")
    assert option.code == 2
    assert not (shop.root / "stolen").exists()


def test_without_a_repository_or_a_graph(run: Run, project: object, repository: Repository) -> None:
    run("--root", project, "index", "--no-embed", "--jobs", "1")  # type: ignore[arg-type]
    found = run("--root", project, "diff", "HEAD")  # type: ignore[arg-type]
    assert found.code == 2
    assert "in no git repository" in found.err
    repository.commit()
    assert run("--root", repository.root, "diff", "HEAD").code == 2
