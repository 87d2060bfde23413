"""Import and export of memories: our own JSON lines, the layout of `agent-memory`, the official server's file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph import outputs, rooted
from loregraph.errors import LoregraphError, NotAllowedError, NotFoundError, StoreError, UsageError
from loregraph.memory import agent_memory, knowledge_graph
from loregraph.memory.answers import Exported, Imported, ImportRowError
from loregraph.memory.holding import text_of
from loregraph.memory.journal_file import FILE_MODE
from loregraph.memory.links import LinkDecision, Pair, decode_link, is_link, just_after
from loregraph.memory.merging import merged
from loregraph.memory.questions import kinds_of, scopes_of
from loregraph.memory.record import Memory, decode, one_of, refusal, timestamp
from loregraph.memory.scopes import OF_THE_PROJECT, SCOPES, Viewer, check_scope, may_write
from loregraph.memory.secrets import refuse_secrets
from loregraph.memory.store import JournalStore

if TYPE_CHECKING:
    from loregraph.memory.api import ProjectMemory


class ExportPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Limits the place of an export: the project's root, the record of earlier exports, and whether other files may be
    replaced."""

    root: Path
    record: Path
    replace: bool = False


FORMATS: Final = ("jsonl", "agent-memory", "knowledge-graph")
RESOLUTIONS: Final = ("skip", "overwrite", "merge")
EMBEDDING: Final = "embedding"

Row = tuple[int, dict[str, Any] | str]
"""The number of a line and the fields of its memory, or the reason why there is none."""


def export_to(
    path: Path,
    form: str,
    store: JournalStore,
    viewer: Viewer,
    *,
    kinds: Iterable[str] = (),
    scope: str | None = None,
    include_embeddings: bool = False,
    place: ExportPlace,
) -> Exported:
    """Writes the active and archived memories visible to `viewer`, ordered by creation.

    "jsonl" includes the project's decisions about links, unless only some kinds or another scope are requested.
    """
    one_of("format", form, FORMATS)
    wanted, scopes = kinds_of(kinds), scopes_of(scope, tuple(SCOPES))
    chosen: list[Memory] = []
    for holding, memory in store.visible(viewer):
        if memory.scope in scopes and (not wanted or memory.kind in wanted):
            count, at = holding.counts.of(memory)
            chosen.append(msgspec.structs.replace(memory, access_count=count, accessed_at=at))
    chosen.sort(key=lambda memory: (memory.created_at, memory.id))
    if form == "agent-memory":
        size = _write_folder(path, agent_memory.grouped(chosen), place)
    elif form == "knowledge-graph":
        size = _write(path, knowledge_graph.to_lines(chosen), place)
    else:
        lines = [msgspec.to_builtins(memory) for memory in chosen]
        if include_embeddings:
            for line, vector in zip(lines, _embeddings(store, chosen), strict=True):
                line[EMBEDDING] = vector
        if not wanted and "project" in scopes:
            decisions = sorted(store.project.journal.links(), key=lambda decision: decision.pair)
            lines += [msgspec.to_builtins(decision) for decision in decisions]
        size = _write(path, lines, place)
    return Exported(file_path=str(path), memories_exported=len(chosen), file_size_bytes=size)


def _embeddings(store: JournalStore, memories: list[Memory]) -> list[list[float]]:
    embedder = store.embedder()
    if embedder is None:
        raise UsageError('include_embeddings: the configured embedder is "none"', "configure one, or leave it out")
    vectors = store.project.vectors(embedder).of([text_of(memory) for memory in memories])
    return [[round(value, 6) for value in row] for row in vectors.tolist()]


def _write(path: Path, lines: Iterable[dict[str, Any]], place: ExportPlace) -> int:
    """Writes JSON lines, readable only by their owner; returns the size of the file. Raises StoreError."""
    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    _, absolute = rooted.named(path, place.root)
    if not place.replace and not (absolute.exists() and not absolute.is_file() and not absolute.is_dir()):
        outputs.refuse_others(absolute, place.record)
    try:
        with rooted.writing_named(path, place.root, mode=FILE_MODE) as file:
            file.write(data)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}", "name a file that can be written") from error
    outputs.note_export(absolute, data, place.record)
    return len(data)


