"""What is kept of a whole family: updated by an edit as a full solve would make it, and read from any bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.indexer.resolve import summary

from .sessions import Session

FILES = {
    "a.py": "class Base:\n    def __get__(self, a, b):\n        return a.held\n\n\nclass Other(Base):\n    x = 1\n",
    "b.py": "from a import Other\n\n\nclass Own:\n    seen = Other()\n\n    def f(self):\n        return self.seen\n",
}


def said(blob: bytes) -> dict[str, Any]:
    """A summary without the numbers that depend on what came first."""
    found = summary.decode(blob)
    types = {
        path: [(name, depth, [(found.paths[n], base) for n, base in bases if n >= 0]) for name, depth, bases in rows]
        for path, rows in found.types.items()
    }
    plain = {field: getattr(found, field) for field in ("members", "stored", "accessors", "made", "hooks")}
    return {**plain, "types": types}


# Verifies REQ-IDX-015.
def test_an_edit_updates_the_summary_as_a_full_solve_makes_it(tmp_path: Path) -> None:
    session = Session(tmp_path, FILES)
    key = summary.key_of("python")
    before = session.traces[key]
    assert said(before)["types"] == {"a.py": [("Other", 2, [("a.py", "Base")])]}
    assert said(before)["hooks"] == {"a.py": ["Base"]}
    assert said(before)["made"] == {"Other": {"seen": 1}}
    session.edit({"b.py": FILES["b.py"] + "        self.extra = 1\n"})
    assert session.incremental == [True]
    fresh = Session(tmp_path, session.texts)
    assert said(session.traces[key]) == said(fresh.traces[key]) != said(before)


def test_an_edit_that_leaves_names_and_types_alone_leaves_the_summary_alone(tmp_path: Path) -> None:
    session = Session(tmp_path, FILES)
    before = session.traces[summary.key_of("python")]
    session.edit({"b.py": FILES["b.py"].replace("return self.seen", "return len(self.seen)")})
    assert session.incremental == [True]
    assert session.traces[summary.key_of("python")] is before


@pytest.mark.parametrize(
    "wrong",
    [
        summary.Summary(types={"a.py": [("A", 2, [(3, "B")])]}),
        summary.Summary(types={"a.py": [("A", 2, [(-2, None)])]}),
        summary.Summary(types={"a.py": [(7, 2, [])]}),
        summary.Summary(paths=["b.py"], types={"a.py": [("A", 2, [(0, ["B"])])]}),
        summary.Summary(hooks={"a.py": [None]}),
    ],
)
def test_what_is_no_summary_is_told(wrong: summary.Summary) -> None:
    with pytest.raises(msgspec.DecodeError):
        summary.decode(summary.encode(wrong))
