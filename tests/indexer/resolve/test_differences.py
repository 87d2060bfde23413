"""What of an edit other files can see: tables of edits, and what whole projects hold before and after random ones."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts, decode, encode, is_anonymous
from loregraph.indexer.resolve import operations, rules
from loregraph.indexer.resolve.differences import (
    Difference,
    Seen,
    difference,
    mentioned,
    mentions,
    passed_on,
    seen,
)
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import is_abstract
from loregraph.indexer.resolve.hierarchy import common_base
from loregraph.indexer.resolve.index import build_index
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.resolve.model import Class, FileIndex, Function, Scope
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.project import arrange
from loregraph.indexer.resolve.resolver import prepare
from loregraph.indexer.resolve.results import Returned
from loregraph.indexer.resolve.scoping import reaching

from .made_projects import LANGUAGES, projects
from .test_order import MADE, read

SUFFIXES = {"python": "py", "typescript": "ts", "javascript": "js", "java": "java", "go": "go", "ruby": "rb"}


def facts_of(language: str, text: str) -> FileFacts:
    return decode(encode(extract(f"a.{SUFFIXES[language]}", dedent(text).encode(), language)))


def told(language: str, before: str, after: str) -> Difference:
    return difference(facts_of(language, before), facts_of(language, after))


PYTHON = """\
    import os
    from shop import Base, helper as aid

    try:
        import fast
    except ImportError:
        fast = None

    LIMIT = 10


    def total(items, start=LIMIT):
        result = start
        for item in items:
            result += item.price
        return result


    def same(item):
        return item


    class Cart(Base):
        size = 3

        def add(self, item: Item) -> None:
            self.items = [item]
            total(self.items)

        @property
        def first(self):
            return self.items[0]
"""
SCRIPT = """\
    import {helper} from './shop';
    const limit = 10;
    export const shown = limit;
    export function total(items: Item[], start = 0) {
      let result = start;
      items.forEach(item => { result += item.price; });
      return result;
    }
    export class Cart extends Base {
      size = 3;
      add(item: Item): void { this.items = [item]; total(this.items); }
      get first() { return this.items[0]; }
    }
"""
JAVA = """\
    package acme;

    import java.util.List;

    public class Cart extends Base {
        int size = 3;
        List<Item> items;

        Cart() {}

        int total(List<Item> items) {
            int result = 0;
            for (Item item : items) { result += item.price(); }
            return result;
        }
    }
"""
GO = """\
    package cart

    import "fmt"

    type Item interface { Price() int }

    type Cart struct { Items []Item }

    func (c *Cart) Total(start int) int {
    \tresult := start
    \tfor _, item := range c.Items {
    \t\tresult += item.Price()
    \t}
    \treturn result
    }

    func show(c *Cart) { fmt.Println(c.Total(0)) }
