"""JavaScript and TypeScript: resolves specifiers by Node's and TypeScript's own algorithms.

With one deliberate difference: packages of the project usually publish build output (`dist/index.js`), which is not in
the repository. Their entry points are mapped back to the source that the build reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from loregraph.indexer.languages.javascript.tsconfig import PathMappings
from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.npm import split_specifier
from loregraph.indexer.languages.packaging.reader import (
    PackagingReader,
    ancestors,
    folder_of,
    is_within,
    join,
    strings,
    table,
)
from loregraph.indexer.problems import PathProblem

_TS_FIRST: Final = (
    ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte",
    ".json",
)  # fmt: skip
_JS_FIRST: Final = (
    ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte",
    ".json",
)  # fmt: skip
_SOURCES: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_WRITTEN_FOR: Final[dict[str, tuple[str, ...]]] = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""Extension of a specifier → extensions of sources that compile to it."""
_CONDITIONS: Final = ("source", "development", "types", "import", "module", "node", "browser", "require", "default")
_ENTRIES: Final = ("source", "types", "typings", "module", "main", "browser")
_BUILT: Final = re.compile(r"^(?:dist|build|lib|out|esm|cjs|es|umd|types)/(?:(?:esm|cjs|es|umd|types|src)/)*")
_MAX_ENDINGS: Final = 200
"""Characters at the end of a path that are searched for endings."""
_CODE_ENDINGS: Final = frozenset("js cjs mjs ts cts mts jsx tsx".split())
_BUILT_ENDINGS: Final = frozenset(
    "d min prod global esm cjs umd es esm-bundler esm-browser runtime common production development".split()
)
_FIXTURE_FOLDERS: Final = frozenset(
    {"fixtures", "fixture", "__fixtures__", "__tests__", "__mocks__", "testdata", "test", "tests", "example",
     "examples", "playground", "playgrounds"}
)  # fmt: skip
_MAX_DEPTH: Final = 4
_MAX_TARGET: Final = 5_000
"""Maximum characters of a path from a pattern in `exports`."""
_MAX_STARRED: Final = 1_000
"""Maximum patterns in one package's `exports` or `imports`."""

# Node 22, `module.builtinModules` without the underscored ones.
BUILT_IN: Final = frozenset(
    {
        "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto",
        "dgram", "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector",
        "module", "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl",
        "sea", "sqlite", "stream", "string_decoder", "sys", "test", "timers", "tls", "trace_events", "tty",
        "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
    }
)  # fmt: skip


class Package(Struct, frozen=True):
    """A package.json with a name or with fields that affect resolution."""

    name: str
    folder: str
    data: dict[str, Any]
    starred: dict[str, tuple[str, ...] | None]
    """Keys of `exports` and `imports` with a wildcard; None where they are not keyed by subpath."""

    @property
    def dependencies(self) -> tuple[str, ...]:
        keys = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
        return tuple(sorted({name for key in keys for name in table(self.data, key)}))


