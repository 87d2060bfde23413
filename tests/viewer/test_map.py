"""The page of the map over a project: its states, what hostile names become, and its size."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from loregraph.errors import NotFoundError, UsageError
from loregraph.pages.links import Links
from loregraph.pages.page import Page, Part
from loregraph.project import Project
from loregraph.viewer import frame
from loregraph.viewer.asked import Asked
from loregraph.viewer.map import arrow_part, map_page, map_part, map_values
from tests.conftest import Repository
from tests.shop import SHOP, written

DESK = Path(__file__).resolve().parents[2] / "fixtures" / "gates" / "base"

pytestmark = pytest.mark.usefixtures("engine_later")

CYCLE = {
    "shop/money.py": "import shop.cart\n\n\ndef round_price(amount: float) -> float:\n    return round(amount, 2)\n",
    "loregraph.toml": '[[check.contracts]]\nname = "money below cart"\nkind = "layers"\n'
    'layers = ["shop/cart.py", "shop/money.py"]\n',
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    """A shop whose cart and money need each other, against a contract."""
    with Project(written(tmp_path_factory.mktemp("map") / "shop", {**SHOP, **CYCLE})) as project:
        project.index(embed=False, jobs=1)
        yield project


def asked(project: Project, **values: str | tuple[str, ...]) -> Asked:
    several = {name: (value,) if isinstance(value, str) else value for name, value in values.items()}
    return Asked(project, Links(), several, writes=True)


def text(answer: Page | Part, question: Asked) -> str:
    if isinstance(answer, Part):
        return frame.fragment(answer, question, key="k" * 20)
    return frame.whole_page(answer, question, "graph 1", key="k" * 20)


def page(project: Project, **values: str | tuple[str, ...]) -> str:
    question = asked(project, **values)
    return text(map_page(question), question)


def test_the_page_and_the_part_show_the_same(shop: Project) -> None:
    question = asked(shop, open="shop")
    part = text(map_part(question), question)
    assert 'data-key="shop/cart.py"' in part
    assert "<html" not in part
    assert part.strip() in page(shop, open="shop")


# Verifies REQ-WEB-003.
def test_a_broken_contract_and_a_cycle_are_red_with_the_places_that_make_them(shop: Project) -> None:
    values = map_values(asked(shop, open="shop"))
    assert [(row["source"], row["target"], row["broken"]) for row in values["wrong_ways"]["rows"]] == [
        ("shop/money.py", "shop/cart.py", ("shop/money.py is below shop/cart.py (money below cart)",))
    ]
    assert [(p.path, p.line) for p in values["wrong_ways"]["rows"][0]["places"]] == [("shop/money.py", 1)]
    shown = page(shop, open="shop")
    assert 'class="map-arrow broken"' in shown
    assert "breaks a contract: shop/money.py is below shop/cart.py" in shown


def test_an_arrow_lists_its_places_and_the_cycle_it_is_in(shop: Project) -> None:
    question = asked(shop, open="shop", source="shop/money.py", target="shop/cart.py")
    shown = text(arrow_part(question), question)
    assert "shop/money.py:1" in shown
    assert "Part of a cycle" in shown
    assert shown.strip() in page(shop, open="shop", source="shop/money.py", target="shop/cart.py")


def test_it_is_said_when_an_import_takes_effect(tmp_path: Path) -> None:
    files = {
        "a.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import b\n",
        "b.py": "def f():\n    import a\n    return a\n",
    }
    with Project(written(tmp_path / "two", files)) as project:
        project.index(embed=False, jobs=1)
        notes = [
            map_values(asked(project, source=one, target=other))["arrow"]["evidence"].places[0].note
            for one, other in (("a.py", "b.py"), ("b.py", "a.py"))
        ]
        shown = page(project, open=".")
    assert notes == ["only for types", "when called"]
    assert "Against the direction" in shown
    assert "only for types" in shown or "when called" in shown


def test_an_arrow_between_symbols_of_a_file(shop: Project) -> None:
    question = asked(shop, source="shop/cart.py::checkout", target="shop/cart.py::Cart")
    shown = text(arrow_part(question), question)
    assert "Cart.total" in shown
    assert "inferred-type 0.84" in shown


def test_an_arrow_that_is_not_there_is_an_error(shop: Project) -> None:
    with pytest.raises(NotFoundError):
        map_page(asked(shop, source="nowhere", target="shop"))


def test_what_is_asked_for_in_the_wrong_form_is_an_error_or_passed_over(shop: Project) -> None:
    with pytest.raises(UsageError):
        map_page(asked(shop, first="minus one"))
    assert map_values(asked(shop, colour="<b>", open="../../etc", list="nowhere"))["colour"] == ""


@pytest.mark.parametrize("colour", ["language", "complexity", "churn", "duplicates", "findings"])
def test_each_colour_has_a_legend_or_says_why_not(shop: Project, colour: str) -> None:
    values = map_values(asked(shop, open="shop", colour=colour))
    assert values["colouring"].legend or values["colouring"].remark
    used = {box["colour"] for box in values["boxes"] if box["colour"]}
    assert used <= {name for name, _ in values["colouring"].legend}
    assert f"colour={colour}" in page(shop, open="shop", colour=colour)


def test_what_was_computed_is_kept_for_the_graph(shop: Project) -> None:
    question = asked(shop, open="shop")
    model = map_values(question)["model"]
    again = Asked(question.project, question.links, {}, question.kept, writes=True)
    assert map_values(again)["model"] is model


def test_a_contract_about_nothing_is_said_on_the_page(tmp_path: Path) -> None:
    settings = '[[check.contracts]]\nname = "x"\nkind = "layers"\nlayers = ["shop", "nowhere"]\n'
    with Project(written(tmp_path / "shop", {**SHOP, "loregraph.toml": settings})) as project:
        project.index(embed=False, jobs=1)
        assert "nothing in the graph is &#39;nowhere&#39;" in page(project)


def test_churn_is_that_of_the_repository(repository: Repository) -> None:
    written(repository.root, {**SHOP, ".gitignore": ".loregraph/\n"})
    repository.commit()
    repository.write("shop/money.py", SHOP["shop/money.py"] + "\nX = 1\n")
    repository.commit()
    with Project(repository.root) as project:
        project.index(embed=False, jobs=1)
        values = map_values(asked(project, open="shop", colour="churn"))
    figures = {box["key"]: box["figure"] for box in values["boxes"]}
    assert (figures["shop/money.py"], figures["shop/cart.py"]) == ("1 commit", "0 commits")


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


# Verifies REQ-SEC-008.
def test_hostile_names_stay_text(tmp_path: Path) -> None:
    evil = '"><img src=x onerror=alert(1)>'
    root = written(
        tmp_path / "shop",
        {
            f"{evil.replace('/', '')}/one.py": "def f():\n    return 1\n",
            "a\u202eyp.exe/two.py": "def g():\n    return 1\n",
            "plain/</script><script>alert(1)<": "x\n",
            "plain/x.py": "class A:\n    pass\n",
        },
    )
    with Project(root) as project:
        project.index(embed=False, jobs=1)
        shown = page(project, open=(".",), list=".")
        opened = page(project, open=("plain", evil, "a\u202eyp.exe"))
        names = {box["key"] for box in map_values(asked(project, open="."))["boxes"]}
    assert evil in names
    for whole in (shown, opened):
        found = Elements()
        found.feed(whole)
        assert "img" not in found.tags
        assert not any(name.startswith("on") for name in found.attributes)
        assert "style" not in found.attributes
        assert "\u202e" not in whole
        assert "\\u202e" in whole


def test_the_data_for_the_script_cannot_end_their_element(shop: Project) -> None:
    (block,) = re.findall(r'<script type="application/json" id="map-neighbours">(.*?)</script>', page(shop), re.DOTALL)
    assert all(len(sides) == 2 for sides in json.loads(block).values())


def test_a_project_without_files(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with Project(tmp_path / "empty") as project:
        project.index(embed=False, jobs=1)
        assert "There is no file in the graph yet" in page(project)


def test_a_long_list_comes_in_pages(tmp_path: Path) -> None:
    files = {f"m{number:03}.py": "def f():\n    return 1\n" for number in range(130)}
    with Project(written(tmp_path / "many", files)) as project:
        project.index(embed=False, jobs=1)
        first = map_values(asked(project, list="."))["table"]
        rest = map_values(asked(project, list=".", first="100"))["table"]
    assert (len(first["rows"]), first["more"], len(rest["rows"]), rest["more"]) == (100, 30, 30, 0)
    assert {row["name"] for row in first["rows"]} | {row["name"] for row in rest["rows"]} == set(files)
    assert "first=100" in first["next"]


def test_the_desk_has_a_map(tmp_path: Path) -> None:
    root = Path(shutil.copytree(DESK, tmp_path / "desk"))
    with Project(root) as project:
        project.index(embed=False, jobs=1)
        values = map_values(asked(project))
    assert {"lending", "tests"} <= {box["key"] for box in values["boxes"]}
