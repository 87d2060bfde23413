"""The requirements of a project at a revision, and what its files declared about them then.

Only files that differ from the revision are read from git; what is known of the others is in the state. Nothing is
resolved: links by commits' trailers, keywords and calls of tests need the whole project, and are left out on each side
of a comparison alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec import Struct

from loregraph.config import Settings
from loregraph.git import ChangedFile, files_at
from loregraph.graph.columns import GraphColumns
from loregraph.graph.declarations import Declarations
from loregraph.graph.model import MENTION, Class, Design, Edge, File, Function, Requirement
from loregraph.graph.state import State
from loregraph.indexer.build.assemble import file_nodes
from loregraph.indexer.build.workers import inflate_facts
from loregraph.indexer.discover.files import discover, is_wanted
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import registry
from loregraph.indexer.requirements.ids import family
from loregraph.indexer.requirements.joining import join
from loregraph.indexer.requirements.model import Document, decode
from loregraph.indexer.revision import Side, language_at, read_contents

MOST_BYTES: Final = 40_000_000
"""Bytes of changed files that are read from a revision; those beyond are counted."""
MOST_FILES: Final = 4_000
"""Changed files that are read from a revision; those beyond are counted."""


class Present(Struct, frozen=True):
    """What the state and the graph know of all files: documents, the facts of files that name requirements, and the
    nodes of files, classes and functions."""

    documents: Mapping[str, Document]
    facts: Mapping[str, FileFacts]
    nodes: tuple[File | Class | Function, ...]
    paths: tuple[str, ...]


def present(root: Path, settings: Settings, state: State, columns: GraphColumns) -> Present:
    """Read once for both sides of a comparison."""
    documents = {path: decode(blob) for path, blob in sorted(state.blobs("requirements")) if blob}
    marked = state.blobs("facts", marked_files(columns))
    nodes = (node for node in columns.all_nodes() if isinstance(node, File | Class | Function))
    paths = tuple(discover(root, settings).paths)
    return Present(documents, {path: inflate_facts(blob) for path, blob in marked if blob}, tuple(nodes), paths)


def declared_at(
    root: Path,
    settings: Settings,
    now: Present,
    commit: str | None,
    changes: Mapping[str, ChangedFile],
    accepted: Sequence[Edge] = (),
) -> Declarations:
    """What was declared at `commit`, from which the files on disk differ by `changes`; None: as `now` has it.

    `accepted` are links by people, which count at any time: of a decision only the last state is known.

    Raises UsageError where git cannot read the commit.
    """
    changed = changes if commit is not None else {}
    documents = {path: found for path, found in now.documents.items() if path not in changed}
    facts = {path: found for path, found in now.facts.items() if path not in changed}
    past, left_out = Side({}, {}), 0
    if commit is not None:
        past, left_out = _read_past(root, settings, commit, changed, now, {one.source for one in accepted})
        documents |= past.documents
        facts |= past.facts
    if not documents:
        return Declarations({}, left_out=left_out)
    gone = {path for path, change in changed.items() if change.status != "M"}
    paths = sorted({path for path in now.paths if path not in gone} | past.facts.keys())
    layout = read_layout(root, paths)
    nodes = [node for node in now.nodes if _path(node) not in changed]
    for path, one in past.facts.items():
        name = path.rpartition("/")[2]
        nodes.append(File(path, name, path, path, one.language, one.content_hash, one.lines, one.status))
        nodes += [node for node in file_nodes(one, "")[0] if isinstance(node, Class | Function)]
    joined = join(
        dict(sorted(documents.items())), dict(sorted(facts.items())), [*layout.components, *nodes], layout.component_of
    )
    links = tuple(edge for edge in joined.edges if edge.rel in ("IMPLEMENTS_REQ", "SATISFIES") and edge.how != MENTION)
    requirements = {node.id: node for node in joined.nodes if isinstance(node, Requirement)}
    declared = {(edge.source, edge.target) for edge in links}
    links += tuple(
        edge for edge in accepted if edge.target in requirements and (edge.source, edge.target) not in declared
    )
    ends = {edge.source for edge in links}
    hashes = {node.id: node.content_hash for node in nodes if node.id in ends and node.content_hash}
    hashes |= {
        node.id: blake2b(f"{node.title}\0{node.text}".encode("utf-8", "replace"), digest_size=8).hexdigest()
        for node in joined.nodes
        if isinstance(node, Design) and node.id in ends
    }
    return Declarations(
        requirements,
        links,
        hashes,
        frozenset(node.id for node in nodes if node.id in ends and _is_test(node)),
        left_out,
    )


def marked_files(columns: GraphColumns) -> list[str] | None:
    """The files with markers or names of tests that name a requirement, known or not: only their facts are needed.
    None for all files: where there is no requirement now, nobody has looked for names of any."""
    if not len(columns.nodes("Requirement")):
        return None
    found = {columns.path(int(columns.source[edge])) for edge in columns.edges("IMPLEMENTS_REQ").tolist()}
    for node in columns.nodes("File").tolist():
        if columns.own(node, "orphan_markers"):
            found.add(columns.id(node))
    return sorted(found - {""})


def _read_past(
    root: Path,
    settings: Settings,
    commit: str,
    changes: Mapping[str, ChangedFile],
    now: Present,
    linked: Collection[str],
) -> tuple[Side, int]:
    """The changed files as they were: documents, and sources with an id in them or with code that is `linked`. The
    second value is the number of files beyond the limits."""
    wanted = is_wanted(settings)
    old = sorted({change.old_path for change in changes.values() if change.old_path})
    there = set(now.paths)
    old = [path for path in old if wanted(path) and (registry.by_path(path) or path in there)]
    left_out = max(0, len(old) - MOST_FILES)
    old = old[:MOST_FILES]
    contents: dict[str, tuple[str, bytes]] = {}
    total = 0
    for path, raw in sorted(files_at(root, commit, old).items()):
        language = language_at(path, raw)
        if language is None or len(raw) > settings.max_file_bytes:
            continue
        total += len(raw)
        if total > MOST_BYTES:
            left_out += 1
            continue
        contents[path] = (language, raw)
    documents = {path: one for path, one in contents.items() if one[0] in registry.DOCUMENTS}
    past = read_contents(documents, settings)
    items = [
        item.id
        for document in (*now.documents.values(), *past.documents.values())
        for item in document.items
        if item.id
    ]
    families = {(family(one) or one).casefold().encode() for one in items}
    squeezed = {name.translate(None, b"-_. ") for name in families}
    paths = {identity.partition("::")[0] for identity in linked}
    sources = {
        path: one
        for path, one in contents.items()
        if one[0] not in registry.DOCUMENTS and (path in paths or _names(one[1].lower(), families, squeezed))
    }
    code = read_contents(sources, settings)
    return Side(code.facts, code.definitions, past.documents, code.broken, code.puzzling), left_out


def _names(source: bytes, families: Iterable[bytes], squeezed: Iterable[bytes]) -> bool:
    """Whether a source may name a requirement: as written, or as in a test's name (`test_req_mem_005`)."""
    if any(name in source for name in families):
        return True
    bare = source.translate(None, b"-_. ")
    return any(name in bare for name in squeezed)


def _is_test(node: File | Class | Function) -> bool:
    return (isinstance(node, Function) and node.is_test) or registry.is_test_path(_path(node))


def _path(node: File | Class | Function) -> str:
    return node.path if isinstance(node, File) else node.file_path
