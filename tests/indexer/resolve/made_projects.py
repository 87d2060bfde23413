"""Small projects in which values take long ways, for properties that hold of every project.

Each of the 3 to 8 files has the same frame (a class, a function that calls what it is given, a list, a mapping, …) and
some pieces, drawn with the files that they name. In a piece `@i` is the number of its own file, `@j` and `@k` are those
of two others (perhaps the same), `@n` makes names its own. The programs need not run: imports and bases go in circles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent

from hypothesis import strategies as st

MANY = range(12)
"""More classes than one cell keeps, under any of the limits."""


def _pieces(text: str) -> tuple[str, ...]:
    """Pieces parted by lines of dashes."""
    return tuple(f"{piece.strip(chr(10))}\n" for piece in dedent(text).split("\n---\n"))


def _several(line: str) -> str:
    """`line` once for each of `MANY`, with its number for `@m`."""
    return "".join(line.replace("@m", str(number)) for number in MANY)


PYTHON_FRAME = """\
import functools
@imports

BOX@i = []
MAP@i = {}


class K@i@base:
    slot = None

    def __init__(self, held=None):
        self.held = held

    def go(self, x=None):
        return self.step(x)

    def step(self, x=None):
        return self.held


def run@i(x, f=None, *more, **named):
    x.go(f)
    f(x)
    for one in more:
        one()
    return x


def deco@i(f):
    def inner@i(*a, **k):
        return f(*a, **k)

    return inner@i


"""
PYTHON_PIECES = (
    *_pieces(
        """
class L@n(m@j.K@j):
    def step(self, x=None):
        super().step(x)
        return m@k.K@k()
m@k.run@k(L@n())
---
def use@n(a, b=m@j.K@j):
    a.go(b)
    return b()
use@n(m@k.K@k()).go()
---
m@j.run@j(m@k.K@k(), m@i.run@i, m@k.run@k, m@j.K@j, last=m@k.deco@k)
---
m@j.BOX@j.append(m@k.K@k())
m@j.BOX@j.append(m@k.run@k)
for one@n in m@j.BOX@j:
    one@n.go(one@n)
---
m@j.BOX@j.extend(m@k.BOX@k)
m@j.MAP@j.update(m@k.MAP@k, last=run@i)
m@j.MAP@j["last"](K@i())
---
ALL@n = [*m@j.BOX@j, run@i, *m@k.BOX@k]
for one in ALL@n[1:]:
    one(one)
BOTH@n = {**m@j.MAP@j, "a": K@i, **m@k.MAP@k}
BOTH@n["a"]().go()
BOTH@n["b"](BOTH@n)
---
for one in m@j.BOX@j[1:3]:
    one.go(one)
first@n, *rest@n = m@k.BOX@k
m@j.BOX@j.extend(rest@n)
first@n(rest@n[0])
---
def put@n(key, value):
    m@j.MAP@j[key] = value
def pick@n(key):
    return m@j.MAP@j[key]
put@n("a", m@k.run@k)
put@n("b", K@i)
pick@n("b")().go()
pick@n("a")(K@i())
---
@m@j.deco@j
def done@n(x):
    return x.go()
done@n(m@k.K@k())
m@k.BOX@k.append(done@n)
---
def made@n(kind):
    def mark(f):
        def held(*a):
            return kind(f)(*a)
        return held
    return mark
@made@n(m@j.deco@j)
@m@k.deco@k
def both@n(x):
    return x.step()
both@n(m@k.K@k())
---
from @Jm@j import *
from @Km@k import *
run@j(K@k(), deco@j, K@j)
BOX@k.append(run@j)
---
late@n = functools.partial(m@j.run@j, m@k.K@k())
late@n(m@k.run@k)
m@k.MAP@k["a"] = late@n
---
m@j.K@j.slot = m@k.run@k
thing@n = m@j.K@j(m@k.K@k)
thing@n.slot(thing@n)
thing@n.held().go()
thing@n.held = m@k.K@k()
---
class P@n(m@j.K@j):
    @property
    def now(self):
        return m@k.K@k(self)
    def go(self, x=None):
        return self.now.go(super().go(x))
