"""What is told of a project: which, in which order, what to do."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from loregraph.analysis.duplicates.results import Family
from loregraph.analysis.duplicates.semantic import near_pairs
from loregraph.errors import UsageError
from loregraph.graph.vector_index import VectorIndex, write_vectors
from loregraph.project import Project

from .conftest import EDITED, LOAD, OTHER, RENAMED

Make = Callable[[dict[str, str]], Project]
CALLS = "from shop.b import fetch\n\n\ndef one():\n    return fetch('a')\n\n\ndef two():\n    return fetch('b')\n"
FILES = {"shop/__init__.py": "", "shop/a.py": LOAD, "shop/b.py": RENAMED, "shop/c.py": EDITED, "shop/d.py": OTHER}


def family_of(project: Project) -> Family:
    (family,) = project.duplicates().families
    return family


def test_the_one_that_is_called_most_is_kept_and_who_calls_the_others_is_said(make_project: Make) -> None:
    calls_a = "from shop.a import load\n\n\ndef three():\n    return load('c')\n"
    with make_project({**FILES, "shop/use.py": CALLS, "shop/more.py": calls_a}) as project:
        family = family_of(project)
    assert family.keep == "shop/b.py::fetch"
    assert [side.id for side in family.members] == ["shop/b.py::fetch", "shop/a.py::load", "shop/c.py::load"]
    assert "Keep shop/b.py::fetch (2 callers, documented)" in family.recommendation
    assert "shop/more.py (1)" in family.recommendation
    assert family.clone_type == "type-3"
    assert family.lines == round((10 + 12) * family.similarity)


def test_methods_of_classes_with_one_base_belong_there(make_project: Make) -> None:
    method = LOAD.replace("\n", "\n    ").replace("load(", "load(self, ")
    source = f"class Base:\n    pass\n\n\nclass One(Base):\n{method}\n\nclass Two(Base):\n{method}\n"
    with make_project({"a.py": source}) as project:
        assert "in a.py::Base, which their classes have in common" in family_of(project).recommendation


def test_tests_come_last_and_are_told_apart(make_project: Make) -> None:
    test = OTHER.replace("walk(tree, visit)", "test_walk(tree, visit)") + "    print(stack)\n" * 20
    files = {"tests/test_a.py": test, "tests/test_b.py": test, "a.py": LOAD, "b.py": LOAD}
    with make_project(files) as project:
        ours, tests = project.duplicates().families
    assert (ours.role, tests.role) == ("code", "tests")
    assert ours.lines < tests.lines
    assert tests.recommendation.startswith("Tests: ")


def test_paths_say_what_is_looked_at(make_project: Make) -> None:
    with make_project({**FILES, "other/e.py": LOAD}) as project:
        assert {pair.b.file_path for pair in project.duplicates().pairs} == {"shop/a.py", "shop/b.py", "shop/c.py"}
        inside = project.duplicates([project.root / "shop"]).pairs
        assert all(pair.a.file_path.startswith("shop/") for pair in inside)
        assert len(inside) == 3
        assert project.duplicates([project.root / "shop/a.py"]).pairs == ()


def test_only_what_touches_a_change(make_project: Make) -> None:
    with make_project({"a.py": LOAD, "b.py": RENAMED, "c.py": OTHER}) as project:
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(project.root)]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
            subprocess.run([*git, *command], check=True)
        (project.root / "d.py").write_text(OTHER, encoding="utf-8")
        project.index(jobs=1, embed=False)
        assert len(project.duplicates().pairs) == 2
        (pair,) = project.duplicates(since="HEAD").pairs
        assert (pair.a.id, pair.b.id) == ("c.py::walk", "d.py::walk")
        with pytest.raises(UsageError, match="no revision"):
            project.duplicates(since="nowhere")


@pytest.mark.parametrize("settings", [{"threshold": 0.1}, {"threshold": 1.1}, {"min_tokens": 0}, {"semantic": True}])
def test_wrong_questions(make_project: Make, settings: dict[str, float]) -> None:
    with make_project({"a.py": LOAD}) as project, pytest.raises(UsageError):
        project.duplicates(**settings)  # type: ignore[arg-type]


def test_copies_of_code_and_of_a_function(make_project: Make) -> None:
    with make_project(FILES) as project:
        found = project.copies_of(code=LOAD, threshold=0.6)
        assert [(copy.id, copy.clone_type) for copy in found] == [
            ("shop/a.py::load", "type-1"),
            ("shop/b.py::fetch", "type-2"),
            ("shop/c.py::load", "type-3"),
        ]
        assert [copy.id for copy in project.copies_of(symbol="shop/a.py::load", threshold=0.6, limit=1)] == [
            "shop/b.py::fetch"
        ]
        assert project.copies_of(code=LOAD, language="java") == []
        assert "use load instead of writing it again" in found[0].recommendation
        with pytest.raises(UsageError, match="too few"):
            project.copies_of(code="x = 1")


def test_near_by_meaning_are_those_that_are_nearest_to_each_other(tmp_path: Path) -> None:
    rows = np.array([[1, 0, 0], [0.99, 0.1, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    write_vectors(tmp_path, rows / np.linalg.norm(rows, axis=1, keepdims=True), np.array([2, 3, 5, 7]))
    first, second, cosine = near_pairs(VectorIndex(tmp_path), np.array([2, 3, 4, 5]), 0.8)
    assert (first.tolist(), second.tolist()) == ([0], [1])
    assert cosine[0] > 0.99


def test_other_code_that_may_do_the_same_is_told_apart(make_project: Make) -> None:
    other = '''
def load(path, limit=10):
    """Read the rows of a file."""
    with open(path, encoding="utf-8") as stream:
        lines = [line for line in stream.read().splitlines() if line.strip()][:limit]
    pairs = {line.partition("=")[0].strip(): float(line.partition("=")[2]) for line in lines}
    rows = list(pairs.items())
    rows.sort(key=operator.itemgetter(1))
    return rows
'''
    with make_project({"shop/a.py": LOAD, "shop/b.py": other}) as project:
        project.index(jobs=1)
        assert project.duplicates().pairs == ()
        (pair,) = project.duplicates(semantic=True).pairs
    assert (pair.clone_type, pair.scope) == ("type-4", "function")


def test_many_that_are_only_of_one_shape_are_not_told_to_call_one(make_project: Make) -> None:
    ends = [
        f"    {name}s = [row.{name} for row in rows if row.{name} > {number}]\n"
        f"    for {name} in {name}s:\n        print({name}.upper(), file=sink{number}.open({name}))\n"
        for number, name in enumerate(["cost", "size", "rank", "name", "kind", "mark"])
    ]
    files = {
        f"m{number}.py": LOAD.replace("    return sorted", f"{end}    return sorted") for number, end in enumerate(ends)
    }
    with make_project(files) as project:
        (family,) = project.duplicates().families
        assert family.recommendation.startswith("Keep ")
    from loregraph.analysis.duplicates.advice import Kin, recommendation

    loose = Kin(0, (1, 2, 3, 4, 5), "type-3", "function", 0.6, False)
    with Project(project.root, store=project.store.path) as again:
        assert recommendation(again.reader().columns, loose).startswith("One shape 6 times")


def test_what_is_the_same_to_the_letter_comes_first_and_no_line_counts_twice(make_project: Make) -> None:
    long = OTHER + "    print(stack)\n" * 30
    renamed = long.replace("stack", "heap").replace("walk", "stroll")
    with make_project({"a.py": LOAD, "b.py": LOAD, "c.py": long, "d.py": renamed}) as project:
        exact, rest = project.duplicates().families
    assert (exact.clone_type, rest.clone_type) == ("type-1", "type-2")
    assert exact.lines < rest.lines
    with make_project({"c.py": long, "d.py": long, "e.py": f"{long}    log(stack)\n{LOAD}", "f.py": LOAD}) as project:
        found = project.duplicates()
    lines = {
        (side.file_path, n)
        for f in found.families
        for side in f.members
        for n in range(side.start_line, side.end_line + 1)
    }
    assert sum(family.lines for family in found.families) < len(lines)


def test_a_method_that_an_interface_prescribes_is_no_finding(make_project: Make) -> None:
    body = """
    def render(self, out):
        out.write(self.head, 1, 2)
        out.write(self.body, 3, 4)
        if not self.feet:
            out.close(self.head, self.body)
        return out
