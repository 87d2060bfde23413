"""The server's log: lines of JSON on standard error. Standard output is used by the protocol."""

from __future__ import annotations

import json
import logging
import os
import traceback
from datetime import UTC, datetime
from typing import Any, Final

from loregraph.terminal import tell, visible_json

LEVELS: Final = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}


def threshold() -> int:
    """The level set by `LOG_LEVEL`; INFO for an unknown one."""
    return LEVELS.get(os.environ.get("LOG_LEVEL", "").upper(), LEVELS["INFO"])


def write(level: str, message: str, **fields: Any) -> None:
    """Writes one line, if `level` is at least `LOG_LEVEL`. Write errors are ignored."""
    if LEVELS[level] < threshold():
        return
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    tell(visible_json(json.dumps({"timestamp": now, "level": level, "message": message, **fields}, default=str)))


def traced(error: BaseException) -> str:
    """The origin of `error`, for the log."""
    return "".join(traceback.format_exception(error))[-8_000:]


# Implements REQ-MCP-004.
class Lines(logging.Handler):
    """Log records of libraries, in the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        level = next(
            name for name in ("ERROR", "WARNING", "INFO", "DEBUG") if record.levelno >= LEVELS[name] or name == "DEBUG"
        )
        fields: dict[str, Any] = {"logger": record.name}
        if record.exc_info and record.exc_info[1] is not None:
            fields["exception"] = traced(record.exc_info[1])
        write(level, record.getMessage(), **fields)


def take_over() -> None:
    """Sends all warnings and errors of Python's logging through `write`."""
    root = logging.getLogger()
    root.handlers[:] = [Lines()]
    root.setLevel(max(threshold(), logging.WARNING))
