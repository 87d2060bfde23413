"""A command and the tool of the same question answer with the same records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main

from .conftest import Asker

SYMBOL = "shop/money.py::round_price"
DIFF = """--- a/shop/money.py
+++ b/shop/money.py
@@ -1,3 +1,3 @@
-def round_price(amount: float) -> float:
+def round_price(amount: float, places: int) -> float:
     \"\"\"Round to whole cents.\"\"\"
-    return round(amount, 2)
+    return round(amount, places)
"""

PAIRS: list[tuple[list[str], str, dict[str, Any]]] = [
    (
        ["related", SYMBOL, "--type", "CALLS", "--direction", "incoming", "--depth", "2"],
        "get_related",
        {"entity_id": SYMBOL, "relationship_types": ["CALLS"], "direction": "INCOMING", "depth": 2},
    ),
    (["context", SYMBOL, "--code"], "get_design_context", {"component_id": SYMBOL, "include_code": True}),
    (["context", "--query", "round to whole cents"], "get_design_context", {"query": "round to whole cents"}),
    (
        ["review", SYMBOL, "--description", "let callers choose", "--diff", "fix.diff"],
        "validate_fix",
        {"component_id": SYMBOL, "fix_description": "let callers choose", "diff": DIFF},
    ),
    (["copies-of", "shop/money.py::exchange"], "find_duplicates", {"id": "shop/money.py::exchange"}),
]


# Verifies REQ-MCP-015.
@pytest.mark.parametrize(("words", "tool", "arguments"), PAIRS, ids=[f"{words[0]}-{words[1]}" for words, _, _ in PAIRS])
def test_the_command_answers_as_the_tool(
    ask: Asker,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
    words: list[str],
    tool: str,
    arguments: dict[str, Any],
) -> None:
    folder: Path = tmp_path_factory.mktemp("fix")
    (folder / "fix.diff").write_text(DIFF, encoding="utf-8")
    monkeypatch.chdir(folder)
    answer = ask.ok(tool, **arguments)
    capsys.readouterr()
    assert main(["--root", str(ask.root), *words, "--json"], standalone_mode=False) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == answer
    assert list(told) == list(answer)
