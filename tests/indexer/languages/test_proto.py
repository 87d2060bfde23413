"""Protocol Buffers: fixtures that assert themselves, imports, and files that nest deeply."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.languages.packaging.reader import PackagingReader
from loregraph.indexer.languages.proto.layout import MAX_PATH, Layout
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "proto").glob("*.proto"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "proto") == []


def test_types_are_found_in_files_that_are_imported() -> None:
    edges = calls_between(
        {
            "protos/acme/shop.proto": 'import "acme/money.proto";\npackage acme;\n'
            "service Shop { rpc Pay(Money) returns (Till) {} }\nmessage Till { Money held = 1; }",
            "protos/acme/money.proto": 'package acme;\nimport "acme/shop.proto";\nmessage Money {}',
        },
        "REFERENCES",
    )
    assert edges == {("Shop.Pay", "Money"), ("Shop.Pay", "Till"), ("Till", "Money")}


def test_an_import_is_below_any_folder_around_the_file(tmp_path: Path) -> None:
    layout = Layout(("api/protos/a/b.proto", "api/c.proto"), (), PackagingReader(tmp_path))
    assert layout.file_of("api/services/x.proto", "a/b.proto") == "api/protos/a/b.proto"
    assert layout.file_of("api/protos/a/x.proto", "c.proto") == "api/c.proto"
    assert layout.file_of("x.proto", "../api/c.proto") is None
    assert layout.file_of("x.proto", "/api/c.proto") is None
    assert layout.file_of("api/x.proto", "c.proto/" * MAX_PATH) is None
    assert layout.external_package("google/protobuf/empty.proto") == "google"


def test_messages_that_nest_deeply_end() -> None:
    extract("a.proto", (b"message A { " * 3_000) + b"}" * 3_000, "proto", "")
    extract("b.proto", b"message A { " + b"a." * 50_000 + b"B b = 1; }", "proto", "")
