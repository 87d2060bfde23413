"""What a code host reads of a finding. The whole form is held against the published schema in test_sarif_schema.py."""

from __future__ import annotations

import pytest

from loregraph.analysis.findings import Finding, Place, fingerprint
from loregraph.analysis.sarif import RuleText, to_sarif

RULES = {name: RuleText(name, f"{name}, short", f"{name}, in full", "warning") for name in ("tests", "naming")}
FINDING = Finding(
    "tests", "error", "no test", Place("src/a b.py", 3, 8, "src/a b.py::f"), "f", (Place("src/c.py", 1, 1),)
)


def test_a_result_names_its_rule_place_and_fingerprint() -> None:
    (run,) = to_sarif([FINDING], RULES, "1.2")["runs"]
    (result,) = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "tests"
    assert result["level"] == "error"
    where = result["locations"][0]["physicalLocation"]
    assert where["artifactLocation"] == {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"}
    assert where["region"] == {"startLine": 3, "endLine": 8}
    assert result["partialFingerprints"] == {"loregraph/v1": fingerprint(FINDING)}
    assert [related["id"] for related in result["relatedLocations"]] == [1]


def test_every_rule_that_was_looked_at_is_listed_also_without_a_finding() -> None:
    (run,) = to_sarif([], RULES, "1.2")["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["naming", "tests"]
    assert run["results"] == []


def test_a_finding_about_a_whole_file_has_no_region() -> None:
    finding = Finding("tests", "note", "m", Place("a.py", 0, 0), "k")
    (run,) = to_sarif([finding], RULES, "1.2")["runs"]
    assert "region" not in run["results"][0]["locations"][0]["physicalLocation"]


def test_a_rule_that_is_not_listed_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        to_sarif([Finding("other", "note", "m", Place("a.py", 1, 1), "k")], RULES, "1.2")
