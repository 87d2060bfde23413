"""Jupyter notebooks: the code of their cells, in order, as one module.

A notebook is JSON (nbformat 3 and 4; https://nbformat.readthedocs.io): cells hold their text as a string or as a list
of strings, a line each. It is read token by token: outputs are passed over without being copied. What only IPython
understands (`%matplotlib inline`, `!pip install`, `%%bash`) is left out, as its own checks do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from loregraph.indexer.facts import FileFacts, Problem
from loregraph.indexer.languages.embedded import Embedded, EmbeddedCode

_TOKEN: Final = re.compile(r'\s*+("(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]++|\Z)', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})(?:\\u([Dd][C-Fc-f][0-9A-Fa-f]{2}))?|(.))", re.DOTALL)
_MEANT: Final = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "\f"}
_SPACE: Final = re.compile(r"[ \t]*+")
_SHELL: Final = re.compile(r"([ \t]*+[\w, \t.\[\]'\"]{0,200}?=[ \t]*+)[!%]")
_MAGIC: Final = re.compile(r"%{1,2}[A-Za-z]|!(?!=)")
_HELP: Final = re.compile(r"[ \t]*+(?:\?{1,2}[\w.*]|%{0,2}[\w.]++(?:\(\))?\?{1,2}[ \t]*+$)")
_OF_PYTHON: Final = re.compile(
    r"%%(?:time|timeit|capture|prun|debug|memit|mprun|snakeviz|heat|scalene|python3?|pypy|add_to|export|exporti)\b"
)
"""Magics of cells whose text is Python all the same."""
_LINE_OF_PYTHON: Final = re.compile(r"%(?:time|timeit|prun|memit|debug)[ \t]++(?!-)")
"""Magics of lines that run a statement of Python."""
_PYTHON: Final = re.compile(r"i?python|pyodide|xpython|sage|conda|\.?venv|pyspark", re.IGNORECASE)
_CLOSES: Final = {"]": "[", "}": "{"}


@dataclass(slots=True)
class _Cell:
    kind: str = ""
    source: list[tuple[int, int]] = field(default_factory=list)
    """The strings that the text is in, without their quotes."""


@dataclass(slots=True)
class _Notebook:
    cells: list[_Cell] = field(default_factory=list)
    kernel: str = ""
    """Name of the language, "" where the notebook does not say."""
    named: str = ""
    """Name of the kernel."""


class _BrokenError(Exception):
    """The text is no JSON; the argument is the place."""


def read(path: str, source: bytes) -> Embedded | FileFacts:
    """The code of an `.ipynb` file."""
    text = source.decode("latin-1")
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    try:
        found = _notebook(text)
    except _BrokenError as error:
        line = text.count("\n", 0, error.args[0]) + 1
        told = Problem(line, "syntax error: not the JSON of a notebook")
        return FileFacts(path, "python", "", lines, "failed", (told,))
    language = (found.kernel or found.named or "python").lower()
    if not _PYTHON.match(language):
        told = Problem(0, f"a notebook in {language[:40]}: only those in Python are read")
        return FileFacts(path, "python", "", lines, "unsupported", (told,))
    code = EmbeddedCode(text)
    for cell in found.cells:
        if cell.kind == "code":
            _add(code, text, cell)
    return Embedded("python", code.text(), code.runs, escaped=True)


def _notebook(text: str) -> _Notebook:
    """The cells of a notebook. Raises _BrokenError."""
    found = _Notebook()
    opened: list[str] = []
    keys: list[str] = []
    """The key of each open bracket: what it is the value of; of a list's items that of the list."""
    cell: _Cell | None = None
    cell_depth = 0
    key = ""
    waiting = False  # behind a colon
    at = 0
    for first, last in _tokens(text):
        sign = text[first]
        if sign in "[{":
            around = keys[-1] if keys else ""
            in_cells = around == "cells" and opened[-1] == "[" and cell is None
            if in_cells and sign == "{" and (len(opened) == 2 or keys[1] == "worksheets"):
                cell, cell_depth = _Cell(), len(opened)
            keys.append(key if waiting else around if opened and opened[-1] == "[" else "")
            opened.append(sign)
            waiting = False
        elif sign in "]}":
            if not opened or opened.pop() != _CLOSES[sign]:
                raise _BrokenError(first)
            keys.pop()
            waiting = False
            if cell is not None and len(opened) == cell_depth:
                found.cells.append(cell)
                cell = None
        elif sign == ":":
            waiting = True
        elif sign == ",":
            waiting = False
        elif sign == '"':
            start, end = first + 1, last - 1
            depth = len(opened)
            if opened and opened[-1] == "{" and not waiting:
                key = text[start:end] if end - start < 40 else ""
                continue
            if cell is not None:
                if depth == cell_depth + 1 and waiting:
                    if key == "cell_type":
                        cell.kind = text[start:end]
                    elif key in ("source", "input"):
                        cell.source.append((start, end))
                elif depth == cell_depth + 2 and opened[-1] == "[" and keys[-1] in ("source", "input"):
                    cell.source.append((start, end))
            elif waiting and depth == 3 and keys[-2:] == ["metadata", "kernelspec"]:
                if key == "language":
                    found.kernel = text[start:end]
                elif key == "name":
                    found.named = text[start:end]
            elif waiting and depth == 3 and keys[-2:] == ["metadata", "language_info"] and key == "name":
                found.kernel = found.kernel or text[start:end]
            waiting = False
        at = last
    if opened or not at:
        raise _BrokenError(max(0, len(text) - 1))
    return found


