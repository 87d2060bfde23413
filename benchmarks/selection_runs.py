"""Repositories of `test_selection.py`, their environments, and the runs of their suites, kept in the cache folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import coverage
from corpus import CACHE
from selection_items import WORST

HERE = Path(__file__).resolve().parent
KEPT = CACHE / "selection"
SECONDS = 120
"""A run that takes longer counts as one that fails."""
LEAST_PASSED = 0.95
PLAIN = ("-q", "-p", "no:randomly", "-p", "selection_items")


@dataclass(frozen=True)
class Repository:
    """`tuned` says that something of loregraph was adjusted to what it answers about this repository."""

    url: str
    package: str
    needs: str = ""
    tests: str = "tests"
    tuned: bool = False
    options: str = ""

    @property
    def name(self) -> str:
        return self.url.rpartition("/")[2]


REPOSITORIES = (
    Repository("pallets/flask", "src/flask", "pytest<9 asgiref greenlet python-dotenv", tuned=True),
    Repository("pallets/click", "src/click", tuned=True),
    Repository("python-poetry/tomlkit", "tomlkit", "pyyaml", options="--ignore=tests/test_toml_tests.py"),
    Repository(
        "hynek/structlog", "src/structlog", "pytest-asyncio simplejson time-machine freezegun pretend rich twisted"
    ),
    Repository("marshmallow-code/marshmallow", "src/marshmallow", "simplejson pytz"),
    Repository("pallets/jinja", "src/jinja2", "trio"),
    Repository(
        "encode/httpx", "httpx", "chardet cryptography trio trustme uvicorn brotli zstandard h2 socksio click rich"
    ),
    Repository("pallets/werkzeug", "src/werkzeug", "cffi cryptography ephemeral-port-reserve pytest-timeout watchdog"),
    Repository("pallets/itsdangerous", "src/itsdangerous", "freezegun"),
)


@dataclass(frozen=True)
class Test:
    """A test function: what its cases and the classes that inherit it have in common. `ids` are names that it may be
    given, `path::Class.name` first where it is written."""

    path: str
    name: str
    ids: frozenset[str]
    outcome: str
    seconds: float

    @property
    def id(self) -> str:
        return f"{self.path}::{self.name}"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


class Suite:
    """The suite of one repository, at any commit."""

    def __init__(self, repository: Repository, clones: Path | None, python: str) -> None:
        self.repository = repository
        self.folder = KEPT / repository.name
        self.tree = self.folder / "tree"
        self.product = self.folder / "product"
        self.python = self.folder / "env" / "bin" / "python"
        self.folder.mkdir(parents=True, exist_ok=True)
        source = str(clones / repository.name) if clones else f"https://github.com/{repository.url}"
        if not self.tree.exists():
            git(self.folder, "clone", "-q", source, "tree")
        if not self.product.exists():
            git(self.folder, "clone", "-q", str(self.tree), "product")
        if not (self.folder / "installed").exists():
            self._install(python)

    def _install(self, python: str) -> None:
        def uv(*words: str) -> None:
            subprocess.run(["uv", *words], check=True, capture_output=True, cwd=self.folder)

        uv("venv", "-q", "--clear", "--python", python, "env")
        needs = ["pytest", "pytest-cov", "pytest-testmon", "msgspec", *self.repository.needs.split()]
        uv("pip", "install", "-q", "--python", str(self.python), *needs, "-e", str(self.tree))
        (self.folder / "installed").touch()

    def checkout(self, commit: str, package_of: str = "") -> None:
        git(self.tree, "-c", "advice.detachedHead=false", "checkout", "-q", "-f", commit)
        git(self.tree, "clean", "-qfdx")
        if package_of:
            git(self.tree, "rm", "-q", "-r", "--cached", self.repository.package)
            shutil.rmtree(self.tree / self.repository.package)
            git(self.tree, "checkout", "-q", package_of, "--", self.repository.package)

    def _pytest(self, items: Path, *options: str, environment: Mapping[str, str] | None = None) -> bool:
        """Whether the run came to an end; `items` gets what `selection_items` says of it."""
        plugins = KEPT / "plugins"
        plugins.mkdir(exist_ok=True)
        for name, target in (("selection_items.py", HERE), ("loregraph", HERE.parent)):
            (plugins / name).unlink(missing_ok=True)
            (plugins / name).symlink_to(target / name)
        command = ["nice", str(self.python), "-m", "pytest", *PLAIN, *self.repository.options.split(), *options]
        settings = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "VIRTUAL_ENV"))},
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(plugins),
            "LOREGRAPH_ITEMS": str(items),
            **(environment or {}),
        }
        try:
            done = subprocess.run(
                [*command, self.repository.tests],
                cwd=self.tree,
                env=settings,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            items.unlink(missing_ok=True)
            return False
        items.with_suffix(".log").write_text(done.stdout[-20_000:] + done.stderr[-5_000:], encoding="utf-8")
        return done.returncode in (0, 1, 5) and items.exists()

    def _kept(self, commit: str) -> Path:
        folder = self.folder / "runs" / commit
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def measured(self, commit: str) -> Path | None:
        """The folder with `coverage`, `junit.xml` and `items.json` of the commit; None if too few tests pass there."""
        folder = self._kept(commit)
        items = folder / "items.json"
        if not (folder / "done").exists():
            self.checkout(commit)
            measured = [f"--cov={self.repository.package}", f"--cov={self.repository.tests}"]
            options = [*measured, "--cov-context=test", "--cov-report=", f"--junit-xml={folder / 'junit.xml'}"]
            if not self._pytest(items, *options, environment={"COVERAGE_FILE": str(folder / "coverage")}):
                items.unlink(missing_ok=True)
            (folder / "done").touch()
        if not items.exists() or not (folder / "coverage").exists():
            return None
        outcomes = [test.outcome for test in tests_in(items).values()]
        return folder if outcomes and outcomes.count("failed") <= (1 - LEAST_PASSED) * len(outcomes) else None

    def observed(self, commit: str) -> Path | None:
        """The record of loregraph's pytest plugin."""
        record = self._kept(commit) / "observed.jsonl"
        if not record.exists():
            self.checkout(commit)
            options = ("-p", "loregraph.pytest_plugin", f"--loregraph={record}")
            if not self._pytest(self._kept(commit) / "observed.json", *options):
                record.unlink(missing_ok=True)
        return record if record.exists() else None

    def testmon(self, parent: str, commit: str) -> Path | None:
        """What pytest-testmon selects at `commit` after a run at `parent`, as `selection_items` says it."""
        data, answer = self._kept(parent) / "testmondata", self._kept(commit) / f"testmon-{parent}.json"
        if not answer.exists():
            if not data.exists():
                self.checkout(parent)
                ran = self._pytest(data.with_suffix(".json"), "--testmon", environment={"TESTMON_DATAFILE": str(data)})
                if not ran:
                    data.unlink(missing_ok=True)
                    return None
            self.checkout(commit)
            copy = self.folder / "testmondata"
            shutil.copyfile(data, copy)
            self._pytest(answer, "--testmon", "--collect-only", environment={"TESTMON_DATAFILE": str(copy)})
        return answer if answer.exists() else None

    def reverted(self, parent: str, commit: str) -> Path | None:
        """The tests of `commit` run on the package of `parent`: what fails would have shown that the change lacks."""
        items = self._kept(commit) / f"reverted-{parent}.json"
        if not items.exists():
            self.checkout(commit, package_of=parent)
            self._pytest(items)
        return items if items.exists() else None