class Layout(layout.Layout):
    """The JavaScript and TypeScript modules and packages of a project."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = frozenset(paths)
        self._packages: dict[str, Package] = {}
        """Folder → its package."""
        names = sorted(packaging)
        for path in names:
            if path.rpartition("/")[2] == "package.json":
                data = reader.json(path)
                name = data.get("name")
                folder = folder_of(path)
                starred = {key: _starred(data.get(key)) for key in ("exports", "imports")}
                self._packages[folder] = Package(name if isinstance(name, str) else "", folder, data, starred)
                for key, patterns in starred.items():
                    if patterns is not None and len(patterns) > _MAX_STARRED:
                        told = f"{key}: of the patterns only the first {_MAX_STARRED:,} count"
                        reader.problems.append(PathProblem(path, 0, told))
        self._by_name: dict[str, list[Package]] = {}
        for package in sorted(self._packages.values(), key=lambda one: (one.folder.count("/"), one.folder)):
            if package.name:
                self._by_name.setdefault(package.name, []).append(package)
        self.requirements = {folder: package.dependencies for folder, package in self._packages.items()}
        self._mappings = PathMappings(names, reader, self._folder_of_package)
        self._found: dict[tuple[str, str], str | None] = {}

    def package_around(self, path: str) -> Package | None:
        """The innermost named package around a file, else the innermost package."""
        around = [self._packages[folder] for folder in ancestors(folder_of(path)) if folder in self._packages]
        return next((package for package in around if package.name), around[0] if around else None)

    def project_name(self, file: str, folder: str) -> str | None:
        """None where a package.json has settings alone."""
        package = self._packages.get(folder)
        builds = package is not None and (package.name or "workspaces" in package.data or package.dependencies)
        return package.name if package is not None and builds else None

    def published(self, folder: str) -> str:
        package = self._packages.get(folder)
        return package.name if package is not None and _fixture_folder(folder) is None else ""

    def entries(self, folder: str) -> Iterator[tuple[str, str]]:
        """What a package exports: by its own name, and by those of the paths that it lists."""
        package = self._packages[folder]
        exports = package.data.get("exports")
        paths = [path for path in exports if path.startswith("./")] if isinstance(exports, dict) else []
        for path in (".", *paths):
            rest = path.removeprefix(".").removeprefix("/")
            file = None if "*" in path else self._from_package(package, rest, _JS_FIRST)
            if file is not None:
                yield (f"{package.name}/{rest}" if rest else package.name), file

    def module_name(self, path: str, package: str = "") -> str:
        """`<package>/<path in it>` without extension, `src/` and `/index`; only the path outside any package."""
        around = self.package_around(path)
        folder = around.folder if around else ""
        inner = path[len(folder) + 1 :] if folder else path
        stem = inner[: inner.rfind(".")] if "." in inner[inner.rfind("/") + 1 :] else inner
        stem = stem.removesuffix(".d")
        if stem.startswith("src/"):
            stem = stem.removeprefix("src/")
        name = around.name if around else ""
        if stem == "index" and name:
            return name
        stem = stem.removesuffix("/index")
        return f"{name}/{stem}" if name else stem

    def file_of(self, importing_path: str, specifier: str) -> str | None:
        """The file of the project that a specifier means; None where it means none."""
        key = (folder_of(importing_path) + importing_path[importing_path.rfind(".") :], specifier)
        if key not in self._found:
            self._found[key] = self._resolve(importing_path, _bare(specifier))
        return self._found[key]

    def external_package(self, specifier: str) -> str:
        """`@scope/name` for `@scope/name/x`; `node:fs` for `fs` and `node:fs`; "" for what is a path."""
        bare = _bare(specifier)
        if bare.startswith((".", "/", "#")):
            return ""
        for scheme in ("npm:", "jsr:"):
            if bare.startswith(scheme):
                name = split_specifier(bare.removeprefix(scheme).lstrip("/"))[0]
                return name[0] + name[1:].partition("@")[0] if name else ""
        if bare.startswith(("http:", "https:", "data:")):
            return bare.partition(":")[2].strip("/").partition("/")[0]
        if bare.startswith("node:") or bare.partition("/")[0] in BUILT_IN:
            return f"node:{bare.removeprefix('node:')}"
        return split_specifier(bare)[0]

    def _resolve(self, importing_path: str, specifier: str) -> str | None:
        order = _TS_FIRST if importing_path.endswith((".ts", ".tsx", ".mts", ".cts", ".vue")) else _JS_FIRST
        folder = folder_of(importing_path)
        if not specifier or specifier.startswith(("node:", "http:", "https:", "data:", "npm:", "jsr:")):
            return None
        if specifier.startswith("."):
            base = join(folder, specifier)
            return (
                None
                if base is None
                else self._module(base, order, must_be_folder=specifier.endswith(("/", "/..", ".")))
            )
        for candidate in self._mappings.candidates(importing_path, specifier):
            found = self._module(candidate, order)
            if found is not None:
                return found
        if specifier.startswith("#"):
            return self._private_import(importing_path, specifier, order)
        if specifier.startswith(("@/", "~/", "/")):
            return self._aliased(importing_path, specifier.lstrip("@~/"), order)
        if specifier == "$lib" or specifier.startswith("$lib/"):
            return self._aliased(importing_path, specifier[1:], order)
        name, rest = split_specifier(specifier)
        package = self._package(name, importing_path)
        return None if package is None else self._from_package(package, rest, order)

    def _module(self, base: str, order: tuple[str, ...], *, must_be_folder: bool = False, depth: int = 0) -> str | None:
        """The file of a path, completing the extension or `index`."""
        if not must_be_folder:
            dot = base.rfind(".")
            written = _WRITTEN_FOR.get(base[dot:], ()) if dot > base.rfind("/") else ()
            exact = (base,) if base in self._files else ()
            stem = base[:dot]
            sources = tuple(stem + ending for ending in written if stem + ending in self._files)
            both = (
                exact + sources if order is _JS_FIRST else (*(s for s in sources if ".d." not in s), *exact, *sources)
            )
            if both:
                return both[0]
            for ending in order:
                if base + ending in self._files:
                    return base + ending
        package = self._packages.get(base)
        if package is not None and depth < _MAX_DEPTH:
            found = self._entry(package, order, depth + 1)
            if found is not None:
                return found
        return self._index(base, order)

    def _index(self, folder: str, order: tuple[str, ...]) -> str | None:
        stem = f"{folder}/index" if folder else "index"
        return next((stem + ending for ending in order if stem + ending in self._files), None)

    def _package(self, name: str, importing_path: str) -> Package | None:
        """The project's package with a name. A package that is a test fixture is only visible within the fixture."""
        for package in self._by_name.get(name, ()):
            fixture = _fixture_folder(package.folder)
            if fixture is None or is_within(importing_path, fixture):
                return package
        return None

    def _folder_of_package(self, name: str) -> str | None:
        found = self._by_name.get(name)
        return found[0].folder if found else None

    def _from_package(self, package: Package, rest: str, order: tuple[str, ...]) -> str | None:
        if not rest:
            return self._entry(package, order, 0)
        for target in _exported(package, "exports", f"./{rest}"):
            found = self._target(package.folder, target, order, 0)
            if found is not None:
                return found
        for inner in (rest, f"src/{rest}"):
            base = join(package.folder, inner)
            found = None if base is None else self._module(base, order)
            if found is not None:
                return found
        return self._target(package.folder, rest, order, 0)

    def _entry(self, package: Package, order: tuple[str, ...], depth: int) -> str | None:
        """The file that importing a package by its name reads."""
        targets = list(_exported(package, "exports", "."))
        targets += [value for key in _ENTRIES if isinstance(value := package.data.get(key), str)]
        # As published first; if that is build output, its source; if that is unknown, the usual entry points.
        for target in targets:
            found = self._as_written(package.folder, target, order, depth)
            if found is not None:
                return found
        for target in targets:
            found = self._target(package.folder, target, order, depth)
            if found is not None:
                return found
        for usual in ("src/index", "index", "src/main", "lib/index"):
            base = join(package.folder, usual)
            if base is not None:
                for ending in order:
                    if base + ending in self._files:
                        return base + ending
        return None

    def _as_written(self, folder: str, target: str, order: tuple[str, ...], depth: int) -> str | None:
        base = join(folder, target)
        if base is None or base == folder:
            return None
        found = self._module(base, order, depth=depth)
        # Hand-written declarations do not tell what runs.
        return None if found is None or ".d." in found[found.rfind("/") + 1 :] else found

    def _target(self, folder: str, target: str, order: tuple[str, ...], depth: int) -> str | None:
        """The file that a package's target names, mapped from build output back to its source."""
        found = self._as_written(folder, target, order, depth)
        if found is not None:
            return found
        plain = target.removeprefix("./")
        stem = _without_endings(plain)
        inner = _BUILT.sub("", stem)
        for source in dict.fromkeys((f"src/{inner}", f"source/{inner}", f"lib/{inner}", inner)):
            base = join(folder, source)
            if base is None:
                continue
            for ending in _SOURCES:
                if base + ending in self._files:
                    return base + ending
            found = self._index(base, _SOURCES)
            if found is not None:
                return found
        return None

    def _private_import(self, importing_path: str, specifier: str, order: tuple[str, ...]) -> str | None:
        """`#name`, by the `imports` of the enclosing package."""
        for folder in ancestors(folder_of(importing_path)):
            package = self._packages.get(folder)
            if package is None:
                continue
            for target in _exported(package, "imports", specifier):
                if target.startswith("."):
                    found = self._target(folder, target, order, 0)
                else:
                    found = self._resolve(importing_path, target) if not target.startswith("#") else None
                if found is not None:
                    return found
            return None
        return None

    def _aliased(self, importing_path: str, rest: str, order: tuple[str, ...]) -> str | None:
        """`@/x` and `~/x`, which bundler templates map to the package's `src`, where no configuration maps them;
        `$lib/x`, which SvelteKit maps to `src/lib` in a generated configuration."""
        for folder in ancestors(folder_of(importing_path)):
            if folder and folder not in self._packages:
                continue
            for start in ("src", "app", ""):
                base = join(folder, f"{start}/{rest}")
                found = None if base is None else self._module(base, order)
                if found is not None:
                    return found
        return None


