"""What has to change with a symbol."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.impact import report as impact
from loregraph.analysis.impact.report import ImpactReport, fitted, report
from loregraph.analysis.token_count import size
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Class, Edge, File, Function, Graph, Node, Requirement


def function(path: str, name: str, line: int = 1, kind: str = "function", *, is_test: bool = False) -> Function:
    return Function(
        f"{path}::{name}", name.rpartition(".")[2], name, kind, path, line, line + 2, "python", is_test=is_test
    )


CALLERS = [function("shop/use.py", f"use{number}", 10 * number) for number in range(1, 7)]
TESTS = [function("tests/test_use.py", f"test_{number:02}", number, is_test=True) for number in range(1, 31)]
PAY = "shop/pay.py::Pay.charge"
NODES: list[Node] = [
    *(
        File(path, path, path, path, "python", "", 90, "indexed", calls_unresolved=unresolved)
        for path, unresolved in (("shop/pay.py", 0), ("shop/use.py", 0), ("shop/dark.py", 1), ("tests/test_use.py", 0))
    ),
    Class("shop/pay.py::Pay", "Pay", "Pay", "class", "shop/pay.py", 1, 30, "python"),
    Class("shop/pay.py::Card", "Card", "Card", "class", "shop/pay.py", 40, 60, "python"),
    function("shop/pay.py", "Pay.__init__", 2, "constructor"),
    function("shop/pay.py", "Pay.charge", 5, "method"),
    function("shop/pay.py", "Card.charge", 41, "method"),
    function("shop/dark.py", "hidden", 1),
    function("shop/dark.py", "hidden_too", 5),
    *CALLERS,
    *TESTS,
    Requirement("REQ-1", "REQ-1", "REQ-1", "Cards are charged once", "", "accepted", "", "r.md", 3),
]
EDGES = [
    Edge("CONTAINS", "shop/pay.py", "shop/pay.py::Pay"),
    Edge("CONTAINS", "shop/pay.py::Pay", PAY),
    Edge("CONTAINS", "shop/pay.py::Pay", "shop/pay.py::Pay.__init__"),
    Edge("EXTENDS", "shop/pay.py::Card", "shop/pay.py::Pay", line=40),
    Edge("OVERRIDES", "shop/pay.py::Card.charge", PAY),
    Edge("IMPLEMENTS_REQ", PAY, "REQ-1", how="marker"),
    Edge("REFERENCES", CALLERS[5].id, PAY, line=61, how="name"),
    Edge("CALLS", CALLERS[0].id, "shop/pay.py::Pay", line=12, how="constructor"),
    *(
        Edge(
            "CALLS",
            one.id,
            PAY,
            line=one.start_line + 1,
            confidence=0.5 + number / 10,
            how="inferred-type",
            more_lines=(one.start_line + 2,) if number == 0 else (),
        )
        for number, one in enumerate(CALLERS[:5])
    ),
    *(Edge("TESTS", test.id, CALLERS[1].id, how="calls") for test in TESTS[:9]),
    *(Edge("TESTS", test.id, PAY, how="calls") for test in TESTS[9:12]),
    Edge("CALLS", TESTS[9].id, PAY, line=11, confidence=0.9, how="inferred-type"),
]


@pytest.fixture
def columns(tmp_path: Path) -> GraphColumns:
    nodes = tuple(sorted(NODES, key=lambda node: node.id.encode()))
    write_columns(tmp_path, Graph(nodes, tuple(sorted(EDGES, key=lambda e: (e.source, e.rel, e.target)))))
    return GraphColumns.open(tmp_path)


def of(columns: GraphColumns, *ids: str) -> ImpactReport:
    def mentions(name: str) -> list[int]:
        dark = [columns.find_id(f"shop/dark.py::{one}") for one in ("hidden", "hidden_too")]
        return [node for node in dark if node is not None and name == "charge"]

    memories = {PAY: [Remembered("m1", "design", "Charged once", stale=True)]}
    starts = [node for id in ids if (node := columns.find_id(id)) is not None]
    return report(columns, CodeRoles(columns), starts, mentions, lambda id: memories.get(id, []))


# Verifies REQ-CLI-023.
def test_every_use_the_surest_first_and_the_products_before_those_of_tests(columns: GraphColumns) -> None:
    found = of(columns, PAY).call_sites
    assert [(one.id.partition("::")[2], one.lines, round(one.confidence, 2)) for one in found] == [
        ("use5", (51,), 0.9),
        ("test_10", (11,), 0.9),
        ("use4", (41,), 0.8),
        ("use3", (31,), 0.7),
        ("use2", (21,), 0.6),
        ("use1", (11, 12), 0.5),
        ("use6", (61,), 0.5),
    ]
    assert [one.how for one in found][-2:] == ["inferred-type", "references"]
    assert {one.symbol for one in found} == {""}


def test_a_constructor_is_called_through_its_class(columns: GraphColumns) -> None:
    (site,) = of(columns, "shop/pay.py::Pay.__init__").call_sites
    assert (site.id, site.lines, site.how) == (CALLERS[0].id, (12,), "constructor")


def test_methods_that_override_and_classes_that_extend(columns: GraphColumns) -> None:
    (over,) = of(columns, PAY).overrides
    assert (over.id, over.line, over.how) == ("shop/pay.py::Card.charge", 41, "overrides")
    assert [one.how for one in of(columns, "shop/pay.py::Card.charge").overrides] == ["overridden"]
    assert [(one.id, one.how) for one in of(columns, "shop/pay.py::Pay").overrides] == [
        ("shop/pay.py::Card", "extends")
    ]


def test_tests_are_the_nearest_and_the_others_are_counted(columns: GraphColumns) -> None:
    found = of(columns, PAY)
    assert [(one.id.rpartition("_")[2], one.distance) for one in found.tests] == [
        ("10", 0),
        ("11", 0),
        ("12", 0),
        *((f"{number:02}", 1) for number in range(1, 6)),
    ]
    assert found.more == {"tests": 4}


def test_what_people_wrote_and_what_is_not_known(columns: GraphColumns) -> None:
    found = of(columns, PAY)
    assert [one.title for one in found.requirements] == ["Cards are charged once"]
    assert [one.memory_id for one in found.memories] == ["m1"]
    assert found.unresolved_calls == 1  # two functions mention it, in a file with one unresolved call


def test_six_callers_fit_600_tokens(columns: GraphColumns) -> None:
    assert size(of(columns, PAY)) < 600 * 4


def test_of_several_symbols_each_site_says_which_it_uses(columns: GraphColumns) -> None:
    found = of(columns, PAY, "shop/pay.py::Pay.__init__")
    assert found.symbols == ("shop/pay.py::Pay.__init__", PAY)
    assert {one.symbol for one in found.call_sites} == set(found.symbols)


@pytest.mark.parametrize("budget", [50, 100, 200, 300, 400])
def test_what_does_not_fit_is_counted(columns: GraphColumns, budget: int) -> None:
    whole = of(columns, PAY)
    found = fitted(columns, CodeRoles(columns), whole, budget)
    assert size(found) <= budget * 4 or not found.call_sites
    for name in ("call_sites", "overrides", "tests"):
        left_out = len(getattr(whole, name)) - len(getattr(found, name))
        assert found.more.get(name, 0) == whole.more.get(name, 0) + left_out
    if left_out := found.more.get("call_sites"):
        assert "tests/test_use.py" not in {one.file_path for one in found.call_sites}
        assert left_out <= len(whole.call_sites)


def test_a_great_change_is_about_the_most_used(columns: GraphColumns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "MOST_SYMBOLS", 1)
    found = of(columns, PAY, "shop/pay.py::Pay.__init__", CALLERS[0].id)
    assert found.symbols == (PAY,)
    assert found.more["symbols"] == 2
