"""The syntax of markers: tags with a verb, bare ids, annotations, and the notations of doxygen, StrictDoc and
sphinx."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from loregraph.indexer.requirements.examples import bare, example_lines
from loregraph.indexer.requirements.ids import LOOSE, IdPattern
from loregraph.indexer.requirements.negation import (
    is_denied_before,
    is_denied_behind,
    is_example,
    is_hypothetical,
    is_undone,
)

ANNOTATIONS: Final = "annotation"

TAG, MENTION, ANNOTATION, LABEL = "tag", "mention", ANNOTATIONS, "label"
"""Kinds of markers: a verb declares that the code answers for the id; a bare id; a decorator's argument; the argument
of a decorator that files code under something (`@story("REQ-1")`)."""


class Found(Struct, frozen=True):
    """One id. `line` counts from the start of the text; `scope` is "", "file" or "class" where the marker gives one."""

    id: str
    line: int
    kind: str
    scope: str = ""


_DOES: Final = (
    r"implement(?:s|ed|ing)?|satisf(?:ies|y)|verif(?:ies|y)|validates?|fulfill?s|covers|reali[sz]es|traces?(?:\s++to)?"
    r"|follows"
)
_VERB: Final = rf"(?:partially\s++)?(?:{_DOES}|requirements?|reqs?|design|decision|adr)"
# A noun needs punctuation after it: "requirement REQ-1" only mentions it.
_TAG = re.compile(
    rf"(?:[@\\]{_VERB}\b\s*+(?:\{{|\(|\[|:|=)?|(?<![\w.-]){_VERB}[ _-]?(?:id)?s?\s*+[:=]"
    rf"|(?<![\w.-])(?P<prose>(?:partially\s++)?(?:{_DOES}))\s++(?=[A-Z][\w-]*\d))",
    re.IGNORECASE,
)
_RELATION = re.compile(r"@(?:relation|sdoc)\s*+[(\[{](?P<args>[^)\]}\n]*+)[)\]}]")
# sphinx-codelinks' one-line needs: `@ title, id, type, [links]`.
_ONE_LINE_NEED = re.compile(r"(?:^|[#/*;\s])@\s++(?P<fields>[^@\n]++)\Z")
_RECORD = re.compile(r"(?<![\w-])ADR[ #]+#?0*(?P<number>\d{1,5})\b", re.IGNORECASE)
_LOOSE = re.compile(rf"(?<![\w-]){LOOSE}(?!\w|-\w)")
_QUOTED = re.compile(
    r"(?<!`)`++[^`\n]++`++|\"[^\"\n]++\"|\N{LEFT DOUBLE QUOTATION MARK}[^\N{RIGHT DOUBLE QUOTATION MARK}\n]++."
    r"|<code>[^<\n]++</code>|\{@(?:code|literal)\s[^{}\n]++\}"
)
_DOCSTRING = re.compile(r"[A-Za-z]{0,2}(?P<quotes>\"\"\"|'''|\"|')")
_TOKEN = re.compile(r"[A-Za-z](?:[\w.-]*\w)?")
# An option of a need in a docstring, as in sphinx-needs.
_LINKS = re.compile(r"[^\w:]*+:(?:[a-z]+_)?links:\s", re.IGNORECASE)
_NAMES_IDS = re.compile(r"[ _-]?ids?\s*+[:=]$", re.IGNORECASE)
_SAID_OF_IT = re.compile(r"\s*+\([^()\n]{0,300}+\)(?=\s*+,)")
_CONTINUES = re.compile(r"\W*+(?=[A-Z][\w-]*\d)")
_BEFORE_ID = re.compile(r"[\s,;&`'\"*{(\[]*(?:(?:and|or)\s+)?[`'\"*{(\[]*")
_AFTER_ID = re.compile(r"[`'\"*})\]]*")
_LIST_AFTER = re.compile(
    r"(?:[`'\")\]]*+(?:\s*+[,/&]\s*+|\s++(?:and|or)\s++)(?:(?:and|or)\s++)?[`'\"]*+[A-Z][\w.-]*\d)++"
)
_GOES_ON = re.compile(r"\s*+(?:[,;&]|(?:and|or)\b)|\s++(?=[A-Z][\w-]*\d)")
_WORD = re.compile(r"\w+")
_STATEMENT = re.compile(r"\W*+$")
_UNFINISHED = re.compile(r"[\w,'\"`)]\s*+$")
_LIST_BEFORE = re.compile(
    r"(?:[A-Z][\w.-]*\d[`'\")\]]*+(?:\s*+[,;/&]\s*+|\s++(?:and|or|nor)\s++|\s*+,\s*+(?:and|or|nor)\s++))++$"
)
_BEFORE: Final = 100
"""Characters before an id or a string that are searched for its verb or keyword."""
_HAS_DIGIT = re.compile(r"\d")
_MAX_LIST: Final = 50
"""Maximum lines of a list of ids."""
_MAX_LINE: Final = 2_000
"""Maximum characters of a line: a longer one is not hand-written."""
_STRING = re.compile(r"(?<!\\)(?:\"((?:[^\"\\\n]|\\.)*+)\"|'((?:[^'\\\n]|\\.)*+)'|`([^`\n]*+)`)")
_NAME_START: Final = r"(?:^|[.\s(\[:_@]|[a-z](?=[A-Z]))"
_SAYS_SO = re.compile(rf"{_NAME_START}{_VERB}(?:_|\b)", re.IGNORECASE)
_MAY_SAY_SO = re.compile(
    rf"{_NAME_START}(?:stor(?:y|ies)|features?|epics?|issues?|links?|test_?cases?|needs?|tags?)\b", re.IGNORECASE
)
_KEYWORD = re.compile(rf"(?<![\w.]){_VERB}\s*+[=:]\s*+[\[({{]*+\s*+$", re.IGNORECASE)


def marked(text: str, ids: IdPattern, wanted: Iterable[int] | None = None) -> list[Found]:
    """The markers in a comment, several adjacent comments, or a docstring; only in the lines `wanted` if given.

    Lines are counted from 0. Ids in examples, in negations and in plans are not markers.
    """
    raw, lines = _lines(text)
    found: list[Found] = []
    for number in range(len(raw)) if wanted is None else wanted:
        if len(raw[number]) > _MAX_LINE:
            continue
        line = _QUOTED.sub(_without_examples, raw[number])
        here = _in_line(line, number, ids, _above(lines, number), _below(lines, number))
        if here and number not in _examples(text):
            found += _continued(here, raw, line, number, ids)
    return found


def _continued(here: list[Found], raw: Sequence[str], line: str, number: int, ids: IdPattern) -> list[Found]:
    """The markers of a line; a list of ids continued from the line above has that line's kind."""
    if here[0].kind != MENTION or (start := _CONTINUES.match(line)) is None:
        return here
    for above in range(number - 1, max(-1, number - 1 - _MAX_LIST), -1):
        head = _QUOTED.sub(_without_examples, raw[above][:_MAX_LINE])
        if not head.rstrip().endswith(","):
            break
        if _CONTINUES.match(head) is None:
            if any(one.kind == TAG for one in _in_line(head, above, ids, "", "")):
                names, _ = _listed(line, start.end(), ids, False)
                return [Found(o.id, o.line, TAG if o.id in names else o.kind, o.scope) for o in here]
            break
    return here


