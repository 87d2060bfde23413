"""Small projects and one edit of each, aimed at one mechanism of resolution.

In every text `;;` ends a line, so that a body can be written in one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loregraph.indexer.resolve import Limits

DEFAULT = Limits()
FULL = Limits(2, 2, 2)


@dataclass(frozen=True)
class Edit:
    """`files` become what `changed` says. `reached` are the other files whose edges that changes, with `limits`."""

    files: Mapping[str, str]
    changed: Mapping[str, str | None]
    reached: frozenset[str]
    limits: Limits = DEFAULT

    def texts(self) -> dict[str, str]:
        return {path: _lines(text) for path, text in self.files.items()}

    def new_texts(self) -> dict[str, str | None]:
        return {path: _lines(text) if text is not None else None for path, text in self.changed.items()}


def _lines(text: str) -> str:
    return text.replace(";;", "\n") + "\n"


def _edit(suffix: str, reached: str, limits: Limits, texts: Mapping[str, str | tuple[str, str | None]]) -> Edit:
    files = {f"{stem}.{suffix}": text if isinstance(text, str) else text[0] for stem, text in texts.items()}
    changed = {f"{stem}.{suffix}": text[1] for stem, text in texts.items() if not isinstance(text, str)}
    return Edit(files, changed, frozenset(f"{stem}.{suffix}" for stem in reached.split()), limits)


def edit(reached: str, limits: Limits = DEFAULT, /, **texts: str | tuple[str, str | None]) -> Edit:
    """Python files by their stems: a text, or what it is before and after. `reached` are stems."""
    return _edit("py", reached, limits, texts)


def script_edit(reached: str, limits: Limits = DEFAULT, /, **texts: str | tuple[str, str | None]) -> Edit:
    """The same in JavaScript."""
    return _edit("js", reached, limits, texts)


def go_edit(reached: str, limits: Limits = DEFAULT, /, **texts: str | tuple[str, str | None]) -> Edit:
    """The same in Go, all of one package."""
    whole = {
        stem: f"package a;;{text}" if isinstance(text, str) else tuple(f"package a;;{one}" for one in text)
        for stem, text in texts.items()
    }
    return _edit("go", reached, limits, whole)  # type: ignore[arg-type]


THINGS = (
    "class A:;;    def go(self, x=None): return x;;class B:;;    def go(self, x=None): return x;;"
    "def f(x=None): return x;;def g(x=None): return x"
)
"""Two classes and two functions."""
SCRIPT_THINGS = (
    "export class A { go() {} };;export class B { go() {} };;export function f() {};;export function g() {};;"
    "export function use(x) { x.go(); }"
)
USE = "def take(x):;;    x.go()"

GETTER = "class prop:;;    def __init__(self, f): self.f = f;;    def __get__(self, o, c): return self.f(o)"
"""A class whose instances answer for an attribute by calling what they were made with."""

OVERRIDDEN = "class Base:;;    def go(self): pass" + "".join(
    f";;class S{i}(Base):;;    def go(self): pass;;class O{i}:;;    def go(self): pass" for i in range(26)
)
"""A class whose method more subclasses override than count, and as many classes that have nothing to do with it."""
SOME = "import m;;for x in [m.Base(), m.O0(), m.O1(), m.O2(), m.O3(), m.O4(), m.O5(), m.O6(), m.O7()]:"

EDITS = {
    # Fixtures and listed values of tests
    "a shared fixture gets another name": edit(
        "test_b",
        conftest=(
            "import pytest, t;;@pytest.fixture;;def one(): return t.A()",
            "import pytest, t;;@pytest.fixture;;def two(): return t.A()",
        ),
        test_b="def test(one): one.go()",
        t=THINGS,
    ),
    "a shared fixture that nothing reads gets another name": edit(
        "test_b",
        conftest=(
            "import pytest;;@pytest.fixture;;def one(): pass",
            "import pytest;;@pytest.fixture(name='two');;def one(): pass",
        ),
        test_b="import pytest;;@pytest.mark.usefixtures('one');;class TestB:;;    def test(self): pass",
    ),
    "a shared fixture is none any more": edit(
        "test_b",
        conftest=("import pytest;;@pytest.fixture;;def one(): pass", "import pytest;;@pytest.mark;;def one(): pass"),
        test_b="def test(request): request.getfixturevalue('one')",
    ),
    "what makes a shared fixture is no such decorator any more": edit(
        "test_b",
        conftest=(
            "from pytest import fixture as made;;@made;;def one(): pass",
            "from pytest import mark as made;;@made;;def one(): pass",
        ),
        test_b="def test(one): pass",
    ),
    "a file of shared fixtures is taken away": edit(
        "test_b",
        conftest=("import pytest;;@pytest.fixture;;def one(): pass", None),
        test_b="def test(one): pass",
    ),
    "shared fixtures are imported from another module": edit(
        "test_b",
        conftest=("from c import one", "from d import one"),
        c="import pytest;;@pytest.fixture;;def one(): pass",
        d="import pytest;;@pytest.fixture;;def one(): pass",
        test_b="def test(one): pass",
    ),
    "all shared fixtures are imported from another module": edit(
        "test_b",
        conftest=("from c import *", "from d import *"),
        c="import pytest;;@pytest.fixture;;def one(): pass",
        d="import pytest;;@pytest.fixture;;def one(): pass",
        test_b="def test(one): pass",
    ),
    "another plugin has shared fixtures": edit(
        "test_b",
        conftest=("pytest_plugins = ['c']", "pytest_plugins = 'd'"),
        c="import pytest;;@pytest.fixture;;def one(): pass",
        d="import pytest;;@pytest.fixture;;def one(): pass",
        test_b="def test(one): pass",
    ),
    "a module that shared fixtures are imported from has another one": edit(
        "test_b",
        conftest="from c import _one as one",
        c=(
            "import pytest;;@pytest.fixture;;def _one(): pass",
            "import pytest;;@pytest.fixture;;def _two(): pass;;_one = None",
        ),
        test_b="def test(one): pass",
    ),
    "a base class has a fixture of another name": edit(
        "test_b",
        base=(
            "import pytest;;class Base:;;    @pytest.fixture;;    def one(self): pass",
            "import pytest;;class Base:;;    @pytest.fixture;;    def two(self): pass",
        ),
        test_b="import base;;class TestB(base.Base):;;    def test(self, one): pass",
    ),
    "listed values become others": edit(
        "test_b",
        a=("import t;;ALL = [t.A]", "import t;;ALL = [t.B]"),
        test_b="import pytest, a;;@pytest.mark.parametrize('x', a.ALL);;def test(x): x().go()",
        t=THINGS,
    ),
    "a fixture hands its listed values to another file": edit(
        "b test_b",
        conftest=(
            "import pytest, b, t;;@pytest.fixture(params=[t.A, t.f]);;def one(request): return b.make(request)",
            "import pytest, b, t;;@pytest.fixture(params=[t.B, t.f]);;def one(request): return b.make(request)",
        ),
        b="def make(request): return request.param()",
        test_b="def test(one): one.go()",
        t=THINGS,
    ),
    "what a fixture hands its listed values to calls them no more": edit(
        "test_b",
        conftest="import pytest, b, t;;@pytest.fixture(params=[t.A, t.f]);;def one(request): return b.make(request)",
        b=("def make(request): return request.param()", "def make(request): return request"),
        test_b="def test(one): one.go()",
        t=THINGS,
    ),
    "values that a shared fixture lists become others": edit(
        "test_b",
        conftest=(
            "import pytest, t;;@pytest.fixture(params=[t.A]);;def one(request): return request.param()",
            "import pytest, t;;@pytest.fixture(params=[t.B]);;def one(request): return request.param()",
        ),
        test_b="def test(one): one.go()",
        t=THINGS,
    ),
    # Values through calls and returns
    "an argument is another class": edit(
        "b", a=("import b, t;;b.take(t.A())", "import b, t;;b.take(t.B())"), b=USE, t=THINGS
    ),
    "what a library's queue keeps is another class": edit(
        "b",
        a=("import b, t;;b.q.put(t.A())", "import b, t;;b.q.put(t.B())"),
        b="import queue;;q = queue.Queue();;q.get().go()",
        t=THINGS,
    ),
    "what a library's future gives is another class": edit(
        "b",
        a=("import b, t;;b.take(b.pool.submit(t.f, t.A()))", "import b, t;;b.take(b.pool.submit(t.f, t.B()))"),
        b="import concurrent.futures;;pool = concurrent.futures.ThreadPoolExecutor();;def take(x): x.result().go()",
        t=THINGS,
    ),
    "what a library hands to a function is another class": edit(
        "b",
        a=(
            "import b, asyncio, t;;asyncio.to_thread(b.take, t.A())",
            "import b, asyncio, t;;asyncio.to_thread(b.take, t.B())",
        ),
        b=USE,
        t=THINGS,
    ),
    "what a library gives back is another class": edit(
        "b",
        a=(
            "import b, dataclasses, t;;b.take(dataclasses.replace(t.A()))",
            "import b, dataclasses, t;;b.take(dataclasses.replace(t.B()))",
        ),
        b=USE,
        t=THINGS,
    ),
    "an argument is handed on through three files": edit(
        "d",
        a=("import b, t;;b.on(t.A())", "import b, t;;b.on(t.B())"),
        b="import c;;def on(x): c.on(x)",
        c="import d;;def on(x): d.take(x)",
        d=USE,
        t=THINGS,
    ),
    "a call is taken out": edit(
        "b",
        a=(
            "import b, t;;def main():;;    b.take(t.A());;    b.take(t.B())",
            "import b, t;;def main():;;    b.take(t.A())",
        ),
        b=USE,
        t=THINGS,
    ),
    "the only call is taken out": edit("b", a=("import b, t;;b.take(t.A())", "import b, t"), b=USE, t=THINGS),
    "a call is added": edit("b", a=("import b, t", "import b, t;;b.take(t.A())"), b=USE, t=THINGS),
    "the same is passed by another file, too": edit(
        "", a=("import b, t;;b.take(t.A())", "import b, t"), b=USE, c="import b, t;;b.take(t.A())", t=THINGS
    ),
    "what is returned is another class": edit(
        "b",
        a=("import t;;def make(): return t.A()", "import t;;def make(): return t.B()"),
        b="import a;;a.make().go()",
        t=THINGS,
    ),
    "nothing is returned any more": edit(
        "b",
        a=("import t;;def make(): return t.A()", "import t;;def make(): t.A()"),
        b="import a;;a.make().go()",
        t=THINGS,
    ),
    "a parameter is handed back as it came": edit(
        "b", a=("def same(x): return None", "def same(x): return x"), b="import a, t;;a.same(t.A()).go()", t=THINGS
    ),
    "a parameter is called and its instance returned": edit(
        "b",
        a=("def made(kind): return kind()", "def made(kind): return kind"),
        b="import a, t;;a.made(t.A).go()",
        t=THINGS,
    ),
    "a callback is another function": edit(
        "b", a=("import b, t;;b.call(t.f)", "import b, t;;b.call(t.g)"), b="def call(f): f()", t=THINGS
    ),
    "what a callback is called with": edit(
        "t",
        a=("import t;;def call(f): f(t.A())", "import t;;def call(f): f(t.B())"),
        b="import a, t;;a.call(t.use)",
        t=THINGS + ";;def use(x): x.go()",
    ),
    "a method becomes an attribute by a decorator": edit(
        "b p",
        a=(
            "import p, t;;class C:;;    def x(self): return t.A()",
            "import p, t;;class C:;;    @p.prop;;    def x(self): return t.A()",
        ),
        b="import a;;a.C().x.go()",
        p=GETTER,
        t=THINGS,
    ),
    "what a decorated method gives is another class": edit(
        "b",
        a=(
            "import p, t;;class C:;;    @p.prop;;    def x(self): return t.A()",
            "import p, t;;class C:;;    @p.prop;;    def x(self): return t.B()",
        ),
        b="import a;;a.C().x.go()",
        c="import p, t;;class D:;;    @p.prop;;    def y(self): return t.A();;D().y.go()",
        p=GETTER,
        t=THINGS,
    ),
    "a getter gives something of its own": edit(
        "b",
        a="import p, t;;class C:;;    @p.prop;;    def x(self): return t.A()",
        b="import a;;a.C().x.go()",
        p=(GETTER, GETTER.replace("self.f(o)", "t.B()").replace("class", "import t;;class")),
        t=THINGS,
    ),
    "a getter keeps what it was given elsewhere": edit(
        "b",
        a="import p, t;;class C:;;    @p.prop;;    def x(self): return t.A()",
        b="import a;;a.C().x.go()",
        p=(GETTER, GETTER.replace("self.f = f", "self.g = f")),
    ),
    # Registries
    "what is registered under a kind is another class": edit(
        "b",
        a=("import b, t;;b.add('x', t.A)", "import b, t;;b.add('x', t.B)"),
        b=(
            "from collections import defaultdict;;known = defaultdict(list);;"
            "def add(kind, cls): known[kind].append(cls);;"
            "def run(kind):;;    for cls in known[kind]: cls().go()"
        ),
        t=THINGS,
    ),
    "what a parser calls is another function": edit(
        "b",
        a=(
            "import t;;def fill(parser): parser.add_parser('x').set_defaults(func=t.f)",
            "import t;;def fill(parser): parser.add_parser('x').set_defaults(func=t.g)",
        ),
        b=(
            "import argparse, a;;def main():;;    parser = argparse.ArgumentParser();;"
            "    a.fill(parser.add_subparsers());;    args = parser.parse_args();;    args.func(args)"
        ),
        t=THINGS,
    ),
    # Names that are put together
    "a method that a name begins like is added to a class of another file": edit(
        "b",
        a=("class V: pass", "class V:;;    def on_key(self): pass"),
        b="import a;;class W(a.V):;;    def run(self, kind): getattr(self, 'on_' + kind)()",
    ),
    "a method that a formatted name ends like is taken from a subclass in another file": edit(
        "b",
        a=(
            "import b;;class V(b.W):;;    def key_event(self): pass;;    def other(self): pass",
            "import b;;class V(b.W):;;    def other(self): pass",
        ),
        b="class W:;;    def run(self, kind): getattr(self, '%s_event' % kind)()",
    ),
    "a function that a name begins like is added to another module": edit(
        "b",
        a=("def check_a(): pass", "def check_a(): pass;;def check_b(): pass"),
        b="import a;;def run(kind):;;    name = f'check_{kind}';;    getattr(a, name)()",
    ),
    "a method that a subscript begins like is added to a base in another file": script_edit(
        "b",
        a=("export class V { run() {} }", "export class V { run() {} onKey() {} }"),
        b="import { V } from './a';;class W extends V { fire(name) { this[`onK${name}`]() } }",
    ),
    "a module gets a function that answers for what it does not have": edit(
        "b",
        a=("x = 1", "x = 1;;def __getattr__(name): return name"),
        b="from a import x",
        c="import a",
    ),
    "the function of a module that answers for what it does not have goes": edit(
        "b",
        a=("x = 1;;def __getattr__(name): return name", "x = 1"),
        b="def late():;;    from a import x",
        c="class C:;;    def __getattr__(self, name): pass",
    ),
    # Circles
    "a value that goes in a circle of two files goes when its source does": edit(
        "a b",
        c=("import a, t;;a.f(t.A())", "import a, t;;a.f(t.B())"),
        a="import b;;def f(x):;;    x.go();;    return b.g(x)",
        b="import a;;def g(x):;;    x.go();;    return a.f(x)",
        t=THINGS,
    ),
    "a value that supported itself loses its source": edit(
        "a b",
        c=("import a, t;;a.f(t.A())", "import a, t"),
        a="import b;;def f(x):;;    x.go();;    return b.g(x)",
        b="import a;;def g(x):;;    x.go();;    return a.f(x)",
        t=THINGS,
    ),
    "a circle through fields loses its source": edit(
        "a b",
        c=("import a, t;;a.H.v = t.A()", "import a, t"),
        a="import b;;class H: pass;;def one():;;    H.v = b.H.v;;    H.v.go()",
        b="import a;;class H: pass;;def two():;;    H.v = a.H.v;;    H.v.go()",
        t=THINGS,
    ),
    "a circle through lists loses its source": edit(
        "a b",
        c=("import a, t;;a.XS.append(t.f)", "import a, t"),
        a="import b;;XS = [];;XS.extend(b.YS);;for x in XS: x()",
        b="import a;;YS = [];;YS.extend(a.XS);;for y in YS: y()",
        t=THINGS,
    ),
    "a circle is closed": edit(
        "a",
        b=("import a;;def g(x): x.go()", "import a, t;;def g(x):;;    x.go();;    a.f(t.B())"),
        a="import b, t;;def f(x):;;    x.go();;    b.g(x);;f(t.A())",
        t=THINGS,
    ),
    "a circle of three is opened": edit(
        "a c",
        b=("import c;;def g(x): return c.h(x)", "import c;;def g(x): return None"),
        a="import b, t;;def f(x):;;    b.g(x).stay();;    x.go();;f(t.A())",
        c="import a, t;;class C:;;    def stay(self): pass;;def h(x):;;    x.go();;    a.f(t.B());;    return C()",
        t=THINGS,
    ),
    "variables that are born in a circle across files": edit(
        "b c",
        a=("import b;;X = b.Y;;X.go()", "import b, t;;X = b.Y or t.A();;X.go()"),
        b="import c;;Y = c.Z;;Y.go()",
        c="import a;;Z = a.X;;Z.go()",
        t=THINGS,
    ),
    "recursion across files has another end": edit(
        "b",
        a=(
            "import b, t;;def f(n): return b.g(n) if n else t.A()",
            "import b, t;;def f(n): return b.g(n) if n else t.B()",
        ),
        b="import a;;def g(n): return a.f(n);;g(1).go()",
        t=THINGS,
    ),
    # Who asks
    "the first who asked for a member no longer does": edit(
        "",
        a=("import h;;h.H.v.go()", "import h"),
        b="import h, t;;h.H.v = t.A()",
        c="import h;;h.H.v.go()",
        h="class H: pass",
        t=THINGS,
    ),
    "the only one who asked for a member no longer does": edit(
        "", a=("import h;;h.H.v.go()", "import h"), b="import h, t;;h.H.v = t.A()", h="class H: pass", t=THINGS
    ),
    "the first to ask for a key of a mapping no longer does": edit(
        "",
        a=("import m;;m.M['a']()", "import m"),
        b="import m;;m.M['b']();;for v in m.M.values(): v()",
        m="import t;;M = {'a': t.f, 'b': t.g}",
        t=THINGS,
    ),
    "a key that only the edited function writes": edit(
        "b",
        a=("import m, t;;m.M['c'] = t.f", "import m, t"),
        b="import m;;m.M['c']();;for v in m.M.values(): v()",
        m="M = {}",
        t=THINGS,
    ),
    "a parameter is asked for by nobody any more": edit(
        "", a=("def take(x): x.go()", "def take(x): pass"), b="import a, t;;a.take(t.A())", t=THINGS
    ),
    "a parameter is asked for at last": edit(
        "", a=("def take(x): pass", "def take(x): x.go()"), b="import a, t;;a.take(t.A())", t=THINGS
    ),
    # Members
    "another file stores a member": edit(
        "h",
        a=("import h, t;;def put(o: h.H): o.v = t.A()", "import h, t;;def put(o: h.H): o.v = t.B()"),
        h="class H:;;    def use(self): self.v.go()",
        t=THINGS,
    ),
    "a name is stored for the first time anywhere": edit(
        "b",
        a=("import h, t", "import h, t;;h.H().go = t.f"),
        b="import h;;h.H().go()",
        h="class H:;;    def go(self): pass",
        t=THINGS,
    ),
    "the last store of a name goes": edit(
        "b",
        a=("import h, t;;h.H().go = t.f", "import h, t"),
        b="import h;;h.H().go()",
        h="class H:;;    def go(self): pass",
        t=THINGS,
    ),
    "a member of a function": edit(
        "b", a=("import t;;t.f.extra = t.g", "import t;;t.f.extra = t.f"), b="import t;;t.f.extra()", t=THINGS
    ),
    "an attribute is stored on an instance of a module": edit(
        "b",
        a=("import i, t;;i.IT.slot = t.f", "import i, t;;i.IT.slot = t.g"),
        b="import i;;i.IT.slot()",
        i="class I: pass;;IT = I()",
        t=THINGS,
    ),
    "a property is read no longer": edit(
        "",
        a=("import h;;def main(): h.H().now", "import h;;def main(): h.H()"),
        h="import t;;class H:;;    @property;;    def now(self): return t.A()",
        t=THINGS,
    ),
    "a property gives something else": edit(
        "b",
        h=(
            "import t;;class H:;;    @property;;    def now(self): return t.A()",
            "import t;;class H:;;    @property;;    def now(self): return t.B()",
        ),
        b="import h;;h.H().now.go()",
        t=THINGS,
    ),
    "a property becomes a method": edit(
        "b",
        h=(
            "import t;;class H:;;    @property;;    def now(self): return t.A()",
            "import t;;class H:;;    def now(self): return t.A()",
        ),
        b="import h;;h.H().now.go();;h.H().now().go()",
        t=THINGS,
    ),
    "getattr has another literal": edit("", a=("import t;;getattr(t, 'f')()", "import t;;getattr(t, 'g')()"), t=THINGS),
    # Classes
    "a class has another base": edit(
        "b", a=("import t;;class C(t.A): pass", "import t;;class C(t.B): pass"), b="import a;;a.C().go()", t=THINGS
    ),
    "a subclass overrides what a declared type calls": edit(
        "b",
        a=("import t;;class C(t.A):;;    pass", "import t;;class C(t.A):;;    def go(self, x=None): pass"),
        b="import t;;def use(x: t.A): x.go()",
        t=THINGS,
    ),
    "an override is taken out": edit(
        "b",
        a=("import t;;class C(t.A):;;    def go(self, x=None): pass", "import t;;class C(t.A):;;    pass"),
        b="import t;;def use(x: t.A): x.go()",
        t=THINGS,
    ),
    "a method of a base in another file calls what a subclass gets": edit(
        "h",
        a=(
            "import h, t;;class C(h.H):;;    def step(self): return t.A()",
            "import h, t;;class C(h.H):;;    def step(self): return t.B()",
        ),
        h="class H:;;    def go(self): self.step().go();;    def step(self): raise NotImplementedError",
        t=THINGS,
    ),
    "a receiver of a subclass reaches its base": edit(
        "h",
        a=(
            "import h;;class C(h.H):;;    def step(self): pass;;C().run()",
            "import h;;class C(h.H):;;    def step(self): pass",
        ),
        h="class H:;;    def run(self): self.step();;    def step(self): pass",
    ),
    "super goes elsewhere": edit(
        "c",
        b=("import t;;class M(t.A): pass", "import t;;class M(t.B): pass"),
        c="import b;;class C(b.M):;;    def go(self, x=None): super().go(x)",
        t=THINGS,
    ),
    "a new class in the middle of an inheritance": edit(
        "c",
        b=("import t;;class M(t.A): pass", "import t;;class M(t.A):;;    def go(self, x=None): pass"),
        c="import b;;class C(b.M): pass;;C().go()",
        t=THINGS,
    ),
    "inheritance in a circle": edit(
        "b",
        a=("import b;;class A(b.B):;;    def go(self): pass", "import b;;class A(b.B): pass"),
        b="import a;;class B(a.A): pass;;B().go();;a.A().go()",
    ),
    "another call cuts overriding methods off": edit(
        "",
        m=OVERRIDDEN,
        b="import m;;def use(x: m.Base): x.go()",
        c=(f"{SOME};;    x.go();;    x.go()", f"{SOME};;    x.go()"),
    ),
    "a class of values is called": edit(
        "b", a=("import t;;KIND = t.A", "import t;;KIND = t.B"), b="import a;;a.KIND().go()", t=THINGS
    ),
    # Decorators
    "a wrapper no longer calls what it wraps": edit(
        "b",
        a=(
            "import functools;;def deco(f):;;    @functools.wraps(f);;    def inner(*a): return f(*a);;"
            "    return inner",
            "import functools;;def deco(f):;;    @functools.wraps(f);;    def inner(*a): return None;;    return inner",
        ),
        b="import a, t;;@a.deco;;def made(): return t.A();;made().go()",
        t=THINGS,
    ),
    "a wrapper comes to return something of its own": edit(
        "b",
        a=(
            "import t;;def deco(f):;;    def inner(*a):;;        return f(*a);;    return inner",
            "import t;;def deco(f):;;    def inner(*a):;;        if a: return t.A();;        return f(*a);;"
            "    return inner",
        ),
        b="import a;;@a.deco;;def made(): return None;;made().go()",
        t=THINGS,
    ),
    "a decorator gives back what it is given": edit(
        "b",
        a=("def deco(f):;;    def inner(): return f();;    return inner", "def deco(f): return f"),
        b="import a, t;;@a.deco;;def made(): return t.A();;made().go()",
        t=THINGS,
    ),
    "a decorator comes to stand above": edit(
        "c",
        b=("import a, t;;def made(): return t.A()", "import a, t;;@a.deco;;def made(): return t.A()"),
        a="import t;;def deco(f):;;    def inner(): return t.B();;    return inner",
        c="import b;;b.made().go()",
        t=THINGS,
    ),
    "a decorator registers": edit(
        "a",
        b=("import a;;@a.register;;def done(): pass", "import a;;def done(): pass"),
        a="ALL = [];;def register(f):;;    ALL.append(f);;    return f;;def run():;;    for f in ALL: f()",
    ),
    "what a wrapped function is called with": edit(
        "a",
        b=(
            "import a, t;;@a.deco;;def made(x): return x;;made(t.A())",
            "import a, t;;@a.deco;;def made(x): return x;;made(t.B())",
        ),
        a="def deco(f):;;    def inner(x):;;        x.go();;        return f(x);;    return inner",
        t=THINGS,
    ),
    # Lists and mappings
    "a list gets another element": edit(
        "b",
        a=("import b, t;;b.XS.append(t.f)", "import b, t;;b.XS.append(t.g)"),
        b="XS = [];;for x in XS: x()",
        t=THINGS,
    ),
    "a list is extended no longer": edit(
        "b",
        a=("import b, c;;b.XS.extend(c.YS)", "import b, c"),
        b="XS = [];;for x in XS: x()",
        c="import t;;YS = [t.f]",
        t=THINGS,
    ),
    "an heir of a list inherits from another": edit(
        "b",
        a=("import c;;ZS = [*c.XS, None]", "import c;;ZS = [*c.YS, None]"),
        b="import a;;a.ZS[0]()",
        c="import t;;XS = [t.f];;YS = [t.g]",
        t=THINGS,
    ),
    "a list whose heirs lie elsewhere": edit(
        "a b",
        c=("import t;;XS = [t.f, t.g]", "import t;;XS = [t.g, t.f]"),
        a="import c;;ZS = [*c.XS, None];;ZS[0]()",
        b="import c;;c.XS[1:][0]()",
        t=THINGS,
    ),
    "a mapping is spread into another": edit(
        "b",
        a=("import c;;M = {**c.M, 'b': c.t.g}", "import c;;M = {'b': c.t.g}"),
        b="import a;;a.M['a']();;a.M['b']()",
        c="import t;;M = {'a': t.f}",
        t=THINGS,
    ),
    "a key is passed as an argument": edit(
        "b",
        a=("import b;;b.pick('x')", "import b;;b.pick('y')"),
        b="import t;;M = {'x': t.f, 'y': t.g};;def pick(k): M[k]()",
        t=THINGS,
    ),
    "a key that no call passes any more": edit(
        "b",
        a=("import b;;b.pick('x')", "import b"),
        b="import t;;M = {'x': t.f, 'y': t.g};;def pick(k): M[k]()",
        t=THINGS,
    ),
    "a mapping is made of a key that is passed": edit(
        "",
        a=("import b, t;;b.make('x', t.f)", "import b, t;;b.make('y', t.f)"),
        b="def make(k, v):;;    made = {k: v};;    made['x']();;    return made",
        t=THINGS,
    ),
    "a key is passed through two functions": edit(
        "c",
        a=("import b;;b.pick('x')", "import b;;b.pick('y')"),
        b="import c;;def pick(k): c.pick(k)",
        c="import t;;M = {'x': t.f, 'y': t.g};;def pick(k): M[k]()",
        t=THINGS,
    ),
    "a spread of arguments": edit(
        "b", a=("import b, t;;XS = [t.A()];;b.take(*XS)", "import b, t;;XS = [t.B()];;b.take(*XS)"), b=USE, t=THINGS
    ),
    "named arguments in a mapping": edit(
        "b",
        a=("import b, t;;M = {'x': t.A()};;b.take(**M)", "import b, t;;M = {'y': t.A()};;b.take(**M)"),
        b=USE,
        t=THINGS,
    ),
    "a rest parameter is given one less": edit(
        "b",
        a=("import b, t;;b.call(t.f, t.g)", "import b, t;;b.call(t.f)"),
        b="def call(*fs):;;    for f in fs: f()",
        t=THINGS,
    ),
    "a generator yields something else": edit(
        "b",
        a=("import t;;def gen():;;    yield t.A()", "import t;;def gen():;;    yield t.B()"),
        b="import a;;for x in a.gen(): x.go()",
        t=THINGS,
    ),
    "a function becomes a generator": edit(
        "b",
        a=("import t;;def gen():;;    return t.A()", "import t;;def gen():;;    yield t.A()"),
        b="import a;;a.gen().go();;for x in a.gen(): x.go()",
        t=THINGS,
    ),
    "an iterator of one's own": edit(
        "b",
        a=(
            "import t;;class I:;;    def __iter__(self): yield t.A()",
            "import t;;class I:;;    def __iter__(self): yield t.B()",
        ),
        b="import a;;for x in a.I(): x.go()",
        t=THINGS,
    ),
    # Parameters
    "a default is another value": edit(
        "",
        a=("import t;;def use(x=t.A()): x.go()", "import t;;def use(x=t.B()): x.go()"),
        b="import a;;a.use()",
        t=THINGS,
    ),
    "a default is no longer used": script_edit(
        "a",
        b=("import {use} from './a.js';;use();", "import {use} from './a.js';;import {B} from './t.js';;use(new B());"),
        a="import {A} from './t.js';;export function use(x = new A()) { x.go(); }",
        t=SCRIPT_THINGS,
    ),
    "a default is used at last": script_edit(
        "a",
        b=(
            "import {use} from './a.js';;import {B} from './t.js';;use(new B());",
            "import {use} from './a.js';;import {B} from './t.js';;use(new B());;use();",
        ),
        a="import {A} from './t.js';;export function use(x = new A()) { x.go(); }",
        t=SCRIPT_THINGS,
    ),
    "a default that one call left out": script_edit(
        "a",
        b=("import {use} from './a.js';;use();", "import {use} from './a.js';"),
        c="import {use} from './a.js';;import {B} from './t.js';;use(new B());",
        a="import {A} from './t.js';;export function use(x = new A()) { x.go(); }",
        t=SCRIPT_THINGS,
    ),
    "a key that is a default is no longer used": script_edit(
        "a",
        b=("import {pick} from './a.js';;pick();", "import {pick} from './a.js';;pick('y');"),
        a="import {f, g} from './t.js';;const m = {x: f, y: g};;export function pick(k = 'x') { m[k](); }",
        t=SCRIPT_THINGS,
    ),
    "members are copied to a prototype": script_edit(
        "b",
        a=(
            "import {A, f} from './t.js';;Object.assign(A.prototype, {extra: f});",
            "import {A, g} from './t.js';;Object.assign(A.prototype, {extra: g});",
        ),
        b="import {A} from './t.js';;new A().extra();",
        t=SCRIPT_THINGS,
    ),
    "a list's method is given another function": script_edit(
        "t",
        a=("import {A, use} from './t.js';;[new A()].forEach(use);", "import {A, use} from './t.js';;[new A()];"),
        t=SCRIPT_THINGS,
    ),
    "a function is bound to another": script_edit(
        "t",
        a=(
            "import {A, B, use} from './t.js';;use.bind(null, new A())();",
            "import {A, B, use} from './t.js';;use.bind(null, new B())();",
        ),
        t=SCRIPT_THINGS,
    ),
    "an exported object gets another member": script_edit(
        "b",
        a=(
            "import {f} from './t.js';;export const o = {go: f};",
            "import {g} from './t.js';;export const o = {go: g};",
        ),
        b="import {o} from './a.js';;o.go();",
        t=SCRIPT_THINGS,
    ),
    "the default of what nobody calls": script_edit(
        "a",
        b=(
            "import {use} from './a.js';;import {B} from './t.js';;function main() { use(new B()); }",
            "import {B} from './t.js';",
        ),
        a="import {A} from './t.js';;export function use(x = new A()) { x.go(); }",
        t=SCRIPT_THINGS,
    ),
    "a parameter has another name": edit(
        "",
        a=("def use(x=None, y=None): x.go()", "def use(z=None, x=None): x.go()"),
        b="import a, t;;a.use(x=t.A())",
        c="import a, t;;a.use(t.B())",
        t=THINGS,
    ),
    "a parameter has another declared type": edit(
        "",
        a=("import t;;def use(x: t.A): x.go()", "import t;;def use(x: t.B): x.go()"),
        b="import a, t;;a.use(t.A())",
        t=THINGS,
    ),
    "a function says what it returns": edit(
        "b",
        a=("import t;;def make(x): return x", "import t;;def make(x) -> t.B: return x"),
        b="import a, t;;a.make(t.A()).go()",
        t=THINGS,
    ),
    # Guesses, in the second phase
    "nothing is known of a key any more": edit(
        "b",
        a=("import b;;KEY = 'x'", "import b;;KEY = b.get()"),
        b="import t;;from a import KEY;;M = {'x': t.f, 'y': t.g};;def get(): pass;;M[KEY]()",
        t=THINGS,
    ),
    "a decorator of which nothing is known": edit(
        "b",
        a=("def deco(f): return f", "deco = None"),
        b="import a, t;;@a.deco;;def made(): return t.A();;made().go()",
        t=THINGS,
    ),
    "a decorator becomes one of a library": edit(
        "b",
        a=("import t;;def deco(f): return t.g", "from lib import deco"),
        b="import a, t;;@a.deco;;def made(): return t.A();;made().go()",
        t=THINGS,
    ),
    # Limits
    "a full cell regains room": edit(
        "b",
        FULL,
        a=("import b, t;;b.call(t.f)", "import b, t"),
        c="import b, t;;b.call(t.g)",
        d="import b;;def h(): pass;;b.call(h)",
        b="def call(f): f()",
        t=THINGS,
    ),
    "a cell is full at last": edit(
        "b",
        FULL,
        a=("import b, t", "import b, t;;b.call(t.f)"),
        c="import b, t;;b.call(t.g)",
        d="import b;;def h(): pass;;b.call(h)",
        b="def call(f): f()",
        t=THINGS,
    ),
    "instances are one class too many": edit(
        "b",
        FULL,
        a=("import b, t", "import b, t;;class C(t.A): pass;;b.take(C())"),
        c="import b, t;;class D(t.A): pass;;b.take(D())",
        d="import b, t;;class E(t.A): pass;;b.take(E())",
        b=USE,
        t=THINGS,
    ),
    "a full member regains room": edit(
        "h",
        FULL,
        a=("import h, t;;h.H.v = t.f", "import h, t"),
        c="import h, t;;h.H.v = t.g",
        d="import h;;def k(): pass;;h.H.v = k",
        h="class H: pass;;H.v()",
        t=THINGS,
    ),
    "a full list of which another inherits": edit(
        "b h",
        FULL,
        a=("import h, t;;h.XS.append(t.f)", "import h, t"),
        c="import h, t;;h.XS.append(t.g)",
        d="import h;;def k(): pass;;h.XS.append(k)",
        h="XS = [];;for x in XS: x()",
        b="import h;;YS = [*h.XS, None];;for y in YS: y()",
        t=THINGS,
    ),
    # Imports
    "a star import brings another name": edit(
        "b",
        a=("from t import *;;__all__ = ['f']", "from t import *;;__all__ = ['g']"),
        b="from a import *;;f();;g()",
        t=THINGS,
    ),
    "a re-export leads elsewhere": edit(
        "b", a=("from t import f as h", "from t import g as h"), b="import a;;a.h()", t=THINGS
    ),
    "a star import is taken out": edit(
        "b", a=("from t import *", "import t"), b="from a import *;;f();;A().go()", t=THINGS
    ),
    "star imports in a circle": edit(
        "b c",
        a=("from b import *;;from t import f", "from b import *"),
        b="from c import *;;f()",
        c="from a import *;;f()",
        t=THINGS,
    ),
    "a name is bound twice": edit(
        "b", a=("from t import f;;X = f", "from t import f, g;;X = f;;X = g"), b="import a;;a.X()", t=THINGS
    ),
    # Definitions
    "a function goes": edit("b", a=("def f(): pass;;def g(): pass", "def g(): pass"), b="import a;;a.f();;a.g()"),
    "a function comes": edit("b", a=("def g(): pass", "def f(): pass;;def g(): pass"), b="import a;;a.f();;a.g()"),
    "a function has another name, and its uses": edit(
        "", a=("def f(): pass", "def h(): pass"), b=("import a;;a.f()", "import a;;a.h()"), c="import a;;a.g()"
    ),
    "two files that hang together are edited at once": edit(
        "c",
        a=("import b, t;;b.on(t.A())", "import b, t;;b.on(t.B())"),
        b=("import c;;def on(x): c.take(x)", "import c;;def on(x):;;    y = x;;    c.take(y)"),
        c=USE,
        t=THINGS,
    ),
    "only lines move": edit(
        "",
        a=("import b, t;;def main():;;    b.take(t.A())", "import b, t;;;;# here;;def main():;;    b.take(t.A())"),
        b=USE,
        t=THINGS,
    ),
    "a file goes": edit("b", a=("import b, t;;b.take(t.A())", None), b=USE, t=THINGS),
    "a file of broken source": edit("b", a=("import b, t;;b.take(t.A())", "import b, t;;b.take(t.A("), b=USE, t=THINGS),
    # What JavaScript changes of types
    "a class has another base by the value that names it": script_edit(
        "m b",
        a=(
            "import * as t from './t.js';;export function pick() { return t.A; }",
            "import * as t from './t.js';;export function pick() { return t.B; }",
        ),
        q="import {pick} from './a.js';;export const Q = pick();",
        m="import {Q} from './q.js';;export class M extends Q {}",
        b="import {M} from './m.js';;new M().go();",
        t=SCRIPT_THINGS,
    ),
    "a method makes a function a type, though its name is known": script_edit(
        "t",
        a=(
            "import {f, g} from './t.js';;g.prototype.go = function () {};",
            "import {f, g} from './t.js';;g.prototype.go = function () {};;f.prototype.go = function () {};",
        ),
        b="import * as t from './t.js';;const m = {run: t.f, stop() {}};;m.run();",
        t="export function f() { this.stop(); };;export function g() {}",
    ),
    "a function is of another type by the value that names it": script_edit(
        "d t",
        a=("export {f as F} from './t.js';", "export {g as F} from './t.js';"),
        d="import {F} from './a.js';;F.prototype.go = function () {};",
        b="import {f, g} from './t.js';;const m={run: f, stop() {}};;m.run();;const k={run: g, stop() {}};;k.run();",
        t="export function f() { this.stop(); };;export function g() { this.stop(); }",
    ),
    "a mapping has a member under the name of a method": script_edit(
        "b",
        a=(
            "export function make() { return {}; };;function use() {}",
            "export function make() { return {get: use}; };;function use() {}",
        ),
        b="import {make} from './a.js';;make().get('x');",
    ),
    "a mapping gets such a member from elsewhere": script_edit(
        "b",
        a=(
            "import {make} from './c.js';;make();",
            "import {make} from './c.js';;import {f} from './t.js';;make()['get'] = f;",
        ),
        c="const m = {};;export function make() { return m; }",
        b="import {make} from './c.js';;make().get('x');",
        t=SCRIPT_THINGS,
    ),
    "what is copied onto a type has another name": script_edit(
        "c",
        a=(
            "import {f} from './t.js';;export function made() { return {extra: f}; }",
            "import {f} from './t.js';;export function made() { return {other: f}; }",
        ),
        b="import {made} from './a.js';;import {A} from './t.js';;Object.assign(A.prototype, made());",
        c="import {A} from './t.js';;new A().extra();;new A().other();",
        t=SCRIPT_THINGS,
    ),
    "what is copied onto a type is another value": script_edit(
        "c",
        a=(
            "import {f} from './t.js';;export function made() { return {extra: f}; }",
            "import {g} from './t.js';;export function made() { return {extra: g}; }",
        ),
        b="import {made} from './a.js';;import {A} from './t.js';;Object.assign(A.prototype, made());",
        c="import {A} from './t.js';;new A().extra();",
        t=SCRIPT_THINGS,
    ),
    "another type is mixed into a type": script_edit(
        "c",
        a=(
            "import {A} from './t.js';;export function base() { return A; }",
            "import {B} from './t.js';;export function base() { return B; }",
        ),
        b="import {base} from './a.js';;export class M {};;Object.assign(M.prototype, base().prototype);",
        c="import {M} from './b.js';;new M().go();",
        t=SCRIPT_THINGS,
    ),
    "a function becomes a type elsewhere": script_edit(
        "t",
        a=(
            "import {f} from './t.js';;export const made = () => f;",
            "import {f} from './t.js';;export const made = () => new f();",
        ),
        b="import {f} from './t.js';;export class M extends f { go() {} };;new M().go();",
        t="export function f() { this.go(); }",
    ),
    "properties are defined by a table of another file": script_edit(
        "b",
        a=(
            "export function table() { return {x: {value: 1}}; }",
            "import {f} from './t.js';;export function table() { return {x: {value: f}}; }",
        ),
        b="import {table} from './a.js';;const o = {};;Object.defineProperties(o, table());;o.x();",
        t=SCRIPT_THINGS,
    ),
    "another member of what CommonJS exports": script_edit(
        "b",
        a=(
            "const t = require('./t');;function set(f) { exports.x = f; };;set(t.f);;exports.y = t.f;",
            "const t = require('./t');;function set(f) { exports.x = f; };;set(t.g);;exports.y = t.g;",
        ),
        b="const a = require('./a');;a.y();",
        t=SCRIPT_THINGS,
    ),
    "a handler in a registry is another function": script_edit(
        "e",
        a=(
            "import {on} from './e.js';;import {f} from './t.js';;on('x', f);",
            "import {on} from './e.js';;import {g} from './t.js';;on('x', g);",
        ),
        e=(
            "const all = {};;export function on(k, h) { (all[k] = all[k] || []).push(h); };;"
            "export function fire(k) { all[k].forEach(h => h()); }"
        ),
        t=SCRIPT_THINGS,
    ),
    "a base by a value is another class": edit(
        "m b",
        a=("import t;;def pick(): return t.A", "import t;;def pick(): return t.B"),
        q="import a;;Q = a.pick()",
        m="import q;;class M(q.Q): pass",
        b="import m;;m.M().go()",
        t=THINGS,
    ),
    # Types that implement what they have the methods of
    "a method takes another type": go_edit(
        "b",
        a=("type T struct{};;func (T) Go(x string) {}", "type T struct{};;func (T) Go(x int) {}"),
        b="type Face interface{ Go(x string) };;func use(f Face) { f.Go(1) }",
    ),
    "a method gives another type": go_edit(
        "b",
        a=("type T struct{};;func (T) Go() int { return 1 }", "type T struct{};;func (T) Go() error { return nil }"),
        b="type Face interface{ Go() error };;func use(f Face) { f.Go() }",
    ),
    "an interface asks for another type": go_edit(
        "b c",
        a=("type Face interface{ Go(x string) }", "type Face interface{ Go(x ...string) }"),
        b="type T struct{};;func (T) Go(x string) {}",
        c="func use(f Face) { f.Go() }",
    ),
    "a type becomes another name for one": go_edit(
        "b c",
        a=("type Id string", "type Id = string"),
        b="type T struct{};;func (T) Go(x string) {}",
        c="type Face interface{ Go(x Id) };;func use(f Face) { f.Go() }",
    ),
    "an import leads to another package of the same name": go_edit(
        "b c",
        a=(
            'import "x/io";;type Face interface{ Go(x io.Reader) }',
            'import "io";;type Face interface{ Go(x io.Reader) }',
        ),
        b='import "io";;type T struct{};;func (T) Go(x io.Reader) {}',
        c="func use(f Face) { f.Go() }",
    ),
    "a type embeds what has a method": go_edit(
        "c",
        a=("type T struct{}", "type T struct{ Base }"),
        b="type Base struct{};;func (*Base) Go() {};;func (T) Stop() {}",
        c="type Face interface { Go();;Stop() };;func use(f Face) { f.Go();;f.Stop() }",
    ),
    "another function joins a set in a map": script_edit(
        "r",
        a=(
            "import {f, g} from './t.js';;import {on} from './r.js';;on(1, f)",
            "import {f, g} from './t.js';;import {on} from './r.js';;on(1, g)",
        ),
        r=(
            "const all = new Map();;export function on(k, h) { if (!all.has(k)) all.set(k, new Set());; "
            "all.get(k).add(h); };;"
            "export function fire(k) { for (const h of all.get(k)) h(); };;export const held = Object.entries({all});"
        ),
        t=SCRIPT_THINGS,
    ),
    "a promise is settled with another function": script_edit(
        "b",
        a=(
            "import {f, g} from './t.js';;export const made = () => new Promise(done => done(f))",
            "import {f, g} from './t.js';;export const made = () => new Promise(done => done(g))",
        ),
        b="import {made} from './a.js';;Promise.all([made()]).then(([x]) => x())",
        t=SCRIPT_THINGS,
    ),
    "a prototype is another object": script_edit(
        "b",
        a=(
            "import {f, g} from './t.js';;export const base = { m() { f(); }, n: f }",
            "import {f, g} from './t.js';;export const base = { m() { f(); }, n: g }",
        ),
        b="import {base} from './a.js';;const o = { __proto__: base, m() { super.m();; this.n(); } };;o.m()",
        t=SCRIPT_THINGS,
    ),
}
