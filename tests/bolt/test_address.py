"""Where a server is, and who may say so."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from loregraph.bolt.address import (
    PASSWORD_VARIABLE,
    USER_VARIABLE,
    Server,
    credentials,
    sends_password_in_the_clear,
    server_at,
)
from loregraph.bolt.connection import Connection
from loregraph.bolt.layout import check_name
from loregraph.config import load_settings
from loregraph.errors import MissingDriverError, UsageError


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    for variable in (USER_VARIABLE, PASSWORD_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    "url",
    ["bolt://localhost:7687", "bolt+s://graph.example.com:7687", "neo4j+ssc://10.0.0.1", "bolt://[::1]:7687"],
)
def test_the_addresses_of_the_driver_are_addresses(url: str) -> None:
    assert server_at(url, "code") == Server(url, "code")
    assert server_at(url + "/") == Server(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:7687",
        "http://localhost",
        "bolt://",
        "bolt://host:many",
        "bolt://host:99999",
        "bolt://host/db",
        "neo4j://host?routing=x",
        "bolt://host#x",
        "bolt://ho\x1b[2Jst",
        "bolt://[::1",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        server_at(url)
    assert "bolt" in raised.value.suggestion


# Verifies REQ-SRV-008.
@pytest.mark.parametrize("url", ["bolt://me:sesame@host:7687", "bolt://sesame@host", "bolt://me:ses%40ame@host"])
def test_credentials_in_an_address_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        server_at(url)
    said = f"{raised.value.message} {raised.value.suggestion}"
    assert "sesame" not in said and "ses%40ame" not in said
    assert PASSWORD_VARIABLE in said


# Verifies REQ-SRV-008.
def test_credentials_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert credentials() is None
    monkeypatch.setenv(PASSWORD_VARIABLE, "sesame")
    with pytest.raises(UsageError, match=USER_VARIABLE):
        credentials()
    monkeypatch.setenv(USER_VARIABLE, "me")
    assert credentials() == ("me", "sesame")
    clear = {
        "bolt://h": True,
        "neo4j://h:1": True,
        "bolt+s://h": False,
        "bolt://localhost": False,
        "bolt://[::1]": False,
    }
    assert {url: sends_password_in_the_clear(server_at(url)) for url in clear} == clear


# Verifies REQ-SRV-008.
@pytest.mark.parametrize("trust", ["", "1"])
def test_no_repository_says_which_server_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trust: str) -> None:
    monkeypatch.setenv("LOREGRAPH_TRUST", trust)
    (tmp_path / "loregraph.toml").write_text('[server]\nurl = "bolt://evil.example"\ndatabase = "x"\n')
    settings = load_settings(tmp_path)
    assert settings.server.url == settings.server.database == ""
    assert len(settings.remarks) == 2
    assert all("loregraph trust" not in remark for remark in settings.remarks)
    monkeypatch.setenv("LOREGRAPH_SERVER_URL", "bolt://localhost:7687")
    assert load_settings(tmp_path).server.url == "bolt://localhost:7687"


@pytest.mark.parametrize("name", ["", "a:b", "a@1", "-a", "a/b", "a b", "a\n", "a" * 64])
def test_a_name_leaves_the_signs_of_ids_alone(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name"):
        check_name(name)


def test_a_missing_driver_is_one_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDriverError) as raised:
        Connection(Server("bolt://localhost"))
    assert "loregraph[server]" in raised.value.suggestion
