"""Go's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolution.policy import Policy

_BUILTINS = (
    "append cap clear close complex copy delete imag len make max min new panic print println real recover any "
    "bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint "
    "uint16 uint32 uint64 uint8 uintptr"
).split()

POLICY: Final = Policy(
    language="go",
    modules="go",
    package_scope=True,
    static_types=True,
    structural=True,
    conversion=True,
    embedding=True,
    literal_members=True,
    lexical_receiver=frozenset({"lambda", "function"}),
    default_externals=dict.fromkeys(_BUILTINS, "builtin"),
    type_containers=frozenset({"[]", "map", "chan"}),
)
POLICIES: Final = {"go": POLICY}
