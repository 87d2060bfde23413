"""An archive: the graph of one commit with the facts it was made of, from a store and to a store.

    about.json                 what it is: versions, the token of what it was made of, the embedder
    state.rows                 facts, traces and texts by file, see `rows`
    columns.bin, lexical.bin…  the arrays of the generation

Without memories, accepted links and copies, without anything of the machine, and without the engine's file, which is
made of the columns when a Cypher query needs it. The packaged embedder's vectors of texts are left out too: those of
the graph are in its arrays, an edit needs few, and making all of Django's again takes 3 s in place of 20 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from loregraph import rooted
from loregraph.errors import DamagedStoreError, NotIndexedError, StoreError
from loregraph.graph.columns_writer import COLUMNS_FILE
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.generation import Current, Lease, StoreFolder
from loregraph.graph.lexical import LEXICAL_FILE
from loregraph.graph.marks import Mark
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.graph.sections import SectionFile
from loregraph.graph.state import STATE_VERSION, State
from loregraph.graph.vector_index import VECTORS_FILE
from loregraph.publishing.container import damaged, pack, unpack
from loregraph.publishing.rows import is_inside, read_rows, write_rows

ABOUT: Final = "about.json"
ROWS: Final = "state.rows"
ARRAYS: Final = (COLUMNS_FILE, CONSTANTS_FILE, LEXICAL_FILE, VECTORS_FILE)
MEMBERS: Final = (ABOUT, ROWS, *ARRAYS)
"""All that an archive may have, in this order."""
_FORMAT: Final = "loregraph-archive-1"
_MOST_ABOUT: Final = 1 << 20


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive says of itself. `token` is that of `indexer.build.freshness`, `embedder` that of
    `generation.Current`, `space` the key of its vectors, `arrays` the marks of the arrays."""

    format: str
    code_version: str
    loregraph_version: str
    schema_version: int
    state_version: int
    token: str
    engine: str
    engine_storage_version: int
    embedder: dict[str, Any] | None
    space: str
    arrays: dict[str, Mark]


class Packed(msgspec.Struct, frozen=True):
    """A written archive: SHA-256 of its content in hex, bytes of content, bytes of the file."""

    digest: str
    content_bytes: int
    bytes: int


# Implements REQ-PUB-002, REQ-PUB-003.
def write_archive(
    store: StoreFolder, code_version: str, scratch: Path, target: BinaryIO, *, has_vectors: bool
) -> Packed:
    """Writes the current graph of `store`, which its only writer holds, to `target`; `scratch` is an empty folder.
    `has_vectors`: whether vectors of texts are taken along. Raises NotIndexedError without a graph."""
    with store.lease() as lease:
        lease.verify()
        state = store.open_state()
        if state is None or (state.meta("totals_token") or b"").decode() != lease.current.state_token:
            raise NotIndexedError("the graph is not that of the store's facts", "run `loregraph index`")
        current = lease.current
        with closing(state):
            space = _space(current) if has_vectors else ""
            with rooted.create(scratch, ROWS) as file:
                write_rows(state, space, file)
        folder = _without_additions(lease, scratch)
        arrays = [folder / name for name in ARRAYS if rooted.is_file(folder, name)]
        about = About(
            format=_FORMAT,
            code_version=code_version,
            loregraph_version=current.loregraph_version,
            schema_version=SCHEMA_VERSION,
            state_version=STATE_VERSION,
            token=current.state_token,
            engine=current.engine,
            engine_storage_version=current.engine_storage_version,
            embedder=current.embedder,
            space=space,
            arrays={path.name: SectionFile(path).mark for path in arrays},
        )
        rooted.write(scratch, ABOUT, msgspec.json.encode(about, order="sorted"))
        return Packed(*pack([scratch / ABOUT, scratch / ROWS, *arrays], target))


def _space(current: Current) -> str:
    if current.embedder is None:
        return ""
    from loregraph.graph.vectors import EmbedderIdentity
    from loregraph.indexer.build.store_graph import space_key

    return space_key(msgspec.convert(current.embedder, EmbedderIdentity))


def _without_additions(lease: Lease, scratch: Path) -> Path:
    """A folder with the arrays of the generation, without memories, accepted links, copies and git's history."""
    folder, current = lease.path, lease.current
    if current.similar:
        from loregraph.graph.on_demand import with_similar

        rooted.make_new_folder(scratch, "plain")
        with_similar(folder, scratch / "plain", ())
        folder = scratch / "plain"
    if current.history:
        from loregraph.graph.on_demand import with_history

        rooted.make_new_folder(scratch, "dateless")
        with_history(folder, scratch / "dateless", (), {})
        folder = scratch / "dateless"
    if any(current.journal_offsets.values()):
        from loregraph.graph.authored import Authored, write_arrays

        rooted.make_new_folder(scratch, "derived")
        write_arrays(folder, scratch / "derived", Authored())
        folder = scratch / "derived"
    return folder


