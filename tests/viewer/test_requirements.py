"""The pages of requirements over a project: what they say, filters in the address, decisions, suspect links."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from loregraph.errors import LoregraphError, NotFoundError, UsageError
from loregraph.pages.links import Links
from loregraph.pages.page import Moved, Page, Part
from loregraph.project import Project
from loregraph.viewer import frame, requirements
from loregraph.viewer.asked import Asked
from loregraph.viewer.routes import ACTIONS, PAGES
from tests.conftest import Repository

DESK = Path(__file__).resolve().parents[2] / "fixtures" / "gates" / "base"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


pytestmark = pytest.mark.usefixtures("engine_later")


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    """The desk, in no repository, for tests that change nothing."""
    root = Path(shutil.copytree(DESK, tmp_path_factory.mktemp("still") / "desk"))
    with Project(root) as project:
        project.index(embed=False, jobs=1)
        yield project


@pytest.fixture
def desk(repository: Repository) -> Repository:
    shutil.copytree(DESK, repository.root, dirs_exist_ok=True)
    repository.write(".gitignore", ".loregraph/\n")
    repository.commit()
    return repository


def opened(desk: Repository) -> Project:
    project = Project(desk.root)
    project.index(embed=False, jobs=1)
    return project


def asked(project: Project, writes: bool = True, **values: str) -> Asked:
    return Asked(project, Links(), {name: (value,) for name, value in values.items()}, writes=writes)


def text(answer: object, question: Asked) -> str:
    if isinstance(answer, Part):
        return frame.fragment(answer, question, key="k" * 20)
    assert isinstance(answer, Page)
    return frame.whole_page(answer, question, "graph 1", key="k" * 20)


def page(project: Project, address: str, writes: bool = True, **values: str) -> str:
    question = asked(project, writes, **values)
    return text(PAGES[address](question), question)


# Verifies REQ-WEB-005.
def test_the_matrix_shows_each_level_and_what_may_be_asked_for(still: Project) -> None:
    whole = page(still, "/requirements")
    one = page(still, "/requirements", text="fine")
    none = page(still, "/requirements", state="missing")
    for words in ("LEND-3", "covered 5", "planned 1", "test_fine_for", "Result", "passed", "100 %", "5 of 5"):
        assert words in whole
    assert whole.index('<tr id="LEND-1"') < whole.index('<tr id="LEND-6"')
    assert '<tr id="LEND-3"' in one
    assert '<tr id="LEND-1"' not in one
    assert "1 of 6 requirements" in one
    assert "No requirement passes these filters" in none


def test_an_unknown_order_is_an_error(still: Project) -> None:
    with pytest.raises(UsageError, match="no order"):
        page(still, "/requirements", order="random")


def test_a_document_can_be_read(still: Project) -> None:
    read = page(still, "/requirements", document="docs/requirements.md", read="1")
    assert "Requirements of the lending desk" in read
    assert "A book that comes back late costs a fine" in read


def test_files_without_a_requirement_come_first(still: Project) -> None:
    shown = page(still, "/requirements", files="1")
    one = page(still, "/requirements", files="1", text="service")
    assert shown.index("lending/web.py") < shown.index("lending/service.py")
    assert "test_service.py" not in shown
    assert "1 of 3" in shown
    assert "LEND-3" in one
    assert "lending/web.py" not in one
    assert "No file has these words" in page(still, "/requirements", files="1", text="nowhere")


def test_without_requirements_the_page_says_what_to_do(repository: Repository) -> None:
    repository.write("a.py", "def f():\n    return 1\n")
    with opened(repository) as project:
        assert "[requirements]" in page(project, "/requirements")


def test_one_requirement_with_its_code_tests_and_results(still: Project) -> None:
    shown = page(still, "/requirement", id="LEND-3")
    for words in ("costs a fine for every day", "fine_for", "test_fine_for", "passed", "def", "Link it"):
        assert words in shown
    assert 'href="/requirements?document=docs%2Frequirements.md"' in shown


def test_one_that_is_not_there_is_answered_with_the_nearest(still: Project) -> None:
    with pytest.raises(NotFoundError, match="LEND-33") as raised:
        page(still, "/requirement", id="LEND-33")
    assert "LEND-3" in raised.value.suggestion


def test_an_export_has_no_forms_that_write(still: Project) -> None:
    shown = page(still, "/requirement", writes=False, id="LEND-3")
    assert "<form" not in shown.partition("<main")[2]


# Verifies REQ-WEB-005, REQ-TRC-003.
def test_a_decision_is_kept_shown_at_once_and_can_be_taken_back(desk: Repository) -> None:
    with opened(desk) as project:

        def decide(decision: str, code: str) -> str:
            moved = ACTIONS["decide-link"](asked(project, decision=decision, requirement="LEND-6", code=code))
            assert isinstance(moved, Moved)
            return moved.address

        where = decide("accepted", "lending/store.py")
        shown = page(project, "/requirement", id="LEND-6")
        assert where.startswith("/requirement?id=LEND-6#l-")
        assert f'id="{where.partition("#")[2]}"' in shown
        assert 'value="withdrawn"' in shown
        (held,) = project.memory.links()
        assert (held.link, held.requirement, held.code) == ("accepted", "LEND-6", "lending/store.py")
        assert held.author == project.memory.author
        assert [link.id for link in project.trace("LEND-6").requirements[0].implementations] == ["lending/store.py"]
        decide("withdrawn", "lending/store.py")
        assert project.trace("LEND-6").requirements[0].implementations == ()
        assert decide("rejected", "lending/web.py").endswith("#suggestions")
        with pytest.raises(UsageError, match="no decision"):
            decide("loved", "lending/web.py")
        with pytest.raises(LoregraphError):
            decide("accepted", "no/such.py")


def test_suggestions_can_be_accepted_and_rejected(still: Project) -> None:
    question = asked(still, id="LEND-6")
    part = text(requirements.suggestions_part(question), question)
    inline = page(still, "/requirement", id="LEND-6", suggest="1")
    assert 'value="accepted"' in part
    assert 'value="rejected"' in part
    assert part.count('name="key"') == part.count("<form")
    # Without script they stand in the page itself.
    assert 'data-part="/part/suggestions' not in inline
    assert 'value="rejected"' in inline


def test_what_changed_since_the_tests_ran_is_suspect(desk: Repository) -> None:
    results = desk.root / "reports" / "junit.xml"
    now = time.time()
    desk.replace("lending/service.py", "def give_back", "def give_back  ")
    desk.commit()
    # Written after the first commit and before the edit: the time of the commit is in whole seconds.
    with opened(desk) as project:
        os.utime(results, (now + 3600, now + 3600))
        assert "suspect" not in page(project, "/requirement", id="LEND-2", suspect="1").partition("<main")[2]
        assert requirements.since_verified(asked(project)) is not None
    first = desk.git("rev-parse", "HEAD~1")
    with opened(desk) as project:
        found = project.compare_requirements(first)
    assert "LEND-2" in found.suspects


def test_results_older_than_the_change_make_it_suspect(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(DESK, repository.root, dirs_exist_ok=True)
    repository.write(".gitignore", ".loregraph/\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
    before = repository.commit()
    results = repository.root / "reports" / "junit.xml"
    os.utime(results, (1_767_300_000, 1_767_300_000))  # 2026-01-01T20:40:00Z
    repository.replace("lending/service.py", "def give_back", "def give_back  ")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-02T00:00:00Z")
    repository.commit()
    with opened(repository) as project:
        first = asked(project)
        quick = text(requirements.requirements_page(first), first)
        counted = text(requirements.suspects_part(first), first)
        known = text(requirements.requirements_page(first), first)
        since = requirements.since_verified(asked(project))
        shown = page(project, "/requirement", id="LEND-2", suspect="1")
        later = page(project, "/requirement", id="LEND-2")
        one = asked(project, id="LEND-2")
        part = text(requirements.suspects_part(one), one)
        listed = page(project, "/requirements", suspect="1")
        other = page(project, "/requirement", id="LEND-5", suspect="1")
    # The first page does not wait for the comparison; a part of it does.
    assert 'data-part="/part/suspects"' in quick
    assert ">suspect<" not in quick
    assert "1 requirement suspect" in counted
    assert ">suspect<" in known
    assert since is not None
    assert since.commit == before
    assert "Changed since it was verified" in shown
    assert "Changed since it was verified" in part
    assert 'data-part="/part/suspects?id=LEND-2"' in later
    assert "this changed, the requirement did not" in shown
    assert '<tr id="LEND-2"' in listed
    assert '<tr id="LEND-5"' not in listed
    assert "Changed since it was verified" not in other


# Verifies REQ-WEB-006.
def test_code_that_changed_after_its_link_was_accepted_is_suspect(desk: Repository) -> None:
    (desk.root / "reports" / "junit.xml").unlink()
    with opened(desk) as project:
        project.decide_links([("accepted", "LEND-6", "lending/store.py::Store")])
        before = page(project, "/requirement", id="LEND-6", suspect="1")
    desk.replace("lending/store.py", "return self.books[book]", "return str(self.books[book])")
    with opened(desk) as project:
        after = page(project, "/requirement", id="LEND-6", suspect="1")
    assert "Changed since its link was accepted" not in before
    assert "Changed since its link was accepted" in after
    assert "this changed, the requirement did not" in after


# Verifies REQ-WEB-006.
def test_two_revisions_side_by_side(desk: Repository) -> None:
    desk.replace("docs/requirements.md", "up to a limit", "up to a cap")
    desk.replace("docs/requirements.md", "| LEND-5 |", "| LEND-9 |")
    with opened(desk) as project:
        shown = page(project, "/compare", old="HEAD")
        unknown = page(project, "/compare", old="no-such-revision")
        nothing = page(project, "/compare", old="HEAD", new="HEAD")
    for words in ("1 lost", "1 gained", "1 changed", "<del>limit.</del>", "<ins>cap.</ins>", "LEND-9"):
        assert words in shown
    assert "knows no revision" in unknown
    assert "No requirement differs" in nothing


def test_outside_a_repository_nothing_is_compared(still: Project) -> None:
    assert "no git repository" in page(still, "/compare", old="HEAD")
    assert "Compare two revisions" not in page(still, "/requirements")


@pytest.mark.parametrize("address", ["/requirements", "/requirement", "/compare"])
def test_texts_of_documents_are_texts(repository: Repository, address: str) -> None:
    repository.write(
        "docs/requirements.md",
        f"# Needs {HOSTILE}\n\n## Part {HOSTILE}\n\n- **REQ-1** A {HOSTILE} \u202e till.\n"
        f"- **REQ-2** The till does {'x' * 20_000}.\n",
    )
    repository.write("till.py", f"# Implements REQ-1 {HOSTILE}\ndef take():\n    return '{HOSTILE}'\n")
    repository.commit()
    repository.replace("docs/requirements.md", "- **REQ-1** A", "- **REQ-1** The")
    with opened(repository) as project:
        made = [
            page(project, address, id=name, old="HEAD", document="docs/requirements.md", read=read, text="")
            for name in ("REQ-1", "REQ-2")
            for read in ("", "1")
        ]
    for shown in made:
        assert len(shown) < 200_000
        assert "<script>alert" not in shown
        assert "<img" not in shown
        assert "\u202e" not in shown


def test_two_thousand_requirements_are_a_bounded_page(repository: Repository) -> None:
    rows = "".join(f"- **REQ-{n:04}** The till does thing {n} and says so.\n" for n in range(2_400))
    repository.write("docs/requirements.md", f"# Needs\n\n{rows}")
    with opened(repository) as project:
        first = page(project, "/requirements")
        last = page(project, "/requirements", page="24")
        read = page(project, "/requirements", document="docs/requirements.md", read="1")
    assert "2,400 requirements" in first
    assert "page 1 of 24" in first
    assert '<tr id="REQ-2399"' in last
    assert max(map(len, (first, last, read))) < 400_000
