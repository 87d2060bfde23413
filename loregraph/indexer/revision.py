"""The definitions of some files at another revision, or after a proposed change, read with the graph's extractor.

The store's content is not touched: the files of the other side are written to a temporary folder and read by workers,
so that a file that hangs or kills the parser does no more harm than in an index run.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from loregraph import rooted
from loregraph.config import Settings
from loregraph.errors import UnsafePathError
from loregraph.git import ChangedFile, files_at
from loregraph.graph.definitions import DeclaredParameter, SourceDefinition
from loregraph.graph.model import MENTION, Class, Edge, File, Function, Node, Requirement
from loregraph.graph.state import State
from loregraph.indexer.build.assemble import file_nodes
from loregraph.indexer.build.tasks import Task
from loregraph.indexer.build.workers import Extracted, default_jobs, extract_all, inflate_facts
from loregraph.indexer.discover.files import discover, is_wanted
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.facts import Definition, Expr, FileFacts, is_node
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.syntax_faults import NOT_UNDERSTOOD, is_syntax_error
from loregraph.indexer.requirements.joining import join
from loregraph.indexer.requirements.model import Document, decode
from loregraph.indexer.resolve import resolve
from loregraph.indexer.source import read_source

FEW_BYTES: Final = 400_000
"""Sources up to this many bytes do not need a second worker process."""


_RECEIVER_FIRST: Final = registry.where(lambda language: language.signatures.receiver_first)
_READ: Final = registry.SUPPORTED | registry.DOCUMENTS


class Side(Struct, frozen=True):
    """Files on one side of a change, by path: facts and definitions of sources, in order, and definitions in
    documents."""

    facts: dict[str, FileFacts]
    definitions: dict[str, tuple[SourceDefinition, ...]]
    documents: dict[str, Document] = {}
    broken: frozenset[str] = frozenset()
    """Files with a syntax error, or that are unreadable."""
    puzzling: frozenset[str] = frozenset()
    """Other files that the parser understands only in part."""

    def marks(self) -> dict[str, frozenset[str]]:
        """Id of a definition or file → ids that it declares in comments, docstrings and decorators."""
        found: dict[str, set[str]] = {}
        for path, facts in self.facts.items():
            for marker in facts.markers:
                if marker.kind == MENTION:
                    continue
                own = path if marker.scope < 0 else f"{path}::{facts.definitions[marker.scope].qualname}"
                found.setdefault(own, set()).add(marker.id)
        return {id: frozenset(marks) for id, marks in found.items()}


def both_sides(root: Path, settings: Settings, rev: str, changes: Mapping[str, ChangedFile]) -> tuple[Side, Side]:
    """The changed files as they were at `rev`, and as they are on disk. Raises UsageError where git cannot read
    `rev`."""
    discovery = discover(root, settings)
    there = {file.path: file.language for file in discovery.files}
    wanted = is_wanted(settings)
    old_paths = {change.old_path: path for path, change in changes.items() if change.old_path}
    contents = files_at(root, rev, [path for path in old_paths if registry.by_path(path) or old_paths[path] in there])
    headers = Counter(language for path, language in there.items() if registry.sharing(path))
    before: dict[str, tuple[str, bytes]] = {}
    for path, content in contents.items():
        language = there.get(old_paths[path]) or _language(path, content, headers)
        if language in _READ and wanted(path) and len(content) <= settings.max_file_bytes:
            before[path] = (language, content)
    now = {path: there[path] for path in changes if there.get(path) in _READ}
    return read_contents(before, settings), _read_files(root, now, settings)


def read_contents(files: Mapping[str, tuple[str, bytes]], settings: Settings) -> Side:
    """Files given as path → (language, content)."""
    with tempfile.TemporaryDirectory(prefix="loregraph-") as folder:
        for path, (_, content) in files.items():
            # A path in a repository never leaves it; one in a diff may.
            if not is_inside(path):
                continue
            try:
                rooted.make_folder(Path(folder), Path(path).parent)
                rooted.write_new(Path(folder), path, content)
            except (FileExistsError, NotADirectoryError, UnsafePathError):
                continue  # a diff may name a file and another one below it as if it were a folder
        languages = {path: language for path, (language, _) in files.items() if is_inside(path)}
        return _read_files(Path(folder), languages, settings)


def is_inside(path: str) -> bool:
    """Whether a relative POSIX path stays within its base folder."""
    pure = PurePosixPath(path)
    return bool(path) and not pure.is_absolute() and ".." not in pure.parts and "\0" not in path


def language_of(path: str, content: bytes) -> str | None:
    """The language of a file that is not on disk; None where loregraph extracts none."""
    language = language_at(path, content)
    return language if language in registry.SUPPORTED else None


def language_at(path: str, content: bytes) -> str | None:
    """The language or document format of a file that is not on disk."""
    return _language(path, content, Counter())


def _language(path: str, content: bytes, headers: Counter[str]) -> str | None:
    """`headers` counts the languages of the project's files whose extension several share (`.h`), which is what decides
    for one that says nothing."""
    head = content[: registry.HEAD_BYTES]
    if registry.sharing(path):
        return registry.by_head(path, head, headers) or (
            headers.most_common(1)[0][0] if headers else registry.by_path(path)
        )
    if registry.is_foreign(path, head):
        return None
    return registry.by_path(path) or registry.by_head(path, head)


def _read_files(root: Path, languages: Mapping[str, str], settings: Settings) -> Side:
    tasks = [
        (Task(path, language, document=language in registry.DOCUMENTS, texts=False), (root / path).stat().st_size)
        for path, language in sorted(languages.items())
    ]
    facts: dict[str, FileFacts] = {}
    documents: dict[str, Document] = {}
    broken: set[str] = set()
    puzzling: set[str] = set()

    def receive(answer: Extracted) -> None:
        if answer.facts:
            facts[answer.path] = inflate_facts(answer.facts)
        if answer.requirements:
            documents[answer.path] = decode(answer.requirements)
        if answer.status == "failed" or any(is_syntax_error(message) for _, message in answer.problems):
            broken.add(answer.path)
        elif any(message == NOT_UNDERSTOOD for _, message in answer.problems):
            puzzling.add(answer.path)

    jobs = 1 if sum(size for _, size in tasks) <= FEW_BYTES else settings.jobs or default_jobs()
    extract_all(root, tasks, settings.max_file_bytes, jobs, receive, requirements=settings.requirements)
    definitions = {}
    for path in sorted(facts):
        source, _ = read_source(root / path, settings.max_file_bytes)
        definitions[path] = tuple(_definitions(facts[path], source or b""))
    return Side(
        dict(sorted(facts.items())),
        definitions,
        dict(sorted(documents.items())),
        frozenset(broken),
        frozenset(puzzling),
    )


def _definitions(facts: FileFacts, source: bytes) -> Iterable[SourceDefinition]:
    shown = [is_node(d.kind, d.flags) for d in facts.definitions]
    # Definitions inside a test are skipped: the test as a whole counts.
    in_test: list[bool] = []
    for definition in facts.definitions:
        outer = facts.definitions[definition.parent] if definition.parent >= 0 else None
        in_test.append(outer is not None and ("test" in outer.flags or in_test[definition.parent]))
    named = [
        is_symbol and not inside and not definition.is_numbered
        for definition, is_symbol, inside in zip(facts.definitions, shown, in_test, strict=True)
    ]
    inner: dict[int, list[Definition]] = {}
    for number, definition in enumerate(facts.definitions):
        if named[number]:
            around = definition.parent
            while around >= 0 and not named[around]:
                around = facts.definitions[around].parent
            inner.setdefault(around, []).append(definition)
    nodes = iter(file_nodes(facts, "")[0])
    for number, definition in enumerate(facts.definitions):
        node = next(nodes) if shown[number] else None
        if named[number] and isinstance(node, Function | Class):
            yield SourceDefinition(
                node,
                _own_text(source, definition, inner.get(number, ())),
                tuple(_parameters(definition, facts.language)),
                _told(definition.returns),
            )


def _parameters(definition: Definition, language: str) -> Iterable[DeclaredParameter]:
    is_method = definition.kind in ("method", "constructor", "getter", "setter")
    is_bound = language in _RECEIVER_FIRST and is_method and "static" not in definition.flags
    for number, parameter in enumerate(definition.parameters):
        if parameter.kind == "this" or (is_bound and number == 0 and not parameter.kind):
            continue
        is_optional = parameter.default is not None or parameter.kind in ("*", "**")
        # TypeScript's `name?:` has no default.
        is_optional |= bool(parameter.name) and f"{parameter.name}?" in definition.signature
        name = parameter.name or ("{}" if parameter.pattern is not None else "")
        yield DeclaredParameter(name, parameter.kind, is_optional, _told(parameter.type), _told(parameter.default))


def _told(expression: Expr | None) -> str:
    return "" if expression is None else repr(expression)


def _own_text(source: bytes, definition: Definition, inner: Iterable[Definition]) -> str:
    parts = []
    at = definition.start_byte
    for one in sorted(inner, key=lambda d: d.start_byte):
        if at <= one.start_byte and one.end_byte <= definition.end_byte:
            parts.append(source[at : one.start_byte])
            at = one.end_byte
    parts.append(source[at : definition.end_byte])
    return b"".join(parts).decode("utf-8", "replace")


class Past(Struct, frozen=True):
    """The project as it was: its resolved edges if requested, those of its requirements, and its nodes."""

    edges: tuple[Edge, ...]
    requirements: tuple[Requirement, ...]


def past(
    root: Path,
    settings: Settings,
    state: State,
    side: Side,
    changes: Mapping[str, ChangedFile],
    nodes: Iterable[Node],
    *,
    resolved: bool,
) -> Past:
    """`side` has the changed files as they were, `state` the others; `nodes` are those of the present graph.

    With `resolved` it costs as much as resolving the whole project; without, only its requirements. Packaging files are
    the present ones.
    """
    documents = {path: decode(blob) for path, blob in sorted(state.blobs("requirements")) if blob}
    documents = {path: found for path, found in documents.items() if path not in changes} | side.documents
    if not resolved and not documents:
        return Past((), ())
    gone = {path for path, change in changes.items() if change.status != "M"}
    paths = sorted({path for path in discover(root, settings).paths if path not in gone} | side.facts.keys())
    layout = read_layout(root, paths)
    if resolved and settings.stubs:
        from loregraph.indexer.outside.environment import read_environment

        layout = layout.with_shapes(read_environment(root, settings.stubs).shapes())
    edges: list[Edge] = []
    if resolved:
        facts = {path: inflate_facts(blob) for path, blob in state.blobs("facts") if blob and path not in changes}
        facts = dict(sorted((facts | side.facts).items()))
        layout = layout.with_packages({path: f.package for path, f in facts.items() if f.package})
        resolution = resolve(facts, layout)
        edges += [edge for path in sorted(resolution.files) for edge in resolution.files[path].edges]
    if not documents:
        return Past(tuple(edges), ())
    there = [node for node in nodes if isinstance(node, File | Class | Function) and _path(node) not in changes]
    there += [d.node for definitions in side.definitions.values() for d in definitions]
    joined = join(documents, side.facts, [*layout.components, *there], layout.component_of)
    requirements = tuple(node for node in joined.nodes if isinstance(node, Requirement))
    return Past((*edges, *joined.edges), requirements)


def _path(node: File | Class | Function) -> str:
    return node.path if isinstance(node, File) else node.file_path
