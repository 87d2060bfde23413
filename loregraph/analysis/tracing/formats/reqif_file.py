"""The matrix as ReqIF 1.2 (OMG formal/2016-07-01): requirements in one specification, linked nodes as objects with
types of their own, and one relation per link.

Identifiers are derived from ids and times are constant: the same matrix gives the same file, which a tool may import
repeatedly. `ReqIF.ForeignID`, `ReqIF.Name` and `ReqIF.Text` are the attribute names that tools agree on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.etree import ElementTree

import msgspec

from loregraph.analysis.tracing.formats.states import coverage_state, place
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import RequirementTrace

NAMESPACE: Final = "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"
TIME: Final = "2000-01-01T00:00:00Z"
"""ReqIF requires a time on everything; the time of writing would say nothing about the project."""
FOREIGN_ID, NAME, TEXT = "ReqIF.ForeignID", "ReqIF.Name", "ReqIF.Text"
TYPES: Final = {
    "Requirement": (FOREIGN_ID, NAME, TEXT, "Status", "Source", "Coverage", "Verified"),
    "Design": (FOREIGN_ID, NAME, "Status", "Source"),
    "Code": (FOREIGN_ID, NAME, "Source"),
    "Test": (FOREIGN_ID, NAME, "Source", "Result"),
}
"""Type of object → its attributes, all of them texts."""
RELATIONS: Final = {"Design": "satisfies", "Code": "implements", "Test": "tests"}
"""Type of object → its relation to a requirement."""
RELATION_FIELDS: Final = ("How", "Confidence", "Evidence")
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot represent."""

Values = dict[str, str]


class Link(msgspec.Struct, frozen=True):
    """An object linked to a requirement, and the relation's fields."""

    kind: str
    id: str
    values: Values
    fields: Values


def write(report: TraceReport, title: str = "") -> str:
    name = f"{title}: requirements" if title else "Requirements"
    root = ElementTree.Element("REQ-IF", {"xmlns": NAMESPACE})
    header = child(child(root, "THE-HEADER"), "REQ-IF-HEADER", IDENTIFIER=identifier("header", name))
    for tag, text in (
        ("COMMENT", "Traceability matrix"),
        ("CREATION-TIME", TIME),
        ("REQ-IF-TOOL-ID", "loregraph"),
        ("REQ-IF-VERSION", "1.0"),
        ("SOURCE-TOOL-ID", "loregraph"),
        ("TITLE", clean(name)),
    ):
        child(header, tag).text = text
    content = child(child(root, "CORE-CONTENT"), "REQ-IF-CONTENT")
    string = named(child(content, "DATATYPES"), "DATATYPE-DEFINITION-STRING", "datatype", "String")
    string.set("MAX-LENGTH", "1000000")
    types(child(content, "SPEC-TYPES"), string.attrib["IDENTIFIER"])
    objects(child(content, "SPEC-OBJECTS"), report)
    if any(True for one in report.requirements for _ in linked(one)):
        relations(child(content, "SPEC-RELATIONS"), report)
    designs = {design.id: None for one in report.requirements for design in one.designs}
    specifications = child(content, "SPECIFICATIONS")
    specification(specifications, name, "Requirement", [one.id for one in report.requirements])
    if designs:
        specification(specifications, f"{title}: designs" if title else "Designs", "Design", list(designs))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def types(parent: ElementTree.Element, datatype: str) -> None:
    kinds = [("SPEC-OBJECT-TYPE", name, fields) for name, fields in TYPES.items()]
    kinds += [("SPEC-RELATION-TYPE", name, RELATION_FIELDS) for name in RELATIONS.values()]
    for tag, name, fields in kinds:
        attributes = child(named(parent, tag, "type", name), "SPEC-ATTRIBUTES")
        for field in fields:
            definition = named(attributes, "ATTRIBUTE-DEFINITION-STRING", f"attribute {name}", field)
            child(child(definition, "TYPE"), "DATATYPE-DEFINITION-STRING-REF").text = datatype
    named(parent, "SPECIFICATION-TYPE", "type", "Specification")


