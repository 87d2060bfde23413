"""What a repository's own configuration may not do before its user has said yes."""

from __future__ import annotations

import json
import multiprocessing
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import loregraph
from loregraph import reach, trust
from loregraph.bridges import proxy_file
from loregraph.config import SECTIONS, ProjectSettings, Settings, load_settings, user_config_path
from loregraph.errors import UsageError

from ..conftest import Repository

PROXY = {
    "upstream": {"command": "touch", "args": ["/tmp/\u202epwned\x1b[31m"]},
    "tools": [
        {
            "name": "search",
            "description": "Search",
            "inputSchema": {"type": "object", "properties": {}},
            "upstream": {"tool": "search", "paramMapping": {}},
        }
    ],
}


PLACES = """../elsewhere /tmp/elsewhere ~/elsewhere link/inner . sub/.. .git .git/hooks .github sub/../.claude/x .GIT/x
    sub/.vscode dotted/x loop/x""".split()


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    for name in ("LOREGRAPH_STORE", "LOREGRAPH_EMBEDDER", "LOREGRAPH_TRUST"):
        monkeypatch.delenv(name, raising=False)
    trust._said.clear()
    return folder / "data"


@pytest.fixture
def root(repository: Repository) -> Path:
    repository.write("shop.py", "def pay():\n    pass\n")
    return repository.root


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "loregraph", "--root", str(root), *words]
    nobody = subprocess.DEVNULL
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=nobody)


def configure(root: Path, text: str) -> ProjectSettings:
    (root / "loregraph.toml").write_text(text, encoding="utf-8")
    return load_settings(root)


def ignored(settings: ProjectSettings) -> list[str]:
    return [one.key for one in settings.ignored]


# Verifies REQ-SEC-002.
def test_every_setting_is_classified() -> None:
    keys = {
        f"{field.name}.{inner.name}" if field.name in SECTIONS else field.name
        for field in msgspec.structs.fields(Settings)
        for inner in (msgspec.structs.fields(SECTIONS[field.name]) if field.name in SECTIONS else (field,))
    }
    assert set(reach.REACH) == keys


# Verifies REQ-SEC-002.
@pytest.mark.parametrize(
    ("text", "key"),
    [
        *((f'{key} = "{place}"', key) for key in ("store", "memory_dir") for place in PLACES),
        ('embedder = "voyage:voyage-code-3"', "embedder"),
        ('embedder = "fastembed:/tmp/model"', "embedder"),
        ('memory_backend = "hippocampai"', "memory_backend"),
        ('[requirements]\nresults = ["a.xml", "../*.xml"]', "requirements.results"),
        ('[requirements]\nresults = ["/etc/*.xml"]', "requirements.results"),
        ('[requirements]\nresults = ["link/*.xml"]', "requirements.results"),
        ('[requirements]\nresults = ["a/**/../../../x.xml"]', "requirements.results"),
        *(
            (f'stubs = ["typings", "{place}"]', "stubs")
            for place in ("/usr/lib/python3", "../env", "~/env", "link", "loop")
        ),
        ("jobs = 100000", "jobs"),
        ("cache_max_bytes = 10_000_000_000_000", "cache_max_bytes"),
        ("cache_max_bytes = 0", "cache_max_bytes"),
        ("max_file_bytes = 10_000_000_000", "max_file_bytes"),
        ("[query]\nlimit = 1_000_000_000", "query.limit"),
        ("[query]\ntimeout_ms = 1_000_000_000", "query.timeout_ms"),
    ],
)
def test_what_reaches_further_is_ignored_until_it_is_trusted(root: Path, tmp_path: Path, text: str, key: str) -> None:
    (tmp_path / "outside").mkdir()
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "dotted").symlink_to(root / ".git")
    (root / "loop").symlink_to(root / "loop")
    (root / "sub").mkdir()
    settings = configure(root, text)
    assert ignored(settings) == [key]
    [line] = settings.remarks
    assert "loregraph.toml" in line and key in line and "loregraph trust" in line
    section, _, name = key.rpartition(".")
    default = getattr(Settings(), section) if section else Settings()
    assert getattr(getattr(settings, section) if section else settings, name) == getattr(default, name)
    trust.grant(root, {one.key: one.value for one in settings.ignored})
    settings = load_settings(root)
    assert ignored(settings) == []
    assert getattr(getattr(settings, section) if section else settings, name) != getattr(default, name)


@pytest.mark.parametrize(
    "text",
    [
        'store = "cache/graph"', 'store = ".loregraph-store"', 'memory_dir = "team"', 'memory_dir = ".loregraph/team"',
        'embedder = "none"', 'memory_backend = "journal"', '[requirements]\nresults = ["reports/*.xml", "*.xml"]',
        "jobs = 8", 'exclude = ["a/"]', 'project_id = "shop"',
    ],
)  # fmt: skip
def test_what_stays_within_is_in_force(root: Path, text: str) -> None:
    assert ignored(configure(root, text)) == []


