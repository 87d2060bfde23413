"""What type parameters of a project's own types and functions stand for where these are used."""

from __future__ import annotations

import pytest

from tests.indexer.languages.edges import calls_between

JAVA = """\
package shop;
import java.util.*;
class Owner { void name() {} }
class Pet { void bark() {} }
class Repo<T> {
  T item;
  T get() { return item; }
  List<T> all() { return null; }
  Optional<T> maybe() { return null; }
  Repo<T> same() { return this; }
  <U> Repo<U> to(Class<U> type) { return null; }
}
class Owners extends Repo<Owner> {}
interface Source<S> { S next(); }
class Mid<A, B> implements Source<B> { A first; public B next() { return null; } }
class Low extends Mid<Owner, Pet> {}
class Util {
  static <U> U first(List<U> list) { return null; }
  static <U> U make(Class<U> type) { return null; }
  static <U> U unwrap(Repo<U> repo) { return null; }
  static <U> U again(U one) { return make(null); }
}
"""


def java(method: str) -> set[str]:
    """What of a receiver's own classes a method of `Use` calls."""
    found = calls_between({"src/shop/Use.java": JAVA + "class Use {" + method + "}\n"})
    return {target for source, target in found if source.startswith("Use.") and target in ("Owner.name", "Pet.bark")}


# Verifies REQ-RES-003, REQ-RES-016.
@pytest.mark.parametrize(
    "method",
    [
        "void a(Repo<Owner> r) { r.get().name(); }",
        "void a(Repo<Owner> r) { r.item.name(); }",
        "void a(Owners r) { r.get().name(); }",
        "void a(Owners r) { r.item.name(); }",
        "void a(Low r) { r.first.name(); }",
        "void a(Repo<Owner> r) { for (var o : r.all()) o.name(); }",
        "void a(Repo<Owner> r) { r.all().forEach(o -> o.name()); }",
        "void a(Repo<Owner> r) { r.maybe().get().name(); }",
        "void a(Repo<Owner> r) { r.same().same().get().name(); }",
        "void a(Repo<Repo<Owner>> r) { r.get().get().name(); }",
        "void a() { new Repo<Owner>().get().name(); }",
        "void a() { Repo<Owner> r = new Repo<>(); r.get().name(); }",
        "void a(List<Owner> list) { Util.first(list).name(); }",
        "void a() { Util.make(Owner.class).name(); }",
        "void a(Repo<Owner> r) { Util.unwrap(r).name(); }",
        "void a(Repo<Pet> r) { r.to(Owner.class).get().name(); }",
        "void a(Source<Owner> s) { s.next().name(); }",
    ],
)
def test_parameters_stand_for_what_the_code_writes(method: str) -> None:
    assert java(method) == {"Owner.name"}


def test_each_use_has_its_own() -> None:
    assert java("void a(Repo<Pet> p, Repo<Owner> o) { p.get().bark(); }") == {"Pet.bark"}
    assert java("void a(Low low) { low.next().bark(); }") == {"Pet.bark"}
    assert java("void a(Repo<?> r) { r.get().name(); }") == set()
    assert java("void a(Repo<Pet> p) { p.get().name(); }") == set()


def test_what_flows_through_code_with_parameters_is_not_mixed() -> None:
    """In the body of `load` what is given is merged over all who call it; each of them is given its own."""
    text = (
        "class Loader { <T> T load(Class<T> type) { return read(type); }\n"
        "<T> T read(Class<T> type) { return null; } }\n"
        "class Use { void a(Loader l) { l.load(Owner.class).name(); }\n"
        "void b(Loader l) { l.load(Pet.class).bark(); } }\n"
    )
    found = calls_between({"src/shop/Use.java": JAVA + text})
    assert {edge for edge in found if edge[1] in ("Owner.name", "Pet.bark")} == {
        ("Use.a", "Owner.name"), ("Use.b", "Pet.bark"),
    }  # fmt: skip


def test_a_type_that_makes_one_of_itself_comes_to_an_end() -> None:
    text = "class Node<T> { Node<Node<T>> deeper() { return null; } T value() { return null; } }\n"
    use = "class Use { void a(Node<Owner> n) { " + "n.value().name(); for (;;) { n = n.deeper(); } } }\n"
    assert ("Use.a", "Owner.name") in calls_between({"src/shop/Use.java": JAVA + text + use})


