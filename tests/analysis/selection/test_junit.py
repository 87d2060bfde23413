"""Chosen tests as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from loregraph.analysis.selection.junit import junit
from loregraph.analysis.selection.selected import SelectedTest


# Verifies REQ-RUN-014.
def test_a_case_says_where_it_is_and_why_and_that_it_did_not_run() -> None:
    rows = [
        SelectedTest("t/test_a.py::TestB.test_c", "t/test_a.py", "TestB.test_c", "It calls x.", "call", 0.9, 1.25),
        SelectedTest("t/test_a.py::test_d", "t/test_a.py", "test_d", "It ran x.", "observed", 1.0),
        SelectedTest("u.py::test_e", "u.py", "test_e", "It ran x.", "observed", 1.0),
    ]
    top = ElementTree.fromstring(junit(rows).encode())
    assert top.tag == "testsuites" and top.get("tests") == "3" and top.get("skipped") == "3"
    suites = top.findall("testsuite")
    assert [(suite.get("name"), suite.get("tests"), suite.get("time")) for suite in suites] == [
        ("t/test_a.py", "2", "1.250"),
        ("u.py", "1", None),
    ]
    first, second = suites[0].findall("testcase")
    assert first.attrib == {"classname": "t.test_a.TestB", "name": "test_c", "file": "t/test_a.py", "time": "1.250"}
    assert {one.get("name"): one.get("value") for one in first.iter("property")} == {
        "id": "t/test_a.py::TestB.test_c",
        "reason": "It calls x.",
        "how": "call",
        "confidence": "0.9",
    }
    assert second.get("time") is None
    assert [child.tag for child in second] == ["properties", "skipped"]


# Verifies REQ-RUN-014.
def test_no_name_breaks_the_document() -> None:
    name = 'a"><failure/>&\x00\x1b\ud800\ufffe]]>\n\U0001f389'
    text = junit([SelectedTest(f"{name}::{name}", name, name, name, name, 1.0)])
    (case,) = ElementTree.fromstring(text.encode()).iter("testcase")
    assert case.find("failure") is None
    assert case.get("file") == 'a"><failure/>&\ufffd\ufffd\ufffd\ufffd]]>\n\U0001f389'


def test_no_test_is_a_document_too() -> None:
    assert ElementTree.fromstring(junit([]).encode()).get("tests") == "0"
