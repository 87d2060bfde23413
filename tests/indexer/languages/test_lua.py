"""Lua: fixtures that assert themselves, and what only Lua does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "lua").glob("*.lua"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "lua", "--") == []


def facts_of(text: str, path: str = "shop/cart.lua") -> FileFacts:
    return extract(path, text.encode(), "lua")


@pytest.mark.parametrize(
    "text",
    [
        "local C = {}\nC.__index = C",
        "local C = {}\nlocal mt = { __index = C }",
        "local C = {}\nfunction C:new(o) setmetatable(o, self)\n self.__index = self\nend",
        'local C = class("C")',
        "local C = Base:extend()",
        "---@class C\nlocal C = {}\nfunction C.f() end",
        "local C = setmetatable({}, { __index = Base })\nfunction C:f() end",
        "local C = {}\nfunction C:f() end\nsetmetatable(C, { __index = Base })",
    ],
    ids=["own index", "metatable", "self index", "library", "extend", "annotation", "inherits", "inherits later"],
)
def test_tables_that_are_classes(text: str) -> None:
    classes = [d for d in facts_of(text).definitions if d.kind == "class"]
    assert [d.qualname for d in classes] == ["C"]
    assert [base.type for base in classes[0].bases] == ([("n", "Base")] if "Base" in text else [])


@pytest.mark.parametrize(
    "text",
    ["local C = {}\nfunction C:f() end", "local C = setmetatable({}, C)", "local C = list:extend()[1]", "C = f()"],
    ids=["module", "object", "result", "call"],
)
def test_tables_that_are_none(text: str) -> None:
    assert [d.kind for d in facts_of(text).definitions if d.kind == "class"] == []


def test_functions_are_named_by_where_they_are_put() -> None:
    facts = facts_of(
        "M.a = function() end\nM['b'] = function() end\nM[k] = function() end\nlocal c = function() end\n"
        "local t = { d = { e = function() end } }\nf(function() end)\nfunction g() function h() end end"
    )
    assert [d.qualname for d in facts.definitions] == ["M.a", "M.b", "<lambda1>", "c", "t.d.e", "<lambda2>", "g", "g.h"]


def test_what_a_module_gives_is_exported() -> None:
    facts = facts_of("local M = {}\nfunction M.a() end\nlocal function b() end\nfunction c() end\nreturn M")
    assert [d.name for d in facts.definitions if "exported" in d.flags] == ["a", "c"]


def test_modules_are_the_tables_that_files_return() -> None:
    edges = calls_between(
        {
            "lua/shop/init.lua": "local M = {}\nfunction M.open() end\nreturn M",
            "lua/shop/money.lua": "local function round() end\nreturn { round = round }",
            "lua/shop/log.lua": "return function() end",
            "main.lua": 'local shop = require("shop")\nlocal log = require "shop.log"\n'
            'local function f() shop.open() require("shop.money").round() log() end',
        }
    )
    assert edges == {("f", "M.open"), ("f", "round"), ("f", "<lambda1>")}


def test_a_plain_name_is_no_module_inside_a_package() -> None:
    files = {
        "shop/init.lua": "",
        "shop/json.lua": "return {}",
        "shop/cart.lua": 'require "json"\nrequire "shop.json"',
        "tool/run.lua": 'require "helper"',
        "tool/helper.lua": "",
    }
    assert calls_between(files, "IMPORTS") == {("shop/cart.lua", "shop/json.lua"), ("tool/run.lua", "tool/helper.lua")}
    assert calls_between({"a/b.lua": 'require(... .. ".c")', "a/b/c.lua": ""}, "IMPORTS") == {("a/b.lua", "a/b/c.lua")}


ACCOUNT = """
local Account = {}
Account.__index = Account
function Account.new(log) return setmetatable({ log = log }, Account) end
function Account:deposit() self:check() self.log:write() end
function Account:check() end
return Account
"""


def test_instances_metatables_and_inheritance() -> None:
    files = {
        "account.lua": ACCOUNT,
        "savings.lua": 'local Account = require("account")\n'
        "local Savings = setmetatable({}, { __index = Account })\nSavings.__index = Savings\n"
        "function Savings.new(log) local self = Account.new(log)\n return setmetatable(self, Savings) end\n"
        "function Savings:check() Account.check(self) self:deposit() end\nreturn Savings",
        "log.lua": "local Log = {}\nLog.__index = Log\nfunction Log.new() local o = {}\n setmetatable(o, Log)\n"
        " return o end\nfunction Log:write() end\nreturn Log",
        "main.lua": 'local Savings, Log = require("savings"), require("log")\n'
        "local function main() local s = Savings.new(Log.new())\n s:deposit() end",
    }
    edges = calls_between(files)
    assert {
        ("Account.deposit", "Account.check"),
        ("Account.deposit", "Savings.check"),
        ("Account.deposit", "Log.write"),
        ("Savings.check", "Account.check"),
        ("Savings.check", "Account.deposit"),
        ("main", "Savings.new"),
        ("main", "Log.new"),
        ("main", "Account.deposit"),
    } <= edges
    assert calls_between(files, "EXTENDS") == {("Savings", "Account")}
    assert calls_between(files, "OVERRIDES") == {("Savings.check", "Account.check")}


def test_classes_of_libraries_run_their_constructors() -> None:
    edges = calls_between(
        {
            "a.lua": 'local Animal = class("Animal")\nfunction Animal:initialize() end\nfunction Animal:speak() end\n'
            'local Dog = class("Dog", Animal)\nfunction Dog:initialize() Dog.super.initialize(self) end\n'
            "local function f() local d = Dog:new()\n d:speak() Dog() end",
        }
    )
    assert edges == {
        ("Dog.initialize", "Animal.initialize"), ("f", "Dog"), ("f", "Dog.initialize"), ("f", "Animal.speak"),
    }  # fmt: skip


def test_a_colon_hands_over_the_receiver_and_a_dot_does_not() -> None:
    edges = calls_between(
        {
            "a.lua": "local M = {}\nfunction M.run(self, f) f() end\nfunction M:go(f) f() end\n"
            "local function a() end\nlocal function b() end\nlocal function c() end\n"
            "local function main() M:run(a) M.go(M, b) M.run(M, c) end",
        }
    )
    assert edges >= {("M.run", "a"), ("M.run", "c"), ("M.go", "b")}
    assert ("M.go", "a") not in edges


def test_values_flow_through_tables_calls_and_protected_calls() -> None:
    edges = calls_between(
        {
            "a.lua": "local handlers = { open = function() return { go = function() end } end }\n"
            "local list = {}\nlocal function one() end\ntable.insert(list, one)\nlist[#list + 1] = function() end\n"
            "local function main(opts)\n for _, f in ipairs(list) do f() end\n"
            " local ok, made = pcall(handlers.open)\n made.go()\n"
            " local merged = vim.tbl_extend('force', { done = one }, opts)\n merged.done() end",
        }
    )
    assert edges == {
        ("main", "one"), ("main", "<lambda1>"), ("main", "handlers.open"), ("main", "handlers.open.go"),
    }  # fmt: skip


def test_what_a_test_puts_into_a_module_is_not_what_others_call() -> None:
    edges = calls_between(
        {
            "dns.lua": "local M = {}\nfunction M.ask() end\nreturn M",
            "use.lua": 'local dns = require("dns")\nlocal function use() dns.ask() dns.more() end',
            "dns_spec.lua": 'local dns = require("dns")\ndns.ask = function() end\ndns.more = function() end',
        }
    )
    assert edges == {("use", "M.ask"), ("use", "dns.more")}


def test_names_without_local_are_those_around() -> None:
    edges = calls_between(
        {
            "a.lua": "local cache\nlocal function make() return { get = function() end } end\n"
            "local function load() cache = cache or make() end\nlocal function use() cache.get() end\n"
            "local function other() local cache = {}\n cache.get() end",
        }
    )
    assert edges == {("load", "make"), ("use", "make.get")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("x = " + "(" * 3000 + "1" + ")" * 3000, "indexed", 0, 0),
        ("x = " + "{" * 3000, "partial", 0, 0),
        ("x = a" + ".b" * 5000, "indexed", 0, 0),
        ("if a then " * 2000 + "end " * 2000, "indexed", 0, 0),
        ("function f() " * 2000 + "end " * 2000, "indexed", 500, 0),
    ],
    ids=["parentheses", "tables", "chain", "blocks", "functions"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)
