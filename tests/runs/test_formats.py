"""Every format, by files that the real tools wrote: `fixtures/runs/README.md` says how."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from loregraph.errors import RunFileError, UsageError
from loregraph.runs import formats
from loregraph.runs.record import Call, Content, Observed, Outcome, Place, Source

sys.path.insert(0, str(Path(__file__).parent))

from data import RUNS, facts, ran

FILES = {
    "python/lines.coverage": "coverage",
    "python/branches.coverage": "coverage",
    "python/lcov.info": "lcov",
    "python/cobertura.xml": "cobertura",
    "python/junit.xml": "junit",
    "python/observed.jsonl": "observed",
    "javascript/istanbul.json": "istanbul",
    "javascript/nyc.info": "lcov",
    "javascript/c8.info": "lcov",
    "javascript/v8.json": "v8",
    "java/jacoco.xml": "jacoco",
    "go/cover.out": "gocover",
    "c/lcov.info": "lcov",
}
ADD = {"Cart.__init__", "Cart.add", "counted.wrapper"}
SHARE = "tests/test_cart.py::TestDiscount::test_share[0.5]"


# Verifies REQ-RUN-001.
@pytest.mark.parametrize("file", FILES)
def test_a_file_shows_its_format_and_who_it_is(file: str) -> None:
    source, *rest = facts(file)
    assert isinstance(source, Source)
    assert (source.format, source.file) == (FILES[file], file.rpartition("/")[2])
    assert re.fullmatch("[0-9a-f]{32}", source.content_hash)
    assert rest and not any(isinstance(one, Source) for one in rest)


def test_a_run_says_its_time_where_the_file_does() -> None:
    times = {file: facts(file)[0].time for file in ("python/cobertura.xml", "java/jacoco.xml", "python/lcov.info")}  # type: ignore[union-attr]
    assert times["python/lcov.info"] == 0
    assert 1.7e9 < times["python/cobertura.xml"] < 2e9
    assert 1.7e9 < times["java/jacoco.xml"] < 2e9


# Verifies REQ-RUN-001, REQ-RUN-002.
@pytest.mark.parametrize("file", ["python/lines.coverage", "python/branches.coverage"])
def test_contexts_give_the_functions_of_each_test(file: str) -> None:
    tests, measured = ran(file)
    assert tests["tests/test_cart.py::test_total"] == ADD | {"Cart.total", "net", "factor"}
    assert tests[SHARE] == ADD | {"Cart.total", "Cart.discount", "net", "factor"}
    assert tests["tests/test_cart.py::TestDiscount::test_refused"] == ADD | {"Cart.discount"}
    assert tests["tests/test_cart.py::test_lines"] == ADD | {"Cart.lines"}
    # The bodies of these ran at import only, in no test: a decorator, the default of a parameter.
    assert tests[""] == {"counted", "factor"}
    assert {"Cart.never", "gross"} <= measured
    assert "Cart.is_empty" not in measured, "a body in the line of its `def` cannot be told from it"


# Verifies REQ-RUN-002.
@pytest.mark.parametrize("file", ["python/lcov.info", "python/cobertura.xml"])
def test_lines_without_contexts_tell_what_ran_and_what_did_not(file: str) -> None:
    tests, measured = ran(file)
    assert tests.keys() == {""}
    assert tests[""] == ADD | {"counted", "Cart.total", "Cart.sorted", "Cart.discount", "Cart.lines", "net", "factor"}
    assert measured - tests[""] == {"Cart.never", "gross"}


# Verifies REQ-RUN-001, REQ-RUN-002.
@pytest.mark.parametrize("file", [f"javascript/{name}" for name in ("istanbul.json", "nyc.info", "c8.info", "v8.json")])
def test_javascript(file: str) -> None:
    tests, measured = ran(file)
    here = {name for name in tests[""] if "<" not in name}
    assert {"Cart.constructor", "Cart.add", "Cart.total", "empty", "label", "net"} <= here
    assert not {"Cart.never", "gross"} & here
    assert {"Cart.never", "gross"} <= measured


def test_jacoco() -> None:
    tests, measured = ran("java/jacoco.xml")
    assert {"Cart.add", "Cart.total", "Prices.net", "CartTest.main"} <= tests[""]
    assert {"Cart.never", "Prices.gross"} <= measured - tests[""]


def test_go() -> None:
    tests, measured = ran("go/cover.out")
    assert {"Net", "Cart.Add", "Cart.Total"} <= tests[""]
    assert {"Gross", "Cart.Never"} <= measured - tests[""]


def test_lcov_with_the_name_of_a_test() -> None:
    tests, measured = ran("c/lcov.info")
    assert tests == {"test_cart": {"net", "total", "main"}}
    assert measured == {"net", "total", "main", "never"}


def test_results_have_outcomes_and_durations() -> None:
    outcomes = {one.test: one for one in facts("python/junit.xml") if isinstance(one, Outcome)}
    assert {one.outcome for one in outcomes.values()} == {"passed", "failed", "skipped"}
    assert outcomes["tests.test_cart::test_fails"].outcome == "failed"
    assert all(one.seconds is not None for one in outcomes.values())


# Verifies REQ-RUN-001, REQ-RUN-004.
def test_what_the_plugin_wrote() -> None:
    found = facts("python/observed.jsonl")
    outcomes = {one.test: one for one in found if isinstance(one, Outcome)}
    assert outcomes["tests/test_cart.py::test_fails"].failed_when == "call"
    assert outcomes["tests/test_cart.py::test_later"].outcome == "skipped"
    assert {one.path for one in found if isinstance(one, Content)} == {
        "src/shop/cart.py",
        "src/shop/prices.py",
        "tests/test_cart.py",
    }
    (total,) = (one for one in found if isinstance(one, Observed) and one.test.endswith("test_total"))
    test = Place("tests/test_cart.py", "test_total", 13)
    assert Call(test, Place("src/shop/cart.py", "Cart.total", 31), 14, "attribute") in total.calls
    assert {one.name for one in total.functions} == ADD | {"test_total", "cart", "Cart.total", "net", "factor"}


def test_the_format_can_be_named() -> None:
    assert formats.format_of(RUNS / "go/cover.out", "GOCOVER").name == "gocover"
    with pytest.raises(UsageError, match="unknown format"):
        formats.format_of(RUNS / "go/cover.out", "gcov")
    with pytest.raises(RunFileError, match="not a format of runs that is known"):
        formats.format_of(RUNS / "README.md")


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_cut_off_gives_one_clear_error_or_what_it_has(file: str, tmp_path: Path) -> None:
    data = (RUNS / file).read_bytes()
    part = tmp_path / f"part{Path(file).suffix}"
    for share in (0.3, 0.6, 0.9):
        part.write_bytes(data[: int(len(data) * share)])
        try:
            found = list(formats.read(part, FILES[file]))
            assert isinstance(found[0], Source)
        except RunFileError as error:
            assert error.message.startswith(part.name) and error.suggestion


@pytest.mark.parametrize(
    ("format", "text", "said"),
    [
        ("lcov", "SF:a.py\nDA:1,1\nDA:x,1\nend_of_record\n", "line 3: not a number"),
        ("lcov", "SF:a.py\nDA:1,1\n", "line 2: it ends within the section of a.py"),
        ("lcov", "SF:a.py\nDA:99999999,1\nend_of_record\n", "line 2: 99999999 is not the number of a line"),
        ("lcov", "hello\n", "line 1: 'hello' is no record"),
        ("lcov", "SF:" + "x" * 100_000, "line 1: a line of more than"),
        ("gocover", "mode: set\na.go:1.1,2.2 1 1\nwhat\n", "line 3: 'what' is no block"),
        ("gocover", "mode: set\na.go:5.1,2.2 1 1\n", "line 2: lines 5 to 2"),
        ("gocover", "", "it is empty"),
        ("cobertura", "<coverage><class filename='a'><line number='x' hits='1'/></class></coverage>", "number is 'x'"),
        ("cobertura", "<coverage>", "not well-formed XML"),
        ("cobertura", "<html/>", "its root element is <html>"),
        ("cobertura", "<!DOCTYPE a [<!ENTITY b 'c'>]><coverage/>", "document type defines"),
        ("jacoco", "<a>" * 300, "its root element is <a>"),
        ("jacoco", "<report>" * 300, "more than 200 others"),
        ("istanbul", '{"a.js": {"statementMap": 5}}', "the record of 'a.js'"),
        ("istanbul", "[1]", "not JSON that can be read"),
        ("v8", '{"result": [{}]}', "not coverage of V8"),
        ("coverage", "SQLite format 3\0" + "x" * 5000, "not data of coverage.py"),
        ("observed", '{"loregraph-run":1}\n{"place":[0,"a",1]}\n', "line 2: number 0 stands for nothing"),
        ("observed", '{"loregraph-run":9}\n', "line 1: not a record of loregraph's pytest plugin"),
        ("junit", "<a/>", "holds no JUnit results"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(format: str, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunFileError) as raised:
        list(formats.read(path, format))
    assert said in raised.value.message


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(RunFileError, match="not there, or not a regular file"):
            list(formats.read(path, "lcov"))
