"""Lists the files of a folder without git: a walk that honours .gitignore and skips dependencies and caches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from loregraph import rooted
from loregraph.config import STORE_FOLDER
from loregraph.errors import UnsafePathError
from loregraph.ignore_rules import MAX_PATTERNS, MAX_RULE, MAX_RULES_BYTES, IgnoreRules, read_rules
from loregraph.indexer.problems import PathProblem

SKIPPED_FOLDERS: Final = frozenset(
    {
        STORE_FOLDER, ".git", ".hg", ".svn", ".jj", ".bzr", "CVS",
        "node_modules", "bower_components", "jspm_packages", ".pnpm-store", ".yarn",
        "__pycache__", "__pypackages__", ".venv", ".virtualenv", ".tox", ".nox", ".eggs", "site-packages",
        ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints",
        ".gradle", ".terraform", ".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo", ".nyc_output",
        ".dart_tool", ".bundle", ".stack-work", "elm-stuff", "DerivedData",
    }
)  # fmt: skip
"""Folders that are never a project's own source, tracked by git or not."""

_OUTPUTS: Final[dict[str, frozenset[str]]] = {
    "target": frozenset({"Cargo.toml", "pom.xml", "build.sbt"}),
    "build": frozenset(
        {"setup.py", "pyproject.toml", "build.gradle", "build.gradle.kts", "CMakeLists.txt", "package.json",
         "pubspec.yaml", "meson.build"}
    ),
    "dist": frozenset({"setup.py", "pyproject.toml", "package.json"}),
    "out": frozenset({"build.gradle", "build.gradle.kts", "pom.xml", "CMakeLists.txt", "package.json"}),
    "bin": frozenset(),
    "obj": frozenset(),
    "_build": frozenset({"mix.exs", "dune-project", "rebar.config"}),
    "deps": frozenset({"mix.exs"}),
    "vendor": frozenset({"composer.json", "go.mod", "Gemfile"}),
    "coverage": frozenset({"package.json"}),
}  # fmt: skip
"""Folder of build output → files beside it that identify it as such."""
_MOST_GIT_FILE: Final = 1 << 13
_PROJECT_OUTPUTS: Final = {"bin": ".csproj", "obj": ".csproj"}


def is_bare_repository(folder: Path) -> bool:
    """Whether a folder is a git repository without a work tree."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


# Implements REQ-IDX-028.
def is_linked_worktree(folder: Path) -> bool:
    """Whether a folder is a second checkout of some repository, made by `git worktree add`: its files are those of a
    project that is indexed elsewhere, or at another commit. Reads `<folder>/.git`, which is then a file."""
    try:
        with rooted.open_read(folder, ".git") as file:
            head = file.read(_MOST_GIT_FILE)
    except (OSError, UnsafePathError):
        return False
    # `<repository>/.git/worktrees/<name>`; for a submodule `…/.git/modules/<name>`: see gitrepository-layout(5).
    parts = head.strip().replace(b"\\", b"/").split(b"/")
    return head.startswith(b"gitdir:") and parts[-2:-1] == [b"worktrees"]


class Folder(NamedTuple):
    """A folder that is not ignored: its path with a trailing slash ("" for the base), the ignore rules for what is in
    it, and the paths of its files and links that are not ignored."""

    path: str
    rules: tuple[IgnoreRules, ...]
    files: list[str]


# Implements REQ-IDX-004.
def walk(base: Path, problems: list[PathProblem], *, rules_above: bool) -> list[str]:
    """Paths of the files and links below `base`, in no order. Links are listed, never followed.

    `rules_above`: whether the ignore rules of an enclosing repository apply too.
    """
    return [path for folder in folders(base, problems, rules_above=rules_above) for path in folder.files]


def folders(base: Path, problems: list[PathProblem], *, rules_above: bool) -> Iterator[Folder]:
    """As `walk`, folder by folder."""
    prefix = f"{base}{os.sep}"
    stack: list[tuple[str, tuple[IgnoreRules, ...]]] = [("", _outer_rules(base) if rules_above else ())]
    while stack:
        folder, rules = stack.pop()
        try:
            with os.scandir(prefix + folder) as scan:
                entries = list(scan)
        except OSError as error:
            problems.append(PathProblem(folder.rstrip("/") or ".", 0, f"cannot be listed: {error.strerror}"))
            continue
        names = {entry.name for entry in entries}
        if folder and _is_foreign(prefix + folder, names):
            continue
        if ".gitignore" in names:
            own = read_rules(base / folder / ".gitignore", folder)
            if own is not None and own.cut:
                problems.append(PathProblem(f"{folder}.gitignore", 0, _cut(own)))
            rules = (*rules, own) if own is not None and own.count else rules
        found: list[str] = []
        for entry in entries:
            name = entry.name
            path = folder + name
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and (name in SKIPPED_FOLDERS or (name in _OUTPUTS and _is_output(name, names))):
                continue
            if not name.isascii() and not _is_text(path, problems):
                continue
            if rules and is_ignored(rules, path, name, is_folder=is_folder):
                continue
            if is_folder:
                stack.append((f"{path}/", rules))
            else:
                found.append(path)
        yield Folder(folder, rules, found)


# Implements REQ-SEC-010.
def _cut(rules: IgnoreRules) -> str:
    """The problem text for a file whose rules are not all applied."""
    if not rules.count:
        most = f"{MAX_RULES_BYTES // 1_000_000} MB, and of rules up to {MAX_RULE:,} characters"
        return f"none of its rules count: of such files those up to {most}, are read"
    most = f"{MAX_PATTERNS:,} with wildcards do, of up to {MAX_RULE:,} characters"
    return f"{rules.cut:,} of its rules do not count: at most {most}"


def _is_text(path: str, problems: list[PathProblem]) -> bool:
    """Whether a path is Unicode; reports a problem where it is not."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        problems.append(PathProblem(shown, 0, "the file's name is not UTF-8; left out"))
        return False
    return True


def _is_output(name: str, beside: set[str]) -> bool:
    ending = _PROJECT_OUTPUTS.get(name)
    return not _OUTPUTS[name].isdisjoint(beside) or (
        ending is not None and any(other.endswith(ending) for other in beside)
    )


def _is_foreign(folder: str, names: set[str]) -> bool:
    """Whether a folder is a virtual environment, a tagged cache, a bare repository, or a linked worktree."""
    return (
        "pyvenv.cfg" in names
        or (".git" in names and is_linked_worktree(Path(folder)))
        or "CACHEDIR.TAG" in names
        or ("HEAD" in names and "objects" in names and is_bare_repository(Path(folder)))
    )


def is_ignored(rules: tuple[IgnoreRules, ...], path: str, name: str, *, is_folder: bool) -> bool:
    """Whether the innermost of `rules` that says anything of the entry ignores it."""
    for one in reversed(rules):
        decision = one.decide(path, name, is_folder=is_folder)
        if decision is not None:
            return decision
    return False


def _outer_rules(base: Path) -> tuple[IgnoreRules, ...]:
    """The rules from a repository's own exclude file down to the folder above `base`, weakest first."""
    folders = [base, *base.parents]
    depth = next((number for number, folder in enumerate(folders) if (folder / ".git").exists()), None)
    if depth is None:
        return ()
    top = folders[depth]
    sources = [(top / ".git" / "info" / "exclude", top)]
    sources += [(folder / ".gitignore", folder) for folder in reversed(folders[1 : depth + 1])]
    rules = []
    for source, folder in sources:
        below = base.relative_to(folder).as_posix()
        found = read_rules(source, "", "" if below == "." else f"{below}/")
        if found is not None:
            rules.append(found)
    return tuple(rules)
