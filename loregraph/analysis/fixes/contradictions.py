"""Contradictions between a fix and a requirement, decision or memory, by three explainable rules.

Each is about one sentence of a statement:

- it forbids something with a name ("never call `save` directly", "do not use pickle"), and the fix introduces it;
- it states a number of something ("retried 3 times", "at most 5 seconds"), and the fix changes a corresponding literal
  to one that violates it;
- it demands something with a name in code ("must call `verify`"), and the fix removes its last use from the changed
  lines.

Rules compare words, so a contradiction in other words is not found; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from loregraph.analysis.fixes.proposed import Concern
from loregraph.graph.terms import split_identifier, stem

MOST_TEXT: Final = 20_000
"""Maximum characters read of a statement or description."""
MOST_LINES: Final = 5_000
"""Maximum changed lines compared."""
MOST_SENTENCES: Final = 500
MOST_NAMES: Final = 20
"""Maximum names, and numbers, examined per sentence."""
MOST_LITERALS: Final = 200
"""Maximum changed literals compared with a number."""

_SENTENCE: Final = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n\s*[-*]\s")
_FORBIDS: Final = re.compile(
    r"\b(?:(?:must|shall|should|may|can|will|do|does|is|are)(?: not|n't)|cannot|can't|won't|never|avoid"
    r"|forbidden|prohibited|banned)\b",
    re.IGNORECASE,
)
_DEMANDS: Final = re.compile(r"\b(?:must|shall|always|required|has to|have to)\b", re.IGNORECASE)
_EXCEPT: Final = re.compile(
    r"\b(?:unless|except|outside|other than|only|without|until|before|instead of)\b", re.IGNORECASE
)
_CODE: Final = re.compile(
    r"`([A-Za-z_][\w.:]*)(?:\(\))?`|\b([a-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]+[A-Z]\w*|\w+(?=\(\)))"
)
"""Names between backticks, in snake_case or CamelCase, or before parentheses."""
_USED: Final = re.compile(
    r"\b(?:use[sd]?|using|call(?:s|ed|ing)?|import(?:s|ed|ing)?|invoke[sd]?|depend(?:s|ing)? on|rely(?:ing)? on)\s+"
    r"(?:the |a |an |any |module |library |package |function )?([A-Za-z_][\w.]*\w)",
    re.IGNORECASE,
)
_PLAIN: Final = frozenset(
    "it this that them these those any the a an of for to in on with by from directly here anything something code "
    "function functions method methods class classes module modules library libraries global globals state only more "
    "other another new old same their its our your be as at and or not one two three data value values type "
    "types".split()
)
_WORDS: Final = {
    word: number
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"once": 1, "twice": 2, "thrice": 3}
_NUMBER: Final = re.compile(
    rf"(?<![\w.-])(\d+(?:\.\d+)?|{'|'.join(_WORDS)})(?![\w.]*\d)(?:\s?(ms|s|min|h)\b)?", re.IGNORECASE
)
_UNIT: Final = re.compile(r"\b(?:ms|(?:milli)?seconds?|minutes?)\b", re.IGNORECASE)
_AT_MOST: Final = re.compile(
    r"(?:at most|no more than|not more than|up to|within|maximum(?: of)?|less than)\s*$", re.IGNORECASE
)
_AT_LEAST: Final = re.compile(r"(?:at least|no less than|no fewer than|minimum(?: of)?|more than)\s*$", re.IGNORECASE)
_LITERAL: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(?![\w.]*\d|\w)")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
_AFFIRMS: Final = re.compile(
    r"\b(?:use|using|call|calling|switch(?:es)? to|replace .{0,60}? with|import|via|through)\b", re.IGNORECASE
)
_UNITS: Final = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
_UNIT_WORDS: Final = {
    "millisecond": "ms",
    "milliseconds": "ms",
    "second": "s",
    "seconds": "s",
    "minute": "min",
    "minutes": "min",
    "hour": "h",
    "hours": "h",
}
_ALIKE: Final = {"attempt": "retri", "tri": "retri", "try": "retri", "retry": "retri", "wait": "timeout"}
"""Synonyms of units, by their stems."""
_IDLE: Final = frozenset(
    stem(word)
    for word in "the and must shall should will not are for with time times after before each every per than most "
    "least more less second seconds minute minutes hour hours value request return default number only from "
    "into".split()
)


class Statement(NamedTuple):
    """A statement. `kind`: "requirement", "design" or "memory"; `id` identifies it."""

    kind: str
    id: str
    text: str


class _Change(NamedTuple):
    """A fix as lines: those that the diff adds and removes, and its description."""

    added: list[str]
    removed: list[str]
    description: str

    def literals(self) -> list[tuple[str, float | None, float, str]]:
        return list(islice(_changed_literals(self), MOST_LITERALS))


# Implements REQ-CON-004.
def contradictions(statements: Iterable[Statement], description: str, diff: str) -> list[Concern]:
    """A concern for each statement that the fix contradicts, with the sentence and the contradicting part of the
    fix."""
    lines = diff.split("\n")[:MOST_LINES]
    change = _Change(
        [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")],
        [line[1:] for line in lines if line.startswith("-") and not line.startswith("---")],
        description[:MOST_TEXT],
    )
    found = []
    literals = change.literals()
    for statement in statements:
        for sentence in _SENTENCE.split(statement.text[:MOST_TEXT])[:MOST_SENTENCES]:
            against = next(
                iter((*_forbidden(sentence, change), *_numbers(sentence, literals), *_dropped(sentence, change))), ""
            )
            if against:
                said = " ".join(sentence.split())[:160]
                severity = "medium" if _EXCEPT.search(sentence) else "high"
                message = f"the {statement.kind} {statement.id} says {said!r}, and the fix {against}"
                found.append(Concern(f"contradicts_{statement.kind}", message, severity, (statement.id,)))
                break
    return found


def _forbidden(sentence: str, change: _Change) -> Iterator[str]:
    """Names forbidden by a sentence, after its negation, that the fix introduces."""
    match = _FORBIDS.search(sentence)
    if match is None:
        return
    after = re.split(r"\b(?:instead|but|use only)\b|[,:] use\b", sentence[match.end() :], maxsplit=1)[0]
    names = [one[1] or one[2] for one in _CODE.finditer(after)]
    names += [one[1] for one in _USED.finditer(after) if one[1].casefold() not in _PLAIN]
    if re.match(r"\s+(?:be )?(?:used?|called|imported|allowed)\b", after) or match[0].casefold() in (
        "forbidden",
        "prohibited",
        "banned",
    ):
        before = sentence[: match.start()]
        names += [one[1] or one[2] for one in _CODE.finditer(before)]
    if (
        match[0].casefold() == "avoid"
        and (first := re.match(r"\s+([A-Za-z_]\w+)", after))
        and first[1].casefold() not in _PLAIN
    ):
        names.append(first[1])
    for name in list(dict.fromkeys(names))[:MOST_NAMES]:
        word = re.compile(rf"(?<!\w){re.escape(name.rpartition('.')[2] if '.' in name else name)}(?!\w)")
        more = _count(word, change.added) - _count(word, change.removed)
        if more > 0:
            yield f"adds {name}"
        elif not change.added and any(
            word.search(said)
            and _AFFIRMS.search(said)
            and not _FORBIDS.search(said)
            and not re.search(r"\b(?:remove|drop|stop|instead of|no longer|without)\b", said, re.IGNORECASE)
            for said in _SENTENCE.split(change.description)
        ):
            yield f"is said to use {name}"


def _count(word: re.Pattern[str], lines: Iterable[str]) -> int:
    return sum(len(word.findall(line)) for line in lines if not line.lstrip().startswith(("#", "//", "*")))


def _stems(text: str) -> set[str]:
    found = {stem(part) for word in _IDENTIFIER.findall(text) for part in split_identifier(word) if len(part) > 2}
    return {_ALIKE.get(one, one) for one in found} - _IDLE


def _numbers(sentence: str, literals: list[tuple[str, float | None, float, str]]) -> Iterator[str]:
    """Literals for which a sentence states a number, changed by the fix to a violating value."""
    if not literals:
        return
    about = _stems(sentence)
    if _UNIT.search(sentence):
        about.add("timeout")
    told = [(name, old, new, line) for name, old, new, line in literals if new != old and about & _stems(name)]
    for match in islice(_NUMBER.finditer(sentence), MOST_NAMES):
        word = match[1].casefold()
        wanted = float(_WORDS[word]) if word in _WORDS else float(word)
        following = re.match(r"\s*([a-z]+)", sentence[match.end() :], re.IGNORECASE)
        unit = match[2] or _UNIT_WORDS.get(following[1].casefold() if following else "", "")
        before = sentence[: match.start()]
        bound = "most" if _AT_MOST.search(before) else "least" if _AT_LEAST.search(before) else ""
        for name, old, new, line in told:
            factor = _UNITS["ms"] / _UNITS[unit] if unit and re.search(r"(?:_ms|Ms|_millis|Millis)\b", line) else 1.0
            was, now = (old * factor if old is not None else None), new * factor
            holds = now <= wanted if bound == "most" else now >= wanted if bound == "least" else now == wanted
            # A literal that differed from the number before is likely about something else.
            relevant = was is None or was == wanted or bool(bound)
            if not holds and relevant:
                yield f"sets {name} to {new:g}"


def _changed_literals(change: _Change) -> Iterator[tuple[str, float | None, float, str]]:
    """(name, literal before, literal after, line): from lines that differ only in numbers, and from the description
    ("retries to 1")."""
    shapes: dict[str, list[list[float]]] = {}
    for line in change.removed:
        shapes.setdefault(_LITERAL.sub("0", line).strip(), []).append([float(n) for n in _LITERAL.findall(line)])
    for line in change.added:
        earlier = shapes.get(_LITERAL.sub("0", line).strip())
        if not earlier:
            continue
        for match, old in zip(_LITERAL.finditer(line), earlier.pop(0), strict=False):
            names = _IDENTIFIER.findall(line[: match.start()])
            if names:
                yield names[-1] if len(names) == 1 else " ".join(names[-2:]), old, float(match[1]), line
    for match in re.finditer(r"\b([A-Za-z_]\w*) (?:to|from \d+(?:\.\d+)? to|=) (\d+(?:\.\d+)?)\b", change.description):
        yield match[1], None, float(match[2]), match[0]


def _dropped(sentence: str, change: _Change) -> Iterator[str]:
    """Names of code that a sentence demands and that only occur in removed lines."""
    if not _DEMANDS.search(sentence) or _FORBIDS.search(sentence):
        return
    for match in islice(_CODE.finditer(sentence), MOST_NAMES):
        name = match[1] or match[2]
        word = re.compile(rf"(?<!\w){re.escape(name.rpartition('.')[2])}(?!\w)")
        if _count(word, change.removed) and not _count(word, change.added):
            yield f"takes {name} out"
