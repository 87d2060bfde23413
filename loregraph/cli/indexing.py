"""`index`, `watch`, `status`: make, update and describe the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loregraph.cli.output import as_json, count, echo, heading, place, plain, print_json, print_rows, say, size, styled
from loregraph.cli.target import Target, in_workspace
from loregraph.errors import NotIndexedError, UsageError
from loregraph.gc_control import collect_as_usual

if TYPE_CHECKING:
    from loregraph.graph.watch_turn import WatchReport
    from loregraph.indexer.pipeline import IndexReport
    from loregraph.project import Project
    from loregraph.status import Status

F = TypeVar("F", bound=Callable[..., Any])

SHOWN_EXAMPLES = 3
SHOWN_TEXT = 100
"""Maximum characters shown of a source line."""
SHOWN_PROBLEMS = 8
"""Problems printed one by one; the others are counted."""


def what_to_index(command: F) -> F:
    """The argument and options shared by `index` and `watch`."""
    for decorate in reversed(
        (
            click.argument("path", required=False, type=click.Path(exists=True, path_type=Path)),
            click.option(
                "--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes. Default: one a core."
            ),
            click.option("--no-embed", is_flag=True, help="Make no vectors; search then goes by words alone."),
            click.option("--languages", multiple=True, metavar="NAMES", help="Only these, separated by commas."),
            click.option("--include", multiple=True, metavar="GLOB", help="Only files that match; repeatable."),
            click.option("--exclude", multiple=True, metavar="GLOB", help="No files that match; repeatable."),
        )
    ):
        command = decorate(command)
    return command


def narrowed(languages: Sequence[str], include: Sequence[str], exclude: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The given options, as settings."""
    names = tuple(name.strip() for item in languages for name in item.split(",") if name.strip())
    given = {"languages": names, "include": tuple(include), "exclude": tuple(exclude)}
    return {key: value for key, value in given.items() if value}


# Implements REQ-IDX-016.
@click.command()
@what_to_index
@click.option("--full", is_flag=True, help="Start from nothing, whatever earlier runs left.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
@click.option("--from", "source", metavar="URL", help="Start from the nearest published ancestor: see `publish`.")
@click.option("--as", "name", default="", metavar="NAME", help="With --from: the repository's name there.")
@as_json
@in_workspace
@click.pass_obj
def index(
    target: Target,
    path: Path | None,
    jobs: int | None,
    no_embed: bool,
    languages: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    full: bool,
    dry_run: bool,
    source: str | None,
    name: str,
    as_json: bool,
) -> None:
    """Index the project, or bring its graph up to date.

    Only what changed is read again.

    PATH is a folder of the project, by default this one; the whole project it lies in is indexed.

    \b
    loregraph index
    loregraph index path/to/repository --languages python,go --exclude "vendor/"

    \b
    JSON: {"files": {"indexed", "unchanged", "removed", "failed", "unsupported"}, "functions", "classes", "components",
    "requirements", "relationships": {"CALLS": n, ...}, "problems": [{"path", "line", "message"}],
    "seconds": {"discover", "extract", "resolve", "embed", "store", "total"}, "generated": {reason: files},
    "languages": {name: files}, "resolved": files}; with --from also "commit", "bytes" and "url" of what was pulled.
    With --workspace an object of these by the names of repositories.
    """
    from loregraph.cli.progress import bar

    if source is not None and (full or dry_run):
        raise UsageError("--from starts from a published graph", "leave out --full and --dry-run")
    if target.workspace is not None:
        if path is not None or source is not None:
            raise click.UsageError("PATH and --from are for one project, --workspace names several")
        from loregraph.cli.workspaces import index_members

        settings = narrowed(languages, include, exclude)
        index_members(target, settings, as_json, full=full, jobs=jobs, embed=not no_embed, dry_run=dry_run)
        return
    with target.open(path, **narrowed(languages, include, exclude)) as project:
        pulled: dict[str, Any] = {}
        if source is not None:
            pulled = started_from(project, source, name)
        with bar() as progress:
            report = project.index(full=full, jobs=jobs, embed=not no_embed, dry_run=dry_run, progress=progress)
        if as_json:
            print_json({**plain(report), **pulled} if pulled else report)
        else:
            print_report(report, project, dry_run)


# Implements REQ-PUB-009.
def started_from(project: Project, url: str, name: str) -> dict[str, Any]:
    """Pulls where the index starts from; returns what was pulled, for JSON. Prints why nothing was."""
    start = project.start_from(url, name=name)
    if start.remark:
        say(start.remark)
    done = start.pulled
    return {} if done is None else {"commit": done.commit, "bytes": done.bytes, "url": done.url}


def print_report(report: IndexReport, project: Project, dry_run: bool) -> None:
    files = report.files
    heading(str(project.root))
    parts = [
        count(files.indexed, "file") + (" to index" if dry_run else " indexed"),
        f"{files.unchanged:,} unchanged" if files.unchanged else "",
        f"{files.removed:,} removed" if files.removed else "",
        f"{files.failed:,} failed" if files.failed else "",
        f"{files.unsupported:,} in other languages" if files.unsupported else "",
        f"{report.resolved:,} resolved again" if files.unchanged and report.resolved else "",
    ]
    echo("  " + ", ".join(filter(None, parts)))
    if not any((files.indexed, files.unchanged, files.failed, files.unsupported)):
        echo("  nothing to index here: no file in a language that loregraph knows")
        return
    if dry_run:
        return
    echo(f"  {languages_line(report.languages)}")
    echo()
    found = (
        ("functions", report.functions),
        ("classes", report.classes),
        ("components", report.components),
        ("requirements", report.requirements),
    )
    print_columns({name: number for name, number in found if number}, report.relationships)
    if report.generated:
        echo(f"  {generated_line(report.generated)}")
    print_problems(report.problems)
    echo()
    seconds = plain_seconds(report.seconds)
    steps = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items() if name != "total" and value >= 0.005)
    echo(f"  {seconds['total']:.2f} s" + (f" ({steps})" if steps else ""))
    hints = project.suggestions() if files.indexed else []
    if hints:
        echo()
        heading("Try")
        for hint in hints:
            echo(f"  {hint}")


