"""Voyage's hosted embedding models, over HTTP. Used only where the user's own settings name one.

The key comes from the environment and is only sent in one header; it is in no setting, file, message or log. The texts
sent are those of `embedders.embedding_text`, memories, and queries. API:
https://docs.voyageai.com/reference/embeddings-api (at most 1,000 texts and, for the code models, 120,000 tokens per
request; 429 and 5xx are to be retried later).
"""

from __future__ import annotations

import email.utils
import os
import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from loregraph.errors import EmbedderUnavailableError
from loregraph.graph.embedders import TEXT_VERSION
from loregraph.graph.vector_index import Matrix

if TYPE_CHECKING:
    from pathlib import Path
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector, Request

KEYS: Final = ("VOYAGE_API_KEY", "CLAUDE_MEMORY_VOYAGE_API_KEY")
"""Environment variables for the key, in order; the second is the one that users of claude-memory have set."""
BASE: Final = "VOYAGE_API_BASE"
"""Environment variable for another address of the API, such as a company's gateway."""
DEFAULT_BASE: Final = "https://api.voyageai.com/v1"

BATCH_TEXTS: Final = 100
BATCH_BYTES: Final = 120_000
"""No token is shorter than a byte, so a request of this many bytes is within the smallest token limit of any model."""
ATTEMPTS: Final = 6
QUERY_ATTEMPTS: Final = 3
"""Timeouts for documents, which are embedded in the background, and for a query."""
TIMEOUT_SECONDS: Final = 60.0
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 60.0
MAX_ANSWER: Final = 64 << 20
DIMENSIONS: Final = {
    "voyage-code-3": 1024,
    "voyage-3-large": 1024,
    "voyage-3.5": 1024,
    "voyage-3.5-lite": 1024,
    "voyage-3-lite": 512,
    "voyage-code-2": 1536,
}
"""Dimensions of known models."""

_AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504, 529})
_MODEL: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class _Row(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Row]


class _Refusal(msgspec.Struct):
    detail: str = ""


# Implements REQ-SRC-011.
def load(model: str, cache_dir: Path | None) -> VoyageEmbedder:
    """One of Voyage's models; nothing is downloaded, so nothing is cached."""
    return VoyageEmbedder(model)


