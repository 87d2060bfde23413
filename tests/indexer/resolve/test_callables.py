"""Functions that are called by a text or a pair that names them."""

from __future__ import annotations

from .conftest import Resolve


def test_php_callables_and_trait_aliases(project: Resolve) -> None:
    found = project(
        {
            "shop.php": """
        <?php
        namespace Shop;
        trait Logs { public function log($m) {} }
        trait Counts { public function log($m) {} public function count() {} }
        class Item { public function sell() {} static function make() {} }
        class Both {
          use Logs, Counts { Logs::log insteadof Counts; Counts::log as protected countLog; count as total; }
          function compare($a, $b) {}
          function alias() { $this->countLog(1); $this->total(); }
          function sorts($all) { usort($all, [$this, 'compare']); }
          function maps($all) { array_map('Shop\\\\rounded', $all); }
          function pairs() { call_user_func([Item::class, 'make']); }
          function texts() { call_user_func('Shop\\\\Item::make'); }
          function held() { $f = [$this, 'compare']; $f(1, 2); }
          function named() { $f = 'Shop\\\\rounded'; $f(1); }
          /** @param Item[] $items */
          function each($items) { array_map(fn($i) => $i->sell(), $items); }
          function none() { $f = 'rounded numbers'; $f(1); array_map('trim', []); }
        }
        function rounded($x) {}
    """.replace("        <?php", "<?php", 1)
        }
    )
    calls = {(s.rpartition("::")[2], t.rpartition("::")[2]) for s, t in found.calls()}
    assert calls == {
        ("Both.alias", "Counts.log"), ("Both.alias", "Counts.count"), ("Both.sorts", "Both.compare"),
        ("Both.maps", "rounded"), ("Both.pairs", "Item.make"), ("Both.texts", "Item.make"),
        ("Both.held", "Both.compare"), ("Both.named", "rounded"), ("Both.each", "Both.each.<lambda1>"),
        ("Both.each.<lambda1>", "Item.sell"),
    }  # fmt: skip
    assert found.how("shop.php::Both.sorts", "shop.php::Both.compare") == "callback"
