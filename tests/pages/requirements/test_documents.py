"""The tree of documents and sections, and the order in which a document is read."""

from __future__ import annotations

from loregraph.analysis.tracing.places import Place
from loregraph.analysis.tracing.report import TraceReport
from loregraph.pages.requirements.documents import MOST_LEAVES, MOST_NODES, Branch, passages, tree

from .conftest import stated

Where = dict[str, Place]


def outline(branch: Branch) -> object:
    inner = [outline(one) for one in branch.branches]
    return (branch.title, branch.missing, branch.count, [leaf.id for leaf in branch.leaves], *inner)


def test_sections_stand_in_sections_and_count_what_is_in_them(report: TraceReport, places: Where) -> None:
    made = tree(report.requirements, places)
    assert [outline(one) for one in made.documents] == [
        ("docs/other.md", 1, 1, ["R-5"]),
        (
            "The till",
            2,
            4,
            [],
            ("Payments", 2, 3, ["R-1"], ("Refunds", 2, 2, ["R-2", "R-3"])),
            ("Ledger", 0, 1, ["R-4"]),
        ),
    ]


def test_a_large_tree_has_no_leaves_and_counts_what_it_leaves_out() -> None:
    many = [stated(f"R-{n:05}", line=n) for n in range(MOST_NODES + MOST_LEAVES)]
    where = {one.id: Place("r.md", "", (f"Part {one.line}",), (one.line,)) for one in many}
    made = tree(many, where)
    assert not made.has_leaves
    assert made.left_out == MOST_LEAVES
    (document,) = made.documents
    assert (document.count, len(document.branches)) == (len(many), MOST_NODES)


def test_headings_open_before_the_first_requirement_below_them(report: TraceReport, places: Where) -> None:
    own = [one for one in report.requirements if one.path == "docs/r.md"]
    assert [(passage.one.id, passage.headings) for passage in passages(own, places)] == [
        ("R-1", ((2, "Payments"),)),
        ("R-2", ((3, "Refunds"),)),
        ("R-3", ()),
        ("R-4", ((2, "Ledger"),)),
    ]
    assert passages(own[1:2], places, ("Payments", "Refunds"))[0].headings == ()
