"""Diffs that somebody proposes, against the files as they are."""

from __future__ import annotations

from pathlib import Path

from loregraph.config import Settings
from loregraph.indexer.proposal import Misfit, Proposal, proposal
from loregraph.unified_diff import parse

OLD = "def total(items):\n    return sum(items)\n"
NEW = "import shop.money\n\n\ndef total(items, rate):\n    return sum(items)\n"
EDIT = """\
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,2 +1,5 @@
-def total(items):
+import shop.money
+
+
+def total(items, rate):
     return sum(items)
"""


def made(tmp_path: Path, text: str, **files: str) -> Proposal:
    (tmp_path / "shop").mkdir(exist_ok=True)
    (tmp_path / "shop/__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "shop/money.py").write_text("def tax(): ...\n", encoding="utf-8")
    for name, content in files.items():
        (tmp_path / "shop" / f"{name}.py").write_text(content, encoding="utf-8")
    return proposal(tmp_path, Settings(), parse(text))


def signatures(found: Proposal) -> list[list[str]]:
    return [
        [definition.node.signature for definitions in side.definitions.values() for definition in definitions]
        for side in (found.before, found.after)
    ]


def test_an_edit_before_and_after_it_is_applied(tmp_path: Path) -> None:
    expected = [["def total(items)"], ["def total(items, rate)"]]
    fresh = made(tmp_path, EDIT, cart=OLD)
    assert (signatures(fresh), fresh.is_applied) == (expected, False)
    applied = made(tmp_path, EDIT, cart=NEW)
    assert (signatures(applied), applied.is_applied) == (expected, True)
    assert [(e.source, e.target, e.line) for e in fresh.imports] == [("shop/cart.py", "shop/money.py", 1)]


def test_new_removed_and_renamed_files(tmp_path: Path) -> None:
    text = """\
diff --git a/shop/new.py b/shop/new.py
new file mode 100644
--- /dev/null
+++ b/shop/new.py
@@ -0,0 +1,2 @@
+def made():
+    return 1
diff --git a/shop/cart.py b/shop/cart.py
deleted file mode 100644
--- a/shop/cart.py
+++ /dev/null
@@ -1,2 +0,0 @@
-def total(items):
-    return sum(items)
diff --git a/shop/money.py b/shop/cents.py
similarity index 100%
rename from shop/money.py
rename to shop/cents.py
"""
    found = made(tmp_path, text, cart=OLD)
    assert list(found.before.definitions) == ["shop/cart.py", "shop/money.py"]
    assert list(found.after.definitions) == ["shop/cents.py", "shop/new.py"]
    assert found.renamed == {"shop/money.py": "shop/cents.py"}
    assert found.misfits == ()


def test_what_does_not_fit(tmp_path: Path) -> None:
    found = made(tmp_path, EDIT, cart="def other():\n    return 0\n")
    assert found.misfits == (Misfit("shop/cart.py", 1),)
    assert (found.before.facts, found.after.facts) == ({}, {})
    absent = made(tmp_path, EDIT.replace("cart", "none"))
    assert absent.misfits == (Misfit("shop/none.py", 0),)


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside.py").write_text(OLD, encoding="utf-8")
    (root / "link").symlink_to(tmp_path, target_is_directory=True)
    found = proposal(root, Settings(), parse(EDIT.replace("shop/cart.py", "link/outside.py")))
    assert found.misfits == (Misfit("link/outside.py", 0),)
