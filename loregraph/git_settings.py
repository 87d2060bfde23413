"""Repository settings that make git run or open something, and the countermeasure for each.

A clone brings none of these settings, an archive of a checkout all of them. git reads them with every command, so those
that may run something are overridden on the command line, which takes precedence over any file; those below a name
chosen by the repository (`filter.<name>.clean`) are listed first and overridden by name. The rest is only read by
commands that loregraph never runs. The sources are git's own list, `git help --config`, and `git help config`; a test
checks that each setting in it whose name suggests that it runs or opens something is in one of these tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

COMMANDS: Final = frozenset(
    ("cat-file", "config", "diff", "diff-tree", "log", "ls-files", "ls-tree", "merge-base", "rev-parse", "version")
)
"""Every subcommand that loregraph runs; all of them read, and aliases cannot replace git's own subcommands."""

ALWAYS: Final[dict[str, tuple[str, ...]]] = {
    "diff": ("--no-ext-diff", "--no-textconv"),
    "diff-tree": ("--no-ext-diff", "--no-textconv"),
    "log": ("--no-ext-diff", "--no-textconv", "--no-show-signature"),
}
"""Subcommand → its fixed options: only these disable an external diff, since an empty name would be run."""

_NOTHING: Final = "/dev/null"
"""git accepts this name on Windows too."""

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
"""Setting → its value in all of loregraph's calls. A folder that looks like a bare repository is never used as one: a
clone can contain such a folder, with a configuration of its own."""

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
"""(section, key) of settings below a name chosen by the repository → their values when files are compared. `funcname`
runs nothing, but is a regular expression that may run forever."""

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
"""Setting → what makes its value harmless, so that it is not overridden."""

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
"""Settings, or their prefixes, that are only read by commands not in `COMMANDS` (those that write, show, merge, send or
fetch); or that are words, colours and numbers."""


def overridden(name: str) -> str | None:
    """The overriding value of the setting `name` of a driver, filter or remote; None where it is not overridden."""
    section, _, rest = name.partition(".")
    chosen, dot, key = rest.rpartition(".")
    return _BY_NAME.get((section.lower(), key.lower())) if dot and chosen else None


def pins() -> list[str]:
    """The options before the subcommand that set `PINNED`."""
    return [word for name, value in PINNED.items() for word in ("-c", f"{name}={value}")]


def override(names: Iterable[str], environment: dict[str, str]) -> list[str]:
    """The options that override the settings among `names` that run something.

    The values are passed by `environment`: the name of a driver may contain a `=`, at which `-c` would split it.
    """
    options = []
    for name in dict.fromkeys(names):
        value = overridden(name)
        if value is not None:
            variable = f"LOREGRAPH_GIT_{value.upper() or 'EMPTY'}"
            environment[variable] = value
            options.append(f"--config-env={name}={variable}")
    return options
