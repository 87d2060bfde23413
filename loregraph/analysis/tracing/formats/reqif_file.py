"""The matrix as ReqIF 1.2 (OMG formal/2016-07-01): a specification for each document, its sections and requirements
nested as they are there, linked nodes as objects with types of their own, and one relation per link.

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
from loregraph.analysis.tracing.places import Path, Places
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import RequirementTrace

NAMESPACE: Final = "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"
TIME: Final = "2000-01-01T00:00:00Z"
"""ReqIF requires a time on everything; the time of writing would say nothing about the project."""
FOREIGN_ID, NAME, TEXT, CHAPTER = "ReqIF.ForeignID", "ReqIF.Name", "ReqIF.Text", "ReqIF.ChapterName"
TYPES: Final = {
    "Requirement": (FOREIGN_ID, NAME, TEXT, "Status", "Source", "Coverage", "Verified"),
    "Section": (CHAPTER,),
    "Design": (FOREIGN_ID, NAME, "Status", "Source"),
    "Code": (FOREIGN_ID, NAME, "Source"),
    "Test": (FOREIGN_ID, NAME, "Source", "Result"),
}
"""Type of object → its attributes, all of them texts."""
RELATIONS: Final = {"Design": "satisfies", "Code": "implements", "Test": "tests"}
"""Type of object → its relation to a requirement."""
REFINES: Final = "refines"
"""The relation of a requirement to its parent."""
MOST_DEPTH: Final = 20
"""Requirements that are nested below their parents; longer chains are flat from there on."""
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
    known = {one.id for one in report.requirements}
    if any(known.intersection(one.parents) or any(True for _ in linked(one)) for one in report.requirements):
        relations(child(content, "SPEC-RELATIONS"), report)
    designs = {design.id: None for one in report.requirements for design in one.designs}
    specifications = child(content, "SPECIFICATIONS")
    for document, group in by_document(report, name).items():
        entries = child(specification(specifications, *document), "CHILDREN")
        document_entries(entries, document[0], group, report.places)
    if designs:
        element = specification(specifications, "designs\0", f"{title}: designs" if title else "Designs")
        children = child(element, "CHILDREN")
        for identity in designs:
            entry(children, "Design", identity, identity)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def types(parent: ElementTree.Element, datatype: str) -> None:
    kinds = [("SPEC-OBJECT-TYPE", name, fields) for name, fields in TYPES.items()]
    kinds += [("SPEC-RELATION-TYPE", name, RELATION_FIELDS) for name in (*RELATIONS.values(), REFINES)]
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
    for document, path in sections(report):
        add_object(parent, "Section", section_id(document, path), {CHAPTER: path[-1]})
    for one in report.requirements:
        for link in linked(one):
            if (link.kind, link.id) not in seen:
                seen.add((link.kind, link.id))
                add_object(parent, link.kind, link.id, link.values)


def add_object(parent: ElementTree.Element, kind: str, identity: str, values: Values) -> None:
    element = named(parent, "SPEC-OBJECT", kind, identity)
    element.set("LONG-NAME", clean(values.get(CHAPTER, identity)))
    put_values(element, kind, values)
    child(child(element, "TYPE"), "SPEC-OBJECT-TYPE-REF").text = identifier("type", kind)


def relations(parent: ElementTree.Element, report: TraceReport) -> None:
    known = {one.id for one in report.requirements}
    for one in report.requirements:
        for whole in dict.fromkeys(one.parents):
            if whole in known:
                relation(parent, REFINES, ("Requirement", one.id), ("Requirement", whole), {})
        for link in linked(one):
            relation(parent, RELATIONS[link.kind], (link.kind, link.id), ("Requirement", one.id), link.fields)


def relation(
    parent: ElementTree.Element, name: str, source: tuple[str, str], target: tuple[str, str], fields: Values
) -> None:
    element = named(parent, "SPEC-RELATION", f"{name} {source[1]}", target[1])
    put_values(element, name, fields)
    child(child(element, "TARGET"), "SPEC-OBJECT-REF").text = identifier(*target)
    child(child(element, "SOURCE"), "SPEC-OBJECT-REF").text = identifier(*source)
    child(child(element, "TYPE"), "SPEC-RELATION-TYPE-REF").text = identifier("type", name)


def specification(parent: ElementTree.Element, identity: str, name: str) -> ElementTree.Element:
    """An empty specification. Code and tests are in none: they are not what is specified."""
    element = named(parent, "SPECIFICATION", "specification", identity)
    element.set("LONG-NAME", clean(name))
    child(child(element, "TYPE"), "SPECIFICATION-TYPE-REF").text = identifier("type", "Specification")
    return element


def by_document(report: TraceReport, name: str) -> dict[tuple[str, str], list[RequirementTrace]]:
    """(document, its title) → its requirements in order; one of all where nothing is known of their documents."""
    found: dict[tuple[str, str], list[RequirementTrace]] = {}
    places = report.places
    for one in sorted(report.requirements, key=lambda one: _order(one, places)):
        where = places.get(one.id)
        key = ("", name) if where is None else (where.document, where.title or where.document)
        found.setdefault(key, []).append(one)
    return found or {("", name): []}


def _order(one: RequirementTrace, places: Places) -> tuple[str, tuple[int, ...]]:
    where = places.get(one.id)
    return ("", ()) if where is None else (where.document, where.order)


def document_entries(
    parent: ElementTree.Element, document: str, group: Sequence[RequirementTrace], places: Places
) -> None:
    """The entries of one document: sections in sections, and in each the requirements, below their parents if these
    are in the same section."""
    folders: dict[Path, ElementTree.Element] = {(): parent}
    above = parents_in_section(group, places)
    entries: dict[str, ElementTree.Element] = {}

    def add(one: RequirementTrace) -> ElementTree.Element:
        if one.id not in entries:
            whole = above.get(one.id)
            holder = children_of(add(known[whole])) if whole else folder(section_of(one, places))
            entries[one.id] = entry(holder, "Requirement", one.id, one.id)
        return entries[one.id]

    def folder(path: Path) -> ElementTree.Element:
        if path not in folders:
            folders[path] = children_of(entry(folder(path[:-1]), "Section", section_id(document, path), path[-1]))
        return folders[path]

    known = {one.id: one for one in group}
    for one in group:
        add(one)


def parents_in_section(group: Sequence[RequirementTrace], places: Places) -> dict[str, str]:
    """Requirement → the first of its parents in the same section. None for those in a circle, nor beyond MOST_DEPTH."""
    sections_of = {one.id: section_of(one, places) for one in group}
    found = {}
    for one in group:
        own = sections_of[one.id]
        whole = next((p for p in one.parents if p != one.id and sections_of.get(p) == own), None)
        if whole is not None:
            found[one.id] = whole
    for identity in list(found):
        at, seen = identity, {identity}
        while at in found and len(seen) <= MOST_DEPTH:
            at = found[at]
            if at in seen:
                break
            seen.add(at)
        if at in found:
            del found[identity]
    return found


def section_of(one: RequirementTrace, places: Places) -> Path:
    where = places.get(one.id)
    return () if where is None else where.section


def sections(report: TraceReport) -> list[tuple[str, Path]]:
    """(document, section) of every section with a requirement at any depth, outer ones first."""
    found: dict[tuple[str, Path], None] = {}
    for where in report.places.values():
        for depth in range(1, len(where.section) + 1):
            found[where.document, where.section[:depth]] = None
    return list(found)


def section_id(document: str, path: Path) -> str:
    return "\0".join((document, *path))


def entry(parent: ElementTree.Element, kind: str, identity: str, name: str) -> ElementTree.Element:
    """A place in a specification, of the object of that kind and id."""
    element = named(parent, "SPEC-HIERARCHY", f"entry {kind}", identity)
    element.set("LONG-NAME", clean(name))
    child(child(element, "OBJECT"), "SPEC-OBJECT-REF").text = identifier(kind, identity)
    return element


def children_of(element: ElementTree.Element) -> ElementTree.Element:
    """The list of what is below an entry, made where it is missing."""
    found = element.find("CHILDREN")
    return child(element, "CHILDREN") if found is None else found


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
