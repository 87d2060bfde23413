"""A SCIP index joined with the graph: where it and our own resolution agree, what it adds, and where they disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.deflated import inflated
from loregraph.graph.groups import unnumbered
from loregraph.graph.imported import SCIP, Claim, FileClaims, Source
from loregraph.graph.model import FUNCTION_KINDS
from loregraph.graph.state import State
from loregraph.indexer import facts as facts_of_files
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.source import content_hash, normalise
from loregraph.pages.placing import called_by, references
from loregraph.scip.matching import MatchedFile, names_in
from loregraph.scip.reading import Document, Place, ScipFile, is_inside
from loregraph.scip.text import SourceText

LONGEST_NAME: Final = 200
"""Characters of the name of a source."""
MOST_LISTED: Final = 1_000
"""Differences that are listed; all are counted."""

_NEVER_CALLED: Final = ("type", "interface", "annotation")
"""Kinds of types that only stand for values."""


class Difference(msgspec.Struct, frozen=True, order=True):
    """One call that we and an index see differently: its place, the name that stands there, what the index says that it
    calls, and what we say; nothing where we have no edge."""

    file: str
    line: int
    name: str
    caller: str
    scip: tuple[str, ...]
    ours: tuple[str, ...] = ()


class ScipImport(msgspec.Struct, frozen=True, kw_only=True):
    """What an index gave. `definitions` are those of ours that it knows, `references` what it refers to among these.

    Of the references, `agree` have an edge of ours, `added` are calls without one, for `disagree` ours leads to another
    definition of that name; the rest are no calls. `outdated` are files with another content than was indexed,
    `unknown` documents that are no files of the graph. `differences` and `additions` are listed up to `MOST_LISTED`.
    """

    definitions: int = 0
    references: int = 0
    agree: int = 0
    added: int = 0
    disagree: int = 0
    outdated: tuple[str, ...] = ()
    unknown: int = 0
    differences: tuple[Difference, ...] = ()
    additions: tuple[Difference, ...] = ()


Text = Callable[[str], bytes | None]
Facts = Callable[[str], bytes | None]


def source_of(scip: ScipFile, name: str | None) -> Source:
    """What an index is remembered by: `name`, else the name of its file."""
    said = (scip.path.name if name is None else name)[:LONGEST_NAME]
    return Source(SCIP, said, scip.digest, scip.tool)


def compared(
    scip: ScipFile, columns: GraphColumns, text: Text, state: State, folder: str
) -> tuple[dict[str, FileClaims], ScipImport]:
    """What an index claims about each file of the graph in `columns`, and the report. `state` has the facts that the
    graph was made from; `folder` is where the paths of the index begin, relative to the root, "" for the root."""

    def facts(path: str) -> bytes | None:
        return dict(state.blobs("facts", (path,))).get(path)

    joining = Joining(scip, columns, text, facts, folder)
    return joining.run(), joining.report()


class Joining:
    """Compares an index with the graph in `columns`. `text` gives the present content of a file, `facts` its stored
    facts; `folder` is where the paths of the index begin, relative to the root."""

    def __init__(self, scip: ScipFile, columns: GraphColumns, text: Text, facts: Facts, folder: str = "") -> None:
        self._scip = scip
        self._columns = columns
        self._text = text
        self._facts = facts
        self._folder = folder
        self._targets: dict[str, list[int]] = {}
        """Symbol → the nodes that it defines; of a local symbol with the document's path before it."""
        self._nodes: set[int] = set()
        self._groups: dict[int, list[int]] = {}
        self._heads: dict[str, set[tuple[int, int]]] = {}
        """Path → where it has names of definitions that the index calls references."""
        self.outdated: set[str] = set()
        self.unknown = self.references = self.agree = self.added = self.disagree = 0
        self.differences: list[Difference] = []
        self.additions: list[Difference] = []

    # Implements REQ-EXC-001.
    def run(self) -> dict[str, FileClaims]:
        """Reads the whole index twice, definitions first; returns what it claims about each file."""
        for document, path, file in self._files():
            if file is None:
                self.unknown += 1
            elif file.is_of_this_text(self._scip.places(document)):
                defined, heads = file.defined(self._scip.places(document))
                self._define(path, defined)
                if heads:
                    self._heads[path] = heads
            else:
                self.outdated.add(path)
        claims: dict[str, FileClaims] = {}
        for document, path, file in self._files():
            if file is not None and path not in self.outdated:
                own = self._compared(path, file, self._scip.places(document))
                if own:
                    claims[path] = FileClaims(file.facts.content_hash, tuple(sorted(own)))
        return claims

    def report(self) -> ScipImport:
        return ScipImport(
            definitions=len(self._nodes),
            references=self.references,
            agree=self.agree,
            added=self.added,
            disagree=self.disagree,
            outdated=tuple(sorted(self.outdated)),
            unknown=self.unknown,
            differences=tuple(sorted(self.differences)),
            additions=tuple(sorted(self.additions)),
        )

    def _files(self) -> Iterator[tuple[Document, str, MatchedFile | None]]:
        """The documents of indexed files, each once; None for others, and for those whose file cannot be compared."""
        seen: set[str] = set()
        for document in self._scip.documents():
            path = f"{self._folder}/{document.path}" if self._folder else document.path
            if not is_inside(document.path) or path in seen:
                yield document, path, None
                continue
            seen.add(path)
            yield document, path, self._file(document, path)

    def _file(self, document: Document, path: str) -> MatchedFile | None:
        node = self._columns.find_id(path)
        blob = self._facts(path) if node is not None and self._columns.label(node) == "File" else None
        if node is None or not blob:
            return None
        raw = self._text(path)
        known: FileFacts = facts_of_files.decode(inflated(blob))
        if raw is None or content_hash(raw) != known.content_hash or _differs(document.text, raw):
            self.outdated.add(path)
            raw = b""
        return MatchedFile(known, SourceText(raw, document.encoding))

    def _define(self, path: str, defined: Mapping[str, list[str]]) -> None:
        for identity, symbols in defined.items():
            node = self._columns.find_id(identity)
            if node is not None:
                self._nodes.add(node)
                for symbol in symbols:
                    self._targets.setdefault(_key(symbol, path), []).append(node)

    # references

    # Implements REQ-EXC-002.
    def _compared(self, path: str, file: MatchedFile, places: Iterator[Place]) -> set[Claim]:
        calls, stated = self._ours(path)
        heads = self._heads.get(path, set())
        found: set[Claim] = set()
        named: dict[int, dict[str, set[int]]] = {}
        for (row, start, end), symbols in sorted(names_in(places, file.text).items()):
            targets = sorted({node for symbol in symbols for node in self._targets.get(_key(symbol, path), ())})
            if not targets or (row, start) in heads:
                continue
            self.references += 1
            line, name = row + 1, file.text.text(row, (start, end))
            same = self._same(targets)
            here = calls.get(line, {})
            agreeing = [target for target in same if target in here]
            if agreeing:
                self.agree += 1
                ids_of = self._columns.id
                found.update(Claim(ids_of(source), ids_of(one), line) for one in agreeing for source in here[one])
                continue
            caller, is_call = file.caller(row, start, name)
            is_stated = not same.isdisjoint(stated.get(line, ()))
            if not is_call and (is_stated or not file.text.is_called(row, end)):
                self.agree += is_stated
                continue
            if line not in named:
                named[line] = self._by_name(here)
            others = named[line].get(name, set())
            ids = self._called(targets)
            found.update(Claim(caller, identity, line) for identity in ids)
            if others and not self._overrides(others, same):
                self.disagree += 1
                ours = tuple(sorted(map(self._columns.id, others)))
                _list(self.differences, Difference(path, line, name, caller, ids, ours))
            else:
                self.added += 1
                _list(self.additions, Difference(path, line, name, caller, ids))
        return found

    def _by_name(self, targets: Iterable[int]) -> dict[str, set[int]]:
        """Name that code uses → those of `targets` that have it."""
        found: dict[str, set[int]] = {}
        for target in targets:
            for name in called_by(self._columns, target):
                found.setdefault(name, set()).add(target)
        return found

    def _ours(self, path: str) -> tuple[dict[int, dict[int, list[int]]], dict[int, set[int]]]:
        """Our calls of a file by line, as target → sources, and the targets of our other references by line."""
        columns = self._columns
        calls: dict[int, dict[int, list[int]]] = {}
        stated: dict[int, set[int]] = {}
        file = columns.find_id(path)
        assert file is not None  # it has been looked up
        inside = (file, *range(*columns.ids_with(f"{path}::")))
        for source in inside:
            for edge in columns.out(source, "CALLS").tolist():
                for line in columns.lines(edge):
                    calls.setdefault(line, {}).setdefault(int(columns.target[edge]), []).append(source)
        for one in references(columns, inside):
            node = None if one.rel == "CALLS" else columns.find_id(one.id)
            if node is not None:
                for line in range(one.line, one.line + one.lines):
                    stated.setdefault(line, set()).add(node)
        return calls, stated

    def _definitions_of(self, node: int) -> list[int]:
        """`node` and the further definitions of its name that the index gives no symbol of their own, by line:
        overloads, of which the last is the one that runs."""
        if node not in self._groups:
            columns = self._columns
            base = unnumbered(columns.id(node))
            numbered = range(*columns.ids_with(f"{base}#"))
            first = columns.find_id(base)
            others = [one for one in (first, *numbered) if one is not None and one not in self._nodes]
            others = [one for one in others if "." not in columns.id(one).removeprefix(base)]
            self._groups[node] = sorted({node, *others}, key=lambda one: (int(columns.start_line[one]), one))
        return self._groups[node]

    def _called(self, targets: list[int]) -> tuple[str, ...]:
        """The ids of what a call of `targets` reaches: of overloads the last, and of a type and a function of one name
        the function."""
        columns = self._columns
        able = [node for node in targets if columns.kind(node) not in _NEVER_CALLED] or targets
        last: dict[str, int] = {}
        for node in sorted((self._definitions_of(one)[-1] for one in able), key=lambda n: int(columns.start_line[n])):
            last[unnumbered(columns.id(node))] = node
        return tuple(sorted(map(columns.id, last.values())))

    def _same(self, targets: list[int]) -> set[int]:
        """`targets` with what a call of one also is of: a class and its constructors, a function and its overloads."""
        columns = self._columns
        found = {one for node in targets for one in self._definitions_of(node)}
        for node in tuple(found):
            if columns.label(node) == "Class":
                inside = columns.target[columns.out(node, "CONTAINS")].tolist()
                found.update(one for one in inside if columns.kind(one) == "constructor")
            elif columns.kind(node) == "constructor":
                found.update(columns.source[columns.into(node, "CONTAINS")].tolist())
        return found

    def _overrides(self, ours: set[int], theirs: set[int]) -> bool:
        """Whether one of ours overrides one of theirs, or the other way round: a declared method and those that run."""
        return bool(theirs & self._above(ours) or ours & self._above(theirs))

    def _above(self, nodes: set[int]) -> set[int]:
        """What `nodes` override, at any distance."""
        columns = self._columns
        found: set[int] = set()
        new = {node for node in nodes if columns.kind(node) in FUNCTION_KINDS}
        while new:
            above = {target for node in new for target in columns.target[columns.out(node, "OVERRIDES")].tolist()}
            new = above - found
            found |= new
        return found


def _key(symbol: str, path: str) -> str:
    return f"{path}\0{symbol}" if symbol.startswith("local ") else symbol


def _differs(said: str, raw: bytes) -> bool:
    """Whether an index has a file's text, and it is another; line ends and the byte order mark aside."""
    if not said:
        return False
    other, _ = normalise(said.encode("utf-8", "surrogatepass"))
    return other is not None and other.replace(b"\r\n", b"\n") != raw.replace(b"\r\n", b"\n")


def _list(into: list[Difference], one: Difference) -> None:
    if len(into) < MOST_LISTED:
        into.append(one)