m@k.run@k(P@n(P@n))
---
def left@n(x):
    return m@j.run@j(x, right@n)
def right@n(x):
    return m@k.run@k(left@n(x), left@n)
left@n(K@i(right@n))
---
def given@n(x=m@j.BOX@j, y=m@k.MAP@k):
    x.append(y)
    return x[0]
given@n()(K@i())
given@n([run@i])
---
getattr(m@j.K@j(), "go")(m@k.K@k)
for x in map(m@j.run@j, m@k.BOX@k):
    x.go()
sorted(m@j.BOX@j, key=m@k.run@k)
---
class I@n:
    def __iter__(self):
        yield m@j.K@j()
    def __call__(self, f):
        return f(m@k.K@k())
for x in I@n():
    x.go()
I@n()(m@k.run@k)
m@j.BOX@j.extend(I@n())
---
for x in (m@j.K@j(), m@k.K@k(), m@j.run@j, m@k.BOX@k, "s", 1, dict, K@i()):
    run@i(x, x)
"""
    ),
    _several("class N@n_@m:\n    def go(self, x=None):\n        return x\n")
    + _several("m@j.run@j(N@n_@m(), m@k.run@k)\n")
    + _several("m@k.K@k.slot = N@n_@m()\n")
    + "m@k.K@k().slot.go(m@j.K@j)\n",
    _several("class S@n_@m(m@j.K@j):\n    def step(self, x=None):\n        return x(self)\n")
    + _several("m@k.BOX@k.append(S@n_@m(run@i))\n"),
    _several("def g@n_@m(x=None):\n    return [x]\n")
    + _several("m@j.MAP@j['a'] = g@n_@m\nm@k.BOX@k.append(g@n_@m())\n"),
)

SCRIPT_FRAME = """\
@imports
export const box@i = [];
export const map@i = {};
export class K@i@base {
  constructor(held) { @superthis.held = held; }
  go(x) { return this.step(x); }
  step(x) { return this.held; }
  get now() { return this.held; }
}
export function run@i(x, f, ...more) {
  x.go(f);
  f(x);
  for (const one of more) one();
  return x;
}
export function F@i(held) { this.held = held; }
F@i.prototype.go = function (x) { return this.held(x); };
"""
SCRIPT_PIECES = (
    *_pieces(
        """
