"""Traces survive being written, and what is none is refused with the one error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.resolve import resolve
from loregraph.indexer.resolve.recording import decode, encode
from loregraph.indexer.resolve.records import Export, Trace

FUNCTION = ("function", "a.py", "f")
TRACE = Trace(
    {
        ("returned", FUNCTION): Export(
            1, 0, [(2, False, (FUNCTION,)), (5, True, (("class", "b.py", "K"),))], {"b.py": 2}
        )
    },
    {
        ("link", FUNCTION, "b.py", ("c", "b.py", "g", 7, 0), None, 0, False): {"b.py": 1},
        ("join", ("rest", FUNCTION, 0), ("int", "0")): {"b.py": 3},
    },
    ["b.py"],
)


# Verifies REQ-IDX-026.
def test_a_trace_is_read_as_it_was_written() -> None:
    assert decode(encode(TRACE)) == TRACE


# Verifies REQ-SEC-015.
@pytest.mark.parametrize(
    "spoil",
    [
        lambda parts: parts[1].append([[99]]),
        lambda parts: parts[1].append([[-1]]),
        lambda parts: parts[1].append([1.5]),
        lambda parts: parts[1].append([["a.py"]]),
        lambda parts: parts[1].append([[]]),
        lambda parts: parts[2].append([99, 0, 0, [], []]),
        lambda parts: parts[3].append([0, [[0, 1]]]),
        lambda parts: parts[3].append([-1, []]),
        lambda parts: parts[4].append(99),
        lambda parts: parts.pop(),
        lambda parts: parts.__setitem__(3, "inbox"),
    ],
)
def test_what_is_no_trace_is_refused(spoil: Callable[[list[object]], None]) -> None:
    parts = msgspec.msgpack.decode(encode(TRACE))
    spoil(parts)
    with pytest.raises(msgspec.DecodeError):
        decode(msgspec.msgpack.encode(parts))


# Verifies REQ-IDX-026.
def test_what_crosses_between_files_is_recorded(tmp_path: Path) -> None:
    texts = {
        "shop.py": "import tools\n\ndef total(items):\n    return tools.first(items).price()\n",
        "tools.py": "def first(things):\n    return things\n",
        "alone.py": "def own():\n    return own()\n",
    }
    facts = {path: extract(path, text.encode(), "python") for path, text in texts.items()}
    traces = {
        path: decode(blob)
        for path, blob in resolve(facts, read_layout(tmp_path, list(texts)), traced=True).traces.items()
        if path in texts
    }
    assert traces.keys() == texts.keys()
    assert [message[0] for message in traces["tools.py"].inbox] == ["link"]
    assert list(traces["tools.py"].inbox.values()) == [{"shop.py": 1}]
    assert ("returned", ("function", "tools.py", "first")) in traces["tools.py"].exports
    assert traces["shop.py"].told == ["tools.py"]
    alone = traces["alone.py"]
    assert (alone.exports, alone.inbox, alone.told) == ({}, {}, [])
