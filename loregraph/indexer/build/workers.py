"""Extraction in worker processes: files in, blobs out. No file can hang or kill an index run.

The parser and its queries hold the interpreter lock, so threads do not help. Each worker reads its own files and
answers each with one msgpack message; only the parent writes.

The cost of a file is bounded by counts of work (`parsing`, `extract`), so that its facts do not depend on the machine's
load. As a last resort against native code that neither counts nor ends, the kernel ends a worker that exceeds a limit
of processor time for one file, far above what those bounds allow. A worker that dies otherwise (a crash in native code,
out of memory) may have been damaged by an earlier file, so its current file is tried once more, first in a new worker.
If that fails too, the file is recorded as failed; the rest of its batch goes to another worker.
"""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.config import RequirementSettings
from loregraph.graph.constants import Constant
from loregraph.graph.deflated import inflated
from loregraph.indexer.build.tasks import Task
from loregraph.indexer.facts import FileFacts, decode, encode, is_anonymous, is_node, is_type_node
from loregraph.indexer.languages import registry
from loregraph.orphans import tie

CPU_SECONDS: Final = 5.0
"""Processor time in s allowed for any file: small ones take milliseconds, the first of a language tenths of a
second."""
CPU_SECONDS_A_BYTE: Final = 60e-6
"""Additional processor time per byte, in s. Code takes up to 4e-6."""
_MOST_COUNTED: Final = 10_000_000
"""Bytes beyond which a file gets no more time."""
WALL_FACTOR: Final = 20
"""Where the platform cannot limit processor time (Windows), the limit on wall-clock time as a multiple of it."""
BATCH_BYTES: Final = 300_000
"""Source bytes per batch: large enough to hide the communication, small enough to share the work evenly."""
MEMORY: Final = 1 << 30
"""Address space that a worker may add to its initial one, in bytes, where the platform can limit it: twelve times what
the most demanding of 16,173 real files took. Parser operations that are quadratic in the text exhaust memory before
time, and time depends on the machine's load: so that this limit, not that of time, ends them."""
MEMORY_A_BYTE: Final = 500
"""Additional address space per byte of the current file. Code takes up to 148."""
_LIMITS_CPU: Final = hasattr(signal, "setitimer")
_LATE: Final = -signal.SIGPROF if _LIMITS_CPU else None
"""Exit code of a worker whose file exceeded its time."""
_NO_MEMORY: Final = 77
"""Exit code of a worker that ran out of memory."""
NO_TEXT: Final = bytes(16)
"""Marks a definition without a text in `text_hashes`."""
_DEFLATE: Final = 1
"""Facts shrink to a third at the fastest level; higher levels cost more time than they save."""
_DEFAULT_REQUIREMENTS: Final = RequirementSettings()
MAX_MINIFIED: Final = 400_000
"""Minified files up to so many bytes are parsed for their exports; longer ones bundle whole programs."""
MAX_BODY: Final = 20_000
"""Characters of a definition's body that are indexed for search."""


class Extracted(msgspec.Struct, array_like=True):
    """A worker's answer for one file.

    `status` is that of `facts.FileFacts`, or "same" when the content hash is the known one. The blobs are in the order
    of `FileFacts.definitions`: `facts` is `facts.encode`d and deflated, `texts` is msgpack of one text to embed per
    definition ("" for none), deflated, `text_hashes` one 16-byte hash per text (zeros for none), both empty where the
    task wants no texts, `terms` is `lexical.pack` of one blob per definition, deflated; `requirements` is
    `requirements.model.encode` of what a document defines, `endpoints` is `endpoints.model.encode` of what a file
    answers and requests, both empty for nothing; `generated` is the reason why the file is not the project's own
    writing, "" where it is.
    """

    path: str
    language: str
    content_hash: str
    status: str
    lines: int = 0
    problems: tuple[tuple[int, str], ...] = ()
    facts: bytes = b""
    texts: bytes = b""
    text_hashes: bytes = b""
    terms: bytes = b""
    requirements: bytes = b""
    endpoints: bytes = b""
    functions: int = 0
    classes: int = 0
    constants: tuple[Constant, ...] = ()
    generated: str = ""


