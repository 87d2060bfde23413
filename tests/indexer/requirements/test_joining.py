"""Documents and markers → nodes and edges, without a disk."""

from __future__ import annotations

import pytest

from loregraph.config import RequirementSettings
from loregraph.graph.model import Edge, Node
from loregraph.indexer.build.assemble import FileEntry, file_node, file_nodes
from loregraph.indexer.extract.file import extract
from loregraph.indexer.requirements.documents import read_document
from loregraph.indexer.requirements.joining import CommitLink, Joined, join
from loregraph.indexer.requirements.link_targets import Places

REQUIREMENTS = "# Requirements\n\n- REQ-1: It shall run.\n- REQ-2: It shall stop.\n- REQ-10: It shall sing.\n"


def joined(
    code: dict[str, str],
    documents: dict[str, str] | None = None,
    commits: tuple[CommitLink, ...] = (),
    settings: RequirementSettings | None = None,
) -> Joined:
    languages = {"py": "python", "c": "c", "h": "c", "go": "go"}
    files = {path: extract(path, text.encode(), languages[path.rpartition(".")[2]]) for path, text in code.items()}
    nodes: list[Node] = []
    for path, facts in files.items():
        nodes.append(file_node(FileEntry(path, facts.language, "", facts.lines, "indexed"), ""))
        nodes += file_nodes(facts, path.removesuffix(".py").replace("/", "."))[0]
    written = {"requirements.md": REQUIREMENTS} if documents is None else documents
    read = {p: read_document(p, t.encode(), settings or RequirementSettings()) for p, t in written.items()}
    return join(
        {path: found for path, found in read.items() if not found.is_empty},
        files,
        nodes,
        lambda path: f"component:{path.rpartition('/')[0] or '.'}",
        commits,
    )


def links(found: Joined) -> set[tuple[str, str, float]]:
    return {(e.source, e.target, e.confidence) for e in found.edges if e.rel == "IMPLEMENTS_REQ"}


def test_without_documents_markers_have_no_target() -> None:
    found = joined({"a.py": "# Implements: REQ-1\ndef f(): ...\n", "b.py": "# REQ-1, as told\ndef g(): ...\n"}, {})
    assert found == Joined(orphans={"a.py": ("1: REQ-1",)})


# Verifies REQ-SEC-010.
def test_a_number_of_thousands_of_digits_names_no_decision_record() -> None:
    written = f"# ADR-1 Wrap it\n\nrefines ADR-{'9' * 5000}\n"
    found = joined({"a.py": "def f(): ...\n"}, {"docs/adr/0001-x.md": written})
    assert not [edge for edge in found.edges if "999" in edge.target]


def test_the_surest_of_several_markers_is_kept_and_the_first_of_equals() -> None:
    found = joined({"a.py": "# REQ-1\n# Implements: REQ-1\n# Satisfies: REQ-1\ndef f(): ...\n"})
    (edge,) = found.edges
    assert edge == Edge(
        "IMPLEMENTS_REQ", "a.py::f", "REQ-1", how="marker", confidence=1.0, evidence="a.py:2: # Implements: REQ-1"
    )


@pytest.mark.parametrize("written", ["REQ-1", "REQ_1", "Req-1", "req-1"])
def test_tags_name_ids_as_people_write_them(written: str) -> None:
    assert links(joined({"a.py": f"# @req {written}\ndef f(): ...\n"})) == {("a.py::f", "REQ-1", 1.0)}


def test_a_test_s_name_names_the_longest_id_that_is_in_it() -> None:
    code = "def test_req_10_sings(): ...\n\n\ndef test_req_1(): ...\n\n\ndef test_request_1(): ...\n"
    found = joined({"tests/test_a.py": code})
    assert links(found) == {
        ("tests/test_a.py::test_req_10_sings", "REQ-10", 0.95),
        ("tests/test_a.py::test_req_1", "REQ-1", 0.95),
    }


def test_only_tests_are_named_after_requirements() -> None:
    assert links(joined({"a.py": "def handle_req_1(): ...\n"})) == set()


@pytest.mark.parametrize(
    ("comment", "orphans"),
    [
        ("Implements: REQ-9", ("1: REQ-9",)),
        ("as REQ-9 says", ("1: REQ-9",)),
        ("Implements: ABC-9", ("1: ABC-9",)),
        ("as ABC-9 says", ()),
        ("UTF-8, SHA256", ()),
        ("@implements Foo", ()),
        ("TODO: REQ-9", ()),
        ("@req REQ-1", ()),
    ],
)
def test_orphans_are_what_was_meant_to_name_something(comment: str, orphans: tuple[str, ...]) -> None:
    found = joined({"a.py": f"# {comment}\ndef f(): ...\n"})
    assert found.orphans.get("a.py", ()) == orphans


