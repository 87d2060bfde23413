"""A repository opens no other project's journal: by its name, its configuration, or the place that it lies at."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import loregraph
from loregraph.config import load_settings
from loregraph.errors import StoreError
from loregraph.memory import claims
from loregraph.memory.identity import Identity

ACME, EVIL = "https://example.org/acme/shop.git", "https://example.org/evil/shop.git"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, git_identity: None) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    for name in ("LOREGRAPH_PROJECT_ID", "LOREGRAPH_TRUST"):
        monkeypatch.delenv(name, raising=False)
    return folder / "data"


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def made(root: Path, origin: str = "", configuration: str = "") -> Path:
    root.mkdir(parents=True)
    git(root, "init", "-q")
    if origin:
        git(root, "remote", "add", "origin", origin)
    if configuration:
        (root / "loregraph.toml").write_text(configuration)
    return root


def name_of(root: Path, **options: str) -> str:
    return Identity(root, load_settings(root, **options)).project_id


def remarks_of(root: Path) -> tuple[str, ...]:
    identity = Identity(root, load_settings(root))
    _ = identity.project_id
    return identity.remarks


# Verifies REQ-SEC-004.
def test_a_repository_of_the_same_name_gets_a_journal_of_its_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    acme = made(tmp_path / "acme" / "shop", ACME)
    with loregraph.open(acme) as project:
        project.memory.add("The key to the safe is under the mat")
    evil = made(tmp_path / "evil" / "shop", EVIL)
    with loregraph.open(evil) as project:
        assert project.memory.stats().total == 0
        assert not project.memory.search("key to the safe").results
        project.memory.add("Mine")
    with loregraph.open(acme) as project:
        assert project.memory.stats().total == 1
    assert name_of(acme) == "shop"
    assert name_of(evil).startswith("shop-") and len(name_of(evil)) == len("shop-") + 8
    assert name_of(evil) == name_of(evil)
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(said) == 1, "it is said when it first happens"
    assert "example.org/acme/shop" in said[0] and "trust --memories" in said[0]
    with loregraph.open(evil) as project:
        assert len([line for line in project.status().remarks if "kept as shop-" in line]) == 1


# Verifies REQ-SEC-004.
def test_a_configured_id_that_is_anothers_is_ignored_until_its_user_says_yes(tmp_path: Path) -> None:
    acme = made(tmp_path / "shop", ACME)
    with loregraph.open(acme) as project:
        project.memory.add("The key to the safe is under the mat")
    thief = made(tmp_path / "thief", "https://example.org/evil/thief", 'project_id = "shop"\n')
    with loregraph.open(thief) as project:
        assert project.memory.project_id == "thief"
        assert project.memory.stats().total == 0
    assert any("project_id = 'shop' is ignored" in line for line in remarks_of(thief))

    command = [sys.executable, "-m", "loregraph", "--root", str(thief), "trust"]
    shown = subprocess.run([*command, "--yes", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(shown.stdout)["memories"] == {"project_id": "shop", "of": "example.org/acme/shop"}
    assert name_of(thief) == "thief", "a yes to settings is none to memories"
    subprocess.run([*command, "--memories", "--yes"], capture_output=True, check=True)
    assert name_of(thief) == "shop"
    subprocess.run([*command, "--revoke"], capture_output=True, check=True)
    assert (name_of(thief), name_of(acme)) == ("thief", "shop")


def test_an_id_that_nobody_has_is_the_repositorys_to_choose(tmp_path: Path) -> None:
    root = made(tmp_path / "shop", ACME, 'project_id = "till"\n')
    assert name_of(root) == "till"
    assert name_of(made(tmp_path / "till")) != "till"
    assert remarks_of(root) == ()


def test_the_users_word_is_honoured_whoever_has_the_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name_of(made(tmp_path / "shop", ACME))
    other = made(tmp_path / "other", EVIL)
    assert name_of(other, project_id="shop") == "shop"
    monkeypatch.setenv("LOREGRAPH_PROJECT_ID", "shop")
    assert name_of(other) == "shop"
    monkeypatch.delenv("LOREGRAPH_PROJECT_ID")
    (other / "loregraph.toml").write_text('project_id = "shop"\n')
    assert name_of(other) != "shop", "once by the user's word is no yes for the repository's"
    monkeypatch.setenv("LOREGRAPH_TRUST", "1")
    assert name_of(other) == "shop"


def test_an_id_that_the_user_named_is_claimed_too(tmp_path: Path) -> None:
    root = made(tmp_path / "anything", ACME)
    assert name_of(root, project_id="team") == "team"
    assert name_of(made(tmp_path / "team")) != "team"
    assert name_of(root) == "shop"


def test_clones_and_worktrees_share_however_the_url_is_written(tmp_path: Path) -> None:
    first = made(tmp_path / "a" / "shop", "git@example.org:acme/shop.git")
    git(first, "commit", "-q", "--allow-empty", "-m", "x")
    git(first, "worktree", "add", "-q", str(tmp_path / "tree"))
    places = [first, tmp_path / "tree"]
    for number, url in enumerate(
        (ACME, "ssh://git@example.org:22/acme/shop", "https://ann:pw@EXAMPLE.org:443/acme/shop/")
    ):
        places.append(made(tmp_path / str(number) / "renamed", url))
    assert {name_of(place) for place in places} == {"shop"}
    local = made(tmp_path / "local")
    git(local, "commit", "-q", "--allow-empty", "-m", "x")
    git(local, "worktree", "add", "-q", str(tmp_path / "local-tree"))
    assert name_of(local) == name_of(tmp_path / "local-tree") == "local"


def test_what_lies_at_the_place_of_another_later_inherits_nothing(tmp_path: Path) -> None:
    place = tmp_path / "shop"
    name_of(made(place, ACME))
    shutil.rmtree(place)
    assert name_of(made(place, EVIL)) != "shop"
    shutil.rmtree(place)
    assert name_of(made(place)) != "shop", "nor one without a remote"
    shutil.rmtree(place)
    assert name_of(made(place, ACME)) == "shop"


def test_one_that_got_a_remote_is_known_by_that_alone(tmp_path: Path) -> None:
    place = made(tmp_path / "shop")
    assert name_of(place) == "shop"
    git(place, "remote", "add", "origin", ACME)
    assert name_of(place) == "shop"
    git(place, "remote", "set-url", "origin", EVIL)
    assert name_of(place) != "shop"
    assert name_of(made(tmp_path / "clone", ACME)) == "shop"


def test_a_project_that_moved_takes_its_memories_back(tmp_path: Path) -> None:
    place = made(tmp_path / "shop")
    with loregraph.open(place) as project:
        project.memory.add("Still here")
    moved = tmp_path / "elsewhere" / "shop"
    moved.parent.mkdir()
    place.rename(moved)
    assert name_of(moved).startswith("shop-")
    [line] = remarks_of(moved)
    assert "trust --memories" in line and str(place) in line
    command = [sys.executable, "-m", "loregraph", "--root", str(moved), "trust", "--memories", "--yes"]
    subprocess.run(command, capture_output=True, check=True)
    with loregraph.open(moved) as project:
        assert (project.memory.project_id, project.memory.stats().total) == ("shop", 1)


def test_a_journal_of_before_belongs_to_the_first_that_asks(tmp_path: Path, home: Path) -> None:
    first = made(tmp_path / "a" / "shop", ACME)
    with loregraph.open(first) as project:
        project.memory.add("From before")
    (home / claims.CLAIMS_FILE).unlink()
    with loregraph.open(first) as project:
        assert project.memory.stats().total == 1
    assert name_of(made(tmp_path / "b" / "shop", EVIL)) != "shop"


def test_a_name_that_looks_like_a_suffixed_one_is_not_shared_either(tmp_path: Path) -> None:
    name_of(made(tmp_path / "shop", ACME))
    second = made(tmp_path / "b" / "shop", EVIL)
    taken = name_of(second)
    assert name_of(made(tmp_path / taken)) != taken
    known = claims.Claims(projects={"shop": claims.Claim((claims.Repository("x/shop", "/x"),))})
    own = claims.Repository(claims.normalised(EVIL, Path.cwd), "/y")
    short = claims.suffixed("shop", own)[0]
    stolen = claims.granted(known, short, claims.Repository("thief/x", "/z"))
    assert claims.derived_id(stolen, "shop", own)[0] == claims.suffixed("shop", own)[1]


def test_a_journal_in_the_repository_keeps_the_name_that_the_team_uses(tmp_path: Path) -> None:
    name_of(made(tmp_path / "shop", ACME))
    text = 'project_id = "shop"\nmemory_dir = "team"\n'
    team = made(tmp_path / "team", EVIL, text)
    with loregraph.open(team) as project:
        project.memory.add("Ours")
        assert project.memory.project_id == "shop"
        assert project.memory.stats().total == 1
    assert (team / "team" / "shop.jsonl").is_file()


def test_the_longest_names_stay_within_the_length(tmp_path: Path) -> None:
    slug = "a" * 63
    name_of(made(tmp_path / slug))
    other = name_of(made(tmp_path / "b" / slug))
    assert other != slug and len(other) == 63


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "other"}', b"\xff"])
def test_where_the_claims_cannot_be_read_nobody_gets_anothers_memories(
    tmp_path: Path, home: Path, content: bytes
) -> None:
    root = made(tmp_path / "shop", ACME)
    name_of(root)
    (home / claims.CLAIMS_FILE).write_bytes(content)
    with pytest.raises(StoreError, match=r"projects\.json"):
        name_of(root)


def test_the_file_is_its_owners_alone(tmp_path: Path, home: Path) -> None:
    name_of(made(tmp_path / "shop", ACME))
    assert oct((home / claims.CLAIMS_FILE).stat().st_mode & 0o777) == "0o600"
    assert oct(home.stat().st_mode & 0o777) == "0o700"
    before = (home / claims.CLAIMS_FILE).stat()
    name_of(tmp_path / "shop")
    assert (home / claims.CLAIMS_FILE).stat().st_mtime_ns == before.st_mtime_ns, "asked again, nothing is written"


def _claim(root: Path) -> str:
    return name_of(root)


def test_processes_that_claim_at_once_share_nothing(tmp_path: Path) -> None:
    roots = [made(tmp_path / str(number) / "shop", f"https://example.org/{number}/shop") for number in range(6)]
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        names = pool.map(_claim, roots)
    assert len(set(names)) == len(roots)
    assert "shop" in names
    assert [name_of(root) for root in roots] == names


def test_without_a_folder_to_write_to_what_is_claimed_still_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "file" / "data"))
    assert name_of(made(tmp_path / "shop", ACME)) == "shop"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://example.org/acme/shop.git", "example.org/acme/shop"),
        ("HTTPS://user:secret@Example.ORG:443/acme/shop", "example.org/acme/shop"),
        ("ssh://git@example.org/acme/shop.git/", "example.org/acme/shop"),
        ("ssh://git@example.org:2222/acme/shop", "example.org:2222/acme/shop"),
        ("git@example.org:acme/shop.git", "example.org/acme/shop"),
        ("example.org:acme/shop", "example.org/acme/shop"),
        ("git://example.org/acme/shop", "example.org/acme/shop"),
        ("https://example.org/acme/./x/../shop", "example.org/acme/shop"),
        ("https://example.org/Acme/Shop", "example.org/Acme/Shop"),
        ("https://example.org:port/x", "url:https://example.org:port/x"),
        ("file:///srv/git/shop.git", f"file:{os.path.realpath('/srv/git/shop.git')}"),
        ("/srv/git/shop.git", f"file:{os.path.realpath('/srv/git/shop.git')}"),
        ("../shop.git", f"file:{os.path.realpath('/base/../shop.git')}"),
        ("", ""),
    ],
)
def test_the_ways_to_write_an_origin(url: str, origin: str) -> None:
    assert claims.normalised(url, lambda: Path("/base")) == origin
