"""Analyses a long query, such as a pasted issue, a bug report, or a log with a stack trace.

A short query is used as it is. In a long one a few lines describe the problem, and many were pasted: logs, lists of
versions, the questions of a template. So the first line has the highest weight, then prose, then code, then logs;
template text and environment descriptions are dropped; a term counts once, by its best line. Mentioned places (paths
and stack frames) are collected separately. Every regular expression is linear in the length of a line, and lines are
cut at `MAX_LINE`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from loregraph.graph.terms import query_terms

LONG: Final = 100
"""From so many characters on a query of several lines is analysed."""
LONG_LINE: Final = 1_000
"""The same for a query of one line."""
MAX_LINE: Final = 500
MAX_LINES: Final = 2_000
MAX_NAMES: Final = 200

TITLE: Final = 1.0
PROSE: Final = 0.5
CODE: Final = 0.3
LOG: Final = 0.15
"""A term's weight by the best line that has it. Measured on issues of real repositories: see docs/search.md."""
REPEATED: Final = 0.25
"""The added weight of a second line of prose or code with the same term; half of it for the third, and so on."""

COMMON: Final = frozenset(
    "t s ve re ll don doesn didn isn wasn couldn wouldn won but one two must could would may might there here also "
    "just like any some they them their then than so such very much more most other same see seem too get got give giv "
    "tri try want need work problem issu bug pleas thank hi hello version us way mak about into "
    "only after befor when while been being have has had "
    "not no yes after now still however becaus instead since actual "
    "expect happen follow step reproduc describ".split()
)
"""Terms that occur in all kinds of reports."""

_FENCE: Final = re.compile(r"\s*(```|~~~)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+(.+)|\s{0,3}\*\*([^*]+)\*\*:?\s*$")
_UNDERLINED: Final = re.compile(r"\s*[-=*_#~+]{3,}\s*$")
_ENVIRONMENT: Final = re.compile(
    r"\W*(?:environment|your environment|versions?|version info\w*|system info\w*|pip (?:list|freeze)|dependencies"
    r"|(?:affected|installed|software|package) versions?.*|affected version.*|debug output|environment info\w*"
    r"|os\b.*|platform|rust version|output of .*show_versions.*)\W*$",
    re.IGNORECASE,
)
"""Headings of sections that do not describe the problem."""
_TEMPLATE: Final = re.compile(
    r"\W*(?:describe the (?:bug|feature)|description|(?:steps )?to reproduce.*|steps to reproduce.*|how to reproduce.*"
    r"|reproduction|expected (?:behaviou?r|results?|outcome)(?: summary)?|actual (?:behaviou?r|results?|outcome)"
    r"(?: summary)?|what (?:happened|did you expect.*)|additional (?:context|info\w*)"
    r"|minimal (?:code|example|repro\w*).*"
    r"|code|output|sample code.*|screenshots?|traceback|stack ?trace|error|bug|summary|your project|possible solution"
    r"|make sure you completed.*|is your feature.*|describe (?:the solution|alternatives).*|relevant log output"
    r"|code of conduct|checklist|context|motivation|proposal|questions?|details?|problem|issue)\W*$",
    re.IGNORECASE,
)
"""Headings of issue templates: without meaning themselves."""
_CHECKBOX: Final = re.compile(r"\s*[-*]\s*\[[ xX]\]")
_PACKAGE: Final = re.compile(
    r"(?:[-*] )?\**[\w.+@/-]{1,60}(?: [\w.+@/-]{1,60}){0,3}:?\**(?: ?(?:==|[:=@]) ?| )"
    r"`?[v^~=]?\d{1,5}(?:\.\w{1,12}){1,4}[\w.+`-]{0,40}(?: \S{0,120})?$"
)
"""A row of a package list, runs of blanks collapsed: a name and a version."""
_STAMP: Final = re.compile(r"\W{0,3}(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d:\d\d:\d\d|\w{3} \d{1,2},? (?:\d{4} )?\d{1,2}:\d\d)")
_LEVEL: Final = re.compile(r"\W{0,3}(?:DEBUG|INFO|TRACE|WARN(?:ING)?|SEVERE|FINE)\b|\s*\[[\w\s:.-]{3,60}\]\s+\S")
_CONSOLE: Final = re.compile(r"\s*(?:\$|>>>|\.\.\.|In \[\d+\]:|Out\[\d+\]:|[>E] {2,}|\|)\s")
_HIDDEN: Final = re.compile(r"</?(?:details|pre)\b", re.IGNORECASE)
"""Surrounds pasted supplements."""
_HEX: Final = re.compile(r"\b0x[0-9a-fA-F]+\b|\b(?=[a-f\d]*\d)[0-9a-fA-F]{12,}\b|https?://\S+|\b\d+(?:\.\d+)+\b")
"""Addresses, digests, versions and links: not words of the code."""
_CODE: Final = re.compile(
    r"[;{}]\s*$|^\s{4,}\S|^\s*(?:from|import|use|using|def|class|fn|func|return|public|private)\s"
)

