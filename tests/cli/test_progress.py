"""The progress bar: for people only, and gone at the end."""

from __future__ import annotations

import sys
import threading

import pytest

from loregraph.cli import progress
from loregraph.indexer.build.report import Progress


# Verifies REQ-CLI-002.
@pytest.mark.parametrize(
    ("terminal", "variables", "watched"),
    [
        (True, {"TERM": "xterm"}, True),
        (False, {"TERM": "xterm"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "xterm", "CI": "true"}, False),
    ],
)
def test_only_where_a_person_looks(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, variables: dict[str, str], watched: bool
) -> None:
    monkeypatch.delenv("CI", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert progress.watched() is watched
    with progress.bar() as show:
        assert (show is not None) is watched


def test_starts_no_thread_and_writes_nothing_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "watched", lambda: True)
    before = threading.active_count()
    with progress.bar() as show:
        assert show is not None
        show(Progress("discover"))
        show(Progress("extract", 16, 32))
        assert threading.active_count() == before
    assert capsys.readouterr().out == ""
