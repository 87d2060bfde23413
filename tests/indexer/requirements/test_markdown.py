from __future__ import annotations

import pytest

from loregraph.indexer.requirements import markdown
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.model import Document, Item

IDS = compiled(DEFAULT_PATTERN)


def read(text: str, path: str = "docs/requirements.md", named: bool = True) -> Document:
    return markdown.read(path, text, IDS, named)


def only(text: str) -> Item:
    (item,) = read(text).items
    return item


@pytest.mark.parametrize(
    ("text", "title", "stated"),
    [
        ("- **REQ-1** It shall run.", "It shall run", "It shall run."),
        ("- **REQ-1:** It shall run.", "It shall run", "It shall run."),
        ("- **REQ-1: Speed** It shall run.", "Speed", "It shall run."),
        ("- **REQ-1 – Speed.** It shall run.", "Speed", "It shall run."),
        ("* REQ-1: It shall `run`.", "It shall run", "It shall `run`."),
        ("1. [REQ-1] It shall run.", "It shall run", "It shall run."),
        ("- `REQ-1` `run` shall run.", "run shall run", "`run` shall run."),
        ("- [x] REQ-1 – It shall run.", "It shall run", "It shall run."),
        ('- <a id="r1"></a>**REQ-1** It shall run.', "It shall run", "It shall run."),
        ("REQ-1: It shall run.", "It shall run", "It shall run."),
        ("## REQ-1 Speed\n\nIt shall run.", "Speed", "It shall run."),
        ("## **REQ-1**: Speed\n\nIt shall run.", "Speed", "It shall run."),
        ("## Speed {#REQ-1}\n\nIt shall run.", "Speed", "It shall run."),
        ("REQ-1 Speed\n-----------\n\nIt shall run.", "Speed", "It shall run."),
        ("| ID | Requirement |\n|---|---|\n| REQ-1 | It shall run. |", "It shall run", "It shall run."),
        (
            "| ID | Title | Description |\n|---|---|---|\n| **REQ-1** | Speed | It shall run. |",
            "Speed",
            "It shall run.",
        ),
        ("| | |\n|---|---|\n| REQ-1 | It shall run. |", "It shall run", "It shall run."),
    ],
)
def test_where_a_requirement_is_defined(text: str, title: str, stated: str) -> None:
    item = only(text)
    assert (item.id, item.title, item.text) == ("REQ-1", title, stated)


@pytest.mark.parametrize(
    "text",
    [
        "Text about REQ-1 and more.",
        "REQ-1 is what this is about.",
        "- [REQ-1](#req-1) has a link, so it is a reference",
        "- REQ-1",
        "- REQ-1, REQ-2",
        "- REQ-1 and REQ-2 are alike in this",
        "```\n- **REQ-1** It shall run.\n```",
        "    - REQ-1: indented code it is",
        "<!--\n- **REQ-1** It shall run.\n-->",
    ],
)
def test_what_only_names_a_requirement(text: str) -> None:
    assert read(text).items == ()


@pytest.mark.parametrize(
    ("text", "status", "priority"),
    [
        ("- **REQ-1** It shall run. `status: planned`", "planned", ""),
        ("- **REQ-1** It shall run. (`Status: In Review`)", "in review", ""),
        ("- **REQ-1** It shall run.\n  - Status: Approved\n  - Priority: high", "approved", "high"),
        ("## REQ-1 Speed\n\n**Status:** Draft\n\nIt shall run.", "draft", ""),
        ("| ID | Text | Status | Prio |\n|---|---|---|---|\n| REQ-1 | It shall run. | done | P1 |", "done", "p1"),
        ("- **REQ-1** It shall run, whatever its status: that is open.", "", ""),
    ],
)
def test_status_and_priority(text: str, status: str, priority: str) -> None:
    item = only(text)
    assert (item.status, item.priority) == (status, priority)
    assert "It shall run" in item.text
    assert "`status" not in item.text.lower()


