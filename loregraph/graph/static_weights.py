"""The packaged embedder's files: a safetensors file of one tensor of bytes, and a tokenizer.

fastembed reads the same and more; importing it takes .3 s of processor time, several times what all of this does.
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
"""Tokens past which a word is cut, as fastembed does."""


class StaticWeights(msgspec.Struct, frozen=True):
    """What a static embedder is made of, by fastembed's names: `embeddings` is of shape (tokens, dim)."""

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
    """The weights in `folder`. Raises EmbedderUnavailableError where they are not what is packaged."""
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
