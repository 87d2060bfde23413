"""Configurations of hosts that came with a repository, made to hang, flood or mislead the one that edits them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loregraph.errors import ConfigError
from loregraph.hosts import texts
from loregraph.hosts.edits import Edited
from loregraph.hosts.installing import File, read
from loregraph.hosts.parts import Block, JsonEntry, JsonItem, Part, TomlTable, YamlEntry

SERVER = {"command": "loregraph", "args": ["serve"]}
JSON = JsonEntry(("mcpServers", "loregraph"), SERVER)
HOOK = JsonItem(("hooks", "PreToolUse"), texts.hook())
TOML = TomlTable(("mcp_servers", "loregraph"), SERVER)
YAML = YamlEntry(("extensions", "loregraph"), {"cmd": "loregraph"})
BLOCK = Block("Ask.")
LARGE = 5_000

FLOODS = {
    "comments": (JSON, '{"a": 1' + " /*a*/" * LARGE + ",\n}"),
    "open comments": (JSON, '{"a": 1 ' + "/*" * LARGE + "\n}"),
    "quotes": (JSON, '{"a": "' + '\\"' * LARGE + "}"),
    "items": (HOOK, '{"hooks": {"PreToolUse": [' + f"{json.dumps(texts.hook())}," * 300 + "]}}"),
    "brackets": (JSON, "[" * LARGE),
    "members": (JSON, "{" + "".join(f'"{i}": {{}},\n' for i in range(LARGE)) + "}"),
    "digits": (JSON, '{"a": ' + "9" * LARGE + "}"),
    "line ends": (JSON, "{" + "\n" * LARGE + "}"),
    "tables": (TOML, "".join(f"[mcp_servers.loregraph.x{i}]\n" for i in range(500))),
    "lookalikes": (TOML, "a = '''\n" + "[mcp_servers.loregraph]\n" * LARGE + "'''\n[mcp_servers.loregraph]\n"),
    "toml brackets": (TOML, "a = " + "[" * LARGE),
    "yaml brackets": (YAML, "a: " + "[" * 900),
    "marks": (BLOCK, "<!-- loregraph: begin -->\n" * LARGE),
}


def both_ways(part: Part, text: str) -> None:
    part.found(text)
    edited = part.put(Edited(text))
    part.drop(edited, 0)


# Verifies REQ-SEC-001.
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_edited_or_refused_and_never_hangs(name: str) -> None:
    part, text = FLOODS[name]
    try:
        both_ways(part, text)
    except ConfigError as error:
        assert len(error.message) < 1_000


@given(
    st.sampled_from([JSON, HOOK, TOML, YAML, BLOCK]),
    st.lists(st.sampled_from([*"{}[]\":,/*\\\n\r\t #=.-'aé\ufeff\x00", '"loregraph"', "mcp_servers"]), max_size=30),
)
def test_any_text_is_edited_or_refused(part: Part, pieces: list[str]) -> None:
    try:
        both_ways(part, "".join(pieces))
    except ConfigError as error:
        assert error.suggestion


def test_a_huge_file_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ConfigError, match="bytes"):
        read(File(tmp_path, path, "mcp.json", False))
