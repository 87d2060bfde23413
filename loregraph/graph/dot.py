"""Diagrams in the DOT language (https://graphviz.org/doc/info/lang.html) of Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterator

from loregraph.graph.diagram import Arrow, Box, Diagram, Group, nested


def text(diagram: Diagram, *, ascii_only: bool = False) -> Iterator[str]:
    """The lines of the document, each with its line end."""
    yield "digraph loregraph {\n"
    for remark in diagram.remarks:
        yield f"  // {_ascii(remark) if ascii_only else remark}\n"
    yield "  rankdir=LR\n"
    yield '  node [shape=box, style=rounded, fontname="sans-serif", fontsize=11]\n'
    yield '  edge [fontname="sans-serif", fontsize=9]\n'

    def box_line(box: Box) -> str:
        bold = ", penwidth=3" if box.is_start else ""
        return f"{box.key} [label={_quoted(box.label, ascii_only)}{bold}]"

    def head(group: Group) -> tuple[str, ...]:
        # Graphviz draws a frame only around subgraphs of this name.
        return f"subgraph cluster_{group.key} {{", f"label={_quoted(group.label, ascii_only)}"

    yield from nested(diagram, box_line, head, "}")
    for arrow in diagram.arrows:
        yield f"  {_arrow(arrow, ascii_only)}\n"
    yield "}\n"


def _arrow(arrow: Arrow, ascii_only: bool) -> str:
    properties = [f"label={_quoted(arrow.label, ascii_only)}"] if arrow.label else []
    properties += ["style=dashed"] if arrow.uncertain else []
    properties += ['color="#c62828"', "penwidth=2"] if arrow.in_cycle else []
    return f"{arrow.source} -> {arrow.target}" + (f" [{', '.join(properties)}]" if properties else "")


def _quoted(label: str, ascii_only: bool) -> str:
    r"""A quoted string: `\n` and `\N` have a meaning in labels, and so have HTML's entities."""
    shown = label.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{_ascii(shown) if ascii_only else shown}"'


def _ascii(text: str) -> str:
    return re.sub(r"[^\x20-\x7e]", lambda found: f"&#{ord(found[0])};", text)
