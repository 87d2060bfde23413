"""`loregraph proxy`: any MCP server behind the tools defined in one file.

Hosts see the tools of the file. A call is renamed, its parameters are mapped to the upstream's, and the result is
passed on unchanged. Stores nothing.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Final

import msgspec
from msgspec import UNSET, Raw

from loregraph.bridges import messages
from loregraph.bridges.bridge import Bridge, Request
from loregraph.bridges.lines import shown
from loregraph.bridges.messages import Message
from loregraph.bridges.proxy_check import faults_against, page_of
from loregraph.bridges.proxy_file import MappedTool, ProxyFile
from loregraph.bridges.session import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    HANDSHAKE_VERSIONS,
    MODERN_VERSIONS,
    SERVER_KEY,
    US,
    VERSION_KEY,
    Session,
)
from loregraph.bridges.upstream import SECONDS, Outcome, write_log
from loregraph.errors import UpstreamError

CAPABILITIES: Final[dict[str, Any]] = {"tools": {}}
PASSED: Final = frozenset({"notifications/progress", "notifications/elicitation/complete"})
"""Notifications of the upstream that are passed to the host. Those about its list of tools and its resources are
not."""
COMPLETE: Final = {"resultType": "complete"}
FRESH: Final = {"ttlMs": 0, "cacheScope": "private"}


def serve(file: ProxyFile, *, seconds: float = SECONDS) -> None:
    """Serves a file over standard input and output until the host goes."""
    Proxy(file, seconds=seconds).bridge.run()


# Implements REQ-BRG-001.
class Proxy:
    """Serves one file."""

    def __init__(
        self,
        file: ProxyFile,
        *,
        seconds: float = SECONDS,
        read: BinaryIO | None = None,
        write: BinaryIO | None = None,
    ) -> None:
        self.file = file
        self.bridge = Bridge(
            file.launch,
            on_request=self._answer,
            on_notification=passed_on,
            seconds=seconds,
            own_handshake=True,
            read=read,
            write=write,
        )
        self.session = Session(self.bridge.upstream)
        self._repeatable: set[str] = set()
        """Tools of the upstream's that it says may be called twice."""
        self._looked = False

    def _answer(self, bridge: Bridge, request: Request) -> None:
        try:
            params = messages.object_of(request.params)
            meta = messages.object_of(params.get("_meta", UNSET))
        except ValueError:
            request.refuse(messages.INVALID_PARAMS, "Invalid params: an object is wanted")
            return
        modern = VERSION_KEY in meta
        if modern and bytes(meta[VERSION_KEY]) not in [bytes(messages.raw(version)) for version in MODERN_VERSIONS]:
            data = {"supported": list(MODERN_VERSIONS), "requested": meta[VERSION_KEY]}
            request.refuse(messages.UNSUPPORTED_VERSION, "Unsupported protocol version", data)
        elif request.method == "initialize":
            self._initialize(request, params)
        elif request.method == "server/discover":
            self._introduce(meta)
            about = {"supportedVersions": list(MODERN_VERSIONS), "capabilities": CAPABILITIES, "serverInfo": US}
            request.reply(messages.raw({**about, **own(modern=True)}))
        elif request.method == "ping":
            request.reply(messages.raw({}))
        elif request.method == "tools/list":
            request.reply(messages.raw({"tools": self.file.listed, **own(modern=modern)}))
        elif request.method == "tools/call":
            if modern:
                self._introduce(meta)
            self._call(request, params, modern=modern)
        else:
            request.refuse(messages.METHOD_NOT_FOUND, f"Method not found: {shown(request.method)}")

    # beginning

    def _initialize(self, request: Request, params: dict[str, Raw]) -> None:
        asked = text_of(params.get("protocolVersion"))
        version = asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        self.session.introduce({**params, "protocolVersion": version}, modern=False)
        request.reply(messages.raw({"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": US}))
        self.session.when_open(self._look)

    def _introduce(self, meta: dict[str, Raw]) -> None:
        """A modern host has no handshake: each request contains its identity."""
        if self._looked:
            return
        client = {"clientInfo": meta.get(CLIENT_KEY), "capabilities": meta.get(CAPABILITIES_KEY)}
        self.session.introduce(client, modern=True)
        self.session.when_open(self._look)

    def _look(self, failure: UpstreamError | None) -> None:
        """Asks the upstream once for its tools: for the log, and to know which calls may be repeated."""
        if failure is not None:
            write_log(failure.message)
        elif not self._looked:
            self._looked = True
            self.session.request("tools/list", {}, self._looked_at)

    def _looked_at(self, outcome: Outcome) -> None:
        if isinstance(outcome, UpstreamError) or outcome.error is not UNSET:
            return
        tools, more = page_of(outcome)
        for name in {tool.upstream for tool in self.file.tools.values()} & tools.keys():
            hints = tools[name].get("annotations")
            if isinstance(hints, dict) and (hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True):
                self._repeatable.add(name)
        if more is None:
            for where, what in faults_against(self.file, tools):
                write_log(f"{where}: {what}")

    # calling

    def _call(self, request: Request, params: dict[str, Raw], *, modern: bool) -> None:
        name = text_of(params.get("name"))
        tool = self.file.tools.get(name)
        if tool is None:
            request.reply(told(f"Unknown tool: {shown(name)}", modern=modern))
            return
        try:
            given = messages.object_of(params.get("arguments", UNSET))
        except ValueError:
            request.reply(told("arguments must be an object", modern=modern))
            return
        sent = {**params, "name": tool.upstream, "arguments": arguments_of(tool, given)}

        def opened(failure: UpstreamError | None) -> None:
            if failure is not None:
                finish(failure)
                return
            repeat = tool.repeatable or tool.upstream in self._repeatable
            self.bridge.forward(request, params=messages.raw(self.session.dressed(sent)), done=finish, repeat=repeat)

        def finish(outcome: Outcome) -> None:
            if isinstance(outcome, Message) and modern and not self.session.modern and outcome.result is not UNSET:
                body = messages.object_of(outcome.result)  # an object: the upstream's answers are validated
                outcome.result = messages.raw({**COMPLETE, **body})
            request.relay(outcome)

        self.session.when_open(opened)


def arguments_of(tool: MappedTool, given: dict[str, Raw]) -> dict[str, Any]:
    """The upstream's arguments: the mapped parameters and the constants, with unchanged values."""
    arguments: dict[str, Any] = {}
    for parameter in tool.parameters:
        if parameter.name in given:
            place = arguments
            for key in parameter.target[:-1]:
                place = place.setdefault(key, {})
            place[parameter.target[-1]] = given[parameter.name]
    return arguments


def passed_on(message: Message) -> Message | None:
    return message if message.method in PASSED else None


def own(*, modern: bool) -> dict[str, Any]:
    """The fields that the modern era requires in results of the proxy itself."""
    return {**COMPLETE, **FRESH, "_meta": {SERVER_KEY: US}} if modern else {}


def told(message: str, *, modern: bool) -> Raw:
    body = messages.object_of(messages.told(f"Error: {message}"))
    return messages.raw({**COMPLETE, **body} if modern else body)


def text_of(value: Raw | None) -> str:
    """A JSON text, or "" for anything else."""
    try:
        return msgspec.json.decode(value or b'""', type=str)
    except (ValueError, RecursionError):
        return ""
