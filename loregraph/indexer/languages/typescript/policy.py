"""TypeScript's rules: JavaScript's."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.javascript.policy import COMMON
from loregraph.indexer.languages.policy import Policy

POLICIES: Final = {language: Policy(language=language, **COMMON) for language in ("typescript", "tsx")}
