"""Test results in the dialects of JUnit's XML, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.tracing.junit import FAILED, PASSED, SKIPPED, CaseResult, read, read_all
from loregraph.errors import UsageError

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="1" skipped="1" tests="4">
<testcase classname="tests.test_cart" name="test_total[1-2]" time="0.01" />
<testcase classname="tests.test_cart" name="test_total[3-4]"><failure message="assert 7 == 8">def</failure></testcase>
<testcase classname="tests.test_cart.TestCart" name="test_skip"><skipped type="pytest.skip">x</skipped></testcase>
<testcase classname="tests.test_cart" name="test_setup"><error message="failed on setup">fixture</error></testcase>
</testsuite></testsuites>"""
SUREFIRE = """<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.acme.CartTest" tests="3">
<properties><property name="java.version" value="21"/></properties>
<testcase name="addsUp" classname="com.acme.CartTest" time="0.004"/>
<testcase name="flaky" classname="com.acme.CartTest"><flakyFailure message="once">x</flakyFailure></testcase>
<testcase name="again" classname="com.acme.CartTest"><failure>1</failure><rerunFailure>2</rerunFailure></testcase>
</testsuite>"""
GO = """<testsuites><testsuite name="github.com/acme/shop" tests="1">
<testcase name="TestCart/empty_cart" classname="shop" time="0.000"></testcase></testsuite></testsuites>"""
JEST = """<testsuites name="jest tests"><testsuite name="cart">
<testcase classname="cart adds prices" name="cart adds prices" file="web/cart.test.js" time="0.001"></testcase>
</testsuite></testsuites>"""
GTEST = """<testsuites><testsuite name="CartTest">
<testcase name="Adds" status="run" result="completed" classname="CartTest"/>
<testcase name="DISABLED_Drops" status="notrun" result="suppressed" classname="CartTest"/>
</testsuite></testsuites>"""
MOCHA = """<testsuites name="Mocha Tests"><testsuite name="Root Suite" file="/build/test/cart.js">
<testsuite name="cart"><testcase name="cart adds" classname="adds"/></testsuite></testsuite></testsuites>"""


def written(tmp_path: Path, text: str | bytes, name: str = "report.xml") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def outcomes(cases: list[CaseResult]) -> list[tuple[str, str, str]]:
    return [(case.classname, case.name, case.outcome) for case in cases]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            PYTEST,
            [
                ("tests.test_cart", "test_total[1-2]", PASSED),
                ("tests.test_cart", "test_total[3-4]", FAILED),
                ("tests.test_cart.TestCart", "test_skip", SKIPPED),
                ("tests.test_cart", "test_setup", FAILED),
            ],
        ),
        (
            SUREFIRE,
            [
                ("com.acme.CartTest", "addsUp", PASSED),
                ("com.acme.CartTest", "flaky", PASSED),
                ("com.acme.CartTest", "again", FAILED),
            ],
        ),
        (GO, [("shop", "TestCart/empty_cart", PASSED)]),
        (JEST, [("cart adds prices", "cart adds prices", PASSED)]),
        (GTEST, [("CartTest", "Adds", PASSED), ("CartTest", "DISABLED_Drops", SKIPPED)]),
        (MOCHA, [("adds", "cart adds", PASSED)]),
    ],
    ids=["pytest", "surefire", "go-junit-report", "jest-junit", "gtest", "mocha"],
)
def test_dialects(tmp_path: Path, text: str, expected: list[tuple[str, str, str]]) -> None:
    assert outcomes(read(written(tmp_path, text))) == expected


def test_files_and_suites_of_a_case(tmp_path: Path) -> None:
    (jest,) = read(written(tmp_path, JEST))
    assert (jest.file, jest.suites) == ("web/cart.test.js", ("jest tests", "cart"))
    (mocha,) = read(written(tmp_path, MOCHA))
    assert (mocha.file, mocha.suites) == ("/build/test/cart.js", ("Mocha Tests", "Root Suite", "cart"))


def test_another_encoding_and_several_files(tmp_path: Path) -> None:
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="s"><testcase name="größe"/></testsuite>'
    paths = [written(tmp_path, latin.encode("latin-1"), "a.xml"), written(tmp_path, GO, "b.xml")]
    assert [case.name for case in read_all(paths)] == ["größe", "TestCart/empty_cart"]


BOMB = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<testsuite name="&b;"><testcase name="x"/></testsuite>"""
READER = """<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<testsuite name="s"><testcase name="&a;"/></testsuite>"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no element found"),
        ("<testsuite><testcase", "line 1"),
        ("not xml at all", "line 1"),
        ("<html><body/></html>", "<html>"),
        (BOMB, "document type"),
        (READER, "document type"),
        (b"\xff\xfe\x00", "line 1"),
    ],
)
def test_a_file_that_is_no_report_is_one_error_with_its_name(tmp_path: Path, text: str | bytes, why: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as raised:
        read(path)
    assert str(path) in raised.value.message
    assert why in raised.value.message
    assert raised.value.suggestion


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "none.xml")
