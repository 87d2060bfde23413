"""Dart's packages and libraries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]

PUBSPEC = """name: shop
description: "name: not this"
dependencies:
  http: ^1.0.0
  # a comment
  core:
    path: ../core

dev_dependencies:
  test: any
environment:
  sdk: ^3.0.0
"""


@pytest.fixture
def layout(laid: Laid) -> ProjectLayout:
    return laid(
        {
            "app/pubspec.yaml": PUBSPEC,
            "app/lib/shop.dart": "",
            "app/lib/src/order.dart": "",
            "app/test/order_test.dart": "",
            "core/pubspec.yaml": "name: 'core'\n",
            "core/lib/core.dart": "",
            "loose.dart": "",
        }
    )


@pytest.mark.parametrize(
    ("importing", "uri", "found"),
    [
        ("app/lib/shop.dart", "src/order.dart", "app/lib/src/order.dart"),
        ("app/lib/src/order.dart", "../shop.dart", "app/lib/shop.dart"),
        ("app/test/order_test.dart", "package:shop/src/order.dart", "app/lib/src/order.dart"),
        ("app/lib/shop.dart", "package:core/core.dart", "core/lib/core.dart"),
        ("app/lib/shop.dart", "package:core/none.dart", None),
        ("app/lib/shop.dart", "package:http/http.dart", None),
        ("app/lib/shop.dart", "dart:io", None),
        ("app/lib/shop.dart", "../../../../up.dart", None),
    ],
)
def test_libraries_by_their_uris(layout: ProjectLayout, importing: str, uri: str, found: str | None) -> None:
    assert layout.of("dart").file_of(importing, uri) == found


def test_names_components_and_dependencies(layout: ProjectLayout) -> None:
    assert layout.module_name("app/lib/src/order.dart") == "shop/src/order"
    assert layout.module_name("app/test/order_test.dart") == "shop/test/order_test"
    assert layout.module_name("loose.dart") == "loose"
    assert {c.name: c.kind for c in layout.components if c.path != "."} == {
        "shop": "pub-package",
        "core": "pub-package",
    }
    assert layout.dependencies("component:app") == ("core", "http", "test")


@pytest.mark.parametrize(
    ("uri", "package"),
    [("package:http/http.dart", "http"), ("dart:async", "dart:async"), ("src/a.dart", "")],
)
def test_external_packages(layout: ProjectLayout, uri: str, package: str) -> None:
    assert layout.external_package("dart", uri) == package
