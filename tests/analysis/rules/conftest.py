"""Small projects, indexed for real, and the rules over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.registry import RULES
from loregraph.analysis.rules.rule import Case
from loregraph.analysis.rules.runner import Result, run
from loregraph.config import load_settings
from loregraph.project import Project

Checked = Callable[..., Result]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting or memory of whoever runs the tests reaches them, nor the other way round."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder / "data"))
    for name in ("LOREGRAPH_STORE", "LOREGRAPH_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    """The findings of one rule in a project of the given files."""

    def check(rule: str, files: Mapping[str, str], case: Case | None = None) -> Result:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with Project(tmp_path) as project:
            for kind, text, anchor in case.memories if case else ():
                project.memory.add(text, kind=kind, anchors=[anchor])
            project.index(jobs=1, embed=False)
            if case and case.runs:
                project.import_runs([tmp_path / name for name in case.runs])
            code = Code(project.reader().columns, tmp_path, load_settings(tmp_path).check)
            return run(code, code.members_in(), [RULES[rule]])

    return check
