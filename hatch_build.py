"""Hatchling's hook for wheels: compiles the modules listed in pyproject.toml with mypyc, if the environment requests
it.

LOREGRAPH_COMPILE: "0" or unset makes a wheel of plain Python, for every machine; "1" compiles, and after a failure
reports it and continues without; "required" fails then. Sources stay in the wheel: the version of the code is derived
from them (`indexer/build/plan.py`) and must not depend on how a wheel was built.

An editable install is never compiled: its next edit would not take effect. hatch-mypyc is not used because it compiles
beside the sources, where a checkout would keep running the result, moves pyproject.toml away meanwhile, and has no
fallback.
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
    # Compiled code may depend on the compiler's version: one minor version, the one used by the tests.
    "mypy[mypyc]>=2.4.1,<2.5",
    # The facts are its structs: mypyc needs their types.
    "msgspec>=0.19",
    # Extraction iterates over lists of its nodes: without their type mypyc 2.4 has an internal error at some of them.
    "tree-sitter>=0.26.1,<0.27",
)
GROUP: Final = "loregraph"
"""Name of the library with all compiled code, `loregraph__mypyc`, beside the package: mypyc derives each module's file
from it."""
OPTIMIZATION: Final = "1"
"""gcc's level: 3 takes three times as long to compile without resolving Django faster."""
SAME: Final = ("Treating generator comprehension as list",)
"""Warnings of mypyc that cannot affect results. After any other warning nothing is compiled."""

_CONFIGURATION: Final = "[mypy]\nignore_missing_imports = True\nfollow_imports = silent\n"
"""Without the strict checks in pyproject.toml: a build environment lacks the types of most dependencies."""


class Failure(Exception):
    """The reason why nothing was compiled, in one line."""


def mode(environment: Mapping[str, str]) -> str:
    """PLAIN, TRIED or REQUIRED."""
    value = environment.get(VARIABLE, "") or PLAIN
    if value not in (PLAIN, TRIED, REQUIRED):
        raise ValueError(f"{VARIABLE}={value}: use {PLAIN}, {TRIED} or {REQUIRED}")
    return value


def chosen(root: Path, include: Iterable[str], exclude: Iterable[str]) -> list[str]:
    """The modules matched by the globs in pyproject.toml, as sorted POSIX paths below `root`.

    A package's `__init__` has nothing to speed up.
    """
    excluded = list(exclude)
    found = {path.relative_to(root).as_posix() for pattern in include for path in root.glob(pattern)}
    return sorted(
        path
        for path in found
        if path.endswith(".py") and not path.endswith("/__init__.py") and not any(fnmatch(path, e) for e in excluded)
    )


def altered(module: str, source: str) -> list[str]:
    """The classes of a module whose meaning mypyc would change silently, each with its place.

    It drops the keywords in the head of a class (`frozen=True`) and, where annotations are read at run time, element
    types, so that msgspec would encode and decode differently.
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
    """Raises Failure if the compiler, which ended with `code`, failed or may have changed a module's behaviour."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if code:
        raise Failure(next((line for line in lines if "error:" in line), lines[-1] if lines else f"exit code {code}"))
    for line in lines:
        if ": warning: " in line and line.startswith("loregraph/") and not line.endswith(SAME):
            raise Failure(line)


def compiled(root: Path, work: Path, modules: list[str]) -> dict[str, str]:
    """Compiles copies of `modules` in the empty folder `work`: files there → paths in the wheel."""
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
    """The methods called by hatchling."""

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
    """Compiles modules below the current folder to `library/`. To be run in a separate process, which mypyc writes to
    and ends."""
    from setuptools import Distribution  # first: mypyc uses the setuptools that is loaded

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
