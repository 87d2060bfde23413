"""The addresses of pages. No template writes one by hand: the export has other addresses than the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, urlencode

COMPONENT: Final = "component:"
"""The beginning of ids of components."""
OUTSIDE: Final = "external:"
"""The beginning of ids of what lies outside the project."""
LINES_OF_A_PAGE: Final = 2_000
"""Lines of a file on one page of the server. The part of an address that names a line is not sent to it."""


class Links:
    """The addresses on the server. A method returns "" for what has no page."""

    def overview(self) -> str:
        return "/"

    def map(self, *opened: str, **options: object) -> str:
        """The map with these boxes opened, by path or as ids of components, and options such as `colour`."""
        paths = [one.removeprefix(COMPONENT) for one in opened]
        return self._address("map", [*(("open", one) for one in paths), *options.items()])

    def symbol(self, symbol_id: str) -> str:
        """The page of a function, class or other node of the code; none for what lies outside the project."""
        return "" if symbol_id.startswith(OUTSIDE) else self._address("symbol", [("id", symbol_id)])

    def file(self, path: str, line: int = 0) -> str:
        """A file's page, at a line unless that is 0."""
        asked = line if line > LINES_OF_A_PAGE else None
        return self._address("file", [("path", path), ("line", asked)]) + (f"#L{line}" if line else "")

    def requirements(self, **options: object) -> str:
        return self._address("requirements", options.items())

    def requirement(self, requirement_id: str, **options: object) -> str:
        return self._address("requirement", [("id", requirement_id), *options.items()])

    def compare(self, old: str = "", new: str = "") -> str:
        """The requirements of two revisions side by side."""
        return self._address("compare", [("old", old), ("new", new)])

    def findings(self, **options: object) -> str:
        return self._address("findings", options.items())

    def duplicates(self, **options: object) -> str:
        return self._address("duplicates", options.items())

    def pair(self, a: str, b: str) -> str:
        """Two functions side by side."""
        return self._address("pair", [("a", a), ("b", b)])

    def change(self, since: str = "", **options: object) -> str:
        return self._address("change", [("since", since), *options.items()])

    def memories(self, **options: object) -> str:
        return self._address("memories", options.items())

    def memory(self, memory_id: str) -> str:
        return self._address("memory", [("id", memory_id)])

    def ask(self, query: str = "", **options: object) -> str:
        return self._address("ask", [("query", query), *options.items()])

    def find(self, query: str = "") -> str:
        return self._address("find", [("q", query)])

    def part(self, name: str, **options: object) -> str:
        """A fragment that a script loads; "" where everything is on the page."""
        return self._address(f"part/{name}", options.items())

    def data(self, name: str, **options: object) -> str:
        return self._address(f"data/{name}", options.items())

    def action(self, name: str) -> str:
        """Where a form is posted to; "" where nothing can be changed."""
        return f"/do/{quote(name)}"

    def asset(self, name: str) -> str:
        from loregraph.pages.assets import version

        return f"/assets/{quote(name)}?v={version(name)}"

    def events(self) -> str:
        return "/events"

    def _address(self, path: str, options: Iterable[tuple[str, object]]) -> str:
        pairs = [(name, value) for name, value in options if value not in ("", None, False)]
        query = urlencode([(name, "1" if value is True else value) for name, value in pairs], quote_via=quote)
        return f"/{path}?{query}" if query else f"/{path}"