def _bare(specifier: str) -> str:
    """A specifier without bundler loaders and queries: `./x.svg` for `!!raw!./x.svg?inline`."""
    return specifier.rpartition("!")[2].partition("?")[0]


def _fixture_folder(folder: str) -> str | None:
    """The folder that makes a package a fixture: `a/tests` for `a/tests/app/b`."""
    parts = folder.split("/")
    for number, part in enumerate(parts):
        if part in _FIXTURE_FOLDERS:
            return "/".join(parts[: number + 1])
    return None


def _exported(package: Package, key: str, subpath: str) -> Iterator[str]:
    """The targets of a subpath in `exports` or `imports`, in the order of `_CONDITIONS`."""
    exports = package.data.get(key)
    starred = package.starred[key]
    if exports is None:
        return
    if starred is None:
        if subpath == ".":
            yield from _targets(exports, 0)
        return
    if subpath in exports:
        yield from _targets(exports[subpath], 0)
        return
    matching = []
    for key in starred[:_MAX_STARRED]:
        prefix, star, suffix = key.partition("*")
        if not star and key.endswith("/"):
            suffix, star = "", "*"
        if (
            star
            and subpath.startswith(prefix)
            and subpath.endswith(suffix)
            and len(subpath) >= len(prefix) + len(suffix)
        ):
            matching.append((len(prefix), key, subpath[len(prefix) : len(subpath) - len(suffix)]))
    for _, key, inner in sorted(matching, reverse=True):
        for target in _targets(exports[key], 0):
            if len(target) + target.count("*") * len(inner) <= _MAX_TARGET:  # longer than a path on any system
                yield target.replace("*", inner) if "*" in target else target + inner
        return


# Implements REQ-SEC-010.
def _starred(exports: Any) -> tuple[str, ...] | None:
    """The keys of `exports` or `imports` with a wildcard; None where it is not keyed by subpath."""
    if not isinstance(exports, dict) or not any(key.startswith((".", "#")) for key in exports):
        return None
    return tuple(key for key in exports if "*" in key or key.endswith("/"))


def _targets(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from strings(value)
    elif isinstance(value, dict) and depth < _MAX_DEPTH:
        for condition in (*_CONDITIONS, *sorted(key for key in value if key not in _CONDITIONS)):
            if condition in value:
                yield from _targets(value[condition], depth + 1)


def _without_endings(path: str) -> str:
    """A file's path without endings that a build adds: `a.esm-bundler.js` → `a`. Others stay as they are."""
    rest, _, last = path[-_MAX_ENDINGS:].rpartition(".")
    if "." not in path[-_MAX_ENDINGS:] or last not in _CODE_ENDINGS:
        return path
    end = len(path) - len(last) - 1
    while True:
        rest, dot, last = rest.rpartition(".")
        if not dot or last not in _BUILT_ENDINGS:
            return path[:end]
        end -= len(last) + 1
