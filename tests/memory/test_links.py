"""Accepted and rejected links in the journal: the latest decision holds, and no line is lost."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from loregraph.errors import UsageError
from loregraph.graph.model import Edge
from loregraph.memory.api import ProjectMemory
from loregraph.memory.graph_nodes import is_behind, read_journals
from loregraph.memory.journal import Folded, Journal, encoded_lines, parse
from loregraph.memory.links import LinkDecision, decide, grounds, latest, link_edges

from .conftest import Clock, Opens

PAIR = ("REQ-1", "a.py::f")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def held(memory: ProjectMemory) -> dict[tuple[str, str], str]:
    return {decision.pair: decision.link for decision in memory.links()}


def lines(home: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (home / "memory" / "shop.jsonl").read_bytes().splitlines()]


def test_a_decision_is_a_line_that_a_person_can_read(memory: ProjectMemory, home: Path) -> None:
    (made,) = memory.decide_links([("accepted", *PAIR)])
    assert lines(home) == [
        {
            "link": "accepted",
            "requirement": "REQ-1",
            "code": "a.py::f",
            "author": "Ann Lee <ann@example.org>",
            "created_at": made.created_at,
        }
    ]
    assert grounds(made) == "accepted by Ann Lee <ann@example.org> on 2026-03-01"


# Verifies REQ-TRC-003.
def test_later_decisions_override_earlier_ones_which_stay(opens: Opens, memory: ProjectMemory, home: Path) -> None:
    memory.decide_links([("accepted", *PAIR), ("rejected", "REQ-2", "b.py")])
    memory.decide_links([("rejected", *PAIR)])
    assert held(opens()) == {PAIR: "rejected", ("REQ-2", "b.py"): "rejected"}
    memory.decide_links([("withdrawn", *PAIR)])
    assert held(opens())[PAIR] == "withdrawn"
    assert [line["link"] for line in lines(home)] == ["accepted", "rejected", "rejected", "withdrawn"]


def test_what_holds_already_is_not_written_again(memory: ProjectMemory, home: Path) -> None:
    first = memory.decide_links([("accepted", *PAIR), ("accepted", *PAIR)])
    assert first[0] == first[1]
    assert memory.decide_links([("accepted", *PAIR)]) == first[:1]
    assert len(lines(home)) == 1


def test_the_order_of_lines_means_nothing() -> None:
    made = [
        LinkDecision(link=link, requirement="R", code="c", created_at=f"2026-01-0{day}T00:00:00Z")
        for day, link in ((1, "accepted"), (2, "rejected"), (2, "accepted"))
    ]
    results = set()
    for order in itertools.permutations(made):
        folded = Folded()
        for decision in (*order, order[0]):
            folded.add(decision)
        results.add(latest(folded.links["R", "c"]))
        assert folded.duplicates == 1
    assert len(results) == 1


def test_the_last_to_decide_decides_also_under_a_clock_that_is_behind(memory: ProjectMemory) -> None:
    journal = memory.store.project.journal
    decide(journal, [("accepted", *PAIR)], "Ann", datetime(2030, 1, 1, tzinfo=UTC))
    (made,) = decide(journal, [("rejected", *PAIR)], "Bob", NOW)
    assert held(memory)[PAIR] == "rejected"
    assert made.created_at == "2030-01-01T00:00:00.000001Z"


@pytest.mark.parametrize(
    ("triple", "field"),
    [(("maybe", *PAIR), "link"), (("accepted", " ", "a.py"), "requirement"), (("accepted", "R", "x" * 1001), "code")],
)
def test_nothing_is_written_of_a_wrong_call(memory: ProjectMemory, triple: tuple[str, str, str], field: str) -> None:
    with pytest.raises(UsageError) as raised:
        memory.decide_links([("accepted", *PAIR), triple])
    assert raised.value.message.startswith(f"{field}:")
    assert memory.links() == ()


def test_a_bad_line_is_set_aside_and_costs_the_others_nothing(memory: ProjectMemory, home: Path) -> None:
    memory.decide_links([("accepted", *PAIR)])
    memory.add("a fact")
    path = home / "memory" / "shop.jsonl"
    bad = [b'{"link":"perhaps","requirement":"R","code":"c","created_at":"2026-01-01"}', b'{"link":"accepted"}']
    good = b'{"link":"rejected","requirement":"R","code":"c","created_at":"2026-01-01","colour":"red"}'
    path.write_bytes(path.read_bytes() + b"\n".join([*bad, good]) + b"\n")
    journal = Journal(path)
    journal.refresh()
    assert journal.rejected == 2
    assert {decision.pair for decision in journal.links()} == {PAIR, ("R", "c")}
    assert [one.content for one in journal.all()] == ["a fact"]
    assert (path.with_name(path.name + ".rejected")).read_bytes().splitlines() == bad


def test_memories_are_as_they_were_beside_links(memory: ProjectMemory) -> None:
    added = memory.add("a fact").memory_id
    memory.decide_links([("accepted", *PAIR)])
    assert [one.id for one in memory.list()] == [added]
    assert memory.stats().total == 1
    assert [hit.memory.id for hit in memory.search("REQ-1 a fact").results] == [added]


def test_normalising_keeps_every_decision(memory: ProjectMemory, home: Path) -> None:
    for decision in ("accepted", "rejected", "accepted"):
        memory.decide_links([(decision, *PAIR)])
    memory.add("twice the same long sentence about payments")
    memory.add("twice the same long sentence about payments")
    before = sorted(line["created_at"] for line in lines(home) if "link" in line)
    assert memory.normalize().stats.merged == 1
    assert sorted(line["created_at"] for line in lines(home) if "link" in line) == before
    assert held(memory) == {PAIR: "accepted"}


def test_a_decision_made_while_normalising_is_kept(memory: ProjectMemory, opens: Opens) -> None:
    memory.add("a fact")

    def meanwhile(progress: object) -> None:
        opens().decide_links([("accepted", *PAIR)])

    memory.normalize(progress=meanwhile)
    assert held(memory) == {PAIR: "accepted"}


def test_what_is_written_is_read_back() -> None:
    folded = Folded()
    for at, link in ((1, "accepted"), (2, "rejected")):
        folded.add(LinkDecision(link=link, requirement="R", code="c", created_at=f"2026-01-0{at}T00:00:00Z"))
    again = Folded()
    for line in encoded_lines(folded).splitlines():
        again.add(parse(line))
    assert again.links == folded.links


def test_exported_decisions_come_back(memory: ProjectMemory, opens: Opens, tmp_path: Path) -> None:
    memory.decide_links([("accepted", *PAIR), ("rejected", "REQ-2", "b.py")])
    file = tmp_path / "all.jsonl"
    assert memory.export(file).memories_exported == 0
    other = opens("other")
    other.decide_links([("rejected", *PAIR)])
    done = other.import_(file)
    assert (done.imported, done.links, done.skipped, done.errors) == (0, 1, 1, ())
    assert held(other) == {PAIR: "rejected", ("REQ-2", "b.py"): "rejected"}
    assert (other.import_(file).links, other.import_(file).skipped) == (0, 2)


def test_an_import_overwrites_or_lets_the_later_hold(memory: ProjectMemory, opens: Opens, tmp_path: Path) -> None:
    memory.decide_links([("accepted", *PAIR)])
    file = tmp_path / "all.jsonl"
    memory.export(file)
    memory.decide_links([("rejected", *PAIR)])
    assert memory.import_(file, conflict_resolution="merge").links == 0
    assert held(memory) == {PAIR: "rejected"}
    assert memory.import_(file, conflict_resolution="overwrite").links == 1
    assert held(opens()) == {PAIR: "accepted"}


def test_an_export_of_some_kinds_holds_no_decisions(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.decide_links([("accepted", *PAIR)])
    for words in ({"kinds": ["design"]}, {"scope": "user"}):
        memory.export(tmp_path / "some.jsonl", **words)  # type: ignore[arg-type]
        assert (tmp_path / "some.jsonl").read_bytes() == b""


def test_a_bad_decision_in_an_import_is_named(memory: ProjectMemory, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"link": "accepted", "requirement": "R"}\n')
    (error,) = memory.import_(file).errors
    assert (error.line, "code" in error.error) == (1, True)


def test_accepted_ones_become_edges_and_a_graph_is_behind_a_new_decision(memory: ProjectMemory) -> None:
    memory.decide_links([("accepted", *PAIR), ("rejected", "REQ-2", "b.py")])
    _, decisions, offsets = read_journals(memory.journals)
    (edge,) = link_edges(decisions)
    assert edge == Edge(
        "IMPLEMENTS_REQ",
        "a.py::f",
        "REQ-1",
        how="accepted",
        evidence="accepted by Ann Lee <ann@example.org> on 2026-03-01",
    )
    assert edge.confidence == 1.0
    assert not is_behind(offsets, memory.journals)
    memory.decide_links([("withdrawn", *PAIR)])
    assert is_behind(offsets, memory.journals)


DECIDER = """
import sys
from pathlib import Path
from loregraph.config import Settings
from loregraph.memory.api import ProjectMemory
memory = ProjectMemory(Path(sys.argv[1]), Settings())
for i in range(40):
    memory.decide_links([("accepted", f"REQ-{i}", f"writer{sys.argv[2]}.py"), ("rejected", "REQ-0", f"{i}.py")])
"""


def test_processes_that_decide_at_once_lose_nothing(opens: Opens, home: Path, tmp_path: Path, clock: Clock) -> None:
    root = tmp_path / "shop"
    root.mkdir(exist_ok=True)
    writers = [subprocess.Popen([sys.executable, "-c", DECIDER, str(root), str(n)]) for n in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    expected = {(f"REQ-{i}", f"writer{n}.py") for i in range(40) for n in range(4)} | {
        ("REQ-0", f"{i}.py") for i in range(40)
    }
    assert held(opens()).keys() == expected
    assert len(lines(home)) == len(expected)
