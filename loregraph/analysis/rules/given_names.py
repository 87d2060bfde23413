"""Method names determined by a language or its standard library, which need no uses or documentation."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages import registry

CALLED_BY_LANGUAGE: Final = {
    language.name: language.called_by_name for language in registry.LANGUAGES if language.called_by_name
}
"""Methods that a language's own syntax or library calls by name, without an interface."""

FILE_METHODS: Final = frozenset(
    "close detach fileno flush getvalue isatty peek read read1 readable readall readinto readinto1 readline readlines"
    " seek seekable tell truncate writable write writelines".split()
)
CONTAINER_METHODS: Final = frozenset(
    "add append clear copy count discard extend fromkeys get index insert items keys pop popitem remove reverse"
    " setdefault sort update values".split()
)
"""Methods of Python's files and containers."""

INTERFACE_METHODS: Final = frozenset(
    "Error Unwrap Is As String GoString Format Read Write Close Seek Len Less Swap ServeHTTP RoundTrip MarshalJSON"
    " UnmarshalJSON MarshalText UnmarshalText MarshalYAML UnmarshalYAML MarshalBinary UnmarshalBinary Scan"
    " Value".split()
)
"""Methods of interfaces in Go's standard library."""
