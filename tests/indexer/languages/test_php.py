"""PHP: fixtures that assert themselves, and what only PHP does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages.php.builtin_names import FUNCTIONS, TYPES
from loregraph.indexer.languages.php.policy import POLICY
from loregraph.indexer.resolve import resolve
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "php").glob("*.php"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "php") == []


def facts_of(text: str, path: str = "src/Cart.php") -> FileFacts:
    return extract(path, b"<?php\n" + text.encode(), "php")


def test_namespaces_are_packages_with_dots() -> None:
    facts = facts_of("namespace A\\B { class C {} } namespace D { class E {} }")
    assert (facts.package, facts.extras["packages"]) == ("A.B", ["D"])
    assert [d.qualname for d in facts.definitions] == ["C", "E"]


def test_old_script_tags_hold_code() -> None:
    text = b'<p>\n<script language="php">\nfunction a() {}\n</script>\nfunction b() {}\n<?php function c() {}'
    assert [d.name for d in extract("a.php", text, "php").definitions] == ["a", "c"]


def test_words_of_the_language_are_no_calls() -> None:
    assert [c for c in facts_of("if (isset($a) || empty($b)) { unset($c); }").calls if c.line] == []


def test_comments_give_types_where_the_code_does_not() -> None:
    facts = facts_of("class A {\n/**\n * @param B|null $b\n * @return C[]\n */\nfunction f($b, int $n) {} }")
    function = facts.definitions[1]
    assert function.parameters[0].type == ("n", "B")
    assert function.returns == ("s", ("n", "[]"), ("n", "C"))


def test_imports_namespaces_and_global_functions_are_looked_into() -> None:
    edges = calls_between(
        {
            "src/Core/Log.php": "<?php namespace Acme\\Core; class Log { static function write() {} }"
            " function help() {}",
            "src/global.php": "<?php function everywhere() {}",
            "src/Shop.php": "<?php namespace Acme; use Acme\\Core\\Log as L; use function Acme\\Core\\help;"
            " function f() { L::write(); help(); everywhere(); \\Acme\\Core\\help(); Core\\Log::write(); }",
        }
    )
    assert edges == {("f", "Log.write"), ("f", "help"), ("f", "everywhere")}


def test_traits_parents_and_interfaces() -> None:
    files = {
        "A.php": "<?php trait T { function t() { $this->own(); } function both() {} }"
        " class P { function __construct() {} function p() {} function both() {} }"
        " class C extends P { use T; function __construct() { parent::__construct(); }"
        " function own() { $this->t(); $this->p(); $this->both(); } static function make() { return new self(); } }",
    }
    assert calls_between(files) == {
        ("T.t", "C.own"), ("C.__construct", "P.__construct"), ("C.own", "T.t"), ("C.own", "P.p"), ("C.own", "T.both"),
        ("C.make", "C"), ("C.make", "C.__construct"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("C", "T")}


def test_receivers_are_typed_by_properties_parameters_comments_and_what_is_made() -> None:
    edges = calls_between(
        {
            "A.php": "<?php class R { function find(): ?I { return null; } }"
            " class I { function go() { return $this; } }",
            "B.php": "<?php class S {\n/** @var I[] */ private $all; function __construct(private R $r) {}"
            " function a() { $this->r->find()->go()->go(); }"
            " function b() { foreach ($this->all as $one) { $one->go(); } }"
            " function c() { $made = new I(); $made->go(); $f = fn (I $i) => $i->go(); } }",
        }
    )
    assert edges == {
        ("S.a", "R.find"), ("S.a", "I.go"), ("S.b", "I.go"), ("S.c", "I"), ("S.c", "I.go"), ("S.c.<lambda1>", "I.go"),
    }  # fmt: skip


def test_a_script_calls_what_it_requires() -> None:
    edges = calls_between(
        {
            "one/lib.php": "<?php function run() {}",
            "two/lib.php": "<?php function run() {}",
            "main.php": "<?php require_once __DIR__ . '/two/lib.php'; run();",
        }
    )
    assert edges == {("main.php", "run")}
    assert calls_between({"a/b.php": "<?php", "main.php": "<?php include 'a/b.php';"}, "IMPORTS") == {
        ("main.php", "a/b.php")
    }


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("$x = " + "(" * 5000 + "1" + ")" * 5000 + ";", "indexed", 0, 0),
        ("$x = " + "fn() => " * 3000 + "1;", "indexed", 998, 0),
        ("$x = $a" + "->b()" * 5000 + ";", "indexed", 0, 998),
        ("function f() " + "{" * 5000 + "}" * 5000, "indexed", 1, 0),
    ],
    ids=["parentheses", "lambdas", "chain", "blocks"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


_FORWARDING = {
    "app/Cache.php": """<?php namespace App;
class FileStore { public function get($k) {} public function flush() {} }
class CacheManager {
  public function store(): FileStore { return new FileStore; }
  public function purge() {}
  public function __call($method, $parameters) { return $this->store()->$method(...$parameters); }
}
abstract class Facade {
  public static function __callStatic($method, $args) { $to = static::root(); return $to->$method(...$args); }
}
/**
 * @method static \\App\\Thing thing(string $name)
 * @see \\App\\CacheManager
 */
class Cache extends Facade { protected static function getFacadeAccessor() { return 'cache'; } }
class Cart { public function add() { return $this; } public function total() {} }
class CartFacade extends \\Lib\\Facade { protected static function getFacadeAccessor() { return Cart::class; } }
class Thing { public function name() {} }
function f() { Cache::purge(); Cache::flush(); Cache::thing('a')->name(); CartFacade::add()->total(); }
""",
    "app/User.php": """<?php namespace App;