_FRAMES: Final = (
    # Python: File "django/db/models/query.py", line 274, in __iter__
    re.compile(r'File "(?P<path>[^"\n]{1,300})", line \d+(?:, in (?P<name>[\w<>.]+))?'),
    # C#: at Shop.Cart.Add(Item item) in C:\src\Cart.cs:line 12
    re.compile(r"\bat (?P<name>[\w.`<>\[\],]{1,200})\([^)\n]{0,200}\) in (?P<path>[^\n]{1,300}?):line \d+"),
    # Java, Kotlin, Scala: at org.apache.catalina.core.StandardContext.start(StandardContext.java:4611)
    re.compile(r"\bat (?P<name>[\w.$<>/]{1,300})\((?P<path>[\w$-]{1,100}\.(?:java|kt|scala|groovy)):\d+\)"),
    # JavaScript: at Router.handle (/srv/app/lib/router.js:174:12), also without a name
    re.compile(
        r"\bat (?:async )?(?:(?:new )?(?P<name>[\w.$<>\[\]]{1,200}) )?\(?(?P<path>[^\s()\n]{1,300}?):\d+:\d+\)?"
    ),
    # PHP: #3 /srv/vendor/src/Router.php(665): Illuminate\\Routing\\Router->findRoute()
    re.compile(r"#\d+ (?P<path>[^\s(\n]{1,300})\(\d+\): (?P<name>[\w\\]{1,200}(?:(?:->|::)\w{1,100})?)"),
    # Ruby: lib/rack/server.rb:327:in `start'
    re.compile(
        r"(?P<path>[^\s:\n]{1,300}\.rb):\d+:in [`'](?:block \w* ?in |rescue in |ensure in )?(?P<name>[^'\n]{1,100})'"
    ),
    # Go: \t/go/src/gin/context.go:185 +0x4b; Rust: at src/parser.rs:12:5, panicked at src/main.rs:9:10
    re.compile(
        r"(?P<path>[\w./\\@~-]{1,300}\.(?:go|rs|py|js|jsx|ts|tsx|java|kt|cs|c|cc|cpp|h|hpp|php|swift|scala|ex|vue)):\d+"
    ),
)
_RUST_FRAME: Final = re.compile(r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<name>[\w:<>]{3,200})(?:::h[0-9a-f]{16})?\s*$")
_GO_FRAME: Final = re.compile(r"^(?P<name>[\w./-]{1,200}\.(?:\(\*\w{1,80}\)\.)?\w{1,80})\((?:0x[0-9a-f]|\.\.\.|\))")
_FRAME_START: Final = re.compile(r'File "|\bat |^\s*#?\d+|:\d+|^\S+\(')

_PATH: Final = re.compile(r"(?<![\w/.\\-])(?:[\w.@~-]{1,100}[/\\]){0,20}[\w.-]{1,100}\.[A-Za-z]{1,5}\b(?![\w(])")
_QUOTED: Final = re.compile(r"`([^`\n]{2,200})`")
_NAME: Final = re.compile(r"[A-Za-z_][\w-]{3,80}")
_DOTTED: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w{0,80}(?:(?:\.|::)[A-Za-z_]\w{0,80}){1,10}")


class Place(msgspec.Struct, frozen=True):
    """A file mentioned in the text, with `/` between folders, and the confidence that it is about this one, 0–1.

    `module`: it is a dotted name, without an extension, that may end in names defined in the module.
    """

    path: str
    weight: float
    module: bool = False


class LongQuery(msgspec.Struct, frozen=True):
    """`terms` are the query's terms with their weights, `text` is the text to embed, `title` its first line."""

    terms: dict[str, float]
    title: str
    text: str
    places: tuple[Place, ...]
    """Files mentioned in the text, by a path, by a dotted name or in a stack frame."""
    words: dict[str, float]
    """Words of the title and in backticks, candidates for file names."""
    names: dict[str, float]
    """Functions of the stack frames with their weights, 0–1."""


def is_long(query: str) -> bool:
    return len(query) > LONG_LINE or (len(query) > LONG and "\n" in query.strip())


