"""`diff`: the changes since a revision, and their effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from loregraph.cli.freshness import warn_if_stale
from loregraph.cli.output import as_json, count, echo_data, place, plain, print_json, say, section
from loregraph.cli.target import Target

if TYPE_CHECKING:
    from loregraph.analysis.changes.summary import CopyGroup
    from loregraph.analysis.changes.view import ChangedCode, ChangeView


# Implements REQ-CLI-016.
@click.command()
@click.argument("rev", metavar="REV")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html"]),
    default="text",
    show_default=True,
    help="markdown is made for the comment on a pull request; html is a page with a picture.",
)
@click.option("--fail-on-untested", is_flag=True, help="Exit with 1 where a changed function has no known test.")
@as_json
@click.pass_obj
def diff(target: Target, rev: str, form: str, fail_on_untested: bool, as_json: bool) -> int:
    """Show what changed since the revision REV, and what that reaches.

    The files as they are, committed or not, are compared with those of REV: a commit, a branch or a tag. `main...`
    means the commit where the work on HEAD left main. What surrounds the change comes from the graph, so index first.

    \b
    loregraph index && loregraph diff HEAD
    loregraph diff origin/main... --format markdown > comment.md
    loregraph diff origin/main... --format html > change.html
    loregraph diff origin/main... --fail-on-untested

    \b
    JSON: {"revision", "commit", "summary": {what: n}, "files": [{"path", "status": A|M|D|R, "old_path"}],
    "code": [{"id", "kind", "file_path", "start_line", "end_line",
    "change": added|signature|body|moved|renamed|removed, "is_test", "signature", "old_id", "old_signature",
    "likeness", "differences": [text], "breaks", "tests": [id], "requirements": [id]}],
    "callers": [{"id", "file_path", "line", "symbol", "change", "is_changed", "reaches"}],
    "requirements": [{"id", "title", "status", "path", "line", "code": [id], "is_reworded"}],
    "tests": [{"id", "file_path", "line", "change", "distance", "exercises": [id]}], "untested": [id],
    "unresolved_calls": {id: n}, "lost": [{"kind": test|tested|requirement_link, "id", "file_path", "line", "message"}],
    "duplicates": as of `duplicates --json`}

    Exit code: 1 with --fail-on-untested where a changed function is executed by no test that is known, by a path of the
    graph or by a run that was imported (see `runs`).
    """
    from loregraph.analysis.changes.summary import summary

    with target.open() as project:
        view = project.diff(rev)
        warn_if_stale(project)
        page = project.change_page(view) if form == "html" and not as_json else ""
    if as_json or form == "json":
        print_json({**plain(view), "summary": plain(summary(view))})
    elif form == "html":
        echo_data(page)
    elif form == "markdown":
        from loregraph.analysis.changes.markdown import to_markdown

        echo_data(to_markdown(view))
    else:
        print_view(view)
    if fail_on_untested and view.untested:
        say(f"no known test executes {count(len(view.untested), 'changed function')}: {', '.join(view.untested[:10])}")
        return 1
    return 0


def print_view(view: ChangeView) -> None:
    from loregraph.analysis.changes.summary import copy_groups, forgotten, grouped, summary

    code = [one for one in view.code if not one.is_test]
    for title, changes in (
        ("added", ("added",)),
        ("changed", ("signature", "body")),
        ("moved or renamed", ("moved", "renamed")),
        ("removed", ("removed",)),
    ):
        groups = grouped([one for one in code if one.change in changes])
        section(title, [code_row(group.code, group.members) for group in groups])
    section("callers to look at", [caller_row(one) for one in forgotten(view.callers)])
    section("callers that were edited as well", [caller_row(one) for one in view.callers if one.is_changed])
    section(
        "requirements",
        [
            (place(one.path, one.line), one.id, one.title, "its text changed" if one.is_reworded else "")
            for one in view.requirements
        ],
    )
    section("tests that changed", [code_row(one) for one in view.code if one.is_test])
    section(
        "tests that reach the change",
        [
            (place(one.file_path, one.line), name(one.id), f"{count(len(one.exercises), 'function')}")
            for one in view.tests
        ],
    )
    starts = {one.id: one.start_line for one in code}
    section(
        "no test that the graph can see",
        [
            (place(id.partition("::")[0], starts.get(id, 0)), name(id), unseen(view.unresolved_calls.get(id, 0)))
            for id in view.untested
        ],
    )
    section("covered no more", [(place(one.file_path, one.line), one.message.replace("`", "")) for one in view.lost])
    section("new copies", [copies_row(group) for group in copy_groups(view.duplicates)])
    told = summary(view)
    if not view.code:
        say(f"no function or class differs from {view.revision}; {count(told.files, 'file')} changed")
        return
    say()
    say(
        f"since {view.revision}: {told.added} added, {told.changed} changed, {told.moved + told.renamed} moved or "
        f"renamed, {told.removed} removed in {count(told.files, 'file')}; {told.breaking} may break their users"
    )


def unseen(number: int) -> str:
    return f"{count(number, 'call')} on the way not resolved" if number else ""


def code_row(one: ChangedCode, members: int = 0) -> Sequence[str]:
    from loregraph.analysis.changes.summary import what_changed

    told = what_changed(one).replace("`", "")
    inside = f"with {count(members, 'member')}" if members else ""
    return place(one.file_path, one.start_line), name(one.id), "; ".join(filter(None, (inside, told)))


def caller_row(caller: Any) -> Sequence[str]:
    became = {"removed": "gone", "renamed": "renamed", "moved": "moved", "signature": "signature changed"}[
        caller.change
    ]
    now = f"; finds {caller.reaches}" if caller.reaches and caller.change != "signature" else ""
    return place(caller.file_path, caller.line), name(caller.id), f"uses {name(caller.symbol)}: {became}{now}"


def copies_row(group: CopyGroup) -> Sequence[str]:
    first, other = group.first, group.others[0]
    more = f" and {count(len(group.others) - 1, 'other')}" if len(group.others) > 1 else ""
    return (
        place(first["file_path"], first["start_line"]),
        name(first["id"]),
        f"{group.similarity:.0%} like {place(other['file_path'], other['start_line'])} {name(other['id'])}{more}",
    )


def name(id: str) -> str:
    return id.partition("::")[2] or id