class Query { public function where() { return $this; } public function limit() { return $this; } }
class Builder {
  private Query $query;
  public function first() {}
  public function __call($method, $parameters) { $this->query->{$method}(...$parameters); return $this; }
}
class Model {
  public function newQuery(): Builder { return new Builder; }
  public function __call($m, $p) { return $this->forwardCallTo($this->newQuery(), $m, $p); }
  public static function __callStatic($m, $p) { return (new static)->$m(...$p); }
}
class Other extends Model { public function limit() {} }
/** @property-read Profile $profile
 *  @property Collection<int, Post> $posts */
class User extends Model {}
class Profile { function show() {} }
class Post { function render() {} }
class Collection { function map() {} }
function g(User $u) {
  User::where()->limit()->first();
  $u->profile->show();
  foreach ($u->posts as $p) { $p->render(); }
  $u->posts->map();
}
""",
}


# Verifies REQ-RES-003.
def test_calls_are_handed_on_by_facades_and_call_methods() -> None:
    edges = calls_between(_FORWARDING)
    assert {target for source, target in edges if source == "f"} == {
        "CacheManager.purge", "FileStore.flush", "Thing.name", "Cart.add", "Cart.total",
    }  # fmt: skip
    # `limit` is of the query, not of a type below the one that hands it on; and it gives the builder back.
    assert {target for source, target in edges if source == "g"} == {
        "Query.where", "Query.limit", "Builder.first", "Profile.show", "Post.render", "Collection.map",
    }  # fmt: skip


def test_types_that_hand_on_to_one_another_come_to_an_end() -> None:
    text = "<?php\n/** @mixin B */ class A {}\n/** @mixin A */ class B { function b() {} }"
    assert calls_between({"A.php": text + " function f(A $a) { $a->b(); $a->none(); A::none(); }"}) == {("f", "B.b")}


def test_containers_give_instances_of_the_class_they_are_asked_for() -> None:
    text = (
        "<?php class Job { function handle() {} } class Other { function handle() {} }"
        " function f($app, $name) { app(Job::class)->handle(); $app->make(Job::class)->handle();"
        " $other = Other::class; $app->get($name)->handle(); }"
    )
    assert calls_between({"A.php": text}) == {("f", "Job.handle")}


def test_what_is_static_is_of_the_class_that_was_called() -> None:
    text = (
        "<?php class A { static function make(): static { return new static; } /** @return $this */ function with() {"
        " return $this; } function go() {} } class B extends A { function go() {} } class C extends A { function go() {"
        " } } function f() { B::make()->with()->go(); }"
    )
    assert calls_between({"A.php": text}) >= {("f", "A.make"), ("f", "A.with"), ("f", "B.go")}
    assert ("f", "C.go") not in calls_between({"A.php": text})
    assert ("f", "A.go") not in calls_between({"A.php": text})


def test_named_functions_are_called_by_what_is_outside_and_by_who_calls_them() -> None:
    text = (
        "<?php namespace N; class A { function m() {} function n() {} function o() {} static function s() {}"
        " function each(callable $f) { $f(); }"
        " function f($x) { call_user_func([$this, 'm']); call_user_func_array([static::class, 's'], []);"
        " array_map($this->n(...), $x); $this->each($this->o(...)); } }"
    )
    edges = calls_between({"A.php": text})
    assert edges >= {("A.f", "A.m"), ("A.f", "A.n"), ("A.f", "A.s"), ("A.f", "A.each")}
    assert ("A.f", "A.o") not in edges


def outside(text: str) -> set[tuple[str, str]]:
    """(caller, external symbol) of the calls of one file."""
    facts = facts_of(text)
    layout = read_layout(FIXTURES, [facts.path]).with_packages({facts.path: facts.package})
    return {
        (edge.source.partition("::")[2], edge.target.removeprefix("external:"))
        for edge in resolve({facts.path: facts}, layout).files[facts.path].edges
        if edge.rel == "CALLS" and edge.target.startswith("external:")
    }


# Verifies REQ-RES-003.
def test_functions_and_types_of_php_are_known() -> None:
    text = (
        "namespace Acme; use Exception; use function strtolower as low; use Vendor\\Box;"
        " function trim($x) {}"
        " function f($x) { trim($x); \\count($x); strlen($x); low($x); unheard_of($x);"
        " new Exception; new \\RuntimeException; new Box; (new \\ReflectionMethod($x))->invoke(); }"
    )
    assert outside(text) == {
        ("f", "php.count"), ("f", "php.strlen"), ("f", "php.strtolower"), ("f", "php.Exception"),
        ("f", "php.RuntimeException"), ("f", "Vendor.Box"), ("f", "php.ReflectionMethod"),
        ("f", "php.ReflectionMethod.invoke"),
    }  # fmt: skip


def test_functions_that_php_calls_of_those_it_is_given_are_called() -> None:
    text = (
        "<?php namespace N; class A { static function less($a, $b) {} function seen($x) {}"
        " function f($x, $y) { array_udiff($x, $y, [self::class, 'less']); array_walk_recursive($x, $this->seen(...));"
        " in_array($x, ['less']); } }"
    )
    assert calls_between({"A.php": text}) == {("A.f", "A.less"), ("A.f", "A.seen")}


def test_what_php_provides_is_named_once_and_says_where_functions_are_given() -> None:
    named = [*FUNCTIONS, *TYPES]
    assert len(named) == len(set(named))
    assert {path.removeprefix("php.") for path in POLICY.calls.callbacks} <= set(FUNCTIONS)
