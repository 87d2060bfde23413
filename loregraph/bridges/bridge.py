"""A bridge between a host and an upstream: passes messages on, unless its creator intercepts them.

    bridge = Bridge(Launch(command), on_request=step_in)
    bridge.run()

`on_request(bridge, request)` is called for each request of the host, in order, and handles it:
`bridge.forward(request)` passes it on; `request.reply` and `request.refuse` answer it here, now or later. It must not
block, because the host's next message waits. `on_notification(message)` gets each notification of the upstream and
returns the one for the host, None for none. `own_handshake`: the creator opens the session upstream, and the host's
`initialized` notification is not passed on.
"""

from __future__ import annotations

import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, NoReturn

from msgspec import UNSET, Raw, UnsetType

from loregraph.bridges import messages
from loregraph.bridges.lines import MAX_LINE, TooLong, cleaned, lines, shown
from loregraph.bridges.messages import Message
from loregraph.bridges.process import Launch
from loregraph.bridges.upstream import SECONDS, Done, Outcome, Upstream, write_fault
from loregraph.errors import LoregraphError, UpstreamError

NULL = Raw(messages.NULL)
MAX_OPEN: Final = 2_000
"""Maximum unanswered requests of the host."""


class Request:
    """A request of the host. It is answered once: later answers are dropped, as are those to cancelled requests."""

    def __init__(self, host: Host, message: Message) -> None:
        assert message.id is not UNSET
        assert message.method is not UNSET
        self.id, self.method, self.params = message.id, message.method, message.params
        self.number: int | None = None
        """The number it has upstream, once it was forwarded."""
        self._host = host

    def reply(self, result: Raw) -> None:
        self._host.answer(self, Message(id=self.id, result=result))

    def refuse(self, code: int, message: str, data: object = UNSET) -> None:
        self._host.answer(self, Message(id=self.id, error=messages.refusal(code, message, data)))

    def relay(self, outcome: Outcome) -> None:
        """Passes the upstream's answer on unchanged; a failure becomes a tool's error result where possible, else a
        JSON-RPC error."""
        if isinstance(outcome, Message):
            self._host.answer(self, Message(id=self.id, result=outcome.result, error=outcome.error))
        elif self.method == "tools/call":
            self.reply(messages.told(f"Error: {in_words(outcome)}"))
        else:
            self.refuse(messages.INTERNAL_ERROR, in_words(outcome))

    def fail(self, error: Exception) -> None:
        """Answers with an error; an unexpected one is logged as well."""
        if not isinstance(error, LoregraphError):
            error = UpstreamError(write_fault(f"{shown(self.method)} cannot be served", error))
        self.relay(UpstreamError(error.message, error.suggestion))


class Host:
    """The host's end: its lines in, ours out."""

    def __init__(self, read: BinaryIO, write: BinaryIO) -> None:
        self._read, self._write = read, write
        self._lock = threading.Lock()
        self._open: dict[bytes, Request] = {}

    def messages(self) -> Iterator[Message | Request]:
        """The host's messages, until it closes its end. Requests are remembered until they are answered."""
        for line in lines(self._read):
            if isinstance(line, TooLong):
                # To a pending request of the same id this is no answer.
                number = line.id if line.id not in self._open else None
                told = f"Invalid Request: a line of {line.size:,} bytes; those of more than {MAX_LINE:,} are not read"
                self._refuse(NULL if number is None else Raw(number), messages.INVALID_REQUEST, told)
                continue
            line = cleaned(line)
            if not line.strip():
                continue
            try:
                message = messages.read(line)
            except ValueError as error:
                self._refuse(NULL, messages.PARSE_ERROR, f"Parse error: {shown(str(error))}")
                continue
            if not message.is_request:
                yield message
            elif not messages.is_id(message.id):
                self._refuse(NULL, messages.INVALID_REQUEST, "Invalid Request: an id is a text or a number, and short")
            elif bytes(message.id or b"") in self._open:
                self._refuse(
                    message.id or NULL, messages.INVALID_REQUEST, "Invalid Request: each needs an id of its own"
                )
            elif len(self._open) >= MAX_OPEN:
                told = f"{MAX_OPEN:,} requests are under way: wait for their answers first"
                self._refuse(message.id or NULL, messages.INTERNAL_ERROR, told)
            else:
                request = Request(self, message)
                self._open[bytes(request.id)] = request
                yield request

    def _refuse(self, number: Raw, code: int, told: str) -> None:
        self.send(Message(id=number, error=messages.refusal(code, told)))

    def send(self, message: Message) -> None:
        """Sends a message. If the host is gone it is lost: the end of the host's input ends this process."""
        line = messages.write(message)
        with self._lock:
            try:
                self._write.write(line)
                self._write.flush()
            except (OSError, ValueError):
                return

    def answer(self, request: Request, message: Message) -> None:
        if self._open.get(bytes(request.id)) is request and self._open.pop(bytes(request.id), None) is request:
            self.send(message)

    def waits_for(self, request: Request) -> bool:
        """Whether the host still expects an answer."""
        return self._open.get(bytes(request.id)) is request

    def cancelled(self, number: Raw) -> Request | None:
        """The pending request that the host cancels, if any: it gets no answer."""
        return self._open.pop(bytes(number), None)


OnRequest = Callable[["Bridge", Request], None]
OnNotification = Callable[[Message], Message | None]


