"""Names as they are found while somebody types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loregraph.pages.found import in_order, named_groups
from loregraph.pages.links import Links
from loregraph.pages.names import BEGINNING, EXACT, INITIALS, WITHIN, WORD, NameIndex, exported_names, how_of, shape_of
from loregraph.project import Project

CODE = """
class BaseHTTPHandler:
    def get_query_set(self):
        return QuerySet()


class QuerySet:
    def filter(self):
        return self


def queries():
    return QuerySet().filter()
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("names")
    (root / "web").mkdir()
    (root / "tests").mkdir()
    (root / "web" / "handler.py").write_text(CODE, encoding="utf-8")
    (root / "tests" / "test_queries.py").write_text("def queries():\n    return 1\n", encoding="utf-8")
    (root / "requirements.md").write_text("# Needs\n\n- **REQ-WEB-7** Every query is bounded.\n", encoding="utf-8")
    with Project(root) as opened:
        opened.index(embed=False, jobs=1)
        yield opened


@pytest.fixture(scope="module")
def index(project: Project) -> NameIndex:
    return NameIndex(project.reader().columns, lambda path: path.startswith("tests/"))


def ids(index: NameIndex, query: str, group: str = "code", most: int = 10) -> list[str]:
    found = index.find(query, most)
    return [index.columns.id(match.node) for match in found[group].best] if group in found else []


def test_a_name_is_words_each_with_a_capital() -> None:
    assert shape_of("get_query_set") == shape_of("getQuerySet") == "GetQuerySet"
    assert shape_of("BaseHTTPHandler") == "BaseHttpHandler"
    assert shape_of("x" * 1_000_000) == "X" + "x" * 159


@pytest.mark.parametrize(
    ("wanted", "how"),
    [("getqueryset", EXACT), ("getq", BEGINNING), ("query", WORD), ("queryset", WORD), ("uery", WITHIN)],
)
def test_a_name_matches_at_its_beginning_at_a_word_or_within(wanted: str, how: int) -> None:
    assert how_of("getqueryset", "GetQuerySet", wanted) == how


@pytest.mark.parametrize("query", ["queryset", "query set", "QUERY_SET", "query-set"])
def test_case_and_separators_do_not_matter_and_the_whole_name_comes_first(index: NameIndex, query: str) -> None:
    assert ids(index, query) == ["web/handler.py::QuerySet", "web/handler.py::BaseHTTPHandler.get_query_set"]


def test_the_product_comes_before_its_tests(index: NameIndex) -> None:
    assert ids(index, "queries") == ["web/handler.py::queries", "tests/test_queries.py::queries"]


def test_initials_find_a_name(index: NameIndex) -> None:
    found = index.find("bhh", 5)["code"]
    assert [index.columns.name(match.node) for match in found.best] == ["BaseHTTPHandler"]
    assert found.best[0].how == INITIALS


def test_several_words_find_what_is_in_something(index: NameIndex) -> None:
    assert ids(index, "QuerySet.filter") == ["web/handler.py::QuerySet.filter"]
    assert ids(index, "web/handler", "files") == ["web/handler.py"]
    assert ids(index, "handler.py::quer") == [
        "web/handler.py::QuerySet",
        "web/handler.py::queries",
        "web/handler.py::BaseHTTPHandler.get_query_set",
    ]


def test_a_requirement_is_found_by_its_id_and_by_its_words(index: NameIndex) -> None:
    assert ids(index, "req-web-7", "requirements") == ["REQ-WEB-7"]
    assert ids(index, "bounded", "requirements") == ["REQ-WEB-7"]


def test_what_is_not_shown_is_counted(index: NameIndex) -> None:
    found = index.find("quer", 1)["code"]
    assert (len(found.best), found.total) == (1, 4)


@pytest.mark.parametrize("query", ["", " ", "::", "?" * 500, "\u202e", "z" * 100_000])
def test_what_names_nothing_finds_nothing(index: NameIndex, query: str) -> None:
    assert index.find(query, 5) == {}


def test_groups_with_a_better_match_come_first(index: NameIndex) -> None:
    groups = in_order(named_groups(index.find("handler", 5), index.columns, Links()))
    assert (groups[0].title, groups[0].results[0].name) == ("Files", "handler.py")
    assert {group.title for group in groups} >= {"Files", "Code"}
    code = next(group for group in groups if group.title == "Code")
    assert code.results[0].where == "web/handler.py:2"


def test_an_export_has_names_with_pages_and_counts_the_rest(index: NameIndex, project: Project) -> None:
    columns = project.reader().columns

    def address_of(node: int) -> str:
        return f"files/{columns.path(node)}.html#{columns.name(node)}" if columns.label(node) == "Function" else ""

    whole = exported_names(index, columns, address_of)
    assert set(whole.names) == {"BaseHTTPHandler.get_query_set", "QuerySet.filter", "queries"}
    assert set(whole.pages) == {"files/web/handler.py.html", "files/tests/test_queries.py.html"}
    assert whole.left_out == 0
    row = whole.names.index("QuerySet.filter")
    assert (whole.kinds[whole.kind[row]], whole.paths[whole.path[row]], whole.anchors[row]) == (
        "method",
        "web/handler.py",
        "filter",
    )
    cut = exported_names(index, columns, address_of, most=1)
    assert (len(cut.names), cut.left_out) == (1, 3)
