"""`search`, `show`, `callers`, `callees`, `query`: reads of the graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

import click

from loregraph.cli.freshness import Freshness, telling_what_is_stale, with_staleness
from loregraph.cli.output import (
    as_json,
    count,
    echo,
    echo_text,
    heading,
    place,
    plain,
    print_json,
    print_rows,
    say,
)
from loregraph.cli.target import Target, in_workspace
from loregraph.terminal import clipped

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    from loregraph.graph.queries import CallHit, Show
    from loregraph.graph.search import SearchHit
    from loregraph.project import Project


@click.command()
@click.argument("query", required=False)
@click.option("--kind", help="Only this kind: function, method, class, interface, ...")
@click.option("--language", help="Only this language.")
@click.option("--path", help="Only this file or folder.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=10, metavar="N", show_default=True, help="How many results."
)
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "lexical", "semantic"]),
    default="hybrid",
    show_default=True,
    help="Words, meaning, or both.",
)
@click.option("--generated", is_flag=True, help="Also what is in generated, minified and vendored files.")
@click.option("--batch", type=click.File(encoding="utf-8"), help="Answer each line of this file; '-' reads them.")
@as_json
@in_workspace
@click.pass_obj
def search(
    target: Target,
    query: str | None,
    kind: str | None,
    language: str | None,
    path: str | None,
    limit: int,
    mode: str,
    generated: bool,
    batch: TextIO | None,
    as_json: bool,
) -> None:
    """Find functions, classes and constants by words or code.

    QUERY is a few words, a sentence or a piece of code.

    \b
    loregraph search "retry with backoff"
    loregraph search parse_header --language python --path src/http --limit 5
    loregraph search --batch questions.txt --json

    JSON: a list of {"id", "name", "kind", "file_path", "start_line", "end_line", "signature", "score", "why"}, best
    first; with --batch one such list a line. A constant's kind is "constant", its id that of its file. A row about a
    file that changed since the last index has "stale": true.
    """
    if (query is None) == (batch is None):
        raise click.UsageError("give a QUERY or --batch FILE")
    with target.asked() as project:
        freshness = Freshness(project)
        queries = [query] if query is not None else [line.rstrip("\r\n") for line in batch or ()]
        for text in queries:
            hits = project.search(
                text, kind=kind, language=language, path=path, limit=limit, mode=mode, generated=generated
            )
            stale = freshness.stale(hits)
            if as_json:
                print_json(with_staleness(hits, stale))
                continue
            if batch is not None:
                heading(text)
            print_hits(hits)


def print_hits(hits: Sequence[SearchHit]) -> None:
    if not hits:
        say("nothing found")
    print_rows(
        (
            place(hit.file_path, hit.start_line),
            clipped(hit.signature or hit.name),
            f"{hit.score:.2f}",
            ", ".join(hit.why),
        )
        for hit in hits
    )


@click.command()
@click.argument("symbol")
@as_json
@in_workspace
@click.pass_obj
def show(target: Target, symbol: str, as_json: bool) -> None:
    """Show what is known of a symbol.

    Its definition, signature, callers, callees, tests, requirements and memories.

    SYMBOL is an id, a qualified name or a name; where several match they are listed.

    \b
    loregraph show Flask.make_response
    loregraph show src/flask/app.py::Flask.make_response --json

    JSON: {"id", "name", "qualified_name", "label", "kind", "file_path", "start_line", "end_line", "language",
    "signature", "docstring", "container", "contains", "callers", "callees", "bases", "subclasses", "overrides",
    "overridden_by", "imports", "imported_by", "references", "referenced_by", "tests", "requirements", "designs",
    "memories"}; for a file or function in a git repository also "commits", how many commits changed it, and "authors",
    who did last (see docs/history.md); callers and callees in the form of `callers`, the others ids, tests and
    requirements with "how", "confidence" and "evidence". "stale": true stands where the file changed since the last
    index.
    """
    with target.asked() as project:
        with telling_what_is_stale(project):
            shown = project.show(symbol, history=True)
        stale = Freshness(project).stale([shown, *shown.callers, *shown.callees])
    if as_json:
        (fields,) = with_staleness([shown], stale)
        rows = {name: with_staleness(getattr(shown, name), stale) for name in ("callers", "callees")}
        print_json({**fields, **rows})
    else:
        print_show(shown)


def print_show(shown: Show) -> None:
    lines = f"-{shown.end_line}" if shown.end_line > shown.start_line else ""
    heading(f"{place(shown.file_path, shown.start_line)}{lines}  {shown.kind} {shown.qualified_name}")
    for text in (shown.signature, shown.docstring):
        if text:
            echo_text(text, indent="  ")
    if shown.commits is not None:
        by = f", last by {', '.join(shown.authors)}" if shown.authors else ""
        echo(f"  changed by {count(shown.commits, 'commit')}{by}")
    for title, hits in (("called from", shown.callers), ("calls", shown.callees)):
        if hits:
            echo()
            heading(title)
            print_calls(hits, indent=2)
    for title in SHOWN_IDS:
        related = getattr(shown, title)
        if related:
            echo()
            heading(title.replace("_", " "))
            for item in related:
                echo(f"  {item if isinstance(item, str) else item.id}")


SHOWN_IDS = (
    "contains",
    "bases",
    "subclasses",
    "overrides",
    "overridden_by",
    "tests",
    "imports",
    "imported_by",
    "requirements",
    "designs",
    "memories",
)
"""Fields of `Show` with ids, in the order they are printed."""
LISTED_LINES: Final = 6
"""Lines of one row that are printed; the others are counted."""


def print_calls(hits: Sequence[CallHit], indent: int = 0) -> None:
    """One line per hit: the places of the calls, the symbol, distance, `how` and confidence, and for a symbol with
    several definitions which one it concerns; calls that recorded tests did not make are marked."""
    print_rows(
        (
            (
                places(hit),
                hit.id.partition("::")[2] or hit.id,
                f"{hit.distance} away" if hit.distance > 1 else "",
                f"{hit.how} {hit.confidence:.2f}".strip(),
                f"not seen in {count(hit.unseen, 'test')}" if hit.unseen else "",
                " ".join(f"→ {name.partition('::')[2]}" for name in hit.definitions),
            )
            for hit in hits
        ),
        indent=indent,
    )


def places(hit: CallHit) -> str:
    """`path:12, 40, 77`: terminals and editors recognise the first."""
    more = "".join(f", {line}" for line in hit.lines[1:LISTED_LINES])
    rest = len(hit.lines) - LISTED_LINES
    return f"{place(hit.file_path, hit.line)}{more}{f' and {rest} more' if rest > 0 else ''}"


def none_known(unresolved: Mapping[str, int]) -> str:
    """A note for no known calls: there may be some among the unresolved ones."""
    if not unresolved:
        return "none"
    calls = count(sum(unresolved.values()), "call")
    return f"none that is known; of {calls} in {count(len(unresolved), 'file')} it is not known what they reach"


def depth_option(default: int) -> Callable[[F], F]:
    return click.option(
        "--depth",
        type=click.IntRange(min=1),
        default=default,
        metavar="N",
        show_default=True,
        help="How many steps away to look.",
    )


min_confidence_option = click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="C",
    help="Leave out edges that are less sure than this, 0 to 1.",
)


def calls_command(name: str, help: str) -> click.Command:
    """The command that prints the answer of `Project.<name>`: callers and callees differ in nothing else."""

    @click.command(name, help=help)
    @click.argument("symbol")
    @depth_option(1)
    @min_confidence_option
    @as_json
    @in_workspace
    @click.pass_obj
    def command(target: Target, symbol: str, depth: int, min_confidence: float, as_json: bool) -> None:
        with target.asked() as project:
            with telling_what_is_stale(project):
                hits = getattr(project, name)(symbol, depth=depth, min_confidence=min_confidence)
            print_hits_of(project, hits, as_json=as_json)

    return command


def print_hits_of(project: Project, hits: Sequence[CallHit], *, as_json: bool) -> None:
    """Rows with what is known of their files, or a note that there are none."""
    stale = Freshness(project).stale(hits)
    if as_json:
        print_json(with_staleness(hits, stale))
    elif hits:
        print_calls(hits)
    else:
        say(none_known(project.unresolved_calls()))


CALLS_FORM = (
    'JSON: a list of {"id", "file_path", "line", "distance", "confidence", "how", "lines"}; file_path and line say '
    "where the call stands, lines where all calls of the row do. A name or an id without a number (`#2`) means all "
    'definitions of the symbol; where there are several, each row names those that it is about in "definitions". '
    'A call that recorded tests could have made and did not has "unseen": in how many its caller ran. '
    'A row about a file that changed since the last index has "stale": true.'
)

callers = calls_command(
    "callers",
    f"""List what calls SYMBOL.

    SYMBOL is an id, a qualified name or a name; where several match they are listed.

    \b
    loregraph callers Flask.make_response
    loregraph callers Flask.make_response --depth 3 --min-confidence 0.8

    {CALLS_FORM}
    """,
)
callees = calls_command(
    "callees",
    f"""List what SYMBOL calls.

    \b
    loregraph callees Flask.make_response
    loregraph callees src/flask/app.py::Flask.make_response --json

    {CALLS_FORM}
    """,
)


@click.command()
@click.argument("cypher")
@click.option("--params", help='Values of the $names in the query, as a JSON object: \'{"name": "run"}\'.')
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many rows. Default: as configured.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="At most so long. Default: as configured.",
)
@click.option("--server", metavar="URL", help="Ask the graphs on this server, as bolt://HOST:PORT, not the one here.")
@click.option(
    "--database", metavar="NAME", help="With --server: the database on it. Default: the one it opens by itself."
)
@click.option(
    "--repository", "repositories", multiple=True, metavar="NAME", help="With --server: only this one. May be repeated."
)
@as_json
@in_workspace
@click.pass_obj
def query(
    target: Target,
    cypher: str,
    params: str | None,
    limit: int | None,
    timeout: float | None,
    server: str | None,
    database: str | None,
    repositories: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run a Cypher query that only reads.

    Labels, relationships and properties are those of docs/graph.md.

    \b
    loregraph query "MATCH (f:Function) RETURN f.id, f.complexity ORDER BY f.complexity DESC LIMIT 5"
    loregraph query 'MATCH (f {name: $name})<-[:CALLS]-(g) RETURN g.id' --params '{"name": "run"}'
    loregraph query --server bolt://localhost:7687 'MATCH (f:Function {id: "web:api.ts::get"}) RETURN f.name'

    On a server every id has the repository's name before it; docs/server.md says what else differs. User and password
    are read from LOREGRAPH_BOLT_USER and LOREGRAPH_BOLT_PASSWORD.

    JSON: a list of objects, one a row.
    """
    values = parsed_params(params)
    if server is None and (database or repositories):
        raise click.UsageError("--database and --repository are for --server")
    with target.asked() as project:
        if server is not None:
            rows = project.ask_server(
                cypher,
                values,
                url=server,
                database=database or "",
                repositories=repositories,
                limit=limit,
                timeout=timeout,
            )
        else:
            rows = project.query(cypher, values, limit=limit, timeout=timeout)
            Freshness(project).stale()
        if project.history_remark:
            say(f"history: {project.history_remark}")
    if as_json:
        print_json(list(rows))
    elif rows.columns:  # a server that has no rows may not name their columns
        print_rows([rows.columns, *([cell(row[name]) for name in rows.columns] for row in rows)])
    if rows.truncated:
        say(f"only the first {len(rows):,} rows; --limit asks for more")


def parsed_params(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"not JSON: {error}", param_hint="--params") from None
    if not isinstance(values, dict):
        raise click.BadParameter("a JSON object is needed", param_hint="--params")
    return values


def cell(value: Any) -> str:
    """One value of a row on one line."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
    return " ".join(text.split())
