"""What others would select: the tests whose file imports a changed file, at any distance; pytest-testmon."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from selection_runs import Suite, Test, git, tests_in
from selection_truth import Change


def imported(suite: Suite, made: Change, tests: Mapping[str, Test]) -> list[str]:
    """Tests whose file is one of the commit's, or imports one at any distance.

    A conftest.py is imported by all below it, a package's `__init__.py` by whoever imports a module in it.
    """
    paths = git(suite.tree, "ls-tree", "-r", "--name-only", made.commit).splitlines()
    sources = [path for path in paths if path.endswith(".py")]
    modules = _modules(sources, suite.repository.package)
    known = {*sources}
    importing: dict[str, set[str]] = defaultdict(set)
    for path in sources:
        for target in (*_imports(suite.tree, made.commit, path, modules), *_loaded_with(path)):
            if target in known and target != path:
                importing[target].add(path)
    reached, new = set(), {*made.files}
    while new:
        reached |= new
        new = {one for path in new for one in importing.get(path, ())} - reached
    return [one for one, test in tests.items() if _file(test, known) & reached]


def _file(test: Test, known: set[str]) -> set[str]:
    """Where it is written, and the modules that inherit it."""
    return {one.partition("::")[0] for one in test.ids} & known


def _modules(paths: Iterable[str], package: str) -> dict[str, str]:
    """Dotted name → path, as seen from the root and from the folder that the package is in."""
    above = str(PurePosixPath(package).parent)
    found = {}
    for path in paths:
        for base in (".", above):
            if base != "." and not path.startswith(f"{base}/"):
                continue
            below = PurePosixPath(path).relative_to(base).with_suffix("")
            parts = below.parts[:-1] if below.name == "__init__" else below.parts
            found[".".join(parts)] = path
    return found


def _loaded_with(path: str) -> Iterator[str]:
    for folder in PurePosixPath(path).parents:
        yield str(folder / "conftest.py")


@cache
def _tree(root: Path, blob: str) -> ast.Module:
    try:
        return ast.parse(git(root, "cat-file", "blob", blob))
    except (SyntaxError, UnicodeDecodeError):
        return ast.Module(body=[], type_ignores=[])


def _imports(root: Path, commit: str, path: str, modules: Mapping[str, str]) -> Iterator[str]:
    blob = git(root, "rev-parse", f"{commit}:{path}").strip()
    names = [name for name, known in modules.items() if known == path]
    own = min(names, key=len)
    package = own.split(".") if path.endswith("/__init__.py") else own.split(".")[:-1]
    for node in ast.walk(_tree(root, blob)):
        wanted: list[str] = []
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            wanted = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        for name in wanted:
            words = name.split(".")
            for count in range(1, len(words) + 1):
                if target := modules.get(".".join(words[:count])):
                    yield target


def testmon(suite: Suite, made: Change) -> list[str] | None:
    answer = suite.testmon(made.parent, made.commit)
    return None if answer is None else list(dict.fromkeys(test.id for test in tests_in(answer).values()))


def calling(edges: Iterable[tuple[str, str]], made: Change, tests: Mapping[str, Test]) -> list[str]:
    """The tests that the commit changed, and those from which CALLS lead to what it changed, nearest first."""
    callers: dict[str, list[str]] = defaultdict(list)
    for caller, callee in edges:
        callers[callee].append(caller)
    new = sorted(function.id for function in made.after)
    reached = dict.fromkeys(new)
    while new:
        new = sorted({caller for one in new for caller in callers[one]} - reached.keys())
        reached.update(dict.fromkeys(new))
    return [one for one in reached if one in tests]
