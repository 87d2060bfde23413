"""A pending request: its deadline, and the message when it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from msgspec import Raw, UnsetType

from loregraph.bridges.lines import MAX_LINE, TooLong, shown
from loregraph.bridges.messages import Message
from loregraph.bridges.process import Launch
from loregraph.errors import UpstreamError

SECONDS: Final = 45.0
"""Seconds for an answer, unless progress extends it. Below the minute after which hosts give up."""
OPENING_SECONDS: Final = 180.0
"""Seconds for the handshake: `npx` downloads a server before it starts it."""
CHATTER_SECONDS: Final = 15.0
"""Seconds for an answer after an invalid line, which may have been meant as the answer, or be a stray log line."""
ENDLESS: Final = frozenset({"subscriptions/listen"})
"""Requests whose answer is the end of a stream."""
OPENINGS: Final = frozenset({"initialize", "server/discover"})
REPEATABLE: Final = OPENINGS | {
    "ping",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
}
KEPT: Final = frozenset({"resources/subscribe", "logging/setLevel"})
"""Requests that change the session: they are repeated for a restarted server."""

MAX_PENDING: Final = 1_000
"""Maximum pending requests."""
MAX_HELD: Final = 64 << 20
"""Maximum bytes of all their parameters, which are kept for a repetition."""
MAX_KEPT: Final = 1_000
"""Maximum requests that are repeated for a restarted server."""
MAX_QUESTIONS: Final = 100
"""Maximum unanswered requests of the server to the host."""

Outcome = Message | UpstreamError
Done = Callable[[Outcome], None]


@dataclass
class Pending:
    """A request that has no answer yet."""

    number: int
    method: str
    params: Raw | UnsetType
    done: Done
    seconds: float
    limit: float
    deadline: float
    """Never after `limit`."""
    repeat: bool
    token: bytes | None
    wire: bytes = b""
    """The id it was sent under: random for each sending, so that the server cannot predict it."""
    sent: float = 0.0
    """When it was sent, 0 before."""
    repeated: bool = False
    cancelled: bool = False


def died(launch: Launch, epitaph: str, pending: Pending) -> UpstreamError:
    """The server ended before it answered."""
    ended = f"the upstream server `{launch}` ended ({epitaph})"
    if not pending.sent:
        return UpstreamError(f"{ended} when it was started again", "run it by hand to see why")
    if pending.repeated or pending.method in OPENINGS:
        return UpstreamError(f"{ended} twice before it answered {pending.method}", "run it by hand to see why")
    return UpstreamError(
        f"{ended} before it answered {pending.method}; whether that took effect is not known",
        "look before you repeat it; the next call starts the server again",
    )


def late(launch: Launch, chatter: str, pending: Pending) -> UpstreamError:
    """The server did not answer in time."""
    said = f"; it wrote what is no JSON-RPC message: {chatter}" if chatter else ""
    where = "" if pending.sent else ", because it has not started"
    seconds = pending.seconds - (pending.limit - pending.deadline)
    return UpstreamError(
        f"the upstream server `{launch}` did not answer {pending.method} in {seconds:.3g} seconds{where}{said}",
        "give it more time with --timeout, or run it by hand to see why",
    )


def no_answer(line: bytes | TooLong) -> UpstreamError:
    """The answer is invalid."""
    if isinstance(line, TooLong):
        return UpstreamError(
            f"the upstream server answered with a line of {line.size:,} bytes; more than {MAX_LINE:,} are not read",
            "ask it for less",
        )
    return UpstreamError(f"the upstream server answered what is no JSON-RPC answer: {shown(line)}")


def too_many(what: str) -> UpstreamError:
    """The host has more pending requests than are allowed."""
    return UpstreamError(f"too much is asked of the upstream server at once: {what}", "wait for its answers first")
