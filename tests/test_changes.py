"""Changes of a small project, made and proposed, from git and files to what they reach."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loregraph.analysis.changes.markdown import to_markdown
from loregraph.analysis.changes.view import ChangeView
from loregraph.analysis.fixes.review import Review
from loregraph.errors import UsageError
from loregraph.project import Project

from .conftest import Repository

pytestmark = pytest.mark.usefixtures("engine_later")

FILES = {
    "docs/requirements.md": """\
# Requirements

- **REQ-1** Prices are rounded to whole cents.
- **REQ-2** A cart can be paid.
- **REQ-3** Old carts are cleared.
""",
    "shop/money.py": '''\
def round_price(amount, digits=2):
    """Round to whole cents.

    Implements: REQ-1
    """
    scaled = amount * 10**digits
    whole = int(scaled + 0.5)
    return whole / 10**digits


def tax(amount):
    rate = 0.2
    before = amount / (1 + rate)
    after = round_price(before)
    return amount - after
''',
    "shop/cart.py": '''\
from shop.money import round_price, tax


class Cart:
    def __init__(self, items):
        self.items = items

    def total(self):
        return round_price(sum(self.items))

    def clear(self):
        # Implements: REQ-3
        self.items = []


def checkout(items):
    """Implements: REQ-2"""
    cart = Cart(items)
    return cart.total(), tax(cart.total())
''',
    "tests/test_money.py": '''\
from shop.money import round_price, tax


def test_round_price():
    assert round_price(1.005) == 1.01


def test_tax():
    """Verifies: REQ-1"""
    assert tax(1.2) == 0.2
''',
}


@pytest.fixture
def shop(repository: Repository) -> Repository:
    for path, text in FILES.items():
        repository.write(path, text)
    repository.commit()
    return repository


def diff(shop: Repository, rev: str = "HEAD") -> ChangeView:
    with Project(shop.root) as project:
        project.index(embed=False, jobs=1)
        return project.diff(rev)


def review(shop: Repository, symbol: str, patch: str = "", description: str = "") -> Review:
    with Project(shop.root) as project:
        project.index(embed=False, jobs=1)
        return project.review(symbol, diff=patch, description=description)


def proposed(shop: Repository) -> str:
    """What is changed on the disk as a diff; the disk is as before."""
    patch = subprocess.run(["git", "diff", "HEAD"], cwd=shop.root, check=True, capture_output=True, text=True).stdout
    shop.git("checkout", "-q", ".")
    return patch


def became(view: ChangeView) -> dict[str, str]:
    return {one.id.partition("::")[2]: one.change for one in view.code}


def concerns(found: Review) -> dict[str, str]:
    return {concern.type: concern.severity for concern in found.concerns}


def test_nothing_changed(shop: Repository) -> None:
    view = diff(shop)
    assert (view.files, view.code, view.callers, view.lost, view.untested) == ((), (), (), (), ())
    assert view.commit == shop.git("rev-parse", "HEAD")


def test_functions_by_what_became_of_them(shop: Repository) -> None:
    shop.replace("shop/money.py", "rate = 0.2", "rate = 0.25")
    shop.replace("shop/cart.py", "def checkout(items):", "def checkout(items, coupon):")
    shop.replace("shop/cart.py", "    def clear(self):\n        # Implements: REQ-3\n        self.items = []\n", "")
    shop.write("shop/new.py", "class Coupon:\n    def value(self):\n        return 1\n")
    view = diff(shop)
    assert became(view) == {
        "tax": "body",
        "checkout": "signature",
        "Cart.clear": "removed",
        "Coupon": "added",
        "Coupon.value": "added",
    }
    checkout = next(one for one in view.code if one.id.endswith("checkout"))
    assert checkout.differences == ("new parameter `coupon` has no default",)
    assert checkout.breaks
    assert checkout.old_signature == "def checkout(items)"
    assert checkout.requirements == ("REQ-2",)
    assert [(file.path, file.status) for file in view.files] == [
        ("shop/cart.py", "M"),
        ("shop/money.py", "M"),
        ("shop/new.py", "A"),
    ]


def test_tests_that_reach_the_change_and_code_that_none_reaches(shop: Repository) -> None:
    shop.replace("shop/money.py", "whole = int(scaled + 0.5)", "whole = int(scaled + 0.51)")
    shop.replace("shop/cart.py", "self.items = []", "self.items = list()")
    view = diff(shop)
    assert [(test.id, test.distance) for test in view.tests] == [
        ("tests/test_money.py::test_round_price", 0),
        ("tests/test_money.py::test_tax", 1),
    ]
    assert view.untested == ("shop/cart.py::Cart.clear",)


def test_users_of_what_is_gone_or_renamed_that_were_forgotten(shop: Repository) -> None:
    shop.replace("shop/money.py", "def tax(amount):", "def duty(amount):")
    view = diff(shop)
    assert became(view) == {"duty": "renamed"}
    assert [(one.id, one.line, one.symbol, one.change, one.is_changed, one.reaches) for one in view.callers] == [
        ("shop/cart.py::checkout", 19, "shop/money.py::tax", "renamed", False, ""),
        ("tests/test_money.py::test_tax", 10, "shop/money.py::tax", "renamed", False, ""),
    ]


def test_files_that_import_what_is_gone(shop: Repository) -> None:
    shop.write("shop/__init__.py", "from shop.money import tax\n")
    shop.commit()
    shop.replace("shop/money.py", "def tax(amount):", "def duty(amount):")
    assert ("shop/__init__.py", 1) in [(one.id, one.line) for one in diff(shop).callers]
    found = next(one for one in review(shop, "round_price", proposed(shop)).concerns if one.type == "renamed_symbol")
    assert "shop/__init__.py" in found.related


def test_an_alias_keeps_the_old_name(shop: Repository) -> None:
    shop.replace("shop/money.py", "def tax(amount):", "def duty(amount):")
    shop.write("shop/money.py", (shop.root / "shop/money.py").read_text(encoding="utf-8") + "\n\ntax = duty\n")
    assert diff(shop).callers == ()


def test_users_that_followed_are_no_callers_to_look_at(shop: Repository) -> None:
    for path, text in FILES.items():
        if path.endswith(".py"):
            shop.write(path, text.replace("tax", "duty"))
    view = diff(shop)
    assert view.callers == ()
    assert [one.id for one in view.tests] == ["tests/test_money.py::test_duty"]


def test_a_moved_file_moves_nothing_in_it(shop: Repository) -> None:
    shop.git("mv", "shop/money.py", "shop/cents.py")
    shop.replace("shop/cart.py", "shop.money", "shop.cents")
    shop.replace("tests/test_money.py", "shop.money", "shop.cents")
    view = diff(shop)
    assert (view.code, view.callers, view.lost) == ((), (), ())
    assert ("shop/cents.py", "R", "shop/money.py") in [(f.path, f.status, f.old_path) for f in view.files]


def test_callers_of_a_broken_signature(shop: Repository) -> None:
    shop.replace("shop/money.py", "def tax(amount):", "def tax(amount, country):")
    view = diff(shop)
    assert [(one.id, one.change, one.is_changed) for one in view.callers] == [
        ("shop/cart.py::checkout", "signature", False),
        ("tests/test_money.py::test_tax", "signature", False),
    ]


def test_what_is_covered_no_more(shop: Repository) -> None:
    shop.replace(
        "tests/test_money.py", '\n\ndef test_tax():\n    """Verifies: REQ-1"""\n    assert tax(1.2) == 0.2\n', ""
    )
    shop.replace("shop/cart.py", '    """Implements: REQ-2"""\n', "")
    shop.replace("docs/requirements.md", "- **REQ-3** Old carts are cleared.\n", "")
    lost = [(one.kind, one.id) for one in diff(shop).lost]
    assert lost == [
        ("test", "tests/test_money.py::test_tax"),
        ("tested", "shop/money.py::tax"),
        ("requirement_link", "shop/cart.py::checkout"),
        ("requirement", "REQ-3"),
    ]


def test_requirements_by_code_and_by_wording(shop: Repository) -> None:
    shop.replace("shop/money.py", "scaled + 0.5", "scaled + 0.51")
    shop.replace("docs/requirements.md", "A cart can be paid.", "A cart can be paid by card.")
    found = [(one.id, one.code, one.is_reworded) for one in diff(shop).requirements]
    assert found == [("REQ-1", ("shop/money.py::round_price",), False), ("REQ-2", (), True)]


def test_commits_and_the_work_tree_count_alike(shop: Repository) -> None:
    base = shop.git("rev-parse", "HEAD")
    shop.replace("shop/money.py", "rate = 0.2", "rate = 0.25")
    uncommitted = diff(shop, base)
    shop.commit()
    committed = diff(shop, base)
    assert uncommitted.code == committed.code != ()
    assert diff(shop).code == ()


def test_a_file_that_does_not_parse_is_no_error(shop: Repository) -> None:
    shop.write("shop/money.py", "def round_price(:\n  ((((\n")
    view = diff(shop)
    assert "shop/money.py" in [file.path for file in view.files]
    assert {"tax": "removed"}.items() <= became(view).items()


def test_an_unknown_revision(shop: Repository) -> None:
    with pytest.raises(UsageError, match="knows no revision 'nowhere'"):
        diff(shop, "nowhere")


# Proposed fixes


def test_a_diff_that_breaks_callers_and_one_that_takes_them_along(shop: Repository) -> None:
    shop.replace("shop/money.py", "def tax(amount):", "def tax(amount, country):")
    patch = proposed(shop)
    found = review(shop, "tax", patch)
    signature = next(concern for concern in found.concerns if concern.type == "signature")
    assert signature.severity == "high"
    assert signature.related == ("shop/cart.py::checkout", "tests/test_money.py::test_tax")
    assert "new parameter `country` has no default" in signature.message

    shop.replace("shop/money.py", "def tax(amount):", "def tax(amount, country):")
    shop.replace("shop/cart.py", "tax(cart.total())", 'tax(cart.total(), "fr")')
    shop.replace("tests/test_money.py", "tax(1.2)", 'tax(1.2, "fr")')
    followed = review(shop, "tax", proposed(shop))
    assert "signature" not in concerns(followed)
    assert followed.alignment_score > found.alignment_score


def test_a_diff_that_removes_renames_and_moves(shop: Repository) -> None:
    shop.replace("shop/money.py", "def tax(amount):", "def duty(amount):")
    assert concerns(review(shop, "tax", proposed(shop)))["renamed_symbol"] == "high"
    shop.write("shop/money.py", FILES["shop/money.py"].partition("def tax")[0])
    found = review(shop, "tax", proposed(shop))
    assert concerns(found)["removed_symbol"] == "high"
    shop.replace("tests/test_money.py", "def test_tax():", "def helper():")
    assert concerns(review(shop, "tax", proposed(shop)))["removed_tests"] == "medium"


def test_requirements_that_the_diff_drops(shop: Repository) -> None:
    shop.replace("shop/cart.py", '    """Implements: REQ-2"""\n', "")
    lost = next(one for one in review(shop, "checkout", proposed(shop)).concerns if one.type == "requirement_lost")
    assert (lost.severity, lost.related) == ("high", ("REQ-2", "shop/cart.py::checkout"))
    assert "nothing else does" in lost.message


def test_a_diff_that_does_not_parse_or_does_not_fit(shop: Repository) -> None:
    shop.replace("shop/money.py", "    rate = 0.2\n", "    rate = (0.2\n")
    assert concerns(review(shop, "tax", proposed(shop)))["syntax_error"] == "high"
    shop.replace("shop/money.py", "    rate = 0.2\n", "    rate = = 0.2\n")
    assert concerns(review(shop, "tax", proposed(shop)))["not_understood"] == "low"
    wrong = "--- a/shop/money.py\n+++ b/shop/money.py\n@@ -3,1 +3,1 @@\n-nowhere\n+somewhere\n"
    found = next(one for one in review(shop, "tax", wrong).concerns if one.type == "does_not_apply")
    assert "shop/money.py:3" in found.message
    absent = "--- a/shop/none.py\n+++ b/shop/none.py\n@@ -1,1 +1,1 @@\n-a\n+b\n"
    assert {"does_not_apply", "unknown_file"} <= set(concerns(review(shop, "tax", absent)))


@pytest.mark.parametrize("text", ["nonsense", "+ only\n- signs\n", "@@ -1 +1 @@\n-a\n+b\n", "\0\n"])
def test_what_is_no_diff_is_a_concern(shop: Repository, text: str) -> None:
    assert concerns(review(shop, "tax", text))["unreadable_diff"] == "medium"


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "shop/../../outside.py"])
def test_a_diff_of_files_outside_reads_and_writes_nothing_there(shop: Repository, path: str) -> None:
    (shop.root.parent / "outside.py").write_text("def secret(): ...\n", encoding="utf-8")
    patch = f"--- {path}\n+++ {path}\n@@ -1 +1 @@\n-def secret(): ...\n+def public(): ...\n"
    assert concerns(review(shop, "tax", patch))["does_not_apply"] == "medium"
    assert (shop.root.parent / "outside.py").read_text(encoding="utf-8") == "def secret(): ...\n"


def test_a_diff_that_is_applied_already(shop: Repository) -> None:
    shop.replace("shop/money.py", "def tax(amount):", "def tax(amount, country):")
    patch = subprocess.run(["git", "diff"], cwd=shop.root, check=True, capture_output=True, text=True).stdout
    found = review(shop, "tax", patch)
    assert "already_applied" in concerns(found)
    assert concerns(found)["signature"] == "high"


def test_an_import_that_a_contract_forbids(shop: Repository) -> None:
    shop.write(
        "loregraph.toml",
        '[[check.contracts]]\nname = "money knows no carts"\nkind = "forbidden"\n'
        'sources = ["shop/money.py"]\ntargets = ["shop/cart.py"]\n',
    )
    shop.commit()
    shop.replace("shop/money.py", "def tax(amount):\n", "def tax(amount):\n    from shop.cart import Cart\n")
    found = next(one for one in review(shop, "tax", proposed(shop)).concerns if one.type == "contract")
    assert found.severity == "high"
    assert "shop/money.py:12" in found.message
    assert "money knows no carts" in found.message
    shop.replace("shop/money.py", "def tax(amount):\n", "def tax(amount):\n    from decimal import Decimal\n")
    assert "contract" not in concerns(review(shop, "tax", proposed(shop)))


def test_a_function_that_is_there_already(shop: Repository) -> None:
    copy = (
        FILES["shop/money.py"].partition("def round_price")[2].partition("\n\n\n")[0].replace("Implements: REQ-1", "")
    )
    shop.write("shop/cart.py", FILES["shop/cart.py"] + "\n\ndef cents" + copy + "\n")
    found = next(one for one in review(shop, "checkout", proposed(shop)).concerns if one.type == "duplicate")
    assert found.related[0] == "shop/money.py::round_price"


def test_what_the_description_names_and_the_diff_leaves(shop: Repository) -> None:
    shop.replace("shop/money.py", "rate = 0.2", "rate = 0.25")
    patch = proposed(shop)
    assert "description" not in concerns(review(shop, "tax", patch, "raise the rate in `tax`"))
    found = review(shop, "tax", patch, "raise the rate in tax() and let round_price keep it")
    assert next(one for one in found.concerns if one.type == "description").related == ("round_price",)


def test_a_good_fix_has_nothing_against_it(shop: Repository) -> None:
    shop.replace("shop/money.py", "rate = 0.2", "rate = 0.25")
    shop.replace("tests/test_money.py", "tax(1.2) == 0.2", "tax(1.25) == 0.25")
    found = review(shop, "tax", proposed(shop))
    assert concerns(found) == {"callers": "low", "requirements": "low"}
    assert found.alignment_score == 0.9
    assert found.impact.tests == ("tests/test_money.py::test_tax",)


JS = {
    "src/check.js": """export class Checker {
  test(value) {
    return value > 1
  }
}

