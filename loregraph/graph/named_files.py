"""Finds the files of a graph denoted by a path, the end of one, a dotted module name or a bare word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from loregraph.graph.long_query import Place


class NamedFiles:
    """An index of a graph's files by the ends of their paths."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths

    @cached_property
    def _by_name(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        whole: dict[str, list[int]] = {}
        stems: dict[str, list[int]] = {}
        for i, path in enumerate(self._paths):
            name = path.rpartition("/")[2]
            if "." in name:
                whole.setdefault(name, []).append(i)
                stems.setdefault(name.rpartition(".")[0], []).append(i)
        return whole, stems

    def named(self, word: str) -> list[int]:
        """The files whose name without extension is `word`, as indexes into `paths`."""
        return self._by_name[1].get(word, [])

    def find(self, place: Place) -> list[int]:
        """The candidate files for a place: those whose path shares the longest end with it."""
        whole, stems = self._by_name
        path = place.path.strip("/")
        if not place.module:
            return self._longest(path, whole.get(path.rpartition("/")[2], []), 0)
        parts = path.split("/")
        for last in range(len(parts), 1, -1):
            stem = "/".join(parts[:last])
            if found := self._longest(stem, stems.get(parts[last - 1], []), 2, stems=True):
                return found
        return []

    def _longest(self, path: str, candidates: list[int], least: int, *, stems: bool = False) -> list[int]:
        wanted = path.split("/")[::-1]
        found: list[int] = []
        best = least or 1
        for i in candidates:
            own = self._paths[i].rpartition(".")[0] if stems else self._paths[i]
            shared = 0
            for a, b in zip(wanted, reversed(own.split("/")), strict=False):
                if a != b:
                    break
                shared += 1
            if shared > best:
                best, found = shared, [i]
            elif shared == best:
                found.append(i)
        return found
