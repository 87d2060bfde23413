"""Answers that are never silently old: the files that an answer rests on are compared with the graph it came from.

A changed file is waited for, briefly, and the tool asked again; what is still old then is said. See `live`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.errors import LoregraphError
from loregraph.freshness import Outdated
from loregraph.graph.summaries import content_hashes
from loregraph.mcp_server import log

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.mcp_server.call import Call
    from loregraph.mcp_server.live import Live
    from loregraph.project import Project

Body = dict[str, Any]
Attempt = Callable[[], tuple[Body, str]]

SLOW_SECONDS: Final = 2.0
"""A tool that took longer is not asked again."""
MOST_ATTEMPTS: Final = 3
SETTLE_SECONDS: Final = 0.12
"""An answer without results waits so long for the system to report what was just written: see `watching.STEP_MS`."""
MOST_NAMED: Final = 100
"""Maximum paths in `stale`."""
LONGEST_PATH: Final = 4096
"""Maximum characters of a path or id."""
NOT_FOUND: Final = "NOT_FOUND"
IN_A_SECOND: Final = "ask again in a second"
AFTER_REINDEX: Final = "call reindex, then ask again"
AFTER_INDEX: Final = "once their repository is indexed again, ask again"

_TEXTS: Final = frozenset(
    "content docstring signature evidence excerpt text title why name description message suggestion metadata "
    "truncated rest reason recommendations query code".split()
)
"""Keys with text that names no file."""
_RESULTS: Final = ("results", "related", "rows", "duplicates", "symbols", "call_sites")
"""Keys with what was asked for: an empty one means that nothing was found."""


class Found(msgspec.Struct, frozen=True):
    """What is old of an answer: files that it rests on, and other changed files that are not in the graph yet."""

    files: Outdated = Outdated()
    others: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files.paths or self.others)


# Implements REQ-MCP-012.
def current_answer(call: Call, live: Live, arguments: Body, attempt: Attempt) -> tuple[Body, str]:
    """The answer of `attempt`, a body and "ok" or an error's code: up to date if that takes no more than the time that
    a call may wait, else with `stale`."""
    live.before_call()
    deadline = 0.0
    for number in range(1, MOST_ATTEMPTS + 1):
        with call.workspace.comparing() as project:
            try:
                reader = project.reader()
            except LoregraphError:  # no graph: the tool says what to do
                return attempt()
            call.memories.clear()
            sent = None if call.sent is None else call.sent.noted()
            started = time.monotonic()
            body, outcome = attempt()
            if outcome not in ("ok", NOT_FOUND) or call.elsewhere:
                return body, outcome
            deadline = deadline or time.monotonic() + live.wait_seconds
            is_slow = time.monotonic() - started > SLOW_SECONDS
            found = examined(call, live, project, reader.columns, arguments, body, outcome, deadline)
            if not found or is_slow or number == MOST_ATTEMPTS:
                break
            live.add(found.files.paths)
            if not live.wait(reader.generation, deadline, call.cancelled):
                break
            if call.sent is not None and sent is not None:
                call.sent.take_back(sent)
    return (marked(call, live, arguments, body, outcome, found), outcome) if found else (body, outcome)


def examined(
    call: Call,
    live: Live,
    project: Project,
    columns: GraphColumns,
    arguments: Body,
    body: Body,
    outcome: str,
    deadline: float,
) -> Found:
    """What is old of an answer that came from a graph at least as new as `columns`."""
    named = {path for value in (arguments, body) for path in files_named(value)}
    named.update(path for paths in call.memories.values() for path in paths)

    def compared(hashes: Mapping[str, str]) -> Outdated:
        return project.differing(hashes)

    hashes = content_hashes(columns, named)
    files = compared(hashes)
    is_empty = outcome == NOT_FOUND or any(key in body and not body[key] for key in _RESULTS)
    if not (is_empty or hashes):
        return Found(files)

    def waiting() -> set[str]:
        """Pending files that the graph does not have as they are: a run ends a little after its graph is published."""
        paths = set(live.pending())
        kept = content_hashes(columns, paths)
        there = {path for path in paths - kept.keys() if os.path.lexists(project.root / path)}
        return there | compared(kept).paths - files.paths

    others = waiting()
    if is_empty and not others and not files.paths:
        others = settled(live, project, deadline, waiting)
    return Found(files, tuple(sorted(others)))


def settled(live: Live, project: Project, deadline: float, waiting: Callable[[], set[str]]) -> set[str]:
    """Changed files, for an answer without results, that were not reported yet; new ones only if they are."""
    end = min(deadline, time.monotonic() + SETTLE_SECONDS)
    while live.is_followed and time.monotonic() < end:
        if pending := waiting():
            return pending
        time.sleep(SETTLE_SECONDS / 10)
    return set(project.behind().changed)


def marked(call: Call, live: Live, arguments: Body, body: Body, outcome: str, found: Found) -> Body:
    """The answer with what is old of it: `stale`, a line about it, and without what is in files that are gone."""
    stale = sorted(found.files.paths)
    line = said(found, IN_A_SECOND if live.is_followed else AFTER_INDEX if call.workspace.is_several else AFTER_REINDEX)
    if outcome == NOT_FOUND:
        error = body["error"]
        details = {**error["details"], "stale": [*stale, *found.others][:MOST_NAMED]}
        return {"error": {**error, "suggestion": f"{error['suggestion']}; {line}", "details": details}}
    for gone in found.files.gone & set(files_named(arguments)):
        raise GoneFileError(f"{gone} does not exist any more", line)
    body = msgspec.to_builtins(body)
    if found.files.gone:
        body = without(body, found.files.gone)
        if "has_duplicates" in body:
            body["has_duplicates"] = bool(body["duplicates"])
    for hit in body.get("results", ()):
        if isinstance(hit, dict) and not found.files.paths.isdisjoint(call.memories.get(hit.get("memory_id", ""), ())):
            hit["stale"] = True
    is_empty = any(key in body and not body[key] for key in _RESULTS)
    told = body.get("stale")
    named = {*stale, *(told if isinstance(told, list) else ()), *(found.others if is_empty else ())}
    log.write("DEBUG", "an old answer", correlation_id=call.correlation_id, files=len(named))
    return {**body, **({"stale": sorted(named)[:MOST_NAMED]} if named else {}), "stale_note": line}


class GoneFileError(LoregraphError):
    """A question about code in a file that was deleted."""

    code = NOT_FOUND


def said(found: Found, advice: str) -> str:
    """A line about what may be wrong with an answer, with what to do."""
    parts = []
    if changed := len(found.files.changed):
        parts.append(f"not indexed since the last change: {files(changed)}, whose lines, text and edges may be old")
    if gone := len(found.files.gone):
        parts.append(f"deleted: {files(gone)}; what was there is left out")
    if others := len(found.others):
        shown = ", ".join(found.others[:3]) + (", …" if others > 3 else "")
        parts.append(f"changed elsewhere: {files(others)} ({shown}), not looked at yet")
    return "; ".join((*parts, advice))


def files(number: int) -> str:
    return f"{number:,} file" + ("s" if number != 1 else "")


def files_named(value: Any) -> Iterator[str]:
    """Texts in an answer or in arguments that may be the path of a file: alone, or as the first part of an id."""
    level: list[Any] = [value]
    while level:
        one = level.pop()
        if isinstance(one, str):
            yield from (path for path in (file_of(one),) if path)
        elif isinstance(one, dict):
            level.extend(inner for key, inner in one.items() if key not in _TEXTS)
        elif isinstance(one, list | tuple):
            level.extend(one)


def file_of(text: str) -> str:
    """The path of a text that is a path or an id; "" for one that can be neither."""
    if len(text) > LONGEST_PATH or "\n" in text:
        return ""
    return text.partition("::")[0]


def without(value: Any, gone: Collection[str]) -> Any:
    """`value` without the rows and ids that are in files that are gone. Memories stay."""
    if isinstance(value, dict):
        return {
            key: None if isinstance(inner, dict) and is_within(inner, gone) else without(inner, gone)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without(one, gone) for one in value if not is_within(one, gone)]
    return value


def is_within(row: Any, gone: Collection[str]) -> bool:
    """Whether a row, or an id, is of a file that is gone."""
    if isinstance(row, str):
        return file_of(row) in gone
    if isinstance(row, dict):
        if "memory_id" in row:
            return False
        return any(isinstance(one, str) and file_of(one) in gone for key, one in row.items() if key not in _TEXTS)
    return isinstance(row, list | tuple) and any(isinstance(cell, str) and file_of(cell) in gone for cell in row)
