"""What traits leave to the types that take them in."""

from __future__ import annotations

import random
from pathlib import Path

from loregraph.indexer.resolve import resolve
from tests.indexer.languages.edges import calls_between

from .renaming import facts_of, layout_of

TRAIT = """<?php
trait Audits {
  function record() { $this->save(); static::boot(); $made = new static; $made->label(); $this->own(); }
  function own() {}
}
"""
BASE = "<?php class Model { function save() {} static function boot() {} function label() {} function own() {} }"


def told(files: dict[str, str]) -> set[str]:
    return {target for source, target in calls_between(files) if source == "Audits.record" and target != "Audits"}


# Verifies REQ-RES-003.
def test_a_trait_calls_what_the_types_that_take_it_in_inherit() -> None:
    files = {
        "Audits.php": TRAIT,
        "Model.php": BASE,
        "Order.php": "<?php class Order extends Model { use Audits; }",
        "Item.php": "<?php class Item extends Model { use Audits; }",
    }
    assert told(files) == {"Model.save", "Model.boot", "Model.label", "Audits.own"}


def test_through_another_trait_too() -> None:
    files = {
        "Audits.php": TRAIT,
        "Model.php": BASE,
        "Logs.php": "<?php trait Logs { use Audits; }",
        "Order.php": "<?php class Order extends Model { use Logs; }",
    }
    assert {"Model.save", "Model.boot", "Model.label"} <= told(files)


def test_of_several_types_that_may_be_meant_none_is_taken() -> None:
    files = {
        "Audits.php": TRAIT,
        "Model.php": BASE,
        "Other.php": "<?php class Other { function save() {} }",
        "Order.php": "<?php class Order extends Model { use Audits; }",
        "Item.php": "<?php class Item extends Other { use Audits; }",
    }
    assert told(files) == {"Model.boot", "Model.label", "Audits.own"}


def test_what_is_called_on_other_types_is_not_looked_for_there() -> None:
    text = (
        "<?php class A { function go(A $a) { $a->save(); $this->save(); A::boot(); } }"
        " class B extends A { use T; function save() {} static function boot() {} } trait T {}"
    )
    assert calls_between({"A.php": text}) == {("A.go", "B.save")}


# Verifies REQ-IDX-015.
def test_it_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    texts = {
        "Audits.php": TRAIT,
        "Model.php": BASE,
        "Order.php": "<?php class Order extends Model { use Audits; }",
        "Use.php": "<?php function f(Order $o) { $o->record(); }",
    }
    facts = facts_of({path: ("php", text.encode()) for path, text in texts.items()})
    layout = layout_of(tmp_path, texts, facts)
    expected = resolve(facts, layout)
    hows = {e.target: e.how for e in expected.files["Audits.php"].edges if e.rel == "CALLS"}
    assert hows["Model.php::Model.save"] == "inheritance"
    for seed in range(6):
        assert resolve(facts, layout, order=random.Random(seed)).files == expected.files
