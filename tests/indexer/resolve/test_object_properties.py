"""Properties that are defined by a call instead of written."""

from __future__ import annotations

from .conftest import Resolve


# Verifies REQ-RES-001.
def test_a_property_defined_by_a_call_holds_its_value(project: Resolve) -> None:
    found = project(
        {
            "a.js": """
        function stamp() {}
        function open() {}
        function close() {}
        function one() {
          const till = {};
          Object.defineProperty(till, "stamp", { value: stamp, enumerable: false });
          till.stamp();
          till.other();
        }
        function all() {
          const till = {};
          Object.defineProperties(till, { open: { value: open }, close: { value: close } });
          till.close();
        }
    """
        }
    )
    assert found.calls() == {("a.js::one", "a.js::stamp"), ("a.js::all", "a.js::close")}


def test_this_of_a_defined_getter_is_what_the_property_stands_on(project: Resolve) -> None:
    found = project(
        {
            "a.js": """
        class Order {
          sum() {}
        }
        class Line {
          price() {}
        }
        function total() {
          this.sum();
          return new Line();
        }
        Object.defineProperty(Order.prototype, "line", { get: total });
        function bill() {
          new Order().line.price();
        }
    """
        }
    )
    assert ("a.js::total", "a.js::Order.sum") in found.calls()
    assert ("a.js::bill", "a.js::Line.price") in found.calls()
