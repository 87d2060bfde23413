"""`workspace`, and `index --workspace`: several repositories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loregraph.cli.output import as_json, count, echo, heading, print_json, print_rows, say
from loregraph.cli.target import WORKSPACE, Target, in_workspace, say_remarks
from loregraph.errors import LoregraphError, UsageError

if TYPE_CHECKING:
    from loregraph.workspaces.overview import Overview


# Implements REQ-WSP-008.
@click.command()
@click.argument("file", required=False, type=WORKSPACE)
@as_json
@in_workspace
@click.pass_obj
def workspace(target: Target, file: Path | None, as_json: bool) -> None:
    """Say which repositories are asked together, and how they depend on each other.

    FILE lists them, one table each: [repositories.web] with path = "../web", or with url = "..." where its graph was
    published. With --workspace FILE, before a command or after its name, every command that asks answers for all of
    them: ids and paths have the name of their repository before them, as in web:src/api.ts::Client.get.

    \b
    loregraph workspace loregraph-workspace.toml
    loregraph index --workspace loregraph-workspace.toml
    loregraph callers billing:app.py::charge --workspace loregraph-workspace.toml

    JSON: {"file", "repositories": [{"name", "path", "url", "indexed", "problem", "generation", "nodes", "edges",
    "stale": {"changed", "added", "removed"}}], "between": [{"source", "target", "relationship", "how", "edges",
    "count"}], "bytes"}
    """
    from loregraph.workspaces.overview import overview
    from loregraph.workspaces.project import WorkspaceProject

    target.refuse_both()
    named = file or target.workspace
    if named is None:
        raise click.UsageError("give the FILE that lists the repositories")
    with WorkspaceProject(named) as project:
        found = overview(project)
    if as_json:
        print_json(found)
    else:
        print_overview(found)


def print_overview(found: Overview) -> None:
    heading(found.file)
    print_rows(
        (
            one.name,
            one.path or one.url,
            one.problem or f"{count(one.nodes, 'node')}, {count(one.edges, 'edge')}",
            f"{count(one.stale.count, 'file')} behind" if one.stale.count else "",
        )
        for one in found.repositories
    )
    echo()
    if not found.between:
        say("no edges between them are known")
        return
    heading("between them")
    print_rows(
        (f"{one.source} → {one.target}", one.relationship, one.how, f"{one.edges:,} ({count(one.count, 'place')})")
        for one in found.between
    )


def index_members(target: Target, settings: dict[str, Any], as_json: bool, **options: Any) -> None:
    """Indexes the repositories of a workspace one after the other, and pulls the graphs of those that are published.

    A failure is said, the others are still indexed, and the command fails at the end.
    """
    from loregraph.cli.indexing import print_report
    from loregraph.cli.progress import bar
    from loregraph.project import Project
    from loregraph.workspaces.file import read_workspace
    from loregraph.workspaces.pulled import fetch

    assert target.workspace is not None
    target.refuse_both()
    reports: dict[str, Any] = {}
    failed = []
    for member in read_workspace(target.workspace).members:
        try:
            if member.root is None:
                commit = fetch(member)
                if as_json:
                    reports[member.name] = {"commit": commit}
                else:
                    heading(member.name)
                    echo(f"  pulled the graph of {commit[:12]}")
                continue
            if not member.root.is_dir():
                raise UsageError(f"there is no folder {member.root}", "correct its path in the workspace's file")
            with Project(member.root, **settings) as project:
                say_remarks(project.settings.remarks)
                with bar() as progress:
                    reports[member.name] = project.index(progress=progress, **options)
                if not as_json:
                    print_report(reports[member.name], project, bool(options.get("dry_run")))
        except LoregraphError as error:
            say(f"error: {member.name}: {error.message}")
            failed.append(error)
    if as_json:
        print_json(reports)
    if failed:
        raise failed[0]
