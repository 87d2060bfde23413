"""Telling that an answer may be about how files were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.cli.output import count, say

if TYPE_CHECKING:
    from loregraph.project import Project


def warn_if_stale(project: Project) -> None:
    """A line on standard error where files changed since the graph was made; it says what to do about it."""
    stale = project.stale()
    behind = len(stale.changed) + len(stale.added) + len(stale.removed)
    if behind:
        say(f"warning: {count(behind, 'file')} changed since the last index; `loregraph index` makes the graph current")
