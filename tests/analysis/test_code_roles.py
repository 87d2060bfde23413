"""Which files are there to test others, by their names and by what stands in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.code_roles import CodeRoles
from loregraph.indexer.languages.registry import is_test_path
from loregraph.project import Project


@pytest.mark.parametrize(
    "path",
    [
        "shop/cart_test.go",
        "src/cart.test.ts",
        "src/cart.spec.tsx",
        "src/cart-test.js",
        "src/cart.test-d.ts",
        "cypress/cart.cy.js",
        "lib/cart_spec.rb",
        "lib/spec_helper.rb",
        "shop/test_cart.py",
        "shop/cart_tests.py",
        "shop/tests.py",
        "conftest.py",
        "src/cart_unittest.cc",
        "Shop/CartTest.php",
        "Shop/CartTests.cs",
        "shop/HTTPTest.java",
        "shop/CartIT.java",
        "shop/CartSpec.scala",
        "Shop/CartSpec.swift",
        "cart.bats",
        "Tests/Fixtures/Command.php",
        "test/Shop.Tests/Support/Sink.cs",
        "ShopTests/Support.swift",
        "app/src/androidTest/java/shop/Help.kt",
        "src/integrationTest/java/shop/Help.java",
        "web/e2e/help.ts",
        "integration_test/help.dart",
    ],
)
def test_names_of_tests_are_known_in_every_language(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/latest.js",
        "src/latest/cart.js",
        "shop/contest.py",
        "shop/request.go",
        "shop/testing.py",
        "k8s/PodSpec.java",
        "k8s/PodSpec.cs",
        "k8s/pod_spec.go",
        "junit/Test.java",
        "shop/attestation/key.rs",
        "shop/Greatest.cs",
        "shop/KIT/cart.java",
        "shop/spec.py",
    ],
)
def test_what_only_looks_like_one_is_the_products(path: str) -> None:
    assert not is_test_path(path)


def test_helpers_in_a_file_of_tests_are_tests_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    root = tmp_path / "project"
    root.mkdir()
    (root / "go.mod").write_text("module shop\n")
    (root / "cart.go").write_text("package shop\n\nfunc Total() int { return 1 }\n")
    (root / "cart_test.go").write_text(
        'package shop\n\nimport "testing"\n\nfunc first() int { return 1 }\n\nfunc second() int { return 2 }\n\n'
        "func third() int { return 3 }\n\n"
        "func TestTotal(t *testing.T) {\n\tif Total() != first() {\n\t\tt.Fail()\n\t}\n}\n"
    )
    with Project(root, store=tmp_path / "store") as project:
        project.index(jobs=1, embed=False)
        columns = project.reader().columns
        roles = CodeRoles(columns)
        told = {columns.name(node): roles.is_test(node) for node in columns.nodes("Function").tolist()}
    assert told == {"Total": False, "first": True, "second": True, "third": True, "TestTotal": True}
