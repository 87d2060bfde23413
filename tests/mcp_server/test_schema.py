"""What a host is shown: names, sizes, schemas, annotations."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from loregraph.mcp_server import profiles
from loregraph.mcp_server.server import listed

from .test_tools import FIELDS

LARGEST = 17 * 1024
LARGEST_LEAN = 5 * 1024

READS = set(
    "memory_get memory_search code_search find_duplicates get_related graph_query index_status check_consistency "
    "validate_fix get_design_context trace_requirements memory_statistics normalize_status".split()
)
INPUTS = {
    "memory_add": "memory_type* content* metadata tags importance scope agent_id session_id visibility relationships",
    "memory_get": "memory_id* include_relationships",
    "memory_update": "memory_id* content metadata tags importance state",
    "memory_delete": "memory_id* hard_delete",
    "memory_bulk_add": "memories*",
    "memory_search": "query* memory_types scope tags time_range limit min_similarity",
    "code_search": "query* language kind path limit",
    "find_duplicates": "code id language threshold limit",
    "get_related": "entity_id* relationship_types direction depth limit",
    "graph_query": "cypher* params limit timeout_ms",
    "index_file": "file_path* force",
    "index_directory": "directory_path* include exclude force",
    "index_status": "job_id",
    "reindex": "scope directory_path",
    "check_consistency": "component_id* rules",
    "validate_fix": "fix_description* component_id* affected_files diff",
    "get_design_context": "component_id query include_code",
    "trace_requirements": "requirement_id include_suggestions",
    "memory_statistics": "",
    "normalize_memory": "phases dry_run",
    "normalize_status": "job_id*",
    "export_memory": "memory_types output_path format include_embeddings",
    "import_memory": "file_path* format conflict_resolution",
}
"""Tool → its arguments as the contract has them, `*` for a required one."""

DEFAULTS = {
    ("memory_search", "limit"): (10, 1, 100),
    ("code_search", "limit"): (10, 1, 50),
    ("find_duplicates", "threshold"): (0.7, 0.5, 1),
    ("find_duplicates", "limit"): (5, 1, 20),
    ("get_related", "depth"): (1, 1, 5),
    ("graph_query", "limit"): (200, 1, 10_000),
    ("graph_query", "timeout_ms"): (5000, 1, 60_000),
}


def tools_of(profile: str) -> list[dict[str, Any]]:
    """The tools as `tools/list` sends them."""
    found = [listed(*found) for found in profiles.load(profiles.get(profile))]
    return [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in found]


# Verifies REQ-MCP-001.
def test_the_tools_are_the_contracts() -> None:
    shown = {tool["name"]: tool["inputSchema"] for tool in tools_of("code-memory")}
    assert list(shown) == list(INPUTS)
    for name, arguments in INPUTS.items():
        names = {argument.rstrip("*") for argument in arguments.split()}
        assert names <= set(shown[name]["properties"]), name
        required = {argument.rstrip("*") for argument in arguments.split() if argument.endswith("*")}
        assert set(shown[name].get("required", ())) == required, name


@pytest.mark.parametrize(("where", "bounds"), DEFAULTS.items())
def test_limits_and_defaults_are_shown(where: tuple[str, str], bounds: tuple[float, float, float]) -> None:
    tool, argument = where
    shown = next(t for t in tools_of("code-memory") if t["name"] == tool)["inputSchema"]["properties"][argument]
    assert (shown["default"], shown["minimum"], shown["maximum"]) == bounds


# Verifies REQ-MCP-008.
@pytest.mark.parametrize(
    ("profile", "count", "largest"),
    [("code-memory", 23, LARGEST), ("lean", 9, LARGEST_LEAN), ("coding", 5, LARGEST_LEAN)],
)
def test_the_list_is_small(profile: str, count: int, largest: int) -> None:
    tools = tools_of(profile)
    assert len(tools) == count
    assert len(json.dumps({"tools": tools}).encode()) <= largest


@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_every_tool_is_described_for_the_model(profile: str) -> None:
    for tool in tools_of(profile):
        assert 20 <= len(tool["description"]) <= 250, tool["name"]
        assert tool["outputSchema"]["type"] == "object"
        assert tool["outputSchema"]["properties"]
        assert set(tool["annotations"]) == {"readOnlyHint", "destructiveHint", "idempotentHint"}


SELF_EXPLAINING = set(
    "query content language kind limit offset depth direction tags metadata importance category type memory_type "
    "memory_types cypher timeout_ms max_tokens min_similarity threshold memory_id agent_id session_id id job_id "
    "requirement_id file_path directory_path fix_description format scope state sort_by sort_order "
    "conflict_resolution force dry_run include_code include_relationships include_suggestions "
    "include_embeddings".split()
)
"""Names of parameters that say what to pass, with their type, choices and bounds."""


# Verifies REQ-MCP-001.
@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_every_parameter_says_what_to_pass(profile: str) -> None:
    for tool in tools_of(profile):
        for name, schema in tool["inputSchema"]["properties"].items():
            where = f"{tool['name']}.{name}"
            words = schema.get("description", "").split()
            assert len(words) <= 12, where
            named = re.search(rf"\b{name}\b", tool["description"]) is not None
            assert words or named or name in SELF_EXPLAINING, where


def test_no_name_explains_itself_in_vain() -> None:
    names = {name for tool in tools_of("all") for name in tool["inputSchema"]["properties"]}
    assert names >= SELF_EXPLAINING


def test_answers_have_the_fields_that_are_shown() -> None:
    shown = {tool["name"]: set(tool["outputSchema"]["properties"]) for tool in tools_of("code-memory")}
    assert shown == {name: set(fields.split()) for name, fields in FIELDS.items()}


# Verifies REQ-MCP-009.
def test_annotations_say_who_only_reads() -> None:
    tools = tools_of("code-memory")
    assert {tool["name"] for tool in tools if tool["annotations"]["readOnlyHint"]} == READS
    assert not any(tool["annotations"]["destructiveHint"] for tool in tools if tool["annotations"]["readOnlyHint"])
    destroying = {tool["name"] for tool in tools if tool["annotations"]["destructiveHint"]}
    assert {"memory_delete", "memory_update", "normalize_memory"} <= destroying
    assert not next(t for t in tools if t["name"] == "memory_add")["annotations"]["idempotentHint"]


def test_unknown_arguments_are_ruled_out_where_all_are_shown() -> None:
    shown = {tool["name"]: tool["inputSchema"] for tool in tools_of("code-memory")}
    assert shown["code_search"]["additionalProperties"] is False
    assert "additionalProperties" not in shown["memory_add"]  # it takes allow_secret, too


def test_schemas_have_nothing_that_only_costs() -> None:
    text = json.dumps(tools_of("all"))
    for word in ('"title"', '"$defs"', '"anyOf"', '"null"]'):
        assert word not in text.replace('["object", "null"]', "")
