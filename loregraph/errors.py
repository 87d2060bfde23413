"""The errors that loregraph raises, one class per cause.

Every error has a message that says what happened and a suggestion that says what to do. The two front ends turn them
into an exit code (command line) or an error body (MCP); no other code catches them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

LONGEST_NAME: Final = 100
"""Characters of an unknown name that are compared with the known ones: the comparison is quadratic."""


class LoregraphError(Exception):
    """Base of every error that loregraph raises on purpose."""

    exit_code = 3
    """Process exit code of the command line: 2 for a wrong call or configuration, 3 for work that failed."""
    code = "INTERNAL_ERROR"
    """Error code of the MCP error body."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class UsageError(LoregraphError):
    """A call with arguments that cannot be served."""

    exit_code = 2
    code = "VALIDATION_ERROR"


def unknown_name(what: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a `name` that is not in `known`, with the nearest of these; `what` is the kind of thing named."""
    hint = nearest_name(name, known)
    return UsageError(f"unknown {what} {name!r}", hint)


def known_name(what: str, name: str, known: Iterable[str]) -> str:
    """`name` as spelled in `known`, ignoring case. Raises UsageError with the nearest name for any other."""
    names = tuple(known)
    folded = {one.casefold(): one for one in names}
    if name.casefold() not in folded:
        raise unknown_name(what, name, names)
    return folded[name.casefold()]


# Implements REQ-CLI-019.
def nearest_name(name: str, known: Iterable[str]) -> str:
    """A suggestion for a `name` that is not in `known`: the nearest of them, or all."""
    import difflib

    names = list(known)
    folded = {one.casefold(): one for one in reversed(names)}
    near = difflib.get_close_matches(name.casefold()[:LONGEST_NAME], folded, n=1)
    return f"did you mean {folded[near[0]]!r}?" if near else f"there are {', '.join(names)}"


class ConfigError(UsageError):
    """A configuration file or environment variable that cannot be read or names something unknown."""


class NotFoundError(UsageError):
    """A symbol, file or record that does not exist."""

    code = "NOT_FOUND"


class AmbiguousSymbolError(UsageError):
    """A name shared by several symbols; `candidates` has their ids."""

    code = "CONFLICT"

    def __init__(self, message: str, candidates: Sequence[str], suggestion: str = "") -> None:
        super().__init__(message, suggestion)
        self.candidates = tuple(candidates)


class NotIndexedError(UsageError):
    """A query to a project without a graph."""

    code = "UNAVAILABLE"


class NothingToTraceError(UsageError):
    """A trace in a graph without requirements."""

    code = "UNAVAILABLE"


class PathOutsideProjectError(UsageError):
    """A path that leaves the project root, links resolved."""

    code = "PERMISSION_DENIED"


class NotAllowedError(UsageError):
    """A change to something that belongs to someone else."""

    code = "PERMISSION_DENIED"


class ChangedMeanwhileError(UsageError):
    """A change to another version of a record than the one that is there now."""

    code = "CONFLICT"


class InTheWayError(UsageError):
    """A file that an output would replace, but that is not an output itself."""

    code = "CONFLICT"


class LimitExceededError(UsageError):
    """A limit on stored data is reached."""

    code = "LIMIT_EXCEEDED"


class SecretError(UsageError):
    """A text that looks like a credential; `kinds` are the kinds of credential, never the text."""

    def __init__(self, message: str, kinds: Sequence[str], suggestion: str = "") -> None:
        super().__init__(message, suggestion)
        self.kinds = tuple(kinds)


class QueryRefusedError(UsageError):
    """A Cypher statement that is not a read, or is unknown to the check."""


class QueryFailedError(UsageError):
    """A read that the engine could not run: syntax, unknown label or property, wrong parameter."""


class QueryLimitError(LoregraphError):
    """A read that exceeded its limit of time or memory."""

    code = "LIMIT_EXCEEDED"


class EmbedderMismatchError(UsageError):
    """The graph's vectors were made by another embedder than the configured one."""

    code = "CONFLICT"


class EmbedderUnavailableError(LoregraphError):
    """The configured embedder cannot be loaded here."""

    code = "UNAVAILABLE"


class StoreError(LoregraphError):
    """A store that is damaged, is not loregraph's, or cannot be written."""


class UnsafePathError(StoreError):
    """A link, a FIFO or the like in the place of one of loregraph's own files."""

    code = "PERMISSION_DENIED"


# Implements REQ-STO-006.
class DamagedStoreError(StoreError):
    """A store of loregraph's with a missing or damaged part."""


# Implements REQ-STO-006.
class SchemaTooNewError(StoreError):
    """A store written by a newer loregraph."""


class StoreBusyError(LoregraphError):
    """Another process is writing and did not finish in time."""

    code = "UNAVAILABLE"


class GitTooSlowError(LoregraphError):
    """git did not return an input of the graph in time: continuing without it would make a different graph."""

    code = "UNAVAILABLE"


class FetchError(LoregraphError):
    """A git repository that cannot be asked or fetched."""


class PlaceError(LoregraphError):
    """A place of published graphs that cannot be reached, refuses, or has no room."""

    code = "UNAVAILABLE"


class NotPublishedError(UsageError):
    """A commit without a published graph that this version can read."""

    code = "NOT_FOUND"


class DamagedArchiveError(LoregraphError):
    """A published archive or manifest that is damaged, cut short, too large or not loregraph's."""


class UncommittedError(UsageError):
    """Files that differ from the commit whose graph is to be published."""

    code = "CONFLICT"


class MissingDriverError(UsageError):
    """An optional driver that is not installed: of a kind of place for graphs, of a server, of a cluster."""

    code = "UNAVAILABLE"


class UpstreamError(LoregraphError):
    """Another MCP server that cannot be started, ended, did not answer, or sent an invalid answer."""

    code = "UNAVAILABLE"


class UnsupportedError(UsageError):
    """An operation that the configured memory backend does not support."""

    code = "UNAVAILABLE"


class BackendError(LoregraphError):
    """A memory backend that is not installed, unreachable, or failed."""

    code = "UNAVAILABLE"


# Implements REQ-IDX-009.
class NothingIndexedError(LoregraphError):
    """Source files exist, but no symbol was extracted from them."""


class RunFileError(UsageError):
    """A file with facts from a run that is of no known format, malformed, cut off or too large."""


class RunnerError(UsageError):
    """Tests for which no single runner is known."""


class BadScipError(LoregraphError):
    """A file that is no SCIP index, or one beyond the bounds of what is read."""

    code = "VALIDATION_ERROR"

    def __init__(self, path: object, why: str) -> None:
        super().__init__(f"{path} is no SCIP index that can be read: {why}", "make it again, or name another file")


class ServerUnreachableError(LoregraphError):
    """A server that cannot be reached, or whose connection was lost."""

    code = "UNAVAILABLE"


class ServerAccessError(UsageError):
    """A server that refuses the user, or what the user may not do."""

    code = "PERMISSION_DENIED"


class ServerFailedError(LoregraphError):
    """A server that failed, or whose answers cannot be read."""

    code = "UNAVAILABLE"


class TurnLostError(LoregraphError):
    """A push whose turn was taken over by another, because it gave no sign of life."""

    code = "CONFLICT"