"""
    classes = "".join(f"class {name}(Widget):{body}\n\n" for name in ("Button", "Label", "Panel"))
    with make_project({"a.py": f"from toolkit import Widget\n\n\n{classes}"}) as project:
        found = project.duplicates()
    (family,) = found.families
    assert (family.role, family.clone_type, found.findings) == ("prescribed", "type-1", ())
    with make_project({"a.py": classes.replace("(Widget)", "")}) as project:
        assert [family.role for family in project.duplicates().findings] == ["code"]


def test_twins_with_and_without_async_are_said_to_be_such(make_project: Make) -> None:
    plain = LOAD.replace("\n", "\n    ").replace("def load(", "def read_all(self, ")
    waiting = plain.replace("def read_all", "async def aread_all")
    source = f"class Client:\n    {plain}\n\nclass AsyncClient:\n    {waiting}\n"
    with make_project({"a.py": source}) as project:
        found = project.duplicates()
    (family,) = found.families
    assert (family.role, found.findings) == ("twins", ())
    assert "without" in family.recommendation


def test_mains_of_examples_stand_apart(make_project: Make) -> None:
    main = LOAD.replace("def load(", "def main(")
    with make_project({"examples/one/app.py": main, "examples/two/app.py": main, "shop/a.py": OTHER}) as project:
        found = project.duplicates()
    assert [family.role for family in found.families] == ["examples"]
    assert found.findings == ()


def roles_of(project: Project) -> list[str]:
    return [family.role for family in project.duplicates().families]


@pytest.mark.parametrize(
    ("head", "body", "role"),
    [
        ("__init__(self, message: str, request: Request) -> None", "super().__init__(message, request)", "prescribed"),
        ("__iter__(self) -> typing.Iterator[typing.Any]", "return iter(self.keys())", "prescribed"),
        ("read(self, one, two)", "self.one = one\n        return self.open(one, two, self.mode, again=False)", "short"),
        # One call is one statement, on however many lines.
        (
            "send(self, url: str, head: Head)",
            "return self.request(\n    url,\n    head=head,\n    body=None,\n)",
            "short",
        ),
    ],
)
def test_a_body_of_a_statement_or_two_has_nothing_to_share(make_project: Make, head: str, body: str, role: str) -> None:
    source = "\n\n".join(f"class {name}:\n    def {head}:\n        {body}\n" for name in ("One", "Two", "Three"))
    with make_project({"a.py": source}) as project:
        assert roles_of(project) == [role]
        assert project.duplicates().findings == ()


def test_settings_are_alike_whatever_they_set(make_project: Make) -> None:
    def parser(name: str, options: str) -> str:
        added = "".join(
            f'    sub.add_argument("--{one}", help="the {one} of it", default=None)\n' for one in options.split()
        )
        return (
            f'def add_{name}(subs, shared):\n    sub = subs.add_parser("{name}", help="{name} it", **shared)\n{added}'
        )

    one = parser("link", "parent child depth tree kind")
    other = parser("move", "target origin name") + "    sub.set_defaults(run=shared)\n    subs.close()\n"
    with make_project({"a.py": one, "b.py": other}) as project:
        assert roles_of(project) == ["alike"]
        assert project.duplicates().findings == ()


AUDIT = (
    "    audit = Audit(path)\n    while audit.waits():\n        audit.step(sink.first[0], -1)\n"
    "        if audit.failed and not audit.quiet:\n            raise Failed(audit.reason or 'none') from None\n"
    "    for one in {**audit.open, 'last': 2 * limit}:\n        yield one[3:], audit.size % 7\n"
)


def test_loose_copies_are_told_and_fail_no_build(make_project: Make) -> None:
    other = LOAD.replace("    return sorted", f"{AUDIT}    return sorted")
    with make_project({"a.py": LOAD, "b.py": other}) as project:
        found = project.duplicates()
    (family,) = found.families
    assert (family.role, family.similarity < 0.7, found.findings) == ("alike", True, ())
    with make_project({"b.py": EDITED}) as project:
        (family,) = project.duplicates().findings
    assert (family.role, family.similarity > 0.7) == ("code", True)


@pytest.mark.parametrize(
    ("paths", "role"),
    [
        (("a.go", "b.go"), "code"),
        (("a_test.go", "b_test.go"), "tests"),
        (("a.go", "b_test.go"), "code"),
        (("a.go", "testdata/a.go"), "examples"),
        (("samples/a.go", "samples/b.go"), "examples"),
        (("src/main/java/org/samples/shop/a.go", "src/main/java/org/samples/shop/b.go"), "code"),
    ],
)
def test_where_copies_stand_says_what_they_are_for(make_project: Make, paths: tuple[str, str], role: str) -> None:
    """Also helpers beside tests, which are none themselves."""
    text = """package a

