"""Makes the pages of an export, in the exporting process and in others beside it."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph import orphans
from loregraph.errors import LoregraphError
from loregraph.pages.page import Data, Page
from loregraph.project import Project
from loregraph.terminal import visible_json
from loregraph.viewer import frame
from loregraph.viewer.asked import Asked, Kept
from loregraph.viewer.find import names_data
from loregraph.viewer.routes import DATA, PAGES, Answering
from loregraph.viewer.site import Site, SiteLinks, Wanted
from loregraph.worker_process import receive, send, take_output
from loregraph.workspaces.opening import opened

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
"""What the pages may load, as they say it themselves: a host of pages sends no headers of ours."""
NOBODY: Final = "nobody"
ROUTES: Final[dict[str, Answering]] = {
    **PAGES,
    **{f"/data/{name}": answer for name, answer in DATA.items()},
    "/data/names": names_data,
}


class Opening(msgspec.Struct):
    """What a worker works on: the project, and all pages of the export by name."""

    root: str
    store: str | None
    options: dict[str, Any]
    names: list[tuple[Wanted, str]]
    state: str
    memories: bool


class SitePages:
    """The content of the pages of one export. `state` is the line at the bottom of each."""

    def __init__(self, project: Project, site: Site, state: str) -> None:
        self._project = project
        self._site = site
        self._state = state
        self._kept = Kept()

    def made(self, wanted: Wanted, remarks: tuple[str, ...] = ()) -> bytes:
        """The content of a page or of data; one that cannot be shown says why. `remarks` go before the page's own."""
        name = self._site.name(wanted)
        asked = Asked(self._project, SiteLinks(self._site, name), wanted.values, self._kept, writes=False)
        try:
            answer = ROUTES[wanted.route](asked)
        except LoregraphError as error:
            answer = frame.error_page(error)
        if name.endswith(".js"):
            return script(name, answer.value if isinstance(answer, Data) else None)
        if not isinstance(answer, Page):
            answer = frame.error_page(LoregraphError("This is not part of an export.", "`loregraph view` shows it."))
        if remarks:
            own = answer.values.get("remarks", ())
            assert isinstance(own, tuple | list)
            answer = replace(answer, values={**answer.values, "remarks": [*remarks, *own]})
        return self._page(answer, asked)

    def failed(self, wanted: Wanted) -> bytes:
        """A page in place of one that ended its process."""
        error = LoregraphError("This page took too much time or memory.", "`loregraph view` may show it.")
        links = SiteLinks(self._site, self._site.name(wanted))
        return self._page(frame.error_page(error), Asked(self._project, links, kept=self._kept))

    def _page(self, page: Page, asked: Asked) -> bytes:
        text = frame.whole_page(page, asked, self._state, policy=POLICY)
        # What has no page in an export is no link. In texts and JSON quotation marks are escaped.
        return text.replace(' href=""', "").encode("utf-8", "backslashreplace")


def script(name: str, value: object) -> bytes:
    """Data as a script that gives it to `load.js`: pages opened as files cannot fetch."""
    document = visible_json(msgspec.json.encode(value).decode("utf-8", "backslashreplace"))
    return f"loregraphData({msgspec.json.encode(name.rpartition('/')[2]).decode()},{document});\n".encode()


def as_anyone(project: Project, memories: bool) -> None:
    """Shows only memories that everyone in the project may see, or none."""
    project.show_memories_of(NOBODY, None if memories else NOBODY)


def main() -> None:
    """Makes the pages named by each message until the input ends."""
    orphans.end_with_parent()
    # Before numpy loads: see cli.main.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = take_output()
    first = receive(sys.stdin.buffer)
    if first is None:
        return
    opening = msgspec.msgpack.decode(first, type=Opening)
    store = None if opening.store is None else Path(opening.store)
    with opened(Path(opening.root), store, opening.options) as project:
        as_anyone(project, opening.memories)
        pages = SitePages(project, Site.of(dict(opening.names)), opening.state)
        while (message := receive(sys.stdin.buffer)) is not None:
            wanted = msgspec.msgpack.decode(message, type=list[Wanted])
            send(output, msgspec.msgpack.encode([pages.made(one) for one in wanted]))
