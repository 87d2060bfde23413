"""A damaged store is answered from rightly or not at all, and repaired by the next index.

Bits are flipped, pages zeroed and files cut, with their time stamps kept, in every file of a store.
`benchmarks/flip_bits.py` does the same at length.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import pytest

from loregraph.errors import DamagedStoreError, LoregraphError
from loregraph.graph.columns import COLUMNS_FILE, GraphColumns
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.export import json_lines
from loregraph.graph.generation import CURRENT, LEASE, STATE
from loregraph.graph.lexical import LEXICAL_FILE
from loregraph.graph.store import GRAPH_FILE, IDENTITY_FILE
from loregraph.graph.vector_index import VECTORS_FILE
from loregraph.memory.access import AccessCounts
from loregraph.memory.vectors import VectorTable
from loregraph.project import Project

ARRAYS: Final = (COLUMNS_FILE, CONSTANTS_FILE, LEXICAL_FILE, VECTORS_FILE)
SOURCES: Final = {
    "shop/money.py": '"""Sums."""\n\n\ndef round_price(value):\n    """Rounds a price to cents."""\n    return value\n',
    "shop/cart.py": "from shop.money import round_price\n\n\nclass Cart:\n    def total(self):\n"
    '        """What is to pay."""\n        return round_price(self.sum())\n\n    def sum(self):\n        return 1\n',
    "shop/größe.py": 'from shop.cart import Cart\n\n\ndef größe():\n    """Übergröße."""\n    return Cart().total()\n',
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total()\n",
    "web/app.ts": "export function send(mail: string) { return deliver(mail); }\nfunction deliver(m: string) {}\n",
    "docs/requirements.md": "# REQ-1 Totals\n\nREQ-1: A cart shall say its total.\n",
}

CYPHER: Final = "MATCH (f:Function)-[c:CALLS]->(g) RETURN f.id, g.id, c.line, c.how ORDER BY f.id, g.id"
QUESTIONS: Final[dict[str, Callable[[Project], object]]] = {
    "callers": lambda p: p.callers("round_price", depth=3),
    "callees": lambda p: p.callees("test_total", depth=3),
    "words": lambda p: p.search("price cents", mode="lexical"),
    "meaning": lambda p: p.search("what to pay", mode="semantic"),
    "both": lambda p: p.search("round a sum"),
    "show": lambda p: p.show("shop/cart.py::Cart"),
    "export": lambda p: list(p.export()),
}


def made(root: Path) -> Path:
    """An indexed project, with copies and the engine's file."""
    for name, content in SOURCES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    with Project(root) as project:
        project.index()
        list(project.export())
        project.query(CYPHER)
        project.index()  # the generation before is gone
    return root


def answers(root: Path, names: Iterable[str] = tuple(QUESTIONS), *, cypher: bool = False) -> dict[str, str]:
    """What a store answers to each question; for an error its name."""
    found = {}
    questions = {name: QUESTIONS[name] for name in names}
    if cypher:
        questions["query"] = lambda project: list(project.query(CYPHER))
    with contextlib.ExitStack() as stack:
        project = stack.enter_context(Project(root))
        for name, question in questions.items():
            try:
                found[name] = json.dumps(msgspec.to_builtins(question(project)))
            except LoregraphError as error:
                assert "index" in error.suggestion or "--store" in error.suggestion, error.suggestion
                found[name] = f"! {type(error).__name__}"
    return found


def files(root: Path) -> dict[str, Path]:
    """Name → file of the store that holds something."""
    [generation] = (root / ".loregraph").glob("generation-*")
    there = [root / ".loregraph" / name for name in (CURRENT, STATE)]
    there += [generation / name for name in (*ARRAYS, GRAPH_FILE, IDENTITY_FILE)]
    return {file.name: file for file in there}


