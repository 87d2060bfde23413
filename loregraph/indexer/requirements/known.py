"""The ids that a project defines, and their variants of spelling."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from loregraph.graph.model import MENTION
from loregraph.indexer.requirements.choosing import Choice
from loregraph.indexer.requirements.ids import family, folded, known_as

_RECORD: Final = re.compile(r"adr-?(\d{1,18})")
"""A decision record by its number, folded. The digits are limited: Python limits the length of integers in text."""


class Known:
    """The defined ids, with their spellings."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self._forms = known_as((*choice.requirements, *choice.designs))
        self.families = frozenset(family(i) for i in (*choice.requirements, *choice.designs)) - {""}
        numbers: defaultdict[int, list[str]] = defaultdict(list)
        for identity, chosen in choice.designs.items():
            if chosen.item.kind == "adr" and chosen.item.number:
                numbers[chosen.item.number].append(identity)
        self._records = {number: found[0] for number, found in numbers.items() if len(found) == 1}

    def find(self, name: str) -> str | None:
        """The id that `name` denotes: itself, a spelling of it, or the number of a decision record."""
        if name in self.choice.requirements or name in self.choice.designs:
            return name
        found = self._forms.get(folded(name))
        if found is None and (number := _record_number(name)):
            found = self._records.get(number)
        return found

    def is_like(self, name: str) -> bool:
        """Whether `name` is undefined but has the form of a defined id."""
        return family(name) in self.families or (_record_number(name) > 0 and bool(self._records))

    def requirements_of(self, identity: str) -> tuple[str, ...]:
        """The requirements of code that names `identity`: itself, or those that a test case is of."""
        if self.is_requirement(identity):
            return (identity,)
        chosen = self.choice.designs.get(identity)
        if chosen is None or chosen.item.kind != "test_case":
            return ()
        found = [self.find(link.target) for link in chosen.item.links if link.role != MENTION]
        return tuple(dict.fromkeys(one for one in found if one is not None and self.is_requirement(one)))

    def is_requirement(self, identity: str) -> bool:
        return identity in self.choice.requirements


def _record_number(name: str) -> int:
    found = _RECORD.fullmatch(folded(name))
    return int(found[1]) if found is not None else 0
