"""The server behind a bridge: requests in, answers out; restarted once after it has died.

    upstream = Upstream(Launch(("npx", "-y", "some-server")), on_request=..., on_notification=...)
    upstream.request("initialize", params, done)
    upstream.notify("notifications/initialized")
    upstream.request("tools/call", params, done)

`done` is called once for each request, with the server's unchanged answer or with an UpstreamError, in a thread of the
upstream's. A server that died is restarted by the next request, and its handshake is repeated before that request is
sent. Requests pending when it died are sent again if that is harmless (`repeat`), otherwise they fail: it is unknown
whether they took effect.

An answer is accepted only for a pending request: the ids of requests are random for each sending. Any other output of
the server costs its line, never the reading thread.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import UNSET, Raw, UnsetType

from loregraph.bridges import messages
from loregraph.bridges.alarm import Alarm
from loregraph.bridges.lines import Line, TooLong, cleaned, shown
from loregraph.bridges.messages import Message
from loregraph.bridges.pending import (
    CHATTER_SECONDS,
    ENDLESS,
    KEPT,
    MAX_HELD,
    MAX_KEPT,
    MAX_PENDING,
    MAX_QUESTIONS,
    OPENING_SECONDS,
    OPENINGS,
    REPEATABLE,
    SECONDS,
    Done,
    Outcome,
    Pending,
    died,
    late,
    no_answer,
    too_many,
)
from loregraph.bridges.process import CLOSE_SECONDS, Launch, Process
from loregraph.errors import UpstreamError
from loregraph.terminal import tell

__all__ = ["SECONDS", "Done", "Outcome", "Upstream", "write_log"]

_ID: Final = re.compile(rb'"id"\s*:\s*(\d{1,16})(?!\d)')
_IDS: Final = 1 << 53
"""Ids are integers below this, which every server can represent exactly."""
MAX_COMPLAINTS: Final = 20
"""Maximum invalid lines of a process that are logged."""


class Upstream:
    """A connection to a server process, which outlives the process. Started by the first request."""

    def __init__(
        self,
        launch: Launch,
        *,
        on_request: Callable[[Message], None],
        on_notification: Callable[[Message], None],
        on_end: Callable[[], None] = lambda: None,
        seconds: float = SECONDS,
    ) -> None:
        """`on_end` is called when a process is gone, and with it its own requests."""
        self.launch = launch
        self.seconds = seconds
        self._on_request, self._on_notification, self._on_end = on_request, on_notification, on_end
        lock = threading.RLock()
        self._changed = threading.Condition(lock)
        self._alarm = Alarm(lock, self._nearest, self._ring)
        self._pending: dict[int, Pending] = {}
        self._sent: dict[bytes, Pending] = {}
        """Those that the process has got, by the ids they were sent under."""
        self._held = 0
        """Bytes of the parameters of those that are pending."""
        self._questions: set[bytes] = set()
        """Ids of the process's own requests that are not answered yet."""
        self._process: Process | None = None
        self._ready = True
        """False while a process that was started again has not answered the handshake."""
        self._opening: Raw | UnsetType | None = None
        self._announced: Raw | UnsetType | None = None
        """Parameters of the handshake and of `notifications/initialized`, None before."""
        self._kept: dict[bytes, tuple[str, Raw | UnsetType]] = {}
        self._numbers = 0
        self._heard = 0.0
        self._chatter = ""
        self._complaints = 0
        self._told: set[str] = set()
        self._closed = False

    def request(
        self,
        method: str,
        params: Raw | UnsetType,
        done: Done,
        *,
        repeat: bool | None = None,
        token: Raw | None = None,
        seconds: float | None = None,
    ) -> int:
        """Sends a request and returns its number, for `cancel`.

        `repeat`: whether sending it twice is harmless; by default for read-only requests. `token`: the progress token
        that extends its deadline.
        """
        if (process := self._process) is not None:
            process.settle()
        if seconds is None:
            seconds = OPENING_SECONDS if method in OPENINGS else float("inf") if method in ENDLESS else self.seconds
        with self._changed:
            self._numbers += 1
            pending = Pending(
                self._numbers,
                method,
                params,
                done,
                seconds,
                time.monotonic() + seconds,
                time.monotonic() + seconds,
                method in REPEATABLE if repeat is None else repeat,
                bytes(token) if token is not None else None,
            )
            failure = self._place(pending)
        if failure is not None:
            done(failure)
        return pending.number

    def notify(self, method: str, params: Raw | UnsetType = UNSET) -> None:
        """Sends a notification. It is lost if the server is not running."""
        with self._changed:
            if method == "notifications/initialized":
                self._announced = params
            if self._process is not None and self._ready:
                self._process.send(messages.write(Message(method=method, params=params)))

    def answer(self, message: Message) -> None:
        """Answers a request of the server; does nothing if that server has ended meanwhile."""
        with self._changed:
            number = bytes(message.id or b"")
            if self._process is not None and number in self._questions:
                self._questions.discard(number)
                self._process.send(messages.write(message))

    def cancel(self, number: int, reason: Raw | None = None) -> None:
        """Tells the server that request `number` is cancelled. `done` is still called."""
        with self._changed:
            pending = self._pending.get(number)
            if pending is None:
                return
            pending.cancelled = True
            if pending.sent and pending.method not in OPENINGS:
                self._tell_cancelled(pending, reason)

    def wait(self, seconds: float) -> bool:
        """Waits until no request is pending. False if there still is one after `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._under_way(), seconds)

    def restart(self) -> None:
        """Ends the process and waits until it is gone; the next request starts another and repeats the handshake.

        Not to be called by `done`: the end is detected by the same reading thread.
        """
        with self._changed:
            process = self._process
        if process is None:
            return
        process.kill()
        with self._changed:
            self._changed.wait_for(lambda: self._process is not process, CLOSE_SECONDS)

    def close(self) -> None:
        """Ends the server. Pending requests fail."""
        with self._changed:
            self._closed = True
            self._alarm.close()
            process = self._process
            self._changed.notify_all()
        if process is not None:
            process.close()
            process.settle()

    def _under_way(self) -> bool:
        return any(pending.seconds < float("inf") and not pending.cancelled for pending in self._pending.values())

    # sending; always with the lock held

    def _place(self, pending: Pending) -> UpstreamError | None:
        """Sends `pending`, or queues it until the handshake is repeated."""
        if self._closed:
            return UpstreamError("the bridge is closing")
        size = messages.size_of(pending.params)
        if len(self._pending) >= MAX_PENDING:
            return too_many(f"{MAX_PENDING:,} requests are under way")
        if self._pending and self._held + size > MAX_HELD:
            return too_many(f"requests of {MAX_HELD:,} bytes are under way")
        if self._process is None:
            try:
                self._start(opens=pending.method == "initialize")
            except UpstreamError as error:
                return error
        self._pending[pending.number] = pending
        self._held += size
        if self._ready and not self._send(pending):
            self._forget(pending)
            return too_many("it does not read what is sent to it")
        self._alarm.set(pending.deadline)
        return None

    def _forget(self, pending: Pending) -> None:
        """`pending` is no longer pending: later answers to it are ignored."""
        if self._pending.pop(pending.number, None) is not None:
            self._held -= messages.size_of(pending.params)
        self._sent.pop(pending.wire, None)

    def _start(self, *, opens: bool) -> None:
        """Starts a process and repeats the handshake, unless the request that needs the process is a handshake."""
        self._chatter, self._complaints = "", 0
        self._told.clear()
        self._ready = True
        self._process = Process(self.launch, self._line, self._ended)
        if self._opening is not None and not opens:
            self._ready = False
            self._numbers += 1
            due = time.monotonic() + OPENING_SECONDS
            done = partial(self._reopened, self._process)
            again = Pending(self._numbers, "initialize", self._opening, done, OPENING_SECONDS, due, due, False, None)
            self._pending[again.number] = again
            self._held += messages.size_of(again.params)
            self._send(again)
            self._alarm.set(due)

    def _send(self, pending: Pending) -> bool:
        """Sends `pending` under a new random id. False where the server's queue is full."""
        assert self._process is not None
        wire = b""
        while not wire or wire in self._sent:
            wire = b"%d" % (1 + secrets.randbelow(_IDS - 1))
        line = messages.write(Message(id=Raw(wire), method=pending.method, params=pending.params))
        # Before sending: the answer may arrive before this thread continues.
        pending.wire, pending.sent = wire, time.monotonic()
        self._sent[wire] = pending
        if self._process.send(line, pending.number):
            return True
        del self._sent[wire]
        pending.wire, pending.sent = b"", 0.0
        return False

    def _tell_cancelled(self, pending: Pending, reason: Raw | None) -> None:
        params = (
            {"requestId": Raw(pending.wire)} if reason is None else {"requestId": Raw(pending.wire), "reason": reason}
        )
        self.notify("notifications/cancelled", messages.raw(params))

    # receiving; in the reading thread

    def _line(self, process: Process, line: Line) -> None:
        """Handles one line of the process: an error of ours costs only this line and is logged."""
        try:
            if isinstance(line, TooLong):
                self._garbage(line)
                return
            line = cleaned(line)
            try:
                message = messages.read(line)
            except ValueError:
                self._garbage(line)
                return
            self._hear(message)
        except Exception as error:
            write_fault("a line of the upstream server's is left out", error)

    def _hear(self, message: Message) -> None:
        self._heard = time.monotonic()
        if message.is_answer:
            self._answered(message)
        elif message.is_request:
            self._asked(message)
        elif message.method is not UNSET:
            if message.method == "notifications/progress":
                self._put_off(message)
            self._on_notification(message)

    # Implements REQ-SEC-019.
    def _answered(self, message: Message) -> None:
        with self._changed:
            pending = self._sent.get(bytes(message.id or b"")) if messages.is_id(message.id) else None
            if pending is None:
                # Too late, a second one, or to an unknown request.
                self._tell_once("an answer to what is not asked, or not waited for any more, is dropped")
                return
            self._forget(pending)
            outcome: Outcome = message
            if message.error is UNSET and not messages.is_object(message.result):
                outcome = no_answer(messages.write(message))
            elif message.error is UNSET:
                self._remember(pending)
            self._changed.notify_all()
        deliver(pending, outcome)

    def _asked(self, message: Message) -> None:
        """A request of the process."""
        number = bytes(message.id or b"") if messages.is_id(message.id) else b""
        with self._changed:
            if not number or number in self._questions:
                self._tell_once("a request of the upstream server's without an id of its own is dropped")
                return
            if len(self._questions) >= MAX_QUESTIONS:
                told = messages.refusal(messages.INTERNAL_ERROR, f"{MAX_QUESTIONS} requests wait for the host already")
                if self._process is not None:
                    self._process.send(messages.write(Message(id=message.id, error=told)))
                return
            self._questions.add(number)
        self._on_request(message)

    def _tell_once(self, text: str) -> None:
        """Logs a line, once per process; with the lock held."""
        if text not in self._told:
            self._told.add(text)
            write_log(f"{text}; this is said once")

    def _remember(self, pending: Pending) -> None:
        """Remembers what has to be repeated for a restarted server."""
        if pending.method == "initialize":
            self._opening = pending.params
        elif pending.method in KEPT:
            if len(self._kept) < MAX_KEPT:
                key = pending.method.encode() + bytes(pending.params or b"")
                self._kept[key] = pending.method, pending.params
        elif pending.method == "resources/unsubscribe":
            key = pending.method.encode() + bytes(pending.params or b"")
            self._kept.pop(key.replace(b"unsubscribe", b"subscribe", 1), None)

    def _reopened(self, process: Process, outcome: Outcome) -> None:
        """The restarted `process` has answered the handshake, or not."""
        if isinstance(outcome, UpstreamError) or outcome.error is not UNSET:
            process.kill()  # its end is reported to the waiting requests
            return
        with self._changed:
            if process is not self._process:
                return
            self._ready = True
            if self._announced is not None:
                self.notify("notifications/initialized", self._announced)
            for method, params in self._kept.values():
                self.request(method, params, lambda _: None)
            for pending in list(self._pending.values()):
                if not pending.sent:
                    self._send(pending)

    def _put_off(self, message: Message) -> None:
        """Progress: extends the deadline of its request."""
        try:
            token = messages.object_of(message.params).get("progressToken")
        except ValueError:
            return
        with self._changed:
            for pending in self._pending.values():
                if token is not None and pending.token == bytes(token):
                    pending.limit = pending.deadline = time.monotonic() + pending.seconds

    def _garbage(self, line: bytes | TooLong) -> None:
        """An invalid line. If it was an attempted answer, it ends its request; otherwise it shortens all deadlines."""
        said = line.head if isinstance(line, TooLong) else line
        chatter = shown(said)
        if not chatter:
            return
        self._chatter = chatter
        self._complain(f"wrote {line.size:,} bytes on a line" if isinstance(line, TooLong) else "", chatter)
        with self._changed:
            waiting = [pending for pending in self._pending.values() if pending.sent]
            alone = waiting[0] if len(waiting) == 1 else None
            pending = None
            ends = said + line.tail if isinstance(line, TooLong) else said
            if b'"jsonrpc"' in ends:
                # A random id is unique wherever it occurs in the line.
                named = [found[1] for found in _ID.finditer(ends)]
                # In a line that is too long not all ids are visible; a line with another id answers nothing.
                other = alone if isinstance(line, TooLong) or not named else None
                pending = next((self._sent[number] for number in named if number in self._sent), other)
                if pending is not None:
                    self._forget(pending)
            elif alone is not None and alone.method not in OPENINGS:
                alone.deadline = min(alone.limit, time.monotonic() + CHATTER_SECONDS)
                self._alarm.set(alone.deadline)
            self._changed.notify_all()
        if pending is not None:
            deliver(pending, no_answer(line))

    def _complain(self, what: str, chatter: str) -> None:
        self._complaints += 1
        if self._complaints <= MAX_COMPLAINTS:
            write_log(f"the upstream server {what or 'wrote what is no JSON-RPC message'}: {chatter}")
        elif self._complaints == MAX_COMPLAINTS + 1:
            write_log("the upstream server wrote more that is no JSON-RPC message, which is not shown")

    def _ended(self, process: Process) -> None:
        """The process is gone: repeats what may be sent again, once; fails the rest."""
        with self._changed:
            if process is not self._process:
                return
            self._process = None
            started_again, self._ready = not self._ready, True
            lost = list(self._pending.values())
            self._pending.clear()
            self._sent.clear()
            self._held = 0
            self._questions.clear()
            again = [
                pending
                for pending in lost
                if not (self._closed or pending.repeated or started_again)
                and (pending.repeat or pending.number in process.undelivered)
            ]
            failed = [
                (pending, died(self.launch, process.epitaph(), pending)) for pending in lost if pending not in again
            ]
            for pending in again:
                pending.repeated, pending.sent, pending.wire = True, 0.0, b""
                if (refused := self._place(pending)) is not None:
                    failed.append((pending, refused))
            self._changed.notify_all()
        try:
            self._on_end()
        except Exception as error:
            write_fault("the end of the upstream server is not told", error)
        for pending, failure in failed:
            deliver(pending, failure)

    # deadlines; in a thread that sleeps until the nearest

    def _nearest(self) -> float:
        return min((pending.deadline for pending in self._pending.values()), default=float("inf"))

    def _ring(self) -> None:
        """Fails overdue requests, and ends a server that has been silent all the while."""
        with self._changed:
            now = time.monotonic()
            due = [pending for pending in self._pending.values() if pending.deadline <= now]
            silent = [pending for pending in due if self._give_up(pending)]
            process = self._process if silent else None
            self._changed.notify_all()
        for pending in due:
            if pending.cancelled:
                deliver(pending, UpstreamError(f"{shown(pending.method)} was cancelled"))
            else:
                deliver(pending, late(self.launch, self._chatter, pending))
        if process is not None:
            write_log("the upstream server is silent and will be started again")
            process.kill()

    def _give_up(self, pending: Pending) -> bool:
        """Forgets `pending`. Returns whether the server has sent nothing at all since."""
        told = pending.sent and not pending.cancelled and pending.method not in OPENINGS
        if told:
            self._tell_cancelled(pending, None)
        self._forget(pending)
        if pending.cancelled or not pending.sent:
            return False
        return pending.method in OPENINGS or self._heard < pending.sent


def deliver(pending: Pending, outcome: Outcome) -> None:
    """Delivers the outcome of a request. An error of ours in handling it is reported to the requester."""
    try:
        pending.done(outcome)
    except Exception as error:
        told = write_fault(f"an answer to {shown(pending.method)} cannot be handed on", error)
        try:
            pending.done(UpstreamError(told))
        except Exception as second:
            write_fault("nor can that be told", second)


def write_log(text: str) -> None:
    """Writes a line to the host's log of this server."""
    tell(f"loregraph: {text}")


def write_fault(what: str, error: Exception) -> str:
    """Logs the place and the effect of an error of ours. Returns the text for the host."""
    told = f"{what}, a fault of loregraph: {type(error).__name__}: {shown(str(error))}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    write_log(f"{told} ({last.filename}:{last.lineno})")
    return told
