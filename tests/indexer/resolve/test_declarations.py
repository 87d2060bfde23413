"""A declared type holds for every value of a name, and an assignment without a declaration is to the name around it."""

from __future__ import annotations

import pytest

from tests.indexer.languages.edges import calls_between

REASSIGNED = {
    "A.java": """
class Owner { void one() {} void two() {} void three() {} void four() {} void five() {} }
class A {
  private Owner owner;
  Owner other;
  void local() { Owner x; x = Thing.get(); x.one(); }
  void nul() { Owner x = null; x = Thing.get(); x.two(); }
  void param(Owner p) { p = Thing.get(); p.three(); }
  void set() { this.owner = Thing.get(); other = Thing.get(); }
  void field() { owner.four(); }
  void field2() { other = Thing.get(); this.other.five(); }
}
""",
    "a.ts": """
import { Thing } from 'thing';
class Owner { one() {} two() {} three() {} four() {} five() {} }
class A {
  private owner: Owner;
  other: Owner;
  local() { let x: Owner; x = Thing.get(); x.one(); }
  nul() { let x: Owner | null = null; x = Thing.get(); x.two(); }
  param(p: Owner) { p = Thing.get(); p.three(); }
  set() { this.owner = Thing.get(); this.other = Thing.get(); }
  field() { this.owner.four(); }
  field2() { this.other = Thing.get(); this.other.five(); }
}
""",
    "A.cs": """
class Owner {
  public void one() {} public void two() {} public void three() {} public void four() {}
  public void five() {}
}
class A {
  private Owner owner;
  Owner other { get; set; }
  void local() { Owner x; x = Thing.Get(); x.one(); }
  void nul() { Owner x = null; x = Thing.Get(); x.two(); }
  void param(Owner p) { p = Thing.Get(); p.three(); }
  void set() { this.owner = Thing.Get(); other = Thing.Get(); }
  void field() { owner.four(); }
  void field2() { other = Thing.Get(); this.other.five(); }
}
""",
    "a.go": """
package a
import "thing"
type Owner struct{}
func (o *Owner) one() {}
func (o *Owner) two() {}
func (o *Owner) three() {}
func (o *Owner) four() {}
func (o *Owner) five() {}
type A struct { owner *Owner; other Owner }
func local() { var x *Owner; x = thing.Get(); x.one() }
func nul() { var x *Owner = nil; var err error; x, err = thing.Get(); x.two(); _ = err }
func param(p *Owner) { p = thing.Get(); p.three() }
func (a *A) set() { a.owner = thing.Get(); a.other = thing.Get() }
func (a *A) field() { a.owner.four() }
func (a *A) field2() { a.other = thing.Get(); a.other.five() }
""",
    "a.cpp": """
#include <thing.h>
class Owner { public: void one() {} void two() {} void three() {} void four() {} void five() {} };
class A {
  Owner* owner;
  Owner other;
  void local() { Owner* x; x = Thing::get(); x->one(); }
  void nul() { Owner* x = nullptr; x = Thing::get(); x->two(); }
  void param(Owner* p) { p = Thing::get(); p->three(); }
  void set() { this->owner = Thing::get(); other = Thing::get(); }
  void field() { owner->four(); }
  void field2() { other = Thing::get(); this->other.five(); }
};
""",
    "src/a.rs": """
use thing::Thing;
struct Owner {}
impl Owner { fn one(&self) {} fn two(&self) {} fn three(&self) {} fn four(&self) {} fn five(&self) {} }
struct A { owner: Owner, other: Option<Owner> }
fn local() { let x: Owner; x = Thing::get(); x.one(); }
fn nul() { let mut x: Option<Owner> = None; x = Thing::get(); x.unwrap().two(); }
fn param(mut p: Owner) { p = Thing::get(); p.three(); }
impl A {
fn set(&mut self) { self.owner = Thing::get(); self.other = Thing::get(); }
fn field(&self) { self.owner.four(); }
fn field2(&mut self) { self.other = Thing::get(); self.other.unwrap().five(); }
}
""",
    "a.py": """
from thing import Thing
class Owner:
    def one(self): pass
    def two(self): pass
    def three(self): pass
    def four(self): pass
    def five(self): pass
class A:
    owner: Owner
    def __init__(self):
        self.other: Owner | None = None
    def local(self):
        x: Owner
        x = Thing.get()
        x.one()
    def nul(self):
        x: Owner | None = None
        x = Thing.get()
        x.two()
    def param(self, p: Owner):
        p = Thing.get()
        p.three()
    def set(self):
        self.owner = Thing.get()
        self.other = Thing.get()
    def field(self):
        self.owner.four()
    def field2(self):
        self.other = Thing.get()
        self.other.five()
""",
    "A.kt": """
import thing.Thing
class Owner { fun one() {}
 fun two() {}
 fun three() {}
 fun four() {}
 fun five() {}
 }
class A {
  private lateinit var owner: Owner
  var other: Owner? = null
  fun local() { val x: Owner; x = Thing.get(); x.one() }
  fun nul() { var x: Owner? = null; x = Thing.get(); x.two() }
  fun param(p: Owner) { var q: Owner = p; q = Thing.get(); q.three() }
  fun set() { this.owner = Thing.get(); other = Thing.get() }
  fun field() { owner.four() }
  fun field2() { other = Thing.get(); this.other?.five() }
}
""",
    "a.php": """<?php
use Lib\\Thing;
class Owner { function one() {} function two() {} function three() {} function four() {} function five() {} }
class A {
  private Owner $owner;
  public ?Owner $other = null;
  function local() { /** @var Owner $x */ $x = Thing::get(); $x->one(); }
  function nul() { $this->two2(null); }
  function two2(?Owner $x) { if (!$x) { $x = Thing::get(); } $x->two(); }
  function param(Owner $p) { $p = Thing::get(); $p->three(); }
  function set() { $this->owner = Thing::get(); $this->other = Thing::get(); }
  function field() { $this->owner->four(); }
  function field2() { $this->other = Thing::get(); $this->other->five(); }
}
""",
    "a.swift": """
import Lib
class Owner { func one() {}
 func two() {}
 func three() {}
 func four() {}
 func five() {}
}
class A {
  private var owner: Owner
  var other: Owner? = nil
  func local() { let x: Owner
  x = Thing.get()
  x.one() }
  func nul() { var x: Owner? = nil
  x = Thing.get()
  x?.two() }
  func param(p: Owner) { var q: Owner = p
  q = Thing.get()
  q.three() }
  func set() { self.owner = Thing.get()
   other = Thing.get() }
  func field() { owner.four() }
  func field2() { other = Thing.get()
  self.other?.five() }
}
""",
    "A.scala": """
import thing.Thing
class Owner { def one() = {}
 def two() = {}
 def three() = {}
 def four() = {}
 def five() = {} }
class A {
  private var owner: Owner = _
  var other: Owner = null
  def local() = { var x: Owner = null
   x = Thing.get()
   x.one() }
  def nul() = { var x: Owner = Thing.get()
  x = Thing.get()
  x.two() }
  def param(p: Owner) = { var q: Owner = p
  q = Thing.get()
  q.three() }
  def set() = { this.owner = Thing.get()
  other = Thing.get() }
  def field() = { owner.four() }
  def field2() = { other = Thing.get()
   this.other.five() }
}
""",
    "a.dart": """
import 'package:thing/thing.dart';
class Owner { void one() {} void two() {} void three() {} void four() {} void five() {} }
class A {
  late Owner owner;
  Owner? other;
  void local() { Owner x; x = Thing.get(); x.one(); }
  void nul() { Owner? x = null; x = Thing.get(); x!.two(); }
  void param(Owner p) { p = Thing.get(); p.three(); }
  void set() { this.owner = Thing.get(); other = Thing.get(); }
  void field() { owner.four(); }
  void field2() { other = Thing.get(); this.other!.five(); }
}
""",
    "a.zig": """
const thing = @import("thing");
const Owner = struct {
  fn one(self: Owner) void {}
  fn two(self: Owner) void {}
  fn three(self: Owner) void {}
  fn four(self: Owner) void {}
  fn five(self: Owner) void {}
};
const A = struct {
  owner: Owner,
  other: ?Owner,
  fn local(self: *A) void { var x: Owner = undefined; x = thing.get(); x.one(); }
  fn nul(self: *A) void { var x: *Owner = undefined; x = thing.get(); x.two(); }
  fn param(self: *A, p: Owner) void { var q: Owner = p; q = thing.get(); q.three(); }
  fn set(self: *A) void { self.owner = thing.get(); self.other = thing.get(); }
  fn field(self: *A) void { self.owner.four(); }
  fn field2(self: *A) void { self.other = thing.get(); self.other.?.five(); }
};
""",
}
"""In each, what an unknown function gives is assigned to a local with a type, to one that begins as nothing, to a
parameter, and to two fields."""


