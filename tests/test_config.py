"""Settings from files, environment and options, and the root and store they belong to."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.config import ProjectSettings, Settings, find_root, load_settings, store_path, user_config_path
from loregraph.errors import ConfigError, UsageError


@pytest.fixture(autouse=True)
def _no_outer_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("loregraph.config.user_config_path", lambda: tmp_path / "user" / "config.toml")
    for name in ("LOREGRAPH_STORE", "LOREGRAPH_JOBS", "LOREGRAPH_EMBEDDER", "LOREGRAPH_CACHE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def _user(tmp_path: Path, text: str) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "config.toml").write_text(text)


def test_defaults_without_any_source(root: Path) -> None:
    assert load_settings(root) == ProjectSettings()


def test_project_file(root: Path) -> None:
    (root / "loregraph.toml").write_text(
        'exclude = ["gen/**"]\nmax-file-bytes = 10\n[requirements]\nsources = ["a.md"]\nid_from = "file"\n'
    )
    settings = load_settings(root)
    assert settings.exclude == ("gen/**",)
    assert settings.max_file_bytes == 10
    assert settings.requirements.sources == ("a.md",)
    assert settings.requirements.id_from == "file"
    assert settings.requirements.pattern == Settings().requirements.pattern


def test_pyproject_table(root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.loregraph]\njobs = 3\n[tool.other]\njobs = "x"\n')
    assert load_settings(root).jobs == 3


def test_own_file_wins_over_pyproject(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.loregraph]\njobs = 3\n")
    (root / "loregraph.toml").write_text("")
    assert load_settings(root).jobs == 0


def test_pyproject_of_others_may_be_broken(root: Path) -> None:
    (root / "pyproject.toml").write_text("{{ cookiecutter.name }}\n")
    assert load_settings(root) == ProjectSettings()
    (root / "pyproject.toml").write_text("[tool.loregraph]\njobs = {{ jobs }}\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_settings(root)


# Verifies REQ-CLI-013.
def test_each_source_wins_over_the_one_below(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _user(tmp_path, 'jobs = 1\nembedder = "none"\n[query]\nlimit = 7\n')
    assert load_settings(root).jobs == 1
    (root / "loregraph.toml").write_text("jobs = 2\n[query]\ntimeout_ms = 5\n")
    settings = load_settings(root)
    assert (settings.jobs, settings.embedder) == (2, "none")
    assert (settings.query.limit, settings.query.timeout_ms) == (7, 5)
    monkeypatch.setenv("LOREGRAPH_JOBS", "3")
    assert load_settings(root).jobs == 3
    assert load_settings(root, jobs=4).jobs == 4
    assert load_settings(root, jobs=None).jobs == 3


def test_environment_of_sections_and_lists(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_QUERY_LIMIT", "12")
    monkeypatch.setenv("LOREGRAPH_EXCLUDE", "a/**, b ,")
    monkeypatch.setenv("LOREGRAPH_HOME", "/somewhere")
    monkeypatch.setenv("LOREGRAPH_RECORDING", '{"root": "/somewhere"}')
    settings = load_settings(root, query_timeout_ms=9, languages=["python"])
    assert settings.query.limit == 12
    assert settings.exclude == ("a/**", "b")
    assert settings.query.timeout_ms == 9
    assert settings.languages == ("python",)


# Verifies REQ-CLI-013.
@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("exlude = []", "exlude", "exclude"),
        ("[query]\ntimeout = 3", "query.timeout", "query.timeout_ms"),
        ("[requirement]\nsources = []", "requirement", "requirements"),
    ],
)
def test_unknown_keys_are_refused_with_the_nearest(root: Path, text: str, key: str, near: str) -> None:
    (root / "loregraph.toml").write_text(text)
    with pytest.raises(ConfigError, match=f"unknown key {key}") as caught:
        load_settings(root)
    assert near in caught.value.suggestion
    assert caught.value.exit_code == 2


def test_unknown_variables_and_options_are_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="query_limt") as caught:
        load_settings(root, query_limt=1)
    assert "query_limit" in caught.value.suggestion
    monkeypatch.setenv("LOREGRAPH_EXLUDE", "x")
    with pytest.raises(ConfigError, match="LOREGRAPH_EXLUDE") as caught:
        load_settings(root)
    assert "LOREGRAPH_EXCLUDE" in caught.value.suggestion


def test_a_key_like_nothing_lists_what_is_known(root: Path) -> None:
    (root / "loregraph.toml").write_text("zzzzqqqq = 1")
    with pytest.raises(ConfigError) as caught:
        load_settings(root)
    assert "embedder" in caught.value.suggestion


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('jobs = "two"', "jobs: Expected `int`"),
        ("include = 3", "include"),
        ("query = 3", "query"),
        ("jobs = -1", "too small"),
        ("max_file_bytes = 0", "too small"),
        ('embedder = "gpt"', "unknown embedder"),
        ('embedder = "fastembed:"', "unknown embedder"),
        ('[requirements]\nid_from = "title"', "id_from"),
        ('[requirements]\npattern = "("', "not a regular expression"),
        ('project_id = "Upper"', "project_id"),
        ("jobs =", "not valid TOML"),
    ],
)
def test_values_that_make_no_sense(root: Path, text: str, message: str) -> None:
    (root / "loregraph.toml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_settings(root)


def test_not_utf8(root: Path) -> None:
    (root / "loregraph.toml").write_bytes(b'store = "\xff"')
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_settings(root)


@pytest.mark.parametrize(
    ("text", "value"), [("false", False), ("0", False), ("Off", False), ("true", True), ("1", True)]
)
def test_truth_in_the_environment(root: Path, monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("LOREGRAPH_SERVE_WATCH", text)
    assert load_settings(root).serve.watch is value
    monkeypatch.setenv("LOREGRAPH_SERVE_WATCH", "perhaps")
    with pytest.raises(ConfigError, match="LOREGRAPH_SERVE_WATCH='perhaps' is neither true nor false"):
        load_settings(root)


def test_a_repository_may_not_make_answers_wait_for_long(root: Path) -> None:
    (root / "loregraph.toml").write_text("[serve]\nwatch = false\nwait_ms = 60000\n", encoding="utf-8")
    settings = load_settings(root)
    assert (settings.serve.watch, settings.serve.wait_ms) == (False, 300)
    assert "serve.wait_ms" in settings.remarks[0]


def test_a_number_in_the_environment_must_be_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_JOBS", "many")
    with pytest.raises(ConfigError, match="LOREGRAPH_JOBS='many' is not a whole number"):
        load_settings(root)


@pytest.mark.parametrize("key", ["store", "memory_dir"])
def test_a_repository_may_not_name_folders_outside(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    (root / "link").symlink_to(tmp_path)
    for place in ("../elsewhere", "link/elsewhere"):
        (root / "loregraph.toml").write_text(f'{key} = "{place}"')
        settings = load_settings(root)
        assert getattr(settings, key) == ""
        assert [(one.key, one.value) for one in settings.ignored] == [(key, f'"{place}"')]
    (root / "loregraph.toml").write_text(f'{key} = "inside"')
    assert getattr(load_settings(root), key) == "inside"
    (root / "loregraph.toml").unlink()
    monkeypatch.setenv(f"LOREGRAPH_{key.upper()}", str(tmp_path))
    assert getattr(load_settings(root), key) == str(tmp_path)


def test_store_path(root: Path, tmp_path: Path) -> None:
    assert store_path(root, Settings()) == root / ".loregraph"
    assert store_path(root, Settings(store="cache/../kept")) == root / "kept"
    assert store_path(root, Settings(store=str(tmp_path / "x"))) == tmp_path / "x"


# Verifies REQ-IDX-002.
def test_find_root(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    assert find_root(inner) == inner
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere\n")
    assert find_root(inner) == tmp_path / "repo"
    (inner.parent / ".loregraph").mkdir()
    assert find_root(inner) == inner.parent


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_store_above_the_nearest_git_root_is_another_checkout_s(tmp_path: Path, kind: str) -> None:
    root, inner = tmp_path / "all" / "nested", tmp_path / "all" / "nested" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "all" / ".loregraph").mkdir()
    assert find_root(inner) == tmp_path / "all"
    (root / ".git").mkdir() if kind == "folder" else (root / ".git").write_text("gitdir: elsewhere\n")
    assert find_root(inner) == find_root(root) == root
    (inner / ".loregraph").mkdir()
    assert find_root(inner) == inner


def test_find_root_of_what_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        find_root(tmp_path / "none")
    with pytest.raises(UsageError, match="does not exist"):
        find_root(Path("a\0b"))
    file = tmp_path / "x.py"
    file.write_text("")
    with pytest.raises(UsageError, match="is a file") as caught:
        find_root(file)
    assert str(tmp_path) in caught.value.suggestion
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(UsageError, match="does not exist"):
        find_root(loop)


def test_user_configuration_is_in_the_platforms_folder() -> None:
    assert user_config_path().name == "config.toml"


@pytest.mark.parametrize(("written", "value"), [("false", False), ("0", False), ("TRUE", True), ("1", True)])
def test_a_switch_in_the_environment(root: Path, monkeypatch: pytest.MonkeyPatch, written: str, value: bool) -> None:
    monkeypatch.setenv("LOREGRAPH_CACHE", written)
    assert load_settings(root).cache is value


def test_a_switch_that_is_neither_true_nor_false(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_CACHE", "perhaps")
    with pytest.raises(ConfigError, match="LOREGRAPH_CACHE='perhaps' is neither true nor false"):
        load_settings(root)


def test_the_folder_of_the_cache_is_no_setting(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", "/somewhere")
    assert load_settings(root) == ProjectSettings()
