"""Packaging files: what they are called. A module a language family reads its own beside this one."""

from __future__ import annotations

from typing import Final

FILENAMES: Final = frozenset(
    {
        "pyproject.toml", "setup.py", "setup.cfg",
        "package.json", "tsconfig.json", "jsconfig.json", "pnpm-workspace.yaml", "deno.json", "lerna.json",
        "go.mod", "go.work",
        "Cargo.toml",
        "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.sbt",
        "CMakeLists.txt", "meson.build", "configure.ac",
        "composer.json", "Gemfile", "mix.exs", "pubspec.yaml", "Package.swift", "stack.yaml", "build.zig",
    }
)  # fmt: skip
_ENDINGS: Final = (".csproj", ".fsproj", ".gemspec", ".cabal")


def is_packaging(path: str) -> bool:
    """Whether a path is that of a packaging file: one that says what its folder is and what is in it."""
    name = path[path.rfind("/") + 1 :]
    if name in FILENAMES or name.endswith(_ENDINGS):
        return True
    # tsconfig.base.json and the like, which others extend.
    return name.startswith("tsconfig.") and name.endswith(".json")
