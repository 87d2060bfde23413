"""Names lead back to what they were given to: in an engine that has computed nothing, and after edits elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from loregraph.indexer.discover.layout import ProjectLayout
from loregraph.indexer.facts import UNKNOWN, Call, Definition, FileFacts
from loregraph.indexer.resolve import resolver
from loregraph.indexer.resolve.calls import CallCell, Linking
from loregraph.indexer.resolve.containers import Spread
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.fact_names import CALL, FileNames
from loregraph.indexer.resolve.index import build_index
from loregraph.indexer.resolve.items import Keyed
from loregraph.indexer.resolve.model import Cell, Container, FieldCell
from loregraph.indexer.resolve.names import Variable
from loregraph.indexer.resolve.naming import Names, UnknownNameError, UnnameableError
from loregraph.indexer.resolve.object_properties import Definitions
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.stores import StoreTask

from .renaming import facts_of, layout_of, sources_in
from .solving import NotingEngine, families, prepared, solved
from .test_order import FOLDERS, read

TASKS = (Definitions, Keyed, Linking, Spread, StoreTask)

PYTHON = {
    "app/shapes.py": """
        import functools
        from app.tools import logged, Registry

        DEFAULTS = {"small": 1, **EXTRA}

        def area(shape, scale=[1, 2], *rest, **options):
            first, *others = [shape, scale, shape]
            for name, part in zip(shape.parts(), rest):
                part.grow(name)
            return others[1:]

        def each(shape):
            yield shape
            yield from each(shape.made)

        class Shape:
            kinds = dict(round=area)

            def __init__(self, made):
                self.made = made
                self["key"] = made

            def __setitem__(self, key, value):
                self.held = value

            @logged
            @functools.lru_cache(8)
            def parts(self):
                found = list(each(self))
                found[0].grow(self.kinds["round"](self, found))
                return found

            @property
            def size(self):
                return len(self.made)

            def __len__(self):
                return area(self, *self.made, **self.kinds)

            def grow(self, by):
                double = functools.partial(area, self, [by])
                sizes = list(map(double, [Shape([1]), Shape([2])]))
                base = super()
                return double(sizes[0]).size + base.grow(by)

        Registry().add(Shape([area]))
        """,
    "app/tools.py": """
        def logged(function):
            function.seen = True
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        class Registry(dict):
            def add(self, thing):
                for held in self.all():
                    held.grow(thing)
                self.things.append(thing)
                return self.things.pop()

            things = []
            def all(self):
                return {thing: thing for thing in self.things}.items()
        """,
}
SCRIPT = {
    "lib/store.js": """
        const { merge, Base } = require("./base");
        function Store(options, { first, second } = {}) {
            this.options = merge({}, options, ...arguments);
            Base.call(this, first);
            merge.apply(null, [second, this]);
        }
        Object.defineProperty(Store.prototype, "name", { get: function () { return this.options; } });
        Object.assign(Store.prototype, { load(...keys) { return keys.map((key) => this.options[key]()).slice(1); } });
        const later = new Store({ run() { return later.name; } }, { first: Store });
        later.load("run").forEach((found) => found.bind(later)());
        module.exports = Store;
        """,
    "lib/base.js": """
        export function merge(target, ...sources) {
            sources.forEach((source) => { target.made = source; });
            return target;
        }
        export class Base { constructor(kind) { this.kind = kind; } }
        """,
    "lib/use.js": """
        const Store = require("./store");
        import { load } from "./store";
        new Store({ a: () => load("b") }).load("a");
        load("c");
        """,
}


def named(engine: NotingEngine) -> dict[Any, Any]:
    """Every cell that was started or got values in an engine, every value in them, and their names."""
    names = Names(engine)
    things: dict[Any, None] = dict.fromkeys(cell for cell in engine.noted if not isinstance(cell, TASKS))
    for cell in list(things):
        things.update(dict.fromkeys(cell.values))
    return {thing: names.name(thing) for thing in things}


def waiting(engine: Engine) -> tuple[int, ...]:
    """How much an engine has done and has yet to do."""
    queued = (engine._effects, engine._additions, engine._ranked, engine._queue, engine._starts, engine.fresh)
    return (*map(len, queued), engine.cells, engine.runs)


def sent(engine: Engine) -> Iterator[tuple[Any, Any, Any]]:
    """(file, call, None) of all links, (file, site, expression) of all that is written to members."""
    for file in engine.project.files.values():
        for function in file.functions.values():
            for link in function.links:
                if link.call is not None:
                    yield link.file, link.call, None
    for cell in list(engine.noted) if isinstance(engine, NotingEngine) else ():
        if isinstance(cell, FieldCell):
            yield from cell.sources


def assert_found_again(facts: Mapping[str, FileFacts], layout: ProjectLayout) -> set[str]:
    """Asserts that everything has a name of its own that leads to the like of it; gives the kinds of names."""
    engine = solved(facts, layout)
    found = named(engine)
    assert len(set(found.values())) == len(found)
    fresh = prepared(facts, layout)
    before = waiting(fresh)
    there, back, here = Names(fresh), Names(fresh), Names(engine)
    for thing, name in found.items():
        again = there.find(name)
        assert type(again) is type(thing)
        assert back.name(again) == name
        assert here.find(name) is thing or here.name(here.find(name)) == name
    for file, site, expr in sent(engine):
        name = here.site(file, site)
        other, place = there.find_site(name)
        assert back.site(other, place) == name
        if expr is not None:
            written = here.expression(file, site, expr)
            assert back.expression(other, place, there.find_expression(other, written, place)) == written
    assert waiting(fresh) == before
    kinds: set[str] = set()
    rest = list(found.values())
    while rest:
        part = rest.pop()
        kinds |= {inner for inner in part if type(inner) is str}
        rest += [inner for inner in part if type(inner) is tuple]
    return kinds


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_in_a_fixture_is_found_again_by_its_name(folder: Path) -> None:
    sources, paths = sources_in(folder)
    facts = facts_of(sources)
    layout = layout_of(folder, paths, facts)
    assert facts
    for own in families(facts):
        assert_found_again(own, layout)


@pytest.mark.parametrize(
    ("files", "kinds"),
    [
        (
            PYTHON,
            {
                "bound", "call", "dict", "every", "expression", "external", "field", "function", "generator",
                "instance", "list", "method", "parameter", "partial", "rest", "result", "returned", "slice", "super",
                "tuple", "variable", "wrapped", "written", "yielded",
            },
        ),
        (SCRIPT, {"function method", "given", "made", "map", "slice", "whole", "whole member", "written"}),
    ],
    ids=["python", "javascript"],
)  # fmt: skip
def test_what_libraries_and_syntax_make_is_found_again(tmp_path: Path, files: dict[str, str], kinds: set[str]) -> None:
    facts, layout = read(tmp_path, {path: dedent(text) for path, text in files.items()})
    assert kinds <= assert_found_again(facts, layout)


def test_what_was_found_before_it_is_made_changes_no_answer(tmp_path: Path) -> None:
    facts, layout = read(tmp_path, {path: dedent(text) for path, text in PYTHON.items()})
    expected = solved(facts, layout)
    held = {name: frozenset(map(Names(expected).name, thing.values)) for thing, name in named(expected).items()
            if thing in expected.noted}  # fmt: skip
    early = prepared(facts, layout)
    names = Names(early)
    everything = list(named(expected).values())
    cells = {name: names.find(name) for name in everything}
    resolver.demand(early, early.project.files.values())
    early.run()
    assert early.rounds == expected.rounds
    for name, values in held.items():
        cell: Any = cells[name]
        assert frozenset(map(names.name, cell.values)) == values, name


# Stability

BEFORE = """
    import os

    class Store:
        def __init__(self, path, kinds=["a"]):
            self.path = path
            self.parts = {"first": os.open(path), "rest": [path]}

        def load(self, name):
            found = self.read(name, {"strict": True})
            self.check(found)
            self.check(found)
            for part in found.parts():
                part.close(lambda: self.check(part))
            return found

        def read(self, name, options):
            return Store(name)

        def check(self, found):
            return found.load(str(found))

    def main():
        store = Store("here")
        return store.load("name").check(store.read("x", {}))
    """


def lines_of(thing: Any, text: str) -> list[str]:
    """The source lines that something stands at."""
    lines = text.split("\n")
    if isinstance(thing, CallCell):
        return [lines[thing.call.line - 1]]
    if isinstance(thing, Container) and thing.origin[0] == "literal" and hasattr(thing.origin[2], "line"):
        return [lines[thing.origin[2].line - 1]]
    if isinstance(thing, Variable):
        return [lines[b.site.line - 1] for b in thing.bindings if hasattr(b.site, "line")]
    return []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        found = self.read(", "        print(name, [len(name)])\n        found = self.read("),
        ("class Store:", "def newer(x=[1]):\n    return [f(x) for f in x]\n\nclass Store:"),
        ("    def __init__(", "    def before(self):\n        return self.load(lambda: 1)\n\n    def __init__("),
        ("import os", "import sys\nimport os\nsys.exit(sys.argv[1])"),
        (
            "        return Store(name)",
            "        if name:\n            options = dict(name)\n        return Store(name)",
        ),
    ],
    ids=["statement", "function", "method", "module code", "block"],
)
def test_an_edit_elsewhere_renames_nothing(tmp_path: Path, old: str, new: str) -> None:
    before = dedent(BEFORE)
    after = before.replace(old, new, 1)
    assert after != before
    old_facts, layout = read(tmp_path, {"store.py": before})
    new_facts, _ = read(tmp_path, {"store.py": after})
    names = Names(prepared(new_facts, layout))
    found = named(solved(old_facts, layout))
    told = 0
    for thing, name in found.items():
        again = names.find(name)
        assert type(again) is type(thing)
        expected = lines_of(thing, before)
        told += len(expected)
        assert lines_of(again, after) == expected
    assert told > 15


@pytest.mark.parametrize(
    ("old", "new", "scope"),
    [
        ('{"strict": True}', '{"strict": True, "more": name}', "Store.load"),
        ("self.read(name, ", "self.read(path, ", "Store.load"),
        ("part.close(", "part.end(", "Store.load"),
    ],
)
def test_a_changed_call_has_another_name_and_all_else_keeps_its_own(
    tmp_path: Path, old: str, new: str, scope: str
) -> None:
    before = dedent(BEFORE)
    old_facts, layout = read(tmp_path, {"store.py": before})
    new_facts, _ = read(tmp_path, {"store.py": before.replace(old, new, 1)})
    engine = solved(old_facts, layout)
    names = Names(prepared(new_facts, layout))
    lost = []
    for thing, name in named(engine).items():
        try:
            names.find(name)
        except UnknownNameError:
            lost.append((thing, name))
    assert any(isinstance(thing, CallCell) for thing, _ in lost)
    assert all(scope in repr(name) for _, name in lost)


# Hashes of facts


def numbered(*calls: Call) -> FileNames:
    facts = FileFacts(
        "a.py", "python", "", 1, "ok", definitions=(Definition("f", "f", "function", -1, 1, 9, 0, 99),), calls=calls
    )
    return FileNames(build_index(facts, policy_of("python")))


def test_calls_within_calls_count_by_what_they_say() -> None:
    plain = numbered(Call(0, 1, 5, -1, ("n", "g")), Call(0, 1, 1, -1, ("a", ("c", 0), "h")))
    moved = numbered(
        Call(0, 1, 1, -1, ("n", "first")),
        Call(0, 2, 5, -1, ("n", "g")),
        Call(0, 2, 1, -1, ("a", ("c", 1), "h")),
    )
    other = numbered(Call(0, 1, 5, -1, ("n", "k")), Call(0, 1, 1, -1, ("a", ("c", 0), "h")))
    name, again, changed = (f.fact(CALL, f.file.facts.calls[-1]) for f in (plain, moved, other))
    assert name == again
    assert name != changed
    assert moved.find_fact(CALL, *name) is moved.file.facts.calls[2]
    with pytest.raises(UnknownNameError):
        other.find_fact(CALL, *name)


def test_equal_calls_are_told_apart_by_their_number() -> None:
    twice = numbered(Call(0, 1, 5, -1, ("n", "g")), Call(0, 2, 9, -1, ("n", "g")), Call(-1, 9, 99, -1, ("n", "g")))
    names = [twice.fact(CALL, call) for call in twice.file.facts.calls]
    assert len(set(names)) == 3
    assert names[0][:2] == names[1][:2]


def test_calls_within_one_another_without_end_have_names() -> None:
    chain = [Call(0, 1, 0, -1, ("n", "g"))] + [Call(0, 1, i, -1, ("a", ("c", i - 1), "m")) for i in range(1, 5000)]
    backwards = [Call(0, 1, i, -1, ("a", ("c", i + 1), "m")) for i in range(4999)] + [Call(0, 1, 0, -1, ("n", "g"))]
    assert numbered(*chain).fact(CALL, chain[-1]) == numbered(*backwards).fact(CALL, backwards[0])
    circle = [Call(0, 1, 0, -1, ("c", 1)), Call(0, 1, 0, -1, ("c", 0)), Call(0, 1, 0, -1, ("c", 7))]
    files = numbered(*circle)
    assert len({files.fact(CALL, call) for call in circle}) == 3


# What is no name


def changed(name: Any, parts: list[Any], chance: random.Random) -> Any:
    """`name` with something in it replaced, left out or added."""
    if type(name) is tuple and name and chance.random() < 0.8:
        at = chance.randrange(len(name))
        how = chance.random()
        if how < 0.1:
            return name[:at] + name[at + 1 :]
        if how < 0.2:
            return (*name[:at], chance.choice(parts), *name[at:])
        return (*name[:at], changed(name[at], parts, chance), *name[at + 1 :])
    return chance.choice(parts)


@pytest.mark.parametrize("files", [PYTHON, SCRIPT], ids=["python", "javascript"])
def test_whatever_is_no_name_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    facts, layout = read(tmp_path, {path: dedent(text) for path, text in files.items()})
    engine = solved(facts, layout)
    here = Names(engine)
    known = list(named(engine).values())
    for file, site, expr in sent(engine):
        known.append(here.site(file, site))
        if expr is not None:
            known.append(here.expression(file, site, expr))
    odd = [None, True, -1, 0, 1, 1 << 31, 1 << 90, "", "\ud800", (), ("x",), [1], {}, 3.5, b"x", object()]
    parts = [*odd, *(part for name in known for part in name)]
    fresh = prepared(facts, layout)
    before = waiting(fresh)
    names = Names(fresh)
    file = next(iter(fresh.project.files.values()))
    chance = random.Random(13)
    refused = 0
    for _ in range(1200):
        name = changed(chance.choice(known), parts, chance)
        for find in (names.find, names.find_call, names.find_site, partial(names.find_expression, file, site=None)):
            try:
                find(name)
            except UnknownNameError:
                refused += 1
    assert refused > 1000
    assert waiting(fresh) == before


def test_names_too_deep_are_refused(tmp_path: Path) -> None:
    facts, layout = read(tmp_path, {"a.py": "def f():\n    pass\n"})
    names = Names(prepared(facts, layout))
    name: Any = ("function", "a.py", "f")
    assert names.name(names.find(("same", name))) == ("same", name)
    for _ in range(100_000):
        name = ("same", name)
    for find in (names.find, names.find_call, names.find_site):
        with pytest.raises(UnknownNameError):
            find(name)


def test_what_is_no_object_of_resolution_has_no_name(tmp_path: Path) -> None:
    facts, layout = read(tmp_path, {"a.py": "f()\n"})
    engine = prepared(facts, layout)
    names = Names(engine)
    with pytest.raises(UnnameableError):
        names.name("f")
    with pytest.raises(UnnameableError):
        names.name(Cell(engine.project.files["a.py"]))
    with pytest.raises(UnnameableError):
        names.call(engine.project.files["a.py"], Call(-1, 1, 0, -1, UNKNOWN))
