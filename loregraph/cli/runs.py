"""`runs`: what really ran, joined with the graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from loregraph.cli.groups import InOrder
from loregraph.cli.output import as_json, count, echo, place, print_json, say
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.runs.comparing import RunComparison

_SHOWN: Final = 10
"""Calls of a class that are shown unless all are asked for."""


@click.group(cls=InOrder)
def runs() -> None:
    """Join what really ran with the graph: coverage, results, recorded calls.

    \b
    pytest -p loregraph.pytest_plugin --loregraph
    loregraph runs import .loregraph-run.jsonl

    A test has TESTS edges to the functions that ran in it (how: observed or coverage), calls that were seen join those
    found in the code, and functions say whether they ran. Facts are kept with the graph; those about a function that
    changed since wait until it is as it was.
    """


@runs.command("import")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "form", default="", metavar="FORMAT", help="The files' format, where they do not show it.")
@click.option("--revision", default="", metavar="REV", help="The commit that was measured. Default: what a file says.")
@as_json
@click.pass_obj
def import_(target: Target, files: tuple[Path, ...], form: str, revision: str, as_json: bool) -> None:
    """Read the FILES of a run: told by their content, and replacing earlier ones of the same name.

    coverage.py's data files (with contexts, as pytest-cov's --cov-context=test writes), LCOV, Cobertura, JaCoCo, Go's
    cover profiles, Istanbul's and V8's JSON, JUnit XML, and what loregraph's pytest plugin wrote. Without FILES those
    of `sources` in [tool.loregraph.runs].

    JSON: {"tests", "functions", "edges", "outdated", "left_out": {reason: number}}
    """
    from loregraph.runs.importing import all_left_out

    with target.open() as project:
        found = project.import_runs(files, format=form, revision=revision)
    totals = {
        "tests": sum(one.tests for one in found),
        "functions": sum(one.functions for one in found),
        "edges": sum(one.edges for one in found),
        "outdated": sum(one.outdated for one in found),
    }
    left_out = dict(all_left_out(found))
    if as_json:
        print_json({**totals, "left_out": left_out})
        return
    parts = (count(totals["tests"], "test"), count(totals["functions"], "function"), count(totals["edges"], "edge"))
    echo(f"{', '.join(parts)} from {count(len(found), 'file')}")
    if totals["outdated"]:
        say(f"{totals['outdated']:,} outdated: changed since they were measured (--revision names the commit)")
    for reason, number in left_out.items():
        say(f"left out: {number:,} {reason}")


@runs.command("list")
@as_json
@click.pass_obj
def list_runs(target: Target, as_json: bool) -> None:
    """Show the runs whose facts are kept.

    JSON: [{"run", "digest", "revision", "tests", "functions", "edges"}]
    """
    with target.open() as project:
        found = project.runs()
    if as_json:
        print_json(
            [
                {
                    "run": one.key,
                    "digest": one.digest,
                    "revision": one.revision,
                    "tests": one.tests,
                    "functions": one.functions,
                    "edges": one.edges,
                }
                for one in found
            ]
        )
        return
    for one in found:
        parts = (count(one.tests, "test"), count(one.functions, "function"), count(one.edges, "edge"))
        echo(f"{one.key}  {', '.join(parts)}" + (f", {one.revision[:12]}" if one.revision else ""))
    if not found:
        say("no run was imported")


@runs.command()
@click.argument("run", required=False, default="")
@click.option("--all", "everything", is_flag=True, help="All runs.")
@click.pass_obj
def forget(target: Target, run: str, everything: bool) -> None:
    """Remove the facts of RUN, by its name in `runs list`, or of all runs."""
    from loregraph.errors import UsageError

    if bool(run) == everything:
        raise UsageError("name one run or --all", "`loregraph runs list` shows them")
    with target.open() as project:
        gone = project.forget_runs(run)
    for key in gone:
        say(f"forgotten: {key}")
    if not gone:
        say("no run was imported")


@runs.command()
@click.option("--list", "listed", is_flag=True, help="All calls, not the first of each class.")
@as_json
@click.pass_obj
def compare(target: Target, listed: bool, as_json: bool) -> None:
    """Compare the calls that runs saw with those found in the code: what the graph does not see, by class.

    JSON: {"observed", "found", "missed", "classes": {class: number}, "calls": [{"class", "caller", "callee",
    "file_path", "line", "test"}]}
    """
    with target.open() as project:
        found = project.compare_runs()
    if as_json:
        print_json(_as_json(found))
        return
    echo(f"{count(found.observed, 'call')} seen, {found.found:,} of them found in the code, {found.missed:,} not")
    for name, number in found.classes.items():
        echo(f"{number:>6,}  {name}")
        calls = [one for one in found.calls if one.kind == name]
        for one in calls if listed else calls[:_SHOWN]:
            echo(f"        {place(one.file_path, one.line)}: {one.caller} → {one.callee}")
        if not listed and number > _SHOWN:
            echo(f"        {number - _SHOWN:,} more: --list")


def _as_json(found: RunComparison) -> dict[str, Any]:
    return {
        "observed": found.observed,
        "found": found.found,
        "missed": found.missed,
        "classes": found.classes,
        "calls": [
            {
                "class": one.kind,
                "caller": one.caller,
                "callee": one.callee,
                "file_path": one.file_path,
                "line": one.line,
                "test": one.test,
            }
            for one in found.calls
        ],
    }
