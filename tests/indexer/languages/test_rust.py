"""Rust: fixtures that assert themselves, and what only Rust does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import Expr, FileFacts
from tests.indexer.languages.carets import FIXTURES, failures, show
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "rust").glob("*.rs"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "rust") == []


def facts_of(text: str, path: str = "src/cart.rs") -> FileFacts:
    return extract(path, text.encode(), "rust")


def calls(facts: FileFacts) -> list[str]:
    return sorted(f"{show(c.function, facts)}{'!' if c.kind == 'macro' else ''}" for c in facts.calls if c.line)


def calls_in(code: str) -> list[str]:
    return calls(facts_of(f"fn f() {{ {code} }}"))


def test_methods_stand_under_the_type_of_their_impl() -> None:
    facts = facts_of(
        "impl<T: Id> Cart<T> { fn add(&self, x: T) {} fn new() -> Self {} }\nmod m { impl a::B { fn c() {} } }"
    )
    assert [(d.kind, d.qualname, d.owner) for d in facts.definitions] == [
        ("method", "Cart.add", ("n", "Cart")),
        ("method", "Cart.new", ("n", "Cart")),
        ("module", "m", None),
        ("method", "m.B.c", ("a", ("n", "a"), "B")),
    ]
    assert ["static" in d.flags for d in facts.definitions] == [False, True, False, True]
    assert [(a.scope, a.target, a.value) for a in facts.assignments] == [
        (0, ("n", "T"), ("n", "Id")),
        (1, ("n", "T"), ("n", "Id")),
    ]


def test_one_method_of_several_impls_is_numbered() -> None:
    text = "impl From<A> for E { fn from(a: A) -> E {} }\nimpl From<B> for E { fn from(b: B) -> E {} }"
    assert [d.qualname for d in facts_of(text).definitions] == ["E.from", "E.from#2"]


def test_impls_of_traits_are_listed_with_their_scope() -> None:
    text = "impl Show for Cart {}\nimpl Cart {}\nmod m { impl<T> fmt::Show for &Box<T> {} }\nimpl !Send for Cart {}"
    assert facts_of(text).extras["impls"] == [
        (("n", "Cart"), ("n", "Show"), 1, -1),
        (("n", "Box"), ("a", ("n", "fmt"), "Show"), 3, 0),
    ]


def test_owners_without_a_name_have_the_language_s_word_for_them() -> None:
    text = "impl A for [u8] { fn f() {} }\nimpl A for (B, C) { fn f() {} }\nimpl A for dyn D + Send { fn f() {} }"
    assert [d.qualname for d in facts_of(text).definitions] == ["slice.f", "tuple.f", "D.f"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('println!("{} {}", a.b(), c!(d()));', ["a.b", "c!", "d", "println!"]),
        ('x = format!("{}", y.z());', ["format!", "y.z"]),
        ("let v = vec![a(), b(); n()];", ["a", "b", "n", "vec!"]),
        ("let v = vec![a(), b()];", ["a", "b"]),
        ("assert_eq!(left(), Foo::new(right()));", ["Foo.new", "assert_eq!", "left", "right"]),
        ("select! { a = b.recv() => c(a), }", ["b.recv", "c", "select!"]),
        ('info!(target: "x", size = y.len(), "{}", z());', ["info!", "y.len", "z"]),
        ("if matches!(a.b(), Some(C(_))) { d() }", ["a.b", "d", "matches!"]),
        ("p!(r#\"( q!( \"#, '(', a()); // r!(\n b(); /* c!( /* */ */ d();", ["a", "b", "d", "p!"]),
        ("if !(a()) { b() } let c = d != (e());", ["a", "b", "e"]),
        ("m! { fn inner() { g(); } }", ["g", "m!"]),
    ],
)
def test_calls_in_macros_are_found(code: str, found: list[str]) -> None:
    assert calls_in(code) == found


def test_an_invocation_that_is_no_code_does_not_spoil_its_neighbours() -> None:
    facts = facts_of("fn f() { a!(b()); odd!(c() d()); e!(g()); }\nfn h() { i!(j()); }")
    assert facts.status == "indexed"
    assert calls(facts) == ["a!", "b", "c", "d", "e!", "g", "i!", "j", "odd!"]
    assert [d.name for d in facts.definitions] == ["f", "h"]


ROUTER = """
struct Path;
impl Path { fn route(&self, x: u8) {} fn stop(&self) {} }
struct Inner { path: Path }
struct Router { inner: Inner }
enum Flavor { One(Path), Other(Path) }

