"""Pairs → families: around the one that is like most others, all that are like it, then the next such.

Stars rather than all that is connected (Aslam, Pelekhov and Rus 2004): what is like something that is like something
else may have nothing in common with it, and a family is of use only where one member can stand for all.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable
from typing import TypeVar

Member = TypeVar("Member", bound=Hashable)


def families_of(pairs: Iterable[tuple[Member, Member, float]], order: dict[Member, int]) -> list[list[Member]]:
    """Every member of a pair in one family, the centre of each first; members of `order` decide ties.

    A member goes to the first centre it is like; one that is left alone joins the family of the one it is most like.
    """
    near: dict[Member, dict[Member, float]] = {}
    for a, b, similarity in pairs:
        near.setdefault(a, {})[b] = similarity
        near.setdefault(b, {})[a] = similarity
    waiting = [(-len(others), order[member], member) for member, others in near.items()]
    heapq.heapify(waiting)
    family_of: dict[Member, int] = {}
    families: list[list[Member]] = []
    alone: list[Member] = []
    while waiting:
        count, place, centre = heapq.heappop(waiting)
        if centre in family_of:
            continue
        free = [other for other in near[centre] if other not in family_of]
        if len(free) < -count:
            # Others took some since it was counted: back in line.
            if free:
                heapq.heappush(waiting, (-len(free), place, centre))
            else:
                alone.append(centre)
            continue
        members = [centre, *sorted(free, key=lambda other: (-near[centre][other], order[other]))]
        for member in members:
            family_of[member] = len(families)
        families.append(members)
    for member in sorted(alone, key=order.__getitem__):
        nearest = min(near[member], key=lambda other: (-near[member][other], order[other]))
        family_of[member] = family_of[nearest]
        families[family_of[nearest]].append(member)
    return families
