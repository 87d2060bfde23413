"""`publish`, `pull`, `gc` and `index --from`, as they are called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Repository
from .conftest import Run, write_project


@pytest.fixture
def clone(repository: Repository) -> Callable[[str], Path]:
    write_project(repository.root)
    repository.commit("The shop")

    def made(name: str) -> Path:
        root = repository.root.parent / name
        repository.git("clone", "-q", str(repository.root), str(root))
        return root

    return made


def answered(run: Run, root: Path, *words: str) -> Any:
    done = run("--root", str(root), *words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


# Verifies REQ-PUB-001, REQ-PUB-004, REQ-PUB-009, REQ-PUB-010.
def test_from_one_clone_to_another_and_away(run: Run, repository: Repository, clone: Callable[[str], Path]) -> None:
    place = str(repository.root.parent / "place")
    head = repository.git("rev-parse", "HEAD")
    published = answered(run, repository.root, "publish", place, "--no-embed")
    assert published == {"commit": head, "bytes": published["bytes"], "url": place}
    assert answered(run, clone("again"), "publish", f"file://{place}") == published
    pulled = clone("pulled")
    assert answered(run, pulled, "pull", place) == published
    assert [row["id"] for row in answered(run, pulled, "callers", "round_price")] == ["shop/cart.py::Cart.total"]
    repository.write("shop/extra.py", "from shop.money import round_price\n\n\ndef extra():\n    round_price(1)\n")
    repository.commit("More")
    near = clone("near")
    report = answered(run, near, "index", "--from", place, "--no-embed")
    assert {key: report[key] for key in published} == published
    assert report["files"]["indexed"] == 1
    assert len(answered(run, near, "callers", "round_price")) == 2
    second = answered(run, near, "publish", place, "--no-embed", "--as", "repository")
    removed = answered(run, near, "gc", place, "--keep", "1", "--as", "repository")
    assert (removed["commits"], removed["archives"], removed["bytes"]) == ([head], 1, published["bytes"])
    done = run("--root", str(clone("last")), "pull", place)
    assert done.out.startswith(f"{second['commit'][:12]} of repository pulled from {place} (")


def test_what_cannot_be_done_is_one_line_with_a_hint(
    run: Run, repository: Repository, clone: Callable[[str], Path]
) -> None:
    root = clone("other")
    place = str(root.parent / "place")
    for code, words in (
        (2, ("pull", place)),
        (2, ("pull", "memory://x")),
        (2, ("pull", "simplecache::s3://x/y")),
        (2, ("pull", place, "--rev", "nothing")),
        (2, ("pull", place, "--as", "../x")),
        (2, ("publish", "sftp://someone:secret@host/x")),
        (2, ("gc", place)),
        (2, ("index", "--from", place, "--full")),
    ):
        done = run("--root", str(root), *words)
        assert done.code == code, words
        assert done.err.startswith("error: ") and "\nhint: " in done.err and done.err.count("\n") == 2
        assert "secret" not in done.err
    (root / "shop/money.py").write_text("x = 1\n")
    done = run("--root", str(root), "publish", place)
    assert (done.code, "shop/money.py" in done.err) == (2, True)
    assert not Path(place).exists()


def test_an_index_goes_on_without_anything_published(
    run: Run, repository: Repository, clone: Callable[[str], Path]
) -> None:
    root = clone("other")
    done = run("--root", str(root), "index", "--no-embed", "--from", str(root.parent / "place"))
    assert done.code == 0
    assert "nothing is published" in done.err
    assert "functions" in done.out


def test_a_repository_names_no_place(run: Run, repository: Repository, clone: Callable[[str], Path]) -> None:
    """There is no setting for it: an address comes from the command line."""
    root = clone("other")
    for key in ("publish", "url", "from", "place"):
        (root / "loregraph.toml").write_text(f'{key} = "s3://attacker/x"\n')
        assert run("--root", str(root), "index", "--dry-run").code == 2
