"""`tests`: which tests to run for a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import click

from loregraph.cli.explore import MOST_READ, diff_option
from loregraph.cli.freshness import telling_what_is_stale
from loregraph.cli.output import as_json, count, echo_data, print_json, say
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.analysis.selection.select import Effort, Selection


@click.command()
@click.argument("symbols", nargs=-1, metavar="[SYMBOL]...")
@diff_option
@click.option("--since", metavar="REV", help="What differs from this commit, branch or tag.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "args", "pytest", "junit", "json"]),
    default="text",
    show_default=True,
    help="args: words for a runner; pytest: a file for `pytest @FILE`; junit: cases that did not run yet.",
)
@click.option("--runner", default="", metavar="NAME", help="Whose words args gives, where the tests have several.")
@click.option("--safe", is_flag=True, help="Everything that could be affected, however improbable.")
@click.option("--fast", is_flag=True, help="Only what is known to execute the change.")
@as_json
@click.pass_obj
def tests(
    target: Target,
    symbols: tuple[str, ...],
    diff: TextIO | None,
    since: str | None,
    form: str,
    runner: str,
    safe: bool,
    fast: bool,
    as_json: bool,
) -> None:
    """List the tests to run for a change, each with its reason, in the order that finds a failure soonest.

    The change is of SYMBOLs, of a diff (made or only proposed), or of all that differs from a revision. A test is
    selected because it changed itself, because a run that was imported (see `runs`) saw it execute what changed, or,
    where no run says anything, because a path of the graph leads from it to the change. What nobody can know widens the
    selection, and a remark says so.

    \b
    loregraph tests --since origin/main
    loregraph tests Flask.make_response --fast
    git diff | loregraph tests --diff - --json
    pytest $(loregraph tests --since origin/main --format args)

    \b
    JSON: [{"id", "path", "name", "reason", "how": changed|observed|coverage|call|file|imports|all, "confidence",
    "seconds"}]
    """
    if safe and fast:
        raise click.UsageError("give one of --safe and --fast")
    effort: Effort = "safe" if safe else "fast" if fast else "default"
    text = diff.read(MOST_READ) if diff is not None else ""
    with target.open() as project, telling_what_is_stale(project):
        found = project.tests(symbols, diff=text, since=since or "", effort=effort)
        form = "json" if as_json else form
        written = "" if form == "json" else project.tests_as(found.tests, form, runner=runner, note=say)
    if form == "json":
        print_json(list(found.tests))
    else:
        echo_data(written + "\n")
    _tell(found)


def _tell(found: Selection) -> None:
    for remark in found.remarks:
        say(remark)
    if found.untested:
        say(f"no test is known to execute {', '.join(found.untested[:5])}" + (" …" if len(found.untested) > 5 else ""))
    share = len(found.tests) / found.all_tests if found.all_tests else 0.0
    took = f", {found.seconds:.1f} of {found.all_seconds:.1f} s" if found.all_seconds else ""
    say(f"{len(found.tests):,} of {count(found.all_tests, 'test')} ({share:.0%}){took}")