# Implements REQ-SEC-010.
def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """The places of the tokens. Raises _BrokenError at a quote that nothing closes."""
    at = 0
    while (match := _TOKEN.match(text, at)) is not None:
        if match.end() == match.start(1):
            return
        yield match.span(1)
        at = match.end()
    raise _BrokenError(at)


def _add(code: EmbeddedCode, text: str, cell: _Cell) -> None:
    """Adds the lines of one cell."""
    lines = list(_lines(text, cell))
    first = next((line for line in lines if _words(line).strip()), None)
    if first is None:
        return
    told = _words(first).strip()
    if told.startswith("%%") and not _OF_PYTHON.match(told):
        return
    leading = _SPACE.match(_words(first))
    indent = leading[0] if leading else ""
    goes_on = False
    for line in lines:
        words = _words(line)
        stripped = words.strip()
        if goes_on:
            goes_on = stripped.endswith("\\")
            continue
        if stripped.startswith("%%"):
            continue
        if _MAGIC.match(stripped) or _HELP.match(words):
            space = words[: len(words) - len(words.lstrip())].removeprefix(indent)
            python = _LINE_OF_PYTHON.match(stripped)
            if python is None:
                goes_on = stripped.endswith("\\")
                code.make(space + "pass\n", line[0][1])
            else:
                code.make(space, line[0][1])
                _write(code, text, line, len(words) - len(words.lstrip()) + python.end())
            continue
        assigned = _SHELL.match(words)
        if assigned is not None:
            code.make(assigned[1].removeprefix(indent) + "None\n", line[0][1])
            goes_on = stripped.endswith("\\")
            continue
        _write(code, text, line, len(indent) if words.startswith(indent) else 0)
    code.make("\n")


_Piece = tuple[str, int, int]
"""(what it means, its place, its length): a run of characters as they are, or one escape."""


def _words(line: list[_Piece]) -> str:
    return "".join(meant for meant, _, _ in line).rstrip("\n")


def _write(code: EmbeddedCode, text: str, line: list[_Piece], skipped: int) -> None:
    """Adds a line without its first characters."""
    for meant, at, length in line:
        if skipped >= len(meant):
            skipped -= len(meant)
            continue
        if length == len(meant) and text.startswith(meant, at):
            code.copy(at + skipped, at + length)
        else:
            code.make(meant[skipped:], at)
        skipped = 0
    if not (line and line[-1][0].endswith("\n")):
        code.make("\n")


def _lines(text: str, cell: _Cell) -> Iterator[list[_Piece]]:
    """The lines of a cell's text, each in its pieces."""
    line: list[_Piece] = []
    for start, end in cell.source:
        at = start
        for match in _ESCAPE.finditer(text, start, end):
            if match.start() > at:
                line.append((text[at : match.start()], at, match.start() - at))
            meant = _meant(match)
            line.append((meant, match.start(), match.end() - match.start()))
            at = match.end()
            if meant == "\n":
                yield line
                line = []
        if end > at:
            line.append((text[at:end], at, end - at))
    if line:
        yield line


def _meant(match: re.Match[str]) -> str:
    """The characters that an escape stands for, as the bytes of their UTF-8."""
    if match[1] is None:
        return _MEANT.get(match[3], match[3])
    number = int(match[1], 16)
    if match[2] is not None and 0xD800 <= number < 0xDC00:
        number = 0x10000 + ((number - 0xD800) << 10) + (int(match[2], 16) - 0xDC00)
    return chr(number).encode("utf-8", "replace").decode("latin-1")
