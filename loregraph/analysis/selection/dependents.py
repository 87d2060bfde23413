"""What may depend on a file as a whole: those that import it, and what a file that is no code configures."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from loregraph.graph.columns import GraphColumns

_BUILD: Final = re.compile(
    r"(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|noxfile\.py|requirements[\w.-]*\.(?:txt|in)|Pipfile(?:\.lock)?"
    r"|poetry\.lock|uv\.lock|package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|tsconfig[\w.-]*\.json"
    r"|(?:jest|vitest|vite|babel)\.config\.\w{1,4}|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pom\.xml|build\.gradle(?:\.kts)?"
    r"|gradle\.properties|Gemfile(?:\.lock)?|composer\.(?:json|lock)|[\w.-]+\.(?:csproj|sln)|CMakeLists\.txt|Makefile)"
)
_DOCUMENT: Final = frozenset((".md", ".rst", ".adoc", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".pdf", ".po"))
_DOCUMENT_NAME: Final = re.compile(
    r"(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGES|CHANGELOG|HISTORY|NEWS|README|CODEOWNERS)(?:\.\w+)?"
    r"|\.git\w+|\.editorconfig|\.pre-commit-config\.yaml|\.readthedocs\.ya?ml|mkdocs\.yml",
    re.IGNORECASE,
)
_DOCUMENT_FOLDERS: Final = frozenset((".github", ".gitlab", ".circleci", "docs", "doc", ".ci", ".vscode", ".idea"))


class Dependents:
    """Answers about the files of one graph."""

    def __init__(self, columns: GraphColumns) -> None:
        self._columns = columns

    def importers(self, file: int, depth: int | None = None) -> dict[int, int]:
        """`file` and those that import it, with the number of imports between: up to `depth` of them, or all."""
        columns = self._columns
        found = {file: 0}
        frontier = [file]
        while frontier and (depth is None or found[frontier[0]] < depth):
            following = []
            for one in frontier:
                for source in columns.source[columns.into(one, "IMPORTS")].tolist():
                    if source not in found and columns.label(source) == "File":
                        found[source] = found[one] + 1
                        following.append(source)
            frontier = following
        return found

    def users(self, file: int, is_private: bool) -> frozenset[int]:
        """The definitions in `file`; unless what is asked about is its own, also those of files that import it, and
        that import a package which passes it on."""
        columns = self._columns
        files = {columns.path(one) for one in ([file] if is_private else self.importers(file, 2))}
        codes = {code for code, path in enumerate(columns.paths.values) if path in files}
        return frozenset(node for node, code in enumerate(columns.paths.codes.tolist()) if code in codes)

    def configures(self, path: str) -> str:
        """How a file configures the tests or the build of everything in its folder and below, "" where it does not."""
        return "configures the build or the tests" if _BUILD.fullmatch(PurePosixPath(path).name) else ""

    def is_document(self, path: str) -> bool:
        """Whether a file is for people, or for services that run no tests."""
        pure = PurePosixPath(path)
        return (
            pure.suffix.lower() in _DOCUMENT
            or bool(_DOCUMENT_NAME.fullmatch(pure.name))
            or any(part in _DOCUMENT_FOLDERS for part in pure.parts[:-1])
        )
