"""What an edit gives is what resolving everything from nothing gives.

Made projects are edited up to six times, and small ones by hand, each edit at one mechanism of resolution; after every
edit the kept resolution is compared with a new one, file by file. By hand, for longer:

    LOREGRAPH_EDITED=2000 pytest tests/indexer/resolve/test_again.py -k made

draws so many projects a language, other ones every time (at about 20 a second and core), and says of what the edits
were and how many were resolved without resolving all.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st

from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve import FileResolution, Limits, resolve
from loregraph.indexer.resolve.again import Again, resolve_again
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.resolve.policies import policy_of

from .edited_projects import GRAMMARS, Edited, edited_projects
from .edits_by_hand import EDITS, Edit
from .sessions import ResolveAgain, Session, Texts

ALL_LIMITS = (Limits(), Limits(), Limits(3, 3, 3), Limits(2, 2, 2), Limits(1, 1, 1))
EXAMPLES = {"python": 160, "typescript": 120, "java": 40, "go": 50}
MAX_TRIES = 800
LONG = int(os.environ.get("LOREGRAPH_EDITED", "0"))
TRACED = bool(LONG) and not os.environ.get("LOREGRAPH_UNTRACED")
"""Whether traces are compared, too: by hand, as it takes as long again. Shrinking is easier without."""
MADE = settings(
    derandomize=not LONG,
    database=None,
    deadline=None,
    print_blob=False,
    report_multiple_bugs=False,
    verbosity=Verbosity.quiet,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class WrongError(AssertionError):
    """An edit was not resolved as everything from nothing: the last of those that led through `states`."""

    def __init__(self, told: str, states: list[dict[str, str]], limits: Limits) -> None:
        super().__init__(told)
        self.states = states
        self.limits = limits


def check(root: Path, states: list[dict[str, str]], words: list[str], limits: Limits, again: ResolveAgain) -> Session:
    """The session after all edits. Raises WrongError after the first that gives what is not so."""
    session = Session(root, states[0], limits, again)
    for number, (before, after, what) in enumerate(zip(states[:-1], states[1:], words, strict=True)):
        changed = {path: after.get(path) for path in {**before, **after} if before.get(path) != after.get(path)}
        session.edit(changed)
        wrong = session.differences(traced=TRACED)
        if wrong:
            text = told(before, changed, what, limits, session.incremental, wrong)
            raise WrongError(text, states[: number + 2], limits)
    return session


def told(
    before: Texts,
    changed: Mapping[str, str | None],
    what: str,
    limits: Limits,
    incremental: list[bool],
    wrong: list[str],
) -> str:
    """A failure to read: the project before the edit, what it changed, and what came out wrong."""
    written = [f"edit {len(incremental)} ({what}) with {limits} gives what is not so"]
    for path, text in sorted(before.items()):
        if text:
            written.append(f"--- {path}, before the edit{' (edited below)' if path in changed else ''}\n{text}")
    for path, after in sorted(changed.items()):
        written.append(f"+++ {path}, after the edit\n{after}" if after is not None else f"+++ {path} is gone")
    written.append(f"resolved without resolving all: {incremental}")
    return "\n".join([*written, "differing (− from nothing, + as edited):", *wrong])


def smaller(root: Path, wrong: WrongError, again: ResolveAgain) -> WrongError:
    """The same failure with fewer edits, files and lines: Hypothesis' own way takes minutes for projects of this size.

    Greedy, over all states at once: a line is left out wherever its file has it.
    """
    left = MAX_TRIES

    def failing(states: list[dict[str, str]]) -> WrongError | None:
        nonlocal left
        left -= 1
        if left < 0:
            return None
        try:
            check(root, states, ["edit"] * (len(states) - 1), wrong.limits, again)
        except WrongError as found:
            return found
        return None

    for count in range(2, len(wrong.states)):
        found = failing(wrong.states[-count:])
        if found is not None:
            wrong = found
            break
    for path in sorted(wrong.states[0]):
        fewer = [{other: text for other, text in state.items() if other != path} for state in wrong.states]
        wrong = failing(fewer) or wrong
    size = 16
    while size:
        written = {path: "".join(f"{state.get(path, '')}\n" for state in wrong.states) for path in wrong.states[0]}
        lines = [(path, line) for path, text in written.items() for line in dict.fromkeys(text.split("\n")) if line]
        for start in range(0, len(lines), size):
            gone = set(lines[start : start + size])
            wrong = failing([without(state, gone) for state in wrong.states]) or wrong
        size //= 2
    return wrong


def without(state: Texts, gone: set[tuple[str, str]]) -> dict[str, str]:
    return {
        path: "\n".join(line for line in text.split("\n") if (path, line) not in gone) for path, text in state.items()
    }


def run(root: Path, language: str, again: ResolveAgain, base: settings, examples: int) -> Counter[str]:
    """Checks drawn projects; how many edits there were of each kind, and how many were resolved by themselves."""
    counts: Counter[str] = Counter()

    @settings(base, max_examples=examples)
    @given(edited=edited_projects(language), limits=st.sampled_from(ALL_LIMITS))
    def property_holds(edited: Edited, limits: Limits) -> None:
        counts["projects"] += 1
        session = check(root, edited.states, edited.edits, limits, again)
        for words, alone, within in zip(edited.edits, session.incremental, session.within, strict=True):
            counts["edits"] += 1
            counts["incremental"] += alone
            counts["within bodies"] += within
            counts["within bodies, incremental"] += within and alone
            counts[f"{words.split(' file ')[0].split(' in ')[0]}{', incremental' if alone else ''}"] += 1

    property_holds()
    return counts


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("language", GRAMMARS)
def test_edits_of_made_projects_give_what_resolving_all_gives(tmp_path: Path, language: str) -> None:
    try:
        counts = run(tmp_path, language, resolve_again, MADE, LONG or EXAMPLES[language])
    except WrongError as wrong:
        raise smaller(tmp_path, wrong, resolve_again) from None
    assert counts["edits"] >= counts["projects"] > 0
    if policy_of(language).replayed:  # no way around the work: what stays within bodies reaches few files
        assert counts["within bodies"] > 0
        assert counts["within bodies, incremental"] >= 0.9 * counts["within bodies"]
    if LONG:
        print(f"\n{language}: {dict(counts.most_common())}")


# What the property must not let pass.


def resolved(facts: Mapping[str, FileFacts], layout: Layout, limits: Limits | None, files: set[str]) -> Again:
    """What resolving `facts` from nothing says of some files."""
    found = resolve(facts, layout, limits=limits)
    return Again({path: found.files[path] for path in files}, found.externals, found.problems, {})


class Faulty:
    """Answers to an edit that are wrong in one way, or in none."""

    def __init__(self, way: str) -> None:
        self.way = way

    def __call__(self, changed, before, facts, languages, traces, layout, *, limits=None):  # type: ignore[no-untyped-def]
        everything = {path: facts(path) for path in languages}
        old = resolve({**everything, **before}, layout, limits=limits)
        new = resolve(everything, layout, limits=limits)
        differing = {path for path in new.files if new.files[path] != old.files[path]} | set(changed)
        match self.way:
            case "right":
                return Again({path: new.files[path] for path in differing}, new.externals, new.problems, {})
            case "edited files alone":
                return resolved(changed, layout, limits, set(changed))
            case "no other file":
                return Again({path: new.files[path] for path in changed}, new.externals, new.problems, {})
            case "only files that it names":
                named = {e.target.partition("::")[0] for r in (old, new) for p in changed for e in r.files[p].edges}
                files = {path: new.files[path] for path in (named & new.files.keys()) | set(changed)}
                return Again(files, new.externals, new.problems, {})
            case "nothing ever goes":
                files = {path: both(old.files[path], new.files[path]) for path in differing}
                return Again(files, (*old.externals, *new.externals), new.problems, {})
            case "nothing new elsewhere":
                files = {
                    path: new.files[path] if path in changed else fewer(old.files[path], new.files[path])
                    for path in differing
                }
                return Again(files, new.externals, new.problems, {})
            case "counts of calls are kept":
                files = {path: counted(new.files[path], old.files[path]) for path in differing}
                return Again(files, new.externals, new.problems, {})
            case "external symbols are kept":
                return Again({path: new.files[path] for path in differing}, (), new.problems, {})
        raise ValueError(self.way)


def both(old: FileResolution, new: FileResolution) -> FileResolution:
    """The edges of `new`, and those that `old` has besides."""
    known = {(e.rel, e.source, e.target) for e in new.edges}
    kept = [e for e in old.edges if (e.rel, e.source, e.target) not in known]
    edges = tuple(sorted((*new.edges, *kept), key=lambda e: (e.rel, e.source, e.target)))
    return FileResolution(edges, new.unresolved, new.resolved, new.external)


def fewer(old: FileResolution, new: FileResolution) -> FileResolution:
    """The edges of `new` that `old` has, too."""
    known = {(e.rel, e.source, e.target) for e in old.edges}
    edges = tuple(e for e in new.edges if (e.rel, e.source, e.target) in known)
    return FileResolution(edges, new.unresolved, new.resolved, new.external)


def counted(new: FileResolution, old: FileResolution) -> FileResolution:
    return FileResolution(new.edges, old.unresolved, old.resolved, old.external)


FAULTS = {
    "python": (
        "edited files alone", "no other file", "nothing ever goes", "nothing new elsewhere", "counts of calls are kept",
    ),
    "typescript": ("no other file", "nothing ever goes", "nothing new elsewhere", "external symbols are kept"),
    "java": ("edited files alone",),
    "go": ("no other file", "nothing ever goes"),
}  # fmt: skip


@pytest.mark.parametrize(("language", "way"), [(language, way) for language in FAULTS for way in FAULTS[language]])
def test_the_property_tells_wrong_answers(tmp_path: Path, language: str, way: str) -> None:
    drawn = settings(MADE, derandomize=True)
    with pytest.raises(WrongError, match="gives what is not so"):
        run(tmp_path, language, Faulty(way), drawn, EXAMPLES[language])


@pytest.mark.parametrize("language", GRAMMARS)
def test_the_property_lets_right_answers_pass(tmp_path: Path, language: str) -> None:
    counts = run(tmp_path, language, Faulty("right"), settings(MADE, derandomize=True), 5)
    assert counts["incremental"] > 0


# Edits by hand, each at one mechanism.


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_and_its_undoing_give_what_resolving_all_gives(tmp_path: Path, edit: Edit) -> None:
    before, changed = edit.texts(), edit.new_texts()
    after = {path: text for path, text in {**before, **changed}.items() if text is not None}
    for limits in {edit.limits, Limits(), Limits(1, 1, 1)}:
        check(tmp_path, [before, after, before, after], ["edit", "undo", "edit again"], limits, resolve_again)


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_by_hand_reaches_what_it_is_aimed_at(tmp_path: Path, edit: Edit) -> None:
    session = Session(tmp_path, edit.texts(), edit.limits)
    before = session.resolution.files
    session.edit(edit.new_texts())
    after = session.fresh().files
    differing = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert differing - edit.changed.keys() == edit.reached
