"""Go: fixtures that assert themselves, and what only Go does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import UNKNOWN, FileFacts
from loregraph.indexer.languages.go.spec import package_name
from tests.indexer.languages.carets import FIXTURES, failures, show
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "go").glob("*.go"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "go") == []


def facts_of(text: str, path: str = "shop/cart.go") -> FileFacts:
    return extract(path, f"package shop\n\n{text}".encode(), "go")


def body(code: str) -> FileFacts:
    return facts_of(f"func f() {{\n{code}\n}}")


def test_the_package_its_documentation_and_its_build_tags_are_read() -> None:
    text = "//go:build linux\n\n// Package shop sells.\npackage shop\n"
    facts = extract("shop/doc.go", text.encode(), "go")
    assert (facts.package, facts.docstring, facts.extras) == ("shop", "Package shop sells.", {"build": "linux"})


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("fmt", "fmt"),
        ("net/http", "http"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("github.com/acme/rates/v2", "rates"),
        ("github.com/mattn/go-isatty", "isatty"),
        ("github.com/acme/nats.go", "nats"),
    ],
)
def test_an_import_without_an_alias_binds_the_package_s_likely_name(path: str, name: str) -> None:
    assert package_name(path) == name


def test_methods_stand_under_the_type_of_their_receiver() -> None:
    facts = facts_of("func (c *Cart) Add() {}\nfunc (Cart) Len() int { return 0 }\nfunc (s *Set[K]) Has(k K) {}")
    assert [(d.qualname, d.owner, d.type_parameters) for d in facts.definitions] == [
        ("Cart.Add", ("n", "Cart"), ()),
        ("Cart.Len", ("n", "Cart"), ()),
        ("Set.Has", ("n", "Set"), ("K",)),
    ]
    assert [d.parameters[0].kind for d in facts.definitions] == ["this", "this", "this"]


def test_embedded_types_are_bases_and_fields() -> None:
    facts = facts_of("type A struct { *b.Base; Log; n int }\ntype I interface { io.Reader; ~int | B; M() }")
    a, i, _ = facts.definitions
    assert [base.type for base in a.bases] == [("a", ("n", "b"), "Base"), ("n", "Log")]
    assert [base.type for base in i.bases] == [("a", ("n", "io"), "Reader")]
    assert [x.target[1] for x in facts.assignments] == ["Base", "Log", "n"]


def test_an_interface_written_in_place_defines_nothing() -> None:
    facts = body("var x interface{ M() } = y\ns := z.(interface{ N() int })\nvar t struct{ a int }")
    assert [d.qualname for d in facts.definitions] == ["f"]


def test_several_results_are_taken_apart_and_comma_ok_is_not() -> None:
    facts = body("a, err := g()\nb, ok := m[k]\nc, d = d, c\n_, e := g()")
    assert [(x.target, x.value) for x in facts.assignments] == [
        (("l", (("n", "a"), ("n", "err"))), ("c", 0)),
        (("n", "b"), ("s", ("n", "m"), ("n", "k"))),
        (("n", "ok"), ("k", "bool", "")),
        (("n", "c"), ("n", "d")),
        (("n", "d"), ("n", "c")),
        (("l", (UNKNOWN, ("n", "e"))), ("c", 1)),
    ]


def test_literals_have_their_type_and_hand_it_to_what_is_in_them() -> None:
    facts = body('x := []Line{{Name: f}, {}}\ny := map[string]*Line{"a": {}}\nz := &Order{Done: func() {}}')
    shown = [show(a.value, facts) for a in facts.assignments if a.kind == "declare"]
    assert shown == [
        "([({Name: f} as Line), (? as Line)] as [][Line])",
        "({a: (? as Line)} as map[[string, Line]])",
        "({Done: &f.<lambda1>} as Order)",
    ]


def test_a_type_switch_gives_its_variable_the_type_of_the_case() -> None:
    facts = body("switch v := e.(type) {\ncase *A:\n\tv.f()\ncase B, C:\n\tv.g()\ndefault:\n\tv.h()\n}")
    assert [(a.value[0], a.type) for a in facts.assignments] == [
        ("n", None),
        ("t", ("n", "A")),
        ("t", ("u", (("n", "B"), ("n", "C")))),
    ]
    blocks = [c.block for c in facts.calls]
    assert len(set(blocks)) == 3
    assert [facts.assignments[1].block, facts.assignments[2].block] == blocks[:2]


def test_what_an_if_declares_is_in_a_block_of_its_own() -> None:
    facts = body("x := a()\nif x := b(); x != nil {\n\tx.c()\n}\nx.d()")
    first, second = facts.assignments
    assert first.block == -1
    assert second.block >= 0
    assert facts.blocks[second.block].end < facts.calls[-1].at


def test_conversions_are_values_of_the_type_and_no_calls() -> None:
    facts = body("a := []byte(s)\nb := (*T)(nil)\nc := F[int](v)")
    assert [a.value[0] for a in facts.assignments] == ["t", "t", "c"]
    assert [c.function for c in facts.calls if c.line] == [("s", ("n", "F"), ("n", "int"))]


def test_constants_without_a_value_repeat_the_type_above() -> None:
    facts = facts_of("const (\n\tA Kind = iota\n\tB\n\tC = 1\n\tD\n)")
    assert [(a.target[1], a.type) for a in facts.assignments] == [
        ("A", ("n", "Kind")),
        ("B", ("n", "Kind")),
        ("C", None),
        ("D", None),
    ]


def test_tests_are_in_test_files() -> None:
    text = "func TestA(t *testing.T) {}\nfunc Testify() {}\nfunc ExampleA() {}\nfunc FuzzA(f *testing.F) {}"
    for path, tests in (("a_test.go", ["TestA", "ExampleA", "FuzzA"]), ("a.go", [])):
        assert [d.name for d in facts_of(text, path).definitions if "test" in d.flags] == tests


RENDERING = {
    "go.mod": "module acme.com/shop\n\ngo 1.22\n",
    "render/render.go": """package render

