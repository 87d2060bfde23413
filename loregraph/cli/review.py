"""`review`: a fix before it is applied."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from loregraph.cli.freshness import Freshness, telling_what_is_stale, with_stale_files
from loregraph.cli.output import as_json, count, echo, print_json, say, section, styled
from loregraph.cli.target import Target
from loregraph.terminal import clipped

if TYPE_CHECKING:
    from loregraph.analysis.fixes.review import Review

COLOURS: Final = {"high": "red", "medium": "yellow", "low": "cyan"}


@click.command()
@click.argument("component")
@click.option("--description", metavar="TEXT", required=True, help="What the fix does, in words.")
@click.option(
    "--diff",
    type=click.File(encoding="utf-8", errors="replace"),
    metavar="FILE",
    help="The fix as a unified diff; '-' reads it.",
)
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file that the fix changes, beside those of the diff. May be repeated.",
)
@as_json
@click.pass_obj
def review(
    target: Target, component: str, description: str, diff: TextIO | None, files: tuple[Path, ...], as_json: bool
) -> None:
    """Review a fix of COMPONENT before it is applied.

    What it touches, what it forgets, and which requirements, designs and memories it contradicts. COMPONENT is an id, a
    name, or the path of a file or folder. The score is 1 less .3, .15 or .05 for each high, medium or low concern. With
    a diff the functions before and after are compared; nothing is applied.

    \b
    loregraph review Flask.make_response --description "return early for None"
    git diff | loregraph review src/flask/app.py --description "return early for None" --diff -

    \b
    JSON: {"alignment_score", "design_context": {"requirements": [{"requirement_id", "title", "status", "text",
    "source"}], "design_documents": [{"title", "type", "excerpt", "path"}], "patterns": [{"name", "examples"}]},
    "concerns": [{"type", "message", "severity": high|medium|low, "related": [id]}],
    "impact": {"callers": [id], "tests": [id], "requirements": [id]}, "recommendations": [text], "stale": [path]}
    """
    with target.open() as project:
        affected = [project.inside(path) for path in files]
        patch = diff.read() if diff is not None else ""
        with telling_what_is_stale(project):
            found = project.review(component, description=description, affected_files=affected, diff=patch)
        answer = with_stale_files(found, Freshness(project))
    if as_json:
        print_json(answer)
    else:
        print_review(found)


def print_review(found: Review) -> None:
    for concern in found.concerns:
        severity = styled(concern.severity.ljust(6), fg=COLOURS[concern.severity])
        echo(severity, f"  {concern.type}: {concern.message}")
    if found.concerns:
        echo()
    design = found.design_context
    section("requirements", [(r.source, r.requirement_id, r.title, r.status) for r in design.requirements])
    section("designs", [(d.path, d.title, d.type) for d in design.design_documents])
    section("habits and memories", [(clipped(one.name, 100), ", ".join(one.examples)) for one in design.patterns])
    section("callers", [(id,) for id in found.impact.callers])
    section("tests", [(id,) for id in found.impact.tests])
    told = {concern.message for concern in found.concerns}
    section("to do", [(one,) for one in found.recommendations if one not in told])
    say(f"{found.alignment_score:.2f} of 1; {count(len(found.concerns), 'concern')}")
