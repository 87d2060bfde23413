"""Copies of one function among those that search finds near it: exact, renamed and edited ones.

Compared token by token, from the source as it is on disk. Names and literals are told apart from the rest by form
alone, so that it works in every language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns

NEAR: Final = 60
"""How many candidates search gives."""
FEWEST_TOKENS: Final = 8
"""A function of fewer tokens says too little to be anyone's copy."""
FEWEST_RENAMED: Final = 25
"""Tokens from which the same shape with other names means a copy."""
RENAMED: Final = 0.95
"""Similarity of a copy that differs in names and literals only."""

_TOKEN: Final = re.compile(
    r"(?P<comment>\#[^\n]*|//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"
    r"|(?P<number>\b\d[\w.]*)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<other>[^\s\w])",
    re.DOTALL,
)
_KEYWORDS: Final = frozenset(
    "and as assert async await break case catch class const continue def default defer del do elif else enum except "
    "extends false finally fn for from func function go if impl implements import in interface is lambda let loop "
    "match mut new nil none not null or pass private protected pub public raise return self static struct super switch "
    "this throw throws trait true try type union unsafe use var void where while with yield".split()
)


class Copy(msgspec.Struct, frozen=True):
    """A function that is like the one in question. `clone_type`: exact, renamed or edited."""

    id: str
    name: str
    signature: str
    file_path: str
    start_line: int
    end_line: int
    similarity: float
    clone_type: str


Tokens = list[tuple[str, str]]
"""(kind, text) of each token that is no comment."""


def copies_of(
    columns: GraphColumns,
    root: Path,
    code: str,
    candidates: Iterable[int],
    *,
    leave_out: int | None,
    threshold: float,
    limit: int,
) -> list[Copy]:
    """Those of `candidates` whose source is like `code`, at least `threshold`, best first. `leave_out` is the function
    in question itself. Raises UsageError for code that is too short to be compared."""
    wanted = tokens(code)
    if len(wanted) < FEWEST_TOKENS:
        raise UsageError(
            f"code: {len(wanted)} tokens are too few to tell a copy", f"pass a whole function, {FEWEST_TOKENS} tokens"
        )
    lines = cache(lambda path: lines_of(root / path))
    compare = comparison(wanted)
    found = []
    for node in dict.fromkeys(candidates):
        if node == leave_out or columns.label(node) != "Function":
            continue
        similarity, clone_type = compare(tokens(source(columns, node, lines)))
        if similarity >= threshold:
            found.append(
                Copy(
                    columns.id(node),
                    columns.name(node),
                    columns.signature(node),
                    columns.path(node),
                    int(columns.start_line[node]),
                    int(columns.end_line[node]),
                    round(similarity, 3),
                    clone_type,
                )
            )
    found.sort(key=lambda copy: (-copy.similarity, copy.id))
    return found[:limit]


def same_content(columns: GraphColumns, node: int) -> list[int]:
    """Functions whose text is that of `node`, character for character."""
    wanted = columns.own(node, "content_hash")
    if not wanted:
        return []
    functions = columns.nodes("Function").tolist()
    column, _ = columns.column("Function", "content_hash")
    return [function for row, function in enumerate(functions) if column[row] == wanted]


def source(columns: GraphColumns, node: int, lines: Callable[[str], list[str]]) -> str:
    """The lines of a function."""
    return "".join(lines(columns.path(node))[int(columns.start_line[node]) - 1 : int(columns.end_line[node])])


def lines_of(path: Path) -> list[str]:
    """The file's lines with their ends; none of a file that cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    except OSError:
        return []


def tokens(text: str) -> Tokens:
    found = ((match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text))
    return [token for token in found if token[0] != "comment"]


def abstract(given: Tokens) -> list[str]:
    """Each token by its form: a name is any name, a literal any literal; keywords and signs stay."""
    return [text if kind == "other" or text.lower() in _KEYWORDS else kind for kind, text in given]


def comparison(wanted: Tokens) -> Callable[[Tokens], tuple[float, str]]:
    """(similarity 0…1, clone type) of other tokens to `wanted`."""
    concrete, shape = [text for _, text in wanted], abstract(wanted)
    concrete_grams, shape_grams = grams(concrete), grams(shape)

    def compare(other: Tokens) -> tuple[float, str]:
        texts = [text for _, text in other]
        if len(texts) < FEWEST_TOKENS:
            return 0.0, "edited"
        if texts == concrete or unnamed(texts) == unnamed(concrete):
            return 1.0, "exact"
        form = abstract(other)
        if form == shape and len(shape) >= FEWEST_RENAMED:
            return RENAMED, "renamed"
        similarity = dice(concrete_grams, grams(texts))
        if min(len(form), len(shape)) >= FEWEST_RENAMED:
            similarity = max(similarity, 0.5 * similarity + 0.5 * RENAMED * dice(shape_grams, grams(form)))
        return similarity, "edited"

    return compare


def unnamed(texts: list[str]) -> list[str]:
    """`texts` without the function's own name: what comes before the first bracket."""
    if "(" not in texts:
        return texts
    first = texts.index("(")
    return [*texts[: max(0, first - 1)], *texts[first:]]


def grams(texts: list[str]) -> Counter[tuple[str, ...]]:
    """How often each three tokens follow one another."""
    return Counter(zip(texts, texts[1:], texts[2:], strict=False))


def dice(a: Counter[tuple[str, ...]], b: Counter[tuple[str, ...]]) -> float:
    """Twice what both have, of all there is (Sørensen 1948, Dice 1945), for multisets."""
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 0.0