def test_what_the_head_of_a_file_says_of_a_design_holds_for_its_component() -> None:
    found = joined(
        {"pkg/a.py": '"""See ADR-1."""\n\n\nclass A:\n    """ADR 1."""\n'}, {"docs/adr/0001-x.md": "# 1. X\n"}
    )
    assert {(e.source, e.target) for e in found.edges if e.rel == "FOLLOWS_DESIGN"} == {
        ("component:pkg", "docs/adr/0001-x.md#x"),
        ("pkg/a.py::A", "docs/adr/0001-x.md#x"),
    }


def test_a_marker_above_a_prototype_is_about_the_function() -> None:
    found = joined(
        {"f.h": "/* REQ-1 */\nint f(void);\n/* REQ-2 */\nint g(void);\n", "f.c": "int f(void) { return 1; }\n"}
    )
    assert links(found) == {("f.c::f", "REQ-1", 0.5), ("f.h", "REQ-2", 0.5)}


def test_commits_are_about_the_innermost_function_of_their_lines() -> None:
    code = "def f():\n    def g():\n        return 1\n    return g\n\n\nX = 1\n"
    one = CommitLink("a.py", 3, 3, "REQ-1", "commit 0123456789ab: Implements: REQ-1")
    two = CommitLink("a.py", 7, 7, "REQ-2", "commit 0123456789ab: Implements: REQ-2")
    gone = CommitLink("gone.py", 1, 9, "REQ-2", "commit 0123456789ab: Implements: REQ-2")
    unknown = CommitLink("a.py", 1, 9, "REQ-99", "commit 0123456789ab: Refs: REQ-99")
    found = joined({"a.py": code}, commits=(one, two, gone, unknown))
    assert links(found) == {("a.py::f.g", "REQ-1", 0.7)}
    assert found.edges[0].evidence == "commit 0123456789ab: Implements: REQ-1"


def test_marker_beats_commit() -> None:
    link = CommitLink("a.py", 2, 2, "REQ-1", "commit 0123456789ab: Implements: REQ-1")
    found = joined({"a.py": "# Implements: REQ-1\ndef f(): ...\n"}, commits=(link,))
    assert [edge.evidence for edge in found.edges] == ["a.py:1: # Implements: REQ-1"]


def test_what_declares_beats_what_only_mentions() -> None:
    link = CommitLink("a.py", 2, 2, "REQ-1", "commit 0123456789ab: Implements: REQ-1")
    found = joined({"a.py": "# REQ-1\ndef f(): ...  # REQ-2\n"}, commits=(link,))
    assert [(edge.target, edge.how, edge.confidence) for edge in found.edges] == [
        ("REQ-1", "marker", 0.7),
        ("REQ-2", "mention", 0.5),
    ]


TABLE = REQUIREMENTS + "\n| Requirement | Code |\n|---|---|\n"


@pytest.mark.parametrize(
    ("cell", "source", "problem"),
    [
        ("src/a.py", "src/a.py", ""),
        ("`src/a.py::A.f`", "src/a.py::A.f", ""),
        ("[a](src/a.py)", "", "a is no file or symbol of the project"),
        ("a.py", "src/a.py", ""),
        ("A.f()", "src/a.py::A.f", ""),
        ("A::f", "src/a.py::A.f", ""),
        ("src.a.A", "src/a.py::A", ""),
        ("only", "src/b.py::only", ""),
        ("twice", "", "twice names several symbols of the project"),
        ("src/nothing.py", "", "src/nothing.py is no file or symbol of the project"),
        ("data/table.bin", "", ""),
        ("–", "", ""),
        ("n/a", "", ""),
        ("REQ-2", "", ""),
    ],
)
def test_declared_places(cell: str, source: str, problem: str) -> None:
    code = {
        "src/a.py": "class A:\n    def f(self): ...\n\n\ndef twice(): ...\n",
        "src/b.py": "def twice(): ...\n\n\ndef only(): ...\n",
    }
    found = joined(code, {"requirements.md": TABLE + f"| REQ-1 | {cell} |\n"})
    declared = [(e.source, e.how, e.confidence) for e in found.edges]
    assert declared == ([(source, "declared", 1.0)] if source else [])
    assert [p.message for p in found.problems] == ([problem] if problem else [])


def test_a_folder_is_its_component() -> None:
    from loregraph.graph.model import Component

    places = Places([Component("component:src/shop", "shop", "shop", "package", "src/shop", "python")])
    assert places.find("src/shop/") == "component:src/shop"
    assert places.find("src") is None


def test_requirements_of_every_document_are_one_set() -> None:
    found = joined(
        {},
        {
            "requirements.md": REQUIREMENTS,
            "docs/design.md": "# Design\n\n## Engine\n\nFor REQ-1 and REQ-404.\n",
            "docs/more.rst": ".. req:: A\n   :id: N_1\n   :links: REQ-1\n",
        },
    )
    assert sorted(node.id for node in found.nodes) == ["N_1", "REQ-1", "REQ-10", "REQ-2", "docs/design.md#engine"]
    assert [(e.rel, e.source, e.target, e.how) for e in found.edges] == [
        ("SATISFIES", "docs/design.md#engine", "REQ-1", "mention")
    ]
