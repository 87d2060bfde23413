"""Which tests a commit concerns, by what ran: functions told by `ast`, and the contexts of coverage.py.

Nothing of loregraph is asked, so that what is measured does not decide what is right.
"""

from __future__ import annotations

import ast
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from selection_runs import Repository, Suite, Test, executed, git, tests_in

Defined = ast.FunctionDef | ast.AsyncFunctionDef
MOST_FILES = 20


@dataclass(frozen=True)
class Function:
    """`digest` is its signature, decorators and body, without the docstring and the bodies of functions within it.

    Those are functions of their own. `lines` are those of the body alone: that of `def` runs when a module is loaded.
    """

    path: str
    name: str
    digest: str
    lines: frozenset[int] = field(hash=False, compare=False)
    line: int = field(hash=False, compare=False)

    @property
    def id(self) -> str:
        return f"{self.path}::{self.name}"


@dataclass(frozen=True)
class Change:
    """What a commit did: to functions of the package and of what its tests share, and to which files.

    `path_before` gives the path that a file had at the parent.
    """

    parent: str
    commit: str
    files: tuple[str, ...]
    path_before: dict[str, str]
    before: frozenset[Function]
    after: frozenset[Function]
    in_package: bool


@dataclass(frozen=True)
class Truth:
    """`concerned` ids of tests → the functions that put them there."""

    tests: dict[str, Test]
    concerned: dict[str, tuple[str, ...]]
    changed_results: frozenset[str]


def _inner(node: ast.AST) -> Iterator[Defined]:
    """The functions in a node that are in no other function within it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Defined):
            yield child
        else:
            yield from _inner(child)


def _digest(node: Defined) -> str:
    inner = list(_inner(node))
    bodies = [one.body for one in inner]
    body = node.body
    for one in inner:
        one.body = []
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    node.body = body[1:] if documented and isinstance(body[0].value.value, str) else body  # type: ignore[attr-defined]
    said = ast.dump(node)
    node.body = body
    for one, kept in zip(inner, bodies, strict=True):
        one.body = kept
    return said


def functions_in(path: str, text: str) -> list[Function]:
    found: list[Function] = []

    def walk(node: ast.AST, name: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            own = name
            if isinstance(child, (*Defined.__args__, ast.ClassDef)):
                own = (*name, child.name)
            if isinstance(child, Defined):
                lines = set(range(child.body[0].lineno, (child.end_lineno or child.lineno) + 1))
                for one in _inner(child):
                    lines -= set(range(one.body[0].lineno, (one.end_lineno or one.lineno) + 1))
                found.append(Function(path, ".".join(own), _digest(child), frozenset(lines), child.lineno))
            walk(child, own)

    try:
        walk(ast.parse(text), ())
    except SyntaxError:
        return []
    return found


@lru_cache(maxsize=2_000)
def _functions_at(root: Path, commit: str, path: str) -> tuple[Function, ...]:
    done = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=root, capture_output=True, check=False)
    return tuple(functions_in(path, done.stdout.decode("utf-8", "replace"))) if done.returncode == 0 else ()


def change(root: Path, repository: Repository, commit: str) -> Change | None:
    """None for what is not measured: more than one parent, too many files, no function of the package changed."""
    parents = git(root, "rev-list", "--parents", "-n", "1", commit).split()[1:]
    if len(parents) != 1:
        return None
    rows = [row.split("\t") for row in git(root, "diff", "--name-status", "-M", parents[0], commit).splitlines()]
    if len(rows) > MOST_FILES:
        return None
    path_before = {row[-1]: row[1] for row in rows if row[0][0] == "R"}
    before: set[Function] = set()
    after: set[Function] = set()
    for row in rows:
        old, new = row[1], row[-1]
        if not new.endswith(".py") or not new.startswith((f"{repository.package}/", f"{repository.tests}/")):
            continue
        then = {(one.name, one.digest): one for one in _functions_at(root, parents[0], old)}
        now = {(one.name, one.digest): one for one in _functions_at(root, commit, new)}
        before.update(then[key] for key in then.keys() - now.keys())
        after.update(now[key] for key in now.keys() - then.keys())
    in_package = any(one.path.startswith(f"{repository.package}/") for one in before | after)
    files = tuple(sorted({path for row in rows for path in row[1:]}))
    return Change(parents[0], commit, files, path_before, frozenset(before), frozenset(after), in_package)


def truth(suite: Suite, made: Change) -> Truth | None:
    then, now = suite.measured(made.parent), suite.measured(made.commit)
    if then is None or now is None:
        return None
    tests_then, tests_now = tests_in(then / "items.json"), tests_in(now / "items.json")
    tests = {test.id: test for test in tests_now.values()}
    concerned: dict[str, set[str]] = defaultdict(set)
    for functions, folder, known in ((made.after, now, tests_now), (made.before, then, tests_then)):
        written = [(test.path, test.name) for test in known.values()]
        own = {*written}
        ran = executed(folder, suite.tree)
        for function in functions:
            # A test and what is written in it: whoever changes it knows. What tests share is not.
            if any((function.path, name) in own for name in _enclosing(function.name)):
                continue
            for line in function.lines:
                for node in ran.get(function.path, {}).get(line, ()):
                    test = known.get(node)
                    if test is not None and (today := _today(test.id, made)) in tests:
                        concerned[today].add(function.id)
    old = {_today(test.id, made): test.outcome for test in tests_then.values()}
    results = frozenset(one for one, test in tests.items() if old.get(one, test.outcome) != test.outcome)
    return Truth(tests, {one: tuple(sorted(ids)) for one, ids in sorted(concerned.items())}, results)


def _enclosing(name: str) -> list[str]:
    words = name.split(".")
    return [".".join(words[:count]) for count in range(1, len(words) + 1)]


def _today(test: str, made: Change) -> str:
    path, between, name = test.partition("::")
    renamed = {old: new for new, old in made.path_before.items()}
    return renamed.get(path, path) + between + name


def revealing(suite: Suite, made: Change, tests: dict[str, Test]) -> frozenset[str]:
    """The tests that pass at the commit and fail on the package of its parent."""
    items = suite.reverted(made.parent, made.commit)
    if items is None:
        return frozenset()
    failed = {test.id for test in tests_in(items).values() if test.outcome == "failed"}
    return frozenset(one for one in failed if one in tests and tests[one].outcome == "passed")


def changes(suite: Suite, most: int, tried: int) -> Iterator[tuple[Change, Truth]]:
    """The newest `most` commits that count and whose suite runs, among the newest `tried` that would count."""
    found = 0
    for commit in git(suite.tree, "rev-list", "--no-merges", "origin/HEAD").split():
        if found == most or not tried:
            return
        made = change(suite.tree, suite.repository, commit)
        if made is None or not made.in_package:
            continue
        tried -= 1
        known = truth(suite, made)
        if known is not None and known.concerned:
            found += 1
            yield made, known
