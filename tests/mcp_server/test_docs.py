"""docs/mcp.md says what the tools take and answer."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from loregraph.mcp_server import profiles
from loregraph.mcp_server.registry import Tool
from loregraph.mcp_server.schema import output_schema

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "mcp.md").read_text(encoding="utf-8")


def documented() -> dict[str, tuple[list[str], list[str]]]:
    """Tool → (its input, its output) in the tables."""
    rows = re.findall(r"^\| `(\w+)` \| (.*?) ?\| (.*?) \|$", PAGE.split("## Tools")[1], re.MULTILINE)
    return {
        name: ([word for word in taken.split(", ") if word], answered.split(", ")) for name, taken, answered in rows
    }


def taken_by(tool: Tool) -> list[str]:
    """The arguments as the page writes them."""
    found = []
    for field in msgspec.structs.fields(tool.arguments):
        default = field.default
        shown = default not in (None, False, 0, "") and field.name != "max_tokens"
        found.append(f"{field.name}*" if field.required else f"{field.name}={default}" if shown else field.name)
    return found


@pytest.mark.parametrize("name", documented())
def test_the_page_has_what_a_tool_takes_and_answers(name: str) -> None:
    tool = profiles.find(profiles.get("code-memory"), name)
    taken, answered = documented()[name]
    assert taken == taken_by(tool)
    assert answered == list(output_schema(tool.output, tool.shows)["properties"])


def test_the_page_has_every_tool_and_profile() -> None:
    tools = [tool.name for tool, _, _ in profiles.load(profiles.get("code-memory"))]
    assert list(documented()) == tools
    for profile in profiles.PROFILES.values():
        row = re.search(rf"^\| `{profile.name}` \| (.*?) \|", PAGE, re.MULTILINE)
        assert row is not None
        named = re.findall(r"`([\w:/]+)`", row[1])
        if named:
            assert named == [t.name for t, _, _ in profiles.load(profile)] + list(profile.resources)


def test_the_configurations_are_readable() -> None:
    blocks = re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 5
    for kind, text in blocks:
        found = json.loads(text) if kind == "json" else tomllib.loads(text)
        (servers,) = found.values()
        command = servers["loregraph"]["command"]
        command = command if isinstance(command, list) else [command, *servers["loregraph"]["args"]]
        assert (command[0], command[-1]) == ("loregraph", "serve")


def test_pages_that_are_linked_exist() -> None:
    for page in ("mcp.md", "troubleshooting.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert (DOCS / target).exists(), target
