"""Erlang: fixtures that assert themselves, and what only Erlang does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "erlang").glob("*.erl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "erlang", "%%") == []


def facts_of(text: str, path: str = "src/a.erl") -> FileFacts:
    return extract(path, text.encode(), "erlang")


def test_functions_of_another_number_of_parameters_are_others() -> None:
    edges = calls_between(
        {
            "src/a.erl": "-module(a).\n-export([f/1, f/2]).\n-import(b, [g/1]).\n"
            "f(X) -> f(X, 1).\nf(X, Y) -> g(X), b:g(X, Y), g(X, Y).",
            "src/b.erl": "-module(b).\n-export([g/1, g/2]).\ng(X) -> h(X).\ng(X, Y) -> b:h(X, Y).\nh(X) -> X.",
        }
    )
    assert edges == {("a.f/1", "a.f/2"), ("a.f/2", "b.g/1"), ("a.f/2", "b.g/2"), ("b.g/1", "b.h/1")}


def test_clauses_are_one_function_and_each_is_a_path() -> None:
    found = facts_of("-module(a).\nf(0) -> a;\nf(1) -> b;\nf(N) when N > 2 -> c.\n\nf(0, 0) -> d.").definitions
    assert [(d.qualname, d.start_line, d.end_line, d.complexity) for d in found[1:]] == [
        ("a.f/1", 2, 4, 3),
        ("a.f/2", 6, 6, 1),
    ]


def test_behaviours_want_functions_that_modules_have() -> None:
    files = {
        "b.erl": "-module(b).\n-callback run(term()) -> ok.\n-callback stop() -> ok.\n"
        "go(Mod) -> Mod:run(1), Mod:else(1).\nstop() -> ok.",
        "m.erl": "-module(m).\n-behaviour(b).\n-export([run/1, run/2]).\nrun(_) -> ok.\nrun(_, _) -> ok.",
    }
    assert calls_between(files, "IMPLEMENTS") == {("m", "b")}
    assert calls_between(files, "OVERRIDES") == {("m.run/1", "b.run/1")}
    assert calls_between(files) == {("b.go/1", "b.run/1")}


def test_records_and_values_of_macros_come_from_headers() -> None:
    files = {
        "include/shop.hrl": "-record(item, {name}).\n-define(STORE, shop_store).",
        "src/shop.erl": '-module(shop).\n-include("shop.hrl").\n-export([f/1]).\nf(#item{}) -> ?STORE:save(1).',
        "src/shop_store.erl": "-module(shop_store).\n-export([save/1]).\nsave(X) -> X.",
    }
    assert calls_between(files) == {("shop.f/1", "shop_store.save/1")}
    assert calls_between(files, "REFERENCES") == {("shop.f/1", "#item"), ("include/shop.hrl", "shop_store")}
    assert calls_between(files, "IMPORTS") == {("src/shop.erl", "include/shop.hrl")}


def test_functions_that_are_named_are_called_where_the_library_does() -> None:
    text = (
        "-module(a).\nf(L) -> lists:foreach(fun g/1, L), F = fun(X) -> h(X) end, F(1), apply(?MODULE, i, [1, 2]).\n"
        "g(_) -> ok.\nh(_) -> ok.\ni(_, _) -> ok."
    )
    assert calls_between({"a.erl": text}) == {
        ("a.f/1", "a.g/1"),
        ("a.f/1", "a.f/1.<fun1>"),
        ("a.f/1.<fun1>", "a.h/1"),
        ("a.f/1", "a.i/2"),
    }


def test_tests_of_eunit_and_common_test() -> None:
    unit = facts_of(
        '-module(a).\n-include_lib("eunit/include/eunit.hrl").\na_test() -> ok.\nb_test_() -> [].\nc() -> ok.'
    )
    assert [d.name for d in unit.definitions if "test" in d.flags] == ["a_test/0", "b_test_/0"]
    suite = facts_of(
        "-module(a_SUITE).\n-export([all/0, init_per_suite/1, works/1]).\nall() -> [works].\n"
        "init_per_suite(C) -> C.\nworks(_) -> ok.\nhelp(_) -> ok.",
        "test/a_SUITE.erl",
    )
    assert [d.name for d in suite.definitions if "test" in d.flags] == ["works/1"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("-module(a).\nf() -> " + "(" * 3000 + "1" + ")" * 3000 + ".", "indexed"),
        ("-module(a).\nf() -> " + "[" * 3000 + "]" * 3000 + ".", "indexed"),
        ("-module(a).\nf() -> " + "case a of b -> " * 1000 + "c" + " end" * 1000 + ".", "indexed"),
        ("-module(a).\nf() -> " + "{" * 3000, "partial"),
    ],
    ids=["parentheses", "lists", "cases", "tuples"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str) -> None:
    assert facts_of(text).status == status
