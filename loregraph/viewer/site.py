"""The pages of an export: which there are, the names of their files, and the links between them."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple
from urllib.parse import quote

from loregraph.pages.links import COMPONENT, OUTSIDE, Links
from loregraph.pages.source import anchor

INDEX: Final = "index.html"
DATA: Final = "data"
LONGEST_NAME: Final = 60
"""Characters of a file's name before its digest."""
DIGEST: Final = 10

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9]+")


class Wanted(NamedTuple):
    """A page or data, by its route (as in `routes`, data with `/data/`) and its sorted options."""

    route: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """The options in the form of `Asked`."""
        found: dict[str, tuple[str, ...]] = {}
        for name, value in self.options:
            found[name] = (*found.get(name, ()), value)
        return found


class Rule(NamedTuple):
    """`options`: those with which, each once, a route has pages of its own, at most `most` of them."""

    options: frozenset[str] = frozenset()
    most: int = 1


RULES: Final[Mapping[str, Rule]] = {
    "/map": Rule(frozenset({"open", "colour"}), 200),
    "/file": Rule(frozenset({"path"}), 6000),
    "/requirements": Rule(frozenset({"document", "section", "read", "state", "files", "page"}), 300),
    "/requirement": Rule(frozenset({"id"}), 5000),
    "/findings": Rule(frozenset({"rule", "start"}), 150),
    "/duplicates": Rule(frozenset({"start"}), 50),
    "/pair": Rule(frozenset({"a", "b"}), 500),
    "/memory": Rule(frozenset({"id"}), 2000),
    # These need somebody to answer: a revision, a question.
    "/change": Rule(most=0),
    "/compare": Rule(most=0),
    "/ask": Rule(most=0),
    "/find": Rule(most=0),
    "/data/find": Rule(most=0),
    "/symbol": Rule(most=0),
}
"""Route → what of it is exported; of others the page without options."""


class Site:
    """Which pages are exported. While it grows, a link to a page of the table adds it, unless its route is closed."""

    def __init__(self, routes: Collection[str]) -> None:
        self._routes = routes
        self._names: dict[Wanted, str] = {}
        self._taken: set[str] = set()
        self._count: dict[str, int] = defaultdict(int)
        self._closed: set[str] = set()
        self.coloured: str | None = None
        """The box opened in the map that has its colours."""
        self.waiting: deque[Wanted] = deque()
        """Pages that were added and have to be made."""
        self.left_out: dict[str, set[Wanted]] = defaultdict(set)
        """Route → pages beyond what its rule allows."""

    def name(self, wanted: Wanted) -> str:
        """The file's name with `/`, "" where the export does not have it."""
        known = self._names.get(wanted)
        if known is not None:
            return known
        rule = RULES.get(wanted.route, Rule())
        if wanted.route in self._closed or wanted.route not in self._routes or not rule.most:
            return ""
        given = [name for name, _ in wanted.options]
        if len(set(given)) < len(given) or not rule.options.issuperset(given):
            return ""
        if wanted.options and self._count[wanted.route] >= rule.most:
            self.left_out[wanted.route].add(wanted)
            return ""
        self._count[wanted.route] += bool(wanted.options)
        name = self._names[wanted] = self._free(file_name(wanted))
        self.waiting.append(wanted)
        return name

    def close(self, *routes: str) -> None:
        """Adds no more pages of these routes, or of none."""
        self._closed.update(routes or self._routes)

    @property
    def names(self) -> Mapping[Wanted, str]:
        return self._names

    @classmethod
    def of(cls, names: Mapping[Wanted, str]) -> Site:
        """A site with these pages and no others."""
        made = cls(())
        made._names = dict(names)
        return made

    def _free(self, name: str) -> str:
        """`name`, or with a number where another page has it: digests can be made to collide."""
        stem, dot, end = name.rpartition(".")
        free, number = name, 2
        while free.casefold() in self._taken:
            free, number = f"{stem}-{number}{dot}{end}", number + 1
        self._taken.add(free.casefold())
        return free


def file_name(wanted: Wanted) -> str:
    """A name that every file system and pages host takes, readable as far as possible, and the same in every export.

    ASCII, no hidden or reserved name (`aux.py` is one on Windows), short, and different by more than case.
    """
    route = wanted.route.strip("/")
    if not route:
        return INDEX
    if route.startswith(f"{DATA}/"):
        folder, kind, ending = DATA, route.removeprefix(f"{DATA}/"), "js"
    else:
        folder, kind, ending = "", route, "html"
    if not wanted.options:
        return f"{folder}/{kind}.{ending}" if folder else f"{kind}.{ending}"
    text = "\0".join(part for option in wanted.options for part in option)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]
    # The end of a path tells more than its beginning.
    shown = _UNSAFE.sub("-", "-".join(value for _, value in wanted.options)).strip("-")
    if len(shown) > LONGEST_NAME:
        shown = shown[-LONGEST_NAME:].partition("-")[2] or shown[-LONGEST_NAME:]
    return f"{folder or kind}/{kind + '-' if folder else ''}{shown}{'-' if shown else ''}{digest}.{ending}"


class SiteLinks(Links):
    """The addresses in a page of the export, relative to it; `here` is the name of its file. A symbol is a place in the
    page of its file."""

    def __init__(self, site: Site, here: str) -> None:
        self._site = site
        self._here = here
        self._up = "../" * here.count("/")

    def overview(self) -> str:
        return self._relative(self._site.name(Wanted("/")))

    def map(self, *opened: str, **options: object) -> str:
        """With the last box alone, which has those around it open: there would be no end of combinations. A file's page
        is better than its box. Colours are those of the first map that links to them."""
        last = opened[-1].removeprefix(COMPONENT) if opened else ""
        if Wanted("/file", (("path", last),)) in self._site.names:
            return self.file(last)
        if options.get("colour"):
            if self._site.coloured is None:
                self._site.coloured = last
            if self._site.coloured != last:
                options = {**options, "colour": ""}
        return self._address("map", [("open", last), *options.items()])

    def symbol(self, symbol_id: str) -> str:
        path, inside, _ = symbol_id.partition("::")
        page = "" if symbol_id.startswith(OUTSIDE) else self._site.name(Wanted("/file", (("path", path),)))
        if not page:
            return ""
        return self._place(page, f"#{quote(anchor(symbol_id))}" if inside else "")

    def file(self, path: str, line: int = 0) -> str:
        page = self._site.name(Wanted("/file", (("path", path),)))
        return self._place(page, f"#L{line}" if line else "") if page else ""

    def _place(self, page: str, place: str) -> str:
        return place if place and page == self._here else self._relative(page) + place

    def find(self, query: str = "") -> str:
        return ""

    def part(self, name: str, **options: object) -> str:
        return ""

    def action(self, name: str) -> str:
        return ""

    def asset(self, name: str) -> str:
        from loregraph.pages.assets import version

        return f"{self._up}assets/{quote(name)}?v={version(name)}"

    def events(self) -> str:
        return ""

    def _address(self, path: str, options: Iterable[tuple[str, object]]) -> str:
        given = [(name, value) for name, value in options if value not in ("", None, False)]
        pairs = tuple(sorted((name, "1" if value is True else str(value)) for name, value in given))
        return self._relative(self._site.name(Wanted(f"/{path}", pairs)))

    def _relative(self, name: str) -> str:
        folder = self._here.rpartition("/")[0]
        if folder and name.startswith(f"{folder}/"):
            return quote(name.removeprefix(f"{folder}/"))
        return self._up + quote(name) if name else ""
