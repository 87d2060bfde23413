"""From lines that ran to functions that ran.

A line is of the innermost function whose **body** it is in. That of a definition is of the code around it: in most
languages a definition is a statement, which runs when a file is loaded. Where a tool says how often a function ran,
that counts and not its lines; a body in the line of its header is known by that only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from loregraph.indexer.bodies import Body
from loregraph.runs import lines as line_sets
from loregraph.runs.record import Covered, FunctionHit, Lines


class Ran(msgspec.Struct, frozen=True):
    """Numbers of functions in the file's bodies: those measured, and those of them that ran."""

    measured: frozenset[int]
    executed: frozenset[int]


class FileBodies:
    """The functions of one file, and which lines are theirs alone."""

    def __init__(self, bodies: Sequence[Body], text: str, *, headers_run: bool) -> None:
        """`headers_run` as in `record.Source`; `text` is the file's."""
        self.bodies = bodies
        lines = text.split("\n")
        self._line_count = len(lines) - (not lines[-1])
        self._blank = line_sets.of(number for number, line in enumerate(lines, 1) if not line.strip())
        self._own = _own_lines(bodies, headers_run=headers_run)

    # Implements REQ-RUN-002.
    def ran(self, covered: Covered) -> Ran | None:
        """The functions of the file in a record of it; None where the record is not of this text."""
        if not self.bodies:
            return Ran(frozenset(), frozenset())  # an empty file has a line that ran
        if not self._fits(covered):
            return None
        executed: set[int] = set()
        measured: set[int] = set()
        counted = self._counted(covered.functions)
        for place, own in enumerate(self._own):
            hits = counted.get(place)
            if hits is not None:
                measured.add(place)
                if hits:
                    executed.add(place)
            elif own & covered.executed:
                measured.add(place)
                executed.add(place)
            elif own & covered.measured if covered.measured is not None else own:
                measured.add(place)
        return Ran(frozenset(measured), frozenset(executed))

    def _fits(self, covered: Covered) -> bool:
        """Whether the lines can be those of this text: there are as many, and none with code is blank. Some tools count
        whole ranges of lines, of which this says nothing."""
        lines = covered.executed | (covered.measured or 0)
        if lines.bit_length() - 1 > self._line_count:
            return False
        return not covered.is_of_single_lines or not lines & self._blank

    def _counted(self, hits: Iterable[FunctionHit]) -> dict[int, int]:
        """Function → how often it ran, of those that the tool named and that are one function here."""
        found: dict[int, int] = {}
        by_line: dict[int, list[int]] = {}
        for place, body in enumerate(self.bodies):
            for line in range(
                body.start_line, min(body.body_line, body.end_line, body.start_line + _LONGEST_HEADER) + 1
            ):
                by_line.setdefault(line, []).append(place)
        for hit in hits:
            near = by_line.get(hit.line, [])
            name = hit.name.rpartition(".")[2].partition("(")[0]
            named = [place for place in near if name and self.bodies[place].name == name]
            starting = [place for place in near if self.bodies[place].start_line == hit.line]
            fits = named or starting or near
            if len(fits) == 1:
                found[fits[0]] = max(hit.hits, found.get(fits[0], 0))
        return found


_LONGEST_HEADER: Final = 200
"""Lines of decorators and parameters in which a tool may say that a function is declared."""


def _own_lines(bodies: Sequence[Body], *, headers_run: bool) -> list[Lines]:
    """The lines of each function that are no other's."""
    own = [line_sets.between(body.body_line, body.end_line) for body in bodies]
    order = sorted(range(len(bodies)), key=lambda place: (bodies[place].start_line, -bodies[place].end_line))
    if not headers_run:
        inside = 0
        for place in order:
            body = bodies[place]
            if not inside >> body.start_line & 1:  # the header of an inner function is code of the outer one
                own[place] |= line_sets.between(body.start_line, body.end_line)
            inside |= own[place]
    taken = 0
    for place in reversed(order):
        span = own[place]
        own[place] = span & ~(taken & span)
        taken |= span
    return own
