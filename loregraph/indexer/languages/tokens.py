"""How languages write comments, strings and keywords: what telling tokens apart needs, and the parts that many share.

Only what decides copies is here: numbers, names and signs look much the same everywhere. Patterns end at the end of the
file where a quote or a comment is not closed, so that reading stays linear whatever the file holds.
"""

from __future__ import annotations

from typing import Final

import msgspec

DOUBLE: Final = r'(?<!\\)"(?:[^"\\\n]|\\.)*+"'
SINGLE: Final = r"(?<!\\)'(?:[^'\\\n]|\\.)*+'"
BACKTICK: Final = r"`(?:[^`\\]|\\.)*+(?:`|\\?\Z)"
RAW_BACKTICK: Final = r"`[^`]*(?:`|\Z)"
CHARACTER: Final = r"'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'"
TRIPLE_DOUBLE: Final = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\\?\Z)'
TRIPLE_SINGLE: Final = r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\\?\Z)"
TEXT_BLOCK: Final = r'"""(?:[^"]|"(?!""))*(?:"""|\Z)'
PYTHON_PREFIX: Final = r"(?:[rbfutRBFUT]{1,2}(?=[\"']))?"
RUST_RAW: Final = r'b?r"[^"]*(?:"|\Z)|b?r\#".*?(?:"\#|\Z)|b?r\#\#".*?(?:"\#\#|\Z)'
CPP_RAW: Final = r'(?:u8|[uUL])?R"[^()\\\s"]{0,16}\(.*?(?:\)[^()\\\s"]{0,16}"|\Z)'
REGEX: Final = r"(?<=[=(,:!&|?\[;{}])[ \t]*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\])++/[a-z]*"
"""JavaScript's, where a division cannot stand."""

LINE: Final = r"//[^\n]*"
BLOCK: Final = r"/\*.*?(?:\*/|\Z)"
HASH: Final = r"\#[^\n]*"
SLASHES: Final = (LINE, BLOCK)

C: Final = (
    "auto bool break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
)
JVM: Final = (
    "abstract assert boolean break byte case catch char class continue default do double else enum extends false final "
    "finally float for if implements import instanceof int interface long native new null package private protected "
    "public return short static super switch synchronized this throw throws transient true try void volatile while"
)
ANNOTATIONS: Final = r"@(?:Override|Deprecated|NonNull|Nonnull|Nullable|NotNull|SuppressWarnings\s*\([^)]*\))"
"""Notes to a compiler, which no copy differs in."""
IMPORTS: Final = (
    r"^[ \t]*(?:import|package|using|use|namespace|alias|require|require_relative)[ \t]++[^\n;{(]++;?[ \t]*+$"
)


class Tokens(msgspec.Struct, frozen=True):
    """One row. `comments`, `strings` and `ignored` are regular expressions; `ignored` is passed over like a comment.

    `docstrings`: a string that is a statement of its own says nothing to the machine. `name` is a name's pattern.
    """

    keywords: str
    comments: tuple[str, ...] = SLASHES
    strings: tuple[str, ...] = (DOUBLE, SINGLE)
    ignored: tuple[str, ...] = ()
    docstrings: bool = False
    body: str = "{"
    """What ends the head of a function: "{", ":" outside brackets, or "\\n" where it ends with its line."""
    name: str = r"[^\W\d]\w*"
