"""Paths of other machines: found where their ends agree, left out where that is a guess."""

from __future__ import annotations

from loregraph.runs.placing import place

PROJECT = ["setup.py", "src/shop/cart.py", "src/shop/prices.py", "src/shop/json/decoder.py", "tests/test_cart.py"]


def placed(*given: str | tuple[str, ...], project: list[str] = PROJECT, roots: tuple[str, ...] = ()) -> dict[str, str]:
    names = [(one,) if isinstance(one, str) else one for one in given]
    return dict(place(names, project, roots).files)


# Verifies REQ-RUN-003.
def test_a_path_of_the_project_is_that_file() -> None:
    assert placed("src/shop/cart.py") == {"src/shop/cart.py": "src/shop/cart.py"}
    assert placed("./src/shop/cart.py") == {"./src/shop/cart.py": "src/shop/cart.py"}
    assert placed("src\\shop\\cart.py") == {"src\\shop\\cart.py": "src/shop/cart.py"}


# Verifies REQ-RUN-003.
def test_what_is_below_the_root_is_that_path_and_no_other() -> None:
    assert placed("/home/me/shop/setup.py", roots=("/home/me/shop",)) == {"/home/me/shop/setup.py": "setup.py"}
    found = place([("/home/me/shop/build/shop/cart.py",)], PROJECT, ["/home/me/shop"])
    assert (found.files, found.outside) == ({}, ("/home/me/shop/build/shop/cart.py",))


# Verifies REQ-RUN-003.
def test_a_checkout_elsewhere() -> None:
    assert placed("/app/src/shop/cart.py", "/app/tests/test_cart.py", "/app/setup.py") == {
        "/app/src/shop/cart.py": "src/shop/cart.py",
        "/app/tests/test_cart.py": "tests/test_cart.py",
        "/app/setup.py": "setup.py",
    }
    assert placed("C:\\ci\\src\\shop\\cart.py") == {"C:\\ci\\src\\shop\\cart.py": "src/shop/cart.py"}


def test_an_installed_copy() -> None:
    site = "/usr/lib/python3/site-packages"
    assert placed(f"{site}/shop/cart.py", f"{site}/shop/prices.py") == {
        f"{site}/shop/cart.py": "src/shop/cart.py",
        f"{site}/shop/prices.py": "src/shop/prices.py",
    }


def test_parts_of_paths_from_packages_and_modules() -> None:
    java = ["a/src/main/java/com/acme/Cart.java", "b/src/main/java/com/acme/Order.java"]
    assert placed("com/acme/Cart.java", "com/acme/Order.java", project=java) == {
        "com/acme/Cart.java": java[0],
        "com/acme/Order.java": java[1],
    }
    go = ["cart/cart.go", "prices.go"]
    assert placed("example.com/shop/cart/cart.go", "example.com/shop/prices.go", project=go) == {
        "example.com/shop/cart/cart.go": "cart/cart.go",
        "example.com/shop/prices.go": "prices.go",
    }


# Verifies REQ-RUN-003.
def test_a_library_with_files_of_the_same_names_is_not_the_project() -> None:
    library = [f"/usr/lib/python3.11/{name}" for name in ("json/decoder.py", "json/encoder.py", "os.py", "re.py")]
    found = place([*((one,) for one in library), ("/app/src/shop/cart.py",)], PROJECT)
    assert found.files == {"/app/src/shop/cart.py": "src/shop/cart.py"}
    assert placed("/usr/lib/python3/site-packages/other/setup.py") == {}


# Verifies REQ-RUN-003.
def test_what_may_mean_several_files_is_left_out_and_counted() -> None:
    twice = ["one/shop/cart.py", "two/shop/cart.py"]
    found = place([("/app/shop/cart.py",), ("shop/cart.py",)], twice)
    assert (found.files, found.ambiguous) == ({}, ("/app/shop/cart.py", "shop/cart.py"))
    copies = place([("/app/src/shop/cart.py",), ("/old/src/shop/cart.py",)], PROJECT)
    assert copies.files == {}
    assert copies.ambiguous == ("/app/src/shop/cart.py", "/old/src/shop/cart.py")


def test_several_names_of_one_file() -> None:
    names = ("/app/lib/shop/cart.py", "/app/src/shop/cart.py", "shop/cart.py")
    assert placed(names) == {"/app/lib/shop/cart.py": "src/shop/cart.py"}
