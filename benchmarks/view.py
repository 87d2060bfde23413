"""What a person waits for in `loregraph view`, and what its export costs.

    python benchmarks/view.py [--repository FOLDER] [--runs 7] [--no-export] [--json]

Indexes FOLDER (Django) into a store of its own, then measures, in Chromium through Playwright:

    start     from the command to its address, and to the first answer
    pages     of map, symbol, file, requirements, findings, duplicates, memories and ask: first paint, first contentful
              paint, end of loading, bytes transferred. `cold` is the first time for a graph, when everything has to be
              computed, in a viewer of its own; the others are later visits with an empty cache of the browser
    box       from a click on a closed box of the map to the opened one
    search    from a key to the results, for a word typed letter by letter
    export    seconds, processor seconds of all processes, bytes, files, and what the first page and the map weigh

Every number is a median and the 95th percentile of `runs`; `noise` says how busy the machine was. Ends with 1 where a
page answers with an error, or reports one in its console.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

from corpus import django
from live import noise, percentile
from playwright.sync_api import Browser, Page, sync_playwright

from loregraph.graph.columns import GraphColumns
from loregraph.project import Project
from loregraph.viewer.routes import PAGES

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
WIDTH, HEIGHT = 1280, 900
COLD_RUNS = 3
TYPED = "queryset"
PATIENCE_MS = 60_000
AIMS = {"cold first contentful paint of the map": 2000.0, "box": 200.0, "search": 200.0}
"""Milliseconds, medians, on Django."""

PAINTS = """() => {
  const paint = name => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
  const [page] = performance.getEntriesByType("navigation");
  const loaded = [page, ...performance.getEntriesByType("resource")];
  return {
    "first paint": paint("first-paint"),
    "first contentful paint": paint("first-contentful-paint"),
    "loaded": page.loadEventEnd,
    "bytes": loaded.reduce((sum, one) => sum + one.transferSize, 0),
    "document bytes": page.decodedBodySize,
  };
}"""
OPENED = """() => new Promise(resolve => {
  const boxes = () => document.querySelectorAll(".map-box.opened").length;
  const before = boxes();
  const closed = [...document.querySelectorAll(".map-box:not(.opened) a[data-map-go]")];
  if (!closed.length) return resolve(null);
  const begun = performance.now();
  const look = () => boxes() > before
    ? requestAnimationFrame(() => resolve(performance.now() - begun)) : setTimeout(look, 1);
  closed[Math.floor(closed.length / 2)].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  look();
})"""
WATCH_SEARCH = """() => {
  const box = document.querySelector("dialog.finder");
  window.searched = [];
  let begun = 0;
  box.addEventListener("input", () => { begun = performance.now(); }, true);
  new MutationObserver(() => { if (begun) { searched.push(performance.now() - begun); begun = 0; } })
    .observe(box.querySelector("[role=listbox]"), { childList: true, subtree: true });
}"""


@contextmanager
def viewing(root: Path, store: Path) -> Iterator[tuple[str, float, float]]:
    """(address, seconds to it, seconds to the first answer) of a viewer of its own."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [LOREGRAPH, "--root", str(root), "--store", str(store), "view", "--no-open", "--no-watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        told = time.perf_counter() - begun
        with urlopen(address) as answer:
            answer.read()
        yield address, told, time.perf_counter() - begun
    finally:
        process.terminate()
        process.wait(20)


def subjects(root: Path, store: Path) -> dict[str, str]:
    """Name → address of the pages to measure: those that the viewer has, of the symbol that most others call."""
    with Project(root, store=store) as project:
        columns = project.reader().columns
        symbol = most_called(columns)
        requirements = columns.nodes("Requirement")
        found = {
            "overview": "/",
            "map": "/map",
            "symbol": f"/symbol?id={quote(columns.id(symbol))}",
            "file": f"/file?path={quote(columns.path(symbol))}",
            "requirements": "/requirements",
            "findings": "/findings",
            "duplicates": "/duplicates",
            "memories": "/memories",
            "ask": "/ask",
        }
        if len(requirements):
            found["requirement"] = f"/requirement?id={quote(columns.id(int(requirements[0])))}"
    return {name: address for name, address in found.items() if urlsplit(address).path in PAGES}


def most_called(columns: GraphColumns) -> int:
    return max(columns.symbols().tolist(), key=lambda node: (len(columns.into(node, "CALLS")), -node))


