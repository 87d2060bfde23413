"""The graphs of repositories whose files are elsewhere: published ones, kept in the user's cache.

A graph is fetched when it is first asked, and again by `loregraph index --workspace`: what is published later is not
looked for by a question.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from loregraph.graph.generation import StoreFolder
from loregraph.user_files import blake2b, cache_folder
from loregraph.workspaces.file import Member

_FOLDER: Final = "workspaces"


def pulled_path(member: Member) -> Path:
    """Where the graph of a published repository is kept."""
    named = "\0".join((member.url, member.published, member.commit)).encode()
    return cache_folder() / _FOLDER / f"pulled-{blake2b(named, digest_size=12).hexdigest()}"


def pulled_store(member: Member) -> StoreFolder:
    """The store with the graph that was published at `member.url`, which is fetched if it was not yet.

    Raises as `publishing.pull.pull_published`.
    """
    store = StoreFolder(pulled_path(member))
    if store.current() is None:
        fetch(member)
    return store


def fetch(member: Member) -> str:
    """Fetches the graph of a published repository as it is now; returns its commit."""
    from loregraph.publishing.pull import pull_published

    return pull_published(member.url, member.published, StoreFolder(pulled_path(member)), member.commit).commit
