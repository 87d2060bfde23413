"""C's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Members, Modules, Policy, Types

POLICY: Final = Policy(
    language="c",
    family="c",
    modules=Modules(style="include", include_scope=True),
    members=Members(literal_members=True),
    types=Types(type_containers=frozenset({"[]"})),
)
POLICIES: Final = {"c": POLICY}
