"""The viewer as a process, and a real browser to look at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
SERIOUS = ("serious", "critical")


@dataclass
class Viewed:
    """A running viewer. `address` lets a browser in, `origin` is the address without the token."""

    address: str
    process: subprocess.Popen[str]

    @property
    def origin(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int:
        port = urlsplit(self.address).port
        assert port is not None
        return port

    def let_in(self, page: Page) -> None:
        """Opens the address, which lets the browser of `page` in and leads to the first page."""
        page.goto(self.address)
        page.wait_for_url(f"{self.origin}/")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def viewing() -> Callable[..., Any]:
    return running


@contextmanager
def running(root: Path, *options: str) -> Iterator[Viewed]:
    """`loregraph view` in the project at `root`, which is indexed."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "loregraph", "--root", str(root), "view", "--no-open", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), process.stderr.read()
        yield Viewed(address, process)
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.fixture(scope="module")  # while it runs, Playwright's event loop does, in which others cannot run theirs
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: the pages were not opened in a browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A page of the browser, which must not report an error nor ask any address but 127.0.0.1 and files."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(15_000)
    page = context.new_page()
    errors: list[str] = []
    elsewhere: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    page.on("request", lambda asked: None if is_here(asked.url) else elsewhere.append(asked.url))
    page.expected_errors = lambda *texts: forget(errors, texts)  # type: ignore[attr-defined]
    yield page
    context.close()
    assert errors == []
    assert elsewhere == []


@pytest.fixture
def let_in(viewed: Viewed, tab: Page) -> Callable[[str], None]:
    """Opens a page of the viewer that the test's module calls `viewed`."""
    viewed.let_in(tab)

    def go(path: str) -> None:
        tab.goto(f"{viewed.origin}{path}")

    return go


def is_here(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "file", "blob", "about") or parts.hostname == "127.0.0.1"


def forget(errors: list[str], texts: tuple[str, ...]) -> None:
    """Takes back the errors that contain one of the texts: those that a test provokes."""
    errors[:] = [error for error in errors if not any(text in error for text in texts)]


@pytest.fixture
def accessible() -> Callable[[Any], None]:
    """Fails unless axe finds nothing serious in the page."""

    def check(page: Any) -> None:
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(page).response["violations"]
        said = [
            f"{one['id']}: {one['help']}: " + "; ".join(node["html"][:200] for node in one["nodes"][:5])
            for one in found
            if one["impact"] in SERIOUS
        ]
        assert said == []

    return check
