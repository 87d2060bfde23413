"""Changes made from an older version, and what can be brought back."""

from __future__ import annotations

import pytest

from loregraph.errors import ChangedMeanwhileError
from loregraph.memory.api import ProjectMemory

from .conftest import Opens


# Verifies REQ-MEM-003.
def test_a_change_made_from_an_older_version_is_refused_and_writes_nothing(memory: ProjectMemory, opens: Opens) -> None:
    added = memory.add("Retries stop after three")
    opens().update(added.memory_id, content="Retries stop after four")
    with pytest.raises(ChangedMeanwhileError) as refused:
        memory.update(added.memory_id, if_version=1, content="Retries stop after five")
    assert "version 2" in refused.value.message
    assert refused.value.code == "CONFLICT"
    assert [version.content for version in memory.history(added.memory_id)] == [
        "Retries stop after three",
        "Retries stop after four",
    ]
    assert memory.update(added.memory_id, if_version=2, content="Retries stop after five").version == 3


def test_the_owner_may_change_a_memory_and_nobody_else(memory: ProjectMemory) -> None:
    added = memory.add("Retries stop after three")
    seen = memory.get(added.memory_id, touch=False)
    assert memory.may_change(seen)
    assert not memory.acting_as(user_id="bob@example.org").may_change(seen)


def test_deleted_memories_of_the_viewer_are_listed_the_latest_first(memory: ProjectMemory) -> None:
    first, second = memory.add("one").memory_id, memory.add("two").memory_id
    assert memory.deleted() == []
    memory.delete(first)
    memory.delete(second)
    assert [gone.id for gone in memory.deleted()] == [second, first]
    assert memory.acting_as(user_id="bob@example.org").deleted() == []
    memory.restore(first, 1)
    assert [gone.id for gone in memory.deleted()] == [second]
    memory.delete(second, hard=True)
    assert memory.deleted() == []
