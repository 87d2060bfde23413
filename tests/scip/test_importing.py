"""Indexes of compilers joined with the graph."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.errors import UsageError
from loregraph.graph.model import Edge
from loregraph.project import Project
from loregraph.scip import schema

from .messages import encoded
from .projects import FOLDER, PYTHON, TYPESCRIPT, written

Make = Callable[[dict[str, str]], Project]


@pytest.fixture
def make(tmp_path: Path, engine_later: None) -> Iterator[Make]:
    opened: list[Project] = []

    def project(files: dict[str, str]) -> Project:
        made = Project(written(tmp_path / f"project{len(opened)}", files))
        opened.append(made)
        made.index(embed=False)
        return made

    yield project
    for one in opened:
        one.close()


def graph(project: Project) -> list[Any]:
    columns = project.reader().columns
    return [*columns.all_nodes(), *columns.all_edges()]


def call(project: Project, source: str, target: str) -> Edge | None:
    edges = project.reader().columns.all_edges()
    return next((e for e in edges if (e.rel, e.source, e.target) == ("CALLS", source, target)), None)


def index_file(folder: Path, *documents: Any) -> Path:
    path = folder / "hand.scip"
    path.write_bytes(encoded(*documents))
    return path


def document(path: str, *occurrences: tuple[int, int, int, str, int], text: str = "") -> Any:
    """One file of an index; an occurrence is line and columns from 0, symbol, roles."""
    made = schema.messages().Document(relative_path=path, text=text, position_encoding=schema.UTF32)
    for line, start, end, symbol, roles in occurrences:
        made.occurrences.add(range=(line, start, end), symbol=symbol, symbol_roles=roles)
    return made


# Verifies REQ-EXC-001.
def test_what_scip_python_knows(make: Make) -> None:
    project = make(PYTHON)
    found = project.import_scip(FOLDER / "python.scip")
    assert (found.definitions, found.references) == (11, 22)
    assert (found.agree, found.added, found.disagree) == (20, 1, 0)
    assert (found.outdated, found.unknown) == ((), 0)
    # Behind characters that UTF-16 counts twice, on a line with two statements.
    (draw,) = found.additions
    assert (draw.file, draw.line, draw.name, draw.caller) == ("shop/show.py", 8, "draw", "shop/show.py::show")
    assert draw.scip == ("shop/styles.py::Style.draw",)


# Verifies REQ-EXC-001.
def test_what_scip_typescript_knows(make: Make) -> None:
    project = make(TYPESCRIPT)
    found = project.import_scip(FOLDER / "typescript.scip")
    assert (found.definitions, found.references) == (10, 11)
    assert (found.agree, found.added, found.disagree) == (10, 1, 0)
    assert [(one.name, one.scip) for one in found.additions] == [("Ok", ("src/result.ts::Ok#2",))]


# Verifies REQ-EXC-002.
def test_edges_keep_both_reasons(make: Make) -> None:
    project = make(PYTHON)
    before = call(project, "shop/show.py::later", "shop/show.py::main")
    assert before is not None and before.how == "scope"
    project.import_scip(FOLDER / "python.scip")
    after = call(project, "shop/show.py::later", "shop/show.py::main")
    assert after is not None and (after.how, after.confidence, after.line) == ("scope+scip", 1.0, before.line)
    added = call(project, "shop/show.py::show", "shop/styles.py::Style.draw")
    assert added is not None and (added.how, added.confidence, added.lines) == ("scip", 1.0, (8,))
    [source] = project.imported()
    assert (source.key, source.revision) == ("scip:python.scip", "scip-python 0.6.6")


# Verifies REQ-EXC-003.
def test_an_edit_gives_the_graph_of_a_fresh_index(make: Make) -> None:
    project = make(PYTHON)
    project.import_scip(FOLDER / "python.scip")
    joined = graph(project)
    show = project.root / "shop/show.py"
    text = show.read_text()
    styles = project.root / "shop/styles.py"
    whole = styles.read_text()
    renamed = whole.replace("def draw", "def drawn", 1)
    edits = [
        (show, text.replace("def later", "def sooner")),
        (show, "# moved\n" + text),
        (show, text),
        (styles, renamed),
        (styles, whole),
    ]
    for path, content in edits:
        path.write_text(content)
        project.index(embed=False)
        edited = graph(project)
        project.index(embed=False, full=True)
        assert graph(project) == edited
        has = call(project, "shop/show.py::show", "shop/styles.py::Style.draw") is not None
        assert has == (show.read_text() == text and styles.read_text() == whole)
    assert graph(project) == joined


# Verifies REQ-EXC-003.
def test_an_import_is_replaced_and_forgotten(make: Make) -> None:
    project = make(PYTHON)
    before = graph(project)
    first = project.import_scip(FOLDER / "python.scip")
    joined = graph(project)
    assert project.import_scip(FOLDER / "python.scip") == first
    assert graph(project) == joined != before
    assert len(project.imported()) == 1
    project.forget_imported("scip:python.scip")
    assert graph(project) == before
    assert project.imported() == []
    with pytest.raises(UsageError, match="unknown source"):
        project.forget_imported("scip:python.scip")


# Verifies REQ-EXC-003.
def test_files_that_changed_since_are_left_out(make: Make) -> None:
    project = make(PYTHON)
    show = project.root / "shop/show.py"
    show.write_text('"""Another head, which moves all below by two lines."""\n\n' + show.read_text())
    found = project.import_scip(FOLDER / "python.scip")
    assert found.outdated == ("shop/show.py",)
    assert (found.added, found.disagree) == (0, 0)
    assert found.agree > 0  # of the other file


# Verifies REQ-EXC-003.
def test_a_text_in_the_index_decides(make: Make, tmp_path: Path) -> None:
    project = make({"a.py": "def f(): ...\ndef g(): f()\n"})
    places = ((0, 4, 5, "x . . . f().", 1), (1, 9, 10, "x . . . f().", 0))
    path = index_file(tmp_path, document("a.py", *places, text="def f(): ...\r\ndef g(): f()\r\n"))
    assert project.import_scip(path).agree == 1
    path = index_file(tmp_path, document("a.py", *places, text="def f(): ...\ndef g(): f() \n"))
    found = project.import_scip(path)
    assert (found.agree, found.outdated) == (0, ("a.py",))


# Verifies REQ-EXC-002.
def test_disagreement_is_reported_with_both_targets(make: Make, tmp_path: Path) -> None:
    files = {
        "a.py": "class A:\n    def run(self): ...\n\n\nclass B:\n    def run(self): ...\n",
        "b.py": "from a import A\n\n\ndef go(a: A):\n    a.run()\n",
    }
    project = make(files)
    path = index_file(
        tmp_path,
        document("b.py", (4, 6, 9, "x . . . B#run().", 0)),
        document("a.py", (5, 8, 11, "x . . . B#run().", 1)),
    )
    found = project.import_scip(path)
    assert (found.agree, found.added, found.disagree) == (0, 0, 1)
    [one] = found.differences
    assert (one.file, one.line, one.caller) == ("b.py", 5, "b.py::go")
    assert (one.scip, one.ours) == (("a.py::B.run",), ("a.py::A.run",))
    assert call(project, "b.py::go", "a.py::A.run") is not None
    theirs = call(project, "b.py::go", "a.py::B.run")
    assert theirs is not None and theirs.how == "scip"


# Verifies REQ-EXC-002.
def test_what_is_overridden_is_no_disagreement(make: Make, tmp_path: Path) -> None:
    """A compiler names the method that is declared; we also know which ones run."""
    files = {
        "a.py": "class A:\n    def run(self): ...\n\n\nclass B(A):\n    def run(self): ...\n\n\nB().run()\n",
    }
    path = index_file(tmp_path, document("a.py", (1, 8, 11, "x . . . A#run().", 1), (8, 4, 7, "x . . . A#run().", 0)))
    found = make(files).import_scip(path)
    assert (found.agree, found.added, found.disagree) == (0, 1, 0)


# Verifies REQ-EXC-002.
def test_a_name_that_is_not_called_adds_nothing(make: Make, tmp_path: Path) -> None:
    project = make({"a.py": "def f(): ...\n\n\nnames = dict(f=1)\nother = [f, f]\n"})
    path = index_file(
        tmp_path,
        document("a.py", (0, 4, 5, "x . . . f().", 1), (3, 13, 14, "x . . . f().", 0), (4, 9, 10, "x . . . f().", 0)),
    )
    found = project.import_scip(path)
    assert (found.references, found.added, found.disagree) == (2, 0, 0)


# Verifies REQ-EXC-001.
@pytest.mark.parametrize("files", [PYTHON, TYPESCRIPT], ids=["python", "typescript"])
def test_our_own_export_agrees_in_everything(make: Make, tmp_path: Path, files: dict[str, str]) -> None:
    project = make(files)
    with (tmp_path / "own.scip").open("wb") as file:
        written_ = project.export_scip(file)
    found = project.import_scip(tmp_path / "own.scip")
    assert found.agree == found.references > 0
    assert (found.added, found.disagree, found.outdated, found.unknown) == (0, 0, (), 0)
    assert found.definitions <= written_.definitions


# Verifies REQ-EXC-001.
def test_an_index_of_a_folder_below_the_root(make: Make, tmp_path: Path) -> None:
    project = make({"web/a.py": "def f(): ...\ndef g(): f()\n"})
    places = ((0, 4, 5, "x . . . f().", 1), (1, 9, 10, "x . . . f().", 0))
    root = (project.root / "web").as_uri()
    path = tmp_path / "web.scip"
    path.write_bytes(encoded(document("a.py", *places), root=root))
    assert project.import_scip(path).agree == 1
    path.write_bytes(encoded(document("a.py", *places), root="file:///another/machine/web"))
    assert project.import_scip(path).unknown == 1
    assert project.import_scip(path, folder="web").agree == 1


# Verifies REQ-EXC-003.
def test_a_branch_that_comes_back_finds_its_claims(make: Make) -> None:
    project = make(PYTHON)
    project.import_scip(FOLDER / "python.scip")
    joined = graph(project)
    away = project.root.parent / "away"
    shutil.move(project.root / "shop/show.py", away)
    project.index(embed=False)
    assert call(project, "shop/show.py::show", "shop/styles.py::Style.draw") is None
    shutil.move(away, project.root / "shop/show.py")
    project.index(embed=False)
    assert graph(project) == joined


def test_nothing_is_written_beside_the_store(make: Make) -> None:
    project = make(PYTHON)
    before = sorted(path for path in project.root.rglob("*") if ".loregraph" not in path.parts)
    project.import_scip(FOLDER / "python.scip")
    project.export_scip(io.BytesIO())
    assert sorted(path for path in project.root.rglob("*") if ".loregraph" not in path.parts) == before