def _write_folder(folder: Path, files: dict[str, list[dict[str, Any]]], place: ExportPlace) -> int:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"output_path: {folder} is a file; this format is a folder of three", "name a folder")
    base, absolute = rooted.named(folder, place.root)
    try:
        if base is None or base == absolute:
            rooted.make_base(absolute, private=True)
        else:
            rooted.make_folder(base, absolute, private=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}", "name a folder that can be written") from error
    if not place.replace:
        for name in files:  # all, before the first is written
            outputs.refuse_others(absolute / name, place.record)
    return sum(_write(folder / name, lines, place) for name, lines in files.items())


def import_from(
    path: Path,
    form: str | None,
    memory: ProjectMemory,
    *,
    conflict_resolution: str = "skip",
    scope: str | None = None,
    allow_secret: bool = False,
) -> Imported:
    """Adds the memories of a file or folder; an invalid line is rejected on its own. See `ProjectMemory.import_`."""
    one_of("conflict_resolution", conflict_resolution, RESOLUTIONS)
    if scope is not None:
        one_of("scope", scope, tuple(SCOPES))
    if not path.exists():
        raise NotFoundError(f"file_path: {path} does not exist", "name a file or folder that does")
    form = form or detect(path)
    one_of("format", form, FORMATS)
    run = _Import(memory, conflict_resolution, scope, allow_secret)
    try:
        if form == "agent-memory":
            for file in agent_memory.files_in(path) if path.is_dir() else [path]:
                run.take(_rows(file, agent_memory.from_line))
        elif form == "knowledge-graph":
            run.take(_graph_rows(path, memory.project_id))
        else:
            run.take(_rows(path, dict))
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}", "name a file that can be read") from error
    return run.result()


def detect(path: Path) -> str:
    """The format of a file or folder, by its first line of JSON. Raises UsageError where none fits."""
    if path.is_dir():
        if agent_memory.is_folder_of(path):
            return "agent-memory"
        raise UsageError(f"format: {path} is a folder without {', '.join(agent_memory.FILES.values())}", "name a file")
    for _, line in _json_lines(path):
        if isinstance(line, dict):
            if line.get("type") in ("entity", "relation"):
                return "knowledge-graph"
            if line.get("type") in agent_memory.FILES and "archived" in line:
                return "agent-memory"
            return "jsonl"
    return "jsonl"


def _json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """(number, value) of each line that is not blank; a text where it is not JSON."""
    with path.open("rb") as file:
        # Lines end with LF, CR LF, or CR alone, as written by old editors for the Mac.
        lines = (part for line in file for part in line.splitlines())
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError) as error:
                    yield number, f"not JSON: {error}"


def _rows(path: Path, read: Callable[[Any], dict[str, Any]]) -> Iterator[Row]:
    for number, line in _json_lines(path):
        if isinstance(line, dict):
            yield number, read(line)
        else:
            yield number, line if isinstance(line, str) else "not a JSON object"


def _graph_rows(path: Path, project_id: str) -> Iterator[Row]:
    """Entities become memories once all relations are known, since the file may have them in any order."""
    entities: dict[str, dict[str, Any]] = {}
    numbers: dict[str, int] = {}
    relations: list[dict[str, Any]] = []
    for number, line in _json_lines(path):
        if not isinstance(line, dict):
            yield number, line if isinstance(line, str) else "not a JSON object"
        elif line.get("type") == "relation":
            relations.append({**line, "line": number})
        elif line.get("type") == "entity":
            try:
                data = knowledge_graph.from_entity(line, project_id)
            except ValueError as error:
                yield number, str(error)
                continue
            entities[line["name"]], numbers[line["name"]] = data, number
        else:
            yield number, "neither an entity nor a relation"
    yield from knowledge_graph.add_relations(entities, relations)
    for name, data in entities.items():
        yield numbers[name], data


