"""What a command may load: quick answers must not wait for an engine, a parser or a model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "kuzu",
    "ladybug",
    "pyarrow",
    "fastembed",
    "onnxruntime",
    "tokenizers",
    "tree_sitter",
    "tree_sitter_language_pack",
    "networkx",
    "rich",
    "watchfiles",
}
SCRIPT = """
import sys
from loregraph.cli.main import main
code = main(sys.argv[1:], standalone_mode=False)
print("loaded:", *sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


def loaded_by(*words: str) -> set[str]:
    """Top-level packages in a fresh process after a command."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, *words], check=True, capture_output=True, text=True)
    return set(done.stderr.rpartition("loaded:")[2].split())


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("index", "--help"), ("query", "--help")])
def test_help_loads_click_and_nothing_else_of_weight(words: tuple[str, ...]) -> None:
    assert not (HEAVY | {"numpy", "msgspec"}) & loaded_by(*words)


# Verifies REQ-STO-009, REQ-CLI-012.
@pytest.mark.parametrize("command", ["callers", "callees", "impact", "show"])
def test_questions_about_a_symbol_load_no_engine_parser_or_model(indexed: Path, command: str) -> None:
    loaded = loaded_by("--root", str(indexed), command, "checkout", "--json")
    assert "numpy" in loaded
    assert not HEAVY & loaded


def test_lexical_search_loads_no_engine_parser_or_model(indexed: Path) -> None:
    assert not HEAVY & loaded_by("--root", str(indexed), "search", "checkout", "--mode", "lexical", "--json")
