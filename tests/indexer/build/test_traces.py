"""After an edit only what it affects is resolved again, where traces say what that is; the graph is a fresh one's."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import State
from loregraph.indexer.build import publish
from loregraph.indexer.build import whole as build
from loregraph.indexer.build.kept_resolution import digest_of
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve import Resolution, again, resolve
from loregraph.indexer.resolve.again import Again, TraceError
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.resolve.policies import family_of
from tests.indexer.build.test_edited import EDITS, ONLY_MOVED, WHOLE, Edit, apply, contents, project_in, run, same

Facts = Mapping[str, FileFacts]


class Solver:
    """Stands in for the two ways to solve: whole solves keep the digest of each file's resolution as its trace, and
    one after an edit is a whole one of which the files that differ are handed over."""

    def __init__(self) -> None:
        self.whole = 0
        self.again: list[set[str]] = []
        self.traced = True

    def resolve(self, files: Facts, layout: Layout, *, traced: bool = False) -> Resolution:
        self.whole += 1
        found = resolve(files, layout)
        traces = {path: digest_of(own) for path, own in found.files.items()} if traced and self.traced else {}
        return msgspec.structs.replace(found, traces=traces)

    def resolve_again(
        self,
        changed: Facts,
        before: Facts,
        facts: Callable[[str], FileFacts],
        languages: Mapping[str, str],
        traces: Callable[[str], bytes | None],
        layout: Layout,
        *,
        words: Callable[[str], object],
    ) -> Again | None:
        files = {path: facts(path) for path in languages}
        assert all(files[path] == own for path, own in changed.items())
        assert {family_of(name) for name in languages.values()} == {family_of(f.language) for f in changed.values()}
        assert {path: own.language for path, own in files.items()} == languages
        now = resolve(files, layout)
        old = resolve({**files, **before}, layout)
        known = {path: traces(path) for path in languages}
        if None in known.values():
            return None
        for path, trace in known.items():
            if trace is None or len(trace) != 16:
                raise TraceError(path)
            # Lines are on edges, and may be others since the trace was made.
            assert trace == digest_of(old.files[path]) or path in changed
        different = {path for path, own in now.files.items() if own != old.files[path]} | changed.keys()
        self.again.append(different)
        ends = {edge.target for path in different for edge in now.files[path].edges}
        return Again(
            {path: now.files[path] for path in sorted(different)},
            tuple(external for external in now.externals if external.id in ends),
            tuple(problem for problem in now.problems if problem.path in different),
            {path: digest_of(now.files[path]) for path in different},
        )


@contextmanager
def solver() -> Iterator[Solver]:
    found = Solver()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "resolve", found.resolve)
        patch.setattr(again, "resolve_again", found.resolve_again)
        yield found


@pytest.fixture
def solved() -> Iterator[Solver]:
    with solver() as found:
        yield found


def is_fresh(root: Path, folder: Path) -> bool:
    report, fresh = run(root, folder / "store"), run(root, folder / "fresh")
    return same(report, fresh) and contents(folder / "store") == contents(folder / "fresh")


def traces(store: Path) -> dict[str, bytes]:
    with closing(state(store)) as opened:
        return {path: zlib.decompress(blob) for path, blob in opened.blobs("traces")}


def state(store: Path) -> State:
    return State.open(StoreFolder(store).state_path)


# Verifies REQ-IDX-012, REQ-IDX-013.
@pytest.mark.parametrize("name", EDITS)
def test_only_what_an_edit_affects_is_resolved_again(tmp_path: Path, solved: Solver, name: str) -> None:
    root = project_in(tmp_path)
    whole = run(root, tmp_path / "store")
    assert whole.resolved == len(traces(tmp_path / "store")) > 10
    apply(root, EDITS[name])
    report = run(root, tmp_path / "store")
    assert report.generation == 2
    if solved.again:
        assert solved.whole == 1
        (files,) = solved.again
        assert report.resolved == len(files) < whole.resolved
        assert report.files.indexed == 1
    else:
        assert name in ONLY_MOVED
        assert report.resolved == 0
    kept = traces(tmp_path / "store")
    assert is_fresh(root, tmp_path)
    if solved.again:
        assert kept == traces(tmp_path / "fresh")


@pytest.mark.parametrize("name", WHOLE)
def test_what_cannot_be_spliced_is_solved_from_nothing(tmp_path: Path, solved: Solver, name: str) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    apply(root, WHOLE[name])
    run(root, tmp_path / "store")
    assert solved.whole == 2
    kept = traces(tmp_path / "store")
    assert is_fresh(root, tmp_path)
    assert kept == traces(tmp_path / "fresh")


def rename(root: Path) -> None:
    (root / "shop/base.py").rename(root / "shop/basis.py")


def add(root: Path) -> None:
    (root / "shop/more.py").write_text("from shop.cart import Cart\n\nCart().total()\n")


def remove(root: Path) -> None:
    (root / "shop/money.py").unlink()


def configure(root: Path) -> None:
    (root / "web/tsconfig.json").write_text("{}")


def repackage(root: Path) -> None:
    apply(root, ("api/go.mod", "acme.com/api", "acme.com/other"))


@pytest.mark.parametrize("change", [rename, add, remove, configure, repackage])
def test_another_layout_is_solved_from_nothing(tmp_path: Path, solved: Solver, change: Callable[[Path], None]) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    change(root)
    apply(root, EDITS["a call is added"])
    run(root, tmp_path / "store")
    assert not solved.again
    kept = traces(tmp_path / "store")
    assert is_fresh(root, tmp_path)
    assert kept == traces(tmp_path / "fresh")


def malformed(store: Path) -> None:
    with state(store) as opened:
        opened.put_blobs("traces", {"shop/base.py": zlib.compress(b"short")})


def not_deflated(store: Path) -> None:
    with state(store) as opened:
        opened.put_blobs("traces", {"shop/base.py": b"junk"})


def cut(store: Path) -> None:
    with state(store) as opened:
        opened.put_blobs("traces", {"shop/base.py": zlib.compress(bytes(16))[:-4]})


def bomb(store: Path) -> None:
    with state(store) as opened:
        opened.put_blobs("traces", {"shop/base.py": zlib.compress(bytes(80 << 20), 1)})


def missing(store: Path) -> None:
    with state(store) as opened:
        opened.drop_blobs("traces", ["shop/base.py"])


def none(store: Path) -> None:
    with state(store) as opened:
        opened.drop_blobs("traces")


# Verifies REQ-SEC-015.
@pytest.mark.parametrize("damage", [malformed, not_deflated, cut, bomb, missing, none])
def test_traces_that_are_none_are_made_again(tmp_path: Path, solved: Solver, damage: Callable[[Path], None]) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    damage(tmp_path / "store")
    apply(root, EDITS["a call is added"])
    report = run(root, tmp_path / "store")
    assert not solved.again
    assert not [problem for problem in report.problems if problem.path == "."]
    apply(root, EDITS["a function is added"])
    run(root, tmp_path / "store")
    assert len(solved.again) == 1
    kept = traces(tmp_path / "store")
    assert "shop/cart.py" in kept  # those of other families come when these are solved
    assert is_fresh(root, tmp_path)
    assert kept.items() <= traces(tmp_path / "fresh").items()


def test_traces_go_where_a_solve_leaves_none(tmp_path: Path, solved: Solver) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    python = {path for path in traces(tmp_path / "store") if path.endswith(".py")}
    solved.traced = False
    add(root)
    apply(root, EDITS["a call is added"])
    run(root, tmp_path / "store")
    assert python
    assert traces(tmp_path / "store") == {}


class Killed(BaseException):
    """Ends a run as a signal does."""


# Verifies REQ-STO-002.
@pytest.mark.parametrize("last", ["publish", "_made_current"])
def test_a_run_that_is_killed_leaves_traces_of_the_graph_that_is_there(
    tmp_path: Path, solved: Solver, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    root = project_in(tmp_path)
    store = tmp_path / "store"
    run(root, store)
    before = traces(store)
    apply(root, EDITS["a call is added"])

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(StoreFolder if last == "publish" else publish.Publisher, last, killed)
        with pytest.raises(Killed):
            run(root, store)
    assert len(solved.again) == 1
    # Before the commit nothing is kept; after it what is kept is of no generation, and is not used.
    assert (traces(store) == before) == (last == "_made_current")
    run(root, store)
    assert (solved.whole, len(solved.again)) == ((2, 1) if last == "publish" else (1, 2))
    kept = traces(store)
    assert is_fresh(root, tmp_path)
    assert kept == traces(tmp_path / "fresh")


# Verifies REQ-IDX-013.
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.sampled_from([*EDITS.values(), *WHOLE.values()]), min_size=1, max_size=3), max_size=3))
def test_any_edits_give_the_graph_and_traces_of_a_fresh_index(steps: list[list[Edit]]) -> None:
    with tempfile.TemporaryDirectory(prefix="loregraph-") as scratch, solver():
        folder = Path(scratch)
        root = project_in(folder)
        run(root, folder / "store")
        for edits in steps:
            for edit in edits:
                apply(root, edit)
            run(root, folder / "store")
        assert is_fresh(root, folder)
