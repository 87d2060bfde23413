"""One project a language: the rules that its policy states."""

from __future__ import annotations

from .conftest import Resolve


def test_javascript_modules_classes_and_prototypes(project: Resolve) -> None:
    found = project(
        {
            "lib/index.js": "export * from './a.js';\nexport { default as make } from './b.js';\n",
            "lib/a.js": "export class A { constructor(f) { this.f = f; } run() { this.f(); this.own(); } own() {} }\n",
            "lib/b.js": "export default function make() { return new Old(); }\n"
            "function Old() { this.x = 1; }\nOld.prototype.go = function () { this.stop(); };\n"
            "Old.prototype.stop = function () {};\n",
            "common.js": "function f() {}\nmodule.exports = { f };\n",
            "main.js": "import { A, make } from './lib/index.js';\nconst { f } = require('./common');\n"
            "class B extends A { constructor() { super(f); } }\nnew B().run();\nmake().go();\n"
            "[1].forEach(() => f());\n",
        }
    )
    assert {
        ("main.js", "main.js::B"),
        ("main.js", "main.js::B.constructor"),
        ("main.js::B.constructor", "lib/a.js::A.constructor"),
        ("main.js", "lib/a.js::A.run"),
        ("lib/a.js::A.run", "lib/a.js::A.own"),
        ("lib/a.js::A.run", "common.js::f"),
        ("main.js", "lib/b.js::make"),
        ("main.js", "lib/b.js::Old.go"),
        ("lib/b.js::Old.go", "lib/b.js::Old.stop"),
        ("main.js::<arrow1>", "common.js::f"),
    } <= found.calls()


def test_javascript_bare_names_are_not_members(project: Resolve) -> None:
    found = project({"a.js": "class A { run() { flush(); } flush() {} }\n"})
    assert found.calls() == set()


def test_typescript_interfaces_reach_their_implementations(project: Resolve) -> None:
    found = project(
        {
            "types.ts": "export interface Repo<T> { save(x: T): void }\n",
            "repo.ts": "import type { Repo } from './types';\n"
            "export class Mem implements Repo<string> { save(x: string) {} }\n",
            "app.ts": "import type { Repo } from './types';\n"
            "export class App { constructor(private repo: Repo<string>) {} go() { this.repo.save('x'); } }\n",
        }
    )
    assert {("app.ts::App.go", "types.ts::Repo.save"), ("app.ts::App.go", "repo.ts::Mem.save")} <= found.calls()
    assert ("repo.ts::Mem", "types.ts::Repo") in found.pairs("IMPLEMENTS")
    assert found.how("app.ts::App.go", "types.ts::Repo.save") == "declared-type"


def test_go_packages_receivers_embedding_and_implicit_interfaces(project: Resolve) -> None:
    found = project(
        {
            "go.mod": "module example.com/m\n",
            "store/store.go": "package store\ntype Base struct{}\nfunc (b *Base) Close() {}\n"
            "type Store struct { Base }\nfunc New() *Store { return &Store{} }\n"
            "func (s *Store) Save(x int) { helper() }\n",
            "store/help.go": "package store\nfunc helper() {}\n",
            "main.go": 'package main\nimport "example.com/m/store"\ntype Saver interface { Save(x int) }\n'
            "func run(s Saver) { s.Save(1) }\nfunc main() { s := store.New(); s.Close(); run(s) }\n",
        }
    )
    assert {
        ("store/store.go::Store.Save", "store/help.go::helper"),
        ("main.go::main", "store/store.go::New"),
        ("main.go::main", "store/store.go::Base.Close"),
        ("main.go::run", "main.go::Saver.Save"),
        ("main.go::run", "store/store.go::Store.Save"),
    } <= found.calls()
    assert found.how("store/store.go::Store.Save", "store/help.go::helper") == "package"


def test_rust_paths_impls_and_traits(project: Resolve) -> None:
    found = project(
        {
            "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n',
            "src/main.rs": "mod repo;\nuse crate::repo::{Repo, Save};\n"
            "fn main() { let r = Repo::new(); r.save(); go(&r); }\nfn go(s: &dyn Save) { s.save(); }\n",
            "src/repo.rs": "pub trait Save { fn save(&self); }\npub struct Repo {}\n"
            "impl Repo { pub fn new() -> Self { Repo {} } fn own(&self) {} }\n"
            "impl Save for Repo { fn save(&self) { self.own(); } }\n",
        }
    )
    assert {
        ("src/main.rs::main", "src/repo.rs::Repo.new"),
        ("src/main.rs::main", "src/repo.rs::Repo.save"),
        ("src/main.rs::go", "src/repo.rs::Save.save"),
        ("src/main.rs::go", "src/repo.rs::Repo.save"),
        ("src/repo.rs::Repo.save", "src/repo.rs::Repo.own"),
    } <= found.calls()
    assert ("src/repo.rs::Repo", "src/repo.rs::Save") in found.pairs("IMPLEMENTS")


