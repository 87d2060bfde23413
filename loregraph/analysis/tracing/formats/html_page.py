"""The matrix as one self-contained HTML file; scripts are only used for filtering.

One row per requirement: designs, code, tests, memories, and test results. All text comes from untrusted documents and
code: it is escaped, and the page's content security policy forbids loading or sending anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import UNSET

from loregraph.analysis.tracing.formats.states import coverage_state, percent, place, reason, says_more
from loregraph.analysis.tracing.orphans import BROKEN
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import CodeLink, RequirementTrace
from loregraph.terminal import visible_html as escape

OPEN: Final = 4
"""Links shown directly in a cell; the others are expanded by a click."""
SUGGESTED: Final = 5
_KNOWN: Final = {"covered": "good", "untested": "fair", "only tested": "fair", "missing": "bad"}
_SHORT: Final = {"State": " class=short", "Verified": " class=short"}
_RESULTS: Final = {"passed": "good", "failed": "bad", "skipped": "fair"}


def write(report: TraceReport, title: str = "") -> str:
    name = f"{title}: requirements" if title else "Requirements"
    return _PAGE.format(
        title=escape(name),
        style=_STYLE,
        script=_SCRIPT,
        bars="\n".join(bars(report)),
        notes="\n".join(notes(report)),
        filters=filters(report),
        head="".join(f"<th scope=col{_SHORT.get(name, '')}>{name}</th>" for name in columns(report)),
        rows="\n".join(row(one, report) for one in report.requirements),
    )


def columns(report: TraceReport) -> list[str]:
    """The columns of the table, without empty ones."""
    names = ["Requirement", "State"]
    if report.results is not None:
        names.append("Verified")
    if any(one.designs for one in report.requirements):
        names.append("Designs")
    names += ["Code", "Tests"]
    if any(one.memories for one in report.requirements):
        names.append("Memories")
    return names


def bars(report: TraceReport) -> Iterator[str]:
    """Total coverage, as bars."""
    covered = report.coverage
    parts = [("implemented", covered.implemented), ("tested", covered.tested)]
    if report.results is not None:
        parts.append(("verified", covered.verified))
    for name, count in parts:
        share = 100 * count / covered.total if covered.total else 100
        yield (
            f"<div class=bar><span class=name>{name}</span>"
            f'<span class=track><span class=fill style="width:{share:.1f}%"></span></span>'
            f"<span class=figure>{count:,} of {covered.total:,} · {percent(count, covered.total)}</span></div>"
        )
    if covered.excluded:
        statuses = ", ".join(f"{count:,} {escape(status)}" for status, count in covered.excluded.items())
        yield f"<p class=quiet>Not counted: {statuses}</p>"


def notes(report: TraceReport) -> Iterator[str]:
    """References to things that do not exist."""
    broken = [orphan for orphan in report.orphans if orphan.kind in BROKEN]
    if broken:
        items = "".join(
            f"<li><code>{escape(place(orphan.path, orphan.line))}</code> {escape(orphan.message)}</li>"
            for orphan in broken
        )
        is_open = " open" if len(broken) <= OPEN else ""
        what = f"{len(broken):,} link{'' if len(broken) == 1 else 's'} to what is not there"
        yield f"<details class=broken{is_open}><summary>{what}</summary><ul>{items}</ul></details>"
    if report.results is not None:
        found = report.results
        text = f"Test results: {found.joined:,} of {found.cases:,} cases are a test of the graph."
        items = "".join(f"<li><code>{escape(name)}</code></li>" for name in found.unjoined)
        more = f"<details><summary>{len(found.unjoined):,} others</summary><ul>{items}</ul></details>" if items else ""
        yield f"<div class=quiet>{text}{more}</div>"


def filters(report: TraceReport) -> str:
    states = Counter(coverage_state(one) for one in report.requirements)
    ordered = [state for state in _KNOWN if state in states] + sorted(states.keys() - _KNOWN.keys())
    boxes = [("state", state, states[state]) for state in ordered]
    if report.results is not None:
        results = Counter(one.verified for one in report.requirements)
        boxes += [("result", result, results[result]) for result in (*_RESULTS, "not run") if result in results]
    return "".join(
        f'<label><input type=checkbox checked data-kind={kind} value="{escape(value)}">{escape(value)} '
        f"<span class=quiet>{count:,}</span></label>"
        for kind, value, count in boxes
    )


def row(one: RequirementTrace, report: TraceReport) -> str:
    state = coverage_state(one)
    cells = {
        "Requirement": requirement(one),
        "State": badge(state, _KNOWN.get(state, "none")),
        "Verified": badge(one.verified, _RESULTS.get(one.verified, "none")),
        "Designs": listed(design_items(one)),
        "Code": listed([code(link) for link in one.implementations]) + mentions(one) + suggestions(one),
        "Tests": listed([code(link) for link in one.tests]),
        "Memories": listed([f"<li>{escape(memory.title)}</li>" for memory in one.memories]),
    }
    body = "".join(f'<td data-name="{name}">{cells[name]}</td>' for name in columns(report))
    return f'<tr id="{escape(one.id)}" data-state="{escape(state)}" data-result="{escape(one.verified)}">{body}</tr>'


def requirement(one: RequirementTrace) -> str:
    status = f" · {escape(one.status)}" if one.status else ""
    text = f"<details><summary>text</summary><p class=text>{escape(one.text)}</p></details>" if says_more(one) else ""
    return (
        f'<a class=id href="#{escape(one.id)}">{escape(one.id)}</a> <b>{escape(one.title)}</b>'
        f"<div class=quiet><code>{escape(place(one.path, one.line))}</code>{status}</div>{text}{parts(one)}"
    )


def parts(one: RequirementTrace) -> str:
    """Links to the requirements that refine this one."""
    if not one.parts:
        return ""
    names = ", ".join(f'<a href="#{escape(part)}">{escape(part)}</a>' for part in one.parts)
    return f"<div class=quiet>refined by {names}</div>"


def design_items(one: RequirementTrace) -> list[str]:
    return [
        f'<li title="{escape(design.evidence or design.how)}">{escape(design.title)} '
        f"<span class=quiet>{escape(place(design.path, design.line))}</span></li>"
        for design in one.designs
    ]


def mentions(one: RequirementTrace) -> str:
    """References to the requirement that declare nothing, expanded by a click."""
    if not one.mentions:
        return ""
    items = "".join(code(link) for link in one.mentions)
    return f"<details><summary>{len(one.mentions):,} mentioned</summary><ul>{items}</ul></details>"


def suggestions(one: RequirementTrace) -> str:
    """The best suggestions, expanded by a click."""
    links = () if one.suggestions is UNSET else one.suggestions[:SUGGESTED]
    if not links:
        return ""
    items = "".join(
        f'<li title="{escape(link.evidence)}">{link.score:.2f} <code>{escape(link.id)}</code></li>' for link in links
    )
    return f"<details><summary>suggested</summary><ul>{items}</ul></details>"


def code(link: CodeLink) -> str:
    path, _, name = link.id.partition("::")
    result = f" {badge(link.result, _RESULTS.get(link.result, 'none'))}" if link.result else ""
    sure = f"{link.how} {link.confidence:.2f}" if link.confidence < 1 else link.how
    where = f" <span class=quiet>{escape(place(link.file_path, link.line))}</span>" if name else ""
    return (
        f'<li title="{escape(reason(link))}"><code>{escape(name or path)}</code>{result}{where} '
        f"<span class=how>{escape(sure)}</span></li>"
    )


def badge(text: str, kind: str) -> str:
    return f'<span class="badge {kind}">{escape(text)}</span>'


def listed(items: Sequence[str] | Iterable[str]) -> str:
    items = list(items)
    if not items:
        return "<span class=quiet>–</span>"
    if len(items) <= OPEN + 1:
        return f"<ul>{''.join(items)}</ul>"
    rest = f"<details><summary>{len(items) - OPEN:,} more</summary><ul>{''.join(items[OPEN:])}</ul></details>"
    return f"<ul>{''.join(items[:OPEN])}</ul>{rest}"


_STYLE: Final = """
:root { color-scheme: light dark; --text: #1c2024; --quiet: #687076; --line: #e1e4e8; --back: #fff; --stripe: #f7f8f9;
  --good: #18794e; --good-back: #ddf3e4; --fair: #946800; --fair-back: #fff1c4; --bad: #b42318; --bad-back: #fde2df;
  --none-back: #eceef0; --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ea; --quiet: #9ba1a6; --line: #30363d; --back: #14171a;
  --stripe: #1a1e22; --good: #6fd59c; --good-back: #12361f; --fair: #f1c04f; --fair-back: #3b2f0b; --bad: #ff9a90;
  --bad-back: #46170f; --none-back: #2a2f35; --link: #74b3ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 110rem; color: var(--text); background: var(--back);
  font: 14px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.quiet, .how { color: var(--quiet); font-size: 12px; }
.quiet { overflow-wrap: anywhere; }
.bar { display: grid; grid-template-columns: 7rem minmax(6rem, 24rem) auto; gap: .75rem; align-items: center; }
.track { height: .7rem; border-radius: .35rem; background: var(--none-back); overflow: hidden; }
.fill { display: block; height: 100%; background: var(--good); }
.broken { margin: 1rem 0; padding: .5rem .75rem; border-left: 3px solid var(--bad); background: var(--stripe); }
.broken summary { color: var(--bad); font-size: inherit; }
.broken ul { max-height: 24rem; overflow: auto; margin-top: .5rem; }
.filters { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center;
  padding: .75rem 0; background: var(--back); border-bottom: 1px solid var(--line); margin-top: 1rem; }
.filters input[type=search] { flex: 1 1 16rem; max-width: 28rem; padding: .35rem .6rem; font: inherit;
  color: inherit; background: var(--stripe); border: 1px solid var(--line); border-radius: .3rem; }
.filters label { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th { text-align: left; font-weight: 600; color: var(--quiet); }
th, td { padding: .5rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child { width: 28%; } th.short { width: 7.5rem; }
tr[hidden] { display: none !important; }
tr:target { background: var(--fair-back); }
tbody tr:nth-child(even) { background: var(--stripe); }
ul { margin: 0; padding-left: 1rem; } li { margin-bottom: .15rem; }
.text { white-space: pre-wrap; margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
.id { font-weight: 600; text-decoration: none; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 .45rem; border-radius: .7rem; font-size: 12px;
  background: var(--none-back); }
.good { color: var(--good); background: var(--good-back); } .fair { color: var(--fair); background: var(--fair-back); }
.bad { color: var(--bad); background: var(--bad-back); }
summary { cursor: pointer; color: var(--quiet); font-size: 12px; }
@media (max-width: 60rem) { thead { display: none; } tr, td { display: block; } td { border: 0; padding: .2rem .6rem; }
  td::before { content: attr(data-name) " "; color: var(--quiet); font-size: 11px; }
  td:first-child::before { content: ""; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } }
@media print { .filters { display: none; } }
""".strip()

_SCRIPT: Final = """
const rows = [...document.querySelectorAll("tbody tr")].map(row => [row, row.textContent.toLowerCase()]);
const boxes = [...document.querySelectorAll("input[type=checkbox]")];
const words = document.querySelector("input[type=search]");
const shown = document.querySelector("output");
function filter() {
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const off = boxes.filter(box => !box.checked).map(box => [box.dataset.kind, box.value]);
  let count = 0;
  for (const [row, text] of rows) {
    const wrong = off.some(([kind, value]) => row.dataset[kind] === value);
    row.hidden = wrong || !wanted.every(word => text.includes(word));
    count += !row.hidden;
  }
  shown.textContent = count + " of " + rows.length;
}
words.addEventListener("input", filter);
boxes.forEach(box => box.addEventListener("change", filter));
filter();
""".strip()

_PAGE: Final = """<!doctype html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name=viewport content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<h1>{title}</h1>
{bars}
{notes}
<div class=filters>
<input type=search placeholder="Filter by words" aria-label="Filter by words">{filters}<output class=quiet></output>
</div>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
<script>
{script}
</script>
</body>
</html>
"""