def test_a_text_goes_up_to_the_next_definition() -> None:
    one, two, three, four = read(
        "# All\n\n## REQ-1 One\n\nText.\n\n### Notes\n\nMore.\n\n### REQ-2 Two\n\nOther.\n\n- **REQ-3** A list item\n"
        "  of two lines.\n\n## Else\n\nNot theirs.\n\n## REQ-4 Four\n"
    ).items
    assert one.text == "Text.\n\n### Notes\n\nMore."
    assert two.text == "Other."
    assert three.text == "A list item\nof two lines."
    assert (four.text, four.title, four.line) == ("Four", "Four", 22)


def test_links_keep_their_place_and_what_they_mean() -> None:
    item = only("- **REQ-1** It shall run,\n  unlike REQ-2.\n\n  Parent: REQ-3\n")
    assert [(link.target, link.role, link.line) for link in item.links] == [
        ("REQ-3", "parent", 4),
        ("REQ-2", "mention", 2),
    ]
    assert item.links[0].text == "Parent: REQ-3"


def test_front_matter_makes_a_file_one_requirement() -> None:
    item = only("---\nid: REQ-7\ntitle: Speed\nstatus: Draft\nsatisfies: [REQ-1, REQ-2]\n---\n\nIt shall run.\n")
    assert (item.id, item.title, item.status, item.text) == ("REQ-7", "Speed", "draft", "It shall run.")
    assert [link.target for link in item.links] == ["REQ-1", "REQ-2"]


def test_front_matter_that_is_no_yaml_is_a_problem_of_a_document_that_is_named() -> None:
    text = "---\ntitle: {{ page }\n---\n\n- **REQ-1** It shall run.\n"
    document = read(text)
    assert [item.line for item in document.items] == [5]
    assert document.problems[0][1].startswith("front matter: ")
    assert read("---\ntitle: {{ page }\n---\n\nWords.\n", named=False).problems == ()


def test_aliases_in_front_matter_are_not_expanded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    document = read("---\n" + "\n".join(lines) + "\n---\n")
    assert "aliases" in document.problems[0][1]


def test_a_traceability_table_traces_and_defines_nothing() -> None:
    document = read("| Requirement | Code | Tests |\n|---|---|---|\n| REQ-1 | `src/a.py::f`, src/b.py | – |\n")
    assert document.items == ()
    (trace,) = document.traces
    assert (trace.ids, trace.places, trace.line, trace.sure) == (("REQ-1",), ("src/a.py::f", "src/b.py"), 3, True)


def test_a_table_may_name_the_code_first() -> None:
    (trace,) = read("| File | Requirements |\n|---|---|\n| src/a.py | REQ-1, REQ-2 |\n").traces
    assert (trace.ids, trace.places) == (("REQ-1", "REQ-2"), ("src/a.py",))


def test_a_cell_that_looks_like_a_path_is_one_that_may_be_wrong() -> None:
    document = read("| ID | Requirement | Remarks |\n|---|---|---|\n| REQ-1 | It shall run. | src/a.py |\n")
    assert document.items[0].id == "REQ-1"
    assert [(trace.places, trace.sure) for trace in document.traces] == [(("src/a.py",), False)]


def test_ids_of_designs_are_designs() -> None:
    item = only("## DES-1 Storage\n\nFor REQ-1.\n")
    assert (item.kind, [link.target for link in item.links]) == ("design", ["REQ-1"])


def test_sections_that_satisfy_something() -> None:
    text = "# Notes\n\n## Storage\n\nSatisfies: REQ-1\n\n## Cache\n\nBecause of REQ-2.\n"
    assert [(i.slug, [k.target for k in i.links]) for i in read(text, "notes.md", False).items] == [
        ("storage", ["REQ-1"])
    ]
    assert [i.slug for i in read(text, "docs/design.md", False).items] == ["storage", "cache"]


@pytest.mark.parametrize("path", ["CHANGELOG.md", "docs/releases/1.2.md", "History.md"])
def test_changelogs_define_nothing_unless_they_are_named(path: str) -> None:
    assert read("- REQ-1: it was fixed\n", path, False).items == ()
    assert read("- REQ-1: it was fixed\n", path, True).items != ()
