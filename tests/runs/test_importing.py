"""Runs joined with the graph of a project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import loregraph
from loregraph.errors import RunFileError, UsageError
from loregraph.project import Project
from loregraph.runs.comparing import OTHER_NAME

sys.path.insert(0, str(Path(__file__).parent))

from data import RUNS

LATE = """import importlib


def target():
    return 1


def caller(name):
    return getattr(importlib.import_module(name), 'tar' + 'get')()
"""
GENERATORS = """def numbers():
    yield 1


def direct():
    return list(numbers())


def later(some):
    return next(some)
"""
TOTAL = "tests/test_cart.py::test_total"
CART = "src/shop/cart.py"
JAVA = "src/main/java/com/acme/Cart.java"


def copied(name: str, folder: Path) -> Path:
    """A project of the fixtures, its sources written before its runs."""
    root = folder / name
    shutil.copytree(RUNS / name, root)
    for path in root.rglob("*"):
        os.utime(path, (1.6e9, 1.6e9))
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copied("python", tmp_path)


def edges(project: Project, rel: str) -> set[tuple[str, str, str]]:
    columns = project.reader().columns
    return {
        (columns.id(int(columns.source[edge])), columns.how(edge), columns.id(int(columns.target[edge])))
        for edge in columns.edges(rel).tolist()
    }


def record(root: Path, test: str) -> None:
    """Runs `test` as tests/test_late.py with the plugin, in a process of its own."""
    (root / "tests/test_late.py").write_text(test)
    plugin = "-p loregraph.pytest_plugin --loregraph=.loregraph-run.jsonl"
    command = [sys.executable, *f"-m pytest -q -p no:cacheprovider {plugin} tests/test_late.py".split()]
    # A run that is itself recorded must not record this one's tests.
    environment = {name: value for name, value in os.environ.items() if name != "LOREGRAPH_RECORDING"}
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, timeout=90)


def targets(project: Project, test: str) -> dict[str, str]:
    return {target: how for source, how, target in edges(project, "TESTS") if source == test}


# Verifies REQ-RUN-005.
def test_contexts_give_tests_edges(root: Path) -> None:
    with loregraph.open(root) as project:
        project.index(embed=False)
        before = edges(project, "TESTS")
        (found,) = project.import_runs([root / "lines.coverage"])
        assert (found.tests, found.outdated, found.left_out) == (5, 0, {})
        assert targets(project, TOTAL) == {
            f"{CART}::Cart.__init__": "coverage",
            f"{CART}::Cart.add": "coverage",
            f"{CART}::counted.wrapper": "coverage",
            f"{CART}::Cart.total": "call+coverage",
            "src/shop/prices.py::net": "coverage",
            "src/shop/prices.py::factor": "coverage",
        }
        (run,) = project.runs()
        assert (run.key, run.tests, run.edges) == ("coverage:lines.coverage", 5, found.edges)
        assert project.forget_runs("lines.coverage") == ["coverage:lines.coverage"]
        assert edges(project, "TESTS") == before
        assert project.runs() == []


# Verifies REQ-RUN-005, REQ-RUN-007.
def test_recorded_calls_join_those_in_the_code(root: Path) -> None:
    with loregraph.open(root) as project:
        project.index(embed=False)
        (found,) = project.import_runs([root / "observed.jsonl"])
        assert (found.outdated, found.left_out) == (0, {})
        calls = edges(project, "CALLS")
        assert (f"{CART}::Cart.discount", "self+observed", f"{CART}::Cart.total") in calls
        assert ("src/shop/prices.py::gross", "scope", "src/shop/prices.py::factor") in calls
        assert "observed" in targets(project, TOTAL)["src/shop/prices.py::net"]
        compared = project.compare_runs()
        assert compared.observed == compared.found + compared.missed > 10


def test_calls_that_only_a_run_knows_are_listed(root: Path) -> None:
    (root / "src/late.py").write_text(LATE)
    record(root, "import late\n\n\ndef test_late():\n    assert late.caller('late') == 1\n")
    with loregraph.open(root) as project:
        project.index(embed=False)
        project.import_runs([root / ".loregraph-run.jsonl"])
        assert ("src/late.py::caller", "observed", "src/late.py::target") in edges(project, "CALLS")
        (missed,) = project.compare_runs().calls
        assert (missed.caller, missed.callee, missed.line) == ("src/late.py::caller", "src/late.py::target", 9)
        assert missed.test == "tests/test_late.py::test_late"
        assert missed.kind == OTHER_NAME


def test_a_generator_is_called_where_its_name_stands(root: Path) -> None:
    (root / "src/late.py").write_text(GENERATORS)
    test = "import late\n\n\ndef test_both():\n    assert late.direct() == [1] and late.later(late.numbers()) == 1\n"
    record(root, test)
    with loregraph.open(root) as project:
        project.index(embed=False)
        project.import_runs([root / ".loregraph-run.jsonl"])
        callers = {source for source, how, target in edges(project, "CALLS") if target == "src/late.py::numbers"}
    assert callers == {"src/late.py::direct", "tests/test_late.py::test_both"}


def test_code_of_a_type_is_that_of_the_one_in_its_line(root: Path) -> None:
    code = "def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\n"
    (root / "src/late.py").write_text(code + "class A:\n    x = one()\n\n\nclass A:\n    x = two()\n")
    record(root, "import late\n\n\ndef test_late():\n    assert late.A.x == 2\n")
    with loregraph.open(root) as project:
        project.index(embed=False)
        project.import_runs([root / ".loregraph-run.jsonl"])
        seen = {(source, target) for source, how, target in edges(project, "CALLS") if "observed" in how}
    assert seen == {("src/late.py::A", "src/late.py::one"), ("src/late.py::A#2", "src/late.py::two")}


# Verifies REQ-RUN-006.
def test_facts_survive_index_and_wait_for_changed_code(root: Path) -> None:
    with loregraph.open(root) as project:
        project.index(embed=False)
        project.import_runs([root / "lines.coverage"])
        all_of_them = edges(project, "TESTS")
        project.index(full=True, embed=False)
        assert edges(project, "TESTS") == all_of_them
        test = root / "tests/test_cart.py"
        text = test.read_text()
        test.write_text("# moved\n\n" + text.replace("assert cart.total == 4", "assert cart.total == 4.0"))
        project.index(embed=False)
        assert set(targets(project, TOTAL).values()) == {"call"}, "another test than the one that ran"
        other = "tests/test_cart.py::test_lines"
        assert {one for one in edges(project, "TESTS") if one[0] == other} == {
            one for one in all_of_them if one[0] == other
        }
        fresh = edges(project, "TESTS")
        project.index(full=True, embed=False)
        assert edges(project, "TESTS") == fresh
        test.write_text(text)
        project.index(embed=False)
        assert edges(project, "TESTS") == all_of_them


# Verifies REQ-RUN-006.
def test_another_version_is_left_out_and_counted(root: Path) -> None:
    cart = root / CART
    cart.write_text("\n" + cart.read_text())
    os.utime(cart, (1.6e9, 1.6e9))
    with loregraph.open(root) as project:
        project.index(embed=False)
        (covered,) = project.import_runs([root / "lines.coverage"])
        assert covered.outdated == 1
        assert not [one for one in targets(project, TOTAL).items() if CART in one[0] and "coverage" in one[1]]
        (seen,) = project.import_runs([root / "observed.jsonl"])
        assert seen.outdated == 1, "the plugin names the content of each file"


# Verifies REQ-RUN-006.
def test_a_revision_names_what_was_measured(root: Path) -> None:
    def git(*args: str) -> None:
        options = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *options, *args], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", "src", "tests")
    git("commit", "-qm", "measured")
    cart = root / CART
    cart.write_text(
        cart.read_text().replace('return "never"', 'return "still never"').replace("share > 1", "1 < share")
    )
    with loregraph.open(root) as project:
        project.index(embed=False)
        (without,) = project.import_runs([root / "lines.coverage"])
        assert without.outdated == 1
        (found,) = project.import_runs([root / "lines.coverage"], revision="HEAD")
        assert found.outdated == 2, "the two functions that changed"
        assert "coverage" in targets(project, TOTAL)[f"{CART}::Cart.total"]
        with pytest.raises(UsageError, match="no revision"):
            project.import_runs([root / "lines.coverage"], revision="nothing")


# Verifies REQ-RUN-006.
def test_functions_say_whether_they_ran(root: Path) -> None:
    def executed(project: Project) -> dict[str, tuple[bool | None, bool]]:
        columns = project.reader().columns
        numbers = columns.nodes("Function", path=CART).tolist()
        return {columns.name(n): (columns.own(n, "executed"), columns.own(n, "outdated")) for n in numbers}

    with loregraph.open(root) as project:
        project.index(embed=False)
        assert set(executed(project).values()) == {(None, False)}
        project.import_runs([root / "lcov.info"])
        found = executed(project)
        assert found["add"] == found["wrapper"] == (True, False)
        assert found["never"] == (False, False)
        assert found["is_empty"] == (None, False)
        query = "MATCH (f:Function) WHERE f.executed = {} RETURN f.name ORDER BY f.name"
        assert [row["f.name"] for row in project.query(query.format("false"))] == ["gross", "never"]
        unknown = project.query("MATCH (f:Function) WHERE f.executed IS NULL AND f.name = 'is_empty' RETURN f.name")
        assert len(unknown) == 1
        cart = root / CART
        cart.write_text(cart.read_text().replace('return "never"', 'return "once"').replace("share > 1", "1 < share"))
        project.index(embed=False)
        edited = executed(project)
        assert edited["never"] == edited["discount"] == (None, True)
        assert edited["add"] == (True, False)
        project.index(full=True, embed=False)
        assert executed(project) == edited
        project.import_runs([root / "lines.coverage"], revision="")
        project.forget_runs()
        assert set(executed(project).values()) == {(None, False)}


def test_results_are_kept(root: Path) -> None:
    with loregraph.open(root) as project:
        project.index(embed=False)
        (found,) = project.import_runs([root / "junit.xml"])
        assert (found.tests, found.left_out) == (6, {})
        (one,) = (own for own in found.files["tests/test_cart.py"].tested if own.test.endswith("test_fails"))
        assert one.outcome == "failed" and one.seconds > 0


@pytest.mark.parametrize(
    ("folder", "file", "ran", "idle"),
    [
        ("javascript", "istanbul.json", "src/prices.js::net", "src/prices.js::gross"),
        ("javascript", "c8.info", "src/cart.js::Cart.add", "src/cart.js::Cart.never"),
        ("javascript", "v8.json", "src/cart.js::Cart.add", "src/cart.js::Cart.never"),
        (
            "java",
            "jacoco.xml",
            "src/main/java/com/acme/Cart.java::Cart.add",
            "src/main/java/com/acme/Cart.java::Cart.never",
        ),
        ("go", "cover.out", "cart/cart.go::Cart.Add", "prices.go::Gross"),
        ("c", "lcov.info", "cart.c::total", "cart.c::never"),
    ],
)
def test_every_language_by_its_tool(folder: str, file: str, ran: str, idle: str, tmp_path: Path) -> None:
    root = copied(folder, tmp_path)
    with loregraph.open(root) as project:
        project.index(embed=False)
        (found,) = project.import_runs([root / file])
    executed = {one.function: one.executed for own in found.files.values() for one in own.ran}
    assert executed[ran] is True
    assert executed[idle] is False


def test_the_files_of_the_configuration(root: Path) -> None:
    with loregraph.open(root) as project, pytest.raises(UsageError, match="no file of a run was named"):
        project.import_runs()
    (root / "pyproject.toml").write_text('[tool.loregraph.runs]\nsources = ["*.coverage"]\n')
    with loregraph.open(root) as project:
        assert [one.source.name for one in project.import_runs()] == ["branches.coverage", "lines.coverage"]


def test_a_wrong_file_changes_nothing(root: Path) -> None:
    (root / "wrong.info").write_text("SF:a\nDA:x\n")
    with loregraph.open(root) as project:
        project.index(embed=False)
        with pytest.raises(RunFileError, match=r"wrong.info, line 2"):
            project.import_runs([root / "lines.coverage", root / "wrong.info"])
        assert project.runs() == []
        with pytest.raises(UsageError, match="unknown run"):
            project.forget_runs("lines.coverage")


def test_an_empty_file_that_was_loaded_is_no_other_version(root: Path) -> None:
    (root / "src/shop/empty.py").write_text("")
    path = root / "more.info"
    path.write_text("SF:src/shop/empty.py\nDA:1,1\nend_of_record\n")
    with loregraph.open(root) as project:
        project.index(embed=False)
        (found,) = project.import_runs([path])
    assert (found.outdated, found.left_out) == (0, {})
