"""`push`: the graph into a shared server."""

from __future__ import annotations

import click

from loregraph.cli.output import as_json, count, echo, print_json, say
from loregraph.cli.target import Target


@click.command()
@click.argument("url")
@click.option("--database", metavar="NAME", help="The database on the server. Default: the one it opens by itself.")
@click.option("--as", "name", metavar="NAME", help="What the repository is called there. Default: the project's id.")
@as_json
@click.pass_obj
def push(target: Target, url: str, database: str | None, name: str | None, as_json: bool) -> None:
    """Load the graph into the server at URL, for others to ask.

    The server speaks Bolt and Cypher: Neo4j 5, Memgraph or ArcadeDB. URL is bolt://HOST:PORT, or bolt+s://HOST:PORT for
    TLS. User and password are read from LOREGRAPH_BOLT_USER and LOREGRAPH_BOLT_PASSWORD.

    \b
    loregraph push bolt://localhost:7687 --as web
    loregraph push bolt+s://graph.example.com:7687 --database code

    What the server had of this repository is asked until all of the new graph is there. A graph that it has already is
    not loaded again. Memories stay here. docs/server.md has more.

    JSON: {"nodes", "edges", "generation"}, the last counts what was loaded of this repository.
    """
    from loregraph.bolt.address import sends_password_in_the_clear, server_at
    from loregraph.cli.progress import bar
    from loregraph.indexer.build.report import Progress

    if sends_password_in_the_clear(server_at(url, database or "")):
        say("warning: the password is sent without encryption; bolt+s:// encrypts it")
    with target.open() as project, bar() as shown:
        pushed = project.push(
            url,
            database=database or "",
            name=name or "",
            waiting=lambda: say("another push of this repository is at work; waiting for it"),
            progress=None if shown is None else lambda done, total: shown(Progress("load", done, total)),
        )
    if as_json:
        print_json({"nodes": pushed.nodes, "edges": pushed.edges, "generation": pushed.generation})
    else:
        echo(
            f"{count(pushed.nodes, 'node')}, {count(pushed.edges, 'edge')}, generation {pushed.generation}"
            + (", which the server had already" if pushed.unchanged else "")
        )