def test_java_packages_members_overloads_and_interfaces(project: Resolve) -> None:
    found = project(
        {
            "src/main/java/com/a/Base.java": "package com.a;\npublic class Base { protected void log(String s) {} }\n",
            "src/main/java/com/a/Repo.java": "package com.a;\npublic interface Repo { void save(int x); }\n",
            "src/main/java/com/a/Mem.java": "package com.a;\n"
            "public class Mem implements Repo { public void save(int x) {} }\n",
            "src/main/java/com/b/App.java": "package com.b;\nimport com.a.*;\npublic class App extends Base {\n"
            "  private final Repo repo;\n  public App(Repo repo) { this.repo = repo; }\n"
            '  void go() { log("x"); repo.save(1); pick(1); }\n  void pick() {}\n  void pick(int x) {}\n'
            "  static void main() { new App(new Mem()).go(); }\n}\n",
        }
    )
    app = "src/main/java/com/b/App.java::App"
    assert {
        (f"{app}.go", "src/main/java/com/a/Base.java::Base.log"),
        (f"{app}.go", "src/main/java/com/a/Repo.java::Repo.save"),
        (f"{app}.go", "src/main/java/com/a/Mem.java::Mem.save"),
        (f"{app}.go", f"{app}.pick#2"),
        (f"{app}.main", app),
        (f"{app}.main", f"{app}.App"),
        (f"{app}.main", f"{app}.go"),
    } <= found.calls()
    assert (f"{app}.go", f"{app}.pick") not in found.calls()


def test_cpp_prototypes_stand_for_their_definitions(project: Resolve) -> None:
    found = project(
        {
            "s.hpp": "class S { public: S(); void go(); private: void own(); };\nbool check(int x);\n",
            "s.cpp": '#include "s.hpp"\nS::S() { own(); }\nvoid S::go() { own(); check(1); }\nvoid S::own() {}\n',
            "check.cpp": '#include "s.hpp"\nbool check(int x) { return true; }\n',
            "main.cpp": '#include "s.hpp"\nint main() { S s; s.go(); return check(2); }\n',
            "other.cpp": "bool check(int x) { return false; }\n",
        }
    )
    assert {
        ("s.cpp::S.S", "s.cpp::S.own"),
        ("s.cpp::S.go", "check.cpp::check"),
        ("main.cpp::main", "s.cpp::S.go"),
        ("main.cpp::main", "check.cpp::check"),
    } <= found.calls()
    assert not {t for _, t in found.calls()} & {"other.cpp::check", "s.hpp::check", "s.hpp::S.own", "s.hpp::S.go"}


def test_go_methods_in_another_file_belong_to_their_type(project: Resolve) -> None:
    found = project(
        {
            "go.mod": "module shop\n",
            "weight.go": "package shop\n\ntype Weight float64\n\nfunc weigh(w Weight) { w.Round() }\n",
            "round.go": "package shop\n\nfunc (w Weight) Round() {}\n",
        }
    )
    assert found.calls() == {("weight.go::weigh", "round.go::Weight.Round")}
    assert found.pairs("CONTAINS") == {("weight.go::Weight", "round.go::Weight.Round")}


def test_a_member_may_have_the_name_of_its_own_type(project: Resolve) -> None:
    found = project(
        {
            "go.mod": "module shop\n",
            "shop.go": """
        package shop

        type Item struct{}

        func (i *Item) Sell() {}

        type Shop struct {
            *Item
            items []*Item
        }

        func (s *Shop) Close() { s.items[0].Sell() }
    """,
        }
    )
    assert found.calls() == {("shop.go::Shop.Close", "shop.go::Item.Sell")}
    assert found.how("shop.go::Shop.Close", "shop.go::Item.Sell") == "declared-type"


def test_typescript_types_that_are_made_of_others(project: Resolve) -> None:
    found = project(
        {
            "a.ts": """
        class Till { open() {} }
        interface Desk { till: Till; name: string }
        type Some = Partial<Desk>;
        type Tills = Record<string, Till>;
        type Made = ReturnType<typeof make>;
        type One = InstanceType<typeof Till>;
        type Held = Desk["till"];
        function make() { return new Till(); }
        function a(x: Some) { x.till!.open(); }
        function b(x: Tills) { x["a"].open(); }
        function c(x: Made) { x.open(); }
        function d(x: One) { x.open(); }
        function e(x: Held) { x.open(); }
        function f(x: Pick<Desk, "till">) { x.till.open(); }
        function g(x: { [key: string]: Till }) { x.any.open(); }
        function h(this: Till) { this.open(); }
        function i(x: { till: Till }) { x.till.open(); }
        function j(x: typeof shared) { x.open(); }
        const shared = new Till();
        function none(x: Desk["name"]) { x.open(); }
    """
        }
    )
    callers = {source.partition("::")[2] for source, target in found.calls() if target == "a.ts::Till.open"}
    assert callers == set("abcdefghij")
