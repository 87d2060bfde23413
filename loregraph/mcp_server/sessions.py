"""What the server remembers of each session."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from loregraph.analysis.explore.sent import Sent

MOST: Final = 64
"""Sessions remembered: the last ones that called."""


class Sessions:
    """By session, the source that its answers had. Thread-safe; what was longest without a call is forgotten."""

    def __init__(self) -> None:
        self._sent: dict[str, Sent] = {}
        self._lock = threading.Lock()

    def sent(self, session: str | None) -> Sent | None:
        """That of `session`; None where a call belongs to none, so that nothing is withheld from it."""
        if session is None:
            return None
        from loregraph.analysis.explore.sent import Sent

        with self._lock:
            found = self._sent.pop(session, None) or Sent()
            self._sent[session] = found
            while len(self._sent) > MOST:
                del self._sent[next(iter(self._sent))]
        return found
