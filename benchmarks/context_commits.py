"""The tasks of the benchmark of contexts: real commits, with their message as the question and what they changed as
the answer."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from loregraph.analysis.code_roles import CodeRoles
from loregraph.config import ProjectSettings
from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.indexer.revision import read_contents
from loregraph.project import Project
from loregraph.unified_diff import FilePatch, parse

MOST_FUNCTIONS = 10
MOST_FILES = 10
"""A commit that changes more of the product is a reformatting, a move or several changes."""
LEAST_WORDS = 3
LOOKED_AT = 2_000
"""Commits looked at per repository, from the newest."""

_DIFF = ("diff", "--no-color", "--no-ext-diff", "--unified=0", "--find-renames", "--diff-algorithm=histogram")
_TRAILER = re.compile(
    r"^\s*(?:[\w-]+-by|cc|change-id|bug|issue|refs?|see also|(?:fix|close|resolve)(?:s|d|es)?)\s*:?\s*"
    r"(?:[^\s:]+\s+<[^>]*>|.*<[^>]*@[^>]*>|[\w./-]*#\d+.*|https?://\S+)\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\(?(?:\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)\s+)?[\w./-]*#\d+\)?|https?://\S+", re.I)
_BOT = re.compile(r"^\s*(?:-{3,}|dependabot|updated-dependencies|signed-off|pre-commit)", re.IGNORECASE)
BESIDE_TESTS = re.compile(r"(^|/)(testing|testdata|fixtures?)/")
"""Folders of what tests use; product code neither."""
_LITERAL = re.compile(r"""(["'`])(.{2,200}?)\1""")


class Answer(msgspec.Struct, frozen=True):
    """A function of the parent that the commit changed; `lines` are the changed ones, and those on both sides of what
    was inserted, each with its text."""

    id: str
    path: str
    start_line: int
    end_line: int
    lines: dict[int, str]


class Task(msgspec.Struct, frozen=True):
    commit: str
    parent: str
    question: str
    functions: tuple[Answer, ...]

    @property
    def files(self) -> list[str]:
        return sorted({one.path for one in self.functions})


def git(folder: Path, *args: str) -> str:
    command = ["git", "-C", str(folder), "-c", "core.quotepath=off", *args]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "replace")


def clone(source: str, folder: Path) -> Path:
    """A clone of `source`, a URL or a path, kept in `folder`."""
    if not (folder / ".git").is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", source, str(folder)], check=True)
    return folder


def tasks(tree: Path, store: Path, kept: Path, count: int) -> Iterator[Task]:
    """The newest `count` suitable commits of the default branch.

    Each is kept in a file below `kept`, as is which ones are not suitable. For finding out, the clone is checked out at
    a commit's parent, and `store` brought up to date with it.
    """
    found = 0
    log = git(tree, "log", "--no-merges", f"--max-count={LOOKED_AT}", "--format=%H %P", "origin/HEAD")
    for row in log.splitlines():
        commit, _, parent = row.partition(" ")
        if found == count:
            return
        if not parent:
            continue
        file = kept / f"{commit}.json"
        if file.exists():
            task = msgspec.json.decode(file.read_bytes(), type=Task | None)
        else:
            try:
                task = _task(tree, store, commit, parent)
            except subprocess.CalledProcessError:
                task = None  # some clones lack objects of their history
            kept.mkdir(parents=True, exist_ok=True)
            file.write_bytes(msgspec.json.format(msgspec.json.encode(task)))
        if task is not None:
            found += 1
            yield task


def indexed(tree: Path, store: Path, commit: str) -> Project:
    """The project at `commit`, its graph up to date; only what differs from the commit before is read."""
    git(tree, "checkout", "--quiet", "--force", "--detach", commit)
    git(tree, "clean", "--quiet", "-fd")
    project = Project(tree, store=store)
    project.index()
    return project


