"""The files of a project: `discover` lists them without reading them.

git is asked where possible (tracked files, and untracked ones that are not ignored); otherwise the folders are walked
under the rules of their .gitignore files. Links are not followed: a target in the project is listed in its own place.
Dependencies, caches and build output are skipped.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from loregraph import patterns
from loregraph.config import STORE_FOLDER, Settings, store_path
from loregraph.errors import ConfigError, UsageError, nearest_name
from loregraph.git import GitRefusal
from loregraph.indexer.discover import attributes
from loregraph.indexer.discover.git_files import git_files
from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.discover.walk import SKIPPED_FOLDERS, is_bare_repository, walk
from loregraph.indexer.languages import registry
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.requirements.named import is_source, language_of
from loregraph.stamps import Stamp, stamp

_SKIPPED: Final = re.compile(rf"(?:^|/)(?:{'|'.join(map(re.escape, sorted(SKIPPED_FOLDERS)))})/")
_SHEBANG_BYTES: Final = 256


# Implements REQ-GRA-006.
class SourceFile(Struct, frozen=True, order=True):
    """A source or document file. `path` is relative to the root; `language` is a name from the registry."""

    path: str
    stamp: Stamp
    language: str
    origin: str = ""
    """The file's origin by .gitattributes or settings: see `attributes.origins`."""

    @property
    def size(self) -> int:
        """In bytes."""
        return self.stamp.size


class Discovery(Struct, frozen=True):
    """The result of `discover`. Everything is sorted by path.

    `paths` are the files and, regardless of `include` and `languages`, the packaging files: the argument of
    `read_layout`. `unsupported` counts files in known languages that loregraph cannot extract, by language.
    """

    files: tuple[SourceFile, ...]
    paths: tuple[str, ...]
    problems: tuple[PathProblem, ...]
    unsupported: dict[str, int]
    used_git: bool
    settled: frozenset[str] = frozenset()
    """Files whose stored facts are kept regardless of their present content: see `path_selection`."""


# Implements REQ-IDX-003.
def discover(root: Path, settings: Settings) -> Discovery:
    """The files of the project at `root`.

    Raises UsageError where `root` is not a folder or is a bare git repository, ConfigError for an unknown language.
    """
    base = _existing_folder(root)
    chosen = _chosen_languages(settings.languages)
    problems: list[PathProblem] = []
    names, used_git = _listed(base, problems)
    wanted = is_wanted(settings)
    skipped = _store_prefix(base, settings)
    entries: list[tuple[str, os.stat_result, str | None]] = []
    prefix = f"{base}{os.sep}"
    for path in names:
        if skipped and path.startswith(skipped):
            continue
        language = registry.by_path(path)
        packaging = is_packaging(path)
        if language is None:
            language = language_of(path, settings.requirements)
        if language is None and not packaging and not _may_have_shebang(path):
            continue
        try:
            status = os.lstat(prefix + path)
        except OSError as error:
            # Tracked but deleted, or removed since it was listed.
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                problems.append(PathProblem(path, 0, f"cannot be looked at: {error.strerror}"))
            continue
        if not stat.S_ISREG(status.st_mode):
            problems.extend(_irregular(base, path, status))
            continue
        if language is None and not packaging:
            language = _by_shebang(prefix + path, status)
            if language is None:
                continue
        if registry.may_be_foreign(path) and registry.is_foreign(path, _head(prefix + path, _SHEBANG_BYTES)):
            continue
        entries.append((path, status, language))
    languages = _headers_decided(prefix, {path: language for path, _, language in entries if language})
    origin = attributes.origins(base, names, problems) if not settings.generated else lambda _: attributes.OWN
    files = tuple(
        SourceFile(path, stamp(status), languages[path], origin(path) if languages[path] in registry.SUPPORTED else "")
        for path, status, language in entries
        if language
        and (chosen is None or languages[path] in chosen)
        and (wanted(path) or is_source(path, settings.requirements))
    )
    return Discovery(
        files=files,
        paths=tuple(sorted({file.path for file in files} | {path for path, _, _ in entries if is_packaging(path)})),
        problems=tuple(sorted(problems)),
        unsupported=_unsupported(files),
        used_git=used_git,
    )


def _existing_folder(root: Path) -> Path:
    try:
        base = root.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"{root} does not exist", "name an existing folder") from error
    if not base.is_dir():
        raise UsageError(f"{root} is a file, not a folder", f"name the folder it is in: {base.parent}")
    if is_bare_repository(base):
        raise UsageError(
            f"{root} is a bare git repository: it has no files to index", "check it out and name the work tree"
        )
    return base


def _chosen_languages(names: Iterable[str]) -> frozenset[str] | None:
    """The languages to keep, always including documents; None for all."""
    chosen = set()
    for name in names:
        if name not in registry.SOURCES:
            raise ConfigError(f"languages: unknown language {name!r}", nearest_name(name, sorted(registry.SOURCES)))
        chosen.add(name)
        chosen.update(registry.BY_NAME[name].along)
    return frozenset(chosen) | registry.DOCUMENTS if chosen else None


