"""Decisions of people about links from code to requirements: lines of the project's journal.

A line is `{"link": decision, "requirement": id, "code": id, "author": name, "created_at": time}`. Of the decisions
about one pair the latest wins, whatever the order of the lines; earlier ones stay readable. "withdrawn" cancels a
decision: the pair is undecided again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.graph.model import ACCEPTED, Edge
from loregraph.memory.record import MAX_NAME, check_link, check_text, converted, moment, one_of, parse_time, timestamp

if TYPE_CHECKING:
    from loregraph.memory.journal import Journal

REJECTED: Final = "rejected"
WITHDRAWN: Final = "withdrawn"
DECISIONS: Final = (ACCEPTED, REJECTED, WITHDRAWN)

Pair = tuple[str, str]
"""A requirement's id and the id of a piece of code."""


class LinkDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The decision about one pair; `link` is one of DECISIONS, `created_at` ISO 8601 UTC."""

    link: str
    requirement: str
    code: str
    author: str = ""
    created_at: str

    @property
    def pair(self) -> Pair:
        return self.requirement, self.code

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Sort key of decisions: the time, then, for equal times, the text."""
        return moment(self.created_at), msgspec.json.encode(self)


def is_link(value: Mapping[str, Any]) -> bool:
    """Whether a line of JSON is intended as a decision about a link."""
    return "link" in value and "content" not in value


def decode_link(value: Mapping[str, Any]) -> LinkDecision:
    """A decision from a JSON object; unknown fields are dropped. Raises UsageError that names the invalid field."""
    known = {name: item for name, item in value.items() if name in LinkDecision.__struct_fields__ and item is not None}
    return checked(converted(known, LinkDecision))


def checked(decision: LinkDecision) -> LinkDecision:
    """Returns `decision`. Raises UsageError that names the first invalid field."""
    one_of("link", decision.link, DECISIONS)
    check_link("requirement", decision.requirement)
    check_link("code", decision.code)
    check_text("author", decision.author, MAX_NAME)
    parse_time("created_at", decision.created_at)
    return decision


# Implements REQ-TRC-003.
def decide(
    journal: Journal, decisions: Iterable[tuple[str, str, str]], author: str, now: datetime
) -> tuple[LinkDecision, ...]:
    """Writes (decision, requirement, code) triples to `journal`, on disk when this returns; returns the decision for
    each pair.

    A decision already in force is not repeated. Raises UsageError that names the error, before anything is written.
    """
    wanted = [
        checked(LinkDecision(link=link, requirement=requirement, code=code, author=author, created_at=timestamp(now)))
        for link, requirement, code in decisions
    ]
    made: list[LinkDecision] = []
    with journal.writing() as writer:
        held = {decision.pair: decision for decision in journal.links()}
        for decision in wanted:
            before = held.get(decision.pair)
            if before is not None and before.link == decision.link:
                made.append(before)
                continue
            if before is not None:
                # The last decision wins, even if an earlier one's clock was ahead.
                at = max(timestamp(now), just_after(before))
                decision = msgspec.structs.replace(decision, created_at=at)
            writer.put(decision)
            held[decision.pair] = decision
            made.append(decision)
    return tuple(made)


def link_edges(decisions: Iterable[LinkDecision]) -> list[Edge]:
    """The edges of the accepted links. Their targets may not be in the graph: those are dropped when it is
    assembled."""
    return [
        Edge("IMPLEMENTS_REQ", decision.code, decision.requirement, how=ACCEPTED, evidence=grounds(decision))
        for decision in sorted(decisions, key=lambda one: (one.code, one.requirement))
        if decision.link == ACCEPTED
    ]


def grounds(decision: LinkDecision) -> str:
    """The author and time of a decision, as text."""
    return f"{decision.link} by {decision.author or 'someone'} on {decision.created_at[:10]}"


def just_after(decision: LinkDecision) -> str:
    """The earliest time of a decision that would replace this one."""
    return timestamp(moment(decision.created_at) + timedelta(microseconds=1))


def latest(versions: Sequence[LinkDecision]) -> LinkDecision:
    return max(versions, key=lambda decision: decision.order)
