"""trace_requirements: one requirement, all of them, suggestions, results, an answer within its budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.project import Project

from .conftest import Asker, Connect

DOCUMENT = """# Requirements

- **REQ-PAY-001** Prices are rounded to whole cents.
- **REQ-PAY-002** Amounts are converted to another currency, less a fee.
- **REQ-PAY-003** A cart can be shared. `status: planned`
"""
PASSED = '<testsuite><testcase classname="tests.test_cart" name="test_checkout"/></testsuite>'


@pytest.fixture
def traced(root: Path) -> Path:
    """The project with requirements, a marker and a result."""
    (root / "docs").mkdir()
    (root / "docs/requirements.md").write_text(DOCUMENT, encoding="utf-8")
    (root / "results.xml").write_text(PASSED, encoding="utf-8")
    config = root / "loregraph.toml"
    config.write_text(
        f'{config.read_text(encoding="utf-8")}[requirements]\nsources = ["docs/*.md"]\nresults = ["results.xml"]\n',
        encoding="utf-8",
    )
    cart = root / "shop/cart.py"
    text = cart.read_text(encoding="utf-8").replace(
        "Pay for everything", "Implements: REQ-PAY-001\n\n    Pay for everything"
    )
    cart.write_text(text, encoding="utf-8")
    with Project(root) as project:
        project.index(jobs=1)
    return root


@pytest.fixture
def asker(connect: Connect, traced: Path) -> Asker:
    return connect(at=traced)


def test_one_requirement(asker: Asker) -> None:
    body = asker.ok("trace_requirements", requirement_id="REQ-PAY-001")
    assert body["requirement"] == {
        "requirement_id": "REQ-PAY-001",
        "title": "Prices are rounded to whole cents",
        "status": "",
        "text": "Prices are rounded to whole cents.",
        "source": "docs/requirements.md:3",
    }
    (code,) = body["implementations"]
    assert set(code) == {"id", "name", "file_path", "link", "confidence", "evidence"}
    assert (code["id"], code["link"]) == ("shop/cart.py::checkout", "marker")
    (test,) = body["tests"]
    assert test == {
        "id": "tests/test_cart.py::test_checkout",
        "name": "test_checkout",
        "file_path": "tests/test_cart.py",
        "status": "passed",
    }
    assert body["coverage"] == {"implementation": 1.0, "testing": 1.0, "total": 1}
    assert "suggestions" not in body


def test_all_of_them(asker: Asker) -> None:
    body = asker.ok("trace_requirements")
    assert body["requirement"] is None
    assert [one["requirement"]["requirement_id"] for one in body["requirements"]] == [
        "REQ-PAY-001",
        "REQ-PAY-002",
        "REQ-PAY-003",
    ]
    # What is planned does not count.
    assert body["coverage"] == {"implementation": 0.5, "testing": 0.5, "total": 2}


def test_suggestions_of_what_is_neither_linked_nor_rejected(asker: Asker, traced: Path) -> None:
    body = asker.ok("trace_requirements", requirement_id="REQ-PAY-002", include_suggestions=True)
    first = body["suggestions"][0]
    assert set(first) == {"id", "file_path", "score", "evidence"}
    assert {one["file_path"] for one in body["suggestions"][:2]} == {"shop/money.py", "shop/abroad.py"}
    with Project(traced) as project:
        project.decide_links([("rejected", "REQ-PAY-002", first["id"])])
    after = asker.ok("trace_requirements", requirement_id="REQ-PAY-002", include_suggestions=True)
    assert first["id"] not in [one["id"] for one in after["suggestions"]]
    everything = asker.ok("trace_requirements", include_suggestions=True)
    assert [len(one["suggestions"]) > 0 for one in everything["requirements"]][1]


def test_one_that_is_not_there(asker: Asker) -> None:
    answer = asker("trace_requirements", requirement_id="REQ-PAY-009")
    assert answer.code == "NOT_FOUND"
    assert "REQ-PAY-00" in answer.body["error"]["suggestion"]


def test_an_accepted_link_is_in_the_next_answer(asker: Asker, traced: Path) -> None:
    with Project(traced) as project:
        project.decide_links([("accepted", "REQ-PAY-002", "exchange")])
    (code,) = asker.ok("trace_requirements", requirement_id="REQ-PAY-002")["implementations"]
    assert (code["id"], code["link"], code["confidence"]) == ("shop/money.py::exchange", "accepted", 1.0)


def test_the_answer_stays_within_its_budget(asker: Asker, traced: Path) -> None:
    many = "\n".join(
        f"- **REQ-BIG-{i:03}** The cart does thing number {i}, at length: {'so ' * 60}" for i in range(300)
    )
    (traced / "docs/big.md").write_text(f"# Many\n\n{many}\n", encoding="utf-8")
    with Project(traced) as project:
        project.index(jobs=1, embed=False)
    answer = asker("trace_requirements", max_tokens=1000)
    assert len(answer.text) <= 4000
    assert "of 303 shown" in answer.body["truncated"]
    assert answer.body["coverage"]["total"] == 302
