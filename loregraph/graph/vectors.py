"""Embedders, and the local implementations. The only module that imports fastembed.

The default embedder is static: one vector per token, trained on pairs of docstring and function, included in the
package (`loregraph/embedder_weights`), read by `static_weights`; other folders and models are loaded by fastembed,
whose import alone takes longer than an edit's vectors. Pooling is done here, because it determines the quality: the
lines of an `embedding_text` (name, docstring, code) are pooled separately, a word has the weight of the square root of
its frequency, and the unit vectors of the lines are added. There is no network access unless the configuration names a
model of the hub that is not in the cache.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from loregraph.embedder_kinds import choices, kind_of
from loregraph.errors import EmbedderMismatchError, EmbedderUnavailableError
from loregraph.graph import static_weights
from loregraph.graph.embedders import TEXT_VERSION, Embedder
from loregraph.graph.terms import QUESTION_WORDS, WORD, split_identifier, stem, term_hash
from loregraph.graph.vector_index import Matrix, VectorIndex, write_vectors

if TYPE_CHECKING:
    from fastembed import TextEmbedding

__all__ = [
    "NONE",
    "EmbedderIdentity",
    "StaticEmbedder",
    "VectorIndex",
    "identity",
    "load_embedder",
    "require_same_space",
    "term_vectors",
    "write_vectors",
]

NONE: Final = "none"
Load = Callable[[str, Path | None], Embedder]
STATIC_MODEL_ID: Final = "loregraph/code-static-256"
WEIGHTS_FOLDER: Final = Path(__file__).parent.parent / "embedder_weights"
_HOST_MODEL: Final = "minishlab/potion-base-8M"
"""A static model known to fastembed: under its name fastembed's public interface loads any folder of static weights."""


class EmbedderIdentity(msgspec.Struct, frozen=True):
    """The identity of a vector space; stored with the graph."""

    model_id: str
    dim: int
    weights_sha256: str
    text_version: int


def identity(embedder: Embedder) -> EmbedderIdentity:
    return EmbedderIdentity(embedder.model_id, embedder.dim, embedder.weights_sha256, embedder.text_version)


# Implements REQ-SRC-006.
def require_same_space(stored: EmbedderIdentity, embedder: Embedder) -> None:
    """Raises `EmbedderMismatchError` where `embedder` did not make the stored vectors."""
    current = identity(embedder)
    if stored != current:
        raise EmbedderMismatchError(
            f"re-embed required: the graph's vectors are of {_described(stored)}, the configuration names "
            f"{_described(current)}",
            "Run `loregraph index`, or set `embedder` back in the configuration.",
        )


def _described(space: EmbedderIdentity) -> str:
    return f"{space.model_id} ({space.dim} dimensions, weights {space.weights_sha256[:8]}, text {space.text_version})"


# Implements REQ-SRC-005.
def load_embedder(spec: str, cache_dir: Path | None = None) -> Embedder | None:
    """The embedder named by the setting `embedder` (see `embedder_kinds`); None for "none".

    A downloaded model is stored in `cache_dir`. Raises `EmbedderUnavailableError`.
    """
    kind = kind_of(spec)
    if kind is None:
        raise EmbedderUnavailableError(f"unknown embedder {spec!r}", f"Use {choices()}.")
    if not kind.loader:
        return None
    module, function = kind.loader.split(":")
    load: Load = getattr(import_module(f"loregraph.graph.{module}"), function)
    return load(spec.partition(":")[2], cache_dir)


def load_packaged(name: str, cache_dir: Path | None) -> Embedder:
    """The static model that comes with the package."""
    return StaticEmbedder(WEIGHTS_FOLDER, STATIC_MODEL_ID)


