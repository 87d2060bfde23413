"""What makes a definition an answer to a question: its source, its file, what is around it."""

# Verifies REQ-SRC-003.

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loregraph.analysis.explore import evidence, ranking
from loregraph.analysis.explore.evidence import Evidence
from loregraph.project import Project

from ...shop import written

FILES = {
    "jobs/queue.py": """
class Queue:
    \"\"\"Jobs that wait.\"\"\"

    def take(self):
        return self.waiting.pop(0)


def run(queue):
    job = queue.take()
    try:
        return job()
    except ConnectionResetError:
        return postpone(queue, job)


def postpone(queue, job):
    queue.waiting.append(job)
    return job


def report(queue):
    return len(queue.waiting)
""",
    "jobs/mail.py": """
def connection():
    return open_connection("mail")


def open_connection(name):
    return name
""",
    "tests/test_queue.py": """
from jobs.queue import Queue, run


def test_connection_reset_error_is_postponed():
    run(Queue())
""",
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("jobs")
    written(root, FILES)
    with Project(root, embedder="none") as project:
        project.index(jobs=1)
        yield project


def of(project: Project, question: str) -> Evidence:
    reader = project.reader()
    hits = project.search(question, limit=ranking.CANDIDATES)
    return evidence.gathered(reader.columns, reader.roles, reader.lexical, question, hits, project.source_lines)


def best_first(project: Project, found: Evidence) -> list[str]:
    columns = project.reader().columns
    return [columns.id(node) for node in sorted(found.scores, key=lambda node: (-found.scores[node], node))]


def test_what_a_body_says_counts(jobs: Project) -> None:
    found = of(jobs, "a ConnectionResetError ends the worker")
    assert best_first(jobs, found)[0] == "jobs/queue.py::run"
    columns = jobs.reader().columns
    assert "ConnectionResetError" in found.reasons[columns.find_id("jobs/queue.py::run")]  # type: ignore[index]


def test_tests_come_later_unless_asked_for(jobs: Project) -> None:
    test = "tests/test_queue.py::test_connection_reset_error_is_postponed"
    assert best_first(jobs, of(jobs, "connection reset error is postponed"))[0] != test
    assert best_first(jobs, of(jobs, "the test that a connection reset error is postponed"))[0] == test


def test_scores_spread_to_what_is_called(jobs: Project) -> None:
    reader = jobs.reader()
    question = "ConnectionResetError"
    asked = ranking.Asked(question, evidence=of(jobs, question))
    ranked = ranking.ranked(reader.columns, reader.roles, asked)
    ids = [reader.columns.id(one.node) for one in ranked]
    assert ids[0] == "jobs/queue.py::run"
    assert "jobs/queue.py::postpone" in ids  # called by it, and without any word of the question
    assert ranked[ids.index("jobs/queue.py::postpone")].reason == "called by run"


def test_only_so_many_sources_are_read(jobs: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "SECOND_LOOK", 1)
    assert len(of(jobs, "queue job waiting connection").reasons) == 1


def test_a_question_without_words_has_no_evidence(jobs: Project) -> None:
    assert of(jobs, "???").scores == {}
