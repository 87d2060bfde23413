"""The pages of symbols and files, made as the server makes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from loregraph.errors import NotFoundError, UsageError
from loregraph.pages.links import LINES_OF_A_PAGE, Links
from loregraph.pages.page import Answer, Moved, Page, Part
from loregraph.project import Project
from loregraph.viewer import frame
from loregraph.viewer.asked import Asked
from loregraph.viewer.file import file_page
from loregraph.viewer.symbol import copies_part, history_part, symbol_page

from ..conftest import Repository
from ..shop import SHOP, written

FILES = {
    **SHOP,
    "shop/basket.py": '''
"""Baskets of <b>children</b>."""

from shop.cart import Cart


class Basket(Cart):
    def total(self) -> float:
        """Half of it; see <script>alert(1)</script>."""
        return super().total() / 2


def both(first: Cart, second: Basket) -> float:
    # Implements REQ-SHOP-1.
    return first.total() + second.total()
''',
    "shop/told.py": f'def told():\n    """{"All of it. " * 20_000}"""\n',
    "docs/requirements.md": "# Requirements\n\n## REQ-SHOP-1 Two carts\n\nThe shop shall add two carts.\n",
    "long.py": "\n".join(f"def f{number}():\n    return f{max(0, number - 1)}()\n" for number in range(900)),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    root = written(tmp_path_factory.mktemp("pages") / "shop", FILES)
    with Project(root) as project:
        project.index(embed=False, jobs=1)
        yield project


def asked(project: Project, *, writes: bool = True, **values: str) -> Asked:
    return Asked(project, Links(), {name: (value,) for name, value in values.items()}, writes=writes)


def text(make: Callable[[Asked], Answer], question: Asked) -> str:
    answer = make(question)
    if isinstance(answer, Part):
        return frame.fragment(answer, question)
    assert isinstance(answer, Page)
    return frame.whole_page(answer, question, "")


def source(page: str) -> str:
    found = re.search(r'<pre class="source">(.*?)</pre>', page, re.DOTALL)
    assert found is not None
    return found[1]


# Verifies REQ-WEB-004.
def test_calls_in_the_source_are_links(shop: Project) -> None:
    page = text(symbol_page, asked(shop, id="shop/cart.py::checkout"))
    own = source(page)
    assert "<i id=L19>19</i>" in own
    assert re.search(r'<a href="/symbol\?id=shop%2Fcart.py%3A%3ACart" title="calls Cart[^"]*">Cart</a>', own)
    assert re.search(
        r'<a href="/symbol\?id=shop%2Fcart.py%3A%3ACart.total" title="calls Cart.total[^"]*">total</a>', own
    )


def test_callers_and_callees_stand_beside_it_with_reason_and_places(shop: Project) -> None:
    page = text(symbol_page, asked(shop, id="shop/cart.py::checkout"))
    callers = page[page.index('id="callers"') : page.index('class="middle"')]
    assert "tests/test_cart.py" in callers
    assert '<a href="/file?path=tests%2Ftest_cart.py#L5">5</a>' in callers
    assert re.search(r'<span class="evidence">import', callers)
    callees = page[page.index('id="callees"') : page.index('class="known"')]
    assert 'title="shop/cart.py::Cart.total"' in callees
    assert '<a href="#L20">20</a>' in callees


def test_what_else_is_known_is_on_the_page(shop: Project) -> None:
    page = text(symbol_page, asked(shop, id="shop/basket.py::both"))
    assert ">REQ-SHOP-1</a>" in page
    assert "Two carts" in page
    page = text(symbol_page, asked(shop, id="shop/cart.py::Cart.total"))
    assert "Overridden by" in page
    assert 'title="shop/basket.py::Basket.total"' in page
    assert 'title="tests/test_cart.py::test_checkout"' in page
    assert page.count('<path class="ring') >= 2


def test_impact_is_counted_by_distance(shop: Project) -> None:
    answer = symbol_page(asked(shop, id="shop/money.py::round_price"))
    assert isinstance(answer, Page)
    rings = answer.values["rings"]
    impact = shop.impact("shop/money.py::round_price", depth=4)
    assert [ring.count for ring in rings] == [  # type: ignore[attr-defined]
        sum(hit.distance == distance for hit in impact)
        for distance in range(1, 5)
        if any(h.distance == distance for h in impact)
    ]


def test_text_of_the_project_is_no_markup(shop: Project) -> None:
    for question in (asked(shop, id="shop/basket.py::Basket.total"), asked(shop, path="shop/basket.py")):
        page = text(symbol_page if question.value("id") else file_page, question)
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_text_without_end_makes_no_page_without_end(shop: Project) -> None:
    page = text(symbol_page, asked(shop, id="shop/told.py::told"))
    assert len(page) < 40_000
    assert "more characters" in source(page)


def test_a_name_is_enough_and_others_have_pages_of_their_own(shop: Project) -> None:
    assert 'title="shop/cart.py::checkout"' not in text(symbol_page, asked(shop, id="checkout"))
    assert symbol_page(asked(shop, id="shop/cart.py")) == Moved("/file?path=shop%2Fcart.py")
    assert symbol_page(asked(shop, id="REQ-SHOP-1")) == Moved("/requirement?id=REQ-SHOP-1")


def test_what_is_not_there_is_said(shop: Project) -> None:
    with pytest.raises(NotFoundError):
        symbol_page(asked(shop, id="shop/cart.py::nothing"))
    with pytest.raises(UsageError):
        symbol_page(asked(shop))
    with pytest.raises(NotFoundError, match=r"no file 'shop/car.py'"):
        file_page(asked(shop, path="shop/car.py"))
    with pytest.raises(NotFoundError):
        file_page(asked(shop, path="../secret.py"))
    with pytest.raises(NotFoundError):
        file_page(asked(shop, path=""))


def test_a_file_has_its_outline_and_whole_source(shop: Project) -> None:
    page = text(file_page, asked(shop, path="shop/cart.py"))
    assert [f'href="#s.{name}"' in page for name in ("Cart", "Cart.total", "checkout")] == [True] * 3
    assert '<a id="s.Cart.total"></a><i id=L12>12</i>' in source(page)
    assert 'title="imports round_price">round_price</a>' in source(page)
    assert "tests/test_cart.py" in page
    assert "shop/money.py" in page


def test_a_long_file_is_shown_in_parts(shop: Project) -> None:
    page = text(file_page, asked(shop, path="long.py", line="2500"))
    assert f"Lines {LINES_OF_A_PAGE + 1:,}–2,699 of 2,699." in page
    assert "<i id=L2500>" in page
    assert "<i id=L1>" not in page
    assert '<a class="chip" href="/file?path=long.py#L1">1–2,000</a>' in page


def test_an_export_has_the_symbols_of_a_file_on_its_page(shop: Project) -> None:
    page = text(file_page, asked(shop, path="shop/cart.py", writes=False))
    assert 'id="about.s.Cart.total"' in page
    assert 'href="#about.s.Cart.total" title="Cart.total">total</a>' in source(page)
    assert "vscode://" not in page
    assert str(shop.root) not in page


def test_an_editor_opens_the_line(shop: Project) -> None:
    page = text(symbol_page, asked(shop, id="shop/cart.py::checkout"))
    assert f'href="vscode://file{shop.root.as_posix()}/shop/cart.py:17"' in page
    with Project(shop.root, view_editor="none") as other:
        assert "Open in" not in text(symbol_page, asked(other, id="shop/cart.py::checkout"))


def test_copies_are_found_when_asked_for(shop: Project) -> None:
    page = text(copies_part, asked(shop, id="long.py::f7"))
    assert 'title="long.py::f' in page or "No other function" in page


@pytest.fixture
def committed(repository: Repository, engine_later: None) -> Iterator[tuple[Repository, Project]]:
    written(repository.root, SHOP)
    repository.git("remote", "add", "origin", "https://me:secret@github.com/team/shop.git")
    repository.commit("Sell things")
    repository.replace("shop/money.py", "round(amount, 2)", "round(amount, 1)")
    repository.commit("Round <b>more</b>\u202e")
    with Project(repository.root) as project:
        project.index(embed=False, jobs=1)
        yield repository, project


def test_history_is_of_the_lines(committed: tuple[Repository, Project]) -> None:
    repository, project = committed
    page = text(history_part, asked(project, id="shop/money.py::round_price"))
    assert page.index("Round &lt;b&gt;more&lt;/b&gt;\\u202e") < page.index("Sell things")
    head = repository.git("rev-parse", "HEAD")
    assert f'href="https://github.com/team/shop/commit/{head}"' in page
    page = text(history_part, asked(project, id="shop/cart.py::checkout"))
    assert "Round" not in page
    page = text(history_part, asked(project, id="shop/money.py"))
    assert page.count(">a</td>") + page.count(">A</td>") == 2


def test_a_permalink_is_of_the_commit(committed: tuple[Repository, Project]) -> None:
    repository, project = committed
    head = repository.git("rev-parse", "HEAD")
    page = text(symbol_page, asked(project, id="shop/money.py::round_price"))
    assert f'href="https://github.com/team/shop/blob/{head}/shop/money.py#L1-L3"' in page
    assert "secret" not in page
    repository.write("shop/money.py", "\n" + (repository.root / "shop/money.py").read_text())
    project.index(embed=False, jobs=1)
    page = text(symbol_page, asked(project, id="shop/money.py::round_price"))
    assert f'href="https://github.com/team/shop/blob/{head}/shop/money.py"' in page
    assert "as committed" in page


def test_a_file_that_changed_has_no_links_at_wrong_places(committed: tuple[Repository, Project]) -> None:
    repository, project = committed
    repository.write("shop/cart.py", "# one more line\n" + (repository.root / "shop/cart.py").read_text())
    for page in (
        text(symbol_page, asked(project, id="shop/cart.py::checkout")),
        text(file_page, asked(project, path="shop/cart.py")),
    ):
        assert "has changed since it was indexed" in page
        assert "<a" not in source(page)
    (repository.root / "shop/cart.py").unlink()
    page = text(file_page, asked(project, path="shop/cart.py"))
    assert "has changed since it was indexed" in page
    assert "cannot be shown" in page


def test_results_of_tests_are_shown(committed: tuple[Repository, Project]) -> None:
    repository, _ = committed
    repository.write(
        "results.xml",
        '<testsuite><testcase classname="tests.test_cart" name="test_checkout"><failure/></testcase></testsuite>',
    )
    with Project(repository.root, requirements_results=["results.xml"]) as other:
        page = text(symbol_page, asked(other, id="shop/cart.py::checkout"))
        assert '<span class="badge bad">failed</span>' in page
    repository.write("results.xml", "<nothing")
    with Project(repository.root, requirements_results=["results.xml"]) as other:
        assert "is not XML that can be read" in text(symbol_page, asked(other, id="shop/cart.py::checkout"))


def test_memories_about_it_are_shown_with_what_is_stale(committed: tuple[Repository, Project]) -> None:
    repository, project = committed
    project.memory.add("Rounding is <i>to</i> cents", kind="learning", anchors=["shop/money.py::round_price"])
    page = text(symbol_page, asked(project, id="shop/money.py::round_price"))
    assert "Rounding is &lt;i&gt;to&lt;/i&gt; cents" in page
    assert ">stale</span>" not in page
    repository.replace("shop/money.py", "round(amount, 1)", "round(amount, 3)")
    project.index(embed=False, jobs=1)
    assert ">stale</span>" in text(symbol_page, asked(project, id="shop/money.py::round_price"))
