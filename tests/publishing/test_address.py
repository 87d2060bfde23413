"""Which addresses are accepted, and that what they have of credentials is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.errors import MissingDriverError, UsageError
from loregraph.publishing import places
from loregraph.publishing.address import parsed, redacted
from loregraph.publishing.places import place_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s3://bucket/a/b/", "s3://bucket/a/b"),
        ("s3://bucket", "s3://bucket"),
        ("gcs://bucket/x", "gs://bucket/x"),
        ("abfs://container/x", "az://container/x"),
        ("https://user:secret@example.com:8443/graphs/", "https://example.com:8443/graphs"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
        ("file:///srv/a%20b", "/srv/a b"),
        ("FILE://localhost/srv", "/srv"),
        ("/srv/graphs", "/srv/graphs"),
    ],
)
def test_an_address_is_shown_without_credentials(text: str, shown: str) -> None:
    assert parsed(text).shown == shown


def test_a_plain_path_is_a_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert parsed("a/../graphs").path == str(tmp_path / "graphs")
    assert parsed("./memory:x").path == str(tmp_path / "memory:x")


# Verifies REQ-PUB-008.
@pytest.mark.parametrize(
    "text",
    [
        "simplecache::s3://bucket/x",
        "zip://a.zip::https://example.com/x",
        "https://example.com/x::zip://a",
        "filecache::file:///x",
        "memory://x",
        "memory:x",
        "local:/etc",
        "file:relative",
        "file://server/share",
        "file://",
        "ssh://host/x",
        "sftp://user:secret@host/x",
        "reference://x",
        "github://o:r@/x",
        "data:text/plain,x",
        "ftp://host/x",
        "hdfs://host/x",
        "git+ssh://host/x",
        "http://example.com/x",
        "http://127.0.0.1.example.com/x",
        "http://user@127.0.0.1@example.com/x",
        "https://",
        "https:///x",
        "https://host/a/../b",
        "https://host/a//b",
        "https://host/x?sig=secret",
        "https://host/x#y",
        "https://host:port/x",
        "s3://user:secret@bucket/x",
        "s3://",
        "s3://bucket/../other",
        "",
        "s3://bucket/a\nb",
        "s3://bucket/\x1b[31m",
    ],
)
def test_other_addresses_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError) as caught:
        place_of(text)
    assert "secret" not in caught.value.message + caught.value.suggestion


def test_what_drivers_say_is_redacted() -> None:
    said = "404, url='https://user:p%40ss@example.com/x', and http://token@host"
    assert redacted(said) == "404, url='https://***@example.com/x', and http://***@host"


@pytest.mark.parametrize(("url", "extra"), [("gs://bucket/x", "gs"), ("az://container/x", "az")])
def test_a_missing_driver_is_named(url: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec

    def missing(_: str) -> None:
        raise ImportError("Please install gcsfs")

    monkeypatch.setattr(fsspec, "get_filesystem_class", missing)
    with pytest.raises(MissingDriverError) as caught:
        places.place_of(url)
    assert caught.value.suggestion == f"pip install 'loregraph[{extra}]'"
