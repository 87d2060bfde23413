"""Faults that a text certainly has, told from what its grammar merely does not understand.

Grammars lag behind their languages: 489 of 22,886 files of 32 released projects had places that a grammar reads as
errors, in hundreds of forms (`export type * from`, `is A if b ->`, `values?[i] = x`), and one, a fixture of a test,
was at fault. So an error in a tree says that the parser did not understand something. A syntax error is said where no
version of any grammar could read the text:

    brackets          that do not match among the tokens, where the characters of the text do not match in number
                      either: a bracket in a string that the grammar took for code cannot pass for one.
    conflict markers  `<<<<<<<`, `=======` and `>>>>>>>` at the starts of lines, with an error among them.

Brackets found 558 of 579 single brackets deleted from sound files of 17 languages, and that fixture among the 489.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from tree_sitter import Node

from loregraph.indexer.facts import Problem
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.parsing import errors

NOT_UNDERSTOOD: Final = "not understood by the parser"
SYNTAX_ERROR: Final = "syntax error"

_PUNCTUATION: Final = re.compile(r"[^\w\s\"'`]+")
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}
_PAIRS: Final = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_UNPAIRED: Final = registry.where(lambda language: language.unpaired_brackets)
_UNREADABLE: Final = registry.byte_expressions(lambda language: language.unreadable)
"""Language → what makes the tokens of a text that its grammar fails on no evidence of anything."""
_OPENING: Final = re.compile(rb"^<{7} ", re.MULTILINE)


def is_syntax_error(message: str) -> bool:
    """Whether a problem of a file is a fault of its text."""
    return message.startswith(SYNTAX_ERROR)


# Implements REQ-IDX-024.
def problems_of(language: str, source: bytes, root: Node, most: int) -> Iterator[Problem]:
    """What to say of a tree that has errors: the text's certain fault, if it has one, then at most `most` places that
    the parser did not understand."""
    fault = _conflict(source, root) or _unmatched(language, source, root)
    if fault is not None:
        yield fault
    lines = dict.fromkeys(error.start_point[0] + 1 for error in islice(errors(root), most))
    for line in lines:
        if fault is None or line != fault.line:
            yield Problem(line, NOT_UNDERSTOOD)


def _conflict(source: bytes, root: Node) -> Problem | None:
    """The first marker that a merge left, where the whole of the conflict is there and no text of a string."""
    match = _OPENING.search(source)
    if match is None:
        return None
    middle = source.find(b"\n=======", match.start())
    end = source.find(b"\n>>>>>>> ", middle) if middle >= 0 else -1
    if end < 0 or not any(error.start_byte <= end and match.start() <= error.end_byte for error in errors(root)):
        return None
    line = source.count(b"\n", 0, match.start()) + 1
    return Problem(line, f"{SYNTAX_ERROR}: the markers of a conflict that a merge left")


def _unmatched(language: str, source: bytes, root: Node) -> Problem | None:
    """The first bracket that closes nothing or something else, or the last one that stays open."""
    if language in _UNPAIRED or ((sign := _UNREADABLE.get(language)) is not None and sign.search(source)):
        return None
    uneven = {opening.decode() for opening, closing in _PAIRS if source.count(opening) != source.count(closing)}
    if not uneven:
        return None
    opened: list[tuple[str, int]] = []
    for token in _brackets(root):
        line = token.start_point[0] + 1
        for character in token.type:
            if character in "([{":
                opened.append((character, line))
            elif character in _CLOSES:
                if opened and opened[-1][0] == _CLOSES[character]:
                    opened.pop()
                    continue
                if uneven.isdisjoint({_CLOSES[character], opened[-1][0] if opened else ""}):
                    return None
                if not opened:
                    return Problem(line, f"{SYNTAX_ERROR}: `{character}` closes nothing")
                before, at = opened[-1]
                return Problem(line, f"{SYNTAX_ERROR}: `{character}` does not close the `{before}` of line {at}")
    if not opened or opened[-1][0] not in uneven:
        return None
    before, at = opened[-1]
    return Problem(at, f"{SYNTAX_ERROR}: `{before}` is never closed")


def _brackets(root: Node) -> Iterator[Node]:
    """The tokens made of punctuation that have a bracket in them, in the order of the text; missing ones are left
    out."""
    cursor = root.walk()
    while True:
        if not cursor.goto_first_child():
            node = cursor.node
            if (
                node is not None
                and not node.is_named
                and not node.is_missing
                and not node.is_error
                and _PUNCTUATION.fullmatch(node.type)
            ):
                yield node
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
