"""The page of a change: from an address to what is shown, without a browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loregraph import git
from loregraph.cli.main import main
from loregraph.errors import UsageError
from loregraph.pages.links import Links
from loregraph.project import Project
from loregraph.viewer import change, frame
from loregraph.viewer.asked import Asked, Kept

DESK = Path(__file__).resolve().parents[2] / "fixtures" / "gates" / "base"
Asking = Callable[..., Asked]


def run(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A desk where work on a branch renamed a function; a file with another one is not committed."""
    root = Path(shutil.copytree(DESK, tmp_path_factory.mktemp("change") / "desk"))
    run(root, "init", "-q")
    run(root, "add", "-A")
    run(root, "commit", "-q", "-m", "Begin <b>boldly</b>")
    run(root, "tag", "v1")
    run(root, "switch", "-q", "-c", "work/one")
    service = root / "lending" / "service.py"
    text = service.read_text()
    assert "def lend(" in text
    service.write_text(text.replace("def lend(", "def lend_out("))
    run(root, "commit", "-q", "-am", "Rename")
    (root / "lending" / "added.py").write_text("def added(one):\n    return one\n")
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


@pytest.fixture(scope="module")
def asking(root: Path) -> Iterator[Asking]:
    kept = Kept()
    with Project(root) as project:
        yield lambda **values: Asked(project, Links(), {k: (v,) for k, v in values.items()}, kept, writes=True)


def shown(asked: Asked) -> str:
    return frame.whole_page(change.change_page(asked), asked, "graph 1")


# Verifies REQ-WEB-007.
def test_what_changed_and_whom_it_affects(asking: Asking) -> None:
    page = shown(asking(since="v1", now="1"))
    assert 'class="box renamed"' in page or 'class="box breaks"' in page
    assert 'class="box added"' in page
    assert "lend_out" in page
    assert "Users to look at" in page
    assert "Tests" in page


def test_a_list_that_takes_long_is_loaded_later(root: Path) -> None:
    with Project(root) as project:
        asked = Asked(project, Links(), {"since": ("main",)}, Kept(), writes=True)
        page = shown(asked)
        assert 'data-part="/part/change?since=main"' in page
        assert 'href="/change?since=main&amp;now=1"' in page
        assert "lend_out" not in page
        assert "lend_out" in frame.fragment(change.change_part(asked), asked)
        assert "lend_out" in shown(asked)


def test_revisions_to_choose_from(root: Path, asking: Asking) -> None:
    tips = {(one.name, one.kind) for one in git.tips(root, 10)}
    assert tips == {("main", "branch"), ("v1", "tag"), ("work/one", "branch")}
    assert [one.subject for one in git.recent(root, 10)] == ["Rename", "Begin <b>boldly</b>"]
    assert len(git.recent(root, 1)) == 1
    page = shown(asking(since="v1"))
    assert "Begin &lt;b&gt;boldly&lt;/b&gt;" in page
    assert 'href="/change?since=work%2Fone"' in page


def test_the_default_is_what_is_not_committed_else_where_the_work_began(root: Path, asking: Asking) -> None:
    project = asking().project
    assert change._default(project) == "HEAD"
    added = root / "lending" / "added.py"
    text = added.read_text()
    added.unlink()
    try:
        assert change._default(project) == "main..."
        run(root, "switch", "-q", "--detach", "main")
        assert change._default(project) == "HEAD"  # there is nothing before it
    finally:
        run(root, "switch", "-q", "work/one")
        added.write_text(text)


@pytest.mark.parametrize("revision", ["--output=x", "-O/tmp/x", "nowhere", "HEAD..main", "v1\x00", "@{", "main\n--all"])
def test_a_revision_is_no_option_and_must_exist(root: Path, asking: Asking, revision: str) -> None:
    before = sorted(root.iterdir())
    with pytest.raises(UsageError):
        change.change_page(asking(since=revision))
    with pytest.raises(UsageError):
        change.change_part(asking(since=revision))
    assert sorted(root.iterdir()) == before


def test_a_part_needs_a_revision(asking: Asking) -> None:
    with pytest.raises(UsageError, match="revision"):
        change.change_part(asking())


def test_without_a_repository_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(): ...\n")
    assert main(["--root", str(tmp_path), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    with Project(tmp_path) as project:
        assert "in no git repository" in shown(Asked(project, Links(), {}, Kept()))


def test_the_report_is_one_page_without_links(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    main(["--root", str(root), "diff", "v1", "--format", "html"], standalone_mode=False)
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert "lend_out" in page
    assert "<svg" in page
    assert 'href="/' not in page
