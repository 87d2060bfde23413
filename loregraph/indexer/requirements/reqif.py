"""ReqIF, the OMG's exchange format: SPEC-OBJECTs and their attributes; .reqifz is a ZIP of ReqIF files.

Read with the standard library's expat. The `reqif` package would bring lxml, xmlschema, openpyxl and jinja2 for the few
elements needed here, has no type information, and resolves entities: here a file with a document type declaration is
refused, so nothing is expanded or fetched.
"""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree
from xml.parsers import expat

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.ids import IdPattern, names_design
from loregraph.indexer.requirements.model import MAX_TEXT, Document, Item, Link

MAX_UNPACKED: Final = 50_000_000
"""Maximum bytes of all .reqif files in an archive: an archive of a few kilobytes can contain gigabytes."""
MAX_ENTRIES: Final = 1_000
"""Maximum files in an archive."""
_MAX_DEPTH: Final = 200
_LINE: Final = "loregraph-line"
_IDS: Final = ("reqif.foreignid", "id", "uid", "identifier", "req id", "requirement id", "key", "reqif.id")
_TITLES: Final = ("reqif.name", "title", "name", "summary", "reqif.chaptername", "heading")
_TEXTS: Final = ("reqif.text", "text", "statement", "description", "reqif.description", "requirement", "content")
_STATES: Final = ("status", "reqif.foreignstate", "state")
_PRIORITIES: Final = ("priority", "prio")
_HEADINGS = re.compile(r"heading|chapter|section|information|document", re.IGNORECASE)


_UNREADABLE: Final = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    IndexError,
)
"""What `zipfile` raises for malformed archives."""
_TEST_TYPE: Final = re.compile(r"\btest(?:s|[ _-]?case)?\b", re.IGNORECASE)
"""Part of an object type's name that marks a test case."""


class _RefusedError(Exception):
    """Raised for XML that is not accepted; the message is the reason."""


def read(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """The requirements of a .reqif file."""
    return read_bytes(text.encode(), named)


# Implements REQ-SEC-010.
def read_archive(raw: bytes, named: bool) -> Document:
    """The requirements of every .reqif in a .reqifz."""
    found: list[Document] = []
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.lower().endswith(".reqif")]
            if len(entries) > MAX_ENTRIES:
                return Document(problems=((0, f"it holds {len(entries)} files, and at most {MAX_ENTRIES} are read"),))
            left = MAX_UNPACKED
            for entry in sorted(entries, key=lambda e: e.filename):
                with archive.open(entry) as file:
                    # The size in the directory may be wrong.
                    data = file.read(left + 1)
                left -= len(data)
                if left < 0:
                    told = f"unpacked it is larger than {MAX_UNPACKED} bytes; not read from {entry.filename[:200]} on"
                    found.append(Document(problems=((0, told),)))
                    break
                found.append(read_bytes(data, named))
    except _UNREADABLE as error:
        return Document(problems=((0, f"not a readable .reqifz: {error}"),))
    return Document(
        tuple(item for document in found for item in document.items),
        (),
        named,
        problems=tuple(problem for document in found for problem in document.problems),
    )


