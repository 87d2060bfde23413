"""What a command may load: quick answers must not wait for an engine, a parser or a model."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from loregraph.stamps import RACY_NS

HEAVY = {
    "kuzu",
    "ladybug",
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
    assert (HEAVY | {"numpy", "msgspec"}) & loaded_by(*words) == set()


# Verifies REQ-STO-009, REQ-CLI-012.
@pytest.mark.parametrize("command", ["callers", "callees", "impact", "show"])
def test_questions_about_a_symbol_load_no_engine_parser_or_model(indexed: Path, command: str) -> None:
    loaded = loaded_by("--root", str(indexed), command, "checkout", "--json")
    assert "numpy" in loaded
    assert HEAVY & loaded == set()


# Verifies REQ-IDX-011.
def test_an_index_with_nothing_to_do_loads_nothing_that_reads_or_builds(copied: Path) -> None:
    time.sleep(2 * RACY_NS / 1e9)  # else files are too young to be known by their stamps
    command = ("--root", str(copied), "index")
    assert "multiprocessing" in loaded_by(*command)  # the files are copies, and read once
    assert (HEAVY | {"multiprocessing", "numpy", "yaml"}) & loaded_by(*command) == set()


def test_lexical_search_loads_no_engine_parser_or_model(indexed: Path) -> None:
    assert HEAVY & loaded_by("--root", str(indexed), "search", "checkout", "--mode", "lexical", "--json") == set()
