"""What resolution finds does not depend on any order: of files, of work, of hashes, of paths.

`resolve` is handed a generator that shuffles all whose order must not matter; limits of one to three values a cell make
every choice among values a hard one.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from loregraph.graph.model import Edge
from loregraph.indexer.discover.layout import ProjectLayout
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import registry
from loregraph.indexer.resolve import Limits, Resolution, resolve

from .made_projects import LANGUAGES, projects
from .renaming import Found, RenamedLayout, Renaming, facts_of, found_by, last, layout_of, sources_in

FIXTURES = Path(__file__).parents[3] / "fixtures"
ALL_LIMITS = (Limits(1, 1, 1), Limits(2, 2, 2), Limits(3, 3, 3), Limits())
UNLIMITED = Limits(10_000, 10_000, 10_000)
MADE = settings(
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
FOLDERS = sorted(
    [*(FIXTURES / "languages").iterdir(), *(FIXTURES / "requirements").iterdir(), FIXTURES / "gates" / "base"]
)


def sources_of(files: Mapping[str, str]) -> dict[str, tuple[str, bytes]]:
    """Path → (language, text) of those of `files` that are code."""
    return {
        path: (language, text.encode())
        for path, text in files.items()
        if (language := registry.by_path(path)) is not None and language in registry.SUPPORTED
    }


def read(root: Path, files: Mapping[str, str]) -> tuple[dict[str, FileFacts], ProjectLayout]:
    """Facts and layout of files given as path → text; of these only packaging files are written below `root`."""
    sources = sources_of(files)
    for path in files.keys() - sources.keys():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(files[path])
    facts = facts_of(sources)
    return facts, layout_of(root, files, facts)


def differing(expected: Found, found: Found) -> list[str]:
    """What of edges and external symbols differs; empty where nothing does."""
    edges, symbols = expected
    other_edges, other_symbols = found
    told = [
        f"{' '.join(key)}: {said(edges.get(key))}, then {said(other_edges.get(key))}"
        for key in sorted(edges.keys() | other_edges.keys())
        if edges.get(key) != other_edges.get(key)
    ]
    names = sorted(name for name in symbols.keys() | other_symbols if symbols.get(name) != other_symbols.get(name))
    return told + [f"{name}: {symbols.get(name)}, then {other_symbols.get(name)}" for name in names]


def said(edge: Edge | None) -> str:
    return f"{edge.how or 'there'} at line {edge.line}, {edge.count} times {edge.names}" if edge is not None else "none"


def assert_same(expected: Resolution, again: Resolution) -> None:
    assert differing(found_by(expected), found_by(again)) == []
    # The counts of calls as well, and everything in the same order.
    assert again.externals == expected.externals
    assert dict(sorted(again.files.items())) == dict(sorted(expected.files.items()))


def assert_any_order_gives_the_same(
    facts: Mapping[str, FileFacts], layout: ProjectLayout, limits: Limits, seeds: range
) -> None:
    expected = resolve(facts, layout, limits=limits)
    for seed in seeds:
        assert_same(expected, resolve(facts, layout, limits=limits, order=random.Random(seed)))


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("language", LANGUAGES)
def test_made_projects_resolve_alike_in_any_order(tmp_path: Path, language: str) -> None:
    # What fails is not made smaller here: that takes minutes. Add `Phase.shrink` to see a small project.
    @settings(MADE, max_examples=24)
    @given(files=projects(language), seed=st.integers(0, 1000))
    def check(files: Mapping[str, str], seed: int) -> None:
        facts, layout = read(tmp_path, files)
        for limits in ALL_LIMITS:
            assert_any_order_gives_the_same(facts, layout, limits, range(seed, seed + 2))

    check()


@pytest.mark.parametrize("language", LANGUAGES)
def test_made_projects_hold_what_the_property_is_about(tmp_path: Path, language: str) -> None:
    """Calls through values, and cells that are full: without both, the property above says little."""
    found: set[str] = set()
    full = False

    @settings(MADE, max_examples=6)
    @given(files=projects(language))
    def gather(files: Mapping[str, str]) -> None:
        nonlocal full
        facts, layout = read(tmp_path, files)
        wide, narrow = (found_by(resolve(facts, layout, limits=limits))[0] for limits in (Limits(), Limits(1, 1, 1)))
        found.update(edge.how for edge in wide.values() if not edge.target.startswith("external:"))
        full = full or wide.keys() != narrow.keys()

    gather()
    # Java and Go follow no values into parameters: there an instance has its declared type.
    typed = {"java": {"declared-type", "interface"}, "go": {"declared-type", "interface"}}
    assert typed.get(language, {"value", "inferred-type"}) <= found
    assert full


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.relative_to(FIXTURES).as_posix())
def test_fixtures_resolve_alike_in_any_order_and_under_other_paths(folder: Path) -> None:
    sources, paths = sources_in(folder)
    facts = facts_of(sources)
    layout = layout_of(folder, paths, facts)
    assert facts
    for limits in (Limits(2, 2, 2), Limits()):
        assert_any_order_gives_the_same(facts, layout, limits, range(2))
    expected = resolve(facts, layout)
    for top in sorted({path.partition("/")[0] for path in sources if "/" in path}):
        renaming = Renaming(top, last(top), paths)
        found = resolve(facts_of(renaming.sources(sources)), RenamedLayout(layout, renaming))
        assert differing(found_by(expected), found_by(found, renaming)) == []


DIGEST = """
import hashlib, sys
from pathlib import Path