def tests_in(items: Path) -> dict[str, Test]:
    """By the node id without its parameters; several may be the same test."""
    rows: dict[tuple[str, str], list[tuple[str, str, float]]] = defaultdict(list)
    for node, (path, name, outcome, seconds) in json.loads(items.read_text(encoding="utf-8")).items():
        rows[path, name].append((plain(node), outcome, seconds))
    found = {}
    for (path, name), cases in rows.items():
        nodes = {node for node, _, _ in cases}
        ids = frozenset([f"{path}::{name}", *map(graph_id, nodes)])
        outcome = max((outcome for _, outcome, _ in cases), key=WORST.index)
        test = Test(path, name, ids, outcome, sum(seconds for _, _, seconds in cases))
        found.update(dict.fromkeys(nodes, test))
    return found


def plain(node: str) -> str:
    """The node id without what pytest appends for a case."""
    path, between, rest = node.partition("::")
    return path + between + rest.partition("[")[0]


def graph_id(node: str) -> str:
    path, between, rest = node.partition("::")
    return path + between + rest.replace("::", ".")


@lru_cache(maxsize=4)
def executed(folder: Path, root: Path) -> dict[str, dict[int, set[str]]]:
    """By path and line: the node ids, without parameters, of the tests in whose context the line ran."""
    data = coverage.CoverageData(str(folder / "coverage"))
    data.read()
    found: dict[str, dict[int, set[str]]] = {}
    for file in data.measured_files():
        lines = found[str(Path(file).relative_to(root))] = {}
        for line, contexts in data.contexts_by_lineno(file).items():
            if nodes := set(_nodes(contexts)):
                lines[line] = nodes
    return found


def _nodes(contexts: Iterable[str]) -> Iterable[str]:
    return (plain(context.rpartition("|")[0]) for context in contexts if context)
