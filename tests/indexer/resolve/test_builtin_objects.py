"""What JavaScript's collections, promises and prototypes hand on: calls of small programs.

`@` in a case stands for the file; `f`, `g` and `h` are functions that every case has.
"""

from __future__ import annotations

import pytest

from tests.indexer.languages.edges import calls_between

_FUNCTIONS = "function f() {}\nfunction g() {}\nfunction h() {}\n"


def _calls(code: str, path: str = "main.js") -> set[str]:
    found = calls_between({path: _FUNCTIONS + code})
    return {f"{'@' if caller == path else caller} -> {callee}" for caller, callee in found}


# Verifies REQ-RES-005.
@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("const s = new Set(); s.add(f); s.add(g); for (const x of s) x();", ["@ -> f", "@ -> g"]),
        ("const s = new Set([f]); [...s][0]();", ["@ -> f"]),
        ("const s = new Set([f]); s.forEach((x) => x());", ["@ -> <arrow1>", "<arrow1> -> f"]),
        ("for (const x of new Set().add(f)) x();", ["@ -> f"]),
        ("const m = new Map(); m.set('a', f); m.set('b', g); m.get('a')();", ["@ -> f"]),
        ("const m = new Map([['a', f], ['b', g]]); m.get('b')();", ["@ -> g"]),
        ("const m = new Map(); m.set(k, f); for (const x of m.values()) x();", ["@ -> f"]),
        ("const m = new Map(); m.set(k, f); for (const [k, x] of m) x();", ["@ -> f"]),
        ("const m = new WeakMap(); m.set(k, f); m.get(k)();", ["@ -> f"]),
        ("const m = new Map(); m.set('get', f); m.get('get')();", ["@ -> f"]),
        ("Array.from(new Set([f])).forEach((x) => x());", ["@ -> <arrow1>", "<arrow1> -> f"]),
        ("for (const x of Array.of(f, g)) x();", ["@ -> f", "@ -> g"]),
        ("for (const [k, x] of Object.entries({ a: f })) x();", ["@ -> f"]),
        ("for (const x of Object.values({ a: f })) x();", ["@ -> f"]),
        ("const o = Object.fromEntries([['a', f], ['b', g]]); o.a();", ["@ -> f"]),
        ("[f].concat([g]).forEach((x) => x());", ["@ -> <arrow1>", "<arrow1> -> f", "<arrow1> -> g"]),
        ("[[f], [g]].flat().forEach((x) => x());", ["@ -> <arrow1>", "<arrow1> -> f", "<arrow1> -> g"]),
        ("['a'].reduce((o, k) => { o[k] = f; return o; }, {}).a();", ["@ -> <arrow1>", "@ -> f"]),
    ],
)
def test_collections_give_what_was_put_in(code: str, calls: list[str]) -> None:
    assert _calls(code) == set(calls)


# Verifies REQ-RES-005.
def test_a_listener_in_a_set_of_a_map_is_called() -> None:
    code = """
    class Bus {
        #listeners = new Map();
        on(kind, x) {
            if (!this.#listeners.has(kind)) this.#listeners.set(kind, new Set());
            this.#listeners.get(kind).add(x);
        }
        emit(kind) { for (const x of this.#listeners.get(kind) ?? []) x(); }
    }
    const bus = new Bus(); bus.on('a', f); bus.emit('a');
    """
    assert _calls(code) == {"@ -> Bus", "@ -> Bus.on", "@ -> Bus.emit", "Bus.emit -> f"}


def test_type_arguments_of_a_made_map_say_what_it_holds() -> None:
    code = """
    class Job { run() {} }
    class Queue {
        private jobs = new Map<string, Job>();
        go() { for (const job of this.jobs.values()) job.run(); }
    }
    """
    assert _calls(code, "main.ts") == {"Queue.go -> Job.run"}


