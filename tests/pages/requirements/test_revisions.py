"""What a page says of two revisions."""

from __future__ import annotations

from loregraph.analysis.tracing.comparison import compare
from loregraph.graph.declarations import Declarations
from loregraph.graph.model import Edge, Requirement
from loregraph.pages.requirements.revisions import MOST_WORDS, counts, groups, marked


def side(text: str, *ids: str) -> Declarations:
    edge = Edge("IMPLEMENTS_REQ", "a.py::f", "R-1", how="marker")
    made = {one: Requirement(one, one, one, text, text, "", "", "r.md", 1) for one in ids}
    return Declarations(made, (edge,), {"a.py::f": "1"})


def test_words_that_differ_are_marked_on_their_side() -> None:
    old, new = marked("A payment is taken once".split(), "A payment is taken at most once".split())
    assert [(word.kind, word.text) for word in old] == [("same", "A payment is taken"), ("same", "once")]
    assert [(word.kind, word.text) for word in new] == [
        ("same", "A payment is taken"),
        ("added", "at most"),
        ("same", "once"),
    ]


def test_long_texts_are_compared_as_far_as_they_are_shown() -> None:
    old, new = marked(["x"] * 100_000, ["y"] * 100_000)
    assert len(old[0].text.split()) == MOST_WORDS
    assert old[-1].text == new[-1].text == "…"


def test_groups_are_counted_and_bounded() -> None:
    found = compare(side("Old text", "R-1", "R-2"), side("New text", "R-1", *(f"R-{n}" for n in range(3, 90))))
    made = {group.kind: group for group in groups(found, frozenset({"R-1"}), rows=10)}
    assert list(made) == ["lost", "gained", "changed"]
    assert (made["gained"].number, len(made["gained"].rows), made["gained"].more) == (87, 10, 77)
    (changed,) = made["changed"].rows
    assert changed.there
    assert [(end.link.id, end.why) for end in changed.suspect.items] == [
        ("a.py::f", "the requirement changed, this did not")
    ]
    assert [badge.text for badge in counts(found)] == [
        "1 lost",
        "87 gained",
        "1 changed",
        "1 with suspect links",
        "0 the same",
    ]
