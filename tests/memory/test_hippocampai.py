"""Memories kept by HippocampAI: its real signatures, and the adapter over a stand-in with exactly those."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from loregraph.errors import BackendError, NotAllowedError, NotFoundError, SecretError, UnsupportedError, UsageError
from loregraph.memory import hippocampai_client
from loregraph.memory.api import ProjectMemory
from loregraph.memory.hippocampai import HippocampStore
from loregraph.memory.hippocampai_client import KEY, TYPES, Client, partition
from loregraph.memory.questions import MemoryStore
from loregraph.memory.record import KINDS
from loregraph.memory.scopes import Viewer

from .conftest import FakeCode, Opens, record
from .hippocampai_signatures import METHODS, of_function, of_package, recorded
from .hippocampai_stand_in import FOLDER, StandIn, real_client

VERSION = "0.6.0"

# the contract


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """HippocampAI's source: the installed one, else the wheel from the index, which is not installed."""
    spec = importlib.util.find_spec("hippocampai")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent
    folder = tmp_path_factory.mktemp("hippocampai")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    got = subprocess.run(
        [*pip, "--dest", str(folder), f"hippocampai=={VERSION}"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        pytest.skip(f"HippocampAI is not installed and cannot be fetched: {got.stderr.strip()[-200:]}")
    zipfile.ZipFile(wheels[0]).extractall(folder)
    return folder / "hippocampai"


def test_the_recorded_signatures_are_the_packages(package: Path) -> None:
    assert of_package(package) == recorded()


@pytest.mark.parametrize("method", METHODS)
def test_the_stand_in_has_them(method: str) -> None:
    assert of_function(getattr(StandIn, method)) == recorded()["methods"][method]


@pytest.mark.parametrize("method", METHODS)
def test_what_the_adapter_declares_is_a_part_of_them(method: str) -> None:
    ours = of_function(getattr(Client, method))
    theirs = recorded()["methods"][method]
    assert theirs == ours or theirs.startswith(ours + ", ")


def test_what_the_adapter_reads_is_in_its_records() -> None:
    records = recorded()["records"]
    assert set(hippocampai_client.Kept.__annotations__) <= set(records["Memory"])
    assert {"memory", "score", "breakdown"} <= set(records["RetrievalResult"])
    assert set(TYPES) == set(KINDS)
    assert set(TYPES.values()) | set(hippocampai_client.KINDS_OF) <= set(recorded()["types"])


# the adapter, over the stand-in and, where it can be loaded, the real client


@pytest.fixture(params=["stand-in", "real"])
def client(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "stand-in":
        return StandIn()
    try:
        return real_client(tmp_path, monkeypatch)
    except ImportError as error:
        pytest.skip(f"HippocampAI cannot be loaded ({error}); {FOLDER} names a folder that has it")


@pytest.fixture
def kept(client: Any, opens: Opens, monkeypatch: pytest.MonkeyPatch) -> ProjectMemory:
    """The project's memory, kept by that client."""
    monkeypatch.setattr("loregraph.memory.hippocampai.connected", lambda: client)
    return opens(memory_backend="hippocampai")


PAYMENTS = "Payments are retried three times and then parked for a person"
STYLE = "Indent with four spaces wherever the formatter has no opinion"
BIRDS = "Wading herons sleep standing on one leg near shallow water"


def test_what_its_records_have_is_not_kept_twice(
    kept: ProjectMemory, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[dict[str, Any]] = []
    update = client.update_memory

    def noted(**given: Any) -> Any:
        written.append(given["metadata"][KEY])
        return update(**given)

    monkeypatch.setattr(client, "update_memory", noted)
    kept.add(PAYMENTS, tags=["pay"])
    theirs = {"content", "importance", "created_at", "updated_at", "accessed_at", "access_count", "id"}
    assert written
    assert [theirs & fields.keys() for fields in written] == [set()] * len(written)
    assert list(written[-1]["tags"]) == ["pay"]


# Verifies REQ-BRG-005.
def test_it_is_a_memory_store(kept: ProjectMemory) -> None:
    store: MemoryStore = HippocampStore("shop", StandIn())
    assert isinstance(kept.store, type(store))
    assert kept.acting_as(client="claude-code").store is kept.store


def test_what_is_added_is_found_with_every_field(kept: ProjectMemory) -> None:
    added = kept.add(
        PAYMENTS,
        kind="design",
        category="money",
        tags=["Pay", "retry"],
        importance=0.73,
        metadata={"n": 1, "deep": {"list": [1, None]}},
        anchors=["src/pay.py"],
        relationships=[{"type": "SUPERSEDES", "target_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"}],
        run_id="r",
    )
    assert added.status == "created"
    found = kept.found(added.memory_id, relationships=True)
    memory = found.memory
    assert (memory.id, memory.content, memory.kind, memory.category) == (added.memory_id, PAYMENTS, "design", "money")
    assert (memory.tags, memory.importance) == (("pay", "retry"), 0.73)
    assert memory.metadata == {"n": 1, "deep": {"list": [1, None]}}
    assert (memory.anchors, memory.run_id, memory.version) == (("src/pay.py",), "r", 1)
    assert (memory.scope, memory.user_id, memory.project_id) == ("project", "ann@example.org", "shop")
    assert memory.author == "Ann Lee <ann@example.org>"
    assert memory.created_at <= memory.updated_at
    assert [(link.type, link.target_id) for link in found.relationships or ()] == [
        ("ABOUT", "src/pay.py"),
        ("SUPERSEDES", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
    ]


@pytest.mark.parametrize("importance", [0.0, 0.07, 1.0])
def test_importance_is_kept_at_its_ends(kept: ProjectMemory, importance: float) -> None:
    assert kept.get(kept.add(BIRDS, importance=importance).memory_id).importance == importance


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_kept(kept: ProjectMemory, kind: str) -> None:
    memory_id = kept.add(BIRDS, kind=kind).memory_id
    assert kept.get(memory_id).kind == kind
    assert [memory.id for memory in kept.list(kinds=[kind])] == [memory_id]


def test_recall_finds_and_filters(kept: ProjectMemory) -> None:
    pay = kept.add(PAYMENTS, kind="design", tags=["pay", "x"]).memory_id
    kept.add(BIRDS, tags=["pay"])
    found = kept.search("payments retried")
    assert found.results[0].memory.id == pay
    assert 0 < found.results[0].similarity <= 1
    assert [hit.memory.id for hit in kept.search("payments retried", kinds=["design"]).results] == [pay]
    assert [hit.memory.id for hit in kept.search("payments retried", tags=["pay", "x"]).results] == [pay]
    assert kept.search("payments retried", kinds=["task"]).total == 0
    assert kept.search("payments retried", until="2020-01-01").total == 0
    assert kept.search("payments retried", min_similarity=0.99).total == 0
    with pytest.raises(UsageError, match="query"):
        kept.search(" ")


def test_lists_are_selected_sorted_and_paged(kept: ProjectMemory) -> None:
    ids = [
        kept.add(text, importance=importance, tags=["a", f"t{importance}"]).memory_id
        for text, importance in ((PAYMENTS, 0.9), (STYLE, 0.5), (BIRDS, 0.2))
    ]
    assert [memory.id for memory in kept.list(sort_by="importance")] == ids
    assert [memory.id for memory in kept.list(sort_by="created_at", sort_order="asc")] == ids
    page = kept.page(sort_by="importance", limit=1, offset=1)
    assert ([found.memory.id for found in page.memories], page.total, page.has_more) == ([ids[1]], 3, True)
    for word, memory_id in zip(("high", "medium", "low"), ids, strict=True):
        assert [memory.id for memory in kept.list(importance=word)] == [memory_id]
    assert [memory.id for memory in kept.list(tags=["a", "t0.5"])] == [ids[1]]
    assert [memory.id for memory in kept.list(search="herons leg")] == [ids[2]]
    assert kept.ids_from(ids[0][:8]) == (ids[0],)
    counted = kept.stats()
    assert (counted.total, counted.by_importance) == (3, {"high": 1, "medium": 1, "low": 1})
    assert (counted.top_tags["a"], counted.by_scope, counted.journals) == (3, {"project": 3}, ())


def test_updates_change_what_they_name(kept: ProjectMemory) -> None:
    memory_id = kept.add(PAYMENTS, tags=["a"], metadata={"x": 1, "y": 2}).memory_id
    done = kept.update(memory_id, content=BIRDS, metadata={"x": None, "z": 3}, importance="high", kind="design")
    assert (set(done.updated_fields), done.version) == ({"content", "metadata", "importance", "kind"}, 2)
    found = kept.get(memory_id)
    assert (found.content, found.metadata, found.importance, found.kind) == (BIRDS, {"y": 2, "z": 3}, 0.9, "design")
    assert found.tags == ("a",)
    assert kept.update(memory_id, kind="design").updated_fields == ()
    kept.update(memory_id, state="archived")
    assert kept.list() == []
    assert [memory.id for memory in kept.list(archived=True)] == [memory_id]
    assert kept.search("herons").total == 0
    with pytest.raises(UsageError, match="update"):
        kept.update(memory_id, user_id="eve")


def test_what_is_deleted_is_gone(kept: ProjectMemory, client: Any) -> None:
    memory_id = kept.add(PAYMENTS, anchors=["a", "b"]).memory_id
    assert kept.delete(memory_id).relationships_removed == 2
    with pytest.raises(NotFoundError):
        kept.get(memory_id)
    with pytest.raises(NotFoundError):
        kept.delete(memory_id)


def test_many_are_kept_row_by_row(kept: ProjectMemory) -> None:
    done = kept.add_many([{"content": PAYMENTS}, {"content": ""}, {"content": BIRDS}])
    assert (done.created, [error.index for error in done.errors]) == (2, [1])
    assert {kept.get(memory_id).content for memory_id in done.memory_ids} == {PAYMENTS, BIRDS}


def test_what_says_the_same_becomes_one(kept: ProjectMemory) -> None:
    first = kept.add(PAYMENTS, kind="design", tags=["a"], importance=0.8).memory_id
    again = kept.add(PAYMENTS, tags=["b"], importance=0.3)
    assert (again.memory_id, again.status) == (first, "merged")
    found = kept.get(first)
    assert (found.kind, set(found.tags), found.importance, found.version) == ("design", {"a", "b"}, 0.8, 2)
    assert len(kept.list()) == 1


def test_nobodys_memory_is_changed_by_another_who_says_the_same(kept: ProjectMemory) -> None:
    first = kept.add(PAYMENTS, tags=["a"], importance=0.8).memory_id
    before = kept.get(first)
    eve = kept.acting_as(user_id="eve@example.org")
    with pytest.raises(NotAllowedError, match=r"belongs to ann@example\.org"):
        eve.add(PAYMENTS, tags=["b"], importance=0.1)
    after = kept.get(first)
    assert (after.content, after.tags, after.importance, after.user_id) == (
        PAYMENTS,
        before.tags,
        before.importance,
        "ann@example.org",
    )


def test_a_near_copy_takes_the_old_ones_place(client: Any, kept: ProjectMemory) -> None:
    if not isinstance(client, StandIn):
        pytest.skip("the stand-in's measure of likeness")
    first = kept.add(PAYMENTS, tags=["a"]).memory_id
    nearly = PAYMENTS + " there"
    assert kept.add(nearly).memory_id == first
    assert (kept.get(first).content, kept.get(first).importance) == (nearly, 0.5)
    eve = kept.acting_as(user_id="eve@example.org")
    with pytest.raises(NotAllowedError):
        eve.add(PAYMENTS + " now there")
    assert kept.get(first).content == nearly


# who sees what


def test_scopes_are_kept_apart(kept: ProjectMemory) -> None:
    project = kept.add(PAYMENTS).memory_id
    user = kept.add(STYLE, scope="user").memory_id
    org = kept.add("Everyone may take Fridays off in August", scope="org").memory_id
    bot = kept.acting_as(agent_id="bot")
    private = bot.add(BIRDS, scope="agent").memory_id
    shared = bot.add("Builds of the night need the large machine", scope="agent", visibility="shared").memory_id
    public = bot.add("Releases are cut from the trunk on Mondays", scope="agent", visibility="public").memory_id
    talk = kept.acting_as(session_id="s1")
    session = talk.add("They are looking at the third failing test", scope="session").memory_id

    def seen(memory: ProjectMemory) -> set[str]:
        return {each.id for each in memory.list(scope="all", limit=100)}

    assert seen(kept) == {project, user, org, shared, public}
    assert seen(bot) == {project, user, org, private, shared, public}
    assert seen(talk) == {project, user, org, shared, public, session}
    assert seen(kept.acting_as(user_id="eve@example.org")) == {project, org, shared, public}
    assert seen(kept.acting_as(agent_id="other")) == {project, user, org, shared, public}
    elsewhere = HippocampStore("other", kept.store.client)  # type: ignore[attr-defined]
    there = kept.acting_as(project_id="other")
    there.__dict__["store"] = elsewhere
    assert seen(there) == {user, org, public}
    assert {hit.memory.id for hit in kept.search("payments person", scope="all").results} <= seen(kept)
    # What is seen is not what may be changed.
    eve = kept.acting_as(user_id="eve@example.org")
    for memory_id in (project, org, shared):
        with pytest.raises(NotAllowedError):
            eve.update(memory_id, content="mine")
        with pytest.raises(NotAllowedError):
            eve.delete(memory_id)
    with pytest.raises(NotFoundError):
        eve.delete(user)
    with pytest.raises(NotAllowedError, match="user_id"):
        eve.add("x", user_id="ann@example.org")
    with pytest.raises(UsageError, match="project_id"):
        kept.add("x", scope="user", project_id="shop")
    with pytest.raises(UsageError, match="visibility"):
        bot.update(private, visibility="public")


def test_no_two_readers_share_a_partition() -> None:
    whose = [
        record(),
        record(project_id="other"),
        record(scope="user", project_id=""),
        record(scope="user", project_id="", user_id="bob"),
        record(scope="session", session_id="s"),
        record(scope="org", project_id=""),
        record(scope="agent", agent_id="a"),
        record(scope="agent", agent_id="b"),
        record(scope="agent", agent_id="a", user_id="bob"),
        record(scope="agent", agent_id="a", visibility="shared"),
        record(scope="agent", agent_id="a", visibility="public"),
    ]
    assert len({partition(memory) for memory in whose}) == len(whose)


def test_what_other_programs_keep_for_a_person_is_theirs(kept: ProjectMemory, client: Any) -> None:
    theirs = client.remember(text=STYLE, user_id="ann@example.org", type="preference", importance=8.0, tags=["Py"])
    client.remember(text=BIRDS, user_id="eve@example.org")
    (found,) = kept.list(scope="user")
    # The real one may think better of the type it is told.
    kind = {"preference": "user_preference", "fact": "learning"}[theirs.type.value]
    assert (found.id, found.content, found.kind, found.importance) == (theirs.id, STYLE, kind, 0.8)
    assert "py" in found.tags
    kept.update(found.id, importance=0.4)
    assert kept.get(found.id).importance == 0.4
    kept.delete(found.id)
    assert kept.list(scope="user") == []


def test_stale_anchors_are_told(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    client = StandIn()
    monkeypatch.setattr("loregraph.memory.hippocampai.connected", lambda: client)
    then = opens(memory_backend="hippocampai", code=FakeCode({"src/pay.py": ("File", "h1")}))
    added = then.add(PAYMENTS, anchors=["src/pay.py", "src/gone.py"])
    assert added.stale_links == ("src/gone.py",)
    then.update(added.memory_id, anchors=["src/pay.py"])
    assert not then.found(added.memory_id).stale
    now = opens(memory_backend="hippocampai", code=FakeCode({"src/pay.py": ("File", "h2")}))
    assert now.found(added.memory_id).stale_anchors == ("src/pay.py",)
    assert [memory.id for memory in now.list(stale=True)] == [added.memory_id]
    now.confirm(added.memory_id)
    assert not now.found(added.memory_id).stale


# what cannot be


def test_secrets_are_refused_before_they_leave(kept: ProjectMemory, client: Any) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    with pytest.raises(SecretError):
        kept.add(f"the token is {token}")
    memory_id = kept.add(PAYMENTS).memory_id
    with pytest.raises(SecretError):
        kept.update(memory_id, content=f"the token is {token}")
    assert token not in str(client.get_memories("loregraph:project:shop"))


def test_what_only_journals_can_do_is_refused(kept: ProjectMemory, tmp_path: Path) -> None:
    memory_id = kept.add(PAYMENTS).memory_id
    (tmp_path / "in.jsonl").write_text("")
    for call in (
        lambda: kept.history(memory_id),
        lambda: kept.restore(memory_id, 1),
        lambda: kept.export(tmp_path / "out.jsonl"),
        lambda: kept.import_(tmp_path / "in.jsonl"),
        kept.normalize,
        lambda: kept.end_session("s"),
    ):
        with pytest.raises(UnsupportedError, match="kept by hippocampai"):
            call()
    assert kept.archive_expired() == ()


def test_a_service_that_is_down_is_told(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    client = StandIn()
    monkeypatch.setattr("loregraph.memory.hippocampai.connected", lambda: client)
    kept = opens(memory_backend="hippocampai")
    memory_id = kept.add(PAYMENTS).memory_id
    client.is_down = True
    for call in (lambda: kept.add(BIRDS), lambda: kept.search("payments")):
        with pytest.raises(BackendError, match="Connection refused"):
            call()
    # Reads that are answered still, and writes that are not: it says so by an empty answer alone.
    monkeypatch.setattr(client, "get_memories", lambda **_: [replace(each) for each in client.records.values()])
    with pytest.raises(BackendError, match="did not change"):
        kept.update(memory_id, content=BIRDS)
    with pytest.raises(BackendError, match="did not change"):
        kept.delete(memory_id)


def test_a_client_that_keeps_nothing_and_says_nothing_is_told() -> None:
    class Forgetful(StandIn):
        def update_memory(self, memory_id: str, *_: Any, **__: Any) -> None:
            return None

    store = HippocampStore("shop", Forgetful())
    with pytest.raises(BackendError, match="kept nothing"):
        store.remember(record(PAYMENTS), Viewer(user_id="ann@example.org", project_id="shop"))


def test_without_the_package_the_extra_is_named(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hippocampai", None)
    with pytest.raises(BackendError, match="cannot be loaded") as raised:
        opens(memory_backend="hippocampai").add(PAYMENTS)
    assert "loregraph[hippocampai]" in raised.value.suggestion


def test_its_metadata_holds_one_key_of_ours(kept: ProjectMemory, client: Any) -> None:
    kept.add(PAYMENTS, metadata={"x": 1})
    (found,) = client.get_memories("loregraph:project:shop")
    assert KEY in found.metadata
    assert "x" not in found.metadata
