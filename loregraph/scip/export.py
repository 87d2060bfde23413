"""The graph as a SCIP index, written one document after the other: no more than one file is in memory.

The graph has lines, SCIP wants columns: names are looked for in their lines as pages do (`pages.placing`). What stands
in its line by another name, such as a call of `__enter__` by `with`, is left out and counted. A file that has changed
since the graph was made keeps its definitions as symbols without places, since lines are not those of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from msgspec import Struct

from loregraph import __version__
from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.indexer.source import content_hash
from loregraph.pages import highlight, placing
from loregraph.scip import schema
from loregraph.scip.packages import Packages
from loregraph.scip.symbols import Symbols
from loregraph.scip.wire import field

_IMPLEMENTATIONS: Final = ("EXTENDS", "IMPLEMENTS", "OVERRIDES")
_SOURCE: Final = ("indexed", "partial")
"""`status` of files whose definitions are known."""

_KEPT: Final = 65_536
"""Ids whose numbers are remembered."""

Read = Callable[[str], bytes | None]


class ScipExport(Struct, frozen=True):
    """What was written. `unplaced` are references whose lines do not name them; `changed` the files that are not as the
    graph knows them, whose occurrences were left out."""

    documents: int
    definitions: int
    references: int
    external_symbols: int
    unplaced: int
    changed: tuple[str, ...]


# Implements REQ-CLI-015.
def write(file: BinaryIO, columns: GraphColumns, root: Path, read: Read) -> ScipExport:
    """Writes the index of `columns` to `file`. `read` gives the text of a file of the project in UTF-8, as the indexer
    sees it, None where it cannot be read; `root` is the project's folder, which SCIP has as an address."""
    writer = _Writer(columns, read)
    file.write(field(schema.METADATA, _metadata(root)))
    for node in columns.nodes("File").tolist():
        if columns.language(node) in registry.SOURCES and columns.own(node, "status") in _SOURCE:
            file.write(field(schema.DOCUMENTS, writer.document(node)))
    external = 0
    for symbol in writer.external_symbols():
        file.write(field(schema.EXTERNAL_SYMBOLS, symbol))
        external += 1
    return ScipExport(
        writer.documents, writer.definitions, writer.references, external, writer.unplaced, tuple(writer.changed)
    )


def _metadata(root: Path) -> bytes:
    metadata = schema.messages().Metadata(project_root=root.as_uri(), text_document_encoding=1)
    metadata.tool_info.name, metadata.tool_info.version = "loregraph", __version__
    return bytes(metadata.SerializeToString())


