"""`wrap`: team memory over another memory server."""

from __future__ import annotations

from pathlib import Path

import click

from loregraph.cli.target import Target, say_remarks
from loregraph.gc_control import collect_as_usual


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--scope",
    type=click.Choice(("auto", "org", "project")),
    default="auto",
    show_default=True,
    help="Namespace of new names: the project's, org (for every project), or as the rules in [wrap] say.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=45.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the server may take for an answer.",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_obj
def wrap(target: Target, scope: str, timeout: float, command: tuple[str, ...]) -> None:
    """Make the memory server that COMMAND starts a team's: hosts start this in its place.

    Names of entities get the project's namespace, what is written says who wrote it, and any number of sessions may
    write one file at once. All else passes through as it is. The file is the one that $MEMORY_FILE_PATH names.

    \b
    loregraph wrap -- npx -y @modelcontextprotocol/server-memory
    loregraph wrap --scope org -- npx -y @modelcontextprotocol/server-memory
    """
    from loregraph.bridges import wrap as bridge
    from loregraph.config import find_root, load_settings

    collect_as_usual()
    root = target.root or find_root(Path())
    settings = load_settings(root)
    say_remarks(settings.remarks)
    bridge.wrap(root, settings, command, scope=scope, seconds=timeout)
