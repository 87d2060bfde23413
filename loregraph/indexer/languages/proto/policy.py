"""Protocol Buffers' rules of naming."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Modules, Policy, Scopes, Types

_SCALARS: Final = (
    "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes google"
).split()

POLICY: Final = Policy(
    language="proto",
    modules=Modules(style="file"),
    scopes=Scopes(members_in_scope=True, default_externals=dict.fromkeys(_SCALARS, "protobuf")),
    types=Types(static_types=True),
)
POLICIES: Final = {"proto": POLICY}
