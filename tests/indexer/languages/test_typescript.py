"""TypeScript and TSX: fixtures that assert themselves, and what no fixture can show."""

from __future__ import annotations

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import Definition, FileFacts, decode, encode
from loregraph.indexer.languages.registry import by_path
from tests.indexer.languages.carets import FIXTURES, failures

SOURCES = sorted((FIXTURES / "typescript").iterdir())


def facts_of(text: str, path: str = "a.ts") -> FileFacts:
    return extract(path, text.encode(), by_path(path) or "")


def named(text: str, path: str = "a.ts") -> dict[str, Definition]:
    return {d.qualname: d for d in facts_of(text, path).definitions}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_fixture_holds_what_it_says(path):
    assert failures(path, by_path(path.name) or "") == []


@pytest.mark.parametrize("path", sorted((FIXTURES / "javascript").glob("*.*js")), ids=lambda p: p.name)
def test_javascript_read_as_typescript_defines_the_same(path):
    source = path.read_bytes()
    as_javascript = extract(path.name, source, "javascript")
    as_typescript = extract(path.name, source, "typescript")
    if as_typescript.status == "indexed":
        assert [d.qualname for d in as_typescript.definitions] == [d.qualname for d in as_javascript.definitions]
        assert [c.function for c in as_typescript.calls] == [c.function for c in as_javascript.calls]


def test_an_overloaded_function_is_one_function():
    code = "export function f(a: A): void;\nexport function f(a: B): void;\n// Impl.\nexport function f(a: any) {}"
    assert list(named(code)) == ["f"]
    assert list(named("class A { m(): void; m(a?: B) {} n(): void }")) == ["A", "A.m", "A.n"]


def test_signatures_without_a_body_are_one_definition_each():
    assert list(named("interface A { m(): void; m(a: B): void }")) == ["A", "A.m", "A.m#2"]
    assert list(named("declare function f(): void; declare function f(a: B): void;")) == ["f", "f#2"]


def test_only_an_alias_with_members_is_a_type_of_its_own():
    code = "type A = { x: B }; type C = B & { m(): void }; type D = B | E; type F = { [k in B]: E }; type G = () => B;"
    assert list(named(code)) == ["A", "C", "C.m"]
    assert [a.target[1] for a in facts_of(code).assignments] == ["x", "D", "F", "G"]


def test_members_of_inner_types_belong_to_nobody():
    facts = facts_of("interface A { b: { c(): void; d: E } }\nfunction f(o: { g(): void }) {}")
    assert [d.qualname for d in facts.definitions] == ["A", "f"]
    assert [a.target for a in facts.assignments] == [("n", "b")]


def test_angle_brackets_are_a_type_in_ts_and_a_component_in_tsx():
    assert facts_of("x = <A>b;").assignments[0].value == ("t", ("n", "A"), ("n", "b"))
    assert facts_of("x = <A>b</A>;", "a.tsx").calls[0].kind == "jsx"


def test_string_types_do_not_name_anything():
    assert named("function f(a: 'User' | null) {}")["f"].parameters[0].type == (
        "u",
        (("k", "str", ""), ("k", "none", "")),
    )


@pytest.mark.parametrize(
    ("opening", "status"),
    [
        ("A<", "partial"),
        ("{a:", "partial"),
        ("(a:B)=>", "indexed"),
        ("A extends B ? C : ", "indexed"),
        ("A|", "indexed"),
        ("[", "partial"),
    ],
)
def test_deep_types_are_read_without_harm(opening, status):
    facts = facts_of("type X = " + opening * 5000 + "Y")
    assert (facts.status, facts.definitions, facts.calls) == (status, (), ())


def test_thousands_of_overloads_are_read():
    code = "".join(f"function f(a: {i}): void;\n" for i in range(2000))
    assert list(named(code + "function f(a: any) {}")) == ["f"]
    assert len(named(code)) == 2000


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_truncated_file_raises_nothing(path):
    source = path.read_bytes()
    for end in range(0, len(source), 97):
        facts = extract(path.name, source[:end], by_path(path.name) or "")
        assert facts.status == ("partial" if facts.problems else "indexed")
        kept = encode(facts)
        assert encode(decode(kept)) == kept
