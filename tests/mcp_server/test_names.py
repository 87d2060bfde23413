"""Arguments that name one of a few things: listed in the schema, refused with the nearest where they are unknown."""

from __future__ import annotations

from typing import Any

import pytest

from loregraph.graph.model import FOUND_KINDS, RELATIONSHIPS, SYMBOL_KINDS
from loregraph.indexer import facts
from loregraph.indexer.languages import registry
from loregraph.mcp_server import profiles
from loregraph.mcp_server.schema import arguments_schema
from loregraph.memory.record import KINDS

from .conftest import Asker


def listed(tool: str, argument: str) -> Any:
    found = profiles.find(profiles.get("code-memory"), tool)
    shown = arguments_schema(found.arguments)["properties"][argument]
    return shown.get("items", shown).get("enum")


# Verifies REQ-MCP-001.
def test_schemas_list_what_an_argument_may_be() -> None:
    assert listed("code_search", "kind") == list(FOUND_KINDS)
    assert listed("code_search", "language") == sorted(registry.CODE)
    assert {"vue", "notebook"} < registry.SOURCES - registry.CODE
    assert listed("get_related", "direction") == ["OUTGOING", "INCOMING", "BOTH"]
    assert listed("get_related", "relationship_types") == list(RELATIONSHIPS)
    assert listed("memory_search", "memory_types") == list(KINDS)


def test_the_kinds_are_those_that_extraction_has() -> None:
    assert set(SYMBOL_KINDS) == (facts.FUNCTION_KINDS | facts.TYPE_KINDS) - {"macro"}


# Verifies REQ-MCP-002.
@pytest.mark.parametrize(
    ("tool", "arguments", "unknown", "near"),
    [
        ("code_search", {"query": "x", "kind": "funtion"}, "kind 'funtion'", "'function'"),
        ("code_search", {"query": "x", "language": "pyhton"}, "language 'pyhton'", "'python'"),
        ("find_duplicates", {"code": "x = 1", "language": "typscript"}, "language 'typscript'", "'typescript'"),
        ("get_related", {"entity_id": "checkout", "relationship_types": ["CALL"]}, "relationship 'CALL'", "'CALLS'"),
        ("get_related", {"entity_id": "checkout", "direction": "INCOMMING"}, "direction 'INCOMMING'", "'INCOMING'"),
        ("memory_search", {"query": "x", "memory_types": ["desing"]}, "'desing' is unknown", "'design'"),
        ("memory_add", {"memory_type": "desing", "content": "x"}, "'desing'", "'design'"),
        ("reindex", {"scope": "ful"}, "'ful'", "'full'"),
        ("graph_query", {"cypher": "MATCH (f:Funktion) RETURN f"}, "label 'Funktion'", "'Function'"),
    ],
)
def test_what_is_unknown_is_refused_with_the_nearest(
    ask: Asker, tool: str, arguments: dict[str, Any], unknown: str, near: str
) -> None:
    answer = ask(tool, **arguments)
    assert answer.is_error
    assert unknown in answer.message
    assert near in answer.message + answer.body["error"]["suggestion"]


def test_any_case_will_do(ask: Asker) -> None:
    plain = ask.ok("code_search", query="checkout", kind="function", language="python")
    assert plain["results"]
    assert ask.ok("code_search", query="checkout", kind="Function", language="Python") == plain
    found = ask.ok("get_related", entity_id="checkout", relationship_types=["calls"], direction="both")
    assert found["related"]


# Verifies REQ-MEM-011.
def test_a_memory_is_named_by_the_beginning_of_its_id(ask: Asker) -> None:
    whole = ask.ok("memory_add", memory_type="design", content="Prices are in cents.")["memory_id"]
    short = whole[:8]
    assert ask.ok("memory_get", memory_id=short)["memory"]["id"] == whole
    assert ask.ok("memory_update", memory_id=short, tags=["money"])["memory_id"] == whole
    assert ask.ok("memory_delete", memory_id=short)["status"] == "deleted"


def test_the_beginning_of_several_ids_is_refused_with_all_of_them(ask: Asker) -> None:
    ids = [ask.ok("memory_add", memory_type="design", content=f"Decision {n}")["memory_id"] for n in range(17)]
    firsts = [one[0] for one in ids]
    first = next(digit for digit in firsts if firsts.count(digit) > 1)  # seventeen have sixteen first digits
    answer = ask("memory_delete", memory_id=first)
    assert answer.code == "CONFLICT"
    assert answer.body["error"]["details"]["candidates"] == sorted(one for one in ids if one[0] == first)
    assert len(ask.ok("memory_search", query="decision", limit=100)["results"]) == 17


def test_the_agents_tools_take_short_ids(connect: Any) -> None:
    ask = connect("agent-memory")
    whole = ask.ok("store_memory", type="learning", content="Prices are in cents.")["id"]
    short = whole[:8]
    assert ask.ok("store_memory", type="learning", content="Prices are in euros.", id=short)["id"] == whole
    assert ask.ok("update_memory", id=short, tags=["money"])["memory"]["id"] == whole
    assert ask.ok("delete_memory", id=short) == {"id": whole, "status": "archived"}


def test_sums_of_whole_numbers_are_whole(ask: Asker) -> None:
    rows = ask.ok("graph_query", cypher="MATCH (f:Function) RETURN sum(f.start_line), avg(f.start_line), [sum(1)]")
    total, mean, several = rows["rows"][0]
    assert isinstance(total, int) and isinstance(mean, float)
    assert all(isinstance(one, int) for one in several)