# Verifies REQ-RES-002.
@pytest.mark.parametrize("path", REASSIGNED)
def test_a_declared_type_holds_for_what_is_assigned_later(path: str) -> None:
    called = {target.rpartition(".")[2] for _, target in calls_between({path: REASSIGNED[path]})}
    assert called >= {"one", "two", "three", "four", "five"}


def test_a_known_value_is_more_exact_than_the_declared_type() -> None:
    found = calls_between(
        {
            "A.java": """
interface Base { void m(); }
class One implements Base { public void m() {} }
class Two implements Base { public void m() {} }
class A { void run() { Base x; x = new One(); x.m(); } }
"""
        }
    )
    assert found == {("A.run", "One"), ("A.run", "One.m")}


def test_a_variable_of_another_block_or_of_a_later_declaration_has_a_type_of_its_own() -> None:
    found = calls_between(
        {
            "A.java": """
class One { void m() {} }
class Two { void m() {} }
class A { void run() { { One x; x = Lib.get(); x.m(); } { Two x; x = Lib.get(); x.m(); } } }
""",
        }
    )
    assert found == {("A.run", "One.m"), ("A.run", "Two.m")}
    found = calls_between(
        {
            "src/a.rs": """
struct One {} impl One { fn m(&self) {} }
fn run() { let x: One = lib::get(); let mut x = lib::other(); x = lib::get(); x.m(); }
"""
        }
    )
    assert found == set()