"""

Edit = tuple[str, str, str, str, set[str], set[str], set[str]]
"""Language, text, what is replaced, by what, and the names, objects and types of the difference."""
EDITS: dict[str, Edit] = {
    "a local variable": (
        "python", PYTHON, "result = start", "result = start\n        more = 1", set(), set(), set(),
    ),
    "a call": ("python", PYTHON, "total(self.items)", "total(self.items)\n            aid()", set(), set(), set()),
    "an attribute that is read": ("python", PYTHON, "result += item.price", "item.cost.x", set(), set(), set()),
    "a lambda in a body": ("python", PYTHON, "result = start", "result = lambda: start", set(), set(), set()),
    "a comment at the top": ("python", PYTHON, "import os", "# cart\n    import os", set(), set(), set()),
    "a docstring": ("python", PYTHON, "size = 3", '"""A cart."""\n        size = 3', set(), set(), set()),
    "a new function": (
        "python", PYTHON, "def same", "def foo(a=LIMIT, b=fast):\n        return total(a)\n\n\n    def same", {"foo"},
        set(), set(),
    ),
    "a new member that is written": (
        "python", PYTHON, "self.items = [item]", "self.brand_new = self.items = [item]", {"brand_new"}, set(), set(),
    ),
    "a default": ("python", PYTHON, "start=LIMIT", "start=11", set(), {"total"}, set()),
    "a parameter's type": ("python", PYTHON, "item: Item", "item: Thing", set(), {"Cart.add"}, set()),
    "a return type": ("python", PYTHON, "-> None", "-> int", set(), {"Cart.add"}, set()),
    "a decorator": ("python", PYTHON, "def same", "@os.wrap\n    def same", {"same"}, {"same"}, set()),
    "a parameter that is handed back no more": (
        "python", PYTHON, "return item\n", "return str(item)\n", set(), {"same"}, set(),
    ),
    "a function that becomes a generator": (
        "python", PYTHON, "return result", "yield result", set(), {"total"}, set(),
    ),
    "a base": ("python", PYTHON, "Cart(Base)", "Cart(aid)", set(), {"Cart"}, {"Cart"}),
    "a value that a default names": ("python", PYTHON, "LIMIT = 10", "LIMIT = 11", {"LIMIT"}, {"total"}, set()),
    "an import that a base names": (
        "python", PYTHON, "import Base,", "import Other as Base,", {"Base"}, {"Cart"}, {"Cart"},
    ),
    "an import that nothing names": ("python", PYTHON, "import os", "import os, re", {"re"}, set(), set()),
    "a class attribute": ("python", PYTHON, "size = 3", "size = total([])", {"size"}, set(), set()),
    "one of several bindings": ("python", PYTHON, "fast = None", "fast = False", {"fast"}, set(), set()),
    "a block around others": ("python", PYTHON, "LIMIT = 10", "if os:\n        LIMIT = 10", set(), set(), set()),
    "a property that is one no more": (
        "python", PYTHON, "        @property\n", "", {"first"}, {"Cart.first"}, set(),
    ),
    "a constructor": (
        "python", PYTHON, "size = 3", "size = 3\n\n        def __init__(self): pass", {"__init__"}, {"Cart"}, set(),
    ),
    "a global that a body writes": (
        "python", PYTHON, "result = start", "global LIMIT\n        LIMIT = start", {"LIMIT"}, {"total"}, set(),
    ),
    "a function that is gone": (
        "python", PYTHON, "def same(item):\n        return item\n", "", {"same"}, {"same"}, set(),
    ),
    "functions in another order": (
        "python", "def a(): return []\ndef b(): return {}\n", "def a(): return []\ndef b(): return {}\n",
        "def b(): return {}\ndef a(): return []\n", set(), {"b"}, set(),
    ),
    "what a script's body calls": (
        "typescript", SCRIPT, "return result", "helper(); return result", set(), set(), set(),
    ),
    "a variable that is not exported": (
        "typescript", SCRIPT, "const limit", "const other = 1, limit", set(), set(), set(),
    ),
    "a variable that an export names": (
        "typescript", SCRIPT, "limit = 10", "limit = 'x'", {"shown"}, set(), set(),
    ),
    "an exported variable": ("typescript", SCRIPT, "shown = limit", "shown = helper", {"shown"}, set(), set()),
    "a script's new function": (
        "typescript", SCRIPT, "export class", "export function foo() {}\n    export class", {"foo"}, set(), set(),
    ),
    "a script's parameter": ("typescript", SCRIPT, "start = 0", "start = helper", set(), {"total"}, set()),
    "a script's class": ("typescript", SCRIPT, "extends Base", "extends Other", set(), {"Cart"}, {"Cart"}),
    "a script's written member": (
        "typescript", SCRIPT, "this.items = [item];", "this.items = [item]; item.cart = this;",
        {"cart"}, set(), set(),
    ),
    "a property that a call defines": (
        "javascript", "function f(o) { g(o); }\n", "g(o);", "Object.defineProperty(o, 'own', {});",
        {"own"}, set(), set(),
    ),
    "what a Java body calls": (
        "java", JAVA, "return result;", "show(result); return result;", set(), set(), set(),
    ),
    "a Java method": ("java", JAVA, "Cart() {}", "Cart() {}\n        void foo() {}", {"foo"}, set(), set()),
    "a Java parameter": (
        "java", JAVA, "total(List<Item> items)", "total(List<Item> items, int more)", set(), {"Cart.total"}, set(),
    ),
    "a Java constructor": ("java", JAVA, "Cart() {}", "Cart() {}\n        Cart(int x) {}", set(), {"Cart"}, set()),
    "a Java field's type": ("java", JAVA, "int size", "long size", {"size"}, set(), set()),
    "what a Go body calls": (
        "go", GO, "return result", "fmt.Println(result)\n    	return result", set(), set(), set(),
    ),
    "a Go function": ("go", GO, "func show", "func foo() {}\n\n    func show", {"foo"}, set(), set()),
    "a Go method": ("go", GO, "func show", "func (c *Cart) Foo() {}\n\n    func show", {"Foo"}, set(), {"Cart"}),
    "a Go method's parameters": (
        "go", GO, "Total(start int)", "Total(start, end int)", set(), {"Cart.Total"}, {"Cart"},
    ),
    "what a Go interface asks for": (
        "go", GO, "Price() int", "Price() int; Name() string", {"Name"}, set(), {"Item"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits(edit: Edit) -> None:
    language, text, old, new, names, objects, types = edit
    assert old in text
    found = told(language, text, text.replace(old, new, 1))
    assert (found.names, found.objects, found.types, found.why) == (names, objects, types, ())


def test_what_concerns_all_files() -> None:
    for language, before, after in (
        ("python", "x = 1\n", "x = 1\n__all__ = ['x']\n"),
        ("python", "x = 1\n", "x = 1\nfrom os import *\n"),
        ("python", "class A: pass\n", "class A:\n    def __get__(self, obj, cls): return obj\n"),
        ("typescript", "const x = 1;\n", "export const x = 1;\n"),
        ("typescript", "export const x = 1;\n", "export const x = 1;\nexport * from './y';\n"),
        ("javascript", "function f(o) { g(o, {}); }\n", "function f(o) { Object.assign(o, {}); }\n"),
        ("java", "package a;\nclass A {}\n", "package b;\nclass A {}\n"),
        ("go", "package a\n", "package b\n"),
        ("ruby", "def a\n  b\nend\n", "def a\n  c\nend\n"),
    ):
        assert told(language, before, after).everything, (before, after)
        assert not told(language, before, before)
        assert not told(language, after, after)


def test_a_list_of_what_is_published_tells_its_names() -> None:
    found = told(
        "python",
        "__all__ = ['a']\ndef a(): pass\ndef b(): pass\n",
        "__all__ = ['a', 'b']\ndef a(): pass\ndef b(): pass\n",
    )
    assert found.names == {"__all__", "b"}
    assert not found.everything


def test_literals_in_bodies_say_nothing() -> None:
    """Not even where their members may be copied onto types: that is recorded when it happens."""
    assert not told(
        "javascript", "export function f() { return {a: 1}; }\n", "export function f() { return {b: 1}; }\n"
    )


def test_numbers_of_calls_and_functions_say_nothing() -> None:
    """A call and a lambda that come before others."""
    text = "def early():\n    pass\n\n\ndef late(x=make(lambda y: y)):\n    pass\n\n\nTABLE = [make(1), lambda: 2]\n"
    assert not told("python", text, text.replace("pass", "make(make(lambda: 3))", 1))
    assert told("python", text, text.replace("make(1)", "make(2)")).names == {"TABLE"}


def test_the_place_of_a_definition_among_several_bindings_counts() -> None:
    before = "x = A\ndef f(a=x): pass\nx = B\ndef g(a=x): pass\n"
    moved = "x = A\nx = B\ndef f(a=x): pass\ndef g(a=x): pass\n"
    assert told("python", before, moved).objects == {"f"}
    assert told("python", before, before.replace("x = B", "y = C\nx = B")).objects == set()


def test_names_are_passed_on_by_what_stands_for_them() -> None:
    def read_of(language: str, text: str) -> Seen:
        facts = facts_of(language, text)
        return seen(build_index(facts, policy_of(language)))

    python = read_of(
        "python", "from a import X as Y, Z\nW = Y\nclass C(W): pass\ndef f(x: Z): pass\ndef g(): return Y\n"
    )
    found = passed_on(python, {"X"})
    assert (found.names, found.objects, found.types) == ({"Y", "W"}, {"C"}, {"C"})
    assert passed_on(python, {"Z"}).objects == {"f"}
    assert not passed_on(python, {"other"})
    script = read_of("typescript", "import {a} from './a';\nexport {a as b};\nexport default a;\n")
    assert passed_on(script, {"a"}).names == {"b", "default"}


def test_mentions() -> None:
    text = """\
        import shop.cart as cart
        def f(key, fixture_name, *, word=None):
            getattr(key, "by_text")
            made = call(named=1)[0] + cart.member
            x: "List[Quoted]" = None
        """
    kept = mentions(facts_of("python", text))
    mentioned_names = "shop cart fixture_name word by_text named member Quoted __add__ __getitem__ ="
    for name in mentioned_names.split():
        assert mentioned(kept, [name]), name
    for name in ("other", "__sub__", "__init_subclass__", "shop.other"):
        assert not mentioned(kept, [name]), name
    assert mentioned(kept, ["other", "member"])
    assert mentioned(kept, ["shop.cart"])
    assert mentioned(kept, ["<|>"])
    assert not mentioned(mentions(facts_of("python", "x = 1\n")), ["="])


def test_facts_that_nobody_extracted_end() -> None:
    """Calls that are their own arguments, and expressions too deep to follow."""
    for text in ("def g(x=f()): pass\nx = 1\n", "x = 1\ny.z = f()\nx = f()\n"):
        facts = facts_of("python", text)
        circle = msgspec.structs.replace(facts.calls[0], arguments=(("c", 0),))
        own = msgspec.structs.replace(facts, calls=(circle, *facts.calls[1:]))
        assert not difference(own, own)
    facts = facts_of("python", "x = 1\n")
    deep: Any = ("n", "y")
    for _ in range(200):
        deep = ("w", deep)
    first = msgspec.structs.replace(facts.assignments[0], value=deep)
    one = msgspec.structs.replace(facts, assignments=(first,))
    assert difference(one, msgspec.structs.replace(one, content_hash="other")).everything


def test_what_is_seen_can_be_kept() -> None:
    made = seen(build_index(facts_of("python", PYTHON), policy_of("python")))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=Seen) == made


# Whole projects: whatever the difference does not name is the same before and after


def engine_of(facts: Mapping[str, FileFacts], layout: Layout) -> Engine:
    index = {path: build_index(held, policy_of(held.language)) for path, held in sorted(facts.items())}
    engine = Engine(arrange(index, layout), rules.evaluate, common_base)
    prepare(engine, index.values())
    return engine


def written(file: FileIndex, expr: Any) -> Any:
    """An expression with what its numbers stand for."""
    if isinstance(expr, Function):
        return expr.definition.qualname
    if not isinstance(expr, tuple | list):
        return expr
    if expr and expr[0] == "c":
        call = file.facts.calls[expr[1]]
        return ("c", *(written(file, part) for part in (call.function, call.arguments, call.keywords)))
    if expr and expr[0] == "f":
        return ("f", file.facts.definitions[expr[1]].qualname)
    return tuple(written(file, part) for part in expr)


def declared(file: FileIndex, number: int) -> Any:
    """What a function or type is declared as, and how it gives back what it was given."""
    definition = file.facts.definitions[number]
    function = file.functions.get(number)
    parameters = [(p.name, p.kind, written(file, p.type), written(file, p.default)) for p in definition.parameters]
    parts: list[Any] = [
        definition.kind, definition.flags, parameters, written(file, definition.returns),
        written(file, definition.decorators), written(file, definition.owner), definition.type_parameters,
        [(written(file, base.type), base.relation) for base in definition.bases],
    ]  # fmt: skip
    if function is not None:
        parts += [
            function.receives, function.lists_receiver, function.generator, set(Returned(function).passed),
            is_abstract(function), [s.id for s in function.signatures],
        ]  # fmt: skip
    else:
        parts += [f.id for f in file.constructors.get(number, ())]
    return parts


def placed(cls: Class) -> Any:
    """A type's place among the others, and its members outside its body."""
    order = [base.id if isinstance(base, Class) else base.path for base in cls.mro or ()]
    extra = {name: {f.id for f in functions} for name, functions in cls.extra.items()}
    return cls.abstract, order, {sub.id for sub in cls.subclasses}, extra


