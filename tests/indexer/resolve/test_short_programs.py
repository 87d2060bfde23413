"""Short programs of several languages, each about one mechanism, with all calls that resolution finds in them."""

from __future__ import annotations

import pytest

from .conftest import Project, Resolve

Calls = set[tuple[str, str, str]]
"""(source, target, how), with names instead of ids where a project has one file."""


def calls(found: Project) -> Calls:
    """CALLS edges within the project, without what stands outside functions."""

    def short(identity: str) -> str:
        return identity.rpartition("::")[2]

    edges = [e for e in found.edges if e.rel == "CALLS" and not e.target.startswith("external:")]
    return {(short(e.source), short(e.target), e.how) for e in edges if "::" in e.source}


# Verifies REQ-RES-001.
@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        pytest.param(
            "a.js",
            """
            const base = { open() {}, shut() {} };
            function Old() {}
            Old.prototype.go = function () {};
            function New() {}
            require('util').inherits(New, Old);
            function more() { new New().go(); }
            const again = Object.setPrototypeOf({}, base);
            function run() { again.shut(); }
            """,
            {("more", "New", "scope"), ("more", "Old.go", "inferred-type"), ("run", "base.shut", "value")},
            id="an object that is given a prototype is what the call gives",
        ),
        pytest.param(
            "a.kt",
            """
            class Shop
            class Bank
            fun Shop.open() {}
            fun Bank.open() {}
            fun Shop.only() {}
            fun run(s: Shop) { s.open() }
            fun any(x: Unknown) { x.only() }
            """,
            {("run", "open", "declared-type"), ("any", "only", "value")},
            id="an extension fits a receiver of which nothing is known where it is the only one",
        ),
        pytest.param(
            "a/A.java",
            """
            package a;
            import java.util.Map;
            class F { void go() {} }
            class G { void go() {} }
            class A {
              void first() { var m = Map.of("x", new F(), "y", new F()); m.get("x").go(); }
              void second() { var m = Map.of(new G(), "x"); m.get("x").go(); }
            }
            """,
            {("A.first", "F", "constructor"), ("A.first", "F.go", "inferred-type"), ("A.second", "G", "constructor")},
            id="the values of a mapping made of pairs, not the keys",
        ),
        pytest.param(
            "a.py",
            """
            class Shop:
                def on_open(self): pass
                def off(self): pass
            def direct(s: Shop, x): getattr(s, 'on_' + x)()
            def through_two(s: Shop, x):
                name = 'on_' + x
                again = name
                getattr(s, again)()
            """,
            {("direct", "Shop.on_open", "computed-name"), ("through_two", "Shop.on_open", "computed-name")},
            id="names that are put together and pass through variables",
        ),
        pytest.param(
            "a.py",
            """
            def f(): pass
            def g(): pass
            def run(x, y):
                if isinstance(x, dict):
                    x['a']()
                if isinstance(x, list):
                    x[0]()
                if isinstance(y, str):
                    y['a']()
            def feed():
                run({'a': f}, {'a': f})
                run([g], None)
            """,
            {("run", "f", "value"), ("run", "g", "value"), ("feed", "run", "scope")},
            id="containers pass a test for their type",
        ),
        pytest.param(
            "a.py",
            """
            class Row:
                def __getitem__(self, key): return self
                def __setitem__(self, key, value): pass
                def __delitem__(self, key): pass
            def store(r: Row): r['a']['b'] = 1
            def add(r: Row): r['a'] += 1
            def drop(r: Row): del r['a']['b']
            def plain(r: Row): r['a'] = 1
            """,
            {
                ("store", "Row.__getitem__", "declared-type"),
                ("store", "Row.__setitem__", "declared-type"),
                ("add", "Row.__getitem__", "declared-type"),
                ("add", "Row.__setitem__", "declared-type"),
                ("drop", "Row.__getitem__", "declared-type"),
                ("drop", "Row.__delitem__", "declared-type"),
                ("plain", "Row.__setitem__", "declared-type"),
            },
            id="items of items that are written, added to and deleted",
        ),
        pytest.param(
            "a/A.java",
            """
            package a;
            class A {
              void f(Object x) {}
              void f(int[] x) {}
              void g(String x) {}
              void g(String[] x) {}
              <T> void h(T[] x) {}
              void h(int x) {}
              void k(String... x) {}
              void k(int[] x) {}
              void run(int[] n) { f(n); }
              void many(String[] s) { g(s); }
              void any(String[] s) { h(s); }
              void rest(String[] s) { k(s); }
            }
            """,
            {
                ("A.run", "A.f#2", "self"),
                ("A.many", "A.g#2", "self"),
                ("A.any", "A.h", "self"),
                ("A.rest", "A.k", "self"),
            },
            id="an array goes to the method that takes one",
        ),
        pytest.param(
            "a.py",
            """
            def other(): pass
            def late(): pass
            def keep(k):
                def held(): k()
                return held
            def swap(f): return other
            def apart(f): return keep(late)
            def wrap(f): return keep(f)
            @swap
            def one(): pass
            @apart
            def two(): pass
            @wrap
            def three(): pass
            def first(): one()
            def second(): two()
            def third(): three()
            """,
            {
                ("keep.held", "late", "value"),
                ("keep.held", "three", "value"),
                ("apart", "keep", "scope"),
                ("wrap", "keep", "scope"),
                ("first", "other", "value"),
                ("second", "keep.held", "value"),
                ("third", "keep.held", "decorator"),
            },
            id="only what closes over the decorated function is its wrapper",
        ),
        pytest.param(
            "a.rb",
            """
            class Shop
              def open; shut; end
              def shut; end
            end
            class Small < Shop
              def shut; end
              def run; open; self.shut; end
            end
            module Talk
              def say; name; end
            end
            class Dog
              include Talk
              def name; end
            end
            Dog.new.say
            """,
            {
                ("Shop.open", "Shop.shut", "scope"),
                ("Small.run", "Shop.open", "inheritance"),
                ("Small.run", "Small.shut", "self"),
                ("Talk.say", "Dog.name", "interface"),
            },
            id="how a bare name reaches a method",
        ),
        pytest.param(
            "a.ts",
            """
            import { Request } from 'outside';
            class Till { open() {} }
            function own(x: Request) { x.open(); }
            function other(x: Till) { x.open(); }
            function feed() { own(new Till()); other(new Request()); }
            """,
            {
                ("own", "Till.open", "inferred-type"),
                ("other", "Till.open", "declared-type"),
                ("feed", "Till", "constructor"),
                ("feed", "own", "scope"),
                ("feed", "other", "scope"),
            },
            id="what is of a type from outside says no more than the declaration",
        ),
    ],
)
def test_all_calls_of_one_file(project: Resolve, path: str, text: str, wanted: Calls) -> None:
    assert calls(project({path: text})) == wanted


