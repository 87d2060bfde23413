"""`trust`: shows what a repository requests beyond its own files, and records the user's consent."""

from __future__ import annotations

from pathlib import Path

import click

from loregraph.cli.output import as_json, echo, print_json
from loregraph.cli.target import Target


# Implements REQ-SEC-003.
@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--list", "listed", is_flag=True, help="List everything that was trusted.")
@click.option("--revoke", is_flag=True, help="Take back every yes to the repository.")
@click.option("--memories", is_flag=True, help="Also share the memories of the project that has its name.")
@click.option("--yes", is_flag=True, help="Say yes without being asked.")
@as_json
@click.pass_obj
def trust(
    target: Target, path: Path | None, listed: bool, revoke: bool, memories: bool, yes: bool, as_json: bool
) -> None:
    """Allow what a repository asks for beyond itself.

    Shows which settings of the repository reach further than its own files (a store or memories elsewhere, an embedder
    that uses a network, another memory backend), which command its tools.json runs, and whether a store came with it.
    Asks, and keeps the answer in the user's data folder, for these values and this content: what changes is asked about
    again. Until then loregraph ignores it.

    PATH is a folder of the repository, by default this one, or the file of a `loregraph proxy`.

    LOREGRAPH_TRUST=1 in the environment allows everything, for machines that are made for one repository.

    \b
    loregraph trust
    loregraph trust --yes path/to/tools.json
    loregraph trust --list
    loregraph trust --revoke

    \b
    JSON: {"root", "asks": [{"kind": "setting" | "file" | "store", "name", "value", "why"}], "memories": {"project_id",
    "of"} or null, "trusted"}; with --list {"roots": {root: {key: value}}, "files": [path], "stores": [path]}; with
    --revoke {"root", "revoked"}
    """
    from loregraph.cli import trusting

    if listed:
        trusting.show_trusted(as_json)
        return
    if revoke:
        trusting.take_back(target, path, as_json)
        return
    asked = trusting.asked_by(target, path)
    granted = False
    wants_memories = bool(asked.memories[0]) and memories
    if not as_json:
        trusting.show(asked, memories)
    if asked.rows() or wants_memories:
        granted = yes or (not as_json and trusting.confirmed())
    if granted:
        trusting.keep(asked, wants_memories)
    if as_json:
        project_id, owner = asked.memories
        shared = {"project_id": project_id, "of": owner} if project_id else None
        print_json({"root": str(asked.root), "asks": asked.rows(), "memories": shared, "trusted": granted})
    elif granted:
        echo("trusted: what changes is asked about again; `loregraph trust --revoke` takes it back")
