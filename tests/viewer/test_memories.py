"""Pages of memories, and what their forms do."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from loregraph.errors import NotFoundError
from loregraph.pages.links import Links
from loregraph.viewer.asked import Asked
from loregraph.viewer.frame import whole_page
from loregraph.viewer.memories import memories_page, memory_page

from .desk import Desk, indexed_desk, written_by_ann

CODE = "lending/service.py"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("memories")
    with written_by_ann(folder):
        opened = Desk(indexed_desk(folder))
        yield opened
        opened.close()


@pytest.fixture(autouse=True)
def _empty(desk: Desk) -> Iterator[None]:
    yield
    for identifier in desk.memory.ids_from(""):
        desk.memory.delete(identifier, hard=True)


def text_of(answer: object) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", answer.text))  # type: ignore[attr-defined]


def titles(page: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r'<h3><a href="/memory[^>]*>(.*?)</a>', page)]


def test_without_memories_the_page_says_how_to_begin(desk: Desk) -> None:
    assert "Nothing is written down yet" in desk.get("/memories").text


# Verifies REQ-WEB-008.
def test_stale_memories_come_first_and_lead_to_what_they_are_about(desk: Desk) -> None:
    desk.memory.add("Gone with the old service", anchors=["lending/gone.py::old"])
    desk.memory.add("The service keeps everything in memory", anchors=[CODE], tags=["storage"])
    page = desk.get("/memories").text
    assert titles(page) == ["Gone with the old service", "The service keeps everything in memory"]
    assert ">gone</span>" in page
    assert Links().file(CODE).replace("&", "&amp;") in page
    assert titles(desk.get("/memories", stale="1").text) == ["Gone with the old service"]


# Verifies REQ-WEB-008.
def test_filters_narrow_the_list(desk: Desk) -> None:
    desk.memory.add("Loans end after three weeks", kind="requirements", tags=["loans"])
    desk.memory.add("Ann likes short names", scope="user", kind="user_preference")
    old = desk.memory.add("Loans ended after two weeks", kind="requirements").memory_id
    desk.memory.update(old, state="archived")
    assert titles(desk.get("/memories", kind="requirements").text) == ["Loans end after three weeks"]
    assert titles(desk.get("/memories", scope="user").text) == ["Ann likes short names"]
    assert titles(desk.get("/memories", tag="loans").text) == ["Loans end after three weeks"]
    assert titles(desk.get("/memories", state="archived").text) == ["Loans ended after two weeks"]
    assert len(titles(desk.get("/memories", state="all").text)) == 3
    assert titles(desk.get("/memories", q="short names").text) == ["Ann likes short names"]
    assert desk.get("/memories", kind="nonsense").status_code == 400


def test_memories_are_shown_by_what_they_are_about(desk: Desk) -> None:
    desk.memory.add("About the service", anchors=[CODE])
    desk.memory.add("About nothing")
    page = desk.get("/memories", by="place").text
    assert page.index(CODE) < page.index("About the service") < page.index("About nothing in particular")


def test_a_long_list_has_pages(desk: Desk) -> None:
    desk.memory.add_many({"content": f"memory number {number}"} for number in range(60))
    first = desk.get("/memories").text
    assert len(titles(first)) == 50
    later = re.search(r'href="(/memories[^"]*)" rel="next"', first)
    assert later is not None
    second = titles(desk.get(html.unescape(later[1])).text)
    assert len(second) == 10
    assert not set(second) & set(titles(first))


# Verifies REQ-MEM-005, REQ-WEB-008.
def test_what_others_keep_to_themselves_is_not_shown(desk: Desk) -> None:
    hidden = desk.memory.acting_as(agent_id="claude").add("a note of an agent", scope="agent")
    other = desk.memory.acting_as(user_id="bob@example.org").add("a habit of Bob's", scope="user")
    for added in (hidden, other):
        assert desk.get("/memory", id=added.memory_id).status_code == 404
        assert desk.post("memory-delete", id=added.memory_id).status_code == 404
    assert titles(desk.get("/memories", state="all").text) == []
    desk.memory.acting_as(user_id="bob@example.org").delete(other.memory_id, hard=True)
    desk.memory.acting_as(agent_id="claude").delete(hidden.memory_id, hard=True)


def test_a_memory_of_somebody_else_can_be_read_and_not_changed(desk: Desk) -> None:
    bob = desk.memory.acting_as(user_id="bob@example.org")
    added = bob.add("Bob decided this", scope="project")
    page = desk.get("/memory", id=added.memory_id).text
    assert "Only bob@example.org may change it" in page
    assert "memory-edit" not in page
    answer = desk.post("memory-edit", id=added.memory_id, version="1", content="Ann says otherwise")
    assert answer.status_code == 400
    assert "belongs to bob@example.org" in answer.text
    assert bob.get(added.memory_id).content == "Bob decided this"
    bob.delete(added.memory_id, hard=True)


def test_a_memory_is_added_by_the_person_and_its_anchor_resolved(desk: Desk) -> None:
    answer = desk.post("memory-add", content="Loans are counted per person", tags="loans, limits", anchors=CODE)
    assert answer.status_code == 303
    (one,) = desk.memory.list()
    assert answer.headers["location"] == Links().memory(one.id)
    assert (one.content, one.tags, one.anchors, one.author) == (
        "Loans are counted per person",
        ("loans", "limits"),
        (CODE,),
        "Ann Lee <ann@example.org>",
    )


def test_a_memory_that_is_refused_stays_in_the_form(desk: Desk) -> None:
    answer = desk.post("memory-add", content="A thought", kind="nonsense", tags="kept")
    assert answer.status_code == 400
    assert "memory_type" in answer.text
    assert ">\nA thought</textarea>" in answer.text
    assert 'value="kept"' in answer.text
    assert desk.memory.list() == []


# Verifies REQ-MEM-008.
def test_a_credential_is_kept_only_by_whoever_insists(desk: Desk) -> None:
    text = "the token is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    answer = desk.post("memory-add", content=text)
    assert answer.status_code == 400
    assert 'name="allow_secret"' in answer.text
    assert desk.memory.list() == []
    assert desk.post("memory-add", content=text, allow_secret="1").status_code == 303


# Verifies REQ-MEM-007.
def test_versions_show_the_words_that_changed_and_can_be_gone_back_to(desk: Desk) -> None:
    added = desk.memory.add("Loans end after three weeks").memory_id
    saved = desk.post("memory-edit", id=added, version="1", content="Loans end after four weeks")
    assert saved.status_code == 303
    page = desk.get("/memory", id=added).text
    assert "<del>three</del><ins>four</ins>" in page
    assert desk.post("memory-restore", id=added, version="1").status_code == 303
    assert desk.memory.get(added).content == "Loans end after three weeks"


def test_a_deletion_can_be_undone(desk: Desk) -> None:
    added = desk.memory.add("Kept after all").memory_id
    answer = desk.post("memory-delete", id=added)
    assert answer.status_code == 303
    assert titles(desk.get("/memories").text) == []
    assert titles(desk.get("/memories", state="deleted").text) == ["Kept after all"]
    page = desk.client.get(answer.headers["location"]).text
    assert "This memory is deleted" in page
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    assert desk.post("memory-restore", id=added, version=version[1]).status_code == 303
    assert titles(desk.get("/memories").text) == ["Kept after all"]


def test_a_memory_goes_to_the_archive_and_back_and_is_confirmed(desk: Desk) -> None:
    added = desk.memory.add("Retired", anchors=[CODE]).memory_id
    assert desk.post("memory-archive", id=added).status_code == 303
    assert desk.memory.get(added).state == "archived"
    assert desk.post("memory-archive", id=added, state="active").status_code == 303
    assert desk.memory.get(added).state == "active"
    assert desk.post("memory-archive", id=added, state="deleted").status_code == 400
    assert desk.post("memory-confirm", id=added).status_code == 303


# Verifies REQ-MEM-003, REQ-WEB-008.
def test_of_two_changes_of_one_version_neither_is_lost(desk: Desk) -> None:
    added = desk.memory.add("Loans end after three weeks", tags=["loans"]).memory_id
    desk.memory.update(added, content="Loans end after four weeks", tags=["loans", "time"])
    answer = desk.post(
        "memory-edit", id=added, version="1", content="Loans end after three weeks or on demand", tags="loans"
    )
    assert answer.status_code == 409
    assert "<del>three</del><ins>four</ins>" in answer.text
    assert ">\nLoans end after three weeks or on demand</textarea>" in answer.text
    assert 'name="version" value="2"' in answer.text
    assert 'name="tags" value="loans, time"' in answer.text
    assert desk.memory.get(added).content == "Loans end after four weeks"
    again = desk.post("memory-edit", id=added, version="2", content="Loans end after four weeks or on demand")
    assert again.status_code == 303
    assert desk.memory.get(added).tags == ("loans", "time")
    assert len(desk.memory.history(added)) == 3


def test_a_change_of_what_was_deleted_meanwhile_is_not_lost(desk: Desk) -> None:
    added = desk.memory.add("Loans end after three weeks").memory_id
    desk.memory.delete(added)
    answer = desk.post("memory-edit", id=added, version="1", content="Loans end on demand")
    assert answer.status_code in (400, 409)
    assert ">\nLoans end on demand</textarea>" in answer.text
    assert "Keep it as a new memory" in answer.text
    desk.memory.delete(added, hard=True)
    gone = desk.post("memory-edit", id=added, version="1", content="Loans end on demand")
    assert gone.status_code in (400, 404)
    assert ">\nLoans end on demand</textarea>" in gone.text


# Verifies REQ-SEC-008.
def test_what_a_memory_says_is_text(desk: Desk) -> None:
    hostile = "<script>alert(1)</script>\n<img src=x onerror=alert(2)> \u202eevil\u202c \x1b[2J javascript:alert(3)"
    added = desk.memory.add(
        hostile, tags=["<b>tag</b>"], category='"><i>', anchors=["a<b>.py::f"], metadata={"<k>": "<v>"}
    ).memory_id
    for answer in (desk.get("/memory", id=added), desk.get("/memories"), desk.get("/memories", by="place")):
        page = answer.text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<b>" not in page
        assert "<i>" not in page
        assert "<k>" not in page
        assert "\u202e" not in page
        assert "\x1b" not in page
        assert "\\u202e" in page
        assert 'href="javascript' not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\n&lt;img" in desk.get("/memory", id=added).text


def test_addresses_can_be_followed_and_tell_no_one_where_from(desk: Desk) -> None:
    added = desk.memory.add("see https://example.org/a?b=1&c=2.").memory_id
    page = desk.get("/memory", id=added).text
    assert '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer">' in page


def test_a_memory_of_the_greatest_length_is_shown_whole_and_listed_short(desk: Desk) -> None:
    added = desk.memory.add("word " * 19_000).memory_id
    assert len(desk.get("/memories").text) < 40_000
    assert desk.get("/memory", id=added[:8]).text.count("word ") >= 19_000


def test_looking_at_a_memory_does_not_count_as_recalling_it(desk: Desk) -> None:
    added = desk.memory.add("Not recalled").memory_id
    desk.get("/memory", id=added)
    desk.get("/memories")
    assert desk.memory.get(added, touch=False).access_count == 0


def test_an_export_has_one_list_and_counts_the_rest(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loregraph.viewer.memories.EXPORTED", 3)
    desk.memory.add_many({"content": f"memory number {number}"} for number in range(5))
    with desk.served.reading() as project:
        asked = Asked(project, Links())
        page = whole_page(memories_page(asked), asked, "")
    assert len(titles(page)) == 3
    assert "and 2 more" in page
    assert "<form" not in page.partition("<main")[2]


def test_an_export_has_what_everybody_sees_and_no_forms(desk: Desk) -> None:
    shown = desk.memory.add("For all").memory_id
    desk.memory.update(shown, content="For all of us")
    own = desk.memory.add("Ann's own", scope="user").memory_id
    with desk.served.reading() as project:
        page = memories_page(Asked(project, Links()))
        assert [row.title for row in page.values["rows"]] == ["For all of us"]  # type: ignore[attr-defined]
        one = memory_page(Asked(project, Links(), {"id": (shown,)}))
        assert one.values["versions"] == []
        assert one.values["may_change"] is False
        with pytest.raises(NotFoundError):
            memory_page(Asked(project, Links(), {"id": (own,)}))
