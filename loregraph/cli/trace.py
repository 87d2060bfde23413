"""`trace`: from requirements to code and tests, and a gate for a build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loregraph.cli.freshness import warn_if_stale
from loregraph.cli.output import as_json, echo_data, print_json, say
from loregraph.cli.target import Target, in_workspace
from loregraph.errors import UsageError

if TYPE_CHECKING:
    from loregraph.analysis.tracing.report import TraceReport
    from loregraph.project import Project

FINDINGS = 1
Pairs = tuple[tuple[str, str], ...]
F = TypeVar("F", bound=Callable[..., Any])


def fail_under(name: str, what: str) -> Callable[[F], F]:
    """An option for the percentage below which a build fails."""
    return click.option(name, type=click.FloatRange(0, 100), metavar="PERCENT", help=f"Exit with 1 where less {what}.")


@click.command()
@click.argument("requirement", required=False)
@click.option("--suggest", is_flag=True, help="Rank code that may implement each requirement.")
@click.option(
    "--accept", nargs=2, multiple=True, metavar="REQ ID", help="Keep the link of REQ to the code ID. May be repeated."
)
@click.option(
    "--reject", nargs=2, multiple=True, metavar="REQ ID", help="Never suggest that link again. May be repeated."
)
@click.option("--withdraw", nargs=2, multiple=True, metavar="REQ ID", help="Take an acceptance or a rejection back.")
@fail_under("--fail-under", "of the requirements that count has code")
@fail_under("--fail-under-tested", "of them has a test")
@fail_under("--fail-under-verified", "of them has tests that passed")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Count every link that is at least as sure as X, bare mentions (0.5) too, not those that are declared.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 where a marker names no requirement, an accepted link leads nowhere, or tests failed.",
)
@click.option(
    "--results",
    multiple=True,
    metavar="GLOB",
    help="JUnit XML of a test run: says of each requirement whether the tests that name it passed. May be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "csv", "reqif"]),
    default="text",
    show_default=True,
    help="How the matrix is written.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the matrix to this file, not to the terminal.",
)
@as_json
@in_workspace
@click.pass_obj
def trace(
    target: Target,
    requirement: str | None,
    suggest: bool,
    accept: Pairs,
    reject: Pairs,
    withdraw: Pairs,
    fail_under: float | None,
    fail_under_tested: float | None,
    fail_under_verified: float | None,
    min_confidence: float | None,
    strict: bool,
    results: tuple[str, ...],
    form: str,
    output: Path | None,
    as_json: bool,
) -> int:
    """Trace requirements to code, tests and designs.

    Of all requirements, or of REQUIREMENT alone. Requirements count in coverage unless their status says that they are
    not in force: planned, draft, proposed, rejected, deprecated, superseded and their like (docs/tracing.md).

    \b
    loregraph trace
    loregraph trace --suggest PAY-7
    loregraph trace --accept PAY-7 src/pay.py::retry --reject PAY-7 src/log.py
    loregraph trace --results "reports/*.xml" --format html --output matrix.html
    loregraph trace --fail-under 100 --strict

    What code, a commit, a document or a person declares is a link, and counts; an id alone in a comment is a mention,
    and is shown apart. A requirement is verified where a test that names it passed; that its code ran in other tests is
    shown apart too.

    Accepted and rejected links are kept in the project's journal, with who decided and when, and the trace of their
    requirements is shown. As text, --suggest shows the best suggestions for requirements without code; name one to see
    more, or ask for JSON to see all.

    JSON: {"requirements": [{"id", "title", "status", "path", "line", "implementations": [{"id", "file_path", "how",
    "confidence", "evidence"}], "tests": [...], "designs": [...], "memories": [...], "mentions": [...], "parts":
    [...]}], "coverage": {"implemented", "tested", "total", "excluded"}, "orphans": [{"kind", "id", "path", "line",
    "message"}]}; with --suggest each requirement has "suggestions": [{"id", "file_path", "score", "evidence"}], best
    first; with test results each test has "result", each requirement "verified", the coverage "verified", and "results"
    says what was read; where imported runs measured its code (docs/runs.md) a requirement has "execution": {"state",
    "only", "tests", "test_count"}, and the coverage "executed", those covered by execution alone.

    Exit code: 1 where a --fail-under… or --strict is not met, 2 where the project has no requirement, an ID means
    nothing, or there are no test results to judge by, else 0.
    """
    decisions = [
        (decision, *pair)
        for decision, pairs in (("accepted", accept), ("rejected", reject), ("withdrawn", withdraw))
        for pair in pairs
    ]
    with target.asked() as project:
        if decisions:
            decide(project, decisions)
        warn_if_stale(project)
        only = {pair[1] for pair in decisions} if decisions and requirement is None else None
        files = expanded(results) if results else None
        report = project.trace(requirement, suggest=suggest, results=files, min_confidence=min_confidence)
        expect_results(report, fail_under_verified is not None, strict)
        shown = narrowed(report, only)
        contradict(report, set(reject) | set(withdraw))
        if as_json or form == "json":
            form = "json"
        if output is None and form == "json":
            from loregraph.analysis.tracing.formats.json_contract import contract

            print_json(contract(shown))
        else:
            text = project.trace_matrix(shown, form)
            write(project, text, output)
    from loregraph.analysis.tracing.gates import shortfalls

    told = shortfalls(
        report, implemented=fail_under, tested=fail_under_tested, verified=fail_under_verified, strict=strict
    )
    for line in told:
        say(f"failed: {line}")
    return FINDINGS if told else 0


def expect_results(report: TraceReport, verified: bool, strict: bool) -> None:
    """Raises UsageError where a gate cannot be judged without missing test results; otherwise reports that they are
    missing."""
    if report.missing_results:
        told = f"requirements.results: no file matches {', '.join(map(repr, report.missing_results))}"
        hint = "run the tests that write them, or name the files with --results"
        if verified or strict:
            raise UsageError(told, hint)
        say(f"warning: {told}; {hint}")
    elif verified and report.results is None:
        raise UsageError("--fail-under-verified needs test results", "name their JUnit XML with --results GLOB")


def decide(project: Project, decisions: Sequence[tuple[str, str, str]]) -> None:
    for made in project.decide_links(decisions):
        say(f"{made.link}: {made.requirement} ← {made.code}")


def contradict(report: TraceReport, undone: set[tuple[str, str]]) -> None:
    """Warns about rejected or withdrawn links that the code or a document still declares."""
    from loregraph.analysis.tracing.gates import still_linked

    for requirement, link in still_linked(report, undone):
        say(f"still linked, by its {link.how}: {requirement} ← {link.id} ({link.evidence})")


def expanded(patterns: Sequence[str]) -> list[Path]:
    """The files that match the patterns, from the working folder; each once. A pattern without a match is an error."""
    from loregraph.requirement_links import matching

    found: dict[Path, None] = {}
    for pattern in patterns:
        files = matching(Path(), pattern)
        if not files:
            told = f"no file matches {pattern!r}; run the tests first, or name the JUnit XML that they write"
            raise click.BadParameter(told, param_hint="--results")
        found.update(dict.fromkeys(files))
    return list(found)


def narrowed(report: TraceReport, only: set[str] | None) -> TraceReport:
    """`report` with only the requirements `only`; coverage stays that of all."""
    if only is None:
        return report
    import msgspec

    return msgspec.structs.replace(
        report,
        requirements=tuple(one for one in report.requirements if one.id in only),
        orphans=tuple(orphan for orphan in report.orphans if orphan.id in only),
    )


def write(project: Project, text: str, output: Path | None) -> None:
    if output is None:
        echo_data(text)
        return
    try:
        with project.writing(output) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except UsageError as error:
        raise click.BadParameter(error.message, param_hint="--output") from error
    say(f"written to {output}")