class L@n extends m@j.K@j { step(x) { super.step(x); return new m@k.K@k(this); } }
m@k.run@k(new L@n(L@n));
---
m@j.run@j(new m@k.K@k(), m@k.run@k, m@j.run@j, () => m@k.run@k(new m@j.K@j()));
---
m@j.box@j.push(new m@k.K@k(), m@k.run@k);
m@j.box@j.forEach(m@k.run@k);
for (const one of m@j.box@j) one.go(one);
---
const all@n = [...m@j.box@j, run@i, ...m@k.box@k];
all@n.slice(1).map(one => one(one));
const both@n = {...m@j.map@j, a: K@i, ...m@k.map@k};
new both@n.a().go();
both@n.b(both@n);
---
Object.assign(m@j.map@j, m@k.map@k, {a: m@k.run@k});
m@j.map@j.a(new K@i());
---
Object.assign(m@j.K@j.prototype, {extra@n(x) { return m@k.run@k(this, x); }}, m@k.map@k);
new m@j.K@j().extra@n(m@k.run@k);
---
Object.assign(m@j.K@j.prototype, m@k.K@k.prototype);
new m@j.K@j(m@k.run@k).go(1);
---
Object.defineProperty(m@j.K@j.prototype, 'later@n', {get() { return new m@k.K@k(this); }});
new m@j.K@j().later@n.go();
Object.defineProperties(m@k.map@k, {b: {value: m@j.run@j}});
m@k.map@k.b(m@j.map@j);
---
m@j.run@j.call(m@k.map@k, new m@k.K@k(), m@k.run@k);
m@j.F@j.apply(new m@k.K@k(), [m@k.run@k]);
const tied@n = m@j.run@j.bind(null, new m@k.K@k());
tied@n(m@k.run@k);
---
function put@n(key, value) { m@j.map@j[key] = value; }
function pick@n(key) { return m@j.map@j[key]; }
put@n('a', m@k.run@k);
put@n('push', K@i);
new (pick@n('push'))().go();
pick@n('a')(new K@i());
---
const {a: first@n, ...others@n} = m@j.map@j;
first@n(others@n);
const [head@n, ...tail@n] = m@k.box@k;
m@j.box@j.push(...tail@n);
head@n.go(tail@n);
---
export * from '../@Jm@j';
export * from '../@Km@k';
export {run@j as again@n} from '../@Jm@j';
---
import {run@k as near@n, K@j as far@n} from '../@Km@k';
near@n(new far@n(near@n), far@n);
---
const made@n = new m@j.F@j(m@k.run@k);
made@n.go(m@k.K@k);
m@j.run@j(made@n, made@n.held);
---
function given@n(x = m@j.box@j, y = m@k.run@k) { x.push(y); return x[0]; }
given@n()(new K@i());
given@n([run@i]);
---
function left@n(x) { return m@j.run@j(x, right@n); }
function right@n(x) { return m@k.run@k(left@n(x), left@n); }
left@n(new K@i(right@n)).now.go();
---
m@j.K@j.slot = m@k.run@k;
const thing@n = new m@j.K@j(m@k.K@k);
m@j.K@j.slot(thing@n);
thing@n.held = new m@k.K@k();
thing@n.now.go(thing@n);
---
for (const x of [new m@j.K@j(), new m@k.K@k(), m@j.run@j, m@k.box@k, 's', 1, Map, m@j.map@j]) run@i(x, x);
---
const wrap@n = f => (...a) => f(...a);
m@j.map@j.wrapped = wrap@n(m@k.run@k);
m@k.map@k.wrapped = wrap@n(m@j.run@j);
m@j.map@j.wrapped(new K@i(), wrap@n);
----
function mixin@n(to, from) { for (const key in from) to[key] = from[key]; return to; }
const proto@n = { go(x) { return this.step(x); }, step(x) { return m@j.run@j(x, this.go); } };
export function app@n(x) { const f = (y) => y.go(x); mixin@n(f, proto@n); mixin@n(m@k.map@k, proto@n); return f; }
app@n(m@j.box@j).go(mixin@n(m@j.map@j, new m@k.K@k()).step(1));
"""
    ),
    _several("class N@n_@m { go(x) { return x; } }\n")
    + _several("m@j.run@j(new N@n_@m(), m@k.run@k);\nm@k.map@k.a = new N@n_@m();\n")
    + "m@k.map@k.a.go(m@j.run@j);\n",
    _several("class S@n_@m extends m@j.K@j { step(x) { return x(this); } }\n")
    + _several("m@k.box@k.push(new S@n_@m(run@i));\n"),
    _several("const g@n_@m = x => [x];\nm@j.map@j.a = g@n_@m;\nm@k.box@k.push(g@n_@m(), {a: g@n_@m});\n"),
)
TYPED_PIECES = _pieces(
    """
interface Face@n { go(x: any): any; }
function typed@n(x: Face@n, y: m@j.K@j): m@k.K@k { x.go(y); y.step(x); return new m@k.K@k(x); }
typed@n(new m@j.K@j(), new m@k.K@k()).go(1);
---
class T@n implements Iterable<m@j.K@j> {
  private held: m@k.K@k = new m@k.K@k();
  constructor(public other: m@j.K@j) {}
  go(x: (y: m@k.K@k) => void) { x(this.held); return this.other.go(x); }
}
m@k.run@k(new T@n(new m@j.K@j()), m@j.run@j);
---
function over@n(x: string): m@j.K@j;
function over@n(x: number): m@k.K@k;
function over@n(x: any): any { return x; }
over@n('a').go(over@n(1));
----
export class Box@n<T> { in!: T; out(): T { return this.in; } same(): Box@n<T> { return this; }
  all(): T[] { return []; } }
class Own@n extends Box@n<m@j.K@j> { go(x: any) { return this.out().go(this.in.step(x)); } }
function wrap@n<T>(x: T): Box@n<T> { return new Box@n<T>(); }
wrap@n(new m@k.K@k()).out().go(new Own@n().same().out());
new Own@n().all().forEach(one => one.step(new Box@n<m@k.K@k>().same().out().go(one)));
"""
)

JAVA_FRAME = """\
package acme;

