"""`view`: the explorer in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from loregraph.cli.output import count, echo, say, size
from loregraph.cli.target import Target, in_workspace
from loregraph.errors import UsageError
from loregraph.gc_control import collect_as_usual


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen on. Default: a free one.")
@click.option("--no-open", is_flag=True, help="Print the address only; start no browser.")
@click.option("--no-watch", is_flag=True, help="Leave the graph as it is when files change.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the pages to this folder, for a build or a host of pages, and end.",
)
@click.option("--no-memories", is_flag=True, help="With --export: leave memories out.")
@in_workspace
@click.pass_obj
def view(
    target: Target, port: int | None, no_open: bool, no_watch: bool, folder: Path | None, no_memories: bool
) -> None:
    """Show the project in a browser: map, symbols, requirements, findings, changes, memories, queries.

    Prints the address, which lets a browser of this machine in until the command is interrupted. The pages follow the
    graph, which follows the files.

    \b
    loregraph view
    loregraph view --no-open --port 8080
    loregraph view --export public

    With --export the pages are files that open without a server: index.html and one page a file, requirement and
    memory that everyone in the project may see. The folder has to be new, empty or of an earlier export, which is
    replaced.
    """
    from loregraph.viewer.server import view as serve

    if folder is not None:
        export_pages(target, folder, memories=not no_memories)
        return
    if no_memories:
        raise UsageError("--no-memories is for --export", "name a folder with --export DIR")

    def ready(address: str, once: str) -> None:
        echo(address)
        say("Ctrl-C ends it")
        if not no_open:
            import webbrowser

            webbrowser.open(once)

    collect_as_usual()
    root, options = target.served()
    serve(root, store=target.store, port=port or 0, watch=not no_watch, ready=ready, **options)


def export_pages(target: Target, folder: Path, *, memories: bool = True) -> None:
    """Writes the pages to `folder` and says how many."""
    from loregraph.viewer.export import export

    collect_as_usual()
    root, options = target.served()
    made = export(root, folder, store=target.store, memories=memories, **options)
    say(f"{count(made.pages, 'page')}, {size(made.size_bytes)}, written to {folder / 'index.html'}")
    for route, number in made.left_out.items():
        say(f"{count(number, 'page')} of {route} left out, to keep it small")