@lru_cache(maxsize=1)
def _lines(text: str) -> tuple[list[str], list[str]]:
    """The lines as they are, and as returned by `bare`; cached, because a block of comments is queried line by line."""
    return _without_delimiters(text).split("\n"), bare(text)


def _without_delimiters(text: str) -> str:
    """A docstring with its own quotes blanked: they are no quotation."""
    opening = _DOCSTRING.match(text)
    if opening is None or not text.rstrip().endswith(opening["quotes"], opening.end()):
        return text
    end = len(text.rstrip()) - len(opening["quotes"])
    return " " * opening.end() + text[opening.end() : end]


@lru_cache(maxsize=1)
def _examples(text: str) -> frozenset[int]:
    return example_lines(_lines(text)[1])


def _above(lines: Sequence[str], number: int) -> str:
    """The line before `number`, if its sentence continues in it."""
    above = lines[number - 1][-_MAX_LINE:] if number else ""
    return above if _UNFINISHED.search(above) and lines[number].strip()[:1].islower() else ""


def _below(lines: Sequence[str], number: int) -> str:
    """The line after `number`, if it continues the sentence."""
    below = lines[number + 1][:_MAX_LINE] if number + 1 < len(lines) else ""
    return below if below.strip()[:1].islower() else ""


def _without_examples(quoted: re.Match[str]) -> str:
    """Without code in back-ticks and quotations that contain both a verb and an id: they show how to write a marker."""
    return " " * len(quoted[0]) if _TAG.search(quoted[0]) or "@" in quoted[0] else quoted[0]