def plain_seconds(seconds: Any) -> Mapping[str, float]:
    from loregraph.cli.output import plain

    result: Mapping[str, float] = plain(seconds)
    return result


def generated_line(reasons: Mapping[str, int]) -> str:
    """The number of generated, minified and vendored files, by reason."""
    parts = ", ".join(f"{reason} {number:,}" for reason, number in reasons.items())
    return f"kept as files only: {sum(reasons.values()):,} ({parts}); what is in them is not counted or searched"


def languages_line(languages: Mapping[str, int]) -> str:
    """`python 83 · javascript 3 · 12 documents`, most files first."""
    from loregraph.indexer.languages.registry import DOCUMENTS

    ordered = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{name} {number:,}" for name, number in ordered if name not in DOCUMENTS]
    documents = sum(number for name, number in ordered if name in DOCUMENTS)
    if documents:
        parts.append(count(documents, "document"))
    return " · ".join(parts)


def print_columns(left: Mapping[str, int], right: Mapping[str, int]) -> None:
    """Two lists of names and numbers side by side, the second by size."""
    ordered = sorted(((n, k) for k, n in right.items() if n), reverse=True)
    rows = max(len(left), len(ordered))
    names = list(left.items()) + [("", 0)] * (rows - len(left))
    kinds = [(k, n) for n, k in ordered] + [("", 0)] * (rows - len(ordered))
    for (name, number), (kind, edges) in zip(names, kinds, strict=True):
        first = f"  {name:<14}{f'{number:,}' if name else '':>9}"
        echo((first + (f"    {kind:<16}{edges:>9,}" if kind else "")).rstrip())


def print_problems(problems: Sequence[Any]) -> None:
    if not problems:
        return
    echo()
    heading(count(len(problems), "problem"))
    print_rows(
        ((place(problem.path, problem.line), problem.message) for problem in problems[:SHOWN_PROBLEMS]), indent=2
    )
    if len(problems) > SHOWN_PROBLEMS:
        echo(f"  ... and {len(problems) - SHOWN_PROBLEMS:,} more: loregraph index --json lists them")


@click.command()
@what_to_index
@as_json
@click.pass_obj
def watch(
    target: Target,
    path: Path | None,
    jobs: int | None,
    no_embed: bool,
    languages: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    as_json: bool,
) -> None:
    """Index again after every change, until interrupted.

    \b
    loregraph watch
    loregraph watch path/to/repository --no-embed

    JSON: one report a line, in the form of `index`.
    """
    collect_as_usual()
    with target.open(path, **narrowed(languages, include, exclude)) as project:
        say(f"watching {project.root}; Ctrl-C ends it")
        for report in project.watch(jobs=jobs, embed=not no_embed):
            if as_json:
                print_json(report)
            else:
                print_update(report)


def print_update(report: IndexReport) -> None:
    files = report.files
    changed = [count(files.indexed, "file") + " indexed"]
    if files.removed:
        changed.append(f"{files.removed:,} removed")
    if files.failed:
        changed.append(f"{files.failed:,} failed")
    echo(
        f"{', '.join(changed)}: {count(report.functions, 'function')}, {count(report.classes, 'class', 'classes')}"
        f" in {plain_seconds(report.seconds)['total']:.2f} s"
    )