class _Import:
    """One import: processes rows and counts results."""

    def __init__(self, memory: ProjectMemory, resolution: str, scope: str | None, allow_secret: bool) -> None:
        self.store = memory.journal_store
        self.viewer = memory.viewer
        self.author = memory.author
        self.resolution = resolution
        self.scope = scope
        self.allow_secret = allow_secret
        self.imported: list[str] = []
        self.links = 0
        self.skipped = 0
        self.errors: list[ImportRowError] = []

    def take(self, rows: Iterable[Row]) -> None:
        self.store.refresh()
        ready: list[tuple[int, Memory]] = []
        decisions: list[LinkDecision] = []
        for number, row in rows:
            try:
                if isinstance(row, str):
                    raise UsageError(row)
                if is_link(row):
                    decisions.append(decode_link(row))
                else:
                    ready.append((number, self._record(row)))
            except LoregraphError as error:
                self.errors.append(ImportRowError(number, error.message))
        if decisions:
            self._take_links(decisions)
        for holding in self.store.holdings:
            own = [(number, memory) for number, memory in ready if self.store.holding_for(memory) is holding]
            if not own:
                continue
            with holding.threads, holding.journal.writing() as writer:
                seen: dict[str, Memory] = {}
                for number, memory in own:
                    try:
                        version = self._resolved(memory, seen.get(memory.id) or holding.journal.current(memory.id))
                        if memory.id in holding.journal.purged():
                            raise UsageError(f"memory {memory.id} was deleted for good; it stays deleted")
                    except LoregraphError as error:
                        self.errors.append(ImportRowError(number, error.message))
                        continue
                    if version is None:
                        self.skipped += 1
                    else:
                        writer.put(version)
                        seen[version.id] = version
                        self.imported.append(version.id)

    def _take_links(self, decisions: Iterable[LinkDecision]) -> None:
        """Imports decisions about links. "skip" keeps an existing decision, "overwrite" replaces it, and "merge" keeps
        the later of both."""
        journal = self.store.project.journal
        with journal.writing() as writer:
            held: dict[Pair, LinkDecision] = {one.pair: one for one in journal.links()}
            for decision in decisions:
                before = held.get(decision.pair)
                if before is not None:
                    is_older = decision.order <= before.order
                    is_kept = self.resolution == "skip" or (self.resolution == "merge" and is_older)
                    if is_kept or before.link == decision.link:
                        self.skipped += 1
                        continue
                    if is_older:
                        decision = msgspec.structs.replace(decision, created_at=just_after(before))
                writer.put(decision)
                held[decision.pair] = decision
                self.links += 1

    def _record(self, data: dict[str, Any]) -> Memory:
        """The memory in a line, assigned to this project, with missing fields filled in."""
        data = {key: value for key, value in data.items() if value is not None and value != ""}
        now = timestamp(self.store.clock())
        if not data.get("id"):
            raise refusal("id", "is missing")
        scope = data.setdefault("scope", self.scope or "project")
        data.setdefault("created_at", data.get("updated_at", now))
        data.setdefault("updated_at", data["created_at"])
        data.setdefault("author", self.author)
        if scope in OF_THE_PROJECT:
            data["project_id"] = self.store.project_id
        if scope in SCOPES:
            data.setdefault("user_id", self.viewer.user_id)
        memory = check_scope(decode(data))
        if memory.scope == "user" and memory.user_id != self.viewer.user_id:
            raise NotAllowedError(f"user_id: the memory belongs to {memory.user_id!r}", "import it as that user")
        if not self.allow_secret:
            refuse_secrets(memory.content, memory.metadata)
        return memory

    def _resolved(self, memory: Memory, known: Memory | None) -> Memory | None:
        """The version to write, None for none."""
        if known is None:
            return memory
        if _same(memory, known) or self.resolution == "skip":
            return None
        if not may_write(known, self.viewer):
            raise NotAllowedError(f"memory {memory.id} belongs to someone else", "import it with skip")
        if self.resolution == "merge":
            memory = merged(known, memory, accesses=max(known.access_count, memory.access_count))
            if _same(memory, known):
                return None
        now = timestamp(self.store.clock())
        return msgspec.structs.replace(memory, version=known.version + 1, updated_at=now)

    def result(self) -> Imported:
        return Imported(
            imported=len(set(self.imported)),
            links=self.links,
            skipped=self.skipped,
            errors=tuple(self.errors),
            memory_ids=tuple(dict.fromkeys(self.imported)),
        )


def _same(a: Memory, b: Memory) -> bool:
    """Whether two versions have the same content, regardless of their times."""
    return _timeless(a) == _timeless(b)


def _timeless(memory: Memory) -> Memory:
    return msgspec.structs.replace(memory, version=1, updated_at="", accessed_at="", access_count=0)
