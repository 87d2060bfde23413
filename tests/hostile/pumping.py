"""Strings that make a backtracking regular expression work hardest, derived from the expression itself.

A string is a head, a pump that is repeated, and a tail that lets no match succeed. Heads and pumps are samples of the
expression's own parts and of all short strings over the characters that it tells apart, so two quantifiers that can
share characters, a repeat in a repeat and a prefix that every offset tries again each have their string among them.
"""

from __future__ import annotations

import itertools
import re
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

SHORT = 500
"""Characters of the texts by which those are found that are worth trying at length."""
LONG = 32_000
CPU_SECONDS = 0.4
"""Of a process, not of the clock: a linear scan of `LONG` characters takes a hundredth of it, a quadratic one ten times
as much."""
_CATEGORY = {
    c.CATEGORY_DIGIT: "1", c.CATEGORY_NOT_DIGIT: "a", c.CATEGORY_SPACE: " ", c.CATEGORY_NOT_SPACE: "a",
    c.CATEGORY_WORD: "a", c.CATEGORY_NOT_WORD: "-",
}  # fmt: skip
_OTHERS = "a~1 -A\u00e9\n"


class TooSlow(Exception):
    """A match was still running after `CPU_SECONDS`."""


def limited(run: Callable[[], object], seconds: float = CPU_SECONDS) -> None:
    """Runs, for at most so many seconds of this process's CPU; the engine looks for signals while it matches."""

    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        run()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _of_set(items: list[Any]) -> str:
    negated = bool(items) and items[0][0] is c.NEGATE
    found = []
    for op, value in items:
        if op is c.LITERAL:
            found.append(chr(value))
        elif op is c.RANGE:
            found.append(chr(value[0]))
        elif op is c.CATEGORY:
            found.append(_CATEGORY[value])
    if not negated:
        return found[0]
    inside = re.compile(
        "["
        + "".join(re.escape(chr(v)) for op, v in items if op is c.LITERAL)
        + "".join(f"{re.escape(chr(v[0]))}-{re.escape(chr(v[1]))}" for op, v in items if op is c.RANGE)
        + "".join(
            {
                c.CATEGORY_DIGIT: r"\d", c.CATEGORY_SPACE: r"\s", c.CATEGORY_WORD: r"\w",
                c.CATEGORY_NOT_DIGIT: r"\D", c.CATEGORY_NOT_SPACE: r"\S", c.CATEGORY_NOT_WORD: r"\W",
            }[v]
            for op, v in items
            if op is c.CATEGORY
        )
        + "]"
    )  # fmt: skip
    return next(char for char in _OTHERS + "\0\ufffe" if not inside.match(char))


def _sample(tree: Any, choice: int = 0) -> str:
    """A string that the tree matches, look-around and positions aside; `choice` picks among alternatives."""
    parts = []
    for op, value in tree:
        if op is c.LITERAL:
            parts.append(chr(value))
        elif op is c.NOT_LITERAL:
            parts.append(next(char for char in _OTHERS if ord(char) != value))
        elif op is c.ANY:
            parts.append("a")
        elif op is c.IN:
            parts.append(_of_set(value))
        elif op is c.BRANCH:
            parts.append(_sample(value[1][choice % len(value[1])], choice))
        elif op is c.SUBPATTERN:
            parts.append(_sample(value[3], choice))
        elif op is c.ATOMIC_GROUP:
            parts.append(_sample(value, choice))
        elif op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            times = value[0] if value[0] < 50 else 50
            parts.append(_sample(value[2], choice) * max(times, 1 if choice % 2 else 0))
    return "".join(parts)


