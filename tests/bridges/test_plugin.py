"""The plugin folder: what a host that installs it starts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from loregraph import __version__
from loregraph.bridges import proxy_file

from .conftest import LOREGRAPH, Opens

PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
ROOT = "${CLAUDE_PLUGIN_ROOT}"
"""What hosts replace by the folder they have put the plugin into."""


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PLUGIN / name).read_text(encoding="utf-8"))
    return found


SERVERS: dict[str, dict[str, Any]] = read(".mcp.json")["mcpServers"]


def test_the_manifest_names_this_version() -> None:
    manifest = read(".claude-plugin/plugin.json")
    assert manifest["version"] == __version__
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", manifest["name"])
    # What the published schema knows of it. What it does not know, hosts refuse when they are strict.
    assert set(manifest) <= {"$schema", "name", "version", "description", "author", "license", "keywords"}


def test_the_folder_can_be_added_as_a_marketplace_of_one() -> None:
    marketplace = read(".claude-plugin/marketplace.json")
    assert [(entry["name"], entry["source"]) for entry in marketplace["plugins"]] == [
        (read(".claude-plugin/plugin.json")["name"], "./")
    ]
    assert marketplace["owner"]["name"]


def test_it_offers_serve_proxy_and_wrap() -> None:
    assert [(entry["command"], entry["args"][0]) for entry in SERVERS.values()] == [
        ("loregraph", "serve"),
        ("loregraph", "proxy"),
        ("loregraph", "wrap"),
    ]


def test_its_proxy_file_is_the_shipped_example() -> None:
    assert (PLUGIN / "tools.json").read_text(encoding="utf-8") == proxy_file.example("episodic-memory")


@pytest.mark.parametrize("name", ["loregraph", "loregraph-proxy"])
def test_its_servers_start_in_a_repository(wire: Opens, repository: Path, name: str) -> None:
    words = [word.replace(ROOT, str(PLUGIN)) for word in SERVERS[name]["args"]]
    server = wire(*LOREGRAPH, *words, cwd=repository)
    assert server.request("tools/list")["result"]["tools"]


def test_its_wrap_starts_in_a_repository(wire: Opens, repository: Path, official: tuple[str, ...]) -> None:
    words = SERVERS["loregraph-wrap"]["args"]
    at = words.index("--") + 1
    assert words[at:] == ["npx", "-y", "@modelcontextprotocol/server-memory"]
    server = wire(*LOREGRAPH, *words[:at], *official, cwd=repository)
    assert server.request("tools/list")["result"]["tools"]
