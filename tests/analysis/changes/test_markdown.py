"""The comment on a pull request."""

from __future__ import annotations

import re

import msgspec

from loregraph.analysis.changes.callers import AffectedCaller
from loregraph.analysis.changes.markdown import MAX_CHARACTERS, ROWS, to_markdown
from loregraph.analysis.changes.summary import copy_groups, grouped, summary
from loregraph.analysis.changes.view import (
    AffectedTest,
    ChangedCode,
    ChangeView,
    FileChange,
    Lost,
    TouchedRequirement,
)

EMPTY = ChangeView(
    revision="main", commit="c0ffee", files=(), code=(), callers=(), requirements=(), tests=(), untested=(), lost=()
)


def code(name: str, change: str, **more: object) -> ChangedCode:
    return ChangedCode(
        id=f"shop/cart.py::{name}",
        kind="function",
        file_path="shop/cart.py",
        start_line=3,
        end_line=9,
        change=change,
        **more,  # type: ignore[arg-type]
    )


FULL = msgspec.structs.replace(
    EMPTY,
    files=(FileChange("shop/cart.py", "M"),),
    code=(
        code("pay", "signature", breaks=True, differences=("new parameter `when` has no default",)),
        code("Coupon", "added"),
        code("Coupon.value", "added"),
        code("ship", "renamed", old_id="shop/cart.py::send", likeness=0.8, breaks=True),
        code("test_pay", "body", is_test=True),
        code("drop", "removed", breaks=True),
    ),
    callers=(
        AffectedCaller("shop/web.py::post", "shop/web.py", 7, "shop/cart.py::drop", "removed", False),
        AffectedCaller(
            "shop/web.py::get", "shop/web.py", 9, "shop/cart.py::pay", "signature", True, "shop/cart.py::pay"
        ),
    ),
    requirements=(TouchedRequirement("REQ-1", "Carts are paid", "", "r.md", 3, ("shop/cart.py::pay",), True),),
    tests=(AffectedTest("t.py::test_pay", "t.py", 1, "body", 0, ("shop/cart.py::pay",)),),
    untested=("shop/cart.py::ship",),
    lost=(Lost("test", "t.py::test_drop", "t.py", 1, "the test `t.py::test_drop` is gone"),),
    duplicates=(
        {
            "a": {"id": "a.py::f", "file_path": "a.py", "start_line": 1, "end_line": 9},
            "b": {"id": "b.py::g", "file_path": "b.py", "start_line": 2, "end_line": 9},
            "similarity": 0.91,
            "clone_type": "type3",
        },
    ),
)


def test_nothing_to_say() -> None:
    assert to_markdown(EMPTY) == "### Changes since `main`\n\nNo function or class changed.\n"


def test_what_needs_a_look_comes_first_and_the_rest_is_folded() -> None:
    text = to_markdown(FULL)
    open_part = text.partition("<details>")[0]
    assert "2 added, 1 changed, 1 moved or renamed, 1 removed" in open_part
    assert "- `shop/web.py:7` `post` uses `drop`, which is gone\n" in open_part
    assert "- `t.py:1` the test `t.py::test_drop` is gone\n" in open_part
    assert "- `a.py:1` `f` is 91% like `b.py:2` `g`" in open_part
    assert "`get`" not in open_part
    assert "- `shop/cart.py:3` `pay` ⚠️: new parameter `when` has no default" in text
    assert "- `shop/cart.py:3` `Coupon`, with 1 member" in text
    assert "Coupon.value" not in text
    assert "<summary>Added (2)</summary>" in text
    assert "was `shop/cart.py::send`, 80% alike" in text
    assert "**`REQ-1`** `Carts are paid` (its text changed): `pay`" in text
    assert text.count("<details>") == text.count("</details>") == 9


def test_long_lists_are_cut_and_say_so() -> None:
    many = msgspec.structs.replace(EMPTY, code=tuple(code(f"function_{n}", "body") for n in range(ROWS + 5)))
    text = to_markdown(many)
    assert text.count("\n- `") == ROWS
    assert "- … and 5 more" in text


def test_a_comment_is_never_too_long_for_its_host() -> None:
    long = tuple(
        code(f"function_{n}_{'x' * 2_000}", change) for n in range(40) for change in ("body", "added", "removed")
    )
    text = to_markdown(msgspec.structs.replace(EMPTY, code=long))
    assert len(text) <= MAX_CHARACTERS
    assert text.count("<details>") == text.count("</details>") == 3
    assert "more, which `loregraph diff` lists" in text


def test_names_and_texts_say_nothing_in_markdown_or_html() -> None:
    evil = "x`</summary><img src=x> @everyone **b** |\n# h"
    view = msgspec.structs.replace(
        EMPTY,
        revision=evil,
        code=(code(evil, "signature", differences=(f"parameter `{evil}` is gone",), breaks=True),),
        requirements=(TouchedRequirement(evil, evil, "", "r.md", 1, (evil,), False),),
        lost=(Lost("test", evil, evil, 1, f"{evil} is gone"),),
    )
    text = to_markdown(view)
    outside = re.sub(r"`[^`\n]*`", "", text)
    assert "<img" not in outside
    assert "@everyone" not in outside
    assert "**b**" not in outside
    assert not re.search(r"^# h", text, re.MULTILINE)


def test_counts() -> None:
    told = summary(FULL)
    assert (told.added, told.changed, told.renamed, told.removed, told.breaking) == (2, 1, 1, 1, 3)
    assert (told.callers, told.forgotten_callers, told.changed_tests, told.untested) == (2, 1, 1, 1)


def test_members_of_what_came_whole_are_counted_with_it() -> None:
    groups = grouped([code("A", "added"), code("A.f", "added"), code("A.f.inner", "added"), code("B.g", "added")])
    assert [(group.code.id.partition("::")[2], group.members) for group in groups] == [("A", 2), ("B.g", 0)]


def pair(one: str, other: str, similarity: float) -> dict[str, object]:
    sides = ({"id": f"{n}.py::f", "file_path": f"{n}.py", "start_line": 1, "end_line": 9} for n in (one, other))
    return dict(zip(("a", "b"), sides, strict=True)) | {"similarity": similarity}


def test_pairs_that_share_a_side_are_one_group() -> None:
    pairs = [pair("a", "b", 0.7), pair("x", "y", 0.6), pair("c", "d", 0.9), pair("b", "c", 0.8)]
    found = [(g.first["id"], [other["id"] for other in g.others], g.similarity) for g in copy_groups(pairs)]
    assert found == [
        ("a.py::f", ["b.py::f", "c.py::f", "d.py::f"], 0.9),
        ("x.py::f", ["y.py::f"], 0.6),
    ]
    text = to_markdown(msgspec.structs.replace(FULL, duplicates=tuple(pairs)))
    assert "- `a.py:1` `f` is up to 90% like `b.py:1` `f` and 2 others" in text
    assert "**2 groups of new copies.**" in text
