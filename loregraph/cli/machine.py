"""`doctor`: what works on this machine."""

from __future__ import annotations

import click

from loregraph.cli.output import as_json, print_json
from loregraph.cli.target import Target

MARKS = {"ok": ("ok", "green"), "warning": ("!", "yellow"), "failed": ("failed", "red")}


@click.command()
@as_json
@click.pass_obj
def doctor(target: Target, as_json: bool) -> None:
    """Try what loregraph needs on this machine.

    What does not work is listed with what to do about it.

    Exit code 3 if something that is needed does not work.

    \b
    loregraph doctor
    loregraph doctor --json

    JSON: a list of {"name", "status": "ok" | "warning" | "failed", "detail", "suggestion"}.
    """
    with target.open() as project:
        checks = project.doctor()
    if as_json:
        print_json(checks)
    else:
        for check in checks:
            mark, colour = MARKS[check.status]
            click.echo(f"{click.style(mark.ljust(6), fg=colour)}  {check.name:<12}  {check.detail}")
            if check.suggestion:
                click.echo(f"{'':6}  {'':12}  {check.suggestion}")
    if any(check.status == "failed" for check in checks):
        raise click.exceptions.Exit(3)