macro_rules! tap_inner {
    ( $self_:ident, mut $inner:ident => { $($stmt:stmt)* } ) => {{
        let mut $inner = $self_.into_inner();
        $($stmt)*;
        Router { inner: $inner }
    }};
}

impl Router {
    fn into_inner(self) -> Inner { self.inner }
    fn route(self, x: u8) -> Self {
        tap_inner!(self, mut this => {
            check!(this.path.route(x));
        })
    }
}

impl Flavor {
    fn stop(&self) {
        crate::each_flavor!(self, Flavor::One(path) => path.stop(), Flavor::Other(path) => path.stop())
    }
    fn unknown(&self) {
        foreign!(self, this => this.stop())
    }
}
"""


def test_a_macro_with_arms_binds_names_as_its_definition_says() -> None:
    assert calls_between({"src/lib.rs": ROUTER}) == {
        ("Router.route", "Router.into_inner"),
        ("Router.route", "Path.route"),
        ("Flavor.stop", "Path.stop"),
    }


SELECT = """
struct Queue;
struct Message;
impl Queue { async fn receive(&mut self) -> Option<Message> { None } fn ready(&self) -> bool { true } }
impl Message { fn handle(&self) {} fn log(&self) {} }
fn sleep(n: u8) {}
fn tick() {}
fn after() {}

async fn run(mut first: Queue, mut second: Queue) {
    tokio::select! {
        biased;
        Some(message) = first.receive(), if first.ready() => {
            message.handle();
        }
        _ = sleep(1) => tick(),
        mut other = second.receive() => {
            other.unwrap().log();
        }
        else => after(),
    }
    tokio::join! { first.receive(), async { after() } };
}
"""


def test_the_arms_of_select_bind_what_their_futures_give() -> None:
    facts = facts_of(SELECT)
    assert facts.status == "indexed"
    assert [(c.line, show(c.function, facts)) for c in facts.calls if c.line > 10 and c.kind == "call"] == [
        (13, "first.receive"),
        (13, "first.ready"),
        (14, "message.handle"),
        (16, "sleep"),
        (16, "tick"),
        (17, "second.receive"),
        (18, "other.unwrap().log"),
        (18, "other.unwrap"),
        (20, "after"),
        (22, "first.receive"),
        (22, "after"),
    ]
    assert {callee for _, callee in calls_between({"src/lib.rs": SELECT})} >= {"Message.handle", "Message.log"}


BODY = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
    "src/body.rs": "pub struct Body;\nimpl Body { pub fn empty() -> Self { Body } pub fn read(&self) {} }\n",
    "src/lib.rs": "mod http { pub mod inner { pub use crate::body; } }\nmod body;\nmod file;\n",
    "src/file.rs": """
use crate::http::inner::body;

mod tests {
    use super::*;
    use body::Body;

    fn reads() { Body::empty().read(); }
}
""",
}


def test_a_path_may_begin_with_what_another_import_brings_in() -> None:
    assert calls_between(BODY) == {("tests.reads", "Body.empty"), ("tests.reads", "Body.read")}


def test_functions_are_followed_into_parameters_of_function_types() -> None:
    text = """
