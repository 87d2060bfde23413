"""Damages a store again and again: an answer is the right one or an error that says what to do, and the next index
makes the graph anew.

    python benchmarks/flip_bits.py [--flips 5000] [--repairs 300] [--seed 1]

What is damaged how, and what is asked, is in tests/hostile/test_damage.py. Prints the figures; exits with 1 where an
answer was silently wrong or an index did not repair.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any


def campaign() -> Any:
    """The module of the tests."""
    path = Path(__file__).parents[1] / "tests" / "hostile" / "test_damage.py"
    spec = importlib.util.spec_from_file_location("damage_campaign", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--flips", type=int, default=5000)
    parser.add_argument("--repairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    damage = campaign()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        root = damage.made(Path(folder) / "project")
        right = damage.answers(root)
        seen = damage.ask_damaged(root, right, options.seed, (*damage.ARRAYS, damage.CURRENT), options.flips)
        print(f"{options.flips} asked: {dict(seen)}")
        wrong += seen["silent"]
        names = (*damage.ARRAYS, damage.CURRENT, damage.STATE, damage.STATE, damage.GRAPH_FILE, damage.IDENTITY_FILE)
        seen = damage.index_damaged(root, Path(folder) / "scratch", options.seed, names, options.repairs)
        print(f"{options.repairs} indexed: {dict(seen)}")
        wrong += options.repairs - seen["repaired"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