import (
	"io"
	"net/http"
)

type Status = int

type Render interface {
	Render(http.ResponseWriter) error
	Write(w io.Writer, parts ...string) (n int, err error)
}

type Named interface{ Name() Status }

type hidden interface{ reset() }

type File interface {
	io.Closer
	Sync() error
}

type Source[T any] interface{ Next() T }
""",
    "web/web.go": """package web

import (
	web "net/http"
	"os"

	"acme.com/shop/render"
)

type JSON struct{ base }

func (r *JSON) Render(w web.ResponseWriter) error { return nil }

type base struct{}

func (base) Write(w io.Writer, all ...string) (int, error) { return 0, nil }

type Text struct{ base }

func (Text) Render(w string) error { return nil }

type One struct{ base }

func (One) Render(w web.ResponseWriter) (error, int) { return nil, 0 }

type Label struct{}

func (Label) Name() int { return 0 }
func (Label) reset()    {}

type Log struct{ *os.File }

func (Log) Sync() error { return nil }

type Page struct{}

func (Page) Sync() error  { return nil }
func (Page) Next() string { return "" }

func show(r render.Render) {
	r.Render(nil)
	r.Write(nil)
}
""",
}


# Verifies REQ-RES-006, REQ-RES-015.
def test_a_type_implements_the_interfaces_whose_methods_it_has_as_they_are_written() -> None:
    assert calls_between(RENDERING, "IMPLEMENTS") == {
        ("JSON", "Render"),
        ("Label", "Named"),
        ("Log", "File"),
        ("Page", "Source"),
    }


def test_methods_override_those_of_interfaces_that_their_types_implement() -> None:
    assert calls_between(RENDERING, "OVERRIDES") == {
        ("JSON.Render", "Render.Render"),
        ("Label.Name", "Named.Name"),
        ("Log.Sync", "File.Sync"),
        ("Page.Next", "Source.Next"),
    }


def test_a_call_through_an_interface_reaches_methods_that_implementers_only_embed() -> None:
    assert calls_between(RENDERING) == {
        ("show", "Render.Render"),
        ("show", "JSON.Render"),
        ("show", "Render.Write"),
        ("show", "base.Write"),
    }


def test_a_promoted_method_calls_nothing_of_what_is_around_its_own_type() -> None:
    text = """package shop

