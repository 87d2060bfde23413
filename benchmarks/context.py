"""How much of what a commit changes `explore` shows for the commit's message, within a budget of tokens.

    python benchmarks/context.py [--repositories [NAME=]PATH_OR_URL ...] [--held-out] [--commits 20] [--subjects]

A task is a real commit with at least three words of message that changes one to ten existing functions of the product,
tests left out. The question is its message, without trailers and numbers of issues, and the names of the tests that it
adds or changes; the graph is that of its parent. Right are the functions of the parent that it changes (of nested ones
the innermost with a name) and their files. The newest suitable commits of each repository are taken. Repositories are
cloned, from paths or URLs, into a cache folder outside this one.

Printed for `explore` and the baselines of `context_baselines`, with budgets of 1,000, 4,000 and 16,000 tokens, as means
over commits and then over repositories:

- found: the share of the right functions that have an entry of their own, with their place and signature or source, or
  a changed line of which is shown in another entry;
- lines: the share of which at least one changed line is shown;
- named: the share whose id is in the answer at all, also as a caller, a callee, or among what was left out;
- files: the share of the right files of which anything is shown;
- tokens per right function: tokens of all answers by functions found.

The second table gives one of the right functions, the first by id: to `explore` as a symbol, to the others by its id as
further words of the question. What is to be found are the others; only commits that change several are in it.

The ranking of `explore` was made on TUNED, and HELD_OUT was looked at only afterwards.
"""

# Verifies REQ-SRC-003.

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from context_baselines import Baselines, Shown, within_budget
from context_commits import Task, clone, indexed, tasks
from corpus import CACHE

from loregraph.analysis.explore.answer import Exploration
from loregraph.project import Project

TUNED = (
    "https://github.com/psf/black",
    "https://github.com/pytest-dev/pytest",
    "https://github.com/tokio-rs/axum",
    "https://github.com/trpc/trpc",
    "https://github.com/gin-gonic/gin",
    "https://github.com/google/gson",
)
HELD_OUT = (
    "https://github.com/tokio-rs/tokio",
    "https://github.com/reduxjs/redux-toolkit",
    "https://github.com/future-architect/vuls",
    "https://github.com/mockito/mockito",
    "https://github.com/rack/rack",
)
BUDGETS = (1_000, 4_000, 16_000)
EXPLORE, REFERENCE = "explore", "functions by BM25"


class Outcome(msgspec.Struct, frozen=True):
    """Shares of one task's right functions and files, and what they were bought with."""

    found: float
    lines: float
    named: float
    files: float
    right: int
    tokens: int


Key = tuple[str, str, int, bool]
"""Repository, method, budget, whether a first symbol was given."""


def shown_by(answer: Exploration) -> Shown:
    """What an answer of `explore` shows. In the source of a symbol, `... 12-40` stands for lines left out."""
    lines: dict[str, set[int]] = {}
    named = set(answer.omitted)
    for symbol in answer.symbols:
        of_file = lines.setdefault(symbol.file_path, set())
        number = symbol.start_line
        for text in symbol.source.split("\n") if symbol.source else ():
            if text.startswith("... ") and text[4:].replace("-", "").isdigit():
                number = int(text[4:].rpartition("-")[2]) + 1
            else:
                of_file.add(number)
                number += 1
        named.update((symbol.id, *symbol.tests))
        named.update(row.id for row in (*symbol.callers, *symbol.callees))
    entries = {symbol.id for symbol in answer.symbols}
    return Shown(lines, entries, named, {symbol.file_path for symbol in answer.symbols}, answer.tokens)


def outcome(task: Task, shown: Shown, given: str) -> Outcome:
    wanted = [one for one in task.functions if one.id != given]
    files = {one.path for one in wanted}
    seen = [not shown.lines.get(one.path, set()).isdisjoint(one.lines) for one in wanted]
    found = sum(one.id in shown.entries or is_seen for one, is_seen in zip(wanted, seen, strict=True))
    return Outcome(
        found=found / len(wanted),
        lines=sum(seen) / len(wanted),
        named=sum(one.id in shown.named or is_seen for one, is_seen in zip(wanted, seen, strict=True)) / len(wanted),
        files=len(files & shown.files) / len(files),
        right=found,
        tokens=shown.tokens,
    )


