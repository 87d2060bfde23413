"""How chosen tests are named to `go test`."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import EVERYTHING, Asked, TestRunner, Words, folder_of, place_word, unique
from loregraph.terminal import counted

_RUN: Final = ("Test", "Fuzz", "Example")


# Implements REQ-RUN-011.
def go_words(asked: Asked) -> Words:
    """`-run` with the names, and the packages. The expression holds for each of the packages. Where a test is a method
    of a suite, which some other function runs, all tests of the packages are selected. Benchmarks are left out, as
    `go test` does."""
    tests = [place for place in asked.places if place.holders or place.name.startswith(_RUN)]
    notes = []
    if len(tests) < len(asked.places):
        notes.append(f"{counted(len(asked.places) - len(tests), 'benchmark')} left out: these run with -bench only")
    if not tests:
        return Words(NOTHING, tuple(notes))
    roots = {place.root for place in tests}
    root = roots.pop() if len(roots) == 1 else EVERYTHING
    if roots:
        notes.append("the packages are of several modules: the top folder needs a go.work that uses them")
    inside = root != EVERYTHING and asked.expressible(root)
    if root != EVERYTHING and not inside:
        notes.append("run it in the folder of the module, whose name cannot be passed this way")
    packages = []
    for place in tests:
        folder = folder_of(place.path)
        if root != EVERYTHING:
            folder = folder[len(root) + 1 :] or EVERYTHING
        word = place_word(folder, asked).removeprefix("./")
        whole = asked.width > 1 or word != folder
        packages.append("./..." if whole else EVERYTHING if word == EVERYTHING else f"./{word}")
    if "./..." in packages:
        packages = ["./..."]
    names = unique(place.name for place in tests)
    suites = any(place.holders for place in tests)
    if suites:
        notes.append("tests that are methods of a suite select all tests of the packages")
    named = not suites and asked.width < 1 and all(name.isidentifier() for name in names)
    run = ("-run", f"^({'|'.join(names)})$") if named else ()
    return Words((*(("-C", root) if inside else ()), *run, *unique(packages)), tuple(notes))


NOTHING: Final = ("-run", "^$", "unsafe")
"""A package of the standard library that has no tests: it costs no build."""
RUNNERS: Final = (TestRunner("go", "go test", NOTHING, go_words),)
