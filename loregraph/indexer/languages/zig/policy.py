"""Zig's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import Members, Modules, Policy, Types

POLICY: Final = Policy(
    language="zig",
    modules=Modules(style="file", inside=re.compile(r"\.zig\Z")),
    members=Members(explicit_receiver=True, literal_members=True),
    types=Types(static_types=True, type_containers=frozenset({"[]"})),
)
POLICIES: Final = {"zig": POLICY}
