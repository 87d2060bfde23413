"""A progress bar on standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loregraph.indexer.pipeline import Progress


def watched() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


@contextmanager
def bar() -> Iterator[Callable[[Progress], None] | None]:
    """A callback that shows progress and removes the bar at the end; None without a terminal."""
    if not watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Display

    columns = (
        TextColumn("{task.description:<9}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[done]}", markup=False),
    )
    # No refresh thread: worker processes start faster in a process with one thread.
    with Display(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as display:
        task = display.add_task("", total=None, done="")

        def show(progress: Progress) -> None:
            done = f"{progress.done:,} of {progress.total:,}" if progress.total else ""
            display.update(
                task,
                description=progress.phase,
                completed=progress.done,
                total=progress.total or None,
                done=done,
                refresh=True,
            )

        yield show
