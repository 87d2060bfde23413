"""Rust's crates and the files of modules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]


@pytest.fixture
def layout(laid: Laid) -> ProjectLayout:
    return laid(
        {
            "Cargo.toml": """
[workspace]
members = ["crates/*"]
[workspace.dependencies]
shared-core = { path = "crates/core" }
[package]
name = "my-app"
[dependencies]
shared-core.workspace = true
util = { package = "app-util", path = "crates/util" }
serde = "1"
[target.'cfg(unix)'.dependencies]
libc = "0.2"
""",
            "crates/core/Cargo.toml": '[package]\nname = "shared-core"\n[lib]\nname = "core_lib"\n',
            "crates/util/Cargo.toml": '[package]\nname = "app-util"\n[dependencies]\nserde = "1"\n',
            "crates/tool/Cargo.toml": '[package]\nname = "tool"\nautotests = false\n'
            '[[bin]]\nname = "tl"\npath = "core/go.rs"\n'
            '[[test]]\nname = "all"\npath = "tests/all.rs"\n',
            **dict.fromkeys(
                """src/lib.rs src/main.rs src/config.rs src/net/mod.rs src/net/tcp.rs src/net/tcp/conn.rs src/serde.rs
                src/bin/extra.rs src/bin/multi/main.rs src/bin/multi/helper.rs tests/it.rs tests/common/mod.rs build.rs
                examples/ex.rs crates/core/src/lib.rs crates/core/src/types.rs crates/util/src/lib.rs
                crates/util/src/text.rs crates/tool/core/go.rs crates/tool/core/flags/mod.rs
                crates/tool/core/flags/defs.rs
                crates/tool/tests/all.rs crates/tool/tests/misc.rs""".split(),
                "",
            ),
        }
    )


@pytest.mark.parametrize(
    ("importing", "path", "found", "rest"),
    [
        ("src/lib.rs", "crate::config::Settings", "src/config.rs", ("Settings",)),
        ("src/net/tcp.rs", "crate::config", "src/config.rs", ()),
        ("src/net/tcp.rs", "crate::Top", "src/lib.rs", ("Top",)),
        ("src/main.rs", "crate::Top", "src/main.rs", ("Top",)),
        ("src/main.rs", "crate::config::X", "src/config.rs", ("X",)),
        ("src/lib.rs", "self::net::tcp::Stream", "src/net/tcp.rs", ("Stream",)),
        ("src/net/mod.rs", "self::tcp::Stream", "src/net/tcp.rs", ("Stream",)),
        ("src/net/tcp.rs", "super::Listener", "src/net/mod.rs", ("Listener",)),
        ("src/net/tcp/conn.rs", "super::super::super::config", "src/config.rs", ()),
        ("src/net/tcp/conn.rs", "super::X", "src/net/tcp.rs", ("X",)),
        ("src/net/tcp.rs", "conn::Conn", "src/net/tcp/conn.rs", ("Conn",)),
        ("src/net/tcp.rs", "self::inline::X", "src/net/tcp.rs", ("inline", "X")),
        ("src/main.rs", "my_app::config::X", "src/config.rs", ("X",)),
        ("tests/it.rs", "my_app::net::tcp::S", "src/net/tcp.rs", ("S",)),
        ("tests/it.rs", "common::setup", "tests/common/mod.rs", ("setup",)),
        ("src/lib.rs", "core_lib::types::T", "crates/core/src/types.rs", ("T",)),
        ("src/lib.rs", "util::text::T", "crates/util/src/text.rs", ("T",)),
        ("src/lib.rs", "util::T", "crates/util/src/lib.rs", ("T",)),
        ("src/bin/multi/main.rs", "crate::helper::H", "src/bin/multi/helper.rs", ("H",)),
        ("crates/tool/core/flags/defs.rs", "crate::flags::X", "crates/tool/core/flags/mod.rs", ("X",)),
        ("crates/tool/tests/all.rs", "self::misc", "crates/tool/tests/misc.rs", ()),
        ("crates/tool/tests/misc.rs", "crate::Top", "crates/tool/tests/all.rs", ("Top",)),
    ],
)
def test_paths(layout: ProjectLayout, importing: str, path: str, found: str, rest: tuple[str, ...]) -> None:
    assert layout.of("rust").module_file(importing, path.split("::")) == (found, rest)


@pytest.mark.parametrize("path", ["std::io", "serde_json::Value", "libc::c_int", "unknown::X"])
def test_crates_of_others(layout: ProjectLayout, path: str) -> None:
    assert layout.of("rust").module_file("src/config.rs", path.split("::")) is None
    assert layout.of("rust").module_file("src/config.rs", []) is None


def test_names(layout: ProjectLayout) -> None:
    assert layout.module_name("src/lib.rs") == "my_app"
    assert layout.module_name("src/net/mod.rs") == "my_app.net"
    assert layout.module_name("src/net/tcp/conn.rs") == "my_app.net.tcp.conn"
    assert layout.module_name("crates/core/src/types.rs") == "core_lib.types"
    assert layout.module_name("src/bin/extra.rs") == "extra"
    assert layout.module_name("src/bin/multi/helper.rs") == "multi.helper"
    assert layout.module_name("tests/it.rs") == "it"
    assert layout.module_name("crates/tool/core/flags/defs.rs") == "tl.flags.defs"


def test_dependencies(layout: ProjectLayout) -> None:
    assert layout.dependencies("component:.") == ("app-util", "libc", "serde", "shared-core")
    assert layout.external_package("rust", "std::io::Read") == "std"
    assert layout.external_package("rust", "::serde::de") == "serde"


def test_sources_without_a_manifest(laid: Laid) -> None:
    layout = laid(dict.fromkeys(["demo/main.rs", "demo/service.rs", "loose.rs"], ""))
    assert layout.of("rust").module_file("demo/main.rs", ["service", "run"]) == ("demo/service.rs", ("run",))
    assert layout.of("rust").module_file("demo/service.rs", ["crate", "X"]) == ("demo/main.rs", ("X",))
    assert layout.of("rust").module_file("loose.rs", ["crate", "X"]) is None
    assert layout.module_name("demo/service.rs") == "demo.service"
    assert layout.module_name("loose.rs") == "loose"


def test_manifests_that_make_no_sense(laid: Laid) -> None:
    layout = laid(
        {
            "Cargo.toml": "[package]\nname = 3\n[dependencies]\na = 1\n",
            "a/Cargo.toml": '[package]\nname = "a"\n[lib]\npath = "../../../etc"\n[[bin]]\nname = 1\n'
            "[dependencies]\nb = {path = 7}\n",
            "b/Cargo.toml": "[package\n",
            "a/src/main.rs": "",
        }
    )
    assert [problem.path for problem in layout.problems] == ["b/Cargo.toml"]
    assert layout.module_name("a/src/main.rs") == "a"