def read_bytes(raw: bytes, named: bool) -> Document:
    """The requirements in the XML of a .reqif file."""
    try:
        root = _tree(raw)
    except _RefusedError as error:
        return Document(problems=((0, f"ReqIF: {error}"),))
    except expat.ExpatError as error:
        return Document(problems=((error.lineno, f"not well-formed XML: {expat.ErrorString(error.code)}"),))
    except (LookupError, ValueError) as error:  # the encoding that it names
        return Document(problems=((0, f"not XML that can be read: {error}"),))
    names = {
        element.get("IDENTIFIER", ""): element.get("LONG-NAME", "")
        for element in root.iter()
        if element.tag.startswith(("ATTRIBUTE-DEFINITION-", "SPEC-OBJECT-TYPE", "ENUM-VALUE"))
        and element.get("IDENTIFIER")
    }
    objects = [(element, *_values(element, names)) for element in root.iter("SPEC-OBJECT")]
    own = {
        element.get("IDENTIFIER", ""): _first(values, _IDS) or element.get("IDENTIFIER", "")
        for element, values, _ in objects
    }
    parents = defaultdict(list)
    for relation in root.iter("SPEC-RELATION"):
        source, target = _reference(relation, "SOURCE"), _reference(relation, "TARGET")
        if source in own and target in own:
            parents[source].append((own[target], int(relation.get(_LINE, "0"))))
    # An object outside any specification is none of its statements: code and tests listed in a traceability matrix.
    listed = {_reference(entry, "OBJECT") for entry in root.iter("SPEC-HIERARCHY")}
    items = []
    for element, values, kind in objects:
        if listed and element.get("IDENTIFIER", "") not in listed:
            continue
        identity = own[element.get("IDENTIFIER", "")]
        text, title = _first(values, _TEXTS), _first(values, _TITLES)
        if not identity or (_HEADINGS.search(kind) and not text) or not (text or title or element.get("LONG-NAME")):
            continue
        if "reqif.chaptername" in values and not text:
            continue
        design = names_design(identity) or "design" in kind.lower()
        test = not design and _TEST_TYPE.search(kind) is not None
        items.append(
            Item(
                kind="design" if design else "test_case" if test else "requirement",
                id=identity,
                line=int(element.get(_LINE, "0")),
                title=title or element.get("LONG-NAME", "") or fields.first_sentence(text),
                text=(text or title)[:MAX_TEXT],
                status=fields.value_of(_first(values, _STATES)),
                priority=fields.value_of(_first(values, _PRIORITIES)),
                links=tuple(
                    Link(target, "declared" if design or test else "parent", line, f"SPEC-RELATION: {target}")
                    for target, line in parents[element.get("IDENTIFIER", "")]
                ),
            )
        )
    return Document(tuple(items), (), named)


def _tree(raw: bytes) -> ElementTree.Element:
    """The elements, by local name. Raises _RefusedError for a document type, expat's error for malformed XML."""
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate(namespace_separator=" ")
    depth = 0

    def refuse(*_: object) -> None:
        raise _RefusedError("a document type declaration is not read: entities could expand without bound")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise _RefusedError(f"elements are nested more than {_MAX_DEPTH} deep")
        named = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        builder.start(name.rpartition(" ")[2], {**named, _LINE: str(parser.CurrentLineNumber)})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name.rpartition(" ")[2])

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.Parse(raw, True)
    return builder.close()


def _values(element: ElementTree.Element, names: dict[str, str]) -> tuple[dict[str, str], str]:
    """Attribute's name in lower case → value as text; the name of the object's type."""
    values: dict[str, str] = {}
    for value in element.iter():
        if not value.tag.startswith("ATTRIBUTE-VALUE-"):
            continue
        reference = next((r.text for d in value.iter("DEFINITION") for r in d if r.text), "") or ""
        name = names.get(reference.strip(), reference.strip()).lower()
        text = value.get("THE-VALUE")
        if text is None:
            rich = value.find("THE-VALUE")
            if rich is not None:
                text = " ".join(" ".join(_words(rich)).split())
            else:
                refs = [ref.text or "" for ref in value.iter("ENUM-VALUE-REF")]
                text = ", ".join(names.get(ref.strip(), ref.strip()) for ref in refs)
        values.setdefault(name, text.strip())
    kind = next((names.get((ref.text or "").strip(), "") for ref in element.iter("SPEC-OBJECT-TYPE-REF")), "")
    return values, kind


def _words(rich: ElementTree.Element) -> Iterator[str]:
    return (text for text in rich.itertext() if text.strip())


def _first(values: dict[str, str], names: tuple[str, ...]) -> str:
    return next((values[name] for name in names if values.get(name)), "")


def _reference(parent: ElementTree.Element, end: str) -> str:
    found = parent.find(f"{end}/SPEC-OBJECT-REF")
    return (found.text or "").strip() if found is not None else ""
