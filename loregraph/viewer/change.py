"""A change: what differs from a revision, and whom that affects."""

from __future__ import annotations

from typing import Final

from loregraph import git
from loregraph.errors import UsageError
from loregraph.pages import changed
from loregraph.pages.page import Page, Part
from loregraph.project import Project
from loregraph.viewer import analyses
from loregraph.viewer.asked import Asked

BRANCHES: Final = 40
COMMITS: Final = 20
DEFAULTS: Final = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""What work is usually based on."""


# Implements REQ-WEB-007.
def change_page(asked: Asked) -> Page:
    """What differs from the revision `since`: by default from HEAD, where files differ from it, else from where the
    work left its base, else from the commit before."""
    root = asked.project.root
    if not git.in_repository(root):
        return Page("Change", "change.html", {"since": "", "shown": None, "part": "", "now": ""}, "change")
    since = asked.value("since") or _default(asked.project)
    commit = git.commit_of(root, since)
    is_at_once = bool(asked.value("now")) or asked.kept.has(("change", commit)) or not asked.links.part("any")
    return Page(
        "Change",
        "change.html",
        {
            "since": since,
            "commit": commit,
            "tips": git.tips(root, BRANCHES),
            "recent": git.recent(root, COMMITS),
            "part": asked.links.part("change", since=since),
            "now": asked.links.change(since, now=True),
            "shown": _shown(asked, since, commit) if is_at_once else None,
        },
        "change",
    )


def change_part(asked: Asked) -> Part:
    """What `change_page` shows below its form."""
    since = asked.value("since")
    if not since:
        raise UsageError("a revision is needed", "name it as `since`")
    return Part("change_view.html", {"shown": _shown(asked, since, git.commit_of(asked.project.root, since))})


def _shown(asked: Asked, since: str, commit: str) -> changed.ChangeShown:
    def make() -> changed.ChangeShown:
        view = analyses.change_since(asked.project, since, apart=bool(asked.links.part("any")))
        return asked.project.change_shown(view)

    return asked.kept.get(("change", commit), make)


def _default(project: Project) -> str:
    root = project.root
    if git.changed_lines(root, "HEAD"):
        return "HEAD"
    head = git.head(root)
    for name in DEFAULTS:
        try:
            base = git.commit_of(root, f"{name}...")
        except UsageError:
            continue
        if base != head:
            return f"{name}..."
        break
    try:
        git.commit_of(root, "HEAD~1")
    except UsageError:
        return "HEAD"
    return "HEAD~1"
