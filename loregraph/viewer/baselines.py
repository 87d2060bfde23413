"""Baselines in a project: the files of known findings that its builds are given."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from loregraph.analysis.findings import Baseline, baseline_of
from loregraph.errors import UsageError
from loregraph.project import Project

FOLDERS: Final = ("", ".ci", ".github", "ci", ".gitlab", "config", "scripts", "tools")
"""Where projects keep what their builds read."""
MOST_FILES: Final = 200
"""JSON files looked into."""
HEAD: Final = 400
"""Bytes that tell a baseline and what it is of: `write_baseline` begins with them."""


def baselines_in(project: Project, *, of_copies: bool) -> list[str]:
    """The baselines of `duplicates` or of `check` in the folders where builds keep them, by path."""
    found = []
    for path in _json_files(project.root)[:MOST_FILES]:
        head = "\n".join(project.source_lines(path)[:4])[:HEAD]
        if '"version"' in head and '"findings"' in head and ('"rule":"duplicate-' in head) == of_copies:
            found.append(path)
    return found


def read(project: Project, path: str) -> Baseline:
    """The baseline at `path`, relative to the root. Raises PathOutsideProjectError, UsageError where there is no such
    file, ConfigError where it is no baseline."""
    inside = project.inside(project.root / path)
    lines = project.source_lines(inside)
    if not lines:
        raise UsageError(f"the baseline {inside} cannot be read", "choose a file that --write-baseline wrote")
    return baseline_of("\n".join(lines).encode("utf-8", "replace"), inside)


def _json_files(root: Path) -> list[str]:
    found = []
    for folder in FOLDERS:
        try:
            with os.scandir(root / folder) as entries:
                found += [
                    f"{folder}/{entry.name}".lstrip("/")
                    for entry in entries
                    if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False)
                ]
        except OSError:
            continue
    return sorted(found)
