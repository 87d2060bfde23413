"""The statements of a file that stand outside of all definitions, by the names that they bind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from loregraph.indexer.facts import FILE_SCOPE, NAME, Expr, FileFacts

_COMMENTS: Final = ("#", "//", "/*", "*/", "* ", "--", ";;", '"""', "'''")
"""How lines begin that are no statements; what looks like one and is none is found by its other lines."""


def statements(facts: FileFacts, lines: Mapping[int, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(kind, names) of the statements at the top of a file that `lines` (number → text) are part of.

    `kind` is "import", "binding", or "effect" for one that binds no name. A statement may come several times.
    """
    spans = sorted((one.start_line, one.end_line) for one in facts.definitions if one.parent == FILE_SCOPE)
    owners = _owners(facts)
    starts = [line for line, _, _ in owners]
    for number, text in lines.items():
        stripped = text.strip()
        if not stripped or stripped.startswith(_COMMENTS) or any(first <= number <= last for first, last in spans):
            continue
        at = bisect_right(starts, number) - 1
        if at >= 0:
            yield owners[at][1:]


def _owners(facts: FileFacts) -> list[tuple[int, str, tuple[str, ...]]]:
    """(first line, kind, names) of each statement at the top of the file, in their order. A binding outweighs the calls
    that its value is made of."""
    found: dict[int, tuple[int, str, tuple[str, ...]]] = {}
    for call in facts.calls:
        if call.scope == FILE_SCOPE and call.kind not in ("decorator", "read"):
            found[call.line] = (call.line, "effect", ())
    for export in facts.exports:
        if export.scope == FILE_SCOPE:
            found[export.line] = (export.line, "binding", (export.name,))
    for one in facts.assignments:
        if one.scope == FILE_SCOPE and (names := tuple(dict.fromkeys(_names(one.target)))):
            before = found.get(one.line)
            mine = before[2] if before is not None and before[1] == "binding" else ()
            found[one.line] = (one.line, "binding", tuple(dict.fromkeys((*mine, *names))))
    for imported in facts.imports:
        if imported.scope == FILE_SCOPE:
            name = imported.alias or imported.name or imported.module.rpartition(".")[2]
            before = found.get(imported.line)
            mine = before[2] if before is not None and before[1] == "import" else ()
            found[imported.line] = (imported.line, "import", tuple(dict.fromkeys((*mine, name))))
    return sorted(found.values(), key=lambda owner: owner[0])


def _names(target: Expr) -> Iterator[str]:
    """The names that an expression on the left of an assignment mentions."""
    if len(target) == 2 and target[0] == NAME and isinstance(target[1], str):
        yield target[1]
        return
    for part in target[1:]:
        if isinstance(part, tuple | list):
            yield from _names(part) if part and isinstance(part[0], str) else _inner(part)


def _inner(parts: Iterable[object]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, tuple | list) and part:
            yield from _names(part) if isinstance(part[0], str) else _inner(part)
