"""Diagrams for documents: what is in them, and how names are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loregraph.errors import UsageError
from loregraph.graph import component_map, dot, mermaid, neighbourhood
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.diagram import LONGEST_LABEL, Arrow, Box, Diagram, Group, label_of
from loregraph.graph.model import Component, Edge, Graph

from .conftest import function

HOSTILE = (
    'a"] --> b["x',
    "%%{init: {'securityLevel': 'loose'}}%%",
    "#quot; #35;",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "`**bold** __init__`",
    "back\\nslash\\",
    '\\"; malicious [label="',
    "line\nend\r\u2028",
    "\u202eright to left\u202c",
    "nul\0 \x1b[31mred",
    "[x](javascript:alert(1))",
    "https://evil.example www.evil.example",
    "$$x$$ a;b|c@{shape: rect}",
    "&amp; &#60; ﬂ°°35¶ß",
    "- 1. list",
    "subgraph end graph",
    "日本語 Größe",
    "long" * 300_000,
)


def picture(labels: tuple[str, ...]) -> Diagram:
    boxes = tuple(Box(f"n{i}", label_of(label), "g0", i == 0) for i, label in enumerate(labels))
    arrows = (Arrow("n0", "n1", "2×"), Arrow("n1", "n0", in_cycle=True), Arrow("n1", "n1", uncertain=True))
    return Diagram((Group("g0", label_of(labels[0])),), boxes, arrows, tuple(map(label_of, labels)))


# The two languages, as far as they are used.

_LABEL = re.compile(r"#(\d+);")


def mermaid_labels(lines: Iterator[str]) -> list[str]:
    """The labels of a flowchart's boxes; fails where a line is none of those that may be written."""
    text = r'"((?:[^"#%&<>`{}\\*|$@;!\[\]]|#\d+;)*)"'
    patterns = (
        r"flowchart LR", r"%% (?:[^%{}]|#\d+;)*", rf"subgraph \w+\[{text}\]", "end",
        rf"\w+ (?:-->|-\.->)(?:\|{text}\|)? \w+",
        r"style \w+ stroke-width:3px", r"linkStyle [\d,]+ stroke:#c62828,stroke-width:2px",
    )  # fmt: skip
    found = []
    for line in lines:
        assert line.endswith("\n") and "\n" not in line[:-1]
        if box := re.fullmatch(rf"\w+\[{text}\]", line.strip()):
            found.append(_LABEL.sub(lambda code: chr(int(code[1])), box[1]))
        else:
            assert any(re.fullmatch(pattern, line.strip()) for pattern in patterns), line
    return found


def dot_labels(lines: Iterator[str]) -> list[str]:
    """The labels of a graph's boxes; fails where a line is none of those that may be written."""
    text = r'"((?:[^"\\]|\\["\\])*)"'
    inner = rf'(?:label={text}|style=dashed|color="#c62828"|penwidth=\d)'
    patterns = (
        r"digraph loregraph \{", r"// .*", "rankdir=LR", r"(?:node|edge) \[.*\]", r"subgraph cluster_\w+ \{",
        rf"label={text}", r"\}", rf"\w+ -> \w+(?: \[{inner}(?:, {inner})*\])?",
    )  # fmt: skip
    found = []
    for line in lines:
        assert line.endswith("\n") and "\n" not in line[:-1]
        if box := re.fullmatch(rf"\w+ \[label={text}(?:, penwidth=3)?\]", line.strip()):
            found.append(re.sub(r"\\(.)", r"\1", box[1]).replace("&amp;", "&"))
        else:
            assert any(re.fullmatch(pattern, line.strip()) for pattern in patterns), line
    return found


@pytest.mark.parametrize(("form", "read"), [(mermaid.text, mermaid_labels), (dot.text, dot_labels)])
def test_every_name_is_text_whatever_is_in_it(
    form: Callable[..., Iterator[str]], read: Callable[[Iterator[str]], list[str]]
) -> None:
    labels = read(form(picture(HOSTILE)))
    assert labels == [label_of(name) for name in HOSTILE]
    assert all(len(label) <= LONGEST_LABEL and label.isprintable() for label in labels)


@pytest.mark.parametrize("form", [mermaid.text, dot.text])
def test_a_terminal_without_unicode_gets_entities(form: Callable[..., Iterator[str]]) -> None:
    assert "".join(form(picture(HOSTILE), ascii_only=True)).isascii()
    assert "26085;" in "".join(form(picture(("日",) * 2), ascii_only=True))


def test_words_in_a_name_stay_readable() -> None:
    text = "".join(mermaid.text(picture(("Collector.can_fast_delete", "a.py::Shop.__init__"))))
    assert '"Collector.can_fast_delete"' in text
    assert "__" not in text


# Verifies REQ-WEB-013.
def test_a_symbol_is_shown_with_callers_callees_and_overrides(columns: GraphColumns) -> None:
    drawn = neighbourhood.neighbourhood(columns, "src/shop/app.py::Shop.open")
    labels = {box.key: box.label for box in drawn.boxes}
    frames = {group.key: group.label for group in drawn.groups}
    arrows = {(labels[a.source], labels[a.target], a.label, a.uncertain) for a in drawn.arrows}
    assert arrows == {
        ("main", "Shop.open", "2×", False),
        ("Stall.open", "Shop.open", "", False),
        ("Stall.open", "Shop.open", "overrides", False),
        ("test_open", "Shop.open", "", False),
    }
    assert {(box.label, frames[box.group]) for box in drawn.boxes if box.is_start} == {("Shop.open", "src/shop/app.py")}
    assert drawn.remarks == (
        "src/shop/app.py::Shop.open, 1 step around it",
        "calls of 1 symbol outside the project are not shown",
    )
    farther = neighbourhood.neighbourhood(columns, "src/shop/app.py::Shop.open", depth=2)
    assert {box.label for box in farther.boxes} - set(labels.values()) == {"render"}
    assert [arrow.uncertain for arrow in farther.arrows].count(True) == 1
    assert "dashed: fewer than 70% of the edges found in the same way are right" in farther.remarks


