"""Taking a published graph: into a store, or for an index run that does the rest."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from loregraph import git, rooted
from loregraph.config import RequirementSettings, Settings
from loregraph.errors import DamagedArchiveError, DamagedStoreError, NotPublishedError, StoreError
from loregraph.gc_control import without_collector
from loregraph.graph.authored import Authored
from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import State
from loregraph.indexer.build.plan import code_version, facts_version, serves
from loregraph.indexer.languages import registry
from loregraph.publishing.archive import Unpacked, read_archive, to_store
from loregraph.publishing.catalogue import Catalogue, Manifest, nearest
from loregraph.publishing.container import damaged
from loregraph.publishing.history import ancestors, is_shallow
from loregraph.publishing.names import checked_name, repository_name
from loregraph.publishing.places import place_of
from loregraph.publishing.publish import LOCK_SECONDS, Transfer
from loregraph.publishing.settling import settle

MOST_COMMITS: Final = 1000
"""How many commits back a published one is looked for."""
MOST_ASKED: Final = 50
"""The same at a place that cannot list, where each commit is a request."""
_CHUNK: Final = 1 << 20
_FILE: Final = "archive"


# Implements REQ-PUB-004.
def pull(
    root: Path,
    store: StoreFolder,
    url: str,
    *,
    rev: str = "HEAD",
    name: str = "",
    authored: Callable[[], Authored] = Authored,
    max_bytes: int = Settings().max_file_bytes,
) -> Transfer:
    """Makes the graph that is published at `url` of the commit `rev` the current one of `store`.

    `authored` reads what people wrote about the project, which is added to the graph when it is asked; `max_bytes` is
    the size from which on a file is not read. Raises NotPublishedError where this version has published no graph of it,
    DamagedArchiveError where that is not what was published: then the store is as before.
    """
    catalogue = Catalogue(place_of(url), repository_name(root, name))
    manifest = _manifest(catalogue, git.commit_of(root, rev))
    return _pull(catalogue, manifest, store, authored, lambda state: settle(state, root, max_bytes))


# Implements REQ-PUB-011.
def pull_published(url: str, repository: str, store: StoreFolder, commit: str = "") -> Transfer:
    """Makes a published graph the current one of `store`, without a clone of the repository: that of `commit`, a full
    name, or of the newest one that this version has published there. `repository` is the name that it has at `url`.

    Raises as `pull`, and NotPublishedError without `commit` where the place cannot list.
    """
    catalogue = Catalogue(place_of(url), checked_name(repository))
    if not commit:
        known = catalogue.commits() if catalogue.place.lists else []
        own = catalogue.newest([one for one in known if one.code_version == code_version()], 1)
        if not own:
            raise NotPublishedError(
                f"the newest commit of {repository} at {catalogue.place.address.shown} is not known",
                "name the commit; only places that list what they have know the newest",
            )
        commit = own[0]
    return _pull(catalogue, _manifest(catalogue, commit), store, Authored, None)


def _manifest(catalogue: Catalogue, commit: str) -> Manifest:
    manifest = catalogue.manifest(commit, code_version())
    if manifest is None:
        raise _not_published(catalogue, commit)
    return manifest


def _pull(
    catalogue: Catalogue,
    manifest: Manifest,
    store: StoreFolder,
    authored: Callable[[], Authored],
    settling: Callable[[State], None] | None,
) -> Transfer:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="loregraph-pull-") as made:
        scratch = Path(made)
        _fetch(catalogue, manifest, scratch)

        def unpacked(folder: Path) -> Unpacked:
            with rooted.open_read(scratch, _FILE) as file:
                return read_archive(file, manifest.packed, code_version(), store.base, folder)

        with without_collector():
            known = authored()
            offsets = {} if known.nodes or known.edges else dict(known.offsets)
            to_store(store, unpacked, offsets, LOCK_SECONDS, settling)
    return Transfer(manifest.commit, manifest.bytes, catalogue.place.address.shown, catalogue.repository)


def _fetch(catalogue: Catalogue, manifest: Manifest, scratch: Path) -> None:
    """Copies an archive to the file `archive` in `scratch`: as many bytes as the manifest says, and not one more."""
    opened = catalogue.place.open(catalogue.archive_name(manifest.archive))
    if opened is None:
        raise damaged(f"the archive of {manifest.commit} is missing")
    with opened as source, rooted.create(scratch, _FILE) as target:
        left = manifest.bytes + 1
        while left and (piece := source.read(min(left, _CHUNK))):
            _keep(target, piece)
            left -= len(piece)
    if left != 1:
        raise damaged(f"it has {'more' if not left else 'less'} than {manifest.bytes:,} bytes")


def _keep(target: BinaryIO, piece: bytes) -> None:
    try:
        target.write(piece)
    except OSError as error:
        raise StoreError(
            f"the archive cannot be kept here: {error.strerror}", "make room in the folder for temporary files (TMPDIR)"
        ) from error


class Start(msgspec.Struct, frozen=True):
    """Where an index run starts: what was pulled, None where nothing was, and then why."""

    pulled: Transfer | None
    remark: str = ""


# Implements REQ-PUB-009.
def start_from(
    root: Path,
    store: StoreFolder,
    url: str,
    settings: Settings,
    *,
    name: str = "",
    authored: Callable[[], Authored] = Authored,
) -> Start:
    """Makes the graph of the nearest published ancestor of HEAD the current one of `store`, for an index run to bring
    up to date. A store that has a graph by this code, with these settings of requirements, keeps it: it was indexed
    here, which is nearer than anything published as a rule.

    A damaged archive is not used, and said. Raises PlaceError where the place cannot be asked.
    """
    catalogue = Catalogue(place_of(url), repository_name(root, name))
    head = git.commit_of(root, "HEAD")
    if _has_graph(store, settings.requirements):
        return Start(None, "the store has a graph, which is brought up to date: nothing was pulled")
    try:
        manifest = _nearest(root, catalogue, head)
        if manifest is None:
            return Start(None, _none_near(root, catalogue))
        most = settings.max_file_bytes
        return Start(_pull(catalogue, manifest, store, authored, lambda state: settle(state, root, most)))
    except DamagedArchiveError as error:
        return Start(None, error.message)


def _has_graph(store: StoreFolder, requirements: RequirementSettings) -> bool:
    """Whether the store has a graph whose facts need not all be made again."""
    if store.sound() is None or (state := store.open_state(counted=False)) is None:
        return False
    with closing(state):
        try:
            files = state.files().values()
        except DamagedStoreError:
            return False
    of_code = [file for file in files if file.language in registry.SUPPORTED]
    return not of_code or any(
        serves(file.facts_version, facts_version(file.language, requirements), texts=False) for file in of_code
    )


def _nearest(root: Path, catalogue: Catalogue, head: str) -> Manifest | None:
    own = code_version()
    if catalogue.place.lists:
        commit = nearest(catalogue.commits(), ancestors(root, head, MOST_COMMITS), own)
        return catalogue.manifest(commit, own) if commit else None
    for commit in ancestors(root, head, MOST_ASKED):
        if (manifest := catalogue.manifest(commit, own)) is not None:
            return manifest
    return None


def _none_near(root: Path, catalogue: Catalogue) -> str:
    most = MOST_COMMITS if catalogue.place.lists else MOST_ASKED
    why = "; this clone is shallow: fetch more of its history (`fetch-depth: 0`)" if is_shallow(root) else ""
    return (
        f"nothing is published at {catalogue.place.address.shown} of the last {most:,} commits of "
        f"{catalogue.repository} by this version of loregraph{why}"
    )


def _not_published(catalogue: Catalogue, commit: str) -> NotPublishedError:
    shown, repository = catalogue.place.address.shown, catalogue.repository
    others = catalogue.commits() if catalogue.place.lists else []
    if any(one.commit == commit for one in others):
        return NotPublishedError(
            f"the graph of {commit[:12]} at {shown} was made by another version of loregraph",
            "use that version, publish with this one, or `loregraph index`",
        )
    if others or not catalogue.place.lists:
        return NotPublishedError(
            f"no graph of {commit[:12]} is published at {shown} as {repository}",
            "`loregraph index --from` starts from its nearest published ancestor; --rev names another commit",
        )
    return NotPublishedError(
        f"nothing is published at {shown} as {repository}",
        "--as NAME says what it was published as; `loregraph publish` publishes it",
    )