def test_a_parameter_that_is_given_a_primitive_type_keeps_what_it_is_assigned() -> None:
    found = calls_between(
        {
            "a.py": """
class Owner:
    def __init__(self, name): pass
    def one(self): pass
def run(owner: str):
    owner = Owner(owner)
    owner.one()
"""
        }
    )
    assert ("run", "Owner.one") in found


OUTWARD = {
    "A.java": "class Sub { void own() {} }\nclass A { private Sub x;\n"
    "  void set() { x = Lib.get(); x.own(); }\n  void use() { x.own(); } }\n",
    "A.cs": "class Sub { public void own() {} }\nclass A { private Sub x;\n"
    "  void set() { x = Lib.Get(); x.own(); }\n  void use() { x.own(); } }\n",
    "a.cpp": "class Sub { public: void own() {} };\nclass A { Sub* x;\n"
    "  void set() { x = lib(); x->own(); }\n  void use() { x->own(); } };\n",
    "A.kt": "class Sub { fun own() {} }\nclass A {\n  var x: Sub? = null\n"
    "  fun set() { x = lib()\n    x.own() }\n  fun use() { x.own() } }\n",
    "a.swift": "class Sub { func own() {} }\nclass A {\n  var x: Sub\n"
    "  func set() { x = lib()\n    x.own() }\n  func use() { x.own() }\n}\n",
    "A.scala": "class Sub { def own() = {} }\nclass A {\n  var x: Sub = null\n"
    "  def set() = { x = lib()\n    x.own() }\n  def use() = { x.own() }\n}\n",
    "a.dart": "class Sub { void own() {} }\nclass A {\n  dynamic x;\n"
    "  void set() { x = Sub();\n    x.own(); }\n  void use() { x.own(); }\n}\n",
    "a.js": "let x;\nclass Sub { own() {} }\nfunction set() { x = new Sub(); x.own(); }\nfunction use() { x.own(); }\n",
    "a.ts": "let x: Sub | undefined;\nclass Sub { own() {} }\n"
    "function set() { x = lib(); x.own(); }\nfunction use() { x.own(); }\n",
    "a.go": "package a\ntype Sub struct{}\nfunc (s Sub) own() {}\nvar x *Sub\n"
    "func set() { x = lib.Get(); x.own() }\nfunc use() { x.own() }\n",
    "src/a.rs": "struct Sub {}\nimpl Sub { fn own(&self) {} }\nstatic mut X: Option<Sub> = None;\n"
    "fn set() { X = lib::get(); X.unwrap().own(); }\nfn r#use() { X.unwrap().own(); }\n",
    "a.lua": "local Sub = {}\nSub.__index = Sub\nfunction Sub.new() return setmetatable({}, Sub) end\n"
    "function Sub:own() end\nlocal x\nfunction set() x = Sub.new() x:own() end\nfunction use() x:own() end\n",
}
"""In each, a function assigns to a variable around it, and another one uses that."""


# Verifies REQ-RES-002.
@pytest.mark.parametrize("path", OUTWARD)
def test_an_assignment_without_a_declaration_is_to_the_variable_around_the_function(path: str) -> None:
    callers = {
        source.rpartition(".")[2].removeprefix("r#")
        for source, to in calls_between({path: OUTWARD[path]})
        if "own" in to
    }
    assert callers == {"set", "use"}


def test_an_inherited_field_keeps_its_declared_type() -> None:
    found = calls_between(
        {
            "Base.java": "class Base { protected Sub x; }\nclass Sub { void own() {} }\n",
            "A.java": "class A extends Base { void set() { x = Lib.get(); x.own(); } }\n",
        }
    )
    assert ("A.set", "Sub.own") in found


def test_what_was_there_before_a_function_assigns_is_still_seen() -> None:
    found = calls_between(
        {
            "a.js": """
function first() {}
function second() {}
let run = first;
function next() { run(); run = second; run(); }
function same() { const run = () => {}; run(); }
"""
        }
    )
    assert {("next", "first"), ("next", "second")} <= found
    assert ("same", "first") not in found


def test_a_python_function_has_names_of_its_own() -> None:
    found = calls_between(
        {
            "a.py": """
def first(): pass
run = None
def set():
    run = first
def use():
    run()
"""
        }
    )
    assert found == set()
