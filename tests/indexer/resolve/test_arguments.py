"""What reaches a parameter: functions by whatever type it has, and its default where no call gives anything else."""

from __future__ import annotations

import pytest

from tests.indexer.languages.edges import calls_between

HANDED = {
    "a.go": "package a\nfunc e() {}\nfunc run(cb func()) { cb() }\nfunc main() { run(e) }\n",
    "A.java": "class A { static void e() {}\n  static void run(Runnable cb) { cb.run(); }\n"
    "  static void main() { run(A::e); } }\n",
    "a.kt": "fun e() {}\nfun run(cb: () -> Unit) { cb() }\nfun main() { run(::e) }\n",
    "A.cs": "class A { static void e() {}\n  static void run(System.Action cb) { cb(); }\n"
    "  static void main() { run(e); } }\n",
    "a.swift": "func e() {}\nfunc run(cb: () -> Void) { cb() }\nfunc main() { run(cb: e) }\n",
    "src/a.rs": "fn e() {}\nfn run(cb: fn()) { cb(); }\nfn main() { run(e); }\n",
    "a.dart": "void e() {}\nvoid run(void Function() cb) { cb(); }\nvoid main() { run(e); }\n",
    "a.cpp": "void e() {}\nvoid run(void (*cb)()) { cb(); }\nint main() { run(e); }\n",
    "a.ts": "function e() {}\nfunction run(cb: () => void) { cb(); }\nfunction main() { run(e); }\n",
    "a.py": "from typing import Callable\ndef e(): pass\ndef run(cb: Callable[[], None]): cb()\ndef main(): run(e)\n",
}


# Verifies REQ-RES-002.
@pytest.mark.parametrize("path", HANDED)
def test_a_function_is_followed_into_a_parameter_whose_type_is_a_function_type(path: str) -> None:
    called = {(s.rpartition(".")[2], t.rpartition(".")[2]) for s, t in calls_between({path: HANDED[path]})}
    assert {("main", "run"), ("run", "e")} <= called


def test_a_parameter_of_a_type_of_the_project_holds_what_the_type_says() -> None:
    found = calls_between(
        {
            "a.go": "package a\ntype S struct{}\nfunc (s S) m() {}\ntype T struct{}\nfunc (t T) m() {}\n"
            "func run(s S) { s.m() }\nfunc main() { run(S{}) }\n"
        }
    )
    assert ("run", "S.m") in found
    assert ("run", "T.m") not in found


def test_of_several_arguments_the_rest_keeps_its_elements() -> None:
    found = calls_between(
        {
            "a.go": "package a\ntype S struct{}\nfunc (s *S) m() {}\n"
            "func run(all ...*S) { for _, s := range all { s.m() } }\n"
        }
    )
    assert found == {("run", "S.m")}


REPLACED = {
    "a.py": "def d(): pass\ndef e(): pass\ndef run(cb=d): cb()\ndef main():\n    run(e)\n    run(cb=e)\n",
    "a.js": "function d() {}\nfunction e() {}\nfunction run(cb = d) { cb(); }\nfunction main() { run(e); }\n",
}


@pytest.mark.parametrize("path", REPLACED)
def test_a_default_that_every_call_replaces_is_not_called(path: str) -> None:
    assert calls_between({path: REPLACED[path]}) == {("main", "run"), ("run", "e")}


@pytest.mark.parametrize("call", ["run()", "run(*args)", "run(**args)"])
def test_a_default_stays_where_a_call_may_leave_the_argument_out(call: str) -> None:
    text = f"def d(): pass\ndef e(): pass\ndef run(cb=d): cb()\ndef main(args):\n    run(e)\n    {call}\n"
    assert {("run", "d"), ("run", "e")} <= calls_between({"a.py": text})


def test_a_default_stays_where_nobody_calls() -> None:
    assert calls_between({"a.py": "def d(): pass\ndef run(cb=d): cb()\n"}) == {("run", "d")}


TABLES = {
    "a.py": {
        "a.py": "import b\nfrom b import IDX, Key\ndef f(): pass\ndef g(): pass\n"
        "TABLE = [f, g]\nNAMED = {'x': f, 'y': g}\n"
        "def one(): TABLE[IDX]()\ndef two(): TABLE[b.IDX]()\ndef three(): NAMED[Key.LAST]()\n",
        "b.py": "IDX = 1\nclass Key:\n    FIRST = 'x'\n    LAST = 'y'\n",
    },
    "a.js": {
        "a.js": "import * as b from './b.js';\nimport { IDX, Key } from './b.js';\nfunction f() {}\nfunction g() {}\n"
        "const TABLE = [f, g];\nconst NAMED = { x: f, y: g };\n"
        "function one() { TABLE[IDX](); }\n"
        "function two() { TABLE[b.IDX](); }\nfunction three() { NAMED[Key.LAST](); }\n",
        "b.js": "export const IDX = 1;\nexport class Key { static FIRST = 'x'; static LAST = 'y'; }\n",
    },
}


@pytest.mark.parametrize("path", TABLES)
def test_a_constant_of_another_module_or_of_a_class_says_which_element_is_meant(path: str) -> None:
    assert calls_between(TABLES[path]) == {("one", "g"), ("two", "g"), ("three", "g")}


CHOSEN = {
    "a.py": "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\ndef run(x): (A if x else B)().m()\n",
    "a.js": "class A { m() {} }\nclass B { m() {} }\nfunction run(x) { new (x ? A : B)().m(); }\n",
    "a.ts": "class A { m() {} }\nclass B { m() {} }\nfunction run(x: boolean) { new (x ? A : B)().m(); }\n",
    "a.php": "<?php class A { function m() {} }\nclass B { function m() {} }\n"
    "function run($x) { (new ($x ? A::class : B::class)())->m(); }\n",
    "a.rb": "class A\n  def m; end\nend\nclass B\n  def m; end\nend\ndef run(x)\n  (x ? A : B).new.m\nend\n",
    "a.kt": "class A {\n  fun m() {}\n}\nclass B {\n  fun m() {}\n}\n"
    "fun run(x: Boolean) { (if (x) A() else B()).m() }\n",
}


@pytest.mark.parametrize("path", CHOSEN)
def test_a_class_that_a_condition_chooses_is_either(path: str) -> None:
    assert {("run", "A"), ("run", "B"), ("run", "A.m"), ("run", "B.m")} <= calls_between({path: CHOSEN[path]})


def test_the_outer_of_stacked_decorators_runs_the_inner() -> None:
    found = calls_between(
        {
            "a.py": """
def outer(f):
    def first(): return f()
    return first
def inner(f):
    def second(): return f()
    return second
@outer
@inner
def work(): pass
def main(): work()
"""
        }
    )
    assert {("main", "outer.first"), ("outer.first", "inner.second"), ("inner.second", "work")} <= found
    assert ("main", "inner.second") not in found
    assert ("outer.first", "work") not in found
