"""Findings as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format") for code hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

import msgspec

from loregraph.analysis.findings import Finding, Place, Severity, fingerprint

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME: Final = "https://pypi.org/project/loregraph/"


class RuleText(msgspec.Struct, frozen=True):
    """The description of a rule in a report: a phrase, a paragraph, and the default severity of its findings."""

    name: str
    short: str
    full: str
    level: Severity


def to_sarif(findings: Iterable[Finding], rules: Mapping[str, RuleText], version: str) -> dict[str, Any]:
    """One run of loregraph `version`. `rules` are all those applied, by the name that findings use.

    Paths are relative to %SRCROOT%, the project's root; columns are left out, since a finding is about whole lines.
    Raises KeyError for a finding of a rule that is not in `rules`.
    """
    names = sorted(rules)
    number = {name: index for index, name in enumerate(names)}
    driver = {
        "name": "loregraph",
        "version": version,
        "informationUri": HOME,
        "rules": [_rule(rules[name]) for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the project."}}},
        "results": [_result(finding, number[finding.rule]) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: RuleText) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.short},
        "fullDescription": {"text": rule.full or rule.short},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [_location(finding.place)],
        "partialFingerprints": {"loregraph/v1": fingerprint(finding)},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": index, **_location(place)} for index, place in enumerate(finding.related, start=1)
        ]
    return result


def _location(place: Place) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(place.file_path), "uriBaseId": "%SRCROOT%"}}
    if place.start_line:
        physical["region"] = {"startLine": place.start_line, "endLine": max(place.start_line, place.end_line)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place.id:
        location["logicalLocations"] = [{"fullyQualifiedName": place.id}]
    return location
