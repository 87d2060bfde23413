"""What a fix touches, and what it forgets."""

from __future__ import annotations

from loregraph.analysis.places import locate
from loregraph.analysis.review import Review, files_of, review
from loregraph.graph.columns import GraphColumns

DIFF = """\
--- a/shop/api.py
+++ b/shop/api.py
@@ -1,4 +1,4 @@
-def get_order(id):
+def fetch_order(id):
     return find_order(id)
-    async def put_order(id): ...
+    async def put_order(id, when): ...
--- /dev/null
+++ b/shop/new.py
@@ -0,0 +1 @@
+x = 1
"""


def reviewed(columns: GraphColumns, symbol: str, files: tuple[str, ...] = (), diff: str = "") -> Review:
    return review(columns, locate(columns, symbol), files, diff)


def concerns(found: Review) -> dict[str, str]:
    return {concern.type: concern.severity for concern in found.concerns}


def test_files_of_a_diff() -> None:
    assert files_of(DIFF) == ["shop/api.py", "shop/new.py"]


def test_callers_tests_and_requirements(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", ("shop/api.py",))
    assert found.callers == ("shop/sub/deep.py",)
    assert found.tests == ("tests/test_api.py::test_get",)
    assert found.requirements == ("REQ-1",)
    assert concerns(found) == {"callers": "low", "tests": "low", "requirements": "low"}
    assert found.alignment == 0.85


def test_what_goes_and_is_still_used(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", ("shop/api.py",), DIFF)
    removed = next(concern for concern in found.concerns if concern.type == "removed_symbol")
    assert removed.severity == "high"
    assert set(removed.related) == {"tests/test_api.py::test_get", "shop/sub/deep.py"}
    assert {"scope", "unknown_file"} <= set(concerns(found))  # shop/new.py was not announced and is new


def test_no_test_and_another_file(columns: GraphColumns) -> None:
    found = reviewed(columns, "put_order", ("shop/model.py",))
    assert concerns(found)["untested"] == "medium"
    assert concerns(found)["scope"] == "medium"


def test_a_test_that_changes_with_it_is_no_concern(columns: GraphColumns) -> None:
    found = reviewed(columns, "get_order", ("shop/api.py", "tests/test_api.py"))
    assert "tests" not in concerns(found)