# Verifies REQ-SEC-002.
def test_a_repository_may_do_without_the_users_cache_and_no_more(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOREGRAPH_CACHE")
    settings = configure(root, "cache = false")
    assert not settings.cache
    assert ignored(settings) == []
    user_config_path().parent.mkdir(parents=True)
    user_config_path().write_text("cache = false\n")
    settings = configure(root, "cache = true")
    assert not settings.cache
    assert ignored(settings) == ["cache"]


def test_a_link_inside_the_results_leads_nowhere(root: Path, tmp_path: Path) -> None:
    from loregraph.requirement_links import result_files

    (tmp_path / "secret.xml").write_text("<x/>")
    (root / "reports").mkdir()
    (root / "reports" / "a.xml").symlink_to(tmp_path / "secret.xml")
    assert result_files(root, ["reports/*.xml", "reports/a.xml"]) == ([], ("reports/*.xml", "reports/a.xml"))


def test_the_users_own_word_needs_no_trust(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(root, 'store = "../theirs"')
    assert load_settings(root, store=str(tmp_path / "mine")).store == str(tmp_path / "mine")
    monkeypatch.setenv("LOREGRAPH_STORE", str(tmp_path / "environment"))
    assert load_settings(root).store == str(tmp_path / "environment")
    monkeypatch.setenv("LOREGRAPH_TRUST", "1")
    monkeypatch.delenv("LOREGRAPH_STORE")
    assert load_settings(root).store == "../theirs"
    monkeypatch.setenv("LOREGRAPH_TRUST", "0")
    assert load_settings(root).store == ""


def test_pyproject_is_the_repositorys_too(root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.loregraph]\nembedder = "voyage:x"\n')
    assert ignored(load_settings(root)) == ["embedder"]


# Verifies REQ-SEC-003.
def test_a_yes_is_for_a_value_and_for_the_repository_that_asked(root: Path, repository: Repository) -> None:
    settings = configure(root, 'embedder = "voyage:x"')
    trust.grant(root, {one.key: one.value for one in settings.ignored})
    assert ignored(configure(root, 'embedder = "voyage:x"\njobs = 1')) == []
    assert ignored(configure(root, 'embedder = "voyage:y"')) == ["embedder"]
    assert ignored(configure(root, 'embedder = "voyage:x"\nstore = "../x"')) == ["store"]
    configure(root, 'embedder = "voyage:x"')
    repository.git("remote", "add", "origin", "https://example.org/evil/shop")
    assert ignored(load_settings(root)) == ["embedder"]
    repository.git("remote", "remove", "origin")
    assert ignored(load_settings(root)) == []
    root.rename(root.with_name("moved"))
    root.mkdir()
    assert ignored(configure(root, 'embedder = "voyage:x"')) == ["embedder"], "another repository at the same place"


# Verifies REQ-SEC-003.
def test_the_command_shows_asks_keeps_lists_and_takes_back(root: Path, home: Path) -> None:
    configure(root, 'embedder = "voyage:\\u001b[31m\\u202e"')
    shown = run(root, "trust", "--json")
    assert shown.returncode == 0
    assert shown.stdout.isascii() and "\x1b" not in shown.stdout
    [asked] = json.loads(shown.stdout)["asks"]
    assert (asked["kind"], asked["name"], asked["value"]) == ("setting", "embedder", '"voyage:\\u001b[31m\\u202e"')
    assert not json.loads(shown.stdout)["trusted"]
    refused = run(root, "trust")
    assert refused.returncode == 2
    assert "nobody is there to ask" in refused.stderr
    assert refused.stdout.isascii() and "\x1b" not in refused.stdout
    assert ignored(load_settings(root)) == ["embedder"]
    assert run(root, "trust", "--yes").returncode == 0
    assert ignored(load_settings(root)) == []
    assert oct((home / trust.TRUST_FILE).stat().st_mode & 0o777) == "0o600"
    listed = run(root, "trust", "--list", "--json")
    assert list(json.loads(listed.stdout)["roots"]) == [str(root)]
    assert "embedder" in run(root, "trust", "--list").stdout
    assert json.loads(run(root, "trust", "--revoke", "--json").stdout) == {"root": str(root), "revoked": True}
    assert json.loads(run(root, "trust", "--revoke", "--json").stdout)["revoked"] is False
    assert ignored(load_settings(root)) == ["embedder"]
    assert "nothing is trusted" in run(root, "trust", "--list").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize(("answer", "left"), [(b"y\n", []), (b"n\n", ["embedder"]), (b"\n", ["embedder"])])
def test_a_person_is_asked_on_a_terminal(root: Path, answer: bytes, left: list[str]) -> None:
    configure(root, 'embedder = "voyage:x"')
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "loregraph", "--root", str(root), "trust"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    while b"Allow this?" not in said:
        assert select.select([ours], [], [], 60)[0], said
        said += os.read(ours, 4096)
    os.write(ours, answer)
    process.wait(60)
    os.close(ours)
    assert ignored(load_settings(root)) == left


def test_the_command_line_says_it_once_and_never_among_results(root: Path) -> None:
    configure(root, 'embedder = "voyage:x"\nstore = "../x"')
    made = run(root, "index", "--json", "--no-embed")
    assert made.returncode == 0
    json.loads(made.stdout)
    assert [line.split(" = ")[0] for line in made.stderr.splitlines() if "is ignored" in line] == [
        "warning: loregraph.toml: embedder",
        "warning: loregraph.toml: store",
    ]
    assert (root / ".loregraph").is_dir() and not (root.parent / "x").exists()
    status = json.loads(run(root, "status", "--json").stdout)
    assert len([line for line in status["remarks"] if "is ignored" in line]) == 2
    doctor = {check["name"]: check for check in json.loads(run(root, "doctor", "--json").stdout)}
    assert doctor["trust"]["status"] == "warning"
    with loregraph.open(root) as project:
        assert [one.key for one in project.ignored_settings] == ["embedder", "store"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "other"}', b"\xff" * 10, b"[" * 100_000])
def test_a_damaged_file_trusts_nothing_and_says_so(
    root: Path, home: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    settings = configure(root, 'embedder = "voyage:x"')
    trust.grant(root, {one.key: one.value for one in settings.ignored})
    (home / trust.TRUST_FILE).write_bytes(content)
    assert ignored(load_settings(root)) == ["embedder"]
    assert ignored(load_settings(root)) == ["embedder"]
    assert len([record for record in caplog.records if "nothing is trusted" in record.getMessage()]) == 1
    trust.grant(root, {one.key: one.value for one in settings.ignored})
    assert ignored(load_settings(root)) == []


def _grant(root: Path) -> None:
    trust.grant(root, {"embedder": '"voyage:x"'})


def test_processes_that_trust_at_once_lose_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots = [tmp_path / f"r{number}" for number in range(8)]
    for root in roots:
        root.mkdir()
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        pool.map(_grant, roots)
    assert sorted(trust.records().roots) == sorted(map(str, roots))


# the proxy's file


def proxy(root: Path, name: str = "tools.json", **upstream: object) -> Path:
    path = root / name
    path.write_text(json.dumps({**PROXY, "upstream": {**PROXY["upstream"], **upstream}}), encoding="utf-8")  # type: ignore[dict-item]
    return path


# Verifies REQ-SEC-002.
def test_a_proxys_file_of_a_repository_runs_nothing(root: Path, tmp_path: Path) -> None:
    pwned = tmp_path / "pwned"
    path = proxy(root, args=[str(pwned), "\x1b[31m"])
    for words in (["proxy", str(path)], ["proxy", "--check", str(path)]):
        done = run(root, *words)
        assert done.returncode == 2
        assert f'would run ["touch", "{pwned}", "\\u001b[31m"]' in done.stderr
        assert "loregraph trust" in done.stderr
        assert "\x1b" not in done.stderr
    assert not pwned.exists()


def test_a_yes_to_a_proxys_file_is_for_its_content(root: Path) -> None:
    path = proxy(root)
    assert run(root, "trust", "--yes", str(path)).returncode == 0
    assert proxy_file.trusted(path).launch.command[0] == "touch"
    proxy(root, args=["other"])
    with pytest.raises(UsageError, match="other"):
        proxy_file.trusted(path)
    assert run(root, "trust", "--yes").returncode == 0, "the one at the root is found"
    assert proxy_file.trusted(path)
    assert run(root, "trust", "--revoke").returncode == 0
    with pytest.raises(UsageError):
        proxy_file.trusted(path)


def test_a_proxys_file_through_links_is_the_repositorys(root: Path, tmp_path: Path) -> None:
    proxy(root)
    (tmp_path / "outside.json").symlink_to(root / "tools.json")
    own = proxy(tmp_path, "own.json")
    (root / "inside.json").symlink_to(own)
    for path in (tmp_path / "outside.json", root / "inside.json"):
        with pytest.raises(UsageError, match="came with a repository"):
            proxy_file.trusted(path)
    assert proxy_file.trusted(own).launch.command[0] == "touch"


def test_the_plugins_file_is_part_of_the_installation(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = root / "tools.json"
    shipped.write_text(proxy_file.example("episodic-memory"), encoding="utf-8")
    assert proxy_file.trusted(shipped)
    shipped.write_text(proxy_file.example("server-memory"), encoding="utf-8")
    with pytest.raises(UsageError, match="npx"):
        proxy_file.trusted(shipped)
    monkeypatch.setenv("LOREGRAPH_TRUST", "1")
    assert proxy_file.trusted(shipped)


def test_another_programs_tools_file_is_not_shown(root: Path) -> None:
    (root / "tools.json").write_text('{"tools": []}')
    assert json.loads(run(root, "trust", "--json").stdout)["asks"] == []


def test_the_server_says_it_in_its_log(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from loregraph.mcp_server.workspace import Workspace

    configure(root, 'embedder = "voyage:x"')
    Workspace(root).close()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err.splitlines()[0])["message"].startswith("loregraph.toml: embedder")
