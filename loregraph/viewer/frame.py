"""An answer as the text of a page: the frame with navigation and state around what a page shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from loregraph.errors import AmbiguousSymbolError, LoregraphError, NotFoundError
from loregraph.pages.links import Links
from loregraph.pages.page import Page, Part
from loregraph.pages.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from loregraph.viewer.asked import Asked


def navigation(links: Links) -> list[tuple[str, str, str]]:
    """(section, label, address) of the entries."""
    return [
        ("overview", "Overview", links.overview()),
        ("map", "Map", links.map()),
        ("requirements", "Requirements", links.requirements()),
        ("findings", "Findings", links.findings()),
        ("duplicates", "Duplicates", links.duplicates()),
        ("change", "Change", links.change()),
        ("memories", "Memories", links.memories()),
        ("ask", "Ask", links.ask()),
    ]


def key_field(key: str) -> Markup:
    """The hidden field that every form has."""
    from markupsafe import Markup

    return Markup('<input type="hidden" name="key" value="{}">').format(key)


def surroundings(asked: Asked, *, key: str = "", policy: str = "") -> dict[str, Any]:
    """What every template is given besides its own values."""
    return {
        "links": asked.links,
        "writes": asked.writes,
        "key_field": key_field(key) if asked.writes else "",
        "project": asked.project.root.name,
        "policy": policy,
    }


# Implements REQ-WEB-011.
def whole_page(page: Page, asked: Asked, state: str, *, key: str = "", policy: str = "") -> str:
    """`state` is the line at the bottom; `policy` a content security policy for pages without headers."""
    values: Mapping[str, object] = {
        **surroundings(asked, key=key, policy=policy),
        "title": page.title,
        "section": page.section,
        "navigation": navigation(asked.links),
        "state": state,
        **page.values,
    }
    return render(page.template, values)


def fragment(part: Part, asked: Asked, *, key: str = "") -> str:
    return render(part.template, {**surroundings(asked, key=key), **part.values})


def status_of(error: LoregraphError) -> int:
    if isinstance(error, NotFoundError):
        return 404
    return 400 if error.exit_code == 2 else 500


def error_page(error: LoregraphError) -> Page:
    candidates = error.candidates if isinstance(error, AmbiguousSymbolError) else ()
    values = {"message": error.message, "suggestion": error.suggestion, "candidates": candidates[:30]}
    title = "Not found" if isinstance(error, NotFoundError) else "This could not be shown"
    return Page(title, "error.html", values, status=status_of(error))


def error_part(error: LoregraphError) -> Part:
    return Part("error_part.html", {"message": error.message, "suggestion": error.suggestion}, status_of(error))
