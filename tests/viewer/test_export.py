"""The pages as files."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import threading
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import pytest

from loregraph.cli.main import main
from loregraph.errors import InTheWayError, NotAllowedError, NotFoundError, NotIndexedError
from loregraph.pages.page import Data, Page
from loregraph.viewer import export as exporting
from loregraph.viewer import site_worker
from loregraph.viewer.asked import Asked
from loregraph.viewer.site import RULES

from .desk import indexed_desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed_desk(tmp_path_factory.mktemp("export"))


@pytest.fixture(scope="module")
def site(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    exporting.export(desk, folder)
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Addresses(HTMLParser):
    """The addresses in a page, the ids in it, and what would run or change something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.ids: set[str] = set()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {given["id"] or ""} if "id" in given else set()
        self.found += [(tag, given[name] or "") for name in ("href", "src", "action") if given.get(name) is not None]
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.wrong.append("a script in the page")
        if tag in ("iframe", "object", "embed", "base") or (tag == "form" and given.get("method") == "post"):
            self.wrong.append(tag)
        self.wrong += [name for name in given if name.startswith("on") or name == "style"]


def parsed(text: bytes) -> Addresses:
    page = Addresses()
    page.feed(text.decode())
    return page


# Verifies REQ-WEB-010.
def test_every_link_leads_to_a_file_of_the_export_and_a_place_in_it(site: Path) -> None:
    files = content(site)
    pages = {name: parsed(text) for name, text in files.items() if name.endswith(".html")}
    assert "index.html" in pages
    for name, page in pages.items():
        assert page.wrong == [], name
        for tag, address in page.found:
            parts = urlsplit(address)
            if parts.scheme in ("https", "data") and tag in ("a", "link"):
                continue
            assert (parts.scheme, parts.netloc) == ("", ""), (name, address)
            assert not address.startswith("/"), (name, address)
            target = (Path(name).parent / unquote(parts.path)).as_posix() if parts.path else name
            target = re.sub(r"[^/]+/\.\./", "", target)
            assert target in files, (name, address)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].ids, (name, address)


