"""What fuzzing found, once and for all: inputs that a reader did not survive."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fuzz_readers import DOCUMENTS, MESSAGES, QUERIES, READERS, zipped
from .fuzzing import OutsideError, Reader, tried

NINES = b"9" * 5_000
JUNIT = b'<?xml version="1.0" encoding="%s"?><testsuite><testcase name="a"/></testsuite>'
FOUND = {
    "a number that Python does not read in a configuration": ("loregraph.toml", b"jobs = " + NINES),
    "one in a packaging file": ("Cargo.toml", b"[package]\nname = " + NINES),
    "one in tools.json": ("tools.json", b'{"upstream": ' + NINES + b"}"),
    "one in a hunk's header": ("unified diff", b"--- a/x\n+++ b/x\n@@ -" + NINES + b",1 +1,1 @@\n-a\n+b\n"),
    "brackets in brackets in tools.json": ("tools.json", b"[" * 100_000),
    "brackets in brackets on the wire": ("JSON-RPC line", MESSAGES[0][:-2] + b',"x":' + b"[" * 100_000),
    "half of a character on the wire, in brackets": ("JSON-RPC line", b'["\\ud800"' + b"[" * 100_000),
    "half of a character in an argument": ("tool arguments", b'{"query": "\\ud800"}'),
    "half of a character instead of arguments": ("tool arguments", b'"\\ud800"'),
    "brackets in a pattern": ("pattern of ids", b"(" * 5_000),
    "a key that is no UTF-8 in a baseline": ("baseline", b'{"version": 1, "find\xc7ngs": []}'),
    "one in `current`": ("current", b'{"format": "loregraph-store", "gen\xc7": []}'),
    "an unknown encoding of test results": ("JUnit", JUNIT % b"utf-9"),
    "an encoding of test results that expat does not read": ("JUnit", JUNIT % b"shift_jis"),
    "an unknown encoding of requirements": (
        "document docs/a.reqif",
        b'<?xml version="1.0" encoding="utf-9"?><REQ-IF/>',
    ),
    "an archive whose offsets are not true": ("document docs/a.reqifz", zipped(b"<REQ-IF/>")[40:]),
    "an operator that is missing": ("edges: zig", b"const x = a\n  b c;\nfn f() void { _ = a 1 ; }\n"),
    "comparisons without an end": ("code: python", b"x = a" + b"<b" * 3_000),
}


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("what", FOUND)
def test_it_is_survived(what: str, tmp_path: Path) -> None:
    name, data = FOUND[what]
    tried(READERS[name], data, tmp_path)


# the harness itself: it sees what it is there to see


def test_what_a_reader_must_not_do_is_seen(tmp_path: Path) -> None:
    import os
    import subprocess

    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    for act in (
        lambda: outside.write_text("x"),
        lambda: os.close(os.open(outside, os.O_WRONLY | os.O_CREAT)),
        outside.mkdir,
        lambda: (inside / "a").symlink_to(outside) or (inside / "a").rename(outside),
        lambda: subprocess.run(["true"], check=True),
    ):
        with pytest.raises(OutsideError):
            tried(Reader("x", "x", list, lambda _data, _folder, act=act: act()), b"", inside)
    assert not outside.exists()
    with pytest.raises(AssertionError):
        tried(Reader("x", "x", list, lambda _data, _folder: "x" * 10_000_000), b"", inside)
    tried(Reader("x", "x", list, lambda _data, _folder: (inside / "b").write_text("x")), b"", inside)


def test_a_statement_that_changes_the_graph_would_be_seen() -> None:
    from .fuzz_readers import engine, engine_changes

    assert not engine_changes("MATCH (n) RETURN n")
    assert engine_changes("CREATE (n:Function {id: 'new', name: 'new'})")
    engine().execute("MATCH (n:Function {id: 'new'}) DELETE n")
    assert any(b"CREATE" in query for query in QUERIES)
    assert DOCUMENTS