class VoyageEmbedder:
    """One of Voyage's models. Thread-safe.

    `sleep` waits between attempts. Raises `EmbedderUnavailableError` where there is no key, and where a request fails
    for good.
    """

    weights_sha256 = ""
    text_version = TEXT_VERSION

    def __init__(self, model: str, *, sleep: Callable[[float], None] = time.sleep) -> None:
        if not _MODEL.fullmatch(model):
            raise EmbedderUnavailableError(f"{model!r} is no name of a model", "Use voyage:voyage-code-3.")
        self.model = model
        self.model_id = f"voyage:{model}"
        self._key = _key()
        self._url = f"{_base()}/embeddings"
        self._sleep = sleep
        self._dim = DIMENSIONS.get(model, 0)

    @property
    def dim(self) -> int:
        """The dimension; for a model that is not in `DIMENSIONS` the API is asked once."""
        if not self._dim:
            self._dim = len(self._request(["size"], "document")[0])
        return self._dim

    def embed_documents(self, texts: list[str]) -> Matrix:
        """Unit vectors of `texts`, shape (len(texts), dim); zero for an empty text, which is not sent."""
        matrix = np.zeros((len(texts), self.dim), dtype=np.float32)
        for numbers in batches(texts):
            matrix[numbers] = self._vectors([texts[number] for number in numbers], "document")
        return matrix

    def embed_query(self, text: str) -> Matrix:
        """Unit vector of a query, shape (dim,)."""
        if not text.strip():
            return np.zeros(self.dim, dtype=np.float32)
        vector: Matrix = self._vectors([text], "query")[0]
        return vector

    def _vectors(self, texts: list[str], input_type: str) -> Matrix:
        rows = self._request(texts, input_type)
        if {len(row) for row in rows} != {self.dim}:
            raise self._unavailable(f"it gave vectors of {len(rows[0])} dimensions, not of {self.dim}")
        with np.errstate(over="ignore"):  # detected below as not finite
            matrix = np.array(rows, dtype=np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
        if not np.isfinite(lengths).all():
            raise self._unavailable("it gave numbers that are none")
        return np.asarray(matrix / np.where(lengths == 0, np.float32(1), lengths), dtype=np.float32)

    def _request(self, texts: list[str], input_type: str) -> list[list[float]]:
        """The vectors of `texts` in their order."""
        from urllib.request import Request

        body = msgspec.json.encode(
            {"model": self.model, "input": texts, "input_type": input_type, "truncation": True, "output_dtype": "float"}
        )
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        attempts = QUERY_ATTEMPTS if input_type == "query" else ATTEMPTS
        answer = self._answer(Request(self._url, body, headers, method="POST"), attempts)
        try:
            rows = msgspec.json.decode(answer, type=_Answer).data
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._unavailable(f"its answer is not understood ({error})") from None
        by_index = {row.index: row.embedding for row in rows}
        if len(rows) != len(texts) or by_index.keys() != set(range(len(texts))) or not all(by_index.values()):
            raise self._unavailable(f"it gave {len(rows)} vectors for {len(texts)} texts")
        return [by_index[i] for i in range(len(texts))]

    def _answer(self, request: Request, attempts: int) -> bytes:
        """The API's answer from the first successful one of at most `attempts` attempts."""
        from http.client import HTTPException
        from urllib.error import HTTPError, URLError

        problem = ""
        for attempt in range(attempts):
            wait = min(FIRST_WAIT * 2**attempt, LONGEST_WAIT)
            try:
                with _opener().open(request, timeout=TIMEOUT_SECONDS) as answer:
                    content: bytes = answer.read(MAX_ANSWER + 1)
                if len(content) > MAX_ANSWER:
                    raise self._unavailable("its answer is too long")
                return content
            except HTTPError as error:
                with error:
                    problem = f"it answered {error.code}{_detail(error)}"
                if error.code in (401, 403):
                    raise self._unavailable(problem, f"Set {KEYS[0]} to a key that is valid.") from None
                if error.code not in _AGAIN:
                    raise self._unavailable(problem) from None
                wait = _asked_to_wait(error.headers.get("Retry-After"), wait)
            except URLError as error:
                problem = f"it is not reached: {error.reason}"
            except (OSError, HTTPException) as error:
                problem = f"it is not reached: {error or type(error).__name__}"
            if attempt < attempts - 1:
                self._sleep(wait)
        raise self._unavailable(f"{problem}, {attempts} times")

    def _unavailable(self, problem: str, suggestion: str = "") -> EmbedderUnavailableError:
        return EmbedderUnavailableError(
            f"the embedder {self.model_id} cannot be asked: {problem}",
            suggestion or 'Try again later, or set embedder = "static", which needs no network.',
        )


def batches(texts: list[str]) -> Iterator[list[int]]:
    """The indexes of the non-empty texts, in order, grouped by request."""
    group: list[int] = []
    size = 0
    for number, text in enumerate(texts):
        if not text.strip():
            continue
        length = len(text.encode("utf-8", "replace"))
        if group and (len(group) == BATCH_TEXTS or size + length > BATCH_BYTES):
            yield group
            group, size = [], 0
        group.append(number)
        size += length
    if group:
        yield group


def _key() -> str:
    for name in KEYS:
        if key := os.environ.get(name, "").strip():
            if not key.isascii() or not key.isprintable():
                raise EmbedderUnavailableError(f"{name} is no key: it has characters that no key has", "Set it anew.")
            return key
    raise EmbedderUnavailableError(
        f"there is no key for Voyage's models: {KEYS[0]} is not set",
        f'Set {KEYS[0]} in the environment, or set embedder = "static", which needs no key and no network.',
    )


def _base() -> str:
    """The address of the API. Without TLS only this machine is accepted: the key could be intercepted."""
    from urllib.parse import urlsplit

    base = os.environ.get(BASE, "").strip().rstrip("/") or DEFAULT_BASE
    try:
        parts = urlsplit(base)
        host = parts.hostname or ""
    except ValueError:
        parts, host = None, ""
    if parts is None or not host or (parts.scheme != "https" and not (parts.scheme == "http" and host in _LOOPBACK)):
        raise EmbedderUnavailableError(f"{BASE} is no https address", f"Set it to one, or unset it for {DEFAULT_BASE}.")
    return base


def _opener() -> OpenerDirector:
    """Sends requests without following redirections: those would send the key to another host."""
    from urllib.request import HTTPRedirectHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    return build_opener(Stay)


def _detail(error: HTTPError) -> str:
    """The API's reason for a refusal, on one line."""
    try:
        said = msgspec.json.decode(error.read(4096), type=_Refusal).detail
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return f" ({' '.join(said.split())[:300]})" if said.strip() else ""


def _asked_to_wait(header: str | None, default: float) -> float:
    """The seconds in a Retry-After header, in either of its forms (RFC 9110, 10.2.3), at most `LONGEST_WAIT`."""
    if header is None:
        return default
    header = header.strip()
    if header.isascii() and header.isdigit():
        return min(float(header[:9]), LONGEST_WAIT)
    try:
        at = email.utils.parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return default
    return min(max(0.0, at - time.time()), LONGEST_WAIT)
