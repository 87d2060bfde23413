"""`view`: the explorer in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from loregraph.cli.output import echo, say
from loregraph.cli.target import Target
from loregraph.gc_control import collect_as_usual


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen on. Default: a free one.")
@click.option("--no-open", is_flag=True, help="Print the address only; start no browser.")
@click.option("--no-watch", is_flag=True, help="Leave the graph as it is when files change.")
@click.pass_obj
def view(target: Target, port: int | None, no_open: bool, no_watch: bool) -> None:
    """Show the project in a browser: map, symbols, requirements, findings, changes, memories, queries.

    Prints the address, which lets a browser of this machine in until the command is interrupted. The pages follow the
    graph, which follows the files.

    \b
    loregraph view
    loregraph view --no-open --port 8080
    """
    from loregraph.config import find_root
    from loregraph.viewer.server import view as serve

    def ready(address: str, once: str) -> None:
        echo(address)
        say("Ctrl-C ends it")
        if not no_open:
            import webbrowser

            webbrowser.open(once)

    collect_as_usual()
    serve(target.root or find_root(Path()), store=target.store, port=port or 0, watch=not no_watch, ready=ready)
