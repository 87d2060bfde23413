"""Zig: fixtures that assert themselves, and what only Zig does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.duplicates.lexical_rules import lexer_of
from loregraph.analysis.duplicates.tokens import KEYWORD, NAME, SIGN, STRING, kind_of
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "zig").glob("*.zig"))


def test_there_are_fixtures() -> None:
    assert [path.name for path in FILES] == ["Cart.zig", "orders.zig", "orders_test.zig"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "zig") == []


def facts_of(text: str, path: str = "src/shop.zig") -> FileFacts:
    return extract(path, text.encode(), "zig")


def edges_of(text: str) -> set[tuple[str, str]]:
    return calls_between({"src/shop.zig": text})


_LINE = "const Line = struct {\n fn show(self: Line) void {}\n pub fn init() !Line { return .{}; }\n};\n"


@pytest.mark.parametrize(
    "body",
    [
        "fn f(line: Line) void { line.show(); }",
        "fn f(line: ?*const Line) void { line.?.show(); }",
        "fn f(line: *Line) void { if (g(line)) |l| l.show(); }\nfn g(line: *Line) ?*Line {}",
        "fn f(lines: []Line) void { for (lines) |l| l.show(); }",
        "fn f(lines: []const [2]Line) void { lines[0][1].show(); }",
        "fn f() void { const l = Line{}; l.show(); }",
        "fn f() !void { const l: Line = try .make(); l.show(); }",
        "fn f(x: *anyopaque) void { @as(*Line, @ptrCast(x)).show(); }",
        "fn f(x: anyerror!Line) void { const l = x catch |e| return e; l.show(); }",
        "const Box = struct { line: Line };\nfn f(box: Box) void { box.line.show(); }",
        "const Box = union(enum) { line: Line };\nfn f(b: Box) void { switch (b) { .line => |*l| l.show() } }",
        "fn f(line: *Line) void { Line.show(line.*); }",
        "fn f(pair: [2]Line) void {\n const a, _ = pair; a.show(); }",
        "fn f(a: bool, x: Line) void { const l = if (a) x else unreachable; l.show(); }",
    ],
)
def test_receivers_are_what_their_types_say(body: str) -> None:
    found = edges_of(_LINE + body)
    assert ("f", "Line.show") in found
    assert ("f", "Line.show") not in edges_of(_LINE + body.replace("Line", "Other"))


def test_functions_give_what_they_declare() -> None:
    assert edges_of(_LINE + "fn f() !void { (try Line.init()).show(); }") == {("f", "Line.init"), ("f", "Line.show")}


def test_generic_types_are_what_their_function_returns() -> None:
    text = (
        "fn List(comptime T: type) type { return struct {\n items: []T,\n const Self = @This();\n"
        " fn init() Self { return .{}; }\n fn add(self: *Self) void { self.grow(); }\n"
        " fn grow(_: *Self) void {}\n }; }\n"
        "fn f(a: *List(u8)) void { a.add(); }\nfn g() void { var b = List(u8).init(); b.add(); }\n"
        "const Bytes = List(u8);\nfn h(c: Bytes) void { c.add(); }\n"
    )
    found = edges_of(text)
    assert {("f", "List.add"), ("g", "List.add"), ("g", "List.init"), ("g", "List"), ("h", "List.add")} <= found
    assert ("List.add", "List.grow") in found


def test_calls_cross_files() -> None:
    files = {
        "src/Cart.zig": "size: u32,\nconst Cart = @This();\npub fn free(cart: *Cart) void {}\npub fn make() Cart {}\n"
        "pub const Line = struct { pub fn show(self: Line) void {} };",
        "src/money.zig": "pub fn add() void {}\npub const deep = struct { pub fn sub() void {} };",
        "src/shop.zig": 'pub const Cart = @import("Cart.zig");\npub const money = @import("money.zig");',
        "src/main.zig": 'const Cart = @import("Cart.zig");\nconst Line = @import("Cart.zig").Line;\n'
        'const deep = @import("money.zig").deep;\nconst shop = @import("shop");\nconst gone = @import("gone.zig");\n'
        "fn a(cart: *Cart) void { cart.free(); Cart.make().free(); }\nfn b(line: Line) void { line.show(); }\n"
        'fn c() void { deep.sub(); @import("money.zig").add(); gone.add(); }\nfn d(x: shop.Cart) void { x.free(); }',
    }
    assert calls_between(files) == {
        ("a", "Cart.free"),
        ("a", "Cart.make"),
        ("b", "Cart.Line.show"),
        ("c", "deep.sub"),
        ("c", "add"),
        ("d", "Cart.free"),
    }


def test_the_compiler_makes_some_modules() -> None:
    files = {"builtin.zig": "pub fn f() void {}", "a.zig": 'const b = @import("builtin");\nfn g() void { b.f(); }'}
    assert calls_between(files) == set()
    assert calls_between({"b.zig": files["builtin.zig"], "a.zig": files["a.zig"].replace("builtin", "b")}) != set()


def test_a_build_file_makes_a_component(tmp_path: Path) -> None:
    layout = read_layout(tmp_path, ["a/build.zig", "a/src/x.zig", "b/src/y.zig"])
    assert {one.id: one.kind for one in layout.components} == {"component:.": "project", "component:a": "zig-package"}
    assert layout.of("zig").file_of("a/src/x.zig", "../build.zig") == "a/build.zig"


def test_words_and_strings_are_told_apart() -> None:
    lexer = lexer_of("zig")
    tokens = lexer.tokens.findall("try f('b', \\\\c \"d\n);")
    assert tokens == ["try", "f", "(", "'b'", ",", '\\\\c "d', "\n", ")", ";"]
    assert [kind_of(token, lexer) for token in tokens[:4]] == [KEYWORD, NAME, SIGN, STRING]
    assert kind_of(tokens[5], lexer) == STRING


def test_names_end_with_their_block() -> None:
    text = _LINE + "fn f(x: ?Line, y: ?u8) void { if (x) |v| { v.show(); }\n if (y) |v| { v.hide(); } }"
    assert edges_of(text) == {("f", "Line.show")}
    assert edges_of(text.replace("v.hide", "v.show").replace("v.show", "v.stop", 1)) == set()


@pytest.mark.parametrize(
    "text",
    [
        "fn f() void {\n const a, var b: u8 = g();\n}",
        "fn f() void {\n a, b.c = g();\n}",
        "fn f() void {\n _, const b = g();\n}",
        "fn f() void {\n a[1], b.* = g();\n}",
        "fn f() void {\n x: switch (1) { else => continue :x g() }\n}",
        "const T = type: {\n g();\n break :type u8;\n};",
        "fn f() void {\n x: switch (g()) { else => {} }\n}",
    ],
)
def test_what_the_grammar_does_not_know_is_read(text: str) -> None:
    facts = facts_of(text)
    assert (facts.status, [call.function for call in facts.calls]) == ("indexed", [("n", "g")])


def test_fields_are_no_targets() -> None:
    """A line that looks like one only counts where that leaves less to be wrong, and fields before a value stay."""
    facts = facts_of("a: u8,\nb: u8 = 1,\nfn f() void {\n const c, const d = g();\n}")
    assert [a.target for a in facts.assignments[:2]] == [("n", "a"), ("n", "b")]


@pytest.mark.parametrize(
    "text",
    [
        "const x = " + "(" * 2000 + "1" + ")" * 2000 + ";",
        "const x = a" + ".b" * 5000 + ";",
        "const x = a" + ".b()" * 3000 + ";",
        "const x = " + "struct { const y = " * 300 + "1" + "; }" * 300 + ";",
        "fn f() void " + "{" * 1000 + "}" * 1000,
        "const x: " + "?*" * 3000 + "T = 1;",
        "const x: " + "[]" * 3000 + "T = 1;",
        "fn f() void {\n" + "a, " * 3000 + "b = 1;\n}",
        "const const const; fn ( struct { pub pub @import( .{",
    ],
    ids=["parentheses", "members", "calls", "types", "blocks", "pointers", "slices", "targets", "broken"],
)
def test_deep_nesting_ends(text: str) -> None:
    assert facts_of(text).lines == text.count("\n") + 1
