"""The matrix as ReqIF: every reference leads somewhere, and the requirements can be read again."""

from __future__ import annotations

from xml.etree import ElementTree

from loregraph.analysis.tracing.formats.reqif_file import FOREIGN_ID, NAMESPACE, TEXT, clean, write
from loregraph.analysis.tracing.report import TraceReport

from .conftest import HOSTILE, requirement

Elements = list[ElementTree.Element]


def tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def parsed(report: TraceReport) -> ElementTree.Element:
    return ElementTree.fromstring(write(report, "shop"))


def find(root: ElementTree.Element, *path: str) -> Elements:
    return root.findall(".//" + "/".join(tag(name) for name in path))


def values(root: ElementTree.Element, element: ElementTree.Element) -> dict[str, str]:
    names = {one.attrib["IDENTIFIER"]: one.attrib["LONG-NAME"] for one in find(root, "ATTRIBUTE-DEFINITION-STRING")}
    return {
        names[value.findtext(f".//{tag('ATTRIBUTE-DEFINITION-STRING-REF')}") or ""]: value.attrib["THE-VALUE"]
        for value in element.iter(tag("ATTRIBUTE-VALUE-STRING"))
    }


def test_every_reference_leads_to_what_it_names_and_ids_are_unique(report: TraceReport) -> None:
    root = parsed(report)
    ids = [one.attrib["IDENTIFIER"] for one in root.iter() if "IDENTIFIER" in one.attrib]
    assert len(ids) == len(set(ids))
    kinds = {one.attrib["IDENTIFIER"]: one.tag for one in root.iter() if "IDENTIFIER" in one.attrib}
    references = [one for one in root.iter() if one.tag.endswith("-REF")]
    assert references
    assert [one.text for one in references if kinds.get(one.text or "") != one.tag.removesuffix("-REF")] == []


def test_requirements_stand_in_the_specification_with_their_text(report: TraceReport) -> None:
    root = parsed(report)
    objects = {one.attrib["IDENTIFIER"]: values(root, one) for one in find(root, "SPEC-OBJECT")}
    listed = [objects[one.text or ""] for one in find(root, "SPEC-HIERARCHY", "OBJECT", "SPEC-OBJECT-REF")]
    assert [one[FOREIGN_ID] for one in listed] == ["R-1", "R-2", "R-3", "ADR-1"]
    assert listed[0][TEXT].endswith(HOSTILE)
    assert (listed[0]["Coverage"], listed[0]["Verified"], listed[0]["Source"]) == ("covered", "passed", "docs/r.md:7")


def test_a_relation_a_link_from_what_does_it_to_the_requirement(report: TraceReport) -> None:
    root = parsed(report)
    names = {one.attrib["IDENTIFIER"]: one.attrib["LONG-NAME"] for one in root.iter() if "LONG-NAME" in one.attrib}
    found = {
        (
            names[one.findtext(f"{tag('SOURCE')}/*") or ""],
            names[one.findtext(f"{tag('TYPE')}/*") or ""],
            names[one.findtext(f"{tag('TARGET')}/*") or ""],
        )
        for one in find(root, "SPEC-RELATION")
    }
    assert found == {
        ("ADR-1", "satisfies", "R-1"),
        ("a.py::do", "implements", "R-1"),
        ("b.py", "implements", "R-1"),
        ("t.py::test_do", "tests", "R-1"),
        ("t.py::test_more", "tests", "R-1"),
    }
    declared = next(one for one in find(root, "SPEC-RELATION") if "0.8" in values(root, one).values())
    assert values(root, declared) == {"How": "declared", "Confidence": "0.8", "Evidence": "b.py:3"}


def test_a_matrix_without_links_has_no_empty_list_of_relations(report: TraceReport) -> None:
    from loregraph.analysis.tracing.traces import coverage

    one = requirement("R-1", "bell \a and \ud800 half")
    root = parsed(TraceReport(requirements=(one,), coverage=coverage([one]), orphans=()))
    assert find(root, "SPEC-RELATIONS") == []
    (found,) = find(root, "SPEC-OBJECT")
    assert len(find(root, "SPECIFICATION")) == 1
    assert values(root, found)["ReqIF.Name"] == "bell \ufffd and \ufffd half"


def test_what_xml_cannot_say_is_replaced() -> None:
    assert clean("a\x00b\tc\n\ufffe") == "a\ufffdb\tc\n\ufffd"
