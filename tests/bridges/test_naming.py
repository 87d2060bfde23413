"""Which namespace a name gets, and where names stand in arguments."""

from __future__ import annotations

from typing import Any

import pytest

from loregraph.bridges.naming import Naming, places, renamed

AUTO = Naming("shop", "auto", org_types=("Standard", "person"), org_names=("company *", "ACME*"))


@pytest.mark.parametrize(
    ("naming", "name", "kind", "stored"),
    [
        (Naming("shop"), "api", "pattern", "shop:api"),
        (Naming("shop"), "two words", "", "shop:two words"),
        (Naming("shop", "project"), "api", "standard", "shop:api"),
        (Naming("shop", "org"), "api", "pattern", "org:api"),
        (Naming(""), "api", "pattern", "org:api"),
        (AUTO, "style", "standard", "org:style"),
        (AUTO, "style", "STANDARD", "org:style"),
        (AUTO, "style", "standards", "shop:style"),
        (AUTO, "Company holidays", "", "org:Company holidays"),
        (AUTO, "acme logo", "", "org:acme logo"),
        (AUTO, "our acme logo", "", "shop:our acme logo"),
        (Naming("shop", "project", org_types=("standard",)), "style", "standard", "shop:style"),
    ],
)
def test_a_new_name_gets_the_namespace_of_its_scope(naming: Naming, name: str, kind: str, stored: str) -> None:
    assert naming.new(name, kind) == stored
    assert naming.new(stored, kind) == stored


@pytest.mark.parametrize("name", ["shop:api", "org:api", "other:api", "a-b_1:x y", "shop: api", "org::x", "shop:a:b"])
def test_a_name_with_a_namespace_is_left_alone(name: str) -> None:
    assert Naming("shop").new(name) == name
    assert Naming("shop", "org").known(name, {"org:" + name}) == name


@pytest.mark.parametrize(
    "name", ["std::vector", "https://x.org", "note: text", "Upper:x", "file.py:12", ":x", "x:", "1:2"]
)
def test_what_only_has_a_colon_gets_one_once(name: str) -> None:
    stored = Naming("shop").new(name)
    assert stored == f"shop:{name}"
    assert Naming("shop").new(stored) == stored


@pytest.mark.parametrize("name", ["", "  "])
def test_what_is_no_name_is_left_to_the_server(name: str) -> None:
    assert Naming("shop").new(name) == name


@pytest.mark.parametrize(
    ("scope", "stored", "found"),
    [
        ("auto", {"shop:api", "org:api", "api"}, "shop:api"),
        ("auto", {"org:api", "api"}, "org:api"),
        ("auto", {"api", "other:api"}, "api"),
        ("auto", {"other:api"}, "shop:api"),
        ("org", {"shop:api", "org:api", "api"}, "org:api"),
        ("org", {"shop:api", "api"}, "shop:api"),
        ("org", set(), "org:api"),
    ],
)
def test_a_name_that_is_spoken_of_is_what_is_stored(scope: str, stored: set[str], found: str) -> None:
    assert Naming("shop", scope).known("api", stored) == found


NEW_TOOL = {
    "type": "object",
    "properties": {
        "keep": {"type": "string", "description": "The name of the entity to keep"},
        "others": {"type": "array", "items": {"type": "string"}, "description": "An array of entity names to merge"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "entityName": {"type": "string"},
                    "text": {"type": "string", "description": "Contents associated with the entity"},
                },
            },
        },
        "query": {"type": "string", "description": "The search query to match against entity names, types"},
        "from": {"type": "string", "description": "First day"},
        "name": {"type": "string", "description": "The name of the report"},
        "kind": {"type": "string", "description": "The type of the entity"},
        "source": {"type": "string", "description": "Name of the source entity"},
        "entityNames": {"type": "array", "items": {"type": "string"}},
    },
}


def test_the_schema_of_a_new_tool_says_where_it_names_entities() -> None:
    assert set(places("merge_entities", NEW_TOOL)) == {
        ("keep",),
        ("others", "*"),
        ("items", "*", "entityName"),
        ("source",),
        ("entityNames", "*"),
    }
    assert places("unknown", None) == ()
    assert places("unknown", {"type": "object", "properties": {"a": True, "b": {"type": ["string"]}}}) == ()


def test_the_servers_own_tools_need_no_schema() -> None:
    assert places("open_nodes", None) == (("names", "*"),)
    assert places("search_nodes", NEW_TOOL) == ()


def test_only_texts_at_the_place_are_renamed() -> None:
    def upper(text: str, around: Any) -> str:
        return f"{text.upper()}{around.get('k', '')}"

    value = {"rows": [{"name": "a", "k": 1, "more": ["a"]}, {"name": 5}, {"other": "a"}, "a", None], "name": "a"}
    expected = {"rows": [{"name": "A1", "k": 1, "more": ["a"]}, {"name": 5}, {"other": "a"}, "a", None], "name": "a"}
    assert renamed(value, ("rows", "*", "name"), upper) == expected
    assert renamed({"rows": "a"}, ("rows", "*", "name"), upper) == {"rows": "a"}
    assert renamed({"rows": {"name": "a"}}, ("rows", "*", "name"), upper) == {"rows": {"name": "a"}}
    assert renamed({"names": ["a", 1]}, ("names", "*"), upper) == {"names": ["A", 1]}
