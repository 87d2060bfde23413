"""Zig's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Policy

POLICY: Final = Policy(
    language="zig",
    modules="zig",
    explicit_receiver=True,
    static_types=True,
    literal_members=True,
    type_containers=frozenset({"[]"}),
)
POLICIES: Final = {"zig": POLICY}