import java.util.*;
import java.util.function.*;

public class M@i@base {
    static List<Face> items = new ArrayList<>();
    static Map<String, Function<Object, Object>> map = new HashMap<>();
    static Function<Object, Object> slot;
    Object held;

    M@i() {}
    M@i(Object held) { this.held = held; }

    public Object go(Object x) { return step(x); }
    Object step(Object x) { return held; }
    static Object make(Object x) { return new M@i(x); }
    static Object run(Face x, Function<Object, Object> f) { x.go(f); return f.apply(x); }
    static class Box<T> { T in; T out() { return in; } Box<T> same() { return this; } List<T> all() { return null; } }
    static <T> T pick(Class<T> c, Box<T> b) { return b.same().out(); }
@pieces}
"""
JAVA_PIECES = (
    *_pieces(
        """
    void use@n(M@j a, Face b) { a.go(b); b.go(a); new M@k(a).step(b); }
    void used@n() { use@n(new M@j(), new M@k()); }
---
    void hand@n() { M@j.run(new M@k(), x -> new M@i().go(x)); M@j.run(new M@i(), M@k::make); }
---
    Object over@n(M@j a) { return a.go(a); }
    Object over@n(Object a) { return new M@k(a); }
    Object over@n(Face a) { return a.go(this); }
    void called@n(Face f) { over@n(new M@k()); over@n(f); over@n(held).toString(); }
---
    void fill@n() { M@j.items.add(new M@k()); M@j.items.addAll(M@k.items); for (Face o : M@j.items) o.go(o); }
---
    void each@n() { M@j.items.forEach(o -> o.go(M@k.items)); M@k.items.stream().map(o -> o.go(o)).toList(); }
---
    void key@n() { M@j.map.put("a", M@k::make); M@j.map.putAll(M@k.map); M@j.map.get("a").apply(new M@i()); }
---
    static class N@n extends M@j {
        Object step(Object x) { return super.step(new M@k(this)); }
    }
    void named@n() { M@k.run(new N@n(), M@j::make); new N@n().go(this); }
---
    Face face@n() { return new Face() { public Object go(Object x) { return M@j.run(new M@k(), M@k::make); } }; }
    void faced@n() { M@j.items.add(face@n()); face@n().go(new M@j()); }
---
    M@j pick@n(boolean b) { return b ? new M@j() : null; }
    void picked@n() { var v = pick@n(true); v.go(v); pick@n(false).step(new M@k().go(v)); }
---
    void store@n() { M@j.slot = M@k::make; M@j.slot.apply(this); M@k.slot = new M@j()::go; }
---
    <T extends Face> T same@n(T x) { x.go(x); return x; }
    void kept@n() { same@n(new M@j()).step(same@n(new M@k())); }
---
    Object left@n(Face x) { return M@j.run(x, y -> right@n(x)); }
    Object right@n(Face x) { return M@k.run((Face) left@n(x), M@j::make); }
---
    Optional<M@j> maybe@n() { return Optional.of(new M@j(new M@k())); }
    void hoped@n() { maybe@n().ifPresent(x -> x.go(x)); maybe@n().map(x -> x.step(x)).orElse(null); }
---
    interface Own@n extends Face { default Object go(Object x) { return M@j.make(x); } Object last(M@k x); }
    void owned@n(Own@n o) { o.go(o.last(new M@k())); }
"""
    ),
    _several("    static class S@n_@m extends M@j { Object step(Object x) { return M@k.make(x); } }\n")
    + "    void all@n() {\n"
    + _several("        M@k.run(new S@n_@m(), M@j::make);\n")
    + "    }\n",
)

GO_FRAME = """\
package @p

import (
@imports)

type Face@i interface {
	Go(x any) any
}

type K@i struct {@base
	Held any
	Fn   func(any) any
}

var Box@i = []any{}
var List@i = []Face@i{}
var Map@i = map[string]func(any) any{}
var Funcs@i = []func(any) any{Make@i}

func (k *K@i) Go(x any) any { return k.Step(x) }

func (k *K@i) Step(x any) any { return k.Held }

func Make@i(x any) any { return &K@i{Held: x} }

