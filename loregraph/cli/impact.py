"""`impact`: what a change of a symbol, or a diff, touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import click

from loregraph.cli.explore import MOST_READ, diff_option
from loregraph.cli.freshness import Freshness, telling_what_is_stale
from loregraph.cli.output import as_json, count, place, print_json, say, section
from loregraph.cli.questions import CALLS_FORM, depth_option, min_confidence_option, print_hits_of
from loregraph.cli.target import Target, in_workspace

if TYPE_CHECKING:
    from loregraph.analysis.impact.report import ImpactReport, TestToRun


@click.command(
    help=f"""List what a change to SYMBOL may affect.

    Callers and their callers, subclasses, overrides and tests. With --diff or --since it is about all functions and
    classes with changed lines.

    \b
    loregraph impact Flask.make_response
    loregraph impact Flask.make_response --report
    loregraph impact --since main --report --json
    loregraph impact Flask.make_response --report --history
    git diff | loregraph impact --diff - --depth 2

    {CALLS_FORM}

    JSON with --report: {{"call_sites": [{{"id", "file_path", "lines", "confidence", "how"}}], "overrides": [{{"id",
    "line", "how": overrides|overridden|extends|implements}}], "tests": [{{"id", "distance", "how"}}],
    "requirements": [{{"id", "title"}}], "memories": [{{"memory_id", "memory_type", "content", "stale"}}],
    "unresolved_calls"}}: what has to be changed and run with it, the surest and nearest first. "distance" are the
    calls between a test and the change, left out where there are none, "how" is observed or coverage where a run
    showed that it executes it; "changes_with" are the suggestions of --history, a list of {{"id", "score", "why",
    "support", "confidence"}}, best first: see docs/history.md; "unresolved_calls" is how many calls with unknown
    targets may be of it as well; "more", where it is there, is how many of each list are left out.
    """
)
@click.argument("symbol", required=False)
@diff_option
@click.option("--since", metavar="REV", help="What differs from this commit, branch or tag.")
@click.option("--report", is_flag=True, help="What has to change and to be run: one answer instead of rows.")
@click.option(
    "--history",
    is_flag=True,
    help="With --report: suggest also what was often changed together with it, or looks as if it will be.",
)
@click.option(
    "--max-tokens", type=click.IntRange(200, 100_000), metavar="N", help="At most so much of the report. Default: all."
)
@depth_option(10)
@min_confidence_option
@as_json
@in_workspace
@click.pass_obj
def impact(
    target: Target,
    symbol: str | None,
    diff: TextIO | None,
    since: str | None,
    report: bool,
    history: bool,
    max_tokens: int | None,
    depth: int,
    min_confidence: float,
    as_json: bool,
) -> None:
    if sum(one is not None for one in (symbol, diff, since)) != 1:
        raise click.UsageError("give one of SYMBOL, --diff FILE and --since REV")
    changed = {"diff": diff.read(MOST_READ) if diff is not None else "", "since": since or ""}
    with target.asked() as project:
        with telling_what_is_stale(project):
            if report:
                found = project.impact_report(symbol or "", **changed, max_tokens=max_tokens, history=history)
            else:
                hits = project.impact(symbol or "", **changed, depth=depth, min_confidence=min_confidence)
        if not report:
            print_hits_of(project, hits, as_json=as_json)
            return
        Freshness(project).stale(found.call_sites)
        if project.history_remark:
            say(f"history: {project.history_remark}")
    if as_json:
        print_json(found, short=True)
    else:
        print_report(found)


def print_report(found: ImpactReport) -> None:
    section("changed", [(id,) for id in found.symbols])
    section(
        "call sites",
        [
            (
                place(one.file_path, one.lines[0] if one.lines else 0),
                _name(one.id),
                f"{one.how} {one.confidence:.2f}".strip(),
                _name(one.symbol),
                f"also lines {', '.join(map(str, one.lines[1:]))}" if len(one.lines) > 1 else "",
            )
            for one in found.call_sites
        ],
    )
    section(
        "overrides and subtypes",
        [(place(one.id.partition("::")[0], one.line), _name(one.id), one.how) for one in found.overrides],
    )
    section(
        "tests",
        [(one.id.partition("::")[0], _name(one.id), _reach(one, found)) for one in found.tests],
    )
    section("requirements", [(one.id, one.title) for one in found.requirements])
    section(
        "memories",
        [(one.memory_id, one.content, "stale" if one.stale else "") for one in found.memories],
    )
    section(
        "may change with it (a suggestion)",
        [
            (
                one.id.partition("::")[0],
                _name(one.id),
                f"together in {count(one.support, 'commit')}, {one.confidence:.0%}" if one.support else "",
                ", ".join(one.why),
            )
            for one in found.changes_with
        ],
    )
    left_out = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in found.more.items())
    if not (found.call_sites or found.overrides or found.tests or found.symbols):
        say("nothing that is known uses what changes")
    if left_out:
        say(f"and more: {left_out}")
    if found.unresolved_calls:
        say(f"up to {count(found.unresolved_calls, 'call')} more may reach it: nobody knows what they call")


def _reach(test: TestToRun, found: ImpactReport) -> str:
    if test.id in found.symbols:
        return "changed"
    if test.how:
        return f"ran it ({test.how})"
    return f"{count(test.distance, 'call')} between" if test.distance else "calls it"


def _name(id: str) -> str:
    return id.partition("::")[2] or id
