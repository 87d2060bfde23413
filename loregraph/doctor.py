"""Checks this machine: each check tries the real thing on something small."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph import orphans
from loregraph.config import ProjectSettings, Settings
from loregraph.embedder_kinds import kind_of
from loregraph.errors import DamagedStoreError, LoregraphError, StoreBusyError, StoreError
from loregraph.git import GitRefusal, ask_git, in_repository
from loregraph.graph.generation import StoreFolder
from loregraph.terminal import shell_quoted

if TYPE_CHECKING:
    from loregraph.graph.snapshots import Snapshots
    from loregraph.indexer.build.reuse import Record

OK: Final = "ok"
WARNING: Final = "warning"
FAILED: Final = "failed"
GIT_SECONDS: Final = 10
_WATCHES: Final = (
    "where it is the limit of watches: raise fs.inotify.max_user_watches, or exclude folders by .gitignore"
)


class Check(msgspec.Struct, frozen=True):
    """The result of one check. `status`: ok, warning (loregraph works, less well) or failed."""

    name: str
    status: str
    detail: str
    suggestion: str = ""


# Implements REQ-CLI-011, REQ-PKG-003.
def examine(root: Path, settings: ProjectSettings, store: StoreFolder) -> list[Check]:
    """Checks everything needed for indexing and querying the project at `root`.

    Writes nothing but temporary files, and the key of the user's stores where there is none yet.
    """
    checks: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("python", python),
        ("code", code),
        ("git", lambda: git(root)),
        ("grammars", grammars),
        ("engine", engine),
        ("embedder", lambda: embedder(settings)),
        ("hub", lambda: hub(settings)),
        ("store", lambda: stored(store)),
        ("cache", lambda: cache(settings, store)),
        ("trust", lambda: trusted(settings)),
        ("locks", locks),
        ("hosts", lambda: hosts(root)),
        ("watch", lambda: watched(root, settings, store)),
    )
    return [attempt(name, check) for name, check in checks]


def overall(checks: Iterable[Check]) -> str:
    """ "failed" if something that is needed does not work, "degraded" if loregraph works less well, else "ok"."""
    statuses = {check.status for check in checks}
    return "failed" if FAILED in statuses else "degraded" if WARNING in statuses else OK


def attempt(name: str, check: Callable[[], Check]) -> Check:
    """The check's result; deliberate errors, missing packages and system errors are failures."""
    try:
        return check()
    except LoregraphError as error:
        return Check(name, FAILED, error.message, error.suggestion)
    except (ImportError, OSError) as error:
        return Check(name, FAILED, f"{type(error).__name__}: {error}", "install loregraph again")


def python() -> Check:
    from loregraph import __version__

    detail = f"loregraph {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return Check("python", OK, detail)


# Implements REQ-PKG-004.
def code() -> Check:
    """Whether compiled code runs: by what was loaded, not by the files present."""
    from loregraph.indexer import resolve as resolution

    ours = resolution.__name__.partition(".")[0] + "."
    loaded = [module for name, module in sys.modules.items() if name.startswith(ours)]
    compiled = sum(isinstance(module.__loader__, ExtensionFileLoader) for module in loaded)
    return Check("code", OK, f"compiled, {compiled} modules" if compiled else "plain Python")


def git(root: Path) -> Check:
    if orphans.program("git") is None:
        detail = "not installed: .gitignore rules are read without it"
        return Check("git", WARNING, detail, "install git to index exactly what it tracks")
    version = ask_git(root, ["version"], timeout=GIT_SECONDS)
    here = ask_git(root, ["rev-parse", "--is-inside-work-tree"], timeout=GIT_SECONDS)
    detail = "git" if isinstance(version, GitRefusal) else version.decode("utf-8", "replace").strip()
    if not isinstance(here, GitRefusal):
        return Check("git", OK, f"{detail}, a repository")
    if "dubious ownership" in here.reason:
        trusted = f"git config --global --add safe.directory {shell_quoted(str(root))}"
        return Check("git", WARNING, f"{detail}, refuses this folder", trusted)
    if in_repository(root) and not here.reason.startswith("not a git repository"):
        return Check(
            "git", WARNING, f"{detail}, refuses this folder: {here.reason}", "see that `git status` works here"
        )
    return Check("git", OK, f"{detail}, not a repository: .gitignore rules are read without it")


