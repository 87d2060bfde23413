"""Functions and classes that are kept under names and called by what is found there."""

from __future__ import annotations

from .conftest import Resolve


def reached(found: set[tuple[str, str]], source: str) -> set[str]:
    return {t.partition("::")[2] for s, t in found if s.endswith(f"::{source}")}


THINGS = """
    class A:
        def run(self): pass
    class B:
        def run(self): pass
    def one(x=None): pass
    def two(x=None): pass
"""
CLASSES = {"A", "B", "A.run", "B.run"}


# Verifies REQ-RES-003.
def test_a_mapping_of_mappings_that_is_filled_by_kind(project: Resolve) -> None:
    text = """
    registry = {}
    def register(kind, name, cls): registry.setdefault(kind, {})[name] = cls
    register("a", "x", A)
    register("b", "y", B)
    def main(kind, name): registry[kind][name]().run()
    def listed(event, f): hooks.setdefault(event, []).append(f)
    hooks = {}
    listed("a", one)
    listed("b", two)
    def fire(event):
        for f in hooks.get(event, []): f()
    """
    found = project({"m.py": THINGS + text})
    assert reached(found.calls(), "main") == CLASSES
    assert reached(found.calls(), "fire") == {"one", "two"}


def test_mappings_with_a_factory(project: Resolve) -> None:
    text = """
    import collections
    from collections import defaultdict
    hooks = defaultdict(list)
    def on(event):
        def wrap(f):
            hooks[event].append(f)
            return f
        return wrap
    @on("a")
    def first(): pass
    @on("b")
    def second(): pass
    def fire(event):
        for f in hooks[event]: f()

    nested = defaultdict(lambda: collections.defaultdict(dict))
    nested["a"]["b"]["c"] = one
    def deep(x, y, z): nested[x][y][z]()

    made = defaultdict(A)
    def item(x): made[x].run()
    """
    found = project({"m.py": THINGS + text})
    assert reached(found.calls(), "fire") == {"first", "second"}
    assert reached(found.calls(), "deep") == {"one"}
    assert reached(found.calls(), "item") == {"A.run"}


def test_what_a_command_line_sets(project: Resolve) -> None:
    found = project(
        {
            "things.py": THINGS,
            "parts.py": """
        from things import A, one, two
        def fill(commands):
            first = commands.add_parser("one")
            first.set_defaults(func=one, cmd=A)
            first.add_argument_group("more").set_defaults(other=two)
        """,
            "cli.py": """
        import argparse
        from parts import fill
        def build():
            parser = argparse.ArgumentParser()
            parser.add_argument("--x")
            fill(parser.add_subparsers())
            return parser
        def main():
            args = build().parse_args()
            args.func(args)
            args.cmd().run()
        def partly():
            args, rest = build().parse_known_args()
            handle(args)
        def handle(args: argparse.Namespace): args.other(args)
        def apart(): argparse.ArgumentParser().parse_args().func()
        """,
        }
    )
    assert reached(found.calls(), "main") == {"build", "one", "A", "A.run"}
    assert reached(found.calls(), "handle") == {"two"}
    assert reached(found.calls(), "apart") == set()
    outside = {t for s, t in found.pairs("CALLS") if s == "cli.py::build" and t.startswith("external:")}
    assert outside == {
        "external:argparse.ArgumentParser", "external:argparse.ArgumentParser.add_argument",
        "external:argparse.ArgumentParser.add_subparsers",
    }  # fmt: skip


def test_globals_by_name(project: Resolve) -> None:
    text = """
    def cmd_one(): pass
    def cmd_two(): pass
    def exact(): globals()["cmd_one"]()
    def some(name): globals()["cmd_" + name]()
    def any_of_all(name): globals()[name]()
    """
    found = project({"m.py": text})
    assert reached(found.calls(), "exact") == {"cmd_one"}
    assert reached(found.calls(), "some") == {"cmd_one", "cmd_two"}
    assert reached(found.calls(), "any_of_all") == set()


def test_the_class_of_an_object(project: Resolve) -> None:
    text = """
    class Owner:
        def __init__(self, x): pass
        def copy(self): return self.__class__(1)
        def label(self): return self.__class__.named()
        @classmethod
        def named(cls): pass
    """
    found = project({"m.py": text})
    assert reached(found.calls(), "Owner.copy") == {"Owner", "Owner.__init__"}
    assert reached(found.calls(), "Owner.label") == {"Owner.named"}


def test_what_a_lambda_gives_and_what_sorting_calls(project: Resolve) -> None:
    text = """
    make = lambda: A()
    chosen = lambda flag: one if flag else two
    def main():
        make().run()
        chosen(1)()
    def ordered():
        things = [A(), B()]
        things.sort(key=lambda held: held.run())
    """
    found = project({"m.py": THINGS + text})
    assert reached(found.calls(), "main") == {"<lambda1>", "A.run", "<lambda2>", "one", "two"}
    assert reached(found.calls(), "ordered.<lambda1>") == {"A.run", "B.run"}
    assert found.how("m.py::ordered", "m.py::ordered.<lambda1>") == "callback"
