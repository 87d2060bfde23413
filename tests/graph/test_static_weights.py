"""The packaged embedder's files are read as fastembed reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from loregraph.errors import EmbedderUnavailableError
from loregraph.graph.static_weights import StaticWeights, read
from loregraph.graph.vectors import WEIGHTS_FOLDER

WORDS = (
    "read",
    "configuration",
    "xylophonist",
    "größe",
    "日本語",
    "x" * 150,
    "日" * 700,
    "don't",
    "a_b",
    "[UNK]",
    "\x00",
)


@pytest.fixture(scope="module")
def packaged() -> StaticWeights:
    return read(WEIGHTS_FOLDER)


def test_what_is_read_is_what_fastembed_reads(packaged: StaticWeights) -> None:
    from fastembed import TextEmbedding

    model = TextEmbedding("minishlab/potion-base-8M", specific_model_path=str(WEIGHTS_FOLDER)).model
    assert packaged.embeddings.dtype == model.embeddings.dtype
    assert np.array_equal(packaged.embeddings, model.embeddings)
    assert (packaged.unk_token_id, model.token_mapping, model.weights) == (model.unk_token_id, None, None)
    ours = packaged.tokenizer.encode_batch_fast(list(WORDS), add_special_tokens=False)
    theirs = model.tokenizer.encode_batch_fast(list(WORDS), add_special_tokens=False)
    assert [encoding.ids for encoding in ours] == [encoding.ids for encoding in theirs]
    assert max(len(encoding.ids) for encoding in ours) == 512


@pytest.mark.parametrize("content", [b"", b"junk", b"\xff" * 16, b"\x02\0\0\0\0\0\0\0{}"])
def test_weights_that_are_not_those_are_said_to_be_missing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(EmbedderUnavailableError, match="packaged embedder"):
        read(tmp_path)
