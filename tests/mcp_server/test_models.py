"""Answers made of records of the library."""

from __future__ import annotations

import msgspec
import pytest

from loregraph.mcp_server.models import FileIndexed, MemoryDeleted
from loregraph.memory.answers import Deleted


def test_an_answer_takes_the_fields_it_names_and_no_others() -> None:
    answer = MemoryDeleted.of(Deleted(memory_id="m", relationships_removed=2))
    assert msgspec.to_builtins(answer) == {"status": "deleted", "relationships_removed": 2}


def test_what_is_said_besides_goes_before_the_record() -> None:
    answer = MemoryDeleted.of(Deleted(memory_id="m", relationships_removed=2), status="gone")
    assert answer.status == "gone"


def test_a_field_that_neither_has_is_an_error() -> None:
    with pytest.raises(TypeError, match="functions"):
        FileIndexed.of(Deleted(memory_id="m", relationships_removed=2), problems=[])
