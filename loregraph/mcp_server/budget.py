"""Keeps answers within a budget of tokens. Cuts are stated, with the way to get the rest."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from loregraph.analysis.token_count import CHARACTERS, size

DEFAULT_TOKENS: Final = 10_000
SHORTEST: Final = 200
"""Minimum characters of a shortened text."""
NOTE: Final = 300
"""Characters reserved for the sentence about cuts."""


# Implements REQ-MCP-005.
def fit(answer: dict[str, Any], max_tokens: int, rest: str) -> dict[str, Any]:
    """`answer`, with its longest lists and then its longest texts shortened until it is within `max_tokens`.

    Cuts are listed in `truncated`: which parts, their full sizes, and `rest`, how to get the remainder.
    """
    limit = max_tokens * CHARACTERS
    over = size(answer) - limit
    if over <= 0:
        return answer
    answer = msgspec.to_builtins(answer)
    cut: dict[str, tuple[int, int]] = {}
    for _ in range(8):
        over = size(answer) + NOTE - limit
        if over <= 0:
            break
        holder, key, name = _longest(answer, list)
        if holder is not None and size(holder[key]) > max(SHORTEST, over // 4):
            whole = holder[key]
            holder[key] = _first(whole, max(0, size(whole) - over))
            cut[name] = (len(holder[key]), cut.get(name, (0, len(whole)))[1])
            if holder[key]:
                continue
        holder, key, name = _longest(answer, str)
        if holder is None or len(holder[key]) <= SHORTEST:
            continue
        text = holder[key]
        holder[key] = _clipped(text, max(SHORTEST, len(text) - over))
        cut[name] = (len(holder[key]), cut.get(name, (0, len(text)))[1])
    parts = [f"{name}: {kept:,} of {whole:,} {'shown' if kept else 'left out'}" for name, (kept, whole) in cut.items()]
    said = f"{'; '.join(parts)}, to stay within {max_tokens:,} tokens; {rest}"
    if isinstance(answer.get("truncated"), str):
        said = f"{answer['truncated']}; {said}"  # what a limit of its own has left out
    if isinstance(answer.get("truncated"), bool):
        answer["truncated"], answer["rest"] = True, said
    else:
        answer["truncated"] = said
    return answer


def _first(items: list[Any], characters: int) -> list[Any]:
    """As many leading items as fit."""
    used = 2
    for number, item in enumerate(items):
        used += size(item) + 1
        if used > characters:
            return items[:number]
    return items


def _clipped(text: str, characters: int) -> str:
    """The start of `text` in about so many bytes, so that non-Latin scripts are cut correctly."""
    return text.encode()[:characters].decode(errors="ignore")


def _longest(answer: dict[str, Any], kind: type) -> tuple[Any, Any, str]:
    """(holder, key, name) of the largest list or text, at most three levels deep and not inside a list."""
    best: tuple[Any, Any, str] = (None, None, "")
    most = 0
    pending: list[tuple[dict[str, Any], str]] = [(answer, "")]
    for holder, prefix in pending:
        for key, value in holder.items():
            name = f"{prefix}{key}"
            if isinstance(value, kind) and key != "truncated":
                length = size(value)
                if length > most:
                    best, most = (holder, key, name), length
            elif isinstance(value, dict) and prefix.count(".") < 3:
                pending.append((value, f"{name}."))
    return best