def grammars() -> Check:
    """Extracts an empty file of every language: loads its grammar and compiles its query."""
    from loregraph.indexer.extract.file import extract
    from loregraph.indexer.languages.registry import FOLDERS

    problems = []
    for language in FOLDERS:
        try:
            extract("empty", b"", language)
        except (ImportError, LookupError, ValueError, OSError) as error:
            problems.append(f"{language}: {type(error).__name__}: {error}")
    if problems:
        again = "install loregraph again: it pins the grammars that it was made for"
        return Check("grammars", FAILED, "; ".join(problems), again)
    return Check("grammars", OK, ", ".join(FOLDERS))


def engine() -> Check:
    """Writes a graph of one node and queries it in a worker process."""
    from loregraph.graph import store
    from loregraph.graph.cypher_worker import CypherWorker
    from loregraph.graph.model import File, Graph

    node = File("a.py", "a.py", "a", "a.py", "python", "", 1, "indexed")
    with tempfile.TemporaryDirectory(prefix="loregraph-doctor-") as folder:
        store.write_generation(Path(folder), Graph((node,), ()))
        with CypherWorker(Path(folder)) as worker:
            result = worker.run("MATCH (f:File) RETURN f.id", {}, 1, 10.0)
    identity = store.engine_identity()
    if result.rows != [["a.py"]]:
        return Check("engine", FAILED, f"{identity.engine} answered {result.rows}", "install loregraph again")
    return Check("engine", OK, f"{identity.engine}, storage version {identity.storage_version}")


def embedder(settings: Settings) -> Check:
    from loregraph.graph.vectors import load_embedder

    loaded = load_embedder(settings.embedder)
    if loaded is None:
        detail = "none is configured: search goes by words alone"
        return Check("embedder", WARNING, detail, 'embedder = "static" needs no network')
    vector = loaded.embed_query("does it work")
    if not vector.any():
        return Check("embedder", FAILED, f"{loaded.model_id} gives empty vectors", 'use embedder = "static"')
    return Check("embedder", OK, f"{loaded.model_id}, {loaded.dim} dimensions")


def hub(settings: Settings) -> Check:
    """Tells when a network may be used, without using one."""
    kind = kind_of(settings.embedder)
    if kind is not None and kind.network:
        return Check("hub", OK, f"{settings.embedder} {kind.network}")
    return Check("hub", OK, "not needed: nothing that is configured uses a network")


def stored(store: StoreFolder) -> Check:
    current = store.current()
    where = store.path
    there = where
    while not there.exists():
        there = there.parent
    writable = os.access(there, os.W_OK)
    if current is None and store.doubt:
        return Check("store", WARNING, f"{where} is not believed: {store.doubt}", "run `loregraph index`")
    if current is None:
        if writable:
            return Check("store", OK, f"{where}: nothing indexed yet")
        return Check("store", FAILED, f"{where} cannot be made", "name another folder with --store or LOREGRAPH_STORE")
    store.lease().close()
    detail = f"{where}: generation {current.generation} by {current.engine}"
    if not writable:
        return Check(
            "store", WARNING, f"{detail}, read-only", "to index, name a folder with --store or LOREGRAPH_STORE"
        )
    return Check("store", OK, detail)


