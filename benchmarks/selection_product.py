"""What loregraph selects: by what is in the code, and with facts of the parent's run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from selection_runs import HERE, Suite, Test, git
from selection_truth import Change

MODES = {"": (), " --safe": ("--safe",), " --fast": ("--fast",)}
Row = Mapping[str, Any]


def _run(root: Path, store: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "loregraph", "--root", str(root), "--store", str(store), *words]
    return subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)


def ask(root: Path, store: Path, *words: str) -> Any:
    done = _run(root, store, *words, "--json")
    if done.returncode:
        raise SystemExit(f"loregraph {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def _checkout(root: Path, commit: str) -> None:
    git(root, "-c", "advice.detachedHead=false", "checkout", "-q", "-f", commit)
    git(root, "clean", "-qfdx")


def _index(root: Path, store: Path) -> None:
    done = _run(root, store, "index", "--no-embed")
    if done.returncode:
        raise SystemExit(f"loregraph index of {root}: {done.stderr}")


class Product:
    """The stores of one commit: all know its code, `coverage` and `observed` a run of its parent as well."""

    def __init__(self, suite: Suite, made: Change) -> None:
        self.root, self.parent = suite.product, made.parent
        self.stores = {name: suite.folder / f"store-{name}" for name in ("static", "coverage", "observed")}
        for store in self.stores.values():
            shutil.rmtree(store, ignore_errors=True)
        measured, observed = suite.measured(made.parent), suite.observed(made.parent)
        _checkout(self.root, made.parent)
        if measured is None or observed is None:
            self.stores = {"static": self.stores["static"]}
        else:
            _index(self.root, self.stores["coverage"])
            shutil.copytree(self.stores["coverage"], self.stores["observed"])
            said = ("runs", "import", "--revision", made.parent)
            ask(self.root, self.stores["coverage"], *said, str(measured / "coverage"), str(measured / "junit.xml"))
            ask(self.root, self.stores["observed"], *said, str(observed))
        _checkout(self.root, made.commit)
        for store in self.stores.values():
            _index(self.root, store)

    def tests(self) -> dict[str, list[Row]]:
        """By the facts and the mode: the rows in the order given."""
        return {
            f"{facts}{mode}": ask(self.root, store, "tests", "--since", self.parent, *options)
            for facts, store in self.stores.items()
            for mode, options in MODES.items()
        }

    def edges(self) -> set[tuple[str, str]]:
        """CALLS of the code alone, several definitions of a name as one."""
        rows = ask(
            self.root,
            self.stores["static"],
            "query",
            "MATCH (a)-[:CALLS]->(b) RETURN a.id AS a, b.id AS b",
            "--limit",
            "1000000",
        )
        return {(row["a"].partition("#")[0], row["b"].partition("#")[0]) for row in rows}


def known(rows: Iterable[Row], tests: Mapping[str, Test]) -> list[str]:
    """The suite's tests among the rows, in their order; a second definition of a name counts as the first."""
    named = {name: test for test, each in tests.items() for name in each.ids}
    found = (named.get(row["id"].partition("#")[0]) for row in rows)
    return list(dict.fromkeys(one for one in found if one is not None))
