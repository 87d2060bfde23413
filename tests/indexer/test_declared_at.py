"""Requirements and their declared links at a revision, without a checkout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from loregraph.errors import UsageError
from loregraph.indexer import declared_at
from loregraph.project import Project

if TYPE_CHECKING:
    from tests.conftest import Repository

NEEDS = "# Needs\n\n- **REQ-1** A payment is taken once.\n- **REQ-2** A refund is given.\n- **REQ-3** It adds up.\n"
TILL = """
# Implements REQ-1
def take(amount):
    return amount


# Implements REQ-2
def refund(amount):
    return -amount
"""
OTHER = """
# Implements REQ-3
def total(amounts):
    return sum(amounts)
"""
TESTS = """
from till import take

# Verifies REQ-1
def test_take():
    assert take(1) == 1
"""


@pytest.fixture
def shop(repository: Repository) -> Repository:
    repository.write("docs/requirements.md", NEEDS)
    repository.write("till.py", TILL)
    repository.write("other.py", OTHER)
    repository.write("tests/test_till.py", TESTS)
    repository.write(".gitignore", ".loregraph/\n")
    repository.commit()
    return repository


def indexed(shop: Repository) -> Project:
    project = Project(shop.root)
    project.index(embed=False, jobs=1)
    return project


def test_nothing_differs_from_what_is_committed(shop: Repository) -> None:
    with indexed(shop) as project:
        found = project.compare_requirements("HEAD")
    assert (found.differences, found.same, found.left_out) == ((), 3, 0)


def test_what_changed_since_the_commit_in_documents_and_code(shop: Repository) -> None:
    shop.replace("docs/requirements.md", "A payment is taken once.", "A payment is taken at most once.")
    shop.replace("docs/requirements.md", "- **REQ-3** It adds up.\n", "- **REQ-4** It is printed.\n")
    shop.replace("till.py", "return -amount", "return 0 - amount")
    with indexed(shop) as project:
        found = project.compare_requirements("HEAD")
    by_id = {one.id: one for one in found.differences}
    assert {name: one.kind for name, one in by_id.items()} == {
        "REQ-1": "changed",
        "REQ-2": "suspect",
        "REQ-3": "lost",
        "REQ-4": "gained",
    }
    assert [(link.end.kind, link.end.id, link.why) for link in by_id["REQ-1"].suspect] == [
        ("test", "tests/test_till.py::test_take", "text"),
        ("code", "till.py::take", "text"),
    ]
    # The marker is in a file that did not change: it names a requirement that there was then.
    assert [end.id for end in by_id["REQ-3"].lost] == ["other.py::total"]
    assert [(link.end.id, link.why) for link in by_id["REQ-2"].suspect] == [("till.py::refund", "code")]


def test_two_revisions_neither_of_which_is_there_now(shop: Repository) -> None:
    first = shop.git("rev-parse", "HEAD")
    shop.git("mv", "till.py", "cash.py")
    shop.commit()
    second = shop.git("rev-parse", "HEAD")
    shop.write("docs/requirements.md", "# Nothing\n")
    with indexed(shop) as project:
        found = project.compare_requirements(first, second)
        assert (found.differences, found.same) == ((), 3)
        assert {one.kind for one in project.compare_requirements(second).differences} == {"lost"}


def test_a_bound_on_what_is_read_is_counted(shop: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.write("till.py", "")
    shop.write("other.py", "")
    monkeypatch.setattr(declared_at, "MOST_FILES", 1)
    with indexed(shop) as project:
        found = project.compare_requirements("HEAD")
    assert found.left_out == 1


def test_an_unknown_revision_is_an_error(shop: Repository) -> None:
    with indexed(shop) as project, pytest.raises(UsageError, match="knows no revision"):
        project.compare_requirements("no-such")
