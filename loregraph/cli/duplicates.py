"""`duplicates`: copies in a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from loregraph.cli.freshness import warn_if_stale
from loregraph.cli.output import as_json, count, echo, echo_data, heading, place, print_json, say
from loregraph.cli.target import Target
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.analysis.duplicates.results import Duplicates, Family
    from loregraph.project import Project

FOUND = 1
SHOWN_FAMILIES = 100
SHOWN_MEMBERS = 8


@click.command()
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--threshold",
    type=click.FloatRange(0.3, 1),
    metavar="S",
    help="How similar copies are at least. Default: 0.585, or as configured.",
)
@click.option(
    "--min-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Leave out what has fewer tokens. Default: 20, or as configured.",
)
@click.option("--semantic", is_flag=True, help="Also functions that may do the same in other words (type-4).")
@click.option("--since", metavar="REV", help="Only copies that touch what changed since this git revision.")
@click.option("--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Leave out copies that FILE knows.")
@click.option(
    "--write-baseline", type=click.Path(path_type=Path), metavar="FILE", help="Write the copies there are to FILE."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "html"]),
    default="text",
    show_default=True,
    help="How to print them.",
)
@as_json
@click.pass_obj
def duplicates(
    target: Target,
    path: Path | None,
    threshold: float | None,
    min_tokens: int | None,
    semantic: bool,
    since: str | None,
    baseline: Path | None,
    write_baseline: Path | None,
    form: str,
    as_json: bool,
) -> int:
    """Find copies: functions, files and parts of functions.

    PATH is a file or folder to look at; what is outside it is not compared. Ends with 1 where there are copies, those
    of the baseline not counted, so that a build can fail.

    \b
    type-1  the same but for layout and comments
    type-2  the same but for names and literals, renamed consistently
    type-3  copied and edited
    type-4  other code that may do the same: only with --semantic, and never sure

    Short functions, and tests, have to be more alike than the threshold says. Generated and vendored code and database
    migrations are left out; [duplicates] exclude in the configuration names more, a pattern with ! takes one back.

    Copies in code and in tests are findings (exit code 1). Told apart, and no findings, are methods that an interface
    or a framework prescribes, examples, twins with and without async, short bodies, and code alike in part only.

    \b
    loregraph duplicates
    loregraph duplicates src --since origin/main --baseline duplicates.json
    loregraph duplicates --format html > duplicates.html

    JSON: a list of {"a": {"id", "file_path", "start_line", "end_line"}, "b": {…}, "similarity", "clone_type", "scope",
    "tokens"}; scope is function, file or fragment, the lines of which are those of the part.
    """
    with target.open(path) as project:
        found = project.duplicates(
            [] if path is None else [path],
            threshold=threshold,
            min_tokens=min_tokens,
            semantic=semantic,
            since=since,
        )
        warn_if_stale(project)
        for notice in found.notices:
            say(notice)
        if write_baseline is not None:
            from loregraph.analysis.duplicates.reporting import known_findings
            from loregraph.analysis.findings import write_baseline as write

            with project.writing(write_baseline, parents=True) as file:
                written = write(file, known_findings(found))
            say(f"{count(written, 'copy', 'copies')} written to {write_baseline}")
            return 0
        if baseline is not None:
            from loregraph.analysis.duplicates.reporting import only_new
            from loregraph.analysis.findings import read_baseline

            found = only_new(found, read_baseline(baseline))
        write_out(project, found, "json" if as_json else form)
    return FOUND if found.findings else 0


def write_out(project: Project, found: Duplicates, form: str) -> None:
    if form == "json":
        print_json(found.pairs)
    elif form == "sarif":
        from loregraph import __version__
        from loregraph.analysis.duplicates.reporting import RULES, findings
        from loregraph.analysis.sarif import to_sarif

        print_json(to_sarif(findings(found), RULES, __version__))
    elif form == "html":
        echo_data(project.duplicates_page(found))
    else:
        print_families(found)


def print_families(found: Duplicates) -> None:
    from loregraph.analysis.duplicates.results import FINDINGS, ROLES

    for family in found.findings[:SHOWN_FAMILIES]:
        print_family(family)
    if len(found.findings) > SHOWN_FAMILIES:
        say(f"and {len(found.findings) - SHOWN_FAMILIES:,} more families; --json has all")
    for role, what in ROLES.items():
        apart = [family for family in found.families if family.role == role and role not in FINDINGS]
        if apart:
            first = short(apart[0].keep)
            say(f"apart, and no finding: {count(len(apart), 'family', 'families')} {what} ({first}, …)")
    lines = sum(family.lines for family in found.findings)
    say(
        f"{count(len(found.findings), 'family', 'families')} of copies in {count(found.functions, 'function')}; "
        f"up to {lines:,} lines could go"
        if found.findings
        else f"no copies in {count(found.functions, 'function')}"
    )


def print_family(family: Family) -> None:
    members = f"{len(family.members)} copies"
    what = "" if family.scope == "function" else f" of a {'part' if family.scope == 'fragment' else family.scope}"
    heading(f"{members}{what}, {family.clone_type}, {family.similarity:.0%} alike, {family.lines:,} lines")
    for side in family.members[:SHOWN_MEMBERS]:
        echo(f"  {place(side.file_path, side.start_line)}-{side.end_line}  {short(side.id)}")
    if len(family.members) > SHOWN_MEMBERS:
        echo(f"  … and {len(family.members) - SHOWN_MEMBERS:,} more")
    echo(f"  → {family.recommendation}")
    echo()


def short(id: str) -> str:
    return clipped(id.partition("::")[2] or id)