def text_hash(text: str) -> bytes:
    """The 16-byte key under which a text's vector is stored."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def inflate_facts(blob: bytes) -> FileFacts:
    """The facts in `Extracted.facts`."""
    return decode(inflated(blob))


def inflate_texts(blob: bytes) -> list[str]:
    """The texts in `Extracted.texts`."""
    texts: list[str] = msgspec.msgpack.decode(inflated(blob), type=list[str])
    return texts


# Implements REQ-IDX-007.
def extract_task(
    root: str, task: Task, max_bytes: int, requirements: RequirementSettings = _DEFAULT_REQUIREMENTS
) -> Extracted:
    """Reads and extracts one file. Never raises because of the file's content or state."""
    from loregraph.indexer.source import ARCHIVE, content_hash, read_archive, read_source

    name = os.path.join(root, task.path)  # noqa: PTH118 - bytes of the name survive
    source, problems = read_archive(name, max_bytes) if task.path.endswith(ARCHIVE) else read_source(name, max_bytes)
    told = tuple((p.line, p.message) for p in problems)
    if source is None:
        return Extracted(task.path, task.language, "", "failed", problems=told)
    digest = content_hash(source)
    if digest == task.known_hash:
        return Extracted(task.path, task.language, digest, "same")
    if task.document:
        lines = source.count(b"\n") + (bool(source) and not source.endswith(b"\n"))
        found, problems_within = _defined(task.path, source, requirements)
        declared, problems_declared = _declared(task.path, source)
        told += (*problems_within, *problems_declared)
        return Extracted(
            task.path, task.language, digest, "indexed", lines, told, requirements=found, endpoints=declared
        )
    return _extracted(task, source, digest, told, requirements.pattern)


def _defined(path: str, source: bytes, requirements: RequirementSettings) -> tuple[bytes, tuple[tuple[int, str], ...]]:
    """What a document defines, encoded, and its problems."""
    from loregraph.indexer.requirements.documents import read_document
    from loregraph.indexer.requirements.model import encode

    document = read_document(path, source, requirements)
    return b"" if document.is_empty else encode(document), document.problems


def _declared(path: str, source: bytes) -> tuple[bytes, tuple[tuple[int, str], ...]]:
    """The endpoints that a document declares, encoded, and its problems."""
    from loregraph.indexer.endpoints.model import encode
    from loregraph.indexer.endpoints.openapi import read

    found, problems = read(path, source)
    return encode(found), problems


def _extracted(task: Task, source: bytes, digest: str, told: tuple[tuple[int, str], ...], id_pattern: str) -> Extracted:
    from loregraph.graph.embedders import text_of_words
    from loregraph.graph.lexical import pack, terms_of_words
    from loregraph.graph.terms import words_of, words_of_source
    from loregraph.indexer.discover import generated
    from loregraph.indexer.endpoints.mentions import may_have
    from loregraph.indexer.extract.constants import constants_of
    from loregraph.indexer.extract.file import extract_with_spans

    why = generated.reason(task.path, task.language, source, task.origin)
    if why == generated.MINIFIED and len(source) > MAX_MINIFIED:
        lines = source.count(b"\n") + (not source.endswith(b"\n"))
        return Extracted(task.path, task.language, digest, "indexed", lines, told, generated=why)
    facts, spans = extract_with_spans(task.path, source, task.language, digest, id_pattern)
    if why == generated.MINIFIED:
        facts, spans = generated.exports_only(facts, spans)
    inner: dict[int, list[tuple[int, int]]] = {}
    for definition in facts.definitions:
        if definition.parent >= 0:
            inner.setdefault(definition.parent, []).append((definition.start_byte, definition.end_byte))
    stem = task.path.rsplit(".", 1)[0]
    texts: list[str] = []
    terms: list[bytes] = []
    functions = classes = 0
    for index, (definition, (start, end)) in enumerate(zip(facts.definitions, spans, strict=True)):
        is_type = is_type_node(definition.kind, definition.flags)
        is_symbol = is_node(definition.kind, definition.flags)
        functions += is_symbol and not is_type
        classes += is_symbol and is_type
        if not is_symbol or is_anonymous(definition.name):
            texts.append("")
            terms.append(b"")
            continue
        body = _outside(source, start, end, inner.get(index, ())) if is_type else source[start:end]
        words = (
            words_of(definition.signature),
            words_of(definition.docstring),
            words_of_source(body[:MAX_BODY]),
        )
        texts.append(text_of_words(definition.dotted_name, *words) if task.texts else "")
        terms.append(terms_of_words(stem, definition.dotted_name, *words))
    told += tuple((p.line, p.message) for p in facts.problems)
    facts.problems = ()
    is_other = why == generated.MINIFIED or "library" in why
    endpoints = b""
    if not is_other and may_have(facts):
        from loregraph.indexer.endpoints.collect import collect
        from loregraph.indexer.endpoints.model import encode as encode_endpoints

        endpoints = encode_endpoints(collect(facts, source))
    return Extracted(
        task.path,
        task.language,
        digest,
        "partial" if told and facts.status == "indexed" else facts.status,
        facts.lines,
        told,
        zlib.compress(encode(facts), _DEFLATE),
        zlib.compress(msgspec.msgpack.encode(texts), _DEFLATE) if task.texts else b"",
        b"".join(text_hash(text) if text else NO_TEXT for text in texts) if task.texts else b"",
        zlib.compress(pack(terms), _DEFLATE),
        endpoints=endpoints,
        functions=functions,
        classes=classes,
        constants=() if why else constants_of(facts, source),
        generated=why,
    )


