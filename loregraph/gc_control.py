"""Work without the cyclic garbage collector."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Facts, edges and copies are millions of small objects without cycles: the collector walks them all again and
    again, which costs a tenth to a half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def never_collect() -> None:
    """For a process that ends with its one piece of work: what that leaves behind goes with the process.

    Turning the collector on again after a resolution, or ending the interpreter, would walk all of it once more: 2.5 s
    of Django's full index.
    """
    gc.disable()
    atexit.register(gc.freeze)


def collect_as_usual() -> None:
    """For a process that turns out to be a long one."""
    gc.enable()
    atexit.unregister(gc.freeze)