type Step interface{ Run() }
type Base struct{}

func (b *Base) Run() { b.step() }
func (b *Base) step() {}

type Outer struct{ *Base }

func (o *Outer) step() {}

type Held struct{ Step }

func use(o *Outer, b *Base, h Held) {
	o.Run()
	b.step()
	h.Run()
}
"""
    assert calls_between({"shop.go": text}) == {
        ("Base.Run", "Base.step"),
        ("use", "Base.Run"),
        ("use", "Base.step"),
        ("use", "Step.Run"),
    }


FUNCTIONS = """package shop

type Server struct {
	handler func(string)
	onClose []func()
}

type Worker struct{}

func (w *Worker) Work() {}

func handle(text string) {}
func first()             {}
func last()              {}

func New() *Server { return &Server{handler: handle} }

func (s *Server) Defer(f func()) { s.onClose = append(s.onClose, f) }

func (s *Server) Run() {
	s.handler("")
	for _, f := range s.onClose {
		f()
	}
}

func Each[T any](items []T, do func(T)) { do(items[0]) }

func call(f func()) { f() }

func main() {
	s := New()
	s.Defer(first)
	s.Defer(last)
	w := &Worker{}
	call(w.Work)
	Each([]string{""}, handle)
}
"""


def test_functions_are_followed_through_parameters_fields_and_slices() -> None:
    assert calls_between({"shop.go": FUNCTIONS}) == {
        ("Server.Run", "handle"),
        ("Server.Run", "first"),
        ("Server.Run", "last"),
        ("Each", "handle"),
        ("call", "Worker.Work"),
        ("main", "New"),
        ("main", "Server.Defer"),
        ("main", "call"),
        ("main", "Each"),
    }


def test_what_a_literal_puts_into_an_interface_s_field_is_found_by_its_value() -> None:
    text = """package shop

type Store interface{ Get() }
type Memory struct{}

func (m *Memory) Get() {}

type Shop struct{ store Store }

func New(m *Memory) *Shop { return &Shop{store: m} }

func (s *Shop) Sell() { s.store.Get() }
"""
    assert calls_between({"shop.go": text}) == {("Shop.Sell", "Store.Get"), ("Shop.Sell", "Memory.Get")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("var x = " + "(" * 5000 + "1" + ")" * 5000, "indexed", 0, 0),
        ("func f() " + "{" * 5000 + "}" * 5000, "indexed", 1, 0),
        ("var x = []T{" + "{" * 5000 + "}" * 5000 + "}", "indexed", 0, 0),
        ("var x = " + "func() { " * 1500 + "}" * 1500, "indexed", 250, 0),
        ("func f() { x" + ".a()" * 5000 + " }", "indexed", 1, 498),
        ("var x " + "[]" * 5000 + "T", "partial", 0, 0),
    ],
    ids=["parentheses", "blocks", "literals", "closures", "chain", "type"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


def test_a_method_of_two_types_that_are_embedded_equally_deep_is_none_of_the_type_around() -> None:
    text = (
        "package a\ntype Runner interface { Run() }\ntype One struct{}\nfunc (One) Run() {}\ntype Two struct{}\n"
        "func (Two) Run() {}\ntype Both struct { One; Two }\ntype Own struct { One; Two }\nfunc (Own) Run() {}\n"
        "type Near struct { One; deep }\ntype deep struct { Two }\n"
    )
    found = calls_between({"go.mod": "module a.com/a\n", "a.go": text}, "IMPLEMENTS")
    assert {source for source, _ in found} == {"One", "Two", "Own", "Near", "deep"}
