"""Diagrams as Mermaid flowcharts (https://mermaid.js.org/syntax/flowchart.html), which Markdown pages show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.graph.diagram import Arrow, Box, Diagram, Group, nested

# Labels are read as flowchart text, HTML and, by several versions, Markdown; `\n` ends a line, `$$` begins a formula,
# and directives (`%%{…}%%`) are looked for everywhere, in comments too.
_MEANS_SOMETHING: Final = re.compile(
    r'["#%&<>`{}\\*~|$@;!\[\]]'
    r"|\b_|_\b|(?<=_)_|_(?=_)"  # within a word it is only an underscore
    r"|^[-+=]|(?<=\d)[.)](?= )"  # lists, and lines below headings
    r"|:(?=//)|(?<=\bwww)\."  # links
)


def text(diagram: Diagram, *, ascii_only: bool = False) -> Iterator[str]:
    """The lines of the document, each with its line end."""
    yield "flowchart LR\n"
    for remark in diagram.remarks:
        yield f"  %% {_escaped(remark, ascii_only)}\n"

    def box_line(box: Box) -> str:
        return f'{box.key}["{_escaped(box.label, ascii_only)}"]'

    def head(group: Group) -> tuple[str, ...]:
        return (f'subgraph {group.key}["{_escaped(group.label, ascii_only)}"]',)

    yield from nested(diagram, box_line, head, "end")
    for arrow in diagram.arrows:
        yield f"  {_arrow(arrow, ascii_only)}\n"
    for box in diagram.boxes:
        if box.is_start:
            yield f"  style {box.key} stroke-width:3px\n"
    if cycles := [str(number) for number, arrow in enumerate(diagram.arrows) if arrow.in_cycle]:
        yield f"  linkStyle {','.join(cycles)} stroke:#c62828,stroke-width:2px\n"


def _arrow(arrow: Arrow, ascii_only: bool) -> str:
    line = "-.->" if arrow.uncertain else "-->"
    label = f'|"{_escaped(arrow.label, ascii_only)}"|' if arrow.label else ""
    return f"{arrow.source} {line}{label} {arrow.target}"


def _escaped(label: str, ascii_only: bool) -> str:
    """`label` with Mermaid's entity codes, which are decimal code points."""
    shown = _MEANS_SOMETHING.sub(lambda found: f"#{ord(found[0])};", label)
    return re.sub(r"[^\x20-\x7e]", lambda found: f"#{ord(found[0])};", shown) if ascii_only else shown