type Kept@i[T any] struct{ In T }

func (k *Kept@i[V]) Out() V { return k.In }

func (k *Kept@i[V]) All() []V { return nil }

func Keep@i[T any](x T) *Kept@i[T] { return &Kept@i[T]{In: x} }

func Run@i(x Face@i, f func(any) any) any {
	x.Go(f)
	return f(x)
}
"""
GO_PIECES = (
    *_pieces(
        """
type own@n struct { *@JKept@j[*@KK@k] }
func kept@n(o *own@n, a *@KKept@k[*@JK@j]) { o.Out().Go(a.In); a.Out().Step(o); for _, x := range o.All() { x.Go(x) } }
func keeps@n() { @JKeep@j(&@KK@k{}).Out().Go(@KKeep@k[K@i](K@i{}).In) }
----
func use@n(a *@JK@j, b @KFace@k) { a.Go(b); b.Go(a); a.Fn(b) }
func used@n() { use@n(&@JK@j{}, &@KK@k{}) }
---
func hand@n() { @JRun@j(&@KK@k{}, func(x any) any { return @KMake@k(x) }); @JRun@j(&K@i{}, @KMake@k) }
---
func fill@n() {
	@JList@j = append(@JList@j, &@KK@k{}, &K@i{})
	for _, one := range @JList@j {
		one.Go(one)
	}
	for _, one := range @JList@j[1:] {
		one.Go(@KMake@k)
	}
}
---
func key@n(key string) { @JMap@j[key] = @KMake@k; @JMap@j["b"] = Make@i; @JMap@j[key](1) }
func keyed@n() { key@n("a"); @KMap@k["a"](2) }
---
type L@n struct{ @JK@j }

func (l *L@n) Step(x any) any { return l.K@j.Step(@KMake@k(x)) }
func named@n() { @KRun@k(&L@n{}, @JMake@j); (&L@n{}).Go(1) }
---
func store@n(k *@JK@j) { k.Fn = @KMake@k; k.Fn(k); k.Held = &@KK@k{} }
func stored@n() { store@n(&@JK@j{Fn: Make@i}) }
---
func left@n(x @JFace@j) any { return @JRun@j(x, right@n) }
func right@n(x any) any { return @KRun@k(x.(@KFace@k), left@n) }
---
func late@n() func(any) any { k := &@JK@j{}; return k.Go }
func lately@n() { late@n()(1); @KRun@k(&@KK@k{}, late@n()) }
---
func kind@n(x any) {
	switch v := x.(type) {
	case *@JK@j:
		v.Go(v)
	case @KFace@k:
		v.Go(x)
	}
}
func kinds@n() { kind@n(&@JK@j{}); kind@n(&@KK@k{}) }
---
type Own@n interface {
	@JFace@j
	Step(x any) any
}

func own@n(o Own@n) { o.Step(o.Go(1)) }
func owned@n() { own@n(&@KK@k{}); own@n(&K@i{}) }
---
func rest@n(fs ...func(any) any) { for _, f := range fs { f(fs[0]) } }
func rested@n() { rest@n(@JMake@j, @KMake@k, Make@i); rest@n(@JFuncs@j...) }
---
type Fn@n func(any) any

func (f Fn@n) Go(x any) any { return f(x) }
func fned@n() { @JRun@j(Fn@n(@KMake@k), Fn@n(@JMake@j)) }
"""
    ),
    _several("type S@n_@m struct{ @JK@j }\n\nfunc (s *S@n_@m) Step(x any) any { return @KMake@k(s) }\n")
    + "func all@n() {\n"
    + _several("\t@KRun@k(&S@n_@m{}, @JMake@j)\n\t@JList@j = append(@JList@j, &S@n_@m{})\n")
    + "}\n",
)

FOLDERS = ("a/", "m/")
"""Where the files lie, by turns. `a` comes first of all; where it becomes `z/a`, it comes last."""
GO_PACKAGES = ("a", "m", "p")

Piece = tuple[str, int, int]
"""A piece and the numbers of the two files that it names."""
File = tuple[int | None, list[Piece]]
"""The number of the file whose class this one's inherits from, and the pieces."""


