"""The pages under docs/ and the README say what the code does."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from collections import Counter
from itertools import groupby
from pathlib import Path
from types import ModuleType

import click
import pytest

from loregraph import __version__
from loregraph.cli.main import cli
from loregraph.config import Settings
from loregraph.graph.model import NODE_TYPES, RELATIONSHIP_PROPERTIES, RELATIONSHIPS
from loregraph.indexer.endpoints.how import CONFIDENCE as OF_ENDPOINTS
from loregraph.indexer.resolve.how import BY_LANGUAGE, CONFIDENCE

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
REQUIREMENT = re.compile(r"REQ-[A-Z]{3}-\d{3}")


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_cli", DOCS / "generate_cli.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(page: str, heading: str) -> list[list[str]]:
    """Rows of the first table under `heading`, as cells, without its head."""
    section = (DOCS / page).read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1]
    lines = section.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_cli_page_is_what_the_commands_say() -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert generator().page_with_commands(page) == page, "run: python docs/generate_cli.py"


# Verifies REQ-CLI-001.
@pytest.mark.parametrize("name", cli.commands)
def test_commands_have_help_with_an_example(name: str) -> None:
    assert f"loregraph {name}" in (cli.commands[name].help or "")


def documented_calls() -> list[tuple[str, str]]:
    """(page, words) of every line in the documentation that calls loregraph."""
    pages = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
    call = re.compile(r"^\$ (?:loregraph|python3 run\.py) (.+)$", re.MULTILINE)
    return [(page.name, words) for page in pages for words in call.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "words"), documented_calls())
def test_documented_calls_name_commands_and_options_that_exist(page: str, words: str) -> None:
    name, *rest = words.partition("#")[0].split()
    if name in ("test", "lint"):
        return
    command = cli.commands[name]
    if isinstance(command, click.Group) and rest and not rest[0].startswith(("-", "[")) and rest[0] != "COMMAND":
        command = command.commands[rest[0]]
    known = {option for parameter in [*command.params, *cli.params] for option in parameter.opts}
    assert {word.split("=")[0] for word in rest if re.match(r"--\w", word)} <= known


@pytest.mark.parametrize(("name", "command"), cli.commands.items())
def test_options_have_help(name: str, command: click.Command) -> None:
    assert not [p.name for p in command.params if isinstance(p, click.Option) and not p.help]


# Verifies REQ-GRA-001.
def test_graph_page_lists_the_labels_and_their_properties() -> None:
    common = {"id", "name", "qualified_name"}
    documented = {row[0]: codes(row[2]) for row in table("graph.md", "Nodes")}
    assert documented == {t.__name__: [f for f in t.__struct_fields__ if f not in common] for t in NODE_TYPES}


def test_graph_page_lists_the_relationships_their_ends_and_properties() -> None:
    rows = table("graph.md", "Relationships")
    assert {row[0]: tuple(codes(row[2])) for row in rows} == RELATIONSHIP_PROPERTIES
    for name, ends, _ in rows:
        documented = {
            (source.strip(), target.strip())
            for part in ends.split(";")
            for source in part.split("→")[0].split(",")
            for target in part.split("→")[1].split(",")
        }
        assert documented == set(RELATIONSHIPS[name]), name


def test_configuration_keys_are_documented() -> None:
    documented = {key.split(".")[0] for row in table("cli.md", "Configuration") for key in codes(row[0])}
    assert documented == set(Settings.__struct_fields__)


def test_requirement_ids_are_unique_and_in_order() -> None:
    text = (DOCS / "requirements.md").read_text(encoding="utf-8")
    ids = re.findall(r"^- \*\*(.+?)\*\*", text, re.MULTILINE)
    assert len(ids) > 100
    assert [i for i in ids if not REQUIREMENT.fullmatch(i)] == []
    assert [i for i, n in Counter(ids).items() if n > 1] == []
    for _, group in groupby(ids, key=lambda i: i[:8]):
        numbers = [int(i[8:]) for i in group]
        assert numbers == list(range(1, len(numbers) + 1))


def test_requirements_named_elsewhere_exist() -> None:
    known = set(REQUIREMENT.findall((DOCS / "requirements.md").read_text(encoding="utf-8")))
    places = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "loregraph").rglob("*.py")]
    named = {i for place in places for i in REQUIREMENT.findall(place.read_text(encoding="utf-8"))}
    assert named - {"REQ-MEM-005"} <= known


def test_changelog_opens_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (\S+)", text, re.MULTILINE)
    assert first is not None
    assert first[1] in (__version__, "Unreleased")


def test_architecture_page_names_only_files_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./]+\.(?:py|md|toml|scm))`", text))
    missing = [name for name in named if not any((base / name).exists() for base in (ROOT, ROOT / "loregraph"))]
    assert missing == []


# Verifies REQ-PKG-001.
def test_readme_opens_with_a_command_that_indexes_and_one_that_tests() -> None:
    head = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ", 1)[0]
    calls = re.findall(r"^\$ python3 (\S+) (\S+)", head, re.MULTILINE)
    assert calls == [("run.py", "index"), ("run.py", "test")]
    assert "run.py test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


# Verifies REQ-PKG-003.
def test_dependencies_have_a_lower_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [d for d in project["dependencies"] if not re.match(r"[\w-]+[=>]=", d)] == []


def test_graph_page_lists_every_how_of_a_call_with_its_confidence() -> None:
    text = (ROOT / "docs/graph.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([\w-]+)` \| ([01]\.\d\d) \|", text, re.MULTILINE))
    assert listed == {how: f"{confidence:.2f}" for how, confidence in CONFIDENCE.items()}


def test_endpoints_page_lists_every_how_with_its_confidence() -> None:
    text = (ROOT / "docs/endpoints.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([\w-]+)` \| ([01]\.\d\d) \|", text, re.MULTILINE))
    assert listed == {how: f"{confidence:.2f}" for how, confidence in OF_ENDPOINTS.items()}


def test_graph_page_lists_the_confidences_of_single_languages() -> None:
    text = (ROOT / "docs/graph.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([\w#+]+) \| (`[\w-]+` [01]\.\d\d(?:, `[\w-]+` [01]\.\d\d)*) \|$", text, re.MULTILINE))
    listed = {name.lower(): dict(re.findall(r"`([\w-]+)` (\S\.\d\d)", row)) for name, row in rows.items()}
    listed["csharp"] = listed.pop("c#")
    listed["tsx"] = listed["typescript"]
    assert listed == {
        language: {how: f"{sure:.2f}" for how, sure in hows.items()} for language, hows in BY_LANGUAGE.items()
    }
