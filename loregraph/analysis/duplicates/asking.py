"""A project's queries for copies: all copies, copies of one thing, and the edges for the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from loregraph.analysis.duplicates.advice import standing
from loregraph.analysis.duplicates.clones import CloneIndex
from loregraph.analysis.duplicates.finding import find_duplicates, side_of
from loregraph.analysis.duplicates.lexical_rules import RULES, lexer_of
from loregraph.analysis.duplicates.pairing import TYPES
from loregraph.analysis.duplicates.results import (
    EDITED,
    EXACT,
    FUNCTION,
    RENAMED,
    SEMANTIC,
    Copy,
    Duplicates,
    Side,
)
from loregraph.analysis.duplicates.tokens import KEYWORD, kind_of
from loregraph.analysis.duplicates.units import Read
from loregraph.analysis.since import overlaps
from loregraph.config import LEAST_SIMILARITY, DuplicateSettings
from loregraph.errors import UsageError
from loregraph.gc_control import without_collector
from loregraph.git import ChangedFile
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge
from loregraph.graph.on_demand import SIMILAR_TO
from loregraph.graph.vector_index import VectorIndex
from loregraph.indexer.languages import registry

FEWEST_TOKENS: Final = 8
"""Code with fewer tokens is too short to be compared."""
_ADVICE: Final = {
    EXACT: "use {} instead of writing it again ({})",
    RENAMED: "use {}: it differs in names and literals only ({})",
    EDITED: "see whether {} can be used or extended ({})",
}


class Asked(NamedTuple):
    """A query for copies of `code`, or of the function `symbol`. `language` None: any; that of code is guessed."""

    code: str | None
    symbol: str | None
    language: str | None


def duplicates(
    columns: GraphColumns,
    find_index: Callable[[], CloneIndex],
    settings: DuplicateSettings,
    *,
    threshold: float | None = None,
    min_tokens: int | None = None,
    paths: Sequence[str] = (),
    changes: Mapping[str, ChangedFile] | None = None,
    semantic: bool = False,
    vectors: VectorIndex | None = None,
) -> Duplicates:
    """All copies within `paths`, files and folders, none for all; with `changes` those that overlap a changed line.

    `threshold` and `min_tokens` are as in `settings` unless given; with `semantic` the `vectors` of functions are
    compared, too. Raises UsageError for a number out of range, and where these vectors are missing; `find_index`, which
    takes seconds, is called after that.
    """
    if semantic and vectors is None:
        raise UsageError("the graph has no vectors, which --semantic compares", "run `loregraph index`")
    threshold = settings.threshold if threshold is None else threshold
    min_tokens = settings.min_tokens if min_tokens is None else min_tokens
    if not LEAST_SIMILARITY <= threshold <= 1:
        raise UsageError(f"threshold: {threshold} is no similarity of copies", f"use {LEAST_SIMILARITY} to 1")
    if min_tokens < 1:
        raise UsageError(f"min-tokens: {min_tokens} is too few", "use 1 or more")
    everywhere = not paths or "." in paths

    def inside(path: str) -> bool:
        return any(path == one or path.startswith(f"{one}/") for one in paths)

    def concerns(side: Side) -> bool:
        return overlaps(side.file_path, side.start_line, side.end_line, changes or {})

    with without_collector():
        return find_duplicates(
            columns,
            find_index(),
            threshold=threshold,
            min_tokens=min_tokens,
            inside=None if everywhere else inside,
            concerns=None if changes is None else concerns,
            vectors=vectors,
        )


def copies(
    columns: GraphColumns,
    find_index: Callable[[], CloneIndex],
    asked: Asked,
    read: Read,
    *,
    threshold: float,
    limit: int,
) -> list[Copy]:
    """Functions similar to the query, best first. Raises UsageError unless there is either code or a symbol, and for
    code too short to be compared, NotFoundError and AmbiguousSymbolError for the symbol."""
    if (asked.code is None) == (asked.symbol is None):
        raise UsageError("code, id: exactly one of the two is required", "pass code or id")
    own = None if asked.symbol is None else queries.resolve_number(columns, asked.symbol, ("Function",))
    index = find_index()
    code, wanted, leave_out = asked.code or "", asked.language, None
    if own is not None:
        code, wanted = _source(columns, own, read), columns.language(own)
        place = np.flatnonzero(index.units.nodes == own)
        leave_out = int(place[0]) if len(place) else None
    language = wanted or guessed_language(code, index_languages(columns, index))
    size = len([1 for token in lexer_of(language).tokens.findall(code) if not token.isspace()])
    if size < FEWEST_TOKENS:
        raise UsageError(
            f"code: {size} tokens are too few to tell a copy", f"pass a whole function, {FEWEST_TOKENS} tokens or more"
        )
    found = index.similar(code, language, threshold, leave_out)
    hits = []
    for unit, similarity, kind in zip(
        found.second.tolist(), found.similarity.tolist(), found.types.tolist(), strict=True
    ):
        node = int(index.units.nodes[unit])
        if node == own or (asked.language is not None and columns.language(node) != asked.language):
            continue
        side = side_of(columns, index, unit)
        name = columns.name(node)
        hits.append(
            Copy(
                side.id,
                name,
                columns.signature(node),
                side.file_path,
                side.start_line,
                side.end_line,
                round(similarity, 3),
                TYPES[kind],
                _ADVICE[TYPES[kind]].format(name, standing(columns, node).words()),
            )
        )
    hits.sort(key=lambda hit: (-hit.similarity, hit.clone_type, hit.id))
    return hits[:limit]


def similar_edges(found: Duplicates) -> list[Edge]:
    """The SIMILAR_TO edges: for every pair of whole functions, from the lower id to the other."""
    return [
        Edge(SIMILAR_TO, pair.a.id, pair.b.id, similarity=pair.similarity, clone_type=pair.clone_type)
        for pair in found.pairs
        if pair.scope == FUNCTION and pair.clone_type != SEMANTIC
    ]


def index_languages(columns: GraphColumns, index: CloneIndex) -> list[str]:
    """The languages of an index, most common first."""
    counted = Counter(columns.languages.codes[index.units.nodes].tolist())
    return [columns.languages.values[code] for code, _ in counted.most_common()]


def guessed_language(code: str, languages: Sequence[str]) -> str:
    """The one of `languages` whose keywords occur most often in `code`; the first on a tie."""
    best, most = languages[0] if languages else next(iter(RULES)), 0
    for language in languages:
        lexer = lexer_of(language)
        known = sum(kind_of(token, lexer) == KEYWORD for token in lexer.tokens.findall(code))
        if known > most:
            best, most = language, known
    return best


def _source(columns: GraphColumns, node: int, read: Read) -> str:
    path = columns.path(node)
    raw = read(path)
    lines = [] if raw is None else registry.as_code(path, raw)[1].decode("utf-8", "replace").split("\n")
    return "\n".join(lines[int(columns.start_line[node]) - 1 : int(columns.end_line[node])])
