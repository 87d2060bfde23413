"""The pages of requirements in a real browser: filters, decisions, the keyboard, narrow screens, without script."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main
from loregraph.project import Project

DESK = Path(__file__).resolve().parents[3] / "fixtures" / "gates" / "base"
PAGES = {
    "matrix": "/requirements",
    "document": "/requirements?document=docs/requirements.md&read=1",
    "one": "/requirement?id=LEND-3",
    "files": "/requirements?files=1",
    "compare": "/compare?old=HEAD",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(shutil.copytree(DESK, tmp_path_factory.mktemp("requirements") / "desk"))
    (root / ".gitignore").write_text(".loregraph/\n")
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "x"],
    ):
        subprocess.run(["git", *words], cwd=root, check=True)
    needs = root / "docs" / "requirements.md"
    needs.write_text(needs.read_text().replace("up to a limit", "up to a cap"))
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


@pytest.fixture(scope="module")
def viewed(desk: Path, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(desk, "--no-watch") as started:
        yield started


def let_in(tab: Any, viewed: Any, path: str) -> None:
    viewed.let_in(tab)
    tab.goto(viewed.origin + path)


def decided(desk: Path) -> list[tuple[str, str]]:
    with Project(desk) as project:
        return [(one.link, one.code) for one in project.memory.links()]


# Verifies REQ-WEB-011.
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 400)])
def test_the_pages_can_be_read_by_all(
    viewed: Any, tab: Any, accessible: Callable[[Any], None], page: str, scheme: str, width: int
) -> None:
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    let_in(tab, viewed, PAGES[page])
    accessible(tab)
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_filter_acts_when_it_is_chosen_and_stands_in_the_address(viewed: Any, tab: Any) -> None:
    let_in(tab, viewed, "/requirements")
    assert tab.locator("table.matrix tbody tr").count() == 6
    tab.get_by_label("Status").select_option("planned")
    tab.wait_for_url("**/requirements?status=planned")
    assert tab.locator("table.matrix tbody tr").count() == 1
    tab.go_back()
    assert tab.locator("table.matrix tbody tr").count() == 6
    tab.get_by_label("Filter by words, ids or code").fill("fine")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/requirements?text=fine")
    assert tab.locator("table.matrix tbody tr").count() == 1


# Verifies REQ-TRC-003, REQ-WEB-005.
def test_a_suggestion_is_accepted_and_taken_back_by_the_keyboard(viewed: Any, tab: Any, desk: Path) -> None:
    let_in(tab, viewed, "/requirement?id=LEND-6")
    tab.get_by_text("Code that may implement it").focus()
    tab.keyboard.press("Enter")
    accept = tab.get_by_role("button", name="Accept").first
    accept.wait_for()
    accept.focus()
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Take back").wait_for()
    where = tab.evaluate("location.hash")
    assert where.startswith("#l-")
    assert tab.locator(where).count() == 1
    assert [link for link, _ in decided(desk)] == ["accepted"]
    tab.get_by_role("button", name="Take back").focus()
    tab.keyboard.press("Enter")
    tab.get_by_text("withdrawn").wait_for()
    assert tab.get_by_role("button", name="Take back").count() == 0


def test_without_script_everything_is_there(viewed: Any, tab: Any) -> None:
    let_in(tab, viewed, "/requirements")
    context = tab.context.browser.new_context(java_script_enabled=False, storage_state=tab.context.storage_state())
    plain = context.new_page()
    plain.set_default_timeout(5_000)
    plain.goto(f"{viewed.origin}/requirements?state=planned")
    assert plain.locator("table.matrix tbody tr").count() == 1
    plain.get_by_role("link", name="LEND-6").last.click()
    plain.get_by_text("Code that may implement it").click()
    plain.get_by_role("link", name="Show them").click()
    plain.get_by_role("button", name="Accept").first.wait_for()
    plain.goto(f"{viewed.origin}/compare")
    plain.get_by_label("From").fill("HEAD")
    plain.get_by_role("button", name="Compare").click()
    assert plain.locator("del").inner_text() == "limit."
    context.close()


def test_a_form_without_the_key_is_refused(viewed: Any, tab: Any, desk: Path) -> None:
    let_in(tab, viewed, "/requirement?id=LEND-6")
    fields = {"decision": "rejected", "requirement": "LEND-6", "code": "lending/web.py", "key": "wrong"}
    answer = tab.context.request.post(f"{viewed.origin}/do/decide-link", form=fields, headers={"origin": viewed.origin})
    assert answer.status == 403
    assert "lending/web.py" not in {code for _, code in decided(desk)}


def test_rows_of_the_report_are_filtered_on_the_page(desk: Path, tab: Any, tmp_path: Path) -> None:
    report = tmp_path / "matrix.html"
    words = ["--root", str(desk), "trace", "--format", "html", "--output", str(report)]
    assert main(words, standalone_mode=False) == 0
    tab.goto(report.as_uri())
    assert tab.inner_text("[data-matrix-count]") == "6 of 6"
    tab.get_by_label("Filter by words").fill("fine late")
    assert tab.inner_text("[data-matrix-count]") == "1 of 6"
    tab.get_by_label("Filter by words").fill("")
    tab.get_by_label("planned").uncheck()
    assert tab.inner_text("[data-matrix-count]") == "5 of 6"
    assert not tab.locator("#LEND-6").is_visible()
