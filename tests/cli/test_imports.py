"""`import`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loregraph.scip import schema
from loregraph.scip.wire import field

from .conftest import Run


@pytest.fixture
def index(indexed: Path, tmp_path: Path) -> Path:
    """An index of the first lines of shop/cart.py, and of a name with a terminal's escapes."""
    with_escapes = schema.messages().Document(relative_path="\x1b[2Jevil.py")
    document = schema.messages().Document(relative_path="shop/cart.py")
    lines = (indexed / "shop/cart.py").read_text().split("\n")
    line = next(number for number, text in enumerate(lines) if text.startswith("def checkout"))
    document.occurrences.add(range=(line, 4, 12), symbol="x . . . checkout().", symbol_roles=1)
    path = tmp_path / "index.scip"
    path.write_bytes(b"".join(field(schema.DOCUMENTS, one.SerializeToString()) for one in (document, with_escapes)))
    return path


# Verifies REQ-EXC-001.
def test_an_index_is_imported_listed_and_forgotten(run: Run, indexed: Path, index: Path) -> None:
    result = run("--root", indexed, "import", "scip", index, "--json")
    assert result.code == 0
    assert json.loads(result.out) == {
        "definitions": 1, "references": 0, "agree": 0, "added": 0, "disagree": 0, "outdated": 0, "unknown": 1,
    }  # fmt: skip
    (source,) = json.loads(run("--root", indexed, "import", "list", "--json").out)
    assert source["source"] == "scip:index.scip"
    assert "scip:index.scip" in run("--root", indexed, "import", "list").out
    assert run("--root", indexed, "import", "forget", "scip:index.scip").code == 0
    assert json.loads(run("--root", indexed, "import", "list", "--json").out) == []
    assert run("--root", indexed, "import", "forget", "scip:index.scip").code == 2


# Verifies REQ-EXC-004.
def test_nothing_of_an_index_reaches_the_terminal_unescaped(run: Run, indexed: Path, index: Path) -> None:
    result = run("--root", indexed, "import", "scip", index)
    assert "\x1b" not in result.out + result.err
    assert "1 document left out: no file of the graph" in result.err


# Verifies REQ-EXC-004.
def test_another_file_is_refused(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "import", "scip", indexed / "shop/cart.py")
    assert result.code == 3
    assert "is no SCIP index that can be read" in result.err and "hint: make it again" in result.err
