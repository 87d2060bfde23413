"""What denies a link to a requirement, and what only looks as if it did."""

from __future__ import annotations

import time

import pytest

from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.marker_syntax import marked

IDS = compiled(DEFAULT_PATTERN)


def found(text: str) -> tuple[str, str]:
    markers = marked(text, IDS)
    return (
        " ".join(m.id for m in markers if m.kind == "tag"),
        " ".join(m.id for m in markers if m.kind == "mention"),
    )


# Verifies REQ-TRC-008.
@pytest.mark.parametrize(
    "text",
    [
        "# PAY-REQ-004 does not apply to this one",
        "# does not implement REQ-1",
        "# doesn't really implement REQ-1",
        "# doesn\N{RIGHT SINGLE QUOTATION MARK}t satisfy REQ-1",
        "# This never verifies REQ-1",
        "# no longer implements REQ-1",
        "# Not Implements: REQ-1",
        "# not @req REQ-1",
        "# neither implements REQ-1 nor REQ-2",
        "# unlike REQ-1 and REQ-2, which are checked",
        "# everything except REQ-1, REQ-2",
        "# instead of REQ-1",
        "# rather than REQ-1",
        "# fails to satisfy REQ-1",
        "# this violates REQ-1",
        "# contradicts requirement REQ-1",
        "# TODO: implement REQ-1",
        "# Obsolete: Implements: REQ-1",
        "# formerly REQ-1",
        "# Implements: REQ-1 (not yet implemented)",
        "# Implements: REQ-1 (obsolete)",
        "# Implements: REQ-1 is not implemented here",
        "# Implements: REQ-1 - no longer",
        "# Verifies: REQ-1, REQ-2 not covered yet",
        "# Requirement: REQ-1 n/a",
        "# requirement REQ-1 isn't met here",
        "# REQ-1 and REQ-2 are not implemented here",
        "# REQ-1 was removed",
        "# REQ-1 is obsolete",
        "# without REQ-1",
        "# e.g. Implements: REQ-1",
        '# written as "Implements: REQ-1"',
        "# such as `@req REQ-1`",
        "# this does not\n# implement REQ-1",
        "# REQ-1\n# does not apply here",
        "# TODO: see to it that these\n# implement REQ-1",
    ],
)
def test_what_is_denied_is_no_link(text: str) -> None:
    assert found(text) == ("", "")


@pytest.mark.parametrize(
    ("text", "tags", "mentions"),
    [
        ("# not only implements REQ-1", "REQ-1", ""),
        ("# Not thread-safe. Implements REQ-1", "REQ-1", ""),
        ("# Do not remove: implements REQ-1", "REQ-1", ""),
        ("# It does not block and implements REQ-1", "REQ-1", ""),
        ("# Nothing is cached, but this implements REQ-1", "REQ-1", ""),
        ("# Cannot fail because it satisfies REQ-1", "REQ-1", ""),
        ("# Unlike REQ-2, this implements REQ-1", "REQ-1", ""),
        ("# Satisfies REQ-1; not REQ-3", "REQ-1", ""),
        ("# Implements: REQ-1, a session does not expire", "REQ-1", ""),
        ("# Implements: REQ-1: no password is kept", "REQ-1", ""),
        ("# Verifies REQ-1 never blocks", "REQ-1", ""),
        ("# Verifies: REQ-1 deprecated calls warn", "REQ-1", ""),
        ("# This is not slow.\n# Implements: REQ-1", "REQ-1", ""),
        ("# Implements: REQ-1\n# Does not lock.", "REQ-1", ""),
        ("# This will implement REQ-1", "", "REQ-1"),
        ("# should satisfy REQ-1 one day", "", "REQ-1"),
        ("# requirement REQ-1 says so", "", "REQ-1"),
        ("# REQ-1 says that nothing is lost", "", "REQ-1"),
        ("# REQ-1: a session must not expire", "", "REQ-1"),
        ("# as REQ-1 demands, not later", "", "REQ-1"),
        ("# Verifies: REQ-1 (the test is not slow)", "REQ-1", ""),
    ],
)
def test_what_only_looks_like_a_denial_is_a_link(text: str, tags: str, mentions: str) -> None:
    assert found(text) == (tags, mentions)


@pytest.mark.parametrize(
    "text", ["not " * 50_000, "REQ-1 " * 300, "(" * 1_900, "REQ-1, " * 280, "# is " * 390, '"' * 1_999]
)
def test_long_lines_cost_no_more_than_their_length(text: str) -> None:
    start = time.process_time()
    found(f"# {text}\n" * 20)
    assert time.process_time() - start < 2