def _task(tree: Path, store: Path, commit: str, parent: str) -> Task | None:
    """The commit as a task, if it is suitable."""
    message = cleaned(git(tree, "show", "--no-patch", "--format=%B", commit))
    if len(re.findall(r"[^\W\d_]{2,}", message)) < LEAST_WORDS:
        return None
    diff = git(tree, *_DIFF, parent, commit)
    patches = [patch for patch in parse(diff) if not patch.is_binary]
    product = [patch for patch in patches if patch.old_path and registry.by_path(patch.old_path) in registry.SUPPORTED]
    product = [patch for patch in product if patch.new_path and not registry.is_test_path(patch.old_path or "")]
    if not 1 <= len(product) <= MOST_FILES or not any(patch.hunks for patch in product):
        return None
    if sum(patch.old_path != patch.new_path for patch in patches if patch.old_path and patch.new_path) > MOST_FILES:
        return None
    with indexed(tree, store, parent) as project:
        functions = changed(project, product)
    if not 1 <= len(functions) <= MOST_FUNCTIONS:
        return None
    names = changed_tests(tree, commit, patches)
    question = message + (f"\n\nTests: {', '.join(names)}" if names else "")
    return Task(commit, parent, question, tuple(functions))


def cleaned(message: str) -> str:
    """A commit's message without trailers, numbers of issues and links."""
    lines = []
    for line in message.replace("\r", "").split("\n"):
        if _BOT.match(line):
            break
        if not _TRAILER.match(line):
            lines.append(re.sub(r"\(\s*\)", "", _NUMBER.sub("", line)).rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def changed(project: Project, patches: list[FilePatch]) -> list[Answer]:
    """The product's functions whose lines the patches change or remove, or into which they insert some.

    Of nested ones it is the innermost with a name: nobody looks for a lambda by itself.
    """
    columns = project.reader().columns
    roles = CodeRoles(columns)
    found: dict[int, dict[int, str]] = {}
    for patch in patches:
        path = patch.old_path or ""
        if path in columns.generated or BESIDE_TESTS.search(path):
            continue
        nodes = named_functions(columns, path)
        lines = project.source_lines(path) if nodes else []
        for hunk in patch.hunks:
            first = hunk.old_start
            last = first + max(0, hunk.old_count - 1)
            for line in range(first, last + 1):
                around = [
                    node
                    for node in nodes
                    if columns.start_line[node] <= line
                    and (line <= columns.end_line[node] if hunk.old_count else line < columns.end_line[node])
                ]
                if not around:
                    continue
                inner = min(around, key=lambda n: (columns.end_line[n] - columns.start_line[n], n))
                shown = (line,) if hunk.old_count else (line, line + 1)
                found.setdefault(inner, {}).update({n: lines[n - 1] for n in shown if n <= len(lines)})
    return [
        Answer(columns.id(n), columns.path(n), int(columns.start_line[n]), int(columns.end_line[n]), found[n])
        for n in sorted(found)
        if not roles.is_test(n)
    ]


def named_functions(columns: GraphColumns, path: str) -> list[int]:
    """The functions of a file, without anonymous ones."""
    numbers: list[int] = columns.nodes("Function", path=path).tolist()
    return [node for node in numbers if columns.path(node) == path and not is_anonymous(columns, node)]


def is_anonymous(columns: GraphColumns, node: int) -> bool:
    return columns.name(node).startswith("<")


def changed_tests(tree: Path, commit: str, patches: list[FilePatch]) -> list[str]:
    """The names of the tests that the commit adds or changes."""
    contents = {}
    for patch in patches:
        path = patch.new_path or ""
        language = registry.by_path(path) if path else None
        if language in registry.SUPPORTED:
            contents[path] = (str(language), git(tree, "show", f"{commit}:{path}").encode())
    facts = read_contents(contents, ProjectSettings()).facts
    names: dict[str, None] = {}
    for patch in patches:
        if (patch.new_path or "") not in facts:
            continue
        lines = {n for hunk in patch.hunks for n in range(hunk.new_start, hunk.new_start + hunk.new_count)}
        for definition in facts[patch.new_path or ""].definitions:
            if "test" in definition.flags and any(
                definition.start_line <= line <= definition.end_line for line in lines
            ):
                said = _LITERAL.search(definition.signature)
                name = definition.name if not definition.name.startswith("<") else said[2] if said else ""
                if name:
                    names[name] = None
    return list(names)[:MOST_FUNCTIONS]
