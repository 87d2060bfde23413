"""Reads the packaged embedder's files: a safetensors file with one tensor, and a tokenizer.

fastembed does the same and more, but importing it takes .3 s of processor time, several times what all of this does.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from loregraph.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS: Final = 512
"""Maximum tokens of a word, as in fastembed."""


class StaticWeights(msgspec.Struct, frozen=True):
    """The parts of a static embedder, by fastembed's names: `embeddings` has shape (tokens, dim)."""

    embeddings: NDArray[np.int8]
    tokenizer: Any
    unk_token_id: int | None
    token_mapping: None = None
    weights: None = None


class _Tensor(msgspec.Struct):
    dtype: str
    shape: tuple[int, int]
    data_offsets: tuple[int, int]


class _Header(msgspec.Struct):
    embeddings: _Tensor


def read(folder: Path) -> StaticWeights:
    """The weights in `folder`. Raises EmbedderUnavailableError where they are not the packaged ones."""
    try:
        embeddings = _embeddings(folder / "model.safetensors")
        tokenizer = _tokenizer(folder / "tokenizer.json")
    except (OSError, ImportError, ValueError) as error:
        raise EmbedderUnavailableError(
            f"the packaged embedder does not load: {error}",
            'Install loregraph again, or set embedder = "none" to search by words alone.',
        ) from error
    return StaticWeights(embeddings, tokenizer, tokenizer.token_to_id(tokenizer.model.unk_token))


def _embeddings(path: Path) -> NDArray[np.int8]:
    """The one tensor of a safetensors file: 8 bytes of the header's length, a header of JSON, the data."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    tensor = msgspec.json.decode(content[8:start], type=_Header).embeddings
    first, last = tensor.data_offsets
    if tensor.dtype != "I8":
        raise ValueError(f"{path} holds numbers of type {tensor.dtype}")
    return np.frombuffer(content, np.int8, last - first, start + first).reshape(tensor.shape)


def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(path.read_bytes())
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer
