"""A change resolves the families of languages that it touches, and no other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from loregraph.indexer.build import whole as build
from loregraph.indexer.build.untouched import changed_families
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve import Resolution, resolver
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.resolve.resolver import resolve

from .test_incremental import BASE, REQUIREMENTS, append, graph_in, insert, project_in, run, write

FAMILIES = (
    ("src/shop/money.py", "def more(x):\n    return price(unknown(x))\n"),
    ("web/total.js", "export function twice(x) { return total(x) + missing.sum(x); }\n"),
    ("api/price/price.go", "func Twice(t Totaler) int { return Of(t) + Of(t) }\n"),
    ("java/src/main/java/com/acme/Basket.java", "class Bag { int size(Basket b) { return b.items(); } }\n"),
    ("rust/src/coin.rs", "pub fn twice(till: &crate::Till) { till.count(); }\n"),
)

WHOLE = {"rust/src/coin.rs": ["rust/src/coin.rs", "rust/src/lib.rs"]}
"""Files of families that are resolved as a whole; of others the surroundings of the edited file are, by another
function."""


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The paths of each call of the resolver."""
    calls: list[list[str]] = []

    def noted(files: Mapping[str, FileFacts], layout: Layout, *, traced: bool = False) -> Resolution:
        calls.append(sorted(files))
        return resolve(files, layout, traced=traced)

    monkeypatch.setattr(build, "resolve", noted)
    return calls


# Verifies REQ-RES-013.
@pytest.mark.parametrize(("path", "text"), FAMILIES, ids=[path for path, _ in FAMILIES])
def test_an_edit_resolves_the_files_of_its_own_family(
    tmp_path: Path, resolved: list[list[str]], path: str, text: str
) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "steps")
    append(path, text)(root)
    report = run(root, tmp_path / "steps")
    assert resolved[1:] == ([WHOLE[path]] if path in WHOLE else [])
    fresh = run(root, tmp_path / "fresh")
    assert graph_in(tmp_path / "steps") == graph_in(tmp_path / "fresh")
    assert (report.relationships, report.unresolved) == (fresh.relationships, fresh.unresolved)


def test_a_requirement_document_resolves_nothing(tmp_path: Path, resolved: list[list[str]]) -> None:
    root = project_in(tmp_path)
    first = run(root, tmp_path / "steps")
    insert(REQUIREMENTS, 3, "- **REQ-SHOP-003** A cart shall be emptied.\n")(root)
    report = run(root, tmp_path / "steps")
    assert resolved[1] == []
    assert report.requirements == first.requirements + 1
    run(root, tmp_path / "fresh")
    assert graph_in(tmp_path / "steps") == graph_in(tmp_path / "fresh")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("web/package.json", '{"name": "web", "main": "total.js"}'),
        ("src/shop/added.py", "from shop.money import price\n\nprice(1)\n"),
    ],
    ids=["packaging", "new file"],
)
def test_what_may_reach_any_file_resolves_all(tmp_path: Path, resolved: list[list[str]], path: str, text: str) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "steps")
    write(path, text)(root)
    run(root, tmp_path / "steps")
    assert {name for name in BASE if name.endswith((".py", ".js", ".go", ".java", ".rs"))} <= set(resolved[1])


def test_an_external_symbol_that_two_families_reach_is_resolved_again(
    tmp_path: Path, resolved: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolver, "are_replayed", lambda languages: False)
    root = project_in(tmp_path)
    write("src/shop/joined.py", "import lodash\n\nlodash.map('a')\n")(root)
    write("web/joined.js", "import lodash from 'lodash';\nlodash.map('a');\n")(root)
    run(root, tmp_path / "steps")
    append("web/joined.js", "lodash.map('b');\n")(root)
    run(root, tmp_path / "steps")
    assert "src/shop/joined.py" in resolved[1]
    run(root, tmp_path / "fresh")
    assert graph_in(tmp_path / "steps") == graph_in(tmp_path / "fresh")


def test_families() -> None:
    assert changed_families({"a.h": ("c", "cpp")}) == {"c"}
    assert changed_families({"a.ts": ("typescript", "typescript"), "b.md": ("markdown", "markdown")}) == {"javascript"}
    assert changed_families({"notes.txt": ("text", "text")}) == frozenset()
    assert changed_families({"a.py": ("python", "python"), "setup.cfg": ("", "")}) is None