# Implements REQ-SRC-012.
@lru_cache(maxsize=4)
def read(query: str) -> LongQuery:
    """Analyses a long query, for both lexical and semantic ranking. Linear in its length."""
    title, lines = _classified(query)
    terms: dict[str, float] = {}
    seen: dict[str, int] = {}
    places: dict[tuple[str, bool], float] = {}
    names: dict[str, float] = {}
    frames = sum(weight == LOG for weight, _ in lines)
    for weight, line in lines:
        _frames(line, places, names, frames)
        if weight > LOG:
            _mentions(line, weight, places)
        for term, share in query_terms(_HEX.sub(" ", line)).items():
            again = seen.get(term, 0)
            seen[term] = again + 1
            if len(term) == 1 or term in COMMON or (weight <= LOG and (share < 1 or term.isdigit())):
                continue
            value = share * weight
            best = terms.get(term, 0.0)
            if weight <= LOG:
                terms[term] = max(best, value)
            else:
                terms[term] = max(best, value) + (REPEATED * min(best, value) / again if again else 0.0)
    text = "\n".join(line for weight, line in lines if weight > LOG)
    words = dict.fromkeys(_NAME.findall(title), 1.0)
    for weight, line in lines:
        if weight > LOG:
            for quoted in _QUOTED.findall(line):
                for word in _NAME.findall(quoted):
                    words.setdefault(word, weight)
    return LongQuery(
        terms,
        title,
        text,
        tuple(Place(path, min(1.0, weight), module) for (path, module), weight in places.items()),
        words,
        names,
    )


def _classified(query: str) -> tuple[str, list[tuple[float, str]]]:
    """The title, and every relevant line with the weight of its terms."""
    title = ""
    found: list[tuple[float, str]] = []
    fenced = commented = skipped = False
    hidden = 0
    for line in query.splitlines()[:MAX_LINES]:
        line = line[: 20_000 if not title else MAX_LINE]
        if commented:
            commented = "-->" not in line
            continue
        if "<!--" in line:
            before, _, after = line.partition("<!--")
            _, closed, after = after.partition("-->")
            commented, line = not closed, before + after
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if title and (tags := _HIDDEN.findall(line)):
            hidden = max(0, hidden + sum(-1 if tag.startswith("</") else 1 for tag in tags))
            continue
        if not line.strip() or _UNDERLINED.match(line):
            continue
        if not fenced:
            heading = _HEADING.match(line)
            bare = (heading[1] or heading[2]) if heading else line
            if _ENVIRONMENT.match(bare) and (heading or len(line) < 40) and title:
                skipped = True
                continue
            if heading:
                skipped = False
            if _TEMPLATE.match(bare):
                skipped = False
                continue
        if _CHECKBOX.match(line) or _PACKAGE.match(" ".join(line[:MAX_LINE].split())):
            continue
        if skipped and not _FRAME_START.search(line):
            continue
        if not title:
            title = line.strip()
            found.append((TITLE, title[:MAX_LINE]))
            # A report whose lines were joined continues where the title ends.
            found.extend((PROSE, title[i : i + MAX_LINE]) for i in range(MAX_LINE, len(title), MAX_LINE))
            title = title[:MAX_LINE]
            continue
        found.append((LOG if hidden else _weight(line, fenced), line))
    return title, found


def _weight(line: str, fenced: bool) -> float:
    if _STAMP.match(line) or _LEVEL.match(line) or _is_frame(line):
        return LOG
    if fenced or _CONSOLE.match(line) or _CODE.search(line):
        return CODE
    return PROSE


def _is_frame(line: str) -> bool:
    return bool(
        _FRAME_START.search(line)
        and (_RUST_FRAME.match(line) or _GO_FRAME.match(line) or any(frame.search(line) for frame in _FRAMES))
    )


def _frames(line: str, places: dict[tuple[str, bool], float], names: dict[str, float], count: int) -> None:
    if not _FRAME_START.search(line):
        return
    share = 1 / max(1, count) ** 0.5
    if found := _RUST_FRAME.match(line) or _GO_FRAME.match(line):
        _put(names, found["name"].rpartition("::")[2].rpartition(".")[2], share)
        return
    for frame in _FRAMES:
        matches = list(frame.finditer(line))
        for found in matches:
            _put_place(places, found["path"], share)
            groups = found.groupdict()
            if name := groups.get("name"):
                if found["path"].endswith((".java", ".kt", ".scala", ".groovy")):
                    _put_place(places, name.rpartition(".")[0].partition("$")[0], share, module=True)
                _put(names, re.split(r"[.:>\\/]", name)[-1], share)
        if matches:
            return


def _mentions(line: str, weight: float, places: dict[tuple[str, bool], float]) -> None:
    """Paths and dotted names in the line."""
    for found in _PATH.findall(line):
        _put_place(places, found, weight)
    for found in _DOTTED.findall(line):
        _put_place(places, found.replace("::", "."), weight, module=True)


def _put_place(places: dict[tuple[str, bool], float], path: str, weight: float, *, module: bool = False) -> None:
    path = path.replace(".", "/") if module else path.replace("\\", "/")
    if len(places) < MAX_NAMES:
        places[path, module] = max(weight, places.get((path, module), 0.0))


def _put(names: dict[str, float], name: str, weight: float) -> None:
    if len(names) < MAX_NAMES and len(name) > 2:
        names[name] = max(weight, names.get(name, 0.0))