def preload(languages: Iterable[str]) -> None:
    """Loads what extracts files of these languages, for a process that indexes again and again: workers forked from it
    have it from the start, a tenth of a second of processor time each. Reads no file."""
    for language in sorted(registry.SUPPORTED.intersection(languages)):
        name = f"preloaded{next(iter(registry.BY_NAME[language].extensions), '')}"
        _extracted(Task(name, language), b"\n", "", (), _DEFAULT_REQUIREMENTS.pattern)


def _outside(source: bytes, start: int, end: int, inner: Sequence[tuple[int, int]]) -> bytes:
    """The source from `start` to `end` without the ranges in `inner`: a class without its methods."""
    parts = []
    for a, b in inner:
        if a >= start:
            parts.append(source[start:a])
            start = max(start, b)
    parts.append(source[start:end])
    return b"\n".join(parts)


# The worker's side


def _work(
    connection: Connection, root: str, max_bytes: int, requirements: RequirementSettings, limit: float, forked: bool
) -> None:
    """Answers batches of tasks until the connection closes or the parent is gone."""
    tie({connection.fileno()}, forked=forked)
    # Extraction makes millions of small objects and no cycles: garbage collection would take half the time.
    gc.disable()
    start = _address_space()
    if _LIMITS_CPU:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process even if the parent does nothing
    decoder = msgspec.msgpack.Decoder(list[Task])
    encoder = msgspec.msgpack.Encoder()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            for task in decoder.decode(connection.recv_bytes()):
                if start:
                    _limit_memory(start + allowed_memory(root, task))
                if _LIMITS_CPU:
                    signal.setitimer(signal.ITIMER_PROF, allowed_seconds(root, task, limit))
                connection.send_bytes(encoder.encode(_answer(root, task, max_bytes, requirements)))
    connection.close()


def _answer(root: str, task: Task, max_bytes: int, requirements: RequirementSettings) -> Extracted:
    """The worker's outermost handler: an error here is a bug of ours, and costs one file."""
    try:
        return extract_task(root, task, max_bytes, requirements)
    except MemoryError:
        # The remaining memory depends on earlier files, so the parent decides.
        os._exit(_NO_MEMORY)
    except Exception as error:
        reason = f"extraction failed, a fault of loregraph: {type(error).__name__}: {error}"
        return Extracted(task.path, task.language, "", "failed", problems=((0, " ".join(reason.split())),))


def _address_space() -> int:
    """Mapped bytes of this process, 0 where the platform does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _limit_memory(limit: int) -> None:
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


# The parent's side


class _Worker:
    """One worker process and its current batch. `again` if its first file ended another worker before."""

    def __init__(
        self,
        context: Any,
        root: str,
        max_bytes: int,
        requirements: RequirementSettings,
        cpu_seconds: float = CPU_SECONDS,
    ) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_work,
            args=(theirs, root, max_bytes, requirements, cpu_seconds, context.get_start_method() == "fork"),
            name="loregraph-extract",
            daemon=True,
        )
        self.process.start()
        theirs.close()
        self.pending: deque[Task] = deque()
        self.again = False
        self.since = 0.0

    def give(self, batch: Sequence[Task], *, again: bool = False) -> None:
        self.pending = deque(batch)
        self.again = again
        self.since = time.monotonic()
        self.connection.send_bytes(msgspec.msgpack.encode(list(batch)))

    def end(self) -> None:
        self.connection.close()
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


def start_method() -> str:
    """How workers start: "fork" where it is safe and cheap (Linux, no other threads), else "spawn"."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def default_jobs() -> int:
    """One worker per core available to this process, at most eight: beyond that the parent is the bottleneck."""
    if hasattr(os, "sched_getaffinity"):
        return min(8, len(os.sched_getaffinity(0)))
    return min(8, os.cpu_count() or 1)


