"""Hatchling's hook for wheels: compiles what pyproject.toml lists with mypyc, where the environment asks for it.

LOREGRAPH_COMPILE: "0" or unset makes a wheel of plain Python, for every machine; "1" compiles, and where that fails
says so and goes on without; "required" fails then. Sources stay in the wheel: the version of the code is derived from
them (`indexer/build/plan.py`) and must not tell a compiled install from a plain one.

An editable install is never compiled: its next edit would not take effect. hatch-mypyc is not used because it compiles
beside the sources, where a checkout then keeps running it, moves pyproject.toml away meanwhile, and has no fallback.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE: Final = "LOREGRAPH_COMPILE"
PLAIN: Final = "0"
TRIED: Final = "1"
REQUIRED: Final = "required"

NEEDED: Final = (
    # What is compiled may differ with the compiler: one minor version, the one that the tests ran with.
    "mypy[mypyc]>=2.4.1,<2.5",
    # The facts are its structs: without its types mypyc refuses them.
    "msgspec>=0.19",
    # Extraction goes over lists of its nodes: without their type mypyc 2.4 ends in an internal error at some of them.
    "tree-sitter>=0.26.1,<0.27",
)
GROUP: Final = "loregraph"
"""Names the library that holds all compiled code, `loregraph__mypyc`, beside the package: mypyc tells a module its file
from there."""
OPTIMIZATION: Final = "1"
"""gcc's level: 3 takes three times as long to compile, and what it makes resolves Django no faster."""
SAME: Final = ("Treating generator comprehension as list",)
"""Warnings of mypyc about what cannot alter a result. Of any other it does not say so: then nothing is compiled."""

_CONFIGURATION: Final = "[mypy]\nignore_missing_imports = True\nfollow_imports = silent\n"
"""Without the strict checks of pyproject.toml: a build's environment lacks the types of most dependencies."""


class Failure(Exception):
    """Why nothing was compiled, in a line."""


def mode(environment: Mapping[str, str]) -> str:
    """PLAIN, TRIED or REQUIRED."""
    value = environment.get(VARIABLE, "") or PLAIN
    if value not in (PLAIN, TRIED, REQUIRED):
        raise ValueError(f"{VARIABLE}={value}: use {PLAIN}, {TRIED} or {REQUIRED}")
    return value


def chosen(root: Path, include: Iterable[str], exclude: Iterable[str]) -> list[str]:
    """The modules that the globs of pyproject.toml name, as sorted POSIX paths below `root`.

    A package's `__init__` has nothing to run faster.
    """
    excluded = list(exclude)
    found = {path.relative_to(root).as_posix() for pattern in include for path in root.glob(pattern)}
    return sorted(
        path
        for path in found
        if path.endswith(".py") and not path.endswith("/__init__.py") and not any(fnmatch(path, e) for e in excluded)
    )


def altered(module: str, source: str) -> list[str]:
    """The classes of a module that mypyc would silently make others of, each with its place.

    It drops the keywords in the head of a class (`frozen=True`) and, where annotations are read at run time, what
    stands in their brackets, so that msgspec would write and read something else.
    """
    return [
        f"{module}:{node.lineno}: mypyc loses options or types of class {node.name}: it needs a module of its own"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
        and (
            any(keyword.arg != "metaclass" for keyword in node.keywords)
            or any(ast.unparse(base).rpartition(".")[2] == "Struct" for base in node.bases)
        )
    ]


def verdict(code: int, output: str) -> None:
    """Raises Failure if the compiler, which ended with `code`, failed or may have changed what a module does."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if code:
        raise Failure(next((line for line in lines if "error:" in line), lines[-1] if lines else f"exit code {code}"))
    for line in lines:
        if ": warning: " in line and line.startswith("loregraph/") and not line.endswith(SAME):
            raise Failure(line)


def compiled(root: Path, work: Path, modules: list[str]) -> dict[str, str]:
    """Compiles copies of `modules` in the empty folder `work`: files there → places in the wheel."""
    if not modules:
        raise Failure("no module matches what pyproject.toml lists")
    for module in modules:
        for reason in altered(module, (root / module).read_text(encoding="utf-8")):
            raise Failure(reason)
    shutil.copytree(root / "loregraph", work / "loregraph", ignore=shutil.ignore_patterns("__pycache__"))
    (work / "mypy.ini").write_text(_CONFIGURATION, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(Path(__file__).resolve()), *modules],
        cwd=work,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    verdict(done.returncode, done.stdout)
    library = work / "library"
    return {str(path): path.relative_to(library).as_posix() for path in library.rglob("*") if path.is_file()}


class CompilingHook(BuildHookInterface):  # type: ignore[type-arg,unused-ignore]
    """What hatchling calls."""

    def dependencies(self) -> list[str]:
        return [] if mode(os.environ) == PLAIN else list(NEEDED)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        wanted = mode(os.environ)
        if version == "editable" or wanted == PLAIN:
            self.app.display_info(f"plain Python ({VARIABLE}=1 compiles wheels)")
            return
        self.work = tempfile.TemporaryDirectory(prefix="loregraph-build-")
        modules = chosen(Path(self.root), self.config["include"], self.config.get("exclude", ()))
        try:
            build_data["force_include"].update(compiled(Path(self.root), Path(self.work.name), modules))
        except Failure as failure:
            if wanted == REQUIRED:
                raise
            self.app.display_warning(f"plain Python, compiling failed: {failure}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        self.app.display_info(f"compiled {len(modules)} modules")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "work"):
            self.work.cleanup()


def compile_here(modules: list[str]) -> None:
    """Compiles modules below the current folder to `library/`. A process of its own: mypyc prints, and ends it."""
    from setuptools import Distribution  # first: mypyc takes the setuptools that is loaded

    # isort: split
    from mypyc.build import mypycify

    extensions = mypycify(
        ["--config-file=mypy.ini", *modules], group_name=GROUP, opt_level=OPTIMIZATION, debug_level="0"
    )
    command: Any = Distribution({"name": "loregraph", "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = "library", "temporary"
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    compile_here(sys.argv[1:])
