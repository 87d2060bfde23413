"""The interface of embedders, and the text that they embed."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Protocol

from loregraph.graph.terms import MAX_WORD, Words, split_identifier, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TEXT_VERSION: Final = 1
"""Raised when `embedding_text` or pooling changes: vectors of other versions are computed again."""

MAX_TEXT: Final = 1000
"""Maximum characters of an embedded text."""
MAX_NAME: Final = 150
MAX_DOCSTRING: Final = 350


class Embedder(Protocol):
    """Texts to unit vectors. The first four fields identify the vector space: two graphs are comparable only if all
    four are equal."""

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
    """The text to embed for a definition, at most `MAX_TEXT` characters in three lines.

    The lines are the qualified name, the docstring, and signature with body (as for `lexical.document_terms`), each
    split into the words of its identifiers, in lower case; a line may be empty. `path` is not part of it, so that
    moving a file costs no embedding. Empty where there is nothing to embed.
    """
    return text_of_words(qualname, words_of(signature), words_of(docstring), words_of(body))


def text_of_words(qualname: str, signature: Words, docstring: Words, body: Words) -> str:
    """As `embedding_text`, for texts already split into words."""
    name = _cut(words_of(qualname.partition("#")[0]), MAX_NAME)
    doc = _cut(docstring, MAX_DOCSTRING) if docstring else ""
    rest = _cut([*signature[:MAX_TEXT], *body[:MAX_TEXT]], MAX_TEXT - len(name) - len(doc) - 2)
    return f"{name}\n{doc}\n{rest}" if name or doc or rest else ""


def _cut(words: Words, limit: int) -> str:
    """The first of `words`, with identifiers split, that fit into `limit` characters."""
    parts = list(map(_words.__getitem__, words[: limit // 2 + 1]))
    ends = list(accumulate(map(len, parts)))
    if ends and ends[-1] + len(ends) > limit + 1:
        del parts[bisect_right(range(len(ends)), limit + 1, key=lambda at: ends[at] + at + 1) :]
    return " ".join(filter(None, parts))