import msgspec

sys.path.insert(0, sys.argv[1])
from renaming import facts_of, layout_of, sources_in

from loregraph.indexer.resolve import Limits, resolve

root = Path(sys.argv[2])
sources, paths = sources_in(root)
facts = facts_of(sources)
assert len(facts) > 20
for limits in (Limits(), Limits(2, 2, 2)):
    found = resolve(facts, layout_of(root, paths, facts), limits=limits)
    print(hashlib.sha256(msgspec.msgpack.encode((found.files, found.externals))).hexdigest())
"""


# Verifies REQ-IDX-015.
def test_hashes_of_strings_do_not_matter() -> None:
    def digests(seed: str) -> str:
        command = [sys.executable, "-c", DIGEST, str(Path(__file__).parent), str(FIXTURES / "languages")]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    first = digests("1")
    assert len(first.split()) == 2
    assert digests("2") == first


# Renaming: a choice by path would fall on others when `a` becomes `z/a`.


def assert_renaming_changes_nothing(
    root: Path, files: Mapping[str, str], limits: Limits, folder: str = "a"
) -> Resolution:
    facts, layout = read(root, files)
    expected = resolve(facts, layout, limits=limits)
    renaming = Renaming(folder, last(folder), files)
    moved = facts_of(renaming.sources(sources_of(files)))
    found = resolve(moved, RenamedLayout(layout, renaming), limits=limits)
    assert differing(found_by(expected), found_by(found, renaming)) == []
    return expected


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nothing_is_cut_paths_choose_nothing(tmp_path: Path, language: str) -> None:
    """Of values that nothing tells apart but their paths, a full cell may keep the first: so no cell is full here."""

    @settings(MADE, max_examples=24)
    @given(files=projects(language), seed=st.integers(0, 1000))
    def check(files: Mapping[str, str], seed: int) -> None:
        assert_renaming_changes_nothing(tmp_path, files, UNLIMITED)
        facts, layout = read(tmp_path, files)
        assert_any_order_gives_the_same(facts, layout, UNLIMITED, range(seed, seed + 1))

    check()


def in_two_folders(texts: Mapping[str, str], suffix: str) -> dict[str, str]:
    """Files by their stems, one in `a`, the next in `m`, …: `a/<stem>.<suffix>`."""
    return {f"{'am'[number % 2]}/{stem}.{suffix}": text for number, (stem, text) in enumerate(texts.items())}


def python_crowd(count: int, made: str, hub: str) -> dict[str, str]:
    """`made` (with its number for `@`) in `count` files of two folders, all of which use the hub in a third."""
    texts = {f"f{number:02}": "import hub\n" + made.replace("@", f"{number:02}") for number in range(count)}
    return {**in_two_folders(texts, "py"), "hub.py": hub}


CROWDS = {
    "instances of unrelated classes": python_crowd(
        14, "class C@:\n    def go(self): pass\nhub.take(C@())\n", "def take(x): x.go()\n"
    ),
    "instances of classes with two bases in common": python_crowd(
        14,
        "class C@(hub.One, hub.Two):\n    def go(self): pass\nclass D@(hub.Two, hub.One): pass\n"
        "hub.take(C@())\nhub.take(D@())\n",
        "class One:\n    def go(self): pass\nclass Two:\n    def go(self): pass\n    def stay(self): pass\n"
        "def take(x):\n    x.go()\n    x.stay()\n",
    ),
    "one field that all fill": python_crowd(
        14,
        "class C@:\n    def go(self): pass\nhub.HELD.slot = C@()\n",
        "class Held:\n    def use(self): self.slot.go()\nHELD = Held()\n",
    ),
    "containers": python_crowd(
        9,
        "def f@(): pass\nXS@ = [f@]\nhub.take(XS@)\n",
        "def take(xs):\n    for x in xs[0:1]: x()\n    xs[0]()\n",
    ),
    "keys": python_crowd(
        9, "def f@(): pass\nhub.MAP['k@'] = f@\nhub.call('k@')\n", "MAP = {}\ndef call(key): MAP[key]()\n"
    ),
    "functions": python_crowd(
        70,
        "def f@(): return hub.Item()\nhub.take(f@)\nhub.FS.append(f@)\n",
        "FS = []\nclass Item:\n    def go(self): pass\ndef take(f): f().go()\n",
    ),
    "functions, kept by a name": python_crowd(
        70, "def f@(x): return x\nhub.take(f@)\nclass C@: pass\nf@(C@)\n", "def take(f): return f(f)\n"
    ),
    "overriding methods": python_crowd(
        26, "class C@(hub.Base):\n    def go(self): return self\n", "class Base:\n    def go(self): raise"
        " NotImplementedError\ndef use(x: Base): x.go().go()\n",
    ),
    "heirs of a container": python_crowd(
        70, "def f@(): pass\nXS@ = [*hub.XS, f@]\nXS@[0]()\nXS@[1]()\n", "def first(): pass\nXS = [first]\n"
    ),
    "decorators under one name": python_crowd(
        10,
        "def deco@(f):\n    def inner@(): return f()\n    return inner@\nhub.use(deco@)\n",
        "def use(deco):\n    @deco\n    def done(): pass\n    done()\n",
    ),
}  # fmt: skip


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("files", CROWDS.values(), ids=CROWDS)
@pytest.mark.parametrize("limits", [Limits(), Limits(2, 2, 2)], ids=["as always", "two of each"])
def test_what_a_full_cell_keeps_does_not_depend_on_paths(
    tmp_path: Path, files: Mapping[str, str], limits: Limits
) -> None:
    expected = assert_renaming_changes_nothing(tmp_path, files, limits)
    assert any(edge.rel == "CALLS" for file in expected.files.values() for edge in file.edges)


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("files", CROWDS.values(), ids=CROWDS)
def test_what_a_full_cell_keeps_does_not_depend_on_arrival(tmp_path: Path, files: Mapping[str, str]) -> None:
    facts, layout = read(tmp_path, files)
    for limits in (Limits(), Limits(3, 3, 3)):
        assert_any_order_gives_the_same(facts, layout, limits, range(2))


def other_language_crowds() -> dict[str, dict[str, str]]:
    hub_script = "export const held = {};\nexport function take(x) { x.go(); }\nexport class Base { go() {} }\n"
    script = {
        f"f{number:02}": f"import {{take, held, Base}} from '../hub';\n"
        f"class C{number:02} extends Base {{ go() {{}} }}\n"
        f"class D{number:02} {{ go() {{}} }}\ntake(new C{number:02}());\ntake(new D{number:02}());\n"
        f"held.slot = new D{number:02}();\nexport const o{number:02} = {{go() {{ held.slot.go(); }}}};\n"
        f"take(o{number:02});\n"
        for number in range(14)
    }
    java = {
        f"C{number:02}": f"package acme;\n\npublic class C{number:02} implements Face {{\n"
        f"    public void go() {{ Hub.take(this); Hub.fs.add(C{number:02}::run); }}\n"
        f"    static void run() {{}}\n}}\n"
        for number in range(26)
    }
    hub_java = (
        "package acme;\n\nimport java.util.*;\n\n"
        "public class Hub {\n    static List<Runnable> fs = new ArrayList<>();\n"
        "    static void take(Face f) { f.go(); for (Runnable r : fs) r.run(); }\n}\n"
    )
    go = {
        f"f{number:02}": f'package {"am"[number % 2]}\n\nimport "acme.com/x/hub"\n\ntype C{number:02} struct{{}}\n\n'
        f"func (c *C{number:02}) Go() {{ hub.Take(c); hub.Held.Fn = Run{number:02} }}\n\n"
        f"func Run{number:02}() {{}}\n"
        for number in range(20)
    }
    hub_go = (
        "package hub\n\ntype Face interface{ Go() }\n\ntype Hub struct{ Fn func() }\n\nvar Held = &Hub{}\n\n"
        "func Take(f Face) {\n\tf.Go()\n\tHeld.Fn()\n}\n"
    )
    return {
        "typescript": {**in_two_folders(script, "ts"), "hub.ts": hub_script},
        "java": {
            **in_two_folders(java, "java"), "hub/Hub.java": hub_java,
            "hub/Face.java": "package acme;\n\npublic interface Face { void go(); }\n",
        },
        "go": {**in_two_folders(go, "go"), "hub/hub.go": hub_go, "go.mod": "module acme.com/x\n\ngo 1.22\n"},
    }  # fmt: skip


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("files", other_language_crowds().values(), ids=other_language_crowds())
@pytest.mark.parametrize("limits", [Limits(), Limits(2, 2, 2)], ids=["as always", "two of each"])
def test_full_cells_of_other_languages_depend_on_no_order(
    tmp_path: Path, files: Mapping[str, str], limits: Limits
) -> None:
    expected = assert_renaming_changes_nothing(tmp_path, files, limits)
    hub = next(path for path in files if path.rpartition("/")[2].lower().startswith("hub."))
    assert any(edge.rel == "CALLS" for edge in expected.files[hub].edges)
    facts, layout = read(tmp_path, files)
    assert_any_order_gives_the_same(facts, layout, limits, range(2))


CHOICES_BY_PATH = {
    "types of one name in one package": {
        "go.mod": "module acme.com/x\n",
        "a/t_linux.go": "package a\n\ntype T struct{}\n\nfunc (t *T) Own() {}\n",
        "a/t_windows.go": "package a\n\ntype T struct{}\n\nfunc (t *T) Mine() {}\n",
        "a/use.go": "package a\n\nfunc (t *T) Both() { t.Own(); t.Mine() }\n\nfunc Use(t *T) { t.Both() }\n",
    },
    "global usings": {
        "a/One.cs": "global using A;\n",
        "b/Two.cs": "global using B;\n",
        "c/A.cs": "namespace A { public class K { public static void F() {} } }\n",
        "c/B.cs": "namespace B { public class K { public static void F() {} } }\n",
        "c/Use.cs": "namespace C { class U { void X() { K.F(); } } }\n",
    },
    "libraries of one name": {
        "a/one.dart": "library shop;\nvoid f() {}\n",
        "b/two.dart": "library shop;\nvoid f() {}\n",
        "c/part.dart": "part of shop;\nvoid g() { f(); }\n",
    },
    "a package in several components": {
        "a/pom.xml": "<project><artifactId>one</artifactId></project>",
        "a/src/main/java/p/A.java": "package p;\npublic class A {}\n",
        "b/pom.xml": "<project><artifactId>two</artifactId></project>",
        "b/src/main/java/p/B.java": "package p;\npublic class B {}\n",
        "m/src/main/java/m/M.java": "package m;\nimport p.*;\nclass M { A a; B b; }\n",
    },
    "symbols outside that are imported in two ways": {
        "a/One.java": "package p;\nimport java.util.Arrays;\nclass One { Object f() { return Arrays.asList(1); } }\n",
        "b/Two.java": "package p;\nimport static java.util.Arrays.asList;\n"
        "class Two { Object f() { return asList(1); } }\n",
        "c/Three.java": "package p;\nimport java.util.*;\nclass Three { Object f() { return Arrays.asList(1); } }\n",
    },
    "parts of one type": {
        "a/P.cs": "namespace N { public class X { public void H() {} } "
        "public partial class P { void F() { H(); } } }\n",
        "b/P.cs": "namespace N { public partial class P : X { void G() { F(); H(); } } "
        "class U { void Y(P p) { new P().H(); p.H(); } } }\n",
    },
}


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("files", CHOICES_BY_PATH.values(), ids=CHOICES_BY_PATH)
def test_of_several_that_have_a_name_the_path_does_not_choose(tmp_path: Path, files: Mapping[str, str]) -> None:
    assert_renaming_changes_nothing(tmp_path, files, Limits())
    facts, layout = read(tmp_path, files)
    assert_any_order_gives_the_same(facts, layout, Limits(), range(3))


# Faults that were: each gave another answer when files and work came in another order.

FAULTS = {
    "a list method calls one function for two lists": {
        "a.js": "export class A { go() {} }\nexport class B { go() {} }\nfunction f(x) { x.go(); }\n"
        "export function each(xs) { xs.forEach(f); }\n",
        "b.js": "import {each, A} from './a.js';\neach([new A()]);\n",
        "c.js": "import {each, B} from './a.js';\neach([new B()]);\n",
    },
    "a member that is read is not therefore there": {
        "a.js": "export const o = {a: 1};\nexport function f() {}\n",
        "b.js": "import {o, f} from './a.js';\no['values'] = f;\nexport function r() { return o.values(); }\n",
        "c.js": "import {o} from './a.js';\nexport function r2() { return o['map']; }\n"
        "export function r3() { return o.map(x => x); }\n",
    },
    "members that come after they were copied": {
        "a.js": "export class T {}\nexport const d = {};\nexport function go() {}\n",
        "b.js": "import {T, d} from './a.js';\nObject.defineProperties(T.prototype, d);\nnew T().run();\n",
        "c.js": "import {d, go} from './a.js';\nd.run = {value: go};\nd['stop'] = {value: go};\n",
    },
    "a receiver that comes after the call": {
        "a.js": "export function f() { this.go(); }\nexport class A { go() {} }\n",
        "b.js": "import {f} from './a.js';\nexport const held = {};\nf.call(held.a);\n",
        "c.js": "import {held} from './b.js';\nimport {A} from './a.js';\nheld.a = new A();\n",
    },
    "parts that ask one another for their bases": CHOICES_BY_PATH["parts of one type"],
    "a list that is extended by what comes later": {
        "a.py": "MAP = {}\nYS = []\n",
        "b.py": "import a\na.YS.extend(a.MAP['k'])\nfor y in a.YS: y()\n",
        "c.py": "import a\ndef f(): pass\na.MAP['k'] = [f]\n",
    },
    "a slice that is taken before the list is filled": {
        "a.py": "XS = []\n",
        "b.py": "import a\nfor x in a.XS[0:]: x()\n",
        "c.py": "import a\ndef f(): pass\ndef g(): pass\na.XS[0] = f\na.XS[1] = g\n",
    },
    "keys that come after the mapping was made": {
        "a.py": "def make(key, value): return {key: value}\n",
        "b.py": "import a\ndef f(): pass\nM = a.make('x', f)\nM['x']()\nM['y']()\n",
        "c.py": "import a\ndef g(): pass\nM = a.make('y', g)\nM['x']()\nM['y']()\n",
    },
    "types that inherit in a circle": {
        "a.ts": "import {B, f} from './b';\nexport class A extends B { go() {} }\nf(new A());\nA.slot = f;\n",
        "b.ts": "import {C} from './c';\nexport class B extends C { go() {} }\n"
        "export function f(x) { x.go(); x.stay(); }\n",
        "c.ts": "import {A} from './a';\nexport class C extends A { go() {} stay() { this.go(); } }\n"
        "const c = new C();\nc.go();\nA.go(c);\nC.slot(c);\n",
        "d.ts": "import {B, f} from './b';\nimport {A} from './a';\nclass D extends A { go() { super.go(); } }\n"
        "f(new D());\nB.slot(new D());\nnew B().stay();\nnew A().stay();\n",
    },
    "traits that several files implement": {
        "src/lib.rs": "mod t;\nmod a;\nmod b;\nmod c;\n",
        "src/t.rs": "pub struct T;\nimpl T { pub fn new() -> T { T } }\n",
        "src/a.rs": "use crate::t::T;\nimpl Drop for T { fn drop(&mut self) {} }\n",
        "src/b.rs": "use crate::t::T;\nimpl Default for T { fn default() -> T { T } }\n",
        "src/c.rs": "use crate::t::T;\nimpl Clone for T { fn clone(&self) -> T { T } }\n"
        "pub fn f(t: T) { t.wait(); T::new().later(); }\n",
    },
    "types of one name in several programs": {
        "fmt.h": "namespace fmt { template <typename T> struct formatter { void parse(); }; }\n",
        "a.cc": '#include "fmt.h"\nstruct X {};\nnamespace fmt { template <> struct formatter<X> { void go(); }; }\n',
        "b.cc": '#include "fmt.h"\nstruct Y {};\nnamespace fmt { template <> struct formatter<Y> { void stay(); }; }\n',
        "c.cc": '#include "fmt.h"\nstruct Z {};\nnamespace fmt { template <> struct formatter<Z>;\n}\n'
        "void fmt::formatter<Z>::format() { parse(); }\nvoid use(fmt::formatter<Z> f) { f.format(); }\n",
    },
    "methods that a supertype outside might have, and a mixin has": {
        "a.php": "<?php\nclass Order { public function total() {} public function ship() {} }\n"
        "/** @mixin Order */\nclass Cached implements \\ArrayAccess {}\n",
        "b.php": "<?php\nfunction one(Cached $c) { $c->total(); }\nfunction two(Cached $c) { $c->ship(); }\n",
        "c.php": "<?php\nfunction three(Cached $c) { $c->total(); $c->ship(); }\n"
        "class Test { function four() { $c = new Cached(); $c->ship(); $c->total(); } }\n",
        "d.php": "<?php\nfunction five() { $c = new Cached(); $c->total(); $c->ship(); }\n",
    },
    "keys that are asked for at both ends of a chain": {
        "a.py": "def f(): pass\ndef g(): pass\nD = {'x': f, 'y': g}\ndef near(k): return D[k]()\n",
        "b.py": "import a\ndef far(k):\n    a.near(k)\n    return a.D[k]()\n",
        "c.py": "import b\ndef deep(k): return b.far(k)\ndef deeper(k): return deep(k)\n"
        "def deepest(k): return deeper(k)\ndeepest('x')\n",
    },
}


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("files", FAULTS.values(), ids=FAULTS)
def test_faults_of_order_that_were(tmp_path: Path, files: Mapping[str, str]) -> None:
    facts, layout = read(tmp_path, files)
    assert_any_order_gives_the_same(facts, layout, Limits(), range(8))


def calls(root: Path, files: Mapping[str, str]) -> set[tuple[str, str]]:
    facts, layout = read(root, files)
    return {(s, t) for rel, s, t in found_by(resolve(facts, layout))[0] if rel == "CALLS"}


def test_one_function_is_called_with_the_elements_of_every_list(tmp_path: Path) -> None:
    found = calls(tmp_path, FAULTS["a list method calls one function for two lists"])
    assert {("a.js::f", "a.js::A.go"), ("a.js::f", "a.js::B.go")} <= found


# Verifies REQ-RES-005.
def test_a_star_import_holds_where_it_stands_and_nowhere_else(tmp_path: Path) -> None:
    files = {
        "src/lib.rs": "mod a;\nmod b;\nmod one { use crate::a::*; pub fn p() { go(); } }\n"
        "mod two { use crate::b::*; pub fn q() { go(); } }\n",
        "src/a.rs": "pub fn go() {}\n",
        "src/b.rs": "pub fn go() {}\n",
    }
    assert calls(tmp_path, files) == {
        ("src/lib.rs::one.p", "src/a.rs::go"),
        ("src/lib.rs::two.q", "src/b.rs::go"),
    }


def test_one_class_too_many_does_not_lose_all_of_them(tmp_path: Path) -> None:
    """However many are stored: what is kept of them is written, or what they have in common."""

    def stored(count: int) -> set[str]:
        made = "".join(f"class C{i}:\n    def go(self): pass\n" for i in range(count))
        stores = "".join(f"def set{i}(h: Held): h.x = C{i}()\n" for i in range(count))
        text = f"{made}class Held: pass\n{stores}def use(h: Held): h.x.go()\n"
        return {target for source, target in calls(tmp_path, {"a.py": text}) if source == "a.py::use"}

    assert len(stored(8)) == 8
    assert len(stored(11)) == len(stored(10))