def test_what_a_type_has_not_is_not_looked_for_below_it() -> None:
    text = (
        "interface Shape {} class Circle implements Shape { int get() { return 1; } public String toString() {} }\n"
        "class Use { void a(Shape s) { s.get(); s.toString(); } void b(Shape s) { ((Circle) s).get(); } }\n"
    )
    assert {edge for edge in calls_between({"src/shop/Use.java": JAVA + text}) if edge[0].startswith("Use")} == {
        ("Use.a", "Circle.toString"), ("Use.b", "Circle.get"),
    }  # fmt: skip


def test_go_functions_and_embedded_types() -> None:
    text = """package a
type Owner struct{}
func (o *Owner) Name() {}
type Pet struct{}
func (p *Pet) Bark() {}
type Repo[T any] struct { item T; all []T }
type Base[K comparable, V any] struct { val V }
func (b *Base[A, B]) Val() B { return b.val }
type Owners struct { Repo[*Owner]; *Base[int, Pet] }
func (r *Repo[K]) Get() K { return r.item }
func (r *Repo[K]) All() []K { return r.all }
func First[T any](xs ...T) T { return xs[0] }
func Head[T any](xs []T) T { return xs[0] }
func Make[T any]() T { var x T; return x }
func New[T any](x T) *Repo[T] { return &Repo[T]{item: x} }
func a(r *Repo[*Owner]) { r.Get().Name(); r.item.Name() }
func b(r *Owners) { r.Get().Name(); r.item.Name() }
func c(r *Owners) { r.Val().Bark() }
func d() { Make[Owner]().Name() }
func e(r *Repo[*Owner]) { for _, o := range r.All() { o.Name() } }
func f() { New(&Owner{}).Get().Name() }
func g(xs []*Owner) { Head(xs).Name() }
func h(o *Owner) { First(o).Name() }
"""
    found = calls_between({"go.mod": "module a.com/a\n\ngo 1.22\n", "a.go": text})
    assert {edge for edge in found if edge[1] in ("Owner.Name", "Pet.Bark")} == {
        *((name, "Owner.Name") for name in "abdefgh"), ("c", "Pet.Bark"),
    }  # fmt: skip
    assert ("d", "Make") in found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "Use.kt",
            "class Owner { fun name() {} }\nopen class Repo<T>(val item: T) { fun get(): T = item\n"
            " fun all(): List<T> = listOf(item) }\nclass Owners(o: Owner) : Repo<Owner>(o)\n"
            "fun <U> first(xs: List<U>): U = xs[0]\nfun <U> wrap(x: U): Repo<U> = Repo(x)\n"
            "fun a(r: Repo<Owner>) { r.get().name() }\nfun b(r: Owners) { r.item.name() }\n"
            "fun c(r: Repo<Owner>) { for (o in r.all()) o.name() }\nfun d(xs: List<Owner>) { first(xs).name() }\n"
            "fun e(o: Owner) { wrap(o).get().name() }\n",
        ),
        (
            "use.ts",
            "class Owner { name() {} }\n"
            "class Repo<T> { item!: T; get(): T { return this.item } all(): T[] { return [] } }\n"
            "class Owners extends Repo<Owner> {}\ndeclare function first<U>(xs: U[]): U;\n"
            "function a(r: Repo<Owner>) { r.get().name() }\nfunction b(r: Owners) { r.get().name() }\n"
            "function c(r: Repo<Owner>) { for (const o of r.all()) o.name() }\n"
            "function d(xs: Owner[]) { first(xs).name() }\nfunction e() { new Repo<Owner>().get().name() }\n",
        ),
    ],
    ids=["kotlin", "typescript"],
)
def test_kotlin_and_typescript(path: str, text: str) -> None:
    assert {edge[0] for edge in calls_between({path: text}) if edge[1] == "Owner.name"} == set("abcde")


def test_csharp() -> None:
    text = (
        "using System.Collections.Generic; namespace Shop; class Owner { public void Name() {} }\n"
        "class Repo<T> { public T Item { get; set; } public T Get() { return Item; } public List<T> All() => null; }\n"
        "class Owners : Repo<Owner> {}\nclass Use { void A(Repo<Owner> r) { r.Get().Name(); }\n"
        "void B(Owners r) { r.Item.Name(); } void C() { var r = new Repo<Owner>(); r.Get().Name(); }\n"
        "void D(Repo<Owner> r) { foreach (var o in r.All()) o.Name(); } T First<T>(List<T> xs) => xs[0];\n"
        "void E(List<Owner> xs) { First(xs).Name(); } }\n"
    )
    found = calls_between({"Use.cs": text})
    assert {source for source, target in found if target == "Owner.Name"} == {f"Use.{name}" for name in "ABCDE"}
