"""A session with an upstream of either era of the protocol, independent of the host's.

Up to revision 2025-11-25 a connection begins with a handshake (`initialize`); from 2026-07-28 there is none, and each
request carries an envelope in `_meta` instead. The host's era is tried first, so that features of only one era pass
through where both ends have it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from loregraph import __version__
from loregraph.bridges import messages
from loregraph.bridges.lines import shown
from loregraph.bridges.messages import Message
from loregraph.bridges.upstream import Outcome, Upstream
from loregraph.errors import UpstreamError

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS: Final = ("2026-07-28",)
ENVELOPE: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = f"{ENVELOPE}protocolVersion"
CLIENT_KEY: Final = f"{ENVELOPE}clientInfo"
CAPABILITIES_KEY: Final = f"{ENVELOPE}clientCapabilities"
SERVER_KEY: Final = f"{ENVELOPE}serverInfo"
US: Final = {"name": "loregraph-proxy", "title": "loregraph proxy", "version": __version__}

Opened = Callable[[UpstreamError | None], None]


class Session:
    """Opened once, on first use; a failed opening is retried by the next use."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self.modern = False
        """Whether the upstream is spoken to in the modern era. Known once the session is open."""
        self.server: dict[str, str] = {}
        """What the upstream says it is: name, version."""
        self._client: dict[str, Any] = {"clientInfo": US, "capabilities": {}}
        self._open = False
        self._opening = False
        self._prefers_modern = False
        self._waiting: list[Opened] = []
        self._lock = threading.Lock()

    def introduce(self, params: Mapping[str, Any], *, modern: bool) -> None:
        """Presents the host's name and capabilities as our own: requests of the upstream are passed on to the host."""
        version = params.get("protocolVersion")
        with self._lock:
            self._prefers_modern = modern
            self._client = {
                "clientInfo": params.get("clientInfo") or US,
                # An upstream of the other era cannot send requests to a modern host.
                "capabilities": params.get("capabilities") or {},
                **({"protocolVersion": version} if version in HANDSHAKE_VERSIONS else {}),
            }

    def when_open(self, then: Opened) -> None:
        """Calls `then` once the session is open, or with the reason why it cannot be opened."""
        with self._lock:
            if not self._open:
                self._waiting.append(then)
                if self._opening:
                    return
                self._opening = True
                begin = self._discover if self._prefers_modern else self._initialize
        if self._open:
            then(None)
        else:
            begin(last=False)

    def request(self, method: str, params: dict[str, Any], done: Callable[[Outcome], None], **how: Any) -> int:
        """Sends a request of the proxy's own, with or without the envelope."""
        return self.upstream.request(method, messages.raw(self.dressed(params)), done, **how)

    def dressed(self, params: dict[str, Any]) -> dict[str, Any]:
        """`params` in the upstream's era: with the envelope, or without."""
        meta = messages.object_of(params["_meta"]) if "_meta" in params else {}
        if self.modern:
            meta = {**self._envelope(), **meta}
        elif any(key.startswith(ENVELOPE) for key in meta):
            meta = {key: value for key, value in meta.items() if not key.startswith(ENVELOPE)}
        else:
            return params
        bare = {key: value for key, value in params.items() if key != "_meta"}
        return {**bare, "_meta": meta} if meta else bare

    def _envelope(self) -> dict[str, Any]:
        return {
            VERSION_KEY: MODERN_VERSIONS[-1],
            CLIENT_KEY: self._client["clientInfo"],
            CAPABILITIES_KEY: self._client["capabilities"] if self._prefers_modern else {},
        }

    def _initialize(self, *, last: bool) -> None:
        asked = {"protocolVersion": HANDSHAKE_VERSIONS[-1], **self._client}
        if self._prefers_modern:
            asked["capabilities"] = {}

        def answered(outcome: Outcome) -> None:
            if isinstance(outcome, Message) and outcome.error is UNSET:
                self.upstream.notify("notifications/initialized")
                self._opened(outcome, modern=False)
            elif isinstance(outcome, UpstreamError) or last:
                self._failed(outcome)
            else:
                self._discover(last=True)

        self.upstream.request("initialize", messages.raw(asked), answered)

    def _discover(self, *, last: bool) -> None:
        def answered(outcome: Outcome) -> None:
            if isinstance(outcome, Message) and speaks_modern(outcome):
                self._opened(outcome, modern=True)
            elif isinstance(outcome, UpstreamError) or last:
                self._failed(outcome)
            else:
                self._initialize(last=True)

        self.upstream.request("server/discover", messages.raw({"_meta": self._envelope()}), answered)

    def _opened(self, answer: Message, *, modern: bool) -> None:
        self.modern = modern
        self.server = server_of(answer)
        with self._lock:
            self._open, self._opening = True, False
            waiting, self._waiting = self._waiting, []
        for then in waiting:
            then(None)

    def _failed(self, outcome: Outcome) -> None:
        if isinstance(outcome, Message):
            error = messages.error_of(outcome)
            outcome = UpstreamError(f"the upstream server refused the session: {shown(error.message)} ({error.code})")
        with self._lock:
            self._opening = False
            waiting, self._waiting = self._waiting, []
        for then in waiting:
            then(outcome)


def speaks_modern(answer: Message) -> bool:
    """Whether an answer to `server/discover` contains a supported revision."""
    try:
        versions = messages.object_of(answer.result).get("supportedVersions", Raw(b"[]"))
    except ValueError:
        return False
    return answer.error is UNSET and any(f'"{version}"'.encode() in bytes(versions) for version in MODERN_VERSIONS)


def server_of(answer: Message) -> dict[str, str]:
    """The upstream's identity: name, version; {} where it gives none."""
    try:
        body = messages.object_of(answer.result)
        told = body.get("serverInfo") or messages.object_of(body.get("_meta", UNSET)).get(SERVER_KEY)
        found = msgspec.json.decode(told, type=dict[str, Any]) if told is not None else {}
    except (ValueError, RecursionError):
        return {}
    return {key: shown(found[key]) for key in ("name", "version") if isinstance(found.get(key), str)}
