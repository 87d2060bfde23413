"""The `loregraph` command: its options, and its error handling."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from loregraph import __version__
from loregraph.cli import (
    check,
    context,
    copies,
    diff,
    duplicates,
    explore,
    export,
    impact,
    imports,
    index_many,
    indexing,
    install,
    machine,
    memory,
    proxy,
    publishing,
    push,
    questions,
    related,
    review,
    runs,
    serve,
    tests,
    trace,
    trust,
    view,
    workspaces,
    wrap,
)
from loregraph.cli.groups import InOrder
from loregraph.cli.output import echo, echo_text
from loregraph.cli.target import WORKSPACE, Target
from loregraph.errors import AmbiguousSymbolError, LoregraphError
from loregraph.gc_control import never_collect

# Before numpy loads: vectors are small here, and its idle threads spin (a query cost 17 ms of processor time, not 4).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DONE, WRONG_CALL, FAILED, INTERRUPTED = 0, 2, 3, 130
SHOWN_CANDIDATES = 30


@click.group(
    cls=InOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Begin with: loregraph index",
)
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The project's root. Default: found from here by .loregraph/, else git, else this folder.",
)
@click.option(
    "--store",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the graph is kept. Default: .loregraph/ at the root, or $LOREGRAPH_STORE.",
)
@click.option(
    "--workspace",
    type=WORKSPACE,
    metavar="FILE",
    help="Ask several repositories together: those that this loregraph-workspace.toml lists.",
)
@click.version_option(__version__, prog_name="loregraph", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context, root: Path | None, store: Path | None, workspace: Path | None) -> None:
    """Turn a repository into a graph, and question it. Offline."""
    ctx.obj = Target(root, store, workspace)


for command in (
    indexing.index,
    indexing.watch,
    indexing.status,
    workspaces.workspace,
    explore.explore,
    questions.search,
    questions.show,
    questions.callers,
    questions.callees,
    impact.impact,
    related.related,
    context.context,
    questions.query,
    duplicates.duplicates,
    copies.copies_of,
    check.check,
    trace.trace,
    index_many.index_many,
    view.view,
    memory.memory,
    serve.serve,
    proxy.proxy,
    wrap.wrap,
    diff.diff,
    review.review,
    export.export,
    publishing.publish,
    publishing.pull,
    publishing.gc,
    imports.imports,
    push.push,
    runs.runs,
    tests.tests,
    trust.trust,
    install.install,
    install.uninstall,
    machine.doctor,
):
    cli.add_command(command)


def main(args: Sequence[str] | None = None, standalone_mode: bool = True) -> int:
    """Runs one command line. Ends the process with its exit code, or returns it unless `standalone_mode`."""
    code = run(args)
    if standalone_mode:
        sys.exit(code)
    return code


def process() -> None:
    """The command as a process of its own."""
    never_collect()
    main()


def prepare(stream: io.TextIOWrapper, platform: str) -> None:
    """Makes a stream of the process able to print whatever a repository holds."""
    if platform == "win32" and not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
        # A pipe or file has the encoding of the machine's region there, in which JSON is none.
        stream.reconfigure(encoding="utf-8")
    # A file name that the stream's encoding cannot represent must not end the command that prints it.
    stream.reconfigure(errors="backslashreplace")


# Implements REQ-CLI-003.
def run(args: Sequence[str] | None) -> int:
    """Runs one command line and returns its exit code. All errors are handled here."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            prepare(stream, sys.platform)
    streams = sys.stdout, sys.stderr
    try:
        code = cli.main(args=args, prog_name="loregraph", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except click.ClickException as error:
        told = io.StringIO()
        error.show(told)
        echo_text(told.getvalue().rstrip("\n"), err=True)
        return WRONG_CALL
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # The reader of our output has closed it; click raises SystemExit after it has replaced the streams. Buffered
        # text must not be flushed to a closed pipe at exit.
        sys.stdout, sys.stderr = streams
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout is sys.__stdout__:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except LoregraphError as error:
        return explain(error)
    except Exception as error:
        if os.environ.get("LOREGRAPH_DEBUG"):
            import traceback

            echo_text(traceback.format_exc(), err=True)
        else:
            message = " ".join(str(error).split()) or "no message"
            echo(f"error: unexpected {type(error).__name__}: {message}", err=True)
            echo("hint: this is a fault of loregraph; LOREGRAPH_DEBUG=1 shows where", err=True)
        return FAILED


# Implements REQ-CLI-004.
def explain(error: LoregraphError) -> int:
    """Prints the error and its suggestion. Returns the exit code."""
    echo(f"error: {error.message}", err=True)
    if isinstance(error, AmbiguousSymbolError):
        for candidate in error.candidates[:SHOWN_CANDIDATES]:
            echo(f"  {candidate}", err=True)
        if len(error.candidates) > SHOWN_CANDIDATES:
            echo(f"  ... and {len(error.candidates) - SHOWN_CANDIDATES:,} more", err=True)
    if error.suggestion:
        echo(f"hint: {error.suggestion}", err=True)
    if os.environ.get("LOREGRAPH_DEBUG"):
        import traceback

        echo_text(traceback.format_exc(), err=True)
    return error.exit_code
