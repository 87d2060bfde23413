"""The scope table: every rule, and an attempt to break it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loregraph.errors import NotAllowedError, NotFoundError, UsageError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.scopes import SCOPES, Viewer, check_project_id, check_scope, may_read, may_write

from .conftest import Opens, record

EVERYTHING = {"user_id": "ann", "project_id": "shop", "agent_id": "bot", "session_id": "s1"}
REQUIRED = {
    "project": ["user_id", "project_id"],
    "agent": ["user_id", "project_id", "agent_id"],
    "user": ["user_id"],
    "session": ["session_id"],
    "org": [],
}
FORBIDDEN = {
    "project": [],
    "agent": [],
    "user": ["project_id", "agent_id"],
    "session": [],
    "org": ["project_id", "agent_id"],
}


def sound(scope: str) -> dict[str, Any]:
    """All ids that the scope allows."""
    ids = {field: "" if field in FORBIDDEN[scope] else value for field, value in EVERYTHING.items()}
    return {**ids, "scope": scope}


def without(viewer: dict[str, str], **changes: str) -> Viewer:
    return Viewer(**{**viewer, **changes})


def test_the_table_is_the_contract() -> None:
    assert {name: list(scope.required) for name, scope in SCOPES.items()} == REQUIRED
    assert {name: list(scope.forbidden) for name, scope in SCOPES.items()} == FORBIDDEN


@pytest.mark.parametrize("scope", SCOPES)
def test_a_scope_takes_all_it_allows(scope: str) -> None:
    assert check_scope(record(**sound(scope))).scope == scope


@pytest.mark.parametrize(("scope", "field"), [(s, f) for s, fields in REQUIRED.items() for f in fields])
def test_a_missing_field_is_refused_by_name(scope: str, field: str) -> None:
    with pytest.raises(UsageError, match=f"^{field}: is needed for scope {scope}"):
        check_scope(record(**{**sound(scope), field: ""}))


@pytest.mark.parametrize(("scope", "field"), [(s, f) for s, fields in FORBIDDEN.items() for f in fields])
def test_a_forbidden_field_is_refused_and_never_ignored(scope: str, field: str) -> None:
    with pytest.raises(UsageError, match=f"^{field}: is not allowed for scope {scope}"):
        check_scope(record(**{**sound(scope), field: "shop"}))


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^scope"):
        check_scope(record(scope="world"))


OWNER = Viewer(**EVERYTHING)


@pytest.mark.parametrize("scope", SCOPES)
def test_the_owner_reads_and_writes(scope: str) -> None:
    own = record(**sound(scope))
    assert may_read(own, OWNER)
    assert may_write(own, OWNER)


@pytest.mark.parametrize(
    ("scope", "field", "reads"),
    [
        ("project", "user_id", True),
        ("project", "project_id", False),
        ("project", "agent_id", True),
        ("project", "session_id", True),
        ("agent", "user_id", False),
        ("agent", "project_id", False),
        ("agent", "agent_id", False),
        ("user", "user_id", False),
        ("user", "project_id", True),
        ("user", "agent_id", True),
        ("session", "session_id", False),
        ("session", "project_id", True),
        ("org", "user_id", True),
        ("org", "project_id", True),
    ],
)
@pytest.mark.parametrize("other", ["eve", ""])
def test_who_differs_in_one_field(scope: str, field: str, reads: bool, other: str) -> None:
    memory = record(**sound(scope))
    assert may_read(memory, without(EVERYTHING, **{field: other})) is reads


# Verifies REQ-MEM-005.
@pytest.mark.parametrize("scope", ["project", "agent", "user", "org"])
def test_another_user_changes_nothing(scope: str) -> None:
    assert not may_write(record(**sound(scope)), without(EVERYTHING, user_id="eve"))


def test_another_agent_of_the_same_user_changes_nothing() -> None:
    for visibility in ("private", "shared", "public"):
        own = record(**sound("agent"), visibility=visibility)
        assert not may_write(own, without(EVERYTHING, agent_id="spy"))


@pytest.mark.parametrize(
    ("visibility", "viewer", "reads"),
    [
        ("private", {"agent_id": "spy"}, False),
        ("shared", {"agent_id": "spy"}, True),
        ("shared", {"agent_id": "spy", "user_id": "eve"}, True),
        ("shared", {"agent_id": "spy", "project_id": "other"}, False),
        ("public", {"agent_id": "spy", "project_id": "other"}, True),
        ("public", {"agent_id": "", "project_id": "other", "user_id": "eve"}, True),
    ],
)
def test_visibility_of_agents_memories(visibility: str, viewer: dict[str, str], reads: bool) -> None:
    assert may_read(record(**sound("agent"), visibility=visibility), without(EVERYTHING, **viewer)) is reads


@pytest.mark.parametrize("scope", ["project", "user", "session"])
def test_visibility_opens_no_other_scope(scope: str) -> None:
    stranger = Viewer(user_id="eve", project_id="other", agent_id="spy", session_id="s2")
    assert not may_read(record(**sound(scope), visibility="public"), stranger)


def test_an_empty_id_equals_no_other_empty_id() -> None:
    nobody = Viewer()
    for scope in ("project", "agent", "user", "session"):
        bare = record(scope=scope, user_id="", project_id="", agent_id="", session_id="")
        assert not may_read(bare, nobody)


@pytest.mark.parametrize("name", ["a", "shop-2_b", "a" + "b" * 62])
def test_project_ids_that_are_allowed(name: str) -> None:
    assert check_project_id(name) == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "empty"),
        ("2shop", "begin"),
        ("Shop", "begin"),
        ("a b", "else"),
        ("a\n", "else"),
        ("a" * 64, "64"),
        ("../x", "begin"),
    ],
)
def test_project_ids_that_are_refused_say_why(name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        check_project_id(name)


# The same through the store: other user, other project, other agent, other session


def hits(memory: ProjectMemory, scope: str | None = "all") -> set[str]:
    found = memory.search("the quick brown fox", scope=scope, limit=100)
    return {hit.memory.content for hit in found.results}


# Verifies REQ-MEM-005.
def test_no_recall_or_list_leaks_anything(opens: Opens) -> None:
    shop = opens("shop")
    bot = shop.acting_as(agent_id="bot", session_id="s1")
    shop.add("fox of the project")
    shop.add("fox of the user", scope="user")
    shop.add("fox of all", scope="org")
    bot.add("fox of the bot", scope="agent")
    bot.add("fox shown by the bot", scope="agent", visibility="shared")
    bot.add("fox shown to all", scope="agent", visibility="public")
    bot.add("fox of the session", scope="session")
    everyone = {"fox of the project", "fox of all", "fox shown by the bot", "fox shown to all"}
    for viewer, expected in (
        (shop, everyone | {"fox of the user"}),
        (bot, everyone | {"fox of the user", "fox of the bot", "fox of the session"}),
        (shop.acting_as(agent_id="spy"), everyone | {"fox of the user"}),
        (shop.acting_as(user_id="eve@example.org"), everyone),
        (shop.acting_as(user_id="eve@example.org", agent_id="bot"), everyone),
        (shop.acting_as(session_id="s2"), everyone | {"fox of the user"}),
        (opens("other"), {"fox of the user", "fox of all"}),
        (opens("other").acting_as(user_id="eve@example.org"), {"fox of all"}),
    ):
        assert hits(viewer) == expected
        assert {memory.content for memory in viewer.list(limit=100)} == expected


def test_a_recall_that_names_no_scope_stays_in_the_project(memory: ProjectMemory) -> None:
    memory.add("fox of the project")
    memory.add("fox of the user", scope="user")
    memory.add("fox of all", scope="org")
    assert hits(memory, None) == {"fox of the project"}
    assert hits(memory, "user") == {"fox of the user"}
    assert hits(memory, "org") == {"fox of all"}
    assert hits(memory, "project") == {"fox of the project"}


def test_an_agent_that_asks_also_recalls_its_own(memory: ProjectMemory) -> None:
    bot = memory.acting_as(agent_id="bot")
    bot.add("fox of the bot", scope="agent")
    assert hits(bot, None) == {"fox of the bot"}
    assert hits(memory, None) == set()


def test_another_project_is_recalled_where_the_call_names_it(opens: Opens) -> None:
    opens("shop").add("fox of the shop")
    other = opens("other")
    assert hits(other) == set()
    assert hits(other.acting_as(project_id="shop")) == {"fox of the shop"}


def test_what_may_not_be_seen_cannot_be_got_changed_or_deleted(memory: ProjectMemory) -> None:
    own = memory.acting_as(agent_id="bot").add("private", scope="agent").memory_id
    spy = memory.acting_as(agent_id="spy")
    for attempt in (
        lambda: spy.get(own),
        lambda: spy.history(own),
        lambda: spy.relationships(own),
        lambda: spy.update(own, content="changed"),
        lambda: spy.delete(own),
        lambda: spy.delete(own, hard=True),
        lambda: spy.restore(own, 1),
    ):
        with pytest.raises(NotFoundError):
            attempt()
    assert memory.acting_as(agent_id="bot").get(own).content == "private"


def test_what_is_seen_is_not_therefore_owned(memory: ProjectMemory) -> None:
    ids = [
        memory.add("of the project").memory_id,
        memory.add("of all", scope="org").memory_id,
        memory.acting_as(agent_id="bot").add("shown", scope="agent", visibility="shared").memory_id,
    ]
    eve = memory.acting_as(user_id="eve@example.org", agent_id="bot")
    for memory_id in ids:
        assert eve.get(memory_id)
        for attempt in (
            lambda: eve.update(memory_id, content="changed"),  # noqa: B023
            lambda: eve.delete(memory_id),  # noqa: B023
            lambda: eve.delete(memory_id, hard=True),  # noqa: B023
            lambda: eve.restore(memory_id, 1),  # noqa: B023
        ):
            with pytest.raises(NotAllowedError):
                attempt()
        assert eve.get(memory_id).version == 1


@pytest.mark.parametrize("field", ["user_id", "agent_id", "session_id"])
def test_nobody_writes_in_anothers_name(memory: ProjectMemory, field: str) -> None:
    acting = memory.acting_as(user_id="ann@example.org", agent_id="bot", session_id="s1")
    with pytest.raises(NotAllowedError, match=field):
        acting.add("forged", **{field: "someone-else"})  # type: ignore[arg-type]


def test_nobody_writes_into_another_project(memory: ProjectMemory) -> None:
    with pytest.raises(NotAllowedError, match="project_id"):
        memory.add("forged", project_id="other")


@pytest.mark.parametrize("field", ["project_id", "agent_id"])
@pytest.mark.parametrize("scope", ["user", "org"])
def test_an_id_that_is_named_and_not_allowed_is_refused_by_the_api_too(
    memory: ProjectMemory, scope: str, field: str
) -> None:
    with pytest.raises(UsageError, match=f"^{field}"):
        memory.add("preference", scope=scope, **{field: "shop"})  # type: ignore[arg-type]


def test_an_update_cannot_move_a_memory_to_someone_else(memory: ProjectMemory) -> None:
    own = memory.add("mine").memory_id
    for field in ("user_id", "project_id", "agent_id", "scope", "author", "created_at", "id", "version"):
        with pytest.raises(UsageError):
            memory.update(own, **{field: "eve"})


def test_sessions_end(memory: ProjectMemory, clock: Any, home: Path) -> None:
    session = memory.acting_as(session_id="s1")
    other = memory.acting_as(session_id="s2")
    session.add("fox one", scope="session")
    other.add("fox two", scope="session")
    with pytest.raises(NotAllowedError):
        other.end_session("s1")
    assert session.end_session() == 1
    assert hits(session) == set()
    assert hits(other) == {"fox two"}
    clock.pass_days(7.1)
    assert hits(other) == set()
    assert other.list() == []
