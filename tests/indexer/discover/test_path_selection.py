"""A run that looks at a part of the project leaves the rest of the graph as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loregraph.errors import ConfigError
from loregraph.indexer.build.report import IndexReport
from loregraph.project import Project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a/one.py", "a/two.py", "b/three.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"def {path.stem}() -> None: ...\n", encoding="utf-8")
    return tmp_path


def run(root: Path, **selection: Any) -> IndexReport:
    with Project(root) as project:
        return project.index(jobs=1, embed=False, **selection)


def names(root: Path) -> set[str]:
    with Project(root) as project:
        columns = project.reader().columns
        return {columns.name(node) for node in columns.nodes("Function").tolist()}


def change(root: Path, name: str, text: str = "def changed_{} () -> None: ...\n") -> None:
    path = root / name
    path.write_text(text.replace("{}", path.stem), encoding="utf-8")


def test_only_what_is_named_is_taken_up(root: Path) -> None:
    assert run(root, paths=["a"]).files.indexed == 2
    assert names(root) == {"one", "two"}
    run(root)
    assert names(root) == {"one", "two", "three"}


def test_changes_elsewhere_wait(root: Path) -> None:
    run(root)
    for name in ("a/one.py", "a/two.py", "b/three.py", "b/four.py"):
        change(root, name)
    assert run(root, paths=["a/one.py"]).files.indexed == 1
    assert names(root) == {"changed_one", "two", "three"}
    with Project(root) as project:
        stale = project.status().stale
    assert (stale.changed, stale.added) == (("a/two.py", "b/three.py"), ("b/four.py",))
    assert run(root).files.indexed == 3
    assert names(root) == {"changed_one", "changed_two", "changed_three", "changed_four"}


def test_patterns_are_relative_to_the_folder(root: Path) -> None:
    assert run(root, paths=["a"], include=["/one.py"]).files.indexed == 1
    assert names(root) == {"one"}
    assert run(root, paths=["."], exclude=["b/"]).files.indexed == 1
    assert names(root) == {"one", "two"}


def test_what_is_forced_is_read_again_and_nothing_else(root: Path) -> None:
    run(root)
    assert run(root, paths=["a"]).files.indexed == 0
    report = run(root, paths=["a"], force=["a"])
    assert (report.files.indexed, report.files.unchanged) == (2, 1)
    assert names(root) == {"one", "two", "three"}


def test_a_partial_run_and_a_whole_one_give_the_graph_of_one_run(root: Path, tmp_path_factory: Any) -> None:
    run(root)
    change(root, "a/one.py")
    change(root, "b/three.py")
    run(root, paths=["b"], force=["b"])
    run(root)
    with Project(root) as project:
        stepwise = list(project.export())
    run(root, full=True)
    with Project(root) as project:
        assert list(project.export()) == stepwise


def test_problems_go_with_the_file_that_had_them(root: Path) -> None:
    change(root, "a/one.py", "def {}(:\n")
    first = run(root)
    assert {problem.path for problem in first.problems} == {"a/one.py"}
    assert run(root).problems == first.problems
    (root / "a/one.py").unlink()
    assert run(root, paths=["a"], force=["a"]).problems == ()


def test_what_is_no_pattern(root: Path) -> None:
    with pytest.raises(ConfigError):
        run(root, paths=["a"], include=["!"])
