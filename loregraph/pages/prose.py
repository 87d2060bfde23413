"""Text that people wrote in documents as markup: Markdown's own, and nothing of it that acts.

No HTML, images or styles of a document reach a page, and its links only if they lead to the web: markdown-it escapes
everything else, and what is printed is what `terminal.visible_lines` leaves.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from loregraph.terminal import visible_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markupsafe import Markup

MOST: Final = 20_000
"""Maximum characters rendered."""
LONGEST_LINE: Final = 4_000
"""A longer line makes a text plain: no prose has one, and an inline parser may need long for it."""
_MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mdx", ".yml", ".yaml")
"""Files whose texts are Markdown; doorstop's items are, in YAML."""
_SCHEMES: Final = ("http://", "https://", "mailto:")


# Implements REQ-SEC-008.
def prose(text: str, path: str) -> Markup:
    """`text` as paragraphs, lists, tables and code where the document at `path` is Markdown, else by blank lines."""
    from markupsafe import Markup

    text, cut = text[:MOST], len(text) > MOST
    shown = visible_lines(text)
    long = any(len(line) > LONGEST_LINE for line in shown.split("\n"))
    if path.lower().endswith(_MARKDOWN) and not long:
        # The renderer escapes what it does not render.
        made = Markup(_renderer().render(shown))
    else:
        made = Markup("\n").join(Markup("<p>{}</p>").format(one.strip("\n")) for one in _paragraphs(shown))
    return made + Markup("<p>…</p>") if cut else made


def _paragraphs(text: str) -> list[str]:
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if lines]


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Headings of a document would stand among those of the page.
    made.disable(["image", "html_block", "html_inline", "lheading", "heading", "reference"])
    made.validateLink = lambda url: url.lower().startswith(_SCHEMES)  # type: ignore[method-assign]
    made.add_render_rule("link_open", _link)
    for cell in ("th_open", "td_open"):  # columns are aligned by a style, which no page may have
        made.add_render_rule(cell, _cell)
    return made


def _cell(renderer: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
    return f"<{tokens[at].tag}>"


def _link(renderer: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
    tokens[at].attrSet("rel", "noreferrer noopener")
    text: str = renderer.renderToken(tokens, at, options, env)
    return text