# Implements REQ-IDX-014.
def batches(tasks: Iterable[tuple[Task, int]]) -> Iterator[list[Task]]:
    """Tasks with their sizes in bytes → batches of about `BATCH_BYTES`."""
    batch: list[Task] = []
    size = 0
    for task, task_size in tasks:
        batch.append(task)
        size += task_size
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


# Implements REQ-SEC-010.
def allowed_seconds(root: str, task: Task, cpu_seconds: float = CPU_SECONDS) -> float:
    """Processor time in s that a file may take: `cpu_seconds`, and more for its size."""
    return cpu_seconds + CPU_SECONDS_A_BYTE * _counted(root, task)


# Implements REQ-SEC-010.
def allowed_memory(root: str, task: Task) -> int:
    """Address space that a worker may add for a file, in bytes."""
    return MEMORY + MEMORY_A_BYTE * _counted(root, task)


def _counted(root: str, task: Task) -> int:
    """The bytes of a file that add to its limits."""
    from loregraph.indexer.source import ARCHIVE

    if task.path.endswith(ARCHIVE):  # its content is not its size (an archive)
        return _MOST_COUNTED
    try:
        size = os.stat(os.path.join(root, task.path), follow_symlinks=False).st_size  # noqa: PTH116, PTH118 - as above
    except (OSError, ValueError):
        return 0
    return min(size, _MOST_COUNTED)


# Implements REQ-IDX-010.
def extract_all(
    root: Path,
    tasks: Sequence[tuple[Task, int]],
    max_bytes: int,
    jobs: int,
    receive: Callable[[Extracted], None],
    cpu_seconds: float = CPU_SECONDS,
    requirements: RequirementSettings = _DEFAULT_REQUIREMENTS,
) -> None:
    """Extracts `tasks` (with their sizes) in at most `jobs` processes; `receive` gets each answer, in any order.

    `requirements` has the id pattern and the documents that define requirements.
    """
    if not tasks:
        return
    queue = deque((batch, False) for batch in batches(tasks))
    context = multiprocessing.get_context(start_method())
    decoder = msgspec.msgpack.Decoder(Extracted)

    def start() -> _Worker:
        worker = _Worker(context, os.fspath(root), max_bytes, requirements, cpu_seconds)
        give(worker)
        return worker

    def give(worker: _Worker) -> None:
        batch, again = queue.popleft()
        worker.give(batch, again=again)

    workers = [start() for _ in range(min(max(1, jobs), len(queue)))]
    try:
        while workers:
            ready = wait([w.connection for w in workers], timeout=1.0)
            now = time.monotonic()
            for worker in list(workers):
                reason = ""
                if worker.connection in ready:
                    try:
                        receive(decoder.decode(worker.connection.recv_bytes()))
                        worker.pending.popleft()
                        worker.again = False
                        worker.since = now
                    except (EOFError, OSError):
                        worker.process.join(1.0)
                        reason = _why(worker, os.fspath(root), cpu_seconds)
                elif not _LIMITS_CPU and worker.pending:
                    most = WALL_FACTOR * allowed_seconds(os.fspath(root), worker.pending[0], cpu_seconds)
                    if now - worker.since > most:
                        reason = f"given up after {most:.0f} s"
                if reason:
                    worker.end()
                    failed = worker.pending.popleft()
                    if worker.pending:
                        queue.appendleft((list(worker.pending), False))
                        worker.pending.clear()
                    if worker.again or worker.process.exitcode == _LATE or not _LIMITS_CPU:
                        receive(Extracted(failed.path, failed.language, "", "failed", problems=((0, reason),)))
                    else:
                        queue.appendleft(([failed], True))
                if worker.pending:
                    continue
                if queue and not reason and not queue[0][1]:
                    give(worker)
                elif queue:
                    # A file that ended a worker is the first file of a new one.
                    worker.end()
                    workers[workers.index(worker)] = start()
                else:
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


def _why(worker: _Worker, root: str, cpu_seconds: float) -> str:
    """The reason why a worker died at a file."""
    if worker.process.exitcode == _LATE:
        allowed = allowed_seconds(root, worker.pending[0], cpu_seconds)
        return f"given up after {allowed:.0f} s of processor time"
    memory = f"more than {allowed_memory(root, worker.pending[0]) / (1 << 30):.1f} GB of memory would be needed"
    if worker.process.exitcode == _NO_MEMORY:
        return memory
    if -(worker.process.exitcode or 0) in (signal.SIGSEGV, signal.SIGABRT):  # the way native code reacts to it
        return f"the parser crashed on it, or {memory}"
    return f"the parser crashed on it (exit {worker.process.exitcode})"
