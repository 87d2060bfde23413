"""Entries are put into files of every form and taken out again: to the byte, or without touching what is not theirs."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.errors import ConfigError
from loregraph.hosts import jsonc as jsonc_edits
from loregraph.hosts.edits import Edited, restored
from loregraph.hosts.parts import Block, Found, JsonEntry, JsonItem, Part, TomlTable, WholeFile, YamlEntry
from loregraph.hosts.texts import hook

from . import texts

SERVER = {"command": "loregraph", "args": ["--root", "${workspaceFolder}", "serve"]}
OLD = {"command": "loregraph", "args": ["serve", "--profile", "lean"]}
PATHS = (("mcpServers",), ("a", "b"))


def undone(edited: Edited) -> str:
    return restored(edited.text, edited.spans)


def letters(text: str) -> Counter[str]:
    """What a text consists of, but for blanks: comments and values cannot be lost or made without this changing."""
    return Counter("".join(text.split()))


def round_trip(part: Part, text: str) -> str:
    """`text` with the part; both ways back are checked."""
    edited = part.put(Edited(text))
    assert part.found(edited.text) == (Found.SAME, "")
    assert undone(edited) == text
    left = part.drop(edited, part.depth(text))
    assert part.found(left.text)[0] is Found.NOTHING
    assert letters(left.text) == letters(text)
    assert undone(left) == text
    return edited.text


# Verifies REQ-CLI-020.
@given(st.data())
@settings(max_examples=60)
def test_json_with_comments(data: st.DataObject) -> None:
    value = data.draw(st.dictionaries(texts.NAMES, texts.VALUES, max_size=3))
    path = data.draw(st.sampled_from(PATHS))
    around: Any = value
    for key in path[: data.draw(st.integers(0, len(path)))]:
        around[key] = data.draw(st.dictionaries(texts.NAMES, texts.VALUES, max_size=2))
        around = around[key]
    if any(not isinstance(one, dict) for one in (value.get("a", {}), value.get("mcpServers", {}))):
        return
    text = data.draw(texts.jsonc(value))
    root = jsonc_edits.parse(text)
    assert root is not None and root.plain() == value

    after = round_trip(JsonEntry((*path, "loregraph"), SERVER), text)
    found = jsonc_edits.parse(after)
    assert found is not None
    expected = json.loads(json.dumps(value))
    inner = expected
    for key in path:
        inner = inner.setdefault(key, {})
    inner["loregraph"] = SERVER
    assert found.plain() == expected
    assert list(found.plain()) == list(expected), "others keep their order"


@given(st.data())
@settings(max_examples=60)
def test_an_item_of_a_list_in_json(data: st.DataObject) -> None:
    hooks = data.draw(st.lists(st.fixed_dictionaries({"matcher": texts.NAMES}), max_size=2))
    value = data.draw(st.sampled_from([{}, {"hooks": {}}, {"hooks": {"PreToolUse": hooks}, "model": "x"}]))
    text = data.draw(texts.jsonc(value))
    after = jsonc_edits.parse(round_trip(JsonItem(("hooks", "PreToolUse"), hook()), text))
    assert after is not None
    before = value.get("hooks", {}).get("PreToolUse", [])
    assert after.plain()["hooks"]["PreToolUse"] == [*before, hook()]


def test_a_hook_of_an_older_version_is_replaced_and_those_of_others_stay() -> None:
    others = [{"matcher": "Grep", "hooks": [{"type": "command", "command": "loregraph status"}]}, 1, {"hooks": [2]}]
    old = {"matcher": "Grep", "hooks": [{"type": "command", "command": 'echo \'{"x": "loregraph"}\''}]}
    text = json.dumps({"hooks": {"PreToolUse": [old, *others]}})
    part = JsonItem(("hooks", "PreToolUse"), hook())
    assert part.found(text)[0] is Found.OURS
    edited = part.put(Edited(text))
    assert json.loads(edited.text)["hooks"]["PreToolUse"] == [*others, hook()]
    assert undone(edited) == text
    assert json.loads(part.drop(edited, 2).text)["hooks"]["PreToolUse"] == others


@given(texts.toml())
@settings(max_examples=60)
def test_toml(text: str) -> None:
    after = round_trip(TomlTable(("mcp_servers", "loregraph"), SERVER), text)
    expected = tomllib.loads(text.removeprefix("\ufeff"))
    expected.setdefault("mcp_servers", {})["loregraph"] = SERVER
    assert tomllib.loads(after.removeprefix("\ufeff")) == expected


@given(texts.yaml())
@settings(max_examples=60)
def test_yaml(text: str) -> None:
    round_trip(YamlEntry(("extensions", "loregraph"), {"cmd": "loregraph", "args": ["serve"], "enabled": True}), text)


@given(texts.markdown())
def test_a_block_of_instructions(text: str) -> None:
    after = round_trip(Block("# Ask\n\nloregraph"), text)
    assert after.startswith(text)
    newer = Block("# Ask\n\nit").put(Edited(after))
    assert Block("# Ask\n\nit").found(newer.text) == (Found.SAME, "")
    assert after.replace("loregraph\n<!--", "it\n<!--").replace("loregraph\r\n<!--", "it\r\n<!--") == newer.text


@given(st.data())
@settings(max_examples=60)
def test_what_a_user_adds_around_the_entry_stays(data: st.DataObject) -> None:
    value = {"mcpServers": data.draw(st.sampled_from([{}, {"one": {"command": "x"}}])), "z": 1}
    text = data.draw(texts.jsonc(value))
    part = JsonEntry(("mcpServers", "loregraph"), SERVER)
    keep = part.depth(text)
    user = part.put(Edited(text)).text
    for path in data.draw(st.lists(st.sampled_from([("mcpServers", "new"), ("new",), ("mcpServers", "two")]))):
        user = jsonc_edits.put(Edited(user), path, {"by": "// me, {"}).text
    at = user.index('"loregraph"')
    user = user[:at] + "/* mine */" + user[at:]
    left = part.drop(Edited(user), keep).text
    found = jsonc_edits.parse(left)
    assert found is not None and "loregraph" not in found.plain()["mcpServers"]
    with_it = jsonc_edits.parse(user)
    assert with_it is not None
    expected = with_it.plain()
    del expected["mcpServers"]["loregraph"]
    assert found.plain() == expected
    assert left.count("/* mine */") == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {"loregraph": {"command": "x"}, "b": {}}}',
        '{\n  "mcpServers": {\n    "a": {}, // note\n    "loregraph": {}}}',
        '{\n  "mcpServers": { // note\n    "loregraph": {} /* c */, // d\n    "b": {}\n  }\n}\n',
        '{ "mcpServers": { "loregraph": {}, } }',
        '{"mcpServers": {"a": 1\n, "loregraph": {}\n,}}',
    ],
)
def test_an_entry_in_any_form_is_taken_out_and_the_rest_still_reads(text: str) -> None:
    before = jsonc_edits.parse(text)
    assert before is not None
    expected = before.plain()
    del expected["mcpServers"]["loregraph"]
    left = JsonEntry(("mcpServers", "loregraph"), SERVER).drop(Edited(text), 1).text
    after = jsonc_edits.parse(left)
    assert after is not None and after.plain() == expected
    assert left.count("note") == text.count("note") and left.count("// d") == text.count("// d")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ('{"a" 1}', 1),
        ('{\n"a": 1,,\n}', 2),
        ("{'a': 1}", 1),
        ('{"a": 1} {}', 1),
        ('{\n"a": /* \n', 2),
        ('{"a": tru}', 1),
        ('{"a": "\n"}', 1),
        ("[1}", 1),
        ('{"a"}', 1),
        ('{"a":}', 1),
        ('{"a": 1, 2}', 1),
        ("[" * 300, 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ConfigError, match=rf"^line {line}: "):
        JsonEntry(("mcpServers", "loregraph"), SERVER).put(Edited(text))


@pytest.mark.parametrize(
    "text", ['{"mcpServers": 1}', '{"mcpServers": []}', "[]", '{"mcpServers": {}, "mcpServers": {}}', "1"]
)
def test_json_without_a_place_for_the_entry_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        JsonEntry(("mcpServers", "loregraph"), SERVER).put(Edited(text))


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers",
        "mcp_servers = 1\n",
        "mcp_servers = {other = {command = 'x'}}\n",
        "[[mcp_servers]]\nname = 'x'\n",
        "a = 1\na = 2\n",
    ],
)
def test_toml_without_a_place_for_the_entry_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        TomlTable(("mcp_servers", "loregraph"), SERVER).put(Edited(text))


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers.loregraph = {command = "loregraph", args = ["serve"]}\nmodel = "x"\n',
        'model = "x"\n[mcp_servers]\nloregraph = {command = "y"}\n',
        'model = "x"\n[mcp_servers."loregraph"] # mine\ncommand = "y"\n\n[mcp_servers.loregraph.env]\nA = "1"\n',
        'model = "x"\n\n[ mcp_servers . loregraph ]\r\ncommand = "y"\n# about tui\n[tui]\na = [\n 1]\n',
    ],
)
def test_a_table_in_any_form_is_taken_out_and_put_in_again(text: str) -> None:
    part = TomlTable(("mcp_servers", "loregraph"), SERVER)
    expected = tomllib.loads(text)
    del expected["mcp_servers"]["loregraph"]
    left = part.drop(Edited(text), 1).text
    assert {k: v for k, v in tomllib.loads(left).items() if v} == {k: v for k, v in expected.items() if v}
    assert left.count("# about") == text.count("# about")
    replaced = part.put(Edited(text))
    assert part.found(replaced.text) == (Found.SAME, "")
    assert undone(replaced) == text


def test_a_text_that_looks_like_the_table_is_not_taken_for_it() -> None:
    text = "a = '''\n[mcp_servers.loregraph]\ncommand = 'x'\n'''\n"
    part = TomlTable(("mcp_servers", "loregraph"), SERVER)
    assert part.found(text)[0] is Found.NOTHING
    after = part.put(Edited(text)).text
    assert part.drop(Edited(after), 1).text == text


@pytest.mark.parametrize("text", ["extensions: {a: {}}\n", "- a\n", "extensions: [1]\n", "a: [", "a: 1\n...\nb: 2"])
def test_yaml_without_a_place_for_the_entry_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        YamlEntry(("extensions", "loregraph"), {"cmd": "loregraph"}).put(Edited(text))


@pytest.mark.parametrize(
    "text", ["<!-- loregraph: begin -->\n", "<!-- loregraph: end -->\n<!-- loregraph: begin -->\n"]
)
def test_half_a_block_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="pair"):
        Block("x").put(Edited(text))


def test_a_file_of_our_own_is_only_removed_as_it_was_written() -> None:
    part = WholeFile("mine\n")
    assert part.put(Edited("")).text == "mine\n"
    assert part.found("mine\nand yours\n") == (Found.OTHER, "mine")
    assert part.drop(Edited("mine\nand yours\n"), 0).text == "mine\nand yours\n"


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        (SERVER, Found.SAME),
        (OLD, Found.OURS),
        ({"command": "/opt/bin/loregraph", "args": ["serve"]}, Found.OURS),
        ({"command": r"C:\x\loregraph.exe", "args": ["serve"]}, Found.OURS),
        ({"command": "/usr/bin/python3", "args": ["-m", "loregraph", "serve"]}, Found.OURS),
        ({"type": "local", "command": ["loregraph", "serve"], "enabled": True}, Found.OURS),
        ({"command": "evil", "args": ["loregraph", "serve"]}, Found.OTHER),
        ({"command": "sh", "args": ["-c", "loregraph serve; evil"]}, Found.OTHER),
        ({"command": 7, "args": "serve"}, Found.OTHER),
        ({"url": "https://example.com"}, Found.OTHER),
        ("loregraph", Found.OTHER),
        (None, Found.OTHER),
    ],
)
def test_whose_entry_it_is(entry: Any, found: Found) -> None:
    text = json.dumps({"mcpServers": {"loregraph": entry}})
    assert JsonEntry(("mcpServers", "loregraph"), SERVER).found(text)[0] is found


@given(
    st.text("ab\n", max_size=20), st.lists(st.tuples(st.integers(0, 25), st.integers(0, 5), st.text("xy", max_size=4)))
)
def test_any_edits_can_be_undone(text: str, edits: list[tuple[int, int, str]]) -> None:
    edited = Edited(text)
    for at, length, new in edits:
        begin = min(at, len(edited.text))
        edited = edited.replace(begin, min(begin + length, len(edited.text)), new)
    assert undone(edited) == text
    assert all(one.end <= other.start for one, other in zip(edited.spans, edited.spans[1:], strict=False))
