"""The server behind a bridge: requests in, answers out, started again once when it has died.

    upstream = Upstream(Launch(("npx", "-y", "some-server")), on_request=..., on_notification=...)
    upstream.request("initialize", params, done)
    upstream.notify("notifications/initialized")
    upstream.request("tools/call", params, done)

`done` is called once for each request, with the server's answer as it came or with an UpstreamError, in a thread of the
upstream's. A server that died is started by the next request, and the handshake it had is repeated before that request
is sent. What was under way when it died is sent again if that does no harm (`repeat`), else it is given up: nobody
knows whether it took effect.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import UNSET, Raw, UnsetType

from loregraph.bridges import messages
from loregraph.bridges.alarm import Alarm
from loregraph.bridges.messages import Message
from loregraph.bridges.pending import (
    CHATTER_SECONDS,
    ENDLESS,
    KEPT,
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
)
from loregraph.bridges.process import CLOSE_SECONDS, SHOWN, Launch, Process
from loregraph.errors import UpstreamError
from loregraph.terminal import tell

__all__ = ["SECONDS", "Done", "Outcome", "Upstream", "write_log"]

_ID: Final = re.compile(rb'"id"\s*:\s*(\d+)')


class Upstream:
    """A connection to a server process, which outlives the process. Started by the first request."""

    def __init__(
        self,
        launch: Launch,
        *,
        on_request: Callable[[Message], None],
        on_notification: Callable[[Message], None],
        seconds: float = SECONDS,
    ) -> None:
        self.launch = launch
        self.seconds = seconds
        self._on_request, self._on_notification = on_request, on_notification
        lock = threading.RLock()
        self._changed = threading.Condition(lock)
        self._alarm = Alarm(lock, self._nearest, self._ring)
        self._pending: dict[int, Pending] = {}
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

        `repeat`: whether it does no harm to send it twice; by default what only reads. `token`: the progress token that
        puts its deadline off.
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
        """Sends a notification. One to a server that is not there is lost."""
        with self._changed:
            if method == "notifications/initialized":
                self._announced = params
            if self._process is not None and self._ready:
                self._process.send(messages.write(Message(method=method, params=params)))

    def answer(self, message: Message) -> None:
        """Sends the answer to a request of the server's."""
        with self._changed:
            if self._process is not None:
                self._process.send(messages.write(message))

    def cancel(self, number: int, reason: Raw | None = None) -> None:
        """Tells the server that nobody waits for request `number`. `done` is still called."""
        with self._changed:
            pending = self._pending.get(number)
            if pending is None:
                return
            pending.cancelled = True
            if pending.sent and pending.method not in OPENINGS:
                self._tell_cancelled(number, reason)

    def wait(self, seconds: float) -> bool:
        """Waits until nothing is under way. False if something still is after `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._under_way(), seconds)

    def restart(self) -> None:
        """Ends the process and waits until it is gone; the next request starts another and repeats the handshake.

        Not to be called by `done`: the thread that reads is the one that sees the end.
        """
        with self._changed:
            process = self._process
        if process is None:
            return
        process.kill()
        with self._changed:
            self._changed.wait_for(lambda: self._process is not process, CLOSE_SECONDS)

    def close(self) -> None:
        """Ends the server. What is under way fails."""
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

    # sending; all with the lock held

    def _place(self, pending: Pending) -> UpstreamError | None:
        """Sends `pending`, or keeps it until the handshake is repeated."""
        if self._closed:
            return UpstreamError("the bridge is closing")
        if self._process is None:
            try:
                self._start(opens=pending.method == "initialize")
            except UpstreamError as error:
                return error
        self._pending[pending.number] = pending
        if self._ready:
            self._send(pending)
        self._alarm.set(pending.deadline)
        return None

    def _start(self, *, opens: bool) -> None:
        """Starts a process and repeats the handshake, unless the request it is started for is one."""
        self._chatter = ""
        self._ready = True
        self._process = Process(self.launch, self._line, self._ended)
        if self._opening is not None and not opens:
            self._ready = False
            self._numbers += 1
            due = time.monotonic() + OPENING_SECONDS
            done = partial(self._reopened, self._process)
            again = Pending(self._numbers, "initialize", self._opening, done, OPENING_SECONDS, due, due, False, None)
            self._pending[again.number] = again
            self._send(again)
            self._alarm.set(due)

    def _send(self, pending: Pending) -> None:
        assert self._process is not None
        pending.sent = time.monotonic()
        number = Raw(str(pending.number).encode())
        line = messages.write(Message(id=number, method=pending.method, params=pending.params))
        self._process.send(line, pending.number)

    def _tell_cancelled(self, number: int, reason: Raw | None) -> None:
        params = {"requestId": number} if reason is None else {"requestId": number, "reason": reason}
        self.notify("notifications/cancelled", messages.raw(params))

    # hearing; in the thread that reads

    def _line(self, process: Process, line: bytes) -> None:
        try:
            message = messages.read(line)
        except ValueError:
            self._garbage(line)
            return
        self._heard = time.monotonic()
        if message.is_answer:
            self._answered(message)
        elif message.is_request:
            self._on_request(message)
        elif message.method is not UNSET:
            if message.method == "notifications/progress":
                self._put_off(message)
            self._on_notification(message)

    def _answered(self, message: Message) -> None:
        assert message.id is not UNSET
        with self._changed:
            number = bytes(message.id)
            pending = self._pending.pop(int(number), None) if number.isdigit() else None
            if pending is None:
                return  # too late: it was given up
            outcome: Outcome = message
            if message.error is UNSET and not bytes(message.result or b"").startswith(b"{"):
                outcome = no_answer(messages.write(message))
            elif message.error is UNSET:
                self._remember(pending)
            self._changed.notify_all()
        pending.done(outcome)

    def _remember(self, pending: Pending) -> None:
        """Keeps what a server that is started again has to be told."""
        key = pending.method.encode() + bytes(pending.params or b"")
        if pending.method == "initialize":
            self._opening = pending.params
        elif pending.method in KEPT:
            self._kept[key] = pending.method, pending.params
        elif pending.method == "resources/unsubscribe":
            self._kept.pop(key.replace(b"unsubscribe", b"subscribe", 1), None)

    def _reopened(self, process: Process, outcome: Outcome) -> None:
        """`process`, which was started again, has answered the handshake, or not."""
        if isinstance(outcome, UpstreamError) or outcome.error is not UNSET:
            process.kill()  # its end tells those who wait
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
        """Progress: the request it is about gets its whole time again."""
        try:
            token = messages.object_of(message.params).get("progressToken")
        except ValueError:
            return
        with self._changed:
            for pending in self._pending.values():
                if token is not None and pending.token == bytes(token):
                    pending.limit = pending.deadline = time.monotonic() + pending.seconds

    def _garbage(self, line: bytes) -> None:
        """A line that is no message. What was begun as one ends its request; anything else leaves it less time."""
        shown = line.decode("utf-8", "replace").strip()[:SHOWN]
        if not shown:
            return
        self._chatter = shown
        write_log(f"the upstream server wrote what is no JSON-RPC message: {shown}")
        with self._changed:
            waiting = [pending for pending in self._pending.values() if pending.sent]
            alone = waiting[0] if len(waiting) == 1 else None
            pending = None
            if b'"jsonrpc"' in line:
                found = _ID.search(line)
                number = int(found[1]) if found else alone.number if alone else 0
                pending = self._pending.pop(number, None)
            elif alone is not None and alone.method not in OPENINGS:
                alone.deadline = min(alone.limit, time.monotonic() + CHATTER_SECONDS)
                self._alarm.set(alone.deadline)
            self._changed.notify_all()
        if pending is not None:
            pending.done(no_answer(line))

    def _ended(self, process: Process) -> None:
        """The process is gone: what may be sent again is, once; the rest is told."""
        with self._changed:
            if process is not self._process:
                return
            self._process = None
            started_again, self._ready = not self._ready, True
            lost = list(self._pending.values())
            self._pending.clear()
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
                pending.repeated, pending.sent = True, 0.0
                if (error := self._place(pending)) is not None:
                    failed.append((pending, error))
            self._changed.notify_all()
        for pending, error in failed:
            pending.done(error)

    # deadlines; in a thread that waits for the nearest

    def _nearest(self) -> float:
        return min((pending.deadline for pending in self._pending.values()), default=float("inf"))

    def _ring(self) -> None:
        """Gives up what is due, and a server that has been silent all the while."""
        with self._changed:
            now = time.monotonic()
            due = [pending for pending in self._pending.values() if pending.deadline <= now]
            silent = [pending for pending in due if self._give_up(pending)]
            process = self._process if silent else None
            self._changed.notify_all()
        for pending in due:
            if pending.cancelled:
                pending.done(UpstreamError(f"{pending.method} was cancelled"))
            else:
                pending.done(late(self.launch, self._chatter, pending))
        if process is not None:
            write_log("the upstream server is silent and will be started again")
            process.kill()

    def _give_up(self, pending: Pending) -> bool:
        """Forgets `pending`. Returns whether the server said nothing at all since it was sent."""
        del self._pending[pending.number]
        if pending.cancelled or not pending.sent:
            return False
        if pending.method in OPENINGS:
            return True
        self._tell_cancelled(pending.number, None)
        return self._heard < pending.sent


def write_log(text: str) -> None:
    """A line for the host's log of this server."""
    tell(f"loregraph: {text}")