def visited(browser: Browser, address: str, page_address: str, wrong: list[str]) -> dict[str, float]:
    """A visit of a page by a browser that knows nothing yet."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    try:
        page = let_in(context.new_page(), address)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        answer = page.goto(page_address, wait_until="load", timeout=PATIENCE_MS)
        if answer is None or answer.status != 200:
            wrong.append(f"{page_address}: {answer.status if answer else 'no answer'}")
        page.wait_for_timeout(100)
        measured: dict[str, float] = page.evaluate(PAINTS)
        return measured
    finally:
        context.close()


def let_in(page: Page, address: str) -> Page:
    """Uses the address with the token, without loading a page of the project."""
    origin = f"{urlsplit(address).scheme}://{urlsplit(address).netloc}"
    with urlopen(address) as answer:
        name, _, value = (answer.headers["set-cookie"] or "").partition(";")[0].partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": origin, "sameSite": "Strict", "httpOnly": True}])
    return page


def measured_pages(
    browser: Browser, root: Path, store: Path, runs: int, wrong: list[str]
) -> tuple[dict[str, Any], list[float], list[float]]:
    """Name of the page → its numbers; then the starts, to the address and to the first answer."""
    told, answered = [], []
    pages: dict[str, Any] = {}
    for name, path in subjects(root, store).items():
        cold = []
        for _ in range(COLD_RUNS):
            with viewing(root, store) as (address, to_address, to_answer):
                told.append(to_address)
                answered.append(to_answer)
                cold.append(visited(browser, address, origin_of(address) + path, wrong))
        pages[name] = {"cold": summed(cold)}
    with viewing(root, store) as (address, _, _):
        for name, path in subjects(root, store).items():
            visited(browser, address, origin_of(address) + path, wrong)
            pages[name] |= summed([visited(browser, address, origin_of(address) + path, wrong) for _ in range(runs)])
    return pages, told, answered


def origin_of(address: str) -> str:
    return f"{urlsplit(address).scheme}://{urlsplit(address).netloc}"


def interactions(browser: Browser, root: Path, store: Path, runs: int) -> dict[str, list[float]]:
    """Milliseconds of each opened box, and of each letter of a search."""
    boxes, letters = [], []
    with viewing(root, store) as (address, _, _):
        for _ in range(runs):
            context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
            page = let_in(context.new_page(), address)
            page.goto(f"{origin_of(address)}/map", wait_until="load", timeout=PATIENCE_MS)
            for _ in range(3):
                opened = page.evaluate(OPENED)
                boxes += [] if opened is None else [opened]
            page.keyboard.press("/")
            page.wait_for_selector("dialog.finder[open]")
            page.evaluate(WATCH_SEARCH)
            for letter in TYPED:
                page.keyboard.type(letter)
                page.wait_for_timeout(400)
            letters += page.evaluate("searched")
            context.close()
    return {"box": boxes, "search": letters}


def exported(root: Path, store: Path, folder: Path) -> dict[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [LOREGRAPH, "--root", str(root), "--store", str(store), "view", "--export", str(folder)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    sizes = {file.relative_to(folder).as_posix(): file.stat().st_size for file in folder.rglob("*") if file.is_file()}
    first = [name for name in sizes if name in ("index.html", "map.html") or name.startswith("assets/")]
    return {
        "seconds": seconds,
        "processor seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "bytes": sum(sizes.values()),
        "files": len(sizes),
        "bytes of the first page, the map and what they need": sum(sizes[name] for name in first),
        "bytes of the largest file": max(sizes.values()),
    }


def summed(runs: Sequence[dict[str, float]]) -> dict[str, Any]:
    return {name: summary([run[name] for run in runs]) for name in runs[0]}


def summary(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"median": float("nan"), "p95": float("nan")}
    return {"median": statistics.median(values), "p95": percentile(values, 0.95)}


def measure(root: Path, runs: int, wrong: list[str], *, exports: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="loregraph-view-") as scratch:
        os.environ["LOREGRAPH_HOME"] = f"{scratch}/home"
        store, folder = Path(scratch) / "store", Path(scratch) / "site"
        index = [LOREGRAPH, "--root", str(root), "--store", str(store), "index", "--no-embed"]
        subprocess.run(index, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            pages, told, answered = measured_pages(browser, root, store, runs, wrong)
            acted = interactions(browser, root, store, runs)
            browser.close()
        return {
            "start": {"address": summary(told), "answer": summary(answered)},
            "pages": pages,
            **{name: summary(values) for name, values in acted.items()},
            "export": exported(root, store, folder) if exports else {},
            "noise": noise(),
        }


def show(found: dict[str, Any]) -> None:
    for name, one in found["start"].items():
        print(f"start to {name:24} {one['median']:8.2f} s    p95 {one['p95']:8.2f} s")
    print(f"\n{'page':14}{'cold':>9}{'paint':>9}{'p95':>9}{'content':>9}{'p95':>9}{'loaded':>9}{'p95':>9}{'kB':>9}")
    for name, page in found["pages"].items():
        cells = [page["cold"]["first contentful paint"]["median"]]
        for kind in ("first paint", "first contentful paint", "loaded"):
            cells += [page[kind]["median"], page[kind]["p95"]]
        print(f"{name:14}" + "".join(f"{cell:9.0f}" for cell in (*cells, page["bytes"]["median"] / 1000)))
    for name in ("box", "search"):
        print(f"\n{name:14}{found[name]['median']:9.0f} ms  p95 {found[name]['p95']:6.0f} ms", end="")
    print("\n\nexport")
    for name, value in found["export"].items():
        print(f"  {name:55}{value:14,.1f}")
    busy = found["noise"]
    print(f"\nnoise: load {busy['load']:.1f} on {busy['cores']} cores; a fixed computation took in the middle")
    print(f"{busy['slower']:.2f} times its best, at worst {busy['worst']:.2f} times")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repository", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--no-export", action="store_true", help="measure the pages only")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if CHROMIUM is None:
        sys.exit("there is no Chromium here")
    wrong: list[str] = []
    found = measure(options.repository or django(), options.runs, wrong, exports=not options.no_export)
    if options.json:
        print(json.dumps({**found, "aims": AIMS, "wrong": wrong}, indent=1))
    else:
        show(found)
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
