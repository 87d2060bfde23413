from __future__ import annotations

import pytest

from loregraph.indexer.requirements import markdown
from loregraph.indexer.requirements.decision_records import is_in_record_folder
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.model import Item

IDS = compiled(DEFAULT_PATTERN)


def read(path: str, text: str) -> Item | None:
    items = markdown.read(path, text, IDS, False).items
    return items[0] if items else None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/adr/0004-wrap.md", True),
        ("doc/adr/ADR-004-wrap.md", True),
        ("architecture/decisions/12.md", True),
        ("docs/decisions/README.md", False),
        ("docs/adr/template.md", False),
        ("docs/0004-wrap.md", False),
    ],
)
def test_where_records_are(path: str, expected: bool) -> None:
    assert is_in_record_folder(path) is expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("docs/adr/0004-wrap.md", "# 4. Wrap it\n\n## Status\n\nAccepted\n", ("", 4, "Wrap it", "accepted")),
        ("docs/adr/0004-wrap.md", "# Wrap it\n\n* Status: proposed\n", ("", 4, "Wrap it", "proposed")),
        ("docs/adr/ADR-004.md", "# ADR-004: Wrap it\n\n**Status**: Accepted\n", ("ADR-004", 4, "Wrap it", "accepted")),
        ("notes/wrap.md", "# ADR 4 – Wrap it\n\nStatus: Rejected\n", ("ADR-4", 4, "Wrap it", "rejected")),
        (
            "docs/adr/0004-wrap.md",
            "---\nstatus: superseded\nid: D-4\n---\n# Wrap it\n",
            ("D-4", 4, "Wrap it", "superseded"),
        ),
        (
            "docs/adr/0004-wrap.md",
            "# 4. Wrap it\n\n## Status\n\nSuperseded by [5](0005-x.md)\n",
            ("", 4, "Wrap it", "superseded"),
        ),
        ("docs/adr/0004-wrap.md", "No heading\n", ("", 4, "0004-wrap.md", "")),
    ],
)
def test_id_number_title_and_status(path: str, text: str, expected: tuple[str, int, str, str]) -> None:
    item = read(path, text)
    assert item is not None
    assert (item.kind, item.id, item.number, item.title, item.status) == ("adr", *expected)


def test_an_ordinary_page_that_mentions_records_is_none() -> None:
    assert read("docs/index.md", "# Decisions\n\nSee ADR-004.\n") is None


def test_what_a_record_names() -> None:
    item = read("docs/adr/ADR-004-x.md", "# ADR-004: X\n\nSatisfies: REQ-1\n\nSee REQ-2, and ADR-004 itself.\n")
    assert item is not None
    assert [(link.target, link.role, link.line) for link in item.links] == [
        ("REQ-1", "declared", 3),
        ("REQ-2", "mention", 5),
    ]
