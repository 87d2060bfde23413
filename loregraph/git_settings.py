"""What a repository's configuration can make git run or open, and what each such setting is held by.

A clone brings none of it, an archive of a checkout all of it. git reads it with every command, so what may run
something is given another value on the command line, which counts before any file; what needs a name that the
repository chooses (`filter.<name>.clean`) is looked up first and overridden by name. The rest is read by commands that
loregraph never runs. The sources are git's own list, `git help --config`, and `git help config`; a test holds that
each setting in it which sounds as if it ran or opened something is in one of these tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

COMMANDS: Final = frozenset(
    ("cat-file", "config", "diff", "diff-tree", "log", "ls-files", "merge-base", "rev-parse", "version")
)
"""Every subcommand that loregraph runs; all of them read, and no alias can stand in for one of git's own."""

ALWAYS: Final[dict[str, tuple[str, ...]]] = {
    "diff": ("--no-ext-diff", "--no-textconv"),
    "diff-tree": ("--no-ext-diff", "--no-textconv"),
    "log": ("--no-ext-diff", "--no-textconv", "--no-show-signature"),
}
"""Subcommand → the options it always has: an external diff is switched off by these alone, an empty name is run."""

_NOTHING: Final = "/dev/null"
"""git takes this name on Windows too."""

PINNED: Final[dict[str, str]] = {
    "core.alternateRefsCommand": "false",
    "core.askPass": "",
    "core.editor": "false",
    "core.fsmonitor": "false",
    "core.gitProxy": "",
    "core.hooksPath": _NOTHING,
    "core.pager": "cat",
    "core.quotePath": "true",
    "core.sshCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "diff.ignoreSubmodules": "all",
    "diff.orderFile": _NOTHING,
    "diff.submodule": "short",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "gpg.program": "false",
    "gpg.openpgp.program": "false",
    "gpg.ssh.defaultKeyCommand": "",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "interactive.diffFilter": "",
    "log.mailmap": "false",
    "log.showSignature": "false",
    "mailmap.blob": "",
    "mailmap.file": "",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "sequence.editor": "false",
    "submodule.recurse": "false",
    "trace2.eventTarget": "0",
    "trace2.normalTarget": "0",
    "trace2.perfTarget": "0",
    "uploadpack.packObjectsHook": "",
}
"""Setting → the value it has whenever loregraph asks. A folder that looks like a bare repository is never taken for
one: a clone can hold such a folder, with a configuration of its own."""

_BY_NAME: Final[dict[tuple[str, str], str]] = {
    ("diff", "command"): "",
    ("diff", "funcname"): "",
    ("diff", "textconv"): "",
    ("diff", "xfuncname"): "",
    ("filter", "clean"): "",
    ("filter", "process"): "",
    ("filter", "required"): "false",
    ("filter", "smudge"): "",
    ("gpg", "program"): "false",
    ("merge", "driver"): "",
    ("remote", "promisor"): "false",
    ("remote", "uploadpack"): "false",
    ("remote", "vcs"): "",
}
"""(section, key) of settings under a name that the repository chooses → the value they have when files are compared.
`funcname` runs nothing, it is a regular expression that can take for ever."""

HELD_OTHERWISE: Final[dict[str, str]] = {
    "alias.*": "git looks its own commands up first",
    "core.attributesFile": "patterns; what they name is overridden",
    "core.excludesFile": "patterns; they decide which files are listed, and are not shown",
    "core.worktree": "GIT_WORK_TREE, which is the folder that holds .git",
    "extensions.partialClone": "GIT_ALLOW_PROTOCOL: what a partial clone left out is not fetched",
    "extensions.worktreeConfig": "one more file of settings, to which the same values are preferred",
    "include.path": "one more file of settings, to which the same values are preferred",
    "includeIf.<condition>.path": "one more file of settings, to which the same values are preferred",
    "pager.<cmd>": "--no-pager",
    "protocol.<name>.allow": "GIT_ALLOW_PROTOCOL, which is empty",
    "safe.directory": "git reads it from the user's configuration only",
    "url.<base>.insteadOf": "GIT_ALLOW_PROTOCOL, which is empty",
    "url.<base>.pushInsteadOf": "GIT_ALLOW_PROTOCOL, which is empty",
}
"""Setting → what holds it where its value is left as it is."""

NOT_READ: Final = (
    "add.", "advice.", "am.", "apply.", "blame.", "branch.", "browser.", "bundle.", "checkout.", "clean.", "clone.",
    "color.", "column.", "commit.", "commitGraph.", "completion.", "credential.", "diff.guitool", "diff.tool",
    "difftool.", "fastimport.", "feature.", "fetch.", "format.", "fsck.", "fsmonitor.", "gc.", "gitcvs.", "gitweb.",
    "gpg.ssh.", "gui.", "guitool.", "help.", "http.", "imap.", "init.", "instaweb.", "interactive.",
    "log.excludeDecoration", "lsrefs.", "man.", "merge.", "mergetool.", "notes.", "pack.", "pull.", "push.", "rebase.",
    "receive.", "remote.", "remotes.", "rerere.", "sendemail.", "sendpack.", "sparse.", "splitIndex.", "ssh.", "stash.",
    "status.", "submodule.", "tag.", "trace2.", "transfer.", "uploadarchive.", "uploadpack.", "uploadpackfilter.",
    "user.", "versionsort.", "web.", "worktree.",
)  # fmt: skip
"""Settings, or how they begin, that only commands read which are not in `COMMANDS`: those that write, show, merge, send
or fetch; or that are words, colours and numbers."""


def overridden(name: str) -> str | None:
    """The value that the setting `name` of a driver, filter or remote is given; None where it stays as it is."""
    section, _, rest = name.partition(".")
    chosen, dot, key = rest.rpartition(".")
    return _BY_NAME.get((section.lower(), key.lower())) if dot and chosen else None


def pins() -> list[str]:
    """The options before the subcommand that hold `PINNED`."""
    return [word for name, value in PINNED.items() for word in ("-c", f"{name}={value}")]


def override(names: Iterable[str], environment: dict[str, str]) -> list[str]:
    """The options that override those of `names` which run something.

    The values go by way of `environment`: the name of a driver may hold a `=`, at which `-c` would cut it.
    """
    options = []
    for name in dict.fromkeys(names):
        value = overridden(name)
        if value is not None:
            variable = f"LOREGRAPH_GIT_{value.upper() or 'EMPTY'}"
            environment[variable] = value
            options.append(f"--config-env={name}={variable}")
    return options