fn call<F: Fn()>(f: F) { f() }
fn run(f: impl Fn()) { f() }
fn point(f: fn()) { f() }
fn sell() {}
fn main() { call(sell); run(sell); point(sell); }
"""
    assert calls_between({"src/lib.rs": text}) == {
        ("call", "sell"),
        ("run", "sell"),
        ("point", "sell"),
        ("main", "call"),
        ("main", "run"),
        ("main", "point"),
    }


def test_quoted_tokens_call_nothing() -> None:
    assert calls_in("quote! { a.b(); c() }; parse_quote!(d());") == ["parse_quote!", "quote!"]


def test_items_in_a_macro_s_braces_are_items() -> None:
    facts = facts_of("cfg_rt! {\n    pub struct A;\n    impl A {\n        fn b(&self) { log!(c()); }\n    }\n}\n")
    assert [(d.kind, d.qualname, d.start_line) for d in facts.definitions] == [("struct", "A", 2), ("method", "A.b", 4)]
    assert calls(facts) == ["c", "cfg_rt!", "log!"]


def test_what_a_macro_expands_to_is_called_by_the_macro() -> None:
    facts = facts_of("macro_rules! make { ($x:expr) => { $crate::build($x.id(), helper!()) }; }")
    assert [(d.kind, d.qualname) for d in facts.definitions] == [("macro", "make")]
    assert {c.scope for c in facts.calls} == {0}
    assert calls(facts) == ["$crate.build", "$x.id", "helper!"]


def test_use_trees_are_taken_apart() -> None:
    text = "use a::{b::{self, c as d}, e::*, f as _};\npub use crate::g::H;\nuse i;\npub use j::*;"
    facts = facts_of(text)
    assert [(i.module, i.name, i.alias, i.kind) for i in facts.imports] == [
        ("a", "b", "b", "from"),
        ("a::b", "c", "d", "from"),
        ("a::e", "*", "", "from"),
        ("a", "f", "", "from"),
        ("crate::g", "H", "H", "from"),
        ("i", "", "i", ""),
        ("j", "*", "", "from"),
        ("j", "*", "", "reexport"),
    ]
    assert [(e.name, e.value) for e in facts.exports] == [("H", ("n", "H"))]


def test_paths_are_written_as_the_file_s_own_module_sees_them() -> None:
    text = (
        "use super::a;\nfn f() { self::b(); super::super::c(); crate::d::e(); }\n"
        "mod m { use super::{g, h::i}; mod n { use super::super::j; use self::k; fn o() { super::p(); } } }"
    )
    facts = facts_of(text)
    assert [(i.module, i.name) for i in facts.imports] == [
        ("super", "a"),
        ("self", "g"),
        ("self::h", "i"),
        ("self", "j"),
        ("self::m::n", "k"),
    ]
    assert [c.function for c in facts.calls] == [
        ("a", ("m", "self"), "b"),
        ("a", ("m", "super::super"), "c"),
        ("a", ("a", ("m", "crate"), "d"), "e"),
        ("a", ("m", "self::m"), "p"),
    ]


def test_a_bounded_type_parameter_may_be_read_as_its_bound() -> None:
    [f] = facts_of("fn f<T: Draw + Send, U>(x: Vec<T>, y: U) -> T where U: Show {}").definitions
    t: Expr = ("u", (("n", "T"), ("n", "Draw")))
    u: Expr = ("u", (("n", "U"), ("n", "Show")))
    assert [p.type for p in f.parameters] == [("s", ("n", "Vec"), t), u]
    assert f.returns == t


def test_modules_in_other_files_are_imports() -> None:
    facts = facts_of('mod a;\n#[path = "x/b.rs"]\nmod b;\nmod c { mod d; }')
    assert [(i.scope, i.module, i.alias, i.kind) for i in facts.imports] == [
        (-1, "self::a", "a", "mod"),
        (-1, "self::b", "b", "mod"),
        (0, "self::c::d", "d", "mod"),
    ]
    assert facts.extras == {"paths": {"b": "x/b.rs"}}


@pytest.mark.parametrize(
    ("code", "bound"),
    [
        ("let Some(x) = y else { return };", {"x": "y"}),
        ("let (a, mut b) = t;", {"a": "t[0]", "b": "t[1]"}),
        ("let S { a, b: c, .. } = s;", {"a": "(s as S).a", "c": "(s as S).b"}),
        ("if let Ok(ref x) = y() {}", {"x": "y()"}),
        ("match e { E::B(_, q) => 1, E::C { x } => 2, n => 3 }", {"q": "E.B[1]", "x": 'E.C["x"]', "n": "e"}),
        ("match e { None => 1, MAX => 2, Wrap(w) => 3 }", {"w": "(? as Wrap).0"}),
        ("for (k, v) in m.iter() {}", {"k": "each m.iter()[0]", "v": "each m.iter()[1]"}),
        ("let x = Some(Box::new(y));", {"x": "y"}),
        ("let x = E::B(1);", {"x": "(? as E)"}),
        ("let x = s.0;", {"x": "(s.0 | s[0])"}),
        ("let x = if a { b } else if c { d } else { return };", {"x": "(b | d)"}),
    ],
)
def test_patterns_bind_parts_of_the_value(code: str, bound: dict[str, str]) -> None:
    facts = facts_of(f"fn f() {{ {code} }}")
    assert {a.target[1]: show(a.value, facts) for a in facts.assignments} == bound


def test_variants_are_values_of_their_enum_that_hold_their_fields() -> None:
    facts = facts_of("enum E { A, B(Foo), C { x: Bar } }")
    assert {a.target[1]: show(a.value, facts) for a in facts.assignments} == {
        "A": "(? as E)",
        "B": "((? as E) | [(? as Foo)])",
        "C": "((? as E) | {x: (? as Bar)})",
    }


@pytest.mark.parametrize(
    ("written", "lowered"),
    [
        ("&'a mut dyn Draw", ("n", "Draw")),
        ("Box<dyn Draw + Send>", ("s", ("n", "Box"), ("n", "Draw"))),
        ("impl Iterator<Item = Foo>", ("s", ("n", "Iterator"), ("n", "Foo"))),
        ("&[Foo]", ("s", ("n", "[]"), ("n", "Foo"))),
        ("a::B<'x>", ("a", ("n", "a"), "B")),
        ("*const (A, B)", ("l", (("n", "A"), ("n", "B")))),
    ],
)
def test_types_are_stripped_to_what_they_hold(written: str, lowered: Expr) -> None:
    [f] = facts_of(f"fn f(x: {written}) {{}}").definitions
    assert f.parameters[0].type == lowered


def test_tests_and_visibility_are_flags() -> None:
    text = "#[test]\nfn a() {}\n#[tokio::test]\nasync fn b() {}\n#[cfg(test)]\npub fn c() {}\npub(crate) fn d() {}"
    assert [(d.name, d.flags) for d in facts_of(text).definitions] == [
        ("a", ("test",)),
        ("b", ("async", "test")),
        ("c", ("exported",)),
        ("d", ()),
    ]


def test_a_definition_starts_with_its_attributes_and_documents_itself() -> None:
    facts = facts_of("// licence\n\n/// One.\n#[a]\n/// Two.\n#[b(c)]\npub struct S;\n\n// Plain.\nfn f() {}\n")
    s, f = facts.definitions
    assert (s.start_line, s.docstring, s.decorator_names, s.signature) == (
        4,
        "One.\nTwo.",
        ("a", "b(c)"),
        "pub struct S",
    )
    assert f.docstring == "Plain."


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("const X: i32 = " + "(" * 5000 + "1" + ")" * 5000 + ";", "indexed", 0, 0),
        ("fn f() { " + "m!(" * 5000 + ")" * 5000 + "; }", "indexed", 1, 499),
        ("fn f() { " + "a::" * 5000 + "b; }", "indexed", 1, 0),
        ("fn f() { let " + "(" * 5000 + "a" + ")" * 5000 + " = x; }", "indexed", 1, 0),
        ("use " + "a::{" * 2000 + "b" + "}" * 2000 + ";", "indexed", 0, 0),
        ("fn f() { " + "|x| " * 5000 + "1 }", "indexed", 999, 0),
        ('r#"' * 5000, "partial", 0, 0),
        ("/*" * 5000, "partial", 0, 0),
        ("x!{ pub " * 3000, "partial", 0, 0),
    ],
    ids=["parentheses", "macros", "path", "pattern", "use", "closures", "strings", "comments", "braces"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


def test_everything_at_once_from_nowhere_is_read() -> None:
    assert facts_of("use *;\nuse ::*;\nuse {*, a::b};\nfn f() {}\n").status == "indexed"
