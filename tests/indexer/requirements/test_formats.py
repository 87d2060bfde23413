"""Doorstop, StrictDoc, sphinx-needs, ReqIF, spreadsheets and plain text: what the small projects do not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.config import RequirementSettings
from loregraph.indexer.requirements.documents import read_document
from loregraph.indexer.requirements.model import MAX_TEXT, Document

FIXTURES = Path(__file__).parents[3] / "fixtures" / "requirements"
NAMED = RequirementSettings(sources=("**",))
PLAIN = RequirementSettings()


def read(path: str, text: str, settings: RequirementSettings = PLAIN) -> Document:
    return read_document(path, text.encode(), settings)


ITEM = "active: true\nderived: false\nlevel: 1.0\nlinks: []\nnormative: true\nreviewed: null\n"


@pytest.mark.parametrize(
    "text",
    [
        "name: CI\non: push\nnormative: true\n",
        ITEM.replace("normative: true", "normative: false") + "text: Later\n",
    ],
)
def test_yaml_that_is_no_doorstop_requirement(text: str) -> None:
    assert read("reqs/REQ001.yml", text).is_empty


def test_doorstop_links_with_and_without_fingerprints() -> None:
    text = ITEM.replace("links: []", "links:\n- SYS001\n- SYS002: abc=\n- SYS003: null") + "text: It shall run.\n"
    (item,) = read("reqs/REQ-001.yml", text).items
    assert [(link.target, link.role) for link in item.links] == [
        ("SYS001", "parent"),
        ("SYS002", "parent"),
        ("SYS003", "parent"),
    ]
    assert (item.id, item.title, item.text) == ("REQ-001", "It shall run", "It shall run.")


def test_yaml_runs_nothing() -> None:
    text = ITEM + "text: !!python/object/apply:os.system ['touch hacked']\n"
    document = read("reqs/REQ001.yml", text)
    assert document.items == ()
    assert "doorstop item" in document.problems[0][1]


def test_strictdoc_s_older_forms() -> None:
    text = (
        "[DOCUMENT]\nTITLE: Old\n\n[SECTION]\nTITLE: A\n[COMPOSITE_REQUIREMENT]\nUID: A-1\nSTATEMENT: Whole.\n"
        "[REQUIREMENT]\nUID: A-2\nREFS:\n- TYPE: Parent\n  VALUE: A-1\n- TYPE: File\n  VALUE: a.c\n  FUNCTION: f\n"
        "TITLE: Part\n[/COMPOSITE_REQUIREMENT]\n[/SECTION]\n"
    )
    document = read("a.sdoc", text)
    assert [(i.id, i.title, [k.target for k in i.links]) for i in document.items] == [
        ("A-1", "Whole", []),
        ("A-2", "Part", ["A-1"]),
    ]
    assert [(t.ids, t.places) for t in document.traces] == [(("A-2",), ("a.c::f",))]


def test_needs_inside_others_and_options_of_several_lines() -> None:
    text = (
        ".. feature:: Light\n   :id: F_1\n\n   .. req:: Inner\n      :id: R_1\n      :links: F_1,\n         F_2\n\n"
        "      Text.\n\n.. req::\n   :id: R_2\n\n   It shall run. And more.\n"
    )
    document = read("docs/a.rst", text)
    assert [(i.id, i.title, [k.target for k in i.links]) for i in document.items] == [
        ("F_1", "Light", []),
        ("R_1", "Inner", ["F_1", "F_2"]),
        ("R_2", "It shall run", []),
    ]


def test_a_need_without_an_id_is_a_problem_where_the_document_is_named() -> None:
    text = ".. req:: A\n   :id: R_1\n\n.. req:: B\n   :status: open\n"
    assert read("a.rst", text).problems == ()
    assert [line for line, _ in read("a.rst", text, NAMED).problems] == [4]


def test_reqif_with_entities_is_refused() -> None:
    lol = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><REQ-IF>&b;</REQ-IF>'
    document = read("a.reqif", lol)
    assert document.items == ()
    assert "document type declaration" in document.problems[0][1]


def test_reqif_that_is_broken_or_too_deep() -> None:
    assert read("a.reqif", "<REQ-IF>\n<CORE>\n</REQ-IF>").problems[0][0] == 3
    assert "deep" in read("a.reqif", "<REQ-IF>" + "<a>" * 300).problems[0][1]


def test_reqif_of_another_tool_s_attribute_names() -> None:
    text = (FIXTURES / "reqif" / "spec" / "brake.reqif").read_text()
    text = text.replace("ReqIF.ForeignID", "UID").replace("ReqIF.Name", "Title").replace("ReqIF.Text", "Description")
    assert [(i.id, i.title, i.text) for i in read("a.reqif", text).items] == [
        ("BRK-1", "Stopping distance", "It shall stop within 40 m."),
        ("BRK-2", "Wheels shall not lock.", "Wheels shall not lock."),
    ]


def test_reqif_without_ids_of_its_own_keeps_the_identifiers() -> None:
    text = (FIXTURES / "reqif" / "spec" / "brake.reqif").read_text().replace("ReqIF.ForeignID", "Colour")
    assert [i.id for i in read("a.reqif", text).items] == ["o-1", "o-2"]


@pytest.mark.parametrize(
    ("text", "ids", "problems"),
    [
        ("ID,Text\nR-1,It shall run.\n", ["R-1"], []),
        ("ID\tText\nR-1\tIt shall run.\n", ["R-1"], []),
        ("Name,Key,Description\nSpeed,R-1,It shall run.\n", ["R-1"], []),
        ("a,b\nR-1,It shall run.\nR-2,It shall stop.\n", ["R-1", "R-2"], []),
        ("Name,Age\nAnn,7\n", [], [1]),
        ("ID,Text\nR-1,It shall run.,too,many\n", ["R-1"], [2]),
        ('ID,Text\nR-1,"never closed\n', ["R-1"], []),
        ("", [], []),
    ],
)
def test_spreadsheets(text: str, ids: list[str], problems: list[int]) -> None:
    document = read("a.csv", text, NAMED)
    assert [item.id for item in document.items] == ids
    assert [line for line, _ in document.problems] == problems


def test_plain_text_by_its_lines() -> None:
    text = (
        "Spec\n====\n\nREQ-1: It shall run.\n  Fast.\nStatus: planned\n\n1. [REQ-2] It shall stop.\n\n\nNot theirs.\n"
    )
    one, two = read("spec.txt", text, NAMED).items
    assert (one.id, one.text, one.status, one.line) == ("REQ-1", "It shall run.\n  Fast.", "planned", 4)
    assert (two.id, two.text) == ("REQ-2", "It shall stop.")


def test_a_file_is_one_requirement_whatever_is_in_it() -> None:
    settings = RequirementSettings(sources=("r/**",), id_from="file")
    (item,) = read("r/UC 7.v2.txt", "\n# Log in\n\nREQ-1: words\n", settings).items
    assert (item.id, item.title) == ("UC 7.v2", "Log in")
    (empty,) = read("r/EMPTY.txt", "", settings).items
    assert (empty.title, empty.text) == ("EMPTY", "")
    (long,) = read("r/LONG.txt", "word " * 10_000, settings).items
    assert len(long.text) == MAX_TEXT
