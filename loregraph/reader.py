"""One generation of a graph held open: columns, search indexes and a worker for Cypher, each loaded on first use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from loregraph.config import Settings
from loregraph.errors import UsageError
from loregraph.graph.columns import COLUMNS_FILE, GraphColumns
from loregraph.graph.generation import Current, Lease

if TYPE_CHECKING:
    from loregraph.analysis.code_roles import CodeRoles
    from loregraph.analysis.duplicates.clones import CloneIndex
    from loregraph.analysis.duplicates.units import Read
    from loregraph.analysis.rules.code import Code
    from loregraph.graph.constants import ConstantIndex
    from loregraph.graph.cypher_worker import CypherWorker, QueryResult
    from loregraph.graph.embedders import Embedder
    from loregraph.graph.lexical import LexicalIndex
    from loregraph.graph.search import Searcher, SearchHit
    from loregraph.graph.vectors import StaticTerms, VectorIndex


@cache
def loaded_embedder(spec: str) -> Embedder | None:
    """`vectors.load_embedder`, cached per process: a server must not load the model again for each new graph."""
    from loregraph.graph.vectors import load_embedder

    return load_embedder(spec)


MOST_QUERY: Final = 100_000
"""Maximum characters of a query: each takes about four microseconds."""

_CLONES: Final[dict[Path, tuple[tuple[Path, str, tuple[str, ...]], CloneIndex]]] = {}
"""Store → its latest clone index with the identity of its inputs: it takes seconds to make, and is shared by all
readers of a process."""
_CLONES_LOCK: Final = threading.Lock()


class Rows(list[dict[str, Any]]):
    """Rows of a query, one dict each. `truncated`: there were more; `seconds` is the query's duration."""

    def __init__(self, result: QueryResult) -> None:
        super().__init__(result.as_dicts())
        self.columns = list(result.columns)
        self.truncated = result.truncated
        self.seconds = result.seconds


# Implements REQ-CLI-012.
class Reader:
    """Queries to one generation. Takes over `lease`; `close` releases it."""

    def __init__(self, lease: Lease, settings: Settings) -> None:
        self._lease = lease
        self._settings = settings
        self._worker: CypherWorker | None = None
        self._code: Code | None = None

    @property
    def current(self) -> Current:
        """The generation's identity: engine, embedder, versions."""
        return self._lease.current

    @property
    def generation(self) -> int:
        return self._lease.generation

    @property
    def folder(self) -> Path:
        """The generation's folder, which stays as long as this reader is open."""
        return self._lease.path

    @cached_property
    def columns(self) -> GraphColumns:
        self._lease.require(COLUMNS_FILE)
        return GraphColumns.open(self._lease.path)

    @cached_property
    def lexical(self) -> LexicalIndex:
        from loregraph.graph.lexical import LEXICAL_FILE, LexicalIndex

        self._lease.require(LEXICAL_FILE)
        return LexicalIndex(self._lease.path)

    def mentioning(self, name: str) -> list[int]:
        """The nodes whose text has the word `name`, in any case."""
        from loregraph.graph.terms import terms

        *_, whole = ["", *terms(name)]  # the last one stands for the whole name
        return [int(node) for node in self.lexical.scores({whole: 1.0})[0].tolist()] if whole else []

    @cached_property
    def constants(self) -> ConstantIndex:
        from loregraph.graph.constants import CONSTANTS_FILE, ConstantIndex

        self._lease.require(CONSTANTS_FILE)
        return ConstantIndex(self._lease.path)

    @cached_property
    def vectors(self) -> VectorIndex | None:
        """None where the graph was made without vectors."""
        from loregraph.graph.vector_index import VECTORS_FILE, VectorIndex

        if self.current.embedder is None:
            return None
        self._lease.require(VECTORS_FILE)
        return VectorIndex(self._lease.path)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The configured embedder; None where it is "none". Raises EmbedderMismatchError if it did not make the graph's
        vectors."""
        from loregraph.graph import vectors

        embedder = loaded_embedder(self._settings.embedder)
        if embedder is not None and self.current.embedder is not None:
            vectors.require_same_space(vectors.EmbedderIdentity(**self.current.embedder), embedder)
        return embedder

    @cached_property
    def term_vectors(self) -> StaticTerms | None:
        """Vectors of single terms, where the embedder has them."""
        from loregraph.graph import vectors

        return vectors.term_vectors(self.embedder) if self.embedder is not None else None

    @cached_property
    def roles(self) -> CodeRoles:
        """Which code is of tests; a first question about a file without a name of tests looks at the whole graph."""
        from loregraph.analysis.code_roles import CodeRoles

        return CodeRoles(self.columns)

    @cached_property
    def searcher(self) -> Searcher:
        from loregraph.graph.search import Searcher
        from loregraph.indexer.languages.registry import is_test_path

        return Searcher(self.lexical, self.vectors, self.columns, self.constants, is_test=is_test_path)

    def search(
        self,
        query: str,
        *,
        kind: str | None,
        language: str | None,
        path: str | None,
        limit: int,
        mode: str,
        generated: bool = False,
    ) -> list[SearchHit]:
        """See `graph.search.Searcher.search`. Loads the model for the query only if vectors are needed.

        Raises UsageError for a query of more than `MOST_QUERY` characters.
        """
        from loregraph.graph.search import Filters, embedded

        if len(query) > MOST_QUERY:
            raise UsageError(f"the query is longer than {MOST_QUERY:,} characters", "ask with the part that matters")
        vector = None
        if mode != "lexical" and self.vectors is not None and self.embedder is not None:
            vector = embedded(query, self.embedder.embed_query)
        return self.searcher.search(
            query,
            vector,
            term_vectors=self.term_vectors if vector is not None else None,
            mode=mode,
            limit=limit,
            filters=Filters(kind, language, path, generated),
        )

    def clones(self, read: Read, exclude: Sequence[str]) -> CloneIndex:
        """The index for finding copies; made once for a generation and `exclude`, for all readers."""
        from loregraph.analysis.duplicates.clones import CloneIndex
        from loregraph.analysis.duplicates.units import read_units

        made_of = self._lease.path, self.current.state_token, tuple(exclude)
        with _CLONES_LOCK:
            held = _CLONES.get(self._lease.path.parent)
            if held is not None and held[0] == made_of:
                return held[1]
            index = CloneIndex(read_units(self.columns, read, exclude))
            _CLONES[self._lease.path.parent] = made_of, index
            return index

    def code(self, root: Path, read: Callable[[str], bytes | None] | None = None) -> Code:
        """The code of the project at `root` as rules see it; made once. `read` is that of `Code`."""
        if self._code is None:
            from loregraph.analysis.rules.code import Code

            self._code = Code(self.columns, root, self._settings.check, read)
        return self._code

    def query(self, cypher: str, params: Mapping[str, Any], *, limit: int, timeout: float) -> Rows:
        """Runs `cypher` in this reader's worker process, which is started by the first query."""
        if self._worker is None:
            from loregraph.graph.cypher_worker import CypherWorker

            self._worker = CypherWorker(self._lease.path)
        return Rows(self._worker.run(cypher, params, limit=limit, timeout=timeout))

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()
        self._lease.close()