@click.command()
@click.option("--unresolved", is_flag=True, help="Say why it is not known what calls reach, and where.")
@click.option(
    "--examples",
    type=click.IntRange(0, 100),
    default=SHOWN_EXAMPLES,
    show_default=True,
    metavar="N",
    help="With --unresolved: calls to show for each reason.",
)
@as_json
@in_workspace
@click.pass_obj
def status(target: Target, unresolved: bool, examples: int, as_json: bool) -> None:
    """Say what is indexed and what is stale.

    Also which embedder made the vectors, and how much disk is used. With --unresolved the calls of which nobody knows
    what they reach, by what is missing to know it: where these are many, "no callers" may mean that nobody knows.

    \b
    loregraph status
    loregraph status --json
    loregraph status --unresolved --examples 5

    \b
    JSON: {"root", "store", "indexed", "generation", "engine", "embedder", "languages": {name: files},
    "nodes": {label: n}, "relationships": {name: n}, "calls": {"resolved", "external", "unresolved"},
    "unresolved": {path: n}, "stale": {"changed": [path], "added": [path], "removed": [path]},
    "bytes": {"graph", "state", "total"}, "generated": {reason: files}, "remarks": [line],
    "watch": {"by", "pid", "since", "mode", "pending_files", "behind_seconds", "last_event", "last_indexed", "error"}};
    with --unresolved
    {"calls", "reasons": [{"reason", "meaning", "calls", "files", "examples": [{"file_path", "line"}]}]}.
    """
    if unresolved:
        with target.asked() as project:
            print_unresolved(project, examples, as_json)
        return
    with target.asked() as project:
        found = project.status()
    if as_json:
        print_json(found)
    else:
        print_status(found)


def watch_line(watch: WatchReport) -> str:
    """Who keeps the graph up to date, and how far it is behind."""
    if not watch.by:
        return "by nobody: `loregraph watch` or a server does it"
    behind = (
        f"{count(watch.pending_files, 'file')} behind for {watch.behind_seconds:g} s" if watch.pending_files else ""
    )
    parts = (f"by `loregraph {watch.by}` (process {watch.pid}) since {watch.since}", behind, watch.error)
    return ", ".join(filter(None, parts))


# Implements REQ-CLI-007.
def print_unresolved(project: Project, examples: int, as_json: bool) -> None:
    """Prints the reasons for unresolved calls. Raises NotIndexedError where they were not stored."""
    reasons = project.unresolved_reasons(examples)
    if reasons is None:
        raise NotIndexedError("why calls are unresolved was not kept", "run `loregraph index --full`")
    calls = project.status().calls
    if as_json:
        print_json({"calls": calls, "reasons": reasons})
        return
    heading(f"{calls.unresolved:,} of {calls.resolved + calls.external + calls.unresolved:,} calls are unresolved")
    for one in reasons:
        echo()
        where = f"{count(one.calls, 'call')} in {count(one.files, 'file')}"
        echo(styled(one.reason, bold=True), f"  {where}: {one.meaning}")
        rows = []
        for example in one.examples:
            lines = project.source_lines(example.file_path)
            text = lines[example.line - 1].strip() if 0 < example.line <= len(lines) else ""
            rows.append((place(example.file_path, example.line), text[:SHOWN_TEXT]))
        print_rows(rows, indent=2)


def print_status(found: Status) -> None:
    heading(found.root)
    for remark in found.remarks:
        echo(f"  ! {remark}")
    if not found.indexed:
        echo("  not indexed yet")
        say("hint: run `loregraph index`")
        return
    stale = found.stale
    behind = [
        f"{len(paths):,} {what}"
        for what, paths in (("changed", stale.changed), ("added", stale.added), ("removed", stale.removed))
        if paths
    ]
    echo(f"  {languages_line(found.languages)}")
    echo()
    print_columns({name.lower(): number for name, number in found.nodes.items() if number}, found.relationships)
    echo()
    calls = found.calls
    rows = [
        (
            "calls",
            f"{calls.resolved:,} to the project, {calls.external:,} outside, {calls.unresolved:,} unresolved"
            f" in {len(found.unresolved):,} files",
        ),
        *([("generated", generated_line(found.generated))] if found.generated else []),
        ("stale", ", ".join(behind) or "nothing"),
        ("watched", watch_line(found.watch)),
        ("embedder", found.embedder["model_id"] if found.embedder else "none: search goes by words alone"),
        ("engine", found.engine),
        ("store", f"{found.store} ({size(found.bytes['total'])}, generation {found.generation})"),
    ]
    print_rows(rows, indent=2)
    for path in (stale.changed + stale.added + stale.removed)[:SHOWN_PROBLEMS]:
        echo(f"    {path}")
