"""Source as HTML: line numbers with anchors, colours, a link at every call, and control characters made visible.

Kept small, since an export has all lines of a project: plain text is no element, neighbours of one kind are one, and
attributes are quoted only where they have to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from loregraph.graph.groups import unnumbered
from loregraph.pages.highlight import Line
from loregraph.pages.placing import DEFINES, Placed, Reference, Span
from loregraph.terminal import visible_html as escape

UNSURE: Final = 0.7
"""Confidence below which a link is marked as doubtful."""
MOST_BESIDE: Final = 4
"""Maximum calls named at the end of a line that does not name them."""
_WORDS: Final = {"EXTENDS": "extends", "IMPLEMENTS": "implements", "IMPORTS": "imports", "REFERENCES": "refers to"}

Address = Callable[[str], str]
"""The address of the page of a symbol, "" where it has none."""


class Addresses(NamedTuple):
    """Where names in the source lead: to the page of a `symbol`, from the name of a definition to what is `about` it.

    `outside`: calls out of the project, which lead nowhere, say what they call.
    """

    symbol: Address
    about: Address
    outside: bool = True


class Choice(NamedTuple):
    """A name in the source that may be one of several symbols, the surest first. `anchor` is the place of the list."""

    anchor: str
    line: int
    name: str
    targets: tuple[Reference, ...]


class Source(NamedTuple):
    """The lines as HTML for a `pre`, and the names in them that stand for several symbols."""

    html: Markup
    choices: tuple[Choice, ...]


def source(
    lines: Mapping[int, Line],
    placed: Placed,
    addresses: Addresses,
    *,
    defined: Mapping[int, Sequence[Span]] | None = None,
    left_out: Mapping[int, int] | None = None,
    anchors: Mapping[int, Iterable[str]] | None = None,
) -> Source:
    """`lines` by number, 1-based. `defined` are names of definitions by line, `left_out` the characters that a line was
    shortened by, `anchors` ids of further places in the page."""
    defined, left_out, anchors = defined or {}, left_out or {}, anchors or {}
    rows: list[str] = []
    choices: list[Choice] = []
    for number, line in lines.items():
        rows += (f'<a id="{escape(one)}"></a>' for one in anchors.get(number, ()))
        rows.append(f"<i id=L{number}>{number}</i>")
        spans = [*placed.spans.get(number, ())]
        spans += (one for one in defined.get(number, ()) if not any(_overlap(one, other) for other in spans))
        rows.append(_row(number, line, sorted(spans), addresses, choices))
        if number in left_out:
            rows.append(f"<b>… {left_out[number]:,} more characters</b>")
        if beside := placed.beside.get(number, ()):
            rows.append(_beside(beside, addresses.symbol))
        rows.append("\n")
    return Source(Markup("".join(rows)), tuple(choices))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _row(number: int, line: Line, spans: Sequence[Span], addresses: Addresses, choices: list[Choice]) -> str:
    """The pieces of a line, cut where a span begins or ends."""
    parts: list[str] = []
    waiting = list(reversed(spans))
    at = 0
    for kind, text in line:
        end = at + len(text)
        while at < end:
            while waiting and waiting[-1].end <= at:
                waiting.pop()
            span = waiting[-1] if waiting else None
            if span is None or span.start >= end:
                stop, span = end, None
            elif span.start > at:
                stop, span = span.start, None
            else:
                stop = min(end, span.end)
            own = text[at - end : (stop - end) or None]
            coloured = f"<s class={kind}>{escape(own)}</s>" if kind else escape(own)
            parts.append(coloured if span is None else _linked(coloured, own, number, span, addresses, choices))
            at = stop
    return "".join(parts)


def _linked(html: str, name: str, number: int, span: Span, addresses: Addresses, choices: list[Choice]) -> str:
    first = span.targets[0]
    if len(span.targets) > 1 and any(map(addresses.symbol, (one.id for one in span.targets))):
        anchor = f"C{number}-{span.start}"
        if not choices or choices[-1].anchor != anchor:
            choices.append(Choice(anchor, number, name, span.targets))
        return f'<a class=m href=#{anchor} title="{len(span.targets)} candidates">{html}</a>'
    is_definition = first.rel == DEFINES
    where = (addresses.about if is_definition else addresses.symbol)(first.id)
    if not where:
        return html if is_definition or not addresses.outside else f'<u title="{escape(said(first))}">{html}</u>'
    kind = " class=d" if is_definition else " class=u" if first.confidence < UNSURE else ""
    return f'<a{kind} href="{escape(where)}" title="{escape(said(first))}">{html}</a>'


def _beside(targets: Sequence[Reference], address: Address) -> str:
    parts = []
    for one in targets[:MOST_BESIDE]:
        name, where = escape(name_of(one.id)), address(one.id)
        title = f' title="{escape(said(one))}"'
        parts.append(f'<a href="{escape(where)}"{title}>{name}</a>' if where else f"<span{title}>{name}</span>")
    more = len(targets) - MOST_BESIDE
    return f"<b>→ {', '.join(parts)}{f' and {more:,} more' if more > 0 else ''}</b>"


def anchor(id: str) -> str:
    """The anchor of a symbol in the page of its file."""
    return "s." + "_".join(id.partition("::")[2].split())


def name_of(id: str) -> str:
    """The last two names of a symbol's id, without its file and the numbers of its definitions: `QuerySet.filter`."""
    inside = unnumbered(id).partition("::")[2] or id.removeprefix("external:")
    return ".".join(inside.split(".")[-2:])


def said(one: Reference) -> str:
    """What a link is based on, in short: `calls QuerySet.filter: inferred-type, 84 %`."""
    if one.rel == DEFINES:
        return name_of(one.id)
    words = f"{_WORDS.get(one.rel, 'calls')} {name_of(one.id)}"
    if one.rel not in ("CALLS", "REFERENCES"):
        return words
    return f"{words}: {one.how}, {one.confidence:.0%}" if one.how else words