def _in_line(line: str, number: int, ids: IdPattern, above: str, below: str) -> list[Found]:
    """The markers of a line. `above` and `below` are the adjacent lines of the same sentence, "" for none."""
    found: dict[str, Found] = {}
    taken: list[tuple[int, int]] = []

    def add(identity: str, kind: str, scope: str = "") -> None:
        found.setdefault(identity, Found(identity, number, kind, scope))

    def mention(identity: str, start: int, end: int) -> None:
        before = line[:start]
        if start and (listed := _LIST_BEFORE.search(before[-_BEFORE:])):
            before = before[: len(before) - len(listed[0])]
        after = _LIST_AFTER.match(line, end)
        behind = f"{line[after.end() if after else end :]} {below}"
        if not (is_denied_before(f"{above} {before}") or is_denied_behind(behind, declared=False)):
            add(identity, MENTION)

    relation = _RELATION.search(line)
    if relation is not None and is_example(line[: relation.start()]):
        return []
    if relation is not None:
        names, options = _arguments(relation["args"])
        wanted = options.get("scope", "")
        for name in names:
            add(name, TAG, wanted if wanted in ("file", "class") else "")
        return list(found.values())
    need = _one_line_need(line)
    if need:
        head, _, links = need.partition("[")
        for name in re.findall(r"[\w.-]+", links):
            add(name, TAG)
        own = [part.strip() for part in head.split(",")]
        if not found and len(own) > 1 and own[1]:
            # Without links the id is what the code implements; with links it is the code's own.
            add(own[1], MENTION)
        return list(found.values())
    option = _LINKS.match(line)
    if option is not None:
        for named in ids.found(line[option.end() :]):
            add(named.id, TAG)
        for match in _LOOSE.finditer(line, option.end()):
            add(match[0], TAG)
        return list(found.values())
    if is_undone(line) or (above and is_undone(above)):
        return []
    for tag in _TAG.finditer(line):
        if any(start <= tag.start() < end for start, end in taken):
            continue
        any_word = tag[0][0] in "@\\" or _NAMES_IDS.search(tag[0]) is not None
        names, end = _listed(line, tag.end(), ids, any_word)
        kind = _kind(line, tag, end, above, below) if names else ""
        for name in names if kind else ():
            add(name, kind)
        if names:
            taken.append((tag.start(), end))
    for named in ids.found(line):
        if not any(start <= named.start < end for start, end in taken):
            mention(named.id, named.start, named.end)
    for match in _LOOSE.finditer(line):
        if not any(start <= match.start() < end for start, end in taken):
            mention(match[0], match.start(), match.end())
    for match in _RECORD.finditer(line):
        if not any(start <= match.start() < end for start, end in taken):
            mention(f"ADR-{match['number']}", match.start(), match.end())
    return list(found.values())


