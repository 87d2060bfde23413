"""`publish`, `pull`, `gc`: graphs of commits, made once and read by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loregraph.cli.output import as_json, count, echo, print_json, size
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.publishing.publish import Transfer

named = click.option(
    "--as",
    "name",
    default="",
    metavar="NAME",
    help="The repository's name there. Default: by its remote, or folder.",
)


def print_transfer(done: Transfer, said: str, *, as_json: bool) -> None:
    """Prints what was published or pulled; `said` is what was done, before the address."""
    if as_json:
        print_json({"commit": done.commit, "bytes": done.bytes, "url": done.url})
    else:
        echo(f"{done.commit[:12]} of {done.repository} {said} {done.url} ({size(done.bytes)})")


# Implements REQ-PUB-001.
@click.command()
@click.argument("url")
@named
@click.option("--no-embed", is_flag=True, help="Make no vectors; search then goes by words alone.")
@click.option("--again", is_flag=True, help="Even if the commit is published: replaces a damaged archive.")
@as_json
@click.pass_obj
def publish(target: Target, url: str, name: str, no_embed: bool, again: bool, as_json: bool) -> None:
    """Publish the graph of the commit that is checked out.

    It is indexed first, unless it is published already. URL is a folder, file://, s3://, gs:// or az://. Files that
    differ from the commit are refused: what is published is the commit's graph, without memories.

    \b
    loregraph publish /srv/graphs
    loregraph publish s3://bucket/graphs

    JSON: {"commit", "bytes", "url"}.
    """
    with target.open() as project:
        done = project.publish(url, name=name, embed=not no_embed, again=again)
    print_transfer(done, "published at" if done.is_new else "is published already at", as_json=as_json)


# Implements REQ-PUB-004.
@click.command()
@click.argument("url")
@click.option("--rev", default="HEAD", show_default=True, metavar="REV", help="The commit whose graph is wanted.")
@named
@as_json
@click.pass_obj
def pull(target: Target, url: str, rev: str, name: str, as_json: bool) -> None:
    """Take the published graph of a commit in place of indexing it.

    It replaces the graph that is here; `loregraph index` then brings it up to date with the files. URL is as in
    `publish`, or https://.

    \b
    loregraph pull s3://bucket/graphs
    loregraph pull https://example.com/graphs --rev v2.1

    JSON: {"commit", "bytes", "url"}.
    """
    with target.open() as project:
        done = project.pull(url, rev=rev, name=name)
    print_transfer(done, "pulled from", as_json=as_json)


# Implements REQ-PUB-010.
@click.command()
@click.argument("url")
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Keep the graphs of the N newest commits.")
@click.option("--keep-refs", is_flag=True, help="Keep those that a branch or tag of this clone points at.")
@named
@as_json
@click.pass_obj
def gc(target: Target, url: str, keep: int | None, keep_refs: bool, name: str, as_json: bool) -> None:
    """Remove published graphs of this repository that are not to be kept.

    At least one of --keep and --keep-refs has to say which are; what either keeps stays. Others may publish meanwhile.

    \b
    loregraph gc s3://bucket/graphs --keep 50
    loregraph gc s3://bucket/graphs --keep 20 --keep-refs

    JSON: {"url", "repository", "commits": [removed], "archives", "bytes", "kept"}.
    """
    with target.open() as project:
        done = project.collect(url, newest=keep or 0, refs=keep_refs, name=name)
    if as_json:
        print_json(done)
    else:
        removed = f"{count(len(done.commits), 'commit')} and {count(done.archives, 'archive')}"
        echo(f"{removed} of {done.repository} removed from {done.url} ({size(done.bytes)}), {done.kept:,} kept")
