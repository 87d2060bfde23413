"""Copies as one HTML page: families by removable lines, sources side by side, differences marked.

A self-contained file: no network, no third-party scripts, no fonts. All content of the project's files is escaped.
Everything is collapsed, so that a thousand pairs open as fast as ten.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from loregraph.analysis.duplicates.lexical_rules import lexer_of
from loregraph.analysis.duplicates.results import CLONE_TYPES, CODE, ROLES, SEMANTIC, Duplicates, Family, Side
from loregraph.analysis.duplicates.tokens import COMMENT, LINE_END, kind_of
from loregraph.graph.columns import GraphColumns
from loregraph.terminal import visible_html as escape

Lines = Callable[[str], Sequence[str]]
"""The lines of a file of the project."""
LanguageOf = Callable[[str], str]
"""The language of a file of the project."""

SHOWN_BESIDE: Final = 8
"""Members of a family shown beside the one to keep; the others are listed."""
MOST_FAMILIES: Final = 1_000
LONGEST: Final = 400
"""Maximum lines shown of a copy."""
_DOCSTRING_ENDS: Final = ('"""', "'''")
MOST_TOKENS: Final = 2_500
"""Maximum tokens for marking differences: more would take seconds per pair."""

_STYLE: Final = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--dim:#5c6470;--line:#d9dde3;--box:#f5f6f8;--mark:#ffe08a;
--link:#0b57d0}
@media(prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e4e6ea;--dim:#9aa3af;--line:#343941;--box:#1e2126;
--mark:#6b5200;--link:#8ab4f8}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1500px;padding:1.5rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}h1{font-size:1.4rem;margin:0 0 .3rem}p{margin:.3rem 0}.dim{color:var(--dim)}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;background:var(--paper)}
summary{cursor:pointer;padding:.5rem .8rem;overflow-wrap:anywhere}summary:hover{background:var(--box)}
details[open]>summary{border-bottom:1px solid var(--line)}.body{padding:.5rem .8rem}
.kind{display:inline-block;min-width:4.2rem;font-variant-numeric:tabular-nums}.size{float:right;color:var(--dim)}
code,pre{font:13px/1.45 ui-monospace,monospace}.two{display:grid;grid-template-columns:1fr 1fr;gap:.6rem}
.two>div{min-width:0}.two p{overflow-wrap:anywhere}pre{margin:0;padding:.5rem;background:var(--box);overflow-x:auto;
border-radius:4px;tab-size:4}mark{background:var(--mark);color:inherit;border-radius:2px}.n{color:var(--dim);
user-select:none}ul{margin:.3rem 0;padding-left:1.3rem}li{overflow-wrap:anywhere}
input{font:inherit;padding:.35rem .6rem;width:min(32rem,100%);margin:.6rem 0;border:1px solid var(--line);
border-radius:6px;background:var(--box);color:inherit}@media(max-width:800px){.two{grid-template-columns:1fr}}
"""
_SCRIPT: Final = """
const box=document.getElementById('filter'),all=[...document.querySelectorAll('main>details')];
box.addEventListener('input',()=>{const want=box.value.toLowerCase();
for(const one of all)one.hidden=!one.dataset.paths.toLowerCase().includes(want)});
"""


def page(found: Duplicates, title: str, columns: GraphColumns, lines: Lines) -> Iterator[str]:
    """`to_html` with the languages in `columns`; `lines` is called once per file."""

    def language_of(path: str) -> str:
        node = columns.find_id(path)
        return "" if node is None else columns.language(node)

    return to_html(found, title, cache(lines), language_of)


def to_html(found: Duplicates, title: str, lines: Lines, language_of: LanguageOf) -> Iterator[str]:
    """The page in pieces. `title` names the project."""
    shown = found.families[:MOST_FAMILIES]
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Duplicates in {escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>Duplicates in {escape(title)}</h1>\n"
    )
    yield f"<p>{_summary(found)}</p>\n"
    yield from (f'<p class="dim">{escape(notice)}.</p>\n' for notice in found.notices)
    if len(found.families) > len(shown):
        yield f'<p class="dim">The first {len(shown):,} families are shown; --json has all.</p>\n'
    yield '<details><summary>What the types mean</summary><div class="body"><ul>'
    yield "".join(f"<li><b>{name}</b>: {escape(text)}</li>" for name, text in CLONE_TYPES.items())
    yield "</ul></div></details>\n"
    yield '<input id="filter" type="search" placeholder="Show families in files whose path holds …">\n<main>\n'
    for family in shown:
        yield from _family(family, lines, language_of)
    yield f"</main>\n<script>{_SCRIPT}</script></body></html>\n"


def _summary(found: Duplicates) -> str:
    copies = sum(len(family.members) for family in found.families if family.clone_type != SEMANTIC)
    going = sum(family.lines for family in found.families if family.clone_type != SEMANTIC)
    return (
        f"{found.functions:,} functions and files compared: {copies:,} are in {len(found.families):,} families of "
        f"copies. Up to {going:,} lines would go if each family kept one."
    )


def _family(family: Family, lines: Lines, language_of: LanguageOf) -> Iterator[str]:
    paths = " ".join(dict.fromkeys(side.file_path for side in family.members))
    kept, others = family.members[0], family.members[1:]
    about = f"{family.clone_type}, {family.similarity:.0%}"
    what = escape(family.scope if family.role == CODE else f"{family.scope} ({ROLES[family.role]})")
    yield f'<details data-paths="{escape(paths)}"><summary><span class="size">{family.lines:,} lines</span>'
    yield f'<span class="kind">{len(family.members)} ×</span> <code>{escape(kept.id)}</code> '
    yield f'<span class="dim">{escape(about)}, {what}</span></summary>\n<div class="body">'
    yield f"<p>{escape(family.recommendation)}</p>\n"
    for other in others[:SHOWN_BESIDE]:
        yield from _beside(kept, other, lines, language_of)
    if len(others) > SHOWN_BESIDE:
        yield f"<p>And {len(others) - SHOWN_BESIDE:,} more:</p><ul>"
        yield "".join(f"<li><code>{_at(side)}</code></li>" for side in others[SHOWN_BESIDE:])
        yield "</ul>"
    yield "</div></details>\n"


def _beside(kept: Side, other: Side, lines: Lines, language_of: LanguageOf) -> Iterator[str]:
    left, right = _text(kept, lines), _text(other, lines)
    marks = _differing(left, language_of(kept.file_path), right, language_of(other.file_path))
    yield f'<details><summary><code>{_at(other)}</code></summary><div class="body two">'
    for side, text, ranges in ((kept, left, marks[0]), (other, right, marks[1])):
        code = _marked(text, ranges, side.start_line)
        yield f'<div><p class="dim"><code>{_at(side)}</code></p><pre>{code}</pre></div>'
    yield "</div></details>\n"


def _at(side: Side) -> str:
    return escape(f"{side.file_path}:{side.start_line}  {side.id.partition('::')[2]}".strip())


def _text(side: Side, lines: Lines) -> str:
    last = min(side.end_line, side.start_line + LONGEST - 1)
    return "\n".join(line.rstrip("\r") for line in lines(side.file_path)[side.start_line - 1 : last])


def _differing(
    left: str, left_language: str, right: str, right_language: str
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Character ranges of the tokens of each text that the other lacks, in order."""
    ours, theirs = _tokens(left, left_language), _tokens(right, right_language)
    if max(len(ours), len(theirs)) > MOST_TOKENS:
        return [], []
    matcher = difflib.SequenceMatcher(
        None, [left[a:b] for a, b in ours], [right[a:b] for a, b in theirs], autojunk=False
    )
    here: list[tuple[int, int]] = []
    there: list[tuple[int, int]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            here.extend(ours[a:b])
            there.extend(theirs[c:d])
    return here, there


def _tokens(text: str, language: str) -> list[tuple[int, int]]:
    """Character ranges of the compared tokens: without comments and docstrings."""
    lexer = lexer_of(language)
    return [
        match.span()
        for match in lexer.tokens.finditer(text)
        if kind_of(match[0], lexer) not in (COMMENT, LINE_END)
        and not (lexer.docstrings and match[0].endswith(_DOCSTRING_ENDS))
    ]


def _marked(text: str, ranges: Iterable[tuple[int, int]], first: int) -> str:
    """`text` escaped, with line numbers and with the ascending `ranges` marked."""
    pieces: list[str] = []
    at = 0
    for start, end in ranges:
        pieces.append(escape(text[at:start]))
        # A mark must not span lines: line numbers are in between.
        pieces.append("\n".join(f"<mark>{escape(part)}</mark>" if part else "" for part in text[start:end].split("\n")))
        at = end
    pieces.append(escape(text[at:]))
    rows = "".join(pieces).split("\n")
    width = len(str(first + len(rows)))
    return "\n".join(f'<span class="n">{first + number:>{width}}</span> {row}' for number, row in enumerate(rows))
