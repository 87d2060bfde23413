"""Definitions as they were at a revision, read with the extractor that makes the graph."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from loregraph.config import Settings
from loregraph.git import changed_lines
from loregraph.graph.definitions import DeclaredParameter
from loregraph.graph.state import State
from loregraph.indexer.revision import Side, both_sides, past, read_contents
from loregraph.project import Project

if TYPE_CHECKING:
    from tests.conftest import Repository

SOURCE = '''\
class Cart:
    """Holds items."""

    def add(self, item, count=1, *more, key=None, **rest):
        def check(x):
            return x
        return check(item)

    @staticmethod
    def empty(size: int) -> int:
        return size


handler = lambda event: event
'''


def read(path: str, language: str, text: str) -> Side:
    return read_contents({path: (language, text.encode())}, Settings())


def test_definitions_with_their_own_text_and_parameters() -> None:
    side = read("shop/cart.py", "python", SOURCE)
    found = {one.node.id: one for one in side.definitions["shop/cart.py"]}
    assert list(found) == [
        "shop/cart.py::Cart",
        "shop/cart.py::Cart.add",
        "shop/cart.py::Cart.add.check",
        "shop/cart.py::Cart.empty",
    ]
    assert '"""Holds items."""' in found["shop/cart.py::Cart"].text
    assert "def add" not in found["shop/cart.py::Cart"].text
    assert "return check(item)" in found["shop/cart.py::Cart.add"].text
    assert "return x" not in found["shop/cart.py::Cart.add"].text
    assert [(p.name, p.kind, p.is_optional) for p in found["shop/cart.py::Cart.add"].parameters] == [
        ("item", "", False),
        ("count", "", True),
        ("more", "*", True),
        ("key", "kw", True),
        ("rest", "**", True),
    ]
    (size,) = found["shop/cart.py::Cart.empty"].parameters
    assert (size.name, size.is_optional, bool(size.type)) == ("size", False, True)


def test_what_is_defined_inside_a_test_is_the_test() -> None:
    side = read(
        "tests/test_a.py", "python", "def test_a():\n    def helper():\n        return 1\n    assert helper()\n"
    )
    (test,) = side.definitions["tests/test_a.py"]
    assert "return 1" in test.text


def test_optional_parameters_of_typescript() -> None:
    side = read("a.ts", "typescript", "export function f(a: string, b?: number) { return a }\n")
    assert [(p.name, p.is_optional) for p in side.definitions["a.ts"][0].parameters] == [("a", False), ("b", True)]


def test_receivers_are_no_parameters() -> None:
    side = read("a.go", "go", "package a\n\nfunc (t *T) Run(n int) error { return nil }\n")
    assert [p.name for p in side.definitions["a.go"][0].parameters] == ["n"]
    assert DeclaredParameter("n", "", False, side.definitions["a.go"][0].parameters[0].type).type


def test_both_sides_of_a_change(repository: Repository) -> None:
    repository.write("old.py", "def stays(a):\n    return a\n\n\ndef goes():\n    pass\n" + "x = 1\n" * 20)
    repository.write("data.bin", "x")
    repository.write("skipped/a.py", "def f(): ...\n")
    repository.commit()
    repository.git("mv", "old.py", "new.py")
    repository.replace("new.py", "def goes():\n    pass\n", "")
    repository.replace("skipped/a.py", "f", "g")
    settings = Settings(exclude=("skipped/",))
    before, after = both_sides(repository.root, settings, "HEAD", changed_lines(repository.root, "HEAD"))
    assert {path: [d.node.name for d in found] for path, found in before.definitions.items()} == {
        "old.py": ["stays", "goes"]
    }
    assert {path: [d.node.name for d in found] for path, found in after.definitions.items()} == {"new.py": ["stays"]}


def test_both_sides_are_what_the_graph_has(repository: Repository) -> None:
    repository.write("cart.py", SOURCE)
    repository.commit()
    repository.replace("cart.py", "return size", "return 2 * size")
    with Project(repository.root) as project:
        project.index(embed=False, jobs=1)
        columns = project.reader().columns
        _, after = both_sides(repository.root, project.settings, "HEAD", changed_lines(repository.root, "HEAD"))
        for one in after.definitions["cart.py"]:
            number = columns.find_id(one.node.id)
            assert number is not None
            assert columns.own(number, "content_hash") == one.node.content_hash
            assert int(columns.start_line[number]) == one.node.start_line


def test_marks_and_files_that_do_not_parse() -> None:
    side = read("a.py", "python", "# Implements: REQ-7\ndef f():\n    pass\n")
    assert side.marks() == {"a.py::f": frozenset({"REQ-7"})}
    assert side.broken == frozenset()
    assert read("a.py", "python", "def f(:\n    ((\n").broken == {"a.py"}


def test_the_project_as_it_was(repository: Repository) -> None:
    repository.write("requirements.md", "# Requirements\n\n- **REQ-1** It works.\n- **REQ-2** It stays.\n")
    repository.write("a.py", "def helper():\n    # Implements: REQ-1\n    return 1\n")
    repository.write("b.py", "from a import helper\n\n\ndef use():\n    return helper()\n")
    repository.commit()
    repository.replace("a.py", "helper", "renamed")
    repository.replace("a.py", "    # Implements: REQ-1\n", "")
    repository.replace("requirements.md", "- **REQ-2** It stays.\n", "")
    with Project(repository.root) as project:
        project.index(embed=False, jobs=1)
        changes = changed_lines(repository.root, "HEAD")
        before, _ = both_sides(repository.root, project.settings, "HEAD", changes)
        state = State.open_read_only(project.store.state_path)
        assert state is not None
        with closing(state):
            arguments = (repository.root, project.settings, state, before, changes)
            nodes = list(project.reader().columns.all_nodes())
            whole = past(*arguments, nodes, resolved=True)
            only_requirements = past(*arguments, nodes, resolved=False)
    edges = {(edge.rel, edge.source, edge.target) for edge in whole.edges}
    assert ("CALLS", "b.py::use", "a.py::helper") in edges
    assert ("IMPLEMENTS_REQ", "a.py::helper", "REQ-1") in edges
    assert [one.id for one in whole.requirements] == ["REQ-1", "REQ-2"]
    assert {edge.rel for edge in only_requirements.edges} == {"IMPLEMENTS_REQ"}
