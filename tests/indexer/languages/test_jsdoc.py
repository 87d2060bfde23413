"""Types in JavaScript's comments."""

from __future__ import annotations

import pytest

from loregraph.indexer.facts import Expr
from loregraph.indexer.languages.javascript.jsdoc import type_of
from tests.indexer.resolve.conftest import Resolve, project

__all__ = ["project"]

FOO: Expr = ("n", "Foo")
LIST: Expr = ("s", ("n", "Array"), FOO)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Foo", FOO),
        ("?Foo", FOO),
        ("(Foo|null)", FOO),
        ("Foo=", FOO),
        ("ns.Foo", ("a", ("n", "ns"), "Foo")),
        ("Foo[]", LIST),
        ("Array.<Foo>", LIST),
        ("...Foo", LIST),
        ("Promise<Foo | undefined>", ("s", ("n", "Promise"), FOO)),
        ("Object<string, Foo>", ("s", ("n", "Record"), ("l", (("x",), FOO)))),
        ("{foo: Foo, text?: string}", ("d", ((("k", "str", "foo"), FOO),))),
        ('import("./foo").Foo', ("a", ("m", "./foo"), "Foo")),
        ("Foo | (() => void)", FOO),
        ("string", None),
        ("function(Foo): Foo", None),
        ("*", None),
        ("{", None),
        ("Foo<", None),
        ("(" * 1000, None),
    ],
)
def test_a_type_is_read_as_far_as_it_names_a_class(text: str, expected: Expr | None) -> None:
    assert type_of(text) == expected


def test_comments_say_what_parameters_results_and_variables_are(project: Resolve) -> None:
    found = project(
        {
            "till.js": "export class Till {\n  open() {}\n}\n",
            "shop.js": """
        /** @typedef {import("./till").Till} Till */
        /** @typedef {{till: Till, spare: Till[]}} Desk */
        class Shop {
          /** @type {Till} */
          main;
          field() { this.main.open(); }
        }
        /**
         * @param {Till} till
         * @param {Object} more
         * @param {Desk} more.desk
         * @returns {Till}
         */
        function both(till, { desk }) {
          till.open();
          return find();
        }
        function result() { both().open(); }
        /** @type {Map<string, Till>} */
        const tills = load();
        function mapped() { tills.get("a").open(); }
        function cast() { const it = /** @type {Till} */ (find()); it.open(); }
        /** @param {Desk} desk */
        const arrow = (desk) => desk.spare[0].open();
        /** @param {string} name */
        function plain(name) { name.open(); }
    """,
        }
    )
    callers = {source.partition("::")[2] for source, target in found.calls() if target == "till.js::Till.open"}
    assert callers == {"Shop.field", "both", "result", "mapped", "cast", "arrow"}
