"""`doctor`: checks this machine."""

from __future__ import annotations

import click

from loregraph.cli.output import as_json, echo, print_json, size, styled
from loregraph.cli.target import Target

MARKS = {"ok": ("ok", "green"), "warning": ("!", "yellow"), "failed": ("failed", "red")}


@click.command()
@click.option("--mcp", is_flag=True, help="Also start the MCP server as a host would and call what only reads.")
@click.option("--clear-cache", is_flag=True, help="First remove the graphs kept for other worktrees, of all projects.")
@as_json
@click.pass_obj
def doctor(target: Target, mcp: bool, clear_cache: bool, as_json: bool) -> None:
    """Try what loregraph needs on this machine.

    What does not work is listed with what to do about it.

    Exit code 3 if something that is needed does not work.

    \b
    loregraph doctor
    loregraph doctor --json
    loregraph doctor --mcp
    loregraph doctor --clear-cache

    JSON: a list of {"name", "status": "ok" | "warning" | "failed", "detail", "suggestion"}.
    """
    with target.open() as project:
        if clear_cache:
            from loregraph.doctor import clear_cache as cleared

            echo(f"removed from the cache: {size(cleared(project.settings))}", err=True)
        checks = project.doctor()
        root = project.root
    from loregraph.doctor import FAILED, overall

    if mcp:
        from loregraph.mcp_server.probe import probe

        checks += probe(root, target.store, "code-memory")
    if as_json:
        print_json(checks)
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            mark, colour = MARKS[check.status]
            echo(styled(mark.ljust(6), fg=colour), f"  {check.name:<{width}}  {check.detail}")
            if check.suggestion:
                echo(f"{'':6}  {'':{width}}  {check.suggestion}")
    if overall(checks) == FAILED:
        raise click.exceptions.Exit(3)
