"""Which files hold tests, by what each language's runners look for and by what its people call their helpers."""

from __future__ import annotations

import re

import pytest

from loregraph.indexer.languages import registry, testing

TESTS = {
    "bash": "cart.bats test/help.sh t/t0000-basic.sh spec/cart_spec.sh cart_test.sh test_cart.sh",
    "c": "tests/help.c test_cart.c cart-test.c cart_unittest.c",
    "cpp": "cart_test.cc CartTest.cpp cart.tests.cpp src/cart_unittest.cc",
    "csharp": "CartTests.cs Shop.Tests/Stub.cs UnitTests/Stub.cs CartSpecs.cs",
    "cuda": "test_scale.cu scale_test.cu tests/help.cuh",
    "dart": "cart_test.dart integration_test/help.dart shop_tests/lib/all.dart",
    "elixir": "test/shop/cart_test.exs test/support/help.ex test_helper.exs",
    "erlang": "test/help.erl shop_cart_SUITE.erl cart_tests.erl cart_test.erl",
    "go": "cart_test.go test/e2e/help.go",
    "haskell": "test/Shop/CartSpec.hs t/Help.hs CartTest.hs",
    "java": "src/test/java/shop/Help.java src/testFixtures/java/Stub.java CartIT.java shop/TestCart.java "
    "javatests/shop/Help.java src/test/resources/src/main/java/Cart.java",
    "javascript": "cart.test.js cart.spec.mjs cart-test.js __tests__/help.js __mocks__/cart.js spec/help.js "
    "test-cart.cjs test.js cypress/e2e/cart.cy.js",
    "julia": "test/runtests.jl test/help.jl runtests.jl",
    "kotlin": "src/commonTest/kotlin/Help.kt app/src/androidTest/Help.kt CartSpec.kt",
    "lua": "spec/help.lua cart_spec.lua t/help.lua test_cart.lua",
    "objc": "ShopTests/Help.m AFTests/Help.m CartTests.m CartTest.mm",
    "php": "CartTest.php tests/Help.php Tests/Fixtures/Cart.php spec/CartSpec.php shop/CartTestCase.php",
    "proto": "testdata/cart.proto tests/cart.proto",
    "python": "test_cart.py cart_test.py shop/tests.py conftest.py tests/help.py shop_tests/help.py",
    "r": "tests/testthat/test-cart.R tests/testthat/helper.R test-cart.R test_cart.r",
    "ruby": "spec/cart_spec.rb test/test_cart.rb spec_helper.rb cart_test.rb",
    "rust": "tests/cart.rs src/cart/tests.rs src/cart.tests.rs src/cart_test.rs",
    "scala": "CartSuite.scala CartSpec.scala src/it/scala/Help.scala",
    "solidity": "src/Vault.t.sol test/Help.sol contracts/mocks/Token.sol",
    "sql": "test/sql/cart.sql t/cart.sql spec/cart.sql",
    "swift": "Tests/ShopTests/Stub.swift CartTests.swift ShopUITests/Help.swift",
    "terraform": "vpc.tftest.hcl tests/vpc/main.tf",
    "tsx": "cart.test.tsx specs/help.tsx",
    "typescript": "specs/a.ts src/isPast/test.ts cart.e2e-spec.ts cart.test-d.ts e2e/help.ts",
    "zig": "src/tests.zig src/cart_test.zig test/help.zig",
}
PRODUCT = {
    "bash": "latest.sh attest.sh",
    "c": "tls/cipher_spec.c attest.c latest.c",
    "cpp": "greatest.cc contest.cpp",
    "csharp": "PodSpec.cs Greatest.cs",
    "cuda": "latest.cu contest.cuh",
    "dart": "lib/latest.dart spec/cart.dart",
    "elixir": "lib/latest.ex lib/cart_test.ex",
    "erlang": "src/attest.erl src/shop_test_case.erl",
    "go": "test_helpers.go pod_spec.go testing.go",
    "haskell": "src/PodSpec.hs",
    "java": "src/main/java/shop/test/Context.java src/main/java/shop/CartTest.java Test.java PodSpec.java "
    "Testimony.java Edit.java",
    "javascript": "latest.js contest.js src/PodSpec.js",
    "julia": "src/testing.jl src/latest.jl",
    "kotlin": "src/main/kotlin/shop/TestCart.kt src/commonMain/kotlin/CartTest.kt TestHost.kt",
    "lua": "specific.lua latest.lua",
    "objc": "Shop/Latest.m Contest.m latest/Cart.m",
    "php": "src/Testing/Cart.php TestCase.php",
    "proto": "latest.proto api/contest.proto",
    "python": "shop/testing.py shop/test.py specs/cart.py spec/cart.py contest.py",
    "r": "R/testing.R R/latest.R",
    "ruby": "lib/specs.rb lib/contest.rb",
    "rust": "src/target_spec.rs src/attestation/key.rs spec/cart.rs",
    "scala": "src/main/scala/CartSuite.scala Contest.scala",
    "solidity": "contracts/Attest.sol src/Contest.sol",
    "sql": "sql/latest.sql migrations/contest.sql",
    "swift": "Sources/Latest.swift",
    "terraform": "modules/attest/main.tf contest.tf",
    "tsx": "inspect.tsx",
    "typescript": "src/V1PodSpec.ts latest.ts openapi/specific.ts",
    "zig": "src/contest.zig",
}


# Verifies REQ-IDX-019.
@pytest.mark.parametrize("language", sorted(name for name in registry.SUPPORTED if not registry.BY_NAME[name].holds))
def test_files_of_tests_are_told_by_each_language(language: str) -> None:
    missed = [path for path in TESTS[language].split() if not registry.is_test_path(path, language)]
    taken = [path for path in PRODUCT[language].split() if registry.is_test_path(path, language)]
    assert (missed, taken) == ([], [])


def test_the_name_of_a_file_tells_its_language() -> None:
    assert registry.is_test_path("specs/a.ts")
    assert not registry.is_test_path("specs/a.py")
    assert registry.is_test_path("tests/plan.md")
    assert registry.is_test_path("src/__tests__/Cart.vue")
    assert registry.is_test_path("spec/run", "ruby")
    assert not registry.is_test_path("spec/run")


def test_a_mark_is_known_however_it_is_written() -> None:
    tests = testing.Tests(marks=frozenset({"test", "Fact"}))
    assert tests.marked(["cfg(unix)", 'tokio::test(flavor = "current_thread")'])
    assert tests.marked(["Xunit.Fact(Skip = true)"])
    assert tests.marked([r"\PHPUnit\test"])
    assert tests.marked(["Fact<int>"])
    assert not tests.marked(["testing", "cfg_attr(x, test)"])


@pytest.mark.parametrize("language", sorted(registry.SUPPORTED))
def test_a_glob_has_one_star_and_no_more(language: str) -> None:
    tests = registry.BY_NAME[language].tests
    for glob in (*testing.FOLDERS, *tests.files):
        assert re.fullmatch(r"[^*/]*\*?[^*/]*", glob), glob
    for glob in (*tests.folders, *tests.product):
        assert all(part.count("*") <= 1 or part in ("*Test*",) for part in glob.split("/")), glob


# Verifies REQ-SEC-009.
@pytest.mark.parametrize("text", ["a/", "/", "Test", "test_", "_tests", "src/", "src/Tes", "-", "A", ".", "é/"])
def test_a_hostile_path_is_read_in_linear_time(text: str) -> None:
    path = "x" + text * 40_000 + "!"  # quadratic time would be minutes for each language
    assert not any(registry.is_test_path(path, language) for language in registry.SUPPORTED)
