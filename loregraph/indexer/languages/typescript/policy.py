"""TypeScript's rules: JavaScript's."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from loregraph.indexer.languages.javascript.policy import POLICY

POLICIES: Final = {language: replace(POLICY, language=language) for language in ("typescript", "tsx")}