def bound(scope: Scope, name: str) -> Any:
    """What a name may hold once its scope has run."""
    file = scope.file
    found = []
    for binding in reaching(scope, name, None)[0]:
        held = binding.payload
        if isinstance(held, int):
            held = file.facts.definitions[held].qualname
        elif hasattr(held, "module"):
            held = (held.module, held.level, held.name, held.kind)
        found.append((binding.kind, binding.foreign, written(file, held), written(file, binding.type)))
    return found


def names_of(file: FileIndex) -> dict[tuple[str, str], Any]:
    """(type or namespace, name) → what it holds, of all that is at definition level."""
    found: dict[tuple[str, str], Any] = {}
    for scope in file.scopes:
        if scope.definition is None or not scope.definition.is_function:
            around = scope.definition.qualname if scope.definition is not None else ""
            found.update({(around, name): bound(scope, name) for name in scope.bindings})
    for name, bindings in file.exports.items():
        found["=exports", name] = [(b.kind, str(written(file, b.payload))) for b in bindings if b.kind == 2]
    return found


def aggregates(engine: Engine, language: str) -> Any:
    """What of all files together decides what an expression may run."""
    known = operations.ImplicitCallNames(engine, policy_of(language))
    project = engine.project
    members = {name for name in project.member_names if not is_anonymous(name)}
    return members, set(project.stored_names), project.mixing, known.names, known.operators, known.hook


