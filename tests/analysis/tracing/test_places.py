"""Documents and sections around requirements, read from the documents themselves."""

from __future__ import annotations

import time

import pytest

from loregraph.analysis.tracing.places import MAX_TITLE, MOST_DEPTH, headings_of, places

from .formats.conftest import requirement

MARKDOWN = """# The till

Intro.

## Payments

- **PAY-1** A payment is taken once.

### Refunds

- **PAY-2** A refund is given.

```
## not a heading
```

## Ledger

- **PAY-3** It adds up.
"""

SDOC = """[DOCUMENT]
TITLE: Needs

[TEXT]
STATEMENT: >>>
[[SECTION]]
TITLE: not a section
<<<

[[SECTION]]
TITLE: Outer

[REQUIREMENT]
UID: S-1
TITLE: One

[[SECTION]]
UID: X
TITLE: Inner

[REQUIREMENT]
UID: S-2

[[/SECTION]]

[REQUIREMENT]
UID: S-3

[[/SECTION]]

[REQUIREMENT]
UID: S-4
"""

RST = """====
Spec
====

Scope
-----

REQ-1 One.

Details
~~~~~~~

REQ-2 Two.

Other
-----

REQ-3 Three.
"""


def placed(path: str, text: str, lines_of: dict[str, int]) -> dict[str, tuple[str, tuple[str, ...]]]:
    traces = [requirement(name, path=path, line=line) for name, line in lines_of.items()]
    found = places(traces, lambda _: text.split("\n"), lambda _: ())
    return {name: (place.title, place.section) for name, place in found.items()}


def lines_with(text: str, *names: str) -> dict[str, int]:
    rows = text.split("\n")
    return {name: next(n for n, row in enumerate(rows, 1) if name in row) for name in names}


def test_headings_of_markdown_hold_until_the_next_of_their_level() -> None:
    assert placed("docs/r.md", MARKDOWN, lines_with(MARKDOWN, "PAY-1", "PAY-2", "PAY-3")) == {
        "PAY-1": ("The till", ("Payments",)),
        "PAY-2": ("The till", ("Payments", "Refunds")),
        "PAY-3": ("The till", ("Ledger",)),
    }


def test_a_heading_that_is_a_requirement_is_not_its_own_section() -> None:
    text = "# Needs\n\n## REQ-1 One\n\nText.\n\n### REQ-2 Two\n\n## REQ-3 Three\n"
    assert placed("r.md", text, {"REQ-1": 3, "REQ-2": 7, "REQ-3": 9}) == {
        "REQ-1": ("Needs", ()),
        "REQ-2": ("Needs", ("REQ-1 One",)),
        "REQ-3": ("Needs", ()),
    }


def test_sections_of_strictdoc_end_where_they_are_closed() -> None:
    assert placed("n.sdoc", SDOC, lines_with(SDOC, "S-1", "S-2", "S-3", "S-4")) == {
        "S-1": ("Needs", ("Outer",)),
        "S-2": ("Needs", ("Outer", "Inner")),
        "S-3": ("Needs", ("Outer",)),
        "S-4": ("Needs", ()),
    }


def test_levels_of_restructuredtext_are_those_of_the_first_use() -> None:
    assert placed("spec.rst", RST, lines_with(RST, "REQ-1", "REQ-2", "REQ-3")) == {
        "REQ-1": ("Spec", ("Scope",)),
        "REQ-2": ("Spec", ("Scope", "Details")),
        "REQ-3": ("Spec", ("Other",)),
    }


@pytest.mark.parametrize(("path", "text"), [("a.adoc", "= T\n\n== Part\n"), ("a.org", "* T\n\n** Part\n")])
def test_headings_of_other_forms(path: str, text: str) -> None:
    assert [(one.level, one.title, one.line) for one in headings_of(path, text.split("\n"))] == [
        (1, "T", 1),
        (2, "Part", 3),
    ]


def test_items_of_doorstop_stand_in_the_order_of_their_levels_below_headings_that_are_items() -> None:
    files = {
        "reqs/.doorstop.yml": "settings:\n  prefix: R\nattributes:\n  defaults:\n    doc:\n      name: 'Needs'\n",
        "reqs/R001.yml": "level: 2.10\nnormative: true\ntext: |\n  Late.\n",
        "reqs/R002.yml": "level: 2.9\nnormative: true\ntext: |\n  Early.\n",
        "reqs/R003.yml": "level: 2.0\nnormative: false\nheader: |\n  Payments\ntext: ''\n",
    }
    traces = [requirement(f"R00{n}", path=f"reqs/R00{n}.yml", line=1) for n in (1, 2)]
    found = places(traces, lambda path: files[path].split("\n"), lambda _: sorted(files))
    assert {one.document for one in found.values()} == {"reqs"}
    assert {one.title for one in found.values()} == {"Needs"}
    assert {one.section for one in found.values()} == {("Payments",)}
    assert sorted(found, key=lambda name: found[name].order) == ["R002", "R001"]


def test_sections_that_are_nested_without_end_are_bounded() -> None:
    text = "[DOCUMENT]\nTITLE: T\n" + "[[SECTION]]\nTITLE: S\n" * 4_000 + "[REQUIREMENT]\nUID: S-1\n"
    ((_, section),) = placed("n.sdoc", text, lines_with(text, "S-1")).values()
    assert section == ("S",) * MOST_DEPTH


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.sdoc", "a.adoc", "a.yml"])
@pytest.mark.parametrize(
    "line",
    [
        "#" * 100_000,
        "# " + "x" * 1_000_000,
        "=" * 1_000_000,
        "[" * 200_000,
        "level: " + "1." * 200_000,
        " " * 1_000_000,
    ],
)
def test_long_lines_are_read_in_linear_time(path: str, line: str) -> None:
    text = f"x\n{line}\n{line}\nREQ-1\n"
    started = time.process_time()
    ((_, section),) = placed(path, text, {"REQ-1": 4}).values()
    assert time.process_time() - started < 1
    assert all(len(title) <= MAX_TITLE for title in section)
