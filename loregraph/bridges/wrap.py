"""`loregraph wrap`: team memory over the official memory server, or over one with the same tools.

Everything passes through a bridge unchanged, except calls of tools: names in arguments get a namespace, written texts
an attribution, and writers take turns under a lock that other processes respect, too.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Final

from msgspec import UNSET, Raw, UnsetType

from loregraph.bridges import messages
from loregraph.bridges.bridge import Bridge, Request, progress_token
from loregraph.bridges.lines import MAX_LINE
from loregraph.bridges.messages import MAX_READ, Message, read_object, size_of
from loregraph.bridges.naming import ORG, Naming
from loregraph.bridges.pending import SECONDS, Outcome
from loregraph.bridges.process import Launch
from loregraph.bridges.team_file import DEFAULT_NAME, VARIABLE, TeamFile, locate
from loregraph.bridges.team_memory import Arguments, TeamMemory, encoded, explained, warn
from loregraph.config import Settings
from loregraph.errors import UpstreamError
from loregraph.memory.identity import Identity
from loregraph.user_files import data_folder

LOCK_SECONDS: Final = 30.0
"""Seconds that a write waits for those of other processes."""
PAGES: Final = 100
"""Maximum tools/list pages; more means a loop."""


def wrap(
    root: Path, settings: Settings, command: Sequence[str], *, scope: str = "auto", seconds: float = SECONDS
) -> None:
    """Wraps the memory server that `command` starts, until the host goes.

    Raises UsageError for a project that cannot be named, StoreError for a file that cannot be written.
    """
    memory = team_memory(root, settings, scope)
    memory.file.make_folder()
    launch = Launch(tuple(command), env={VARIABLE: str(memory.file.path)})
    if fault := memory.fault():
        warn(f"the memory file is damaged. {fault}")
    Wrap(launch, memory, seconds=seconds).run()


def team_memory(root: Path, settings: Settings, scope: str) -> TeamMemory:
    """The rules for the project at `root`, the current git user, and the file named by the environment."""
    identity = Identity(root, settings)
    project = ""
    if scope != ORG and (scope == "project" or settings.project_id or in_git(root)):
        project = identity.project_id
    naming = Naming(project, scope, settings.wrap.org_types, settings.wrap.org_names)
    path = locate(os.environ, Path.cwd(), data_folder() / DEFAULT_NAME)
    if VARIABLE not in os.environ:
        warn(f"{VARIABLE} is not set: memories are kept in {path}")
    author = identity.author
    return TeamMemory(TeamFile(path), naming, author=author, name=author.partition(" <")[0])


def in_git(root: Path) -> bool:
    return any((folder / ".git").exists() for folder in (root, *root.parents))


@dataclass(frozen=True)
class ToolCall:
    """The parsed fields of a request for a tool."""

    request: Request
    tool: str
    params: dict[str, Any]

    @property
    def arguments(self) -> Arguments:
        found: Arguments = self.params["arguments"]
        return found

    def with_arguments(self, arguments: Arguments) -> Raw | UnsetType:
        """The parameters with other arguments; unchanged where these are the same."""
        if arguments is self.params["arguments"]:
            return self.request.params
        return Raw(encoded({**self.params, "arguments": arguments}))


# Implements REQ-BRG-002.
class Wrap:
    """One host and one memory server. `run` serves until the host disconnects."""

    def __init__(
        self,
        launch: Launch,
        memory: TeamMemory,
        *,
        seconds: float = SECONDS,
        read: BinaryIO | None = None,
        write: BinaryIO | None = None,
    ) -> None:
        self.memory = memory
        self.bridge = Bridge(
            launch,
            on_request=self._asked,
            on_notification=self._told,
            on_end=self._finish,
            seconds=seconds,
            read=read,
            write=write,
        )
        self._queue: SimpleQueue[ToolCall | None] = SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, daemon=True, name="wrap-writer")

    def run(self) -> None:
        self._writer.start()
        self.bridge.run()

    def _finish(self) -> None:
        """Completes the requested writes after the host has closed its end."""
        self._queue.put(None)
        self._writer.join(self.bridge.upstream.seconds)

    # requests of the host; must not block

    def _asked(self, bridge: Bridge, request: Request) -> None:
        if request.method == "tools/call" and (call := read_call(request)) is not None:
            if self.memory.knows(call.tool) and not self.memory.writes(call.tool):
                self._read(call)
            else:
                self._queue.put(call)
        elif request.method == "tools/list":
            bridge.forward(request, done=partial(self._listed, request))
        elif request.method == "resources/read":
            bridge.forward(request, done=partial(self._answer, request))
        else:
            if request.method == "initialize":
                self.memory.client = client_of(request.params)
            bridge.forward(request)

    def _read(self, call: ToolCall) -> None:
        params = call.with_arguments(self.memory.translated(call.tool, call.arguments))
        self.bridge.forward(call.request, params=params, done=partial(self._answer, call.request), repeat=True)

    def _told(self, message: Message) -> Message:
        if message.method == "notifications/tools/list_changed":
            self.memory.forget()
        return message

    # answers of the server

    def _listed(self, request: Request, outcome: Outcome) -> None:
        if isinstance(outcome, Message):
            self.memory.learn(read_object(outcome.result).get("tools"))
        request.relay(outcome)

    def _answer(self, request: Request, outcome: Outcome) -> None:
        """Passes an answer on; adds the damaged line to a failure caused by a damaged file."""
        if isinstance(outcome, Message) and failed(outcome) and (fault := self.memory.fault()):
            if outcome.error is not UNSET:
                error = read_object(outcome.error)
                told = f"{error.get('message', '')} (loregraph wrap: the memory file is damaged. {fault})"
                outcome = Message(error=Raw(encoded({**error, "message": told})))
            else:
                outcome = Message(result=Raw(encoded(explained(read_object(outcome.result), fault))))
        request.relay(outcome)

    # writing, in a separate thread: one call at a time

    def _write_all(self) -> None:
        while (call := self._queue.get()) is not None:
            try:
                self._write(call)
            except Exception as error:  # costs this call, not the writer
                call.request.fail(error)

    def _write(self, call: ToolCall) -> None:
        if not self.memory.knows(call.tool):
            self._learn()
            if self.memory.knows(call.tool) and not self.memory.writes(call.tool):
                self._read(call)
                return
        with self.memory.file.locked(LOCK_SECONDS):
            if not self.bridge.host.waits_for(call.request):
                return  # cancelled while waiting
            arguments = self.memory.translated(call.tool, call.arguments)
            outcome = self._ask("tools/call", call.with_arguments(arguments))
            if isinstance(outcome, UpstreamError):
                # It may still be writing, and must not when the next one has the lock.
                self.bridge.upstream.restart()
            elif outcome.error is UNSET:
                self.memory.note(call.tool, arguments, read_object(outcome.result))
        self._answer(call.request, outcome)

    def _learn(self) -> None:
        """Lists the server's tools, for a host that calls one without having done so."""
        cursor: Any = None
        for _ in range(PAGES):
            outcome = self._ask("tools/list", messages.raw({"cursor": cursor}) if cursor else UNSET)
            if isinstance(outcome, UpstreamError) or outcome.error is not UNSET:
                return  # the call itself will report the error
            page = read_object(outcome.result)
            self.memory.learn(page.get("tools"))
            cursor = page.get("nextCursor")
            if not cursor:
                return

    def _ask(self, method: str, params: Raw | UnsetType) -> Outcome:
        """A request and its answer. The host cannot cancel it: an abandoned write still happens, and has to be over
        before the lock is released."""
        answers: SimpleQueue[Outcome] = SimpleQueue()
        self.bridge.upstream.request(method, params, answers.put, token=progress_token(params))
        return answers.get()


def read_call(request: Request) -> ToolCall | None:
    """The parsed request for a tool; None for an invalid one, which the server will refuse."""
    params = read_object(request.params, MAX_LINE)
    params.setdefault("arguments", {})
    if not isinstance(params.get("name"), str) or not isinstance(params["arguments"], dict):
        return None
    return ToolCall(request, params["name"], params)


def failed(answer: Message) -> bool:
    """Whether an answer is an error, without parsing a long one that is not."""
    if answer.error is not UNSET:
        return True
    if size_of(answer.result) > MAX_READ:
        return False
    return b'"isError"' in bytes(answer.result or b"") and read_object(answer.result).get("isError") is True


def client_of(params: Raw | UnsetType) -> str:
    """The name of the host, "" where it gives none."""
    info = read_object(params).get("clientInfo")
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else ""
