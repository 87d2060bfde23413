"""The interface of rules: a text, a check over the code, and example projects with the expected findings.

Each module in this folder defines one rule: its functions, then `RULE`. The good and bad cases beside it are indexed
and checked by tests/analysis/rules/test_cases.py and shown in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from loregraph.analysis.findings import Place, Severity

if TYPE_CHECKING:
    from loregraph.analysis.rules.code import Code


class Habit(msgspec.Struct, frozen=True):
    """A common practice, with ids of examples."""

    name: str
    examples: tuple[str, ...]


class Deviation(msgspec.Struct, frozen=True):
    """One deviation from a rule.

    `key` identifies it without line numbers, within the rule (see `findings.Finding`). `evidence` are readable lines:
    the share that deviates, examples with their places. An empty `severity` means the rule's own.
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
    """The result of one rule: `checked` is the number of things examined."""

    deviations: tuple[Deviation, ...] = ()
    habits: tuple[Habit, ...] = ()
    checked: int = 0


class Case(msgspec.Struct, frozen=True):
    """A small project: path → text, including `loregraph.toml` where the rule is configured.

    `findings` are the expected (path, line), in order. `memories` are (kind, text, anchor), `runs` those of the files
    that are imported as what a run measured.
    """

    about: str
    files: Mapping[str, str]
    findings: tuple[tuple[str, int], ...] = ()
    memories: tuple[tuple[str, str, str], ...] = ()
    runs: tuple[str, ...] = ()


Check = Callable[["Code", Sequence[int]], Outcome]
"""Checks members (numbers of files, classes and functions, ascending); it may learn from other code too."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule. `short` is a sentence, `full` describes what is learned or declared and what is ignored.

    `why_off` is the reason why it is disabled by default, "" where it is enabled. `whole` marks a rule that reads every
    file of the project and is therefore left out of queries about one component unless it is named.
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
