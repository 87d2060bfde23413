"""Members that a program copies from one object to another: by a function of its own, or by one of a library."""

from __future__ import annotations

import pytest

from tests.indexer.languages.edges import calls_between

FOR_IN = "function mix(to, from) { for (var k in from) { if (from.hasOwnProperty(k)) to[k] = from[k]; } return to }"
KEYS = "function mix(to, from) { Object.keys(from).forEach(key => { to[key] = from[key] }) }"
HELD = "function mix(to, from) { for (const key in from) { const held = from[key]; if (held) to[key] = held } }"
DEFINED = (
    "function mix(to, from) { Object.getOwnPropertyNames(from).forEach(function (name) {"
    " var d = Object.getOwnPropertyDescriptor(from, name); Object.defineProperty(to, name, d) }) }"
)


# Verifies REQ-RES-003.
@pytest.mark.parametrize("mix", [FOR_IN, KEYS, HELD, DEFINED], ids=["for in", "keys", "held", "defined"])
def test_a_function_that_copies_members_does_so_for_each_call(mix: str) -> None:
    text = (
        f"{mix}\n"
        "const walking = { go() { this.step() }, step() {} }\nconst flying = { go() {}, land() {} }\n"
        "function a() { const o = {}; mix(o, walking); o.go() }\n"
        "function b() { const o = {}; mix(o, flying); o.land() }\n"
        "function c() { const o = {}; mix(o, flying); o.step() }\n"
    )
    found = {edge for edge in calls_between({"own.js": text}) if edge[1] != "mix" and edge[0] != "mix"}
    assert found == {("a", "walking.go"), ("walking.go", "walking.step"), ("b", "flying.land")}


@pytest.mark.parametrize(
    ("required", "copy"),
    [
        ("merge-descriptors", "mixin(app, proto, false)"),
        ("object-assign", "mixin(app, proto)"),
        ("lodash", "mixin.extend(app, proto)"),
    ],
    ids=["merge-descriptors", "object-assign", "lodash"],
)
def test_a_function_is_given_the_members_of_a_module(required: str, copy: str) -> None:
    """As express does: what makes an application gives a function the methods of another module."""
    files = {
        "express.js": f"var mixin = require('{required}')\nvar proto = require('./application')\n"
        "exports = module.exports = createApplication\nfunction createApplication() {\n"
        f"  var app = function (req, res, next) {{ app.handle(req, res, next) }}\n  {copy}\n"
        "  app.init()\n  return app\n}\n",
        "application.js": "var app = exports = module.exports = {}\napp.init = function init() { this.setup() }\n"
        "app.setup = function setup() {}\napp.handle = function handle() {}\n",
        "use.js": "var express = require('./express')\nvar app = express()\napp.setup()\n",
    }
    assert calls_between(files) == {
        ("createApplication", "app.init"), ("createApplication.app", "app.handle"), ("app.init", "app.setup"),
        ("use.js", "app.setup"), ("use.js", "createApplication"),
    }  # fmt: skip


def test_a_getter_that_is_defined_on_a_function_reads_its_members() -> None:
    text = (
        "const make = () => { const app = function () {}; app.on = function on() {};\n"
        "  Object.defineProperty(app, 'router', { get: function router() { this.on() } }); return app }\nmake()\n"
    )
    assert ("make.get", "make.app.on") in calls_between({"app.js": text})
