"""Which pages an export has, the names of their files, and the links between them."""

from __future__ import annotations

import re

import pytest

from loregraph.viewer.site import INDEX, LONGEST_NAME, RULES, Site, SiteLinks, Wanted, file_name

ROUTES = ("/", "/map", "/file", "/requirements", "/requirement", "/findings", "/ask", "/data/names")
HOSTILE = (
    "../../etc/passwd",
    "/absolute",
    "CON",
    "aux.py",
    "a" * 5000,
    "trailing. ",
    ".hidden",
    "_underscore.py",
    "src/A.py",
    "src/a.py",
    "src-a.py",
    "C:\\x\\y",
    'quote"<script>.py',
    "new\nline\x00nul",
    "\u202egnp.exe",
    "日本語.py",
    "half \udc80 surrogate",
    "%2e%2e/%00",
    "a?b#c&d",
)


def file(path: str) -> Wanted:
    return Wanted("/file", (("path", path),))


# Verifies REQ-WEB-010.
def test_names_are_safe_and_differ_on_every_file_system() -> None:
    names = [file_name(file(path)) for path in HOSTILE]
    assert len({name.casefold() for name in names}) == len(HOSTILE)
    for name in names:
        assert re.fullmatch(r"file/[A-Za-z0-9][A-Za-z0-9-]*\.html", name), name
        assert ".." not in name
        assert len(name) <= len("file/") + LONGEST_NAME + 20
        assert not re.fullmatch(r"(?i)file/(con|prn|aux|nul|com\d|lpt\d)(\..*)?", name)


def test_names_tell_what_they_are_of_and_stay_the_same() -> None:
    assert file_name(Wanted("/")) == INDEX
    assert file_name(Wanted("/requirements")) == "requirements.html"
    assert file_name(Wanted("/data/names")) == "data/names.js"
    assert file_name(Wanted("/requirement", (("id", "REQ-1"),))) == "requirement/REQ-1-39a0bccea9.html"
    assert file_name(file("django/db/models/base.py")).startswith("file/django-db-models-base-py-")
    assert file_name(Wanted("/data/map", (("open", "app"),))).startswith("data/map-app-")


def test_a_name_that_is_taken_gets_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loregraph.viewer.site.DIGEST", 0)
    site = Site(ROUTES)
    assert [site.name(file(path)) for path in ("a b", "A/B", "a-b")] == [
        "file/a-b-.html", "file/A-B--2.html", "file/a-b--3.html",
    ]  # fmt: skip


def test_a_link_adds_its_page_once_and_none_beyond_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "/file", RULES["/file"]._replace(most=2))  # type: ignore[arg-type]
    site = Site(ROUTES)
    names = [site.name(file(path)) for path in ("a", "b", "a", "c")]
    assert names[0] == names[2] != names[1]
    assert names[3] == ""
    assert list(site.waiting) == [file("a"), file("b")]
    assert site.left_out["/file"] == {file("c")}


def test_pages_that_need_a_server_have_no_name() -> None:
    site = Site(ROUTES)
    assert site.name(Wanted("/ask")) == ""
    assert site.name(Wanted("/nothing")) == ""
    assert site.name(Wanted("/requirements", (("status", "draft"),))) == ""
    assert site.name(Wanted("/findings", (("rule", "cycles"),))) != ""
    site.close("/requirement")
    assert site.name(Wanted("/requirement", (("id", "R"),))) == ""
    assert site.name(Wanted("/map")) == "map.html"
    site.close()
    assert site.name(Wanted("/findings")) == ""
    assert Site.of(site.names).name(Wanted("/map")) == "map.html"


# Verifies REQ-WEB-010.
def test_links_are_relative_to_their_page() -> None:
    site = Site(ROUTES)
    page, other = site.name(file("src/a.py")), site.name(file("src/b c.py")).removeprefix("file/")
    top, below = SiteLinks(site, INDEX), SiteLinks(site, page)
    assert top.overview() == "index.html"
    assert below.overview() == "../index.html"
    assert top.file("src/a.py", 7) == f"{page}#L7"
    assert below.file("src/a.py", 7) == "#L7"
    assert below.file("src/b c.py") == other
    assert below.symbol("src/b c.py::Shop.open") == f"{other}#s.Shop.open"
    assert below.symbol("src/a.py::f") == "#s.f"
    assert below.symbol("external:os.path") == ""
    assert below.requirements() == "../requirements.html"
    assert below.data("names") == "../data/names.js"
    assert below.asset("app.js").startswith("../assets/app.js?v=")
    assert top.map("a") != ""
    assert top.map("a", "b") == top.map("b"), "there would be no end of combinations"
    assert top.map("b", "src/a.py") == page


def test_the_map_has_colours_once() -> None:
    links = SiteLinks(Site(ROUTES), "map.html")
    assert links.map("app", colour="churn") not in ("", links.map("app"))
    assert links.map("app", colour="language") not in (links.map("app"), links.map("app", colour="churn"))
    assert links.map("app", "lib", colour="churn") == links.map("lib")
    assert links.map("app", list="lib") == ""


def test_nothing_leads_to_a_server() -> None:
    links = SiteLinks(Site(ROUTES), INDEX)
    asked = (links.ask("MATCH (n) RETURN n"), links.find("x"), links.change("HEAD~1"), links.action("memory-add"))
    assert (*asked, links.part("impact", id="a"), links.events(), links.requirements(status="draft")) == ("",) * 7
