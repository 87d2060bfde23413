"""Output of results: JSON for programs, aligned lines that start with `path:line` for people.

All output of commands goes through here, where untrusted names and texts are escaped for terminals.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, Final

import click

from loregraph.errors import UsageError
from loregraph.terminal import counted, visible, visible_json, visible_lines

WIDEST: Final = 80
"""Maximum width to which a table's column is padded; a longer cell only shifts its own line."""

ROWS: Final = 40
"""Maximum lines of a section on a terminal; JSON has them all."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class Styled(str):
    """Escaped text with colours, made by `styled`. Concatenations of it are plain text again."""

    __slots__ = ()


def styled(text: str, **style: Any) -> Styled:
    """`text` on one line with the colours and weights of `click.style`."""
    return Styled(click.style(visible(text), **style))


# Implements REQ-SEC-008.
def echo(*parts: str, err: bool = False) -> None:
    """Prints one line: text that is not `Styled` is escaped, line ends included."""
    click.echo("".join(part if isinstance(part, Styled) else visible(part) for part in parts), err=err)


def echo_text(text: str, *, indent: str = "", err: bool = False) -> None:
    """Prints a text of several lines, escaped except for line ends and tabs."""
    shown = visible_lines(text)
    click.echo(textwrap.indent(shown, indent) if indent else shown, err=err)


def echo_data(piece: str) -> None:
    """Prints a piece of a document in another format: exactly, for a file or a pipe; escaped for a terminal."""
    click.echo(visible_lines(piece) if sys.stdout.isatty() else piece, nl=False)


def binary_output() -> BinaryIO:
    """Standard output for a format that is not text. Its reader is a file or a program, never a terminal: raises
    UsageError for one."""
    if sys.stdout.isatty():
        raise UsageError("this format is not text", "write it to a file with --output, or into a pipe")
    return sys.stdout.buffer


# Implements REQ-CLI-001.
def print_json(value: Any, *, short: bool = False) -> None:
    """Prints `value` (records, containers, plain values) as one JSON document, indented for a terminal.

    `short`: without optional spaces, for what has to fit a number of tokens.
    """
    indent = 2 if sys.stdout.isatty() else None
    separators = (",", ":") if short and indent is None else None
    text = json.dumps(plain(value), indent=indent, separators=separators, ensure_ascii=not writes_unicode())
    click.echo(visible_json(text))


def plain(value: Any) -> Any:
    """`value` with records as objects, ready for `json.dumps`."""
    import msgspec

    return msgspec.to_builtins(value, enc_hook=str)


def writes_unicode() -> bool:
    """Whether standard output can represent any character; a StringIO can."""
    encoding = getattr(sys.stdout, "encoding", None)
    return encoding is None or encoding.lower().replace("-", "") == "utf8"


# Implements REQ-CLI-002.
def say(text: str = "") -> None:
    """A message for the user, separate from results."""
    echo(text, err=True)


def agreed(question: str) -> bool:
    """The user's answer to a question; no answer is a no."""
    return click.confirm(visible(question), default=False)


def place(file_path: str, line: int) -> str:
    """`path:line`, which terminals and editors recognise."""
    return f"{file_path}:{line}" if line else file_path


def print_rows(rows: Iterable[Sequence[str]], *, indent: int = 0) -> None:
    """Prints rows of cells in aligned columns; the last column is not padded.

    With colours the first column is bold and those after the second are dim.
    """
    table = [[visible(cell) for cell in row] for row in rows]
    if not table:
        return
    widths = [min(WIDEST, max(len(row[i]) for row in table)) for i in range(len(table[0]) - 1)]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        cells.append(row[-1])
        while len(cells) > 1 and not cells[-1].strip():
            cells.pop()
        cells[-1] = cells[-1].rstrip()
        echo(Styled(" " * indent + "  ".join(styles(cell, column) for column, cell in enumerate(cells)).rstrip()))


def styles(cell: str, column: int) -> str:
    if column == 0:
        return styled(cell, bold=True)
    return styled(cell, dim=True) if column > 1 else visible(cell)


def heading(text: str) -> None:
    echo(styled(text, bold=True))


def section(title: str, rows: Sequence[Sequence[str]]) -> None:
    """A heading with the number of rows, and at most `ROWS` of these; nothing without any."""
    if not rows:
        return
    heading(f"{title} ({len(rows):,})")
    print_rows(rows[:ROWS], indent=2)
    if len(rows) > ROWS:
        echo(f"  … and {len(rows) - ROWS:,} more; --json has them all")
    echo()


count = counted


def size(number: int) -> str:
    """Bytes in readable form: `512 B`, `7.6 MB`."""
    amount = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