def _kind(line: str, tag: re.Match[str], end: int, above: str, below: str) -> str:
    """The kind of the ids after a verb, which end at `end`: TAG, MENTION for a plan, "" for a negation or an
    example."""
    before = line[: tag.start()]
    if is_example(before):
        return ""
    starts = _STATEMENT.match(before) is not None
    if not (starts and tag["prose"] is None):
        before = f"{above} {before}"
    if is_denied_before(before, finite=tag[0].rstrip(" :=({[").lower().endswith("s")):
        return ""
    if is_denied_behind(f"{line[end:]} {below}", declared=True):
        return ""
    return MENTION if tag["prose"] is not None and is_hypothetical(before) else TAG


def _one_line_need(line: str) -> str:
    """The fields of a one-line need: title, id, type and optional links in brackets; "" for no need."""
    found = _ONE_LINE_NEED.search(line)
    if found is None:
        return ""
    need = found["fields"].rstrip().removesuffix("*/").rstrip()
    head = need
    if need.endswith("]"):
        head = need[:-1].rpartition("[")[0].rstrip()
        if not head.endswith(","):
            return ""
        head = head[:-1]
    title, _, rest = head.partition(",")
    own, _, type_ = rest.rpartition(",")
    return need if title and own and _WORD.fullmatch(type_.strip()) else ""


def _arguments(text: str) -> tuple[list[str], dict[str, str]]:
    """`REQ-1, REQ-2, scope=function` → the names and the options."""
    names: list[str] = []
    options: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if equals:
            options[key.strip()] = value.strip()
        elif part.strip():
            names.append(part.strip())
    return names, options


def _listed(line: str, at: int, ids: IdPattern, sigil: bool) -> tuple[list[str], int]:
    """The ids of the list that begins at `at`, and its end.

    After a sigil (`@req`) the first word is an id whatever its form; otherwise ids have digits, or the configured form.
    """
    names: list[str] = []
    while True:
        start = _skip(_BEFORE_ID, line, at)
        given, end = ids.at(line, start)
        record = _RECORD.match(line, start)
        token = _TOKEN.match(line, start)
        if given:
            names += given
        elif record is not None:
            names.append(f"ADR-{record['number']}")
            end = record.end()
        elif token is not None and (_looks_like_id(token[0]) or (sigil and not names)):
            names.append(token[0])
            end = token.end()
        else:
            return names, at
        at = _skip(_AFTER_ID, line, end)
        if not is_denied_behind(line[at:], declared=True):
            at = _skip(_SAID_OF_IT, line, at)
        if _GOES_ON.match(line, at) is None:
            return names, at


def _skip(expression: re.Pattern[str], line: str, at: int) -> int:
    match = expression.match(line, at)
    return match.end() if match else at


def _looks_like_id(token: str) -> bool:
    return _HAS_DIGIT.search(token) is not None and token[0].isupper()


def annotated(text: str, ids: IdPattern) -> list[Found]:
    """The markers in a decorator, annotation or attribute: strings where its name, or the string's keyword, denotes
    requirements."""
    name = re.split(r"[(\"'`]", text, maxsplit=1)[0]
    kind = ANNOTATION if _SAYS_SO.search(name) else LABEL if _MAY_SAY_SO.search(name) else ""
    found: dict[str, Found] = {}
    for match in _STRING.finditer(text):
        how = kind or (ANNOTATION if _KEYWORD.search(text[max(0, match.start() - _BEFORE) : match.start()]) else "")
        if not how:
            continue
        value = next((group for group in match.groups() if group is not None), "").strip()
        line = text.count("\n", 0, match.start())
        spoken = [one.id for one in ids.found(value) if not _is_denied(value, one.start, one.end)]
        named = spoken or ([value] if re.fullmatch(r"[\w.:/-]+", value) else [])
        for identity in dict.fromkeys(named):
            found.setdefault(identity, Found(identity, line, how))
    return list(found.values())


def _is_denied(text: str, start: int, end: int) -> bool:
    return is_denied_before(text[:start]) or is_denied_behind(text[end:], declared=False)
