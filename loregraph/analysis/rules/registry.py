"""The list of rules, and the selection that a project configures."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from loregraph.analysis.findings import Severity
from loregraph.analysis.rules import (
    complexity,
    component_cycles,
    cycles,
    dead_code,
    doc_parameters,
    documentation,
    error_handling,
    inheritance,
    layers,
    memories,
    missing_tests,
    naming,
    requirement_execution,
    sibling_names,
    signature,
)
from loregraph.analysis.rules.rule import Rule
from loregraph.analysis.sarif import RuleText
from loregraph.config import CheckSettings
from loregraph.errors import ConfigError, UsageError

RULES: Final[dict[str, Rule]] = {
    module.RULE.name: module.RULE
    for module in (
        layers,
        cycles,
        component_cycles,
        memories,
        dead_code,
        requirement_execution,
        doc_parameters,
        signature,
        error_handling,
        inheritance,
        naming,
        sibling_names,
        documentation,
        missing_tests,
        complexity,
    )
}
"""By name: declared ones first, then learned ones."""


def chosen(settings: CheckSettings, names: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules in `names`, else the enabled ones. Raises UsageError or ConfigError for an unknown one."""
    asked = tuple(dict.fromkeys(names))
    for name in asked:
        _require(name, f"there is no rule {name!r}", UsageError)
    for key, listed in (("enable", settings.enable), ("disable", settings.disable), ("severity", settings.severity)):
        for name in listed:
            _require(name, f"check.{key}: there is no rule {name!r}", ConfigError)
    if asked:
        return tuple(RULES[name] for name in asked)
    return tuple(
        rule
        for rule in RULES.values()
        if (rule.on or rule.name in settings.enable) and rule.name not in settings.disable
    )


def severity_of(rule: Rule, settings: CheckSettings) -> Severity:
    """The severity configured for the rule's findings."""
    return settings.severity.get(rule.name, rule.severity)


def texts(settings: CheckSettings) -> dict[str, RuleText]:
    """Every rule in the form for reports."""
    return {
        rule.name: RuleText(rule.name, rule.short, rule.full, severity_of(rule, settings)) for rule in RULES.values()
    }


def _require(name: str, message: str, error: type[UsageError]) -> None:
    if name not in RULES:
        near = difflib.get_close_matches(name, RULES, n=1, cutoff=0.5)
        raise error(message, f"did you mean {near[0]}?" if near else f"there are {', '.join(RULES)}")
