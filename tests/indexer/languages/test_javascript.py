"""JavaScript and JSX: fixtures that assert themselves, and what no fixture can show."""

from __future__ import annotations

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import Definition, FileFacts, decode, encode
from loregraph.indexer.languages.comments import MAX_COMMENTS
from tests.indexer.languages.carets import FIXTURES, failures

SOURCES = sorted((FIXTURES / "javascript").iterdir())


def facts_of(text: str, path: str = "a.js") -> FileFacts:
    return extract(path, text.encode(), "javascript")


def named(text: str, path: str = "a.js") -> dict[str, Definition]:
    return {d.qualname: d for d in facts_of(text, path).definitions}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_fixture_holds_what_it_says(path):
    assert failures(path, "javascript") == []


def test_the_file_docstring_is_the_overview_comment():
    assert facts_of("/**\n * @fileoverview Draws maps.\n */\nx = 1;").docstring == "Draws maps."
    assert facts_of("/* Copyright somebody */\nx = 1;").docstring == ""


@pytest.mark.parametrize(
    ("code", "qualname"),
    [
        ("var f = ((function () {}));", "f"),
        ("a = b = () => {};", "b"),
        ("x.y['z w'] = function () {};", "x.y.z w"),
        ("this.go = function () {};", "go"),
        ("get().then = function () {};", "then"),
        ("({ 'a': { 'b\\u0063'() {} } })", "a.bc"),
        ("foo({ on: { click() {} } })", "on.click"),
        ("foo(function named() {})", "named"),
        ("foo(function () {})", "<arrow1>"),
        ("a[0] = function () {};", "<arrow1>"),
        ("x = cond ? () => 1 : null;", "<arrow1>"),
        ("module.exports = function () {};", "module.exports"),
        ("module.exports = { run() {} };", "run"),
        ("export default { run() {} };", "default.run"),
        ("class A { m() { this.b = function () {}; } }", "A.b"),
        ("class A { static f = () => {}; }", "A.f"),
        ("class A { #p = 1; #q() {} }", "A.#q"),
        ("class A { handlers = { click() {} }; }", "A.handlers.click"),
        ("function f(cb = () => {}) {}", "f.cb"),
        ("ns.Foo = function () { this.bar = function () {}; };", "ns.Foo.bar"),
        ("ns.open = function () { this.bar = function () {}; };", "ns.bar"),
        ("Foo.prototype.open = function () { this.bar = function () {}; };", "Foo.bar"),
        ("const o = { init() { this.bar = function () {}; } };", "o.bar"),
        ("const { f = () => {} } = o;", "f"),
        ("new (class { m() {} })();", "<class1>.m"),
    ],
)
def test_an_expression_is_named_by_where_it_hangs(code, qualname):
    assert qualname in named(code)


def test_anonymous_functions_are_numbered_in_their_scope():
    found = named("a(() => { b(() => {}); c(function () {}); });\nd(() => {}, class {}, () => {});")
    assert list(found) == ["<arrow1>", "<arrow1>.<arrow1>", "<arrow1>.<arrow2>", "<arrow2>", "<class1>", "<arrow3>"]


def test_the_same_name_twice_in_a_scope_is_numbered():
    found = named("if (a) { function f() {} } else { function f() {} }\nvar o = { 'a.b'() {}, a: { b() {} } };")
    assert list(found) == ["f", "f#2", "o.a.b", "o.a.b#2"]


def test_lines_and_text_reach_from_the_statement_to_its_end():
    found = named(
        "\nexport const f = async (a) => {\n  return a;\n};\n\nconst o = {\n  // About m.\n  m() {\n  },\n};\n"
    )
    assert (found["f"].start_line, found["f"].end_line) == (2, 4)
    assert found["f"].signature == "const f = async (a) =>"
    assert (found["o.m"].start_line, found["o.m"].end_line) == (8, 9)
    assert found["o.m"].docstring == "About m."


def test_a_comment_above_a_chain_of_assignments_is_about_its_value():
    found = named(
        "/** Get. */\n\nreq.get =\nreq.header = function () { return 1; };\n"
        "// The application.\nvar app = exports = module.exports = function () {};\n"
    )
    assert {one.docstring for one in found.values()} == {"Get.", "The application."}


def test_a_comment_behind_code_is_not_about_what_follows():
    found = named("let a = 1; // one\nfunction f() {}\n// eslint-disable-next-line\nfunction g() {}\n")
    assert found["f"].docstring == ""
    assert found["g"].docstring == ""


def test_a_function_used_as_a_class_is_marked():
    found = named(
        "function A() { this.x = 1 }\nfunction B() {}\nB.prototype = {};\nfunction C() {}\nnew C();\nfunction App() {}"
    )
    assert [name for name, d in found.items() if "class" in d.flags] == ["A", "B", "C"]


def test_complexity_counts_the_paths():
    code = "function f(a) { if (a && a.b || a?.c) { for (const x of a) g(x ?? 1); } else return a ? 1 : 2; }"
    assert named(code)["f"].complexity == 7


def test_blocks_know_what_may_not_run():
    facts = facts_of("if (a) b(); else { c(); }\nwhile (d) e();\ntry { g(); } catch { h(); } finally { i(); }")
    kinds = {facts.calls[n].function[1]: facts.blocks[c.block].kind for n, c in enumerate(facts.calls) if c.block >= 0}
    assert kinds == {"b": "branch", "c": "branch", "e": "loop", "g": "try", "h": "handler"}
    assert [c.function[1] for c in facts.calls if c.block < 0] == ["i"]


def test_one_object_has_one_assignment_that_makes_it():
    facts = facts_of("var app = exports = module.exports = {};")
    assert [a.value for a in facts.assignments] == [("d", ()), ("n", "app"), ("n", "app")]


@pytest.mark.parametrize(
    "opening", ["(", "[", "{", "f(", "a => ", "x = {a:", "if (a) {", "function f() {", "<A>", "`${", "a="]
)
def test_deep_nesting_is_read_without_harm(opening):
    facts = facts_of("y = " + opening * 10_000)
    calls = 10_000 if opening == "<A>" else 0
    assert (facts.status, facts.definitions, len(facts.calls)) == ("partial", (), calls)


def test_long_lists_are_read_whole():
    facts = facts_of("import {" + ",".join(f"n{i}" for i in range(2000)) + "} from 'm';")
    assert len(facts.imports) == 2000
    minified = "!function(){" + "var a=function(e,t){return e.b(t)?c():f};" * 2000 + "}()"
    assert len(facts_of(minified).definitions) == 2001
    assert facts_of("// c\n" * 10_000 + "function f() {}").definitions[0].docstring.count("c") == MAX_COMMENTS


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_truncated_file_raises_nothing(path):
    source = path.read_bytes()
    for end in range(0, len(source), 97):
        facts = extract(path.name, source[:end], "javascript")
        assert facts.status == ("partial" if facts.problems else "indexed")
        kept = encode(facts)
        assert encode(decode(kept)) == kept


def test_two_halves_of_a_surrogate_pair_are_one_character() -> None:
    facts = extract("a.js", rb"const faces = { '\ud83d\ude00': () => 1, '\ud83d.': () => 2 };", "javascript")
    assert [d.name for d in facts.definitions] == ["\U0001f600", "\ufffd\ufffd\ufffd."]
