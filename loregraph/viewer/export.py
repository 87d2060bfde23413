"""The pages as files: a site that opens without a server, from a folder or from any host of pages.

What it has follows from the table of routes and the rules of `site`. Pages that lead to further ones are made first;
then those of the files, which are most of it, by several processes. The same graph and files give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph import __version__
from loregraph.git import run_git
from loregraph.pages import assets
from loregraph.project import Project
from loregraph.viewer.site import INDEX, RULES, Site, Wanted
from loregraph.viewer.site_worker import ROUTES, Opening, SitePages, as_anyone
from loregraph.worker_process import GoneError, TooLateError, WorkerProcess
from loregraph.workspaces.opening import opened

if TYPE_CHECKING:
    from loregraph.output_folder import OutputFolder

MOST_WORKERS: Final = 4
ALONE_BELOW: Final = 100
"""Pages of files for which no process is started."""
BATCH: Final = 20
"""Pages that a worker makes for one message."""
SECONDS: Final = 300.0
"""Maximum duration of a batch: only what hangs takes as long."""
_NOT_EXPORTED: Final = {"/change": "changes", "/compare": "comparison of revisions", "/ask": "questions in Cypher"}
_COUNTED: Final = {
    "/file": "files",
    "/map": "views of the map",
    "/requirement": "requirements",
    "/requirements": "lists of requirements",
    "/memory": "memories",
    "/findings": "lists of findings",
    "/duplicates": "lists of copies",
    "/pair": "pairs of copies",
}


class Exported(msgspec.Struct, frozen=True):
    """What was written: number of pages, of all files, bytes; `left_out` is the number of pages by route."""

    pages: int
    files: int
    size_bytes: int
    left_out: dict[str, int]


# Implements REQ-WEB-010.
def export(
    root: Path, folder: Path, *, store: Path | None = None, memories: bool = True, jobs: int = 0, **options: Any
) -> Exported:
    """Fills `folder` with the pages of the project at `root`; `jobs` is the number of processes, 0 for one a core.

    Memories are those that everyone in the project may see; without `memories` there are none. Raises as
    `Project.filling`, and NotIndexedError without a graph.
    """
    with opened(root, store, options) as project:
        project.reader()  # before anything is written
        as_anyone(project, memories)
        site = Site(ROUTES if memories else [one for one in ROUTES if one not in ("/memories", "/memory")])
        opening = Opening(str(root), None if store is None else str(store), options, [], _state(project.root), memories)
        with project.filling(folder) as output:
            _fill(project, site, output, opening, jobs or min(MOST_WORKERS, os.cpu_count() or 1))
            pages = sum(name.endswith(".html") for name in output.written)
            left_out = {route: len(pages) for route, pages in sorted(site.left_out.items())}
            return Exported(pages, len(output.written), output.size, left_out)


def _state(root: Path) -> str:
    commit = run_git(root, "rev-parse", "--short=12", "HEAD") or b""
    of = f" of commit {commit.decode('ascii', 'replace').strip()}" if commit.strip() else ""
    return f"A copy{of} by loregraph {__version__}: it does not follow changes."


def _fill(project: Project, site: Site, output: OutputFolder, opening: Opening, jobs: int) -> None:
    pages = SitePages(project, site, opening.state)
    for name in assets.MEDIA_TYPES:
        output.write(f"assets/{name}", assets.asset(name) or b"")
    site.name(Wanted("/"))
    _plan(project, site)
    site.close("/file")
    pages.made(Wanted("/"))  # for its links: it is written last, when it is known what was left out
    files = _made_first(pages, site, output)
    site.close()
    opening.names = list(site.names.items())
    for wanted, content in _of_files(pages, files, opening, jobs):
        output.write(site.name(wanted), content)
    output.write(INDEX, pages.made(Wanted("/"), _remarks(site)))


def _plan(project: Project, site: Site) -> None:
    """Adds the pages that any other may link to, those of the product before tests and generated code."""
    from loregraph.indexer.languages.registry import is_test_path

    columns = project.reader().columns
    paths = sorted(map(columns.path, columns.nodes("File").tolist()))
    for path in sorted(paths, key=lambda path: (path in columns.generated, is_test_path(path))):
        site.name(Wanted("/file", (("path", path),)))
    for node in columns.nodes("Requirement").tolist():
        site.name(Wanted("/requirement", (("id", columns.id(node)),)))


def _made_first(pages: SitePages, site: Site, output: OutputFolder) -> list[Wanted]:
    """Writes all pages but those of files, which are returned, with what they link to."""
    files = []
    while site.waiting:
        wanted = site.waiting.popleft()
        if wanted.route == "/file":
            files.append(wanted)
        elif wanted.route != "/":
            output.write(site.name(wanted), pages.made(wanted))
    return files


def _remarks(site: Site) -> tuple[str, ...]:
    """What the first page says of what is not there."""
    missing = [label for route, label in _NOT_EXPORTED.items() if route in ROUTES and not RULES[route].most]
    said = [f"This copy has no {', '.join(missing)}: `loregraph view` has."] if missing else []
    left_out = [f"{len(pages):,} {_COUNTED.get(route, route)}" for route, pages in sorted(site.left_out.items())]
    return (*said, *([f"Left out, to keep it small: {', '.join(left_out)}."] if left_out else []))


def _of_files(pages: SitePages, files: Sequence[Wanted], opening: Opening, jobs: int) -> Iterator[tuple[Wanted, bytes]]:
    """The pages with their content, in order."""
    if jobs < 2 or len(files) < ALONE_BELOW:
        yield from ((wanted, pages.made(wanted)) for wanted in files)
        return
    first = msgspec.msgpack.encode(opening)
    idle: SimpleQueue[_Worker] = SimpleQueue()
    batches = [files[start : start + BATCH] for start in range(0, len(files), BATCH)]
    with ExitStack() as ending:
        threads = ThreadPoolExecutor(jobs)
        ending.callback(threads.shutdown)
        for _ in range(jobs):
            worker = _Worker(first)
            ending.callback(worker.end)
            idle.put(worker)
        # Done first: whoever stops in the middle does not wait for all pages.
        ending.callback(threads.shutdown, wait=False, cancel_futures=True)

        def made(batch: Sequence[Wanted]) -> list[bytes | None]:
            worker = idle.get()
            try:
                return worker.made(batch)
            finally:
                idle.put(worker)

        for batch, contents in zip(batches, threads.map(made, batches), strict=True):
            for wanted, content in zip(batch, contents, strict=True):
                yield wanted, pages.failed(wanted) if content is None else content


class _Worker:
    """A process that makes pages, and is started again where one of them ended it."""

    def __init__(self, opening: bytes) -> None:
        self._opening = opening
        self._is_ended = False
        self._process = self._started()

    def _started(self) -> WorkerProcess:
        process = WorkerProcess("loregraph.viewer.site_worker")
        process.tell(self._opening)
        return process

    def made(self, batch: Sequence[Wanted]) -> list[bytes | None]:
        """The contents; None for a page that ended the process."""
        try:
            answer = self._process.ask(msgspec.msgpack.encode(batch), SECONDS)
        except (GoneError, TooLateError):
            if self._is_ended:
                return [None] * len(batch)
            self._process = self._started()
            if len(batch) == 1:
                return [None]
            half = len(batch) // 2
            return [*self.made(batch[:half]), *self.made(batch[half:])]
        contents: list[bytes | None] = msgspec.msgpack.decode(answer, type=list[bytes | None])
        return contents

    def end(self) -> None:
        self._is_ended = True
        self._process.end()
