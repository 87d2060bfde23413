"""Members by names that code puts together."""

from __future__ import annotations

import pytest

from loregraph.indexer.resolve.computed_names import matches, pattern_of
from loregraph.indexer.resolve.matching import MAX_MATCHING

from .conftest import Resolve

VISITOR = """
    class Visitor:
        def visit(self, node):
            {look_up}
        def generic(self, node): pass
        def visit_call(self, node): pass
        def visit_name(self, node): pass
        def revisit_name(self, node): pass
        visit_alias = visit_name
        visit_depth = 3

    class Deep(Visitor):
        def visit_list(self, node): pass
        def visit_name(self, node): pass
"""
FOUND = {"Visitor.visit_call", "Visitor.visit_name", "Deep.visit_list", "Deep.visit_name"}


def reached(found: set[tuple[str, str]], source: str) -> set[str]:
    return {t.partition("::")[2] for s, t in found if s.endswith(f"::{source}")}


# Verifies REQ-RES-003, REQ-RES-014.
@pytest.mark.parametrize(
    "look_up",
    [
        'getattr(self, "visit_" + node.kind)(node)',
        'getattr(self, f"visit_{node.kind}")(node)',
        'getattr(self, f"visit_" f"{node.kind}")(node)',
        'getattr(self, "visit_%s" % node.kind)(node)',
        'getattr(self, "visit_{}".format(node.kind))(node)',
        'getattr(self, "visit_{kind}".format(kind=node.kind))(node)',
        'name = "visit_" + node.kind; method = getattr(self, name); return method(node)',
    ],
)
def test_a_prefix_reaches_the_members_that_have_it(project: Resolve, look_up: str) -> None:
    found = project({"v.py": VISITOR.format(look_up=look_up)})
    assert reached(found.calls(), "Visitor.visit") == FOUND
    assert found.how("v.py::Visitor.visit", "v.py::Deep.visit_list") == "computed-name"


def test_a_default_is_reached_as_a_value(project: Resolve) -> None:
    look_up = 'return getattr(self, "visit_" + node.kind, self.generic)(node)'
    found = project({"v.py": VISITOR.format(look_up=look_up)})
    assert reached(found.calls(), "Visitor.visit") == FOUND | {"Visitor.generic"}
    assert found.how("v.py::Visitor.visit", "v.py::Visitor.generic") == "value"


@pytest.mark.parametrize(
    "look_up",
    [
        "getattr(self, node.kind)(node)",
        'getattr(self, "v" + node.kind)(node)',
        'getattr(self, f"{node.kind}")(node)',
        'getattr(self, "_%s_" % node.kind)(node)',
        'getattr(self, "visit_%% %s" % node.kind)(node)',
        'getattr(node, "visit_" + node.kind)(node)',
    ],
)
def test_too_little_of_a_name_or_an_unknown_object_reaches_nothing(project: Resolve, look_up: str) -> None:
    assert reached(project({"v.py": VISITOR.format(look_up=look_up)}).calls(), "Visitor.visit") == set()


def test_a_suffix_and_both_ends(project: Resolve) -> None:
    found = project(
        {
            "h.py": """
        class Handlers:
            def run(self, kind): getattr(self, kind + "_handler")()
            def both(self, kind): getattr(self, "on_%s_done" % kind)()
            def start_handler(self): pass
            def _handler(self): pass
            def on_load_done(self): pass
            def on_load(self): pass
        """
        }
    )
    assert reached(found.calls(), "Handlers.run") == {"Handlers.start_handler"}
    assert reached(found.calls(), "Handlers.both") == {"Handlers.on_load_done"}


def test_an_instance_that_was_made_has_no_members_of_subclasses(project: Resolve) -> None:
    found = project(
        {
            "v.py": VISITOR.format(look_up="pass"),
            "use.py": """
        from v import Visitor, Deep
        def main(kind): getattr(Visitor(), "visit_" + kind)(None)
        def deep(kind): getattr(Deep(), "visit_" + kind)(None)
        """,
        }
    )
    assert reached(found.calls(), "main") - {"Visitor"} == {"Visitor.visit_call", "Visitor.visit_name"}
    # What a class inherits is among them, but for what it overrides.
    assert reached(found.calls(), "deep") - {"Deep"} == FOUND


