"""Groups pairs into families in which every member is similar to every other.

Complete linkage, greedily from the unit similar to most others (Sneath and Sokal 1973): similarity is not transitive,
and a family is only useful if one member can replace all. Identical units are one element here, however many pairs they
form.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, TypeVar

Member = TypeVar("Member", bound=Hashable)

_Near = Mapping[Member, Mapping[Member, float]]


TIERS: Final = (0.85, 0.7, 0.0)
"""Similarity levels at which families are formed, in turn, so that near-identical units are not mixed with merely
similar ones."""


def families_of(
    pairs: Iterable[tuple[Member, Member, float]],
    order: Mapping[Member, int],
    same: Iterable[tuple[Member, Member]] = (),
) -> list[list[Member]]:
    """Families of two or more, the centre of each first; members of `order` decide ties. `same` are the pairs of
    identical units, a transitive relation.

    Every member of a pair is in a family. One whose neighbours are all taken forms a pair with the nearest of them,
    which then is in two families.
    """
    classes = _classes(same, order)
    first = {member: members[0] for members in classes for member in members}
    near: dict[Member, dict[Member, float]] = {members[0]: {} for members in classes}
    for one, other, similarity in pairs:
        a, b = first.get(one, one), first.get(other, other)
        if a != b:
            for here, there in ((a, b), (b, a)):
                known = near.setdefault(here, {})
                known[there] = max(similarity, known.get(there, 0.0))
    together = {members[0]: members for members in classes}
    taken: set[Member] = set()
    heads: list[list[Member]] = []
    for least in TIERS:
        heads += _cliques(near, order, least, taken)
        heads += [[head] for head in together if head not in taken]
        taken.update(together)
    for member in sorted(near.keys() - taken, key=order.__getitem__):
        nearest = min(near[member], key=lambda other: (-near[member][other], order[other]))
        heads.append([member, nearest])
    return [[one for head in family for one in together.get(head, [head])] for family in heads]


def _classes(same: Iterable[tuple[Member, Member]], order: Mapping[Member, int]) -> list[list[Member]]:
    """Connected components of `same`, each in order."""
    above: dict[Member, Member] = {}

    def top(member: Member) -> Member:
        while (upper := above.setdefault(member, member)) != member:
            above[member] = above[upper]
            member = upper
        return member

    for one, other in same:
        a, b = sorted((top(one), top(other)), key=order.__getitem__)
        above[b] = a
    classes: dict[Member, list[Member]] = {}
    for member in sorted(above, key=order.__getitem__):
        classes.setdefault(top(member), []).append(member)
    return list(classes.values())


def _cliques(near: _Near[Member], order: Mapping[Member, int], least: float, taken: set[Member]) -> list[list[Member]]:
    """Families of two or more units not `taken` yet, with similarities of at least `least`; marks them as taken."""
    close = {
        member: {other: alike for other, alike in others.items() if alike >= least and other not in taken}
        for member, others in near.items()
        if member not in taken
    }
    waiting = [(-len(others), order[member], member) for member, others in close.items() if others]
    heapq.heapify(waiting)
    families: list[list[Member]] = []
    while waiting:
        count, place, centre = heapq.heappop(waiting)
        if centre in taken:
            continue
        free = [other for other in close[centre] if other not in taken]
        if len(free) < -count:
            # Some were taken since it was counted: back into the queue.
            if free:
                heapq.heappush(waiting, (-len(free), place, centre))
            continue
        members = [centre]
        for other in sorted(free, key=lambda other: (-close[centre][other], order[other])):
            if all(other in close[member] for member in members):
                members.append(other)
        taken.update(members)
        families.append(members)
    return families