def flipped(content: bytes, chance: random.Random) -> bytes:
    """`content` with one bit the other way, a few, a page of zeros or of other content, or its end cut off."""
    damaged = bytearray(content)
    how = chance.choices(("bit", "bits", "zeros", "page", "cut"), (10, 4, 2, 2, 1))[0]
    page = chance.randrange(0, len(content), 4096)
    if how == "cut":
        del damaged[chance.randrange(len(content)) :]
    elif how == "zeros":
        damaged[page : page + 4096] = bytes(len(damaged[page : page + 4096]))
    elif how == "page":
        other = chance.randrange(0, len(content), 4096)
        piece = content[other : other + 4096]
        damaged[page : page + len(piece)] = piece
        del damaged[len(content) :]
    else:
        for _ in range(1 if how == "bit" else chance.randrange(2, 9)):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


@contextlib.contextmanager
def damage(file: Path, chance: random.Random) -> Iterator[None]:
    """The file is damaged, under its time stamp; whole again after that."""
    whole, status = file.read_bytes(), file.stat()

    def put(content: bytes) -> None:
        file.write_bytes(content)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    put(flipped(whole, chance))
    try:
        yield
    finally:
        put(whole)


def ask_damaged(root: Path, right: dict[str, str], seed: int, names: tuple[str, ...], times: int) -> Counter[str]:
    """Damages one of `names` at a time and asks everything: how many answers were right, refused and silently wrong."""
    chance = random.Random(seed)
    seen: Counter[str] = Counter()
    there = files(root)
    for _ in range(times):
        name = chance.choice(names)
        with damage(there[name], chance):
            found = answers(root, cypher="query" in right)
        for question, answer in found.items():
            verdict = "right" if answer == right[question] else "refused" if answer.startswith("! ") else "silent"
            seen[verdict] += 1
            if verdict == "silent":
                seen[f"silent: {name}, {question}"] += 1
    return seen


def index_damaged(root: Path, scratch: Path, seed: int, names: tuple[str, ...], times: int) -> Counter[str]:
    """Damages one of `names` in a copy of the project, edits a file of it or not, and indexes: how many graphs are
    that of a project which was never damaged."""
    chance = random.Random(seed)
    seen: Counter[str] = Counter()
    right: dict[bool, tuple[set[str], dict[str, str]]] = {}
    for edited in (False, True):
        right[edited] = graph(copied(root, scratch, edited))
    for _ in range(times):
        name, edited = chance.choice(names), chance.random() < 0.5
        there = copied(root, scratch, edited)
        file = files(there)[name]
        status, content = file.stat(), flipped(file.read_bytes(), chance)
        file.write_bytes(content)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        verdict = "repaired" if graph(there) == right[edited] else f"not repaired: {name}"
        seen[verdict] += 1
    return seen


def copied(root: Path, scratch: Path, edited: bool) -> Path:
    there = scratch / "project"
    shutil.rmtree(there, ignore_errors=True)
    shutil.copytree(root, there)
    if edited:
        cart = there / "shop/cart.py"
        cart.write_text(cart.read_text().replace("return 1", "return round_price(2)"))
    return there


def graph(root: Path) -> tuple[set[str], dict[str, str]]:
    """All nodes and edges after an index, but for the copies, which are looked for when they are asked for; and what
    is answered."""
    with Project(root) as project:
        project.index()
        lines = {line for line in json_lines(project.reader().columns, True) if '"SIMILAR_TO"' not in line}
    return lines, answers(root, ("callers", "callees", "words", "meaning"))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("damage") / "project")


@pytest.fixture(scope="module")
def right(root: Path) -> dict[str, str]:
    found = answers(root)
    assert not [answer for answer in found.values() if answer.startswith("! ") or len(answer) < 20]
    return found


# Verifies REQ-SEC-015.
def test_no_flip_in_what_is_read_is_answered_from(root: Path, right: dict[str, str]) -> None:
    seen = ask_damaged(root, right, 15, (*ARRAYS, COLUMNS_FILE, CURRENT), 400)
    assert seen["silent"] == 0, seen
    assert seen["refused"] > 200, seen
    assert answers(root) == right


