"""A proposed diff: the definitions in its files before and after, as far as it applies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from loregraph.config import Settings
from loregraph.graph.model import Edge
from loregraph.indexer.discover.files import discover
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import registry
from loregraph.indexer.resolve import resolve
from loregraph.indexer.revision import Side, is_inside, language_of, read_contents
from loregraph.indexer.source import read_source
from loregraph.unified_diff import FilePatch, apply, reversed_patch


class Misfit(Struct, frozen=True):
    """A part of a diff that does not apply: the file does not exist (`line` 0), or the lines near `line` differ."""

    path: str
    line: int


class Proposal(Struct, frozen=True):
    """Both sides of the applicable parts. `renamed` maps old paths to new; `is_applied`: the files already have the
    diff's result; `imports` are the IMPORTS edges that it adds."""

    before: Side
    after: Side
    renamed: dict[str, str]
    misfits: tuple[Misfit, ...]
    is_applied: bool
    imports: tuple[Edge, ...]


def proposal(root: Path, settings: Settings, patches: Iterable[FilePatch]) -> Proposal:
    """The result of `patches` on the files under `root`. Writes nothing there."""
    before: dict[str, tuple[str, bytes]] = {}
    after: dict[str, tuple[str, bytes]] = {}
    renamed: dict[str, str] = {}
    misfits: list[Misfit] = []
    applied = fitting = 0
    for patch in patches:
        sides = _sides(root, settings, patch)
        if isinstance(sides, Misfit):
            misfits.append(sides)
            continue
        old, new, was_applied = sides
        fitting += 1
        applied += was_applied
        if patch.old_path and patch.new_path and patch.old_path != patch.new_path:
            renamed[patch.old_path] = patch.new_path
        for path, content, side in ((patch.old_path, old, before), (patch.new_path, new, after)):
            if path and content is not None and (language := language_of(path, content)) is not None:
                side[path] = (language, content)
    old_side, new_side = read_contents(before, settings), read_contents(after, settings)
    return Proposal(
        old_side,
        new_side,
        renamed,
        tuple(misfits),
        bool(fitting) and applied == fitting,
        _added_imports(root, settings, old_side, new_side, renamed) if new_side.facts else (),
    )


def _added_imports(
    root: Path, settings: Settings, before: Side, after: Side, renamed: Mapping[str, str]
) -> tuple[Edge, ...]:
    """IMPORTS edges of the new side that the old one lacks; the content of other files is not considered."""
    discovery = discover(root, settings)
    empty = {
        file.path: FileFacts(file.path, file.language, "", 0, "indexed")
        for file in discovery.files
        if file.language in registry.SUPPORTED
    }
    found = []
    for side in (before, after):
        layout = read_layout(root, sorted({*discovery.paths, *side.facts}))
        resolution = resolve(dict(sorted((empty | side.facts).items())), layout)
        found.append([e for path in side.facts for e in resolution.files[path].edges if e.rel == "IMPORTS"])
    known = {(renamed.get(edge.source, edge.source), renamed.get(edge.target, edge.target)) for edge in found[0]}
    return tuple(edge for edge in found[1] if (edge.source, edge.target) not in known)


def _sides(root: Path, settings: Settings, patch: FilePatch) -> tuple[bytes | None, bytes | None, bool] | Misfit:
    """The content of a file before and after, None where it does not exist, and whether the patch is already
    applied."""
    old = _content(root, settings, patch.old_path)
    if patch.old_path is None:
        there = _content(root, settings, patch.new_path)
        made = apply(patch, "")
        return Misfit(patch.path, 1) if isinstance(made, int) else (None, made.encode(), there is not None)
    if old is None:
        if patch.new_path is None:
            return None, None, True
        now = _content(root, settings, patch.new_path)
        undone = apply(reversed_patch(patch), now.decode("utf-8", "replace")) if now is not None else 0
        return Misfit(patch.path, 0) if now is None or isinstance(undone, int) else (undone.encode(), now, True)
    text = old.decode("utf-8", "replace")
    if patch.new_path is None:
        return old, None, False
    made = apply(patch, text)
    if not isinstance(made, int):
        return old, made.encode(), False
    undone = apply(reversed_patch(patch), text)
    if not isinstance(undone, int):
        return undone.encode(), old, True
    return Misfit(patch.path, patch.hunks[made].old_start)


def _content(root: Path, settings: Settings, path: str | None) -> bytes | None:
    if path is None or not is_inside(path) or not (root / path).resolve().is_relative_to(root):
        return None
    return read_source(root / path, settings.max_file_bytes)[0]
