"""`Project.tests`: which tests a change selects, why, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

import loregraph
from loregraph.analysis.selection.select import Effort, Selection
from loregraph.errors import UsageError
from loregraph.graph import imported
from loregraph.graph.imported import Claim, FileClaims, Source
from loregraph.graph.model import Function
from loregraph.project import Project
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("engine_later")

CART = """RATE = 1.25


class Cart:
    def __init__(self, prices):
        self.prices = prices

    def total(self):
        return sum(net(price) for price in self.prices)

    def labels(self):
        return [str(price) for price in self.prices]


def net(price):
    return price / RATE


def unseen(price):
    return price
"""
TESTS = """import pytest

from shop.cart import Cart, net


@pytest.fixture
def cart():
    return Cart([5])


def test_net():
    assert net(5) == 4


def test_total(cart):
    assert cart.total() == 4


def test_labels(cart):
    assert cart.labels() == ["5"]


def test_table():
    with open("tests/table.csv") as file:
        assert file.read()


def test_nothing():
    assert True
"""
NET, TOTAL, LABELS, TABLE, NOTHING = (
    f"tests/test_cart.py::test_{name}" for name in ("net", "total", "labels", "table", "nothing")
)
RAN = {
    NET: ["net"],
    TOTAL: ["Cart.__init__", "Cart.total", "net"],
    LABELS: ["Cart.__init__", "Cart.labels"],
    TABLE: [],
    NOTHING: [],
}


@pytest.fixture
def shop(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    repository.write("shop/__init__.py", "")
    repository.write("shop/cart.py", CART)
    repository.write("tests/test_cart.py", TESTS)
    repository.write("tests/table.csv", "5,4\n")
    repository.write("pyproject.toml", '[project]\nname = "shop"\nversion = "1"\n')
    repository.write("README.md", "A shop.\n")
    repository.commit()
    return repository


@pytest.fixture
def static(shop: Repository) -> Project:
    project = loregraph.open(shop.root, embedder="none")
    project.index(jobs=1)
    return project


@pytest.fixture
def ran(static: Project) -> Project:
    """The project with what each test executed."""
    columns = static.reader().columns
    claims, tested = [], []
    for number, (test, names) in enumerate(RAN.items()):
        node = columns.find_id(test)
        assert node is not None
        function = columns.node(node)
        assert isinstance(function, Function)
        claims += [
            Claim(test, f"shop/cart.py::{name}", 0, "TESTS", content_hash=function.content_hash) for name in names
        ]
        tested.append(imported.Tested(test, "failed" if test == TOTAL else "passed", float(number)))
    file = FileClaims("", tuple(claims), (), tuple(tested))
    imported.put_in(static.store, Source(imported.OBSERVED, "run", "x"), {"tests/test_cart.py": file})
    static.index(jobs=1, full=True)
    return static


def selected(project: Project, effort: Effort = "default") -> Selection:
    project.index(jobs=1)
    return project.tests(since="HEAD", effort=effort)


def ways(found: Selection) -> dict[str, str]:
    return {one.id: one.how for one in found.tests}


# Verifies REQ-RUN-009.
def test_what_ran_selects_and_nothing_else_does(ran: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    found = selected(ran)
    assert ways(found) == {NET: "observed", TOTAL: "observed"}
    assert [one.id for one in found.tests] == [TOTAL, NET], "what failed last comes first"
    assert [one.reason for one in found.tests] == ["ran net", "ran net"]
    assert [one.seconds for one in found.tests] == [1.0, 0.0]
    assert (found.all_tests, found.seconds, found.all_seconds, found.unknown) == (5, 1.0, 10.0, 0)
    assert found.untested == ()


# Verifies REQ-RUN-009.
def test_without_runs_the_graph_leads_to_tests(static: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    found = selected(static)
    assert ways(found) == {NET: "call", TOTAL: "call"}
    assert found.tests[0].id == NET, "the shortest path is the surest"
    assert found.tests[0].confidence > found.tests[1].confidence
    assert found.tests[1].reason == "leads to net through 1 other"
    assert found.tests[0].seconds is None
    assert {one.how for one in selected(static, "fast").tests} == {"call"}


@pytest.mark.parametrize("effort", ["fast", "default", "safe"])
def test_a_comment_selects_nothing_but_to_be_safe(ran: Project, shop: Repository, effort: Effort) -> None:
    shop.replace("shop/cart.py", "    return price / RATE", "    # half up\n    return price / RATE")
    assert ways(selected(ran, effort)).keys() == set()


def test_a_function_that_is_gone_selects_what_ran_it(ran: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "    def labels(self):\n        return [str(price) for price in self.prices]\n", "")
    (one,) = selected(ran).tests
    assert (one.id, one.how, one.reason) == (LABELS, "observed", "ran Cart.labels, which is gone")


def test_a_constant_selects_what_mentions_it(ran: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "RATE = 1.25", "RATE = 1.5")
    found = selected(ran)
    assert ways(found) == {NET: "observed", TOTAL: "observed"}
    assert {one.reason for one in found.tests} == {"ran RATE in net"}


def test_a_test_that_changed_comes_first(ran: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    shop.replace("tests/test_cart.py", "assert True", "assert 1")
    shop.write("tests/test_new.py", "def test_new():\n    assert True\n")
    found = selected(ran)
    assert [(one.id, one.how, one.reason) for one in found.tests[:2]] == [
        ("tests/test_new.py::test_new", "changed", "it was added"),
        (NOTHING, "changed", "it changed itself"),
    ]
    assert set(ways(found)) == {NOTHING, "tests/test_new.py::test_new", NET, TOTAL}


def test_a_new_class_selects_nothing_by_itself(ran: Project, shop: Repository) -> None:
    gift = "class Gift(Cart):\n    def total(self):\n        return 0\n\n\ndef net(price):"
    shop.replace("shop/cart.py", "def net(price):", gift)
    assert ways(selected(ran)) == {}, "whoever makes one of a new class changes itself"


def test_a_new_method_selects_what_executes_its_class(ran: Project, shop: Repository) -> None:
    shop.replace(
        "shop/cart.py", "    def total(self):", "    def __len__(self):\n        return 1\n\n    def total(self):"
    )
    found = selected(ran)
    assert ways(found) == {TOTAL: "observed", LABELS: "observed"}
    assert {one.reason for one in found.tests} == {"ran the class of Cart.__len__"}


def test_data_selects_what_names_it(ran: Project, shop: Repository) -> None:
    shop.write("tests/table.csv", "6,5\n")
    found = selected(ran)
    assert ways(found) == {TABLE: "call"}
    shop.write("shop/prices.dat", "1")
    found = selected(ran)
    assert "no code names shop/prices.dat: --safe selects every test for it" in found.remarks
    assert ways(selected(ran, "safe")).keys() == set(RAN)


def test_documents_select_nothing(ran: Project, shop: Repository) -> None:
    shop.write("README.md", "A good shop.\n")
    assert selected(ran).tests == selected(ran, "safe").tests == ()


def test_configuration_selects_all_and_says_so(ran: Project, shop: Repository) -> None:
    shop.write("pyproject.toml", '[project]\nname = "shop"\nversion = "2"\n')
    found = selected(ran)
    assert set(ways(found).values()) == {"all"} and len(found.tests) == 5
    assert "pyproject.toml" in found.remarks[0]
    fast = selected(ran, "fast")
    assert fast.tests == () and "left out" in fast.remarks[0]


def test_a_fixture_selects_every_test_that_may_use_it(ran: Project, shop: Repository) -> None:
    shop.replace("tests/test_cart.py", "return Cart([5])", "return Cart([5.0])")
    assert {TOTAL, LABELS} <= ways(selected(ran)).keys()


@pytest.mark.parametrize("line", ["import os\n\nos.environ['RATE'] = '1'\n", "pytest_plugins = ['shop.plugin']\n"])
def test_what_a_conftest_does_when_it_is_loaded_selects_its_folder(ran: Project, shop: Repository, line: str) -> None:
    shop.write("tests/conftest.py", "import os\n")
    shop.commit()
    shop.write("tests/conftest.py", line)
    found = selected(ran)
    assert set(ways(found)) == set(RAN) and {one.how for one in found.tests} == {"file"}
    assert "5 tests that load it are selected" in found.remarks[0]
    assert selected(ran, "fast").tests == ()


def test_a_function_that_no_test_knows_is_named(ran: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "def unseen(price):\n    return price", "def unseen(price):\n    return price + 1")
    found = selected(ran)
    assert (found.tests, found.untested) == ((), ("shop/cart.py::unseen",))


def test_safe_adds_what_only_imports_the_file(ran: Project, shop: Repository) -> None:
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    found = selected(ran, "safe")
    assert ways(found) == {NET: "observed", TOTAL: "observed", LABELS: "file", TABLE: "imports", NOTHING: "imports"}


# Verifies REQ-RUN-009.
def test_symbols_and_diffs_select_as_revisions_do(ran: Project, shop: Repository) -> None:
    assert {one.id for one in ran.tests(["net"]).tests} == {NET, TOTAL}
    assert {one.id for one in ran.tests(["Cart.labels", "net"]).tests} == {NET, TOTAL, LABELS}
    assert {one.id for one in ran.tests(["Cart"]).tests} == {TOTAL, LABELS}
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    diff = shop.git("diff") + "\n"
    assert {one.id for one in ran.tests(diff=diff).tests} == {NET, TOTAL}
    shop.git("checkout", "-q", ".")
    assert {one.id for one in ran.tests(diff=diff).tests} == {NET, TOTAL}, "only proposed"
    for wrong in ({}, {"since": "HEAD", "diff": diff}):
        with pytest.raises(UsageError):
            ran.tests(**wrong)
    with pytest.raises(UsageError):
        ran.tests(since="nowhere")
    with pytest.raises(UsageError):
        ran.tests(diff=diff.replace("price / RATE", "price * RATE"))


def test_runs_of_another_commit_are_named(ran: Project, shop: Repository) -> None:
    def remarks(revision: str) -> tuple[str, ...]:
        file = FileClaims("", (), (), (imported.Tested(NET, "passed", 1.0),))
        source = Source(imported.OBSERVED, "run", "x", revision=revision)
        imported.put_in(ran.store, source, {"tests/test_cart.py": file})
        return ran.tests(since="HEAD~1").remarks

    then = shop.git("rev-parse", "HEAD")
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    now = shop.commit()
    ran.index(jobs=1)
    assert remarks(then) == remarks(now) == (), "both ends of the change know it"
    (remark,) = remarks("a" * 40)
    assert remark.startswith("runs are of aaaaaaaaa: ") and then[:9] in remark


def test_a_walk_that_is_cut_short_is_said(static: Project, shop: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loregraph.analysis.selection.paths.MOST", 2)
    shop.replace("shop/cart.py", "return price / RATE", "return price // RATE")
    assert "functions and classes only" in selected(static).remarks[0]