def cache(settings: Settings, store: StoreFolder) -> Check:
    """The user's cache: where it is, how large, and what the last run of the project that asked it took of it."""
    snapshots = _snapshots(settings)
    sizes = snapshots.sizes()
    number = f"{len(sizes)} graph{'' if len(sizes) == 1 else 's'}"
    kept = f"{snapshots.folder}: {number}, {_megabytes(sum(sizes.values()))} MB"
    if not settings.cache:
        return Check("cache", OK, f"{kept}; off (cache = false)")
    kept += f" of at most {_megabytes(settings.cache_max_bytes)} MB"
    again = "worktrees are indexed from nothing; name another folder with LOREGRAPH_CACHE_DIR, or set cache = false"
    if reason := snapshots.unusable():
        return Check("cache", WARNING, f"{kept}; not used: {reason}", again)
    last = _last_use(store)
    if last is None:
        return Check("cache", OK, kept)
    facts = f"took the facts of {last.files:,} of {last.read:,} files"
    had = {"same": "took its whole graph", "edit": "took a graph of it and edited it"}.get(last.graph, facts)
    detail = f"{kept}; the last index {had}"
    if last.problem:
        return Check("cache", WARNING, f"{detail}; {last.problem}", again)
    return Check("cache", OK, f"{detail}; its own graph was kept" if last.kept else detail)


def clear_cache(settings: Settings) -> int:
    """Removes everything in the user's cache that no process is reading; returns the bytes that it took.

    Raises StoreError where that is impossible.
    """
    snapshots = _snapshots(settings)
    try:
        return snapshots.clear()
    except OSError as error:
        raise StoreError(
            f"the cache {snapshots.folder} cannot be cleared: {error.strerror or error}", "see who may write there"
        ) from error


def _snapshots(settings: Settings) -> Snapshots:
    from loregraph.graph.snapshots import Snapshots
    from loregraph.indexer.build.plan import code_version

    return Snapshots(code_version(), settings.cache_max_bytes)


def _last_use(store: StoreFolder) -> Record | None:
    from loregraph.indexer.build.reuse import last_use

    try:
        state = store.open_state(counted=False)
        if state is None:
            return None
        with closing(state):
            return last_use(state)
    except DamagedStoreError:  # the check of the store says so
        return None


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.0f}"


def trusted(settings: ProjectSettings) -> Check:
    """The ignored settings of the repository."""
    if settings.ignored:
        return Check("trust", WARNING, "; ".join(settings.remarks), "see what `loregraph trust` shows")
    return Check("trust", OK, "nothing that the repository sets reaches beyond it, or it is trusted")


def watched(root: Path, settings: Settings, store: StoreFolder) -> Check:
    """Who keeps the graph up to date, and whether the system reports changes here."""
    from loregraph import file_system
    from loregraph.graph.watch_turn import followed_by, reported

    if kind := file_system.without_events(root):
        detail = f"{kind} does not report changes: files are compared before a server answers"
        return Check("watch", WARNING, detail, "nothing to do; `loregraph index` after larger changes")
    watch = reported(followed_by(store))
    if watch.error:
        return Check("watch", WARNING, f"by {watch.by}, process {watch.pid}: {watch.error}", _WATCHES)
    if watch.by:
        return Check("watch", OK, f"by {watch.by}, process {watch.pid}, since {watch.since}")
    if not settings.serve.watch:
        return Check("watch", OK, "switched off by serve.watch")
    return Check("watch", OK, "by nobody now; `loregraph serve` and `loregraph watch` do it")


def locks() -> Check:
    """Takes a writer's lock on a temporary store and checks that another writer is kept out."""
    with tempfile.TemporaryDirectory(prefix="loregraph-doctor-") as folder, StoreFolder(folder).writer(timeout=1):
        try:
            with StoreFolder(folder).writer(timeout=0):
                return Check("locks", FAILED, "two writers at once", "index from one process at a time")
        except StoreBusyError:
            return Check("locks", OK, "one writer at a time")


def hosts(root: Path) -> Check:
    """The configurations of hosts that start loregraph, and whether they will find it."""
    from loregraph.hosts.installing import installed
    from loregraph.hosts.table import HOSTS

    files = {
        user: sorted({found for host in HOSTS if (found := installed(host, root, user))}) for user in (False, True)
    }
    if not any(files.values()):
        return Check("hosts", OK, "none starts loregraph: `loregraph install` lists those that could")
    detail = f"started by {', '.join([*files[False], *files[True]])}"
    if files[False] and orphans.program("loregraph") is None:
        advice = "put `loregraph` on PATH with `uv tool install` or `pipx install`"
        return Check("hosts", WARNING, f"{detail}, but there is no such command on PATH", advice)
    return Check("hosts", OK, detail)
