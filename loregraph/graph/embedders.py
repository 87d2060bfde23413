"""What an embedder is, and the text it is given."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Protocol

from loregraph.graph.terms import MAX_WORD, Words, split_identifier, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TEXT_VERSION: Final = 1
"""Raised when `embedding_text` or pooling changes: vectors of another version are made again."""

MAX_TEXT: Final = 1000
"""Characters of an embedded text."""
MAX_NAME: Final = 150
MAX_DOCSTRING: Final = 350


class Embedder(Protocol):
    """Texts to unit vectors. The first four name the vector space: two graphs compare only where all four are equal."""

    @property
    def model_id(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def weights_sha256(self) -> str: ...
    @property
    def text_version(self) -> int: ...

    def embed_documents(self, texts: list[str]) -> NDArray[np.float32]:
        """Vectors of `texts`, shape (len(texts), dim); the zero vector for a text without known tokens."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Vector of a query, shape (dim,)."""


class _Words(dict[str, str]):
    _LIMIT: Final = 500_000

    def __missing__(self, word: str) -> str:
        if len(self) >= self._LIMIT:
            self.clear()
        found = self[word] = " ".join(split_identifier(word)) if len(word) <= MAX_WORD else ""
        return found


_words: Final = _Words()


def embedding_text(path: str, qualname: str, signature: str, docstring: str, body: str) -> str:
    """What an embedder is given of a definition, at most `MAX_TEXT` characters in three lines.

    The lines hold the qualified name, the docstring, and signature with body (as for `lexical.document_terms`), each
    cut into the words of its identifiers, in lower case; a line may be empty. `path` is not part of it: moving a file
    costs no embedding. Empty where there is nothing to embed.
    """
    return text_of_words(qualname, words_of(signature), words_of(docstring), words_of(body))


def text_of_words(qualname: str, signature: Words, docstring: Words, body: Words) -> str:
    """As `embedding_text`, of texts that are cut into words already."""
    name = _cut(words_of(qualname.partition("#")[0]), MAX_NAME)
    doc = _cut(docstring, MAX_DOCSTRING) if docstring else ""
    rest = _cut([*signature[:MAX_TEXT], *body[:MAX_TEXT]], MAX_TEXT - len(name) - len(doc) - 2)
    return f"{name}\n{doc}\n{rest}" if name or doc or rest else ""


def _cut(words: Words, limit: int) -> str:
    """The first of `words`, cut into those of their identifiers, that fit into `limit` characters."""
    parts = list(map(_words.__getitem__, words[: limit // 2 + 1]))
    ends = list(accumulate(map(len, parts)))
    if ends and ends[-1] + len(ends) > limit + 1:
        del parts[bisect_right(range(len(ends)), limit + 1, key=lambda at: ends[at] + at + 1) :]
    return " ".join(filter(None, parts))
