"""`check`: deviations from declared contracts and from the code's own habits, as a gate for a build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from loregraph import __version__
from loregraph.cli.freshness import warn_if_stale
from loregraph.cli.output import as_json, count, echo, echo_data, heading, place, print_json, print_rows, say, styled
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.analysis.rules.runner import Checked
    from loregraph.project import Project

FINDINGS: Final = 1
COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--rule", "rules", multiple=True, metavar="NAME", help="Only this rule, on or off. May be repeated.")
@click.option("--since", metavar="REV", help="Only findings on lines that changed since this revision.")
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Only findings that this file does not hold.",
)
@click.option(
    "--write-baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all findings to this file, as known from now on.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "html"]),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@click.option("--list", "listed", is_flag=True, help="List the rules, and check nothing.")
@as_json
@click.pass_obj
def check(
    target: Target,
    path: Path | None,
    rules: tuple[str, ...],
    since: str | None,
    baseline: Path | None,
    write_baseline: Path | None,
    form: str,
    listed: bool,
    as_json: bool,
) -> int:
    """Check code against declared contracts and its own habits.

    Of the whole project, or of the file or folder PATH. What the rules look for, which are on and how they are
    configured is in docs/rules.md. A comment `loregraph: ignore[rule]` lets a finding on its line pass.

    \b
    loregraph index && loregraph check
    loregraph check src/api --rule layers --rule import-cycles
    loregraph check --since main... --format sarif > findings.sarif
    loregraph check --write-baseline known.json
    loregraph check --baseline known.json
    loregraph check --format html > findings.html

    JSON: a list of {"rule", "severity", "file_path", "start_line", "message", "expected", "actual", "evidence"}, by
    place.

    Exit code: 1 where there is a finding of severity error or warning, 0 where there are none or only notes, 2 where a
    rule, a path or the configuration cannot be understood.
    """
    if as_json:
        form = "json"
    from loregraph.analysis.rules import runner

    with target.open(path) as project:
        if listed:
            print_rules(project, form)
            return 0
        warn_if_stale(project)
        found = project.check(path, rules=rules, since=since)
        if write_baseline is not None:
            from loregraph.analysis import findings

            with project.writing(write_baseline, parents=True) as file:
                number = findings.write_baseline(file, [one.finding for one in found])
            say(f"{count(number, 'finding')} written to {write_baseline}")
            return 0
        known = 0
        if baseline is not None:
            from loregraph.analysis.findings import read_baseline

            everything, found = found, runner.only_new(found, read_baseline(baseline))
            known = len(everything) - len(found)
        if form == "json":
            print_json([one.published() for one in found])
        elif form == "sarif":
            print_sarif(project, found)
        elif form == "html":
            echo_data(project.check_page(found, known))
        else:
            print_findings(found)
        summary(found, known, len(project.generated()))
    return FINDINGS if runner.fail(found) else 0


def print_sarif(project: Project, found: Sequence[Checked]) -> None:
    from loregraph.analysis.rules import registry
    from loregraph.analysis.sarif import to_sarif

    texts = registry.texts(project.settings.check)
    print_json(to_sarif([one.finding for one in found], texts, __version__))


def print_findings(found: Sequence[Checked]) -> None:
    """Findings grouped by file, each with its pattern and examples."""
    shown = ""
    for one in found:
        finding = one.finding
        if finding.place.file_path != shown:
            if shown:
                echo()
            shown = finding.place.file_path
            heading(shown)
        where = place(finding.place.file_path, finding.place.start_line)
        severity = styled(finding.severity, fg=COLOURS[finding.severity])
        echo("  ", styled(where, bold=True), "  ", severity, f" {finding.rule}: {finding.message}")
        for line in one.evidence:
            echo(styled(f"      {line}", dim=True))


def summary(found: Sequence[Checked], known: int, generated: int) -> None:
    counted: Counter[str] = Counter(one.finding.severity for one in found)
    parts = ", ".join(count(counted[severity], severity) for severity in COLOURS if counted[severity])
    told = [f"{known:,} known"] if known else []
    if generated:
        told.append(f"{count(generated, 'file')} not looked at, which nobody of the project writes (see `status`)")
    say("; ".join([parts or "nothing found", *told]))


def print_rules(project: Project, form: str) -> None:
    from loregraph.analysis.rules import registry

    settings = project.settings.check
    on = {rule.name for rule in registry.chosen(settings)}
    if form == "json":
        print_json(
            [
                {
                    "name": rule.name,
                    "on": rule.name in on,
                    "severity": registry.severity_of(rule, settings),
                    "short": rule.short,
                    "why_off": rule.why_off,
                }
                for rule in registry.RULES.values()
            ]
        )
        return
    print_rows(
        (rule.name, "on" if rule.name in on else "off", registry.severity_of(rule, settings), rule.short)
        for rule in registry.RULES.values()
    )