def objects(parent: ElementTree.Element, report: TraceReport) -> None:
    """Every requirement, then every linked object, once."""
    seen: set[tuple[str, str]] = set()
    for one in report.requirements:
        add_object(parent, "Requirement", one.id, requirement_values(one))
    for one in report.requirements:
        for link in linked(one):
            if (link.kind, link.id) not in seen:
                seen.add((link.kind, link.id))
                add_object(parent, link.kind, link.id, link.values)


def add_object(parent: ElementTree.Element, kind: str, identity: str, values: Values) -> None:
    element = named(parent, "SPEC-OBJECT", kind, identity)
    put_values(element, kind, values)
    child(child(element, "TYPE"), "SPEC-OBJECT-TYPE-REF").text = identifier("type", kind)


def relations(parent: ElementTree.Element, report: TraceReport) -> None:
    for one in report.requirements:
        for link in linked(one):
            name = RELATIONS[link.kind]
            element = named(parent, "SPEC-RELATION", f"{name} {link.id}", one.id)
            put_values(element, name, link.fields)
            child(child(element, "TARGET"), "SPEC-OBJECT-REF").text = identifier("Requirement", one.id)
            child(child(element, "SOURCE"), "SPEC-OBJECT-REF").text = identifier(link.kind, link.id)
            child(child(element, "TYPE"), "SPEC-RELATION-TYPE-REF").text = identifier("type", name)


def specification(parent: ElementTree.Element, name: str, kind: str, ids: Sequence[str]) -> None:
    """Objects of one type in order. Code and tests are not included: they are not what is specified."""
    element = named(parent, "SPECIFICATION", "specification", name)
    child(child(element, "TYPE"), "SPECIFICATION-TYPE-REF").text = identifier("type", "Specification")
    children = child(element, "CHILDREN")
    for identity in ids:
        entry = named(children, "SPEC-HIERARCHY", f"entry {kind}", identity)
        child(child(entry, "OBJECT"), "SPEC-OBJECT-REF").text = identifier(kind, identity)


def requirement_values(one: RequirementTrace) -> Values:
    return {
        FOREIGN_ID: one.id,
        NAME: one.title,
        TEXT: one.text,
        "Status": one.status,
        "Source": place(one.path, one.line),
        "Coverage": coverage_state(one),
        "Verified": one.verified,
    }


def linked(one: RequirementTrace) -> Iterator[Link]:
    for design in one.designs:
        values = {FOREIGN_ID: design.id, NAME: design.title, "Status": design.status}
        values["Source"] = place(design.path, design.line)
        yield Link("Design", design.id, values, {"How": design.how, "Evidence": design.evidence})
    for kind, links in (("Code", one.implementations), ("Test", one.tests)):
        for link in links:
            values = {FOREIGN_ID: link.id, NAME: link.name, "Source": place(link.file_path, link.line)}
            values["Result"] = link.result
            fields = {"How": link.how, "Confidence": f"{link.confidence:g}", "Evidence": link.evidence}
            yield Link(kind, link.id, values, fields)


def put_values(parent: ElementTree.Element, kind: str, values: Values) -> None:
    """The values of an object or relation, without empty ones."""
    known: Iterable[str] = TYPES.get(kind, RELATION_FIELDS)
    kept = [(field, values[field]) for field in known if values.get(field)]
    holder = child(parent, "VALUES") if kept else parent
    for field, value in kept:
        element = child(holder, "ATTRIBUTE-VALUE-STRING")
        element.set("THE-VALUE", clean(value))
        definition = child(child(element, "DEFINITION"), "ATTRIBUTE-DEFINITION-STRING-REF")
        definition.text = identifier(f"attribute {kind}", field)


def child(parent: ElementTree.Element, tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, attributes)


def named(parent: ElementTree.Element, tag: str, kind: str, name: str) -> ElementTree.Element:
    """An element with ReqIF's attributes of identifiables: IDENTIFIER, LAST-CHANGE and LONG-NAME."""
    return child(parent, tag, **{"IDENTIFIER": identifier(kind, name), "LAST-CHANGE": TIME, "LONG-NAME": clean(name)})


def identifier(kind: str, name: str) -> str:
    """An xsd:ID that is the same for the same thing in every file."""
    return "_" + hashlib.blake2b(f"{kind}\0{name}".encode("utf-8", "replace"), digest_size=16).hexdigest()


def clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