def assert_told(old: Engine, new: Engine, path: str, found: Difference) -> None:
    before, after = old.project.files[path], new.project.files[path]
    language = after.facts.language
    if not found:
        assert aggregates(old, language) == aggregates(new, language)
        for file in old.project.files.values():
            other = new.project.files[file.path]
            known = {cls.id: placed(cls) for cls in other.classes.values()}
            for cls in file.classes.values():  # one that is new in a body and has no supertype is nobody's concern
                assert placed(cls) == known[cls.id]
            owners = {f.id: f.owner.id if f.owner is not None else "" for f in other.functions.values()}
            for function in file.functions.values():
                if function.id in owners:
                    assert owners[function.id] == (function.owner.id if function.owner is not None else "")
    if found.everything:
        return
    numbers = {d.qualname: number for number, d in enumerate(after.facts.definitions)}
    for number, definition in enumerate(before.facts.definitions):
        path_of = definition.qualname
        if path_of not in found.objects:
            assert path_of in numbers, path_of
            assert declared(before, number) == declared(after, numbers[path_of]), path_of
    one, other_names = names_of(before), names_of(after)
    exported = bool(before.exports) and after.policy.modules.module_exports
    for key in one.keys() | other_names.keys():
        if one.get(key) != other_names.get(key) and not (exported and not key[0]):
            assert key[1].removesuffix("()") in found.names, key
    own, others = aggregates(old, language), aggregates(new, language)
    assert (own[0] ^ others[0]) | (own[1] ^ others[1]) <= found.names
    assert own[2] == others[2]


