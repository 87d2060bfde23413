"""One answer to a question, about a symbol or a diff, on a small project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from loregraph.analysis.explore.answer import Exploration
from loregraph.analysis.explore.sent import Sent
from loregraph.analysis.token_count import size, tokens
from loregraph.errors import NotFoundError, UsageError
from loregraph.project import Project

from .shop import SHOP, written


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("shop")
    written(root, SHOP)
    with Project(root, embedder="none") as project:
        project.index(jobs=1)
        yield project


def ids(found: Exploration) -> list[str]:
    return [one.id for one in found.symbols]


def test_a_question_is_answered_with_source_and_surroundings(shop: Project) -> None:
    found = shop.explore(symbol="Cart.total")
    total = next(one for one in found.symbols if one.id == "shop/cart.py::Cart.total")
    assert total.id == "shop/cart.py::Cart.total"
    assert total.source.startswith("    def total(self) -> float:")
    assert total.source.endswith("return round_price(sum(self.items))")
    assert [(row.id, row.line) for row in total.callers] == [("shop/cart.py::checkout", 20)]
    assert [row.id for row in total.callees] == ["shop/money.py::round_price"]
    assert total.tests == ("tests/test_cart.py::test_checkout",)


def test_a_name_is_taken_as_the_symbol(shop: Project) -> None:
    assert ids(shop.explore("checkout"))[0] == "shop/cart.py::checkout"
    assert shop.explore("checkout") == shop.explore(symbol="shop/cart.py::checkout")


def test_a_wrong_call_says_what_to_do(shop: Project) -> None:
    with pytest.raises(UsageError, match="a question, a symbol or a diff"):
        shop.explore()
    with pytest.raises(UsageError, match="a question, a symbol or a diff"):
        shop.explore("cart", diff="--- a/x\n+++ b/x\n")
    with pytest.raises(NotFoundError, match="no symbol 'chekout'"):
        shop.explore(symbol="chekout")


def test_a_question_may_start_from_a_symbol(shop: Project) -> None:
    alone = ids(shop.explore("round a price"))
    assert alone[0] == "shop/money.py::round_price"
    from_symbol = ids(shop.explore("round a price", symbol="shop/cart.py::Cart.total"))
    assert from_symbol[:2] == ["shop/cart.py::Cart.total", "shop/money.py::round_price"]


# Verifies REQ-CLI-022.
@pytest.mark.parametrize("budget", [200, 300, 500, 1_000, 4_000])
def test_the_answer_fits_and_what_does_not_is_named(shop: Project, budget: int) -> None:
    found = shop.explore("cart checkout price round total", max_tokens=budget)
    assert found.tokens <= budget
    assert tokens(size(found)) <= budget
    assert {*ids(found), *found.omitted} >= {"shop/cart.py::checkout"}
    assert msgspec.json.decode(msgspec.json.encode(found), type=Exploration) == found


def test_source_is_sent_once_in_a_session(shop: Project) -> None:
    sent = Sent()
    first = shop.explore(symbol="checkout", sent=sent)
    again = shop.explore(symbol="checkout", sent=sent)
    assert ids(first) == ids(again)
    assert all(one.source and not one.sent_before for one in first.symbols)
    assert all(not one.source and one.sent_before for one in again.symbols)
    assert again.tokens < first.tokens


def test_changed_source_is_sent_again_and_its_file_is_stale(shop: Project) -> None:
    path = Path(shop.root, "shop/money.py")
    before = path.read_text(encoding="utf-8")
    sent = Sent()
    shop.explore(symbol="round_price", sent=sent)
    path.write_text(before.replace("amount, 2", "amount, 3"), encoding="utf-8")
    try:
        found = shop.explore(symbol="round_price", sent=sent)
    finally:
        path.write_text(before, encoding="utf-8")
    assert "round(amount, 3)" in found.symbols[0].source
    assert found.stale == ("shop/money.py",)