def test_a_module_itself_and_names_beside_it_are_used(project: Resolve) -> None:
    found = project(
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod a;\nmod b;\n",
            "src/a.rs": "pub mod inner { pub fn f() {} }\npub fn g() {}\n",
            "src/b.rs": "use crate::a::inner::{self, f as k};\nuse crate::a::*;\n"
            "fn one() { inner::f(); }\nfn two() { k(); }\nfn three() { g(); }\n",
        }
    )
    inner, outer = "src/a.rs::inner.f", "src/a.rs::g"
    assert found.calls() == {("src/b.rs::one", inner), ("src/b.rs::two", inner), ("src/b.rs::three", outer)}


def test_a_module_that_is_named_by_a_text_is_imported(project: Resolve) -> None:
    found = project(
        {
            "shop/__init__.py": "",
            "shop/till.py": "def f(): pass\n",
            "a.py": "import importlib\ntill = importlib.import_module('shop.till')\ndef run(): till.f()\n",
        }
    )
    assert found.calls() == {("a.py::run", "shop/till.py::f")}


def test_an_import_says_whether_it_names_the_file_that_defines(project: Resolve) -> None:
    found = project(
        {
            "src/shop/__init__.py": "from shop.till import add\n",
            "src/shop/till.py": "def add(): pass\n",
            "src/one.py": "from shop.till import add\ndef run(): add()\n",
            "src/two.py": "from shop import add\ndef run(): add()\n",
        }
    )
    assert found.how("src/one.py::run", "src/shop/till.py::add") == "import"
    assert found.how("src/two.py::run", "src/shop/till.py::add") == "reexport"


def test_a_type_implements_what_another_package_promises_for_an_interface(project: Resolve) -> None:
    found = project(
        {
            "go.mod": "module shop\n",
            "a/a.go": """
            package a

            import "io"

            type Each interface{ Each(x []string) }
            type Right struct{}
            type Wrong struct{}

            func (Right) Each(x []string) {}
            func (Wrong) Each(x []int)    {}

            type Shuts interface {
                io.Closer
                Open()
            }
            type Full struct{}
            type Half struct{}
            type Other struct{}

            func (Full) Open()           {}
            func (Full) Close() error    { return nil }
            func (Half) Open()           {}
            func (Other) Open()          {}
            func (Other) Close(now bool) {}
            """,
        }
    )
    assert found.pairs("IMPLEMENTS") == {("a/a.go::Right", "a/a.go::Each"), ("a/a.go::Full", "a/a.go::Shuts")}