def _listed(base: Path, problems: list[PathProblem]) -> tuple[list[str], bool]:
    """Sorted paths of all candidates, and whether they come from git."""
    found = git_files(base, problems)
    used_git = not isinstance(found, GitRefusal)
    if isinstance(found, GitRefusal):
        if found.reason:
            problems.append(PathProblem(".", 0, f"git cannot list the files: {found.reason}; folders were walked"))
        found = walk(base, problems, rules_above=True)
    elif found:
        environments = tuple(path.removesuffix("pyvenv.cfg") for path in found if path.endswith("/pyvenv.cfg"))
        found = [path for path in found if not _SKIPPED.search(path)]
        if environments:
            found = [path for path in found if not path.startswith(environments)]
    else:
        # A folder that an outer repository ignores looks empty to git.
        used_git = False
        found = walk(base, problems, rules_above=False)
    return sorted(found), used_git


# Implements REQ-IDX-017.
def is_wanted(settings: Settings) -> Callable[[str], bool]:
    """Whether a path passes `include` and `exclude`. Raises ConfigError for an invalid pattern."""
    if not settings.include and not settings.exclude:
        return lambda _: True
    specs = []
    for key, lines in (("include", settings.include), ("exclude", settings.exclude)):
        try:
            specs.append(patterns.paths(lines))
        except patterns.PatternError as error:
            raise ConfigError(f"{key}: {error}", "use patterns as in .gitignore") from error
    include, exclude = specs
    return lambda path: (not settings.include or include(path)) and not exclude(path)


def _store_prefix(base: Path, settings: Settings) -> str:
    store = store_path(base, settings)
    if not store.is_relative_to(base) or store == base:
        return f"{STORE_FOLDER}/"
    return f"{store.relative_to(base).as_posix()}/"


def _may_have_shebang(path: str) -> bool:
    return "." not in path[path.rfind("/") + 1 :]


def _by_shebang(path: str, status: os.stat_result) -> str | None:
    """The language of an executable file by its `#!` line. Other files without an extension are not opened: they are
    data."""
    if not status.st_mode & stat.S_IXUSR or not status.st_size:
        return None
    return registry.by_head(path, _head(path, _SHEBANG_BYTES))


def _head(path: str, size: int) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - thousands of headers: a Path each would cost more than the read
            return file.read(size)
    except OSError:
        # Extraction reports the problem for files that it reads.
        return b""


def _irregular(base: Path, path: str, status: os.stat_result) -> Iterable[PathProblem]:
    """The problem of a path that is not a regular file, if there is one."""
    if stat.S_ISDIR(status.st_mode):
        return
    if not stat.S_ISLNK(status.st_mode):
        yield PathProblem(path, 0, "not a regular file")
        return
    try:
        target = (base / path).resolve(strict=True)
    except (OSError, RuntimeError):
        return  # a dangling link or a loop
    if not target.is_relative_to(base):
        yield PathProblem(path, 0, "a link out of the project; not followed")


def _headers_decided(prefix: str, languages: dict[str, str]) -> dict[str, str]:
    """`languages` with each file whose extension several languages share (`.h`) given its own.

    A project that has sources of one of them only settles it without a look into the files; in a mixed one the file's
    own text does, then the sources of the nearest folder around it.
    """
    contested: dict[tuple[str, ...], list[str]] = {}
    for path in languages:
        if sharing := registry.sharing(path):
            contested.setdefault(sharing, []).append(path)
    decided = dict(languages)
    counting = registry.table(lambda language: language.counts_as)
    for candidates, paths in contested.items():
        counts = Counter(counting.get(language, language) for language in languages.values())
        counts[candidates[0]] -= len(paths)
        there = [language for language in candidates if counts[language]]
        if len(there) == 1:
            decided.update(dict.fromkeys(paths, there[0]))
            continue
        apart = frozenset(paths)
        folders: Counter[tuple[str, str]] = Counter()
        for path, own in languages.items():
            language = counting.get(own, own)
            if language in candidates and path not in apart:
                folder = path
                while folder:
                    folder = folder.rpartition("/")[0]
                    folders[folder, language] += 1
        for path in paths:
            told = registry.by_head(path, _head(prefix + path, registry.HEAD_BYTES), there)
            decided[path] = told or _by_neighbours(path, candidates, folders)
    return decided


def _by_neighbours(path: str, candidates: tuple[str, ...], folders: Counter[tuple[str, str]]) -> str:
    """The language of most sources in the nearest folder that has any; of equally many the first of `candidates`."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        found = max(candidates, key=lambda language: folders[folder, language])
        if folders[folder, found]:
            return found
    return candidates[0]


def _unsupported(files: Iterable[SourceFile]) -> dict[str, int]:
    counts = Counter(
        file.language for file in files if file.language in registry.SOURCES and file.language not in registry.SUPPORTED
    )
    return dict(sorted(counts.items()))
