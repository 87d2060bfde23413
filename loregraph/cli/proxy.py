"""`proxy`: another MCP server behind the tools of one file."""

from __future__ import annotations

from pathlib import Path

import click

from loregraph.cli.output import echo, echo_data
from loregraph.gc_control import collect_as_usual

FINDINGS = 1


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="TOOLS.JSON", required=False)
@click.option("--check", is_flag=True, help="Ask the upstream whether it has the mapped tools and parameters, and end.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=45.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the upstream may take to answer; progress puts it off.",
)
@click.option(
    "--example", metavar="NAME", help="Print a file that comes with loregraph: episodic-memory, server-memory."
)
def proxy(file: Path | None, check: bool, timeout: float, example: str | None) -> int:
    """Serve another MCP server's tools under names that do not change.

    TOOLS.JSON says which server to start, which tools a host sees, and where their parameters go. When the server
    changes, or another takes its place, only the file does. Nothing is stored. docs/bridges.md has its form.

    A file that lies in a git repository names a command that its author chose: it is used once `loregraph trust
    TOOLS.JSON` has allowed it.

    \b
    loregraph proxy --example episodic-memory > tools.json
    loregraph proxy --check tools.json
    loregraph proxy tools.json
    """
    from loregraph.bridges import proxy_file

    if example is not None:
        echo_data(proxy_file.example(example))
        return 0
    if file is None:
        raise click.UsageError("Missing argument 'TOOLS.JSON'.")
    read = proxy_file.trusted(file)
    if not check:
        from loregraph.bridges.proxy import serve

        collect_as_usual()
        serve(read, seconds=timeout)
        return 0
    from loregraph.bridges import proxy_check

    server, faults = proxy_check.check(read, seconds=timeout)
    for where, what in faults:
        echo(f"{where}: {what}")
    if faults:
        return FINDINGS
    name = " ".join(str(server[key]) for key in ("name", "version") if key in server) or "the upstream"
    echo(f"ok: {len(read.tools)} tools, all of them in {name}")
    return 0
