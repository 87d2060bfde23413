"""Groups of functions and classes that are similar enough to be treated alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from loregraph.analysis.rules.code import CLASS, FILE, FUNCTION, Code
from loregraph.analysis.rules.siblings import CLEAR, FEWEST, words
from loregraph.analysis.rules.surroundings import is_conditional
from loregraph.indexer.languages import registry

_UNCHECKED: Final = registry.where(lambda language: language.signatures.unchecked)
"""Languages in which nothing checks that functions in one table have the same parameters."""
GENERAL: Final = frozenset(
    "abstractmethod cache cached_property classmethod contextmanager asynccontextmanager deprecated final lru_cache"
    " overload override Override property staticmethod Deprecated SuppressWarnings SafeVarargs wraps"
    # Attributes and annotations for compilers and checkers.
    " allow automatically_derived cfg cfg_attr cold deny doc expect forbid inline instrument must_use no_mangle"
    " non_exhaustive rustfmt::skip skip target_feature track_caller unsafe warn"
    " Nullable NonNull NotNull Nonnull VisibleForTesting JvmStatic JvmOverloads JvmName Suppress OptIn Throws"
    " Obsolete MethodImpl Conditional EditorBrowsable SuppressMessage DebuggerStepThrough Pure"
    " objc available discardableResult inlinable usableFromInline MainActor"
    " ReturnTypeWillChange SensitiveParameter NoReturn nodiscard maybe_unused noreturn pragma nowarn tailrec".split()
)
"""Decorators that do not tell the purpose of a function."""
_BY_NAME: Final = ("first", "last")
FEWEST_BY_NAME: Final = 10
"""Members from which on functions are siblings by their names alone."""


class Family(msgspec.Struct, frozen=True):
    """A group of siblings and its common property, phrased to follow "nine of ten"."""

    key: tuple[str, int, str]
    about: str
    members: tuple[int, ...]

    @property
    def by_name(self) -> bool:
        """Whether only their names make them siblings."""
        return self.key[0] in _BY_NAME


def families(code: Code, node: int) -> Iterator[Family]:
    """The groups that the function `node` belongs to: overrides of one method, functions under one decorator in one
    file; of the others, functions of one file, class or component whose names share their first or last word, and of
    these the few that one function or file uses as values."""
    groups = _groups(code)
    for key in _keys(code, node):
        members = groups.get(key, ())
        if len(members) >= (FEWEST_BY_NAME if key[0] in _BY_NAME else FEWEST):
            yield Family(key, _about(code, key), tuple(members))


Key = tuple[str, int, str]


def _groups(code: Code) -> dict[Key, list[int]]:
    """Every family by its common property. Test code has families of its own."""

    def learn() -> dict[Key, list[int]]:
        found: dict[Key, list[int]] = {}
        for node in np.flatnonzero(code.columns.labels == FUNCTION).tolist():
            for key in _keys(code, node):
                found.setdefault(key, []).append(node)
        return found

    return code.once("families", learn)


def _keys(code: Code, node: int) -> list[Key]:
    columns = code.columns
    if columns.kind(node) not in ("function", "method") or columns.name(node).startswith(("__", "<")):
        return []
    if code.is_test(node) or code.is_stub(columns.path(node)) or is_conditional(code, node):
        return []
    language = columns.language(node)
    keys: list[Key] = [("overrides", base, "") for base in code.ends(node, "OVERRIDES")]
    for decorator in columns.own(node, "decorators") or ():
        called = decorator.partition("(")[0]
        if called.replace("::", ".").rpartition(".")[2] not in GENERAL:
            keys.append(("decorated", int(code.file[node]), f"{language} {called}"))
    parent = code.container(node)
    # Nested definitions do not count; overloads of one name would be most of their own family.
    if keys or parent < 0 or columns.labels[parent] == FUNCTION or "#" in columns.id(node):
        return keys
    parts = words(columns.name(node))
    # Elsewhere names tell the topic of a function, and a compiler or the callers determine its parameters.
    if len(parts) > 1 and language in _UNCHECKED:
        private = "_" if columns.name(node).startswith("_") else ""
        keys += [
            ("registered", source, f"{language} {kind} {part}")
            for source in _registering(code, node)
            for kind, part in (("first", parts[0]), ("last", parts[-1]))
        ]
        # A folder of handlers, one per file, is as much a family as a file of them.
        folder = [int(code.component[node])] if columns.labels[parent] == FILE else []
        for where in [parent, *folder]:
            keys.append(("first", where, f"{language} {private}{parts[0]}"))
            keys.append(("last", where, f"{language} {private}{parts[-1]}"))
    return keys


def same_role(code: Code, node: int, others: Sequence[int]) -> bool:
    """Whether `node` is used like `others`: called by a caller of several of them, or, like nearly all of them, without
    known callers. A helper that they call is not a sibling."""
    callers = _callers(code, node)
    if not callers:
        return sum(not _callers(code, other) for other in others) >= CLEAR * len(others)
    shared = sum(bool(callers & _callers(code, other)) for other in others)
    return callers.isdisjoint(others) and shared >= CLEAR * len(others)


def _callers(code: Code, node: int) -> frozenset[int]:
    return code.once(
        ("callers of", node),
        lambda: frozenset(one for one in code.starts(node, "CALLS") if not code.is_test(one) and one != node),
    )


def _registering(code: Code, node: int) -> list[int]:
    """Code that uses the function as a value: a table of handlers, a function that registers some."""
    columns = code.columns
    if columns.language(node) not in _UNCHECKED:
        return []
    if len(columns.out(node, "OVERRIDES")) or len(columns.into(node, "OVERRIDES")):
        # A single value that may be any of them: their base class defines what they have in common.
        return []
    edges = columns.into(node, "REFERENCES").tolist()
    return [int(columns.source[edge]) for edge in edges if columns.how(edge) == "value"]


def _about(code: Code, key: Key) -> str:
    columns = code.columns
    kind, where, text = key
    text = text.partition(" ")[2]
    if kind == "registered":
        return f"functions that {columns.id(where).rpartition('::')[2]} passes along"
    if kind == "overrides":
        return f"overrides of {columns.id(where).rpartition('::')[2]}"
    if kind == "decorated":
        return f"functions of {columns.path(where)} under @{text}"
    inside = columns.path(where) if columns.labels[where] != CLASS else columns.name(where)
    return f"functions of {inside} named {text}…" if kind == "first" else f"functions of {inside} named …{text}"
