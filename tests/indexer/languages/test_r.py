"""R: fixtures that assert themselves, and what only R does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "r").rglob("*.R"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "r", "#") == []


def facts_of(text: str, path: str = "R/shop.R") -> FileFacts:
    return extract(path, text.encode(), "r")


@pytest.mark.parametrize("text", ["f <- function(x) x", "f = \\(x) x", "'f' <<- function(x) x", "(function(x) x) -> f"])
def test_functions_are_called_what_they_are_assigned_to(text: str) -> None:
    names = [d.qualname for d in facts_of(text).definitions]
    assert names == (["<lambda1>"] if "->" in text else ["f"])


def test_files_of_a_package_and_its_tests_share_names() -> None:
    files = {
        "DESCRIPTION": "Package: shop\nVersion: 1.0\n",
        "R/a.R": "total <- function(x) round_up(x)",
        "R/b.R": "round_up <- function(x) x\nbase_total <- function(x) shop::total(x)",
        "tests/testthat/helper.R": "make <- function() 1",
        "tests/testthat/test-a.R": "mine <- function() 1\ntest_that('it adds', { total(make()); round_up(1) })",
        "tests/testthat/test-b.R": "test_that('b', { mine() })",
        "demo/show.R": "library(shop)\nshow_it <- function() total(1)",
    }
    assert calls_between(files) == {
        ("total", "round_up"), ("base_total", "total"), ("it adds", "total"), ("it adds", "make"),
        ("it adds", "round_up"), ("show_it", "total"),
    }  # fmt: skip


def test_a_variable_does_not_hide_the_function_that_gives_its_value() -> None:
    text = "total <- function(x) x\nuse <- function(x) { total <- total(x); total }\nown <- function(total) total(1)"
    assert calls_between({"R/a.R": text}) == {("use", "total")}


def test_scripts_see_what_they_source_and_nothing_else() -> None:
    files = {
        "analysis/run.R": "source('lib/read.R')\nrun <- function() { read_it(); other() }",
        "analysis/lib/read.R": "read_it <- function() 1",
        "analysis/more.R": "other <- function() 1",
    }
    assert calls_between(files) == {("run", "read_it")}
    assert calls_between(files, "IMPORTS") == {("analysis/run.R", "analysis/lib/read.R")}


def test_generic_functions_call_their_methods() -> None:
    files = {
        "R/a.R": "area <- function(x) UseMethod('area')\narea.square <- function(x) 1\nt.test <- function(x) area(x)",
        "R/b.R": "area.circle <- function(x) 2\nsetMethod('grow', 'Square', function(x) area(x))",
        "R/c.R": "setGeneric('grow', function(x) standardGeneric('grow'))",
    }
    assert calls_between(files) == {
        ("area", "area.square"), ("area", "area.circle"), ("t.test", "area"), ("grow", "Square.grow"),
        ("Square.grow", "area"),
    }  # fmt: skip


def test_objects_of_classes_have_their_methods() -> None:
    files = {
        "R/stack.R": "Stack <- R6Class('Stack', public = list(push = function(x) self$grow(), grow = function() 1))",
        "R/deep.R": "Deep <- R6Class('Deep', inherit = Stack, public = list(\n"
        "  stack = NULL,\n  initialize = function() self$stack <- Stack$new(),\n"
        "  push = function(x) { super$push(x); self$stack$grow() }))\nuse <- function() { d <- Deep$new(); d$push(1) }",
    }
    assert calls_between(files) == {
        ("Stack.push", "Stack.grow"), ("Deep.initialize", "Stack"), ("Deep.push", "Stack.push"),
        ("Deep.push", "Stack.grow"), ("use", "Deep"), ("use", "Deep.initialize"), ("use", "Deep.push"),
    }  # fmt: skip
    assert calls_between(files, "EXTENDS") == {("Deep", "Stack")}
    assert calls_between(files, "OVERRIDES") == {("Deep.push", "Stack.push")}


def test_functions_that_are_handed_over_are_called() -> None:
    text = "one <- function(x) x\nall <- function(xs) { lapply(xs, one); do.call('one', xs); xs |> Map(f = one) }"
    assert calls_between({"R/a.R": text}) == {("all", "one")}


def test_packages_are_components(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/DESCRIPTION").write_text("Package: shop.tools\nTitle: Tools\n")
    layout = read_layout(tmp_path, ["pkg/DESCRIPTION", "pkg/R/a.R"])
    [component] = [c for c in layout.components if c.path == "pkg"]
    assert (component.name, component.kind, component.language) == ("shop.tools", "r-package", "r")
    assert layout.module_name("pkg/R/a.R") == "shop.tools"


def test_tests_are_definitions_of_their_own() -> None:
    facts = facts_of("test_that('it adds up', { expect_equal(add(1), 2) })", "tests/testthat/test-add.R")
    assert [(d.name, "test" in d.flags) for d in facts.definitions] == [("it adds up", True)]


@pytest.mark.parametrize(
    ("text", "status", "definitions"),
    [
        ("x <- " + "(" * 3000 + "1" + ")" * 3000, "partial", 0),
        ("x <- " + "c(" * 3000, "partial", 0),
        ("x <- a" + "$b" * 5000, "indexed", 0),
        ("x <- " + "a |> f() |> " * 2000 + "g()", "indexed", 0),
        ("f <- function() " * 1500 + "1", "indexed", 500),
        ("R6Class('a', public = list(b = " * 400 + "1" + "))" * 400, "indexed", 167),
        ("if (a) " * 3000 + "b", "indexed", 0),
    ],
    ids=["parentheses", "open calls", "members", "pipes", "functions", "classes", "branches"],
)
def test_deep_nesting_ends(text: str, status: str, definitions: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions)) == (status, definitions)
