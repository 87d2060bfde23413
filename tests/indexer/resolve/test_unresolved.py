"""Why calls reach nothing, and what is told of it."""

from __future__ import annotations

import pytest

from loregraph.indexer.build.kept_resolution import KeptFile
from loregraph.indexer.build.unresolved_calls import REASONS, Example, by_reason
from loregraph.indexer.resolve import unresolved

from .conftest import Resolve

CASES = {
    "untyped-parameter": "def read(source):\n    source.load()\n",
    "parameter-of-unknown-type": "def read(source: 'Elsewhere'):\n    source.load()\n",
    "result-not-known": "def make(kind):\n    return kind + 1\n\n\nmake(1).load()\n",
    "untyped-field": (
        "class Reader:\n    def __init__(self, source):\n        self.source = source\n\n"
        "    def read(self):\n        self.source.load()\n"
    ),
    "unknown-member": "class Reader:\n    pass\n\n\nReader().load()\n",
    "computed": "def read(sources: list):\n    sources[0].load()\n",
    "unknown-name": "load()\n",
    "unknown-value": "def read(one, other):\n    (one + other).load()\n",
}


@pytest.mark.parametrize("reason", CASES)
def test_a_call_that_reaches_nothing_says_what_is_missing(project: Resolve, reason: str) -> None:
    found = project({"a.py": CASES[reason]}).resolution.files["a.py"]
    assert found.unresolved == {reason: 1}
    line = next(n for n, text in enumerate(CASES[reason].split("\n"), 1) if "load()" in text)
    assert found.examples == {reason: (line,)}


def test_a_variable_is_followed_to_what_is_not_known(project: Resolve) -> None:
    text = "def read(source):\n    one = source.first\n    two = one[0]\n    two.load()\n"
    assert project({"a.py": text}).resolution.files["a.py"].unresolved == {"untyped-parameter": 1}


def test_variables_in_a_circle_are_followed_once(project: Resolve) -> None:
    text = "one = two\ntwo = one\none.load()\n"
    assert project({"a.py": text}).resolution.files["a.py"].unresolved == {"unknown-value": 1}


def test_three_lines_are_kept_of_a_reason(project: Resolve) -> None:
    found = project({"a.py": "load()\n" * 5}).resolution.files["a.py"]
    assert found.unresolved == {"unknown-name": 5}
    assert found.examples == {"unknown-name": (1, 2, 3)}


def test_every_reason_has_a_meaning() -> None:
    given = {value for name, value in vars(unresolved).items() if name.isupper() and isinstance(value, str)}
    assert given == REASONS.keys()


def test_examples_are_of_several_files() -> None:
    kept = {
        "a.py": KeptFile(b"", {"unknown-name": 5}, examples={"unknown-name": (1, 2, 3)}),
        "b.py": KeptFile(b"", {"unknown-name": 1, "computed": 1}, examples={"unknown-name": (7,), "computed": (8,)}),
    }
    names, computed = by_reason(kept, 3)
    assert (names.reason, names.calls, names.files) == ("unknown-name", 6, 2)
    assert names.examples == (Example("a.py", 1), Example("b.py", 7), Example("a.py", 2))
    assert (computed.reason, computed.calls) == ("computed", 1)
