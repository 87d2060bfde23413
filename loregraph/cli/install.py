"""`install` and `uninstall`: put loregraph into a host's configuration, and take it out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loregraph.cli.output import agreed, as_json, echo, echo_text, print_json, print_rows, say
from loregraph.cli.serve import PROFILES
from loregraph.cli.target import Target
from loregraph.errors import UsageError

if TYPE_CHECKING:
    from loregraph.hosts.installing import Change

F = TypeVar("F", bound=Callable[..., Any])


def writes_a_host(command: F) -> F:
    """The options shared by both commands."""
    for decorate in reversed(
        (
            click.option("--user", is_flag=True, help="For all projects of yours, not for this project's files."),
            click.option("--dry-run", is_flag=True, help="Show the difference, and write nothing."),
            click.option("--yes", is_flag=True, help="Write without being asked."),
            as_json,
        )
    ):
        command = decorate(command)
    return command


# Implements REQ-CLI-020.
@click.command()
@click.argument("host", required=False)
@click.option("--profile", type=click.Choice(PROFILES), help="Which tools the host sees. Default: that of `serve`.")
@click.option(
    "--instructions", is_flag=True, help="Also tell agents when to ask, in a marked block of AGENTS.md or the like."
)
@click.option("--skill", is_flag=True, help="Also tell them as a skill, for hosts that have skills.")
@click.option("--hook", is_flag=True, help="Also hint at loregraph before a search by grep, for hosts that have hooks.")
@writes_a_host
@click.pass_obj
def install(
    target: Target,
    host: str | None,
    user: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
    profile: str | None,
    instructions: bool,
    skill: bool,
    hook: bool,
) -> None:
    """Make a host start `loregraph serve`.

    Writes the host's own configuration: the file in the project, or with --user that of the user. Shows the difference
    and asks first; all else in the file stays as it is. Without HOST, lists the hosts, and which seem to be here.

    AGENTS.md, CLAUDE.md and the like are only touched with --instructions. With --json nobody is asked, so nothing is
    written without --yes.

    \b
    loregraph install
    loregraph install claude-code
    loregraph install codex --user --dry-run
    loregraph install cursor --instructions --yes

    \b
    JSON: {"host", "scope": "project" | "user", "files": [{"kind": "server" | "instructions" | "skill" | "hook", "path",
    "action": "create" | "change" | "remove" | "none", "replaces", "note", "diff"}], "written"}; without HOST a
    list of {"host", "title", "present", "project", "user", "source", "note"}
    """
    from loregraph.hosts import installing, table

    root = root_of(target)
    if host is None:
        list_hosts(root, as_json)
        return
    if target.store is not None:
        raise UsageError(
            "--store is not written into a host's configuration", "set LOREGRAPH_STORE, or `store` in its settings"
        )
    extras = [name for name, wanted in (("instructions", instructions), ("skill", skill), ("hook", hook)) if wanted]
    row = table.host_named(host)
    changes = installing.installation(row, root, user, extras, profile)
    written = carry_out(changes, user, dry_run, yes, as_json, row.name)
    if not as_json and written:
        tell_next(row.title, row.note, user)


# Implements REQ-CLI-020.
@click.command()
@click.argument("host")
@click.option("--instructions", is_flag=True, help="As for `install`: the marked block goes in any case.")
@writes_a_host
@click.pass_obj
def uninstall(
    target: Target, host: str, instructions: bool, user: bool, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Take out what `install` wrote, and nothing else.

    A file that nobody else has changed becomes what it was, to the byte; one that `install` made goes. In a file that
    was changed since, only loregraph's own entry is removed. Shows the difference and asks first.

    \b
    loregraph uninstall claude-code
    loregraph uninstall codex --user --yes

    JSON: as `install`.
    """
    from loregraph.hosts import installing, table

    row = table.host_named(host)
    changes = installing.removal(row, root_of(target), user)
    carry_out(changes, user, dry_run, yes, as_json, row.name)


def root_of(target: Target) -> Path:
    from loregraph.config import find_root

    return (target.root or find_root(Path())).resolve()


def carry_out(changes: list[Change], user: bool, dry_run: bool, yes: bool, as_json: bool, host: str) -> bool:
    """Shows the changes, asks, and writes; returns whether it wrote. Raises UsageError where nobody is there to ask."""
    from loregraph.hosts import installing

    pending = [one for one in changes if one.action != "none"]
    if not as_json:
        show(changes)
    asks = pending and not dry_run and not yes and not as_json
    if asks and not sys.stdin.isatty():
        raise UsageError("nobody is there to ask", "look at the difference, then add --yes")
    granted = not dry_run and (yes or (bool(asks) and agreed(question(pending))))
    if granted or (not pending and not dry_run):
        installing.apply(changes)
    written = granted and bool(pending)
    if as_json:
        rows = [
            {
                "kind": one.kind,
                "path": one.file.shown,
                "action": one.action,
                "replaces": one.replaces,
                "note": one.note,
                "diff": difference(one),
            }
            for one in changes
        ]
        print_json({"host": host, "scope": "user" if user else "project", "files": rows, "written": written})
    elif written:
        for one in pending:
            echo(f"{'removed' if one.action == 'remove' else 'wrote'} {one.file.shown}")
    return written


def question(pending: list[Change]) -> str:
    if any(one.replaces for one in pending):
        return "Replace an entry that loregraph did not write?"
    return f"Write {', '.join(one.file.shown for one in pending)}?"


def show(changes: list[Change]) -> None:
    for one in changes:
        if one.action == "none":
            if one.note:
                say(one.note)
            continue
        if one.replaces:
            say(f"{one.file.shown} has an entry named loregraph that loregraph did not write: {one.replaces}")
        echo_text(difference(one))
    if all(one.action == "none" for one in changes):
        echo("nothing to change")


def difference(one: Change) -> str:
    from loregraph.hosts.diff import unified

    before, after = (None if side is None else side.decode() for side in (one.before, one.after))
    return unified(before, after, one.file.shown)


def tell_next(title: str, note: str, user: bool) -> None:
    """What is left for the user to do."""
    from loregraph import orphans

    if note:
        say(f"{title}: {note}")
    if orphans.program("loregraph") is None and not user:
        say("warning: `loregraph` is not on PATH, where hosts look for it: install it with `uv tool` or `pipx`")


def list_hosts(root: Path, as_json: bool) -> None:
    from loregraph.hosts import installing
    from loregraph.hosts.table import HOSTS

    rows = [
        {
            "host": host.name,
            "title": host.title,
            "present": installing.present(host),
            "project": installing.installed(host, root, False),
            "user": installing.installed(host, root, True),
            "source": host.source,
            "note": host.note,
        }
        for host in HOSTS
    ]
    if as_json:
        print_json(rows)
        return
    print_rows([(row["host"], row["title"], state(row)) for row in rows])


def state(row: dict[str, str]) -> str:
    """Where loregraph is installed for a host, or whether the host is here."""
    places = [place for place in (row["project"], row["user"]) if place]
    if places:
        return f"installed in {' and '.join(places)}"
    return f"found {row['present']}" if row["present"] else "not found here"
