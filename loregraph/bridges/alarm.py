"""Timer: a thread that sleeps until the nearest deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any


class Alarm:
    """Calls `ring`, in a separate thread and without the lock, at the time that `nearest` returns.

    `nearest` is called with the lock held and returns a time of `time.monotonic`, infinite for none. Code that makes it
    earlier calls `set`. `ring` has to make `nearest` later.
    """

    def __init__(self, lock: Any, nearest: Callable[[], float], ring: Callable[[], None]) -> None:
        self._condition = threading.Condition(lock)
        self._nearest, self._ring = nearest, ring
        self._wakes = float("inf")
        self._thread: threading.Thread | None = None
        self._closed = False

    def set(self, deadline: float) -> None:
        """Notifies of a new `deadline`. With the lock held."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True, name="upstream-deadlines")
            self._thread.start()
        if deadline < self._wakes:
            self._condition.notify()

    def close(self) -> None:
        """Ends the thread. With the lock held."""
        self._closed = True
        self._condition.notify()

    def _run(self) -> None:
        while True:
            with self._condition:
                while not self._closed and (self._nearest() > time.monotonic()):
                    self._wakes = self._nearest()
                    self._condition.wait(min(max(self._wakes - time.monotonic(), 0.0), threading.TIMEOUT_MAX))
                    self._wakes = float("inf")
                if self._closed:
                    return
            self._ring()