# Verifies REQ-RES-005.
@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("const [x, y] = await Promise.all([a(), b()]); x();", ["@ -> a", "@ -> b", "@ -> f"]),
        ("Promise.all([a()]).then(([x]) => x());", ["@ -> a", "@ -> <arrow1>", "<arrow1> -> f"]),
        ("const x = await Promise.race([b()]); x();", ["@ -> b", "@ -> g"]),
        ("Promise.resolve(h).then((x) => x());", ["@ -> <arrow1>", "<arrow1> -> h"]),
        ("new Promise((done) => done(h)).then((x) => x());", ["@ -> <arrow1>", "@ -> <arrow2>", "<arrow2> -> h"]),
        ("fetch('x').then(() => f());", ["@ -> <arrow1>", "<arrow1> -> f"]),
        ("load().then(f, g);", ["@ -> f"]),
        ("rows.map((row) => f());", ["@ -> <arrow1>", "<arrow1> -> f"]),
        ("rows.map(() => f)[0]();", ["@ -> <arrow1>", "@ -> f"]),
    ],
)
def test_functions_handed_to_promises_and_to_unknown_lists_are_called(code: str, calls: list[str]) -> None:
    made = "async function a() { return f; }\nasync function b() { return g; }\n"
    assert _calls(made + code) == set(calls)


# Verifies REQ-RES-005.
@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("Reflect.apply(f, null, []);", ["@ -> f"]),
        ("Reflect.construct(A, []).m();", ["@ -> A", "@ -> A.m"]),
        ("Reflect.get({ a: f }, 'a')();", ["@ -> f"]),
        ("const b = f.bind(null); b();", ["@ -> f"]),
        ("class B extends A { go() { run(this.m.bind(this)); } }", ["B.go -> run", "run -> A.m"]),
        ("new A()['m']();", ["@ -> A", "@ -> A.m"]),
        ("class B extends A { again() { return new this.constructor(); } }", ["B.again -> B"]),
    ],
)
def test_functions_are_reached_by_reflection(code: str, calls: list[str]) -> None:
    made = "class A { m() {} }\nfunction run(call) { call(); }\n"
    assert _calls(made + code) == set(calls)


# Verifies REQ-RES-005.
@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("const o = { __proto__: base }; o.m();", ["@ -> base.m"]),
        ("const o = { __proto__: base, m() { super.m(); } }; o.m();", ["@ -> o.m", "o.m -> base.m"]),
        ("const o = { m() { super.m(); } }; Object.setPrototypeOf(o, base); o.m();", ["@ -> o.m", "o.m -> base.m"]),
        ("const o = { ...base, m: f }; o.m();", ["@ -> f"]),
        ("const o = { m: f, ...base }; o.m();", ["@ -> f", "@ -> base.m"]),
        ("const o = { a: f, a: g }; o.a();", ["@ -> g"]),
        ("function A() {} A.prototype.n = f; function B() {} B.prototype = Object.create(A.prototype); new B().n();",
         ["@ -> B", "@ -> f"]),
    ],
)  # fmt: skip
def test_objects_inherit_what_they_do_not_have_themselves(code: str, calls: list[str]) -> None:
    assert _calls("const base = { m() {} };\n" + code) == set(calls)


# Verifies REQ-RES-005.
@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("module.exports = { a() { this.b(); }, b() {} };", ["a -> b"]),
        ("const o = { a: function () { this.b(); }, b() {} };", ["o.a -> o.b"]),
        ("function o() {} o.a = function () { this.b(); }; o.b = function () {};", ["o.a -> o.b"]),
        ("const o = { x: f, get a() { return this.x; } }; o.a();", ["@ -> f"]),
        ("class A { get b() { return this._b; } set b(v) { this._b = v; } } const a = new A(); a.b = f; a.b();",
         ["@ -> A", "@ -> f"]),
        ("class A { static get one() { return new A(); } m() {} } A.one.m();", ["A.one -> A", "@ -> A.m"]),
    ],
)  # fmt: skip
def test_a_function_of_an_object_is_called_on_it(code: str, calls: list[str]) -> None:
    assert _calls(code) == set(calls)


def test_arrows_that_give_arrows_are_called_one_after_the_other() -> None:
    found = _calls("const add = (a) => (b) => a(b);\nadd(f)(1);")
    assert found == {"@ -> add", "@ -> add.<arrow1>", "add.<arrow1> -> f"}


def test_a_name_that_is_written_is_not_read_from_computed_keys() -> None:
    code = "const o = { a: f };\nfor (const k of keys) o[k] = g;\no.b = h;\no.a(); o.b(); o.c();"
    assert _calls(code) == {"@ -> f", "@ -> h", "@ -> g"}
    assert _calls(code.replace(" o.c();", "")) == {"@ -> f", "@ -> h"}
