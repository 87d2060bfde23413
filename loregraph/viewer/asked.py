"""What a page is made from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from loregraph.errors import UsageError
from loregraph.pages.links import Links
from loregraph.project import Project

Value = TypeVar("Value")

MOST_KEPT: Final = 200
"""Values kept for one graph; the oldest goes first."""


class Kept:
    """What was computed for one state of the graph. Thread-safe: a value is made once, by the first who asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[object, Any] = {}
        self._making: dict[object, threading.Lock] = {}

    def has(self, name: object) -> bool:
        """Whether `get` would give the value at once."""
        with self._lock:
            return name in self._values

    def get(self, name: object, make: Callable[[], Value]) -> Value:
        """The value of that name, hashable; what `make` raises is not kept."""
        with self._lock:
            if name in self._values:
                kept: Value = self._values[name]
                return kept
            making = self._making.setdefault(name, threading.Lock())
        with making:
            with self._lock:
                if name in self._values:
                    kept = self._values[name]
                    return kept
            made = make()
            with self._lock:
                self._values[name] = made
                self._making.pop(name, None)
                if len(self._values) > MOST_KEPT:
                    del self._values[next(iter(self._values))]
            return made


@dataclass(frozen=True)
class Asked:
    """One question for a page. `project` is for this question alone; `values` are those of the address, or of a posted
    form. `writes`: whether forms make sense, which an export has none of."""

    project: Project
    links: Links
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)
    writes: bool = False

    def value(self, name: str, default: str = "") -> str:
        """The first value of that name, stripped; `default` where there is none."""
        return next((value.strip() for value in self.values.get(name, ())), "") or default

    def every(self, name: str) -> tuple[str, ...]:
        return tuple(filter(None, map(str.strip, self.values.get(name, ()))))

    def number(self, name: str, default: int, most: int) -> int:
        """From 0 to `most`. Raises UsageError for anything else."""
        text = self.value(name)
        if not text:
            return default
        if not (text.isascii() and text.isdigit()) or len(text) > len(str(most)) or int(text) > most:
            raise UsageError(f"{name} is {text[:40]!r}, not a number from 0 to {most:,}", "leave it out, or correct it")
        return int(text)
