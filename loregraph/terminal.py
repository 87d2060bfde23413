"""Escapes untrusted names and texts for terminals, pages and shells.

A name, a docstring or a commit message can contain escape sequences, which move the cursor, set the clipboard or
rewrite earlier output; characters that reverse the order of others or are invisible; and what a shell runs when a
suggested command is pasted.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Final

_UNSEEN: Final = (
    r"\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # zero width, or bidirectional
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    r"\ud800-\udfff"  # half of a surrogate pair, Python's representation of an invalid UTF-8 byte
)
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


@cache
def _any() -> re.Pattern[str]:
    """Matches any of them; compiled on first use, which takes a millisecond."""
    return re.compile(f"[{_UNSEEN}]")


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def counted(number: int, singular: str, plural: str = "") -> str:
    """`1 file`, `2 files`, `1,234 files`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


# Implements REQ-SEC-008.
def visible(text: str) -> str:
    """`text` as one line with every control, bidirectional and invisible character escaped as in Python."""
    if _is_plain(text):
        return text
    return _any().sub(lambda found: _SHORT.get(found[0]) or _escape(found[0]), text)


def visible_lines(text: str) -> str:
    """`text` escaped by `visible` except for its line ends and tabs: for printing it as written."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if _is_plain(text.replace("\n", "").replace("\t", "")):
        return text
    return _any().sub(lambda found: found[0] if found[0] in "\n\t" else _escape(found[0]), text)


def visible_json(document: str) -> str:
    r"""A JSON document with characters unsafe for a terminal as `\uXXXX`: the same values, readable everywhere.

    Outside its strings a document contains no such character but line ends.
    """
    if _is_plain(document.replace("\n", "")):
        return document
    return _any().sub(lambda found: found[0] if found[0] == "\n" else _json_escape(found[0]), document)


def visible_html(text: str) -> str:
    """`text` for an element or a quoted attribute of a page, with bidirectional characters escaped too."""
    import html  # 2 ms, which commands that print lines need not pay

    return html.escape(visible_lines(text))


def _json_escape(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code - 0x10000 & 0x3FF):04x}"


def shell_quoted(word: str) -> str:
    """`word` as one safely quoted word of a POSIX shell.

    A word with characters that `visible` escapes is written as `$'…'`, which bash, zsh and ksh support.
    """
    import shlex

    if _any().search(word) is None:
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + _any().sub(lambda found: _shell_escape(found[0]), escaped) + "'"


def _shell_escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file's name
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def tell(text: str) -> None:
    """Prints a line on standard error, where a host keeps the log of its servers. Write errors are ignored."""
    try:
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def clipped(text: str, width: int = 70) -> str:
    """`text` on one line, at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