# Implements REQ-BRG-003.
class Bridge:
    """One host and one upstream. `run` serves until the host goes."""

    def __init__(
        self,
        launch: Launch,
        *,
        on_request: OnRequest | None = None,
        on_notification: OnNotification | None = None,
        on_end: Callable[[], None] | None = None,
        seconds: float = SECONDS,
        own_handshake: bool = False,
        read: BinaryIO | None = None,
        write: BinaryIO | None = None,
    ) -> None:
        self.host = Host(read or sys.stdin.buffer, write or sys.stdout.buffer)
        self.upstream = Upstream(
            launch, on_request=self._asked, on_notification=self._told, on_end=self._gone, seconds=seconds
        )
        self._on_request, self._on_notification = on_request or Bridge.forward, on_notification
        self._own_handshake = own_handshake
        self._on_end = on_end
        self._asked_by_upstream: dict[bytes, Raw] = {}
        """Requests of the upstream's that the host has: their ids there → the upstream's own."""
        self._lock = threading.Lock()

    def forward(
        self,
        request: Request,
        *,
        params: Raw | UnsetType | None = None,
        done: Done | None = None,
        repeat: bool | None = None,
    ) -> None:
        """Sends `request` upstream, optionally with other `params`. `done` answers it in the end."""
        sent = request.params if params is None else params
        request.number = self.upstream.request(
            request.method, sent, done or request.relay, repeat=repeat, token=progress_token(sent)
        )

    def run(self) -> None:
        """Serves until the host closes its end or a signal comes."""
        stops = signal.signal(signal.SIGTERM, stop) if threading.current_thread() is threading.main_thread() else None
        try:
            for message in self.host.messages():
                try:
                    self._hear(message)
                except Exception as error:  # costs this message, not the bridge
                    if isinstance(message, Request):
                        message.fail(error)
                    else:
                        write_fault("a message of the host's is left out", error)
            if self._on_end is not None:
                self._on_end()  # requests that were not forwarded yet
            self.upstream.wait(self.upstream.seconds)
        finally:
            if stops is not None:
                signal.signal(signal.SIGTERM, stops)
            self.upstream.close()

    def _hear(self, message: Message | Request) -> None:
        """Handles one message of the host."""
        if isinstance(message, Request):
            self._on_request(self, message)
        elif message.is_answer:
            self._answered(message)
        elif message.method == "notifications/cancelled":
            self._cancelled(message)
        elif message.method is not UNSET and not (
            self._own_handshake and message.method == "notifications/initialized"
        ):
            self.upstream.notify(message.method, message.params)

    def _cancelled(self, message: Message) -> None:
        try:
            params = messages.object_of(message.params)
        except ValueError:
            return
        request = self.host.cancelled(params["requestId"]) if "requestId" in params else None
        if request is not None and request.number is not None:
            self.upstream.cancel(request.number, params.get("reason"))

    # the upstream's own messages

    def _told(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            passed: Message | None = self._cancelled_by_upstream(message)
        else:
            passed = message if self._on_notification is None else self._on_notification(message)
        if passed is not None:
            self.host.send(passed)

    def _asked(self, message: Message) -> None:
        """Passes a request of the upstream to the host under an unused id."""
        assert message.id is not UNSET
        with self._lock:
            number = messages.raw(f"upstream-{secrets.token_hex(8)}")
            self._asked_by_upstream[bytes(number)] = message.id
        self.host.send(Message(id=number, method=message.method, params=message.params))

    def _answered(self, message: Message) -> None:
        if not messages.is_id(message.id):
            return
        with self._lock:
            number = self._asked_by_upstream.pop(bytes(message.id or b""), None)
        if number is not None:
            self.upstream.answer(Message(id=number, result=message.result, error=message.error))

    def _gone(self) -> None:
        """The upstream has ended: its requests to the host need no answers."""
        with self._lock:
            asked, self._asked_by_upstream = list(self._asked_by_upstream), {}
        for number in asked:
            self.host.send(Message(method="notifications/cancelled", params=messages.raw({"requestId": Raw(number)})))

    def _cancelled_by_upstream(self, message: Message) -> Message | None:
        try:
            params = messages.object_of(message.params)
        except ValueError:
            return None
        if not messages.is_id(params.get("requestId", UNSET)):
            return None
        wanted = bytes(params["requestId"])
        with self._lock:
            theirs = next((ours for ours, number in self._asked_by_upstream.items() if bytes(number) == wanted), None)
            if theirs is None:
                return None
            del self._asked_by_upstream[theirs]
        return Message(method=message.method, params=messages.raw({**params, "requestId": Raw(theirs)}))


def progress_token(params: Raw | UnsetType) -> Raw | None:
    """The token for the host's progress notifications, if it wants them."""
    if params is UNSET or b'"progressToken"' not in bytes(params):
        return None
    try:
        return messages.object_of(messages.object_of(params).get("_meta", UNSET)).get("progressToken")
    except ValueError:
        return None


def in_words(error: LoregraphError) -> str:
    return (
        f"{error.message}. {error.suggestion[:1].upper()}{error.suggestion[1:]}" if error.suggestion else error.message
    )


def stop(number: int, frame: object) -> NoReturn:
    """Makes `run` return normally, so that the upstream is ended, too."""
    raise SystemExit(128 + number)
