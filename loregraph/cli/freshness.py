"""Warnings that an answer may be outdated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from loregraph.cli.output import count, plain, say
from loregraph.errors import NotFoundError

if TYPE_CHECKING:
    from loregraph.project import Project

LONGEST_PATH = 1_000
"""Characters beyond which a text is no path."""
_WHAT_TO_DO = "since the last index; `loregraph index` makes the graph current"


def warn_if_stale(project: Project) -> None:
    """Prints a line on standard error where files changed since the graph was made, with advice."""
    behind = project.stale().count
    if behind:
        say(f"warning: {count(behind, 'file')} changed {_WHAT_TO_DO}")


# Implements REQ-CLI-018.
class Freshness:
    """The staleness of one command's answers: reported once, in milliseconds, however many answers there are."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._looked = False
        self._said = False

    def stale(self, rows: Iterable[Any] = ()) -> frozenset[str]:
        """The files of `rows` that changed or are gone; the first call examines others as well. Prints a line on
        standard error if anything changed."""
        return self.stale_among(files_of(rows))

    def stale_among(self, paths: Collection[str]) -> frozenset[str]:
        """As `stale`, for the files `paths` of an answer; what is no file of the graph is passed over."""
        behind = self._project.behind(paths, others=not self._looked)
        least = "at least " if behind.unsure or not behind.is_whole or self._looked else ""
        self._looked = True
        if not self._said and (behind.changed or behind.unsure or not behind.is_known):
            self._said = True
            if not behind.is_known:
                say("warning: the store is damaged, so nobody knows which files changed; `loregraph index` repairs it")
            elif behind.changed:
                say(f"warning: {least}{count(len(behind.changed), 'file')} changed {_WHAT_TO_DO}")
            else:
                say(f"warning: {count(behind.unsure, 'file')} may have changed {_WHAT_TO_DO}")
        return behind.changed


@contextmanager
def telling_what_is_stale(project: Project) -> Iterator[None]:
    """For a symbol that is not found, mentions changed files: it may be in one of them."""
    try:
        yield
    except NotFoundError:
        warn_if_stale(project)
        raise


def files_of(rows: Iterable[Any]) -> set[str]:
    """The files of rows with an id and a path."""
    found = set()
    for row in rows:
        found.add(row.file_path)
        path, inside, _ = row.id.partition("::")
        if inside:
            found.add(path)
    return found - {""}


def with_stale_files(answer: Any, freshness: Freshness) -> dict[str, Any]:
    """An answer that is one object as such, with `"stale": [path]` where files that it is about have changed."""
    fields: dict[str, Any] = plain(answer)
    named = set(files_named(fields))
    stale = sorted(named & freshness.stale_among(named))
    return {**fields, "stale": stale} if stale else fields


def files_named(value: Any) -> Iterator[str]:
    """The texts of an answer that may be paths of files, and the paths of ids."""
    if isinstance(value, str):
        path = value.partition("::")[0]
        if 0 < len(path) <= LONGEST_PATH and "\n" not in path:
            yield path
    elif isinstance(value, dict):
        for field in value.values():
            yield from files_named(field)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from files_named(item)


def with_staleness(rows: Iterable[Any], stale: Collection[str]) -> list[dict[str, Any]]:
    """`rows` as objects, with `"stale": true` in those of files among `stale`."""
    return [
        {**plain(row), "stale": True} if stale and not files_of([row]).isdisjoint(stale) else plain(row) for row in rows
    ]
