"""The matrix as ReqIF: every reference leads somewhere, and the requirements can be read again."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec

from loregraph.analysis.tracing.formats.reqif_file import FOREIGN_ID, NAMESPACE, TEXT, clean, write
from loregraph.analysis.tracing.places import Place
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


def hierarchy(root: ElementTree.Element, holder: ElementTree.Element) -> list[object]:
    """The names in the entries below an element, each with what is below it."""
    objects = {one.attrib["IDENTIFIER"]: one.attrib["LONG-NAME"] for one in find(root, "SPEC-OBJECT")}
    found: list[object] = []
    for entry in holder.findall(f"{tag('CHILDREN')}/{tag('SPEC-HIERARCHY')}"):
        name = objects[entry.findtext(f"{tag('OBJECT')}/{tag('SPEC-OBJECT-REF')}") or ""]
        below = hierarchy(root, entry)
        found.append((name, below) if below else name)
    return found


def test_documents_are_specifications_with_their_sections_and_parents_with_what_refines_them() -> None:
    from loregraph.analysis.tracing.traces import coverage

    all_of = [
        requirement("R-1", line=5),
        requirement("R-2", line=7, parents=("R-1",)),
        requirement("R-3", line=9, parents=("R-1",)),
        requirement("R-4", line=1, path="b.md", parents=("R-1", "R-5")),
        requirement("R-5", line=3, path="b.md", parents=("R-4", "gone")),
    ]
    places = {
        "R-1": Place("a.md", "Needs", ("Part",), (5,)),
        "R-2": Place("a.md", "Needs", ("Part",), (7,)),
        "R-3": Place("a.md", "Needs", ("Part", "Detail"), (9,)),
        "R-4": Place("b.md", "", (), (1,)),
        "R-5": Place("b.md", "", (), (3,)),
    }
    root = parsed(TraceReport(requirements=tuple(all_of), coverage=coverage(all_of), orphans=(), places=places))
    found = {one.attrib["LONG-NAME"]: hierarchy(root, one) for one in find(root, "SPECIFICATION")}
    assert found == {
        "Needs": [("Part", [("R-1", ["R-2"]), ("Detail", ["R-3"])])],
        "b.md": [("R-4", ["R-5"])],  # they refine each other
    }
    names = {one.attrib["IDENTIFIER"]: one.attrib["LONG-NAME"] for one in find(root, "SPEC-OBJECT")}
    relations = [
        (names[one.findtext(f"{tag('SOURCE')}/*") or ""], names[one.findtext(f"{tag('TARGET')}/*") or ""])
        for one in find(root, "SPEC-RELATION")
    ]
    assert sorted(relations) == [("R-2", "R-1"), ("R-3", "R-1"), ("R-4", "R-1"), ("R-4", "R-5"), ("R-5", "R-4")]
    ids = [one.attrib["IDENTIFIER"] for one in root.iter() if "IDENTIFIER" in one.attrib]
    assert len(ids) == len(set(ids))


def test_loregraph_reads_back_the_requirements_and_no_section(report: TraceReport) -> None:
    from loregraph.indexer.requirements.reqif import read_bytes

    places = {one.id: Place("docs/r.md", "Needs", ("Part", "Detail"), (one.line,)) for one in report.requirements}
    one = msgspec.structs.replace(report.requirements[0], parents=("R-3",))
    changed = msgspec.structs.replace(report, requirements=(one, *report.requirements[1:]), places=places)
    items = {item.id: item for item in read_bytes(write(changed, "shop").encode(), True).items}
    assert [(item.id, item.kind) for item in items.values()] == [
        ("R-1", "requirement"),
        ("R-2", "requirement"),
        ("R-3", "requirement"),
        ("ADR-1", "design"),
    ]
    assert [(link.target, link.role) for link in items["R-1"].links] == [("R-3", "parent")]


def test_a_long_chain_of_parents_is_not_nested_without_end() -> None:
    from loregraph.analysis.tracing.traces import coverage

    all_of = [requirement(f"R-{n:04}", line=n, parents=(f"R-{n - 1:04}",)) for n in range(3_000)]
    places = {one.id: Place("a.md", "", (), (one.line,)) for one in all_of}
    root = parsed(TraceReport(requirements=tuple(all_of), coverage=coverage(all_of), orphans=(), places=places))
    assert len(find(root, "SPEC-HIERARCHY")) == 3_000
