"""`loregraph wrap`: what is refused before a server is started. What it does is in tests/bridges."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "data"))
    root = tmp_path / "plain"
    root.mkdir()
    return root


def test_help_shows_the_line_for_hosts(run: Run) -> None:
    result = run("wrap", "--help")
    assert result.code == 0
    assert "loregraph wrap -- npx -y @modelcontextprotocol/server-memory" in result.out


def test_a_command_is_needed(run: Run) -> None:
    for words in (["wrap"], ["wrap", "--"], ["wrap", "--scope", "org"]):
        result = run(*words)
        assert (result.code, result.out) == (2, "")
        assert "COMMAND" in result.err


@pytest.mark.parametrize("words", [["--scope", "team"], ["--timeout", "0"], ["--timeout", "soon"]])
def test_wrong_options_are_refused(run: Run, words: list[str]) -> None:
    result = run("wrap", *words, "--", "server")
    assert result.code == 2
    assert words[0] in result.err


def test_unknown_keys_of_the_configuration_are_refused(run: Run, plain: Path) -> None:
    (plain / "loregraph.toml").write_text('[wrap]\norg_type = ["standard"]\n')
    result = run("--root", plain, "wrap", "--", "server")
    assert result.code == 2
    assert "org_types" in result.err