export function uses(s) {
  const c = new Checker()
  return c.test(s)
}

export function pattern(s) {
  const c = new Checker()
  return c.test(s) && /ab+/.test(s)
}

export function far(handlers, s) {
  return handlers.go.pattern(s)
}
""",
    "test/far.test.js": """import { far } from '../src/check.js'
describe('x', () => {
  it('far', () => { expect(far({}, 'a')).toBe(1) })
})
""",
}


# Verifies REQ-CLI-016.
def test_where_no_test_is_seen_the_calls_that_nobody_could_follow_are_counted(tmp_path: Path) -> None:
    root = tmp_path / "js"
    for name, text in JS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    path = root / "src" / "check.js"
    renamed = JS["src/check.js"].replace("  test(value)", "  isLarge(value)").replace("c.test(s) &&", "c.isLarge(s) &&")
    path.write_text(renamed)
    with Project(root, store=tmp_path / "store") as project:
        project.index(embed=False)
        view = project.diff("HEAD")
    # `pattern` is called through what nobody knows; so is, by way of it, the method that it calls.
    assert "src/check.js::pattern" in view.untested
    assert view.unresolved_calls["src/check.js::pattern"] == 1
    assert [(caller.id, caller.line) for caller in view.callers if not caller.is_changed] == [
        ("src/check.js::uses", 9)
    ], "the member of a pattern is no caller"
    assert "graph can see" in to_markdown(view)
    assert "1 call on the way not resolved" in to_markdown(view)
