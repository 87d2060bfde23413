"""Findings: the common form of what analyses report, and baselines of known findings.

A finding is identified by its `key`, which has ids and never lines, so that an edit above it does not make it new. A
baseline is a file of known findings, committed beside the code: a build fails only on others.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, Final, Literal

import msgspec

from loregraph.errors import ConfigError, UsageError

Severity = Literal["error", "warning", "note"]
"""Severities, the worst first; the levels of SARIF."""

GATING: Final = frozenset({"error", "warning"})
"""Severities of findings that fail a build."""

BASELINE_VERSION: Final = 1


class Place(msgspec.Struct, frozen=True, order=True):
    """Lines of a file, 1-based and inclusive, the path relative to the root. `id` is the node there, "" for none."""

    file_path: str
    start_line: int
    end_line: int
    id: str = ""


class Finding(msgspec.Struct, frozen=True):
    """One finding. `key` identifies its subject without line numbers; `related` are further places."""

    rule: str
    severity: Severity
    message: str
    place: Place
    key: str
    related: tuple[Place, ...] = ()


class KnownFinding(msgspec.Struct, frozen=True):
    """One finding in a baseline. `path` and `message` are for people who read the file."""

    fingerprint: str
    rule: str
    path: str
    message: str


class Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a baseline file: duplicates are listed repeatedly."""

    version: int
    findings: tuple[KnownFinding, ...]


def fingerprint(finding: Finding) -> str:
    """16 hex digits that stay the same as long as the finding has the same subject."""
    return hashlib.blake2b(f"{finding.rule}\0{finding.key}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """By place, then rule, for working through them."""
    return sorted(findings, key=lambda f: (f.place, f.rule, f.key))


def read_baseline(path: Path) -> Baseline:
    """Raises UsageError where there is no such file, ConfigError where it is not a baseline."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the baseline {path} cannot be read: {error.strerror}", _how_to_write(path)) from error
    return baseline_of(data, path)


def baseline_of(data: bytes, path: Path | str) -> Baseline:
    """The baseline that the file at `path` holds. Raises ConfigError where it is not one."""
    hint = _how_to_write(path)
    try:
        baseline = msgspec.json.decode(data, type=Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is no baseline: {error}", hint) from error
    if baseline.version != BASELINE_VERSION:
        raise ConfigError(f"{path} is a baseline of version {baseline.version}, this is {BASELINE_VERSION}", hint)
    return baseline


def _how_to_write(path: Path | str) -> str:
    return f"write one with --write-baseline {path}"


def write_baseline(file: BinaryIO, findings: Iterable[Finding]) -> int:
    """Writes every finding as known, one per line for readable diffs; returns their number."""
    known = sorted(
        (KnownFinding(fingerprint(f), f.rule, f.place.file_path, f.message) for f in findings),
        key=lambda k: (k.path, k.rule, k.fingerprint, k.message),
    )
    rows = ",\n".join("    " + msgspec.json.encode(row).decode() for row in known)
    text = f'{{\n  "version": {BASELINE_VERSION},\n  "findings": [\n{rows}\n  ]\n}}\n'
    file.write(text.encode())
    return len(known)


# Implements REQ-DUP-004.
def new_findings(findings: Iterable[Finding], baseline: Baseline) -> list[Finding]:
    """Findings that are not in the baseline, in order; of duplicates, as many as were added."""
    left: Mapping[str, int] = Counter(known.fingerprint for known in baseline.findings)
    remaining = dict(left)
    fresh = []
    for finding in findings:
        mark = fingerprint(finding)
        if remaining.get(mark, 0):
            remaining[mark] -= 1
        else:
            fresh.append(finding)
    return fresh