def outcomes(project: Project, task: Task, question: str) -> Iterator[tuple[str, int, bool, Outcome]]:
    """Method, budget, whether a first symbol was given, and what came of it."""
    baselines, with_tests = Baselines(project), Baselines(project, tests=True)
    methods = {
        REFERENCE: with_tests.bm25_functions,
        "the same, without tests": baselines.bm25_functions,
        "lines by grep": baselines.grep,
        "files by BM25": baselines.bm25_files,
    }
    for given in ("", task.functions[0].id) if len(task.functions) > 1 else ("",):
        for tokens in BUDGETS:
            answer = project.explore(question, symbol=given, max_tokens=tokens)
            yield EXPLORE, tokens, bool(given), outcome(task, shown_by(answer), given)
        for name, method in methods.items():
            pieces = method(f"{question}\n{given}" if given else question, given)
            for tokens in BUDGETS:
                yield name, tokens, bool(given), outcome(task, within_budget(pieces, tokens), given)


def table(found: Mapping[Key, Sequence[Outcome]], repositories: Sequence[str], *, given: bool) -> None:
    methods = list(dict.fromkeys(method for _, method, _, _ in found))

    def mean(method: str, tokens: int, of: Callable[[Outcome], float]) -> float:
        rows = [found.get((name, method, tokens, given), ()) for name in repositories]
        return statistics.mean(statistics.mean(map(of, row)) for row in rows if row)

    for tokens in BUDGETS:
        print(f"\n{tokens:,} tokens{' ':22} found  lines  named  files   tokens per right function")
        for method in methods:
            all_of = [one for name in repositories for one in found.get((name, method, tokens, given), ())]
            right = sum(one.right for one in all_of)
            each = f"{sum(one.tokens for one in all_of) / right:8,.0f}" if right else "       –"
            shares = "  ".join(f"{mean(method, tokens, of):.3f}" for of in COLUMNS)
            print(f"  {method:<30} {shares}  {each}")
        ours, reference = (mean(method, tokens, COLUMNS[0]) for method in (EXPLORE, REFERENCE))
        print(f"  explore finds {ours / reference:.2f} × the functions that BM25 finds" if reference else "")


COLUMNS: Sequence[Callable[[Outcome], float]] = (
    lambda one: one.found,
    lambda one: one.lines,
    lambda one: one.named,
    lambda one: one.files,
)


def measure(name: str, source: str, count: int, subjects: bool) -> tuple[dict[Key, list[Outcome]], str]:
    """The outcomes of a repository's tasks, and a line about them."""
    found: dict[Key, list[Outcome]] = {}
    folder = CACHE / "context" / name
    tree, store = clone(source, folder / "tree"), folder / "store"
    taken: list[float] = []
    several = list(tasks(tree, store, folder / "tasks", count))
    for task in several:
        question = task.question.partition("\n")[0] if subjects else task.question
        with indexed(tree, store, task.parent) as project:
            project.explore(question)
            started = time.process_time()
            project.explore(question)
            taken.append(1000 * (time.process_time() - started))
            for method, tokens, given, result in outcomes(project, task, question):
                found.setdefault((name, method, tokens, given), []).append(result)
    rows = {
        method: statistics.mean(one.found for one in found[name, method, 4_000, False])
        for method in (EXPLORE, REFERENCE)
    }
    functions = sum(len(task.functions) for task in several)
    return found, (
        f"{name:<16} {len(several):>3} commits {functions:>4} functions   found in 4,000 tokens: "
        f"explore {rows[EXPLORE]:.3f}, BM25 {rows[REFERENCE]:.3f}   median {statistics.median(taken):.0f} ms of CPU"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", nargs="*", default=[], help="paths or URLs, each with NAME= before it if so")
    parser.add_argument("--held-out", action="store_true", help="measure on HELD_OUT where no repositories are given")
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--subjects", action="store_true", help="ask with the first line of the message only")
    parser.add_argument("--workers", type=int, default=1, help="repositories measured at the same time")
    arguments = parser.parse_args()
    sources = {}
    for text in arguments.repositories or (HELD_OUT if arguments.held_out else TUNED):
        name, separator, source = text.partition("=")
        sources[name if separator else Path(text.rstrip("/")).name] = source if separator else text
    found: dict[Key, list[Outcome]] = {}
    names = list(sources)
    rest = [arguments.commits] * len(names), [arguments.subjects] * len(names)
    with ProcessPoolExecutor(arguments.workers) as pool:
        for outcomes_of_one, said in pool.map(measure, names, sources.values(), *rest):
            print(said, flush=True)
            found |= outcomes_of_one
    print("\nFrom the question alone")
    table(found, names, given=False)
    if any(given for *_, given in found):
        print("\nAfter a first symbol is given")
        table(found, names, given=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
