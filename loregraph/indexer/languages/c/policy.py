"""C's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Policy

POLICY: Final = Policy(
    language="c",
    modules="include",
    family="c",
    include_scope=True,
    literal_members=True,
    type_containers=frozenset({"[]"}),
)
POLICIES: Final = {"c": POLICY}
