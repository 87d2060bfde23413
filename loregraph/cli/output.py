"""How results are printed: JSON for programs, aligned lines that start with `path:line` for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

import click

WIDEST: Final = 80
"""Columns that a column of a table is padded to at most; a longer cell pushes its own line only."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


# Implements REQ-CLI-001.
def print_json(value: Any) -> None:
    """Prints `value` (records, containers, plain values) as one JSON document, indented for a terminal."""
    indent = 2 if sys.stdout.isatty() else None
    click.echo(json.dumps(plain(value), indent=indent, ensure_ascii=not writes_unicode()))


def plain(value: Any) -> Any:
    """`value` with records as objects, ready for `json.dumps`."""
    import msgspec

    return msgspec.to_builtins(value, enc_hook=str)


def writes_unicode() -> bool:
    """Whether standard output can carry any character; a StringIO can."""
    encoding = getattr(sys.stdout, "encoding", None)
    return encoding is None or encoding.lower().replace("-", "") == "utf8"


# Implements REQ-CLI-002.
def say(text: str = "") -> None:
    """A remark for the person at the terminal, apart from results."""
    click.echo(text, err=True)


def place(file_path: str, line: int) -> str:
    """`path:line`, which terminals and editors jump to."""
    return f"{file_path}:{line}" if line else file_path


def print_rows(rows: Iterable[Sequence[str]], *, indent: int = 0) -> None:
    """Prints rows of cells in columns as wide as their content; the last column is not padded.

    Where colours are shown the first column is bold and those beyond the second are dim.
    """
    table = [list(row) for row in rows]
    if not table:
        return
    widths = [min(WIDEST, max(len(row[i]) for row in table)) for i in range(len(table[0]) - 1)]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        cells.append(row[-1])
        styled = [styles(cell, column) for column, cell in enumerate(cells)]
        click.echo(" " * indent + "  ".join(styled).rstrip())


def clipped(text: str, width: int = 70) -> str:
    """`text` on one line, at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def styles(cell: str, column: int) -> str:
    if column == 0:
        return click.style(cell, bold=True)
    return click.style(cell, dim=True) if column > 1 else cell


def heading(text: str) -> None:
    click.echo(click.style(text, bold=True))


def count(number: int, singular: str, plural: str = "") -> str:
    """`1 file`, `2 files`, `1,234 files`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def size(number: int) -> str:
    """Bytes as a person reads them: `512 B`, `7.6 MB`."""
    amount = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
