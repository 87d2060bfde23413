"""The list of repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.batch.listing import LONGEST_LINE, Listed, listed
from loregraph.errors import UsageError


# Verifies REQ-MNY-001.
def test_a_line_is_a_source_a_revision_and_a_name(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "two words").mkdir()
    lines = [
        "# ours",
        "",
        "https://example.org/team/web.git",
        "git@example.org:team/api.git release/2.1 as api",
        "ssh://git@example.org/team/jobs",
        "shop",
        "'two words' v1.0",
    ]
    assert listed(lines, tmp_path) == [
        Listed("https://example.org/team/web.git"),
        Listed("git@example.org:team/api.git", "release/2.1", "api"),
        Listed("ssh://git@example.org/team/jobs"),
        Listed(str(tmp_path / "shop")),
        Listed(str(tmp_path / "two words"), "v1.0"),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ext::sh -c whoami", "is not of the form"),
        ("ext::sh", "not asked"),
        ("http://example.org/a", "not asked"),
        ("git://example.org/a", "not asked"),
        ("file:///etc", "not asked"),
        ("--upload-pack=touch", "names no folder"),
        ("-uhost@example.org:x", "names no folder"),
        ("https://example.org/a --upload-pack=x", "names no revision"),
        ("https://example.org/a main..dev^{}", "names no revision"),
        ("a b c d", "is not of the form"),
        ("'open", "cannot be read"),
        ("missing", "names no folder"),
        ("x" * (LONGEST_LINE + 1), "is longer"),
    ],
)
def test_other_lines_are_refused_with_their_number(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        listed(["# first", line], tmp_path)
    assert refused.value.message.startswith("line 2 of the list ")
    assert said in refused.value.message


@pytest.mark.parametrize(
    "line", ["https://me:secret@example.org/a", "https://token@example.org/a", "ssh://a:secret@b/c"]
)
def test_credentials_are_refused_and_not_repeated(line: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        listed([line], tmp_path)
    assert "secret" not in refused.value.message and "token" not in refused.value.message


def test_a_list_without_repositories_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no repository"):
        listed(["# nothing", "  "], tmp_path)
