"""TypeScript's rules: JavaScript's, and written types."""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.languages.javascript.policy import COMMON
from loregraph.indexer.resolution.policy import Policy

_COMMON: Final[dict[str, Any]] = {
    **COMMON,
    "type_wrappers": frozenset(
        {"Promise", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "PromiseLike", "Observable", "Ref"}
    ),
    "type_containers": frozenset(
        {"Array", "ReadonlyArray", "Set", "ReadonlySet", "Map", "ReadonlyMap", "Record", "Iterable", "Iterator"}
    ),
}

POLICIES: Final = {language: Policy(language=language, **_COMMON) for language in ("typescript", "tsx")}
