"""The lines of the present files that a unified diff changes, whether it is proposed or was made already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from loregraph import unified_diff
from loregraph.errors import UsageError
from loregraph.git import ChangedFile
from loregraph.unified_diff import FilePatch, reversed_patch

MOST_CHARACTERS: Final = 1_000_000
MOST_FILES: Final = 500
MOST_HUNKS: Final = 2_000
_MAKE_ONE: Final = "pass the output of `git diff`"


def lines_of_diff(
    diff: str, read: Callable[[str], bytes | None], has_code: Callable[[str], bool]
) -> dict[str, ChangedFile]:
    """Path → the lines changed in the file as it is now, in the form of `git.changed_lines`.

    A part that the file does not have yet gives the lines that it would replace, one that it has those that it made; a
    file that is not there yet is left out, and so is one that not `has_code`. `read` gives the content of a file of the
    project, None where there is none, and raises for a path that leaves the project. Raises UsageError for a text that
    is no diff, for one that is too large, only about binary files, or does not fit the files as they are.
    """
    if len(diff) > MOST_CHARACTERS:
        raise UsageError(f"the diff is longer than {MOST_CHARACTERS:,} characters", "ask about a part of it")
    patches = unified_diff.parse(diff)
    if not patches:
        raise UsageError("the diff is not a unified diff, or an empty one", _MAKE_ONE)
    hunks = sum(len(patch.hunks) for patch in patches)
    if len(patches) > MOST_FILES or hunks > MOST_HUNKS:
        raise UsageError(
            f"the diff changes {hunks:,} places in {len(patches):,} files",
            f"ask about a part of it: at most {MOST_HUNKS:,} in {MOST_FILES:,}",
        )
    if all(patch.is_binary for patch in patches):
        raise UsageError(f"the diff only changes binary files, as {patches[0].path!r}", "pass a diff of code")
    changes: dict[str, ChangedFile] = {}
    for patch in patches:
        sides = _contents(patch, read)
        if not any(map(has_code, sides)):
            continue
        for path, change in _changed(patch, sides).items():
            before = changes.get(path)
            if before is not None:
                both = tuple(sorted({*before.new_ranges, *change.new_ranges}))
                change = ChangedFile(change.status, change.old_path, (), both)
            changes[path] = change
    return dict(sorted(changes.items()))


def _contents(patch: FilePatch, read: Callable[[str], bytes | None]) -> dict[str, bytes | None]:
    """Path → the present content, of the patch's paths before and after."""
    for path in filter(None, (patch.old_path, patch.new_path)):
        if "\0" in path:
            raise UsageError(f"the diff has a path that no file can have: {path!r}", _MAKE_ONE)
    now = {path: read(path) for path in (patch.old_path, patch.new_path) if path}
    if patch.old_path and patch.new_path and not patch.is_binary and set(now.values()) == {None}:
        raise UsageError(f"the diff changes {patch.path!r}, which is not there", _MAKE_ONE)
    return now


def _changed(patch: FilePatch, now: Mapping[str, bytes | None]) -> dict[str, ChangedFile]:
    old = now[patch.old_path] if patch.old_path else None
    new = now[patch.new_path] if patch.new_path else None
    if patch.is_binary or (patch.old_path is None and new is None):
        return {}
    if patch.new_path is None:  # removed, or to be removed
        lines = 0 if old is None else old.count(b"\n") + 1
        return {patch.path: ChangedFile("D", patch.path, (), ((1, lines),))} if lines else {}
    misfit = 0
    if old is not None and patch.old_path is not None:
        found = unified_diff.changed_lines(patch, old.decode("utf-8", "replace"))
        if not isinstance(found, int):
            return {patch.old_path: ChangedFile("M", patch.old_path, (), tuple(found))}
        misfit = found
    if new is not None:
        found = unified_diff.changed_lines(reversed_patch(patch), new.decode("utf-8", "replace"))
        if not isinstance(found, int):
            return {patch.new_path: ChangedFile("M", patch.old_path or "", (), tuple(found))}
    near = patch.hunks[misfit].old_start if patch.hunks else 0
    raise UsageError(f"the diff does not fit {patch.path!r} near line {near}", "make it from the files as they are")
