"""Which file a Lua module's name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.languages.lua.layout import Layout
from loregraph.indexer.languages.packaging.reader import PackagingReader


@pytest.mark.parametrize(
    ("importing", "module", "found"),
    [
        ("lua/shop/cart.lua", "shop.money", "lua/shop/money.lua"),
        ("lua/shop/cart.lua", "shop", "lua/shop/init.lua"),
        ("main.lua", "shop.money", "lua/shop/money.lua"),
        ("spec/cart_spec.lua", "shop.cart", "lua/shop/cart.lua"),
        ("lua/shop/cart.lua", "money", None),
        ("tools/run.lua", "helper", "tools/helper.lua"),
        ("main.lua", "helper", None),
        ("main.lua", "vendor.a.b", None),
        ("main.lua", "b.c", "deep/b/c.lua"),
        ("lua/shop/cart.lua", ".money", "lua/shop/money.lua"),
        ("lua/shop/init.lua", ".money", "lua/shop/money.lua"),
        ("main.lua", "", None),
        ("main.lua", "..", None),
        ("main.lua", "socket.http", None),
    ],
)
def test_module_files(importing: str, module: str, found: str | None, tmp_path: Path) -> None:
    paths = [
        "main.lua", "lua/shop/init.lua", "lua/shop/cart.lua", "lua/shop/money.lua", "spec/cart_spec.lua",
        "tools/run.lua", "tools/helper.lua", "deep/b/c.lua", "one/vendor/a/b.lua", "two/vendor/a/b.lua",
    ]  # fmt: skip
    assert read_layout(tmp_path, paths).of("lua").file_of(importing, module) == found


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("lua/shop/money.lua", "shop.money"),
        ("src/shop/init.lua", "shop"),
        ("init.lua", "init"),
        ("shop/cart.lua", "shop.cart"),
    ],
)
def test_module_names(path: str, name: str) -> None:
    assert Layout((), (), PackagingReader(Path())).module_name(path) == name