def _walk(tree: Any, before: str, heads: set[str], pumps: set[str], chars: dict[str, None]) -> None:
    """Collects samples of what stands before each repeat and of what it repeats, and the characters told apart."""
    for place, (op, value) in enumerate(tree):
        if op in (c.LITERAL, c.NOT_LITERAL):
            chars.setdefault(chr(value))
        elif op is c.IN:
            for one, what in value:
                if one is c.LITERAL:
                    chars.setdefault(chr(what))
                elif one is c.RANGE:
                    chars.setdefault(chr(what[0]))
                elif one is c.CATEGORY:
                    chars.setdefault(_CATEGORY[what])
        so_far = before + _sample(tree[:place], 1)
        if op is c.BRANCH:
            for branch in value[1]:
                _walk(branch, so_far, heads, pumps, chars)
        elif op is c.SUBPATTERN:
            _walk(value[3], so_far, heads, pumps, chars)
        elif op is c.ATOMIC_GROUP:
            _walk(value, so_far, heads, pumps, chars)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            _walk(value[1], so_far, heads, pumps, chars)
        elif op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT) and value[1] > 40:
            heads.add(so_far[-60:])
            for choice in range(6):
                body = _sample(value[2], choice)
                pumps.add(body)
                # The whole way to here again and again: what every offset tries anew.
                pumps.add((_sample(tree[:place], choice) + body)[-60:])
                pumps.add((so_far + body)[-60:])
            _walk(value[2], so_far, heads, pumps, chars)
        elif op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            _walk(value[2], so_far, heads, pumps, chars)


def strings(pattern: str, flags: int, length: int) -> Iterator[tuple[str, str, str]]:
    """Heads, pumps repeated to about `length`, and tails."""
    tree = _parser.parse(pattern, flags)
    heads: set[str] = {""}
    pumps: set[str] = set()
    chars: dict[str, None] = {}
    _walk(list(tree), "", heads, pumps, chars)
    first = _sample(list(tree), 1)[:60]
    heads.add(first)
    pumps.add(first)
    pumps.add(_sample(list(tree), 0)[:60])
    marks = [char for char in chars if not char.isalnum()][:5]
    letters = [char for char in chars if char.isalnum()][:2]
    alphabet = list(dict.fromkeys([*marks, *letters, "a", " ", "\n"]))
    pairs = set(map("".join, itertools.product(alphabet, repeat=2))) - pumps
    ordered = sorted(heads, key=lambda text: (len(text), text))[:8]
    for pump in sorted((pumps | set(alphabet)) - {""}):
        for head in ordered:
            for tail in ("", "\n\0"):
                yield head, pump * (length // len(pump)), tail
    for pump in sorted(pairs):
        for head in ("", ordered[-1]):
            yield head, pump * (length // len(pump)), "\n\0"


def _runs(expression: re.Pattern[Any], mode: str) -> Callable[[Any], object]:
    if mode == "match":
        return expression.match
    if mode == "fullmatch":
        return expression.fullmatch
    return lambda text: sum(1 for _ in expression.finditer(text))


def slow_string(pattern: str | bytes, flags: int, mode: str, longest: int = LONG) -> str | None:
    """What makes the expression superlinear, as head, pump and tail; None where nothing does.

    `mode` "match" and "fullmatch": it is only ever tried so where a text begins; "search": anywhere in it. `longest`:
    characters of the longest text that it is given.
    """
    expression = re.compile(pattern, flags)
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    run = _runs(expression, mode)

    def given(parts: tuple[str, str, str]) -> Any:
        whole = "".join(parts)
        return whole.encode("latin-1", "replace") if isinstance(pattern, bytes) else whole

    def told(parts: tuple[str, str, str], size: int) -> str:
        return f"{parts[0]!r} + {parts[1][:70]!r}… ({size}) + {parts[2]!r}"

    costs = []
    for parts in strings(text, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags, min(SHORT, longest)):
        subject = given(parts)
        began = time.perf_counter()
        try:
            limited(partial(run, subject))
        except TooSlow:
            return told(parts, SHORT)
        costs.append((time.perf_counter() - began, parts))
    # The clock only orders: the few that took longest are tried at length.
    costs.sort(key=lambda cost: -cost[0])
    for _, (head, pumped, tail) in costs[:6]:
        long = pumped[:longest] * (longest // len(pumped[:longest]))
        try:
            limited(partial(run, given((head, long, tail))))
        except TooSlow:
            return told((head, long, tail), longest)
    return None