# Verifies REQ-SEC-015.
def test_the_engine_reads_no_file_that_it_has_not_written(root: Path) -> None:
    right = answers(root, cypher=True)
    seen = ask_damaged(root, right, 16, (GRAPH_FILE, IDENTITY_FILE), 6)
    assert seen == {"right": 6 * len(right)}, "it is built again from the columns"


# Verifies REQ-SEC-015.
@pytest.mark.usefixtures("engine_later")
def test_the_next_index_repairs_what_was_flipped(root: Path, tmp_path: Path) -> None:
    seen = index_damaged(root, tmp_path, 17, (*ARRAYS, CURRENT), 12)
    assert seen == {"repaired": 12}


# Verifies REQ-SEC-015.
@pytest.mark.usefixtures("engine_later")
def test_no_flip_in_the_state_reaches_the_graph(root: Path, tmp_path: Path) -> None:
    seen = index_damaged(root, tmp_path, 18, (STATE,), 20)
    assert seen == {"repaired": 20}


def test_every_bit_of_the_file_that_names_the_graph_counts(root: Path, right: dict[str, str]) -> None:
    file = files(root)[CURRENT]
    whole = file.read_bytes()
    try:
        for at in range(len(whole)):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
            with Project(root) as project:
                try:
                    assert project.store.current() == msgspec.json.decode(whole, type=type(project.store.current()))
                except LoregraphError:
                    continue
    finally:
        file.write_bytes(whole)
    assert answers(root) == right


def test_an_array_is_checked_where_it_is_read_and_nowhere_else(root: Path) -> None:
    file = files(root)[COLUMNS_FILE]
    columns = GraphColumns.open(file.parent)
    section = columns._file._file.section("Function.docstring.bytes")
    whole = file.read_bytes()
    with file.open("r+b") as opened:
        opened.seek(section.start)
        opened.write(bytes([whole[section.start] ^ 1]))
    try:
        columns = GraphColumns.open(file.parent)
        assert columns.find_name("round_price")
        node = columns.find_name("round_price")[0]
        with pytest.raises(DamagedStoreError, match="docstring"):
            columns.docstring(node)
        assert not columns.is_intact()
    finally:
        file.write_bytes(whole)


def test_the_lease_of_a_generation_holds_nothing(root: Path) -> None:
    """What is in no list above has no content to damage."""
    [generation] = (root / ".loregraph").glob("generation-*")
    others = {f.name for f in generation.iterdir()} - {*files(root)}
    assert all((generation / name).stat().st_size == 0 for name in others), others
    assert LEASE in others


class Fixed:
    """An embedder of words by their length."""

    model_id, dim, weights_sha256, text_version = "fixed", 4, "0", 1

    def embed_documents(self, texts: list[str]) -> np.ndarray:
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        vector = np.array([len(text), 1, 2, 3], dtype=np.float32)
        return vector / np.linalg.norm(vector)


# Verifies REQ-SEC-015.
def test_damaged_side_files_of_a_journal_are_made_again(tmp_path: Path) -> None:
    texts = [f"text {'x' * i}" for i in range(80)]
    path = tmp_path / "journal.vectors"
    VectorTable(path, Fixed()).refresh(texts)  # type: ignore[arg-type]
    right = VectorTable(path, Fixed()).of(texts)  # type: ignore[arg-type]
    counts = tmp_path / "journal.access"
    counted = AccessCounts(counts)
    counted._pending = {f"3f2504e0-4f89-41d3-9a0c-0305e82c33{i:02}": (i + 1, "2026-01-01T00:00:00Z") for i in range(20)}
    counted.flush()
    known = AccessCounts(counts)
    known.refresh()
    assert len(known._stored) == 20
    chance = random.Random(19)
    for _ in range(100):
        with damage(path, chance):
            assert np.array_equal(VectorTable(path, Fixed()).of(texts), right)  # type: ignore[arg-type]
        with damage(counts, chance):
            again = AccessCounts(counts)
            again.refresh()
            assert again._stored in ({}, known._stored)