def edited(text: str, pick: random.Random) -> str:
    """A text with a few lines or words taken out, moved, doubled or put in the place of others."""
    lines = text.splitlines()
    for _ in range(pick.randint(1, 3)):
        at, to = pick.randrange(len(lines)), pick.randrange(len(lines))
        change = pick.randrange(6)
        if change == 0:
            del lines[at]
        elif change == 1:
            lines.insert(to, lines[at])
        elif change == 2:
            lines[at], lines[to] = lines[to], lines[at]
        elif change == 3:
            indent = re.match(r"\s*", lines[to])
            lines.insert(to, (indent[0] if indent is not None else "") + lines[at].strip())
        else:
            words = re.findall(r"\w+", lines[at])
            others = re.findall(r"\w+", lines[to])
            if words and others:
                lines[at] = lines[at].replace(pick.choice(words), pick.choice(others), pick.randint(1, 2))
        lines = lines or [""]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_difference_does_not_name_is_the_same(language: str) -> None:
    @settings(MADE, max_examples=3)
    @given(projects(language), st.randoms(use_true_random=False))
    def judge(files: dict[str, str], pick: random.Random) -> None:
        path = pick.choice(sorted(p for p in files if files[p] and "." in p and not p.endswith(".mod")))
        changed = {**files, path: edited(files[path], pick)}
        with TemporaryDirectory() as folder:
            facts, layout = read(Path(folder), files)
            again, _ = read(Path(folder), changed)
        found = difference(facts[path], again[path])
        assert_told(engine_of(facts, layout), engine_of(again, layout), path, found)

    judge()