def test_functions_of_a_module_and_class_methods(project: Resolve) -> None:
    found = project(
        {
            "rules.py": """
        from other import check_elsewhere
        def check_size(x): pass
        def check_name(x): pass
        def other(x): pass
        """,
            "other.py": "def check_elsewhere(x): pass",
            "use.py": """
        import rules
        class Maker:
            @classmethod
            def make(cls, kind): return getattr(cls, f"from_{kind}")()
            @classmethod
            def from_json(cls): pass
        def run(kind): getattr(rules, f"check_{kind}")(1)
        """,
        }
    )
    assert reached(found.calls(), "run") == {"check_size", "check_name", "check_elsewhere"}
    assert reached(found.calls(), "Maker.make") == {"Maker.from_json"}


def test_above_the_bound_the_least_are_kept_and_that_is_said(project: Resolve) -> None:
    many = "".join(f"            def do_{n:03}(self): pass\n" for n in range(MAX_MATCHING + 5))
    run = "            def run(self, n): getattr(self, f'do_{n}')()"
    found = project({"m.py": f"\n        class Many:\n{run}\n{many}"})
    assert reached(found.calls(), "Many.run") == {f"Many.do_{n:03}" for n in range(MAX_MATCHING)}
    assert [problem.line for problem in found.resolution.problems] == [3]


@pytest.mark.parametrize("look_up", ['this["on" + name](1)', "this[`on${name}`](1)"])
def test_subscripts_of_objects_in_javascript(project: Resolve, look_up: str) -> None:
    text = """
        class Base {
            fire(name) { LOOK; }
            exact() { const which = "click"; this["onClick"](1); }
            onClick(e) {}
            click(e) {}
        }
        class Deep extends Base { onKey(e) {} }
        """
    found = project({"b.js": text.replace("LOOK", look_up.replace('"on"', '"onK"').replace("`on$", "`onK$"))})
    assert reached(found.calls(), "Base.fire") == {"Deep.onKey"}
    assert reached(found.calls(), "Base.exact") == {"Base.onClick"}


def test_patterns() -> None:
    assert pattern_of(("b", "+", ("b", "+", ("k", "str", "get_"), ("n", "x")), ("k", "str", "_url")), ()) == (
        "get_", "_url",
    )  # fmt: skip
    assert pattern_of(("k", "format", "get_\0"), ()) == ("get_", "")
    assert pattern_of(("b", "-", ("k", "str", "get_"), ("n", "x")), ()) is None
    assert matches("get_x", ("get_", "")) and not matches("get_", ("get_", ""))
    assert not matches("get_l", ("get_", "_l"))


def test_members_that_php_and_ruby_put_together(project: Resolve) -> None:
    found = project(
        {
            "Shape.php": """<?php
        class Shape {
            public function quoted($x) { return $this->{"get$x"}(); }
            public function braced($x) { return $this->{"get{$x}"}(); }
            public function joined($x) { return $this->{'get' . $x . 'Url'}(); }
            public function kept($x) { $method = 'get' . $x; return $this->$method(1); }
            public function unknown($x) { return $this->$x(); }
            public function getName() {}
            public function getPageUrl() {}
        }
        """,
            "visitor.rb": """
        class Visitor
          def visit(node)
            send("visit_#{node.kind}", node)
          end
          def quietly(node)
            self.public_send(:"visit_#{node.kind}")
          end
          def anything(node)
            send("#{node.kind}")
          end
          def visit_name(node)
          end
          def visit_call(node)
          end
          def other
          end
        end
        """,
        }
    )
    both = {"Shape.getName", "Shape.getPageUrl"}
    for name, expected in {
        "quoted": both, "braced": both, "kept": both, "joined": {"Shape.getPageUrl"}, "unknown": set(),
    }.items():  # fmt: skip
        assert reached(found.calls(), f"Shape.{name}") == expected, name
    for name in ("visit", "quietly"):
        assert reached(found.calls(), f"Visitor.{name}") == {"Visitor.visit_name", "Visitor.visit_call"}, name
    assert reached(found.calls(), "Visitor.anything") == set()
    assert found.how("visitor.rb::Visitor.visit", "visitor.rb::Visitor.visit_name") == "computed-name"