func helper(rows []Row, limit int) (int, error) {
	total := 0
	for i, row := range rows {
		if i >= limit || row.Empty() {
			continue
		}
		value, err := row.Parse(total, "%d rows")
		if err != nil {
			return total, err
		}
		total += value
	}
	return total, nil
}
"""
    with make_project(dict.fromkeys(paths, text)) as project:
        assert roles_of(project) == [role]


def test_twins_of_which_one_is_called_sync_and_twins_in_tests(make_project: Make) -> None:
    plain = LOAD.replace("\n", "\n    ").replace("def load(", "def sync_flow(self, ")
    waiting = plain.replace("def sync_flow", "async def async_flow").replace("with open", "async with open")
    test = LOAD.replace("def load(", "def test_load(")
    waiting_test = test.replace("def test_load(", "async def test_async_load(")
    files = {
        "a.py": f"class Auth:\n    {plain}\n    {waiting}\n",
        "tests/test_a.py": f"{test}\n{waiting_test}".replace("rows", "lines"),
    }
    with make_project(files) as project:
        assert "twins" in roles_of(project)
        assert "tests" not in roles_of(project)


def test_a_part_that_stands_twice_in_one_line_is_no_copy(make_project: Make) -> None:
    """Two places that are one line have no line that could go."""
    part = 'send(a.b[1], c, not d, e + f * g, "h", i(j)[k:l], {m: n}, *o, p=q - r, s=t if u else v, w=lambda x: y @ z)'
    source = f"def once(a):\n    use({part}, {part})\n    stop(a)\n    again(a)\n"
    with make_project({"a.py": source, "b.py": LOAD, "c.py": LOAD}) as project:
        assert [family.clone_type for family in project.duplicates().families] == ["type-1"]


def test_one_whose_nearest_is_in_another_family_is_what_could_go(make_project: Make) -> None:
    """Also where it is called most: who writes a copy is told, not who was copied from."""
    far = LOAD.replace("load(", "fetch(").replace("    return sorted", f"{AUDIT}    return sorted")
    calls = CALLS.replace("shop.b", "d")
    with make_project({"a.py": LOAD, "b.py": LOAD.replace(">=", ">"), "d.py": far, "use.py": calls}) as project:
        near, other = project.duplicates().families
    assert (len(near.members), [side.id for side in other.members[1:]]) == (2, ["d.py::fetch"])
    assert near.lines > 0 < other.lines


def script(name: str, command: str) -> str:
    steps = "\n".join(f"{command} {number}" for number in range(30))
    return LOAD.replace("load", name).replace('partition("=")', f'partition("""\n{steps}\n""")')


# Verifies REQ-DUP-001.
def test_lines_of_a_long_string_could_go_only_where_both_have_it(make_project: Make) -> None:
    with make_project({"a.py": script("load", "echo"), "b.py": script("fetch", "echo")}) as project:
        assert (family := family_of(project)).clone_type == "type-2"
        assert family.lines == 10 + 31
    with make_project({"b.py": script("fetch", "print")}) as project:
        assert (family := family_of(project)).clone_type == "type-3"
        assert family.lines == round(10 * family.similarity)
