"""Every page in a real browser: light and dark, wide and narrow, zoomed, without script, and by axe's rules."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from loregraph.cli.main import main
from loregraph.pages.links import Links
from loregraph.viewer.routes import PAGES

DESK = Path(__file__).resolve().parents[3] / "fixtures" / "gates"
NOTE = "Loans are renewed twice at most"
LINKS = Links()
FUNCTION = "lending/service.py::fine_for"
ADDRESSES = {
    "overview": LINKS.overview(),
    "map": LINKS.map(),
    "an opened map": LINKS.map("component:lending"),
    "symbol": LINKS.symbol(FUNCTION),
    "file": LINKS.file("lending/service.py"),
    "requirements": LINKS.requirements(),
    "requirement": LINKS.requirement("LEND-3"),
    "compare": LINKS.compare("HEAD~1", "HEAD"),
    "findings": LINKS.findings(),
    "duplicates": LINKS.duplicates(),
    "pair": LINKS.pair("lending/service.py::lend", "lending/service.py::give_back"),
    "change": LINKS.change("HEAD~1"),
    "memories": LINKS.memories(),
    "ask": LINKS.ask("MATCH (f:Function)-[r:CALLS]->(g:Function) RETURN f, r, g LIMIT 20"),
    "find": LINKS.find("loan"),
}
READY = "() => !document.querySelector('[data-part]:not(details:not([open]) *), [aria-busy=true]')"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(shutil.copytree(DESK / "base", tmp_path_factory.mktemp("pages") / "desk"))

    def git(*words: str) -> None:
        own = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *own, *words], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Lend books")
    service = root / "lending" / "service.py"
    service.write_text(service.read_text() + "\n\ndef reminder(days: int) -> str:\n    return f'{days} days left'\n")
    git("commit", "-qam", "Remind of loans")
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    remember = ["--root", str(root), "memory", "add", NOTE, "--kind", "design", "--anchor", FUNCTION]
    assert main(remember, standalone_mode=False) == 0
    return root


@pytest.fixture(scope="module")
def viewed(desk: Path, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(desk, "--no-watch") as started:
        yield started


def opened(tab: Any, viewed: Any, address: str) -> None:
    viewed.let_in(tab)
    answer = tab.goto(viewed.origin + address)
    assert answer.status == 200, answer.text()
    tab.wait_for_function(READY)


def test_every_route_is_looked_at() -> None:
    assert PAGES.keys() - {urlsplit(address).path for address in ADDRESSES.values()} <= {"/memory"}


NAMES = [name for name, address in ADDRESSES.items() if urlsplit(address).path in PAGES]


# Verifies REQ-WEB-011.
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", NAMES)
def test_it_is_read_by_all(
    viewed: Any, tab: Any, accessible: Callable[[Any], None], name: str, width: int, scheme: str
) -> None:
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 900})
    opened(tab, viewed, ADDRESSES[name])
    accessible(tab)
    assert tab.locator("h1").count() == 1
    assert tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("name", NAMES)
def test_without_script_it_has_its_content(viewed: Any, browser: Any, name: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        viewed.let_in(page)
        answer = page.goto(viewed.origin + ADDRESSES[name])
        assert answer.status == 200
        assert len(page.locator("main").text_content()) > 40
        assert page.locator("main a, main form").count() > 0
    finally:
        context.close()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "overview"])
def test_it_is_a_place_to_go_back_to(viewed: Any, tab: Any, name: str) -> None:
    opened(tab, viewed, LINKS.overview())
    address = viewed.origin + ADDRESSES[name]
    tab.goto(address)
    title = tab.title()
    tab.goto(viewed.origin + LINKS.overview())
    tab.go_back()
    assert (tab.url, tab.title()) == (address, title)


@pytest.mark.parametrize("name", NAMES)
def test_every_link_on_it_leads_somewhere(viewed: Any, tab: Any, name: str) -> None:
    opened(tab, viewed, ADDRESSES[name])
    found = tab.eval_on_selector_all(
        "main a[href]", "all => all.map(one => one.href instanceof SVGAnimatedString ? one.href.baseVal : one.href)"
    )
    # Pages only: what a link to another host says is shown, but nothing is asked there.
    own = sorted({address.partition("#")[0] for address in found if address.startswith(viewed.origin)})
    broken = [address for address in own[:60] if tab.request.get(address).status != 200]
    assert broken == []
