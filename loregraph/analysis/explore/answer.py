"""The answer of `explore`, in the form that the command line, Python and MCP give it."""

from __future__ import annotations

from msgspec import Struct

from loregraph.graph.authored import Remembered
from loregraph.graph.queries import CallHit


class Titled(Struct, frozen=True):
    """A requirement or a design in short."""

    id: str
    title: str


class ExploredSymbol(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A function or class, or a constant by the id of its file.

    `source` are its lines as they are on disk now: all, or where it is long those that matter, with `... 12-40` in
    place of the lines left out; it is "" where `sent_before`: an earlier answer of the session had it. `docstring` is
    the first paragraph of documentation that `source` does not contain. `callers` and `callees` are the surest; `more`
    says how many there are beyond those listed, by the list's name. `reason` says why the symbol is in the answer.
    """

    id: str
    file_path: str
    start_line: int
    end_line: int
    source: str
    callers: tuple[CallHit, ...]
    callees: tuple[CallHit, ...]
    tests: tuple[str, ...]
    requirements: tuple[Titled, ...]
    memories: tuple[Remembered, ...]
    designs: tuple[Titled, ...] = ()
    docstring: str = ""
    reason: str = ""
    more: dict[str, int] = {}
    sent_before: bool = False


class Exploration(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The answer.

    `omitted` are the ids of what did not fit, best first, and `not_listed` the number of those for which not even the
    id did; `unresolved_calls` is the number of calls in the files of `symbols` whose targets are unknown; `stale` are
    the files that changed since they were indexed, so that lines and calls may be off; `memories` answer the question,
    and are not about one of `symbols`; `tokens` is the size of the answer.
    """

    symbols: tuple[ExploredSymbol, ...]
    omitted: tuple[str, ...]
    unresolved_calls: int
    stale: tuple[str, ...]
    tokens: int
    not_listed: int = 0
    memories: tuple[Remembered, ...] = ()