# Verifies REQ-WEB-010.
def test_every_page_allows_its_own_scripts_alone(site: Path) -> None:
    for name, text in content(site).items():
        if name.endswith(".html"):
            found = re.search(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
            assert found is not None, name
            assert b"default-src &#39;none&#39;; script-src &#39;self&#39;;" in found[1], name


# Verifies REQ-WEB-010.
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_graph_gives_the_same_bytes(
    desk: Path, site: Path, tmp_path: Path, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "ALONE_BELOW", 1)
    exporting.export(desk, tmp_path / "again", jobs=jobs)
    assert content(tmp_path / "again") == content(site)


def test_the_manifest_has_every_file(site: Path) -> None:
    files = content(site)
    manifest = json.loads(files.pop("loregraph-export.json"))
    assert manifest == {"files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}}


# Verifies REQ-SEC-005.
def test_folders_of_others_are_refused(desk: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(InTheWayError):
        exporting.export(desk, tmp_path)
    for inside in (".git/site", ".loregraph/site"):
        with pytest.raises(NotAllowedError):
            exporting.export(desk, desk / inside)
        assert not (desk / inside).exists()


def test_without_a_graph_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotIndexedError):
        exporting.export(tmp_path / "empty", tmp_path / "public")
    assert not (tmp_path / "public").exists()


def test_pages_that_cannot_be_shown_or_do_not_fit_are_said(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def file_page(asked: Asked) -> Page:
        if asked.value("path").endswith(".md"):
            raise NotFoundError("it went away")
        return Page(asked.value("path"), "error.html", {"message": "<b>", "suggestion": "", "candidates": ()})

    monkeypatch.setitem(site_worker.ROUTES, "/file", file_page)
    monkeypatch.setitem(RULES, "/file", RULES["/file"]._replace(most=3))  # type: ignore[arg-type]
    made = exporting.export(desk, tmp_path / "public", jobs=1)
    files = content(tmp_path / "public")
    pages = [text for name, text in files.items() if name.startswith("file/")]
    assert len(pages) == 3
    assert made.left_out["/file"] > 0
    assert f"Left out, to keep it small: {made.left_out['/file']} files.".encode() in files["index.html"]


def test_data_becomes_a_script_that_says_its_name(desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def overview(asked: Asked) -> Page:
        assert asked.links.data("rows") == "data/rows.js"
        return Page("first", "error.html", {"message": "", "suggestion": "", "candidates": ()})

    monkeypatch.setitem(site_worker.ROUTES, "/", overview)
    monkeypatch.setitem(site_worker.ROUTES, "/data/rows", lambda asked: Data({"</script>": "\u2028\u202e"}))
    exporting.export(desk, tmp_path / "public", jobs=1)
    text = (tmp_path / "public" / "data" / "rows.js").read_text()
    assert text == 'loregraphData("rows.js",{"</script>":"\\u2028\\u202e"});\n'


class Fragile:
    """A process that a page ends."""

    asked = 0

    def __init__(self, module: str) -> None:
        self.told: list[bytes] = []

    def tell(self, message: bytes) -> None:
        self.told.append(message)

    def ask(self, message: bytes, seconds: float) -> bytes:
        Fragile.asked += 1
        names = [values[0][1] for _, values in msgspec.msgpack.decode(message)]
        if "bomb" in names:
            raise exporting.GoneError
        return msgspec.msgpack.encode([name.encode() for name in names])

    def end(self) -> None:
        self.told.append(b"end")


def test_a_page_that_ends_its_process_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "WorkerProcess", Fragile)
    batch = [exporting.Wanted("/file", (("path", name),)) for name in ("a", "b", "bomb", "c", "d")]
    assert exporting._Worker(b"").made(batch) == [b"a", b"b", None, b"c", b"d"]


def test_who_stops_in_the_middle_does_not_wait_for_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    class Slow(Fragile):
        def ask(self, message: bytes, seconds: float) -> bytes:
            if message != msgspec.msgpack.encode(files[:1]):
                release.wait(30)
            return super().ask(message, seconds)

        def end(self) -> None:
            release.set()

    monkeypatch.setattr(exporting, "WorkerProcess", Slow)
    monkeypatch.setattr(exporting, "BATCH", 1)
    monkeypatch.setattr(Fragile, "asked", 0)
    files = [exporting.Wanted("/file", (("path", str(number)),)) for number in range(400)]
    opening = exporting.Opening("", None, {}, [], "", memories=False)
    pages: Any = None
    found = exporting._of_files(pages, files, opening, 2)
    assert next(iter(found)) == (files[0], b"0")
    found.close()  # type: ignore[attr-defined]
    assert Fragile.asked < 10


@pytest.fixture
def remembering(desk: Path, tmp_path: Path) -> Path:
    """A project with a memory for everyone and one for its author."""
    root = Path(shutil.copytree(desk, tmp_path / "desk"))
    for text, scope in (("Everyone knows the desk closes at six", "project"), ("My own secret plan", "user")):
        assert main(["--root", str(root), "memory", "add", text, "--scope", scope], standalone_mode=False) == 0
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


def texts(folder: Path) -> Mapping[str, str]:
    return {name: data.decode() for name, data in content(folder).items()}


# Verifies REQ-WEB-010.
def test_only_memories_for_everyone_are_published(remembering: Path, tmp_path: Path) -> None:
    exporting.export(remembering, tmp_path / "public", jobs=1)
    exporting.export(remembering, tmp_path / "without", jobs=1, memories=False)
    assert not [name for name, text in texts(tmp_path / "public").items() if "secret plan" in text]
    assert not [name for name, text in texts(tmp_path / "without").items() if "closes at six" in text]
    if "/memories" in site_worker.ROUTES:
        assert [name for name, text in texts(tmp_path / "public").items() if "closes at six" in text]


def test_a_function_without_a_name_has_a_place_too(tmp_path: Path) -> None:
    root = tmp_path / "small"
    root.mkdir()
    (root / "a.py").write_text("def first(rows):\n    return sorted(rows, key=lambda row: row.name)\n")
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    exporting.export(root, tmp_path / "public", jobs=1)
    page = next((tmp_path / "public" / "file").glob("a-py-*.html")).read_bytes()
    assert {"s.first", "s.first.<lambda1>"} <= parsed(page).ids
