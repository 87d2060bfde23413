"""Analyses in a process of their own answer as they do here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loregraph.errors import LoregraphError, UsageError
from loregraph.project import Project
from loregraph.viewer import analyses

from .desk import indexed_desk


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with Project(indexed_desk(tmp_path_factory.mktemp("analyses")), query_limit=7) as opened:
        yield opened


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "SMALL", 0)


@pytest.mark.usefixtures("large")
def test_another_process_gives_the_same_answer(project: Project) -> None:
    assert analyses.duplicates(project, apart=True) == project.duplicates()
    assert analyses.checked(project, ("complexity",), apart=True) == project.check(rules=("complexity",))


@pytest.mark.usefixtures("large")
def test_an_error_of_the_other_process_is_told_with_its_advice(project: Project) -> None:
    with pytest.raises(UsageError) as told:
        analyses.change_since(project, "--output=x", apart=True)
    assert told.value.suggestion


@pytest.mark.usefixtures("large")
def test_a_process_that_ends_without_an_answer_is_an_error(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "SECONDS", 0.0)
    with pytest.raises(LoregraphError, match="took too much time"):
        analyses.duplicates(project, apart=True)


def test_a_small_project_starts_none(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "WorkerProcess", None)
    assert analyses.duplicates(project, apart=True).functions > 0


@pytest.mark.usefixtures("large")
def test_none_is_started_where_it_was_not_asked_for(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "WorkerProcess", None)
    assert analyses.duplicates(project, apart=False).functions > 0
    assert Path(project.root).name == "desk"
