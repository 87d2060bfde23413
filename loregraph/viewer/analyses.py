"""Analyses that take seconds in a large project, in a process of their own: in a thread they would hold the
interpreter's lock, and every other page would wait."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from loregraph import orphans
from loregraph.analysis.changes.view import ChangeView
from loregraph.analysis.duplicates.results import Duplicates
from loregraph.analysis.rules.runner import Checked
from loregraph.errors import LoregraphError, UsageError
from loregraph.project import Project
from loregraph.worker_process import GoneError, TooLateError, WorkerProcess, memory_limited, receive, send, take_output
from loregraph.workspaces.opening import opened

SMALL: Final = 20_000
"""Nodes of a graph whose analyses take less than starting a process: they are done where they are asked for."""
SECONDS: Final = 600.0
"""Maximum duration: only what hangs takes as long."""

MEMORY: Final = 4 << 30
"""Address space of the process, in bytes."""

Answer = TypeVar("Answer")


class Request(msgspec.Struct, frozen=True):
    """An analysis of the project at `root`: "check" with names of rules, "duplicates", or "diff" with a revision.
    `options` are those that it was opened with."""

    root: str
    options: dict[str, Any]
    analysis: str
    words: tuple[str, ...] = ()


class Failure(msgspec.Struct, frozen=True, tag=True):
    """An error of ours, with what to do about it."""

    message: str
    suggestion: str
    is_usage: bool


class Done(msgspec.Struct, frozen=True, tag=True):
    """The answer, as MessagePack."""

    answer: bytes


def checked(project: Project, rules: tuple[str, ...], *, apart: bool) -> list[Checked]:
    """As `Project.check` for `rules`. `apart`: in a process of its own, where the project is large."""
    return _analysed(project, "check", rules, list[Checked], apart)


def duplicates(project: Project, *, apart: bool) -> Duplicates:
    """As `Project.duplicates`."""
    return _analysed(project, "duplicates", (), Duplicates, apart)


def change_since(project: Project, revision: str, *, apart: bool) -> ChangeView:
    """As `Project.diff`."""
    return _analysed(project, "diff", (revision,), ChangeView, apart)


def _analysed(project: Project, analysis: str, words: tuple[str, ...], form: type[Answer], apart: bool) -> Answer:
    if not apart or len(project.reader().columns.labels) < SMALL:
        found: Answer = _here(project, analysis, words)
        return found
    request = Request(str(project.root), project.options, analysis, words)
    worker = WorkerProcess(__name__)
    try:
        answer = msgspec.msgpack.decode(worker.ask(msgspec.msgpack.encode(request), SECONDS), type=Done | Failure)
    except (GoneError, TooLateError) as error:
        raise LoregraphError(
            f"{analysis} took too much time or memory", f"see what `loregraph {analysis}` says"
        ) from error
    finally:
        worker.end()
    if isinstance(answer, Failure):
        kind = UsageError if answer.is_usage else LoregraphError
        raise kind(answer.message, answer.suggestion)
    return msgspec.msgpack.decode(answer.answer, type=form)


def _here(project: Project, analysis: str, words: tuple[str, ...]) -> Any:
    if analysis == "check":
        return project.check(rules=words)
    return project.duplicates() if analysis == "duplicates" else project.diff(*words)


def main() -> None:
    """Answers one request."""
    orphans.end_with_parent()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy loads: see cli.main
    output = take_output()
    message = receive(sys.stdin.buffer)
    if message is None:
        return
    request = msgspec.msgpack.decode(message, type=Request)
    try:
        with memory_limited(MEMORY), opened(Path(request.root), None, request.options) as project:
            answer: Done | Failure = Done(msgspec.msgpack.encode(_here(project, request.analysis, request.words)))
    except LoregraphError as error:
        answer = Failure(error.message, error.suggestion, isinstance(error, UsageError))
    send(output, msgspec.msgpack.encode(answer))
