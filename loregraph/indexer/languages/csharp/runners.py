"""How chosen tests are named to `dotnet test`."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import Asked, TestPlace, TestRunner, Words, unique


# Implements REQ-RUN-011.
def dotnet_words(asked: Asked) -> Words:
    """`--filter` with what the full names hold: the names of cases begin with that of their method."""
    names = unique(_full_name(place, asked.width) for place in asked.places)
    if asked.width > 1 or not all(name.replace(".", "").replace("+", "").isidentifier() for name in names):
        return Words(("--filter", "FullyQualifiedName!=-"), ("all tests are selected, as some cannot be named",))
    return Words(("--filter", "|".join(f"FullyQualifiedName~{name}" for name in names)))


def _full_name(place: TestPlace, width: int) -> str:
    """The name with `+` before a class within another."""
    types = "+".join(holder.name for holder in place.holders)
    return ".".join(part for part in (place.prefix, types, "" if width else place.name) if part)


RUNNERS: Final = (TestRunner("dotnet", "dotnet test", ("--list-tests",), dotnet_words),)
