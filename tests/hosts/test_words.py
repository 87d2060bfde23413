"""What agents are told, and the difference that a user is shown."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from loregraph.hosts import texts
from loregraph.hosts.diff import WIDEST, unified
from loregraph.mcp_server import profiles


# Verifies REQ-CLI-021.
def test_the_instructions_are_short_and_name_tools_that_exist() -> None:
    lines = texts.instructions().splitlines()
    assert len(lines) <= 25 and all(len(line) <= 120 for line in lines)
    named = set(re.findall(r"^- `(\w+)`", texts.instructions(), re.MULTILINE))
    listed = {tool for profile in profiles.PROFILES.values() for tools in profile.tools.values() for tool in tools}
    assert {"explore", "impact", "get_related", "code_search"} <= named <= listed
    assert "grep" in texts.instructions()
    assert len(texts.skill().splitlines()) <= 25
    assert texts.skill().startswith("---\nname: loregraph\ndescription: ") and texts.skill().endswith(
        texts.instructions()
    )


# Verifies REQ-CLI-021.
@pytest.mark.skipif(shutil.which("sh") is None, reason="hooks are run by a shell")
def test_the_hook_says_one_line_and_decides_nothing() -> None:
    (row,) = texts.hook()["hooks"]
    done = subprocess.run(["sh", "-c", row["command"]], input=b"{}", capture_output=True, check=True)
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert said.keys() == {"hookEventName", "additionalContext"}, "no decision about permission"
    assert said["hookEventName"] == "PreToolUse" and "\n" not in said["additionalContext"]
    assert done.stderr == b""


def test_a_difference_has_the_lines_around_it() -> None:
    before = "1\n2\n3\n4\n5\n6\n7\n8\n"
    assert unified(before, before.replace("5\n", "5\nx\n"), "a.txt").splitlines() == [
        "--- a/a.txt", "+++ b/a.txt", "@@ -3,6 +3,7 @@", " 3", " 4", " 5", "+x", " 6", " 7", " 8",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, "a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a"),
        ("a\n", None, "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a"),
        ("a", "a\n", "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a"),
        ("a\n", "a\n", ""),
    ],
)
def test_differences_at_the_ends(before: str | None, after: str | None, expected: str) -> None:
    assert unified(before, after, "f") == expected


def test_a_line_of_a_megabyte_is_cut() -> None:
    shown = unified("x" * 1_000_000, "y" * 1_000_000, "f")
    assert len(shown) < 3 * WIDEST and "(1,000,000 characters)" in shown