def load_fastembed(name: str, cache_dir: Path | None) -> Embedder:
    """A local folder (static weights or ONNX), or a model known to fastembed: from `cache_dir`, else downloaded into
    it."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        _require_tokenizer(folder)
        if (folder / "model.safetensors").is_file() and not any(folder.rglob("*.onnx")):
            return StaticEmbedder(folder, f"static:{folder.name}")
        return FastembedEmbedder(_load_onnx_folder(folder), f"onnx:{folder.name}", _sha256(_model_files(folder)))
    return _load_known(name, cache_dir)


class StaticEmbedder:
    """One vector per token; a text's vector is the sum of its lines' unit vectors, normalised. Thread-safe.

    `folder` has `model.safetensors` with a tensor `embeddings` and `tokenizer.json`. Raises `EmbedderUnavailableError`
    where they do not load.
    """

    text_version = TEXT_VERSION

    def __init__(self, folder: Path, model_id: str) -> None:
        loaded: Any
        if folder == WEIGHTS_FOLDER:
            loaded = static_weights.read(folder)
        else:
            loaded = _loading(folder, lambda: _text_embedding()(_HOST_MODEL, specific_model_path=str(folder))).model
        self.model_id = model_id
        self.weights_sha256 = _sha256(_model_files(folder))
        self._tokenizer = loaded.tokenizer
        self._unknown = loaded.unk_token_id
        # fastembed's optional tables of models with a quantised vocabulary: rows shared between tokens, and weights.
        self._rows: NDArray[Any] | None = loaded.token_mapping
        self._weights: NDArray[Any] | None = loaded.weights
        self._vectors: NDArray[Any] = loaded.embeddings
        self.dim = int(self._vectors.shape[1])
        self._tokens: dict[str, tuple[int, ...]] = {}
        self._terms: StaticTerms | None = None

    def embed_documents(self, texts: list[str]) -> Matrix:
        """Unit vectors of `embedding_text`s, shape (len(texts), dim); zero for a text without known tokens."""
        sums = np.zeros((len(texts), self.dim), dtype=np.float32)
        lines, owners = [], []
        for number, text in enumerate(texts):
            for line in text.split("\n"):
                if line:
                    lines.append(Counter(line.split()))
                    owners.append(number)
        self._learn(word for line in lines for word in line)
        for start in range(0, len(lines), _BATCH):
            np.add.at(sums, owners[start : start + _BATCH], self._pooled(lines[start : start + _BATCH]))
        return _unit(sums)

    def embed_query(self, text: str) -> Matrix:
        """Unit vector of a query, shape (dim,), without question words."""
        words = WORD.findall(text)
        kept = [word for word in words if word.lower() not in QUESTION_WORDS] or words
        line = Counter(part for word in kept for part in split_identifier(word))
        self._learn(line)
        return np.asarray(self._pooled([line])[0]) if line else np.zeros(self.dim, dtype=np.float32)

    def _learn(self, words: Any) -> None:
        """Tokenises the words that were not met before."""
        known = self._tokens
        if len(known) > _MAX_WORDS:
            known = self._tokens = {}
        new = [word for word in dict.fromkeys(words) if word not in known]
        for start in range(0, len(new), _TOKENIZER_BATCH):
            batch = new[start : start + _TOKENIZER_BATCH]
            for word, encoding in zip(
                batch, self._tokenizer.encode_batch_fast(batch, add_special_tokens=False), strict=True
            ):
                known[word] = tuple(token for token in encoding.ids if token != self._unknown)

    def _pooled(self, lines: list[Counter[str]]) -> Matrix:
        """Unit vectors of bags of words, shape (len(lines), dim).

        One product of a count matrix with the vectors of the occurring tokens: far faster than a sum per line.
        """
        tokens = self._tokens
        held = [[tokens[word] for word in line] for line in lines]
        ids = np.fromiter(chain.from_iterable(chain.from_iterable(held)), dtype=np.int64)
        if not len(ids):
            return np.zeros((len(lines), self.dim), dtype=np.float32)
        sizes = np.fromiter((len(word) for words in held for word in words), dtype=np.int64)
        counts = np.fromiter(chain.from_iterable(line.values() for line in lines), dtype=np.float32)
        owners = np.repeat(np.arange(len(lines)), np.fromiter(map(len, lines), dtype=np.int64))
        weights = np.repeat(np.sqrt(counts), sizes)
        if self._weights is not None:
            weights = weights * self._weights[ids]
        rows = ids if self._rows is None else self._rows[ids]
        distinct, column = np.unique(rows, return_inverse=True)
        flat = np.bincount(
            np.repeat(owners, sizes) * len(distinct) + column, weights, minlength=len(lines) * len(distinct)
        )
        table = flat.astype(np.float32).reshape(len(lines), len(distinct))
        return _unit(table @ self._vectors[distinct].astype(np.float32))

    def term_vectors(self) -> StaticTerms:
        """Vectors of single terms; made on first use."""
        if self._terms is None:
            vocabulary = {word: token for word, token in self._tokenizer.get_vocab().items() if word.isalnum()}
            self._terms = StaticTerms(vocabulary, self._vectors if self._rows is None else self._vectors[self._rows])
        return self._terms


class StaticTerms:
    """The vectors of a vocabulary's whole words by the hash of their term; words with the same term share their
    mean."""

    def __init__(self, vocabulary: Mapping[str, int], vectors: NDArray[Any]) -> None:
        words = sorted(vocabulary)
        hashes = np.array([term_hash(stem(word)) for word in words], dtype=np.uint32)
        self._hashes: NDArray[np.uint32]
        self._hashes, owner = np.unique(hashes, return_inverse=True)
        order = np.argsort(owner, kind="stable")
        rows = vectors[np.array([vocabulary[word] for word in words], dtype=np.int64)[order]].astype(np.float32)
        means = _unit(np.add.reduceat(rows, np.searchsorted(owner[order], np.arange(len(self._hashes)))))
        # The last row is the vector of unknown terms.
        self._vectors: Matrix = np.concatenate((means, np.zeros((1, means.shape[1]), dtype=np.float32)))

    def of(self, hashes: NDArray[np.uint32]) -> Matrix:
        """Unit vectors, shape (len(hashes), dim); the zero vector for an unknown term."""
        at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        found: Matrix = self._vectors[np.where(self._hashes[at] == hashes, at, -1)]
        return found


def term_vectors(embedder: Embedder | None) -> StaticTerms | None:
    """Vectors of single terms, for embedders that have them."""
    return embedder.term_vectors() if isinstance(embedder, StaticEmbedder) else None


_BATCH: Final = 256
_TOKENIZER_BATCH: Final = 4096
_MAX_WORDS: Final = 500_000


class FastembedEmbedder:
    """A model run by fastembed. Texts are given as they are; vectors are normalised here."""

    text_version = TEXT_VERSION

    def __init__(self, model: TextEmbedding, model_id: str, weights_sha256: str) -> None:
        self._model = model
        self.model_id = model_id
        self.weights_sha256 = weights_sha256
        # The registered size of the model may differ from that of the file.
        self.dim = len(next(iter(model.embed(["size"]))))

    def embed_documents(self, texts: list[str]) -> Matrix:
        """Unit vectors of `texts`, shape (len(texts), dim)."""
        matrix = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, vector in enumerate(self._model.embed(texts, batch_size=64)):
            matrix[row] = vector
        return _unit(matrix)

    def embed_query(self, text: str) -> Matrix:
        """Unit vector of a query, shape (dim,), with the model's prefix for queries."""
        vector = next(iter(self._model.query_embed(text)))
        unit: Matrix = _unit(np.asarray(vector, dtype=np.float32)[None])[0]
        return unit


