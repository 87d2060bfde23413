"""The context of a tool's call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loregraph.analysis.explore.sent import Sent
    from loregraph.mcp_server.jobs import Jobs
    from loregraph.mcp_server.live import Live
    from loregraph.mcp_server.workspace import Workspace

Report = Callable[[float, str], None]


@dataclass
class Call:
    """One call of a tool. `report` sends progress, 0…1, to a client that asked for it and is None for others;
    `cancelled` is set when the client no longer needs the answer. `live` knows how up to date the graph is; it is None
    where answers are not compared with the files. `memories` are those in the answer: id → the files they are about.
    `elsewhere`: the answer is a shared server's, which this project's files do not make old."""

    workspace: Workspace
    jobs: Jobs
    correlation_id: str
    client: str = ""
    report: Report | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    sent: Sent | None = None
    """The source that earlier answers of the session had; None where there is no session."""
    live: Live | None = None
    memories: dict[str, tuple[str, ...]] = field(default_factory=dict)
    elsewhere: bool = False

    def shows(self, memory_id: str, anchors: Iterable[str]) -> None:
        """Notes that the answer contains a memory about these ids."""
        self.memories[memory_id] = tuple({anchor.partition("::")[0] for anchor in anchors})
