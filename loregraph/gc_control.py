"""Disables the cyclic garbage collector where it only costs time."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Facts, edges and copies are millions of small objects without cycles: the collector would traverse them
    repeatedly, at a tenth to a half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def never_collect() -> None:
    """For a process that ends after one piece of work: its memory is freed with the process.

    Enabling the collector again after a resolution, or ending the interpreter normally, would traverse everything once
    more: 2.5 s for Django's full index.
    """
    gc.disable()
    atexit.register(gc.freeze)


def collect_as_usual() -> None:
    """For a process that continues after all."""
    gc.enable()
    atexit.unregister(gc.freeze)
