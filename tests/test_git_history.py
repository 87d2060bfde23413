"""How often files were changed, as git tells it."""

from __future__ import annotations

from pathlib import Path

from loregraph.git_history import churn
from tests.conftest import Repository


def test_commits_count_for_files_and_once_for_folders(repository: Repository) -> None:
    repository.commit("first")
    repository.write("a/one.py", "1\n")
    repository.write("a/two.py", "1\n")
    repository.commit("both")
    repository.write("a/one.py", "2\n")
    repository.commit("one")
    found = churn(repository.root)
    assert found.files == {"a/one.py": 2, "a/two.py": 1}
    assert found.folders == {"": 2, "a": 2}
    assert (found.commits, found.limited, found.refusal) == (2, False, "")


def test_a_first_import_is_no_change(repository: Repository) -> None:
    repository.write("a.py", "1\n")
    repository.commit("import")
    assert churn(repository.root).files == {}


def test_only_so_many_commits_are_looked_at_and_that_is_said(repository: Repository) -> None:
    for number in range(5):
        repository.write("x.py", f"{number}\n")
        repository.commit(str(number))
    found = churn(repository.root, 2)
    assert (found.commits, found.limited, found.files["x.py"]) == (2, True, 2)
    assert not churn(repository.root).limited


def test_below_a_folder_paths_are_relative_to_it(repository: Repository) -> None:
    repository.commit("first")
    repository.write("inner/a.py", "2\n")
    repository.write("outer.py", "2\n")
    repository.commit("b")
    found = churn(repository.root / "inner")
    assert set(found.files) == {"a.py"}


def test_names_with_line_ends_and_quotes_are_taken_as_they_are(repository: Repository) -> None:
    name = 'we "quoted"\nit ä.py'
    repository.commit("first")
    repository.write(name, "1\n")
    repository.commit("a")
    assert churn(repository.root).files[name] == 1


def test_without_a_repository_there_is_a_reason(tmp_path: Path) -> None:
    found = churn(tmp_path)
    assert found.refusal
    assert found.files == {}
