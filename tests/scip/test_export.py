"""A SCIP index of a graph: what its readers demand, and what it says of a small project."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.project import Project
from loregraph.scip import schema

from ..shop import SHOP, written
from .lint import problems, symbol_problem
from .messages import decoded

FILES = {
    **SHOP,
    "pyproject.toml": '[project]\nname = "the shop"\nversion = "1.2"\n',
    "shop/shapes.py": """
import os
from abc import ABC, abstractmethod

from shop import cart, money


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        naïve = "ä"; size = money.round_price(self.side**2)
        return size

    def with_lock(self, lock: "Lock") -> "Shape":
        with lock:
            return Square(os.path.getsize("x"))


class Lock:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def area() -> float:
    return 1.0


def area() -> float:  # noqa: F811
    return sum(map(lambda x: x, [cart.checkout([])]))
""",
    "web/a b.ts": "export class Äpfel { $get() { return `x`; } }\nexport const of = () => new Äpfel().$get();\n",
    "empty.py": "",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    root = written(tmp_path_factory.mktemp("shop"), FILES)
    with Project(root) as project:
        project.index(embed=False)
        yield project


@pytest.fixture(scope="module")
def index(project: Project) -> Any:
    return decoded(exported(project))


def exported(project: Project) -> bytes:
    file = io.BytesIO()
    project.export_scip(file)
    return file.getvalue()


def document_of(index: Any, path: str) -> Any:
    return next(one for one in index.documents if one.relative_path == path)


def symbol_of(index: Any, path: str, name: str) -> str:
    (found,) = (one.symbol for one in document_of(index, path).symbols if one.symbol.endswith(name))
    return str(found)


def places(index: Any, project: Project, path: str, symbol: str, roles: int = 0) -> list[tuple[int, str]]:
    """(line from 1, text) of the occurrences of a symbol in a file that have all of `roles`, or none that defines."""
    lines = project.source_lines(path)
    found = []
    for one in document_of(index, path).occurrences:
        if one.symbol == symbol and (one.symbol_roles & roles == roles if roles else not one.symbol_roles & 1):
            line, start, end = one.range
            found.append((line + 1, lines[line][start:end]))
    return found


# Verifies REQ-CLI-015.
def test_nothing_is_wrong_with_it(project: Project, index: Any) -> None:
    assert list(problems(index, project.source_lines)) == []
    assert [document.relative_path for document in index.documents] == [
        "empty.py", "shop/__init__.py", "shop/cart.py", "shop/money.py", "shop/shapes.py", "tests/test_cart.py",
        "web/a b.ts",
    ]  # fmt: skip
    assert {document.language for document in index.documents} == {"Python", "TypeScript"}
    assert {document.position_encoding for document in index.documents} == {schema.UTF32}
    assert index.metadata.tool_info.name == "loregraph"
    assert index.metadata.project_root == project.root.as_uri()


# Verifies REQ-CLI-015.
def test_symbols_have_package_and_path(index: Any) -> None:
    assert symbol_of(index, "shop/cart.py", "total().") == "loregraph pypi the  shop 1.2 shop/`cart.py`/Cart#total()."
    areas = [s.symbol for s in document_of(index, "shop/shapes.py").symbols if "/area" in s.symbol]
    assert areas == [
        "loregraph pypi the  shop 1.2 shop/`shapes.py`/area().",
        "loregraph pypi the  shop 1.2 shop/`shapes.py`/area(+1).",
        "loregraph pypi the  shop 1.2 shop/`shapes.py`/area(+1).`<lambda1>`().",
    ]
    assert symbol_of(index, "web/a b.ts", "$get().").endswith(" web/`a b.ts`/`Äpfel`#$get().")


# Verifies REQ-CLI-015.
def test_names_are_where_they_stand(project: Project, index: Any) -> None:
    round_price = symbol_of(index, "shop/money.py", "round_price().")
    assert places(index, project, "shop/money.py", round_price, schema.DEFINITION) == [(1, "round_price")]
    assert places(index, project, "shop/shapes.py", round_price) == [(17, "round_price")]
    assert places(index, project, "shop/cart.py", round_price) == [(3, "round_price"), (14, "round_price")]
    cart = symbol_of(index, "shop/cart.py", "`cart.py`/")
    assert places(index, project, "shop/shapes.py", cart, schema.IMPORT) == [(4, "cart")]


# Verifies REQ-CLI-015.
def test_definitions_say_what_they_are(index: Any) -> None:
    described = {one.display_name: one for one in document_of(index, "shop/shapes.py").symbols}
    base = symbol_of(index, "shop/shapes.py", "Shape#")
    assert [(r.symbol, r.is_implementation, r.is_reference) for r in described["Square"].relationships] == [
        (base, True, False)
    ]
    overriding = next(one for one in document_of(index, "shop/shapes.py").symbols if "Square#area" in one.symbol)
    assert [(r.symbol, r.is_reference) for r in overriding.relationships] == [(f"{base}area().", True)]
    shape_area = next(one for one in document_of(index, "shop/shapes.py").symbols if "Shape#area" in one.symbol)
    assert (shape_area.kind, overriding.kind) == (schema.ABSTRACT_METHOD, schema.KINDS["method"])
    checkout = next(one for one in document_of(index, "shop/cart.py").symbols if one.display_name == "checkout")
    assert list(checkout.documentation) == ["Pay for everything in the cart."]
    assert checkout.signature_documentation.text == "def checkout(items: list[float]) -> float"
    tests = [one.symbol_roles for one in document_of(index, "tests/test_cart.py").occurrences if one.symbol_roles & 1]
    assert sorted(tests) == [schema.DEFINITION, schema.DEFINITION | schema.TEST]


# Verifies REQ-CLI-015.
def test_what_has_no_document_is_external(index: Any) -> None:
    outside = {one.symbol for one in index.external_symbols}
    assert "loregraph . os . `path.getsize`." in outside
    assert all(symbol_problem(one) == "" for one in outside)


# Verifies REQ-CLI-015.
def test_calls_that_no_name_stands_for_are_counted(project: Project) -> None:
    report = project.export_scip(io.BytesIO())
    assert report.unplaced == 4  # `__enter__` and `__exit__` of `with`, a lambda that is referred to and called
    assert report.changed == ()
    assert exported(project) == exported(project)


# Verifies REQ-CLI-015.
def test_a_file_that_changed_has_symbols_but_no_places(tmp_path: Path, engine_later: None) -> None:
    root = written(tmp_path, SHOP)
    with Project(root) as project:
        project.index(embed=False)
        (root / "shop/money.py").write_text("# a line before\ndef round_price(amount): ...\n")
        report = project.export_scip(io.BytesIO())
        index = decoded(exported(project))
        assert report.changed == ("shop/money.py",)
        money = document_of(index, "shop/money.py")
        assert len(money.occurrences) == 0 and len(money.symbols) == 2
        assert list(problems(index, project.source_lines)) == []


@pytest.mark.parametrize(
    "symbol",
    [
        "",
        "local ",
        "local a b",
        "a . . .",
        "a . . . ",
        "a . . . f",
        "a . . . `f`#",
        "a . . f#",
        "a . . . f(.",
        "a . . . ``#",
    ],
)
def test_the_rules_refuse_what_is_no_symbol(symbol: str) -> None:
    assert symbol_problem(symbol)