class _Writer:
    def __init__(self, columns: GraphColumns, read: Read) -> None:
        self._columns = columns
        self._read = read
        self._symbols = Symbols(columns, Packages(columns, read).of)
        self._number = lru_cache(_KEPT)(columns.find_id)
        self._named = np.zeros(columns.node_count, np.bool_)
        """Nodes that an occurrence or relationship names."""
        self._defined = np.zeros(columns.node_count, np.bool_)
        self.documents = self.definitions = self.references = self.unplaced = 0
        self.changed: list[str] = []

    def document(self, file: int) -> bytes:
        """One file: its definitions, and what it refers to."""
        columns = self._columns
        path, language = columns.path(file), columns.language(file)
        document = schema.messages().Document(
            relative_path=path, language=registry.BY_NAME[language].scip, position_encoding=schema.UTF32
        )
        first, last = columns.ids_with(f"{path}::")
        inside = range(first, last)
        for node in (file, *inside):
            self._describe(document.symbols.add(), node)
            self._defined[node] = True
        raw = self._read(path)
        if raw is None or content_hash(raw) != columns.own(file, "content_hash"):
            self.changed.append(path)
        else:
            lines = raw.decode("utf-8", "replace").split("\n")
            pieces = dict(enumerate(highlight.by_tokens(lines, language), 1))
            occurrences = self._defining(file, inside, lines, pieces)
            occurrences.update(self._referring(file, inside, pieces))
            for (place, symbol, roles), enclosing in sorted(occurrences.items()):
                document.occurrences.add(range=place, symbol=symbol, symbol_roles=roles, enclosing_range=enclosing)
        self.documents += 1
        self.definitions += len(inside)
        return bytes(document.SerializeToString())

    def external_symbols(self) -> Iterator[bytes]:
        """What is named and has no document: libraries' symbols, packages as a whole."""
        for node in np.flatnonzero(self._named & ~self._defined).tolist():
            symbol = schema.messages().SymbolInformation(
                symbol=self._symbols.of(node), display_name=self._columns.name(node)
            )
            symbol.kind = schema.KINDS.get(self._columns.kind(node), 0)
            yield bytes(symbol.SerializeToString())

    def _describe(self, symbol: Any, node: int) -> None:
        columns = self._columns
        symbol.symbol, symbol.display_name = self._symbols.of(node), columns.name(node)
        symbol.kind = self._kind(node)
        if docstring := columns.docstring(node):
            symbol.documentation.append(docstring)
        if signature := columns.signature(node):
            symbol.signature_documentation.language = registry.BY_NAME[columns.language(node)].scip
            symbol.signature_documentation.text = signature
        related: dict[int, bool] = {}
        for rel in _IMPLEMENTATIONS if columns.label(node) != "File" else ():
            for target in columns.target[columns.out(node, rel)].tolist():
                related[target] = related.get(target, False) or rel == "OVERRIDES"
        for target, is_reference in related.items():
            self._named[target] = True
            symbol.relationships.add(symbol=self._symbols.of(target), is_implementation=True, is_reference=is_reference)

    def _kind(self, node: int) -> int:
        columns = self._columns
        kind = columns.kind(node)
        if kind == "method":
            modifiers = columns.own(node, "modifiers") or ()
            if "abstract" in modifiers:
                return schema.ABSTRACT_METHOD
            if "static" in modifiers:
                return schema.STATIC_METHOD
        return schema.KINDS.get(kind, 0)

    def _defining(self, file: int, inside: range, lines: Sequence[str], pieces: _Pieces) -> _Occurrences:
        """The places of the definitions; what has no name stands before the first character of its first line."""
        columns = self._columns
        roles = schema.DEFINITION | (schema.GENERATED if columns.path(file) in columns.generated else 0)
        found: _Occurrences = {
            ((0, 0, 0), self._symbols.of(file), roles): (0, 0, len(lines) - 1, len(lines[-1])),
        }
        places: dict[int, tuple[int, int, int]] = {}
        for line, spans in placing.definitions(columns, inside, pieces).items():
            for span in spans:
                node = columns.find_id(span.targets[0].id)
                assert node is not None
                places[node] = (line - 1, span.start, span.end)
        for node in inside:
            first, last = int(columns.start_line[node]) - 1, int(columns.end_line[node]) - 1
            if not 0 <= first <= last < len(lines):
                continue
            begin = len(lines[first]) - len(lines[first].lstrip())
            place = places.get(node, (first, begin, begin))
            enclosing = (first, min(begin, place[1]) if place[0] == first else begin, last, len(lines[last]))
            test = schema.TEST if columns.own(node, "is_test") else 0
            found[place, self._symbols.of(node), roles | test] = enclosing
        return found

    def _referring(self, file: int, inside: range, pieces: _Pieces) -> _Occurrences:
        columns = self._columns
        wanted = placing.references(columns, (file, *inside))
        wanted += self._modules(file)
        placed = placing.placed(pieces, wanted)
        self.unplaced += placed.missing
        found: _Occurrences = {}
        for line, spans in placed.spans.items():
            for span in spans:
                for target in span.targets:
                    node = self._number(target.id)
                    assert node is not None  # ids come from the same columns
                    role = schema.IMPORT if target.rel == "IMPORTS" else 0
                    self._named[node] = True
                    found[(line - 1, span.start, span.end), self._symbols.of(node), role] = ()
        self.references += len(found)
        return found

    def _modules(self, file: int) -> Iterator[placing.Reference]:
        """The modules and packages that a file imports, by the last part of their names."""
        columns = self._columns
        for edge in columns.out(file, "IMPORTS").tolist():
            target, line = int(columns.target[edge]), int(columns.line[edge])
            name = columns.name(target)
            names: tuple[str, ...] = (name.rpartition(".")[2], name)
            if columns.label(target) == "File":
                module = columns.qualified_name(target)  # the path where a language gives files no names
                names = (name.partition(".")[0], module.rpartition("/" if module == columns.path(target) else ".")[2])
            if line:
                yield placing.Reference(line, names, columns.id(target), "import", "IMPORTS", "", 1.0)


_Occurrences = dict[tuple[tuple[int, int, int], str, int], tuple[int, ...]]
"""(range, symbol, roles) → enclosing range, which may be empty."""
_Pieces = Mapping[int, highlight.Line]
"""Line, from 1 → its words."""
