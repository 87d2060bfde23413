"""Answers that are records of the library."""

from __future__ import annotations

import msgspec
import pytest

from loregraph.mcp_server import profiles
from loregraph.mcp_server.jobs import JobState
from loregraph.mcp_server.models import NormalizeStatus
from loregraph.mcp_server.registry import Tool
from loregraph.memory.answers import BulkAdded, Deleted, RowError


def tool(name: str) -> Tool:
    return profiles.find(profiles.get("code-memory"), name)


def test_a_client_is_sent_the_fields_that_the_contract_has() -> None:
    record = msgspec.to_builtins(Deleted(memory_id="m", relationships_removed=2))
    assert tool("memory_delete").body(record) == {"status": "deleted", "relationships_removed": 2}
    assert tool("memory_bulk_add").body({"created": 1, "errors": []}) == {"created": 1, "errors": []}


@pytest.mark.parametrize("name", sorted(name for names in profiles.get("all").tools.values() for name in names))
def test_what_a_tool_shows_its_record_has(name: str) -> None:
    found = profiles.find(profiles.get("all"), name)
    assert set(found.shows) <= {field.encode_name for field in msgspec.structs.fields(found.output)}


def test_the_state_of_normalising_has_its_counts_under_another_name() -> None:
    state = JobState("j", counts={"merged": 2})
    answer = msgspec.to_builtins(NormalizeStatus(**msgspec.structs.asdict(state)))
    assert answer == {
        "job_id": "j",
        "status": "queued",
        "phase": "",
        "progress": 0.0,
        "stats": {"merged": 2},
        "error": None,
    }


def test_the_code_of_a_rejected_row_is_said_where_it_is_not_the_usual_one() -> None:
    done = BulkAdded(created=0, memory_ids=(), errors=(RowError(0, "x"), RowError(1, "y", "CONFLICT")))
    assert msgspec.to_builtins(done)["errors"] == (
        {"index": 0, "error": "x"},
        {"index": 1, "error": "y", "code": "CONFLICT"},
    )
