"""How people write markers: tags with a verb, bare ids, annotations, and the syntaxes of doxygen, StrictDoc, sphinx."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from loregraph.indexer.requirements.ids import LOOSE, IdPattern

ANNOTATIONS: Final = "annotation"

TAG, MENTION, ANNOTATION = "tag", "mention", ANNOTATIONS
"""Kinds of markers: a word says that the code answers for the id; the id alone; a decorator's argument."""


class Found(Struct, frozen=True):
    """One id. `line` counts from the start of the text; `scope` is "", "file" or "class" where the marker says so."""

    id: str
    line: int
    kind: str
    scope: str = ""


_VERB: Final = (
    r"(?:partially\s++)?(?:implement(?:s|ed|ing)?|satisf(?:ies|y)|verif(?:ies|y)|validates?|fulfill?s|covers|reali[sz]es"
    r"|traces?(?:\s++to)?|requirements?|reqs?|design|decision|follows|adr)"
)
_TAG = re.compile(
    rf"(?:[@\\]{_VERB}\b\s*+(?:\{{|\(|\[|:|=)?|(?<![\w.-]){_VERB}\s*+(?:id)?s?\s*+[:=]|(?<![\w.-]){_VERB}\s++(?=[A-Z][\w-]*\d))",
    re.IGNORECASE,
)
_RELATION = re.compile(r"@(?:relation|sdoc)\s*+[(\[](?P<args>[^)\]\n]*+)[)\]]")
# sphinx-codelinks' one-line needs: `@ title, id, type, [links]`.
_ONE_LINE_NEED = re.compile(r"(?:^|[#/*;\s])@\s++(?P<fields>[^@\n]++)\Z")
_RECORD = re.compile(r"(?<![\w-])ADR[ #]+#?0*(?P<number>\d{1,5})\b", re.IGNORECASE)
_LOOSE = re.compile(rf"(?<![\w-]){LOOSE}(?!\w|-\w)")
_QUOTED = re.compile(r"(?<!`)`++[^`\n]++`++")
_NOT_DONE = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
_TOKEN = re.compile(r"[A-Za-z](?:[\w.-]*\w)?")
_BEFORE_ID = re.compile(r"[\s,;&`'\"*{(\[]*(?:(?:and|or)\s+)?[`'\"*{(\[]*")
_AFTER_ID = re.compile(r"[`'\"*})\]]*")
_GOES_ON = re.compile(r"\s*+(?:[,;&]|(?:and|or)\b)|\s++(?=[A-Z][\w-]*\d)")
_WORD = re.compile(r"\w+")
_BEFORE: Final = 100
"""Characters before an id or a string that are looked at for what is said of it."""
_HAS_DIGIT = re.compile(r"\d")
_MAX_LINE: Final = 2_000
"""Characters of a line past which it was not written by hand."""
_STRING = re.compile(r"(?<!\\)(?:\"((?:[^\"\\\n]|\\.)*+)\"|'((?:[^'\\\n]|\\.)*+)'|`([^`\n]*+)`)")
_NAME_START: Final = r"(?:^|[.\s(\[:_@]|[a-z](?=[A-Z]))"
_SAYS_SO = re.compile(rf"{_NAME_START}{_VERB}(?:_|\b)", re.IGNORECASE)
_MAY_SAY_SO = re.compile(
    rf"{_NAME_START}(?:stor(?:y|ies)|features?|epics?|issues?|links?|test_?cases?|needs?|tags?)\b", re.IGNORECASE
)
_KEYWORD = re.compile(rf"(?<![\w.]){_VERB}\s*+[=:]\s*+[\[({{]*+\s*+$", re.IGNORECASE)
_NOT_IT = re.compile(r"\b(?:not|unlike|except|without|instead of|no longer)\s+[`'\"(]*$", re.IGNORECASE)


def marked(text: str, ids: IdPattern) -> list[Found]:
    """The markers in a comment or docstring."""
    found: list[Found] = []
    for number, line in enumerate(text.split("\n")):
        if len(line) <= _MAX_LINE:
            found += _in_line(_QUOTED.sub(_without_examples, line), number, ids)
    return found


def _without_examples(quoted: re.Match[str]) -> str:
    """Code in back-ticks that has a verb as well as an id shows how to write a marker, and is none."""
    return " " * len(quoted[0]) if _TAG.search(quoted[0]) or "@" in quoted[0] else quoted[0]


def _in_line(line: str, number: int, ids: IdPattern) -> list[Found]:
    found: dict[str, Found] = {}
    taken: list[tuple[int, int]] = []

    def add(identity: str, kind: str, scope: str = "") -> None:
        found.setdefault(identity, Found(identity, number, kind, scope))

    relation = _RELATION.search(line)
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
            # Without links the id is what the code is about; with them it is the code's own.
            add(own[1], MENTION)
        return list(found.values())
    if _NOT_DONE.search(line):
        return []
    for tag in _TAG.finditer(line):
        if any(start <= tag.start() < end for start, end in taken):
            continue
        names, end = _listed(line, tag.end(), ids, tag[0][0] in "@\\")
        for name in names:
            add(name, TAG)
        if names:
            taken.append((tag.start(), end))
    for named in ids.found(line):
        if not any(start <= named.start < end for start, end in taken) and not _is_denied(line, named.start):
            add(named.id, MENTION)
    for match in _LOOSE.finditer(line):
        if not any(start <= match.start() < end for start, end in taken) and not _is_denied(line, match.start()):
            add(match[0], MENTION)
    for match in _RECORD.finditer(line):
        add(f"ADR-{match['number']}", MENTION)
    return list(found.values())


def _one_line_need(line: str) -> str:
    """The fields of a need that stands in one line: title, id, type and maybe links in brackets; "" for no need."""
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


def _is_denied(line: str, at: int) -> bool:
    return _NOT_IT.search(line[max(0, at - _BEFORE) : at]) is not None


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
    """The ids of the list that begins at `at`, and where it ends.

    After a sigil (`@req`) the first word is an id whatever it looks like; else ids have digits, or the form that is
    configured.
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
        if _GOES_ON.match(line, at) is None:
            return names, at


def _skip(expression: re.Pattern[str], line: str, at: int) -> int:
    match = expression.match(line, at)
    return match.end() if match else at


def _looks_like_id(token: str) -> bool:
    return _HAS_DIGIT.search(token) is not None and token[0].isupper()


def annotated(text: str, ids: IdPattern) -> list[Found]:
    """The markers in a decorator, annotation or attribute: strings of one whose name speaks of requirements, or that
    stand at a keyword which does."""
    name = re.split(r"[(\"'`]", text, maxsplit=1)[0]
    kind = ANNOTATION if _SAYS_SO.search(name) else MENTION if _MAY_SAY_SO.search(name) else ""
    found: dict[str, Found] = {}
    for match in _STRING.finditer(text):
        how = kind or (ANNOTATION if _KEYWORD.search(text[max(0, match.start() - _BEFORE) : match.start()]) else "")
        if not how:
            continue
        value = next((group for group in match.groups() if group is not None), "").strip()
        line = text.count("\n", 0, match.start())
        named = ids.ids(value) or ([value] if re.fullmatch(r"[\w.:/-]+", value) else [])
        for identity in named:
            found.setdefault(identity, Found(identity, line, how))
    return list(found.values())
