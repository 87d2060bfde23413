"""Short reads of one generation."""

from __future__ import annotations

import pytest

from loregraph.graph.summaries import FileSummary, outcome


def summary(status: str, digest: str) -> FileSummary:
    return FileSummary("a.py", status, digest)


@pytest.mark.parametrize(
    ("before", "after", "forced", "told"),
    [
        (None, summary("indexed", "1"), False, "indexed"),
        (summary("indexed", "1"), summary("indexed", "2"), False, "indexed"),
        (summary("indexed", "1"), summary("indexed", "1"), False, "skipped"),
        (summary("indexed", "1"), summary("indexed", "1"), True, "indexed"),
        (summary("indexed", "1"), summary("partial", "1"), False, "skipped"),
        (summary("indexed", "1"), summary("failed", "1"), False, "error"),
        (None, summary("unsupported", ""), True, "unsupported"),
        (summary("indexed", "1"), None, False, "unsupported"),
    ],
)
def test_what_a_run_did_with_a_file(
    before: FileSummary | None, after: FileSummary | None, forced: bool, told: str
) -> None:
    assert outcome(before, after, forced=forced) == told