class Unpacked(msgspec.Struct, frozen=True):
    """An archive's members in the folder `folder`, all of them checked but the rows."""

    folder: Path
    about: About

    def fill(self, state: State) -> None:
        """Puts the rows into an empty `state` and removes them from the folder; does not commit.

        Raises DamagedArchiveError where they are not what they should be.
        """
        try:
            with rooted.open_read(self.folder, ROWS) as file:
                read_rows(file, state, self.about.space)
            if state.meta("totals_token") != self.about.token.encode():
                raise damaged("its facts are not those of its graph")
        except DamagedStoreError as error:
            raise damaged(error.message) from error
        rooted.remove(self.folder, ROWS)

    def current(self, journal_offsets: dict[str, int]) -> Current:
        """The identity of its generation. `journal_offsets` are those of memories that need not be added."""
        about = self.about
        return Current(
            engine=about.engine,
            engine_storage_version=about.engine_storage_version,
            loregraph_version=about.loregraph_version,
            embedder=about.embedder,
            journal_offsets=journal_offsets,
            state_token=about.token,
        )


# Implements REQ-PUB-004, REQ-PUB-005.
def read_archive(source: BinaryIO, packed: Packed, code_version: str, base: Path, folder: Path) -> Unpacked:
    """Unpacks the archive `source`, of which `packed` is known, to the empty `folder` below `base`, and checks it.

    Raises DamagedArchiveError where it is damaged, foreign or made by other code: nothing in `folder` is of use then.
    """

    def create(name: str) -> BinaryIO:
        return rooted.create(base, folder / name)

    members = unpack(source, packed.digest, packed.content_bytes, MEMBERS, create)
    if ABOUT not in members or ROWS not in members:
        raise damaged("it has not all members")
    about = _about(folder)
    if (about.code_version, about.schema_version, about.state_version) != (code_version, SCHEMA_VERSION, STATE_VERSION):
        raise damaged(f"it was made by other code (loregraph {about.loregraph_version!a})")
    rooted.remove(base, folder / ABOUT)
    if set(members) - {ABOUT, ROWS} != about.arrays.keys() or COLUMNS_FILE not in about.arrays:
        raise damaged("its arrays are not those that it names")
    try:
        for name, mark in about.arrays.items():
            array = SectionFile(folder / name)
            if array.mark != mark:
                raise damaged(f"{name} is not what was written")
            array.check()
        _check_paths(folder)
    except StoreError as error:
        raise damaged(error.message) from error
    return Unpacked(folder, about)


def _about(folder: Path) -> About:
    with rooted.open_read(folder, ABOUT) as file:
        content = file.read(_MOST_ABOUT + 1)
    try:
        about = msgspec.json.decode(content, type=About)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise damaged("what it says of itself cannot be read") from None
    if about.format != _FORMAT:
        raise damaged(f"it has the format {about.format!a}")
    return about


def _check_paths(folder: Path) -> None:
    """Files are opened by the paths of the graph, relative to the root: they have to stay below it."""
    import numpy as np

    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.model import LABELS, NO_FILES

    columns = GraphColumns.open(folder)
    of_files = ~np.isin(columns.labels, [LABELS.index(label) for label in NO_FILES])
    for number in np.unique(columns.paths.codes[of_files]).tolist():
        path = columns.paths.values[number]
        if path not in ("", ".") and not is_inside(path):
            raise damaged(f"its graph names a file {path!a}")


# Implements REQ-PUB-005.
def to_store(
    store: StoreFolder,
    unpacked_in: Callable[[Path], Unpacked],
    journal_offsets: dict[str, int],
    timeout: float,
    settle: Callable[[State], None] | None = None,
) -> Current:
    """Makes the graph of an archive the current one of `store`, in place of what is there; `unpacked_in` unpacks it to
    a folder, `settle` compares the state with the files. Nothing changes where that fails. Raises StoreError and
    StoreBusyError as the store does."""
    from loregraph.graph.state import with_state

    with store.writer(timeout):
        building = store.new_generation()
        unpacked = unpacked_in(building)

        def fill(state: State) -> None:
            store.bind(state)
            state.clear()
            unpacked.fill(state)
            if settle is not None:
                settle(state)

        with_state(store.state_path, fill)
        return store.publish(building, unpacked.current(journal_offsets))
