"""Values that are put into texts: the method that makes a text of them runs."""

from __future__ import annotations

from tests.indexer.languages.edges import calls_between

JAVA = """\
package shop;
import java.util.Objects;
class Owner {
  String name;
  public String toString() { return name; }
  public boolean equals(Object other) { return other == this; }
  String me() { return "I am " + this; }
}
interface Shape {}
class Circle implements Shape { public String toString() { return "circle"; } }
class Money {}
class Use {
  Owner owner; Shape shape; Money money; String text; int number;
"""


def java(methods: str) -> set[tuple[str, str]]:
    found = calls_between({"src/shop/Use.java": JAVA + methods + "}\n"})
    return {(source.removeprefix("Use."), target) for source, target in found if source.startswith("Use.")}


# Verifies REQ-RES-012.
def test_joining_to_a_text_runs_the_method_that_makes_a_text() -> None:
    assert java('String a() { return "for " + owner + ":" + text + number; }') == {("a", "Owner.toString")}
    assert java('String a(Owner o) { return text + (o) + "."; }') == {("a", "Owner.toString")}
    assert java('void a() { text += "for " + owner; }') == {("a", "Owner.toString")}
    assert java("int a() { return number + 1; } String b() { return text + text; }") == set()
    assert ("Owner.me", "Owner.toString") in calls_between({"src/shop/Use.java": JAVA + "}\n"})


def test_what_a_type_does_not_say_itself_those_below_it_do() -> None:
    assert java('String a() { return "a " + shape; }') == {("a", "Circle.toString")}
    assert java('String a() { return "a " + money; }') == set()


def test_functions_of_the_library_put_their_arguments_into_texts() -> None:
    assert java("String a() { return String.valueOf(owner); }") == {("a", "Owner.toString")}
    assert java('String a() { return String.format("%s %s", text, shape); }') == {("a", "Circle.toString")}
    assert java("void a() { System.out.println(owner); }") == {("a", "Owner.toString")}
    assert java("void a(StringBuilder b) { b.append(text).append(owner); }") == {("a", "Owner.toString")}
    assert java("boolean a(Owner o) { return Objects.equals(o, owner); }") == {("a", "Owner.equals")}


def test_what_is_handed_to_a_parameter_for_anything_is_put_into_a_text_there() -> None:
    found = java('void a() { log(owner); } void log(Object any) { System.out.println("now " + any); }')
    assert found == {("a", "Use.log"), ("log", "Owner.toString")}


def test_strings_with_parts_filled_in_run_it_in_kotlin() -> None:
    head = (
        "package shop\nclass Owner(val name: String) { override fun toString() = name\n"
        "operator fun plus(o: Owner) = o }\ninterface Shape\n"
        'class Circle : Shape { override fun toString() = "c" }\n'
    )
    use = (
        'class Use(val o: Owner, val s: Shape) {\n fun a() = "x $o y"\n fun b() = "${s} ${o.name}"\n'
        ' fun c() { println(o) }\n fun d() = "x" + o\n fun e() = o + o\n fun f(t: String) = "$t" }\n'
    )
    assert {edge for edge in calls_between({"Use.kt": head + use}) if edge[0].startswith("Use.")} == {
        ("Use.a", "Owner.toString"), ("Use.b", "Circle.toString"), ("Use.c", "Owner.toString"),
        ("Use.d", "Owner.toString"), ("Use.e", "Owner.plus"),
    }  # fmt: skip


def test_strings_with_parts_filled_in_run_it_in_csharp() -> None:
    text = (
        "using System; namespace Shop; class Owner { string N; public override string ToString() { return N; } }\n"
        'interface IShape {} class Circle : IShape { public override string ToString() => "c"; }\n'
        'class Use { Owner o; IShape s; string A() { return $"x {o:N} {o}"; } string B() => $"{s,3}";\n'
        'void C() { Console.WriteLine(o); } string D() => "x" + o; string E() => string.Format("{0}", s); }\n'
    )
    assert calls_between({"Use.cs": text}) == {
        ("Use.A", "Owner.ToString"), ("Use.B", "Circle.ToString"), ("Use.C", "Owner.ToString"),
        ("Use.D", "Owner.ToString"), ("Use.E", "Circle.ToString"),
    }  # fmt: skip