def _pieces_of(i: int, pieces: list[Piece], place: Callable[[int], str] = str) -> str:
    """The pieces of file `i`; `place` says what stands before a name of another file (`@J`, `@K`)."""
    written = []
    for n, (piece, j, k) in enumerate(pieces):
        filled = piece.replace("@J", place(j)).replace("@K", place(k))
        filled = filled.replace("@i", str(i)).replace("@j", str(j)).replace("@k", str(k))
        written.append(filled.replace("@n", f"{i}_{n}"))
    return "".join(written)


def _folder(number: int) -> str:
    return FOLDERS[number % 2]


def _python(files: list[File]) -> dict[str, str]:
    def package(number: int) -> str:
        return _folder(number).replace("/", ".")

    imports = "\n".join(f"from {package(i).rstrip('.')} import m{i}" for i in range(len(files)))
    made = {
        f"{_folder(i)}m{i}.py": PYTHON_FRAME.replace("@imports", imports)
        .replace("@base", f"(m{base}.K{base})" if base is not None else "")
        .replace("@i", str(i))
        + _pieces_of(i, pieces, package)
        for i, (base, pieces) in enumerate(files)
    }
    return {**{f"{folder}__init__.py": "" for folder in FOLDERS}, **made}


def _script(files: list[File]) -> dict[str, str]:
    imports = "".join(f"import * as m{i} from '../{_folder(i)}m{i}';\n" for i in range(len(files)))
    return {
        f"{_folder(i)}m{i}.{'js' if i % 3 == 1 else 'ts'}": SCRIPT_FRAME.replace("@imports", imports)
        .replace("@base", f" extends m{base}.K{base}" if base is not None else "")
        .replace("@super", "super(held); " if base is not None else "")
        .replace("@i", str(i))
        + _pieces_of(i, [piece for piece in pieces if i % 3 != 1 or piece[0] not in TYPED_PIECES], _folder)
        for i, (base, pieces) in enumerate(files)
    }


def _java(files: list[File]) -> dict[str, str]:
    made = {
        f"{_folder(i)}acme/M{i}.java": JAVA_FRAME.replace("@i", str(i))
        .replace("@base", (f" extends M{base}" if base is not None else "") + " implements Face")
        .replace("@pieces", _pieces_of(i, pieces))
        for i, (base, pieces) in enumerate(files)
    }
    return made | {"b/acme/Face.java": "package acme;\n\npublic interface Face { Object go(Object x); }\n"}


def _go(files: list[File]) -> dict[str, str]:
    found = {"go.mod": "module acme.com/made\n\ngo 1.22\n"}
    for i, (base, pieces) in enumerate(files):
        own = GO_PACKAGES[i % 3]

        def place(number: int, own: str = own) -> str:
            package = GO_PACKAGES[number % 3]
            return "" if package == own else f"{package}."

        imports = "".join(f'\t"acme.com/made/{package}"\n' for package in GO_PACKAGES if package != own)
        embedded = f"\n\t*{place(base)}K{base}" if base is not None else ""
        text = GO_FRAME.replace("@imports", imports).replace("@p", own).replace("@base", embedded)
        found[f"{own}/m{i}.go"] = text.replace("@i", str(i)) + "\n" + _pieces_of(i, pieces, place)
    return found


LANGUAGES: Mapping[str, tuple[Callable[[list[File]], dict[str, str]], tuple[str, ...]]] = {
    "python": (_python, PYTHON_PIECES),
    "typescript": (_script, (*SCRIPT_PIECES, *TYPED_PIECES)),
    "java": (_java, JAVA_PIECES),
    "go": (_go, GO_PIECES),
}
"""Language → what writes a project's files, and its pieces."""


@st.composite
def projects(draw: st.DrawFn, language: str) -> dict[str, str]:
    """Path → text of a project in one language (TypeScript with JavaScript)."""
    write, pieces = LANGUAGES[language]
    count = draw(st.integers(3, 8))
    numbers = st.integers(0, count - 1)
    piece = st.tuples(st.sampled_from(pieces), numbers, numbers)
    one = st.tuples(st.none() | numbers, st.lists(piece, min_size=1, max_size=5))
    return write(draw(st.lists(one, min_size=count, max_size=count)))
