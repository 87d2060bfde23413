"""What is read out of a pasted issue: its title, its words, the places that it names."""

from __future__ import annotations

import time

import pytest

from loregraph.graph.long_query import CODE, LOG, PROSE, TITLE, LongQuery, Place, is_long, read
from loregraph.graph.named_files import NamedFiles

ISSUE = """\
Cart total is wrong after a coupon
<!-- Please search
the existing walrus issues first -->
- [x] I have read the zebra guidelines

### Steps to reproduce

1. Add two items and apply the coupon

```python
cart.redeem(coupon)
```

### Environment

```
$ pip list
numpy      1.15.0
simplejson 3.16.0
```

Debian on an ARM board

### Additional context

It began with the rounding of shop/money.py, see `Discount.apply`.

<details>
2024-05-01 10:00:01 gunicorn worker booted
2024-05-01 10:00:02 gunicorn coupon accepted
</details>
"""


def test_only_what_is_long_is_taken_apart() -> None:
    assert not is_long("how is a file opened")
    assert not is_long("validate the address of a customer before the order is sent, also " * 3)
    assert not is_long("def f(x):\n    return x")
    assert is_long(ISSUE)
    assert is_long("word " * 300)


# Verifies REQ-SRC-012.
def test_the_title_counts_most_and_what_was_pasted_least() -> None:
    terms = read(ISSUE).terms
    assert terms["total"] == TITLE
    assert terms["coupon"] > TITLE, "it is in the title, and in the prose again"
    assert terms["round"] == PROSE
    assert terms["redeem"] == CODE
    assert terms["gunicorn"] == LOG
    assert read(ISSUE).title == "Cart total is wrong after a coupon"
    assert set(read(ISSUE).text.split("\n")) <= set(ISSUE.split("\n"))


@pytest.mark.parametrize(
    "word", ["walru", "zebra", "guidelin", "numpi", "simplejson", "debian", "environment", "context"]
)
def test_what_templates_and_environments_bring_is_left_out(word: str) -> None:
    assert word not in read(ISSUE).terms


def test_paths_and_names_are_places() -> None:
    found = read(ISSUE)
    assert Place("shop/money.py", PROSE) in found.places
    assert Place("Discount/apply", PROSE, module=True) in found.places
    assert "gunicorn" not in found.text
    assert "Discount" in found.words


FRAMES = [
    ('  File "/srv/app/shop/cart.py", line 12, in total', "/srv/app/shop/cart.py", "total"),
    ('INTERNALERROR>   File "/usr/lib/x/cart.py", line 7, in _total', "/usr/lib/x/cart.py", "_total"),
    ("\tat org.shop.cart.Cart.total(Cart.java:44)", "Cart.java", "total"),
    ("    at Cart.total (/srv/app/lib/cart.js:174:12)", "/srv/app/lib/cart.js", "total"),
    ("    at /srv/app/lib/cart.js:3:1", "/srv/app/lib/cart.js", ""),
    ("\t/go/src/shop/cart.go:185 +0x4b", "/go/src/shop/cart.go", ""),
    ("shop/cart.(*Cart).Total(0xc0000b2000)", "", "Total"),
    ("   4: shop::cart::Cart::total", "", "total"),
    ("             at ./src/cart.rs:12:5", "./src/cart.rs", ""),
    ("thread 'main' panicked at 'no price', src/cart.rs:9:10", "src/cart.rs", ""),
    (r"   at Shop.Cart.Total(Item item) in C:\src\Shop\Cart.cs:line 12", "C:/src/Shop/Cart.cs", "Total"),
    ("\tfrom lib/shop/cart.rb:327:in `total'", "lib/shop/cart.rb", "total"),
    ("lib/shop/cart.rb:327:in 'block in Shop::Cart#total'", "lib/shop/cart.rb", "Cart#total"),
    (r"#3 /srv/vendor/src/Cart.php(665): Shop\Cart->total()", "/srv/vendor/src/Cart.php", "total"),
]


def with_trace(line: str) -> LongQuery:
    return read(
        f"The total is not what it was\nSince the last release the sum of a cart is wrong for some, see:\n{line}\n"
    )


@pytest.mark.parametrize(("line", "path", "name"), FRAMES, ids=[line.strip()[:30] for line, _, _ in FRAMES])
def test_frames_of_a_stack_trace_are_read(line: str, path: str, name: str) -> None:
    found = with_trace(line)
    assert not path or path in {place.path for place in found.places if not place.module}
    assert not name or name in found.names
    assert all(weight <= LOG for term, weight in found.terms.items() if term in {"srv", "lib", "usr"})


def test_a_java_frame_names_its_class_by_package() -> None:
    places = with_trace("\tat org.shop.cart.Cart$Line.total(Cart.java:44)").places
    assert any(place.module and place.path == "org/shop/cart/Cart" for place in places)


def test_files_are_found_by_the_longest_end_that_they_share() -> None:
    paths = ["shop/cart.py", "legacy/cart.py", "shop/money/__init__.py", "java/org/shop/Cart.java", "shop"]
    files = NamedFiles(paths)
    assert files.find(Place("/usr/lib/site-packages/shop/cart.py", 1)) == [0]
    assert files.find(Place("cart.py", 1)) == [0, 1]
    assert files.find(Place("other/cart.py", 1)) == [0, 1]
    assert files.find(Place("org/shop/Cart", 1, module=True)) == [3]
    assert files.find(Place("shop/cart/Cart/total", 1, module=True)) == [0]
    assert files.find(Place("self/cart", 1, module=True)) == []
    assert files.find(Place("gone.py", 1)) == []
    assert files.named("cart") == [0, 1]
    assert files.named("nothing") == []


HOSTILE = {
    "a word": "a" * 100_000,
    "a path": "a/" * 50_000,
    "a dotted name": "a." * 50_000,
    "versions": "1." * 50_000,
    "packages": "x 1.2.3 y\n" * 10_000,
    "blanks": "title\n" + " " * 99_000,
    "lines of blanks": ("x" + " " * 498 + "\n") * 200,
    "lines of short words": ("a " * 249 + "\n") * 200,
    "lines of marks": ("-" * 499 + "\n") * 200,
    "frames": "at a(b" * 16_000,
    "quotes": 'File "' * 16_000,
    "backticks": "`a" * 50_000,
    "markup": "<!--<details>" * 7_000,
    "headings": "# **\n" * 20_000,
    "colons": "a:1:" * 25_000,
}


# Verifies REQ-SRC-009.
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_made_to_be_slow_is_read_in_time_that_grows_with_its_length(text: str) -> None:
    def seconds(part: str) -> float:
        read.cache_clear()
        begun = time.process_time()
        read(part)
        return time.process_time() - begun

    assert seconds(text) < 2 or seconds(text) < 8 * seconds(text[: len(text) // 4])
