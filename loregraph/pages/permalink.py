"""Permanent links to the lines of a file on the host of its repository, derived from git's remote.

A remote's URL is as untrusted as any other file of a repository: only the forms below give a link, it is always
`https:`, and what may be a credential is left out.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import quote

_MOST_URL: Final = 500
_SCP: Final = re.compile(r"(?:[^\s@:/]{1,64}@)?(?P<host>[\w.-]{1,253}):(?!/)(?P<path>[^\s:]{1,300})")
_URL: Final = re.compile(
    r"(?:https?|ssh|git|git\+ssh)://(?:[^\s@/]{1,300}@)?(?P<host>[\w.-]{1,253})(?::[0-9]{1,5})?/(?P<path>[^\s:]{1,300})",
    re.IGNORECASE,
)
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)+")
_PART: Final = re.compile(r"~?[\w.-]{1,100}", re.ASCII)
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class _Form(NamedTuple):
    """How a kind of host addresses a file at a commit, lines of it, and a commit."""

    file: str
    one_line: str
    lines: str
    commit: str


_GITHUB: Final = _Form("/blob/{commit}/{path}", "#L{first}", "#L{first}-L{last}", "/commit/{commit}")
_GITLAB: Final = _Form("/-/blob/{commit}/{path}", "#L{first}", "#L{first}-{last}", "/-/commit/{commit}")
_BITBUCKET: Final = _Form("/src/{commit}/{path}", "#lines-{first}", "#lines-{first}:{last}", "/commits/{commit}")
_GITEA: Final = _Form("/src/commit/{commit}/{path}", "#L{first}", "#L{first}-L{last}", "/commit/{commit}")
_SOURCEHUT: Final = _Form("/tree/{commit}/item/{path}", "#L{first}", "#L{first}-{last}", "/commit/{commit}")
_HOSTS: Final = {
    "github.com": _GITHUB,
    "gitlab.com": _GITLAB,
    "bitbucket.org": _BITBUCKET,
    "codeberg.org": _GITEA,
    "gitea.com": _GITEA,
    "git.sr.ht": _SOURCEHUT,
}
_BY_WORD: Final = {"gitlab": _GITLAB, "github": _GITHUB, "gitea": _GITEA, "forgejo": _GITEA}
"""A word in the first labels of a host that an organisation runs by itself → what it runs."""


class Repository(NamedTuple):
    """A repository on a host. `address` begins with `https://` and has no slash at its end."""

    host: str
    address: str

    def file(self, commit: str, path: str, first: int = 0, last: int = 0) -> str:
        """The address of lines `first` to `last` of a file at `commit`; of the file without a line. `path` is relative
        to the repository's top."""
        form = _form(self.host)
        if form is None or not _COMMIT.fullmatch(commit):
            return ""
        address = self.address + form.file.format(commit=commit, path=quote(path))
        if not first:
            return address
        return address + (form.lines if last > first else form.one_line).format(first=first, last=last)

    def commit(self, commit: str) -> str:
        """The address of a commit."""
        form = _form(self.host)
        return "" if form is None or not _COMMIT.fullmatch(commit) else self.address + form.commit.format(commit=commit)


def repository(remote: str) -> Repository | None:
    """The repository of a remote's URL, `https:`, `ssh:` or `git@host:path`; None for any other, and for hosts whose
    addresses are not known."""
    if len(remote) > _MOST_URL:
        return None
    found = _URL.fullmatch(remote) or _SCP.fullmatch(remote)
    if found is None:
        return None
    host = found["host"].lower()
    parts = found["path"].strip("/").removesuffix(".git").split("/")
    if not _HOST.fullmatch(host) or _form(host) is None:
        return None
    if not 2 <= len(parts) <= 20 or any(not _PART.fullmatch(part) or set(part) == {"."} for part in parts):
        return None
    return Repository(host, f"https://{host}/{'/'.join(parts)}")


def _form(host: str) -> _Form | None:
    known = _HOSTS.get(host)
    if known is None:
        words = host.split(".")[:-1]
        known = next((form for word, form in _BY_WORD.items() if word in words), None)
    return known
