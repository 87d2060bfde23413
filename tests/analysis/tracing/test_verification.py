"""Which test of the graph a test case is, and what the results say of a requirement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from loregraph.analysis.tracing.junit import FAILED, NOT_RUN, PASSED, SKIPPED, CaseResult
from loregraph.analysis.tracing.traces import EXERCISES, CodeLink, trace
from loregraph.analysis.tracing.verification import join, state, title_at, verify, worst
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Class, Edge, Function, Graph, Node, Requirement

JS_LINES = {
    "web/cart.test.js": [
        'describe("cart", () => {',
        '  it("adds prices", () => {',
        "  });",
        "  it.each([1, 2])(",
        "    'drops (all) items',",
        "    async () => {",
        "  });",
        '  it("prices", () => {',
        "});",
    ]
}


def test_function(path: str, name: str, qualified: str, line: int = 1, language: str = "python") -> Function:
    last = name.rpartition(".")[2].partition("#")[0]
    return Function(f"{path}::{name}", last, qualified, "function", path, line, line + 1, language, is_test=True)


test_function.__test__ = False  # type: ignore[attr-defined]


def class_(path: str, name: str, qualified: str) -> Class:
    return Class(f"{path}::{name}", name, qualified, "class", path, 1, 9, "python")


NODES: list[Node] = [
    test_function("tests/test_cart.py", "test_total", "tests.test_cart.test_total"),
    test_function("tests/test_cart.py", "TestCart.test_skip", "tests.test_cart.TestCart.test_skip"),
    test_function("tests/test_order.py", "test_total", "tests.test_order.test_total"),
    class_("tests/test_order.py", "TestChild", "tests.test_order.TestChild"),
    class_("tests/base.py", "Base", "tests.base.Base"),
    test_function("tests/base.py", "Base.test_shared", "tests.base.Base.test_shared"),
    test_function("src/CartTest.java", "CartTest.adds", "com.acme.CartTest.adds", language="java"),
    test_function("src/CartTest.java", "CartTest.adds#2", "com.acme.CartTest.adds", 9, "java"),
    test_function("src/CartTest.java", "CartTest.Inner.nested", "com.acme.CartTest.Inner.nested", language="java"),
    test_function("shop/cart_test.go", "TestCart", "github.com/acme/shop.TestCart", language="go"),
    test_function("src/lib.rs", "tests.works", "shop::tests::works", language="rust"),
    test_function("web/cart.test.js", "<arrow1>", "web/cart.test.<arrow1>", 2, "javascript"),
    test_function("web/cart.test.js", "<arrow2>", "web/cart.test.<arrow2>", 6, "javascript"),
    test_function("web/cart.test.js", "<arrow3>", "web/cart.test.<arrow3>", 8, "javascript"),
    Requirement("R-1", "R-1", "R-1", "t", "", "", "", "r.md", 1),
]
EDGES = [
    Edge("CONTAINS", "tests/test_cart.py::TestCart", "tests/test_cart.py::TestCart.test_skip"),
    Edge("EXTENDS", "tests/test_order.py::TestChild", "tests/base.py::Base"),
    Edge("CONTAINS", "tests/base.py::Base", "tests/base.py::Base.test_shared"),
    Edge("IMPLEMENTS_REQ", "tests/test_cart.py::test_total", "R-1", how="marker"),
    Edge("IMPLEMENTS_REQ", "tests/test_cart.py::TestCart", "R-1", how="marker"),
]


@pytest.fixture
def columns(tmp_path: Path) -> GraphColumns:
    cart = class_("tests/test_cart.py", "TestCart", "tests.test_cart.TestCart")
    nodes = tuple(sorted([*NODES, cart], key=lambda node: node.id.encode()))
    write_columns(tmp_path, Graph(nodes, tuple(sorted(EDGES, key=lambda e: (e.source, e.rel, e.target)))))
    return GraphColumns.open(tmp_path)


def lines(path: str) -> Sequence[str]:
    return JS_LINES.get(path, ())


def case(classname: str, name: str, file: str = "", suites: tuple[str, ...] = (), outcome: str = PASSED) -> CaseResult:
    return CaseResult(name=name, classname=classname, file=file, suites=suites, outcome=outcome)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (case("tests.test_cart", "test_total[1-2]"), ["tests/test_cart.py::test_total"]),
        (case("test_order", "test_total"), ["tests/test_order.py::test_total"]),
        (case("repo.tests.test_order", "test_total"), ["tests/test_order.py::test_total"]),
        (case("", "test_total"), []),
        (case("", "test_total", "tests/test_order.py"), ["tests/test_order.py::test_total"]),
        (case("", "test_total", "/ci/build/tests/test_cart.py"), ["tests/test_cart.py::test_total"]),
        (case("tests.test_other", "test_total"), []),
        (case("tests.test_order.TestChild", "test_shared"), ["tests/base.py::Base.test_shared"]),
        (
            case("com.acme.CartTest", "adds(int, int)[1]"),
            ["src/CartTest.java::CartTest.adds", "src/CartTest.java::CartTest.adds#2"],
        ),
        (case("com.acme.CartTest$Inner", "nested"), ["src/CartTest.java::CartTest.Inner.nested"]),
        (case("com.acme.OtherTest", "adds"), []),
        (case("github.com/acme/shop", "TestCart/empty_cart"), ["shop/cart_test.go::TestCart"]),
        (case("shop", "TestCart"), ["shop/cart_test.go::TestCart"]),
        (case("shop", "tests::works"), ["src/lib.rs::tests.works"]),
        (case("cart adds prices", "cart adds prices", "web/cart.test.js"), ["web/cart.test.js::<arrow1>"]),
        (case("web/cart.test.js", "cart > drops (all) items"), ["web/cart.test.js::<arrow2>"]),
        (case("cart", "prices", suites=("web/cart.test.js",)), ["web/cart.test.js::<arrow3>"]),
        (case("cart", "multiplies prizes", "web/cart.test.js"), []),
        (case("adds", "cart adds prices"), ["web/cart.test.js::<arrow1>"]),
    ],
    ids=lambda value: f"{value.classname}::{value.name}" if isinstance(value, CaseResult) else "",
)
def test_the_test_that_a_case_is_of(columns: GraphColumns, result: CaseResult, expected: list[str]) -> None:
    found, joined = join(columns, [result], lines)
    assert [columns.id(node) for node in sorted(found)] == expected
    assert (joined.cases, joined.joined) == (1, int(bool(expected)))
    assert bool(joined.unjoined) is not bool(expected)


def test_one_failing_run_of_a_test_fails_it(columns: GraphColumns) -> None:
    runs = [case("tests.test_cart", f"test_total[{i}]", outcome=o) for i, o in enumerate((PASSED, FAILED, SKIPPED))]
    found, joined = join(columns, runs, lines)
    assert list(found.values()) == [FAILED]
    assert (joined.cases, joined.joined) == (3, 3)


def test_a_requirement_with_the_results_of_its_tests(columns: GraphColumns) -> None:
    cases = [case("tests.test_cart", "test_total"), case("tests.test_cart.TestCart", "test_skip", outcome=SKIPPED)]
    (found,), _ = verify(columns, trace(columns), cases, lines)
    assert {test.name: test.result for test in found.tests} == {"test_total": PASSED, "TestCart": SKIPPED}
    assert found.verified == PASSED
    (unrun,), _ = verify(columns, trace(columns), [], lines)
    assert unrun.verified == NOT_RUN


def link(how: str, result: str) -> CodeLink:
    return CodeLink(id="t", name="t", file_path="t", line=1, how=how, confidence=1.0, evidence="", result=result)


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([("marker", PASSED), (EXERCISES, FAILED)], PASSED),
        ([("marker", NOT_RUN), (EXERCISES, PASSED)], NOT_RUN),
        ([(EXERCISES, FAILED), (EXERCISES, PASSED)], FAILED),
        ([(EXERCISES, PASSED)], NOT_RUN),
        ([("declared", SKIPPED), ("marker", PASSED)], PASSED),
        ([("declared", SKIPPED)], SKIPPED),
        ([], NOT_RUN),
    ],
)
def test_tests_that_name_the_requirement_decide(tests: list[tuple[str, str]], expected: str) -> None:
    assert state(link(how, result) for how, result in tests) == expected


def test_the_worst_of_several() -> None:
    assert worst([]) == NOT_RUN
    assert worst([SKIPPED, PASSED]) == PASSED
    assert worst([PASSED, FAILED]) == FAILED


def test_titles_are_read_off_the_lines_around() -> None:
    text = JS_LINES["web/cart.test.js"]
    assert [title_at(text, number) for number in (2, 6, 8)] == ["adds prices", "drops (all) items", "prices"]
    assert title_at(text, 1) == ""
    assert title_at([], 7) == ""
