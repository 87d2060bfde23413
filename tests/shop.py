"""A small project that several suites begin with, and how such projects are written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SHOP = {
    "shop/__init__.py": "",
    "shop/cart.py": '''
"""The cart."""

from shop.money import round_price


class Cart:
    """What a customer means to buy."""

    def __init__(self, items: list[float]) -> None:
        self.items = items

    def total(self) -> float:
        """Sum of all prices, rounded."""
        return round_price(sum(self.items))


def checkout(items: list[float]) -> float:
    """Pay for everything in the cart."""
    cart = Cart(items)
    return cart.total()
''',
    "shop/money.py": '''
def round_price(amount: float) -> float:
    """Round to whole cents."""
    return round(amount, 2)
''',
    "tests/test_cart.py": """
from shop.cart import checkout


def test_checkout() -> None:
    assert checkout([1.0, 2.0]) == 3.0
""",
}


def written(root: Path, files: Mapping[str, str]) -> Path:
    """`root`, with a file for each path, without the empty lines that its text begins with."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip(), encoding="utf-8")
    return root
