"""Switches recording on and off: `sys.monitoring` where Python has it, else `sys.setprofile`."""

from __future__ import annotations

import sys
import threading
from typing import Any, Final

from loregraph.recording.recorder import Recorder, profile_of, start_of

MONITORING: Final = "sys.monitoring"
PROFILE: Final = "sys.setprofile"
MOST_CALLS_WATCHED: Final = 2_000
"""Calls of one function in one test after which it is no longer watched until the next one (`sys.monitoring`)."""
_TOOLS: Final = (3, 4, 2, 1, 0)
"""Numbers of tools, those that Python reserves for nobody first."""


# Implements REQ-RUN-004.
def watch(recorder: Recorder) -> Monitoring | Profiling | None:
    """Begins recording; None where another profiler has taken the only place there is."""
    if sys.version_info >= (3, 12):
        tool = next((number for number in _TOOLS if sys.monitoring.get_tool(number) is None), None)
        if tool is not None:
            return Monitoring(recorder, tool)
    if sys.getprofile() is not None:
        return None
    return Profiling(recorder)


class Profiling:
    """By `sys.setprofile`: this thread and those that are started from now on."""

    how = PROFILE

    def __init__(self, recorder: Recorder) -> None:
        self._profile = profile_of(recorder)
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)

    def renew(self) -> None:
        """Called before each test: a test may have set another profiler."""
        if sys.getprofile() is None:
            sys.setprofile(self._profile)

    def stop(self) -> None:
        if sys.getprofile() is self._profile:
            sys.setprofile(None)
        threading.setprofile(None)


class Monitoring:
    """By `sys.monitoring`: all threads of the interpreter."""

    how = MONITORING

    def __init__(self, recorder: Recorder, tool: int) -> None:
        monitoring: Any = getattr(sys, "monitoring")  # noqa: B009 - Python 3.11 does not have it
        self._monitoring = monitoring
        self._tool = tool
        started, self._renewed = start_of(recorder, monitoring.DISABLE, MOST_CALLS_WATCHED)
        monitoring.use_tool_id(tool, "loregraph")
        monitoring.register_callback(tool, monitoring.events.PY_START, started)
        monitoring.set_events(tool, monitoring.events.PY_START)

    def renew(self) -> None:
        """Called before each test: functions that the last one called too often are watched again."""
        if self._renewed():
            self._monitoring.restart_events()

    def stop(self) -> None:
        self._monitoring.set_events(self._tool, 0)
        self._monitoring.register_callback(self._tool, self._monitoring.events.PY_START, None)
        self._monitoring.free_tool_id(self._tool)
