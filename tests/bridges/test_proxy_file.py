"""The file of `loregraph proxy`: what it may say, and where it is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loregraph.bridges import proxy_file
from loregraph.bridges.proxy_file import faults_of, load, parse
from loregraph.errors import ConfigError, NotFoundError

GOOD: dict[str, Any] = {
    "upstream": {"command": "npx", "args": ["-y", "server"], "env": {"A": "b"}},
    "tools": [
        {
            "name": "memory__search",
            "description": "Search",
            "inputSchema": {
                "type": "object",
                "properties": {"query": {"type": "string"}, "limit": {"type": "number", "default": 10.0}},
                "required": ["query"],
            },
            "upstream": {"tool": "search", "paramMapping": {"query": "filters.text", "limit": "max"}},
        }
    ],
}
Change = Callable[[dict[str, Any]], Any]


def changed(change: Change) -> dict[str, Any]:
    found = copy.deepcopy(GOOD)
    change(found)
    return found


def tool(found: dict[str, Any]) -> dict[str, Any]:
    first: dict[str, Any] = found["tools"][0]
    return first


def mapping(found: dict[str, Any]) -> dict[str, Any]:
    pairs: dict[str, Any] = tool(found)["upstream"]["paramMapping"]
    return pairs


def test_a_good_file_is_read() -> None:
    read = parse(json.dumps(GOOD), "tools.json")
    assert read.launch.command == ("npx", "-y", "server")
    assert read.launch.env == {"A": "b"}
    assert [(p.name, p.target) for p in read.tools["memory__search"].parameters] == [
        ("query", ("filters", "text")),
        ("limit", ("max",)),
    ]


def test_the_list_is_the_files_without_the_upstream() -> None:
    listed = json.loads(bytes(parse(json.dumps(GOOD), "tools.json").listed))
    assert listed == [{key: value for key, value in tool(GOOD).items() if key != "upstream"}]


def test_what_else_a_tool_says_is_shown_as_it_stands() -> None:
    found = changed(lambda f: tool(f).update(title="Find", outputSchema={"type": "object"}, later={"a": [1]}))
    listed = json.loads(bytes(parse(json.dumps(found), "tools.json").listed))
    assert listed[0]["title"] == "Find"
    assert listed[0]["later"] == {"a": [1]}


def test_a_dot_that_belongs_to_a_name_is_escaped() -> None:
    assert proxy_file.target_of(r"a\.b.c") == ("a.b", "c")


@pytest.mark.parametrize(("hints", "repeatable"), [({"readOnlyHint": True}, True), ({"idempotentHint": False}, False)])
def test_annotations_say_which_calls_may_be_repeated(hints: dict[str, bool], repeatable: bool) -> None:
    found = changed(lambda f: tool(f).update(annotations=hints))
    assert parse(json.dumps(found), "tools.json").tools["memory__search"].repeatable is repeatable


FAULTS: list[tuple[str, Change, str]] = [
    ("$.upstream", lambda f: f.pop("upstream"), "missing"),
    ("$.upstream", lambda f: f.update(upstream="npx"), "object"),
    ("$.upstream.command", lambda f: f["upstream"].pop("command"), "missing"),
    ("$.upstream.command", lambda f: f["upstream"].update(command=""), "empty"),
    ("$.upstream.args", lambda f: f["upstream"].update(args="-y server"), "list"),
    ("$.upstream.args[1]", lambda f: f["upstream"].update(args=["a", 1]), "text"),
    ("$.upstream.env", lambda f: f["upstream"].update(env=[]), "object"),
    ("$.upstream.env.PORT", lambda f: f["upstream"]["env"].update(PORT=1), "text"),
    ("$.upstream.cwd", lambda f: f["upstream"].update(cwd=None), "text"),
    ("$.upstream.arguments", lambda f: f["upstream"].update(arguments=[]), "known are command, args, env, cwd"),
    ("$.tols", lambda f: f.update(tols=[]), "not known"),
    ("$.tools", lambda f: f.pop("tools"), "missing"),
    ("$.tools", lambda f: f.update(tools=[]), "at least one"),
    ("$.tools[0]", lambda f: f.update(tools=["search"]), "object"),
    ("$.tools[0].name", lambda f: tool(f).pop("name"), "missing"),
    ("$.tools[0].name", lambda f: tool(f).update(name=7), "text"),
    ("$.tools[1].name", lambda f: f["tools"].append(tool(f)), "name of $.tools[0], too"),
    ("$.tools[0].description", lambda f: tool(f).pop("description"), "missing"),
    ("$.tools[0].inputSchema", lambda f: tool(f).pop("inputSchema"), "missing"),
    ("$.tools[0].inputSchema", lambda f: tool(f).update(inputSchema=[]), "object"),
    ("$.tools[0].inputSchema.type", lambda f: tool(f)["inputSchema"].update(type="string"), '"object"'),
    ("$.tools[0].inputSchema.properties", lambda f: tool(f)["inputSchema"].update(properties=["a"]), "object"),
    ("$.tools[0].annotations", lambda f: tool(f).update(annotations=True), "object"),
    ("$.tools[0].upstream", lambda f: tool(f).pop("upstream"), "missing"),
    ("$.tools[0].upstream", lambda f: tool(f).update(upstream="search"), "object"),
    ("$.tools[0].upstream.tool", lambda f: tool(f)["upstream"].pop("tool"), "missing"),
    ("$.tools[0].upstream.paramMaping", lambda f: tool(f)["upstream"].update(paramMaping={}), "not known"),
    ("$.tools[0].upstream.paramMapping", lambda f: tool(f)["upstream"].pop("paramMapping"), "missing"),
    ("$.tools[0].upstream.paramMapping", lambda f: tool(f)["upstream"].update(paramMapping=["query"]), "object"),
    ("$.tools[0].upstream.paramMapping.query", lambda f: mapping(f).update(query=["text"]), "path"),
    ("$.tools[0].upstream.paramMapping.query", lambda f: mapping(f).update(query="filters..text"), "path"),
    ("$.tools[0].upstream.paramMapping.limti", lambda f: mapping(f).update(limti="n"), "no property 'limti'"),
    ('$.tools[0].upstream.paramMapping["a b"]', lambda f: mapping(f).update({"a b": "n"}), "no property"),
    ("$.tools[0].upstream.paramMapping.limit", lambda f: mapping(f).update(limit="filters"), "filled by 'query'"),
    ("$.tools[0].upstream.paramMapping.limit", lambda f: mapping(f).update(limit="filters.text"), "filled by 'query'"),
]


@pytest.mark.parametrize(("where", "change", "what"), FAULTS)
def test_a_fault_is_told_with_its_path(where: str, change: Change, what: str) -> None:
    assert [(path, what in told) for path, told in faults_of(changed(change))] == [(where, True)]


@pytest.mark.parametrize("found", [None, [], "x"])
def test_a_file_that_is_no_object_is_told(found: Any) -> None:
    assert [path for path, _ in faults_of(found)] == ["$"]


def test_all_faults_are_told_at_once() -> None:
    found = changed(lambda f: (tool(f).pop("name"), f["upstream"].pop("command")))
    with pytest.raises(ConfigError) as raised:
        parse(json.dumps(found), "tools.json")
    assert "$.upstream.command: is missing" in raised.value.message
    assert "$.tools[0].name: is missing" in raised.value.message


def test_a_tool_without_parameters_needs_no_mapping() -> None:
    found = changed(lambda f: tool(f).update(inputSchema={"type": "object"}, upstream={"tool": "read_graph"}))
    assert parse(json.dumps(found), "tools.json").tools["memory__search"].parameters == ()


def test_a_schema_that_is_open_may_be_mapped_from_anything() -> None:
    found = changed(lambda f: (tool(f)["inputSchema"].update(additionalProperties=True), mapping(f).update(more="n")))
    assert list(faults_of(found)) == []


def test_what_is_no_json_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('{\n  "upstream": {}\n  x\n}\n')
    with pytest.raises(ConfigError, match=r"tools\.json is no JSON: line 3, column 3"):
        load(tmp_path / "tools.json")


@pytest.mark.parametrize("content", [None, b"\xff\xfe{}"])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "tools.json").write_bytes(content)
    with pytest.raises(ConfigError, match="cannot read"):
        load(tmp_path / "tools.json")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert list(load(tmp_path / "tools.json").tools) == ["memory__search"]


def test_the_examples_are_valid() -> None:
    assert proxy_file.examples() == ["episodic-memory", "server-memory"]
    for name in proxy_file.examples():
        assert parse(proxy_file.example(name), name).tools


def test_an_example_that_is_not_there_is_told() -> None:
    with pytest.raises(NotFoundError, match="no example 'x'"):
        proxy_file.example("x")
