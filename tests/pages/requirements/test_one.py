"""What the page of one requirement shows."""

from __future__ import annotations

from loregraph.analysis.tracing.traces import SuggestedLink
from loregraph.memory.links import LinkDecision
from loregraph.pages.requirements.one import MOST_KIN, Kin, decided, lineage, suggested

from .conftest import stated


def outline(kin: Kin) -> list[object]:
    return [(each.link.name, outline(each)) if each.kin else each.link.name for each in kin.kin]


def test_what_refines_a_requirement_and_what_refines_that() -> None:
    known = {
        "A": stated("A", parts=("B", "C")),
        "B": stated("B", parts=("D",), parents=("A",)),
        "C": stated("C", parts=("gone", "A"), parents=("A",)),
        "D": stated("D", parents=("B",)),
    }
    assert outline(lineage("A", known, lambda one: one.parts)) == [("B", ["D"]), ("C", ["gone"])]
    assert outline(lineage("D", known, lambda one: one.parents)) == [("B", ["A"])]


def test_a_large_family_is_bounded_and_counted() -> None:
    parts = tuple(f"R-{n}" for n in range(5_000))
    found = lineage("A", {"A": stated("A", parts=parts)}, lambda one: one.parts)
    assert (len(found.kin), found.more) == (MOST_KIN, 5_000 - MOST_KIN)
    chain = {f"R-{n}": stated(f"R-{n}", parts=(f"R-{n + 1}",)) for n in range(1_000)}
    depth, at = 0, lineage("R-0", chain, lambda one: one.parts)
    while at.kin:
        depth, at = depth + 1, at.kin[0]
    assert (depth, at.more) == (8, 1)


def test_suggestions_say_whether_they_fit() -> None:
    found = suggested([SuggestedLink("a.py::f", "a.py", 0.6, "words: pay"), SuggestedLink("b.py", "b.py", 0.2, "")])
    assert [(one.code, one.fits, one.link.name, one.link.kind) for one in found] == [
        ("a.py::f", True, "f", "symbol"),
        ("b.py", False, "b.py", "file"),
    ]


def test_decisions_about_a_requirement_the_newest_first() -> None:
    made = [
        LinkDecision(link=link, requirement=name, code="a.py", author="Ada", created_at=f"2026-01-0{day}T00:00:00Z")
        for day, (link, name) in enumerate((("accepted", "R-1"), ("withdrawn", "R-1"), ("rejected", "R-2")), 1)
    ]
    assert [(one.decision.text, one.author, one.at, one.holds) for one in decided(made, "R-1")] == [
        ("withdrawn", "Ada", "2026-01-02", False),
        ("accepted", "Ada", "2026-01-01", True),
    ]
