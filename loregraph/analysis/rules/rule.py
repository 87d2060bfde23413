"""What a rule is: a text, a check over the code, and projects that it finds nothing in or exactly what it should.

A module of this folder holds one rule: its functions, then `RULE`. The good and bad cases beside it are indexed and
checked by tests/analysis/rules/test_cases.py and shown in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from loregraph.analysis.findings import Place, Severity

if TYPE_CHECKING:
    from loregraph.analysis.rules.code import Code


class Habit(msgspec.Struct, frozen=True):
    """What most do, with ids of some that do."""

    name: str
    examples: tuple[str, ...]


class Deviation(msgspec.Struct, frozen=True):
    """One thing that is otherwise than a rule expects.

    `key` names it without lines, in addition to the rule (see `findings.Finding`). `evidence` are readable lines: the
    share that does otherwise, examples with their places. An empty `severity` is the rule's own.
    """

    place: Place
    message: str
    expected: str
    actual: str
    evidence: tuple[str, ...]
    key: str
    related: tuple[Place, ...] = ()
    severity: Severity | None = None


class Outcome(msgspec.Struct, frozen=True):
    """What one rule says of some code: `checked` is how many things it could have found wanting."""

    deviations: tuple[Deviation, ...] = ()
    habits: tuple[Habit, ...] = ()
    checked: int = 0


class Case(msgspec.Struct, frozen=True):
    """A small project: path → text, `loregraph.toml` among them where the rule is configured.

    `findings` are the (path, line) that the rule reports, in order. `memories` are (kind, text, anchor).
    """

    about: str
    files: Mapping[str, str]
    findings: tuple[tuple[str, int], ...] = ()
    memories: tuple[tuple[str, str, str], ...] = ()


Check = Callable[["Code", Sequence[int]], Outcome]
"""Looks at members (numbers of files, classes and functions, ascending), whatever it learns from the code around."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule. `short` is a sentence, `full` says what is learned or declared and what is left alone.

    `why_off` is the reason for which it is off unless it is asked for, "" where it is on. `whole` marks a rule that
    reads every file of the project and therefore is left out of questions about one component unless it is named.
    """

    name: str
    short: str
    full: str
    severity: Severity
    check: Check
    valid: tuple[Case, ...]
    invalid: tuple[Case, ...]
    why_off: str = ""
    whole: bool = False

    @property
    def on(self) -> bool:
        return not self.why_off