def _text_embedding() -> type[TextEmbedding]:
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise EmbedderUnavailableError(
            f"fastembed does not load: {error}", 'Install it, or set embedder = "none" to search by words alone.'
        ) from None
    return TextEmbedding


def _loading(what: object, load: Any) -> Any:
    """The result of `load`; errors of fastembed, onnxruntime and the hub about a bad or missing model become ours."""
    try:
        return load()
    except _load_errors() as error:
        raise EmbedderUnavailableError(
            f"the embedder {what} does not load: {error}",
            'Check the name or folder, or set embedder = "static" in the configuration.',
        ) from error


def _load_errors() -> tuple[type[BaseException], ...]:
    """A damaged weights file names sizes that do not exist (MemoryError); onnxruntime's errors have no common base."""
    runtime = import_module("onnxruntime.capi.onnxruntime_pybind11_state")

    own = [value for value in vars(runtime).values() if isinstance(value, type) and issubclass(value, Exception)]
    return (OSError, ValueError, RuntimeError, LookupError, TypeError, AttributeError, MemoryError, *own)


def _require_tokenizer(folder: Path) -> None:
    """The tokenizers library raises a bare `Exception` for an invalid file, so it is checked before."""
    file = folder / "tokenizer.json"
    try:
        if isinstance(msgspec.json.decode(file.read_bytes())["model"]["vocab"], dict | list):
            return
        problem = "it has no vocabulary"
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        problem = str(error)
    raise EmbedderUnavailableError(f"{file} is not a tokenizer: {problem}", "Name a folder with a model in it.")


def _load_known(name: str, cache_dir: Path | None) -> FastembedEmbedder:
    cls = _text_embedding()
    known = {str(model["model"]).lower() for model in cls.list_supported_models()}
    if name.lower() not in known:
        raise EmbedderUnavailableError(
            f"{name!r} is neither a folder nor a model that fastembed knows",
            "See https://qdrant.github.io/fastembed/examples/Supported_Models/ for the names.",
        )
    cache = None if cache_dir is None else str(cache_dir)
    try:
        model = cls(name, cache_dir=cache, local_files_only=True)
    except _load_errors():
        # Not in the cache, and named by the configuration: the only place that may use the network.
        model = _loading(name, lambda: cls(name, cache_dir=cache))
    folder = Path(str(getattr(model.model, "_model_dir", "")))
    return FastembedEmbedder(model, name, _sha256(_model_files(folder)) if folder.is_dir() else "")


def _load_onnx_folder(folder: Path) -> TextEmbedding:
    from fastembed.common.model_description import ModelSource, PoolingType

    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.onnx"))
    if not files:
        raise EmbedderUnavailableError(
            f"{folder} holds neither model.safetensors nor an .onnx file", "Name a folder with a model in it."
        )
    cls = _text_embedding()
    name = f"loregraph-local/{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
    if name not in {str(model["model"]) for model in cls.list_supported_models()}:
        cls.add_custom_model(
            model=name,
            pooling=PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf="loregraph/none"),
            dim=1,
            model_file=files[0],
        )
    loaded: TextEmbedding = _loading(folder, lambda: cls(name, specific_model_path=str(folder)))
    return loaded


def _model_files(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in {".onnx", ".safetensors", ".onnx_data"} or path.name == "tokenizer.json"
    )


def _sha256(files: list[Path]) -> str:
    """One digest of the files' contents, in order."""
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _unit(matrix: Matrix) -> Matrix:
    """Rows of length one; zero rows stay."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
    return np.asarray(matrix / np.where(lengths == 0, np.float32(1), lengths), dtype=np.float32)
