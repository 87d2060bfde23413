"""Requirements as rows of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from loregraph.analysis.suggest.measures import Matrix
from loregraph.analysis.suggest.vocabulary import Vocabulary, words

TITLE: Final = 2.5
"""Weight of a word of a requirement's title, relative to 1 in its text."""
_LINE: Final = re.compile(r"^[^\S\n]*+\S[^\n]*+", re.MULTILINE)


@dataclass(slots=True)
class Requirements:
    """`titles` and `bodies` are lists of stems; `table` counts them, shape (requirements, words)."""

    titles: list[list[str]]
    bodies: list[list[str]]
    vocabulary: Vocabulary
    table: Matrix


def read_requirements(texts: Sequence[tuple[str, str]]) -> Requirements:
    """From pairs of title and body."""
    titles, bodies = [words(title) for title, _ in texts], [words(body) for _, body in texts]
    vocabulary = Vocabulary([*titles, *bodies])
    table = np.zeros((len(texts), len(vocabulary)), np.float32)
    for row, (title, body) in enumerate(zip(titles, bodies, strict=True)):
        np.add.at(table[row], [vocabulary.number(word) for word in title], TITLE)
        np.add.at(table[row], [vocabulary.number(word) for word in body], 1)
    return Requirements(titles, bodies, vocabulary, table)


def title_and_body(title: str, text: str) -> tuple[str, str]:
    """A requirement's title and the rest; the first line where the document has no title for it."""
    title, text = title.strip(), text.strip()
    if title and text != title:
        return title, text.removeprefix(title)
    first = _LINE.search(text)
    return (first.group(), text[first.end() :]) if first else (title, "")
