"""tsconfig.json and jsconfig.json: `baseUrl` and `paths`, through `extends` and `references`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from loregraph.indexer.languages.packaging.npm import split_specifier
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join, strings, table
from loregraph.indexer.problems import PathProblem

_NAMES: Final = ("tsconfig.json", "jsconfig.json")
_MAX_EXTENDS: Final = 16
_MAX_PATTERNS: Final = 1_000
"""Maximum patterns in one configuration's `paths`."""


class PathMapping(Struct, frozen=True):
    """The mappings of one configuration. `base` is the `baseUrl`, None where there is none.

    `exact` has the specifiers without a star; `patterns` are (prefix, suffix, targets with a star), the longest prefix
    first, as TypeScript chooses them. Targets are paths from the root.
    """

    base: str | None
    exact: dict[str, tuple[str, ...]]
    patterns: tuple[tuple[str, str, tuple[str, ...]], ...]


class PathMappings:
    """All configurations of a project, looked up by the importing file."""

    def __init__(
        self, packaging: Iterable[str], reader: PackagingReader, package_folder: Callable[[str], str | None]
    ) -> None:
        """`package_folder` returns the folder of an npm package of the project by its name."""
        self._configs = {
            path: reader.json(path)
            for path in packaging
            if path.endswith(".json") and _is_config(path[path.rfind("/") + 1 :])
        }
        self._package_folder = package_folder
        self._problems = reader.problems
        self._merged: dict[str, dict[str, Any]] = {}
        self._made: dict[int, PathMapping] = {}
        self._mappings = {path: self._mapping(path) for path in sorted(self._configs)}
        self._by_folder: dict[str, tuple[PathMapping, ...]] = {}

    def candidates(self, importing_path: str, specifier: str) -> Iterator[str]:
        """Paths, without completed extensions, that the configurations around a file map `specifier` to, best first."""
        for mapping in self._around(folder_of(importing_path)):
            yield from mapping.exact.get(specifier, ())
            for prefix, suffix, targets in mapping.patterns:
                if (
                    specifier.startswith(prefix)
                    and specifier.endswith(suffix)
                    and len(specifier) >= len(prefix) + len(suffix)
                ):
                    star = specifier[len(prefix) : len(specifier) - len(suffix)]
                    for target in targets:
                        path = join("", target.replace("*", star, 1))
                        if path is not None:
                            yield path
            if mapping.base is not None:
                path = join(mapping.base, specifier)
                if path is not None:
                    yield path

    def _around(self, folder: str) -> tuple[PathMapping, ...]:
        found = self._by_folder.get(folder)
        if found is None:
            found = tuple(
                mapping
                for around in ancestors(folder)
                for name in _NAMES
                if (mapping := self._mappings.get(f"{around}/{name}" if around else name)) is not None
            )
            self._by_folder[folder] = found
        return found

    def _mapping(self, path: str) -> PathMapping | None:
        """The mapping of a configuration or, where it only refers to others (a solution), theirs."""
        found = self._compiled(path)
        if found is not None:
            return found
        for reference in self._configs[path].get("references") or ():
            target = table(reference).get("path")
            referred = self._locate(path, target) if isinstance(target, str) else None
            # A reference to another folder only concerns that folder.
            if referred is not None and folder_of(referred) == folder_of(path):
                found = self._compiled(referred)
                if found is not None:
                    return found
        return None

    def _compiled(self, path: str) -> PathMapping | None:
        options = self._options(path, frozenset())
        base, paths = options.get("baseUrl"), options.get("paths") or {}
        if base is None and not paths:
            return None
        # Hundreds of configurations may extend one and add nothing: they share its mapping.
        found = self._made.get(id(options))
        if found is None:
            starred = [pattern for pattern in paths if "*" in pattern]
            starred.sort(key=lambda pattern: (-pattern.index("*"), pattern))
            if len(starred) > _MAX_PATTERNS:
                told = f"paths: of the patterns only the {_MAX_PATTERNS:,} with the longest beginnings count"
                self._problems.append(PathProblem(path, 0, told))
            found = PathMapping(
                base,
                {pattern: tuple(targets) for pattern, targets in paths.items() if "*" not in pattern},
                tuple((*_around_star(pattern), tuple(paths[pattern])) for pattern in starred[:_MAX_PATTERNS]),
            )
            self._made[id(options)] = found
        return found

    def _options(self, path: str, extending: frozenset[str]) -> dict[str, Any]:
        """`baseUrl` and `paths` with all paths relative to the root; values of the extending configuration take
        precedence.

        `extending` is the chain of extending configurations: it detects one that extends itself.
        """
        if path in self._merged:
            return self._merged[path]
        config = self._configs[path]
        inherited: list[dict[str, Any]] = []
        for extended in strings(config.get("extends")):
            target = self._locate(path, extended)
            if target is not None and target not in extending and len(extending) < _MAX_EXTENDS:
                inherited.append(self._options(target, extending | {path}))
        own = table(config, "compilerOptions")
        base, paths = own.get("baseUrl"), own.get("paths")
        if len(inherited) == 1 and not isinstance(base, str) and not isinstance(paths, dict):
            self._merged[path] = inherited[0]
            return inherited[0]
        merged: dict[str, Any] = {}
        for options in inherited:
            merged.update(options)
        folder = folder_of(path)
        if isinstance(base, str):
            merged["baseUrl"] = join(folder, base)
        if isinstance(paths, dict):
            # Relative to baseUrl, or to the file that has `paths` where there is none.
            start = merged.get("baseUrl")
            start = folder if start is None else start
            merged["paths"] = {
                pattern: [found for target in strings(targets) if (found := join(start, target)) is not None]
                for pattern, targets in paths.items()
            }
        self._merged[path] = merged
        return merged

    def _locate(self, path: str, target: str) -> str | None:
        """The configuration that `extends` or a reference names."""
        if target.startswith("."):
            base = join(folder_of(path), target)
        else:
            name, rest = split_specifier(target)
            folder = self._package_folder(name)
            base = None if folder is None else join(folder, rest)
        if base is None:
            return None
        for candidate in (base, f"{base}.json", f"{base}/tsconfig.json" if base else "tsconfig.json"):
            if candidate in self._configs and candidate != path:
                return candidate
        return None


def _around_star(pattern: str) -> tuple[str, str]:
    prefix, _, suffix = pattern.partition("*")
    return prefix, suffix


def _is_config(name: str) -> bool:
    return name in _NAMES or (name.startswith("tsconfig.") and name.endswith(".json"))
