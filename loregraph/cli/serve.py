"""`serve`: the MCP server."""

from __future__ import annotations

import click

from loregraph.cli.target import Target, in_workspace
from loregraph.gc_control import collect_as_usual

PROFILES = ("code-memory", "agent-memory", "scoped", "lean", "coding", "all")


@click.command()
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default=PROFILES[0],
    show_default=True,
    help="Which tools the host sees.",
)
@click.option("--project-id", metavar="ID", help="Name of the project in memories. Default: from git, else the folder.")
@click.option(
    "--transport",
    type=click.Choice(("stdio", "http")),
    default="stdio",
    show_default=True,
    help="How the host reaches the server.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="http: the address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="http: the port.")
@click.option("--no-watch", is_flag=True, help="Leave the graph as it is when files change.")
@in_workspace
@click.pass_obj
def serve(
    target: Target, profile: str, project_id: str | None, transport: str, host: str, port: int, no_watch: bool
) -> None:
    """Serve the project to an agent, over MCP.

    Hosts start this themselves: docs/mcp.md has the line for each. Standard output carries the protocol, standard
    error a line of JSON for each call.

    Once the project is indexed, changes of its files are indexed as they happen; of several servers and `watch`
    commands one does that.

    With --workspace it answers for several repositories, which are indexed and written to one by one: its tools read.

    Over http, an address other than this machine's own needs a token in $LOREGRAPH_TOKEN.

    \b
    loregraph serve
    loregraph serve --profile lean
    loregraph serve --transport http --port 8765
    """
    from loregraph.mcp_server import main

    collect_as_usual()
    root, options = target.served()
    main.serve(
        root,
        store=target.store,
        profile=profile,
        project_id=project_id,
        transport=transport,
        host=host,
        port=port,
        watch=not no_watch,
        **options,
    )