def test_a_class_is_shown_with_what_its_members_call(columns: GraphColumns) -> None:
    drawn = neighbourhood.neighbourhood(columns, "Stall")
    labels = {box.key: box.label for box in drawn.boxes}
    assert ("Stall", "Shop", "extends") in {(labels[a.source], labels[a.target], a.label) for a in drawn.arrows}
    assert ("Stall.open", "Shop.open", "") in {(labels[a.source], labels[a.target], a.label) for a in drawn.arrows}


@pytest.mark.parametrize("depth", [0, 6])
def test_a_depth_out_of_range_is_refused(columns: GraphColumns, depth: int) -> None:
    with pytest.raises(UsageError, match="1 to 5"):
        neighbourhood.neighbourhood(columns, "main", depth)


def test_what_does_not_fit_is_counted_tests_first(tmp_path: Path) -> None:
    nodes = [
        function("a.py", "f", "a.f", 1),
        *(function("b.py", f"g{n:02}", f"b.g{n}", n + 1) for n in range(30)),
        *(function("c.py", f"test_{n:02}", f"c.t{n}", n + 1, is_test=True) for n in range(30)),
    ]
    edges = [Edge("CALLS", node.id, "a.py::f", line=1, how="import") for node in nodes[1:]]
    write_columns(tmp_path, Graph(tuple(nodes), tuple(edges)))
    drawn = neighbourhood.neighbourhood(GraphColumns.open(tmp_path), "f")
    assert len(drawn.boxes) == neighbourhood.MOST_BOXES
    assert sum(box.label.startswith("g") for box in drawn.boxes) == 30
    assert "21 more symbols within 1 step left out" in drawn.remarks


def components(tmp_path: Path, paths: list[str], edges: list[tuple[str, str, int]]) -> GraphColumns:
    nodes = [Component(f"component:{path}", path, path, "package", path, "python") for path in paths]
    depend = [Edge("DEPENDS_ON", f"component:{a}", f"component:{b}", count=n) for a, b, n in edges]
    write_columns(
        tmp_path,
        Graph(
            tuple(sorted(nodes, key=lambda node: node.id)),
            tuple(sorted(depend, key=lambda edge: (edge.source, edge.target))),
        ),
    )
    return GraphColumns.open(tmp_path)


# Verifies REQ-WEB-013.
def test_components_are_nested_with_their_dependencies_and_cycles(tmp_path: Path) -> None:
    edges = [("app", "app/core", 3), ("app/core", "app/db", 1200), ("app/db", "app/core", 1), ("web", "app", 2)]
    columns = components(tmp_path, [".", "app", "app/core", "app/db", "web"], edges)
    drawn = component_map.component_map(columns)
    labels = {box.key: box.label for box in drawn.boxes}
    assert set(labels.values()) == {"app (its own files)", "app/core", "app/db", "web"}, "the root depends on nothing"
    frames = {group.key: group for group in drawn.groups}
    assert {(group.label, frames[group.parent].label if group.parent else "") for group in drawn.groups} == {
        ("the project", ""),
        ("app", "the project"),
    }
    assert {(labels[a.source], labels[a.target], a.label) for a in drawn.arrows if a.in_cycle} == {
        ("app/db", "app/core", "1"),
    }
    assert len(drawn.arrows) == 4
    assert drawn.remarks == ("5 components and the number of imports between them", "red and thick: closes a cycle")


def test_large_folders_stand_for_what_is_in_them(tmp_path: Path) -> None:
    paths = ["core", *(f"tests/t{n:03}" for n in range(200)), *(f"plugins/p{n}" for n in range(5))]
    edges = [(f"tests/t{n:03}", "core", 2) for n in range(200)] + [("plugins/p1", "plugins/p2", 7)]
    drawn = component_map.component_map(components(tmp_path, paths, edges))
    labels = {box.key: box.label for box in drawn.boxes}
    assert set(labels.values()) == {"core", "tests (200 components)", *(f"plugins/p{n}" for n in range(5))}
    assert {(labels[a.source], labels[a.target], a.label) for a in drawn.arrows} == {
        ("tests (200 components)", "core", "400"),
        ("plugins/p1", "plugins/p2", "7"),
    }
    assert "199 components shown as part of the box around them" in drawn.remarks


def test_the_strongest_arrows_of_each_component_are_kept(tmp_path: Path) -> None:
    names = [f"c{n:02}" for n in range(20)]
    edges = [(a, b, 1 + 100 * (a == "c00") + (a < b)) for a in names for b in names if a != b]
    drawn = component_map.component_map(components(tmp_path, names, edges))
    assert len(drawn.arrows) == component_map.MOST_ARROWS
    assert {arrow.source for arrow in drawn.arrows} == {box.key for box in drawn.boxes}
    # 190 lead back; of the last three components 3, 2 and 1 of these are among the three strongest.
    assert "320 weaker arrows left out, of which 184 close a cycle" in drawn.remarks
