"""What an index run says of itself."""

from __future__ import annotations

from msgspec import Struct


class Progress(Struct, frozen=True):
    """How far a run is. `phase`: discover, extract, resolve, embed, store; `total` is 0 where it is not known."""

    phase: str
    done: int = 0
    total: int = 0


class FileCounts(Struct, frozen=True):
    """Files by what became of them in this run; `failed` and `unsupported` count all that are so now."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0
    unsupported: int = 0


class ReportedProblem(Struct, frozen=True):
    """Something in the project that could not be read. `line` is 0 where no line is to blame."""

    path: str
    line: int
    message: str


class Seconds(Struct, frozen=True):
    """Wall-clock seconds by phase."""

    discover: float = 0.0
    extract: float = 0.0
    resolve: float = 0.0
    embed: float = 0.0
    store: float = 0.0
    total: float = 0.0


class Totals(Struct, frozen=True):
    """What the graph holds after a run."""

    functions: int = 0
    classes: int = 0
    components: int = 0
    requirements: int = 0
    relationships: dict[str, int] = {}
    unresolved: dict[str, int] = {}
    """Calls that gave no edge, by the reason."""
    generated: dict[str, int] = {}
    """Files that are kept as files, by the reason: their functions and classes are not counted."""


class IndexReport(Struct, frozen=True):
    """The result of `pipeline.index`: the JSON form of `loregraph index`."""

    files: FileCounts
    functions: int
    classes: int
    components: int
    requirements: int
    relationships: dict[str, int]
    problems: tuple[ReportedProblem, ...]
    seconds: Seconds
    unresolved: dict[str, int] = {}
    generation: int = 0
    generated: dict[str, int] = {}
    languages: dict[str, int] = {}
    """Files of each language in the graph."""
    resolved: int = 0
    """Files whose calls were resolved in this run: after an edit, those that it may affect."""
