"""Names shared between scripts by sourcing: those of the scripts that a file sources, and of those that source it."""

from __future__ import annotations

from loregraph.indexer.resolve import names
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import FileIndex, Values

MAX_VARIANTS = 3
"""With more functions of one name in the files that a script sources, it is unclear which one is meant: none counts."""


def visible(engine: Engine, file: FileIndex, name: str, included: Values) -> Values:
    """`name` as defined in the files that `file` sources (`included`), else as seen by the file that sources `file`.

    A file that sources a computed path (`. "$plugin"`) may be the one that sources any file that no other sources by
    name.
    """
    if included:
        return included if len(included) <= MAX_VARIANTS else ()
    if name in file.policy.scopes.default_externals:
        return ()
    around = _includers(engine, file) or _open_files(engine, file)
    found = union([_given(engine, other, name) for other in around if other is not file])
    return found if len(found) == 1 else ()


def _given(engine: Engine, file: FileIndex, name: str) -> Values:
    """`name` as visible while `file` runs."""
    cell = names.exit_cell(engine, file.scopes[-1], name)
    if cell is not None:
        return engine.read(cell)
    parts = []
    for other in engine.project.included(file):
        cell = names.exit_cell(engine, other.scopes[-1], name)
        if cell is not None:
            parts.append(engine.read(cell))
    return union(parts)


def _includers(engine: Engine, file: FileIndex) -> list[FileIndex]:
    if engine.project.includers is None:
        engine.project.includers = {}
        for other in engine.project.files.values():
            if other.policy.modules.includer_scope:
                for held in engine.project.included(other):
                    engine.project.includers.setdefault(held.path, []).append(other)
    return engine.project.includers.get(file.path, [])


def _open_files(engine: Engine, file: FileIndex) -> list[FileIndex]:
    """The files of the component that source a computed path."""
    if engine.project.open_files is None:
        engine.project.open_files = {}
        for other in engine.project.files.values():
            if other.facts.extras.get("open"):
                engine.project.open_files.setdefault(engine.project.layout.component_of(other.path), []).append(other)
    return engine.project.open_files.get(engine.project.layout.component_of(file.path), [])
