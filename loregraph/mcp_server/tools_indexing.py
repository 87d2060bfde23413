"""Tools that bring the graph up to date, by jobs in separate processes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from loregraph.errors import LoregraphError, NotFoundError, UsageError
from loregraph.graph.summaries import FileProblem, FileSummary, outcome
from loregraph.graph.watch_turn import WatchReport, utc_text
from loregraph.mcp_server.arguments import Name, Paths, PathText
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.jobs import CANCELLED, FAILED, Job
from loregraph.mcp_server.models import IndexReport, IndexStatus, JobStarted
from loregraph.mcp_server.registry import JOBS, tool

WATCHED_SECONDS = 10.0
"""How long a call that asked for progress stays open; the job continues after that."""


class JobFailed(LoregraphError):
    """A job that a call waited for did not succeed; `code` is that of the job's error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"], error["suggestion"])
        self.code = error["code"]


@tool(
    repeats=True,
    lane=JOBS,
    rest="read the file: every problem names its line",
    shows="status functions classes relationships problems",
)
def index_file(call: Call, file_path: PathText, force: bool = False) -> FileSummary:
    """Index one file right after editing it; waits for the result. For several use reindex."""
    path = call.workspace.path("file_path", file_path)
    if not path.exists():
        raise NotFoundError(f"file_path: there is no file {file_path!r}", "name a file of the project")
    if not path.is_file():
        raise UsageError(f"file_path: {file_path!r} is not a file", "for a folder use index_directory")
    relative = call.workspace.relative(path)
    before = described(call, relative)
    job = start(call, paths=[relative], force=[relative] if force else [])
    follow(call, job, None)
    if job.state.status == CANCELLED:
        raise JobFailed({"code": "UNAVAILABLE", "message": "the job was cancelled", "suggestion": "call it again"})
    if job.state.error is not None:
        raise JobFailed(job.state.error)
    problems = tuple(
        FileProblem(problem["line"], problem["message"])
        for problem in job.result["problems"]
        if problem["path"] == relative
    )
    after = described(call, relative)
    status = outcome(before, after, forced=force)
    return msgspec.structs.replace(after or FileSummary(relative, status), status=status, problems=problems)


@tool(repeats=True, lane=JOBS)
def index_directory(
    call: Call,
    directory_path: PathText,
    include: Paths | None = None,
    exclude: Paths | None = None,
    force: bool = False,
) -> JobStarted:
    """Index a folder ("." for all) in the background, then ask index_status. include, exclude: as in .gitignore."""
    path = call.workspace.path("directory_path", directory_path)
    if not path.exists():
        raise NotFoundError(f"directory_path: there is no folder {directory_path!r}", "name a folder of the project")
    if not path.is_dir():
        raise UsageError(f"directory_path: {directory_path!r} is not a folder", "for a file use index_file")
    relative = call.workspace.relative(path)
    whole = relative == "." and not include and not exclude
    paths = [] if whole else [relative]
    job = start(
        call,
        full=force and whole,
        paths=paths,
        include=include or [],
        exclude=exclude or [],
        force=paths if force else [],
    )
    follow(call, job, WATCHED_SECONDS)
    return JobStarted(job_id=job.state.job_id, status="started")


@tool(reads=True, lane=JOBS)
def index_status(call: Call, job_id: Name | None = None) -> IndexStatus:
    """What is indexed, what is stale, and how a job is (default: the latest)."""
    job = call.jobs.get(job_id, "index") if job_id is not None else call.jobs.latest("index")
    if job is not None and call.report is not None:
        follow(call, job, WATCHED_SECONDS, owns=False)
    with call.workspace.reading() as project:
        status = project.status()
        current = project.store.path / "current"
    report = IndexReport(
        files=status.nodes.get("File", 0),
        functions=status.nodes.get("Function", 0),
        classes=status.nodes.get("Class", 0),
        relationships=sum(status.relationships.values()),
        languages=status.languages,
        last_indexed=modified(current) if status.indexed else None,
        stale_files=status.stale.count if status.indexed else None,
        watch=WatchReport() if call.live is None else call.live.report(),
        indexed=UNSET if status.indexed else False,
    )
    return IndexStatus(job=None if job is None else job.state, index=report)


@tool(repeats=True, lane=JOBS)
def reindex(
    call: Call,
    scope: Annotated[Literal["full", "changed"], Meta(description="full starts from nothing")] = "changed",
    directory_path: PathText | None = None,
) -> JobStarted:
    """Bring the graph, or a folder in it, up to date in the background. Then ask index_status."""
    paths = []
    if directory_path is not None:
        path = call.workspace.path("directory_path", directory_path)
        if not path.is_dir():
            raise NotFoundError(
                f"directory_path: there is no folder {directory_path!r}", "name a folder of the project"
            )
        paths = [relative] if (relative := call.workspace.relative(path)) != "." else []
    full = scope == "full"
    job = start(call, full=full and not paths, paths=paths, force=paths if full else [])
    follow(call, job, WATCHED_SECONDS)
    return JobStarted(job_id=job.state.job_id, status="started")


def start(call: Call, **what: Any) -> Job:
    call.workspace.refuse_home()
    call.workspace.refuse_several()
    request: dict[str, Any] = {"full": False, "paths": [], "include": [], "exclude": [], "force": [], **what}
    return call.jobs.start("index", {**of_project(call), **request})


def of_project(call: Call) -> dict[str, Any]:
    """What a job's process needs to open the project."""
    workspace = call.workspace
    store = None if workspace.store is None else str(workspace.store)
    return {"root": str(workspace.root), "store": store, "options": workspace.options}


def follow(call: Call, job: Job, seconds: float | None, *, owns: bool = True) -> None:
    """Sends the progress of `job` to a client that asked for it, for at most `seconds`; None waits in any case.

    A client that cancels the call meanwhile cancels the job, if the call started it.
    """
    if call.report is None and seconds is not None:
        return
    waited, told = 0.0, -1.0
    while not job.over and (seconds is None or waited < seconds):
        state = job.wait(0.1)
        waited += 0.1
        if call.cancelled.is_set():
            if owns:
                call.jobs.cancel(job)
            return
        if call.report is not None and state.progress > told:
            told = state.progress
            call.report(told, state.phase or state.status)
    if call.report is not None and job.over and job.state.status != FAILED and job.state.progress > told:
        call.report(job.state.progress, job.state.status)


def described(call: Call, path: str) -> FileSummary | None:
    """A file's summary, None where the graph does not have it or there is no graph."""
    with call.workspace.reading() as project:
        return project.file(path)


def modified(path: Any) -> str | None:
    try:
        at = path.stat().st_mtime
    except OSError:
        return None
    return utc_text(at)
