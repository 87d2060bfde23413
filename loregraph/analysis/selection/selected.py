"""A test that was selected, as front ends and runners get it."""

from __future__ import annotations

from msgspec import Struct


class SelectedTest(Struct, frozen=True):
    """The test `id` in the file `path`, whose qualified name there is `name`.

    `how`: "changed" where it is part of the change, "observed" or "coverage" where a run showed that it executes what
    changed, "call" where a path of the graph leads to it, "file" and "imports" where only its file has to do with it,
    "all" where everything may depend on what changed. `reason` says the same in words. `confidence` is 0 to 1, how sure
    it is that it executes the change; `seconds` is its duration in the last run that was imported, None where none was.
    """

    id: str
    path: str
    name: str
    reason: str
    how: str
    confidence: float
    seconds: float | None = None
