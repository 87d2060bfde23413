"""The text that was measured, and what of it is still there: functions are compared by the hashes of their contents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.indexer.bodies import Body, bodies
from loregraph.indexer.source import content_hash, normalise
from loregraph.runs.record import Place

Text = Callable[[str], bytes | None]
"""The normalised text of a file of the project, None where there is none."""

MODULE: Final = "<module>"
_LAMBDA: Final = "<"


class MeasuredFile(msgspec.Struct, frozen=True):
    """A file as it was measured: `is_current` says that it is still the same."""

    path: str
    content_hash: str
    is_current: bool
    text: str
    bodies: tuple[Body, ...]


class MeasuredFiles:
    """The files of a run. `now` gives their present text; `then` are the contents at the revision which was measured,
    where a run or its user names one; `said` are the content hashes that the run names (`record.Content`); of `unsure`
    files the present text need not be the measured one."""

    def __init__(
        self,
        columns: GraphColumns,
        now: Text,
        *,
        then: Mapping[str, bytes] | None = None,
        said: Mapping[str, str] | None = None,
        unsure: Collection[str] = (),
    ) -> None:
        self._columns = columns
        self._now = now
        self._then = then or {}
        self._said = said or {}
        self._unsure = unsure
        self._known: dict[str, MeasuredFile | None] = {}

    def file(self, path: str) -> MeasuredFile | None:
        """None for a file whose measured text is not known, since it changed, and for one without code."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> MeasuredFile | None:
        node = self._columns.find_id(path)
        if node is None or self._columns.label(node) != "File":
            return None
        said = self._said.get(path, "")
        now = self._now(path)
        digest = content_hash(now) if now is not None else ""
        text = now if said == digest or not (said or path in self._unsure) else None
        if path in self._then and said != digest:
            then = normalise(self._then[path])[0]
            if then is not None and (not said or content_hash(then) == said):
                text = then
        if text is None:
            return None
        found = bodies(path, text, self._columns.language(node))
        measured = content_hash(text)
        return MeasuredFile(path, measured, measured == digest, text.decode("utf-8", "replace"), found)


# Implements REQ-RUN-002.
def body_of(file: MeasuredFile, place: Place) -> Body | None:
    """The function that the plugin saw at a place; None where it is no function of the file, or not certainly one.

    Several of one name are told apart by their first line, a lambda by the only one in its line.
    """
    name = place.name.rpartition(".")[2]
    if name.startswith(_LAMBDA):
        fits = [one for one in file.bodies if one.name.startswith(_LAMBDA) and one.start_line == place.line]
        fits = fits or [one for one in file.bodies if one.kind == "lambda" and one.start_line == place.line]
        return fits[0] if len(fits) == 1 else None
    named = [one for one in file.bodies if one.qualname == place.name]
    exact = [one for one in named if one.start_line == place.line]
    within = [one for one in named if one.start_line <= place.line <= one.end_line]
    for fits in (exact, within, named):
        if fits:
            return fits[0] if len(fits) == 1 else None
    return None
