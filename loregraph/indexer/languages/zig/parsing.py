"""What Zig's grammar does not know is left out of the text that it is given.

That is all targets but one of `const a, const b = f();`, and the label of `label: switch (x) { … }`; `continue
:label x` becomes a `break`. Every byte keeps its place; the hook of the target that stays reads the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.parsing import error_bytes, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE: Final = rb"(?:[^=,;\n{}()]|\([^=,;\n{}()]*+\)){1,80}+"
_TARGET: Final = rb"(?:(?:const|var)[ ]++)?[A-Za-z_@][\w.\"@*\[\]]*+(?:[ ]*+:[ ]*+" + _TYPE + rb")?"
_TARGETS: Final = re.compile(
    rb"^[ \t]*+(" + _TARGET + rb"(?:,[ ]*+" + _TARGET + rb"){1,16}+)[ ]*+=(?![=>])", re.MULTILINE
)
_NAME: Final = re.compile(rb"(?:(const|var)[ ]+)?([A-Za-z_][\w.]*)")
_LABEL: Final = re.compile(rb"\b\w+:(?=[ ]*switch\b)")
_LABELLED_TYPE: Final = re.compile(rb"\btype(?=:[ ]*\{)|(?<=break :)type\b")
_CONTINUE: Final = re.compile(rb"\bcontinue(?=[ ]+:\w)")


def parse_source(x: Extraction) -> Node | None:
    root = parse(x.spec.grammar, x.source)
    if root is None or not root.has_error:
        return root
    unlabelled = _LABEL.sub(lambda match: b" " * len(match[0]), x.source)
    mended = bytearray(_LABELLED_TYPE.sub(b"t_pe", _CONTINUE.sub(b"break   ", unlabelled)))
    several: dict[int, tuple[str, ...]] = {}
    for match in _TARGETS.finditer(x.source):
        _leave_out(mended, match, several)
    other = parse(x.spec.grammar, bytes(mended)) if mended != x.source else None
    if other is None or error_bytes(other) >= error_bytes(root):
        return root
    x.memo["several"] = several
    return other


def _leave_out(text: bytearray, match: re.Match[bytes], several: dict[int, tuple[str, ...]]) -> None:
    """Keeps the first target that is declared, else the first one; `several` gets all names by the kept one's place."""
    start = match.start(1)
    names: list[str] = []
    kept: tuple[int, int] | None = None
    first: tuple[int, int] | None = None
    for part in match[1].split(b","):
        at = start + len(part) - len(part.lstrip())
        end = start + len(part)
        named = _NAME.match(part.strip())
        simple = named is not None and b"[" not in part
        names.append(named[2].decode().rstrip(".") if named is not None and simple else "_")
        first = first or (at, end)
        if named is not None and named[1] and kept is None:
            kept = (at, end)
        start = end + 1
    begin, end = kept or first or (0, 0)
    several[begin] = tuple(names)
    for at in (*range(match.start(1), begin), *range(end, match.end(1))):
        if text[at : at + 1] != b"\n":
            text[at] = ord(" ")
